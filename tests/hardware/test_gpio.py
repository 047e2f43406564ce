"""The reed matrix over copper."""

import re
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardware.console import open_console
from boardware.description import BoardDescription, load_board
from boardware.errors import DriverError, SettingError, install_hint
from boardware.gpio import ReedMatrix, open_sensors
from boardware.ports import MS, HardwareTrouble, SensorChanged, SensorPort

SCAN = 10 * MS


def opened(board: BoardDescription, factory: Any, copper: Any, **settings: object) -> ReedMatrix:
    return open_sensors(board, pin_factory=factory, wait=copper.settle, **settings)


def test_the_first_scan_brings_the_whole_board_without_events(
    board: BoardDescription, factory: Any, wired: Any
) -> None:
    copper = wired(board)
    copper.closed = {(row, column) for row in (0, 1, 6, 7) for column in range(8)}
    sensors: SensorPort = opened(board, factory, copper)
    assert sensors.step(5) == ()
    assert sensors.present() == {file + rank for file in "abcdefgh" for rank in "1278"}
    assert sensors.is_quiet()


def test_every_reed_is_felt_as_its_own_slot(board: BoardDescription, factory: Any, wired: Any) -> None:
    copper = wired(board)
    sensors = opened(board, factory, copper, place_ms=0)
    for number, (at, slot) in enumerate(board.slots_by_contact.items()):
        copper.closed = {(at.row, at.column)}
        sensors.step(number * SCAN)
        assert sensors.present() == {slot}


def test_a_lift_is_told_at_the_next_scan_and_a_place_once_it_lasted(
    board: BoardDescription, factory: Any, wired: Any
) -> None:
    copper = wired(board)
    copper.closed = {(2, 0)}
    sensors = opened(board, factory, copper, scan_ms=2, place_ms=5)
    told = []
    for now in range(0, 30 * MS, MS):
        if now == 4 * MS:
            copper.closed = {(3, 0)}
        told += sensors.step(now)
    assert told == [SensorChanged(4 * MS, "a3", False), SensorChanged(10 * MS, "a4", True)]
    assert sensors.present() == {"a4"}


def test_one_row_is_driven_at_a_time_and_left_low(board: BoardDescription, factory: Any, wired: Any) -> None:
    copper = wired(board)
    sensors = opened(board, factory, copper)
    sensors.step(0)
    assert copper.driven == [1] * 8
    rows = [factory.pin(gpio) for gpio in board.banks["reeds"].rows]
    assert [(row.function, row.state) for row in rows] == [("output", False)] * 8


def test_without_diodes_a_row_at_rest_floats(bare: BoardDescription, factory: Any, wired: Any) -> None:
    copper = wired(bare)
    sensors = opened(bare, factory, copper)
    sensors.step(0)
    assert copper.driven == [1] * 8
    assert {factory.pin(gpio).function for gpio in bare.banks["reeds"].rows} == {"input"}


def test_every_row_settles_for_the_time_of_its_bank(
    board: BoardDescription, factory: Any, wired: Any
) -> None:
    wired(board)
    waits: list[int] = []
    open_sensors(board, pin_factory=factory, wait=waits.append).step(0)
    assert waits == [50] * 8


def test_a_scan_happens_on_the_grid_alone(board: BoardDescription, factory: Any, wired: Any) -> None:
    copper = wired(board)
    sensors = opened(board, factory, copper)
    assert sensors.due() == 0
    assert sensors.due_after(123) == 123
    sensors.step(3)
    assert sensors.due() == 3 + SCAN
    sensors.step(2 * MS)
    assert len(copper.driven) == 8
    assert sensors.due_after(0) == 3 + SCAN
    assert sensors.due_after(4 + SCAN) == 3 + 2 * SCAN
    sensors.step(5 * SCAN)  # late: missed moments are not made up for
    assert len(copper.driven) == 16
    assert sensors.due() == 3 + 5 * SCAN


def test_with_diodes_a_rectangle_is_believed(board: BoardDescription, factory: Any, wired: Any) -> None:
    copper = wired(board)
    sensors = opened(board, factory, copper, place_ms=0)
    sensors.step(0)
    copper.closed = {(0, 0), (0, 1), (1, 0)}
    told = sensors.step(SCAN)
    assert [event.slot for event in told if isinstance(event, SensorChanged)] == ["a1", "b1", "a2"]
    assert len(told) == 3


def test_without_diodes_a_fourth_corner_is_held_back_and_told_once_as_a_ghost(
    bare: BoardDescription, factory: Any, wired: Any
) -> None:
    copper = wired(bare)
    sensors = opened(bare, factory, copper)
    sensors.step(0)
    copper.closed = {(0, 0), (0, 1)}
    told = [event for scan in range(1, 4) for event in sensors.step(scan * SCAN)]
    assert {event.slot for event in told if isinstance(event, SensorChanged)} == {"a1", "b1"}
    copper.closed.add((1, 0))  # a2; b2 looks closed as well, and which of the two is can't be known
    told = [event for scan in range(4, 12) for event in sensors.step(scan * SCAN)]
    assert [(event.code, event.where) for event in told if isinstance(event, HardwareTrouble)] == [
        ("ghost", "a2"),
        ("ghost", "b2"),
    ]
    assert sensors.present() == {"a1", "b1"}
    assert sensors.is_quiet()
    copper.closed.remove((0, 1))  # the rectangle is gone: what is left is believed again
    told = [event for scan in range(12, 16) for event in sensors.step(scan * SCAN)]
    assert sensors.present() == {"a1", "a2"}
    assert all(isinstance(event, SensorChanged) for event in told)


