"""What a phone says and the rules refuse is that seat's own affair: nobody else is sent or shown anything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

from boardrules.core import BadText, State
from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardware.ports import SECOND
from colditz.evening import Evening
from fuhrer.hunt import Hunt
from table.test_offers import SETUPS
from table.twins import begun

MOST = 60
"""How many refused actions are said of each game."""


class Told(NamedTuple):
    """A game under way and all that came of it."""

    bench: Bench
    messages: list[Any]
    state: State
    words: tuple[str, ...]
    """What is said besides moves."""


@contextmanager
def duel() -> Iterator[Told]:
    """Red's Bomb and Flag are asked to move, and everybody else where he can't."""
    messages: list[Any] = []
    bench = Bench(BenchSettings(), TableFactory(), told=messages.append)
    bench.start()
    for seat, text in SETUPS.items():
        bench.set_up(seat, text)
    bench.wait(SECOND)
    yield Told(bench, messages, begun(SETUPS), ("agree-draw", "setup a1=F", "no such thing"))
    bench.close()


@contextmanager
def hunt() -> Iterator[Told]:
    """Hitler's third turn: routes that he can't take."""
    game = Hunt(seed=4)
    game.begin()
    while not (game.state.seats_to_act() == ("hitler",) and game.state.facts.round >= 3):  # type: ignore[attr-defined]
        game.turn()
    cities = game.state.facts.rules.board.ids  # type: ignore[attr-defined]
    yield Told(game.bench, game.messages, game.state, tuple(f"go {city}" for city in cities))
    game.bench.close()


@contextmanager
def castle() -> Iterator[Told]:
    """The first turn: doors without a key, walls, the pawns of others."""
    game = Evening(options={"players": 3})
    game.begin()
    game.deployed()
    game.rolled()
    yield Told(game.scene.bench, game.messages, game.state, ("use key", "play 1", "yes"))
    game.scene.bench.close()


def refused(state: State, words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Actions that the rules refuse: carried, and said."""
    for seat in state.seats:
        for origin in state.layout():
            for target in sorted({space for step in state.steps() for space in (step.origin, step.target)}):
                try:
                    action = state.hand_action(seat, origin, target)
                except BadText:
                    continue
                if state.refusal(action) is not None:
                    yield seat, str(action)
        for text in words:
            try:
                if state.refusal(state.parse(text, seat)) is not None:
                    yield seat, text
            except BadText:
                yield seat, text


GAMES = {"duel": duel, "hunt": hunt, "castle": castle}


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_what_a_phone_is_refused_nobody_else_learns(name: str) -> None:
    """All messages with their moments, all lights: as if nothing had been said."""
    heard = []
    for tried in (True, False):
        with GAMES[name]() as told:
            tries = list(refused(told.state, told.words))
            assert len(tries) > MOST / 2
            lamps = told.bench.world.copper.lamps
            told.messages.clear()
            for seat, text in tries[:: max(1, len(tries) // MOST)] if tried else ():
                before = lamps()
                with pytest.raises(ValueError, match=r"\w"):
                    told.bench.say(seat, text)
                assert lamps() == before
            told.bench.wait(SECOND)
            heard.append((told.messages, told.bench.now, lamps()))
    assert heard[0] == heard[1]
