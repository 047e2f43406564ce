"""Short ways to write positions and lines of Stratego."""

from __future__ import annotations

import random
from typing import Any

import boardrules
from boardrules.core import Event, Refusal
from boardrules.stratego.facts import StrategoFacts
from boardrules.stratego.games import GAMES, make_position
from boardrules.stratego.play import StrategoState
from boardrules.stratego.setup import draw_setup

STRATEGO = tuple(game.id for game in GAMES)
"""The games of Stratego among all that there are."""


def army(text: str) -> dict[str, str]:
    """`3 a3, F h1` -> square -> rank."""
    return {square: rank for rank, square in (piece.split() for piece in text.split(","))}


def at(
    red: str, blue: str, game: str = "stratego-quick-duel", to_move: str = "red", **options: Any
) -> StrategoState:
    """A position of the pieces named."""
    state = make_position(game, army(red), army(blue), options, to_move)
    assert isinstance(state, StrategoState)
    return state


def line(state: StrategoState, moves: str) -> StrategoState:
    """The position after moves, which must all be legal."""
    for text in moves.split():
        seat = state.seats_to_act()[0]
        after, _ = state.apply(state.parse(text, seat))
        assert isinstance(after, StrategoState)
        state = after
    return state


def refusal(state: StrategoState, text: str, seat: str | None = None) -> Refusal | None:
    seat = seat or state.seats_to_act()[0]
    return state.refusal(state.parse(text, seat))


def why(state: StrategoState, text: str, seat: str | None = None) -> str | None:
    """The id of the rule that refuses, or `None`."""
    refused = refusal(state, text, seat)
    return None if refused is None else refused.rule


def code(state: StrategoState, text: str, seat: str | None = None) -> str | None:
    refused = refusal(state, text, seat)
    return None if refused is None else refused.code


def moves(state: StrategoState) -> set[str]:
    """The legal moves as texts."""
    return {str(move) for seat in state.seats_to_act() for move in state.legal_actions(seat)}


def events(state: StrategoState, text: str, seat: str | None = None) -> list[dict[str, Any]]:
    """What happens by an action."""
    found: tuple[Event, ...] = state.apply(state.parse(text, seat or state.seats_to_act()[0]))[1]
    return [event.json() for event in found]


def started(game: str, rng: random.Random, **options: Any) -> StrategoState:
    """A game with random armies, Red to move."""
    while True:
        state: Any = boardrules.new(game, options)
        rules = state.rules
        for seat in ("red", "blue"):
            state, _ = state.apply(draw_setup(rules, seat, rng))
        if state.outcome is None:
            assert isinstance(state, StrategoState)
            return state


def facts(state: StrategoState) -> StrategoFacts:
    return state.facts
