"""The boards of a hall, as a broker tells of them. Pure: topics and payloads in, what a screen shows out.

Whoever may publish can send anything: what is no board's is let go, and of a board only plain words of
bounded length are taken. A character that can't be shown, or would change the order of others, is replaced.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from boardumpire.web.hall.topics import FORMAT, FORMAT_VERSION, TOPIC_ROOT

BOARDS_MAX = 1000
"""Boards of one hall."""
PAYLOAD_MAX_BYTES = 1 << 18
"""Bytes of a payload."""
MESSAGES_KEPT_MAX = 50
"""Messages that are kept of each board."""
TEXT_MAX_CHARS = 300
"""Characters of a text."""
SEATS_MAX = 16
RUNS_MAX = 4
"""Starts of a board of which messages are still told apart."""
CLOCK_MAX_MS = 1 << 40
"""More than any clock has."""
_JOINERS, _ISOLATE_START, _ISOLATE_END = "\u200c\u200d", "\u2068", "\u2069"
"""What may stand within a name, and around one that is read from right to left (`players.clean_name`)."""
_TOPIC_PATTERN = re.compile(rf"{TOPIC_ROOT}/([a-z0-9](?:[a-z0-9-]{{0,61}}[a-z0-9])?)/(online|state|told)")


class RunMessageNumbers:
    """The numbers of the messages of one run of a board, from the first that was heard of."""

    def __init__(self, first: int) -> None:
        self.latest_number = first - 1
        self.missing_numbers: set[int] = set()
        """Those that may still come: the state repeats the latest."""
        self.lost_count = 0

    def note_number(self, number: int) -> bool:
        """Note that number; whether it is new."""
        if number in self.missing_numbers:
            self.missing_numbers.remove(number)
            return True
        if number <= self.latest_number:
            return False
        self.lost_count += max(0, number - self.latest_number - 1 - MESSAGES_KEPT_MAX)
        self.missing_numbers |= set(range(max(self.latest_number + 1, number - MESSAGES_KEPT_MAX), number))
        late = {each for each in self.missing_numbers if each <= number - MESSAGES_KEPT_MAX}
        self.lost_count += len(late)
        self.missing_numbers -= late
        self.latest_number = number
        return True


class SeenBoard:
    """One board."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.online = False
        self.state: Mapping[str, Any] = {}
        self.recent_texts: deque[str] = deque(maxlen=MESSAGES_KEPT_MAX)
        self.revision = 0
        self._runs: dict[str, RunMessageNumbers] = {}

    @property
    def missed_count(self) -> int:
        """How many messages never came."""
        return sum(run.lost_count + len(run.missing_numbers) for run in self._runs.values())

    def add_message(self, told: Any) -> bool:
        """Take a message; whether it is a new one."""
        match told:
            case {"run": str(name), "number": int(number), **rest} if 0 < number < 1 << 53:
                pass
            case _:
                return False
        name = name[:TEXT_MAX_CHARS]
        run = self._runs.get(name)
        if run is None:
            run = self._runs[name] = RunMessageNumbers(number)
            if len(self._runs) > RUNS_MAX:
                del self._runs[next(iter(self._runs))]
        if not run.note_number(number):
            return False
        if words := _joined_text(rest.get("text")):
            self.recent_texts.append(words)
        return True

    def to_json(self) -> dict[str, Any]:
        """What a screen shows."""
        state = self.state
        view, board = _dict_or_empty(state.get("view")), _dict_or_empty(state.get("board"))
        table = state.get("table") is True
        return {
            "name": self.name,
            "online": self.online,
            "table": table,
            "game": _clean_text(view.get("game")),
            "seats": _clean_seats(state.get("seats")),
            "players": _clean_players(state.get("players")),
            "to_act": _clean_seats(view.get("to_act")) if table else [],
            "over": board.get("over") is True,
            "todo": _joined_text(board.get("text")),
            "waits": _clean_text(board.get("waits")),
            "clocks": _clean_clocks(board.get("clocks")),
            "said": list(self.recent_texts)[-3:],
            "missed": self.missed_count,
            "revision": self.revision,
        }


