"""While a ruling is being written nothing is lost and nothing is told."""

from __future__ import annotations

from typing import Any

from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import BoardKey
from boardumpire.journal.writer import SyncJournalWriter, WriteReceipt
from boardumpire.table.opening import NewGameSettings, open_table
from boardware.description import load_board
from boardware.ports import SECOND
from table.twins import setups


class LateDisk(SyncJournalWriter):
    """A disk that writes when it is told to."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.waiting: list[Any] = []
        self.late = False

    def _submit(self, job: Any) -> WriteReceipt:
        if not self.late:
            return super()._submit(job)
        self.waiting.append(job)
        receipt: WriteReceipt = job.receipt
        return receipt

    def catch_up(self) -> None:
        """Write what waits."""
        self.late = False
        for job in self.waiting:
            self._run_job(job)
        self.waiting.clear()


def test_what_is_felt_while_a_ruling_is_written_is_judged_next() -> None:
    pens: list[LateDisk] = []
    stores: list[Store] = []
    told: list[Any] = []

    def disk(store: Store) -> LateDisk:
        pens.append(LateDisk(store))
        return pens[-1]

    def factory(board: str, game: str, options: Any, ports: Any, journal: Any, table: Any, now: int) -> Any:
        wanted = NewGameSettings(game, options)
        stores.append(Store.open(None, BoardKey.random()))
        given: Any = {"ports": ports, "store": stores[-1], "now": now, "wall_ms": 0, "writer": disk}
        return open_table(board=load_board(board), wanted=wanted, **given)

    bench = Bench(BenchSettings(lamp_driver="neopixel-pwm-sim"), factory, told=told.append)
    table: Any = bench.start()
    for seat, text in setups(4)[0].items():
        bench.set_up(seat, text)
    state = table._match.state
    red = next(
        str(a) for a in sorted(state.legal_actions("red"), key=str) if str(a)[3:] not in state.layout()
    )
    after, _ = state.apply(state.parse(red, "red"))
    blue = next(
        str(a) for a in sorted(after.legal_actions("blue"), key=str) if str(a)[3:] not in after.layout()
    )
    told.clear()
    pens[0].late = True
    for move in (red, blue):
        bench.run_until(bench.hands.lift(move[:2], bench.now))
        bench.run_until(bench.hands.place(move[3:], bench.now))
        bench.wait(SECOND)
    assert [message.kind for message in told if message.kind == "ruling"] == [], (
        "nothing durable, nothing told"
    )
    assert table._match.state == state
    pens[0].catch_up()
    bench.runner._step_table(bench.now)  # as the runner does when a receipt is done
    bench.wait(2 * SECOND)
    assert [message.data["action"] for message in told if message.kind == "ruling"] == [red, blue]
    bench.close()
    stores[0].close()
