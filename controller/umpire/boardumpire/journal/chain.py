"""The chain that a journal's records hang on: each has its number and a hash of all up to itself. Pure.

A record is a game's beginning, an entry, a game's end, or what was found lost. Its body is all that is stored
of it, as it is stored: what is sealed stays sealed. Whoever holds one record with the hash before it can tell
whether a single byte of it was changed; whoever holds the last hash, whether anything before it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

GENESIS = "0" * 64
"""What stands for the hash before the first record."""

GAME, ENTRY, ENDING, LOSS = "game", "entry", "ending", "loss"
"""What a record is: the first word of its body."""


class ChainRecord(NamedTuple):
    """One record in its place."""

    nth: int
    """From 1 on, without gaps."""
    former: str
    """The hash of the record before."""
    hash: str
    """SHA-256, in hexadecimal, of the former hash, the number and the body, each on a line."""
    body: str
    """A JSON array: what it is, the game's number, the entry's (0 for what is none), the actions of that game
    up to here, and then the columns of its table."""

    def __repr__(self) -> str:
        return f"Link({self.nth})"

    def line(self) -> bytes:
        """As it stands in the second copy."""
        return f"{self.nth} {self.former} {self.hash} {self.body}\n".encode("ascii")

    def holds(self) -> bool:
        """Whether the body is what the hash was made of."""
        return self.hash == digest(self.former, self.nth, self.body)

    def fields(self) -> list[Any]:
        """The body, read."""
        fields: list[Any] = json.loads(self.body)
        return fields


def body(what: str, number: int, seq: int, actions: int, *columns: object) -> str:
    """The body of a record; one text for the same data always, in ASCII and without a line end."""
    return json.dumps([what, number, seq, actions, *columns], separators=(",", ":"))


def digest(former: str, nth: int, body_: str) -> str:
    """The hash of a record."""
    return hashlib.sha256(f"{former}\n{nth}\n{body_}".encode("ascii")).hexdigest()


def follow(before: ChainRecord | None, body_: str) -> ChainRecord:
    """The link that hangs `body_` behind `before`; `None`: as the first."""
    nth, former = (1, GENESIS) if before is None else (before.nth + 1, before.hash)
    return ChainRecord(nth, former, digest(former, nth, body_), body_)


def chained(bodies: Iterable[str]) -> Iterator[ChainRecord]:
    """The links of these bodies, in their order."""
    last: ChainRecord | None = None
    for each in bodies:
        last = follow(last, each)
        yield last


def parse(line: bytes) -> ChainRecord | None:
    """The link of a whole line; `None` where it doesn't prove itself."""
    words = line.removesuffix(b"\n").split(b" ", 3)
    if len(words) != 4 or not line.endswith(b"\n") or not words[0].isdigit() or len(words[0]) > 15:
        return None
    try:
        nth, former, hash_, text = (word.decode("ascii") for word in words)
    except UnicodeDecodeError:
        return None
    link = ChainRecord(int(nth), former, hash_, text)
    return link if link.holds() and link.line() == line else None
