"""Messages as English sentences, for programs without a board. Other languages come with the board."""

from __future__ import annotations

from typing import Any, Final

from boardrules.common_sentences import TEXTS
from boardrules.core import Event, Outcome, Refusal, split_seats
from boardrules.package import GamePackage, Message, Sentences

_FAMILIES: Final = {"seat": "seat", "winner": "seat", "loser": "seat"}
"""Parameters that are names of seats in every game."""
_PUBLIC: Final = ("seat", "from", "to")
"""What everybody saw of an action that was refused."""


def refusal_text(refusal: Refusal, game: GamePackage, *, public: bool = False) -> str:
    """All reasons why an action is refused: for whoever tried it, or as everybody may hear it."""
    if public and refusal.public is not None:
        seen = {name: value for name, value in refusal.params if name in _PUBLIC}
        return text(Message(refusal.public, seen, game.id), game.sentences())
    reasons = [Message(reason.code, dict(reason.params), game.id) for reason in (refusal, *refusal.also)]
    return " ".join([text(reason, game.sentences()) for reason in reasons])


def event_text(event: Event, game: GamePackage) -> str:
    """What an event tells."""
    if event.kind == "over":
        data = dict(event.data)
        return outcome_text(Outcome(data["winner"], data["reason"]), game)
    return text(game.told(event), game.sentences())


def outcome_text(outcome: Outcome, game: GamePackage) -> str:
    """How a game ended."""
    if outcome.winner is None:
        return text(Message(f"draw {outcome.reason}", {}, game.id), game.sentences())
    return text(Message(f"won {outcome.reason}", sides(outcome, game), game.id), game.sentences())


def sides(outcome: Outcome, game: GamePackage) -> dict[str, Any]:
    """Who won, as a parameter of the sentence that says so; where two play, also who lost."""
    lost = [seat for seat in game.new({}).seats if seat != outcome.winner] if game.seatings == (2,) else []
    return {"winner": outcome.winner, **({"loser": lost[0]} if len(lost) == 1 else {})}


def text(message: Message, said: Sentences) -> str:
    """The sentence of a message; one that has none is shown by its id."""
    whole = said.texts.get(message.id) or TEXTS.get(message.id)
    if whole is None:
        return message.id
    if message.id in said.counted:
        count, one = said.counted[message.id]
        whole = one if message.params[count] in (1, "1") else whole
    families = {} if message.id in said.literal else {**_FAMILIES, **said.families}
    given = {name: _named(families.get(name), value, said) for name, value in message.params.items()}
    try:
        return whole.format_map(_SentenceParameters(given))
    except (ValueError, IndexError, KeyError, AttributeError):  # a slip in the sentence itself
        return message.id


class _SentenceParameters(dict[str, str]):
    """Parameters, of which one that is missing shows its name."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def _named(family: str | None, value: Any, said: Sentences) -> str:
    """A parameter as people read it: by the name of its family, lists with commas, joint winners with a +."""
    if isinstance(value, list | tuple):
        return ", ".join([_named(family, one, said) for one in value])
    if family == "seat" and len(seats := split_seats(str(value))) > 1:
        return " + ".join([_named(family, one, said) for one in seats])
    if family is None:
        return str(value)
    plain = str(value).capitalize() if family == "seat" else str(value)
    return said.texts.get(f"{family} {value}", plain)
