"""What of a board hangs on this machine: Picos with what they say of themselves, the header, serial lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from boardumpire.makers.machine import RASPBERRY_PI_VENDOR_ID, Machine
from boardumpire.makers.machine_checks import SPI_DEVICE
from boardware.header import CHIP_LABELS
from boardware.parts import BoardDescription
from boardware.pico_greeting import PicoGreeting
from boardware.pico_plan import plans_by_pico

HEADER_SERIAL_PATH = "/dev/serial0"
GreetPico = Callable[[str], PicoGreeting | None]


class FoundPico(NamedTuple):
    """A Pico that is plugged in, or a port of which the configuration says so."""

    path: str
    usb_serial_number: str = ""
    """The serial number that its USB tells."""
    greeting: PicoGreeting | None = None
    """What it says of itself; `None` if it says nothing that this program understands."""
    failure: str = ""
    """Why it could not be asked."""

    def description(self) -> str:
        """For people: where it is and what is on it."""
        where = f"{self.path} (USB {self.usb_serial_number})" if self.usb_serial_number else self.path
        if self.failure:
            return f"{where}: {self.failure}"
        told = self.greeting
        if told is None:
            return f"{where}: no firmware of ours"
        return f"{where}: firmware {told.version} as {told.pico} of {told.board}"


class SetupFindings(NamedTuple):
    """What was found."""

    model: str = ""
    """Which Raspberry Pi this is; empty if it is none."""
    has_header: bool = False
    """Whether its pins are there."""
    has_spi: bool = False
    """Whether SPI is on, which lamps take."""
    spi_remedy: str = ""
    """What turns it on, on this system."""
    picos: tuple[FoundPico, ...] = ()
    boot_loader_count: int = 0
    """How many Picos wait in their boot loader for MicroPython."""
    serial_paths: tuple[str, ...] = ()
    """Serial lines on which a pad may hang."""
    boards: Mapping[str, BoardDescription] = {}
    """The boards that can be chosen: by name, or by the path of the owner's file."""
    hosts: tuple[str, ...] = ()
    """Addresses of tables in this network that wait for a further board."""

    def identified_picos(self, board: BoardDescription) -> dict[str, FoundPico]:
        """Which of the Picos is which of a board's, as far as they say so: by the id in the board file."""
        found: dict[str, FoundPico] = {}
        for id_, described in board.picos.items():
            for pico in self.picos:
                told = pico.greeting
                may = (
                    described.usb_serial_number in (None, pico.usb_serial_number)
                    or not pico.usb_serial_number
                )
                if may and told is not None and (told.board, told.pico) == (board.id, id_):
                    found.setdefault(id_, pico)
        return found

    def candidates(self, board: BoardDescription, id_: str) -> tuple[FoundPico, ...]:
        """The Picos that may become that one of a board: the one that says it is, else all that are no other
        of it."""
        placed = self.identified_picos(board)
        if id_ in placed:
            return (placed[id_],)
        number = board.picos[id_].usb_serial_number
        taken = {pico.path for pico in placed.values()}
        free = [pico for pico in self.picos if pico.path not in taken and not pico.failure]
        return tuple(
            pico for pico in free if number in (None, pico.usb_serial_number) or not pico.usb_serial_number
        )

    def unready_picos(self, board: BoardDescription) -> tuple[str, ...]:
        """The Picos of a board that are not ready to be used as they are: absent, or to be flashed."""
        placed, wanted = self.identified_picos(board), plans_by_pico(board)
        return tuple(
            id_
            for id_ in board.picos
            if id_ not in placed or not (told := placed[id_].greeting) or not told.is_up_to_date(wanted[id_])
        )

    def missing_parts(self, board: BoardDescription) -> tuple[str, ...]:
        """What a board needs and this machine has not, each as a sentence."""
        found = []
        if any(not self.candidates(board, id_) for id_ in board.picos) or len(self.picos) < len(board.picos):
            count = len(board.picos)
            needs = f"{count} Picos on USB" if count > 1 else "a Pico on USB"
            found.append(f"needs {needs}: {len(self.picos) or 'none'} found")
        if uses_header(board):
            if not self.has_header:
                found.append("needs the pins of a Raspberry Pi: none found")
            elif not self.has_spi:
                found.append(f"its lamps need SPI, which is off: {self.spi_remedy}")
        pads = [pad.id for pad in board.pads.values() if pad.pico is None]
        if len(self.serial_paths) < len(pads):
            found.append(f"needs {len(pads)} serial lines for pads: {len(self.serial_paths) or 'none'} found")
        return tuple(found)


def uses_header(board: BoardDescription) -> bool:
    """Whether something of a board hangs on the Pi's own pins."""
    kinds = (board.banks, board.chains, board.buttons)
    return any(part.pico is None for kind in kinds for part in kind.values())


def find_hardware(
    machine: Machine,
    boards: Mapping[str, BoardDescription],
    greet: GreetPico,
    ports: Iterable[str] = (),
    hosts: Iterable[str] = (),
) -> SetupFindings:
    """Look at the machine, and greet each Pico, all at once. `ports`: where the owner says that Picos are;
    `hosts` as in `SetupFindings`."""
    usb = {each.path: each for each in machine.usb_serials()}
    paths = [path for path, each in usb.items() if each.vendor_id == RASPBERRY_PI_VENDOR_ID]
    paths = list(dict.fromkeys((*ports, *paths)))
    with ThreadPoolExecutor(max(1, len(paths))) as pool:
        picos = tuple(
            pool.map(
                lambda path: _greet_pico(
                    machine, greet, path, usb[path].serial_number if path in usb else ""
                ),
                paths,
            )
        )
    label = CHIP_LABELS[machine.generation]
    others = [path for path, each in usb.items() if each.vendor_id != RASPBERRY_PI_VENDOR_ID]
    if machine.exists(HEADER_SERIAL_PATH):
        others.append(HEADER_SERIAL_PATH)
    return SetupFindings(
        machine.model,
        machine.is_pi and label in machine.gpiochips().values(),
        machine.exists(SPI_DEVICE),
        machine.raspi_config_hint("do_spi 0"),
        picos,
        machine.boot_loader_count(),
        tuple(others),
        boards,
        tuple(hosts),
    )


def _greet_pico(machine: Machine, greet: GreetPico, path: str, number: str) -> FoundPico:
    try:
        return FoundPico(path, number, greet(str(machine.path(path))))
    except OSError as error:
        return FoundPico(path, number, failure=f"can't be opened ({error.strerror or error})")
