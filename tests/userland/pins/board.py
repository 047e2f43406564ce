"""A board on the header of a virtual machine: pieces out here close switches in there."""

from __future__ import annotations

import base64
import contextlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from boardsim.pins.pixels import decode_spi
from boardsim.world.copper import RGB
from daemon.pico_service import PicoService
from userland import guide
from userland.board import FarBoard, FarLine
from userland.machine import BOOT_S, Machine
from userland.pins.module import DEVICE, DRIVER, FILE, NAME, PI_4, Pi, parameters
from userland.play import SEATS, Guests

DRIVERS = {"sensors": "gpio", "lamps": "neopixel-spi", "console": "console-gpio"}
SPI_HZ = 6_400_000
"""What neopixel_spi asks for; the bus of the module has no speed of its own."""


INSTRUCTION_NS = 8
INSTRUCTIONS = ("-accel", "tcg,thread=single", "-icount", "shift=3,sleep=on", "-cpu", "Nehalem")
"""An emulated processor whose clock counts instructions, 8 ns each, and goes on in idleness."""
LEFT_OUT = ("systemd-udev-trigger.service", "room-pico.service")
"""No other hardware is looked for."""
FELT_S = 0.2
"""How long the machine lives on, by its own clock, before hands do the next thing."""


class HeaderMachine(Machine):
    """A machine that starts no more than the tests ask for, and whose clock is its own.

    A busy host slows it down, and it doesn't notice: spans in there are counts of instructions.
    """

    def __init__(self, folder: Path, image: Path, brought: Sequence[Path] = ()) -> None:
        super().__init__(folder, image, brought)
        self.accelerator = INSTRUCTIONS

    def _hurry(self) -> str:
        masked = " ".join(f"systemd.mask={unit}" for unit in LEFT_OUT)
        return f"{super()._hurry()} fsck.mode=skip systemd.unit=room-agent.service {masked}"


class Scans(NamedTuple):
    """What the chip counted: how many, how long each took and how far apart they began, in microseconds."""

    count: int
    mean: float
    least: float
    most: float
    period: float
    period_least: float
    period_most: float


