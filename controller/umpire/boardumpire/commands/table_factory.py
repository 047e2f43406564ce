"""What commands outside the daemon are handed to make tables with: simulators never import the daemon."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import boardrules
from boardrules.core import OptionError
from boardumpire.errors import ConfigError, JournalError
from boardumpire.journal import mirror, store_file
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import BoardKey, load_or_make_key
from boardumpire.ruling.dice import SYSTEM_DICE, UMPIRE, Dice, make_dice
from boardumpire.service.config import ClockSection, TrackerSection
from boardumpire.table.opening import NewGameSettings, open_table
from boardumpire.table.table import Table
from boardumpire.table.table_board import FurtherBoard
from boardumpire.tags import tag_roster
from boardumpire.tracking.timing import TrackerTiming
from boardware.description import load_board
from boardware.ports import MS, SECOND, Micros, Ports


def tracker_timing(section: TrackerSection) -> TrackerTiming:
    """The tracker's patience in microseconds."""
    return TrackerTiming(
        settle=section.settle_ms * MS,
        lifted=section.lifted_ms * MS,
        slides=section.slides,
        slide=section.slide_ms * MS,
        straight=section.straight_ms * MS,
        touch=section.touch_ms * MS,
        tap=section.tap_ms * MS,
        capture=section.capture_ms * MS,
        attack=section.attack,
        hold=section.hold_ms * MS,
        away=section.away_s * SECOND,
        ask=section.ask_s * SECOND,
        ask_where=section.ask_where_s * SECOND,
        adjourn=section.adjourn_s * SECOND,
        remind=section.remind_s * SECOND,
        touch_move=section.touch_move,
        runs_ahead=section.runs_ahead,
        limited=True,
    )


class TableFactory:
    """Opens tables, each over a journal of its own or in memory.

    A table that is dropped without a word, as by a power cut, leaves its journal open; whoever opens the same
    journal next closes it first, as the kernel does for a process that was killed.
    """

    def __init__(self, open_: Callable[..., Table] = open_table, dice: Dice = SYSTEM_DICE) -> None:
        """`open_` opens each table, given what `open_table` is given; `dice` are the umpire's."""
        self._open = open_
        self._dice = dice
        self._left_open: dict[Path, weakref.finalize[[], Table]] = {}

    def traced(self, begin: Callable[[], Callable[[str], object]], sensors: str) -> TableFactory:
        """A factory whose tables write traces, their secrets in the open: for players who hide nothing.

        `begin` is called for each table; what it returns takes the trace line by line. `sensors` is what the
        trace says of where it comes from.
        """
        from boardumpire.makers.traces.recorder import TraceRecorder
        from boardumpire.makers.traces.tracing import open_traced_table

        def open_(**given: Any) -> Table:
            return open_traced_table(**given, recorder=TraceRecorder(begin(), open_=True), sensors=sensors)

        return TableFactory(open_, self._dice)

    def with_dice(self, dice: Dice) -> TableFactory:
        """A factory whose tables' umpire throws these dice and deals by them."""
        return TableFactory(self._open, dice)

    def __call__(
        self,
        board_name: str,
        game: str,
        options: Mapping[str, Any],
        ports: Ports,
        journal: Path | None,
        settings: Mapping[str, Any],
        now: Micros,
        enrolled: str = "",
        further: Sequence[Any] = (),
    ) -> Table:
        """Begin `game`, or go on with the unfinished one of `journal`; turned once at `now`.

        `settings` are keys of the configuration's section `tracker`, `dice` and `players` of `game`, `clock`,
        the keys of that section, and `limited` as in `TrackerTiming`; `enrolled` is a list of tags, as
        `boardumpire tags export` writes it; `further` are boards beside the first one, each with `name`,
        `board`, `ports` and `home` as in `FurtherBoard`. The key of a journal lies in the directory `key`
        beside it. Raises `BoardumpireError` and `BoardFileError`.
        """
        if journal in self._left_open:
            self._left_open.pop(journal)()
        tracker = dict(settings)
        try:
            terms = ClockSection(**tracker.pop("clock", {})).to_terms()
            dice = make_dice(tracker.pop("dice", UMPIRE), self._dice)
            limited, people = tracker.pop("limited", True), tracker.pop("players", {})
            patience = tracker_timing(TrackerSection(**tracker))._replace(limited=limited)
        except TypeError as error:
            raise ConfigError(f"[tracker] {error}") from None
        board = load_board(board_name)
        roster = (
            tag_roster.parse(enrolled, tag_roster.hand_set_armies(board.games), "tags")
            if enrolled
            else tag_roster.TagRoster()
        )
        others = {}
        if further:  # what opens tables with one board alone needs not know of several
            others["further"] = [
                FurtherBoard(each.name, load_board(each.board), each.ports, each.home) for each in further
            ]
        key = BoardKey.random() if journal is None else _load_key_beside(journal)
        store = Store.open(journal, key)
        try:
            table = self._open(
                board=board,
                wanted=NewGameSettings(game, options, terms, people),
                ports=ports,
                store=store,
                now=now,
                wall_ms=now // MS,
                timing=patience,
                roster=roster,
                dice=dice,
                **others,
            )
        except (OptionError, boardrules.UnknownGame) as error:
            store.close()
            raise ConfigError(f"[game] {error}") from None
        except BaseException:
            store.close()
            raise
        closing = weakref.finalize(table, store.close)
        if journal is not None:
            self._left_open[journal] = closing
        return table


def _load_key_beside(journal: Path) -> BoardKey:
    """The key of a journal, made now if there is none, but not beside a journal that would be refused."""
    if not journal.parent.is_dir():
        raise JournalError(f"{journal}: no directory {journal.parent}; make it, or name another one")
    if journal.exists() and not mirror.mirror_path(journal).exists():
        store_file.check_is_journal(journal)
    return load_or_make_key(journal.parent / "key" / "board.key")
