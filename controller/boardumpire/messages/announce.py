"""What people are told: a message id and its parameters -> a sentence.

Every sentence is whole and its parameters are named, so that a catalogue in another language can order them
as it likes. The table is closed: what the games can say has a sentence here, and tests hold that.

A sentence is made in English and remembers what it says (`Said`): whoever shows it to a person puts it into
that person's language, and everything between goes its way without knowing of languages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from boardrules.core import Event, Outcome, Refusal
from boardumpire.messages import (
    text_board,
    text_clocks,
    text_colditz,
    text_fuhrer,
    text_journal,
    text_stratego,
    text_tags,
)
from boardumpire.messages.languages import ENGLISH, Catalogue, catalogue
from boardumpire.tracking.values import PENDING, UNFELT


class Message(NamedTuple):
    """Something to tell, in no language yet."""

    id: str
    params: Mapping[str, Any] = {}


class Said(str):
    """A sentence in English that can be said in any language."""

    message: Message | None

    def __new__(cls, sentence: str, message: Message | None = None) -> Said:
        """Without a message it stays as it is in every language."""
        made = super().__new__(cls, sentence)
        made.message = message
        return made


TEXTS: Mapping[str, str] = {
    **text_stratego.TEXTS,
    **text_board.TEXTS,
    **text_journal.TEXTS,
    **text_tags.TEXTS,
    **text_clocks.TEXTS,
    **text_fuhrer.TEXTS,
    **text_colditz.TEXTS,
}
"""Every sentence, by the id of its message."""

COUNTED: Mapping[str, tuple[str, str]] = {**text_colditz.COUNTED}
"""Sentences that differ for one and for more, by id: what counts, and how it is said for one."""


def refused(refusal: Refusal, public: bool = False) -> Message:
    """The message of a refusal: to whoever acted, or what everybody may hear."""
    if public and refusal.public is not None:
        return Message(refusal.public, _public_params(refusal))
    return Message(refusal.code, dict(refusal.params))


def _public_params(refusal: Refusal) -> dict[str, str]:
    """Where hands were: everybody saw that."""
    return {name: value for name, value in refusal.params if name in ("seat", "from", "to")}


def happened(event: Event) -> Message:
    """The message of an event."""
    data = dict(event.data)
    if event.kind == "battle":
        kind = "battle" if "attacker" in data else "silent"
        return Message(f"event {kind} {data.pop('result')}", data)
    if event.kind == "over":
        return ended(Outcome(data["winner"], data["reason"]))
    thing = f" {data.pop('thing')}" if "thing" in data else ""
    return Message(f"event {event.kind}{thing}", data)


def ended(outcome: Outcome) -> Message:
    """The message of how a game ended."""
    if outcome.winner is None:
        return Message(f"draw {outcome.reason}")
    return Message(f"won {outcome.reason}", {"winner": outcome.winner})


_NAMED: Mapping[str, str] = {
    "seat": "seat",
    "winner": "seat",
    "attacker": "rank",
    "defender": "rank",
    "rank": "rank",
    "piece": "piece",
    "card": "card",
    "item": "item",
    "give": "item",
    "want": "item",
    "tunnel": "tunnel",
    "place": "castle",
    "to": "seat",
}
"""Parameters whose values have names of their own, and under which."""


def say(id_: str, **params: Any) -> Said:
    """The sentence of a message, by its id."""
    return text(Message(id_, params))


def text(message: Message, words: Catalogue = catalogue(ENGLISH)) -> Said:  # noqa: B008 - never changes
    """The sentence of a message, in the language of the catalogue. Raises `KeyError` for an unknown id."""
    # In a set-up's refusal the rank is a sign of the player's own text, not a piece that was met.
    named = {} if message.id == "stratego/setup-army" else _NAMED
    params = {name: _named(named.get(name), value, words) for name, value in message.params.items()}
    whole = TEXTS[message.id]
    if message.id in COUNTED:
        count, one = COUNTED[message.id]
        return Said(words.ngettext(one, whole, int(message.params[count])).format(**params), message)
    return Said(words.gettext(whole).format(**params), message)


def _named(family: str | None, value: Any, words: Catalogue) -> Any:
    """A parameter as people read it: by the name of its family, lists with commas, joint winners with a +."""
    if isinstance(value, Said):  # a name that is a sentence of its own
        return value if value.message is None else text(value.message, words)
    if isinstance(value, list | tuple):
        return ", ".join(str(_named(family, one, words)) for one in value)
    if family == "seat" and "+" in str(value):
        return " + ".join(str(_named(family, one, words)) for one in value.split("+"))
    name = TEXTS.get(f"{family} {value}") if family is not None else None
    return value if name is None else words.gettext(name)


def translated(value: Any, language: str) -> Any:
    """The same data with every sentence in that language; what can't be translated stays as it is."""
    return value if language == ENGLISH else _translated(value, catalogue(language))


def _translated(value: Any, words: Catalogue) -> Any:
    if isinstance(value, Said):
        return str(value) if value.message is None else str(text(value.message, words))
    if isinstance(value, Mapping):
        return {key: _translated(part, words) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_translated(part, words) for part in value]
    return value


def placed(value: Any, names: Mapping[str, str]) -> Any:
    """The same data with the spaces in its sentences called by these names, which are by the spaces' ids."""
    if isinstance(value, Said):
        return value if value.message is None else text(_placed(value.message, names))
    if isinstance(value, Mapping):
        return {key: placed(part, names) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [placed(part, names) for part in value]
    return value


_PLACES = frozenset(("at", "from", "to", "space", "first", "rest", "pieces", "spaces", "entries"))
"""Parameters whose values are a space, a list of them, or some in one text with blanks between."""


def _placed(message: Message, names: Mapping[str, str]) -> Message:
    params = dict(message.params)
    for name in _PLACES & params.keys():
        several = isinstance(params[name], list | tuple)
        spaces = list(params[name]) if several else str(params[name]).split(" ")
        if set(spaces) <= names.keys():
            called = [names[space] for space in spaces]
            params[name] = called if several or len(called) > 1 else called[0]
    return Message(message.id, params)


def speaks(value: Any) -> bool:
    """Whether there is any sentence in the data."""
    if isinstance(value, Mapping):
        return any(map(speaks, value.values()))
    return isinstance(value, Said) or (isinstance(value, list | tuple) and any(map(speaks, value)))


def sound(kind: str, data: Mapping[str, Any]) -> str | None:
    """What the buzzer plays (a name of `boardwire.sounds`) with a message that everybody hears, if anything.

    Who won a battle is heard, which ranks met is not: as the electronic board of 1982 did it.
    """
    if kind == "ruling":
        if not data["ok"]:
            return "refused"
        if any(event["kind"] == "offer" for event in data["events"]):
            return "attention"
        results = [event["result"] for event in data["events"] if event["kind"] == "battle"]
        return _BATTLE_SOUNDS[results[0]] if results else "accepted"
    if kind == "question" and data["code"] in PENDING:
        return "attack-waits"
    if kind == "question" and data["code"] in UNFELT:
        return None  # a piece that is held to think is no cause for noise
    return _SOUNDS.get(kind)


_BATTLE_SOUNDS = {"attacker": "attacker-stands", "defender": "defender-stands", "both": "both-fall"}
_SOUNDS = {
    "fault": "fault",
    "question": "attention",
    "proposal": "attention",
    "over": "over",
    "clock": "attention",
}
