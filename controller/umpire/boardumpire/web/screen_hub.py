"""Who looks on, and what each is sent: everybody the public messages, each seat its own.

Whenever something is told that may have changed a view, *every* audience is sent its view, changed or not:
how many messages go to whom follows public knowledge alone.
"""

from __future__ import annotations

import secrets
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from boardrules.core import Seat
from boardumpire.messages import announce
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.web import limits
from boardumpire.web.delayed_spectators import DelayedSpectators
from boardumpire.web.feed import (
    MESSAGES_IN_SNAPSHOT,
    SILENT_KINDS,
    VIEW_KIND,
    Feed,
    group_moves,
    seat_names,
    to_compact_json,
    to_padded_json,
    translate_frame,
)
from boardumpire.web.table_api import ScreenListener, TableApi

VIEW_CHANGING_KINDS = frozenset(("ruling", "turn", "over", "private"))
"""Kinds of messages after which a view may differ."""
VIEW_PADDING_BYTES = 8192
"""A seat's view is padded to a multiple of this many bytes: it lists that seat's moves. The largest of any
game leaves a quarter of it free (tests/web/test_view_sizes.py), so that all are one size."""

SEAT_LOST_CODE = 4403
"""Ends the socket of a device that had a seat: the page says so and doesn't come back."""

Audience = Seat | None
"""A seat, or everybody."""


class TooManyScreens(Exception):  # noqa: N818 - what it is
    """There is no room for another screen; the text says why."""


