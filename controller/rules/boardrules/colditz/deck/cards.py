"""The decks as data: name, count, effect, parameters. What an effect does is a function in `effects`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from boardrules.colditz.castle.datafile import MAX_NAME_LENGTH, SHIPPED_FOLDER, DataFile, read_text
from boardrules.colditz.castle.plan import AREAS, SYMBOLS

FORMAT: Final = "boardumpire-colditz-cards"
VERSION: Final = 1
EQUIPMENT_KINDS: Final = SYMBOLS[:4]
"""R090: rope, key, pass, cutter."""
KIT_PARTS: Final = SYMBOLS[4:]
"""R101: food, documents, compass, disguise."""
DECKS: Final = ("opportunity", "security")
DECK_TOTALS: Final = {"opportunity": 47, "security": 16}  # R004
PART_CARDS: Final = 6  # R017
APPEL_CARDS: Final = 2  # R070
SUPPLY_COUNTS: Final = {"rope": 12, "key": 6, "pass": 5, "cutter": 4, "kits": 5}  # R004
DO_OR_DIE_CARDS: Final = 5  # R004: Do or Die
MAX_CARD_NUMBER: Final = 60
"""Of the numbers on cards: points, circles, throws. No walk is longer."""
MAX_TEXT_LENGTH: Final = 600
_CARD_ID_PATTERN: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+){0,9}")


def _is_allowed_text(value: Any, known: tuple[str, ...]) -> bool:
    return isinstance(value, str) and (value in known if known else 0 < len(value) <= MAX_NAME_LENGTH)


class EffectParameter(NamedTuple):
    """What one parameter of an effect takes."""

    kind: str
    """`number`, `one` or `some` of the words."""
    allowed_words: tuple[str, ...] = ()

    def accepts(self, value: Any) -> bool:
        """Whether a value is one."""
        if self.kind == "number":
            return type(value) is int and 0 <= value <= MAX_CARD_NUMBER
        if self.kind == "one":
            return _is_allowed_text(value, self.allowed_words)
        return (
            isinstance(value, list)
            and bool(value)
            and all(_is_allowed_text(word, self.allowed_words) for word in value)
        )

    @property
    def expected(self) -> str:
        """As people read it."""
        if self.kind == "number":
            return f"a whole number, at most {MAX_CARD_NUMBER}"
        words = ", ".join(self.allowed_words) or "a name"
        return f"one of {words}" if self.kind == "one" else f"a list of {words}"


EFFECT_PARAMETERS: Final[Mapping[str, tuple[str, Mapping[str, EffectParameter]]]] = {
    "part": ("opportunity", {"symbols": EffectParameter("some", KIT_PARTS)}),
    "tunnel": ("opportunity", {"tunnel": EffectParameter("one")}),
    "car": ("opportunity", {}),
    "release": ("opportunity", {}),
    "hideaway": ("opportunity", {}),
    "dismiss": ("opportunity", {"areas": EffectParameter("some", AREAS), "range": EffectParameter("number")}),
    "talisman": ("opportunity", {}),
    "gain": ("opportunity", {"kind": EffectParameter("one", EQUIPMENT_KINDS)}),
    "points": ("both", {"points": EffectParameter("number")}),
    "throw": ("both", {}),
    "cancel": ("both", {"deck": EffectParameter("one", DECKS)}),
    "send": ("opportunity", {"room": EffectParameter("one")}),
    "home": ("opportunity", {}),
    "appel": ("security", {}),
    "shoot": ("security", {"least": EffectParameter("number")}),
    "detect": ("security", {}),
    "unmark": ("security", {}),
    "relief": ("security", {}),
    "confiscate": ("security", {}),
}

_CARD_KEYS: Final = ("title", "count", "effect", "text", "invented")


class Card(NamedTuple):
    """One kind of card."""

    id: str
    deck: str
    title: str
    text: str
    copies: int
    effect: str
    params: tuple[tuple[str, Any], ...]
    invented: bool

    def param(self, name: str) -> Any:
        """The value of a parameter."""
        for key, value in self.params:
            if key == name:
                return value
        raise KeyError(name)


class CardSet(NamedTuple):
    """All the cards of a game. A card is a number elsewhere: its place in `cards`."""

    name: str
    cards: tuple[Card, ...]
    supply: tuple[int, ...]
    """By kind of Equipment how many cards there are."""
    kit_count: int
    do_or_die_values: tuple[int, ...]
    """Of the Do or Die cards."""

    def card_number(self, card_id: str) -> int:
        """The number of a card. Raises `KeyError`."""
        for number, card in enumerate(self.cards):
            if card.id == card_id:
                return number
        raise KeyError(card_id)


def read_cards(text: str, file: str) -> CardSet:
    """The cards that a text holds. Raises `DataError` naming file, line, what was found and expected."""
    data = DataFile(text, file, FORMAT, VERSION)
    data.refuse_unknown_keys(("format", "version", "name", "supply", *DECKS))
    name = data.expect_name("name", data.data.get("name"))
    cards = tuple(
        _read_card(data, deck, card, value) for deck in DECKS for card, value in data.section(deck).items()
    )
    for deck, total in DECK_TOTALS.items():
        found = sum(card.copies for card in cards if card.deck == deck)
        if found != total:
            data.raise_error((deck,), f"the deck {deck} has {found} cards; try {total}")
    _check_counts(data, cards)
    supply = data.section("supply")
    for key, count in SUPPLY_COUNTS.items():
        if supply.get(key) != count:
            data.raise_error(("supply", key), f"{supply.get(key)!r}; try {count}")
    values = supply.get("do_or_die")
    if (
        not isinstance(values, list)
        or len(values) != DO_OR_DIE_CARDS
        or any(type(n) is not int or not 1 <= n <= MAX_CARD_NUMBER for n in values)
    ):
        data.raise_error(
            ("supply", "do_or_die"),
            f"{values!r}; try {DO_OR_DIE_CARDS} whole numbers from 1 to {MAX_CARD_NUMBER}",
        )
    return CardSet(
        name, cards, tuple(supply[kind] for kind in EQUIPMENT_KINDS), supply["kits"], tuple(values)
    )


def _check_counts(data: DataFile, cards: tuple[Card, ...]) -> None:
    """What the rules ask of decks beside their totals."""
    for name, times in Counter(card.id for card in cards).items():
        if times > 1:
            data.raise_error(("security",), f"{name} is in both decks; try names of their own")
    parts = sum(card.copies for card in cards if card.effect == "part")
    if parts != PART_CARDS:
        data.raise_error(("opportunity",), f"there are {parts} cards with the effect part; try {PART_CARDS}")
    shown = {frozenset(card.param("symbols")) for card in cards if card.effect == "part"}
    if (
        len(shown) != 2
        or any(len(part) != 2 for part in shown)
        or frozenset().union(*shown) != set(KIT_PARTS)
    ):
        found_parts = ", ".join(sorted("+".join(sorted(part)) for part in shown))
        data.raise_error(
            ("opportunity",),
            f"the cards with the effect part show {found_parts}; try two kinds that make a Kit together",
        )  # R103
    appels = sum(card.copies for card in cards if card.effect == "appel")
    if appels != APPEL_CARDS:
        data.raise_error(("security",), f"there are {appels} cards with the effect appel; try {APPEL_CARDS}")


def _read_card(data: DataFile, deck: str, card: str, value: Any) -> Card:
    section = f"{deck}.{card}"
    if not isinstance(value, dict) or not _CARD_ID_PATTERN.fullmatch(card):
        data.raise_error(
            (deck,), f"{card[:60]!r} is no card; try a section [{deck}.small-letters-and-digits]"
        )
    for key, kind, expected in (
        ("count", int, "a whole number"), ("effect", str, "an effect"),
    ):  # fmt: skip
        data.expect_type((section, key), value.get(key), kind, expected)
    for key, most in (("title", MAX_NAME_LENGTH), ("text", MAX_TEXT_LENGTH)):
        data.expect_one_line((section, key), value.get(key), most, f"a {key}")
    whose, params = EFFECT_PARAMETERS.get(value["effect"], ("", {}))
    if whose not in (deck, "both"):
        known = ", ".join(name for name, (of, _) in EFFECT_PARAMETERS.items() if of in (deck, "both"))
        data.raise_error((section, "effect"), f"{value['effect']!r}; try one of {known}")
    if value["count"] < 1:
        data.raise_error((section, "count"), f"{value['count']}; try 1 or more")
    for key in value:
        if key not in _CARD_KEYS and key not in params:
            data.raise_error((section, key), f"unknown; try one of {', '.join((*_CARD_KEYS, *params))}")
    for key, param in params.items():
        if not param.accepts(value.get(key)):
            data.raise_error((section, key), f"{value.get(key)!r}; try {param.expected}")
    read = tuple((key, tuple(v) if isinstance(v := value[key], list) else v) for key in params)
    invented = data.expect_type((section, "invented"), value.get("invented", False), bool, "true or false")
    return Card(card, deck, value["title"], value["text"], value["count"], value["effect"], read, invented)


CASTLE: Final = "castle"
"""The decks that come with the game."""


@lru_cache(maxsize=16)
def card_set_by_key(key: str) -> CardSet:
    """The decks that the option `cards` names: `CASTLE`, or the text of a file. Raises `DataError`."""
    if key == CASTLE:
        path = SHIPPED_FOLDER / "cards.toml"
        return read_cards(read_text(path), str(path))
    return read_cards(key, "option cards")
