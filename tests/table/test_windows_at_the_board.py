"""Whoever has a screen open answers on it: no button of the board lets a window of answers pass for him."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from boardrules import registry
from boardsim.bench.bench import BARE, Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardware.ports import SECOND
from table.test_replayed_sides import CASTLE, PLAYERS, Journal


def asked(folder: Path) -> tuple[Bench, str]:
    """A castle whose journal ends where `turn` would answer for a seat, and that seat."""
    journal, dice = Journal(folder), random.Random(1)
    state = registry.new(CASTLE, {"players": PLAYERS})
    while True:
        said = state.button_actions().get("turn")
        if said is not None and said.seat in state.possible_answers():
            break
        if chance := state.chance():
            (action,) = dice.choices([each for each, _ in chance], [weight for _, weight in chance])
        else:
            action = dice.choice(
                [each for seat in state.seats_to_act() for each in state.legal_actions(seat)]
            )
        journal.acted(state, action)
        state = state.apply(action)[0]
    journal.store.close()
    options = {"players": PLAYERS}
    bench = Bench(
        BenchSettings(
            board=CASTLE, game=CASTLE, options=options, driver=BARE, bounce=False, journal=journal.path
        ),
        TableFactory(),
    )
    for space, pieces in state.layout().items():
        for piece in pieces:
            bench.run_until(bench.hands.stand(piece.seat, space, bench.now))
    bench.start()
    bench.wait(4 * SECOND)
    return bench, said.seat


@pytest.mark.parametrize("whose", ["screen", "machine", "nobody"])
def test_turn_answers_for_nobody_who_answers_himself(whose: str, tmp_path: Path) -> None:
    bench, seat = asked(tmp_path)
    table: Any = bench.table
    if whose == "screen":
        table.set_screen_check(lambda each: each == seat)
    elif whose == "machine":
        table.assign_machine(seat)
    before = table.full_state
    assert not table.guidance.corrections
    bench.run_until(bench.hands.press("turn", bench.now))
    bench.wait(SECOND // 2)
    refused = "refused" in table.marks.values()
    bench.wait(4 * SECOND)
    assert (table.full_state is before) == (whose != "nobody")
    assert refused == (whose != "nobody")
    bench.close()
