"""`check-config` names what a machine lacks, and what to type: machines made up as trees of files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from boardsim.pico.picos import SimPicos, SimSerialPort
from boardsim.world.world import World
from boardumpire.commands import check_config
from boardumpire.errors import ConfigError
from boardumpire.makers import machine_checks
from boardumpire.makers.machine import Machine
from boardumpire.makers.machine_checks import MachineFinding, examine_machine
from boardumpire.service import config
from boardware.description import load_board
from makers.made_up import MODELS, MadeUp

HEADER = ""
CLASSIC = '[board]\nname = "classic-10x10"\n[game]\nid = "stratego-classic"\n'
PWM = '[drivers]\nlamps = "neopixel-pwm"\n'
PICO_DRIVERS = '[drivers]\nsensors = "pico"\nlamps = "pico-lamps"\nconsole = "pico-console"\n'
PICO = f'[board]\nname = "quick-battle-8x8-pico"\n{PICO_DRIVERS}'
TWO_PICOS = f'[board]\nname = "quick-battle-8x8-two-picos"\n{PICO_DRIVERS}'
VOICE = '[voice]\nprogram = "espeak-ng"\n'
LOW_VOLTAGE = "sys/class/hwmon/hwmon1/in0_lcrit_alarm"
LGPIO = '[sensors]\npins = "lgpio"\n[console]\ntonal = true\n'


def page(listen: str = "0.0.0.0:8080") -> str:
    return f'[page]\nlisten = "{listen}"\n'


def pads(path: str) -> str:
    ports = f'{{ pad-red = "{path}", pad-blue = "{path}" }}'
    return (
        '[board]\nname = "quick-battle-8x8-pads"\n[drivers]\nlamps = "neopixel-spi"\ntags = "pn532"\n'
        f"[tags]\nports = {ports}\n"
    )


def seen(tree: MadeUp, text: str, *, user: str | None = None, running: bool = False) -> list[MachineFinding]:
    """What is found on a machine for that configuration."""
    path = tree.root / "boardumpire.toml"
    path.write_text('format = "boardumpire-config"\nversion = 1\n' + text)
    found = config.load(path, {})
    machine = Machine(tree.root, user=user, python_path=[str(tree.python)])
    return examine_machine(machine, found, load_board(found.board.name), running=running)


@pytest.mark.parametrize("pi", MODELS)
@pytest.mark.parametrize("text", [HEADER, CLASSIC, LGPIO, page(), VOICE], ids=lambda text: text[:12])
def test_a_pi_on_which_all_is_right_has_nothing_to_do(tmp_path: Path, pi: str, text: str) -> None:
    found = seen(MadeUp(tmp_path, pi), text)
    assert [each.text for each in found if each.remedy_command] == []
    assert found[0].text == MODELS[pi]


Change = Callable[[MadeUp], object]


def a(text: str, change: Change, *said: str, pi: str = "4", user: str | None = None) -> object:
    """A case: a configuration, what is wrong with the machine, and what is said of it."""
    return pytest.param(text, change, said, pi, user, id=said[0][:50])


def firmware(*more: str, without: str = "?") -> Change:
    return lambda tree: tree.write_firmware(*more, without=without)


def both(*changes: Change) -> Change:
    def change(tree: MadeUp) -> None:
        for each in changes:
            each(tree)

    return change


WRONG = [
    a(HEADER, lambda t: t.remove("proc/device-tree/model"), "no Raspberry Pi", "boardumpire page"),
    a(HEADER, lambda t: t.write("proc/device-tree/model", "Orange Pi 5\0"), "Orange Pi 5, no Raspberry Pi"),
    a(HEADER, lambda t: t.write("proc/sys/kernel/arch", "armv7l\n"), "a system of 32 bits", "64 bits"),
    a(
        HEADER,
        lambda t: t.remove("python/board"),
        "libraries: adafruit-blinka missing",
        "Debian package boardumpire has them",
    ),
    a(
        HEADER,
        lambda t: t.remove("python/gpiod"),
        "libraries: gpiod missing",
        "Debian package boardumpire has them",
    ),
    a(
        HEADER,
        lambda t: t.remove("python/neopixel_spi"),
        "adafruit-circuitpython-neopixel-spi missing",
        "Debian package boardumpire has them",
    ),
    a(
        PWM,
        both(lambda t: t.remove("python/neopixel"), firmware(without="dtparam=spi")),
        "adafruit-circuitpython-neopixel missing",
        "pip",
        user="root",
    ),
    a(
        PWM,
        both(lambda t: t.remove("python/_rpi_ws281x"), firmware(without="dtparam=spi")),
        "rpi-ws281x missing",
        "in a checkout: .venv/bin/python -m pip install --editable './hardware/drivers[pwm]'",
        user="root",
    ),
    a(
        PWM,
        both(lambda t: t.remove("python/_rpi_ws281x"), firmware("dtparam=audio=off", without="dtparam=spi")),
        "lamps by PWM need root, and boardumpire runs the board",
        'set [drivers] lamps = "neopixel-spi"',
    ),
    a(LGPIO, lambda t: t.remove("python/lgpio"), "libraries: lgpio missing", "apt install python3-lgpio"),
    *(
        a(
            HEADER,
            both(
                lambda t: t.remove("dev/spidev0.0"),
                lambda t, kernel=kernel: t.write("proc/sys/kernel/osrelease", f"{kernel}\n"),
            ),
            "Debian's own kernel has no SPI for lamps",
            "install Raspberry Pi OS, or wire the board to a Pico",
            pi="3",
        )
        for kernel in ("6.1.0-41-arm64", "6.12.57+deb13-arm64")
    ),
    a(HEADER, lambda t: t.no_chips(), "no chip of pins called pinctrl-bcm2711 (there is none)", "apt"),
    a(
        HEADER,
        lambda t: (t.no_chips(), t.chip("gpiochip0", "raspberrypi-exp-gpio")),
        "no chip of pins called pinctrl-bcm2711 (/dev/gpiochip0 is raspberrypi-exp-gpio)",
        "apt",
    ),
    a(
        HEADER,
        lambda t: t.device("dev/gpiochip0", 0o600),
        "/dev/gpiochip0 is closed to the group gpio",
        "udevadm",
    ),
    a(HEADER, lambda t: t.out_of("gpio"), "boardumpire is not in the group gpio", "sudo usermod -aG gpio"),
    a(
        HEADER,
        both(lambda t: t.remove("dev/spidev0.0"), firmware(without="dtparam=spi")),
        "SPI is off: there is no /dev/spidev0.0",
        "raspi-config nonint do_spi 0",
    ),
    a(
        HEADER,
        both(
            both(lambda t: t.remove("dev/spidev0.0"), firmware(without="dtparam=spi")),
            lambda t: t.remove("usr/bin/raspi-config"),
        ),
        "SPI is off: there is no /dev/spidev0.0",
        "write dtparam=spi=on into /boot/firmware/config.txt, then: sudo reboot",
    ),
    a(HEADER, lambda t: t.remove("dev/spidev0.0"), "SPI is turned on, but there is no", "sudo reboot"),
    a(
        HEADER,
        both(lambda t: t.remove("dev/spidev0.0"), firmware("[pi5]", "dtparam=spi=on", without="dtparam=spi")),
        "SPI is off",
        "do_spi 0",
    ),
    a(
        HEADER,
        lambda t: t.device("dev/spidev0.0", 0o640),
        "/dev/spidev0.0 is closed to the group spi",
        "udevadm",
    ),
    a(HEADER, lambda t: t.out_of("spi"), "boardumpire is not in the group spi", "usermod -aG spi"),
    a(
        HEADER,
        firmware(without="dtoverlay=spi0"),
        "SPI keeps GPIO7, GPIO8, GPIO9, where the board has parts",
        "add dtoverlay=spi0-0cs,no_miso to /boot/firmware/config.txt",
    ),
    a(
        HEADER,
        firmware("dtoverlay=spi0-0cs", without="dtoverlay=spi0"),
        "SPI keeps GPIO7, GPIO8, GPIO9",
        "no_miso",
    ),
    a(HEADER, firmware(without="core_freq"), "core_freq_min is not set", "add core_freq_min=500"),
    a(
        HEADER,
        firmware("core_freq_min=250", without="core_freq"),
        "core_freq_min is 250",
        "core_freq_min=500",
    ),
    a(HEADER, firmware(without="core_freq"), "core_freq is not set", "add core_freq=250", pi="3"),
    a(HEADER, firmware(without="core_freq"), "core_freq is not set", "add core_freq=250", pi="zero2"),
    a(
        HEADER,
        lambda t: (t.remove("boot/firmware"), t.write("boot/config.txt", "dtparam=spi=on\ncore_freq=250\n")),
        "SPI keeps GPIO7",
        "to /boot/config.txt",
        pi="3",
    ),
    a(CLASSIC, firmware("dtparam=i2c_arm=on"), "I2C has GPIO2 and GPIO3", "do_i2c 1"),
    a(CLASSIC, firmware("dtparam=i2c=on"), "I2C has GPIO2 and GPIO3", "do_i2c 1"),
    a(CLASSIC, firmware("enable_uart=1"), "the serial port has GPIO14 and GPIO15", "do_serial_hw 1"),
    a(
        HEADER,
        lambda t: t.write("boot/firmware/cmdline.txt", "console=serial0,115200 console=tty1 rootwait\n"),
        "the kernel talks on the serial line, where the board has parts",
        "do_serial_cons 1",
    ),
    a(HEADER, firmware("dtoverlay=w1-gpio"), "1-Wire has GPIO4", "do_onewire 1"),
    a(HEADER, firmware("dtoverlay=w1-gpio,gpiopin=17"), "1-Wire has GPIO17", "do_onewire 1"),
    a(HEADER, firmware("dtoverlay=w1-gpio", "dtparam=gpiopin=22"), "1-Wire has GPIO22", "do_onewire 1"),
    a(HEADER, firmware("dtoverlay=gpio-fan,gpiopin=17,temp=60000"), "gpio-fan has GPIO17", "another pin"),
    a(CLASSIC, firmware("dtoverlay=gpio-shutdown"), "gpio-shutdown has GPIO3, where", "sudo reboot"),
    a(HEADER, firmware("dtparam=act_led_gpio=17"), "act_led_gpio has GPIO17", "in /boot/firmware/config.txt"),
    a(PWM, firmware(without="dtparam=spi"), "lamps by PWM need root, and boardumpire runs", "neopixel-spi"),
    a(
        PWM,
        firmware("dtparam=audio=on", without="dtparam=spi"),
        "analogue sound has the PWM",
        "dtparam=audio=off",
        user="root",
    ),
    a(
        PWM,
        firmware(without="dtparam=spi"),
        "take the PIO of a Pi 5, but there is no /dev/pio0",
        "apt",
        pi="5",
    ),
    a(
        PWM,
        both(lambda t: t.device("dev/pio0", 0o600), firmware(without="dtparam=spi")),
        "/dev/pio0 is closed to the group gpio",
        "udevadm trigger",
        pi="5",
    ),
    a(
        PWM,
        both(
            lambda t: t.device("dev/pio0"),
            lambda t: t.remove("python/adafruit_raspberry_pi5_neopixel_write"),
            firmware(without="dtparam=spi"),
        ),
        "adafruit-blinka-raspberry-pi5-neopixel missing",
        "pip",
        pi="5",
    ),
    a(PWM, firmware(), "SPI has pins where the board has parts", "do_spi 1", user="root"),
    a(PICO, firmware(), "Pico pico: none is plugged in", "lsusb -d 2e8a:"),
    a(PICO, lambda t: t.usb("ttyACM0", vendor="2341"), "Pico pico: none is plugged in", "lsusb"),
    a(
        PICO + '[sensors]\nport = "/dev/ttyACM3"\n',
        lambda t: t.usb("ttyACM0"),
        "Pico pico: there is no /dev/ttyACM3",
        "ls -l /dev/serial/by-id",
    ),
    a(pads("/dev/ttyUSB0"), firmware(), "there is no /dev/ttyUSB0 for the pad", "ls /dev/serial/by-id"),
    a(pads("/dev/serial0"), firmware(), "the serial port is off: there is no /dev/serial0", "do_serial_hw 0"),
    a(
        pads("/dev/ttyUSB0"),
        lambda t: (t.device("dev/ttyUSB0"), t.out_of("dialout")),
        "boardumpire is not in the group dialout",
        "usermod -aG dialout",
    ),
    a(
        pads("/dev/ttyUSB0"),
        lambda t: (t.device("dev/ttyUSB0"), t.remove("python/adafruit_pn532")),
        "adafruit-circuitpython-pn532 missing",
        "Debian package boardumpire has them",
    ),
    a(
        VOICE,
        lambda t: t.write("proc/asound/cards", "--- no soundcards ---\n"),
        "there is no sound card",
        "aplay",
    ),
    a(VOICE, lambda t: t.out_of("audio"), "boardumpire is not in the group audio", "usermod -aG audio"),
    a(page(), lambda t: t.listens(8080), "port 8080 of the page is another program's", "sudo ss -ltnp"),
    a(
        HEADER,
        lambda t: (t.write("sys/class/hwmon/hwmon1/name", "rpi_volt\n"), t.write(LOW_VOLTAGE, "1\n")),
        "the Pi had too little voltage just now",
        "a power supply made for this Pi",
    ),
    a(
        page("192.0.2.7:8080"),
        firmware(),
        "192.0.2.7 of the page is no address of this machine",
        "hostname -I",
    ),
    a(
        page(),
        lambda t: t.write("run/systemd/timesync/unit", ""),
        "the date may be wrong",
        "sudo timedatectl set-time",
    ),
    a(page("0.0.0.0:80"), firmware(), "port 80 of the page is root's alone", "8080"),
    a(
        page(),
        lambda t: t.remove("python/zeroconf"),
        "libraries: zeroconf missing",
        "Debian package boardumpire has them",
    ),
]


@pytest.mark.parametrize(("text", "change", "said", "pi", "user"), WRONG)
def test_what_is_wrong_is_named_with_what_to_type(
    tmp_path: Path, text: str, change: Change, said: tuple[str, ...], pi: str, user: str | None
) -> None:
    tree = MadeUp(tmp_path, pi)
    change(tree)
    found = seen(tree, text, user=user)
    wrong = {each.text: each.as_line() for each in found if each.remedy_command}
    assert any(all(word in line for word in said) for line in wrong.values()), "\n".join(wrong.values())
    assert len(wrong) == 1, "it is the only cause: " + "\n".join(wrong.values())


@pytest.mark.parametrize(
    "lines",
    [
        ("dtoverlay=gpio-fan,gpiopin=0",),
        ("[pi5]", "dtoverlay=w1-gpio"),
        ("dtoverlay=gpio-shutdown,gpio_pin=1",),
        ("dtparam=gpiopin=4",),
        ("dtoverlay=", "dtparam=act_led_gpio="),
        ("dtoverlay=gpio-ir,gpio_pin=18",),
    ],
)
def test_a_pin_that_the_board_does_without_is_nobodys_trouble(tmp_path: Path, lines: tuple[str, ...]) -> None:
    tree = MadeUp(tmp_path)
    tree.write_firmware(*lines)
    assert [each.text for each in seen(tree, HEADER) if each.remedy_command] == []


def test_there_are_enough_of_them() -> None:
    assert len(WRONG) >= 50


@pytest.fixture
def picos(tmp_path: Path) -> Iterator[tuple[MadeUp, SimPicos]]:
    """A made-up Pi whose port ttyACM0 is that of a simulated Pico."""
    simulated = SimPicos(World(load_board("quick-battle-8x8-pico")))
    tree = MadeUp(tmp_path)
    tree.usb("ttyACM0")
    (tmp_path / "dev/ttyACM0").symlink_to(simulated.picos_by_name["pico"].port)
    yield tree, simulated
    simulated.close()


def asked(tree: MadeUp, simulated: SimPicos, text: str) -> list[str]:
    """What is found while the simulated world goes on."""
    path = tree.root / "boardumpire.toml"
    path.write_text('format = "boardumpire-config"\nversion = 1\n' + text)
    found = config.load(path, {})
    machine = Machine(tree.root, python_path=[str(tree.python)])
    board = load_board(found.board.name)

    def opened(path: str) -> SimSerialPort:
        return simulated._open(os.readlink(path))

    return [
        each.as_line()
        for each in examine_machine(machine, found, board, running=False, wait=simulated._wait, opener=opened)
    ]


def test_a_pico_that_answers_is_named_with_its_version(picos: tuple[MadeUp, SimPicos]) -> None:
    (line,) = asked(*picos, PICO)
    assert line.startswith("ok     Pico pico at /dev/ttyACM0: firmware ")
    assert line.split()[-1][0].isdigit()


def test_a_pico_with_older_firmware_is_to_be_flashed(
    picos: tuple[MadeUp, SimPicos], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It works; but this program brings a newer one, here by its version alone."""
    monkeypatch.setattr(machine_checks, "VERSION", "9.0.0")
    (line,) = asked(*picos, PICO)
    assert re.fullmatch(
        r"to do  Pico pico at /dev/ttyACM0: firmware [\d.]+, older than this program's 9\.0\.0:"
        r" boardumpire flash --pico pico",
        line,
    )


