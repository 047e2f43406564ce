"""Whether the wires of a board carry what they have to: its matrices and its chains of lamps, by `volts`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from math import dist
from typing import NamedTuple

from boardmake.physics import buffers
from boardware.parts import BoardDescription, LampChain, MatrixBank
from boardware.physics import volts
from boardware.physics.verdict import Grade, ModelVerdict
from boardware.physics.volts import CHIPS, DIODES, USUAL_TOLERANCE, WORST_TOLERANCE, MatrixCircuit
from boardwire.strip import LAMP_IDLE_MA, WHITE_MA

FUSE_RANGE_FACTORS = (1.25, 1.5)
"""Times what lamps may draw: more than the one, so that it holds, and at most the other (estimate)."""


def matrix_circuit(board: BoardDescription, bank: MatrixBank) -> MatrixCircuit:
    """The wires of a bank, as its board file has them."""
    chip = "pi" if bank.pico is None else board.picos[bank.pico].chip
    wires = bank.wires
    return MatrixCircuit(
        CHIPS[chip],
        DIODES[wires.diode_name] if bank.has_diodes else None,
        len(bank.rows),
        len(bank.columns),
        wires.row_ohm,
        wires.pull_down_ohm,
        wires.cable_pf,
    )


def verdicts(board: BoardDescription) -> Iterator[ModelVerdict]:
    """Of each bank what a row carries and how long it settles; of each chain its data and its supply."""
    for bank in board.banks.values():
        yield from buffers.verdicts(board, bank)
        if bank.wires.buffered_wiring is not None:
            continue
        where, wires = f"banks.{bank.id}", matrix_circuit(board, bank)
        if wires.can_latch():
            yield ModelVerdict(Grade.REFUSED, where, _latched_text(wires))
        yield ModelVerdict(*_row_load_verdict(where, wires, full_row_count(board, bank)))
        yield ModelVerdict(*_settling_verdict(where, wires, bank.settle_us))
        if not bank.has_diodes and _has_rectangle(board, bank):
            text = "without diodes three pieces on the corners of a rectangle feign a fourth"
            yield ModelVerdict(Grade.DOUBT, where, f"{text}; try diodes = true")
    for chain in board.chains.values():
        yield ModelVerdict(*_data_verdict(f"chains.{chain.id}", chain))
        yield ModelVerdict(*_supply_verdict(f"chains.{chain.id}", board, chain))
    if board.chains:
        yield ModelVerdict(Grade.FINE, "current_limit_ma", _fuse_text(board))


def _has_rectangle(board: BoardDescription, bank: MatrixBank) -> bool:
    """Whether two of its rows have contacts at the same two columns."""
    rows: dict[int, set[int]] = {}
    for at in board.slots_by_contact:
        if at.bank == bank.id:
            rows.setdefault(at.row, set()).add(at.column)
    return any(len(one & other) > 1 for one, other in combinations(rows.values(), 2))


def full_row_count(board: BoardDescription, bank: MatrixBank) -> int:
    """How many contacts of one row may be closed at once."""
    rows = Counter(at.row for at in board.slots_by_contact if at.bank == bank.id)
    return max(rows.values(), default=0)


def _latched_text(wires: MatrixCircuit) -> str:
    most = wires.chip.latch_max_ohm or 0
    has = "none" if wires.pull_down_ohm is None else f"{wires.pull_down_ohm:g} Ohm"
    return (
        f"a column of the {wires.chip.name} that was high stays at {volts.LATCHED_V} V; "
        f"pull_down_ohm: found {has}, expected at most {most:g}"
    )


def _row_load_verdict(where: str, wires: MatrixCircuit, full: int) -> tuple[Grade, str, str]:
    usual, worst = wires.pieces_felt_max(USUAL_TOLERANCE), wires.pieces_felt_max(WORST_TOLERANCE)
    least = wires.column_v(full, WORST_TOLERANCE)
    parts = (
        f"{wires.row_ohm:g} Ohm a row, {wires.diode.name if wires.diode else 'no diodes'},"
        f" {_pull_down_text(wires)}"
    )
    if worst >= full:
        return (
            Grade.FINE,
            where,
            f"a full row is {count_with_noun(full, 'piece')}; {parts} carry {piece_count_text(worst)}"
            f" ({least:.2f} V at least, {wires.chip.high_min_v} V needed)",
        )
    grade = Grade.DOUBT if usual >= full else Grade.REFUSED
    volts_ = wires.column_v(full, USUAL_TOLERANCE if grade is Grade.REFUSED else WORST_TOLERANCE)
    carried = f"{piece_count_text(usual)} with usual parts, {worst} with the worst"
    return (
        grade,
        where,
        f"a full row is {count_with_noun(full, 'piece')}; {parts} carry {carried}:"
        f" {volts_:.2f} V arrive, {wires.chip.high_min_v - volts_:.2f} V are missing;"
        f" {_row_advice(wires, full)}",
    )


def _row_advice(wires: MatrixCircuit, full: int) -> str:
    most = wires.row_ohm_max(full)
    if most >= 10:
        return f"try row_ohm of at most {most // 10 * 10:.0f}"
    if wires.pull_down_ohm is not None and wires.chip.latch_max_ohm is None:
        return "try a larger pull_down_ohm, or none"
    return "try Schottky diodes, or fewer pieces a row"


def _settling_verdict(where: str, wires: MatrixCircuit, settle: int) -> tuple[Grade, str, str]:
    worst, usual = wires.settle_us(WORST_TOLERANCE), wires.settle_us(USUAL_TOLERANCE)
    ohm = wires.column_pull_down_ohm(wires.chip.pull_ohm[2])
    charge = f"{wires.column_capacitance_pf(WORST_TOLERANCE):.0f} pF, {_format_kohm(ohm)}"
    needs = f"a row settles in {usual:.0f} us, {worst:.0f} us with the worst parts ({charge})"
    if settle >= worst:
        return Grade.FINE, where, f"{needs}; settle_us = {settle}"
    grade = Grade.DOUBT if settle >= usual else Grade.REFUSED
    short = (usual if grade is Grade.REFUSED else worst) - settle
    return (
        grade,
        where,
        f"{needs}; settle_us = {settle} is {short:.0f} us too short: pieces of the row before show as ghosts;"
        f" try at least {worst + 0.5:.0f}, or a smaller pull_down_ohm",
    )


def _data_verdict(where: str, chain: LampChain) -> tuple[Grade, str, str]:
    wires = chain.wires
    wanted = volts.DATA_HIGH_MIN_SHARE * wires.supply_v
    short = volts.data_shortfall_v(wires.supply_v, shifter=wires.has_level_shifter)
    gets = (
        f"{wires.supply_v:g} V behind a level shifter"
        if wires.has_level_shifter
        else f"{volts.UNSHIFTED_DATA_V} V"
    )
    needs = f"data is {gets}; lamps at {wires.supply_v:g} V need {wanted:.2f} V"
    if short <= 1e-9:
        return Grade.FINE, where, needs
    return (
        Grade.REFUSED,
        where,
        f"{needs}: {short:.2f} V are missing; try a level shifter, or a supply of at most"
        f" {volts.UNSHIFTED_DATA_V / volts.DATA_HIGH_MIN_SHARE:.1f} V",
    )


class ChainSupply(NamedTuple):
    """What comes of a chain's supply at the place where least arrives."""

    drawn_ma: float
    """What the whole chain draws: its share of the limit, or all its lamps white if that is less."""
    wire_length_m: float
    even_v: float
    """V if that is spread evenly, behind fuse and feed cable."""
    worst_v: float
    """V if the lamps there draw all of it and the supply is as low as it may be."""


