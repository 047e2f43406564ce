"""What the lamps show of everybody's view: flags, the token two rounds late, the calendar, tickets, the
die."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from boardrules.marks import DIE_MARKS, ROUND_MARKS, TO_MOVE_MARKS, Mark

MARKS: Final = {
    "held": Mark("cyan", "dim steady", "held by the Allies"),
    "token": Mark("magenta", "slow pulse", "where Hitler was two rounds ago"),
    "held-token": Mark("magenta", "steady", "held by the Allies, and where Hitler was two rounds ago"),
    **TO_MOVE_MARKS,
    "is-here": Mark("magenta", "blink", "yes, Hitler is here"),
    "not-here": Mark("green", "slow pulse", "no, Hitler is not here"),
    "was-not-here": Mark("green", "dim steady", "no, in an earlier round Hitler was not here"),
    "rising": Mark("cyan", "blink", "the Allies are about to hold this"),
    "falling": Mark("cyan", "slow pulse", "the Allies are about to lose this"),
    **ROUND_MARKS,
    "ticket": Mark("blue", "steady", "this ticket is still left"),
    **DIE_MARKS,
}


def lamp_marks(view: Mapping[str, Any]) -> dict[str, str]:
    """By space or named lamp its mark."""
    flags, token, now = view.get("flags") or (), view.get("token"), view.get("round") or 0
    over = view.get("outcome") is not None
    early, fresh = _newest_answers(view, -1 if over else now)
    marks: dict[str, str] = {**early, **dict.fromkeys(flags, "held"), **fresh}
    _set_mark(marks, view.get("liberating"), "rising")
    _set_mark(marks, view.get("lowering"), "falling")
    _set_mark(marks, token, "held-token" if token in flags else "token")
    if over:
        _set_mark(marks, (view.get("sheet") or {}).get("at"), "is-here")
        return marks
    marks.update({f"round-{number}": "past" for number in range(1, now)})
    marks.update({f"round-{now}": "now"} if now else {})
    marks.update({f"ticket-{number}": "ticket" for number in range(1, _int_or_zero(view.get("tickets")) + 1)})
    marks.update({f"die-{number}": "die" for number in range(1, _int_or_zero(view.get("die")) + 1)})
    for name in (view.get("piece"), *view["to_act"]) if "piece" in view else ():
        _set_mark(marks, f"turn-{name}" if name else None, "to-move")
    return marks


def finale(view: Mapping[str, Any]) -> tuple[dict[str, str], ...]:
    """His whole way, round by round, once everybody may know it, with the round on the calendar."""
    entries = (view.get("sheet") or {}).get("entries") or () if view.get("outcome") is not None else ()
    return tuple(
        {
            **{f"round-{past}": "past" for past in range(1, number)},
            f"round-{number}": "now",
            city: "is-here",
        }
        for number, city in enumerate(entries, 1)
    )


def _newest_answers(view: Mapping[str, Any], now: int) -> tuple[dict[str, str], dict[str, str]]:
    """The newest answer about each city: those of earlier rounds, and those of this one.

    An earlier yes is left out: two rounds later the token stands there.
    """
    early: dict[str, str] = {}
    fresh: dict[str, str] = {}
    for answer in view.get("answers") or ():
        city, here = answer["at"], answer["here"]
        early.pop(city, None)
        if answer["round"] == now:
            fresh[city] = "is-here" if here else "not-here"
        elif not here:
            early[city] = "was-not-here"
    return early, fresh


def _set_mark(marks: dict[str, str], lamp: object, mark: str) -> None:
    if isinstance(lamp, str):
        marks[lamp] = mark


def _int_or_zero(number: object) -> int:
    return number if isinstance(number, int) else 0
