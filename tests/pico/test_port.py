"""Serial ports that vanish, or whose other end reads nothing: nothing waits."""

import os
import pty
import termios
import tty

import pytest
from serial.tools import list_ports

from boardware.description import load_board
from boardware.pico_cable import OUTPUT_BACKLOG_MAX_BYTES, PicoCable
from boardware.pico_plan import plans_by_pico
from boardware.pico_port import SerialPort, open_serial, usb_paths
from boardware.ports import MS

(PLAN,) = plans_by_pico(load_board("quick-battle-8x8-pico")).values()


@pytest.fixture
def ends():
    near, far = pty.openpty()
    tty.setraw(near)
    tty.setraw(far)
    yield near, os.ttyname(far)
    os.close(near)
    os.close(far)


def test_a_port_whose_other_end_reads_nothing_takes_nothing_and_holds_nothing_up(ends):
    port = open_serial(ends[1])
    written = [port.write(b"x" * 100) for _ in range(1000)]
    assert written[0] == 100
    assert written[-1] == 0
    port.close()


def test_a_cable_into_such_a_port_keeps_no_more_than_a_little(ends):
    cable = PicoCable(PLAN, None, lambda: [ends[1]], open_serial)
    for turn in range(4000):  # a hello each time; the kernel takes the first few thousand bytes of them
        cable.poll(turn * 200 * MS)
        cable.flush(turn * 200 * MS)
    assert cable.open_failure == ""
    assert OUTPUT_BACKLOG_MAX_BYTES < len(cable._out) < 2 * OUTPUT_BACKLOG_MAX_BYTES
    while data := read(ends[0]):
        tail = data
    assert tail
    cable.close()


def read(fd):
    os.set_blocking(fd, False)
    try:
        return os.read(fd, 4096)
    except BlockingIOError:
        return b""


def test_a_port_that_vanishes_while_it_is_opened_is_an_error_of_the_system(ends, monkeypatch):
    def gone(fd, queue):
        raise termios.error(5, "Input/output error")

    monkeypatch.setattr(termios, "tcflush", gone)
    with pytest.raises(OSError, match="Input/output error"):
        SerialPort(ends[1])


def test_a_pico_that_is_pulled_while_usb_is_looked_through_is_not_there(monkeypatch):
    def pulled():
        raise TypeError("int() can't convert non-string with explicit base")  # as pyserial then does

    monkeypatch.setattr(list_ports, "comports", pulled)
    assert usb_paths(None) == []