class HeaderBoard(FarBoard):
    """A board on the header of a machine, and its daemon in there. Its contacts don't bounce."""

    def __init__(self, directory: Path, machine: Machine, board: str = "quick-battle-8x8") -> None:
        super().__init__(directory, machine, board)
        self.world.bounce = None
        # While a command runs no other can be given: contacts wait for its end.
        machine.meanwhile = self._goes_on
        self._wired = self._torn = False
        self._told = ""

    def _goes_on(self) -> None:
        PicoService.advance(self)

    def advance(self) -> None:
        """Let the world come to the present, and the machine's header with it."""
        self._goes_on()
        if self._wired and (closed := self._closed()) != self._told:
            self._told = closed
            self.machine.run(f"echo {closed} > {DEVICE}/closed; sleep {FELT_S}")

    def until(self, done: Callable[[], bool], wake_at: int | None = None) -> None:
        """Let time pass until `done()`; however slow the machine is."""
        deadline = self.now + round(BOOT_S * 1e6)
        while True:
            self.advance()
            if done():
                return
            assert self.now < deadline, f"waited in vain; told so far: {self.messages[-5:]}"
            times = (self.world.next_edge(), wake_at, self.now + self.look_us)
            self._hear(min(at for at in times if at is not None))

    def _closed(self) -> str:
        """The contacts that are closed, as the module wants them."""
        copper, (bank,) = self.world.copper, self.board.banks.values()
        found = [
            at.row * len(bank.columns) + at.column
            for at, slot in self.board.contacts.items()
            if copper.closed(slot)
        ]
        first = len(bank.rows) * len(bank.columns)
        found += [first + place for place, name in enumerate(self.board.buttons) if copper.down(name)]
        return ",".join(str(each) for each in sorted(found)) or "''"

    def wire(self, pi: Pi = PI_4) -> None:
        """The module goes in: the machine is a Pi from now on, and this board hangs on it."""
        self.machine.run(f"insmod /root/{FILE} {parameters(self.board, pi)} && udevadm settle")
        self._wired, self._told = True, "''"
        self.advance()

    def unwire(self) -> None:
        """The module goes out, if it is in. A kernel that lost pins in use keeps it."""
        if self._wired:
            self._wired = False
            self.machine.run(f"rmmod {NAME} && udevadm settle", right=not self._torn)

    def tear_out(self) -> None:
        """The chip is gone, whoever has its pins. To be the last thing that befalls a machine."""
        self._torn = True
        self.machine.run(f"echo {DEVICE.rpartition('/')[2]} > {DRIVER}/unbind")

    def configure(self, **settings: object) -> None:
        """Write the configuration of a board on the header, without a page; and settings of its pins.

        `scan_ms` is of reeds alone.
        """
        changed = {"board": {"name": self.board.id}, "drivers": DRIVERS, "page": {"listen": ""}}
        told = guide.edited(self.machine.run(f"cat {guide.CONFIG}").told, changed)
        for section in ("sensors", "console"):
            lines = "".join(
                f"{name} = {value}\n"
                for name, value in settings.items()
                if section == "sensors" or name != "scan_ms"
            )
            told = re.sub(rf"^\[{section}\]\n(?:\w+ = .*\n)*", f"[{section}]\n{lines}", told, flags=re.M)
        self.machine.run(f"cat > {guide.CONFIG} <<'END'\n{told}END")

    def until_waits_for(self, said: str) -> None:
        """Wait until the daemon says that it waits for something, and for what."""
        deadline = self.now + round(BOOT_S * 1e6)
        while said not in (found := " ".join(self._waits_for())):
            assert self.now < deadline, f"it waits for {found!r}"
            self.machine.run("sleep 0.5")

    def _waits_for(self) -> list[str]:
        """What it says that it waits for; nothing while it doesn't answer."""
        with contextlib.suppress(OSError), FarLine(self.machine.control) as line:
            line.send({"do": "status"})
            while not (answers := line.read() if line.waits() else []):
                self.advance()
                if line.over():
                    return []
            return list(answers[0].get("waits_for", []))
        return []

    def scans(self, *, afresh: bool = False) -> Scans:
        """What the chip counted of scans; it counts afresh if it is to."""
        count, *spans = self.machine.run(f"cat {DEVICE}/scans").told.split()
        if afresh:
            self.machine.run(f"echo > {DEVICE}/scans")
        return Scans(int(count), *(int(each) / 1000 for each in spans))

    def fights(self) -> int:
        """How often contacts joined a line that was driven low to one that was driven high."""
        return int(self.machine.run(f"cat {DEVICE}/fights").told)

    def lamps(self) -> list[RGB]:
        """What the lamps show: the last bytes on the SPI bus, read as lamps read them."""
        (chain,) = self.board.chains.values()
        sent = base64.b64decode(self.machine.run(f"base64 {DEVICE}/frame").told)
        return decode_spi(sent, SPI_HZ, chain)

    def put_in(self) -> None:
        """No Pico hangs on it."""

    def pull_out(self) -> None:
        """No Pico hangs on it."""

    def close(self) -> None:
        """Leave nothing behind but the machine."""
        PicoService.close(self)


class Sliders(Guests):
    """Players who say their armies on the control socket, and by turns lift pieces and push them."""

    def __init__(self, board: HeaderBoard, seed: int) -> None:
        super().__init__(board, seed)
        self.slides = 0
        self.lifts = 0

    def set_up(self) -> None:
        """Each seat stands its pieces, and says its army."""
        self.stand_armies()
        for seat in SEATS:
            self.attempt = self.army(seat)
            assert self.service.ask("say", seat=seat, text=str(self.attempt))["ok"]
            self.wait()
        self.mend()

    def move(self, origin: str, target: str) -> None:
        """A slide, or a lift and a placing."""
        if self.slides < self.lifts:
            self.service.do(self.service.hands.slide, [origin, target])
            self.slides += 1
        else:
            super().move(origin, target)
            self.lifts += 1
