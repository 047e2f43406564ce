"""The drivers `pico-sim`, as a daemon opens them over a world that goes by a clock."""

from pathlib import Path

import pytest

from boardsim.page.board import VirtualBoard
from boardsim.pico_live import LivePicos
from boardsim.world import World
from boardumpire import config
from boardumpire.drivers import check, open_ports
from boardumpire.errors import ConfigError, DriverError
from boardware.description import load_board
from boardware.ports import MS, SECOND, Pressed
from boardwire.marks import colour

BOARD = "quick-battle-8x8-pico"
DRIVERS = config.DriversSection("pico-sim", "pico-lamps-sim", "pico-console-sim")


class Desk:
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

    def run(self, span, marks=None):
        """Turn the ports and the world for so long, a millisecond at a time."""
        end = self.now + span
        while self.now < end:
            self.now += MS
            self.world.advance(self.now)
            self.events += [*self.ports.sensors.step(self.now), *self.ports.console.step(self.now)]
            if marks is not None:
                self.ports.lamps.show(marks, self.now)
            self.ports.lamps.step(self.now)

    def lamp(self, name):
        return self.world.copper.lamps()[name]


@pytest.fixture
def desk():
    desk = Desk()
    yield desk
    desk.picos.close()


def test_a_piece_a_button_and_a_lamp_by_the_drivers_of_a_configuration(desk):
    desk.switch_on()
    piece = desk.world.new_piece("red")
    desk.world.plan(desk.now, lambda at: desk.world.put(piece, "c4", at))
    desk.world.plan(desk.now, lambda at: desk.world.button("turn", True, at))
    desk.run(100 * MS, {"h8": "may-go"})
    assert desk.ports.sensors.present() == {"c4"}
    assert [event.button for event in desk.events if isinstance(event, Pressed)] == ["turn"]
    red, green, blue = colour("may-go")
    shown = desk.lamp("h8")
    assert max(shown) == shown[(red, green, blue).index(max(red, green, blue))] > 0
    assert desk.planned


def test_a_table_that_lost_its_power_leaves_its_cables_to_the_next_one(desk):
    desk.switch_on()
    desk.run(50 * MS, {"a1": "may-go"})
    lost = desk.ports
    desk.run(10 * MS)
    desk.switch_on()
    assert desk.ports is not lost
    piece = desk.world.new_piece("red")
    desk.world.plan(desk.now, lambda at: desk.world.put(piece, "a1", at))
    desk.run(50 * MS, {"b2": "may-go"})
    assert desk.ports.sensors.present() == {"a1"}
    assert any(desk.lamp("b2"))
    assert not any(desk.lamp("a1"))
    for ports in (lost, desk.ports):
        ports.close()


def test_two_picos_are_two_cables():
    desk = Desk("quick-battle-8x8-two-picos")
    try:
        desk.switch_on()
        assert len(desk.ports.sensors.filenos()) == 2
        desk.ports.close()
    finally:
        desk.picos.close()


@pytest.mark.parametrize(
    ("board", "settings", "error", "why"),
    [
        (BOARD, {"picos": None}, ConfigError, "picos is missing, expected the Picos of a board that this"),
        (BOARD, {"speed": 1}, ConfigError, "unknown setting 'speed'"),
        ("quick-battle-8x8", {}, DriverError, "board quick-battle-8x8 has no Pico"),
    ],
)
def test_wrong_settings_are_refused_before_anything_is_opened(desk, board, settings, error, why):
    with pytest.raises(error, match=why):
        check(load_board(board), desk.configured(**settings))


def test_a_virtual_board_has_picos_if_it_is_wired_so():
    plain = VirtualBoard(load_board("quick-battle-8x8"), ("red", "blue"))
    assert plain.settings.keys() == {"world"}
    wired = VirtualBoard(load_board(BOARD), ("red", "blue"))
    try:
        (picos,) = wired.settings.values()
        assert isinstance(picos, LivePicos)
        assert [pico.plugged for pico in picos.each.values()] == [True]
    finally:
        wired.stop()
        wired.stop()
    assert [pico.plugged for pico in picos.each.values()] == [False]
