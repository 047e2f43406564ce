"""A piece that is set down between two rings of a city: what people are told, and that it counts."""

from __future__ import annotations

from typing import Any

from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardware.ports import SECOND

BEGIN = {"tank": "freiburg", "spy": "passau", "infantry": "frankfurt"}


def begun(told: list[Any]) -> Bench:
    game = "fall-of-the-fuhrer"
    setting = BenchSettings(board=f"{game}-slots", game=game, table={"dice": "real"})
    bench = Bench(setting, TableFactory(), told=told.append)
    bench.start()
    for piece, city in BEGIN.items():
        bench.run_until(bench.hands.stand("allies", city, bench.now, piece))
        bench.say("allies", f"{piece} {city}")
    bench.say("hitler", "hide cottbus")
    bench.say("allies", "roll")
    bench.say("allies", "roll 3")
    bench.wait(SECOND)
    return bench


def test_it_is_asked_to_stand_on_one_ring_and_then_the_move_counts() -> None:
    told: list[Any] = []
    bench = begun(told)
    told.clear()
    bench.run_until(bench.hands.lift("freiburg", bench.now))
    bench.run_until(bench.hands.straddle("munich", "munich/2", bench.now))
    bench.wait(6 * SECOND)
    assert [(each.kind, each.data["text"]) for each in told if each.seat is None] == [
        ("fault", "A piece is between the rings of München."),
        ("chores", ["Put the piece on one of the rings of München."]),
    ]
    assert bench.table is not None
    assert bench.table.marks["munich"], "its lamp says where"
    told.clear()
    bench.run_until(bench.hands.centre("munich", bench.now))
    bench.wait(SECOND)
    assert [each.data["action"] for each in told if each.kind == "ruling"] == ["freiburg-munich"]
    bench.close()
