"""What is asked is open for as long as the option says; then the clock closes it, whoever stalls."""

from __future__ import annotations

from typing import Any

from colditz.evening import Evening


def asked(seconds: int) -> Evening:
    """A game in which somebody is asked whether to throw again or take a card; nobody answers."""
    for seed in range(12):
        evening = Evening(seed, options={"players": 3, "answer_seconds": seconds})
        evening.begin()
        evening.deployed()
        evening.table.windows.limited()
        evening.does("roll")
        if evening.state.facts.turn.tasks:  # type: ignore[attr-defined]
            return evening
        evening.scene.close()
    raise AssertionError("no throw asked anything")


def window(evening: Evening) -> dict[str, Any]:
    found: dict[str, Any] = evening.table.windows.json(evening.scene.bench.now)
    return found


def closed(evening: Evening) -> list[str]:
    return [
        event["what"]
        for data in evening.told("ruling")
        for event in data["events"]
        if event["kind"] == "close"
    ]


def test_a_window_that_nobody_answers_is_closed_by_the_clock() -> None:
    evening = asked(seconds=20)
    left = window(evening)
    assert left["runs"]
    assert 10_000 < left["left_ms"] <= 20_000
    evening.scene.wait(left["left_ms"] - 100)
    assert closed(evening) == []
    evening.scene.wait(300)
    assert len(closed(evening)) == 1
    evening.scene.close()


def test_without_a_limit_it_stays_open() -> None:
    evening = asked(seconds=0)
    assert evening.table.windows.json() is None
    evening.scene.wait(120_000)
    assert closed(evening) == []
    evening.scene.close()