class BoardList:
    """All of them."""

    def __init__(self) -> None:
        self.revision = 0
        """One more with each change."""
        self._of: dict[str, SeenBoard] = {}

    def __iter__(self) -> Iterator[SeenBoard]:
        return iter(self._of.values())

    def apply_payload(self, topic: str, payload: bytes) -> bool:
        """Take what came; whether that changed anything."""
        found = _TOPIC_PATTERN.fullmatch(topic)
        if found is None or len(payload) > PAYLOAD_MAX_BYTES:
            return False
        name, kind = found.groups()
        if not payload:
            return kind == "state" and self._remove_board(name)
        try:
            value = json.loads(payload)
        except (ValueError, RecursionError):
            return False
        board = self._of.get(name) or SeenBoard(name)
        if not _update_board(board, kind, value) or (name not in self._of and len(self._of) >= BOARDS_MAX):
            return False
        self.revision += 1
        board.revision = self.revision
        self._of[name] = board
        return True

    def _remove_board(self, name: str) -> bool:
        """Whoever clears a board's retained state takes it out of the hall."""
        self.revision += 1
        return self._of.pop(name, None) is not None

    def changes_since(self, since: int) -> dict[str, Any]:
        """The boards that changed after that revision, with the names of all."""
        return {
            "revision": self.revision,
            "names": sorted(self._of),
            "boards": [board.to_json() for board in self if board.revision > since],
        }


def _update_board(board: SeenBoard, kind: str, value: Any) -> bool:
    match kind, value:
        case "online", bool(online):
            changed, board.online = online != board.online, online
            return changed
        case "told", _:
            return board.add_message(value)
        case "state", {"format": str(name), "version": int(version), **rest} if name == FORMAT:
            if version != FORMAT_VERSION:
                return False
            for told in _list_or_empty(rest.get("told")):
                board.add_message(told)
            board.state = {key: rest.get(key) for key in ("table", "seats", "players", "view", "board")}
            return True
    return False


def _list_or_empty(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _dict_or_empty(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _clean_text(value: Any) -> str:
    return _replace_unprintable(value[:TEXT_MAX_CHARS]) if isinstance(value, str) else ""


def _replace_unprintable(text: str) -> str:
    """The same with what can't be shown replaced."""
    depth, balanced = 0, True
    for char in text:
        depth += (char == _ISOLATE_START) - (char == _ISOLATE_END)
        balanced = balanced and depth in (0, 1)
    kept = _JOINERS + (_ISOLATE_START + _ISOLATE_END if balanced and not depth else "")
    return "".join(
        " "
        if char in "\t\n\r"
        else char
        if char in kept or unicodedata.category(char)[0] != "C"
        else "\ufffd"
        for char in text
    )


def _joined_text(value: Any) -> str:
    """A text, or several, as one."""
    if isinstance(value, list):
        return " ".join(_clean_text(each) for each in value[:SEATS_MAX] if _clean_text(each))[:TEXT_MAX_CHARS]
    return _clean_text(value)


def _clean_seats(value: Any) -> list[str]:
    return [_clean_text(each) for each in _list_or_empty(value)[:SEATS_MAX] if _clean_text(each)]


def _clean_players(value: Any) -> dict[str, str]:
    """By seat the name of who sits there."""
    named = list(_dict_or_empty(value).items())[:SEATS_MAX]
    return {_clean_text(seat): _clean_text(name) for seat, name in named if _clean_text(name)}


def _clean_clocks(value: Any) -> dict[str, int]:
    """By seat what it had left when a clock last started or stopped, in ms."""
    left = _dict_or_empty(_dict_or_empty(value).get("left_ms"))
    return {
        _clean_text(name): ms
        for name, ms in list(left.items())[:SEATS_MAX]
        if type(ms) is int and abs(ms) < CLOCK_MAX_MS
    }
