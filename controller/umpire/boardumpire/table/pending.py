"""One game's place in the journal: what is being written, and whether writing still works.

A ruling holds once it is durable; a note changes no state, so nothing waits for it.
"""

from __future__ import annotations

from typing import NamedTuple

from boardrules.core import Outcome, Seat
from boardumpire.errors import JournalError
from boardumpire.journal.writer import JournalWriter, WriteBlocked, WriteReceipt
from boardumpire.ruling.umpire import Ruling
from boardware.ports import MS, SECOND, Micros

RETRY_INTERVAL_US: Micros = 1 * SECOND
"""How often it is looked whether what waits could be written."""


class _PendingRuling(NamedTuple):
    """A ruling that is being written."""

    ruling: Ruling
    receipt: WriteReceipt


class PendingWrites:
    """Writes the game with number `game` by `writer`.

    `epoch_ms` is the wall clock, in milliseconds since 1970, at the moment that the runner calls 0: the
    journal notes it, nothing else reads it.
    """

    def __init__(self, writer: JournalWriter, game: int, epoch_ms: int) -> None:
        self._writer = writer
        self._game = game
        self._epoch_ms = epoch_ms
        self._pending: _PendingRuling | None = None
        self._noted: WriteReceipt | None = None
        """The last note, until it is durable."""
        self._ending: WriteReceipt | None = None
        """The end of the game, being written: until it is durable no record is whole."""
        self._troubles: list[tuple[str, str]] = []
        self._failure = ""
        self.is_broken = False
        """Whether something could not be written: from then on nothing is."""
        self.retry_due: Micros | None = None
        """When to look again whether anything can be written."""
        self.write_block = WriteBlocked()
        """What is waited for before anything can be written."""
        self.is_writing_ruling = False
        """Whether a ruling is being written."""
        self.is_writing_end = False
        """Whether the end of the game is being written."""
        self.is_judging_held = False
        """Whether hands are not judged: something is being written, can't be just now, or can't any more."""
        self.is_idle = True
        """Whether nothing is being written and nothing waits: then nothing comes of a look at the journal."""

    def _update_flags(self) -> None:
        self.is_writing_ruling, self.is_writing_end = self._pending is not None, self._ending is not None
        self.is_judging_held = self.is_writing_ruling or self.is_broken or bool(self.write_block)
        self.is_idle = not (self.is_judging_held or self.is_writing_end or self._noted is not None)

    def write(self, ruling: Ruling, now: Micros) -> None:
        """Begin to write an accepted action with its public events; `take_durable_ruling` says when it is
        durable."""
        action = ruling.action
        public = [event.json() for event in ruling.events if event.audience is None]
        receipt = self._writer.write_entry(
            self._game,
            kind="action",
            seat=action.seat,
            text=str(action),
            secret=action.secret,
            events=public,
            at_ms=self._wall_clock_ms(now),
        )
        self._pending = _PendingRuling(ruling, receipt)
        self._update_flags()

    def note(self, seat: Seat, text: str, now: Micros, *, secret: bool = False) -> None:
        """Note what is no action; sealed, if it is a secret."""
        self._noted = self._writer.write_entry(
            self._game,
            kind="note",
            seat=seat,
            text=text,
            secret=secret,
            events=(),
            at_ms=self._wall_clock_ms(now),
        )
        self._update_flags()

    def finish(self, outcome: Outcome, now: Micros) -> None:
        """Begin to write the end of the game."""
        self._ending = self._writer.finish_game(self._game, outcome, self._wall_clock_ms(now))
        self._update_flags()

    def take_durable_ruling(self) -> Ruling | None:
        """The ruling that holds from now on: the one being written, if it has just become durable."""
        pending = self._pending
        if pending is None or not pending.receipt.is_done():
            return None
        self._pending = None
        durable = self._confirm_durable(pending.receipt)
        self._update_flags()
        if not durable:
            return None
        entry = pending.receipt.wait_result()
        return pending.ruling._replace(commitment=None if entry is None else entry.commitment)

    def settle_ending(self) -> None:
        """Notice that the end of the game has become durable; where that failed it stays unwritten."""
        if self._ending is not None and self._ending.is_done() and self._confirm_durable(self._ending):
            self._ending = None
        self._update_flags()

    def check_writable(self, now: Micros) -> bool:
        """Look whether anything can be written just now; whether that has changed."""
        if self._noted is not None and self._noted.is_done():
            self._noted = None
        before, self.write_block = self.write_block, self._writer.blocking_reason()
        self.retry_due = now + RETRY_INTERVAL_US if self.write_block else None
        self._update_flags()
        if self.is_broken or bool(self.write_block) == bool(before):
            return False
        self._troubles.append(self.trouble or ("journal-back", ""))
        return True

    @property
    def trouble(self) -> tuple[str, str] | None:
        """Why the game stands still, if it does: a code of `trouble_message`, and what the disk says."""
        if self.is_broken:
            return "journal", self._failure
        if self.write_block:
            return (
                "journal-room" if self.write_block.condition == "room" else "journal-waits",
                self.write_block.text,
            )
        return None

    def take_troubles(self) -> list[tuple[str, str]]:
        """What is to be told of the journal (codes of `trouble_message`, and what the disk says), once."""
        troubles, self._troubles = self._troubles, []
        return troubles

    def _confirm_durable(self, receipt: WriteReceipt) -> bool:
        try:
            receipt.wait_result()
        except JournalError as error:
            if not self.is_broken:
                self.is_broken = True
                self._failure = error.text
                self._troubles.append(("journal", error.text))
            return False
        return True

    def _wall_clock_ms(self, now: Micros) -> int:
        return self._epoch_ms + now // MS
