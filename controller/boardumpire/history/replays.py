"""Games of the journal for those who look on: what was told so far, and step by step once they are over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from boardrules.core import Event, State
from boardrules.fold import Fold
from boardrules.registry import new
from boardumpire.errors import JournalError
from boardumpire.journal.journal import Entry, Store
from boardumpire.messages import announce, secrecy
from boardumpire.messages.secrecy import SeatMessage


def told(store: Store, number: int) -> list[SeatMessage]:
    """What everybody was told of a game, as far as the journal keeps it: its rulings."""
    digests = {made.seq: made.digest for made in store.commitments(number)}
    entries = (entry for entry in store.entries(number) if entry.kind == "action")
    game = store.header(number).game
    return [_ruling(entry, digests.get(entry.seq), game) for entry in entries]


def views(store: Store, number: int, first: int) -> list[dict[str, Any]]:
    """What everybody could see of a game after its first `first` actions, and after each further one."""
    header = store.header(number)
    game = Fold(new(header.game, header.options))
    entries = [entry for entry in store.entries(number) if entry.kind == "action"]
    seen = [secrecy.view(game.state, None)] if first == 0 else []
    for place, entry in enumerate(entries, 1):
        game.push_text(entry.seat, entry.text)
        if place >= first:
            seen.append(secrecy.view(game.state, None))
    return seen


def _ruling(entry: Entry, commitment: str | None, game: str) -> SeatMessage:
    events = [_event(event) for event in json.loads(entry.public)]
    told = {
        "ok": True,
        "seat": entry.seat,
        "action": None if entry.secret else entry.text,
        "events": [event.json() for event in events],
        "text": [announce.text(announce.happened(event, game)) for event in events],
    }
    if commitment is not None:  # told when it was made, and held against the opened text at the end
        told["commitment"] = commitment
    return SeatMessage(0, None, "ruling", told)


def _event(event: dict[str, Any]) -> Event:
    return Event(event["kind"], tuple((name, value) for name, value in event.items() if name != "kind"))


def listing(store: Store) -> list[dict[str, Any]]:
    """The games that are over, latest first."""
    return [
        {
            "number": game.number,
            "game": game.game,
            "begun_ms": game.begun_ms,
            "winner": game.outcome.winner,
            "reason": game.outcome.reason,
        }
        for game in reversed(store.games())
        if game.outcome is not None
    ]


def steps(store: Store, number: int, first: int, count: int) -> dict[str, Any]:
    """`count` steps of a game from step `first` on: what was done, each seat's view of it, and the truth.

    Step 0 is the beginning. Raises `JournalError` for a game that is not over: it holds secrets still.
    """
    header = store.header(number)
    if header.outcome is None:
        raise JournalError(f"game {number} is not over: what it hides stays hidden until it is")
    start = new(header.game, header.options)
    entries = [entry for entry in store.public_entries(number) if entry.kind == "action"]
    proofs = [
        {"seat": made.seat, "sha256": made.digest, "salt": made.salt, "holds": made.holds()}
        for made in store.commitments(number)
    ]
    shown = [step for place, step in enumerate(_steps(start, entries)) if first <= place < first + count]
    return {
        "number": number,
        "game": header.game,
        "seats": list(start.seats),
        "count": len(entries) + 1,
        "first": first,
        "steps": shown,
        "proofs": proofs,
    }


def _steps(start: State, entries: list[Entry]) -> Iterator[dict[str, Any]]:
    game = Fold(start)
    yield {"seat": None, "text": [], **_views(start)}
    for entry in entries:
        events = game.push_text(entry.seat, entry.text)
        texts = secrecy.told_of(events, start)
        yield {"seat": entry.seat, "text": texts, **_views(game.state)}


def _views(state: State) -> dict[str, Any]:
    views = {seat or "": secrecy.view(state, seat) for seat in (None, *state.seats)}
    return {"views": views, "truth": state.truth()}
