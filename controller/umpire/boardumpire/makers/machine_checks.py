"""Whether a machine has what a configuration wants: each part of it, and what to type where it has not.

Only what the configuration uses is looked at. Nothing is changed, and no pin is touched; a Pico is greeted,
as the board would do, where nobody else speaks to it.
"""

from __future__ import annotations

import errno
import ipaddress
import socket
from collections.abc import Callable, Iterator
from typing import NamedTuple

from boardumpire.makers.machine import RASPBERRY_PI_VENDOR_ID, Machine
from boardumpire.makers.power import under_voltage
from boardumpire.service.clock import is_date_known
from boardumpire.service.config import Config, parse_listen_address
from boardware import pico
from boardware.errors import SettingError, install_hint
from boardware.header import CHIP_LABELS, MOSI_GPIO, PULLED_UP_GPIOS, SCLK_GPIO
from boardware.parts import BoardDescription
from boardware.pico import PicoHub
from boardware.pico_cable import Opener
from boardware.pico_greeting import version_parts
from boardware.pico_port import open_serial
from boardware.ports import MS, Micros
from boardwire.station import VERSION

PICO_ANSWER_TIMEOUT_US: Micros = 3000 * MS
"""How long a Pico has to answer: one that was just plugged in needs two seconds."""
HEADER_DRIVERS = ("gpio", "console-gpio")
SPI_LAMP_DRIVER, PWM_LAMP_DRIVER, ANY_LAMP_DRIVER, PAD_TAG_DRIVER = (
    "neopixel-spi",
    "neopixel-pwm",
    "neopixel",
    "pn532",
)
PICO_DRIVERS = ("pico", "pico-lamps", "pico-console", "pico-tags")
UART_PINS = (14, 15)
SPI_DEVICE, PIO_DEVICE = "/dev/spidev0.0", "/dev/pio0"

_DISTRIBUTION_BY_MODULE = {
    "lgpio": "lgpio",
    "board": "adafruit-blinka",
    "gpiod": "gpiod",
    "neopixel_spi": "adafruit-circuitpython-neopixel-spi",
    "neopixel": "adafruit-circuitpython-neopixel",
    "_rpi_ws281x": "rpi-ws281x",
    "adafruit_raspberry_pi5_neopixel_write": "adafruit-blinka-raspberry-pi5-neopixel",
    "adafruit_pn532": "adafruit-circuitpython-pn532",
    "zeroconf": "zeroconf",
}
"""A module, and the distribution that brings it."""
_EXTRA_BY_MODULE = {"_rpi_ws281x": "pwm", "adafruit_raspberry_pi5_neopixel_write": "pwm", "zeroconf": "mdns"}
"""The extra that brings a module, for those that `pi` does not."""


class MachineFinding(NamedTuple):
    """One thing that was looked at."""

    text: str
    remedy_command: str = ""
    """What to type where it is not right; empty where it is."""

    def as_line(self) -> str:
        """As people read it."""
        return f"to do  {self.text}: {self.remedy_command}" if self.remedy_command else f"ok     {self.text}"


def examine_machine(
    machine: Machine,
    config: Config,
    board: BoardDescription,
    *,
    running: bool,
    wait: pico.WaitFunction = pico.wait_until,
    opener: Opener = open_serial,
) -> list[MachineFinding]:
    """All that was looked at. `running`: the board is in service here, and has its port and Picos.

    `wait` and `opener` are for Picos, as in `boardware.pico`.
    """
    return [
        finding
        for _, finding in examine_machine_parts(
            machine, config, board, running=running, wait=wait, opener=opener
        )
    ]


def examine_machine_parts(
    machine: Machine,
    config: Config,
    board: BoardDescription,
    *,
    running: bool,
    wait: pico.WaitFunction = pico.wait_until,
    opener: Opener = open_serial,
) -> list[tuple[str, MachineFinding]]:
    """As `examine_machine`, each behind the part that it is about.

    Parts are `system`, `libraries`, `pins`, `lamps`, `Picos`, `pads`, `sound` and `page`.
    """
    return list(_MachineExamination(machine, config, board, running, wait, opener).findings_by_part())


