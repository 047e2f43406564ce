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

from boardumpire.web.hall.topics import FORMAT, ROOT, VERSION

BOARDS_MAX = 1000
"""Boards of one hall."""
PAYLOAD_MAX_BYTES = 1 << 18
"""Bytes of a payload."""
KEPT = 50
"""Messages that are kept of each board."""
LONGEST = 300
"""Characters of a text."""
SEATS_MAX = 16
RUNS_MAX = 4
"""Starts of a board of which messages are still told apart."""
CLOCK_MAX_MS = 1 << 40
"""More than any clock has."""
_JOINERS, _ISOLATE, _END = "\u200c\u200d", "\u2068", "\u2069"
"""What may stand within a name, and around one that is read from right to left (`players.clean_name`)."""
_TOPIC = re.compile(rf"{ROOT}/([a-z0-9](?:[a-z0-9-]{{0,61}}[a-z0-9])?)/(online|state|told)")


class BoardRun:
    """The numbers of the messages of one run of a board, from the first that was heard of."""

    def __init__(self, first: int) -> None:
        self.latest = first - 1
        self.missing: set[int] = set()
        """Those that may still come: the state repeats the latest."""
        self.lost = 0

    def take(self, number: int) -> bool:
        """Note that number; whether it is new."""
        if number in self.missing:
            self.missing.remove(number)
            return True
        if number <= self.latest:
            return False
        self.lost += max(0, number - self.latest - 1 - KEPT)
        self.missing |= set(range(max(self.latest + 1, number - KEPT), number))
        late = {each for each in self.missing if each <= number - KEPT}
        self.lost += len(late)
        self.missing -= late
        self.latest = number
        return True


class SeenBoard:
    """One board."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.online = False
        self.state: Mapping[str, Any] = {}
        self.said: deque[str] = deque(maxlen=KEPT)
        self.revision = 0
        self._runs: dict[str, BoardRun] = {}

    @property
    def missed(self) -> int:
        """How many messages never came."""
        return sum(run.lost + len(run.missing) for run in self._runs.values())

    def tell(self, told: Any) -> bool:
        """Take a message; whether it is a new one."""
        match told:
            case {"run": str(name), "number": int(number), **rest} if 0 < number < 1 << 53:
                pass
            case _:
                return False
        name = name[:LONGEST]
        run = self._runs.get(name)
        if run is None:
            run = self._runs[name] = BoardRun(number)
            if len(self._runs) > RUNS_MAX:
                del self._runs[next(iter(self._runs))]
        if not run.take(number):
            return False
        if words := _words(rest.get("text")):
            self.said.append(words)
        return True

    def json(self) -> dict[str, Any]:
        """What a screen shows."""
        state = self.state
        view, board = _table(state.get("view")), _table(state.get("board"))
        table = state.get("table") is True
        return {
            "name": self.name,
            "online": self.online,
            "table": table,
            "game": _word(view.get("game")),
            "seats": _seats(state.get("seats")),
            "players": _players(state.get("players")),
            "to_act": _seats(view.get("to_act")) if table else [],
            "over": board.get("over") is True,
            "todo": _words(board.get("text")),
            "waits": _word(board.get("waits")),
            "clocks": _clocks(board.get("clocks")),
            "said": list(self.said)[-3:],
            "missed": self.missed,
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

    def take(self, topic: str, payload: bytes) -> bool:
        """Take what came; whether that changed anything."""
        found = _TOPIC.fullmatch(topic)
        if found is None or len(payload) > PAYLOAD_MAX_BYTES:
            return False
        name, kind = found.groups()
        if not payload:
            return kind == "state" and self._forget(name)
        try:
            value = json.loads(payload)
        except (ValueError, RecursionError):
            return False
        board = self._of.get(name) or SeenBoard(name)
        if not _taken(board, kind, value) or (name not in self._of and len(self._of) >= BOARDS_MAX):
            return False
        self.revision += 1
        board.revision = self.revision
        self._of[name] = board
        return True

    def _forget(self, name: str) -> bool:
        """Whoever clears a board's retained state takes it out of the hall."""
        self.revision += 1
        return self._of.pop(name, None) is not None

    def json(self, since: int) -> dict[str, Any]:
        """The boards that changed after that revision, with the names of all."""
        return {
            "revision": self.revision,
            "names": sorted(self._of),
            "boards": [board.json() for board in self if board.revision > since],
        }


def _taken(board: SeenBoard, kind: str, value: Any) -> bool:
    match kind, value:
        case "online", bool(online):
            changed, board.online = online != board.online, online
            return changed
        case "told", _:
            return board.tell(value)
        case "state", {"format": str(name), "version": int(version), **rest} if name == FORMAT:
            if version != VERSION:
                return False
            for told in _rows(rest.get("told")):
                board.tell(told)
            board.state = {key: rest.get(key) for key in ("table", "seats", "players", "view", "board")}
            return True
    return False


def _rows(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _word(value: Any) -> str:
    return _showable(value[:LONGEST]) if isinstance(value, str) else ""


def _showable(text: str) -> str:
    """The same with what can't be shown replaced."""
    depth, balanced = 0, True
    for char in text:
        depth += (char == _ISOLATE) - (char == _END)
        balanced = balanced and depth in (0, 1)
    kept = _JOINERS + (_ISOLATE + _END if balanced and not depth else "")
    return "".join(
        " "
        if char in "\t\n\r"
        else char
        if char in kept or unicodedata.category(char)[0] != "C"
        else "\ufffd"
        for char in text
    )


def _words(value: Any) -> str:
    """A text, or several, as one."""
    if isinstance(value, list):
        return " ".join(_word(each) for each in value[:SEATS_MAX] if _word(each))[:LONGEST]
    return _word(value)


def _seats(value: Any) -> list[str]:
    return [_word(each) for each in _rows(value)[:SEATS_MAX] if _word(each)]


def _players(value: Any) -> dict[str, str]:
    """By seat the name of who sits there."""
    named = list(_table(value).items())[:SEATS_MAX]
    return {_word(seat): _word(name) for seat, name in named if _word(name)}


def _clocks(value: Any) -> dict[str, int]:
    """By seat what it had left when a clock last started or stopped, in ms."""
    left = _table(_table(value).get("left_ms"))
    return {
        _word(name): ms
        for name, ms in list(left.items())[:SEATS_MAX]
        if type(ms) is int and abs(ms) < CLOCK_MAX_MS
    }
