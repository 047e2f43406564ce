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
from typing import Any, Final, NamedTuple

from boardrules import common_sentences, registry
from boardrules.core import Event, Outcome, Refusal, Seat, Space, split_seats
from boardrules.english import outcome_params
from boardrules.package import Message as Message
from boardrules.package import Sentences
from boardumpire.messages import text_board, text_clocks, text_journal, text_tags
from boardumpire.messages.languages import ENGLISH, Catalogue, catalogues_by_game
from boardumpire.messages.sounds import SOUNDS
from boardumpire.ruling.umpire import battle_result
from boardumpire.tracking.questions import PENDING_ATTACK_CODES, UNSENSED_MOVE_CODES

CataloguesByGame = Callable[[str], Catalogue]
"""By game the catalogue of a language (`catalogues_by_game`)."""
_ENGLISH_CATALOGUES: Final = catalogues_by_game(ENGLISH)
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


BOARD_SENTENCES: Mapping[str, str] = {
    **common_sentences.TEXTS,
    **text_board.TEXTS,
    **text_journal.TEXTS,
    **text_tags.TEXTS,
    **text_clocks.TEXTS,
}
"""What the board says in every game, by the id of its message."""
_BOARD_SENTENCE_SET = Sentences(
    BOARD_SENTENCES, name_families={"seat": "seat", "winner": "seat", "loser": "seat"}
)


class KnownSentence(NamedTuple):
    """A sentence that there is."""

    game: str
    """The first game that says it; of the board none."""
    id: str
    text: str
    singular: str | None
    """How it is said for one, where that differs."""


def all_sentences() -> Iterator[KnownSentence]:
    """Every sentence of the board and of all games: for catalogues and tests."""
    yield from (KnownSentence("", name, text, None) for name, text in BOARD_SENTENCES.items())
    known: list[Sentences] = []
    for game, package in registry.games().items():
        said = package.sentences()
        if said in known:  # several games of one family
            continue
        known.append(said)
        for name, text in said.texts.items():
            yield KnownSentence(game, name, text, said.singulars[name][1] if name in said.singulars else None)


@functools.lru_cache(maxsize=16)
def sentences(game: str) -> Sentences:
    """What a game says; the board's own sentences for none, and for a game that nobody has."""
    try:
        return registry.package(game).sentences() if game else _BOARD_SENTENCE_SET
    except registry.UnknownGame:
        return _BOARD_SENTENCE_SET


SEVERAL_MESSAGES_ID = "several"
"""The id of a message that is several sentences, one after the other: its parameter `messages`."""


def refusal_message(refusal: Refusal, game: str = "", public: bool = False) -> Message:
    """The message of a refusal of that game: to whoever acted all of it, or what everybody may hear."""
    if public and refusal.public_code is not None:
        return Message(refusal.public_code, _public_params(refusal), game)
    reasons = [
        Message(reason.code, dict(reason.params), game) for reason in (refusal, *refusal.further_refusals)
    ]
    return Message(SEVERAL_MESSAGES_ID, {"messages": reasons}) if refusal.further_refusals else reasons[0]


def _public_params(refusal: Refusal) -> dict[str, str]:
    """Where hands were: everybody saw that."""
    return {name: value for name, value in refusal.params if name in ("seat", "from", "to")}


def is_known(message: Message) -> bool:
    """Whether there is a sentence for it."""
    return message.id in sentences(message.game).texts or message.id in BOARD_SENTENCES


def event_message(event: Event, game: str = "") -> Message:
    """The message of an event of that game."""
    if event.kind == "over":
        data = dict(event.data)
        return outcome_message(Outcome(data["winner"], data["reason"]), game)
    try:
        return registry.package(game).event_message(event)
    except registry.UnknownGame:
        return Message(f"event {event.kind}", dict(event.data), game)


def outcome_message(outcome: Outcome, game: str = "") -> Message:
    """The message of how a game ended."""
    if outcome.winner is None:
        return Message(f"draw {outcome.reason}", {}, game)
    try:
        params = outcome_params(outcome, registry.package(game))
    except registry.UnknownGame:
        params = {"winner": outcome.winner}
    return Message(f"won {outcome.reason}", params, game)


def sentence_by_id(id_: str, **params: Any) -> Sentence:
    """The sentence of a message, by its id."""
    return to_sentence(Message(id_, params))