def test_a_pico_of_another_board_is_to_be_flashed(picos: tuple[MadeUp, SimPicos]) -> None:
    (line,) = asked(*picos, PICO.replace("8x8-pico", "8x8-readers"))
    assert line.startswith("to do  Pico pico at /dev/ttyACM0: ")
    assert line.endswith(": boardumpire flash --pico pico")


def test_a_pico_that_says_nothing_is_to_be_flashed(picos: tuple[MadeUp, SimPicos]) -> None:
    tree, simulated = picos
    pico = simulated.picos_by_name["pico"]
    pico.to_host.faults = pico.to_host.faults._replace(lose=1.0)
    assert asked(tree, simulated, PICO) == [
        "to do  Pico pico at /dev/ttyACM0 does not answer: boardumpire flash --pico pico"
    ]


@pytest.mark.parametrize("product", ["0003", "000f"])
def test_a_pico_in_its_boot_loader_is_told(tmp_path: Path, product: str) -> None:
    tree = MadeUp(tmp_path)
    tree.boot_loader(product)
    first, second = [each.as_line() for each in seen(tree, PICO)]
    assert "a Pico waits in its boot loader: copy MicroPython's file" in first
    assert "none is plugged in" in second


def test_a_board_in_service_has_its_port_and_its_picos(tmp_path: Path) -> None:
    tree = MadeUp(tmp_path)
    tree.listens(8080)
    assert [each.as_line() for each in seen(tree, PICO + page(), running=True) if each.remedy_command] == []


