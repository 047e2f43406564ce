"""What a board draws from its supply at the limit that its file sets, and what its wires make of that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from boardmake.physics.electrics import FUSE, arrives
from boardware.parts import BoardDescription
from boardware.physics.volts import COPPER_OHM_M
from boardwire.strip import IDLE_MA

PI_MA: Final = 1000
"""A Pi 3, 4 or Zero 2 W with a screen's worth of network traffic and no other load (estimate)."""
PI_MOST_MA: Final = {"Pi 4": 3000, "Pi 5": 5000}
"""What their maker wants a supply to give."""
PI_FUSE_A: Final = 3.15
"""Slow, in the Pi's branch: more than a Pi 4 draws, less than melts the cable of a plug."""
PICO_MA: Final = 60
"""An RP2040 that scans and drives lamps (estimate)."""
READER_MA: Final = 80
"""An MFRC522 whose field is on; one at a time has it on (estimate)."""
PAD_MA: Final = 150
"""A PN532 that reads (estimate)."""
BUZZER_MA: Final = 30
"""An active one of 5 V (estimate)."""
SUPPLIES: Final = (2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""A, at 5 V: what is sold."""
SHARE: Final = 0.8
"""Of what a supply is sold for is used at most (estimate)."""
A_MM2: Final = 6.0
"""A that each mm2 of copper carries in a bundle without getting warm (estimate)."""


class PowerLoad(NamedTuple):
    """One consumer."""

    what: str
    ma: float
    note: str


class SupplyWire(NamedTuple):
    """One chain's supply wire."""

    chain: str
    ma: float
    """At the limit: its share of it, or all its lamps white if that is less."""
    metres: float
    mm2: float
    """Of copper that has the resistance which the file says."""
    least_mm2: float
    """By what the wire carries alone."""
    track_mm: float
    """How wide a track of 35 um copper has to be to carry as much."""
    volts: float
    """That are left where least arrives, if the lamps there draw it all."""


def track_mm(amperes: float) -> float:
    """The width of an outer track of 35 um copper that gets 10 K warmer, by the formula of IPC-2221."""
    square_mils: float = (amperes / (0.048 * 10**0.44)) ** (1 / 0.725)
    return square_mils / (0.035 / 0.0254) * 0.0254


def loads(board: BoardDescription) -> Iterator[PowerLoad]:
    """Everything that hangs on the 5 V supply."""
    lamps = sum(chain.length for chain in board.chains.values())
    if lamps:
        dark = lamps * IDLE_MA
        yield PowerLoad("lamps", board.current_limit_ma, f"current_limit_ma; {dark} mA of it dark")
    yield PowerLoad("Raspberry Pi", PI_MA, "estimate")
    if board.picos:
        yield PowerLoad("Picos", PICO_MA * len(board.picos), f"{len(board.picos)} x {PICO_MA} mA, over USB")
    if board.reader_banks:
        yield PowerLoad("readers", READER_MA, "one field at a time")
    if board.pads:
        yield PowerLoad("pads", PAD_MA * len(board.pads), f"{len(board.pads)} x {PAD_MA} mA")
    fed = sum(board.banks[at.bank].wires.buffered is not None for at in board.contacts)
    feed = board.sensing.part.feed if board.sensing is not None else None
    if fed and feed is not None:
        yield PowerLoad("switches", fed * feed.most_ma, f"{fed} x {feed.most_ma:g} mA at most")
    if board.buzzer:
        yield PowerLoad("buzzer", BUZZER_MA, "estimate")


def supply_a(board: BoardDescription) -> float:
    """The least supply that is sold and has something to spare, in A at 5 V."""
    return _sold(sum(load.ma for load in loads(board)) / 1000 / SHARE)


def supply_with_a(board: BoardDescription, pi_ma: float) -> float:
    """The same with a Pi that is given so much."""
    return _sold((sum(load.ma for load in loads(board)) - PI_MA) / 1000 / SHARE + pi_ma / 1000)


def _sold(needed: float) -> float:
    return next((size for size in SUPPLIES if size >= needed), round(needed + 0.5))


def fuse_a(board: BoardDescription) -> tuple[float, float]:
    """Between which two values the slow fuse of the lamps has to be, in A."""
    low, high = (times * board.current_limit_ma / 1000 for times in FUSE)
    return low, high


def feeds(board: BoardDescription) -> Iterator[SupplyWire]:
    """The supply wire of every chain."""
    for chain in board.chains.values():
        found = arrives(board, chain)
        mm2 = COPPER_OHM_M / chain.wires.ohm_m if chain.wires.ohm_m else 0.0
        carried = found.drawn_ma / 1000 / (2 if chain.wires.feeds == 2 else 1)
        yield SupplyWire(
            chain.id, found.drawn_ma, found.metres, mm2, carried / A_MM2, track_mm(carried), found.far
        )
