"""What each seat may know: the one door through which data leaves.

Every message that reaches a person is made here, from a ruling or from what the tracker told. A message to
everybody holds public knowledge alone. When one seat is told something in private, every seat gets a
message of the same kind and size at the same moment, so that traffic tells nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from boardrules.core import NO_SEAT, Event, Refusal, Seat, Space, State, joined_seats, visible
from boardumpire.messages import announce
from boardumpire.messages.languages import ENGLISH
from boardumpire.ruling.proposals import SeatProposal
from boardumpire.ruling.umpire import Ruling
from boardumpire.tracking.events import (
    BoardFault,
    Correction,
    LiftReminder,
    OverdueCorrection,
    SuspectSpace,
    UnconfirmedCorrection,
)
from boardumpire.tracking.questions import TrackerQuestion
from boardware.ports import MS, Micros

PRIVATE_MESSAGE_BYTES = 2048
"""Private messages are padded to a multiple of this many bytes of JSON: room for any text in any language."""


class SeatMessage(NamedTuple):
    """Something told at a moment, to everybody (`seat` is `None`) or to one seat alone."""

    at: Micros
    seat: Seat | None
    kind: str
    """`ruling`, `fault`, `question`, `chores`, `reminder_message`, `turn`, `over`; to one seat: `private`."""
    data: dict[str, Any]

    def json(self) -> dict[str, Any]:
        """As one JSON object with the time in whole milliseconds; a private one names its seat as `to`."""
        to = {} if self.seat is None else {"to": self.seat}
        return {"t": self.at // MS, "kind": self.kind, **to, **self.data}


def accepted_messages(at: Micros, ruling: Ruling, seats: Sequence[Seat]) -> list[SeatMessage]:
    """What is told of an action that the umpire accepted, once it is durable."""
    action = ruling.action
    public = visible(ruling.events, None)
    told = {
        "ok": True,
        "seat": action.seat,
        "action": None if action.secret else str(action),
        "events": [event.json() for event in public],
        "text": event_sentences(public, ruling.state),
    }
    if ruling.commitment is not None:  # who notes it can hold the opened text against it at the end
        told["commitment"] = ruling.commitment
    messages = [SeatMessage(at, None, "ruling", told)]
    if len(public) < len(ruling.events):
        messages += _private_message(at, {seat: _private_events(ruling, seat) for seat in seats})
    return messages


def event_sentences(events: Iterable[Event], state: State) -> list[str]:
    """The sentences of what happened in the game of that state."""
    return [announce.to_sentence(announce.event_message(event, state.game_id)) for event in events]


def _private_events(ruling: Ruling, seat: Seat) -> dict[str, Any]:
    mine = [event for event in visible(ruling.events, seat) if event.audience is not None]
    return {
        "alone": all(event.audience == frozenset({seat}) for event in mine),
        "events": [event.json() for event in mine],
        "text": event_sentences(mine, ruling.state),
    }


def refused_messages(at: Micros, ruling: Ruling, seats: Sequence[Seat]) -> list[SeatMessage]:
    """What is told of an attempt: everybody hears that it is not allowed, its owner hears why."""
    refusal, action = ruling.refusal, ruling.action
    assert refusal is not None
    told = {
        "ok": False,
        "seat": action.seat,
        "action": None if action.secret else str(action),
        "refusal": _public_refusal(refusal, ruling.state.game_id),
    }
    private = {
        seat: {
            "alone": seat == action.seat and refusal.public_code is not None,
            "refusal": (_private_refusal if seat == action.seat else _public_refusal)(
                refusal, ruling.state.game_id
            ),
        }
        for seat in seats
    }
    return [SeatMessage(at, None, "ruling", told), *_private_message(at, private)]


def _public_refusal(refusal: Refusal, game: str = "") -> dict[str, Any]:
    """A refusal as everybody may hear it: where the reason is secret, only that it is not allowed."""
    if refusal.public_code is None:
        return _private_refusal(refusal, game)
    return {
        "code": refusal.public_code,
        "rule": None,
        "text": announce.to_sentence(announce.refusal_message(refusal, game, public=True)),
    }


def _private_refusal(refusal: Refusal, game: str) -> dict[str, Any]:
    """The whole reason, for the seat that tried."""
    text = announce.to_sentence(announce.refusal_message(refusal, game))
    return {"code": refusal.code, "rule": refusal.rule, "text": text}


def _private_message(at: Micros, parts: dict[Seat, dict[str, Any]]) -> list[SeatMessage]:
    """One message a seat, all of one size."""
    sizes = [len(json.dumps(data | {"pad": ""})) for data in parts.values()]
    size = -(-max(sizes) // PRIVATE_MESSAGE_BYTES) * PRIVATE_MESSAGE_BYTES
    return [
        SeatMessage(at, seat, "private", data | {"pad": " " * (size - length)})
        for (seat, data), length in zip(parts.items(), sizes, strict=True)
    ]


def to_json_in_language(message: Mapping[str, Any], language: str) -> dict[str, Any]:
    """The JSON of a message in that language. A private one stays exactly as long as it was in English."""
    said: dict[str, Any] = announce.translate(message, language)
    return _pad_to_length(message, said) if message.get("kind") == "private" and language != ENGLISH else said


def _pad_to_length(data: Mapping[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    """What is said in other words, padded to the length that it had."""
    room = len(data["pad"]) + len(json.dumps(data)) - len(json.dumps(said))
    return {**said, "pad": " " * (room if room >= 0 else room % PRIVATE_MESSAGE_BYTES)}


def with_space_names(
    message: SeatMessage,
    names: Mapping[Space, str],
    game: str = "",
    players: announce.Players = announce.NO_PLAYERS,
) -> SeatMessage:
    """The message with spaces called by these names, which are by their ids, seats by who sits there, and in
    the words of that game.

    A private one stays as long as it was."""
    said = announce.with_space_names(message.data, names, game, players)
    return message._replace(data=_pad_to_length(message.data, said) if message.kind == "private" else said)


def of_board(message: SeatMessage, name: str, home: Sequence[Seat]) -> SeatMessage:
    """What one of several boards tells everybody, with its name and the seats that sit there: its sentences
    say so, by these seats or else by its name. A private message stays as it is.
    """
    if message.seat is not None:
        return message
    text, where = message.data["text"], joined_seats(home) or name
    if where and isinstance(text, list):
        text = [announce.sentence_by_id("at board", seat=where, what=each) for each in text]
    elif where:
        text = announce.sentence_by_id("at board", seat=where, what=text)
    return message._replace(data={**message.data, "text": text, "board": name, "home": list(home)})


def fault_message(
    at: Micros, told: BoardFault, seat: Seat = NO_SEAT, reason: Refusal | None = None, game: str = ""
) -> SeatMessage:
    """The board is wrong: which spaces, and nothing about what stands there.

    `seat` is waited for; `reason` is the own one of a rule of `game`: what everybody may hear of it is said.
    """
    if reason is not None:
        data = {"code": told.code, "spaces": list(told.spaces), "text": _public_refusal(reason, game)["text"]}
        return SeatMessage(at, None, "fault", data)
    several = told.code == "extra-piece" and len(told.spaces) > 1
    kind = "extra-pieces" if several else told.code
    text = announce.sentence_by_id(
        f"fault {kind}", first=told.spaces[0], spaces=" ".join(told.spaces), seat=seat
    )
    return SeatMessage(at, None, "fault", {"code": told.code, "spaces": list(told.spaces), "text": text})


def tag_shown_message(at: Micros, pad: str, seat: Seat | None) -> SeatMessage:
    """A piece was shown to a pad: whose it is, and nothing else; `None`: no piece of a set that is known."""
    text = (
        announce.sentence_by_id("shown stranger", pad=pad)
        if seat is None
        else announce.sentence_by_id("shown", seat=seat, pad=pad)
    )
    return SeatMessage(at, None, "shown", {"pad": pad, "seat": seat, "text": text})


def trouble_message(at: Micros, code: str, where: str, detail: str) -> SeatMessage:
    """The hardware or the store is in trouble."""
    known = f"trouble {code}" if f"trouble {code}" in announce.BOARD_SENTENCES else "trouble"
    text = announce.sentence_by_id(known, code=code, where=where, detail=detail)
    return SeatMessage(at, None, "fault", {"code": code, "spaces": [], "text": text})


def question_message(at: Micros, asked: TrackerQuestion) -> SeatMessage:
    """What the sensors could not decide; `seat` is whose phone may answer, `null` any."""
    first, rest = asked.spaces[:1], asked.spaces[1:]
    named = {"first": " ".join(first), "rest": " ".join(rest), "spaces": " ".join(asked.spaces)}
    if asked.code == "that-piece":  # where one of them stands now is no piece that was in the air
        named["pieces"] = " ".join((*first, *rest[1:]))
    text = announce.sentence_by_id(f"question {asked.code}", **named | dict(asked.sentence_parameters))
    data = {"code": asked.code, "spaces": list(asked.spaces), "seat": asked.seat, "text": text}
    return SeatMessage(at, None, "question", data)


def proposal_message(
    at: Micros, wanted: SeatProposal, answer: str = "open", agrees: Seat | None = None
) -> SeatMessage:
    """What a seat proposes; `answer` becomes `agreed`, `declined` or `lapsed`. While others are still asked,
    it is told who `agrees`."""
    kind = f"proposal {wanted.kind()}" if wanted.by else f"proposal {wanted.kind()} board"
    text = announce.sentence_by_id(kind, seat=wanted.by, space=wanted.subject())
    if agrees is not None:
        text = announce.sentence_by_id("proposal yes", seat=agrees)
    elif answer == "lapsed":
        text = announce.sentence_by_id("proposal lapsed")
    data = {"seat": wanted.by, "thing": wanted.request, "asked": sorted(wanted.seats_asked), "answer": answer}
    return SeatMessage(at, None, "proposal", data | {"text": text})


def press_refused_message(at: Micros, why: str, to_act: Iterable[Seat]) -> SeatMessage:
    """A press of a button at the board counts for nothing; `why`: `changed`, `own-screen`, `busy`, or
    `not-ready`, as the seats `to_act` are setting up still."""
    waits = {"seat": joined_seats(to_act)} if why == "not-ready" else {}
    text = announce.sentence_by_id(f"answer {why}", **waits)
    return SeatMessage(at, None, "reminder", {"code": f"press-{why}", "spaces": [], "text": text})


def place_request(at: Micros, piece: str, space: str) -> SeatMessage:
    """A piece of a set-up that is done in the open has come to stand somewhere: is it the next one?"""
    text = announce.sentence_by_id("reminder place-piece", piece=piece, space=space)
    return SeatMessage(at, None, "reminder", {"code": "place-piece", "spaces": [space], "text": text})


def hint_asked_message(at: Micros, seat: Seat) -> SeatMessage:
    """A seat has asked for a good move: public."""
    text = announce.sentence_by_id("hint ask", seat=seat)
    return SeatMessage(at, None, "reminder", {"code": "hint-asked", "spaces": [], "text": text})


def hint_message(at: Micros, seat: Seat, action: str, way: tuple[Space, Space] | None) -> SeatMessage:
    """A good move, for a seat that has asked: public. `way`: from where to where hands carry a piece."""
    if way is None:
        text = announce.sentence_by_id("hint say", seat=seat, action=action)
    else:
        text = announce.sentence_by_id("hint carry", seat=seat, **{"from": way[0], "to": way[1]})
    return SeatMessage(at, None, "reminder", {"code": "hint", "spaces": list(way or ()), "text": text})


def adjourned_message(at: Micros) -> SeatMessage:
    """The board was put away; the game stays in the journal."""
    return SeatMessage(at, None, "adjourned", {"text": announce.sentence_by_id("note adjourned")})


def reminder_message(
    at: Micros,
    told: LiftReminder | OverdueCorrection | UnconfirmedCorrection | SuspectSpace,
    *,
    chooses: bool = False,
) -> SeatMessage:
    """A piece has been up for long, chores have waited for long, or a reed may not feel what was done.

    `chooses`: the board has a button to choose with.
    """
    if isinstance(told, UnconfirmedCorrection | SuspectSpace):
        code = "unfelt" if isinstance(told, UnconfirmedCorrection) else "stuck"
        spaces = told.spaces if isinstance(told, UnconfirmedCorrection) else (told.space,)
        named = f"{code} choose" if chooses and code == "unfelt" else code
        text = announce.sentence_by_id(f"reminder {named}", spaces=" ".join(spaces))
        return SeatMessage(at, None, "reminder", {"code": code, "spaces": [], "text": text})
    if isinstance(told, OverdueCorrection):
        text = announce.sentence_by_id("reminder chores", count=told.open_count)
        return SeatMessage(at, None, "reminder", {"code": "chores", "spaces": [], "text": text})
    code = "attacked-unfelt" if told.may_be_attacked else "piece-up"
    text = announce.sentence_by_id(f"reminder {code}", space=told.home)
    return SeatMessage(at, None, "reminder", {"code": code, "spaces": [told.home], "text": text})


def corrections_message(at: Micros, open_chores: Sequence[Correction]) -> SeatMessage:
    """What to do so that the board is in order; an empty list says that it is."""
    listed = [
        {"do": chore.kind, "space": chore.space, "seat": chore.seat}
        | ({"name": chore.printed_name} if chore.printed_name else {})
        for chore in open_chores
    ]
    return SeatMessage(
        at, None, "chores", {"chores": listed, "text": [_correction_sentence(chore) for chore in open_chores]}
    )


def _correction_sentence(chore: Correction) -> str:
    if chore.is_beaten:
        return announce.sentence_by_id(f"chore {chore.kind} beaten", space=chore.space)
    if chore.kind == "ring" and chore.seat is not None:
        return announce.sentence_by_id("chore ring own", space=chore.space)
    if chore.printed_name:
        ring = " ring" if chore.kind == "put" and chore.has_rings else ""
        return announce.sentence_by_id(
            f"chore {chore.kind} piece{ring}", space=chore.space, piece=chore.printed_name
        )
    if chore.origin:
        return announce.sentence_by_id(f"chore {chore.kind} from", space=chore.space, first=chore.origin)
    if chore.is_leaving:
        return announce.sentence_by_id(f"chore {chore.kind} leaving", space=chore.space, seat=chore.seat)
    if chore.seat is None:
        return announce.sentence_by_id(f"chore {chore.kind}", space=chore.space)
    return announce.sentence_by_id(f"chore {chore.kind} seat", space=chore.space, seat=chore.seat)


def time_short_message(at: Micros, seat: Seat, left: Micros) -> SeatMessage:
    """The time of the seat to move is short."""
    text = announce.sentence_by_id("clock short", seat=seat)
    return SeatMessage(at, None, "clock", {"seat": seat, "left_ms": left // MS, "text": text})


def turn_message(at: Micros, state: State) -> SeatMessage:
    """Whose turn it is, or how the game ended."""
    outcome = state.outcome
    if outcome is None:
        return SeatMessage(at, None, "turn", {"to_act": list(state.seats_to_act())})
    text = announce.to_sentence(announce.outcome_message(outcome, state.game_id))
    return SeatMessage(at, None, "over", {"winner": outcome.winner, "reason": outcome.reason, "text": text})


def view_of(state: State, seat: Seat | None) -> dict[str, Any]:
    """What `seat` (`None`: everybody) may know of the state, as JSON."""
    return state.view(seat).json()


def help_for(state: State) -> dict[str, Any]:
    """Where somebody who hides may be by all that everybody knows; nothing in a game without such a help."""
    return state.public_hints()


def choices_of(state: State, seat: Seat) -> dict[str, Any]:
    """What `seat` may do now, exactly: for its own screen alone, as it tells what its pieces are.

    `moves`: by origin the targets that hands may carry a piece to; `acts`: the texts of legal actions that
    need no hands, or a tray; `labels`: how a person says those with a tray; `says`: the texts of table
    actions; `zone`: the spaces that a set-up may use.
    """
    legal = state.legal_actions(seat)
    says = [str(action) for action in state.table_actions(seat)]
    zone = state.zone(seat)
    if zone:  # a set-up: there are too many to list
        return {"moves": {}, "acts": [], "says": says, "zone": sorted(zone)}
    carried = state.carry_actions(seat)
    trays = state.trays()  # a screen has none that can be touched: what hands do there has a button
    by_hand = {
        action
        for origin, targets in carried.items()
        for target, action in targets.items()
        if origin not in trays and target not in trays
    }
    moves = {
        origin: ends
        for origin, targets in carried.items()
        if origin not in trays and (ends := [target for target in targets if target not in trays])
    }
    acts = [str(action) for action in legal if action not in by_hand]
    found = {"moves": moves, "acts": acts, "says": says, "zone": []}
    labels = {
        str(action): _tray_label(state.game_id, origin, target, leaves=target in trays)
        for origin, targets in (carried.items() if trays else ())
        for target, action in targets.items()
        if origin in trays or target in trays
    }
    return {**found, "labels": labels} if labels else found


def _tray_label(game: str, origin: Space, target: Space, *, leaves: bool) -> str:
    """What is on the button of an action that takes a piece off the board, or brings one there."""
    way = {"from": origin, "to": target}
    return announce.to_sentence(announce.Message(f"act {'leave' if leaves else 'enter'}", way, game))


def refusal_text(refusal: Refusal, state: State) -> str:
    """The whole reason, for the seat that tried it in that state."""
    return announce.to_sentence(announce.refusal_message(refusal, state.game_id))


def late_answer_messages(at: Micros, seat: Seat, text: str, seats: Sequence[Seat]) -> list[SeatMessage]:
    """A late answer to what `seat` said; every seat gets a message of the same size."""
    return _private_message(at, {other: {"answer": text if other == seat else ""} for other in seats})
