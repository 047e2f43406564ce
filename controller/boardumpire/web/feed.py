"""What one audience is sent, in order and numbered, so that a screen that was away gets what it missed."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from typing import Any

KEPT = 400
"""How many frames are kept for those who come back; older ones are replaced by a snapshot."""


class Feed:
    """The frames of one seat, or of everybody. The numbers begin at 1 and leave nothing out."""

    def __init__(self) -> None:
        self.latest = 0
        self._kept: deque[str] = deque(maxlen=KEPT)

    def add(self, kind: str, data: Mapping[str, Any], *, pad_to: int = 0) -> str:
        """Number a frame and keep it; the text that is sent. It is padded to a multiple of `pad_to` bytes."""
        self.latest += 1
        frame = {"n": self.latest, "kind": kind, **data}
        text = padded(frame, pad_to) if pad_to else compact(frame)
        self._kept.append(text)
        return text

    def after(self, number: int) -> list[str] | None:
        """The frames after `number`; `None` where they are not all kept, or the number is from elsewhere."""
        missing = self.latest - number
        if not 0 <= missing <= len(self._kept):
            return None
        return list(self._kept)[len(self._kept) - missing :]


def compact(value: object) -> str:
    """As JSON without spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def padded(frame: Mapping[str, Any], size: int) -> str:
    """As JSON of a multiple of `size` bytes, so that its length does not tell what it holds."""
    bare = len(compact({**frame, "pad": ""}))
    return compact({**frame, "pad": " " * (-bare % size)})
