"""The firmware's station on the header: gpiozero's mock and a decoded SPI below, a host's driver above."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from boardware.console import open_console
from boardware.description import BoardDescription
from boardware.errors import DriverError
from boardware.gpio import open_sensors
from boardware.header_pico import fits_satellite, header_as_pico
from boardware.header_station import HeaderStation
from boardware.neopixel import open_spi
from boardware.parts import HEADER
from boardware.pico import PicoConsole, PicoHub, PicoLamps, PicoSensors
from boardware.pico_plan import PicoPlan
from boardware.pico_remote import RemotePort
from boardware.ports import MS, SECOND, ButtonPressed, HardwareTrouble, SensorChanged, Tone
from hardware.test_neopixel import DARK, Bus
from lit import GREEN, lit


class Scene:
    """A header, its host, and the time of both in small steps."""

    def __init__(
        self,
        board: BoardDescription,
        factory: Any,
        copper: Any,
        *,
        host_board: BoardDescription | None = None,
    ) -> None:
        """`host_board`: what the host takes the board for, if not for what it is."""
        self.factory, self.copper, self.bus, self.now = factory, copper, Bus(), SECOND
        self._drivers = (
            open_sensors(board, pin_factory=factory, wait=copper.settle),
            open_spi(board, spi=self.bus),
            open_console(board, pin_factory=factory),
        )
        self.station = HeaderStation(board, *self._drivers, self.now)
        self._to_station = b""
        self._port: RemotePort | None = None
        hub = PicoHub(header_as_pico(host_board or board), self._open)
        hub.set_port_paths({HEADER: "/dev/header"})
        self.sensors, self.lamps, self.console = (
            PicoSensors(hub),
            PicoLamps(hub),
            PicoConsole(hub, 2 * SECOND),
        )
        self.told: list[Any] = []
        self.line_up = True

    def _open(self, path: str) -> RemotePort:
        self._port = RemotePort(self._take, lambda: None)
        return self._port

    def _take(self, data: bytes) -> int:
        self._to_station += data if self.line_up else b""
        return len(data)

    def run(self, ms: int, step_ms: int = 1) -> Sequence[Any]:
        """What the host's driver tells meanwhile."""
        self.told = []
        for _ in range(0, ms, step_ms):
            self.now += step_ms * MS
            if self._to_station or self.now >= self.station.due():
                data, self._to_station = self._to_station, b""
                out = self.station.step(self.now, data)
                if out and self._port is not None and self.line_up:
                    self._port.feed(out)
            self.told += [*self.sensors.step(self.now), *self.console.step(self.now)]
            self.lamps.step(self.now)
        return self.told

    def shown(self, lamp: int) -> tuple[int, int, int]:
        return self.bus.frames[-1][lamp]


@pytest.fixture
def scene(board: BoardDescription, factory: Any, wired: Any) -> Scene:
    return Scene(board, factory, wired(board))


def test_a_host_takes_a_header_for_a_pico(scene: Scene, board: BoardDescription) -> None:
    scene.copper.closed = {(0, 0), (7, 7)}
    scene.run(500)
    assert scene.sensors.missing() == ""
    assert scene.sensors.present() == {"a1", "h8"}
    scene.copper.closed = {(7, 7), (1, 2)}
    began = scene.now
    told = scene.run(100)
    assert [(event.slot, event.present) for event in told] == [("a1", False), ("c2", True)]
    assert all(abs(event.at - began) < 20 * MS for event in told)


def test_another_board_file_at_the_host_is_told(board: BoardDescription, factory: Any, wired: Any) -> None:
    copper = wired(board)
    other = replace(board, current_limit_ma=board.current_limit_ma + 1)
    scene = Scene(board, factory, copper, host_board=other)
    scene.run(500)
    assert scene.sensors.missing() == (
        "pico: the header at /dev/header: it is wired for another version of board quick-battle-8x8:"
        " both machines need one version of Boardumpire and board file"
    )


