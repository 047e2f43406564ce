"""The real drivers over the simulated lowest layer, in this process and over a world file in another."""

import subprocess
import sys
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardsim.pins import drivers
from boardsim.world.world import World
from boardware.description import load_board
from boardware.ports import MS, SECOND
from boardwire.strip import Strip
from lit import ALL, lit

BOARD = load_board("quick-battle-8x8")
OPEN = {"spi": drivers.open_spi_lamps, "pwm": drivers.open_pwm_lamps}
LIGHTS = st.dictionaries(st.sampled_from(sorted(BOARD.lamps)), st.sampled_from(ALL), max_size=66).map(lit)


def promised(told):
    """A strip of our own, told the same: the default brightness of half, the board's current limit."""
    strip = Strip(BOARD.chains["lamps"].length, BOARD.current_limit_ma, 127)
    for now, lights in told:
        strip.show({BOARD.lamps[lamp].index: light.code for lamp, light in lights.items()}, now)
    return strip


@pytest.mark.parametrize("way", OPEN)
@settings(max_examples=settings.default.max_examples * 4 // 10)
@given(first=LIGHTS, then=LIGHTS, gap=st.integers(0, 3 * SECOND))
def test_every_lamp_shows_what_the_strip_promises_at_every_moment(way, first, then, gap):
    world = World(BOARD)
    lamps = OPEN[way](BOARD, world=world)
    told, now = [], 0
    for lights in (first, then):
        lamps.show(lights, now)
        told.append((now, lights))
        strip, end = promised(told), now + gap
        while True:
            lamps.step(now)
            assert world.copper.shown_colours("lamps") == strip.frame(now)
            due = lamps.due()
            if due is None or due > end:
                break
            # In between nothing changes, or the driver would have wanted to be turned.
            assert strip.frame(due - 1) == strip.frame(now)
            now = due
        now = end
    lamps.close()
    assert set(world.copper.lamps().values()) == {(0, 0, 0)}


THERE = """
import sys
from boardsim.pins import drivers
from boardware.description import load_board
from boardware.ports import Light, ButtonPressed
board = load_board("quick-battle-8x8")
world = sys.argv[1]
sensors = drivers.open_sensors(board, world=world, pins=sys.argv[2])
lamps = drivers.open_spi_lamps(board, world=world)
console = drivers.open_console(board, world=world, pins=sys.argv[2])
sensors.step(0)
console.step(0)
print(*sorted(sensors.present()), flush=True)
for number, line in enumerate(sys.stdin, 1):
    now = number * 1_000_000
    felt = [event for turn in range(5) for event in sensors.step(now + turn * 10_000)]
    felt += [event for turn in range(5) for event in console.step(now + turn * 20_000)]
    lamps.show({space: Light("may-go", 0x0F00) for space in sensors.present()}, now)
    lamps.step(now)
    print(*(e.button if isinstance(e, ButtonPressed) else f"{e.slot}:{e.present}" for e in felt), flush=True)
"""


@pytest.mark.parametrize("pins", drivers.PINS)
def test_a_world_file_carries_reeds_buttons_and_lamps_to_another_process(tmp_path, pins):
    path = tmp_path / "world"
    world = World.create_file(path, BOARD)
    first, second = world.new_piece("red"), world.new_piece("blue")
    world.plan(0, partial(world.put, first, "a1"))
    world.advance(10 * MS)
    there = subprocess.Popen(
        [sys.executable, "-c", THERE, str(path), pins],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def turn():
        there.stdin.write("turn\n")
        there.stdin.flush()
        return there.stdout.readline().split()

    assert there.stdout.readline().split() == ["a1"]
    world.plan(world.now, partial(world.put, second, "h8"))
    world.plan(world.now, partial(world.take, first, "a1"))
    world.plan(world.now, partial(world.set_button, "confirm", True))
    world.advance(world.now + 10 * MS)
    assert set(turn()) == {"a1:False", "h8:True"}
    world.plan(world.now, partial(world.set_button, "confirm", False))
    world.advance(world.now + 10 * MS)
    lit = {lamp for lamp, shown in world.copper.lamps().items() if shown != (0, 0, 0)}
    assert lit == {"h8"}
    assert turn() == ["confirm"]
    assert turn() == []
    there.stdin.close()
    there.stdout.close()
    assert there.wait() == 0
    world.copper.close()


def test_an_unknown_way_to_the_pins_is_refused():
    with pytest.raises(ValueError, match="pins = 'wires'; try one of copper, rpigpio"):
        drivers.open_sensors(BOARD, world=World(BOARD), pins="wires")
