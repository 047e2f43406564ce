"""Opening the driver: wrong settings are refused, a Pico that is not there is named."""

import pytest
from serial.tools import list_ports

from boardware import pico, pico_port
from boardware.description import load_board
from boardware.errors import DriverError, SettingError

ONE, TWO = "quick-battle-8x8-pico", "quick-battle-8x8-two-picos"


def clock():
    """A wait that lets virtual time pass."""
    now = [0]

    def wait(until, filenos):
        now[0] = max(now[0], until)
        return now[0]

    return wait


@pytest.mark.parametrize(
    ("name", "settings", "why"),
    [
        (ONE, {"speed": 3}, "unknown setting 'speed'"),
        (ONE, {"port": 3}, "port is 3; try the path of a board's only Pico"),
        (ONE, {"port": ""}, "port is ''; try the path"),
        (ONE, {"port": "a\0b"}, r"port is 'a\\x00b'; try the path"),
        (TWO, {"ports": {"south": "a\0b"}}, r"ports has south = 'a\\x00b'; try"),
        (TWO, {"port": "/dev/x"}, "try the path of a board's only Pico"),
        (TWO, {"ports": {"west": "/dev/x"}}, "ports has west = '/dev/x'; try south, north"),
        (ONE, {"answer_ms": 1}, "answer_ms is 1"),
    ],
)
def test_a_wrong_setting_is_refused(name, settings, why):
    with pytest.raises(SettingError, match=why):
        pico.open_sensors(load_board(name), **settings)


def test_settings_of_lamps_and_console_are_refused_by_name():
    with pytest.raises(SettingError, match="brightness is 0"):
        pico.open_lamps(load_board(ONE), brightness=0)
    with pytest.raises(SettingError, match="hints is 1; try true or false"):
        pico.open_lamps(load_board(ONE), hints=1)
    with pytest.raises(SettingError, match="hold_ms is 5"):
        pico.open_console(load_board(ONE), hold_ms=5)


def test_a_board_without_a_pico_has_no_such_driver():
    with pytest.raises(DriverError, match="board quick-battle-8x8 has no Pico"):
        pico.open_sensors(load_board("quick-battle-8x8"))


def test_a_pico_that_does_not_answer_is_named(tmp_path):
    with pytest.raises(DriverError, match=r"Pico pico at .*gone: no answer"):
        pico.open_sensors(load_board(ONE), wait=clock(), port=str(tmp_path / "gone"))
    assert not pico._hubs_by_board


def test_picos_are_found_by_their_usb_identity(monkeypatch):
    class Port:
        def __init__(self, device, vid, number):
            self.device, self.vid, self.serial_number = device, vid, number

    ports = [Port("/dev/b", 0x2E8A, "B"), Port("/dev/a", 0x2E8A, "A"), Port("/dev/x", 0x1234, "A")]
    monkeypatch.setattr(list_ports, "comports", lambda: ports)
    assert pico_port.usb_paths(None) == ["/dev/a", "/dev/b"]
    assert pico_port.usb_paths("A") == ["/dev/a"]
