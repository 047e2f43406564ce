"""Every byte that reached the spectator and the opponent in games played in Chromium, against twin games."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from web.recorded import conversation, difference, shapes
from web.served import DESKTOP, DUEL, MOVES, PHONE, SMALL_PHONE, Screen, Served, hidden_ranks

TWINS = {
    "red": {**DUEL, "red": "a1=B b1=3 a2=S d3=9 e3=3 h3=2 g3=B b3=10 c1=F a3=2"},
    "blue": {**DUEL, "blue": "a8=F b8=3 b7=9 d6=S e6=3 h6=2 g6=B f8=2 d8=B c7=10"},
}
"""By the seat whose hidden ranks are dealt anew: whoever fights in `MOVES` is who he was."""

Opener = Callable[..., Screen]


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Callable[[], Served]]:
    """Tables one after the other."""
    opened: list[Served] = []

    def another() -> Served:
        directory = tmp_path / str(len(opened))
        directory.mkdir()
        opened.append(Served(directory))
        return opened[-1]

    yield another
    for served in opened:
        served.close()


def _boards(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [frame["board"] for frame in frames if "board" in frame]


def _rulings(frames: list[dict[str, Any]]) -> int:
    return sum(frame["kind"] == "told" and frame["told"]["kind"] == "ruling" for frame in frames)


def _calm(frames: list[dict[str, Any]]) -> bool:
    """Nothing is lit but whose turn it is, nothing is to do, and somebody is to move or the game is over."""
    board = _boards(frames)[-1]
    order = board["chores"] == [] and all(lamp.startswith("turn-") for lamp in board["marks"])
    return order and (bool(board["marks"]) or board["over"])


def _move(seat: Screen, action: str) -> None:
    """Lift a piece, wait until its lamps are lit, carry it, let go."""
    origin, _, target = action.partition("-")
    start, end = seat.square(origin), seat.square(target)
    seat.drag(start, let_go=False)
    seat.until_frame(lambda frames: _boards(frames)[-1]["marks"].get(origin) == "lifted")
    seat.lead(start, end)


def _game(
    served: Served, screen: Opener, armies: dict[str, str], has: dict[str, dict[str, Any]]
) -> dict[str, Screen]:
    """A whole duel by dragging; the screens of a spectator without a link, of the table and of both seats."""
    spectator = screen(None)
    spectator.page.goto(served.origin)
    spectator.live()
    table = screen(served.links["table"])
    seats = {seat: screen(served.links[seat], **has[seat]) for seat in armies}
    for seat, army in armies.items():
        seats[seat].set_up(army)
    for number, action in enumerate(MOVES):
        seat = seats[("red", "blue")[number % 2]]
        seat.until_todo("Your turn")
        _move(seat, action)
        spectator.until_frame(lambda frames, wanted=number + 3: _rulings(frames) == wanted and _calm(frames))
    screens = {"spectator": spectator, "table": table, **seats}
    for each in screens.values():
        each.until_todo("Red has captured the Flag and wins.")
        assert each.errors == []
    return screens


def _bytes(screens: dict[str, Screen]) -> int:
    return sum(
        sum(map(len, screen.frames)) + sum(len(body) for *_, body in screen.answers)
        for screen in screens.values()
    )


def _said(screen: Screen) -> list[int]:
    """How long each message was that a screen sent; looks whether anybody is there go by the clock."""
    return [len(text) for text in screen.said if json.loads(text)["do"] != "here"]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("red_has", "blue_has"), [(DESKTOP, DESKTOP), (PHONE, SMALL_PHONE)], ids=["desktops", "phones"]
)
def test_spectator_and_opponent_are_sent_the_same_bytes_in_a_twin_game(
    tables: Callable[[], Served],
    screen: Opener,
    red_has: dict[str, Any],
    blue_has: dict[str, Any],
    record_property: Callable[[str, object], None],
) -> None:
    """Whole duels by dragging: no hidden rank reaches spectator, table or opponent, and all that they are
    sent equals what they are sent in a game with other hidden ranks; what the owner is told is as much and as
    long, and so is what every screen says. What is left out of the comparison (links, moments) is named in
    tests/web/recorded.py. A machine too busy to lift and set down a piece in 20 seconds has the umpire ask,
    which is another public history."""
    has = {"red": red_has, "blue": blue_has}
    game = _game(tables(), screen, DUEL, has)
    heard = {name: conversation(each) for name, each in game.items()}
    for hidden, armies in TWINS.items():
        twin = _game(tables(), screen, armies, has)
        opponent = "blue" if hidden == "red" else "red"
        for name in ("spectator", "table", opponent):
            differs = difference(heard[name], conversation(twin[name]))
            assert differs is None, f"{name}, when {hidden}'s hidden ranks differ: {differs}"
            for screens, army in ((game, DUEL[hidden]), (twin, armies[hidden])):
                texts = [*screens[name].frames, *screens[name].answered()]
                assert hidden_ranks(texts, hidden, army, MOVES) == []
            assert _said(twin[name]) == _said(game[name]), f"{name}: what went up, in bytes"
        own = f"/socket/{hidden}"
        assert _said(twin[hidden]) == _said(game[hidden])
        assert shapes(twin[hidden], own) == shapes(game[hidden], own)
        assert conversation(twin[hidden])[own] != heard[hidden][own], "the owner's own ranks are told to him"
        watchers = {name: twin[name] for name in ("spectator", "table", opponent)}
        record_property(
            f"bytes compared, {hidden}'s hidden ranks dealt anew",
            f"{_bytes(watchers)} in {sum(len(each.frames) for each in watchers.values())} frames "
            f"and {sum(len(each.answers) for each in watchers.values())} answers",
        )
