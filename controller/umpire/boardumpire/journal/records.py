"""Exports games of a journal as records. Secrets stay sealed until the game is over."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from boardrules import record
from boardumpire.journal.journal import GameHeader, Store


def export(store: Store, number: int) -> str:
    """The record of a game (see `boardrules.record`), with what was committed to.

    While the game goes on, sealed actions are missing. Raises `JournalError` for a number that is none.
    """
    header = store.header(number)
    actions = tuple(
        (entry.seat, entry.text) for entry in store.public_entries(number) if entry.kind == "action"
    )
    return record.write(
        record.Record(
            header.game,
            header.options,
            actions,
            board=header.board,
            date=_begin_date(header).strftime("%Y-%m-%d"),
            result=header.outcome,
            commitments=tuple(
                record.RecordedCommitment(made.seq, made.seat, made.digest, made.salt)
                for made in store.commitments(number)
            ),
        )
    )


def _begin_date(game: GameHeader) -> datetime:
    return datetime.fromtimestamp(game.begun_ms / 1000, UTC)


def list_game_lines(store: Store) -> Iterator[str]:
    """A line for each game: number, when it began, what was played, how it ended."""
    for game in store.games():
        begun = _begin_date(game).strftime("%Y-%m-%d %H:%M")
        end = "goes on"
        if game.outcome is not None:
            end = f"{game.outcome.winner or 'nobody'} won ({game.outcome.reason})"
        yield f"{game.number}  {begun}  {game.game} on {game.board}: {end}"
