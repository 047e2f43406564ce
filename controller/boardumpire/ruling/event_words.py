"""Kinds of events that lamps, sounds and timelines have signs for, whichever game tells them.

A game may call its events what it likes. One of such a kind that has not got these fields is an event as any
other. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from boardrules.core import Space

RESULTS: Final = ("attacker", "defender", "both")
"""Who won a battle; `both` have fallen."""


def battle_result(kind: str, data: Mapping[str, Any]) -> str | None:
    """The `result` of an event `battle`, one of `RESULTS`; `None` if it is nothing of the kind."""
    result = data.get("result") if kind == "battle" else None
    return result if isinstance(result, str) and result in RESULTS else None


def battle_way(kind: str, data: Mapping[str, Any]) -> tuple[Space, Space] | None:
    """`from` and `to` of such an event: where the attacker came from, and where the defender stood."""
    ends = data.get("from"), data.get("to")
    if battle_result(kind, data) is None or not all(isinstance(end, str) for end in ends):
        return None
    return str(ends[0]), str(ends[1])


def answered(kind: str, data: Mapping[str, Any]) -> tuple[Space, bool] | None:
    """What an event `answer` says about a space (`at`): whether its `thing` is `yes` or `no`."""
    at, thing = data.get("at"), data.get("thing")
    if kind != "answer" or not isinstance(at, str) or thing not in ("yes", "no"):
        return None
    return at, thing == "yes"
