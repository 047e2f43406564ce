"""A board without names: every contact and every lamp by where its wires end.

Where a space has several slots its lamp doesn't say which is meant: words do (`called`).
The makers' tools open the real drivers over it. So they feel contacts that the board file gives no space,
light lamps that it gives no name, and are not misled by what it says is where.
"""

from __future__ import annotations

from dataclasses import replace

from boardware.header import HEADER_PIN_BY_GPIO
from boardware.parts import BoardDescription, BoardPoint, LampAt, MatrixBank, SensorAt, Slot, SpacePlace
from boardware.pico_pins import EDGE_PIN_BY_GPIO as PICO_PHYSICAL
from boardware.ports import SlotId

ContactId = str
"""`BANK:ROW,COLUMN`, counted from 0."""
LampNumber = str
"""`CHAIN:INDEX`, counted from 0."""


def contact_id(at: SensorAt) -> ContactId:
    """What a contact is called here."""
    return f"{at.bank}:{at.row},{at.column}"


def lamp_number(at: LampAt) -> LampNumber:
    """What a lamp is called here."""
    return f"{at.chain}:{at.index}"


def space_of(slot: str) -> str:
    """The space of a slot."""
    return slot.partition("/")[0]


def ring_number(board: BoardDescription, slot: SlotId) -> int:
    """Which ring of its space a slot is, from 1; 0 where the space has one slot: its lamp says it all."""
    slots = [each.id for each in board.spaces[space_of(slot)].slots]
    return 0 if len(slots) == 1 else slots.index(slot) + 1


def ring_name(board: BoardDescription, slot: SlotId) -> str:
    """Where a slot lies in its space, in words: `the left ring`, `ring 5 of 9`; nothing if it is alone."""
    space = board.spaces[space_of(slot)]
    if len(space.slots) == 1:
        return ""
    sides = [_direction_words(space.position, each.position) for each in space.slots]
    number = ring_number(board, slot)
    if len(set(sides)) == len(sides):
        return f"the {sides[number - 1]} ring"
    rows = sorted(space.slots, key=lambda each: (round(each.position.y), each.position.x))
    place = [each.id for each in rows].index(slot) + 1
    return f"ring {place} of {len(rows)}, counted from left to right, the row nearest to you first"


def _direction_words(middle: BoardPoint, at: BoardPoint) -> str:
    """Where something lies as the first seat sees it."""
    dx, dy = at.x - middle.x, at.y - middle.y
    most = max(abs(dx), abs(dy)) / 3
    deep = "" if abs(dy) <= most else "far" if dy > 0 else "near"
    wide = "" if abs(dx) <= most else "right" if dx > 0 else "left"
    return " ".join(word for word in (deep, wide) if word) or "middle"


def slot_name(board: BoardDescription, slot: SlotId) -> str:
    """A slot as a maker is told it: `a3`, `kiel (the left ring)`."""
    where = ring_name(board, slot)
    return f"{space_of(slot)} ({where})" if where else slot


def all_contacts(board: BoardDescription) -> dict[ContactId, SensorAt]:
    """Every contact that the banks of a board can have, row by row."""
    found = (
        SensorAt(bank.id, row, column)
        for bank in board.banks.values()
        for row in range(len(bank.rows))
        for column in range(len(bank.columns))
    )
    return {contact_id(at): at for at in found}


def all_lamps(board: BoardDescription) -> dict[LampNumber, LampAt]:
    """Every lamp of every chain, in the order that data reaches them."""
    found = (LampAt(chain.id, index) for chain in board.chains.values() for index in range(chain.length))
    return {lamp_number(at): at for at in found}


def bare_board(board: BoardDescription) -> BoardDescription:
    """The same pins and chains; each contact is a slot and each lamp has its number as its name."""
    spaces = {}
    for name, at in all_contacts(board).items():
        place = BoardPoint(0.0, 0.0)
        known = board.slots.get(board.slots_by_contact[at]) if at in board.slots_by_contact else None
        slot = Slot(
            SlotId(name), place, at, known.reader if known else None
        )  # a Pico knows which contact a reader reads
        outline = next(iter(board.spaces.values())).outline
        spaces[name] = SpacePlace(name, name, place, outline, (slot,))
    return replace(board, spaces=spaces, lamps=all_lamps(board), named_lamps={})


def pin_description(board: BoardDescription, gpio: int, pico: str | None) -> str:
    """A pin as a maker looks for it: `GPIO 27 (header pin 13)`."""
    if pico is None:
        return f"GPIO {gpio} (header pin {HEADER_PIN_BY_GPIO[gpio]})"
    return f"GP{gpio} (pin {PICO_PHYSICAL[gpio]} of Pico {pico})"


def row_wire_description(board: BoardDescription, bank: MatrixBank, row: int) -> str:
    """A row as a maker looks for it: `row 2 of reeds, at GPIO 27 (header pin 13)`."""
    return f"row {row} of {bank.id}, at {pin_description(board, bank.rows[row], bank.pico)}"


def column_wire_description(board: BoardDescription, bank: MatrixBank, column: int) -> str:
    """A column as a maker looks for it."""
    return f"column {column} of {bank.id}, at {pin_description(board, bank.columns[column], bank.pico)}"
