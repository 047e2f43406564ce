"""Catalogues and guides use the words of the glossary, and no others."""

from __future__ import annotations

import pytest

from boardumpire.messages import announce
from boardumpire.messages.languages import LANGUAGES
from languages import glossary

FILE = glossary.glossary()
LEFT: dict[str, int] = FILE["left"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_keeps_to_the_glossary(language: str) -> None:
    """`PYTHONPATH=tests python -m languages.glossary CODE` tells each breach with what to say instead.

    A language that doesn't keep to it yet gets no worse; once none is left it belongs to `kept`."""
    found = list(glossary.breaches(language))
    if language in FILE["kept"]:
        assert found == []
    else:
        assert 0 < len(found) <= LEFT[language], f"{len(found)} breaches"


def test_every_language_either_keeps_to_it_or_has_its_number() -> None:
    assert sorted([*FILE["kept"], *LEFT]) == sorted(LANGUAGES)


@pytest.mark.slow
def test_every_exception_is_needed_and_has_its_reason() -> None:
    for each in FILE["exception"]:
        assert each["because"]
        for language in each["languages"]:
            there = {breach.english for breach in glossary.every(language) if breach.rule in each["rules"]}
            assert set(each["in"]) <= there, (language, each["because"])
    english = {text for text, _ in glossary.messages("en")}
    for term in FILE["term"]:
        assert set(term.get("except", ())) <= english, term["en"]
        assert bool(term.get("except")) == bool(term.get("because")), term["en"]


def test_every_term_is_a_word_of_the_program() -> None:
    """A term that no English sentence has would hold nothing."""
    english = [text for text, _ in glossary.messages("en")]
    assert [
        term["en"] for term in FILE["term"] if not any(map(glossary.pattern(term["en"]).search, english))
    ] == []


def test_a_word_that_is_never_said_is_found() -> None:
    """What the glossary finds, by sentences that break it."""
    found = {
        language: [words for words in FILE["never"][language] if glossary.pattern(words).search(said)]
        for language, said in (
            ("en", "The Marshal throws the dice."),
            ("de", "Die Lampe fühlt den Aufklärer."),
            ("ru", "Лампа верит."),
        )
    }
    assert [len(each) for each in found.values()] == [2, 3, 2]


def test_a_refusal_is_a_sentence() -> None:
    """With a capital and a full stop."""
    for _, name, sentence, _ in announce.all_sentences():
        if "/" in name.split()[0] or name.split()[0] == "answer":
            assert sentence[0].isupper() or sentence[0] == "{", name
            assert sentence[-1] in ".?!}", name
