"""The simulated Pico: leaving scans out changes nothing; CPython runs the firmware as MicroPython does."""

import os
import random
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boardsim.bench.bench import Bench, BenchSettings
from boardsim.hands.hands import HandsError
from boardsim.pico.cabled import PicoError
from boardsim.pico.device import SimPico
from boardsim.pico.emulated import compile_firmware, patch_sleeping_wait
from boardsim.pico.picos import SimPicos
from boardsim.pico.process import interpreter_commands
from boardsim.pico.rig import PicoRig
from boardsim.world.world import World
from boardware.description import load_board
from boardware.ports import MS, SECOND
from boardwire.link import HostLink
from sim.bench import Listener
from sim.test_runner import ACT, act


class Wired(Bench):
    """A bench whose Picos run in a chosen way."""

    def __init__(self, setting, factory, *, way=None, leave_out=True):
        super().__init__(setting._replace(driver="gpio-sim"), factory)
        self.picos = SimPicos(self.world, seed=setting.seed, interpreter=way, jump=leave_out)


def play(acts, seed, **how):
    def factory(board, game, options, ports, journal, settings, now):
        return Listener(ports, now)

    bench = Wired(BenchSettings(board="quick-battle-8x8-pico", seed=seed), factory, **how)
    try:
        bench.start()
        frames = []
        for each in acts:
            try:
                act(bench, *each)
            except HandsError:
                continue
            frames.append((bench.now, bench.world.copper.lamps()))
        bench.wait(500 * MS)
        return list(bench.table.events), bench.table.ports.sensors.present(), frames
    finally:
        bench.close()


SOME = st.lists(ACT, max_size=3)


@pytest.mark.slow
@settings(max_examples=5, deadline=None)
@example([("press", "confirm"), ("sound", "accepted")], 3)  # what wakes it between two scans makes none
@example([("sound", "accepted"), ("sound", "accepted"), ("stand", "a1")], 0)
@given(SOME, st.integers(0, 5))
def test_leaving_scans_out_changes_nothing(acts, seed):
    assert play(acts, seed) == play(acts, seed, leave_out=False)


@pytest.mark.skipif("micropython" not in interpreter_commands(), reason="no MicroPython for this machine")
@settings(max_examples=5, deadline=None)
@given(SOME, st.integers(0, 5))
def test_cpython_runs_the_firmware_as_micropython_does(acts, seed):
    assert play(acts, seed, way="cpython") == play(acts, seed, way="micropython")


def test_a_quiet_minute_is_jumped_over():
    def factory(board, game, options, ports, journal, settings, now):
        return Listener(ports, now)

    bench = Bench(BenchSettings(driver="pico-sim"), factory)
    try:
        bench.start()
        (pico,) = bench.picos.picos_by_name.values()
        before = pico.grants
        bench.wait(60 * SECOND)
        # signs of life and their acknowledgements, each with the scan that was left out before it
        assert pico.grants - before <= 60 * 9
    finally:
        bench.close()


def test_a_crash_of_the_firmware_is_told():
    world = World(load_board("quick-battle-8x8-pico"))
    picos = SimPicos(world)
    try:
        (pico,) = picos.picos_by_name.values()
        os.write(pico._firmware._answers, b"no number\n")
        with pytest.raises(PicoError, match=r"Pico pico crashed: [\s\S]*ValueError"):
            world.advance(5 * SECOND)
    finally:
        picos.close()


def test_a_pico_that_hangs_is_booted_by_its_watchdog():
    world = World(load_board("quick-battle-8x8-pico"))
    picos = SimPicos(world)
    try:
        (pico,) = picos.picos_by_name.values()
        world.advance(SECOND)
        pico._turn += 1  # its next grant is void: nothing wakes it
        pico._until = None
        world.advance(20 * SECOND)
        pico._plan_grant(world.now)
        world.advance(22 * SECOND)
        assert pico.boots == 2
    finally:
        picos.close()


