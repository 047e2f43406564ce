"""A reed that flutters unlike the others is named, by comparison alone; tipped pieces accuse nobody."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from boardsim.bench.bench import Bench, BenchSettings
from boardsim.world.world import ContactBounce
from boardumpire.commands.table_factory import TableFactory
from boardumpire.tracking.sensor_health import FLUTTER_MAX_US, FLUTTERS_MIN, ReedHealth
from boardware.ports import MS

FIRST = "setup a1=F b1=B a2=B c3=S d3=3 e2=3 a3=2 g3=2 e3=10 h3=9"
SECOND = "setup a8=F b8=B a7=B c6=S d6=3 e7=3 b6=2 h6=2 e6=10 g6=9"

TIRED = ContactBounce((4_000, 90_000), (5, 40), (3_000, 60_000), (3, 30))
"""A reed whose contacts are worn, or whose solder joint has a crack."""


def test_a_tired_reed_is_named_once_to_everybody_and_in_the_status() -> None:
    told: list[Any] = []
    bench = Bench(BenchSettings(seed=3), TableFactory(), told=told.append)
    bench.start()
    for seat, text in {"red": FIRST, "blue": SECOND}.items():
        bench.set_up(seat, text)
    bench.world.own_bounces["reed d3"] = TIRED
    for _ in range(40):
        for space in ("d3", "e3"):
            bench.run_until(bench.hands.lift(space, bench.now))
            bench.run_until(bench.hands.place(space, bench.now))
        bench.wait(1000 * MS)
    faults = [message.data for message in told if message.kind == "fault"]
    assert [fault["code"] for fault in faults] == ["reed-flutters"]
    assert "d3" in faults[0]["text"]
    assert [suspect.slot for suspect in bench.table.reed_health.suspects()] == ["d3"]  # type: ignore[union-attr]
    bench.close()


def test_pieces_tipped_everywhere_alike_make_no_reed_suspect() -> None:
    health = ReedHealth()
    for turn in range(400):
        slot = "abcdefgh"[turn % 8] + "3"
        health.note_change(slot, turn * 1000 * MS)
        health.note_change(slot, turn * 1000 * MS + FLUTTER_MAX_US // 2)
    assert health.suspects() == ()


def test_a_few_flutters_accuse_nobody_yet() -> None:
    health = ReedHealth()
    for turn in range(200):
        health.note_change("a1", turn * 1000 * MS)
    for turn in range(FLUTTERS_MIN):
        health.note_change("b4", turn * FLUTTER_MAX_US)
    assert health.suspects() == ()
    health.note_change("b4", FLUTTERS_MIN * FLUTTER_MAX_US)
    assert [suspect.slot for suspect in health.suspects()] == ["b4"]


@given(st.lists(st.tuples(st.sampled_from(["a1", "a2", "b4"]), st.integers(0, 200 * MS))))
def test_news_are_told_once(events: list[tuple[str, int]]) -> None:
    health, now, told = ReedHealth(), 0, []
    for slot, span in events:
        now += span
        suspect = health.note_change(slot, now)
        told += [suspect.slot] if suspect is not None else []
    assert len(told) == len(set(told))
