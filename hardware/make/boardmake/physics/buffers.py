"""Whether switches with three wires, such as Hall switches, and the wires of their bank go together.

A row's buffers lead each column high or low, so nothing is left on it of the row before: a bank of them need
not wait for that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boardware.header import PULLED_UP_GPIOS
from boardware.parts import BoardDescription, BufferedWiring, MatrixBank
from boardware.physics.design import SensorDesign
from boardware.physics.verdict import Grade, ModelVerdict

PI_PULL_UP_KOHM, ROW_PULL_DOWN_KOHM, PULL_UP_V = 1.8, 10.0, 3.3
"""What pulls GPIO2 and GPIO3 up on a Pi, what pulls a row down, and to how many volts the Pi pulls."""


def verdicts(board: BoardDescription, bank: MatrixBank) -> Iterator[ModelVerdict]:
    """What is said of a bank whose wires and sensors may not go together, and of one with rows of buffers."""
    where, design, buffered = f"banks.{bank.id}", board.sensor_design, bank.wires.buffered_wiring
    if design is not None and design.part.wire_count != (2 if buffered is None else 3):
        yield ModelVerdict(Grade.REFUSED, where, _mismatch_text(design, buffered))
    elif (
        buffered is not None
        and (pulled := [gpio for gpio in bank.rows if gpio in PULLED_UP_GPIOS])
        and not bank.pico
    ):
        yield ModelVerdict(Grade.REFUSED, where, _pulled_up_text(pulled))
    elif buffered is not None and design is not None:
        count = sum(at.bank == bank.id for at in board.slots_by_contact)
        yield ModelVerdict(*_supply_verdict(where, design, buffered, count))


def _pulled_up_text(gpios: Sequence[int]) -> str:
    """Rows that are high while nothing drives them: their buffers work against each other in every column."""
    volts = PULL_UP_V * ROW_PULL_DOWN_KOHM / (ROW_PULL_DOWN_KOHM + PI_PULL_UP_KOHM)
    names = " and ".join(f"GPIO{gpio}" for gpio in gpios)
    return (
        f"{names}: a Pi pulls them up, to {volts:.1f} V against {ROW_PULL_DOWN_KOHM:g} kOhm; while it starts"
        " their rows' buffers are on at the same time; try other pins for rows with buffers"
    )


def _mismatch_text(design: SensorDesign, buffered: BufferedWiring | None) -> str:
    if buffered is None:
        return (
            f"{design.sensor} has three wires, and can't lie between a row and a column as a reed does;"
            ' try switches = "buffered", or reeds in [sensing]'
        )
    return f'{design.sensor} has two wires and no supply; try switches = "reeds", or another sensor'


def _supply_verdict(
    where: str, design: SensorDesign, buffered: BufferedWiring, count: int
) -> tuple[Grade, str, str]:
    feed = design.part.supply
    if feed is None:
        return Grade.DOUBT, where, f"what {design.sensor} asks of its supply is not known here"
    told = (
        f"{count} switches draw {count * feed.current_max_ma:.0f} mA at most, {feed.current_max_ma:g} each;"
        f" they get {buffered.supply_v:g} V, a {design.sensor} wants {feed.supply_min_v:g}"
    )
    if buffered.supply_v >= feed.supply_min_v:
        return Grade.FINE, where, told
    short = feed.supply_min_v - buffered.supply_v
    missing = f"{short:.1f} V are missing; try feed_v = {feed.supply_min_v:g} or more"
    return Grade.REFUSED, where, f"{told}: {missing}"
