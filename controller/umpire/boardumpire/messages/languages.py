"""The languages of the players' texts.

English stands in the code; the other languages are gettext catalogues beside it, `locale/CODE/LC_MESSAGES`:
the `.po` is what people edit, the `.mo` what is read here (`make catalogues` keeps the two together). What a
game says is in catalogues of its own package, `locale/CODE/LC_MESSAGES/game.mo` in its folder
(`GamePackage.resources`); what stands in none of these is looked for in the board's.
"""

from __future__ import annotations

import functools
import gettext
import logging
import struct
from collections.abc import Callable, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from boardrules import registry
from boardrules.package import GamePackage

BOARD_GETTEXT_DOMAIN, GAME_GETTEXT_DOMAIN = "boardumpire", "game"
_LOCALE = Path(__file__).parents[1] / "locale"
_log = logging.getLogger(__name__)
ENGLISH = "en"

LANGUAGES: Mapping[str, str] = MappingProxyType(
    {
        "en": "English",
        "nl": "Nederlands",
        "fr": "Français",
        "de": "Deutsch",
        "es": "Español",
        "it": "Italiano",
        "pt": "Português",
        "da": "Dansk",
        "ru": "Русский",
    }
)
"""Each language by its code, with the name that its own speakers have for it."""


class Catalogue(Protocol):
    """English sentence -> the same in another language."""

    def gettext(self, message: str, /) -> str:
        """The sentence."""

    def ngettext(self, msgid1: str, msgid2: str, n: int, /) -> str:
        """The form of the sentence for `n`; in English there are two, for one and for more."""

    def pgettext(self, context: str, message: str, /) -> str:
        """The word as it is said in that context, where one word of English is two of another language."""


def translate_in_context(words: Catalogue, context: str, message: str) -> str:
    """The word in that context; without one, as everywhere."""
    return words.pgettext(context, message) if context else words.gettext(message)


def catalogue(language: str, game: str = "") -> Catalogue:
    """The catalogue of a language: the board's, or that of a game, which knows the board's sentences too.

    Raises `KeyError` for a language that isn't spoken here.
    """
    board = _board_catalogue(language)
    if not game or language == ENGLISH:
        return board
    try:
        return _game_catalogue(language, registry.package(game))
    except registry.UnknownGame:
        return board


def catalogues_by_game(language: str) -> Callable[[str], Catalogue]:
    """By game the catalogue of a language, for sentences of several games. Raises as `catalogue`."""
    LANGUAGES[language]
    return functools.partial(catalogue, language)


@functools.cache
def _board_catalogue(language: str) -> gettext.NullTranslations:
    LANGUAGES[language]
    if language == ENGLISH:
        return gettext.NullTranslations()
    with (_LOCALE / language / "LC_MESSAGES" / f"{BOARD_GETTEXT_DOMAIN}.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


@functools.cache
def _game_catalogue(language: str, game: GamePackage) -> Catalogue:
    """Games of one package share it. One that can't be read is left out: people read English then."""
    folder = game.resources()
    if folder is None:
        return _board_catalogue(language)
    file = folder / "locale" / language / "LC_MESSAGES" / f"{GAME_GETTEXT_DOMAIN}.mo"
    if str(file) not in _game_catalogues:
        _game_catalogues[str(file)] = (
            _load_catalogue(language, file) if file.is_file() else _board_catalogue(language)
        )
    return _game_catalogues[str(file)]


_game_catalogues: dict[str, Catalogue] = {}
"""By its file each catalogue of a package."""


def _load_catalogue(language: str, file: Traversable) -> Catalogue:
    try:
        with file.open("rb") as stream:
            found = gettext.GNUTranslations(stream)
    except (OSError, ValueError, struct.error) as error:
        _log.warning("%s: no catalogue: %s", file, error)
        return _board_catalogue(language)
    found.add_fallback(_board_catalogue(language))
    return found


def known_language(language: object) -> str:
    """The language of that code; English for what is none."""
    return language if isinstance(language, str) and language in LANGUAGES else ENGLISH


def preferred_language(accepted: str) -> str:
    """The language that a browser asks for first (its `Accept-Language`) and that is spoken here."""
    wishes = [_parse_preference(part) for part in accepted.split(",")[:50]]
    spoken = [(weight, code) for weight, code in wishes if code in LANGUAGES and weight > 0]
    return max(spoken, key=lambda wish: wish[0])[1] if spoken else ENGLISH


def _parse_preference(part: str) -> tuple[float, str]:
    """`de-AT;q=0.8` as (0.8, "de")."""
    name, _, rest = part.partition(";")
    code = name.strip().lower().partition("-")[0]
    quality = rest.strip().removeprefix("q=") if rest.strip().startswith("q=") else "1"
    try:
        return float(quality), code
    except ValueError:
        return 0.0, code
