"""No press at the board speaks for a seat that the machine, or the partner of a lesson, plays.

It answers itself, or nobody does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from boardsim.bench.bench import SENSING_DELAY_US, Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardumpire.ruling.umpire import seat_that_may_say
from boardware.ports import MS, SECOND
from table.test_offers import SETUPS

HUNT = "fall-of-the-fuhrer"


class Game:
    """A game whose seats `machines` have no people."""

    def __init__(self, *machines: str, lesson: bool = False, **setting: Any) -> None:
        """`lesson`: whether the partner of a lesson plays there."""
        self.bench = Bench(BenchSettings(bounce=False, **setting), TableFactory())
        self.bench.start()
        self.table: Any = self.bench.table
        if lesson:
            self.table.set_partner_source(lambda: machines)
            return
        for seat in machines:
            self.table.assign_machine(seat)

    @property
    def state(self) -> Any:
        return self.table.full_state

    def press(self, button: str, held: int = 0) -> bool:
        """Press a button, or hold it; whether lights say that it counts for nothing."""
        hands, now = self.bench.hands, self.bench.now
        self.bench.run_until(hands.hold(button, held * MS, now) if held else hands.press(button, now))
        self.bench.wait(SENSING_DELAY_US)
        refused = any("refused" in mark for mark in self.table.marks.values())
        self.bench.wait(2 * SECOND)
        return refused


@pytest.fixture(params=[False, True], ids=["machine", "lesson"])
def duel(request: Any) -> Iterator[Game]:
    """Red is a person; blue the machine, or the partner of a lesson."""
    game = Game("blue", lesson=request.param)
    for seat, text in SETUPS.items():
        game.bench.set_up(seat, text)
    game.bench.wait(2 * SECOND)
    yield game
    game.bench.close()


@pytest.mark.parametrize("button", ["confirm", "cancel"])
@pytest.mark.parametrize("offer", ["draw", "take-back"])
def test_nobody_agrees_or_declines_at_the_board_in_its_name(duel: Game, offer: str, button: str) -> None:
    bench = duel.bench
    if offer == "take-back":
        bench.run_until(bench.hands.lift("h3", bench.now))
        bench.run_until(bench.hands.place("h4", bench.now))
        bench.wait(2 * SECOND)
    bench.say("red", {"draw": "offer-draw", "take-back": "ask-take-back"}[offer])
    bench.wait(2 * SECOND)
    before = duel.state
    assert seat_that_may_say(before, f"agree-{offer}") == "blue"
    assert duel.press(button), "it is seen that it counts for nothing"
    assert duel.press(button, held=2300)
    assert duel.state is before
    bench.say("blue", f"agree-{offer}")
    bench.wait(2 * SECOND)
    assert duel.state is not before, "the machine itself says it"


@pytest.mark.parametrize("button", ["confirm", "cancel"])
@pytest.mark.parametrize("thing", ["adjourn", "by-hand h4"])
def test_what_red_proposes_the_machine_answers(duel: Game, thing: str, button: str) -> None:
    duel.table.set_screen_check(lambda seat: seat == "red")
    duel.bench.say("red", thing)
    duel.bench.wait(2 * SECOND)
    before = duel.table.newest_proposal
    assert duel.press(button)
    assert duel.table.newest_proposal == before


def test_a_held_button_neither_resigns_nor_offers_nor_takes_back_for_it(duel: Game) -> None:
    """While the machine is to move a held button speaks for the one person at the board."""
    bench = duel.bench
    bench.run_until(bench.hands.lift("h3", bench.now))
    bench.run_until(bench.hands.place("h4", bench.now))
    bench.wait(2 * SECOND)
    assert duel.state.seats_to_act() == ("blue",)
    duel.press("cancel", held=2300)
    assert (duel.table.newest_proposal.by, duel.table.newest_proposal.kind()) == ("red", "resign")
    duel.press("cancel")
    bench.run_until(bench.hands.lift("g6", bench.now))
    bench.run_until(bench.hands.place("g5", bench.now))
    bench.wait(2 * SECOND)
    assert duel.state.seats_to_act() == ("red",)
    before = duel.state
    assert duel.press("turn", held=2300), "the last move is the machine's"
    assert duel.state is before


def test_no_button_ends_the_turn_of_the_machine() -> None:
    options = {"sheet": "paper", "start_cities": "any"}
    game = Game("allies", board=HUNT, game=HUNT, options=options, table={"dice": "real"})
    for city, name in (("ulm", "tank"), ("augsburg", "spy"), ("munich", "infantry")):
        game.bench.run_until(game.bench.hands.stand("allies", city, game.bench.now, name))
        game.bench.say("allies", f"{name} {city}")
    game.bench.say("hitler", "written")
    game.bench.wait(2 * SECOND)
    assert game.state.button_actions()["turn"].seat == "allies"
    before = game.state
    for button in ("turn", "choose"):
        assert game.press(button), button
    assert game.state is before
    game.bench.say("allies", "stay")
    assert game.state is not before
    game.bench.close()
