"""Pins through gpiod: the chip is found by its label, and what a pin refuses has a name."""

from __future__ import annotations

import pytest
from gpiozero import OutputDevice
from gpiozero.exc import PinFixedPull, PinInvalidFunction, PinPWMUnsupported

from boardsim.world.copper import Copper
from boardware import gpiod_pins
from boardware.console import open_console
from boardware.description import load_board
from boardware.errors import DriverError, SettingError
from boardware.gpio import open_sensors
from boardware.opening import load_pin_factory
from hardware.copper_chip import CopperChip, CopperGpiodFactory

BOARD = load_board("quick-battle-8x8")
BANK = BOARD.banks["reeds"]


@pytest.fixture
def chips(monkeypatch: pytest.MonkeyPatch) -> dict[str, CopperChip | OSError]:
    """The chips of this machine, by their paths; one that can't be opened is its error."""
    found: dict[str, CopperChip | OSError] = {}

    def opened(path: str) -> CopperChip:
        chip = found[path]
        if isinstance(chip, OSError):
            raise chip
        return chip

    monkeypatch.setattr(gpiod_pins.glob, "glob", lambda pattern: found)
    monkeypatch.setattr(gpiod_pins.gpiod, "Chip", opened)
    return found


@pytest.mark.parametrize("label", ["pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"])
def test_the_header_is_found_whatever_its_number(chips: dict[str, CopperChip | OSError], label: str) -> None:
    chips["/dev/gpiochip0"] = other = CopperChip(label="gpio-brcmstb@107d508500")
    chips["/dev/gpiochip3"] = CopperChip(label=label)
    assert gpiod_pins.open_header_chip() is chips["/dev/gpiochip3"]
    assert other.closed


def test_no_header_names_the_chips_that_there_are(chips: dict[str, CopperChip | OSError]) -> None:
    with pytest.raises(gpiod_pins.NoHeaderChipError, match=r"there is no /dev/gpiochip\*"):
        gpiod_pins.open_header_chip()
    chips["/dev/gpiochip0"] = PermissionError(13, "Permission denied")
    chips["/dev/gpiochip1"] = CopperChip(label="raspberrypi-exp-gpio")
    told = r"/dev/gpiochip0: Permission denied, /dev/gpiochip1 is raspberrypi-exp-gpio"
    with pytest.raises(gpiod_pins.NoHeaderChipError, match=told):
        gpiod_pins.open_header_chip()
    with pytest.raises(DriverError, match=f"gpio: gpiod finds no pins on this machine: .*{told}"):
        load_pin_factory("gpio", "gpiod")


def test_who_has_a_pin_that_is_taken_is_named(chips: dict[str, CopperChip | OSError]) -> None:
    factory = CopperGpiodFactory(Copper(BOARD))
    chips["/dev/gpiochip0"] = factory.chip
    factory.chip.consumers[BANK.rows[1]] = "spi0 CS0"
    with pytest.raises(DriverError, match=f"GPIO{BANK.rows[1]} can't be had: .*busy; 'spi0 CS0' has it"):
        open_sensors(BOARD, pin_factory=factory)
    factory.close()
    assert factory.chip.consumers == {BANK.rows[1]: "spi0 CS0"}


def test_an_output_is_dark_from_its_first_moment_on() -> None:
    copper = Copper(BOARD)
    heard: list[bool] = []
    copper.on_buzzer_switched = heard.append
    assert BOARD.buzzer is not None
    factory = CopperGpiodFactory(copper)
    with OutputDevice(BOARD.buzzer.gpio, pin_factory=factory):
        assert heard == []
    with OutputDevice(BOARD.buzzer.gpio, initial_value=True, pin_factory=factory):
        assert heard == [True]
    assert heard == [True, False]
    factory.close()


def test_what_a_pin_does_not_do_is_refused() -> None:
    pin = CopperGpiodFactory(Copper(BOARD)).pin(17)
    with pytest.raises(PinInvalidFunction, match="it is input or output"):
        pin.function = "alt0"
    pin.output_with_state(True)
    with pytest.raises(PinFixedPull, match="is an output"):
        pin.pull = "up"
    with pytest.raises(PinPWMUnsupported, match="no pulses"):
        pin.frequency = 440


def test_a_tonal_buzzer_has_its_pitch_from_lgpio() -> None:
    with pytest.raises(
        SettingError, match="gpiod gives a tonal buzzer no pitch; leave pins out, or try 'lgpio'"
    ):
        open_console.check(BOARD, {"tonal": True, "pins": "gpiod"})  # type: ignore[attr-defined]
    assert open_console.check(BOARD, {"tonal": True})[1] == "lgpio"  # type: ignore[attr-defined]
    assert open_console.check(BOARD, {})[1] == "gpiod"  # type: ignore[attr-defined]
