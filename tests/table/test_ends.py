"""How a game has ended is seen without a screen: who has won, that it is a draw, that somebody gave up."""

from __future__ import annotations

from typing import Any

import pytest

from boardrules import registry
from boardsim.bench.bench import SENSING_DELAY_US, Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardware.ports import MS, SECOND
from table.test_offers import SETUPS

DUEL = "stratego-quick-duel"
HUNT = "fall-of-the-fuhrer"
SET_UP = "; ".join(("allies tank ulm", "allies spy augsburg", "allies infantry munich", "hitler written"))
"""Nothing of it need stand on the board: how a game has ended is said by lamps of sides."""


def ended(says: str, *, game: str = DUEL, board: str = "quick-battle-8x8", **options: Any) -> Bench:
    """A game that has just ended by what was said."""
    bench = Bench(
        BenchSettings(
            board=board, game=game, options=options, table={"dice": "real"}, lamp_driver="neopixel-pwm-sim"
        ),
        TableFactory(),
    )
    bench.start()
    if game == DUEL:
        for seat, text in SETUPS.items():
            bench.set_up(seat, text)
    for said in says.split("; "):
        seat, _, text = said.partition(" ")
        bench.say(seat, text)
        bench.wait(2 * SECOND)
    assert bench.table is not None
    assert bench.table.is_over, says
    return bench


def sides(bench: Bench) -> dict[str, str]:
    """What the lamps of sides show."""
    assert bench.table is not None
    return {
        lamp.removeprefix("turn-"): mark.partition("+")[0]
        for lamp, mark in bench.table.marks.items()
        if lamp.startswith("turn-")
    }


PIECES = "tank", "spy", "infantry"
ALLIES_WIN = {"hitler": "defender-stands", **dict.fromkeys(PIECES, "attacker-stands")}
HITLER_WINS = {"hitler": "attacker-stands", **dict.fromkeys(PIECES, "defender-stands")}


@pytest.mark.parametrize(
    ("says", "shown"),
    [
        ("red resign", {"red": "defender-stands", "blue": "attacker-stands"}),
        ("blue resign", {"red": "attacker-stands", "blue": "defender-stands"}),
        ("red offer-draw; blue agree-draw", {"red": "both-fall", "blue": "both-fall"}),
        ("red adjourn; blue yes; red resign", {"red": "defender-stands", "blue": "attacker-stands"}),
    ],
)
def test_a_duel_that_was_given_up_or_drawn(says: str, shown: dict[str, str]) -> None:
    bench = ended(says)
    assert sides(bench) == shown
    bench.wait(600 * SECOND)
    assert sides(bench) == shown
    bench.close()


@pytest.mark.parametrize(
    ("says", "shown"),
    [
        ("hitler resign", ALLIES_WIN),
        ("allies resign; hitler sheet ulm", HITLER_WINS),
        (
            "allies stay; allies roll 1; allies stay; allies done; allies roll 1; allies stay; hitler yes;"
            " hitler sheet munich",
            dict.fromkeys(PIECES, "attacker-stands"),
        ),
    ],
)
def test_a_hunt_that_was_given_up_or_won(says: str, shown: dict[str, str]) -> None:
    bench = ended(f"{SET_UP}; {says}", game=HUNT, board=HUNT, sheet="paper", start_cities="any")
    assert sides(bench) == shown
    bench.close()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_side_of_several_seats_wins_or_loses_as_a_whole(seats: int) -> None:
    state = registry.new(HUNT, {"players": seats})
    (hitler, *allies) = state.seats
    assert state.winners() == ()
    for seat in state.seats:
        over, _ = state.apply(state.parse("resign", seat))
        assert over.winners() == ((hitler,) if seat in allies else tuple(allies))


def test_what_asks_at_the_end_is_seen_before_how_it_ended() -> None:
    bench = ended("red resign")
    bench.run_until(bench.hands.hold("confirm", 2100 * MS, bench.now))
    bench.wait(SENSING_DELAY_US)
    assert sides(bench) == {"red": "asks", "blue": "asks"}  # a new game is asked for
    bench.close()


def test_what_was_proposed_in_the_game_lapses_with_its_end() -> None:
    bench = ended("blue by-hand e5; red resign")
    assert bench.table is not None
    assert bench.table.proposals == ()
    assert sides(bench) == {"red": "defender-stands", "blue": "attacker-stands"}
    for thing in ("adjourn", "by-hand e5"):
        with pytest.raises(ValueError, match="The game is over"):
            bench.say("red", thing)
    bench.close()


def test_what_stood_at_the_end_is_still_told() -> None:
    """Programs that follow the board missed the move that ended the game."""
    bench = Bench(BenchSettings(board="quick-battle-8x8", game=DUEL), TableFactory())
    bench.start()
    for seat, text in SETUPS.items():
        bench.set_up(seat, text)
    bench.wait(2 * SECOND)
    table: Any = bench.table
    before = table.standing_pieces()
    assert before["a1"][0]["seat"] == "red"
    bench.say("red", "resign")
    bench.wait(2 * SECOND)
    assert table.is_over
    assert table.standing_pieces() == before
    bench.run_until(bench.hands.lift("a1", bench.now))
    bench.wait(2 * SECOND)
    assert table.standing_pieces() == {space: there for space, there in before.items() if space != "a1"}
    bench.close()
