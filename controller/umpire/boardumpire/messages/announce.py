"""What people are told: a message id and its parameters -> a sentence.

Every sentence is whole and its parameters are named, so that a catalogue in another language can order them
as it likes. Games bring their own sentences (`boardrules.package.Sentences`); the board's stand here. A
sentence that is missing is shown by its id.

A sentence is made in English and remembers what it says (`Sentence`): whoever shows it to a person puts it
into that person's language, and everything between goes its way without knowing of languages.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from boardrules import common_sentences, registry
from boardrules.core import Event, Outcome, Refusal, Seat, Space, split_seats
from boardrules.english import sides
from boardrules.package import Message as Message
from boardrules.package import Sentences
from boardumpire.messages import text_board, text_clocks, text_journal, text_tags
from boardumpire.messages.languages import ENGLISH, Catalogue, catalogues_by_game
from boardumpire.messages.sounds import SOUNDS
from boardumpire.ruling.umpire import battle_result
from boardumpire.tracking.questions import PENDING, UNFELT

Words = Callable[[str], Catalogue]
"""By game the catalogue of a language (`spoken`)."""
Players = Mapping[Seat, str]
"""By seat the name of who sits there (`players.names`): those that gave one."""
NO_PLAYERS: Players = MappingProxyType({})


class Sentence(str):
    """A sentence in English that can be said in any language."""

    message: Message | None

    def __new__(cls, sentence: str, message: Message | None = None) -> Sentence:
        """Without a message it stays as it is in every language."""
        made = super().__new__(cls, sentence)
        made.message = message
        return made


BOARD: Mapping[str, str] = {
    **common_sentences.TEXTS,
    **text_board.TEXTS,
    **text_journal.TEXTS,
    **text_tags.TEXTS,
    **text_clocks.TEXTS,
}
"""What the board says in every game, by the id of its message."""
_BOARD = Sentences(BOARD, families={"seat": "seat", "winner": "seat", "loser": "seat"})


class KnownSentence(NamedTuple):
    """A sentence that there is."""

    game: str
    """The first game that says it; of the board none."""
    id: str
    text: str
    one: str | None
    """How it is said for one, where that differs."""


def all_sentences() -> Iterator[KnownSentence]:
    """Every sentence of the board and of all games: for catalogues and tests."""
    yield from (KnownSentence("", name, text, None) for name, text in BOARD.items())
    known: list[Sentences] = []
    for game, package in registry.games().items():
        said = package.sentences()
        if said in known:  # several games of one family
            continue
        known.append(said)
        for name, text in said.texts.items():
            yield KnownSentence(game, name, text, said.counted[name][1] if name in said.counted else None)


@functools.lru_cache(maxsize=16)
def sentences(game: str) -> Sentences:
    """What a game says; the board's own sentences for none, and for a game that nobody has."""
    try:
        return registry.package(game).sentences() if game else _BOARD
    except registry.UnknownGame:
        return _BOARD


PLURAL_PARAMETER = "several"
"""The id of a message that is several sentences, one after the other: its parameter `messages`."""


def refusal_message(refusal: Refusal, game: str = "", public: bool = False) -> Message:
    """The message of a refusal of that game: to whoever acted all of it, or what everybody may hear."""
    if public and refusal.public is not None:
        return Message(refusal.public, _public_params(refusal), game)
    reasons = [Message(reason.code, dict(reason.params), game) for reason in (refusal, *refusal.also)]
    return Message(PLURAL_PARAMETER, {"messages": reasons}) if refusal.also else reasons[0]


def _public_params(refusal: Refusal) -> dict[str, str]:
    """Where hands were: everybody saw that."""
    return {name: value for name, value in refusal.params if name in ("seat", "from", "to")}


def is_known(message: Message) -> bool:
    """Whether there is a sentence for it."""
    return message.id in sentences(message.game).texts or message.id in BOARD


def event_message(event: Event, game: str = "") -> Message:
    """The message of an event of that game."""
    if event.kind == "over":
        data = dict(event.data)
        return outcome_message(Outcome(data["winner"], data["reason"]), game)
    try:
        return registry.package(game).told(event)
    except registry.UnknownGame:
        return Message(f"event {event.kind}", dict(event.data), game)


