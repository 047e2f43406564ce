"""How chess players write what a position is worth."""

from __future__ import annotations


def score_text(hundredths: int | None, mate: int | None = None) -> str:
    """`+0.7`: seven tenths of a pawn; `#3`: mates in three moves, `#-3`: is mated; nothing for neither."""
    if mate is not None:
        return f"#{mate}"
    return "" if hundredths is None else f"{hundredths / 100:+.1f}"
