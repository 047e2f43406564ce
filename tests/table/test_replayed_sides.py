"""What a journal tells of circles that have come to another side, by the journal and the table themselves."""

from __future__ import annotations

import contextlib
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from boardrules import registry
from boardrules.core import State
from boardsim.bench.bench import BARE, Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import load_or_make_key
from boardumpire.ruling.umpire import spaces_changing_side
from boardumpire.table import opening
from boardumpire.table.match import IN_ORDER_NOTE
from boardware.ports import SECOND

CASTLE = "escape-from-colditz"
PLAYERS = 3
SEED = 3
"""With it an Appel leads a man to a circle where one of another side stood."""


@cache
def played() -> tuple[list[tuple[State, Any, State]], frozenset[str]]:
    """Random actions until a circle has come to another side, and which one has."""
    dice = random.Random(SEED)
    state, found = registry.new(CASTLE, {"players": PLAYERS}), []
    while True:
        before = state
        if chance := state.chance():
            (action,) = dice.choices([each for each, _ in chance], [weight for _, weight in chance])
        else:
            action = dice.choice(
                [each for seat in state.seats_to_act() for each in state.legal_actions(seat)]
            )
        state = state.apply(action)[0]
        found.append((before, action, state))
        if changed := spaces_changing_side(before, state):
            return found, changed


class Journal:
    """A journal of such a game."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.db"
        self.store = Store.open(self.path, load_or_make_key(folder / "key" / "board.key"))
        self.number = self.store.begin_game(
            CASTLE, registry.new(CASTLE, {"players": PLAYERS}).options, CASTLE, 0
        )

    def acted(self, before: State, action: Any) -> None:
        events = [event.json() for event in before.apply(action)[1] if event.audience is None]
        self.entry("action", action.seat, str(action), secret=action.secret, events=events)

    def entry(self, kind: str, seat: str, text: str, *, secret: bool = False, events: Any = ()) -> None:
        self.store.append_entry(
            self.number, kind=kind, seat=seat, text=text, secret=secret, events=list(events), at_ms=0
        )

    def changed(self) -> frozenset[str]:
        return opening.replay_game(self.store, self.store.header(self.number))[1].boards[""].changed_sides


@pytest.fixture
def journal(tmp_path: Path) -> Any:
    found = Journal(tmp_path)
    for before, action, _ in played()[0]:
        found.acted(before, action)
    with contextlib.closing(found.store):
        yield found


@pytest.mark.slow
def test_a_circle_that_has_come_to_another_side_is_known_until_the_board_was_in_order(
    journal: Journal,
) -> None:
    _, changed = played()
    assert journal.changed() == changed
    journal.entry("note", "", IN_ORDER_NOTE)
    assert journal.changed() == frozenset()


@pytest.mark.slow
def test_such_a_circle_is_cleared_once_at_a_start_and_then_never_again(journal: Journal) -> None:
    """What stands there may be the man who has to leave: no sensor knows him."""
    steps, changed = played()
    journal.store.close()
    setting = BenchSettings(
        board=CASTLE,
        game=CASTLE,
        options={"players": PLAYERS},
        driver=BARE,
        bounce=False,
        journal=journal.path,
    )
    bench = Bench(setting, TableFactory())
    for space, pieces in steps[-1][2].layout().items():
        for piece in pieces:
            bench.run_until(bench.hands.stand(piece.seat, space, bench.now))
    bench.start()
    bench.wait(2 * SECOND)
    table: Any = bench.table
    asked = {(chore.kind, chore.space) for chore in table.guidance.corrections}
    assert asked & {("take", space) for space in changed}, asked
    (circle,) = changed
    bench.run_until(bench.hands.lift(circle, bench.now))
    bench.wait(SECOND)
    bench.run_until(bench.hands.place(circle, bench.now))
    bench.wait(2 * SECOND)
    assert not {chore.space for chore in table.guidance.corrections} & changed
    bench.close()
