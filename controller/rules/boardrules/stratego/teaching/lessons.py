"""A first game of Duel: five moves, and the Flag is captured. Blue's is Red's, turned by half a circle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardrules.core import Seat
from boardrules.stratego.actions import BLUE, RED, SEATS
from boardrules.teaching import Lesson, LessonStep

_OWN_ARMY: Final = {
    "a3": "S", "b3": "2", "c2": "3", "d3": "9", "e2": "3", "f3": "10", "h3": "2", "d1": "B",
    "f1": "B", "e1": "F",
}  # fmt: skip
"""The army of whoever learns, as Red sets it up."""
_OTHER_ARMY: Final = {
    "b6": "10", "c7": "9", "d7": "S", "e6": "2", "a7": "2", "f7": "3", "e8": "3", "g7": "B", "h8": "B",
    "h7": "F",
}  # fmt: skip
_REPLY_MOVES: Final = ("a7-a6", "b6-b5", "b5-b4", "e6-e5")


def _rotate_square(square: str) -> str:
    return f"{'hgfedcba'['abcdefgh'.index(square[0])]}{9 - int(square[1])}"


def _make_lesson(seat: Seat) -> Lesson:
    def at(square: str) -> str:
        return square if seat == RED else _rotate_square(square)

    def move(text: str) -> str:
        return "-".join(map(at, text.split("-")))

    def step(text: str, ask: str, then: str) -> LessonStep:
        origin, target = move(text).split("-")
        return LessonStep(ask, (move(text),), then, spaces={"from": origin, "to": target})

    other = BLUE if seat == RED else RED
    armies = {
        side: {at(square): rank for square, rank in army.items()}
        for side, army in ((seat, _OWN_ARMY), (other, _OTHER_ARMY))
    }
    set_ups = {side: " ".join(f"{at}={rank}" for at, rank in army.items()) for side, army in armies.items()}
    return Lesson(
        "Capture the enemy's Flag. Five moves show you how.",
        (
            step(
                "d3-d4",
                "Move your General one square: touch {from}, then {to}.",
                "Every piece goes one square a turn. Only Scouts go further.",
            ),
            step(
                "b3-b6",
                "A Scout goes straight on as far as it likes, and may attack there. Attack {to} from {from}.",
                "Your Scout has lost, but now you know where the Field Marshal is.",
            ),
            step(
                "a3-a4",
                "The Field Marshal comes closer. Only your Spy beats it: move her from {from} to {to}.",
                "Good. Now the Field Marshal steps beside her: it doesn't know who she is.",
            ),
            step(
                "a4-b4",
                "Attack first: with the Spy from {from} to {to}.",
                "The Spy beats the Field Marshal because she attacked.",
            ),
            step(
                "h3-h7",
                "Nothing stands in the way of your other Scout. Attack {to} from {from}.",
                "That was the Flag!",
            ),
        ),
        "That is Stratego. Next time you set up your own army.",
        initial_spaces={side: tuple(army) for side, army in armies.items()},
        opening=tuple((side, f"setup {set_ups[side]}") for side in SEATS),
        scripted_actions={other: (*(("f2-f3",) if other == RED else ()), *map(move, _REPLY_MOVES))},
    )


LESSONS: Final[Mapping[Seat, Lesson]] = {seat: _make_lesson(seat) for seat in SEATS}
