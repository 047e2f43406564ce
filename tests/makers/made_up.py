"""Machines made up as trees of files: what a Raspberry Pi has, and what can be wrong with it."""

from __future__ import annotations

from pathlib import Path

MODELS = {
    "zero": "Raspberry Pi Zero W Rev 1.1",
    "zero2": "Raspberry Pi Zero 2 W Rev 1.0",
    "3": "Raspberry Pi 3 Model B Plus Rev 1.3",
    "4": "Raspberry Pi 4 Model B Rev 1.4",
    "400": "Raspberry Pi 400 Rev 1.0",
    "5": "Raspberry Pi 5 Model B Rev 1.0",
}
_LABELS = {"4": "pinctrl-bcm2711", "400": "pinctrl-bcm2711", "5": "pinctrl-rp1"}
_CORE = {"3": "core_freq=250", "zero2": "core_freq=250", "4": "core_freq_min=500", "400": "core_freq_min=500"}
_MODULES = (
    "lgpio",
    "gpiod",
    "board",
    "neopixel_spi",
    "neopixel",
    "_rpi_ws281x",
    "adafruit_raspberry_pi5_neopixel_write",
    "adafruit_pn532",
    "zeroconf",
)


class MadeUp:
    """A tree below `root` that is a Pi on which all is right, for a board on its header and lamps by SPI."""

    def __init__(self, root: Path, pi: str = "4") -> None:
        self.root = root
        self.python = root / "python"
        self.write("proc/device-tree/model", MODELS[pi] + "\0")
        self.write("proc/sys/kernel/arch", "aarch64\n")
        self.write("proc/sys/kernel/osrelease", "6.12.47+rpt-rpi-v8\n")
        self.write("proc/net/tcp", "  sl  local_address rem_address   st\n")
        self.write("proc/asound/cards", " 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones\n")
        self.write("etc/passwd", "root:x:0:0::/root:/bin/sh\nboardumpire:x:990:990::/:/usr/sbin/nologin\n")
        self.write(
            "etc/group", "".join(f"{name}:x:9:boardumpire\n" for name in ("gpio", "spi", "dialout", "audio"))
        )
        self.firmware = ["dtparam=spi=on", "dtoverlay=spi0-0cs,no_miso", _CORE.get(pi, "")]
        self.write_firmware()
        self.write("boot/firmware/cmdline.txt", "console=tty1 root=PARTUUID=1 rootwait\n")
        self.chip("gpiochip0", _LABELS.get(pi, "pinctrl-bcm2835"))
        self.device("dev/spidev0.0")
        self.write("usr/bin/raspi-config", "")
        for module in _MODULES:
            self.library(module)

    def write(self, name: str, text: str) -> None:
        """A file."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def remove(self, name: str) -> None:
        """No such file, and nothing in such a folder."""
        path = self.root / name
        if path.is_dir() and not path.is_symlink():
            for inner in sorted(path.iterdir()):
                self.remove(str(inner.relative_to(self.root)))
            path.rmdir()
        else:
            path.unlink()

    def write_firmware(self, *more: str, without: str = "?") -> None:
        """The firmware's configuration: what it has, without what begins so, and with more."""
        self.firmware = [*(line for line in self.firmware if not line.startswith(without)), *more]
        self.write("boot/firmware/config.txt", "\n".join(["# as shipped", *self.firmware]) + "\n")

    def device(self, name: str, mode: int = 0o660) -> None:
        """A device; what matters of it here is who may open it."""
        self.write(name, "")
        (self.root / name).chmod(mode)

    def chip(self, name: str, label: str, device: str = "") -> None:
        """A chip of pins, as the kernel shows it."""
        numbered = f"sys/class/gpio/gpiochip{512 + int(name[-1])}"
        self.write(f"{numbered}/label", label + "\n")
        (self.root / numbered / "device" / (device or name)).mkdir(parents=True)
        self.device(f"dev/{device or name}")

    def no_chips(self) -> None:
        self.remove("sys/class/gpio")
        for each in list((self.root / "dev").glob("gpiochip*")):
            each.unlink()

    def out_of(self, group: str) -> None:
        """The board's user is not in a group."""
        text = (self.root / "etc/group").read_text()
        self.write("etc/group", text.replace(f"{group}:x:9:boardumpire", f"{group}:x:9:"))

    def library(self, module: str) -> None:
        self.write(f"python/{module}/__init__.py", "")

    def usb(self, port: str, product: str = "0005", number: str = "e6614103e7", vendor: str = "2e8a") -> None:
        """A serial port on USB."""
        folder = f"sys/devices/usb1/1-{port[-1]}"
        for name, text in (("idVendor", vendor), ("idProduct", product), ("serial", number)):
            self.write(f"{folder}/{name}", text + "\n")
        (self.root / folder / "1-1:1.0").mkdir(parents=True, exist_ok=True)
        tty = self.root / "sys/class/tty" / port
        tty.mkdir(parents=True)
        (tty / "device").symlink_to(self.root / folder / "1-1:1.0")
        bus = self.root / "sys/bus/usb/devices"
        bus.mkdir(parents=True, exist_ok=True)
        (bus / f"1-{port[-1]}").symlink_to(self.root / folder)

    def boot_loader(self, product: str = "0003") -> None:
        """A Pico that waits for a program: it has no serial port."""
        for name, text in (("idVendor", "2e8a"), ("idProduct", product)):
            self.write(f"sys/bus/usb/devices/1-9/{name}", text + "\n")

    def listens(self, port: int) -> None:
        """Another program listens there."""
        self.write(
            "proc/net/tcp",
            f"  sl  local_address rem_address   st\n   0: 00000000:{port:04X} 00000000:0000 0A 0 0 0 0\n",
        )
