"""What one audience is sent, in order and numbered, so that a screen that was away gets what it missed."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from boardumpire.messages import announce
from boardumpire.messages.disclosure import to_json_in_language
from boardumpire.messages.languages import ENGLISH
from boardumpire.web.table_api import TableApi

FRAMES_KEPT = 400
"""How many frames are kept for those who come back; older ones are replaced by a snapshot."""
MESSAGES_IN_SNAPSHOT = 200
"""How many messages a screen that comes anew is told of ..."""
VIEW_KIND = "view"
"""The kind of those frames that hold what an audience may know."""
SILENT_KINDS = frozenset(("chores", "turn"))
"""... without those of these kinds: the board's state tells them."""


class FeedFrame:
    """One frame, in English and in each language that somebody listens in."""

    __slots__ = ("_data", "_pad_to", "_texts")

    def __init__(self, data: Mapping[str, Any], pad_to: int) -> None:
        self._pad_to = pad_to
        self._texts = {ENGLISH: self._to_json(data)}
        # A view is large and has no sentences (games know of none): its text alone is kept.
        self._data = data if data["kind"] != VIEW_KIND and announce.has_sentence(data) else None

    def text(self, language: str) -> str:
        """As it is sent."""
        if self._data is None:
            return self._texts[ENGLISH]
        if language not in self._texts:
            self._texts[language] = self._to_json(translate_frame(self._data, language))
        return self._texts[language]

    def _to_json(self, data: Mapping[str, Any]) -> str:
        return to_padded_json(data, self._pad_to) if self._pad_to else to_compact_json(data)


def translate_frame(frame: Mapping[str, Any], language: str) -> dict[str, Any]:
    """A frame with its sentences in that language; private messages in it stay as long as they are."""
    said: dict[str, Any] = {}
    for name, value in frame.items():
        if name == "told":
            one = isinstance(value, Mapping)
            said[name] = (
                to_json_in_language(value, language)
                if one
                else [to_json_in_language(each, language) for each in value]
            )
        else:
            said[name] = announce.translate(value, language)
    return said


def seat_names(table_api: TableApi) -> dict[str, Any]:
    """What seats are called where somebody sits who gave a name: a part of what each screen is sent first."""
    return {"players": announce.named_seats(table_api.players, table_api.game)} if table_api.players else {}


class Feed:
    """The frames of one seat, or of everybody. The numbers begin at 1 and leave nothing out."""

    def __init__(self) -> None:
        self.latest_number = 0
        self._kept: deque[FeedFrame] = deque(maxlen=FRAMES_KEPT)

    def add(self, kind: str, data: Mapping[str, Any], *, pad_to: int = 0) -> FeedFrame:
        """Number a frame and keep it. It is padded to a multiple of `pad_to` bytes."""
        self.latest_number += 1
        frame = FeedFrame({"n": self.latest_number, "kind": kind, **data}, pad_to)
        self._kept.append(frame)
        return frame

    def skip_number(self) -> None:
        """Number a frame that nobody can ever ask for, and keep nothing of it."""
        self.latest_number += 1

    def frames_after(self, number: int) -> list[FeedFrame] | None:
        """The frames after `number`; `None` where they are not all kept, or the number is from elsewhere."""
        missing = self.latest_number - number
        if not 0 <= missing <= len(self._kept):
            return None
        return list(self._kept)[len(self._kept) - missing :]


def group_moves(moves: Mapping[str, Iterable[str]]) -> dict[str, Any]:
    """Moves with each target named once, as many pieces may go to the same places: `to` are the targets, and
    `by` tells for each origin in hexadecimal digits which of them are its own. The first digit is about the
    first four, its ones about the very first."""
    to = sorted({target for targets in moves.values() for target in targets})
    place = {target: number for number, target in enumerate(to)}
    by = {}
    for origin, targets in moves.items():
        digits = [0] * -(-len(to) // 4)
        for number in map(place.__getitem__, targets):
            digits[number // 4] |= 1 << number % 4
        by[origin] = "".join(map("{:x}".format, digits))
    return {"to": to, "by": by}


def to_compact_json(value: object) -> str:
    """As JSON without spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def to_padded_json(frame: Mapping[str, Any], size: int, beside: int = 0) -> str:
    """As JSON of a multiple of `size` bytes, so that its length does not tell what it holds. `beside`: bytes
    of it whose number everybody knows; they are not counted."""
    bare = to_compact_json({**frame, "pad": ""})
    return f'{bare[:-2]}{" " * ((beside - len(bare)) % size)}"}}'