class Direct(SimPico):
    """A simulated Pico whose host is right beside it, and keeps what it is told."""

    def __init__(self, world, plan, port):
        super().__init__(world, plan, port, 0, next(iter(interpreter_commands())), True)
        self.host = HostLink(world.board.id, plan.wiring_hash, plan.pico)
        self.told_host = []

    def reply(self, at):
        out = self.host.data_to_send(at)
        if out:
            at = max(at, self._world.now) + 100
            self._world.plan(at, partial(self._deliver_to_pico, self.boots, out))

    def _send(self, data, at):
        self.host.receive_data(data)
        while (event := self.host.next_event()) is not None:
            self.told_host.append(event)
        self.reply(at)


TOUCHES = 40
"""How often a piece comes or goes; whole games over emulated Picos are proofs (`test_emulated_games`)."""
REPORTS = ("lifted", "placed", "pressed", "released")


def reports(told, since):
    """What was told of contacts and buttons, by the clock of the world."""
    return [(event[0], event[2], event[1] + since) for event in told if event[0] in REPORTS]


SEEDS = 5
SURE, BOUNCING = 1000, 2000
"""How far apart the two may be, in us. Where reeds bounce, one may see a chatter of half a millisecond that
the other has no look at: then a place is sure a look later. Two Picos side by side would differ so, too."""


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("bounces", "apart"), [pytest.param(False, SURE, marks=pytest.mark.nightly), (True, BOUNCING)]
)
def test_an_emulated_pico_and_a_simulated_one_tell_the_same_of_the_same_copper(
    image, tmp_path, bounces, apart
):
    """Both hang on the same contacts."""
    assert furthest(image, tmp_path, f"copper {bounces}", bounces=bounces) <= apart


@pytest.mark.nightly
def test_an_emulated_pico_and_a_simulated_one_tell_the_same_of_any_copper(image, tmp_path, record_property):
    """Five times other pieces and buttons at other moments, with reeds that bounce and without."""
    found = {False: [], True: []}
    for seed in range(SEEDS):
        for bounces in found:
            (tmp_path / f"{seed} {bounces}").mkdir()
            found[bounces].append(furthest(image, tmp_path / f"{seed} {bounces}", str(seed), bounces=bounces))
    record_property("touches", 2 * SEEDS * TOUCHES)
    record_property("furthest apart in us", max(found[False]))
    record_property("furthest apart in us where reeds bounce", max(found[True]))
    assert max(found[False]) <= SURE
    assert max(found[True]) <= BOUNCING


def furthest(image, folder, seed, *, bounces):
    """How far apart the two tell the same, at most; its core sleeps, its strobe never does."""

    def patch(files):
        patch_sleeping_wait(files)
        compile_firmware(files)

    rig = PicoRig(image, "quick-battle-8x8-pico", patch=patch, ahead=True)
    world, dice = rig.world, random.Random(seed)
    if not bounces:
        world.bounce = None
    simulated = Direct(world, rig.plan, folder / "port")
    world.watchers.append(simulated.note_contact_changed)
    try:
        simulated.plug(0)
        rig.run(50 * MS)
        simulated.host.greet(rig.now)
        simulated.reply(rig.now)
        rig.open()
        rig.run(100 * MS)
        pieces = {}
        for _ in range(TOUCHES):
            slot = dice.choice(rig.plan.contact_slots)
            at = rig.now + dice.randrange(1, 3 * MS)
            if slot in pieces:
                world.take(pieces.pop(slot), slot, at)
            else:
                pieces[slot] = world.new_piece("red")
                world.put(pieces[slot], slot, at)
            if dice.random() < 0.2:
                button = dice.choice(rig.plan.buttons)
                world.set_button(button, True, at + MS)
                world.set_button(button, False, at + 40 * MS)
            rig.run(dice.randrange(30, 80) * MS)
        rig.run(60 * MS)
        emulated = reports([event for _, event in rig.host_events], 0)
        other = reports(simulated.told_host, 0)
        assert len(emulated) >= TOUCHES
        assert [report[:2] for report in emulated] == [report[:2] for report in other]
        return max(abs(one[2] - two[2]) for one, two in zip(emulated, other, strict=True))
    finally:
        simulated.close()
