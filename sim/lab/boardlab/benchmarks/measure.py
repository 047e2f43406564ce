"""Slices of two things measured in turn, so that what slows one slows the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple


class BenchmarkResult(NamedTuple):
    """One line of the table."""

    what: str
    value: float
    unit: str
    """What 1.0 means: `x python-chess`, `x bare python`, `a second`."""
    detail: str = ""
    least: float | None = None
    """The gate: not less than this ..."""
    most: float | None = None
    """... or not more."""
    counted: bool = False
    """Whether something is counted, the same on a busy machine: then the tests hold the gate."""

    @property
    def missed(self) -> bool:
        """Whether there is a gate and the figure doesn't get through."""
        low, high = self.least, self.most
        return (low is not None and self.value < low) or (high is not None and self.value > high)

    @property
    def gate(self) -> str:
        """What is wanted, and whether it is so."""
        if self.least is None and self.most is None:
            return ""
        wanted = f"at most {self.most:g}" if self.least is None else f"at least {self.least:g}"
        return f"{wanted}: {'missed' if self.missed else 'holds'}"


class Comparison(NamedTuple):
    """Two things measured in turn."""

    ratio: float
    """The median over the slices of first by second."""
    first: float
    second: float
    """The medians of each alone."""


def interleaved(first: Callable[[], float], second: Callable[[], float], slices: int) -> Comparison:
    """Call both in turn, `slices` times each.

    Each call measures one slice of its own and returns a figure of the same unit (a rate, a time).
    """
    pairs = []
    for turn in range(slices):
        if turn % 2:
            b, a = second(), first()
        else:
            a, b = first(), second()
        pairs.append((a, b))
    return Comparison(
        median(a / b for a, b in pairs), median(a for a, _ in pairs), median(b for _, b in pairs)
    )


def table(results: Sequence[BenchmarkResult]) -> str:
    """As a Markdown table."""
    lines = ["| what | figure | unit | gate | how |", "|---|---:|---|---|---|"]
    lines += [f"| {r.what} | {format_figure(r.value)} | {r.unit} | {r.gate} | {r.detail} |" for r in results]
    return "\n".join(lines)


def format_figure(value: float) -> str:
    """Three digits that count, no more."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
