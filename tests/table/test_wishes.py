"""What the table may want of the house, by buttons or phones: a new game, an end for today, a seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardumpire.errors import SeatError
from boardware.ports import MS, SECOND
from table.test_offers import SETUPS, marks

HOLD = 2500 * MS


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A game that has just begun."""
    bench = Bench(BenchSettings(lamp_driver="neopixel-pwm-sim"), TableFactory())
    bench.start()
    for seat, text in SETUPS.items():
        bench.set_up(seat, text)
    bench.wait(SECOND)
    yield bench
    bench.close()


def hold(bench: Bench, button: str) -> None:
    bench.run_until(bench.hands.hold(button, HOLD, bench.now))
    bench.wait(200 * MS)


def press(bench: Bench, button: str) -> None:
    bench.wait(SECOND)  # what is asked has to be seen first
    bench.run_until(bench.hands.press(button, bench.now))
    bench.wait(200 * MS)


def wish(bench: Bench) -> str | None:
    table: Any = bench.table
    found = table.take_agreed_request()
    return None if found is None else found.request


def test_a_new_game_by_the_board_alone_once_one_is_over(bench: Bench) -> None:
    hold(bench, "cancel")
    press(bench, "confirm")  # Red resigns, really
    table: Any = bench.table
    assert table.is_over
    hold(bench, "confirm")
    assert table.newest_proposal.request == "new-game"
    assert marks(bench, "asks") == {"turn-red", "turn-blue"}
    assert wish(bench) is None, "asked once more"
    press(bench, "confirm")
    assert wish(bench) == "new-game"
    assert wish(bench) is None, "once"


def test_what_is_proposed_beside_a_new_game_is_seen_to_be_refused(bench: Bench) -> None:
    hold(bench, "cancel")
    press(bench, "confirm")
    hold(bench, "confirm")
    bench.wait(SECOND)
    hold(bench, "turn")
    table: Any = bench.table
    assert [each.request for each in table.proposals] == ["new-game"]
    assert marks(bench, "refused")


def test_a_held_button_begins_nothing_while_a_game_goes_on(bench: Bench) -> None:
    hold(bench, "confirm")
    table: Any = bench.table
    assert table.newest_proposal is None, "that is an offered draw"
    with pytest.raises(SeatError, match="Play it to its end"):
        bench.say("red", "new-game")


def test_a_new_game_by_phones_needs_everybody(bench: Bench) -> None:
    bench.say("red", "resign")
    bench.wait(SECOND)
    bench.say("blue", "new-game")
    bench.wait(MS)
    assert wish(bench) is None
    bench.say("red", "yes new-game")
    bench.wait(MS)
    assert wish(bench) == "new-game"


@pytest.mark.parametrize("answer", ["confirm", "cancel"])
def test_the_board_is_shut_down_by_cancel_and_then_turn_held(bench: Bench, answer: str) -> None:
    hold(bench, "cancel")
    hold(bench, "turn")
    table: Any = bench.table
    assert table.newest_proposal.request == "shut-down"
    press(bench, answer)
    assert wish(bench) == ("shut-down" if answer == "confirm" else None)
    assert table.newest_proposal is None
    assert not table.is_over, "nobody has resigned"


def test_a_seat_for_another_device_is_for_the_others_to_give(bench: Bench) -> None:
    table: Any = bench.table
    assert table.propose_request("red", "move-seat red", bench.now)
    assert not table.propose_request("blue", "move-seat blue", bench.now), "one at a time"
    bench.wait(MS)
    with pytest.raises(SeatError):  # it may only say no
        bench.say("red", "yes move-seat red")
    assert wish(bench) is None
    bench.say("blue", "yes move-seat red")
    bench.wait(MS)
    assert wish(bench) == "move-seat red"


def test_whoever_sits_there_may_say_no(bench: Bench) -> None:
    table: Any = bench.table
    table.propose_request("red", "move-seat red", bench.now)
    bench.say("red", "no move-seat red")
    bench.wait(MS)
    assert table.newest_proposal is None
    assert wish(bench) is None


def test_whoever_agrees_before_the_others_is_asked_no_more() -> None:
    """All screens are told at once, even where no lamp changes by it."""
    told: list[Any] = []
    hunt = "fall-of-the-fuhrer"
    bench = Bench(
        BenchSettings(board=hunt, game=hunt, options={"players": 3}), TableFactory(), told=told.append
    )
    bench.start()
    for seat, text in (("hitler", "resign"), ("hitler", "new-game"), ("infantry", "yes new-game")):
        bench.wait(MS)
        told.clear()
        bench.say(seat, text)
    bench.wait(MS)
    (data,) = [message.data for message in told if message.kind == "proposal"]
    assert (data["asked"], data["answer"], data["text"]) == (["tank-spy"], "open", "Infantry: yes.")
    with pytest.raises(SeatError, match="Nobody has asked you anything"):
        bench.say("infantry", "yes new-game")
    assert wish(bench) is None
    bench.say("tank-spy", "yes new-game")
    bench.wait(MS)
    assert wish(bench) == "new-game"
    bench.close()