class _MachineExamination:
    def __init__(
        self,
        machine: Machine,
        config: Config,
        board: BoardDescription,
        running: bool,
        wait: pico.WaitFunction,
        opener: Opener,
    ) -> None:
        self.machine, self.config, self.board, self.running = machine, config, board, running
        self.wait, self.opener = wait, opener
        drivers = config.drivers
        self.used_drivers = {
            drivers.sensors,
            self._lamp_driver(),
            drivers.console,
            *([drivers.tags] if drivers.tags else []),
        }
        self.pins = self._header_pins()
        self.config_reboot_hint = f"to {machine.config_path}, then: sudo reboot"

    def findings_by_part(self) -> Iterator[tuple[str, MachineFinding]]:
        parts: list[tuple[str, Callable[[], Iterator[MachineFinding]]]] = []
        if self.used_drivers & {*HEADER_DRIVERS, SPI_LAMP_DRIVER, PWM_LAMP_DRIVER}:
            parts.append(("system", self._check_pi))
        parts.append(("libraries", self._check_libraries))
        on_pi, has_spi = self.machine.is_pi, not self._lacks_spi_overlays()
        if self.used_drivers & set(HEADER_DRIVERS) and on_pi:
            parts += [("pins", self._check_gpio_chip), ("pins", self._check_taken_pins)]
        if SPI_LAMP_DRIVER in self.used_drivers and on_pi and has_spi:
            parts += [("lamps", self._check_spi), ("lamps", self._check_core_clock)]
        if PWM_LAMP_DRIVER in self.used_drivers and on_pi:
            parts.append(("lamps", self._check_pwm))
        if self.used_drivers & set(PICO_DRIVERS):
            parts.append(("Picos", self._check_picos))
        if PAD_TAG_DRIVER in self.used_drivers:
            parts.append(("pads", self._check_pads))
        if self.config.voice.program:
            parts.append(("sound", self._check_sound))
        if self.config.page.listen:
            parts += [("page", self._check_page_port), ("page", self._check_date)]
        for name, part in parts:
            for finding in part():
                yield name, finding

    def _lamp_driver(self) -> str:
        """The driver of the lamps; of `neopixel` the way that it will take, or should."""
        named = self.config.drivers.lamps
        if named != ANY_LAMP_DRIVER:
            return named
        ways = {way for chain in self.board.chains.values() for way in chain.drive_methods}
        machine = self.machine
        other = machine.has_library(self._lamp_backend_module()) and (
            machine.exists(PIO_DEVICE) if machine.generation == 5 else machine.is_root
        )
        return (
            SPI_LAMP_DRIVER
            if "spi" in ways and (machine.exists(SPI_DEVICE) or not other)
            else PWM_LAMP_DRIVER
        )

    def _lamp_backend_module(self) -> str:
        """The module that sends lamps their frames at GPIO18."""
        return "adafruit_raspberry_pi5_neopixel_write" if self.machine.generation == 5 else "_rpi_ws281x"

    def _header_pins(self) -> set[int]:
        """The pins of the header that the board's matrix and console use."""
        pins: set[int] = set()
        if self.config.drivers.sensors == "gpio":
            for bank in self.board.banks.values():
                pins |= {*bank.rows, *bank.columns} if bank.pico is None else set()
        if self.config.drivers.console == "console-gpio":
            pins |= {button.gpio for button in self.board.buttons.values() if button.pico is None}
            buzzer = self.board.buzzer
            pins |= {buzzer.gpio} if buzzer is not None and buzzer.pico is None else set()
        return pins

    # The Pi itself

    def _check_pi(self) -> Iterator[MachineFinding]:
        machine = self.machine
        if not machine.is_pi:
            found = f"{machine.model}, " if machine.model else ""
            yield MachineFinding(
                f"{found}no Raspberry Pi, so there is no header",
                "run it on a Pi, wire the board to a Pico, or play on a simulated one: boardumpire page",
            )
            return
        yield MachineFinding(machine.model)
        if under_voltage(machine.path("/sys/class/hwmon")):
            yield MachineFinding(
                "the Pi had too little voltage just now",
                "use a power supply made for this Pi, and a short thick cable",
            )
        if self._lacks_spi_overlays():
            yield MachineFinding(
                "Debian's own kernel has no SPI for lamps",
                "install Raspberry Pi OS, or wire the board to a Pico",
            )
        if machine.is_32_bit:
            yield MachineFinding(
                "a system of 32 bits: not all libraries are made for it",
                "install Raspberry Pi OS of 64 bits (every Pi from 3 on, and the Zero 2 W)",
            )

    def _lacks_spi_overlays(self) -> bool:
        """Whether the board needs what the device tree of Debian's own kernel has no overlay for."""
        machine = self.machine
        return (
            SPI_LAMP_DRIVER in self.used_drivers
            and machine.has_debian_kernel
            and not machine.exists(SPI_DEVICE)
        )

    def _check_libraries(self) -> Iterator[MachineFinding]:
        machine, config = self.machine, self.config
        wanted: list[str] = []
        for key, driver in (("sensors", "gpio"), ("console", "console-gpio")):
            if getattr(config.drivers, key) == driver:
                section = getattr(config, key)
                wanted.append(section.get("pins", "lgpio" if section.get("tonal") else "gpiod"))
        if SPI_LAMP_DRIVER in self.used_drivers:
            wanted += ["board", "gpiod", "neopixel_spi"]
        if PWM_LAMP_DRIVER in self.used_drivers:
            wanted += ["board", "gpiod", "neopixel"]
            # Elsewhere it is of no use without root, which `_check_pwm` tells.
            if machine.is_root or machine.generation == 5:
                wanted.append(self._lamp_backend_module())
        if PAD_TAG_DRIVER in self.used_drivers:
            wanted.append("adafruit_pn532")
        if self._is_page_reachable() and config.page.mdns:
            wanted.append("zeroconf")
        wanted = list(dict.fromkeys(wanted))
        lacking = [module for module in wanted if not machine.has_library(module)]
        missing = [_DISTRIBUTION_BY_MODULE[module] for module in lacking]
        if missing:
            yield MachineFinding(f"libraries: {', '.join(missing)} missing", self._library_remedy(lacking))
        elif wanted:
            yield MachineFinding(f"libraries: {', '.join(wanted)}")

    def _library_remedy(self, modules: list[str]) -> str:
        if modules == ["lgpio"]:
            return "sudo apt install python3-lgpio (Raspberry Pi OS has it), or take tonal out of [console]"
        return install_hint(*dict.fromkeys(_EXTRA_BY_MODULE.get(module, "pi") for module in modules))

    # The pins

    def _check_gpio_chip(self) -> Iterator[MachineFinding]:
        machine = self.machine
        wanted = CHIP_LABELS[machine.generation]
        chips = machine.gpiochips()
        device = next((device for device, label in chips.items() if label == wanted), "")
        if not device:
            listed = ", ".join(f"{device} is {label}" for device, label in chips.items()) or "there is none"
            yield MachineFinding(
                f"no chip of pins called {wanted} ({listed})", "sudo apt full-upgrade, then: sudo reboot"
            )
            return
        yield from self._check_device_access(device, "gpio", f"pins: {device} is {wanted}")

    def _check_device_access(self, device: str, group: str, what: str) -> Iterator[MachineFinding]:
        """Whether whoever runs the board may open a device."""
        machine = self.machine
        if not machine.is_root and not machine.is_group_accessible(device):
            yield MachineFinding(
                f"{device} is closed to the group {group}",
                "install the udev rules of Boardumpire (docs/build/install.md), then: sudo udevadm trigger",
            )
        elif not machine.is_root and group not in machine.user_groups():
            yield MachineFinding(
                f"{machine.user} is not in the group {group}, which {device} wants",
                f"sudo usermod -aG {group} {machine.user}",
            )
        else:
            yield MachineFinding(what)

    def _check_taken_pins(self) -> Iterator[MachineFinding]:
        machine = self.machine
        if self.pins & set(PULLED_UP_GPIOS) and machine.dtparam_value("i2c_arm", "i2c") == "on":
            yield MachineFinding(
                "I2C has GPIO2 and GPIO3, where the board has reeds",
                self.machine.raspi_config_hint("do_i2c 1"),
            )
        if self.pins & set(UART_PINS):
            if machine.has_serial_console():
                yield MachineFinding(
                    "the kernel talks on the serial line, where the board has parts (GPIO14, GPIO15)",
                    self.machine.raspi_config_hint("do_serial_cons 1"),
                )
            if machine.firmware_setting("enable_uart") == "1":
                yield MachineFinding(
                    "the serial port has GPIO14 and GPIO15, where the board has parts",
                    self.machine.raspi_config_hint("do_serial_hw 1"),
                )
        for pin, whose in sorted(machine.kernel_held_pins().items()):
            if pin not in self.pins:
                continue
            if whose == "w1-gpio":
                text, do = "1-Wire", self.machine.raspi_config_hint("do_onewire 1")
            else:
                text, do = whose, f"give {whose} another pin in {machine.config_path}, then: sudo reboot"
            yield MachineFinding(f"{text} has GPIO{pin}, where the board has parts", do)
        if (
            machine.dtparam_value("spi") == "on"
            and SPI_LAMP_DRIVER not in self.used_drivers
            and self.pins & {7, 8, 9, MOSI_GPIO, SCLK_GPIO}
        ):
            yield MachineFinding(
                "SPI has pins where the board has parts", self.machine.raspi_config_hint("do_spi 1")
            )

    # Lamps

    def _check_spi(self) -> Iterator[MachineFinding]:
        machine = self.machine
        claims = {
            pin
            for chain in self.board.chains.values()
            if "spi" in chain.drive_methods
            for pin in chain.claimed_gpios
        }
        if not machine.exists(SPI_DEVICE):
            if machine.dtparam_value("spi") == "on":
                yield MachineFinding(f"SPI is turned on, but there is no {SPI_DEVICE} yet", "sudo reboot")
            else:
                yield MachineFinding(
                    f"SPI is off: there is no {SPI_DEVICE}", self.machine.raspi_config_hint("do_spi 0")
                )
        else:
            yield from self._check_device_access(SPI_DEVICE, "spi", f"lamps: {SPI_DEVICE}")
        freed = {7, 8, 9} - claims
        overlay = machine.overlays().get("spi0-0cs")
        if freed & self.pins and (overlay is None or (9 in freed & self.pins and "no_miso" not in overlay)):
            listed = ", ".join(f"GPIO{pin}" for pin in sorted(freed & self.pins))
            yield MachineFinding(
                f"SPI keeps {listed}, where the board has parts",
                f"add dtoverlay=spi0-0cs,no_miso {self.config_reboot_hint}",
            )

    def _check_core_clock(self) -> Iterator[MachineFinding]:
        """The clock that SPI follows: where it changes under load, colours go wrong."""
        machine = self.machine
        name, value = {3: ("core_freq", "250"), 4: ("core_freq_min", "500")}.get(machine.generation, ("", ""))
        if not name:
            return
        if machine.firmware_setting(name) != value:
            found = machine.firmware_setting(name) or "not set"
            yield MachineFinding(
                f"the core clock may change, and colours with it: {name} is {found}",
                f"add {name}={value} {self.config_reboot_hint}",
            )
        else:
            yield MachineFinding(f"core clock: {name}={value}")

    def _check_pwm(self) -> Iterator[MachineFinding]:
        machine = self.machine
        if machine.generation == 5:
            if machine.exists(PIO_DEVICE):
                yield from self._check_device_access(PIO_DEVICE, "gpio", f"lamps: {PIO_DEVICE}")
            else:
                yield MachineFinding(
                    f"lamps at GPIO18 take the PIO of a Pi 5, but there is no {PIO_DEVICE}",
                    "sudo apt full-upgrade, then: sudo rpi-eeprom-update -a, then: sudo reboot",
                )
            return
        if not machine.is_root:
            yield MachineFinding(
                f"lamps by PWM need root, and {machine.user} runs the board",
                'set [drivers] lamps = "neopixel-spi"',
            )
        if machine.dtparam_value("audio") == "on":
            yield MachineFinding(
                "analogue sound has the PWM that the lamps want",
                f"change dtparam=audio=on to dtparam=audio=off in {machine.config_path}, then: sudo reboot",
            )

    # What is plugged in

    def _check_picos(self) -> Iterator[MachineFinding]:
        machine, board = self.machine, self.board
        try:
            paths = pico.configured_ports(
                board, self.config.sensors if self.config.drivers.sensors == "pico" else {}
            )
        except SettingError:
            return  # the configuration was refused already
        plugged = [each for each in machine.usb_serials() if each.vendor_id == RASPBERRY_PI_VENDOR_ID]
        for _ in range(machine.boot_loader_count()):
            yield MachineFinding(
                "a Pico waits in its boot loader",
                "copy MicroPython's file onto its drive (docs/build/pico.md), then: boardumpire flash",
            )
        if "dialout" not in machine.user_groups() and not machine.is_root:
            yield MachineFinding(
                f"{machine.user} is not in the group dialout, which a Pico's port wants",
                f"sudo usermod -aG dialout {machine.user}",
            )
        if self.running:
            yield MachineFinding("Picos: the board is in service and speaks to them", "")
            return
        missing = False
        for id_, described in board.picos.items():
            own = [each.path for each in plugged if described.usb_serial_number in (None, each.serial_number)]
            if id_ in paths:
                if not machine.exists(paths[id_]):
                    missing = True
                    yield MachineFinding(
                        f"Pico {id_}: there is no {paths[id_]}",
                        "plug it in, or see which port it has: ls -l /dev/serial/by-id",
                    )
            elif not own:
                missing = True
                yield MachineFinding(f"Pico {id_}: none is plugged in", "plug it in, and see: lsusb -d 2e8a:")
        if not missing:
            yield from self._check_pico_answers(paths)

    def _check_pico_answers(self, paths: dict[str, str]) -> Iterator[MachineFinding]:
        """What the Picos say who they are."""
        machine = self.machine
        hub = PicoHub(self.board, lambda path: self.opener(str(machine.path(path))))
        free = [each.path for each in machine.usb_serials() if each.vendor_id == RASPBERRY_PI_VENDOR_ID]
        named = dict(paths)
        for id_ in self.board.picos:
            if id_ not in named and free:
                number = self.board.picos[id_].usb_serial_number
                own = [
                    e.path for e in machine.usb_serials() if number is not None and e.serial_number == number
                ]
                left = [path for path in free if path not in named.values()]
                named[id_] = (own or left or free)[0]
        hub.set_port_paths(named)
        hub.user_count = 1
        try:
            hub.wait_until_reported(self.wait, PICO_ANSWER_TIMEOUT_US)
            for cable in hub.cables:
                at = f"Pico {cable.plan.pico} at {named[cable.plan.pico]}"
                if cable.is_reporting and version_parts(cable.link.version) < version_parts(VERSION):
                    old = f"{at}: firmware {cable.link.version}, older than this program's {VERSION}"
                    yield MachineFinding(old, f"boardumpire flash --pico {cable.plan.pico}")
                elif cable.is_reporting:
                    yield MachineFinding(f"{at}: firmware {cable.link.version}")
                elif cable.refusal_reason:
                    yield MachineFinding(
                        f"{at}: {cable.refusal_reason}", f"boardumpire flash --pico {cable.plan.pico}"
                    )
                elif cable.open_failure:
                    yield MachineFinding(
                        f"{at} can't be opened: {cable.open_failure}",
                        "end the program that has it: sudo fuser -v " + named[cable.plan.pico],
                    )
                else:
                    yield MachineFinding(
                        f"{at} does not answer", f"boardumpire flash --pico {cable.plan.pico}"
                    )
        finally:
            hub.release_user()

    def _check_pads(self) -> Iterator[MachineFinding]:
        machine, settings = self.machine, self.config.tags
        ports = settings.get("ports", {})
        own = (
            [settings["port"]]
            if "port" in settings
            else list(ports.values())
            if isinstance(ports, dict)
            else []
        )
        for path in own:
            on_header = str(path).startswith(("/dev/serial0", "/dev/ttyAMA", "/dev/ttyS"))
            if on_header and machine.has_serial_console():
                yield MachineFinding(
                    f"the kernel talks on the serial line of the pad at {path}",
                    self.machine.raspi_config_hint("do_serial_cons 1"),
                )
            if machine.exists(str(path)):
                yield from self._check_device_access(str(path), "dialout", f"pad: {path}")
            elif on_header:
                yield MachineFinding(
                    f"the serial port is off: there is no {path} for the pad",
                    self.machine.raspi_config_hint("do_serial_hw 0"),
                )
            else:
                yield MachineFinding(
                    f"there is no {path} for the pad", "plug it in, and see: ls /dev/serial/by-id"
                )

    # Sound and page

    def _check_sound(self) -> Iterator[MachineFinding]:
        machine = self.machine
        cards = machine.sound_cards()
        if not cards:
            yield MachineFinding(
                "nothing plays sound: there is no sound card", "plug one in, and see: aplay -l"
            )
        elif not machine.is_root and "audio" not in machine.user_groups():
            yield MachineFinding(
                f"{machine.user} is not in the group audio", f"sudo usermod -aG audio {machine.user}"
            )
        else:
            yield MachineFinding(f"sound: {cards[0]}")

    def _is_page_reachable(self) -> bool:
        where = parse_listen_address(self.config.page.listen) if self.config.page.listen else None
        return where is not None and not ipaddress.ip_address(where[0]).is_loopback

    def _check_page_port(self) -> Iterator[MachineFinding]:
        where = parse_listen_address(self.config.page.listen)
        assert where is not None, "the configuration was read"
        port = where[1]
        if not self.running and port and self.machine.is_port_in_use(port):
            yield MachineFinding(
                f"port {port} of the page is another program's", f"see which: sudo ss -ltnp sport = :{port}"
            )
        elif 0 < port < 1024 and not self.machine.is_root:
            yield MachineFinding(
                f"port {port} of the page is root's alone", "take one from 1024 on, such as 8080"
            )
        elif not self.running and not _is_own_address(where[0]):
            yield MachineFinding(
                f"{where[0]} of the page is no address of this machine", "see which it has: hostname -I"
            )
        else:
            yield MachineFinding(f"page: port {port}")

    def _check_date(self) -> Iterator[MachineFinding]:
        if not is_date_known(self.machine.root):
            yield MachineFinding(
                "the date may be wrong: no network has told it since the machine was switched on",
                "bring it into a network, or: sudo timedatectl set-time '2026-12-24 20:00'",
            )


def _is_own_address(address: str) -> bool:
    """Whether a page can be served at an address here."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as tried:
            tried.bind((address, 0))
    except OSError as error:
        return error.errno != errno.EADDRNOTAVAIL
    return True
