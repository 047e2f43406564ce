"""The cables of a board without any Pico: when they try again, and in which order they tell."""

from __future__ import annotations

from typing import Any

import pytest

from boardware.description import load_board
from boardware.pico import PicoHub, PicoSensors
from boardware.pico_cable import REOPEN_INTERVAL_US, PicoCable
from boardware.pico_plan import plans_by_pico
from boardware.ports import SensorChanged

TWO = load_board("quick-battle-8x8-two-picos")
PLAN = plans_by_pico(TWO)["south"]


class Socket:
    """A USB socket, and the Pico in it that says nothing; it counts who looks for it."""

    def __init__(self, plugged: bool) -> None:
        self.plugged = plugged
        self.found = self.opened = 0
        self.cable = PicoCable(PLAN, PicoHub(TWO), self.find, self.open)

    def find(self) -> list[str]:
        self.found += 1
        return ["/x"]

    def open(self, path: str) -> Any:
        if not self.plugged:
            raise OSError("nothing there")
        self.opened += 1
        return self

    def read(self, most: int) -> bytes:
        if not self.plugged:
            raise OSError("pulled")
        return b""

    def write(self, data: bytes) -> int:
        return len(data)

    def close(self) -> None:
        pass


def test_a_pico_that_is_not_there_is_looked_for_again_after_a_while() -> None:
    socket = Socket(plugged=False)
    for now, found in (
        (5, 1),
        (6, 1),
        (4 + REOPEN_INTERVAL_US, 1),
        (5 + REOPEN_INTERVAL_US, 2),
        (6 + REOPEN_INTERVAL_US, 2),
        (5 + 2 * REOPEN_INTERVAL_US, 3),
    ):
        socket.cable.poll(now)
        assert socket.found == found
    assert socket.cable.due() == 5 + 3 * REOPEN_INTERVAL_US


def test_a_pico_that_was_pulled_is_looked_for_again_after_a_while() -> None:
    socket = Socket(plugged=True)
    socket.cable.poll(5)
    assert socket.opened == 1
    late = 3 * REOPEN_INTERVAL_US
    socket.plugged = False
    socket.cable.poll(late)
    assert socket.cable.due() == late + REOPEN_INTERVAL_US
    socket.plugged = True
    for now, opened in ((late + 1, 1), (late + REOPEN_INTERVAL_US - 1, 1), (late + REOPEN_INTERVAL_US, 2)):
        socket.cable.poll(now)
        assert socket.opened == opened


@pytest.fixture
def sensors() -> PicoSensors:
    def nothing(path: str) -> Any:
        raise OSError("nothing there")

    hub = PicoHub(TWO, nothing)
    hub.set_port_paths({"south": "/south", "north": "/north"})
    return PicoSensors(hub)


def test_what_several_picos_felt_is_told_in_the_order_of_their_moments(sensors: PicoSensors) -> None:
    hub = sensors._hub
    told = [
        SensorChanged(20, "s1", True),
        SensorChanged(10, "n1", True),
        SensorChanged(10, "n2", False),
        SensorChanged(15, "s2", False),
    ]
    for event in told:
        hub.on_sensor_change(event.at, event.slot, event.present)
    assert list(sensors.step(30)) == [told[1], told[2], told[3], told[0]]
    assert not sensors.step(31), "each is told once"
    assert sensors.present() == {"s1", "n1"}
