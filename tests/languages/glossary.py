"""One word for one thing: what `glossary.toml` says, and where texts don't keep to it.

PYTHONPATH=tests python -m languages.glossary [LANGUAGE ...]    tells every breach
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.catalog import Message

from boardumpire.messages.languages import ENGLISH, LANGUAGES
from languages import catalogues

PLAYERS = catalogues.ROOT / "docs" / "play"


class Breach(NamedTuple):
    """A text that doesn't keep to the glossary."""

    rule: str
    """The rule of the glossary, as exceptions name it: a word that no text has, a term, `address`."""
    said: str
    english: str
    """The sentence that it translates; of a guide the page."""
    instead: str


@cache
def glossary() -> dict[str, Any]:
    """What is in the file."""
    return tomllib.loads((Path(__file__).parent / "glossary.toml").read_text(encoding="utf-8"))


@cache
def pattern(words: str) -> re.Pattern[str]:
    """Words of the glossary as they stand in a text: whole ones, whatever their case."""
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


@cache
def stem(words: str) -> re.Pattern[str]:
    """The beginning of a word, or a part of a compound."""
    return re.compile(words, re.IGNORECASE)


def forms(string: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """A message, or all its forms."""
    return (string,) if isinstance(string, str) else tuple(string)


def messages(language: str) -> Iterator[tuple[str, str]]:
    """Every sentence of the program in that language, each with the English one."""
    found: list[Message] = [each for each in _catalogue(language) if each.id]
    for message in found:
        english = forms(message.id)[-1]
        for said in forms(message.id if language == ENGLISH else message.string):
            yield said, english


def _catalogue(language: str) -> Iterator[Message]:
    yield from catalogues.template() if language == ENGLISH else catalogues.everything(language)


def pages(language: str) -> Iterator[tuple[str, str]]:
    """Every line of the players' guides, each with its page; commands and addresses left out."""
    for page in sorted((PLAYERS / language).glob("*.md")):
        text = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        yield from ((line, f"{language}/{page.name}") for line in text.splitlines())


def breaches(language: str) -> Iterator[Breach]:
    """Where that language doesn't keep to the glossary; what is excepted is left out."""
    allowed = {
        (rule, english)
        for each in glossary()["exception"]
        if language in each["languages"]
        for rule in each["rules"]
        for english in each["in"]
    }
    yield from (breach for breach in every(language) if (breach.rule, breach.english) not in allowed)


def every(language: str) -> Iterator[Breach]:
    """The same with what is excepted."""
    never = glossary()["never"].get(language, {})
    address = glossary()["address"].get(language)
    for said, english in (*messages(language), *pages(language)):
        plain = re.sub(r"\{\w+\}", "{}", said)
        for words, instead in never.items():
            if pattern(words).search(plain):
                yield Breach(words, said, english, instead)
        if address and re.search(address, plain, re.IGNORECASE):
            yield Breach("address", said, english, "as one speaks to a friend")
    if language != ENGLISH:
        yield from _unsaid(language)


def _unsaid(language: str) -> Iterator[Breach]:
    """Where a term isn't said as the glossary has it."""
    known = [each for each in glossary()["term"] if language in each]
    for said, english in messages(language):
        plain = re.sub(r"\{\w+\}", "{}", english)
        for term in known:
            if english in term.get("except", ()) or not pattern(term["en"]).search(plain):
                continue
            if not stem(term[language]).search(said):
                yield Breach(term["en"], said, english, term[language])


def main() -> None:
    """Tell all."""
    for language in sys.argv[1:] or LANGUAGES:
        found = list(breaches(language))
        for breach in found:
            print(
                f"{language}: {breach.rule}\n    {breach.english}\n    {breach.said}\n    -> {breach.instead}"
            )
        print(f"{language}: {len(found)}")


if __name__ == "__main__":
    main()
