"""What is asked is open for as long as the option says; then the clock closes it, whoever stalls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from boardumpire.commands.table_factory import TableFactory
from boardumpire.makers.traces import replaying, trace
from boardware.ports import MS
from colditz.evening import Evening
from colditz.test_answering import window as answerable
from colditz.test_board import Traced


def asked(seconds: int, factory: Callable[[TableFactory], Any] = lambda factory: factory) -> Evening:
    """A game in which both officers may answer a card of the Security Officer; nobody answers."""
    return answerable({"answer_seconds": seconds}, factory=factory)


def asked_in_the_own_turn(seconds: int) -> Evening:
    """A game in which somebody is asked whether to throw again or take a card; nobody answers."""
    for seed in range(12):
        options = {"players": 3, "answer_seconds": seconds}
        evening = Evening(seed, options=options, table={"limited": True})
        evening.begin()
        evening.deployed()
        evening.does("roll")
        if evening.state.facts.tasks:  # type: ignore[attr-defined]
            return evening
        evening.scene.close()
    raise AssertionError("no throw asked anything")


def window(evening: Evening) -> dict[str, Any]:
    found: dict[str, Any] = evening.table.answer_deadlines.json(evening.scene.bench.now)
    return found


def closed(evening: Evening) -> list[str]:
    return [
        event["what"]
        for data in evening.told("ruling")
        for event in data.get("events", ())
        if event["kind"] == "close"
    ]


@pytest.mark.slow
def test_a_window_that_nobody_answers_is_closed_by_the_clock_in_a_trace_as_well() -> None:
    lines: list[str] = []

    def traced(factory: TableFactory) -> Traced:
        lines.clear()
        return Traced(factory, lines.append)

    evening = asked(20, traced)
    left = window(evening)
    assert left["runs"]
    assert 10_000 < left["left_ms"] <= 20_000
    evening.scene.wait(left["left_ms"] - 100)
    assert closed(evening) == []
    evening.scene.wait(300)
    assert closed(evening) == ["answer", "answer"], "of both who were asked"
    evening.scene.close()
    written = "".join(lines)
    assert replaying.first_difference(written, replaying.replay(trace.parse(written, "evening"))) is None


def test_the_limit_runs_whatever_the_board_looks_like() -> None:
    """A pawn that was carried where it may not go is a chore, another one lies on its side: it runs on."""
    evening = asked(seconds=20)
    left, begun = window(evening)["left_ms"], evening.scene.now
    guard = next(
        pawn
        for pawn, at in evening.stands().items()
        if pawn.owner == "security" and evening.is_single_pawn_space(at.space)
    )
    home = evening.stands()[guard].space
    evening.lift(guard)
    evening.put(guard, next(at for at in evening.near(home, 45.0) if not evening.occupied(at)))
    evening.scene.wait(3000)
    assert evening.table.guidance.corrections
    assert window(evening)["runs"]
    evening.scene.run_until(begun + (left - 100) * MS)
    assert closed(evening) == []
    evening.scene.wait(300)
    assert closed(evening) == ["answer", "answer"], "of both who were asked"
    assert evening.table.guidance.corrections, "and what was to be put right is so still"
    evening.scene.close()


@pytest.mark.slow
def test_whoever_goes_on_moving_pawns_does_not_hold_the_window_open() -> None:
    """What hands meant before the time was up is heard first; what they mean after that is not waited for."""
    evening = asked(seconds=20)
    (seat,) = evening.state.seats_to_act()
    left, begun = window(evening)["left_ms"], evening.scene.now
    man = next(pawn for pawn, at in evening.stands().items() if pawn.owner == seat)
    home = evening.stands()[man].space
    free = [at for at in evening.near(home, 45.0) if not evening.occupied(at)]
    evening.scene.run_until(begun + (left - 3000) * MS)
    for turn in range(12):  # pushed back and forth, never at rest for as long as a ruling needs
        evening.scene.run_until(evening.scene.hands.slide(man, (free[0], home)[turn % 2], evening.scene.now))
        evening.scene.wait(100)
    assert evening.scene.now > begun + left * MS
    evening.scene.run_until(begun + (left + 2500) * MS)
    assert closed(evening) == ["answer", "answer"], "of both who were asked"
    evening.scene.close()


@pytest.mark.slow
def test_nobody_is_hurried_in_the_own_turn() -> None:
    evening = asked_in_the_own_turn(seconds=5)
    assert evening.table.answer_deadlines.json() is None, "and no screen counts down"
    evening.scene.wait(60_000)
    assert closed(evening) == []
    evening.scene.close()


@pytest.mark.slow
def test_without_a_limit_it_stays_open() -> None:
    evening = asked(seconds=0)
    assert evening.table.answer_deadlines.json() is None
    evening.scene.wait(120_000)
    assert closed(evening) == []
    evening.scene.close()
