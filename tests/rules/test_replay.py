"""Whoever only hears the public events of a game knows what the board and everybody's view show."""

from __future__ import annotations

import random
from typing import Any

import pytest

import boardrules
from boardrules.core import CHANCE, Event
from house.same_games import KINDS, one_of


class HuntReplay:
    """Pieces, flags, round, token and tickets of the hunt."""

    def __init__(self, state: Any) -> None:
        self.pieces: dict[str, str] = {}
        self.flags: set[str] = set()
        self.round = state.view(None).json()["round"]
        self.token: str | None = None
        self.tickets = state.view(None).json()["tickets"]
        self.answers = 0
        self.at_once = state.options["recapture"] == "at_once"

    def hear(self, event: Event) -> None:
        told = dict(event.data)
        if event.kind == "placed":
            self.pieces[told["piece"]] = told["at"]
        elif event.kind == "went":
            assert self.pieces[told["piece"]] == told["from"]
            self.pieces[told["piece"]] = told["to"]
        elif event.kind == "liberated":
            self.flags.add(told["at"])
        elif event.kind == "lowered" or (event.kind == "recaptured" and self.at_once):
            self.flags.discard(told["at"])
        elif event.kind == "calendar":
            self.round = told["round"]
        elif event.kind == "token":
            self.token = told["at"]
        elif event.kind in ("ticket", "flight"):
            self.tickets = told["left"]
        elif event.kind == "answer":
            self.answers += 1

    def check(self, state: Any) -> None:
        shown = state.view(None).json()
        pieces = {piece: at for piece, at in shown["pieces"].items() if at is not None}
        assert pieces == self.pieces
        stand = {pawn.name: space for space, pawns in state.layout().items() for pawn in pawns}
        assert stand == self.pieces
        assert set(shown["flags"]) == self.flags
        assert (shown["round"], shown["token"]) == (self.round, self.token)
        assert shown["tickets"] == self.tickets
        assert len(shown["answers"]) == self.answers


class StrategoReplay:
    """By square whose piece stands there."""

    def __init__(self, state: Any) -> None:
        self.at: dict[str, str] = {}

    def hear(self, event: Event) -> None:
        told = dict(event.data)
        if event.kind == "move":
            assert self.at[told["from"]] == told["seat"]
            self.at[told["to"]] = self.at.pop(told["from"])
        elif event.kind == "battle":
            attacker = self.at.pop(told["from"])
            if told["result"] == "attacker":
                self.at[told["to"]] = attacker
            elif told["result"] == "both":
                del self.at[told["to"]]

    def check(self, state: Any) -> None:
        stand = {space: pieces[0].seat for space, pieces in state.layout().items()}
        if not self.at:  # set-ups are stood by hand, before anything is told of squares
            self.at = stand if len(state.seats_to_act()) == 1 else {}
            return
        assert stand == self.at


REPLAYS: dict[str, Any] = {"fall-of-the-fuhrer": HuntReplay, "stratego": StrategoReplay}


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", REPLAYS)
def test_events_views_and_layout_agree(kind: str, seed: int) -> None:
    rng = random.Random(seed)
    ids, choices = KINDS[kind]
    options = {name: one_of(values, rng) for name, values in choices.items()}
    options.pop("sheet", None)  # on paper the umpire knows less
    state: Any = boardrules.new(ids[seed % len(ids)], options)
    replay = REPLAYS[kind](state)
    for _ in range(600):
        if state.outcome is not None:
            break
        seat = state.seats_to_act()[0]
        if seat == CHANCE:
            faces = state.chance()
            action = rng.choices([one for one, _ in faces], [weight for _, weight in faces])[0]
        else:
            action = rng.choice(list(state.legal_actions(seat)))
        state, events = state.apply(action)
        for event in events:
            if event.audience is None:
                replay.hear(event)
        replay.check(state)
    assert replay.pieces if kind == "fall-of-the-fuhrer" else replay.at
