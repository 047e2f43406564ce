"""The drivers `pico-sim`, as a daemon opens them over a world that goes by a clock."""

import os
import signal
from pathlib import Path

import pytest

from boardsim.page.board import VirtualBoard
from boardsim.pico.live import LivePicos
from boardsim.world.world import World
from boardumpire.errors import ConfigError, DriverError
from boardumpire.service import config
from boardumpire.service.drivers import check_drivers, open_ports
from boardware.description import load_board
from boardware.ports import MS, SECOND, ButtonPressed, HardwareTrouble, SensorChanged
from boardwire.lights import rgb
from lit import CYAN_DIM, GREEN, lit

BOARD = "quick-battle-8x8-pico"
DRIVERS = config.DriversSection("pico-sim", "pico-lamps-sim", "pico-console-sim")


class TableApi:
    """A world, its Picos, a clock that goes on a little at each look, and what a daemon opens over them."""

    def __init__(self, board=BOARD):
        self.board = load_board(board)
        self.world = World(self.board)
        self.now = 7 * SECOND
        self.world.advance(self.now)
        self.planned = 0
        self.picos = LivePicos(self.world, self.clock, self.plans)
        self.events = []

    def clock(self):
        self.now += 50
        return self.now

    def plans(self):
        self.planned += 1

    def configured(self, **settings):
        over = {"picos": self.picos}
        return config.Config(
            board=config.BoardSection(self.board.id),
            drivers=DRIVERS,
            sensors={**over, **settings},
            lamps=over,
            console=over,
            journal=config.JournalSection(Path("journal"), Path("key")),
        )

    def switch_on(self):
        self.ports = open_ports(self.board, self.configured())

    def run(self, span, lights=None):
        """Turn the ports and the world for so long, a millisecond at a time."""
        end = self.now + span
        while self.now < end:
            self.now += MS
            self.picos.advance_to_now()
            self.events += [*self.ports.sensors.step(self.now), *self.ports.console.step(self.now)]
            if lights is not None:
                self.ports.lamps.show(lights, self.now)
            self.ports.lamps.step(self.now)

    def lamp(self, name):
        return self.world.copper.lamps()[name]


@pytest.fixture
def desk():
    desk = TableApi()
    yield desk
    desk.picos.close()


def test_a_piece_a_button_and_a_lamp_by_the_drivers_of_a_configuration(desk):
    desk.switch_on()
    piece = desk.world.new_piece("red")
    desk.world.plan(desk.now, lambda at: desk.world.put(piece, "c4", at))
    desk.world.plan(desk.now, lambda at: desk.world.set_button("turn", True, at))
    desk.world.plan(desk.now + 50 * MS, lambda at: desk.world.set_button("turn", False, at))
    desk.run(100 * MS, lit({"h8": GREEN}))
    assert desk.ports.sensors.present() == {"c4"}
    assert [event.button for event in desk.events if isinstance(event, ButtonPressed)] == ["turn"]
    red, green, blue = rgb(GREEN)
    shown = desk.lamp("h8")
    assert max(shown) == shown[(red, green, blue).index(max(red, green, blue))] > 0
    assert desk.planned


def test_a_table_that_lost_its_power_leaves_its_cables_to_the_next_one(desk):
    desk.switch_on()
    desk.run(50 * MS, lit({"a1": GREEN}))
    lost = desk.ports
    desk.run(10 * MS)
    desk.switch_on()
    assert desk.ports is not lost
    piece = desk.world.new_piece("red")
    desk.world.plan(desk.now, lambda at: desk.world.put(piece, "a1", at))
    desk.run(50 * MS, lit({"b2": GREEN}))
    assert desk.ports.sensors.present() == {"a1"}
    assert any(desk.lamp("b2"))
    assert not any(desk.lamp("a1"))
    for ports in (lost, desk.ports):
        ports.close()


def troubles(desk):
    return [event for event in desk.events if isinstance(event, HardwareTrouble)]


