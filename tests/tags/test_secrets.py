"""Tags count as ranks: no id and no read is in a lamp, log, file or message that another seat can see."""

from __future__ import annotations

import json
import logging
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from boardsim.bench.bench import Bench, BenchSettings, parse_setup
from boardsim.readers.tags import RadioNoise
from boardumpire.commands.table_factory import TableFactory
from boardumpire.makers.traces import timeline, trace
from boardumpire.makers.traces.recorder import TraceRecorder
from boardumpire.makers.traces.tracing import open_traced_table
from boardware.ports import MS
from table.twins import Witness, begun, reprs, setups, shared_play
from tags.games import PADS, stand_army, with_readers


class TagWitness(Witness):
    """A witness of a game whose armies are learnt from tags; the air may be noisy."""

    def __init__(
        self,
        setup: dict[str, str],
        seed: int,
        board: str,
        noise: RadioNoise,
        factory: TableFactory | None = None,
    ) -> None:
        self.public: list[str] = []
        self.private: list[tuple[int, str, int]] = []
        self.told: dict[str, list[str]] = {"red": [], "blue": []}
        self.left: list[str] = []
        self._lit: object = None
        setting = BenchSettings(
            board=board, seed=seed, lamp_driver="neopixel-pwm-sim", tags=True, radio_noise=noise
        )
        self.bench = Bench(setting, factory or TableFactory(), told=self._told, turned=self._turned)
        self.bench.start()
        for seat, text in setup.items():
            stand_army(self.bench, seat, text)


def compared(seed: int, board: str, noise: RadioNoise) -> list[str]:
    """Play twins that differ in blue's ranks, and so in which tag stands where; what all of them saw."""
    first, second = setups(seed)
    moves = shared_play(begun(first), begun(second), seed, turns=6)
    witnesses = []
    for setup in (first, second):
        witness = TagWitness(setup, seed, board, noise)
        for _, origin, target in moves:
            witness.carry(origin, target)
        witness.left = witness.outward()
        witness.bench.close()
        witnesses.append(witness)
    one, two = witnesses
    assert one.public == two.public
    assert one.private == two.private
    assert one.told["red"] == two.told["red"]
    assert one.left == two.left
    rulings = [line for line in one.public if '"kind": "ruling"' in line]
    assert len(rulings) == len(moves) + 2
    return one.public


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("board", [with_readers, lambda: PADS], ids=["readers", "pads"])
def test_twin_games_with_tags_look_alike_to_the_table_and_to_the_other_seat(board: Any, seed: int) -> None:
    assert compared(seed, board(), RadioNoise(miss_rate=0.05))


@pytest.mark.slow
@pytest.mark.parametrize("board", [with_readers, lambda: PADS], ids=["readers", "pads"])
def test_a_trace_of_a_game_under_way_and_its_picture_are_alike_in_twin_games(board: Any) -> None:
    """What was read is in it, and tells nothing before the end."""
    first, second = setups(7)
    moves = shared_play(begun(first), begun(second), 7, turns=4)
    texts = []
    for setup in (first, second):
        lines: list[str] = []

        def open_(into: list[str] = lines, **given: Any) -> Any:
            return open_traced_table(**given, recorder=TraceRecorder(into.append), sensors="x")

        witness = TagWitness(setup, 7, board(), RadioNoise(miss_rate=0.05), TableFactory(open_))
        for _, origin, target in moves:
            witness.carry(origin, target)
        texts.append("".join(lines))
        uids = [tag.hex() for tag in every_tag(witness.bench, setup)]
        witness.bench.close()
        drawn = timeline.draw_timeline(timeline.timeline_of_trace(trace.parse(texts[-1], "x"), 0, None))
        assert len(uids) == 20
        assert not leaks(texts[-1] + drawn, uids)
    assert texts[0].count("\nread *") >= 20
    assert "\nsecret " not in texts[0]
    one, two = (
        [line for line in text.splitlines() if not line.startswith(("date", "commit"))] for text in texts
    )
    assert one == two


@pytest.mark.nightly
def test_a_hundred_twin_games_with_tags_look_alike(record_property: Any) -> None:
    """Games that differ in blue's ranks, and so in which tag stands where: equal lamps, messages, moments."""
    record_property("pairs", 100)
    record_property("seeds", "2000000 to 2000099")
    for seed in range(2_000_000, 2_000_100):
        compared(seed, with_readers() if seed % 2 else PADS, RadioNoise(miss_rate=0.05))