def outcome_message(outcome: Outcome, game: str = "") -> Message:
    """The message of how a game ended."""
    if outcome.winner is None:
        return Message(f"draw {outcome.reason}", {}, game)
    try:
        params = sides(outcome, registry.package(game))
    except registry.UnknownGame:
        params = {"winner": outcome.winner}
    return Message(f"won {outcome.reason}", params, game)


def sentence_of(id_: str, **params: Any) -> Sentence:
    """The sentence of a message, by its id."""
    return sentence_text(Message(id_, params))


def sentence_text(message: Message, words: Words = catalogues_by_game(ENGLISH)) -> Sentence:  # noqa: B008 - never changes
    """The sentence of a message, in the language of the catalogues. One that has none is shown by its id."""
    if message.id == PLURAL_PARAMETER:
        return Sentence(
            " ".join([sentence_text(each, words) for each in message.params["messages"]]), message
        )
    game = sentences(message.game)
    whole = game.texts.get(message.id) or BOARD.get(message.id)
    if whole is None:
        return Sentence(message.id, message)
    literal = message.id in game.literal
    try:
        if message.id in game.counted:
            count, one = game.counted[message.id]
            whole = words(message.game).ngettext(one, whole, int(message.params[count]))
        else:
            whole = words(message.game).gettext(whole)
        params = {
            name: _named(
                None if literal else _name_family(game, name),
                _plain_name(value) if re.search(rf"\([^()]*{{{name}}}", whole) else value,
                message.game,
                words,
            )
            for name, value in message.params.items()
        }
        return Sentence(whole.format_map(_SentenceParameters(params)), message)
    except (ValueError, IndexError, KeyError, AttributeError):  # a slip in the sentence itself
        return Sentence(message.id, message)


class _SentenceParameters(dict[str, Any]):
    """Parameters, of which one that is missing shows its name: a slip in a sentence ends no game."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def _name_family(game: Sentences, name: str) -> str | None:
    return game.families.get(name) or _BOARD.families.get(name)


def display_name(family: str, value: object, game: str, words: Words = catalogues_by_game(ENGLISH)) -> str:  # noqa: B008
    """What people call one of a family of that game, such as a seat; a value without a name is shown as it
    is."""
    known = sentences(game).texts.get(f"{family} {value}") or BOARD.get(f"{family} {value}")
    if known is None:
        return str(value).capitalize() if family == "seat" else str(value)
    return words(game).gettext(known)


def _named(family: str | None, value: Any, game: str, words: Words) -> Any:
    """A parameter as people read it: by the name of its family, lists with commas, joint winners with a +."""
    if isinstance(value, Sentence):  # a name that is a sentence of its own
        return value if value.message is None else sentence_text(value.message, words)
    if isinstance(value, list | tuple):
        between = " + " if isinstance(value, _SeatGroup) else ", "
        return between.join(str(_named(family, one, game, words)) for one in value)
    if family == "seat" and len(seats := split_seats(str(value))) > 1:
        return " + ".join(str(_named(family, one, game, words)) for one in seats)
    return value if family is None else display_name(family, value, game, words)


def _plain_name(value: Any) -> Any:
    """A player without brackets, for a place between brackets: `(Anna, Red)`, never `(Anna (Red))`."""
    if not isinstance(value, Sentence):
        return value
    if value.message is None or value.message.id != "player":
        return value
    return Sentence(value, value.message._replace(id="player in brackets"))


def translated(value: Any, language: str) -> Any:
    """The same data with every sentence in that language; what can't be translated stays as it is."""
    return value if language == ENGLISH else _translated(value, catalogues_by_game(language))


def _translated(value: Any, words: Words) -> Any:
    if isinstance(value, Sentence):
        return str(value) if value.message is None else str(sentence_text(value.message, words))
    if isinstance(value, Mapping):
        return {key: _translated(part, words) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_translated(part, words) for part in value]
    return value


