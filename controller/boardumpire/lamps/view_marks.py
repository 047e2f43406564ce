"""What a game shows besides hands and rulings: the facts of the public view as marks. Pure.

A view is read by what it holds, never by which game it is of: flags on spaces, a token, a calendar, tickets
that are left, the die, whose turn it is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import count
from typing import Any

from boardumpire.lamps import meanings
from boardware.ports import LampId


def of_view(view: Mapping[str, Any], lamps: Collection[LampId] = ()) -> dict[LampId, str]:
    """The marks of the view that everybody has. A lamp that the board hasn't got stays away by itself.

    `lamps` are those that it has: a round track may be too short."""
    flag = "way-out" if "markers" in view else "held"
    marks: dict[LampId, str] = dict.fromkeys(view.get("flags") or (), flag)
    _mark(marks, view.get("liberating"), "rising")
    _mark(marks, view.get("lowering"), "falling")
    marks.update(dict.fromkeys(view.get("detected") or (), "detected"))
    held = view.get("token") in (view.get("flags") or ())
    _mark(marks, view.get("token"), "held-token" if held else "token")
    if view.get("outcome") is not None:
        return marks
    now = view.get("round") or 0
    if isinstance(now, int):
        down = view.get("rounds")  # the marker begins there and goes down
        if isinstance(down, int):
            longest = track(lamps) or down
            now, down = min(now, longest), min(down, longest)  # it waits on the last lamp until it comes by
        past = range(now + 1, down + 1) if isinstance(down, int) else range(1, now)
        marks.update({f"round-{number}": "past" for number in past})
        marks.update({f"round-{now}": "now"} if now else {})
    marks.update({f"ticket-{number}": "ticket" for number in range(1, _count(view.get("tickets")) + 1)})
    marks.update({f"die-{number}": "die" for number in range(1, _count(view.get("die")) + 1)})
    for name in (view.get("piece"), *view["to_act"]) if "piece" in view else ():
        _mark(marks, f"turn-{name}" if name else None, "to-move")
    if "open" in view:
        _mark(marks, f"turn-{view['turn']}", "to-move")
        # Somebody else has to answer before the turn goes on, or its player whether to throw once more.
        double = bool((view["open"] or {}).get("throws"))
        asked = (view["open"] or {}).get("asked", view["to_act"])
        marks.update({f"turn-{name}": "asks" for name in asked if double or name != view["turn"]})
    return marks


def track(lamps: Collection[LampId]) -> int:
    """How many rounds the round track has lamps for."""
    return next(number for number in count() if f"round-{number + 1}" not in lamps)


def at_rest(view: Mapping[str, Any], lamps: Collection[LampId]) -> dict[LampId, str]:
    """All that a board with these lamps shows of that view while no hand and no answer is waited for."""
    shown = {**meanings.turns(view["to_act"]), **of_view(view, lamps)}
    return {lamp: mark for lamp, mark in shown.items() if lamp in lamps}


def _mark(marks: dict[LampId, str], lamp: object, mark: str) -> None:
    if isinstance(lamp, str):
        marks[lamp] = mark


def _count(number: object) -> int:
    return number if isinstance(number, int) else 0
