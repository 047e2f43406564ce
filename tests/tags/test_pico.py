"""Tags over a Pico: firmware under MicroPython, SPI register by register, UART byte for byte, one cable."""

import importlib
import sys
from pathlib import Path

import pytest

from boardsim.pico.faults import CableFaults
from boardsim.readers.tags import RadioNoise
from boardumpire.lamps.legend import BOARD_LEGEND
from boardware.description import load_board
from boardware.errors import DriverError
from boardware.pico_plan import plans_by_pico
from boardware.ports import MS, SECOND, SensorChanged, TagSeen
from boardware.tags_pico import check_settings
from boardwire.framing import crc16
from tags.boards import with_pad
from tags.games import BARRAGE, Told
from tags.test_setup import ARMY, THEIRS, game, play, same

READERS = "quick-battle-8x8-readers"
STEP_US = 300
"""What a step of a read may take, some fifteen accesses to a chip (an estimate)."""
MODELLED = 10 * MS


class Listener:
    """Turns its ports as a table does, and keeps what came with the moment at which it came."""

    def __init__(self, ports, now):
        self.ports, self.marks, self.events = ports, {}, []
        self.step(now)

    def step(self, now):
        for port in (self.ports.sensors, self.ports.tags):
            self.events += [(now, event) for event in port.step(now)]
        self.ports.console.step(now)
        self.ports.lamps.show(BOARD_LEGEND.to_lights(self.marks), now)
        self.ports.lamps.step(now)
        return self.ports.lamps.due()

    def take_messages(self):
        return ()

    def close(self):
        self.ports.close()


def listening(board=READERS, driver="pico-sim", **more):
    from boardsim.bench.bench import Bench, BenchSettings

    def factory(board, game, options, ports, journal, settings, now, enrolled=""):
        return Listener(ports, now)

    bench = Bench(BenchSettings(board=board, tags=True, driver=driver, **more), factory)
    bench.start()
    bench.wait(2 * SECOND)
    return bench


@pytest.mark.slow
def test_a_changed_square_is_read_within_the_modelled_ten_milliseconds():
    bench = listening()
    spent = []
    for space in ("a1", "h8", "d3", "e6"):
        bench.table.events.clear()
        bench.run_until(bench.hands.stand("red", space, bench.now, "10"))
        bench.wait(50 * MS)
        events = bench.table.events
        (placed,) = [event for _, event in events if isinstance(event, SensorChanged)]
        (seen,) = [event for _, event in events if isinstance(event, TagSeen)]
        assert seen.reader == placed.slot == space
        spent.append(seen.at - placed.at)
    bench.close()
    assert max(spent) <= MODELLED


@pytest.mark.slow
def test_armies_are_learnt_over_the_cable_and_the_game_begins():
    told = Told(READERS, game=BARRAGE, driver="pico-sim")
    told.army("red", ARMY)
    told.army("blue", THEIRS)
    assert told.bench.table.view(None)["phase"] == "play"
    assert told.faults() == []
    told.bench.close()


@pytest.mark.slow
def test_a_game_over_noisy_air_and_a_bad_cable_comes_out_as_it_went_in():
    record = game(4, 14)
    player = play(
        record,
        READERS,
        driver="pico-sim",
        radio_noise=RadioNoise(miss_rate=0.05, flip=0.02),
        cable_faults=CableFaults(flip=0.0005, lose=0.0005),
    )
    assert same(record, player) is None
    player.bench.close()


@pytest.mark.slow
def test_after_the_cable_was_out_every_tag_is_told_again():
    bench = listening()
    bench.run_until(bench.hands.stand("red", "a1", bench.now, "10"))
    bench.wait(SECOND)
    (pico,) = bench.picos.picos_by_name.values()
    bench.world.plan(bench.now, pico.unplug)
    bench.wait(SECOND)
    bench.table.events.clear()
    bench.world.plan(bench.now, pico.plug)
    bench.wait(5 * SECOND)
    assert [event.reader for _, event in bench.table.events if isinstance(event, TagSeen)] == ["a1"]
    bench.close()


@pytest.mark.slow
def test_dead_readers_are_told_and_when_they_answer_again():
    bench = listening()
    chip = bench.tags.banks["squares"].chips[3]
    chip.dead = True
    bench.wait(20 * SECOND)
    chip.dead = False
    bench.wait(20 * SECOND)
    told = [(event.code, event.where) for _, event in bench.table.events if hasattr(event, "code")]
    assert told == [("reader-mute", "d1"), ("reader-back", "d1")]
    bench.close()


def test_a_pad_on_a_pico_tells_what_is_shown_to_it(tmp_path):
    bench = listening(with_pad(tmp_path))
    bench.table.ports.tags.watch({"pad"})
    bench.table.step(bench.now)
    bench.wait(500 * MS)
    bench.run_until(bench.tags.take_and_show(bench.hands, "pad", "red", "10", bench.now))
    bench.wait(2 * SECOND)
    told = [type(event).__name__ for _, event in bench.table.events]
    assert told == ["TagSeen", "TagGone"]
    bench.close()


def test_a_board_without_readers_on_a_pico_is_refused():
    with pytest.raises(DriverError, match="has no reader on a Pico"):
        check_settings(load_board("quick-battle-8x8-pico"), {})


def test_readers_are_numbered_alike_at_both_ends():
    (plan,) = plans_by_pico(load_board(READERS)).values()
    assert plan.reader_ids[:3] == ("a1", "b1", "c1")
    assert len(plan.reader_ids) == 64
    assert crc16(plan.pins_source().encode())


@pytest.mark.slow
def test_a_lift_waits_for_one_step_of_a_reader_at_most():
    sys.path.insert(0, str(Path(__file__).parents[2]))
    try:
        lifts_of = importlib.import_module("boardlab.benchmarks.pico").PicoLifts
    finally:
        sys.path.pop(0)
    taken = []
    for tags in (False, True):
        lifts = lifts_of(hints=True, tags=tags)
        taken.append([lifts.lift()[0] for _ in range(8)])
        lifts.bench.close()
    plain, tagged = taken
    pairs = zip(sorted(tagged), sorted(plain), strict=True)
    assert all(later <= sooner + STEP_US for later, sooner in pairs)
