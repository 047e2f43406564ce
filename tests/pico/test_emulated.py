"""The firmware under MicroPython's own image on an emulated chip: what is counted there are its own cycles.

The image is named by `--uf2`. It is that of a Pico, as a person downloads it from micropython.org.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

from boardsim.pico.rig import Rig
from boardsim.pico.timing import Stopwatch, share
from boardware.ports import MS, SECOND
from boardwire import wire
from boardwire.station import ALIVE_US

BOARD = "quick-battle-8x8-pico"


@pytest.fixture(scope="module")
def image(request: pytest.FixtureRequest) -> Path:
    """MicroPython for a Pico."""
    given = request.config.getoption("--uf2")
    if given is None or not Path(given).is_file():
        pytest.skip("no image of MicroPython for a Pico; name one with --uf2 (micropython.org has it)")
    return Path(given)


@pytest.mark.slow
def test_twenty_lifts_over_the_8x8(image: Path) -> None:
    """Lamps pulse for half of them, and a fifth of all frames comes twice."""
    watch = Stopwatch(image, BOARD)
    assert watch.opened < 3 * SECOND
    hinted = watch.measure(10, hints=True)
    watch.pulse()
    plain = watch.measure(10, hints=False)
    periods, stamps = hinted.periods + plain.periods, hinted.stamps + plain.stamps
    assert len(periods) > 4000
    assert share(periods, 0.99) <= 1000, "however busy Python, lamps and wire are"
    assert max(periods) <= 1000
    assert share(stamps, 0.95) <= 250
    assert max(stamps) <= 300
    assert median(plain.told) <= 2500
    assert median(hinted.lit) <= 3600
    assert median(plain.lit) <= 9500, "8000 is wanted"


@pytest.mark.slow
def test_places_presses_marks_and_a_host_that_falls_silent(image: Path) -> None:
    rig = Rig(image, BOARD)
    rig.open()
    button = rig.plan.buttons[0]
    piece = rig.world.new_piece("red")
    slot = rig.plan.contacts[20]
    assert slot is not None
    rig.told.clear()
    rig.world.put(piece, slot, rig.now + MS)
    rig.run(20 * MS)
    rig.world.button(button, True, rig.now + MS)
    rig.run(60 * MS)
    rig.world.button(button, False, rig.now + MS)
    rig.run(60 * MS)
    told = [event for _, event in rig.told if event[0] != "alive"]
    assert [(event[0], event[2]) for event in told] == [("placed", 20), ("pressed", 0), ("released", 0)]
    rig.host.send("mark", 0, wire.mark_number("held"), bytes([5, 65]))
    rig.run(20 * MS)
    frame = rig.pinned.frames[-1][2]
    assert {lamp for lamp in range(66) if any(frame[3 * lamp : 3 * lamp + 3])} == {5, 65}
    rig.told.clear()
    rig.run(3 * ALIVE_US)
    assert [event[0] for _, event in rig.told].count("alive") >= 2
    assert rig.chip.file("crash.txt") is None
