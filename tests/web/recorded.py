"""What came to a screen, made comparable with what came to the same screen of another run.

Every message, every view, every page and header is compared as it is, in its order. Taken out is only what
is drawn at random or read from a clock, by design: the secrets of links (drawn ones too) and cookies,
commitments (each has a salt of its own; that there is one stays in), the epoch of a table, the numbers of
frames and of a screen's own messages, the milliseconds of messages. Hands on a page move in real time, and
whether two lamps change in one frame or in two depends on how busy the machine is; so what the board shows
(marks, chores, questions) is compared as all that was shown between one ruling and the next, and what is
seen of the hands as all places where pieces stood or lay, and all lamps that were lit. To the microsecond
and the byte the same is compared in virtual time: test_twins.py here, and for the lamps' bits the one in
tests/table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from web.served import Screen

_CLOCK = ("t", "pad", "n", "epoch")
"""A message's moment and the padding that makes up for its digits; a frame's number and the table's epoch."""


def conversation(screen: Screen) -> dict[str, Any]:
    """All that came to a screen, by socket and over HTTP."""
    found: dict[str, Any] = {"http": _http(screen)}
    for path, texts in screen.told.items():
        frames = [json.loads(text) for text in texts]
        found[path] = _hands(frames) if path == "/hands" else _umpire(frames)
    return found


def difference(one: Any, two: Any, where: str = "") -> str | None:
    """The first place in which two conversations differ, with both sides of it."""
    if isinstance(one, dict) and isinstance(two, dict) and one.keys() == two.keys():
        inner: Iterator[Any] = ((key, one[key], two[key]) for key in one)
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        inner = ((place, *pair) for place, pair in enumerate(zip(one, two, strict=True)))
    else:
        return None if one == two else f"{where}: {one!r:.2000} and {two!r:.2000}"
    found = (difference(left, right, f"{where}/{key}") for key, left, right in inner)
    return next(filter(None, found), None)


def shapes(screen: Screen, path: str) -> list[tuple[str, int]]:
    """Kind and length of messages and views: what is seen by whoever listens to an encrypted line."""
    frames = [(json.loads(text), len(text)) for text in screen.told[path]]
    return [
        (frame["kind"], _length(frame, size)) for frame, size in frames if frame["kind"] in ("told", "view")
    ]


def _length(frame: dict[str, Any], size: int) -> int:
    """Numbers and moments are written in as many digits as they have."""
    return size if "pad" in frame else size - len(str(frame["n"])) - len(str(frame["told"]["t"]))


def _umpire(frames: list[dict[str, Any]]) -> dict[str, Any]:
    shown: list[set[str]] = [set()]
    for frame in frames:
        if "board" in frame:
            shown[-1] |= set(_facts(frame["board"]))
        if frame["kind"] == "told" and frame["told"]["kind"] == "ruling":
            shown.append(set())
    return {
        "snapshots": [_untimed(frame) for frame in frames if frame["kind"] == "snapshot"],
        "told": [_untimed(frame["told"]) for frame in frames if frame["kind"] == "told"],
        "views": [_untimed(frame) for frame in frames if frame["kind"] == "view"],
        "shown between rulings": [sorted(facts) for facts in shown],
    }


def _facts(board: dict[str, Any]) -> Iterator[str]:
    for key, value in board.items():
        for item in value.items() if isinstance(value, dict) and key == "marks" else [value]:
            yield f"{key} {json.dumps(item)}"


def _untimed(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: len(inner) if key == "commitment" and inner is not None else _untimed(inner)
            for key, inner in value.items()
            if key not in _CLOCK
        }
    return [_untimed(inner) for inner in value] if isinstance(value, list) else value


def _hands(frames: list[dict[str, Any]]) -> dict[str, Any]:
    pieces = [piece for frame in frames for piece in frame.get("pieces", ())]
    return {
        "kinds": sorted({frame["kind"] for frame in frames}),
        # whether a piece is seen on its way at all hangs on how long that takes
        "keys": sorted({key for piece in pieces if piece["is"] != "led" for key in piece}),
        "pieces": sorted(
            {
                (piece["id"], piece["seat"], piece["is"], piece.get("slot", ""))
                for piece in pieces
                if piece["is"] in ("stands", "lies", "beside", "held")
            }
        ),
        "lit": sorted({lamp for frame in frames for lamp in frame.get("lit", {})}),
    }


def _http(screen: Screen) -> list[tuple[Any, ...]]:
    """Every exchange once: how often a browser asks again for what it has is its own affair. What was sealed,
    for which a screen asks once the game is over, is another in a twin game."""
    found = set()
    for method, path, status, headers, body in screen.answers:
        if path.startswith("/games"):
            continue
        plain = {name: re.sub(r"=[\w-]{24,}", "=...", value) for name, value in headers.items()}
        if path.startswith("/qr/") and status == 200:  # a link, drawn: what it looks like hangs on its secret
            body, plain["content-length"] = b"...", "..."
        body = re.sub(rb"/link/[\w-]{24}", b"/link/...", body)  # of as many letters as any other
        found.add(
            (re.sub(r"^/link/.*", "/link/...", path), method, status, tuple(sorted(plain.items())), body)
        )
    return sorted(found)
