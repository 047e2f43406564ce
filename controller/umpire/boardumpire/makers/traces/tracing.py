"""Writes a trace while a table is played at: notes its turns, what comes in and what goes out."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from boardrules import registry
from boardrules.core import BadText, Seat
from boardumpire.journal.journal import Store
from boardumpire.journal.writer import JournalWriter, SyncJournalWriter
from boardumpire.makers.traces import trace
from boardumpire.makers.traces.recorder import TraceRecorder
from boardumpire.makers.traces.traced_ports import TracedJournalWriter, TracedTags, trace_ports
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.ruling.dice import SYSTEM_DICE, Dice, RealDice
from boardumpire.table.opening import NewGameSettings, game_to_continue, open_table, opening_notes
from boardumpire.table.table import Table
from boardumpire.tags.tag_roster import TagRoster
from boardumpire.tracking.timing import TrackerTiming
from boardware.parts import BoardDescription
from boardware.ports import Micros, Ports

COMMITMENT_KEY = "commitment"
"""What is told and not traced: it hangs on a salt that is drawn anew each time."""
_PUBLIC_WORDS = ("yes", "no", "by-hand", "by-reed", "adjourn")
"""What seats say that is about no piece of theirs."""


class TracedTable(Table):
    """A table that notes its turns, what seats say, and what everybody is told."""

    def __init__(self, *args: Any, recorder: TraceRecorder, real: Ports) -> None:
        super().__init__(*args)
        self._recorder = recorder
        self._real = real
        self._wanted: Micros | None = None
        self._held: list[SeatMessage] = []
        self._answered = False
        """Whether a seat has spoken since the last turn: what comes of it goes out with the next."""

    def step(self, now: Micros) -> Micros | None:
        """As every table."""
        recorder = self._recorder
        recorder.begin_moment(now)
        due = self._wanted is not None and now >= self._wanted
        self._wanted = super().step(now)
        for message in super().take_messages():
            self._held.append(message)
            if message.seat is None:
                data = {key: value for key, value in message.data.items() if key != COMMITMENT_KEY}
                recorder.add_line(f"told {json.dumps([message.kind, data])}")
        recorder.end_moment("turn", now, matters=due or self._answered)
        self._answered = False
        if self.is_over:
            recorder.write_secrets()
        tags = None if self._real.tags is None else self._real.tags.due()
        times = (self._wanted, self._real.lamps.due(), tags)
        return min((time for time in times if time is not None), default=None)

    def take_messages(self) -> list[SeatMessage]:
        """As every table."""
        taken, self._held = self._held, []
        return taken

    def say(self, seat: Seat, text: str, now: Micros) -> None:
        """As every table. What may be a secret is hidden."""
        self._answered = True
        shown = text if self._is_public(seat, text) else self._recorder.add_secret(text)
        try:
            super().say(seat, text, now)
        finally:
            self._recorder.end_moment(f"said {seat} {shown}", now, matters=True)
            self._recorder.write_open_secrets()

    def _is_public(self, seat: Seat, text: str) -> bool:
        """Whether everybody may read it: words that are no action, however near, may hold a secret."""
        if text.split(" ", 1)[0] in _PUBLIC_WORDS:
            return True
        try:
            return seat in self.seats and not self._state.parse(text, seat).secret
        except BadText:
            return False


def open_traced_table(
    *,
    board: BoardDescription,
    wanted: NewGameSettings,
    ports: Ports,
    store: Store,
    now: Micros,
    wall_ms: int,
    timing: TrackerTiming | None = None,
    writer: Callable[[Store], JournalWriter] = SyncJournalWriter,
    roster: TagRoster = TagRoster(),  # noqa: B008 - immutable
    dice: Dice = SYSTEM_DICE,
    begin: bool = True,
    recorder: TraceRecorder,
    sensors: str,
) -> Table:
    """Open a table with everything noted by `recorder`; `sensors` is the name of their driver."""
    # A finger may begin to push pieces at any moment, and a trace has no line for it: so patient at once.
    timing = (timing or TrackerTiming())._replace(slides=True)
    noted = trace_ports(ports, recorder, roster)
    pieces = noted.tags.roster if isinstance(noted.tags, TracedTags) else {}
    _write_head(
        board,
        wanted,
        store,
        timing,
        recorder,
        sensors,
        pieces,
        real_dice=isinstance(dice, RealDice),
        begin=begin,
    )
    return open_table(
        board=board,
        wanted=wanted,
        ports=noted,
        store=store,
        now=now,
        wall_ms=wall_ms,
        timing=timing,
        writer=lambda store: TracedJournalWriter(writer(store), recorder),
        make=partial(TracedTable, recorder=recorder, real=ports),
        roster=roster,
        dice=_traced_dice(dice, recorder),
        begin=begin,
    )


def _traced_dice(dice: Dice, recorder: TraceRecorder) -> Dice:
    """Dice that write down what they show."""

    def throw(weights: Sequence[int]) -> int:
        shown = dice(weights)
        recorder.add_line(f"thrown {shown}")
        return shown

    return RealDice(throw) if isinstance(dice, RealDice) else throw


def _write_head(
    board: BoardDescription,
    wanted: NewGameSettings,
    store: Store,
    timing: TrackerTiming,
    recorder: TraceRecorder,
    sensors: str,
    pieces: dict[int, tuple[Seat, str]],
    *,
    real_dice: bool,
    begin: bool,
) -> None:
    """Write the head, with the entries of the game that the journal goes on with."""
    game, options = wanted.game, wanted.options
    before = []
    header = game_to_continue(store, board, wanted, begin=begin)
    if header is not None:
        game, options = header.game, header.options
        for entry in store.entries(header.number):
            text = recorder.add_secret(entry.text) if entry.secret else entry.text
            before.append(
                {
                    "kind": entry.kind,
                    "seat": entry.seat,
                    "text": text,
                    "events": json.loads(entry.public_events),
                }
            )
    else:  # the first entries of a game that is about to begin
        for text in opening_notes(wanted, registry.new(game, options).seats):
            before.append({"kind": "note", "seat": "", "text": text, "events": []})
    listed = recorder.add_secret(json.dumps(pieces)) if pieces else None
    head = trace.header_lines(
        board.id, game, options, timing, sensors, tuple(before), listed, real_dice=real_dice
    )
    recorder.write_lines(*head)
    recorder.write_open_secrets()
