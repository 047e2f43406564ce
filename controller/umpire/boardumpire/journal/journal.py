"""The append-only store of games: every action in order, durable before it is announced.

SQLite in write-ahead mode with full synchronisation; one transaction an entry with its public events. The
state of a game is a fold of its entries. Nothing is ever updated or deleted, the tables refuse it: a
take-back appends, the end of a game appends, and so does the opening of its seals. Secret texts are stored
sealed (see `boardumpire.journal.sealing`) with the commitment that everybody may read.

A journal file appears whole or not at all: an empty or truncated one is damage, never a new journal. Its
records hang on a chain of hashes (`chain`), and each stands in a second copy too (`witness`), written inside
its transaction: what damage takes from one of them is mended from the other, or is known to be lost.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from boardrules.core import Outcome, Seat
from boardumpire.errors import JournalError
from boardumpire.journal import chain, chain_table, mirror, schema, store_file, verification
from boardumpire.journal.chain import ENDING_RECORD, GAME_RECORD, ChainRecord
from boardumpire.journal.merge import LostActions
from boardumpire.journal.mirror import JournalMirror
from boardumpire.journal.sealing import BoardKey, OpenedPart, SealedPart, commitment
from boardumpire.journal.verification import VerificationResult


class GameHeader(NamedTuple):
    """One game of the journal. Times are wall-clock milliseconds since 1970, as the caller gave them."""

    number: int
    game: str
    options: dict[str, Any]
    board: str
    begun_ms: int
    outcome: Outcome | None


class JournalEntry(NamedTuple):
    """One entry, decrypted. The `repr` of a secret one is redacted."""

    seq: int
    kind: str
    """`action`, or `note` for what is no action of the game (an attempt that was refused)."""
    seat: Seat
    text: str
    at_ms: int
    public_events: str
    """JSON array of the events that everybody may know."""
    secret: bool = False
    commitment: str | None = None
    """Of a secret one just written: the digest that everybody may note."""

    def __repr__(self) -> str:
        text = "<sealed>" if self.secret else repr(self.text)
        return f"Entry({self.seq}, {self.kind!r}, {self.seat!r}, {text}, {self.at_ms})"


class StoredCommitment(NamedTuple):
    """The commitment to a secret action, and once the game is over its salt and text."""

    seq: int
    seat: Seat
    digest: str
    salt: str | None
    """Hexadecimal; `None` while the game goes on."""
    text: str | None

    def matches(self) -> bool:
        """Whether salt and text have the published digest (`False` while the game goes on)."""
        if self.salt is None or self.text is None:
            return False
        return commitment(bytes.fromhex(self.salt), self.text) == self.digest


class Store:
    """The journal of one board. Every method may be called from any thread; calls take turns."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        key: BoardKey | None,
        where: str,
        lock: int | None = None,
        head: ChainRecord | None = None,
        second: JournalMirror | None = None,
    ) -> None:
        """`head` is the last record of the chain; `second` where each goes beside the database."""
        self._db = connection
        self._key = key
        self._where = where
        self._lock_handle = lock
        self._head = head
        self._mirror = second
        self._pending_record: ChainRecord | None = None
        """The record of the transaction that is open."""
        self._lock = threading.RLock()
        self._was_repaired = False

    @classmethod
    def open(
        cls,
        path: Path | None,
        key: BoardKey,
        *,
        patience_ms: int = store_file.LOCK_TIMEOUT_MS,
    ) -> Store:
        """Open the journal at `path` for writing, made if there is none; `None` is one in memory.

        A newer format is refused, a damaged one mended. One process writes at a time. Raises `JournalError`.
        """
        if path is None:
            with store_file.sqlite_errors_as_journal_errors("journal in memory"):
                connection = store_file.connect(None, "rwc", patience_ms)
                schema.create(connection)
            return cls(connection, key, "journal in memory")
        told = mirror.mirror_path(path)
        if path.exists() and not told.exists():
            store_file.check_is_journal(path)
        lock = store_file.acquire_lock(path)
        try:
            verdict, mended = _create_or_repair(path)
            connection = store_file.open_verified(path, patience_ms)
            with store_file.closed_on_error(connection):
                second = JournalMirror(told, verdict.mirror_size, verdict.mirror_records)
                store = cls(connection, key, str(path), lock, verdict.head, second)
                store._complete_interrupted_write(verdict)
        except BaseException:
            os.close(lock)
            raise
        store._was_repaired = mended
        return store

    @classmethod
    def open_read_only(cls, path: Path, key: BoardKey | None = None) -> Store:
        """Open for reading, also while a daemon writes. Without the key sealed parts stay sealed."""
        store_file.check_is_file(path)
        with store_file.sqlite_errors_as_journal_errors(path):
            connection = store_file.connect(path, "ro", store_file.LOCK_TIMEOUT_MS)
            with store_file.closed_on_error(connection):
                schema.check_version(connection, str(path))
        return cls(connection, key, str(path))

    def close(self) -> None:
        """Close the file. Closing twice is allowed."""
        with self._lock:
            self._db.close()
            if self._mirror is not None:
                self._mirror.close()
                self._mirror = None
            if self._lock_handle is not None:
                os.close(self._lock_handle)
                self._lock_handle = None

    def begin_game(self, game_id: str, options: Mapping[str, Any], board_id: str, at_ms: int) -> int:
        """Record the start of a game, durably. Returns the number of the game."""
        with self._write_transaction():
            number: int = self._query_row("SELECT coalesce(max(number), 0) + 1 FROM games")[0]
            self._append_record(
                chain.encode_body(GAME_RECORD, number, 0, 0, game_id, _json(dict(options)), board_id, at_ms)
            )
        return number

    def append_entry(
        self,
        number: int,
        *,
        kind: str,
        seat: Seat,
        text: str,
        secret: bool,
        events: Sequence[Mapping[str, Any]],
        at_ms: int,
    ) -> JournalEntry:
        """Append one entry with its public `events`, durable when this returns. Raises `JournalError`.

        A secret `text` is sealed; a commitment to it is public from now on.
        """
        public = _json(list(events))
        with self._write_transaction():
            seq: int = self._query_row(
                "SELECT coalesce(max(seq), 0) + 1 FROM entries WHERE number = ?", number
            )[0]
            sealed = self._require_key().seal(text, _seal_place(number, seq, seat)) if secret else None
            told = None if sealed else text
            box, digest = (sealed.ciphertext, sealed.commitment) if sealed else (None, None)
            columns = (kind, seat, told, box, digest, public, at_ms)
            actions = self._count_actions(number) + (kind == "action")
            self._append_record(chain_table.entry_body(number, seq, actions, columns))
        return JournalEntry(seq, kind, seat, text, at_ms, public, secret, digest)

    def finish_game(self, number: int, outcome: Outcome, at_ms: int) -> None:
        """Record the outcome and publish all secrets, in one transaction. Raises `JournalError`."""
        with self._write_transaction():
            sealed = self._db.execute(
                "SELECT seq, seat, sealed, commitment FROM entries "
                "WHERE number = ? AND sealed IS NOT NULL ORDER BY seq",
                (number,),
            ).fetchall()
            told = []
            for seq, seat, box, digest in sealed:
                opened = self._unseal(SealedPart(box, digest), number, seq, seat)
                told.append((seq, opened.salt.hex(), opened.text))
            ended = (outcome.winner, outcome.reason, at_ms, told)
            self._append_record(
                chain.encode_body(ENDING_RECORD, number, 0, self._count_actions(number), *ended)
            )

    def games(self) -> list[GameHeader]:
        """All games in the order they were begun."""
        with self._read_access():
            rows = self._db.execute(_SELECT_HEADERS + " ORDER BY games.number").fetchall()
        return [_header_from_row(row) for row in rows]

    def header(self, number: int) -> GameHeader:
        """One game. Raises `JournalError` if there is none of this number."""
        with self._read_access():
            row = None
            if number.bit_length() < 64:  # SQLite has no longer ones
                row = self._db.execute(_SELECT_HEADERS + " WHERE games.number = ?", (number,)).fetchone()
        if row is None:
            raise JournalError(f"no game {number}; try one that `boardumpire record list` shows", self._where)
        return _header_from_row(row)

    def unfinished_game(self) -> GameHeader | None:
        """The newest game, if it isn't over."""
        games = self.games()
        return games[-1] if games and games[-1].outcome is None else None

    def has_no_actions(self, number: int) -> bool:
        """Whether that game has no action yet."""
        with self._read_access():
            acted = "SELECT 1 FROM entries WHERE number = ? AND kind = 'action' LIMIT 1"
            return self._db.execute(acted, (number,)).fetchone() is None

    def entries(self, number: int) -> list[JournalEntry]:
        """All entries of a game in order, decrypted. Raises `JournalError` or `SealError`."""
        self.header(number)
        with self._read_access():
            rows = self._db.execute(_SELECT_ENTRIES, (number,)).fetchall()
        return [self._decrypt_entry(number, *row) for row in rows]

    def public_entries(self, number: int) -> list[JournalEntry]:
        """The entries of a game that are not secret, or no longer. Needs no key."""
        self.header(number)
        with self._read_access():
            rows = self._db.execute(_SELECT_ENTRIES, (number,)).fetchall()
        return [
            self._decrypt_entry(number, *row)
            for row in rows
            if row[_SEALED_COLUMN] is None or row[_OPENED_COLUMN] is not None
        ]

    def commitments(self, number: int) -> list[StoredCommitment]:
        """The commitments of a game in order, for people to note and to verify once the game is over."""
        self.header(number)
        with self._read_access():
            rows = self._db.execute(
                "SELECT entries.seq, seat, commitment, openings.salt, openings.text "
                "FROM entries LEFT JOIN openings USING (number, seq) "
                "WHERE number = ? AND kind = 'action' AND commitment IS NOT NULL ORDER BY seq",
                (number,),
            ).fetchall()
        return [StoredCommitment(*row) for row in rows]

    def take_repair_notice(self) -> bool:
        """Whether the journal was repaired when it was opened. `True` once; `unaccepted_losses` has what is
        lost."""
        mended, self._was_repaired = self._was_repaired, False
        return mended

    def unaccepted_losses(self) -> list[LostActions]:
        """The losses that players have not accepted yet (see `acceptance_note`)."""
        with self._read_access():
            rows = self._db.execute(
                "SELECT number, first, last, sure, count FROM losses WHERE NOT EXISTS "
                "(SELECT 1 FROM entries WHERE kind = 'note' AND text = ? || count) ORDER BY count",
                (_ACCEPTANCE_PREFIX,),
            ).fetchall()
        return [LostActions(number, first, last, bool(sure), nth) for number, first, last, sure, nth in rows]

    def _decrypt_entry(
        self,
        number: int,
        seq: int,
        kind: str,
        seat: Seat,
        text: str | None,
        box: bytes | None,
        digest: str | None,
        public: str,
        at_ms: int,
        told: str | None,
    ) -> JournalEntry:
        if box is None or digest is None:
            return JournalEntry(seq, kind, seat, text or "", at_ms, public)
        if told is None:
            return JournalEntry(
                seq,
                kind,
                seat,
                self._unseal(SealedPart(box, digest), number, seq, seat).text,
                at_ms,
                public,
                True,
            )
        return JournalEntry(seq, kind, seat, told, at_ms, public)

    def _unseal(self, sealed: SealedPart, number: int, seq: int, seat: Seat) -> OpenedPart:
        return self._require_key().unseal(sealed, _seal_place(number, seq, seat))

    def _require_key(self) -> BoardKey:
        if self._key is None:
            raise JournalError("sealed parts need the board's key", self._where)
        return self._key

    def _query_row(self, sql: str, *values: object) -> tuple[Any, ...]:
        row: tuple[Any, ...] = self._db.execute(sql, values).fetchone()
        return row

    def _count_actions(self, number: int) -> int:
        """How many actions a game has."""
        if self._head is not None and self._head.decode_body()[1] == number:
            had: int = self._head.decode_body()[3]
            return had
        count: int = self._query_row(
            "SELECT count(*) FROM entries WHERE number = ? AND kind = 'action'", number
        )[0]
        return count

    def _append_record(self, body: str) -> None:
        """Store a record in database and mirror, within the caller's transaction."""
        link = chain.next_record(self._head, body)
        chain_table.insert_record(self._db, link)
        if self._mirror is not None:
            self._mirror.append(link)
        self._pending_record = link

    def _complete_interrupted_write(self, verdict: VerificationResult) -> None:
        """Complete the record that was being written when the power went, in both copies."""
        if verdict.missing_in_database is not None:
            with store_file.sqlite_errors_as_journal_errors(self._where):
                self._db.execute("BEGIN IMMEDIATE")
                chain_table.insert_record(self._db, verdict.missing_in_database)
                self._db.execute("COMMIT")
        if verdict.missing_in_mirror is not None and self._mirror is not None:
            self._mirror.append(verdict.missing_in_mirror)

    @contextlib.contextmanager
    def _read_access(self) -> Iterator[None]:
        with self._lock, store_file.sqlite_errors_as_journal_errors(self._where):
            yield

    @contextlib.contextmanager
    def _write_transaction(self) -> Iterator[None]:
        """A transaction with one record: durable in both copies, or in neither."""
        with self._lock, store_file.sqlite_errors_as_journal_errors(self._where):
            self._pending_record = None
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._pending_record is not None and self._mirror is not None:
                    self._mirror.undo_last_append()
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise
            self._head = self._pending_record


