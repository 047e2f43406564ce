"""What a board draws from its supply at the limit that its file sets, and what its wires make of that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from boardmake.physics.electrics import FUSE_RANGE_FACTORS, chain_supply
from boardware.parts import BoardDescription
from boardware.physics.volts import COPPER_OHM_PER_M
from boardwire.strip import LAMP_IDLE_MA

PI_MA: Final = 1000
"""A Pi 3, 4 or Zero 2 W with a screen's worth of network traffic and no other load (estimate)."""
PI_SUPPLY_MA: Final = {"Pi 4": 3000, "Pi 5": 5000}
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
SUPPLY_SIZES_A: Final = (2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""A, at 5 V: what is sold."""
SUPPLY_LOAD_SHARE: Final = 0.8
"""Of what a supply is sold for is used at most (estimate)."""
AMPERES_PER_MM2: Final = 6.0
"""A that each mm2 of copper carries in a bundle without getting warm (estimate)."""


class PowerLoad(NamedTuple):
    """One consumer."""

    consumer: str
    current_ma: float
    note: str


class SupplyWire(NamedTuple):
    """One chain's supply wire."""

    chain: str
    current_ma: float
    """At the limit: its share of it, or all its lamps white if that is less."""
    length_m: float
    mm2: float
    """Of copper that has the resistance which the file says."""
    min_mm2: float
    """By what the wire carries alone."""
    track_width_mm: float
    """How wide a track of 35 um copper has to be to carry as much."""
    weakest_lamp_v: float
    """That are left where least arrives, if the lamps there draw it all."""


def track_width_mm(amperes: float) -> float:
    """The width of an outer track of 35 um copper that gets 10 K warmer, by the formula of IPC-2221."""
    square_mils: float = (amperes / (0.048 * 10**0.44)) ** (1 / 0.725)
    return square_mils / (0.035 / 0.0254) * 0.0254


def power_loads(board: BoardDescription) -> Iterator[PowerLoad]:
    """Everything that hangs on the 5 V supply."""
    lamps = sum(chain.length for chain in board.chains.values())
    if lamps:
        dark = lamps * LAMP_IDLE_MA
        yield PowerLoad("lamps", board.current_limit_ma, f"current_limit_ma; {dark} mA of it dark")
    yield PowerLoad("Raspberry Pi", PI_MA, "estimate")
    if board.picos:
        yield PowerLoad("Picos", PICO_MA * len(board.picos), f"{len(board.picos)} x {PICO_MA} mA, over USB")
    if board.reader_banks:
        yield PowerLoad("readers", READER_MA, "one field at a time")
    if board.pads:
        yield PowerLoad("pads", PAD_MA * len(board.pads), f"{len(board.pads)} x {PAD_MA} mA")
    fed = sum(board.banks[at.bank].wires.buffered_wiring is not None for at in board.slots_by_contact)
    feed = board.sensor_design.part.supply if board.sensor_design is not None else None
    if fed and feed is not None:
        yield PowerLoad("switches", fed * feed.current_max_ma, f"{fed} x {feed.current_max_ma:g} mA at most")
    if board.buzzer:
        yield PowerLoad("buzzer", BUZZER_MA, "estimate")


def min_supply_a(board: BoardDescription) -> float:
    """The least supply that is sold and has something to spare, in A at 5 V."""
    return _next_sold_size(sum(load.current_ma for load in power_loads(board)) / 1000 / SUPPLY_LOAD_SHARE)


def supply_with_pi_a(board: BoardDescription, pi_ma: float) -> float:
    """The same with a Pi that is given so much."""
    return _next_sold_size(
        (sum(load.current_ma for load in power_loads(board)) - PI_MA) / 1000 / SUPPLY_LOAD_SHARE
        + pi_ma / 1000
    )


def _next_sold_size(needed: float) -> float:
    return next((size for size in SUPPLY_SIZES_A if size >= needed), round(needed + 0.5))


def fuse_range_a(board: BoardDescription) -> tuple[float, float]:
    """Between which two values the slow fuse of the lamps has to be, in A."""
    low, high = (times * board.current_limit_ma / 1000 for times in FUSE_RANGE_FACTORS)
    return low, high


def supply_wires(board: BoardDescription) -> Iterator[SupplyWire]:
    """The supply wire of every chain."""
    for chain in board.chains.values():
        found = chain_supply(board, chain)
        mm2 = COPPER_OHM_PER_M / chain.wires.wire_ohm_per_m if chain.wires.wire_ohm_per_m else 0.0
        carried = found.drawn_ma / 1000 / (2 if chain.wires.feed_count == 2 else 1)
        yield SupplyWire(
            chain.id,
            found.drawn_ma,
            found.wire_length_m,
            mm2,
            carried / AMPERES_PER_MM2,
            track_width_mm(carried),
            found.worst_v,
        )
