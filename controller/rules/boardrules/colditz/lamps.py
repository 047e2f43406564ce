"""What the lamps show of everybody's view: markers, tunnels, the round track and on it the movement points
that are left, whose turn it is and who is asked."""

from __future__ import annotations

from collections.abc import Container, Mapping
from itertools import count
from typing import Any, Final

from boardrules.marks import DIE_MARKS, ROUND_MARKS, TO_MOVE_MARKS, Mark

MARKS: Final = {
    **TO_MOVE_MARKS,
    "way-out": Mark(
        "magenta", "dim steady", "there is an Escape Attempt marker here, or an open tunnel ends here"
    ),
    "detected": Mark("red", "slow pulse", "a tunnel that was detected ends here: guards may enter"),
    **ROUND_MARKS,
    **DIE_MARKS,
}


def lamp_marks(view: Mapping[str, Any], board_lamps: Container[str]) -> dict[str, str]:
    """By space or named lamp its mark. `board_lamps`: the lamps of the board, whose round track may be too
    short."""
    marks: dict[str, str] = dict.fromkeys(view.get("flags") or (), "way-out")
    marks.update(dict.fromkeys(view.get("detected") or (), "detected"))
    if view.get("outcome") is not None:
        return marks
    now, first = view.get("round") or 0, view.get("rounds") or 0  # the marker begins there and goes down
    longest = round_track_length(board_lamps) or first
    now, first = min(now, longest), min(first, longest)  # it waits on the last lamp until it comes by
    marks.update({f"round-{number}": "past" for number in range(now + 1, first + 1)})
    points = min(view.get("points") or 0, longest)
    marks.update({f"round-{number}": "die" for number in range(1, points + 1)})
    marks.update({f"round-{now}": "now"} if now else {})
    if "open" in view:
        marks[f"turn-{view['turn']}"] = "to-move"
        # Somebody else has to answer before the turn goes on, or its player whether to throw once more.
        double = bool((view["open"] or {}).get("throws"))
        asked = (view["open"] or {}).get("asked", view["to_act"])
        marks.update({f"turn-{name}": "asks" for name in asked if double or name != view["turn"]})
    return marks


def round_track_length(board_lamps: Container[str]) -> int:
    """How many rounds the round track has lamps for."""
    return next(number for number in count() if f"round-{number + 1}" not in board_lamps)


def round_track_limitations(rounds: int, board_lamps: Container[str]) -> tuple[str, ...]:
    """What a board with these lamps can't show of so many rounds."""
    lamps = round_track_length(board_lamps)
    if not 0 < lamps < rounds:
        return ()
    return (
        f"the round track has {lamps} lamps for {rounds} rounds: until round {lamps} the last one is lit",
    )
