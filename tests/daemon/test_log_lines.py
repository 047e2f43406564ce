"""A line of the log is one line, says what it is about, and has its priority where the journal reads it."""

from __future__ import annotations

import logging

import pytest

from boardumpire.service.log_lines import DETAILS_KEY, LogFormatter


def line(environ: dict[str, str], level: int, text: str, **about: object) -> str:
    record = logging.LogRecord("boardumpire", level, "", 0, text, (), None)
    setattr(record, DETAILS_KEY, about)
    return LogFormatter(environ).format(record)


@pytest.mark.parametrize(
    ("level", "bare", "priority"),
    [(logging.INFO, "INFO ", "<6>"), (logging.WARNING, "WARNING ", "<4>"), (logging.ERROR, "ERROR ", "<3>")],
)
def test_its_level_is_a_word_or_a_priority(level: int, bare: str, priority: str) -> None:
    assert line({}, level, "well") == f"{bare}well"
    assert line({"JOURNAL_STREAM": "8:1"}, level, "well") == f"{priority}well"


def test_what_it_is_about_stands_behind_it_and_nothing_breaks_the_line() -> None:
    told = line({}, logging.WARNING, "first\nsecond", event="fault", code="bank-silent", path='a "b"\nc')
    assert told == 'WARNING first second event=fault code=bank-silent path="a \\"b\\"\\nc"'


def test_each_line_of_a_traceback_has_the_priority() -> None:
    try:
        raise ValueError("no\nway")
    except ValueError as error:
        found = (ValueError, error, error.__traceback__)
    record = logging.LogRecord("boardumpire", logging.ERROR, "", 0, "it failed", (), found)
    lines = LogFormatter({"JOURNAL_STREAM": "8:1"}).format(record).splitlines()
    assert len(lines) > 3
    assert all(each.startswith("<3>") for each in lines)
