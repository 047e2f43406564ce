"""A button of the bench: how long a simulated finger stays on it."""

import asyncio
import time

from boardsim.page.board import VirtualBoard, now
from boardumpire.service import config
from boardumpire.service.drivers import open_ports
from boardware.description import load_board
from boardware.ports import Held
from loops import run as run_alone

DRIVERS = config.DriversSection("gpio-sim", "neopixel-spi-sim", "console-sim")


def configured(board, virtual):
    settings = virtual.settings
    return config.Config(
        board=config.BoardSection(board.id),
        drivers=DRIVERS,
        sensors=dict(settings),
        lamps=dict(settings),
        console=dict(settings),
        journal=config.JournalSection("journal", "key"),
    )


async def pressed(virtual, console, *, hold, stall_s, told):
    """Press, let the whole process stand still at once, and look at the console till `told` is heard."""
    virtual.start()
    heard = []
    try:
        virtual.do({"do": "press", "button": "cancel", "hold": hold})
        time.sleep(stall_s)  # The machine is busy elsewhere: that is what is tested.
        while not heard or not isinstance(heard[-1], told):
            virtual._catch_up()
            heard += console.step(now())
            await asyncio.sleep(0.005)
    finally:
        virtual.stop()
    return [type(event) for event in heard]


def test_a_held_button_is_told_held_however_late_the_machine_comes_to_look():
    """A hold of 2.3 s by the clock, first seen after 0.4 s, was never held for two."""
    board = load_board("quick-battle-8x8")
    virtual = VirtualBoard(board, ("red", "blue"))
    ports = open_ports(board, configured(board, virtual))
    ports.console.step(now())
    heard = run_alone(
        asyncio.wait_for(pressed(virtual, ports.console, hold=True, stall_s=0.4, told=Held), 20)
    )
    assert heard == [Held]
