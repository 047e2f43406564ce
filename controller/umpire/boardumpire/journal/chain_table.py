"""The table `chain` of the database: a row for each record, whose body stands in rows of other tables."""

from __future__ import annotations

import base64
import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple

from boardumpire.journal import chain
from boardumpire.journal.chain import ENDING_RECORD, ENTRY_RECORD, GAME_RECORD, LOSS_RECORD, ChainRecord

READ_ERRORS = (sqlite3.Error, ValueError, TypeError, MemoryError, OverflowError, KeyError)
"""What reading a damaged database may raise."""


class ChainRow(NamedTuple):
    """A row of the table `chain`: the kind of the record at that position, and its hash."""

    position: int
    hash: str
    what: str
    number: int
    seq: int
    actions: int


def entry_body(number: int, seq: int, actions: int, columns: tuple[Any, ...]) -> str:
    """The body of an entry; `columns` as `_ENTRY_COLUMNS` has them."""
    kind, seat, text, sealed, commitment, public, at_ms = columns
    box = None if sealed is None else base64.b64encode(sealed).decode()
    return chain.encode_body(
        ENTRY_RECORD, number, seq, actions, kind, seat, text, box, commitment, public, at_ms
    )


_ENTRY_COLUMNS = "kind, seat, text, sealed, commitment, public, at_ms"
_SELECT_ROWS = "SELECT count, hash, what, number, seq, actions FROM chain"
_BODY_QUERIES = {
    GAME_RECORD: "SELECT game, options, board, begun_ms FROM games WHERE number = :number",
    ENTRY_RECORD: f"SELECT {_ENTRY_COLUMNS} FROM entries WHERE number = :number AND seq = :seq",
    ENDING_RECORD: "SELECT winner, reason, at_ms FROM endings WHERE number = :number",
    LOSS_RECORD: "SELECT first, last, sure FROM losses WHERE count = :position",
}


def read_body(connection: sqlite3.Connection, place: ChainRow) -> str:
    """The body of a record. Raises one of `READ_ERRORS` where it is damaged or not there."""
    row = connection.execute(_BODY_QUERIES[place.what], place._asdict()).fetchone()
    if row is None:
        raise KeyError(f"no {place.what}")
    if place.what == ENTRY_RECORD:
        return entry_body(place.number, place.seq, place.actions, row)
    if place.what == ENDING_RECORD:
        row = (*row, read_openings(connection, place.number))
    return chain.encode_body(place.what, place.number, place.seq, place.actions, *row)


def read_openings(connection: sqlite3.Connection, number: int) -> list[tuple[int, str, str]]:
    """The opened secrets of a finished game."""
    return connection.execute(
        "SELECT seq, salt, text FROM openings WHERE number = ? ORDER BY seq", (number,)
    ).fetchall()


def read_records(connection: sqlite3.Connection) -> Iterator[ChainRecord]:
    """All records in order, each with the hash that stands beside it and the one that stands before it.

    Raises one of `READ_ERRORS` where it can't go on.
    """
    former = chain.GENESIS_HASH
    for row in connection.execute(_SELECT_ROWS + " ORDER BY count"):
        place = ChainRow(*row)
        yield ChainRecord(place.position, former, place.hash, read_body(connection, place))
        former = place.hash


def read_chain_rows(connection: sqlite3.Connection, last_position: int) -> dict[int, ChainRow]:
    """What can be read of `chain`: all of it, or where that breaks off, row by row up to number
    `last_position`."""
    try:
        return {row[0]: ChainRow(*row) for row in connection.execute(_SELECT_ROWS)}
    except READ_ERRORS:
        pass
    found: dict[int, ChainRow] = {}
    for nth in range(1, last_position + 1):
        try:
            row = connection.execute(_SELECT_ROWS + " WHERE count = ?", (nth,)).fetchone()
        except READ_ERRORS:
            continue
        if row is not None:
            found[nth] = ChainRow(*row)
    return found


def intact_records(connection: sqlite3.Connection, known: dict[int, ChainRow]) -> Iterator[ChainRecord]:
    """The records of a damaged database whose hashes are right."""
    for nth, place in known.items():
        former = chain.GENESIS_HASH if nth == 1 else getattr(known.get(nth - 1), "hash", None)
        try:
            link = ChainRecord(nth, former, place.hash, read_body(connection, place)) if former else None
            if link is not None and link.is_intact():
                yield link
        except READ_ERRORS:
            continue


def insert_record(connection: sqlite3.Connection, link: ChainRecord) -> None:
    """Store a record, within the caller's transaction."""
    what, number, seq, actions, *columns = link.decode_body()
    connection.execute(
        "INSERT INTO chain VALUES (?, ?, ?, ?, ?, ?)", (link.position, link.hash, what, number, seq, actions)
    )
    if what == GAME_RECORD:
        connection.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", (number, *columns))
    elif what == ENTRY_RECORD:
        kind, seat, text, box, *rest = columns
        sealed = None if box is None else base64.b64decode(box)
        connection.execute(
            "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (number, seq, kind, seat, text, sealed, *rest),
        )
    elif what == ENDING_RECORD:
        *ended, opened = columns
        connection.execute("INSERT INTO endings VALUES (?, ?, ?, ?)", (number, *ended))
        for part in opened:
            connection.execute("INSERT INTO openings VALUES (?, ?, ?, ?)", (number, *part))
    else:
        connection.execute("INSERT INTO losses VALUES (?, ?, ?, ?, ?)", (link.position, number, *columns))
