"""Tables over emulated Picos: MicroPython's own image, the host's drivers, the firmware compiled before and
asleep while it waits.

A game would take hours without such sleep (`boardsim.pico.emulated.patch_sleeping_wait`).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boardrules.record import Record, parse, write
from boardsim.bench.bench import EMULATED, BenchSettings
from boardsim.hands.hands import PACES
from boardsim.people.play_record import difference, play_record
from boardsim.pico.faults import CableFaults
from boardumpire import cli
from boardumpire.commands.table_factory import TableFactory
from boardware.ports import MS, SECOND, SensorChanged
from colditz.evening import Evening
from fuhrer.test_games import played as hunted
from sim.bench import Listener, listening
from sim.games import random_record
from sim.test_recorded_games import finished, lines

IMAGE = "the file of MicroPython for a Pico (micropython.org has it)"
HOSTILE = CableFaults(flip=0.008, lose=0.004, double=0.004, cut=0.002, late_chunk_rate=0.02)
"""One byte in some fifty, and one chunk in fifty is late."""


def over_emulated(record: Record, image: Path, **more: Any) -> int:
    """How many actions hands played; the record that came out equals the one that went in."""
    setting = BenchSettings(driver=EMULATED, micropython_image=image, pace=PACES["fast"], **more)
    assert difference(record, parse(play_record(record, setting, TableFactory()))) is None
    return len(record.actions)


def opening(record: Record, actions: int) -> Record:
    """The first actions of a game, then somebody resigns."""
    kept = record.actions[:actions]
    return record._replace(actions=(*kept, (kept[-1][0], "resign")), result=None)


@pytest.mark.nightly
def test_the_first_moves_of_a_game_come_out_as_they_went_in(
    image: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As somebody types it."""
    game, record = tmp_path / "game.txt", opening(random_record(0), 8)
    game.write_text(write(record), encoding="utf-8")
    words = ["sim", "play", str(game), "--driver", EMULATED, "--hands", "fast", "--uf2", str(image)]
    assert cli.main(words) == 0
    assert difference(record, parse(capsys.readouterr().out)) is None


RANDOM = (6, 8, 49, 51, 55, 63, 65, 66, 72, 77, 92, 93)
"""The seeds of random games: of 0 to 99 the twelve shortest that last ten actions at least. An emulated
second is dear, and a game is played to its end."""


@pytest.mark.slow
def test_random_games_are_the_shortest_that_last_ten_actions() -> None:
    lengths = sorted((len(random_record(seed).actions), seed) for seed in range(100))
    assert sorted([seed for length, seed in lengths if length >= 10][:12]) == list(RANDOM)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", RANDOM)
def test_random_games_of_quick_duel(
    image: Path, seed: int, record_property: Callable[[str, object], None]
) -> None:
    """Quick Duel on the 8x8, played by hands over an emulated Pico, comes out as it went in."""
    record_property("games", 1)
    record_property("actions", over_emulated(random_record(seed), image, seed=seed))


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(8))
def test_human_games_of_quick_duel(
    image: Path, games_dir: Path, number: int, record_property: Callable[[str, object], None]
) -> None:
    """Recorded human games on the 10x10, played again by hands over an emulated Pico, come out equal."""
    record = finished(lines(games_dir, "human_gravon_duel")[number], {})
    record_property("games", 1)
    record_property("actions", over_emulated(record, image, board="classic-10x10", seed=number))


@pytest.mark.nightly
def test_a_whole_hunt(image: Path, record_property: Callable[[str, object], None]) -> None:
    """Fall of the Führer, a whole hunt over an emulated Pico, comes to its end as over simulated pins."""
    emulated = hunted(4, driver=EMULATED, micropython_image=image)
    pins = hunted(4)
    assert parse(emulated.record).actions == parse(pins.record).actions
    record_property("actions", len(parse(emulated.record).actions))


