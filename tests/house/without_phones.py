"""Who needs a screen of its own in each game, found by playing: the table in docs/play/without-phones.md.

Run it to bring that table up to date.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from boardrules import registry
from boardrules.core import Action, BadText, Seat, State

PAGE = Path(__file__).resolve().parents[2] / "docs" / "play" / "without-phones.md"
BEGIN, END = "<!-- games: begin -->\n", "<!-- games: end -->\n"
GAMES: tuple[tuple[str, str, Mapping[str, Any]], ...] = (
    ("Stratego, all kinds", "stratego-quick-duel", {}),
    ("Fall of the Führer", "fall-of-the-fuhrer", {}),
    ("Fall of the Führer, his sheet on paper", "fall-of-the-fuhrer", {"sheet": "paper"}),
    ("Escape from Colditz", "escape-from-colditz", {"players": 2}),
)
SECRETS = {
    "setup": "its set-up, unless its pieces have tags",
    "hide": "where Hitler begins",
    "go": "where he goes",
    "written": "that he has written",
    "yes": "whether he is there",
    "sheet": "his sheet at the end",
    "discard": "which card it puts away, once it has drawn too many",
}
"""What a seat says on its screen alone, by the first word of it."""


def by_board(state: State, seat: Seat) -> set[str]:
    """What a seat may do by pieces and buttons alone."""
    said = [*state.button_actions().values(), *(action for _, action in state.cursor_actions())]
    found = {str(action) for action in said if action.seat == seat}
    for step in state.steps():
        try:
            found.add(str(state.hand_action(seat, step.origin, step.target)))
        except BadText:  # another seat's pieces
            continue
    return found


def by_screen_alone(game: str, options: Mapping[str, Any], games: int = 2) -> dict[Seat, set[str]]:
    """By seat the first words of what it had to do where nothing could be done by pieces and buttons.

    What can be done so is preferred, and of that drawing cards, whose owner has to keep them secret.
    """
    found: dict[Seat, set[str]] = {}
    for number in range(games):
        dice, state = random.Random(number), registry.new(game, options)
        for _ in range(400):
            if state.outcome is not None:
                break
            state, _ = state.apply(_next(state, dice, found))
    return found


def _next(state: State, dice: random.Random, found: dict[Seat, set[str]]) -> Action:
    faces = state.chance()
    if faces:
        return dice.choices([face for face, _ in faces], [weight for _, weight in faces])[0]
    seat = dice.choice(list(state.seats_to_act()))
    legal = list(state.legal_actions(seat))
    able = by_board(state, seat)
    can = [action for action in legal if str(action) in able and not action.secret]
    if not can:
        found.setdefault(seat, set()).add("yes" if {"yes", "no"} & {*map(str, legal)} else _head(legal[0]))
    drawing = [action for action in can if _head(action) == "draw"]
    return dice.choice(drawing or can or legal)


def _head(action: Action) -> str:
    return str(action).partition(" ")[0]


def table() -> str:
    """The table, as the page has it."""
    return BEGIN + "\n".join(["| game | needs a screen | for what |", "|---|---|---|", *_rows()]) + "\n" + END


def _rows() -> Iterator[str]:
    for name, game, options in GAMES:
        alone = by_screen_alone(game, options)
        seats = sorted(alone)
        heads = {head for said in alone.values() for head in said}
        assert heads <= SECRETS.keys(), heads
        everybody = set(seats) == set(registry.new(game, options).seats)
        who = "everybody" if everybody else ", ".join(seat.capitalize() for seat in seats)
        yield f"| {name} | {who} | {'; '.join(text for head, text in SECRETS.items() if head in heads)} |"


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.partition(BEGIN)[0], text.partition(END)[2]
    PAGE.write_text(before + table() + after, encoding="utf-8")
