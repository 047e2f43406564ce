"""Writes the table in docs/understand/tracker.md: `PYTHONPATH=tests python -m house.tracker_page`."""

from __future__ import annotations

import re
from pathlib import Path

from boardumpire.tracking.states import STATE_CONDITIONS, TRANSITIONS
from boardumpire.tracking.timing import TrackerTiming
from boardware.ports import SECOND

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "understand" / "tracker.md"
BEGIN, END = "<!-- table: written by tests/house/tracker_page.py -->\n", "<!-- end of table -->\n"
OPTION = re.compile(r"`([a-z_]+)`")
CODE = re.compile(r"[a-z]+(-[a-z]+)+|swapped|lying|muddle|adjourn")


def written(text: str) -> str:
    """The document with the table as the program has it now."""
    assert text.count(BEGIN) == text.count(END) == 1, f"{DOCUMENT}: {BEGIN!r} and {END!r} once each"
    return re.sub(f"(?s){re.escape(BEGIN)}.*{re.escape(END)}", lambda _: f"{BEGIN}\n{_tables()}\n{END}", text)


def _tables() -> str:
    lines = ["| state | the board is in it while |", "|---|---|"]
    lines += [f"| *{state}* | {meaning} |" for state, meaning, _ in STATE_CONDITIONS]
    lines += ["", "| state | what people have done | what comes of it | after |", "|---|---|---|---|"]
    for row in TRANSITIONS:
        events = ", ".join(f"`{event}`" if CODE.fullmatch(event) else event for event in row.events)
        delay = row.delay.option_text.partition(" (above)")[0]  # the page has that once, above the table
        lines.append(f"| *{row.state}* | {row.describe_hands().rstrip('.')} | {events} | {delay} |")
    timing = TrackerTiming()
    lines += ["", "| delay | as set at first |", "|---|---|"]
    named = {name for row in TRANSITIONS for name in OPTION.findall(row.delay.option_text)}
    lines += [
        f"| `{name}` | {getattr(timing, name) / SECOND:g} s |" for name in timing._fields if name in named
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    DOCUMENT.write_text(written(DOCUMENT.read_text()))
