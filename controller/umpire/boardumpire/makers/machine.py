"""What the machine is and has: read below one root, so that any machine can be made up as a tree of files.

Nothing is opened but files of `/proc`, `/sys`, `/etc` and `/boot`. What can't be read is not there.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from typing import NamedTuple

RASPBERRY_PI_VENDOR_ID = "2e8a"
BOOT_LOADER_PRODUCT_IDS = ("0003", "000f")
"""USB products of a Pico in its boot loader: RP2040, RP2350."""
_MODEL_PATTERN = re.compile(r"Raspberry Pi (?:Compute Module |Zero )?(\d+)?")


PIN_HOLDING_OVERLAYS = {
    "w1-gpio": ("gpiopin", 4),
    "w1-gpio-pullup": ("gpiopin", 4),
    "gpio-fan": ("gpiopin", 12),
    "gpio-shutdown": ("gpio_pin", 3),
    "gpio-poweroff": ("gpiopin", 26),
    "gpio-ir": ("gpio_pin", 18),
    "gpio-ir-tx": ("gpio_pin", 18),
    "gpio-key": ("gpio", 3),
    "gpio-led": ("gpio", 19),
    "pps-gpio": ("gpiopin", 18),
    "dht11": ("gpiopin", 4),
}
"""Overlays through which the kernel holds a pin that nobody else may have then: the parameter that names it,
and which it is without (README of the firmware's overlays)."""
LED_PIN_PARAMETERS = ("act_led_gpio", "pwr_led_gpio")
"""Parameters of the Pi itself that give a pin to one of its LEDs."""


class UsbSerial(NamedTuple):
    """A serial port on USB."""

    path: str
    """`/dev/ttyACM0`."""
    vendor_id: str
    serial_number: str
    """Its serial number."""


_MANUAL_CONFIG_STEPS = {
    "do_i2c 1": "write dtparam=i2c_arm=off into {config}",
    "do_spi 0": "write dtparam=spi=on into {config}",
    "do_spi 1": "write dtparam=spi=off into {config}",
    "do_serial_hw 0": "write enable_uart=1 into {config}",
    "do_serial_hw 1": "write enable_uart=0 into {config}",
    "do_serial_cons 1": "take console=serial0,115200 (or ttyAMA0, ttyS0) out of the kernel's command line",
    "do_onewire 1": "take dtoverlay=w1-gpio out of {config}",
}
"""The same by hand, on a system without that program, as a plain Debian is."""


class Machine:
    """A machine, below `root`."""

    def __init__(
        self, root: Path = Path("/"), *, user: str | None = None, python_path: Sequence[str] | None = None
    ) -> None:
        """`user`: who runs the board; without one the daemon's own user if there is one, else whoever asks.

        `python_path`: where Python looks for libraries.
        """
        self.root = root
        self._python_path = list(sys.path if python_path is None else python_path)
        asked = user or (
            "boardumpire" if "boardumpire" in self._entry_names("etc/passwd") else _current_user_name()
        )
        self.user = asked
        self.model = self.read_text("proc/device-tree/model").rstrip("\0\n")
        """`Raspberry Pi 4 Model B Rev 1.4`; empty where it is no such machine."""

    # Files

    def path(self, name: str) -> Path:
        """A path of that machine, such as `/dev/spidev0.0`, where it lies here."""
        return self.root / name.lstrip("/")

    def read_text(self, name: str) -> str:
        """What a file holds; empty where it can't be read."""
        try:
            return self.path(name).read_text(encoding="utf-8", errors="replace")
        except (OSError, ValueError):
            return ""

    def exists(self, name: str) -> bool:
        """Whether there is such a file, device or folder."""
        try:
            return self.path(name).exists()
        except (OSError, ValueError):
            return False

    def is_group_accessible(self, name: str) -> bool:
        """Whether the group of a device may read and write it."""
        try:
            return self.path(name).stat().st_mode & (stat.S_IRGRP | stat.S_IWGRP) == 0o060
        except OSError:
            return False

    def _entry_names(self, name: str) -> list[str]:
        return [line.partition(":")[0] for line in self.read_text(name).splitlines()]

    # Who

    @property
    def is_root(self) -> bool:
        """Whether the board is run by root."""
        return self.user == "root"

    def user_groups(self) -> set[str]:
        """The groups of whoever runs the board, beside the first one."""
        found = set()
        for line in self.read_text("etc/group").splitlines():
            name, _, rest = line.partition(":")
            if self.user in rest.rpartition(":")[2].split(","):
                found.add(name)
        return found

    # The Pi

    @property
    def is_pi(self) -> bool:
        """Whether it is a Raspberry Pi."""
        return self.model.startswith("Raspberry Pi")

    @property
    def generation(self) -> int:
        """1 to 5 by its chip, as far as pins go: a Zero 2 W has a Pi 3's, other Zeros a Pi 1's."""
        if "Zero 2" in self.model:
            return 3
        found = _MODEL_PATTERN.match(self.model)
        number = int(found[1][0]) if found and found[1] else 1
        return min(number, 5)

    @property
    def is_32_bit(self) -> bool:
        """Whether its system is one of 32 bits."""
        return self.read_text("proc/sys/kernel/arch").strip() in ("armv6l", "armv7l", "armhf")

    @property
    def has_debian_kernel(self) -> bool:
        """Whether its kernel is Debian's own (`6.12.48+deb13-arm64`): the firmware's overlays don't fit its
        device tree. Raspberry Pi OS has others (`6.12.47+rpt-rpi-v8`), Ubuntu, too (`6.8.0-1013-raspi`)."""
        return self.read_text("proc/sys/kernel/osrelease").strip().endswith("-arm64")

    def gpiochips(self) -> dict[str, str]:
        """The label of each chip of pins, by its device: `/dev/gpiochip0`."""
        found = {}
        for chip in self._glob("sys/class/gpio/gpiochip*"):
            label = self.read_text(f"sys/class/gpio/{chip.name}/label").strip()
            for device in self._glob(f"sys/class/gpio/{chip.name}/device/gpiochip*"):
                found[f"/dev/{device.name}"] = label
        return found

    def _glob(self, pattern: str) -> Iterator[Path]:
        try:
            yield from sorted(self.root.glob(pattern))
        except OSError:
            return

    @property
    def config_path(self) -> str:
        """Where the firmware's configuration lies: it moved with Bookworm."""
        old, new = "/boot/config.txt", "/boot/firmware/config.txt"
        return old if self.exists(old) and not self.exists(new) else new

    def raspi_config_hint(self, what: str) -> str:
        """What to type for a setting of `raspi-config nonint`; where that isn't installed, what to write."""
        if self.exists("/usr/bin/raspi-config"):
            reboot = ", then: sudo reboot" if "serial" in what else ""
            return f"sudo raspi-config nonint {what}{reboot}"
        return _MANUAL_CONFIG_STEPS[what].format(config=self.config_path) + ", then: sudo reboot"

    def firmware_lines(self) -> list[str]:
        """What holds for this model of the firmware's configuration, in its order, without comments."""
        lines: list[str] = []
        holds = True
        for raw in self.read_text(self.config_path).splitlines():
            line = raw.partition("#")[0].strip()
            if line.startswith("["):
                holds = self._section_applies(line.strip("[]").lower())
            elif line and holds:
                lines.append(line)
        return lines

    def _section_applies(self, section: str) -> bool:
        if section == "all":
            return True
        names = {f"pi{self.generation}"}
        if "Zero 2" in self.model:
            names = {"pi02"}
        elif "Zero" in self.model:
            names = {"pi0"}
        elif "Compute Module" in self.model:
            names |= {f"cm{self.generation}"}
        elif "400" in self.model or "500" in self.model:
            names |= {f"pi{self.generation}00"}
        elif "3" in self.model and "Plus" in self.model:
            names |= {"pi3+"}
        return section in names

    def dtparam_value(self, *names: str) -> str:
        """What `dtparam=NAME=...` says last, of names that mean the same; empty where none does."""
        said = ""
        for line in self.firmware_lines():
            key, _, rest = line.partition("=")
            for part in rest.split(",") if key.strip() == "dtparam" else ():
                name, _, value = part.partition("=")
                if name.strip() in names:
                    said = value.strip() or "on"
        return said

    def firmware_setting(self, name: str) -> str:
        """What `NAME=...` says last; empty where it is not there."""
        found = [
            line.partition("=")[2].strip() for line in self.firmware_lines() if line.startswith(f"{name}=")
        ]
        return found[-1] if found else ""

    def overlays(self) -> dict[str, list[str]]:
        """The overlays that are loaded at boot, with their parameters."""
        found = {}
        for line in self.firmware_lines():
            if line.startswith("dtoverlay=") and line != "dtoverlay=":
                name, *parameters = line.removeprefix("dtoverlay=").split(",")
                found[name.strip()] = [each.strip() for each in parameters]
        return found

    def kernel_held_pins(self) -> dict[int, str]:
        """The pins that the kernel holds for an overlay or an LED, each with whose it is."""
        asked: list[tuple[str, dict[str, str]]] = [("", {})]
        for line in self.firmware_lines():
            key, _, rest = (part.strip() for part in line.partition("="))
            words = rest.split(",")
            if key == "dtoverlay":
                asked.append((words.pop(0).strip(), {}))
            if key in ("dtoverlay", "dtparam"):  # of the overlay before it, if there is one
                asked[-1][1].update(
                    (each[0].strip(), each[2].strip()) for each in (w.partition("=") for w in words)
                )
        found = {}
        for overlay, given in asked:
            for name in LED_PIN_PARAMETERS:
                if given.get(name, "").isdigit():
                    found[int(given[name])] = name
            if overlay in PIN_HOLDING_OVERLAYS:
                name, usual = PIN_HOLDING_OVERLAYS[overlay]
                told = given.get(name, "")
                found[int(told) if told.isdigit() else usual] = overlay
        return found

    def has_serial_console(self) -> bool:
        """Whether the kernel talks on the serial line of the header."""
        words = (self.read_text("boot/firmware/cmdline.txt") or self.read_text("boot/cmdline.txt")).split()
        return any(word.startswith(("console=serial", "console=ttyAMA", "console=ttyS")) for word in words)

    # What is plugged in, and what listens

    def usb_serials(self) -> list[UsbSerial]:
        """The serial ports on USB."""
        found = []
        for tty in (*self._glob("sys/class/tty/ttyACM*"), *self._glob("sys/class/tty/ttyUSB*")):
            folder = (tty / "device").resolve()
            for _ in range(3):
                if (folder / "idVendor").exists():
                    vendor, number = (_read_word(folder / name) for name in ("idVendor", "serial"))
                    found.append(UsbSerial(f"/dev/{tty.name}", vendor, number))
                    break
                folder = folder.parent
        return found

    def boot_loader_count(self) -> int:
        """How many Picos wait in their boot loader for a program."""
        folders = {path.parent for path in self._glob("sys/bus/usb/devices/*/idVendor")}
        return sum(
            _read_word(folder / "idVendor") == RASPBERRY_PI_VENDOR_ID
            and _read_word(folder / "idProduct") in BOOT_LOADER_PRODUCT_IDS
            for folder in folders
        )

    def is_port_in_use(self, port: int) -> bool:
        """Whether a program listens at a port of TCP."""
        wanted = f":{port:04X}"
        for name in ("proc/net/tcp", "proc/net/tcp6"):
            for line in self.read_text(name).splitlines()[1:]:
                words = line.split()
                if len(words) > 3 and words[1].endswith(wanted) and words[3] == "0A":
                    return True
        return False

    def sound_cards(self) -> list[str]:
        """What the kernel has to play sound on."""
        lines = self.read_text("proc/asound/cards").splitlines()
        return [line.strip() for line in lines if "[" in line and "no soundcards" not in line]

    # Libraries

    def has_library(self, module: str) -> bool:
        """Whether Python would find a module. It is not imported."""
        package, _, inner = module.partition(".")
        found = PathFinder.find_spec(package, self._python_path)
        if found is None or not inner:
            return found is not None
        places = found.submodule_search_locations
        return places is not None and PathFinder.find_spec(inner, list(places)) is not None


def _read_word(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip().lower()
    except OSError:
        return ""


def _current_user_name() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())
