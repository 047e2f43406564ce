"""What of a board hangs on this machine: Picos with what they say of themselves, the header, serial lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from boardumpire.makers.machine import RASPBERRY_PI_USB, Machine
from boardumpire.makers.machine_checks import LABELS, SPIDEV
from boardware.parts import BoardDescription
from boardware.pico_greeting import Greeting
from boardware.pico_plan import plans

HEADER_SERIAL = "/dev/serial0"
Greet = Callable[[str], Greeting | None]


class FoundPico(NamedTuple):
    """A Pico that is plugged in, or a port of which the configuration says so."""

    path: str
    number: str = ""
    """The serial number that its USB tells."""
    greeting: Greeting | None = None
    """What it says of itself; `None` if it says nothing that this program understands."""
    why: str = ""
    """Why it could not be asked."""

    def described(self) -> str:
        """For people: where it is and what is on it."""
        where = f"{self.path} (USB {self.number})" if self.number else self.path
        if self.why:
            return f"{where}: {self.why}"
        told = self.greeting
        if told is None:
            return f"{where}: no firmware of ours"
        return f"{where}: firmware {told.version} as {told.pico} of {told.board}"


class SetupFindings(NamedTuple):
    """What was found."""

    model: str = ""
    """Which Raspberry Pi this is; empty if it is none."""
    header: bool = False
    """Whether its pins are there."""
    spi: bool = False
    """Whether SPI is on, which lamps take."""
    picos: tuple[FoundPico, ...] = ()
    boot_loaders: int = 0
    """How many Picos wait in their boot loader for MicroPython."""
    serials: tuple[str, ...] = ()
    """Serial lines on which a pad may hang."""
    boards: Mapping[str, BoardDescription] = {}
    """The boards that can be chosen: by name, or by the path of the owner's file."""

    def placed(self, board: BoardDescription) -> dict[str, FoundPico]:
        """Which of the Picos is which of a board's, as far as they say so: by the id in the board file."""
        found: dict[str, FoundPico] = {}
        for id_, described in board.picos.items():
            for pico in self.picos:
                told = pico.greeting
                may = described.usb in (None, pico.number) or not pico.number
                if may and told is not None and (told.board, told.pico) == (board.id, id_):
                    found.setdefault(id_, pico)
        return found

    def candidates(self, board: BoardDescription, id_: str) -> tuple[FoundPico, ...]:
        """The Picos that may become that one of a board: the one that says it is, else all that are no other
        of it."""
        placed = self.placed(board)
        if id_ in placed:
            return (placed[id_],)
        number = board.picos[id_].usb
        taken = {pico.path for pico in placed.values()}
        free = [pico for pico in self.picos if pico.path not in taken and not pico.why]
        return tuple(pico for pico in free if number in (None, pico.number) or not pico.number)

    def unfit(self, board: BoardDescription) -> tuple[str, ...]:
        """The Picos of a board that are not ready to be used as they are: absent, or to be flashed."""
        placed, wanted = self.placed(board), plans(board)
        return tuple(
            id_
            for id_ in board.picos
            if id_ not in placed or not (told := placed[id_].greeting) or not told.fits(wanted[id_])
        )

    def lacks(self, board: BoardDescription) -> tuple[str, ...]:
        """What a board needs and this machine has not, each as a sentence."""
        found = []
        if any(not self.candidates(board, id_) for id_ in board.picos) or len(self.picos) < len(board.picos):
            count = len(board.picos)
            needs = f"{count} Picos on USB" if count > 1 else "a Pico on USB"
            found.append(f"needs {needs}: {len(self.picos) or 'none'} found")
        if on_header(board):
            if not self.header:
                found.append("needs the pins of a Raspberry Pi: none found")
            elif not self.spi:
                found.append("its lamps need SPI, which is off: sudo raspi-config nonint do_spi 0")
        pads = [pad.id for pad in board.pads.values() if pad.pico is None]
        if len(self.serials) < len(pads):
            found.append(f"needs {len(pads)} serial lines for pads: {len(self.serials) or 'none'} found")
        return tuple(found)


def on_header(board: BoardDescription) -> bool:
    """Whether something of a board hangs on the Pi's own pins."""
    kinds = (board.banks, board.chains, board.buttons)
    return any(part.pico is None for kind in kinds for part in kind.values())


def look(
    machine: Machine, boards: Mapping[str, BoardDescription], greet: Greet, ports: Iterable[str] = ()
) -> SetupFindings:
    """Look at the machine, and greet each Pico, all at once. `ports`: where the owner says that Picos are."""
    usb = {each.path: each for each in machine.usb_serials()}
    paths = [path for path, each in usb.items() if each.vendor == RASPBERRY_PI_USB]
    paths = list(dict.fromkeys((*ports, *paths)))
    with ThreadPoolExecutor(max(1, len(paths))) as pool:
        picos = tuple(
            pool.map(
                lambda path: _greeted(machine, greet, path, usb[path].number if path in usb else ""), paths
            )
        )
    label = LABELS.get(machine.generation, "pinctrl-bcm2835")
    others = [path for path, each in usb.items() if each.vendor != RASPBERRY_PI_USB]
    if machine.there(HEADER_SERIAL):
        others.append(HEADER_SERIAL)
    return SetupFindings(
        machine.model,
        machine.is_pi and label in machine.gpiochips().values(),
        machine.there(SPIDEV),
        picos,
        machine.boot_loaders(),
        tuple(others),
        boards,
    )


def _greeted(machine: Machine, greet: Greet, path: str, number: str) -> FoundPico:
    try:
        return FoundPico(path, number, greet(str(machine.path(path))))
    except OSError as error:
        return FoundPico(path, number, why=f"can't be opened ({error.strerror or error})")