def test_a_contact_that_closes_for_a_moment_is_told_nothing_of(scene: Scene) -> None:
    scene.run(500)
    for _ in range(30):
        scene.copper.closed = {(3, 3)}
        assert scene.run(3) == []
        scene.copper.closed = set()
        assert scene.run(23) == []


def test_a_lift_is_lit_by_the_header_alone(scene: Scene, board: BoardDescription) -> None:
    scene.copper.closed = {(1, 2)}
    scene.run(500)
    lamp = board.lamps["c3"].index
    scene.lamps.prepare_hints({"c2": lit({"c3": GREEN})}, scene.now)
    scene.run(200)
    assert scene.shown(lamp) == DARK
    scene.line_up = False
    scene.copper.closed = set()
    scene.run(11)
    assert scene.shown(lamp)[1] > 0
    scene.line_up = True
    assert scene.run(200) == [SensorChanged(scene.told[0].at, "c2", False)]


def test_lamps_are_dim_while_the_host_is_silent_and_dark_after_a_minute(
    scene: Scene, board: BoardDescription
) -> None:
    lamp = board.lamps["c3"].index
    scene.run(500)
    scene.lamps.show(lit({"c3": GREEN}), scene.now)
    scene.run(100)
    bright = scene.shown(lamp)[1]
    scene.line_up = False
    scene.run(3000)
    assert 0 < scene.shown(lamp)[1] < bright
    scene.run(61_000, step_ms=100)
    assert scene.shown(lamp) == DARK
    scene.line_up = True
    scene.run(3000)
    assert scene.shown(lamp)[1] == bright
    scene.station.close()
    assert scene.shown(lamp) == DARK


def test_buttons_and_the_buzzer_are_those_of_a_pico(scene: Scene, board: BoardDescription) -> None:
    scene.run(500)
    button, buzzer = board.buttons["cancel"], board.buzzer
    assert buzzer is not None
    scene.copper.grounded = {scene.factory.pin(button.gpio).info.name}
    scene.run(200)
    scene.copper.grounded = set()
    (press,) = scene.run(200)
    assert isinstance(press, ButtonPressed)
    assert press.button == "cancel"
    scene.console.sound([Tone(880, 80)], scene.now)
    pin, sounded = scene.factory.pin(buzzer.gpio), 0
    for _ in range(300):
        scene.run(1)
        sounded += bool(pin.state)
    assert 70 <= sounded <= 90


def test_a_ghost_is_told_where_there_are_no_diodes(bare: BoardDescription, factory: Any, wired: Any) -> None:
    scene = Scene(bare, factory, wired(bare))
    scene.copper.closed = {(0, 0), (0, 1)}
    scene.run(500)
    scene.copper.closed = {(0, 0), (0, 1), (1, 0)}
    told = scene.run(100)
    assert {event.code for event in told if isinstance(event, HardwareTrouble)} == {"ghost"}


def test_lamps_that_take_nothing_are_tried_again(
    scene: Scene, board: BoardDescription, caplog: pytest.LogCaptureFixture
) -> None:
    scene.run(500)
    scene.bus.failures = 2
    scene.lamps.show(lit({"c3": GREEN}), scene.now)
    scene.run(2900)
    assert scene.shown(board.lamps["c3"].index)[1] > 0
    assert caplog.text.count("the lamps take nothing: the bus is gone") == 1


def test_only_a_board_whose_parts_hang_in_one_way_fits_a_satellite(board: BoardDescription) -> None:
    assert fits_satellite(board)
    plan = PicoPlan(header_as_pico(board), HEADER)
    assert plan.contact_slots[:2] == ("a1", "b1")
    assert len(plan.lamp_addresses) == 66
    assert plan.buttons == ("confirm", "cancel", "turn")
    long = replace(board, chains={"lamps": replace(board.chains["lamps"], length=300)})
    assert not fits_satellite(long)
    with pytest.raises(DriverError, match="one chain of at most 256"):
        header_as_pico(long)
    far = header_as_pico(board)
    assert header_as_pico(far) is far
    mixed = replace(far, buttons=board.buttons)
    assert not fits_satellite(mixed)
