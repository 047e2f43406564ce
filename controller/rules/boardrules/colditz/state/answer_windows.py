"""Windows: what others may answer before the turn goes on (R068). The clock ends one that stays open."""

from __future__ import annotations

from typing import NamedTuple

from boardrules.colditz.state.facts import ReadablePosition
from boardrules.colditz.state.position_draft import PositionDraft


class Arrest(NamedTuple):
    """A guard comes to a man (R080)."""

    guard: int
    man: int


class PlayedCard(NamedTuple):
    """A card was played, and has not done yet what it says."""

    side: int
    """Whose card it is."""
    card_number: int
    effect: str
    deck: str
    first_asked_side: int
    """The first side that was asked, or -1: of a shot, whose man it is aimed at."""
    aim: tuple[str, ...]
    """The words that followed its name."""


def open_answer_window(draft: PositionDraft, sides: tuple[int, ...], event: Arrest | PlayedCard) -> bool:
    """Ask those of `sides` that hold a card, in that order; `False` if there is nobody to ask.

    Whether somebody is asked follows the number of his cards alone, which everybody knows (R095).
    """
    asked = tuple(
        side for side in sides if draft.table.hand_sizes[side] and not draft.table.left_sides >> side & 1
    )
    if asked:
        draft.push_task("answer", asked[0], event, asked[1:])
    return bool(asked)


def sides_clockwise(position: ReadablePosition, sides: tuple[int, ...]) -> tuple[int, ...]:
    """Sides in the order in which they are asked: clockwise from the player to move (R068)."""
    first, players = position.turn.side, position.rules.players
    return tuple(sorted(sides, key=lambda side: (side - first) % players))
