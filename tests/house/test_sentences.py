"""No sentence of the documents is longer than a person reads in one breath."""

from __future__ import annotations

from pathlib import Path

import pytest

from house.sentences import LONGEST, ROOT, current, pages, sentences, too_long, words


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_sentence_has_more_words_than_one_can_follow(page: Path) -> None:
    """If one has: `PYTHONPATH=tests python -m house.sentences` tells all of them."""
    assert not too_long(page), f"no more than {LONGEST} words a sentence"


def test_a_sentence_ends_where_a_reader_would_end_it() -> None:
    text = "One reed (2.5 s) is e.g. Open. *Two* go on?\n`three` follow [at once](there.md).\n\nFour"
    assert list(sentences(text)) == [
        "One reed (2.5 s) is e.g. Open.",
        "*Two* go on?",
        "`code` follow at once.",
        "Four",
    ]


def test_items_of_a_list_and_cells_of_a_table_are_sentences_of_their_own_and_code_is_none() -> None:
    text = "# Title\nHere:\n- one\n  and more\n- two\n1. three\n\n| a | b |\n|---|---|\n\n```\ncode\n```\n"
    assert list(sentences(text)) == ["Here:", "one and more", "two", "three", "a", "b"]


def test_entries_between_dots_in_one_line_are_counted_one_by_one() -> None:
    assert list(sentences("Events: `move` (seat) · `turn` · `over`.")) == [
        "Events: `code` (seat)",
        "`code`",
        "`code`.",
    ]


def test_a_long_one_is_found() -> None:
    long = "One" + " word" * LONGEST + "."
    assert [words(one) for one in sentences(f"Short. {long} Short (50 ms).")] == [1, LONGEST + 1, 3]


def test_of_the_changelog_only_what_is_not_released_yet_counts() -> None:
    assert (
        current("# Changelog\nHead.\n## Unreleased\nNew.\n## 1.0\nOld.\n")
        == "# Changelog\nHead.\n## Unreleased\nNew.\n"
    )
