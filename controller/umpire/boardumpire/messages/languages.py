"""The languages of the players' texts.

English stands in the code; the other languages are gettext catalogues beside it, `locale/CODE/LC_MESSAGES`:
the `.po` is what people edit, the `.mo` what is read here (`make catalogues` keeps the two together).
"""

from __future__ import annotations

import functools
import gettext
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

DOMAIN = "boardumpire"
_LOCALE = Path(__file__).parents[1] / "locale"
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


def in_context(words: Catalogue, context: str, message: str) -> str:
    """The word in that context; without one, as everywhere."""
    return words.pgettext(context, message) if context else words.gettext(message)


@functools.cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of a language. Raises `KeyError` for one that isn't spoken here."""
    LANGUAGES[language]
    if language == ENGLISH:
        return gettext.NullTranslations()
    with (_LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def known(language: object) -> str:
    """The language of that code; English for what is none."""
    return language if isinstance(language, str) and language in LANGUAGES else ENGLISH


def preferred(accepted: str) -> str:
    """The language that a browser asks for first (its `Accept-Language`) and that is spoken here."""
    wishes = [_wish(part) for part in accepted.split(",")[:50]]
    spoken = [(weight, code) for weight, code in wishes if code in LANGUAGES and weight > 0]
    return max(spoken, key=lambda wish: wish[0])[1] if spoken else ENGLISH


def _wish(part: str) -> tuple[float, str]:
    """`de-AT;q=0.8` as (0.8, "de")."""
    name, _, rest = part.partition(";")
    code = name.strip().lower().partition("-")[0]
    quality = rest.strip().removeprefix("q=") if rest.strip().startswith("q=") else "1"
    try:
        return float(quality), code
    except ValueError:
        return 0.0, code
