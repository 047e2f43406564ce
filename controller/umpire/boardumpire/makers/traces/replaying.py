"""Replays a trace: the same moments, over ports that hand over what the trace holds, and nothing else."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import boardrules
from boardrules.core import OptionError
from boardumpire.errors import BoardumpireError, SeatError
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import BoardKey
from boardumpire.makers.traces import traced_guide
from boardumpire.makers.traces.recorder import TraceRecorder
from boardumpire.makers.traces.replayed_ports import (
    ReplayedConsole,
    ReplayedDice,
    ReplayedInputs,
    ReplayedJournalWriter,
    ReplayedLamps,
    ReplayedSensors,
    ReplayedTags,
    tag_of_number,
)
from boardumpire.makers.traces.trace import Trace, significant_lines
from boardumpire.makers.traces.tracing import open_traced_table
from boardumpire.ruling.dice import RealDice
from boardumpire.table.opening import NewGameSettings
from boardumpire.table.table import Table
from boardumpire.tags.tag_roster import TagRoster
from boardware.description import load_board
from boardware.parts import BoardDescription
from boardware.ports import Ports


def replay(trace: Trace, board: BoardDescription | None = None) -> str:
    """What the umpire makes of a trace today, as a trace: equal to what was read if nothing changed.

    `board` is the one to replay on; without it, it is the board file beside the trace, or the shipped board,
    that has the id in its head. Raises `TraceError`, `BoardumpireError` and `BoardFileError`.
    """
    board = board or board_of_trace(trace)
    return (
        traced_guide.replay_measurement(trace, board)[1] if trace.check_name else _Replay(trace, board).run()
    )


def board_of_trace(trace: Trace) -> BoardDescription:
    """The board of a trace. Raises `BoardFileError`."""
    beside = Path(trace.name).with_name(f"{trace.board}.toml")
    return load_board(beside if beside.is_file() else trace.board)


def first_difference(read: str, replayed: str) -> str | None:
    """The first line in which a replay differs from the trace it replayed; `None` if none does.

    Heads are not compared: what a later version can be told beside has its default where a trace is older.
    """
    ours, theirs = _lines_below_head(read), [line for _, line in _lines_below_head(replayed)]
    for place, (number, line) in enumerate(ours):
        found = theirs[place] if place < len(theirs) else "nothing"
        if line != found:
            return f"line {number}: the trace has {line!r}, the replay {found!r}"
    if len(theirs) > len(ours):
        return f"behind the last line: the replay has {theirs[len(ours)]!r} too"
    return None


def _lines_below_head(text: str) -> list[tuple[int, str]]:
    lines = list(significant_lines(text))
    words = [line for _, line in lines]
    return lines[words.index("moments") :] if "moments" in words else lines


class _Replay:
    def __init__(self, trace: Trace, board: BoardDescription) -> None:
        if not trace.moments:
            raise trace.error_at(1, "no moments", "at least the first turn")
        self._trace = trace
        self._board = board
        self._inputs = ReplayedInputs(trace)
        self._out: list[str] = []
        # Secrets were told at the end of the game, or at once: the replay writes them where the trace does.
        self._enrolled = self._parse_roster()
        order = sorted((tag for tag, _ in self._enrolled), key=lambda tag: tag.uid)
        self._recorder = TraceRecorder(self._out.append, every=True, open_=trace.secrets_open, order=order)

    def run(self) -> str:
        with contextlib.closing(Store.open(None, BoardKey.random())) as store:
            table = self._open_table(store)
            for moment in self._trace.moments[1:]:
                self._inputs.begin_moment(moment)
                if moment.seat is None:
                    table.step(moment.at)
                    table.take_messages()
                else:
                    text = self._trace.resolve_secret(moment.text, moment.line)
                    with contextlib.suppress(SeatError):
                        table.say(moment.seat, text, moment.at)
        return "".join(self._out)

    def _open_table(self, store: Store) -> Table:
        trace, inputs = self._trace, self._inputs
        inputs.begin_moment(trace.moments[0])
        try:
            self._write_earlier_entries(store)
            table = open_traced_table(
                board=self._board,
                wanted=NewGameSettings(trace.game, trace.options),
                ports=Ports(
                    ReplayedSensors(inputs, self._board),
                    ReplayedLamps(inputs),
                    ReplayedConsole(inputs),
                    ReplayedTags(inputs) if trace.roster else None,
                ),
                roster=self._enrolled,
                dice=RealDice(ReplayedDice(inputs)) if trace.real_dice else ReplayedDice(inputs),
                store=store,
                now=trace.moments[0].at,
                wall_ms=0,
                timing=trace.timing,
                writer=lambda store: ReplayedJournalWriter(store, inputs),
                recorder=self._recorder,
                sensors=trace.sensors,
            )
        except (OptionError, boardrules.UnknownGame) as error:
            raise BoardumpireError(f"{trace.name}: {error}") from None
        table.take_messages()
        return table

    def _parse_roster(self) -> TagRoster:
        trace = self._trace
        pieces = json.loads(trace.resolve_secret(trace.roster, 1)) if trace.roster else {}
        return TagRoster(
            {tag_of_number(int(number)): (seat, label) for number, (seat, label) in pieces.items()}
        )

    def _write_earlier_entries(self, store: Store) -> None:
        """Write the entries of the game that had begun before."""
        trace = self._trace
        if not trace.earlier_entries:
            return
        number = store.begin_game(trace.game, trace.options, self._board.id, 0)
        for entry in trace.earlier_entries:
            secret = entry["text"].startswith("*")
            store.append_entry(
                number,
                kind=entry["kind"],
                seat=entry["seat"],
                text=trace.resolve_secret(entry["text"], 1),
                secret=secret,
                events=entry["events"],
                at_ms=0,
            )