class ScreenHub:
    """The screens of one table."""

    def __init__(
        self, table_api: TableApi, epoch: Callable[[], str] = lambda: secrets.token_hex(6), *, delay: int = 0
    ) -> None:
        """`delay`: how many actions late spectators are; with 0 they see what the table's screen does."""
        self._table_api = table_api
        self.delayed_spectators = (
            DelayedSpectators(table_api, delay, self._check_capacity, epoch) if delay else None
        )
        self.get_free_seats: Callable[[], Sequence[str]] = tuple
        """The seats at which nobody sits."""
        self.get_taken_seats: Callable[[], Sequence[Seat]] = tuple
        """The seats at which somebody sits."""
        self.on_view_change: Callable[[], None] = lambda: None
        """Called whenever a view may have changed."""
        self.on_declined: Callable[[str], None] = lambda thing: None
        """Called with what was proposed and declined."""
        self._new_epoch = epoch
        self._screens: dict[Audience, list[ScreenListener]] = {
            None: [],
            **{seat: [] for seat in table_api.seats},
        }
        self.begin_table()

    def begin_table(self) -> None:
        """A table was opened: numbers begin anew, everybody is shown where it stands."""
        self.epoch = self._new_epoch()
        self._feeds: dict[Audience, Feed] = {audience: Feed() for audience in self._screens}
        self._history: dict[Audience, deque[dict[str, Any]]] = {
            audience: deque(maxlen=MESSAGES_IN_SNAPSHOT) for audience in self._screens
        }
        for message in self._table_api.earlier_messages():
            self._add_to_history(message)
        self._status = self._current_status()
        self._met = {audience for audience, screens in self._screens.items() if screens}
        """Audiences of which a screen was shown this table. Of the others nobody knows a frame, so none is
        made: whoever comes first is shown where the table stands."""
        for audience, screens in self._screens.items():
            for screen in screens:
                screen.send(self.snapshot(audience, screen.language))
        if self.delayed_spectators is not None:
            self.delayed_spectators.begin_table()
        self.on_view_change()

    def close_screens(self, why: str) -> None:
        """The table is gone: hang up. Screens come back by themselves."""
        for screen in self._all_screens():
            screen.hang_up(1012, why)

    def _all_screens(self) -> list[ScreenListener]:
        watching = [] if self.delayed_spectators is None else self.delayed_spectators.screens
        return [*watching, *(each for screens in self._screens.values() for each in screens)]

    # Screens come and go

    def enter(self, audience: Audience, screen: ScreenListener, epoch: object, number: object) -> None:
        """Let a screen in and tell it what it missed since frame `number` of `epoch`. Raises
        `TooManyScreens`."""
        mine = self._screens[audience]
        if audience is None:
            self._check_capacity(screen)
        elif len(mine) >= limits.SOCKETS_PER_SEAT:
            raise TooManyScreens(f"too many screens of this seat: at most {limits.SOCKETS_PER_SEAT}")
        missed = None
        if epoch == self.epoch and type(number) is int:
            missed = self._feeds[audience].frames_after(number)
        is_new_device = screen.address not in {each.address for each in mine}
        mine.append(screen)
        self._met.add(audience)
        if audience is not None and len(mine) == 1:
            self._send_presence(screen)
        elif audience is not None and is_new_device:
            self._tell_devices(audience, screen)
        if missed is None:
            screen.send(self.snapshot(audience, screen.language))
        else:
            for frame in missed:
                screen.send(frame.text(screen.language))
            here = {
                "kind": "here",
                "n": self._feeds[audience].latest_number,
                "clocks": self._table_api.clocks(),
                **self._presence(audience),
            }
            screen.send(to_compact_json(here))

    def _check_capacity(self, screen: ScreenListener) -> None:
        """Room for screens that are no seat's: a seat has its own."""
        looking = [
            *([] if self.delayed_spectators is None else self.delayed_spectators.screens),
            *self._screens[None],
        ]
        if len(looking) >= limits.SOCKETS_MAX:
            raise TooManyScreens("too many screens look at this table: close one")
        if Counter(each.address for each in looking)[screen.address] >= limits.SOCKETS_PER_ADDRESS:
            raise TooManyScreens("too many screens from this address: close one")

    def leave(self, audience: Audience, screen: ScreenListener) -> None:
        """A screen is gone. Leaving twice is allowed."""
        if screen in self._screens[audience]:
            self._screens[audience].remove(screen)
            if audience is not None:
                if not self._screens[audience]:
                    self._send_presence()
                elif screen.address not in {each.address for each in self._screens[audience]}:
                    self._tell_devices(audience)

    def away_seats(self) -> list[Seat]:
        """The seats whose people have no screen open."""
        return [seat for seat in self.get_taken_seats() if not self._screens[seat]]

    def _presence(self, audience: Audience) -> dict[str, Any]:
        """Who is away; a seat is told on how many devices it is open, so that a copied cookie shows."""
        devices = {screen.address for screen in self._screens[audience]}
        return {"away": self.away_seats(), **({"devices": len(devices)} if audience else {})}

    def _send_presence(self, but: ScreenListener | None = None) -> None:
        """Tell all screens `but` one whose people have no screen open. Who was away isn't told it later."""
        for audience, screens in self._screens.items():
            frame = to_compact_json({"kind": "away", **self._presence(audience)})
            for screen in [each for each in screens if each is not but]:
                screen.send(frame)

    def _tell_devices(self, seat: Seat, but: ScreenListener | None = None) -> None:
        """Tell the screens of a seat `but` one on how many devices it is open."""
        frame = to_compact_json({"kind": "away", **self._presence(seat)})
        for screen in [each for each in self._screens[seat] if each is not but]:
            screen.send(frame)

    def has_screen(self, seat: Seat) -> bool:
        """Whether a screen of this seat is open."""
        return bool(self._screens[seat])

    def close_seat(self, seat: Seat) -> None:
        """Whoever sat here has to leave: the link was renewed."""
        for screen in list(self._screens[seat]):
            screen.hang_up(SEAT_LOST_CODE, "this seat has a new link")
            self.leave(seat, screen)
        if self._table_api.has_table:  # a table that comes back shows its free seats anyway
            self.broadcast_status()

    # What they are told

    def snapshot(self, audience: Audience, language: str) -> str:
        """All that a screen needs that knows nothing yet."""
        frame: dict[str, Any] = {
            "kind": "snapshot",
            "epoch": self.epoch,
            "n": self._feeds[audience].latest_number,
            "seats": list(self._table_api.seats),
            **seat_names(self._table_api),
            "told": list(self._history[audience]),
            "board": {**self._status, "window": self._table_api.answer_window()},
            **self._presence(audience),
            "clocks": self._table_api.clocks(),
        }
        frame = translate_frame(frame, language)
        whole = {**frame, **self._view_frame(audience)}
        return (
            to_compact_json(whole)
            if audience is None
            else to_padded_json(whole, VIEW_PADDING_BYTES, beside=len(to_compact_json(frame)))
        )

    def _view_frame(self, audience: Audience) -> dict[str, Any]:
        view = {"view": self._table_api.view(audience)}
        if audience is None:
            return view
        may = self._table_api.choices(audience)
        return {**view, "may": {**may, "moves": group_moves(may["moves"])}}

    def send_messages(self, messages: Sequence[SeatMessage]) -> None:
        """Pass on what the table told, then the views if one may have changed, then the board's state."""
        for message in messages:
            if message.kind == "proposal" and message.data["answer"] == "declined":
                self.on_declined(message.data["thing"])
            self._add_to_history(message)
            to: Iterable[Audience] = self._screens if message.seat is None else (message.seat,)
            told: dict[str, Any] = {"told": message.json()}
            sound = announce.message_sound(message.kind, message.data) if message.seat is None else None
            if sound is not None:
                told["sound"] = sound
            for audience in to:
                self._send(audience, "told", told)
        if any(message.kind in VIEW_CHANGING_KINDS for message in messages):
            for audience in self._screens:
                if audience in self._met or (audience is None and self.delayed_spectators is not None):
                    self._send(
                        audience,
                        VIEW_KIND,
                        self._view_frame(audience),
                        pad_to=VIEW_PADDING_BYTES if audience else 0,
                    )
                else:
                    self._feeds[audience].skip_number()
            self.on_view_change()
        self.broadcast_status()

    def broadcast_status(self) -> None:
        """Tell what everybody can see on the board, if that has changed."""
        status = self._current_status()
        if status != self._status:
            self._status = status
            self._send_to_all("board", {"board": status})

    def _current_status(self) -> dict[str, Any]:
        return {**self._table_api.status(), "free": list(self.get_free_seats())}

    def _add_to_history(self, message: SeatMessage) -> None:
        for audience in self._screens if message.seat is None else (message.seat,):
            if message.kind not in SILENT_KINDS:
                self._history[audience].append(message.json())

    def _send_to_all(self, kind: str, data: dict[str, Any]) -> None:
        for audience in self._screens:
            self._send(audience, kind, data)

    def _send(self, audience: Audience, kind: str, data: dict[str, Any], pad_to: int = 0) -> None:
        if audience is None and self.delayed_spectators is not None:
            self.delayed_spectators.queue_frame(kind, data)
        if audience not in self._met:
            self._feeds[audience].skip_number()
            return
        frame = self._feeds[audience].add(kind, data, pad_to=pad_to)
        for screen in list(self._screens[audience]):
            screen.send(frame.text(screen.language))
