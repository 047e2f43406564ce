"""A game written down: header lines, then one action a line with its seat, then the result.

    boardumpire-record 1
    game stratego-quick-duel
    option announce "ranks"
    player red Ann
    date 2026-01-31
    actions
    red setup a1=F b1=B ...
    blue setup a8=F ...
    red a3-a4
    result red flag

docs/program/records.md tells the whole format. A record holds its game's secrets.
"""

from boardrules.record.replaying import StateFactory, begin_history, final_state, replay
from boardrules.record.text import parse, parse_all, parse_each
from boardrules.record.writing import record_of, write, write_all
from boardrules.record_types import (
    Record,
    RecordComment,
    RecordedCommitment,
    RecordError,
    ReplayStep,
    StatedResult,
)

__all__ = [
    "Record",
    "RecordComment",
    "RecordError",
    "RecordedCommitment",
    "ReplayStep",
    "StateFactory",
    "StatedResult",
    "begin_history",
    "final_state",
    "parse",
    "parse_all",
    "parse_each",
    "record_of",
    "replay",
    "write",
    "write_all",
]