def chain_supply(board: BoardDescription, chain: LampChain) -> ChainSupply:
    """What comes of the supply of a chain at most drawn on."""
    wires, both = chain.wires, chain.wires.feed_count == 2
    every = sum(each.length for each in board.chains.values())
    white = chain.length * (LAMP_IDLE_MA + WHITE_MA)
    drawn = min(board.current_limit_ma * chain.length / every, white)
    metres = chain_length_m(board, chain) if wires.wire_m is None else wires.wire_m
    even = volts.even_load_sag_v(drawn / 1000, metres, wires.wire_ohm_per_m, both_ends=both)
    far = volts.far_load_sag_v(drawn / 1000, metres, wires.wire_ohm_per_m, drawn / white, both_ends=both)
    fed = wires.supply_v - volts.FUSE_DROP_V - board.current_limit_ma / 1000 * volts.FEED_WIRE_OHM
    low = volts.SUPPLY_TOLERANCE_SHARE * wires.supply_v
    return ChainSupply(drawn, metres, fed - even, fed - low - far)


def _supply_verdict(where: str, board: BoardDescription, chain: LampChain) -> tuple[Grade, str, str]:
    drawn, metres, even, far = chain_supply(board, chain)
    both = chain.wires.feed_count == 2
    fed = "both ends" if both else "one end"
    low = f"{100 * volts.SUPPLY_TOLERANCE_SHARE:.0f} %"
    told = (
        f"{drawn:.0f} mA over {metres:.1f} m of {chain.wires.wire_ohm_per_m:g} Ohm/m, fed at {fed}, leave"
        f" {even:.2f} V at the weakest lamp, {far:.2f} V if all is drawn there and the supply is {low} low"
    )
    advice = "try thicker wire" if both else "try feeds = 2, or thicker wire"
    if far >= volts.LAMP_SUPPLY_RATED_V:
        return Grade.FINE, where, f"{told}; {volts.LAMP_SUPPLY_RATED_V} V needed"
    if far >= volts.LAMP_SUPPLY_MIN_V:
        missing = volts.LAMP_SUPPLY_RATED_V - far
        return Grade.DOUBT, where, f"{told}: {missing:.2f} V are missing, blue fades; {advice}"
    missing = volts.LAMP_SUPPLY_MIN_V - far
    return Grade.REFUSED, where, f"{told}: {missing:.2f} V are missing for lamps to work; {advice}"