@pytest.mark.nightly
def test_a_whole_evening_at_colditz(image: Path, record_property: Callable[[str, object], None]) -> None:
    """Escape from Colditz, a whole evening over five emulated Picos, comes out as over simulated pins."""
    pins = parse(evening())
    emulated = parse(evening(driver=EMULATED, micropython_image=image))
    assert difference(pins, emulated) is None  # what was sealed has other salts each time
    assert emulated.result == pins.result
    record_property("actions", len(pins.actions))


def evening(**setting: Any) -> str:
    """The record of the shortest of forty evenings."""
    game = Evening(34, pace=PACES["fast"], **setting)
    try:
        game.play()
        assert not game.judge.findings, game.judge.findings
        assert game.state.outcome is not None
        return str(game.table.export_record())
    finally:
        game.scene.close()


def hostile_wire(image: Path, seconds: int, seed: int) -> dict[str, int]:
    """Pieces come and go while the cable spoils what it can; then it is whole, and all is as it stands."""
    bench = listening(driver=EMULATED, micropython_image=image, seed=seed)
    try:
        (pico,) = bench.picos.picos_by_name.values()  # type: ignore[union-attr]
        dice = random.Random(f"hostile {seed}")
        pieces: dict[str, Any] = {}
        slots = [slot.id for slot in bench.board.slots.values()]
        bench.wait(500 * MS)
        pico.to_host.faults = pico.to_pico.faults = HOSTILE
        end, touched = bench.now + seconds * SECOND, 0
        while bench.now < end:
            slot = dice.choice(slots)
            at = bench.now + MS
            if slot in pieces:
                bench.world.take(pieces.pop(slot), slot, at)
            else:
                pieces[slot] = bench.world.new_piece("red")
                bench.world.put(pieces[slot], slot, at)
            touched += 1
            bench.wait(dice.randrange(30, 700) * MS)
        pico.to_host.faults = pico.to_pico.faults = CableFaults()
        bench.wait(5 * SECOND)
        table: Any = bench.table
        assert isinstance(table, Listener)
        assert table.ports.sensors.present() == set(pieces)
        told = [event for event in table.events if isinstance(event, SensorChanged)]
        state: dict[str, bool] = {}
        for event in told:
            assert state.get(event.slot, False) != event.present, f"{event.slot} was told twice"
            state[event.slot] = event.present
        assert {slot for slot, present in state.items() if present} == set(pieces)
        assert pico.boots == 1
        assert pico.read_crash_file() is None  # type: ignore[attr-defined]
        spoilt = pico.to_host.spoilt + pico.to_pico.spoilt
        assert spoilt > seconds // 2
        return {
            "emulated seconds": seconds,
            "touches": touched,
            "told": len(told),
            "bytes": pico.to_host.carried + pico.to_pico.carried,
            "bytes spoilt": spoilt,
        }
    finally:
        bench.close()


@pytest.mark.nightly
def test_a_hostile_wire_for_a_moment(image: Path) -> None:
    assert hostile_wire(image, 3, 1)["told"] > 2


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(10))
def test_ten_minutes_of_hostile_wire(
    image: Path, seed: int, record_property: Callable[[str, object], None]
) -> None:
    """Ten times a minute of a cable that spoils one byte in fifty: in the end host and emulated Pico
    agree with the board, and nothing was told twice."""
    for name, value in hostile_wire(image, 60, seed).items():
        record_property(name, value)


def test_without_an_image_the_driver_says_what_it_wants(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = tmp_path / "game.txt"
    game.write_text(write(random_record(0)), encoding="utf-8")
    for more, found in (([], "nothing"), (["--uf2", str(tmp_path / "none.uf2")], str(tmp_path / "none.uf2"))):
        assert cli.main(["sim", "play", str(game), "--driver", EMULATED, *more]) == 2
        said = capsys.readouterr().err
        assert said == f"boardumpire: --uf2: found {found}; try {IMAGE}\n"