@pytest.mark.parametrize("seconds", [1, 2, 3, 5, 60])
def test_a_program_that_had_to_wait_for_its_machine_takes_nobody_for_silent(desk, seconds):
    desk.switch_on()
    desk.run(700 * MS, lit({"a1": GREEN}))
    piece = desk.world.new_piece("red")
    lifted = desk.now + SECOND // 2
    desk.world.plan(lifted, lambda at: desk.world.put(piece, "c4", at))
    desk.now += seconds * SECOND
    desk.run(200 * MS)
    while desk.world.now < desk.now:  # it comes up to the present as fast as the host answers
        desk.run(20 * MS)
    assert troubles(desk) == []
    assert desk.picos.picos_by_name["pico"].boots == 1
    assert desk.ports.sensors.present() == {"c4"}
    (felt,) = [event for event in desk.events if isinstance(event, SensorChanged)]
    assert lifted <= felt.at <= lifted + 50 * MS  # when it happened, not when it was heard


@pytest.mark.parametrize("doing", ["nothing", "reports", "hints"])
def test_a_process_that_is_killed_is_told_and_starts_again(desk, doing, caplog):
    desk.switch_on()
    desk.run(700 * MS, lit({"a1": GREEN}))
    piece = desk.world.new_piece("red")
    if doing == "reports":
        desk.world.plan(desk.now, lambda at: desk.world.put(piece, "c4", at))
        desk.world.advance(desk.clock())
    (pico,) = desk.picos.picos_by_name.values()
    os.kill(pico._firmware._process.pid, signal.SIGKILL)
    if doing == "hints":
        desk.ports.lamps.prepare_hints({"c4": lit({"a1": CYAN_DIM})}, desk.now)
        desk.ports.lamps.step(desk.now)
    if doing != "reports":
        desk.world.plan(desk.now, lambda at: desk.world.put(piece, "c4", at))
    desk.run(7 * SECOND)
    assert [event.code for event in troubles(desk)] == ["bank-silent", "bank-back"]
    assert pico.boots == 2
    assert desk.ports.sensors.present() == {"c4"}
    assert any(desk.lamp("a1"))


def test_firmware_that_ends_by_itself_is_logged_and_starts_again(desk, caplog):
    desk.switch_on()
    (pico,) = desk.picos.picos_by_name.values()
    os.write(pico._firmware._answers, b"no number\n")
    desk.run(7 * SECOND)
    assert [event.code for event in troubles(desk)] == ["bank-silent", "bank-back"]
    assert "Pico pico crashed" in caplog.text


def test_what_ends_the_program_does_not_end_its_picos_first(desk):
    (pico,) = desk.picos.picos_by_name.values()
    assert os.getpgid(pico._firmware._process.pid) != os.getpgid(0)


def test_two_picos_are_two_cables():
    desk = TableApi("quick-battle-8x8-two-picos")
    try:
        desk.switch_on()
        assert len(desk.ports.sensors.filenos()) == 2
        desk.ports.close()
    finally:
        desk.picos.close()


@pytest.mark.parametrize(
    ("board", "settings", "error", "why"),
    [
        (BOARD, {"picos": None}, ConfigError, "picos is missing; try the Picos of a board that this"),
        (BOARD, {"speed": 1}, ConfigError, "unknown setting 'speed'"),
        ("quick-battle-8x8", {}, DriverError, "board quick-battle-8x8 has no Pico"),
    ],
)
def test_wrong_settings_are_refused_before_anything_is_opened(desk, board, settings, error, why):
    with pytest.raises(error, match=why):
        check_drivers(load_board(board), desk.configured(**settings))


def test_a_virtual_board_has_picos_if_it_is_wired_so():
    plain = VirtualBoard(load_board("quick-battle-8x8"), ("red", "blue"))
    assert plain.driver_settings.keys() == {"world"}
    wired = VirtualBoard(load_board(BOARD), ("red", "blue"))
    try:
        (picos,) = wired.driver_settings.values()
        assert isinstance(picos, LivePicos)
        assert [pico.plugged for pico in picos.picos_by_name.values()] == [True]
    finally:
        wired.stop()
        wired.stop()
    assert [pico.plugged for pico in picos.picos_by_name.values()] == [False]
