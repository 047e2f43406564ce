"""Draws what reeds felt, what lamps showed and what the umpire said over time, as SVG."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple, TypeVar

from boardrules.marks import Mark, mark_name
from boardumpire.lamps.legend import SHARED_MARKS, Legend
from boardumpire.makers.traces.trace import Trace
from boardumpire.ruling.umpire import battle_result
from boardware.ports import MS

WIDTH_PX, LEFT_MARGIN_PX, RIGHT_MARGIN_PX, ROW_HEIGHT_PX = 860, 70, 20, 34
TEXT_HALO_ATTRIBUTES = 'stroke="#ffffff" stroke-width="4" paint-order="stroke"'
COLOUR_BY_HUE = {
    "white": "#d8d8d8",
    "green": "#2f9e44",
    "red": "#e03131",
    "blue": "#1c7ed6",
    "amber": "#f08c00",
    "cyan": "#0c8599",
    "magenta": "#ae3ec9",
}
INK_COLOUR, LINE_COLOUR, BACKGROUND_COLOUR = "#1f2328", "#d0d7de", "#ffffff"
_TICKS_MAX = 12
"""At most so many seconds get a line of their own."""


class Timeline(NamedTuple):
    """What happened, in milliseconds from its beginning."""

    title: str
    reed_changes: Mapping[str, Sequence[tuple[int, bool]]]
    """By slot when it changed to what; the first is what it was."""
    lamp_changes: Mapping[str, Sequence[tuple[int, str]]]
    """By space when its lamp changed to which mark; nothing is dark."""
    messages: Sequence[tuple[int, str]]
    duration_ms: int
    legend: Mapping[str, Mark] = SHARED_MARKS


def draw_timeline(found: Timeline) -> str:
    """The timeline as SVG: of each slot in `reed_changes` its reed, and below it its lamp."""
    told: dict[int, list[str]] = {}
    for at, said in found.messages:
        if at <= found.duration_ms:
            told.setdefault(at, []).append(said)
    bottom = 44 + 2 * len(found.reed_changes) * ROW_HEIGHT_PX
    height = bottom + 26 + 17 * sum(map(len, told.values())) + 12

    def x(ms: int) -> float:
        return round(
            LEFT_MARGIN_PX
            + (WIDTH_PX - LEFT_MARGIN_PX - RIGHT_MARGIN_PX) * min(ms, found.duration_ms) / found.duration_ms,
            1,
        )

    out = _draw_frame(found, height, bottom, x)
    for number, (slot, changes) in enumerate(found.reed_changes.items()):
        y = 44 + 2 * number * ROW_HEIGHT_PX
        out.append(f'<text x="12" y="{y + 16}">reed {escape(slot)}</text>')
        out.append(f'<text x="12" y="{y + ROW_HEIGHT_PX + 13}">lamp {escape(slot)}</text>')
        out += _draw_reed(changes, y, x, found.duration_ms)
        out += _draw_lamp(found, found.lamp_changes.get(slot.partition("/")[0], ()), y + ROW_HEIGHT_PX, x)
    y = bottom + 32
    for at, lines in told.items():
        out.append(
            f'<line x1="{x(at)}" y1="34" x2="{x(at)}" y2="{y + 4}" stroke="{INK_COLOUR}" stroke-dasharray="2'
            ' 3"/>'
        )
        for said in lines:
            right = x(at) > WIDTH_PX - 260
            end = ' text-anchor="end"' if right else ""
            out.append(
                f'<text x="{x(at) + (-5 if right else 5)}" y="{y}"{end}'
                f" {TEXT_HALO_ATTRIBUTES}>{escape(said)}</text>"
            )
            y += 17
    return "\n".join([*out, "</svg>", ""])


T = TypeVar("T")
TimeToX = Callable[[int], float]
"""Where a moment lies across the picture."""


def _draw_frame(found: Timeline, height: int, bottom: int, x: TimeToX) -> list[str]:
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH_PX} {height}"'
        f' width="{WIDTH_PX}" height="{height}"'
        f' font-family="system-ui, sans-serif" font-size="12" fill="{INK_COLOUR}">',
        f"<title>{escape(found.title)}</title>",
        f'<rect width="{WIDTH_PX}" height="{height}" fill="{BACKGROUND_COLOUR}"/>',
        f'<text x="12" y="22" font-size="15" font-weight="600">{escape(found.title)}</text>',
    ]
    seconds = found.duration_ms // 1000
    for second in range(0, seconds + 1, max(1, -(-seconds // _TICKS_MAX))):
        at = x(second * 1000)
        out.append(
            f'<line x1="{at}" y1="34" x2="{at}" y2="{bottom}" stroke="{LINE_COLOUR}" stroke-width="0.6"/>'
        )
        out.append(f'<text x="{at}" y="{bottom + 13}" text-anchor="middle" fill="#57606a">{second} s</text>')
    return out


def _draw_reed(changes: Iterable[tuple[int, bool]], y: float, x: TimeToX, lasts: int) -> list[str]:
    path, level = "", None
    for at, present in changes:
        height = y + (4 if present else 20)
        path += f"M{x(at)} {height}" if level is None else f"H{x(at)}V{height}"
        level = height
    return [f'<path d="{path}H{x(lasts)}" fill="none" stroke="{INK_COLOUR}" stroke-width="1.8"/>']


def _draw_lamp(found: Timeline, changes: Sequence[tuple[int, str]], y: float, x: TimeToX) -> list[str]:
    lasts = found.duration_ms
    out = [f'<line x1="{x(0)}" y1="{y + 9}" x2="{x(lasts)}" y2="{y + 9}" stroke="{LINE_COLOUR}"/>']
    for (at, lit), until in zip(changes, [*(at for at, _ in changes[1:]), lasts], strict=False):
        if lit and at < lasts:
            wide = round(x(until) - x(at), 1)
            hue = found.legend[lit].colour
            fill = COLOUR_BY_HUE.get(hue, INK_COLOUR)
            out.append(f'<rect x="{x(at)}" y="{y}" width="{wide}" height="18" rx="3" fill="{fill}"/>')
            if wide > 6.2 * len(lit):
                ink = INK_COLOUR if hue == "white" else BACKGROUND_COLOUR
                out.append(f'<text x="{x(at) + 5}" y="{y + 13}" fill="{ink}" font-size="11">{lit}</text>')
    return out


def message_summary(kind: str, data: Mapping[str, Any]) -> str:
    """A message to everybody in a few words; nothing for those that say little."""
    match kind:
        case "ruling" if data["ok"]:
            results = [battle_result(event["kind"], event) for event in data["events"]]
            stands = {
                "attacker": "the attacker stands",
                "defender": "the defender stands",
                "both": "both leave the board",
            }
            return f"ruled: {data['action']}" + "".join(
                f", {stands[result]}" for result in results if result is not None
            )
        case "ruling":
            return f"refused: {data['action']} ({data['refusal']['code']})"
        case "fault" | "question":
            return f"{kind}: {data['code']}"
        case "chores":
            return ", ".join(f"{chore['do']} {chore['space']}" for chore in data["chores"]) or "in order"
        case "turn":
            return f"turn of {' and '.join(data['to_act'])}"
        case "over":
            return f"over: {data['reason']}"
    return ""


def length_ms(trace: Trace) -> int:
    """How long a trace is."""
    return trace.moments[-1].at // MS + 1 if trace.moments else 1


def named_slots(trace: Trace) -> set[str]:
    """The slots that a trace names."""
    words = ("present", "placed", "lifted")
    lines = (line for moment in trace.moments for line in moment.lines if line.word in words)
    return {slot for line in lines for slot in line.rest.split()}


def timeline_of_trace(trace: Trace, start_ms: int, end_ms: int | None, slots: Sequence[str] = ()) -> Timeline:
    """What a trace holds from `start_ms` to `end_ms` (its end) of `slots`, or of those that changed."""
    last = length_ms(trace)
    end = last if end_ms is None else min(end_ms, last)
    legend = Legend(trace.game).marks
    reeds: dict[str, list[tuple[int, bool]]] = {}
    lamps: dict[str, list[tuple[int, str]]] = {}
    told: list[tuple[int, str]] = []
    changed: set[str] = set()
    for moment in trace.moments:
        at = moment.at // MS - start_ms
        if at > end - start_ms:
            break
        inside = at >= 0
        for line in moment.lines:
            parts = line.rest.split()
            if line.word == "present":
                for slot in parts:
                    _append_change(reeds, slot, at, True, inside)
            elif line.word in ("placed", "lifted"):
                _append_change(reeds, parts[0], at, line.word == "placed", inside)
                if inside:
                    changed.add(parts[0])
            elif line.word == "marks":
                shown = dict(part.split("=", 1) for part in parts)
                _append_lamp_changes(lamps, legend, shown, at, inside)
            elif line.word == "told" and inside and (said := message_summary(*json.loads(line.rest))):
                told.append((at, said))
    wanted = slots or sorted(changed)
    title = f"{trace.name}, {start_ms / 1000:g} to {end / 1000:g} s"
    first = {slot: [(0, False), *reeds.get(slot, [])] for slot in wanted}
    return Timeline(title, first, lamps, told, max(1, end - start_ms), legend)


def _append_change(found: dict[str, list[tuple[int, T]]], name: str, at: int, value: T, inside: bool) -> None:
    """Note a change; of what came before the picture begins only the latest counts."""
    changes = found.setdefault(name, [])
    if not inside:
        changes.clear()
    changes.append((max(0, at), value))


def _append_lamp_changes(
    lamps: dict[str, list[tuple[int, str]]],
    legend: Mapping[str, Mark],
    marks: Mapping[str, str],
    at: int,
    inside: bool,
) -> None:
    for lamp in lamps.keys() | marks.keys():
        mark = mark_name(marks.get(lamp, ""))
        shown = mark if mark in legend else ""
        if lamp not in lamps or not lamps[lamp] or lamps[lamp][-1][1] != shown:
            _append_change(lamps, lamp, at, shown, inside)