changes = st.lists(
    st.tuples(st.integers(0, 80 * MS), st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=12
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(changes, st.booleans())
def test_jumping_while_quiet_changes_nothing(
    board: BoardDescription,
    bare: BoardDescription,
    factory: Any,
    wired: Any,
    steps: list[tuple[int, int, int]],
    diodes: bool,
) -> None:
    """Scanning at every moment of the grid and jumping to the next edge while quiet tell the same."""
    one = board if diodes else bare
    edges, at = [], 0
    for wait, row, column in steps:
        at += wait
        edges.append((at, row, column))

    def run(jumping: bool) -> list[object]:
        factory.reset()
        copper = wired(one)
        sensors = opened(one, factory, copper)
        told: list[object] = []
        left = list(edges)
        now = 0
        while now <= at + 100 * MS:
            while left and left[0][0] <= now:
                _, row, column = left.pop(0)
                copper.closed ^= {(row, column)}
            told += sensors.step(now)
            if jumping and sensors.is_quiet():
                now = sensors.due_after(left[0][0]) if left else at + 200 * MS
            else:
                now = sensors.due()
        sensors.close()
        return [told, sensors.present()]

    assert run(jumping=True) == run(jumping=False)


def test_closing_releases_the_pins_and_may_be_done_twice(
    board: BoardDescription, factory: Any, wired: Any
) -> None:
    copper = wired(board)
    sensors = opened(board, factory, copper)
    sensors.close()
    sensors.close()
    opened(board, factory, copper).close()


def test_a_bank_that_can_not_be_opened_leaves_no_pin_taken(
    board: BoardDescription, factory: Any, wired: Any
) -> None:
    copper = wired(board)
    twice = replace(
        board, banks={"one": board.banks["reeds"], "two": replace(board.banks["reeds"], id="two")}
    )
    with pytest.raises(DriverError, match=r"gpio: GPIO4 can't be had: .*already in use"):
        opened(twice, factory, copper)
    opened(board, factory, copper).close()


def test_a_board_without_reeds_needs_no_pins_and_is_quiet(board: BoardDescription) -> None:
    sensors = open_sensors(replace(board, banks={}, spaces={}))
    assert sensors.step(0) == ()
    assert sensors.is_quiet()
    assert sensors.due() > 1000 * MS


@pytest.mark.parametrize(
    ("settings", "answer"),
    [
        ({"scan": 5}, "gpio: unknown setting 'scan'; try one of pins, scan_ms, place_ms, lockout_ms"),
        ({"scan_ms": 0}, r"gpio: scan_ms is 0; try 0\.5 to 1000 ms"),
        ({"place_ms": "5"}, "gpio: place_ms is '5'; try 0 to 1000 ms"),
        ({"lockout_ms": True}, "gpio: lockout_ms is True; try 0 to 1000 ms"),
        ({"lockout_ms": float("nan")}, "gpio: lockout_ms is nan; try 0 to 1000 ms"),
        ({"pins": "pigpio"}, "gpio: pins is 'pigpio'; try one of gpiod, lgpio"),
        ({"pins": ["lgpio"]}, r"gpio: pins is \['lgpio'\]; try one of gpiod, lgpio"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(
    board: BoardDescription, settings: dict[str, Any], answer: str
) -> None:
    with pytest.raises(SettingError, match=answer):
        open_sensors(board, **settings)


@pytest.mark.parametrize(("name", "library"), [("gpiod", "gpiod"), ("lgpio", "lgpio")])
def test_a_missing_library_names_the_extra_that_brings_it(
    board: BoardDescription, monkeypatch: pytest.MonkeyPatch, name: str, library: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    for module in ("gpiozero.pins.lgpio", "boardware.gpiod_pins"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    hint = re.escape(install_hint("pi"))
    with pytest.raises(DriverError, match=f"gpio: pins = '{name}' needs a library .*{hint}"):
        open_sensors(board, pins=name)


def test_the_driver_imports_no_library_of_the_pi_until_it_is_opened() -> None:
    code = (
        "import sys, boardware.gpio, boardware.console, boardware.neopixel\n"
        "late = ('gpiod', 'lgpio', 'RPi', 'board', 'busio', 'neopixel', 'neopixel_spi')\n"
        "print([name for name in late if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


@pytest.mark.parametrize(
    ("opener", "part"),
    [(open_sensors, "bank reeds"), (open_console, "button confirm")],
    ids=["reeds", "buttons"],
)
def test_pins_of_a_pico_are_not_looked_for_on_the_header(opener: Any, part: str) -> None:
    board = load_board("quick-battle-8x8-pico")
    with pytest.raises(DriverError, match=f"{part} of board quick-battle-8x8-pico hangs on Pico pico"):
        opener.check(board, {})
