"""The simulated Pico: leaving scans out changes nothing; CPython runs the firmware as MicroPython does."""

import os

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boardsim.bench.bench import Bench, Setting
from boardsim.hands.hands import HandsError
from boardsim.pico.cabled import PicoError
from boardsim.pico.picos import Picos
from boardsim.pico.process import interpreters
from boardsim.world.world import World
from boardware.description import load_board
from boardware.ports import MS, SECOND
from sim.bench import Listener
from sim.test_runner import ACT, act


class Wired(Bench):
    """A bench whose Picos run in a chosen way."""

    def __init__(self, setting, factory, *, way=None, leave_out=True):
        super().__init__(setting._replace(driver="gpio-sim"), factory)
        self.picos = Picos(self.world, seed=setting.seed, way=way, jump=leave_out)


def play(acts, seed, **how):
    def factory(board, game, options, ports, journal, settings, now):
        return Listener(ports, now)

    bench = Wired(Setting(board="quick-battle-8x8-pico", seed=seed), factory, **how)
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


@settings(max_examples=5, deadline=None)
@example([("press", "confirm"), ("sound", "accepted")], 3)  # what wakes it between two scans makes none
@example([("sound", "accepted"), ("sound", "accepted"), ("stand", "a1")], 0)
@given(SOME, st.integers(0, 5))
def test_leaving_scans_out_changes_nothing(acts, seed):
    assert play(acts, seed) == play(acts, seed, leave_out=False)


@pytest.mark.skipif("micropython" not in interpreters(), reason="no MicroPython for this machine")
@settings(max_examples=5, deadline=None)
@given(SOME, st.integers(0, 5))
def test_cpython_runs_the_firmware_as_micropython_does(acts, seed):
    assert play(acts, seed, way="cpython") == play(acts, seed, way="micropython")


def test_a_quiet_minute_is_jumped_over():
    def factory(board, game, options, ports, journal, settings, now):
        return Listener(ports, now)

    bench = Bench(Setting(driver="pico-sim"), factory)
    try:
        bench.start()
        (pico,) = bench.picos.each.values()
        before = pico.grants
        bench.wait(60 * SECOND)
        # signs of life and their acknowledgements, each with the scan that was left out before it
        assert pico.grants - before <= 60 * 9
    finally:
        bench.close()


def test_a_crash_of_the_firmware_is_told():
    world = World(load_board("quick-battle-8x8-pico"))
    picos = Picos(world)
    try:
        (pico,) = picos.each.values()
        os.write(pico._firmware._answers, b"no number\n")
        with pytest.raises(PicoError, match=r"Pico pico crashed: [\s\S]*ValueError"):
            world.advance(5 * SECOND)
    finally:
        picos.close()


def test_a_pico_that_hangs_is_booted_by_its_watchdog():
    world = World(load_board("quick-battle-8x8-pico"))
    picos = Picos(world)
    try:
        (pico,) = picos.each.values()
        world.advance(SECOND)
        pico._turn += 1  # its next grant is void: nothing wakes it
        pico._until = None
        world.advance(20 * SECOND)
        pico._plan_grant(world.now)
        world.advance(22 * SECOND)
        assert pico.boots == 2
    finally:
        picos.close()
