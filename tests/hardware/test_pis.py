"""Each Pi by its revision: which way lamps at GPIO18 take, through Adafruit's real libraries.

The kernel's own files are made up in a mount namespace (`/proc`, `/dev`), and the compiled modules at the
bottom are stand-ins that note what they are told. Nothing of Blinka is replaced. With it the question of the
two modules called RPi.GPIO is settled: it imports neither, whatever the Pi.
"""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

REVISIONS = {
    "Zero W": (0x9000C1, "brcm,bcm2835", "pinctrl-bcm2835"),
    "3 B+": (0xA020D3, "brcm,bcm2837", "pinctrl-bcm2835"),
    "Zero 2 W": (0x902120, "brcm,bcm2837", "pinctrl-bcm2835"),
    "4 B": (0xC03114, "brcm,bcm2711", "pinctrl-bcm2711"),
    "400": (0xC03130, "brcm,bcm2711", "pinctrl-bcm2711"),
    "CM4": (0xB03140, "brcm,bcm2711", "pinctrl-bcm2711"),
    "5 B": (0xC04170, "brcm,bcm2712", "pinctrl-rp1"),
    "CM5": (0xC04180, "brcm,bcm2712", "pinctrl-rp1"),
    "500": (0xD04190, "brcm,bcm2712", "pinctrl-rp1"),
}
"""Codes of raspberrypi.com's list of revisions; the chip; what the kernel calls the header's pins."""
FIVES = ("5 B", "CM5", "500")

GPIOD = """
import os
__version__ = "2.2.2"

class line:
    class Value: INACTIVE, ACTIVE = 0, 1
    class Direction: INPUT, OUTPUT = "in", "out"
    class Bias: DISABLED, PULL_UP, PULL_DOWN = range(3)
    class Drive: PUSH_PULL, OPEN_DRAIN = range(2)

class LineSettings: pass

class Info:
    def __init__(self, label): self.label, self.num_lines = label, 54

class Request:
    def reconfigure_lines(self, lines): pass
    def set_value(self, number, value): pass
    def release(self): pass

class Chip:
    def __init__(self, path): self.label = open(path).read()
    def get_info(self): return Info(self.label)
    def request_lines(self, config, consumer): return Request()
    def close(self): pass
"""
PIO = """
told = []
def neopixel_write(gpio, buffer): told.append((gpio._pin.id, bytes(buffer)))
def free_pio(): pass
"""
WS281X = """
told = []
WS2811_SUCCESS, WS2811_STRIP_RGB, SK6812_STRIP_RGBW = 0, 0, 1
_channels = [dict(), dict()]
_leds = {}
def new_ws2811_t(): return {}
def ws2811_channel_get(strip, number): return _channels[number]
def ws2811_init(strip): return 0
def ws2811_render(strip):
    for channel in _channels:
        if channel.get("count"):
            pixels = [channel.get(at, 0) for at in range(channel["count"])]
            told.append((channel["gpionum"], b"".join(pixel.to_bytes(3, "big") for pixel in pixels)))
    return 0
def ws2811_led_set(channel, at, value): channel[at] = value
def ws2811_fini(strip): pass
def delete_ws2811_t(strip): pass
def ws2811_t_freq_set(strip, value): pass
def ws2811_t_dmanum_set(strip, value): pass
def __getattr__(name):
    key = name.removeprefix("ws2811_channel_t_").rpartition("_")
    if key[2] == "set":
        return lambda channel, value: channel.__setitem__(key[0], value)
    return lambda channel: channel[key[0]]
"""
ASKED = """
import json, sys
from boardware.description import load_board
from boardware.neopixel import open_any
from boardware.ports import Light
lamps = open_any(load_board("quick-battle-8x8"), brightness=100)
lamps.show({"a1": Light("may-go", 0x0F00)}, 0)
lamps.step(0)
name = next(name for name in ("_rpi_ws281x", "adafruit_raspberry_pi5_neopixel_write") if name in sys.modules)
(pin, frame) = sys.modules[name].told[-1]
lit = len(frame.strip(bytes(1)))
print(json.dumps({"by": name, "pin": pin, "bytes": len(frame), "lit": lit, "RPi": "RPi" in sys.modules}))
"""
APART = ["unshare", "--map-root-user", "--mount", "sh", "-c"]


def lacking() -> str:
    if shutil.which("unshare") is None:
        return "unshare is not on this machine"
    made = subprocess.run([*APART, "mount --bind /proc /proc"], capture_output=True)
    return "" if made.returncode == 0 else "no files of the kernel may be made up here"


def library(folder: Path, module: str, name: str, version: str, source: str) -> None:
    """A module at the bottom, as pip would have installed it."""
    (folder / f"{module}.py").write_text(source)
    about = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")


def made_up(folder: Path, revision: int, chip: str, label: str) -> str:
    """The kernel's files of that Pi; the command that puts them in place."""
    proc, dev, python = folder / "proc", folder / "dev", folder / "python"
    (proc / "device-tree" / "system").mkdir(parents=True)
    (proc / "cpuinfo").write_text(f"processor\t: 0\n\nRevision\t: {revision:x}\nSerial\t\t: 1\n")
    (proc / "device-tree" / "compatible").write_bytes(f"raspberrypi,model\0{chip}\0".encode())
    (proc / "device-tree" / "model").write_bytes(b"Raspberry Pi\0")
    (proc / "device-tree" / "system" / "linux,revision").write_bytes(struct.pack(">I", revision))
    dev.mkdir()
    (dev / "gpiochip0").write_text(label)
    (dev / "gpiochip1").write_text("gpio-brcmstb@107d508500")
    for device in ("null", "urandom"):
        (dev / device).touch()
    (dev / "shm").mkdir()
    python.mkdir()
    library(python, "gpiod", "gpiod", "2.2.2", GPIOD)
    library(python, "_rpi_ws281x", "rpi-ws281x", "5.0.0", WS281X)
    library(
        python,
        "adafruit_raspberry_pi5_neopixel_write",
        "Adafruit-Blinka-Raspberry-Pi5-Neopixel",
        "1.0.0rc2",
        PIO,
    )
    (folder / "asked.py").write_text(ASKED)
    # This folder itself may lie in /dev/shm.
    binds = [f"mount --bind /dev/{device} {dev}/{device}" for device in ("null", "urandom", "shm")]
    return " && ".join([*binds, f"mount --rbind {dev} /dev", f"mount --bind {proc} /proc"])


@pytest.mark.few(3)
@pytest.mark.skipif(bool(lacking()), reason=lacking() or "they may be")
@pytest.mark.parametrize("pi", ["4 B", "5 B", "3 B+", *sorted({*REVISIONS} - {"4 B", "5 B", "3 B+"})])
def test_lamps_at_gpio18_go_by_what_the_pi_has_and_need_no_module_rpi(pi: str, tmp_path: Path) -> None:
    """SPI is off, so `neopixel` takes GPIO18: the PIO of a Pi 5, PWM on all others."""
    place = made_up(tmp_path, *REVISIONS[pi])
    environ = {**os.environ, "PYTHONPATH": str(tmp_path / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = f"{place} && exec {sys.executable} {tmp_path}/asked.py"
    ran = subprocess.run([*APART, command], capture_output=True, text=True, env=environ)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout.splitlines()[-1])
    assert told["by"] == ("adafruit_raspberry_pi5_neopixel_write" if pi in FIVES else "_rpi_ws281x")
    assert told["pin"] == 18
    assert told["bytes"] == 3 * 66
    assert told["lit"] > 0
    assert told["RPi"] is False
