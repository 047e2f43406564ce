"""Brings the catalogues up to date with the code, and compiles them: `make catalogues`.

What players are told is found in five places: the sentences of the board and of games, what options are
called, what games teach, the legend of the lamps, and calls of `_` and `counted` in the page's Python and
JavaScript. Words that are new stand empty in each `.po`, for somebody who speaks the language, and are said
in English until then; what is gone is dropped. `--missing` lists what is not translated, and fails if that
is anything: so does `make release`.

What a game says stands in catalogues of its package (`PARTS`), but for what the board says as well.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from boardrules import registry
from boardrules.marks import Mark
from boardumpire.lamps.legend import COLOURS, PATTERNS, SHARED_MARKS
from boardumpire.messages import announce
from boardumpire.messages.languages import BOARD_GETTEXT_DOMAIN, ENGLISH, GAME_GETTEXT_DOMAIN, LANGUAGES
from boardumpire.web.page_language import script_sentences
from boardumpire.web.teaching.texts import taught_sentences

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "controller" / "rules" / "boardrules"
BOARD = ""
PARTS = {
    BOARD: ROOT / "controller" / "umpire" / "boardumpire" / "locale",
    **{package: RULES / package / "locale" for package in ("colditz", "fuhrer", "stratego")},
}
"""By the board, or by the package of a game, the folder of its catalogues."""
PAGES = ("controller/umpire/boardumpire/web", "sim/simulator/boardsim/page")
SINCE = datetime(2026, 11, 22, tzinfo=UTC)
"""The date in every catalogue: one that changed with each run would be noise. Git knows when."""
KEYWORDS = {"_": None}

Found = tuple[str | tuple[str, str], tuple[str, str], str]
"""A message (or its forms for one and for more), the game that says it and where it is, and its context, if
it needs one."""


def template(part: str | None = None) -> Catalog:
    """Everything there is to translate, or what is in the catalogue of a part."""
    catalog = Catalog(domain=BOARD_GETTEXT_DOMAIN, project="Boardumpire", fuzzy=False)
    boards = {(message.id, message.context) for message in template(BOARD)} if part else set()
    for message, where, context in found():
        wanted = part in (None, _part_of(where))
        if wanted and (message, context or None) not in boards:
            catalog.add(message, auto_comments=[where[1]], context=context or None)
    return catalog


def _part_of(where: tuple[str, str]) -> str:
    """The part that says it, by the game that does; nothing for the board."""
    game, _ = where
    if not game:
        return BOARD
    folder = registry.package(game).resources()
    (part,) = (name for name, locale in PARTS.items() if folder == locale.parent)
    return part


def found() -> Iterator[Found]:
    """All messages, in the order in which they are found."""
    for known in announce.all_sentences():
        yield (
            known.text if known.singular is None else (known.singular, known.text),
            (known.game, known.id),
            "",
        )
    for label, game in _offered():
        yield label, (game, f"option of {game}"), ""
    for game in registry.games():
        yield from ((text, (game, f"taught by {game}"), context) for text, context in taught_sentences(game))
    for game, package in registry.games().items():
        looks = package.piece_appearance()
        yield from ((name, (game, f"piece of {game}"), looks.context) for name in looks.names.values())
        yield from ((name, (game, f"set-up of {game}"), "") for name in looks.presets.values())
    for game, name, mark in _marks():
        yield from ((text, (game, f"lamp {name}"), "") for text in (mark.means, mark.at_end) if text)
    yield from ((word, ("", "how a lamp looks"), "") for word in (*COLOURS, *PATTERNS))
    for folder in PAGES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".js"):
                yield from _called(path)
    for game in registry.games():
        for path in scripts(game):
            yield from _called(path, game)


def scripts(game: str) -> list[Path]:
    """The scripts that a game brings for its page."""
    return sorted((RULES / _part_of((game, "")) / "page").glob("*.js"))


def _marks() -> Iterator[tuple[str, str, Mark]]:
    """The marks of the board and of games."""
    yield from (("", name, mark) for name, mark in SHARED_MARKS.items())
    for game, package in registry.games().items():
        yield from ((game, name, mark) for name, mark in package.marks().items())


def _offered() -> Iterator[tuple[str, str]]:
    """What the dialog for a new game calls options and their values, and what it says of them."""
    for game, package in registry.games().items():
        for offer in package.option_offers():
            yield offer.label, game
            if offer.help:
                yield offer.help, game
            yield from ((text, game) for _, text in offer.values if text != "{n}")


def _called(path: Path, game: str = "") -> Iterator[Found]:
    """What a script has in calls of `_` and `counted`."""
    if path.suffix == ".js":
        for message in script_sentences(path.read_text(encoding="utf-8")):
            yield message, (game, path.name), ""
        return
    for _, message, _, _ in extract("python", BytesIO(path.read_bytes()), KEYWORDS):
        yield message, (game, path.name), ""


def path_of(language: str, suffix: str = "po", part: str = BOARD, folder: Path | None = None) -> Path:
    """The file of a catalogue; with a folder, where it is written in there."""
    domain = GAME_GETTEXT_DOMAIN if part else BOARD_GETTEXT_DOMAIN
    return (folder / part if folder else PARTS[part]) / language / "LC_MESSAGES" / f"{domain}.{suffix}"


def read(language: str, part: str) -> Catalog:
    """A catalogue as it is in its file; an empty one where there is no file."""
    path = path_of(language, part=part)
    if not path.exists():
        return Catalog(language)
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=BOARD_GETTEXT_DOMAIN)


def everything(language: str) -> Iterator[Message]:
    """All messages that are translated into a language, part by part."""
    for part in PARTS:
        yield from (message for message in read(language, part) if message.id and all(forms(message.string)))


def missing(languages: Iterable[str] = LANGUAGES) -> Iterator[tuple[Message, list[str]]]:
    """What is not translated yet into these languages, each with those that lack it."""
    lacking = [
        (language, {(message.context, message.id) for message in everything(language)})
        for language in languages
        if language != ENGLISH
    ]
    for message in template():
        lack = [code for code, had in lacking if (message.context, message.id) not in had]
        if message.id and lack:
            yield message, lack


def updated(language: str, part: str) -> Catalog:
    """The catalogue with what the code says now: what any had is kept, its own first."""
    had = [read(language, each) for each in sorted(PARTS, key=lambda each: each != part)]
    who = f"the games of {part} tell" if part else "Boardumpire tells"
    catalog = Catalog(
        language, BOARD_GETTEXT_DOMAIN, f"# {LANGUAGES[language]}: what {who} players.", "Boardumpire", "1",
        creation_date=SINCE, revision_date=SINCE, fuzzy=False,
        copyright_holder="", msgid_bugs_address="see CONTRIBUTING.md", last_translator="see git log",
    )  # fmt: skip
    for message in template(part):
        known = (each.get(message.id, message.context) for each in had)
        old = next((each for each in known if each is not None and all(forms(each.string))), None)
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


def report() -> int:
    """Tell what is not translated, and how many sentences that are."""
    found = list(missing())
    for message, languages in found:
        print(f"{' '.join(languages)}: {forms(message.id)[-1]} ({', '.join(message.auto_comments)})")
    print(f"{len(found)} sentences are not translated")
    return len(found)


def main(folder: Path | None = None) -> None:
    """Write all of them anew, into another folder if one is given, and say how much is not translated."""
    for language in LANGUAGES:
        if language == ENGLISH:
            continue
        made = {
            part: updated(language, part) for part in PARTS
        }  # before any is written: one learns of others
        for part, catalog in made.items():
            text = path_of(language, part=part, folder=folder)
            text.parent.mkdir(parents=True, exist_ok=True)
            text.write_bytes(written(catalog))
            path_of(language, "mo", part, folder).write_bytes(compiled(catalog))
        every = [message for catalog in made.values() for message in catalog if message.id]
        empty = [message.id for message in every if not all(forms(message.string))]
        print(f"{language}: {len(every)} messages, {len(empty)} empty")


def forms(string: str | tuple[str, ...] | list[str] | None) -> list[str]:
    """None yet where the message has only just been found."""
    return [string or ""] if string is None or isinstance(string, str) else list(string)


if __name__ == "__main__":
    if sys.argv[1:] == ["--missing"]:
        sys.exit(min(report(), 1))
    main(*map(Path, sys.argv[1:]))
