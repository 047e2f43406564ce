"""Slices of two things measured in turn, so that what slows one slows the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple


class Result(NamedTuple):
    """One line of the table."""

    what: str
    value: float
    unit: str
    """What 1.0 means: `x python-chess`, `x bare python`, `a second`."""
    detail: str = ""


def interleaved(first: Callable[[], float], second: Callable[[], float], slices: int) -> float:
    """The median over `slices` of `first() / second()`, the two called in turn.

    Each call measures one slice of its own and returns a figure of the same unit (a rate, a time).
    """
    ratios = []
    for turn in range(slices):
        if turn % 2:
            b, a = second(), first()
        else:
            a, b = first(), second()
        ratios.append(a / b)
    return median(ratios)


def table(results: Sequence[Result]) -> str:
    """As a Markdown table."""
    lines = ["| what | figure | unit | how |", "|---|---:|---|---|"]
    lines += [f"| {r.what} | {figure(r.value)} | {r.unit} | {r.detail} |" for r in results]
    return "\n".join(lines)


def figure(value: float) -> str:
    """Three digits that count, no more."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