def acceptance_note(loss: LostActions) -> str:
    """The text of the note by which players accept a loss."""
    return f"{_ACCEPTANCE_PREFIX}{loss.position}"


_ACCEPTANCE_PREFIX = "goes on without loss "


def _create_or_repair(path: Path) -> tuple[VerificationResult, bool]:
    """Create a missing journal or repair a damaged one; whether it was repaired."""
    verdict = VerificationResult(database_fault="missing")
    if path.exists():
        verdict = _verify_file(path)
    elif not mirror.mirror_path(path).exists() or verification.is_empty_mirror(path):
        store_file.create(path)
        verdict = _verify_file(path)
    if verdict.is_intact:
        return verdict, False
    from boardumpire.journal import repair  # few journals are ever damaged

    repair.repair_journal(path, verdict)
    again = _verify_file(path)
    if not again.is_intact:  # a disk that damages what is written now can't be played on
        raise JournalError(
            f"damaged again as soon as it was mended: {again.database_fault or again.mirror_fault}", path
        )
    return again, True


def _verify_file(path: Path) -> VerificationResult:
    """Verify the journal at `path`."""
    try:
        store_file.check_is_journal(path)
    except schema.NewerVersionError:
        raise
    except JournalError as error:
        if not mirror.mirror_path(path).exists():
            raise
        store_file.raise_unless_damaged(error.__cause__ or error, path)
        return VerificationResult(database_fault=error.text)
    return verification.verify_copies(path)


_SELECT_HEADERS = (
    "SELECT games.number, game, options, board, begun_ms, winner, reason "
    "FROM games LEFT JOIN endings USING (number)"
)
_SELECT_ENTRIES = (
    "SELECT entries.seq, kind, seat, entries.text, sealed, commitment, public, entries.at_ms, openings.text "
    "FROM entries LEFT JOIN openings USING (number, seq) WHERE number = ? ORDER BY seq"
)
_SEALED_COLUMN, _OPENED_COLUMN = 4, 8
"""Columns of `_SELECT_ENTRIES`: the sealed text, and what it was found to be after the end."""


def _header_from_row(row: tuple[Any, ...]) -> GameHeader:
    number, game, options, board, begun_ms, winner, reason = row
    outcome = None if reason is None else Outcome(winner, reason)
    return GameHeader(number, game, json.loads(options), board, begun_ms, outcome)


def _seal_place(number: int, seq: int, seat: Seat) -> str:
    return f"game {number}, entry {seq} of {seat}"


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
