"""A button of the bench: how long a simulated finger stays on it."""

import asyncio

import pytest

from boardsim.page.board import VirtualBoard, now
from boardumpire.service import config
from boardumpire.service.drivers import open_ports
from boardware.description import load_board
from boardware.ports import ButtonHeld, ButtonPressed
from evenings import virtual_loop

DRIVERS = config.DriversSection("gpio-sim", "neopixel-spi-sim", "console-sim")


def configured(board, virtual):
    settings = virtual.driver_settings
    return config.Config(
        board=config.BoardSection(board.id),
        drivers=DRIVERS,
        sensors=dict(settings),
        lamps=dict(settings),
        console=dict(settings),
        journal=config.JournalSection("journal", "key"),
    )


async def pressed(board, *, hold, stall_s):
    """Press, let the whole process stand still at once, and look at the console till something is told."""
    virtual = VirtualBoard(board, ("red", "blue"))
    console = open_ports(board, configured(board, virtual)).console
    console.step(now())
    virtual.start()
    try:
        virtual.do_gesture({"do": "press", "button": "cancel", "hold": hold})
        asyncio.get_running_loop().micros += round(stall_s * 1e6)  # the machine is busy elsewhere
        while not (heard := console.step(now())):
            virtual._advance_to_now()
            await asyncio.sleep(0.005)
        await asyncio.sleep(1)
        return [type(event) for event in (*heard, *console.step(now()))]
    finally:
        virtual.stop()


@pytest.mark.parametrize("stall_s", [0.0, 0.4, 1.9, 2.2, 5.0])
@pytest.mark.parametrize(("hold", "told"), [(True, ButtonHeld), (False, ButtonPressed)])
def test_a_button_is_told_held_or_pressed_however_late_the_machine_comes_to_look(hold, told, stall_s):
    """A hold of 2.3 s by the clock, first seen after 0.4 s, was never held for two."""
    scene = pressed(load_board("quick-battle-8x8"), hold=hold, stall_s=stall_s)
    assert virtual_loop.run(scene) == [told]
