"""How the database holds the chain: each record has a row of `chain`, its body rows of other tables."""

from __future__ import annotations

import base64
import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple

from boardumpire.journal import chain
from boardumpire.journal.chain import ENDING, ENTRY, GAME, LOSS, ChainRecord

UNREADABLE = (sqlite3.Error, ValueError, TypeError, MemoryError, OverflowError, KeyError)
"""What reading a damaged database may raise."""


class ChainRow(NamedTuple):
    """A row of `chain`: which record has that number, and the hash that it should have."""

    nth: int
    hash: str
    what: str
    number: int
    seq: int
    actions: int


def entry_body(number: int, seq: int, actions: int, columns: tuple[Any, ...]) -> str:
    """The body of an entry; `columns` as `_COLUMNS` has them."""
    kind, seat, text, sealed, commitment, public, at_ms = columns
    box = None if sealed is None else base64.b64encode(sealed).decode()
    return chain.body(ENTRY, number, seq, actions, kind, seat, text, box, commitment, public, at_ms)


_COLUMNS = "kind, seat, text, sealed, commitment, public, at_ms"
_PLACES = "SELECT count, hash, what, number, seq, actions FROM chain"
_TABLES = {
    GAME: "SELECT game, options, board, begun_ms FROM games WHERE number = :number",
    ENTRY: f"SELECT {_COLUMNS} FROM entries WHERE number = :number AND seq = :seq",
    ENDING: "SELECT winner, reason, at_ms FROM endings WHERE number = :number",
    LOSS: "SELECT first, last, sure FROM losses WHERE count = :nth",
}


def body_of(connection: sqlite3.Connection, place: ChainRow) -> str:
    """The body of a record. Raises one of `UNREADABLE` where it is damaged or not there."""
    row = connection.execute(_TABLES[place.what], place._asdict()).fetchone()
    if row is None:
        raise KeyError(f"no {place.what}")
    if place.what == ENTRY:
        return entry_body(place.number, place.seq, place.actions, row)
    if place.what == ENDING:
        row = (*row, openings(connection, place.number))
    return chain.body(place.what, place.number, place.seq, place.actions, *row)


def openings(connection: sqlite3.Connection, number: int) -> list[tuple[int, str, str]]:
    """What the seals of a finished game held."""
    return connection.execute(
        "SELECT seq, salt, text FROM openings WHERE number = ? ORDER BY seq", (number,)
    ).fetchall()


def links(connection: sqlite3.Connection) -> Iterator[ChainRecord]:
    """All records in order, each with the hash that stands beside it and the one that stands before it.

    Raises one of `UNREADABLE` where it can't go on.
    """
    former = chain.GENESIS
    for row in connection.execute(_PLACES + " ORDER BY count"):
        place = ChainRow(*row)
        yield ChainRecord(place.nth, former, place.hash, body_of(connection, place))
        former = place.hash


def places(connection: sqlite3.Connection, most: int) -> dict[int, ChainRow]:
    """What can be read of `chain`: all of it, or where that breaks off, row by row up to number `most`."""
    try:
        return {row[0]: ChainRow(*row) for row in connection.execute(_PLACES)}
    except UNREADABLE:
        pass
    found: dict[int, ChainRow] = {}
    for nth in range(1, most + 1):
        try:
            row = connection.execute(_PLACES + " WHERE count = ?", (nth,)).fetchone()
        except UNREADABLE:
            continue
        if row is not None:
            found[nth] = ChainRow(*row)
    return found


def proved(connection: sqlite3.Connection, known: dict[int, ChainRow]) -> Iterator[ChainRecord]:
    """Those records of a damaged database that prove themselves."""
    for nth, place in known.items():
        former = chain.GENESIS if nth == 1 else getattr(known.get(nth - 1), "hash", None)
        try:
            link = ChainRecord(nth, former, place.hash, body_of(connection, place)) if former else None
            if link is not None and link.holds():
                yield link
        except UNREADABLE:
            continue


def insert(connection: sqlite3.Connection, link: ChainRecord) -> None:
    """Store a record, in a transaction of the caller's."""
    what, number, seq, actions, *columns = link.fields()
    connection.execute(
        "INSERT INTO chain VALUES (?, ?, ?, ?, ?, ?)", (link.nth, link.hash, what, number, seq, actions)
    )
    if what == GAME:
        connection.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", (number, *columns))
    elif what == ENTRY:
        kind, seat, text, box, *rest = columns
        sealed = None if box is None else base64.b64decode(box)
        connection.execute(
            "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (number, seq, kind, seat, text, sealed, *rest),
        )
    elif what == ENDING:
        *ended, opened = columns
        connection.execute("INSERT INTO endings VALUES (?, ?, ?, ?)", (number, *ended))
        for part in opened:
            connection.execute("INSERT INTO openings VALUES (?, ?, ?, ?)", (number, *part))
    else:
        connection.execute("INSERT INTO losses VALUES (?, ?, ?, ?, ?)", (link.nth, number, *columns))
