"""Games of the journal for those who look on: what was told so far, and step by step once they are over."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from boardrules.core import Event, Seat, State
from boardrules.history import GameHistory
from boardrules.registry import new, package
from boardumpire.errors import JournalError
from boardumpire.journal.journal import JournalEntry, Store
from boardumpire.lamps.policy import answers_show, battle_show
from boardumpire.lamps.view_marks import idle_board_marks
from boardumpire.messages import announce, disclosure, players
from boardumpire.messages.disclosure import SeatMessage
from boardware.ports import LampId


def announced_messages(store: Store, number: int) -> list[SeatMessage]:
    """What everybody was told of a game, as far as the journal keeps it: its rulings."""
    digests = {made.seq: made.digest for made in store.commitments(number)}
    entries = (entry for entry in store.entries(number) if entry.kind == "action")
    game = store.header(number).game
    return [_rebuild_ruling(entry, digests.get(entry.seq), game) for entry in entries]


def public_views(store: Store, number: int, first: int) -> list[dict[str, Any]]:
    """What everybody could see of a game after its first `first` actions, and after each further one."""
    header = store.header(number)
    game = GameHistory(new(header.game, header.options))
    entries = [entry for entry in store.entries(number) if entry.kind == "action"]
    seen = [disclosure.view_of(game.state, None)] if first == 0 else []
    for place, entry in enumerate(entries, 1):
        game.push_text(entry.seat, entry.text)
        if place >= first:
            seen.append(disclosure.view_of(game.state, None))
    return seen


def _rebuild_ruling(entry: JournalEntry, commitment: str | None, game: str) -> SeatMessage:
    events = [_rebuild_event(event) for event in json.loads(entry.public_events)]
    told = {
        "ok": True,
        "seat": entry.seat,
        "action": None if entry.secret else entry.text,
        "events": [event.json() for event in events],
        "text": [announce.to_sentence(announce.event_message(event, game)) for event in events],
    }
    if commitment is not None:  # told when it was made, and held against the opened text at the end
        told["commitment"] = commitment
    return SeatMessage(0, None, "ruling", told)


def _rebuild_event(event: dict[str, Any]) -> Event:
    return Event(event["kind"], tuple((name, value) for name, value in event.items() if name != "kind"))


def player_names(store: Store, number: int) -> dict[Seat, str]:
    """By seat the name of who sat there: those that had given one."""
    notes = (entry for entry in store.public_entries(number) if entry.kind == "note")
    found = (entry.text for entry in notes if entry.text.partition(" ")[0] == players.NOTE_PREFIX)
    return next(map(players.from_note, found), {})


def list_finished_games(store: Store) -> list[dict[str, Any]]:
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


def replay_steps(
    store: Store, number: int, first: int, count: int, lamps: Collection[LampId] = ()
) -> dict[str, Any]:
    """`count` steps of a game from step `first` on: what was done, each seat's view of it, and the truth.

    Each has `marks`, by lamp of those that the board has what it showed once the step was ruled on; `way`,
    from where to where a piece went, if one did; `moment`, whether it is one to jump to; `choice`, whether
    it was chosen among others. Step 0 is the beginning, `opens` the one at which somebody looks first: the
    last before a piece moves. Raises `JournalError` for a game that is not over: it holds secrets still.
    """
    header = store.header(number)
    if header.outcome is None:
        raise JournalError(f"game {number} is not over: what it hides stays hidden until it is")
    start = new(header.game, header.options)
    entries = [entry for entry in store.public_entries(number) if entry.kind == "action"]
    proofs = [
        {"seat": made.seat, "sha256": made.digest, "salt": made.salt, "holds": made.matches()}
        for made in store.commitments(number)
    ]
    whole = list(_iterate_steps(start, entries, header.game, lamps))
    opens = next((place for place, step in enumerate(whole) if step["way"]), 1) - 1
    return {
        "number": number,
        "game": header.game,
        "seats": list(start.seats),
        "players": player_names(store, number),
        "count": len(entries) + 1,
        "first": first,
        "opens": opens,
        "moments": [place for place, step in enumerate(whole) if step["moment"]],
        "steps": whole[first : first + count],
        "proofs": proofs,
    }


def _iterate_steps(
    start: State, entries: list[JournalEntry], game_id: str, lamps: Collection[LampId]
) -> Iterator[dict[str, Any]]:
    game, moments = GameHistory(start), package(game_id).highlight_kinds
    yield {
        "seat": None,
        "text": [],
        **_step_views(start, (), game_id, lamps),
        "moment": False,
        "choice": False,
    }
    for place, entry in enumerate(entries, 1):
        choice = is_choice(game.state, entry.seat, entry.text)
        events = game.push_text(entry.seat, entry.text)
        yield {
            "seat": entry.seat,
            "text": disclosure.event_sentences(events, start),
            **_step_views(game.state, events, game_id, lamps),
            "moment": place == len(entries) or any(event.kind in moments for event in events),
            "choice": choice,
        }


def is_choice(state: State, seat: Seat, text: str) -> bool:
    """Whether a seat chose what it did among other actions of the game. A whole army is no choice: no two are
    alike."""
    if seat not in state.seats:
        return False
    legal, action = state.legal_actions(seat), state.parse(text, seat)
    return len(legal) > 1 and action in legal and len(state.setup_placements(action)) < 2


def _step_views(
    state: State, events: Sequence[Event], game_id: str, lamps: Collection[LampId]
) -> dict[str, Any]:
    views = {seat or "": disclosure.view_of(state, seat) for seat in (None, *state.seats)}
    shown = (battle_show(events, 0), answers_show(events, 0))
    marks = {
        **idle_board_marks(game_id, views[""], lamps),
        **{lamp: mark for show in shown if show is not None for lamp, mark in show.marks.items()},
    }
    return {"views": views, "truth": state.truth(), "marks": marks, "way": _move_of(events)}


def _move_of(events: Sequence[Event]) -> list[str] | None:
    """From where to where a piece went, as everybody was told."""
    ways = [dict(event.data) for event in events if event.audience is None]
    ends = [(way["from"], way["to"]) for way in ways if isinstance(way.get("from"), str) and "to" in way]
    return [ends[0][0], ends[-1][1]] if ends else None
