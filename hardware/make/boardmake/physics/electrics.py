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
from boardware.physics.volts import CHIPS, DIODES, USUAL, WORST, MatrixCircuit
from boardwire.strip import IDLE_MA, WHITE_MA

FUSE = (1.25, 1.5)
"""Times what lamps may draw: more than the one, so that it holds, and at most the other (estimate)."""


def matrix(board: BoardDescription, bank: MatrixBank) -> MatrixCircuit:
    """The wires of a bank, as its board file has them."""
    chip = "pi" if bank.pico is None else board.picos[bank.pico].chip
    wires = bank.wires
    return MatrixCircuit(
        CHIPS[chip],
        DIODES[wires.diode] if bank.diodes else None,
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
        if bank.wires.buffered is not None:
            continue
        where, wires = f"banks.{bank.id}", matrix(board, bank)
        if wires.latches():
            yield ModelVerdict(Grade.REFUSED, where, _latched(wires))
        yield ModelVerdict(*_carries(where, wires, full_row(board, bank)))
        yield ModelVerdict(*_settles(where, wires, bank.settle_us))
        if not bank.diodes and _rectangle(board, bank):
            text = "without diodes three pieces on the corners of a rectangle feign a fourth"
            yield ModelVerdict(Grade.DOUBT, where, f"{text}; try diodes = true")
    for chain in board.chains.values():
        yield ModelVerdict(*_data(f"chains.{chain.id}", chain))
        yield ModelVerdict(*_supply(f"chains.{chain.id}", board, chain))
    if board.chains:
        yield ModelVerdict(Grade.FINE, "current_limit_ma", _fuse(board))


def _rectangle(board: BoardDescription, bank: MatrixBank) -> bool:
    """Whether two of its rows have contacts at the same two columns."""
    rows: dict[int, set[int]] = {}
    for at in board.contacts:
        if at.bank == bank.id:
            rows.setdefault(at.row, set()).add(at.column)
    return any(len(one & other) > 1 for one, other in combinations(rows.values(), 2))


def full_row(board: BoardDescription, bank: MatrixBank) -> int:
    """How many contacts of one row may be closed at once."""
    rows = Counter(at.row for at in board.contacts if at.bank == bank.id)
    return max(rows.values(), default=0)


def _latched(wires: MatrixCircuit) -> str:
    most = wires.chip.latch or 0
    has = "none" if wires.added_ohm is None else f"{wires.added_ohm:g} Ohm"
    return (
        f"a column of the {wires.chip.name} that was high stays at {volts.LATCHED} V; "
        f"pull_down_ohm: found {has}, expected at most {most:g}"
    )


def _carries(where: str, wires: MatrixCircuit, full: int) -> tuple[Grade, str, str]:
    usual, worst = wires.carries(USUAL), wires.carries(WORST)
    least = wires.column(full, WORST)
    parts = f"{wires.row_ohm:g} Ohm a row, {wires.diode.name if wires.diode else 'no diodes'}, {_pull(wires)}"
    if worst >= full:
        return (
            Grade.FINE,
            where,
            f"a full row is {counted(full, 'piece')}; {parts} carry {felt(worst)}"
            f" ({least:.2f} V at least, {wires.chip.high} V needed)",
        )
    grade = Grade.DOUBT if usual >= full else Grade.REFUSED
    volts_ = wires.column(full, USUAL if grade is Grade.REFUSED else WORST)
    carried = f"{felt(usual)} with usual parts, {worst} with the worst"
    return (
        grade,
        where,
        f"a full row is {counted(full, 'piece')}; {parts} carry {carried}:"
        f" {volts_:.2f} V arrive, {wires.chip.high - volts_:.2f} V are missing; {_instead(wires, full)}",
    )


def _instead(wires: MatrixCircuit, full: int) -> str:
    most = wires.most_row_ohm(full)
    if most >= 10:
        return f"try row_ohm of at most {most // 10 * 10:.0f}"
    if wires.added_ohm is not None and wires.chip.latch is None:
        return "try a larger pull_down_ohm, or none"
    return "try Schottky diodes, or fewer pieces a row"


def _settles(where: str, wires: MatrixCircuit, settle: int) -> tuple[Grade, str, str]:
    worst, usual = wires.settle_us(WORST), wires.settle_us(USUAL)
    ohm = wires.pull(wires.chip.pull[2])
    charge = f"{wires.column_pf(WORST):.0f} pF, {_kohm(ohm)}"
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


def _data(where: str, chain: LampChain) -> tuple[Grade, str, str]:
    wires = chain.wires
    wanted = volts.DATA_SHARE * wires.supply
    short = volts.data_short(wires.supply, shifter=wires.shifter)
    gets = f"{wires.supply:g} V behind a level shifter" if wires.shifter else f"{volts.DATA_V} V"
    needs = f"data is {gets}; lamps at {wires.supply:g} V need {wanted:.2f} V"
    if short <= 1e-9:
        return Grade.FINE, where, needs
    return (
        Grade.REFUSED,
        where,
        f"{needs}: {short:.2f} V are missing; try a level shifter, or a supply of at most"
        f" {volts.DATA_V / volts.DATA_SHARE:.1f} V",
    )


class ChainSupply(NamedTuple):
    """What comes of a chain's supply at the place where least arrives."""

    drawn_ma: float
    """What the whole chain draws: its share of the limit, or all its lamps white if that is less."""
    metres: float
    even: float
    """V if that is spread evenly, behind fuse and feed cable."""
    far: float
    """V if the lamps there draw all of it and the supply is as low as it may be."""


def arrives(board: BoardDescription, chain: LampChain) -> ChainSupply:
    """What comes of the supply of a chain at most drawn on."""
    wires, both = chain.wires, chain.wires.feeds == 2
    every = sum(each.length for each in board.chains.values())
    white = chain.length * (IDLE_MA + WHITE_MA)
    drawn = min(board.current_limit_ma * chain.length / every, white)
    metres = length_m(board, chain) if wires.metres is None else wires.metres
    even = volts.even_sag(drawn / 1000, metres, wires.ohm_m, both_ends=both)
    far = volts.far_sag(drawn / 1000, metres, wires.ohm_m, drawn / white, both_ends=both)
    fed = wires.supply - volts.FUSE_V - board.current_limit_ma / 1000 * volts.FEED_OHM
    low = volts.SUPPLY_LOW * wires.supply
    return ChainSupply(drawn, metres, fed - even, fed - low - far)


def _supply(where: str, board: BoardDescription, chain: LampChain) -> tuple[Grade, str, str]:
    drawn, metres, even, far = arrives(board, chain)
    both = chain.wires.feeds == 2
    fed = "both ends" if both else "one end"
    low = f"{100 * volts.SUPPLY_LOW:.0f} %"
    told = (
        f"{drawn:.0f} mA over {metres:.1f} m of {chain.wires.ohm_m:g} Ohm/m, fed at {fed}, leave {even:.2f} V"
        f" at the weakest lamp, {far:.2f} V if all is drawn there and the supply is {low} low"
    )
    advice = "try thicker wire" if both else "try feeds = 2, or thicker wire"
    if far >= volts.SURE_LAMP_V:
        return Grade.FINE, where, f"{told}; {volts.SURE_LAMP_V} V needed"
    if far >= volts.LEAST_LAMP_V:
        missing = volts.SURE_LAMP_V - far
        return Grade.DOUBT, where, f"{told}: {missing:.2f} V are missing, blue fades; {advice}"
    missing = volts.LEAST_LAMP_V - far
    return Grade.REFUSED, where, f"{told}: {missing:.2f} V are missing for lamps to work; {advice}"


def _fuse(board: BoardDescription) -> str:
    dark = sum(chain.length for chain in board.chains.values()) * IDLE_MA
    least, most = (times * board.current_limit_ma / 1000 for times in FUSE)
    return (
        f"lamps draw {dark} mA dark and {board.current_limit_ma} mA at most;"
        f" use a fuse of {least:.2g} to {most:.2g} A"
    )


def length_m(board: BoardDescription, chain: LampChain) -> float:
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


def felt(pieces: int) -> str:
    """How many pieces a row carries, as people are told."""
    return f"{pieces}" if pieces < volts.MOST else f"{pieces} or more"


def _pull(wires: MatrixCircuit) -> str:
    own = f"pull-downs of {wires.chip.pull[0] / 1000:g} to {wires.chip.pull[2] / 1000:g} kOhm"
    return own if wires.added_ohm is None else f"{own} beside {_kohm(wires.added_ohm)}"


def _kohm(ohm: float) -> str:
    return f"{ohm / 1000:.3g} kOhm"


def counted(number: int, what: str) -> str:
    """A number with the name of what is counted, in its plural but for one."""
    return f"{number} {what}{'' if number == 1 else 's'}"
