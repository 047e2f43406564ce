"""What the lamps show of everybody's view: flags, the token two rounds late, the calendar, tickets, the
die."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

MARKS: Final = (
    "held", "token", "held-token", "is-here", "not-here", "rising", "falling", "ticket", "die",
    "past", "now", "to-move",
)  # fmt: skip
"""The marks of the legend that are this game's."""


def lamps(view: Mapping[str, Any]) -> dict[str, str]:
    """By space or named lamp its mark."""
    flags, token = view.get("flags") or (), view.get("token")
    marks: dict[str, str] = dict.fromkeys(flags, "held")
    _mark(marks, view.get("liberating"), "rising")
    _mark(marks, view.get("lowering"), "falling")
    _mark(marks, token, "held-token" if token in flags else "token")
    if view.get("outcome") is not None:
        return marks
    now = view.get("round") or 0
    marks.update({f"round-{number}": "past" for number in range(1, now)})
    marks.update({f"round-{now}": "now"} if now else {})
    marks.update({f"ticket-{number}": "ticket" for number in range(1, _count(view.get("tickets")) + 1)})
    marks.update({f"die-{number}": "die" for number in range(1, _count(view.get("die")) + 1)})
    for name in (view.get("piece"), *view["to_act"]) if "piece" in view else ():
        _mark(marks, f"turn-{name}" if name else None, "to-move")
    return marks


def _mark(marks: dict[str, str], lamp: object, mark: str) -> None:
    if isinstance(lamp, str):
        marks[lamp] = mark


def _count(number: object) -> int:
    return number if isinstance(number, int) else 0
