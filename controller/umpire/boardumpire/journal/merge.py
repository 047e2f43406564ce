"""Merges two damaged copies of one journal, and tells which actions are lost. Pure.

A record that proves itself is good, wherever it is found. A game is its actions from the first on without a
gap: what stands behind a gap can't be played on, and counts as lost with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from boardumpire.journal import chain
from boardumpire.journal.chain import ENDING_RECORD, ENTRY_RECORD, GAME_RECORD, LOSS_RECORD, ChainRecord
from boardumpire.journal.chain_table import ChainRow


class LostActions(NamedTuple):
    """Actions that were announced and that neither copy holds any more."""

    game_number: int
    """The game; 0: nothing is left, and there may have been any number of games."""
    first_action: int
    """The first of them, counted from 1; 0: it is the end of the game that is lost."""
    last_action: int
    """The last of them; 0: how many there were nobody can say."""
    is_certain: bool = True
    """Whether actions are certainly lost, rather than perhaps."""
    position: int = 0
    """The position of its own record in the chain, once it is stored."""


class MergedJournal(NamedTuple):
    """What both copies hold together."""

    bodies: tuple[str, ...]
    """The records to keep, in order."""
    losses: tuple[LostActions, ...]


class ForkError(ValueError):
    """The two files belong to different journals: they hold different records at one position."""


class _RecoveredGame:
    """How much is left of one game."""

    def __init__(self) -> None:
        self.has_start = False
        self.has_end = False
        self.has_gap = False
        """Whether an action is missing. Nothing behind a gap is kept."""
        self.entries_kept = 0
        """How many entries are kept."""
        self.actions_kept = 0
        """How many actions are kept."""
        self.actions_known = 0
        """How many actions there were at least."""


def merge(
    records: Iterable[ChainRecord], rows: Mapping[int, ChainRow], *, mirror_end_intact: bool
) -> MergedJournal:
    """Merge the intact records of both copies.

    `rows`: the chain table of a damaged database, by position; `mirror_end_intact`: whether the mirror's end
    is whole, so that nothing can have followed. Raises `ForkError`.
    """
    links = _records_by_position(records)
    games: dict[int, _RecoveredGame] = {}
    bodies: list[str] = []
    for nth in sorted(links):
        bodies += _recovered_bodies(links[nth], games)
    _count_known_actions(rows, max(links, default=0), games)
    return MergedJournal(tuple(bodies), tuple(_find_losses(games, mirror_end_intact=mirror_end_intact)))


def _records_by_position(found: Iterable[ChainRecord]) -> dict[int, ChainRecord]:
    links: dict[int, ChainRecord] = {}
    for link in found:
        if links.setdefault(link.position, link) != link:
            raise ForkError(f"record {link.position} is two different ones")
    # Each record holds the hash of the one before. Two that stand side by side and don't fit come from two
    # journals, and no order of them would be true.
    for nth, link in links.items():
        before = links.get(nth - 1)
        if before is not None and before.hash != link.previous_hash:
            raise ForkError(f"record {nth} does not follow on record {nth - 1}")
    return links


def _recovered_bodies(link: ChainRecord, games: dict[int, _RecoveredGame]) -> Iterator[str]:
    """The bodies to keep for a record: itself, after placeholders for lost notes, or nothing."""
    what, number, seq, actions, *columns = link.decode_body()
    if what == LOSS_RECORD:
        yield link.body
        return
    game = games.setdefault(number, _RecoveredGame())
    game.actions_known = max(game.actions_known, actions)
    if what == GAME_RECORD:
        game.has_start = True
        yield link.body
    elif not game.has_start:
        return
    elif what == ENTRY_RECORD and not game.has_gap:
        before = actions - (columns[0] == "action")
        game.has_gap = before != game.actions_kept
        if game.has_gap:
            return
        # Only notes can be missing here, as no action is: their places are filled, so that numbers stay.
        for lost in range(game.entries_kept + 1, seq):
            yield chain.encode_body(
                ENTRY_RECORD, number, lost, before, "note", "", "lost", None, None, "[]", columns[-1]
            )
        game.entries_kept, game.actions_kept = seq, actions
        yield link.body
    elif what == ENDING_RECORD:
        game.has_end = True
        game.has_gap = game.has_gap or actions != game.actions_kept
        *ended, opened = columns
        # A part that was opened behind what is left would name an entry that is not there.
        opened = [part for part in opened if part[0] <= game.entries_kept]
        yield chain.encode_body(ENDING_RECORD, number, 0, game.actions_kept, *ended, opened)


def _count_known_actions(places: Mapping[int, ChainRow], nth: int, games: dict[int, _RecoveredGame]) -> None:
    """Count the actions that the database still lists behind the last intact record."""
    while (place := places.get(nth := nth + 1)) is not None:
        if place.what == ENTRY_RECORD:
            game = games.setdefault(place.number, _RecoveredGame())
            game.actions_known = max(game.actions_known, place.actions)


def _find_losses(games: Mapping[int, _RecoveredGame], *, mirror_end_intact: bool) -> Iterator[LostActions]:
    newest = max(games, default=0)
    if not games and not mirror_end_intact:
        yield LostActions(0, 1, 0, is_certain=False)
    for number in range(1, newest + 1):
        game = games.get(number)
        if game is None:
            yield LostActions(number, 1, 0)
        elif game.actions_known > game.actions_kept:
            yield LostActions(number, game.actions_kept + 1, game.actions_known)
        elif not game.has_end and number < newest:
            yield LostActions(number, 0, 0)
        # The newest game may have gone on behind the last record that was found, and nobody can tell.
        if game is not None and number == newest and not mirror_end_intact:
            yield LostActions(number, game.actions_known + 1, 0, is_certain=False)