def with_space_names(
    value: Any, names: Mapping[Space, str], game: str = "", players: Players = NO_PLAYERS
) -> Any:
    """The same data with the spaces in its sentences called by these names, which are by the spaces' ids, the
    board's sentences with the names that this game gives its seats, and seats with those of their players."""
    if isinstance(value, Sentence):
        return (
            value
            if value.message is None
            else sentence_text(_with_space_names(value.message, names, game, players))
        )
    if isinstance(value, Mapping):
        return {key: with_space_names(part, names, game, players) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [with_space_names(part, names, game, players) for part in value]
    return value


class _SeatGroup(tuple[Any, ...]):
    """Seats that did something together."""


def player_name(seat: Seat, players: Players, game: str) -> str:
    """Who sits there, with the seat's own word: a sentence of its own, `Anna (Red)`. Who gave no name is
    called by the seat."""
    if seat not in players:
        return seat
    return sentence_text(Message("player", {"name": players[seat], "seat": seat}, game))


_PLACES = frozenset(("at", "from", "to", "space", "first", "rest", "pieces", "spaces", "entries"))
"""Parameters whose values are a space, a list of them, or some in one text with blanks between."""


def named_seats(players: Players, game: str) -> dict[Seat, str]:
    """By seat what it is called where somebody sits who gave a name: sentences, for any language."""
    return {seat: player_name(seat, players, game) for seat in players}


def _with_space_names(message: Message, names: Mapping[Space, str], game: str, players: Players) -> Message:
    if message.id == PLURAL_PARAMETER:
        several = [_with_space_names(each, names, game, players) for each in message.params["messages"]]
        return Message(PLURAL_PARAMETER, {"messages": several})
    params = dict(message.params)
    if players and message.id != "player":
        _with_player_names(message, params, players, message.game or game)
    for name in _PLACES & params.keys():
        many = isinstance(params[name], list | tuple)
        spaces = list(params[name]) if many else list(map(Space, str(params[name]).split(" ")))
        if set(spaces) <= names.keys():
            called = _counted(names[space] for space in spaces)
            params[name] = called if many or len(called) > 1 else called[0]
    return Message(message.id, params, message.game or game)


def _counted(names: Iterable[str]) -> list[str]:
    """Each name once, with how often it comes where several pieces share a space: `Barracks (6)`."""
    return [name if count == 1 else f"{name} ({count})" for name, count in Counter(names).items()]


def _with_player_names(message: Message, params: dict[str, Any], players: Players, game: str) -> None:
    """Put players for the seats of a message."""
    said = sentences(message.game)
    for name, value in params.items():
        if message.id in said.literal or _name_family(said, name) != "seat":
            continue
        if isinstance(value, list | tuple):
            params[name] = type(value)(player_name(seat, players, game) for seat in value)
        elif isinstance(value, str):
            joint = tuple(player_name(seat, players, game) for seat in split_seats(value))
            params[name] = _SeatGroup(joint) if len(joint) > 1 else player_name(Seat(value), players, game)


def has_sentence(value: Any) -> bool:
    """Whether there is any sentence in the data."""
    if isinstance(value, Mapping):
        return any(map(has_sentence, value.values()))
    return isinstance(value, Sentence) or (isinstance(value, list | tuple) and any(map(has_sentence, value)))


def message_sound(kind: str, data: Mapping[str, Any]) -> str | None:
    """What is played (a name of `sounds.SOUNDS`) with a message that everybody hears, if anything.

    Who won a battle is heard, which ranks met is not: as the electronic board of 1982 did it.
    """
    if kind == "ruling":
        if not data["ok"]:
            return "refused"
        if any(event["kind"] == "offer" for event in data["events"]):
            return "attention"
        results = [battle_result(event["kind"], event) for event in data["events"]]
        return next((_BATTLE_SOUNDS[result] for result in results if result is not None), "accepted")
    if kind == "reminder" and data["code"].startswith("press-"):
        return "refused"
    if kind == "question" and data["code"] in PENDING:
        return "attack-waits"
    if kind == "question" and data["code"] in UNFELT:
        return None  # a piece that is held to think is no cause for noise
    if kind == "over":
        how = "draw" if data["winner"] is None else "won"
        return how if how in SOUNDS else "over"
    return _SOUNDS.get(kind)


_BATTLE_SOUNDS = {"attacker": "attacker-stands", "defender": "defender-stands", "both": "both-fall"}
_SOUNDS = {
    "fault": "fault",
    "question": "attention",
    "proposal": "attention",
    "clock": "attention",
}