@pytest.mark.parametrize(
    ("drivers", "said"),
    [
        ('sensors = "neopixel-spi"', "sensors: found 'neopixel-spi', which feels no pieces"),
        ('lamps = "gpio"', "lamps: found 'gpio', which drives no lamps"),
        ('console = "gpio"', "console: found 'gpio', which reads no buttons"),
        ('tags = "gpio"', "tags: found 'gpio', which reads no tags"),
    ],
)
def test_a_driver_of_another_kind_is_refused_in_advance(tmp_path: Path, drivers: str, said: str) -> None:
    path = tmp_path / "boardumpire.toml"
    path.write_text(f'format = "boardumpire-config"\nversion = 1\n[drivers]\n{drivers}\n')
    with pytest.raises(ConfigError, match=said):
        check_config.load_checked_board(config.load(path, {}))


def test_a_page_without_its_libraries_is_refused_in_advance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "segno", None)
    path = tmp_path / "boardumpire.toml"
    path.write_text('format = "boardumpire-config"\nversion = 1\n' + page())
    with pytest.raises(
        ConfigError, match=r"\[page\] listen: libraries of the page are missing \(segno\): the Debian package"
    ):
        check_config.load_checked_board(config.load(path, {}))


@pytest.mark.slow
def test_the_command_tells_both_and_its_exit_code_says_whether_all_is_there(tmp_path: Path) -> None:
    """On whatever machine this runs: a simulated board needs nothing of it, a Pico that is nowhere does."""
    world = tmp_path / "world"
    World.create_file(world, load_board("quick-battle-8x8")).copper.close()
    sections = "".join(f'[{key}]\nworld = "{world}"\n' for key in ("sensors", "lamps", "console"))
    simulated = '[drivers]\nsensors = "gpio-sim"\nlamps = "neopixel-spi-sim"\nconsole = "console-sim"\n'
    path = tmp_path / "boardumpire.toml"
    for text, code, said in (
        (simulated + sections, 0, "right: "),
        (
            PICO + f'[sensors]\nport = "{tmp_path}/none"\n',
            1,
            f"to do  Pico pico: there is no {tmp_path}/none",
        ),
    ):
        path.write_text('format = "boardumpire-config"\nversion = 1\n' + text)
        command = [str(Path(sys.executable).with_name("boardumpire")), "check-config", "--config", str(path)]
        ran = subprocess.run(command, capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (code, "")
        assert said in ran.stdout


@pytest.mark.parametrize(
    ("pi", "change", "user", "said"),
    [
        ("4", lambda t: None, None, "ok     lamps: /dev/spidev0.0"),
        ("4", lambda t: t.remove("dev/spidev0.0"), None, "to do  SPI is turned on, but there is no"),
        ("4", lambda t: t.remove("dev/spidev0.0"), "root", "neopixel, _rpi_ws281x"),
        ("5", lambda t: t.device("dev/pio0"), None, "ok     lamps: /dev/spidev0.0"),
        ("5", lambda t: (t.remove("dev/spidev0.0"), t.device("dev/pio0")), None, "ok     lamps: /dev/pio0"),
        ("5", lambda t: t.remove("dev/spidev0.0"), None, "to do  SPI is turned on, but there is no"),
    ],
)
def test_lamps_are_looked_at_by_the_way_that_will_be_taken(
    tmp_path: Path, pi: str, change: Change, user: str | None, said: str
) -> None:
    tree = MadeUp(tmp_path, pi)
    change(tree)
    assert any(said in each.as_line() for each in seen(tree, '[drivers]\nlamps = "neopixel"\n', user=user))
