"""Who plays without a phone sees and hears that something is offered, and to whom."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardware.ports import MS, SECOND

SETUPS = {
    "red": "setup a1=F b1=B a2=B c3=S d3=3 e2=3 a3=2 g3=2 e3=10 h3=9",
    "blue": "setup a8=F b8=B a7=B c6=S d6=3 e7=3 b6=2 h6=2 e6=10 g6=9",
}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A game in which red has moved h3-h4."""
    bench = Bench(
        BenchSettings(lamp_driver="neopixel-pwm-sim", journal=tmp_path / "journal.db"), TableFactory()
    )
    bench.start()
    for seat, text in SETUPS.items():
        bench.set_up(seat, text)
    bench.run_until(bench.hands.lift("h3", bench.now))
    bench.run_until(bench.hands.place("h4", bench.now))
    bench.wait(SECOND)
    yield bench
    bench.close()


def marks(bench: Bench, mark: str) -> set[str]:
    assert bench.table is not None
    return {lamp for lamp, shown in bench.table.marks.items() if shown == mark}


@pytest.mark.parametrize(
    ("button", "asked"),
    [
        ("confirm", {"turn-red"}),
        ("cancel", {"turn-blue", "a8", "b8", "a7", "c6", "d6", "e7", "b6", "h6", "e6", "g6"}),
        ("turn", {"turn-blue", "h3", "h4"}),
    ],
    ids=["a draw by blue", "blue's resigning, once more", "a take-back by red"],
)
def test_the_side_that_has_to_answer_sees_it(bench: Bench, button: str, asked: set[str]) -> None:
    assert marks(bench, "asks") == set()
    bench.run_until(bench.hands.hold(button, 2500 * MS, bench.now))
    bench.wait(SECOND)
    assert marks(bench, "asks") == asked
    bench.run_until(bench.hands.press("cancel", bench.now))
    bench.wait(SECOND)
    assert marks(bench, "asks") == set()


def test_an_offer_sounds_like_a_question(bench: Bench) -> None:
    before = len(bench.world.buzzer_tones)
    bench.run_until(bench.hands.hold("confirm", 2500 * MS, bench.now))
    bench.wait(SECOND)
    assert len(bench.world.buzzer_tones) - before == 4, "short, short: on and off twice"


def test_a_square_to_be_played_by_hand_and_who_is_asked_for_it(bench: Bench) -> None:
    bench.say("red", "by-hand d4")
    bench.wait(100 * MS)
    assert marks(bench, "asks") == {"turn-blue", "d4"}


def test_an_open_offer_is_shown_again_after_a_power_cut(bench: Bench) -> None:
    bench.run_until(bench.hands.hold("turn", 2500 * MS, bench.now))
    bench.wait(SECOND)
    bench.kill()
    bench.start()
    bench.wait(SECOND)
    assert marks(bench, "asks") == {"turn-blue", "h3", "h4"}
