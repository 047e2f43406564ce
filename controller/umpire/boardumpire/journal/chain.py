"""The hash chain of a journal: each record has a position and a hash of itself and of all before it. Pure.

A record is a game's beginning, an entry, a game's end, or what was found lost. Its body is all that is stored
of it, as it is stored: what is sealed stays sealed. Whoever holds one record with the hash before it can tell
whether a single byte of it was changed; whoever holds the last hash, whether anything before it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

GENESIS_HASH = "0" * 64
"""What stands for the hash before the first record."""

GAME_RECORD, ENTRY_RECORD, ENDING_RECORD, LOSS_RECORD = "game", "entry", "ending", "loss"
"""What a record is: the first word of its body."""


class ChainRecord(NamedTuple):
    """A record at its position in the chain."""

    position: int
    """From 1 on, without gaps."""
    previous_hash: str
    """The hash of the record before."""
    hash: str
    """SHA-256, in hexadecimal, of the former hash, the number and the body, each on a line."""
    body: str
    """A JSON array: what it is, the game's number, the entry's (0 for what is none), the actions of that game
    up to here, and then the columns of its table."""

    def __repr__(self) -> str:
        return f"Link({self.position})"

    def to_line(self) -> bytes:
        """The line of this record in the mirror file."""
        return f"{self.position} {self.previous_hash} {self.hash} {self.body}\n".encode("ascii")

    def is_intact(self) -> bool:
        """Whether the hash is that of the body."""
        return self.hash == record_hash(self.previous_hash, self.position, self.body)

    def decode_body(self) -> list[Any]:
        """The fields of the body, from JSON."""
        fields: list[Any] = json.loads(self.body)
        return fields


def encode_body(what: str, number: int, seq: int, actions: int, *columns: object) -> str:
    """The body of a record; one text for the same data always, in ASCII and without a line end."""
    return json.dumps([what, number, seq, actions, *columns], separators=(",", ":"))


def record_hash(previous_hash: str, position: int, body_: str) -> str:
    """The SHA-256 of a record, in hexadecimal."""
    return hashlib.sha256(f"{previous_hash}\n{position}\n{body_}".encode("ascii")).hexdigest()


def next_record(previous: ChainRecord | None, body_: str) -> ChainRecord:
    """The link that hangs `body_` behind `previous`; `None`: as the first."""
    nth, former = (1, GENESIS_HASH) if previous is None else (previous.position + 1, previous.hash)
    return ChainRecord(nth, former, record_hash(former, nth, body_), body_)


def build_chain(bodies: Iterable[str]) -> Iterator[ChainRecord]:
    """The chain of records that these bodies make, in order."""
    last: ChainRecord | None = None
    for each in bodies:
        last = next_record(last, each)
        yield last


def parse(line: bytes) -> ChainRecord | None:
    """The record of a line of the mirror file; `None` where its hash is wrong."""
    words = line.removesuffix(b"\n").split(b" ", 3)
    if len(words) != 4 or not line.endswith(b"\n") or not words[0].isdigit() or len(words[0]) > 15:
        return None
    try:
        nth, former, hash_, text = (word.decode("ascii") for word in words)
    except UnicodeDecodeError:
        return None
    link = ChainRecord(int(nth), former, hash_, text)
    return link if link.is_intact() and link.to_line() == line else None
