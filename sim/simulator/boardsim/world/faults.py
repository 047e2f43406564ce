"""Parts that fail: every single fault that the simulated bench can have, by name.

A fault is a value that reads back from its text, so that scripts, tests and traces can name it:

    reed-open a3          the reed never closes          reed-closed a3      it never opens
    diode-open a3         the reed is never felt         diode-shorted a3    current runs backwards too
    diode-reversed a3     it is never felt, and what stands on it takes others of its column away
    row-cut reeds:0       none of a row's reeds is sensed  column-cut reeds:7  nor of a column's
    lamp-dead lamps:12    this lamp and all behind it in the chain stay dark
    button-open confirm   it is never felt               button-closed confirm   it seems always pressed
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from boardsim.world.copper import SolderedDiode
from boardsim.world.world import World
from boardware.parts import BoardDescription
from boardware.ports import Micros, SlotId

_REEDS = {"reed-open": False, "reed-closed": True}
_DIODES = {
    "diode-open": SolderedDiode.BROKEN,
    "diode-shorted": SolderedDiode.SHORTED,
    "diode-reversed": SolderedDiode.REVERSED,
}
_WIRES = ("row-cut", "column-cut")
_BUTTONS = {"button-open": False, "button-closed": True}
KINDS = (*_REEDS, *_DIODES, *_WIRES, "lamp-dead", *_BUTTONS)


class PartFault(NamedTuple):
    """One part that has failed."""

    kind: str
    """One of `KINDS`."""
    where: str
    """A slot, `BANK:NUMBER` of a row or a column, `CHAIN:NUMBER` of a lamp, or a button."""

    def __str__(self) -> str:
        return f"{self.kind} {self.where}"


def every_fault(board: BoardDescription) -> Iterator[PartFault]:
    """Every single fault that a board can have, in a fixed order."""
    for slot in board.slots_by_contact.values():
        for kind in (*_REEDS, *_DIODES):
            yield PartFault(kind, slot)
    for bank in board.banks.values():
        yield from (PartFault("row-cut", f"{bank.id}:{number}") for number in range(len(bank.rows)))
        yield from (PartFault("column-cut", f"{bank.id}:{number}") for number in range(len(bank.columns)))
    for chain in board.chains.values():
        yield from (PartFault("lamp-dead", f"{chain.id}:{number}") for number in range(chain.length))
    for button in board.buttons:
        yield from (PartFault(kind, button) for kind in _BUTTONS)


def parse(text: str, board: BoardDescription) -> PartFault:
    """The fault that a text names. Raises `ValueError` for one that this board can't have."""
    kind, _, where = text.strip().partition(" ")
    fault = PartFault(kind, where.strip())
    if kind not in KINDS:
        raise ValueError(f"fault {text!r}: no kind {kind!r}; try one of {', '.join(KINDS)}")
    if fault not in every_fault(board):
        raise ValueError(f"fault {text!r}: board {board.id} has no such part as {fault.where!r}")
    return fault


def inject(world: World, fault: PartFault, at: Micros, *, mend: bool = False) -> None:
    """Have a part fail now (for `World.plan`), or mend it."""
    kind, where = fault
    if kind in _REEDS:
        world.stick(SlotId(where), None if mend else _REEDS[kind], at)
    elif kind in _DIODES:
        world.solder(SlotId(where), SolderedDiode.FINE if mend else _DIODES[kind], at)
    elif kind in _BUTTONS:
        world.jam(where, None if mend else _BUTTONS[kind], at)
    else:
        part, number = where.split(":")
        if kind == "lamp-dead":
            length = world.board.chains[part].length
            world.copper.set_alive(part, length if mend else int(number))
        else:
            rows = len(world.board.banks[part].rows)
            world.cut(part, int(number) + (rows if kind == "column-cut" else 0), not mend, at)