ARMY = "setup a3=9 b3=3 c1=2 c3=2 e1=F e3=B f2=10 h2=S"
THEIRS = "setup a6=9 b6=3 c6=2 c8=2 e6=F e8=B f7=10 h7=S"


BEGINS = "a game begins"


@pytest.fixture(params=["readers", "pads"])
def played(request: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Any:
    """A game with a swap, a captured piece and a battle; what came out of it, and the ids of all tags."""
    told: list[Any] = []
    lit: list[str] = []
    board = with_readers() if request.param == "readers" else PADS
    setting = BenchSettings(
        board=board, game="stratego-quick-barrage", tags=True, journal=tmp_path / "journal.db"
    )
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("boardumpire").info(BEGINS)
        bench = Bench(setting, TableFactory(), told=told.append)
        table: Any = bench.start()
        for seat, text in (("red", ARMY), ("blue", THEIRS)):
            stand_army(bench, seat, text)
        for origin, target in [("a3", "a4"), ("f7", "f6"), ("a4", "a5")]:
            bench.run_until(bench.hands.lift(origin, bench.now))
            bench.run_until(bench.hands.place(target, bench.now))
            bench.wait(1000 * MS)
        for space in ("b3", "c3"):
            bench.run_until(bench.hands.lift(space, bench.now))
        if board == PADS:
            bench.run_until(bench.tags.show(bench.hands, "pad-red", bench.now))  # type: ignore[union-attr]
        bench.run_until(bench.hands.place("b3", bench.now, "c3"))
        bench.run_until(bench.hands.place("c3", bench.now, "b3"))
        bench.wait(4000 * MS)
        lit.append(str(table.marks))
        uids = [
            bench.tags.box.uid(seat, label, number).hex()  # type: ignore[union-attr]
            for seat, text in (("red", ARMY), ("blue", THEIRS))
            for _, label in parse_setup(text)
            for number in (1, 2)
        ]
        yield bench, table, told, lit, uids, tmp_path, caplog
        bench.close()


def every_tag(bench: Any, setup: dict[str, str]) -> list[bytes]:
    """The ids of the tags in all pieces of these armies."""
    counts: Counter[tuple[str, str]] = Counter()
    for seat, text in setup.items():
        counts.update((seat, label) for _, label in parse_setup(text))
    return [
        bench.tags.box.uid(*piece, number)
        for piece, count in counts.items()
        for number in range(1, count + 1)
    ]


def leaks(text: str, uids: list[str]) -> list[str]:
    low = text.lower()
    return [uid for uid in uids if uid in low or str(bytes.fromhex(uid)) in text]


@pytest.mark.slow
def test_no_message_lamp_view_record_log_or_repr_tells_a_tag(played: Any) -> None:
    _, table, told, lit, uids, _, caplog = played
    assert len(told) > 10
    heard = json.dumps([message.json() for message in told])
    views = json.dumps([table.view(seat) for seat in (None, "red", "blue")])
    found = "\n".join(reprs(table))
    assert "TagWatch" in found
    logged = "\n".join(record.getMessage() for record in caplog.get_records("setup"))
    assert BEGINS in logged
    for text in (heard, views, *lit, table.export_record(), logged, found):
        assert not leaks(text, uids)


@pytest.mark.slow
def test_no_file_tells_a_tag(played: Any) -> None:
    bench, *_, uids, folder, _ = played
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {"journal.db", "journal.db-wal"} <= {path.name for path in files}
    for path in files:
        data = path.read_bytes()
        assert not [uid for uid in uids if uid.encode() in data or bytes.fromhex(uid) in data], path.name
    assert bench.table is not None


@pytest.mark.slow
def test_what_others_hear_of_a_piece_that_is_shown_is_whose_it_is(played: Any) -> None:
    _, _, told, *_ = played
    shown = [message.data for message in told if message.kind == "shown"]
    assert all(set(data) == {"pad", "seat", "text"} for data in shown)
    assert {data["text"] for data in shown} <= {
        "Red showed a piece. You can put it on the board now.",
        "Blue showed a piece. You can put it on the board now.",
    }
    private = [message for message in told if message.seat is not None]
    assert all("tag" not in json.dumps(message.json()) for message in private)


@pytest.mark.slow
def test_a_fault_about_a_swap_is_the_same_whatever_the_ranks_are(played: Any) -> None:
    _, _, told, *_ = played
    for message in told:
        if message.kind == "fault":
            assert set(message.data) == {"code", "spaces", "text"}
