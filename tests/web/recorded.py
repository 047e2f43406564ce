"""What came to a screen, made comparable with what came to the same screen of another run.

Taken out is only what is drawn at random or read from a clock, by design: the secrets of links and cookies,
the epoch of a table, a screen's own message numbers, the milliseconds of messages. What hands on the virtual
board do is looked at every 30 ms of real time: of those looks only the places are compared where pieces came
to stand and lie, and which lamps were lit. What the lamps *mean* is told on the other socket at every change,
and that is compared frame by frame.
"""

from __future__ import annotations

import json
import re
from typing import Any

from web.served import Screen

_CLOCK = ("t", "pad")
"""A message's moment, and the padding that makes up for its digits."""


def conversation(screen: Screen) -> dict[str, Any]:
    """All that came to a screen, by socket and over HTTP."""
    found: dict[str, Any] = {"http": _http(screen)}
    for path, texts in screen.told.items():
        frames = [json.loads(text) for text in texts]
        found[path] = (
            _hands(frames) if path == "/hands" else [_untimed(frame) for frame in frames if _told(frame)]
        )
    return found


def shapes(screen: Screen, path: str) -> list[tuple[str, int]]:
    """Kind and length of every frame of a socket: what is seen by whoever listens to an encrypted line."""
    frames = [(json.loads(text), len(text)) for text in screen.told[path]]
    return [(frame["kind"], _length(frame, length)) for frame, length in frames if _told(frame)]


def _length(frame: dict[str, Any], length: int) -> int:
    """A moment is written in as many digits as the machine has been up."""
    return length if "pad" in frame else length - len(str(frame.get("told", {}).get("t", "")))


def _told(frame: dict[str, Any]) -> bool:
    """Whether the umpire says this by himself: how often a screen asks for him goes by its clock."""
    return frame["kind"] != "answer"


def _untimed(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _untimed(inner) for key, inner in value.items() if key not in _CLOCK}
        return {**kept, "epoch": "..."} if "epoch" in kept else kept
    return [_untimed(inner) for inner in value] if isinstance(value, list) else value


def _hands(frames: list[dict[str, Any]]) -> dict[str, Any]:
    pieces = [piece for frame in frames for piece in frame.get("pieces", ())]
    return {
        "kinds": sorted({frame["kind"] for frame in frames}),
        "keys": sorted({key for piece in pieces for key in piece}),
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
    """Every exchange once: how often a browser asks again for what it has is its own affair."""
    found = set()
    for method, path, status, headers, body in screen.answers:
        plain = {name: re.sub(r"=[\w-]{24,}", "=...", value) for name, value in headers.items()}
        found.add(
            (re.sub(r"^/link/.*", "/link/...", path), method, status, tuple(sorted(plain.items())), body)
        )
    return sorted(found)
