"""What two damaged copies of one journal hold together, and what of it is lost. Pure.

A record that proves itself is good, wherever it is found. A game is its actions from the first on without a
gap: what stands behind a gap can't be played on, and counts as lost with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from boardumpire.journal import chain
from boardumpire.journal.chain import ENDING, ENTRY, GAME, LOSS, ChainRecord
from boardumpire.journal.stored import ChainRow


class LostActions(NamedTuple):
    """Actions that were told and that no copy holds any more."""

    number: int
    """The game; 0: nothing is left, and there may have been any number of games."""
    first: int
    """The first of them, counted from 1; 0: it is the end of the game that is lost."""
    last: int
    """The last of them; 0: how many there were nobody can say."""
    sure: bool = True
    """Whether there were any for certain."""
    nth: int = 0
    """Its own number in the chain, once it is stored."""


class MergedJournal(NamedTuple):
    """What is left."""

    bodies: tuple[str, ...]
    """The records to keep, in order."""
    losses: tuple[LostActions, ...]


class ForkError(ValueError):
    """The two are no copies of one journal: they hold different records with one number."""


class _Game:
    """What is left of one game."""

    def __init__(self) -> None:
        self.begun = False
        self.ended = False
        self.cut = False
        """Whether an action is missing: nothing behind it is kept."""
        self.seqs = 0
        """Entries kept."""
        self.actions = 0
        """Actions kept."""
        self.known = 0
        """Actions that there were for all one can tell."""


def merge(found: Iterable[ChainRecord], places: Mapping[int, ChainRow], *, vouched: bool) -> MergedJournal:
    """Put together what proves itself.

    `places`: what a damaged database says there was; `vouched`: whether the second copy is whole at its end,
    so that nothing can have followed. Raises `ForkError`.
    """
    links = _one_each(found)
    games: dict[int, _Game] = {}
    bodies: list[str] = []
    for nth in sorted(links):
        bodies += _kept(links[nth], games)
    _heed_places(places, max(links, default=0), games)
    return MergedJournal(tuple(bodies), tuple(_losses(games, vouched=vouched)))


def _one_each(found: Iterable[ChainRecord]) -> dict[int, ChainRecord]:
    links: dict[int, ChainRecord] = {}
    for link in found:
        if links.setdefault(link.nth, link) != link:
            raise ForkError(f"record {link.nth} is two different ones")
    # Each record holds the hash of the one before. Two that stand side by side and don't fit come from two
    # journals, and no order of them would be true.
    for nth, link in links.items():
        before = links.get(nth - 1)
        if before is not None and before.hash != link.former:
            raise ForkError(f"record {nth} does not follow on record {nth - 1}")
    return links


def _kept(link: ChainRecord, games: dict[int, _Game]) -> Iterator[str]:
    """What is kept of a record: itself, with notes that stand for lost ones before it, or nothing."""
    what, number, seq, actions, *columns = link.fields()
    if what == LOSS:
        yield link.body
        return
    game = games.setdefault(number, _Game())
    game.known = max(game.known, actions)
    if what == GAME:
        game.begun = True
        yield link.body
    elif not game.begun:
        return
    elif what == ENTRY and not game.cut:
        before = actions - (columns[0] == "action")
        game.cut = before != game.actions
        if game.cut:
            return
        # Only notes can be missing here, as no action is: their places are filled, so that numbers stay.
        for lost in range(game.seqs + 1, seq):
            yield chain.body(ENTRY, number, lost, before, "note", "", "lost", None, None, "[]", columns[-1])
        game.seqs, game.actions = seq, actions
        yield link.body
    elif what == ENDING:
        game.ended = True
        game.cut = game.cut or actions != game.actions
        *ended, opened = columns
        # A part that was opened behind what is left would name an entry that is not there.
        opened = [part for part in opened if part[0] <= game.seqs]
        yield chain.body(ENDING, number, 0, game.actions, *ended, opened)


def _heed_places(places: Mapping[int, ChainRow], nth: int, games: dict[int, _Game]) -> None:
    """What the database still says of the records behind the last good one."""
    while (place := places.get(nth := nth + 1)) is not None:
        if place.what == ENTRY:
            game = games.setdefault(place.number, _Game())
            game.known = max(game.known, place.actions)


def _losses(games: Mapping[int, _Game], *, vouched: bool) -> Iterator[LostActions]:
    newest = max(games, default=0)
    if not games and not vouched:
        yield LostActions(0, 1, 0, sure=False)
    for number in range(1, newest + 1):
        game = games.get(number)
        if game is None:
            yield LostActions(number, 1, 0)
        elif game.known > game.actions:
            yield LostActions(number, game.actions + 1, game.known)
        elif not game.ended and number < newest:
            yield LostActions(number, 0, 0)
        # The newest game may have gone on behind the last record that was found, and nobody can tell.
        if game is not None and number == newest and not vouched:
            yield LostActions(number, game.known + 1, 0, sure=False)
