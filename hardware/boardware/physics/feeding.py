"""Whether rows can feed switches with three wires, such as Hall switches, and how long that takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boardware.parts import Bank, Board, Fed
from boardware.physics.design import Design
from boardware.physics.verdict import Grade, Verdict
from boardware.physics.volts import PIN_PF

RISES_TO: Final = 0.7
"""What an inverter of the kind 74HC surely takes as high, as a share of its supply."""
TIMES: Final = 1.2
"""So many times ohm and farad it takes to get there: the logarithm of 1 / (1 - 0.7)."""


def verdicts(board: Board, bank: Bank, full: int) -> Iterator[Verdict]:
    """What is said of a bank whose wires and sensors may not go together, and of one with fed switches.

    `full`: how many switches one row has.
    """
    where, design, fed = f"banks.{bank.id}", board.sensing, bank.wires.fed
    if design is not None and design.part.wires != (2 if fed is None else 3):
        yield Verdict(Grade.REFUSED, where, _other(design, fed))
    elif fed is not None and design is not None:
        yield Verdict(*_feeds(where, design, fed, full))
        yield Verdict(*_wakes(where, design, fed, bank))


def rise_us(bank: Bank, fed: Fed) -> float:
    """How long a column that was pulled low needs to be high again."""
    return TIMES * fed.pull_up_ohm * (bank.wires.cable_pf + PIN_PF * (len(bank.rows) + 1)) * 1e-6


def _other(design: Design, fed: Fed | None) -> str:
    if fed is None:
        return (
            f"{design.sensor} has three wires, and no row feeds it through a resistor and a diode;"
            ' expected switches = "fed", or reeds in [sensing]'
        )
    return f'{design.sensor} has two wires and no supply; expected switches = "reeds", or another sensor'


def _feeds(where: str, design: Design, fed: Fed, full: int) -> tuple[Grade, str, str]:
    feed = design.part.feed
    if feed is None:
        return Grade.DOUBT, where, f"what {design.sensor} asks of its supply is not known here"
    told = (
        f"a full row feeds {full} switches: {full * feed.most_ma:.0f} mA at most, {feed.most_ma:g} each;"
        f" rows pass on {fed.volts:g} V, a {design.sensor} wants {feed.least_v:g}"
    )
    if fed.volts >= feed.least_v:
        return Grade.FINE, where, told
    short = feed.least_v - fed.volts
    missing = f"{short:.1f} V are missing; expected feed_v = {feed.least_v:g} or more"
    return Grade.REFUSED, where, f"{told}: {missing}"


def _wakes(where: str, design: Design, fed: Fed, bank: Bank) -> tuple[Grade, str, str]:
    feed, rise = design.part.feed, rise_us(bank, fed)
    usual, worst = feed.wakes_us if feed is not None else (0.0, 0.0)
    need, usually = max(worst, rise), max(usual, rise)
    told = (
        f"a switch is right {worst:g} us after its supply came ({usual:g} usually), a column high again"
        f" after {rise:.0f} us"
    )
    if bank.settle_us >= need:
        return Grade.FINE, where, f"{told}; settle_us = {bank.settle_us}"
    grade = Grade.DOUBT if bank.settle_us >= usually else Grade.REFUSED
    return (
        grade,
        where,
        f"{told}; settle_us = {bank.settle_us} is too short; expected at least {need + 0.5:.0f}",
    )
