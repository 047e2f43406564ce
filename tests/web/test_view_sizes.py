"""What a seat is told of the game is always of one size, whatever it may do, with room to spare."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

import boardrules
from boardrules import registry
from boardrules.colditz.state.facts import AFTER_ROLL
from boardrules.core import CHANCE, State
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.web.screen_hub import VIEW_PADDING_BYTES, ScreenHub
from boardware.description import load_board
from boardware.parts import BoardDescription
from rules import contract
from web.castle import PositionDesk, played
from web.desks import Ear

FREE = VIEW_PADDING_BYTES // 4
"""Bytes that the largest view leaves free."""
MOST_POINTS = 36
"""Of a turn of Escape from Colditz: three sixes twice."""
CASTLE = "escape-from-colditz"
BOARDS = {
    "fall-of-the-fuhrer": "fall-of-the-fuhrer",
    CASTLE: CASTLE,
    "stratego-barrage": "classic-10x10",
    "stratego-classic": "classic-10x10",
    "stratego-duel": "classic-10x10",
    "stratego-quick-barrage": "quick-battle-8x8",
    "stratego-quick-duel": "quick-battle-8x8",
}


class Told:
    """A page, and a screen of each seat: how many bytes of each view were no filling."""

    def __init__(self, state: State, board: BoardDescription) -> None:
        self._desk = PositionDesk(state, board=board)
        self._room = ScreenHub(self._desk, epoch=lambda: "same")
        self._ears = {seat: Ear() for seat in state.seats}
        for seat, ear in self._ears.items():
            self._room.enter(seat, ear, None, 0)

    def of(self, state: State) -> int:
        """Show every seat this position; the most bytes that one is told. Each frame is `VIEW_PADDING_BYTES`
        long."""
        self._desk.state = state
        for ear in self._ears.values():
            ear.texts.clear()
        self._room.send_messages([SeatMessage(0, None, "turn", {"seat": state.seats[0], "text": ""})])
        most = 0
        for ear in self._ears.values():
            (text,) = (text for text in ear.texts if json.loads(text)["kind"] == "view")
            assert len(text) == VIEW_PADDING_BYTES
            most = max(most, len(text) - len(json.loads(text)["pad"]))
        return most


def random_games(game: str, games: int, actions: int) -> Iterator[State]:
    """Positions of random games, by all numbers of players in turn; of Colditz half are of simple players."""
    seatings = registry.package(game).player_counts
    for number in range(games):
        players = seatings[number % len(seatings)]
        options = {"players": players} if len(seatings) > 1 else {}
        if game == CASTLE and number % 2:
            yield from (state for state, _ in islice(played(number, **options), actions))
        else:
            yield from contract.walk(boardrules.new(game, options), random.Random(number), actions)


def largest(states: Iterator[State], game: str, each: int = 1) -> int:
    """The most bytes that a seat is told of one of these, of which every so many-th is looked at."""
    board, most = load_board(BOARDS[game]), 0
    told: Told | None = None
    for number, state in enumerate(states):
        if number % each == 0:
            if told is None or told._desk.seats != state.seats:
                told = Told(state, board)
            most = max(most, told.of(state))
    return most


def lucky(states: Iterator[Any]) -> Iterator[Any]:
    """Those of these in which a side moves its pawns, with all the points that a turn can have."""
    for state in states:
        facts = state.facts
        if facts.turn.phase == AFTER_ROLL and not facts.tasks and state.seats_to_act() != (CHANCE,):
            yield type(state)(replace(facts, points=MOST_POINTS), state.secrets)


def test_every_game_has_a_board_here() -> None:
    assert BOARDS.keys() == registry.games().keys()


@pytest.mark.parametrize("game", BOARDS)
def test_the_largest_view_leaves_a_quarter_free(game: str) -> None:
    assert largest(random_games(game, 2, 150), game, each=10) <= VIEW_PADDING_BYTES - FREE


def test_so_does_one_with_all_the_points_of_a_turn() -> None:
    """Where most pawns may go to most circles: whoever throws three double sixes has them."""
    assert 4000 < largest(lucky(random_games(CASTLE, 5, 120)), CASTLE, each=20) <= VIEW_PADDING_BYTES - FREE


@pytest.mark.nightly
@pytest.mark.parametrize("game", BOARDS)
def test_the_largest_view_of_many_games_leaves_a_quarter_free(
    game: str, record_property: Callable[[str, object], None]
) -> None:
    """Sixty random games of each kind, by every number of players, and what the turns of Escape from Colditz
    would be with all the points that there are."""
    most = largest(random_games(game, 60, 600), game, each=5)
    record_property(f"{game}: the largest view", f"{most} of {VIEW_PADDING_BYTES} bytes")
    if game == CASTLE:
        most = max(most, largest(lucky(random_games(game, 30, 600)), game, each=10))
        record_property(
            f"{game}: the largest with {MOST_POINTS} points", f"{most} of {VIEW_PADDING_BYTES} bytes"
        )
    assert most <= VIEW_PADDING_BYTES - FREE


def test_a_snapshot_is_as_long_whatever_the_view_holds() -> None:
    """Beside it lies what was told before, whose length everybody knows: it is not filled up together with
    the view, or their sum would tell how long that is."""
    board = load_board(CASTLE)
    beside = set()
    for number, state in enumerate(islice(random_games(CASTLE, 1, 150), 0, None, 10)):
        told = 5000 + 200 * number
        desk = PositionDesk(state, board=board)
        desk.history = [SeatMessage(0, None, "ruling", {"text": ["x" * told]})]
        desk.answer_window = lambda: None  # type: ignore[method-assign]
        beside.add(len(ScreenHub(desk, epoch=lambda: "same").snapshot(state.seats[0], "en")) - told)
    assert len(beside) == 1
