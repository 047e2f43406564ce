"""Which language a screen speaks, the words that its scripts draw with, and short pages in it.

A screen's language is a choice of the seat on its device (a cookie), else the first that the browser asks for
and that is spoken here. Seats, the table and replays each have their own.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import Response

from boardrules.core import Seat
from boardumpire.messages import announce
from boardumpire.messages.languages import (
    ENGLISH,
    LANGUAGES,
    Catalogue,
    catalogue,
    preferred_language,
    translate_in_context,
)
from boardumpire.web.assets import CONTENT_TYPES

_STRING_LITERAL_PATTERN = r'("(?:[^"\\]|\\.)*")'
_TRANSLATED_CALL_PATTERN = re.compile(rf"\b_\(\s*{_STRING_LITERAL_PATTERN}")
_PLURAL_CALL_PATTERN = re.compile(rf"\bcounted\(\s*{_STRING_LITERAL_PATTERN},\s+{_STRING_LITERAL_PATTERN}")
_PLURAL_EXAMPLES = {"one": 1, "few": 3, "many": 11, "other": 100}
"""Plural categories of browsers (`Intl.PluralRules`), each with a number that is in it."""


def _(text: str) -> str:
    """Marks what is to be translated: `make catalogues` finds it here, the catalogue is asked later."""
    return text


INDEX_TEXTS = (
    _("Skip to the next thing to do"),
    _("connecting …"),
    _("The board"),
    _("What is happening"),
    _("This page needs JavaScript. All of it comes from the board itself."),
)
"""What stands in `index.html` itself."""


def screen_language(asks: HTTPConnection, name: str) -> str:
    """The language of the screen of a seat (or of the table) on the device that asks."""
    wanted = asks.cookies.get(f"boardumpire-language-{name}", "")
    return wanted if wanted in LANGUAGES else preferred_language(asks.headers.get("accept-language", ""))


def index_replacements(language: str) -> Mapping[str, str]:
    """What stands for what in `index.html`."""
    words = catalogue(language)
    put = {text: html.escape(words.gettext(text)) for text in INDEX_TEXTS}
    return {'<html lang="en">': f'<html lang="{language}">', **put}


def translate_printed_board(printed: Mapping[str, Any], language: str, game: str) -> dict[str, Any]:
    """What is printed on the board of a game, with the legend of its lamps in that language."""
    words = catalogue(language, game)
    told = [_translate_mark(entry, language) for entry in printed["legend"]]
    spaces = announce.translate(printed["spaces"], language)
    scenery = _translate_scenery(printed.get("scenery"), game, words)
    looks = printed.get("looks", {})
    context = looks.get("context", "")
    names = {
        piece: translate_in_context(words, context, name) for piece, name in looks.get("names", {}).items()
    }
    presets = {preset: words.gettext(name) for preset, name in looks.get("presets", {}).items()}
    looks = {**looks, "names": names, **({"presets": presets} if presets else {})}
    return {**printed, "spaces": spaces, "legend": told, "looks": looks, **scenery}


def _translate_mark(entry: Mapping[str, Any], language: str) -> dict[str, Any]:
    """A mark of the legend. What it means is said in the words of its game."""
    words, own = catalogue(language), catalogue(language, entry["game"])
    said = {key: own.gettext(entry[key]) for key in ("means", "at_end") if entry.get(key)}
    looks = {key: entry[key] and words.gettext(entry[key]) for key in ("hue", "pattern")}
    return {**{key: value for key, value in entry.items() if key != "game"}, **said, **looks}


def _translate_scenery(scenery: Mapping[str, Any] | None, game: str, words: Catalogue) -> dict[str, Any]:
    """What a game prints on its board and cards, in the language of the catalogue; `names` that its scripts
    need."""
    if scenery is None:
        return {}
    said = announce.sentences(game)
    named = {
        name.removeprefix(f"{said.page_families[0]} "): words.gettext(text)
        for name, text in said.texts.items()
        if said.page_families and name.startswith(tuple(f"{family} " for family in said.page_families))
    }
    return {
        "scenery": {**_translate_sentences(scenery, frozenset(said.texts.values()), words), "names": named}
    }


def _translate_sentences(value: Any, sentences: frozenset[str], words: Catalogue) -> Any:
    """The same data with those of its texts that are sentences of the game in the language of the
    catalogue."""
    if isinstance(value, str):
        return words.gettext(value) if value in sentences else value
    if isinstance(value, Mapping):
        return {key: _translate_sentences(part, sentences, words) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_translate_sentences(part, sentences, words) for part in value]
    return value


def outcome_texts(language: str, game: str) -> dict[str, str]:
    """How a game may end, by `won REASON` and `draw REASON`, in that language."""
    words = catalogue(language, game)
    said = {**announce.BOARD_SENTENCES, **announce.sentences(game).texts}
    return {name: words.gettext(text) for name, text in said.items() if name.startswith(("won ", "draw "))}


def script_words(
    language: str, scripts: Iterable[str], of_game: Iterable[str], game: str
) -> dict[str, str | dict[str, str]]:
    """The words of these scripts of the page and of the game in that language; by the number they count,
    where they do."""
    found = _seat_labels(catalogue(language, game), game)
    if language == ENGLISH:
        return found
    for texts, words in ((of_game, catalogue(language, game)), (scripts, catalogue(language))):
        for said in (said for text in texts for said in script_sentences(text)):
            if isinstance(said, str):
                found[said] = words.gettext(said)
            else:
                found[said[1]] = {name: words.ngettext(*said, n) for name, n in _PLURAL_EXAMPLES.items()}
    return found


def _seat_labels(words: Catalogue, game: str) -> dict[str, str | dict[str, str]]:
    """What people call the seats of a game, by the ids as scripts write them."""
    found: dict[str, str | dict[str, str]] = {}
    for name, text in announce.sentences(game).texts.items():
        seat = name.removeprefix("seat ")
        if seat != name and words.gettext(text) != seat.capitalize():
            found[seat.capitalize()] = found[text] = words.gettext(text)
    return found


def script_sentences(script: str) -> Iterator[str | tuple[str, str]]:
    """The sentences of a script: what `_` and `counted` are called with, the latter for one and for more."""
    for said in _TRANSLATED_CALL_PATTERN.findall(script):
        yield json.loads(said)
    for one, many in _PLURAL_CALL_PATTERN.findall(script):
        yield json.loads(one), json.loads(many)


def seat_label(seat: Seat, language: str, game: str, players: announce.Players = announce.NO_PLAYERS) -> str:
    """What people call a seat of that game, with the name of who sits there."""
    words = catalogue(language, game)
    called = announce.player_name(seat, players, game)
    if isinstance(called, announce.Sentence):
        return str(announce.translate(called, language))
    return words.gettext(announce.sentences(game).texts.get(f"seat {seat}", seat.capitalize()))


def notice_page(
    language: str,
    title: str,
    text: str,
    status: int = 200,
    button: str = "",
    *,
    action: str = "",
    script: str = "",
    more: str = "",
    **params: str,
) -> Response:
    """A short page: a title, perhaps `text` and `more`, and a button that posts to where it stands, or to
    `action`."""

    def said(sentence: str) -> str:
        return html.escape(catalogue(language).gettext(sentence).format(**params))

    there = f' action="{html.escape(action)}"' if action else ""
    form = f'<form method="post"{there}><button class="main" autofocus>{said(button)}</button></form>'
    page = (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{said(title)} · Boardumpire</title>"
        '<link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/style.css">'
        f'<body class="notice"><main><h1>{said(title)}</h1>'
        + "".join(f"<p>{said(each)}</p>" for each in (text, more) if each)
        + (form if button else "")
        + (f'<script type="module" src="{script}"></script>' if script else "")
        + f'<p><a href="/">{said(_("The table"))}</a></p></main></body></html>'
    )
    return Response(page, status, media_type=CONTENT_TYPES["html"])