def to_sentence(message: Message, catalogues: CataloguesByGame = _ENGLISH_CATALOGUES) -> Sentence:
    """The sentence of a message, in the language of the catalogues. One that has none is shown by its id."""
    if message.id == SEVERAL_MESSAGES_ID:
        return Sentence(
            " ".join([to_sentence(each, catalogues) for each in message.params["messages"]]), message
        )
    game = sentences(message.game)
    whole = game.texts.get(message.id) or BOARD_SENTENCES.get(message.id)
    if whole is None:
        return Sentence(message.id, message)
    literal = message.id in game.literal_ids
    try:
        if message.id in game.singulars:
            count, one = game.singulars[message.id]
            whole = catalogues(message.game).ngettext(one, whole, int(message.params[count]))
        else:
            whole = catalogues(message.game).gettext(whole)
        params = {
            name: _display_value(
                None if literal else _name_family(game, name),
                _name_within_brackets(value) if re.search(rf"\([^()]*{{{name}}}", whole) else value,
                message.game,
                catalogues,
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
    return game.name_families.get(name) or _BOARD_SENTENCE_SET.name_families.get(name)


def display_name(
    family: str, value: object, game: str, catalogues: CataloguesByGame = _ENGLISH_CATALOGUES
) -> str:
    """What people call one of a family of that game, such as a seat; a value without a name is shown as it
    is."""
    known = sentences(game).texts.get(f"{family} {value}") or BOARD_SENTENCES.get(f"{family} {value}")
    if known is None:
        return str(value).capitalize() if family == "seat" else str(value)
    return catalogues(game).gettext(known)


def _display_value(family: str | None, value: Any, game: str, catalogues: CataloguesByGame) -> Any:
    """A parameter as people read it: by the name of its family, lists with commas, joint winners with a +."""
    if isinstance(value, Sentence):  # a name that is a sentence of its own
        return value if value.message is None else to_sentence(value.message, catalogues)
    if isinstance(value, list | tuple):
        between = " + " if isinstance(value, _SeatGroup) else ", "
        return between.join(str(_display_value(family, one, game, catalogues)) for one in value)
    if family == "seat" and len(seats := split_seats(str(value))) > 1:
        return " + ".join(str(_display_value(family, one, game, catalogues)) for one in seats)
    return value if family is None else display_name(family, value, game, catalogues)


def _name_within_brackets(value: Any) -> Any:
    """A player without brackets, for a place between brackets: `(Anna, Red)`, never `(Anna (Red))`."""
    if not isinstance(value, Sentence):
        return value
    if value.message is None or value.message.id != "player":
        return value
    return Sentence(value, value.message._replace(id="player in brackets"))


def translate(value: Any, language: str) -> Any:
    """The same data with every sentence in that language; what can't be translated stays as it is."""
    return value if language == ENGLISH else _translate(value, catalogues_by_game(language))


def _translate(value: Any, catalogues: CataloguesByGame) -> Any:
    if isinstance(value, Sentence):
        return str(value) if value.message is None else str(to_sentence(value.message, catalogues))
    if isinstance(value, Mapping):
        return {key: _translate(part, catalogues) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_translate(part, catalogues) for part in value]
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
            else to_sentence(_with_space_names(value.message, names, game, players))
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
    return to_sentence(Message("player", {"name": players[seat], "seat": seat}, game))


_SPACE_PARAMETERS = frozenset(("at", "from", "to", "space", "first", "rest", "pieces", "spaces", "entries"))
"""Parameters whose values are a space, a list of them, or some in one text with blanks between."""


def named_seats(players: Players, game: str) -> dict[Seat, str]:
    """By seat what it is called where somebody sits who gave a name: sentences, for any language."""
    return {seat: player_name(seat, players, game) for seat in players}


def _with_space_names(message: Message, names: Mapping[Space, str], game: str, players: Players) -> Message:
    if message.id == SEVERAL_MESSAGES_ID:
        several = [_with_space_names(each, names, game, players) for each in message.params["messages"]]
        return Message(SEVERAL_MESSAGES_ID, {"messages": several})
    params = dict(message.params)
    if players and message.id != "player":
        _with_player_names(message, params, players, message.game or game)
    for name, value in params.items():
        if isinstance(value, Sentence):
            params[name] = with_space_names(value, names, game, players)
    for name in _SPACE_PARAMETERS & params.keys():
        many = isinstance(params[name], list | tuple)
        spaces = list(params[name]) if many else list(map(Space, str(params[name]).split(" ")))
        if set(spaces) <= names.keys():
            called = _names_with_counts(names[space] for space in spaces)
            params[name] = called if many or len(called) > 1 else called[0]
    return Message(message.id, params, message.game or game)


def _names_with_counts(names: Iterable[str]) -> list[str]:
    """Each name once, with how often it comes where several pieces share a space: `Barracks (6)`."""
    return [name if count == 1 else f"{name} ({count})" for name, count in Counter(names).items()]


def _with_player_names(message: Message, params: dict[str, Any], players: Players, game: str) -> None:
    """Put players for the seats of a message."""
    said = sentences(message.game)
    for name, value in params.items():
        if message.id in said.literal_ids or _name_family(said, name) != "seat":
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
    if kind == "question" and data["code"] in PENDING_ATTACK_CODES:
        return "attack-waits"
    if kind == "question" and data["code"] in UNSENSED_MOVE_CODES:
        return None  # a piece that is held to think is no cause for noise
    if kind == "over":
        how = "draw" if data["winner"] is None else "won"
        return how if how in SOUNDS else "over"
    return _SOUNDS_BY_KIND.get(kind)


_BATTLE_SOUNDS = {"attacker": "attacker-stands", "defender": "defender-stands", "both": "both-fall"}
_SOUNDS_BY_KIND = {
    "fault": "fault",
    "question": "attention",
    "proposal": "attention",
    "clock": "attention",
}
