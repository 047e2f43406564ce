"""The castle as text, drawn from the JSON of a view: it can't show more than the seat may know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from boardrules.colditz.castle.plan import CastlePlan
from boardrules.core import LayoutPiece, Seat

_KIND_SIGNS: Final = (
    ("target", "X"), ("door", "d"), ("inspection", "i"), ("searchlight", "*"), ("post", "o"), ("safe", "+"),
)  # fmt: skip
_LEGEND: Final = (
    "A1 man 1 of the Americans, S1 guard 1; . circle, + safe, o post, d door, i inspection, * searchlight,"
    " X target"
)
_MIN_PITCH_MM: Final = 12
"""mm from one circle to the next, at least."""


def board_text(json: Mapping[str, Any], plan: CastlePlan) -> str:
    """Circles where they lie with the pawns on them, then all that is beside them."""
    pawns = {space: [_pawn_label(name) for name in names] for space, names in json["places"].items()}
    lines = [_heading(json), "", *_map(plan, pawns), "", _LEGEND]
    lines += [f"{space}: {' '.join(pawns[space])}" for space in plan.places if space in pawns]
    for what in ("inside", "away", "dead"):
        if json[what]:
            lines.append(f"{what}: {' '.join([_pawn_label(name) for name in json[what]])}")
    at = [f"{_pawn_label(name)} {space}" for space, names in json["places"].items() for name in names
          if space not in plan.places]  # fmt: skip
    lines += [f"at: {', '.join(at[first : first + 8])}" for first in range(0, len(at), 8)]
    lines += [f"{seat}: {_seat_summary(json, seat)}" for seat in json["seats"]]
    if json["hand"]:
        lines.append(f"hand of {json['seat']}: {', '.join(json['hand'])}")
    return "\n".join(lines)


def _heading(json: Mapping[str, Any]) -> str:
    if "outcome" in json:
        return f"{json['game']}: {json['outcome']['winner'] or 'nobody'} wins, {json['outcome']['reason']}"
    doing = json["open"]["what"] if json["open"] else json["phase"]
    points = f", points: {json['points']}" if json["points"] else ""
    return f"{json['game']}: {json['round']} rounds left, {json['to_act'][0]} to act ({doing}){points}"


def _pawn_label(name: str) -> str:
    """`american:3` is A3, `security:12` is S12."""
    piece = LayoutPiece.parse(name)
    return piece.seat[0].upper() + piece.name


def _seat_summary(json: Mapping[str, Any], seat: Seat) -> str:
    shown = json["seats"][seat]
    words = [f"cards: {shown['cards']}"]
    gear = json.get("equipment", {}).get(seat)
    if gear is not None:
        words += [f"{kind}: {count}" for kind, count in gear.items() if count]
    elif shown.get("equipment"):
        words.append(f"equipment: {shown['equipment']}")
    words += ["Escape Kit"] if shown.get("kit") else []
    words += [f"escaped: {shown['escapes']}"] if shown.get("escapes") else []
    return ", ".join([*words, *(["out"] if shown["out"] else [])])


def _map(plan: CastlePlan, pawns: Mapping[str, list[str]]) -> list[str]:
    """A column for each distance of circles, a row likewise; where two circles fall together, pawns win."""
    pitch = _pitch(plan)
    left = min([circle.x for circle in plan.circles.values()])
    top = min([circle.y for circle in plan.circles.values()])
    cells: dict[tuple[int, int], str] = {}
    for name, circle in plan.circles.items():
        at = round((circle.y - top) / pitch), round((circle.x - left) / pitch)
        here = pawns.get(name)
        sign = next((sign for kind, sign in _KIND_SIGNS if kind in circle.kinds), ".")
        if here or at not in cells:
            cells[at] = here[0] if here else sign
    rows = range(max([row for row, _ in cells]) + 1)
    columns = range(max([column for _, column in cells]) + 1)
    return ["".join([f"{cells.get((row, column), ''):<4}" for column in columns]).rstrip() for row in rows]


def _pitch(plan: CastlePlan) -> int:
    """The least distance between two circles of one row, in mm."""
    rows: dict[int, list[int]] = {}
    for circle in plan.circles.values():
        rows.setdefault(circle.y, []).append(circle.x)
    gaps = [
        right - left
        for row in rows.values()
        for left, right in zip(sorted(row), sorted(row)[1:], strict=False)
        if right - left >= _MIN_PITCH_MM
    ]
    return min(gaps, default=30)
