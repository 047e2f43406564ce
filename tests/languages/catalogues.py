"""Brings the catalogues up to date with the code, and compiles them: `make catalogues`.

What players are told is found in five places: the sentences of the board and of games, what options are
called, what games teach, the legend of the lamps, and calls of `_` and `counted` in the page's Python and
JavaScript. Words
that are new stand empty in each
`.po`, for somebody who speaks the language; what is gone is dropped. A test refuses what is left empty.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from boardrules import registry
from boardrules.marks import Mark
from boardumpire.lamps.legend import COLOURS, PATTERNS, SHARED
from boardumpire.messages import announce
from boardumpire.messages.languages import DOMAIN, ENGLISH, LANGUAGES
from boardumpire.web.page_language import drawn
from boardumpire.web.teaching.told import sentences

ROOT = Path(__file__).resolve().parents[2]
LOCALE = ROOT / "controller" / "umpire" / "boardumpire" / "locale"
PAGES = ("controller/umpire/boardumpire/web", "controller/rules/boardrules", "sim/simulator/boardsim/page")
SINCE = datetime(2026, 11, 22, tzinfo=UTC)
"""The date in every catalogue: one that changed with each run would be noise. Git knows when."""
KEYWORDS = {"_": None}

Found = tuple[str | tuple[str, str], str, str]
"""A message (or its forms for one and for more), where it is, and its context, if it needs one."""


def template() -> Catalog:
    """Everything there is to translate."""
    catalog = Catalog(domain=DOMAIN, project="Boardumpire", fuzzy=False)
    for message, where, context in found():
        catalog.add(message, auto_comments=[where], context=context or None)
    return catalog


def found() -> Iterator[Found]:
    """All messages, in the order in which they are found."""
    for known in announce.every():
        yield known.text if known.one is None else (known.one, known.text), known.id, ""
    for label, game in _offered():
        yield label, f"option of {game}", ""
    for game in registry.games():
        yield from ((text, f"taught by {game}", context) for text, context in sentences(game))
    for game, package in registry.games().items():
        looks = package.looks()
        yield from ((name, f"piece of {game}", looks.context) for name in looks.names.values())
        yield from ((name, f"set-up of {game}", "") for name in looks.presets.values())
    yield from ((mark.means, f"lamp {name}", "") for name, mark in _marks() if mark.means)
    yield from ((word, "how a lamp looks", "") for word in (*COLOURS, *PATTERNS))
    for folder in PAGES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".js"):
                yield from _called(path)


def _marks() -> Iterator[tuple[str, Mark]]:
    """The marks of the board and of games."""
    yield from SHARED.items()
    for package in registry.games().values():
        yield from package.marks().items()


def _offered() -> Iterator[tuple[str, str]]:
    """What the dialog for a new game calls options and their values, and what it says of them."""
    for game, package in registry.games().items():
        for offer in package.offers():
            yield offer.label, game
            if offer.help:
                yield offer.help, game
            yield from ((text, game) for _, text in offer.values if text != "{n}")


def _called(path: Path) -> Iterator[Found]:
    """What a script has in calls of `_` and `counted`."""
    if path.suffix == ".js":
        for message in drawn(path.read_text(encoding="utf-8")):
            yield message, path.name, ""
        return
    for _, message, _, _ in extract("python", BytesIO(path.read_bytes()), KEYWORDS):
        yield message, path.name, ""


def path_of(language: str, suffix: str = "po", folder: Path = LOCALE) -> Path:
    """The file of a catalogue."""
    return folder / language / "LC_MESSAGES" / f"{DOMAIN}.{suffix}"


def read(language: str) -> Catalog:
    """The catalogue of a language as it is in its file."""
    with path_of(language).open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


def updated(language: str) -> Catalog:
    """The catalogue of a language with what the code says now: what it had is kept, the rest is empty."""
    had = read(language) if path_of(language).exists() else None
    catalog = Catalog(
        language, DOMAIN, f"# {LANGUAGES[language]}: what Boardumpire tells players.", "Boardumpire", "1",
        creation_date=SINCE, revision_date=SINCE, fuzzy=False,
        copyright_holder="", msgid_bugs_address="see CONTRIBUTING.md", last_translator="see git log",
    )  # fmt: skip
    for message in template():
        old = None if had is None else had.get(message.id, message.context)
        if message.id and old is not None:
            message.string = old.string
            message.flags = message.flags | (old.flags & {"fuzzy"})
        if message.id:
            catalog[message.id] = message  # by its context, too
    return catalog


def written(catalog: Catalog) -> bytes:
    """The text of a catalogue."""
    file = BytesIO()
    write_po(file, catalog, width=100, no_location=True)
    lines = file.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(b'"Generated-By:'))


def compiled(catalog: Catalog) -> bytes:
    """What gettext reads of it."""
    file = BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def main(folder: Path = LOCALE) -> None:
    """Write all of them anew, into another folder if one is given, and say what waits for a translator."""
    for language in LANGUAGES:
        if language == ENGLISH:
            continue
        catalog = updated(language)
        text = path_of(language, folder=folder)
        text.parent.mkdir(parents=True, exist_ok=True)
        text.write_bytes(written(catalog))
        path_of(language, "mo", folder).write_bytes(compiled(catalog))
        empty = [message.id for message in catalog if message.id and not all(_forms(message.string))]
        print(f"{language}: {len(catalog)} messages, {len(empty)} empty")


def _forms(string: str | tuple[str, ...] | list[str] | None) -> list[str]:
    """None yet where the message has only just been found."""
    return [string or ""] if string is None or isinstance(string, str) else list(string)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
