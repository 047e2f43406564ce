"""The statistics of a table, over all its evenings: who played what how often, and won.

They are counted from the journal: what began, who sat where, how it ended. Nothing of it is secret.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from boardrules import registry
from boardrules.core import Seat
from boardumpire.history.replays import player_names
from boardumpire.journal.journal import GameHeader, Store

COLUMNS = ("game", "player", "seat", "played", "won", "drawn")
_FORMULA_SIGNS = ("=", "+", "-", "@")
"""What a spreadsheet would take for a formula."""


class FinishedGame(NamedTuple):
    """How a game ended for who played it."""

    game: str
    results: Mapping[tuple[str, Seat], bool | None]
    """By name (none for who gave none) and seat, whether that player won; `None` of a draw."""


class Tally(NamedTuple):
    """How somebody fared in one game."""

    game: str
    player: str
    """His name; nothing for all who gave none ..."""
    seat: Seat
    """... and then where they sat."""
    played: int
    won: int
    drawn: int


class Statistics:
    """The tallies of a journal. A game that is over stays as it is, so each is read once."""

    def __init__(self) -> None:
        self._known: dict[int, FinishedGame | None] = {}

    def tallies(self, store: Store) -> list[Tally]:
        """By game, and there who won most first."""
        return count(game for game in self._read(store).values() if game is not None)

    def results(self, store: Store, number: int) -> list[tuple[str, Seat, bool | None]]:
        """How a game that is over ended for each seat: its player's name, the seat, whether it won."""
        game = self._read(store).get(number)
        return [] if game is None else [(*who, won) for who, won in game.results.items()]

    def _read(self, store: Store) -> Mapping[int, FinishedGame | None]:
        for header in store.games():
            if header.outcome is not None and header.number not in self._known:
                self._known[header.number] = _finished_game(store, header)
        return self._known


def _finished_game(store: Store, header: GameHeader) -> FinishedGame | None:
    """`None` for a game that isn't installed any more."""
    assert header.outcome is not None
    try:
        seats = registry.new(header.game, header.options).seats
    except (registry.UnknownGame, ValueError):
        return None
    names, winner = player_names(store, header.number), header.outcome.winner
    winners = registry.package(header.game).winning_seats(winner, seats) if winner else ()
    return FinishedGame(
        header.game,
        {(names.get(seat, ""), seat): None if winner is None else seat in winners for seat in seats},
    )


def count(games: Iterable[FinishedGame]) -> list[Tally]:
    """The tallies of these games. Who has a name is counted by it, wherever he sat."""
    found: dict[tuple[str, str, Seat], list[bool | None]] = {}
    for game, results in games:
        for (player, seat), won in results.items():
            found.setdefault((game, player, Seat("") if player else seat), []).append(won)
    tallies = [
        Tally(*who, len(each), sum(won is True for won in each), sum(won is None for won in each))
        for who, each in found.items()
    ]
    return sorted(tallies, key=lambda one: (one.game, -one.won, -one.played, one.player, one.seat))


def as_csv(tallies: Iterable[Tally]) -> str:
    """The tallies as a table for a spreadsheet."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for tally in tallies:
        plain = tally.player
        writer.writerow(tally._replace(player=f"'{plain}" if plain.startswith(_FORMULA_SIGNS) else plain))
    return file.getvalue()
