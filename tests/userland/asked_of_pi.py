"""What the emulated Pi is asked: runs there, as its only program. A line that it tells is a key and JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys

RIVAL = """
from boardware.description import load_board
from boardware.gpio import open_sensors
open_sensors(load_board("quick-battle-8x8"))
"""
COMMAND = "import sys; from boardumpire.cli import main; sys.exit(main(sys.argv[1:]))"


def tell(key: str, value: object) -> None:
    print(f"\nasked: {key} {json.dumps(value)}", flush=True)


def ran(*words: str) -> tuple[int, str]:
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).strip()


def main() -> None:
    """Open a whole board on the header, look at it from outside, and let go of it."""
    from boardware import gpiod_pins
    from boardware.console import open_console
    from boardware.description import load_board
    from boardware.gpio import open_sensors
    from boardware.neopixel import open_spi
    from boardware.opening import load_pin_factory
    from boardware.ports import Light

    board = load_board("quick-battle-8x8")
    (bank,) = board.banks.values()
    with open("/proc/device-tree/model") as model:
        tell("model", model.read().rstrip("\0"))
    tell("kernel", os.uname().release)
    chip = gpiod_pins.open_header_chip()
    tell("chip", chip.get_info().label)

    def held() -> int:
        return sum(chip.get_line_info(pin).consumer == gpiod_pins.CONSUMER for pin in range(28))

    sensors = open_sensors(board)
    sensors.step(0)
    tell("present", sorted(sensors.present()))
    console = open_console(board)
    console.step(0)
    tell("held", held())
    factory = load_pin_factory("asked", "gpiod")
    row, column = (chip.get_line_info(pins[0]) for pins in (bank.rows, bank.columns))
    tell("row", [row.direction.name, column.direction.name, column.bias.name])
    pin = factory.pin(bank.rows[0])
    levels = []
    for level in (True, False, True):
        pin.state = level
        levels.append(pin.state)
    tell("levels", levels)
    pin.state = False
    tell("rival", ran("-c", RIVAL)[1].splitlines()[-1])
    if os.path.exists("/dev/spidev0.0"):
        lamps = open_spi(board)
        lamps.show({"a1": Light("may-go", 0x0F00)}, 0)
        lamps.step(0)
        tell("lamps", [trouble.code for trouble in lamps.take_troubles()])
        lamps.close()
    sensors.close()
    console.close()
    factory.close()
    tell("released", held())
    with open("/tmp/board.toml", "w") as config:
        config.write('format = "boardumpire-config"\nversion = 1\n[drivers]\nlamps = "neopixel-spi"\n')
    tell("checked", ran("-c", COMMAND, "check-config", "--config", "/tmp/board.toml"))


if __name__ == "__main__":
    main()
