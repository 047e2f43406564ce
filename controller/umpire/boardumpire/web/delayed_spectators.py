"""Spectators who are shown the game some actions late: what everybody was told, in order, only later.

A spectator's frames are those of the table's own screen, held back until so many more actions of players were
accepted; when the game is over all that is held is shown. So nothing comes here that wasn't public before,
and when it comes follows public knowledge alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from boardumpire.lamps import view_marks
from boardumpire.web.feed import (
    MESSAGES_IN_SNAPSHOT,
    SILENT_KINDS,
    Feed,
    seat_names,
    to_compact_json,
    translate_frame,
)
from boardumpire.web.table_api import ScreenListener, TableApi

NEUTRAL_STATUS: Mapping[str, Any] = {
    "chores": [],
    "text": [],
    "marks": {},
    "question": None,
    "proposal": None,
    "proposals": [],
    "clocks": None,
    "window": None,
    "over": False,
}
"""The board's state before any was shown."""


class _HeldFrame(NamedTuple):
    """A frame that waits."""

    action_count: int
    """After how many actions of players it was told."""
    kind: str
    data: Mapping[str, Any]


class DelayedSpectators:
    """The spectators of one table. `delay`: how many actions late they are."""

    def __init__(
        self,
        table_api: TableApi,
        delay: int,
        admit: Callable[[ScreenListener], None],
        epoch: Callable[[], str],
    ) -> None:
        """`admit` raises `TooManyScreens` where no further screen is let in; `epoch` names a new table."""
        self.screens: list[ScreenListener] = []
        self._table_api, self._delay, self._admit, self._new_epoch = table_api, delay, admit, epoch

    def begin_table(self) -> None:
        """A table was opened: everybody is shown where it stood so many actions ago."""
        self._epoch = self._new_epoch()
        self._feed = Feed()
        self._held: deque[_HeldFrame] = deque()
        self._history: deque[Mapping[str, Any]] = deque(maxlen=MESSAGES_IN_SNAPSHOT)
        self._actions, self._over = 0, False
        now = {key: value for key, value in self._table_api.status().items() if key != "boards"}
        self._quiet = {**now, **NEUTRAL_STATUS, "free": []}
        printed = self._table_api.printed_board()
        self._lamps = {place["id"] for place in (*printed["spaces"], *printed["lamps"])}
        self._load_earlier_frames()
        for screen in self.screens:
            screen.send(self._snapshot(screen.language))

    def _load_earlier_frames(self) -> None:
        """Show of a game that goes on what is old enough, and hold the rest."""
        told = self._table_api.earlier_messages()
        numbers, number = [], 0
        for message in told:
            number += self._is_player_action(message.json())
            numbers.append(number)
        self._actions = number
        first = sum(each <= number - self._delay for each in numbers)
        self._history.extend(message.json() for message in told[:first])
        self._view, *later = self._table_api.public_views(first)
        self._board: Mapping[str, Any] = self._board_with_marks(self._view)
        for message, number, view in zip(told[first:], numbers[first:], later, strict=True):
            self._held.append(_HeldFrame(number, "told", {"told": message.json()}))
            self._held.append(_HeldFrame(number, "view", {"view": view}))
            self._held.append(_HeldFrame(number, "board", {"board": self._board_with_marks(view)}))

    def _board_with_marks(self, view: Mapping[str, Any]) -> Mapping[str, Any]:
        """The board while nobody touched it and that was what everybody could see: what its lamps showed."""
        return {**self._quiet, "marks": view_marks.idle_board_marks(self._table_api.game, view, self._lamps)}

    def _is_player_action(self, told: Mapping[str, Any]) -> bool:
        """Whether that is an action of a player, and accepted."""
        return bool(told["kind"] == "ruling" and told["ok"] and told["seat"] in self._table_api.seats)

    # Screens come and go

    def enter(self, audience: str | None, screen: ScreenListener, epoch: object, number: object) -> None:
        """Let a screen in and tell it what it missed since frame `number` of `epoch`. Raises
        `TooManyScreens`."""
        self._admit(screen)
        missed = self._feed.frames_after(number) if epoch == self._epoch and type(number) is int else None
        self.screens.append(screen)
        if missed is None:
            screen.send(self._snapshot(screen.language))
            return
        for frame in missed:
            screen.send(frame.text(screen.language))
        screen.send(
            to_compact_json({"kind": "here", "n": self._feed.latest_number, "clocks": self._board["clocks"]})
        )

    def leave(self, audience: str | None, screen: ScreenListener) -> None:
        """A screen goes."""
        if screen in self.screens:
            self.screens.remove(screen)

    def _snapshot(self, language: str) -> str:
        frame = {
            "kind": "snapshot",
            "epoch": self._epoch,
            "n": self._feed.latest_number,
            "seats": list(self._table_api.seats),
            **seat_names(self._table_api),
            "told": list(self._history),
            "board": self._board,
            "clocks": self._board["clocks"],
        }
        return to_compact_json({**translate_frame(frame, language), "view": self._view})

    # What they are told

    def queue_frame(self, kind: str, data: Mapping[str, Any]) -> None:
        """Everybody is told this now: hold it, and show what has become old enough."""
        if kind == "told":
            self._actions += self._is_player_action(data["told"])
            self._over = self._over or data["told"]["kind"] == "over"
        self._held.append(_HeldFrame(self._actions, kind, data))
        while self._held and (self._over or self._held[0].action_count <= self._actions - self._delay):
            self._send_frame(self._held.popleft())

    def _send_frame(self, held: _HeldFrame) -> None:
        if held.kind == "view":
            self._view = held.data["view"]
        elif held.kind == "board":
            self._board = held.data["board"]
        elif held.data["told"]["kind"] not in SILENT_KINDS:
            self._history.append(held.data["told"])
        frame = self._feed.add(held.kind, held.data)
        for screen in list(self.screens):
            screen.send(frame.text(screen.language))
