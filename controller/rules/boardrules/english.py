"""Messages as English sentences, for programs without a board. Other languages come with the board."""

from __future__ import annotations

from typing import Any, Final

from boardrules.common_sentences import TEXTS
from boardrules.core import Event, Outcome, Refusal, split_seats
from boardrules.package import GamePackage, Message, Sentences

_SEAT_PARAMETERS: Final = {"seat": "seat", "winner": "seat", "loser": "seat"}
"""Parameters that are names of seats in every game."""
_PUBLIC_PARAMETERS: Final = ("seat", "from", "to")
"""What everybody saw of an action that was refused."""


def refusal_text(refusal: Refusal, game: GamePackage, *, public: bool = False) -> str:
    """All reasons why an action is refused: for whoever tried it, or as everybody may hear it."""
    if public and refusal.public_code is not None:
        seen = {name: value for name, value in refusal.params if name in _PUBLIC_PARAMETERS}
        return message_text(Message(refusal.public_code, seen, game.id), game.sentences())
    reasons = [
        Message(reason.code, dict(reason.params), game.id) for reason in (refusal, *refusal.further_refusals)
    ]
    return " ".join([message_text(reason, game.sentences()) for reason in reasons])


def event_text(event: Event, game: GamePackage) -> str:
    """What an event tells."""
    if event.kind == "over":
        data = dict(event.data)
        return outcome_text(Outcome(data["winner"], data["reason"]), game)
    return message_text(game.event_message(event), game.sentences())


def outcome_text(outcome: Outcome, game: GamePackage) -> str:
    """How a game ended."""
    if outcome.winner is None:
        return message_text(Message(f"draw {outcome.reason}", {}, game.id), game.sentences())
    return message_text(
        Message(f"won {outcome.reason}", outcome_params(outcome, game), game.id), game.sentences()
    )


def outcome_params(outcome: Outcome, game: GamePackage) -> dict[str, Any]:
    """Who won, as a parameter of the sentence that says so; where two play, also who lost."""
    lost = (
        [seat for seat in game.new({}).seats if seat != outcome.winner] if game.player_counts == (2,) else []
    )
    return {"winner": outcome.winner, **({"loser": lost[0]} if len(lost) == 1 else {})}


def message_text(message: Message, sentences: Sentences) -> str:
    """The sentence of a message; one that has none is shown by its id."""
    whole = sentences.texts.get(message.id) or TEXTS.get(message.id)
    if whole is None:
        return message.id
    if message.id in sentences.singulars:
        count, one = sentences.singulars[message.id]
        whole = one if message.params[count] in (1, "1") else whole
    families = {} if message.id in sentences.literal_ids else {**_SEAT_PARAMETERS, **sentences.name_families}
    given = {
        name: _parameter_text(families.get(name), value, sentences) for name, value in message.params.items()
    }
    try:
        return whole.format_map(_SentenceParameters(given))
    except (ValueError, IndexError, KeyError, AttributeError):  # a slip in the sentence itself
        return message.id


class _SentenceParameters(dict[str, str]):
    """Parameters, of which one that is missing shows its name."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def _parameter_text(family: str | None, value: Any, sentences: Sentences) -> str:
    """A parameter as people read it: by the name of its family, lists with commas, joint winners with a +."""
    if isinstance(value, list | tuple):
        return ", ".join([_parameter_text(family, one, sentences) for one in value])
    if family == "seat" and len(seats := split_seats(str(value))) > 1:
        return " + ".join([_parameter_text(family, one, sentences) for one in seats])
    if family is None:
        return str(value)
    plain = str(value).capitalize() if family == "seat" else str(value)
    return sentences.texts.get(f"{family} {value}", plain)