def _fuse_text(board: BoardDescription) -> str:
    dark = sum(chain.length for chain in board.chains.values()) * LAMP_IDLE_MA
    least, most = (times * board.current_limit_ma / 1000 for times in FUSE_RANGE_FACTORS)
    return (
        f"lamps draw {dark} mA dark and {board.current_limit_ma} mA at most;"
        f" use a fuse of {least:.2g} to {most:.2g} A"
    )


def chain_length_m(board: BoardDescription, chain: LampChain) -> float:
    """How far a wire goes from the first lamp of a chain to the last, from middle to middle, in m.

    Lamps that have no place of their own are passed over.
    """
    at = {}
    for lamp, place in board.lamps.items():
        if place.chain == chain.id:
            if lamp in board.named_lamps:
                at[place.index] = board.named_lamps[lamp]
            elif lamp in board.spaces:
                at[place.index] = board.spaces[lamp].position
    way = [at[index] for index in sorted(at)]
    return sum(dist(one, other) for one, other in pairwise(way)) / 1000


def piece_count_text(pieces: int) -> str:
    """How many pieces a row carries, as people are told."""
    return f"{pieces}" if pieces < volts.ROW_CONTACTS_MAX else f"{pieces} or more"


def _pull_down_text(wires: MatrixCircuit) -> str:
    own = f"pull-downs of {wires.chip.pull_ohm[0] / 1000:g} to {wires.chip.pull_ohm[2] / 1000:g} kOhm"
    return own if wires.pull_down_ohm is None else f"{own} beside {_format_kohm(wires.pull_down_ohm)}"


def _format_kohm(ohm: float) -> str:
    return f"{ohm / 1000:.3g} kOhm"


def count_with_noun(number: int, what: str) -> str:
    """A number with the name of what is counted, in its plural but for one."""
    return f"{number} {what}{'' if number == 1 else 's'}"
