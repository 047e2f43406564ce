"""The README is short, says its status first, and its Python runs."""

from __future__ import annotations

import doctest
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_its_python_runs_as_it_is_shown() -> None:
    text = README.read_text(encoding="utf-8").replace("```", "\n")
    example = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    result = doctest.DocTestRunner().run(example)
    assert result.attempted >= 6
    assert not result.failed


def test_it_is_short_and_says_at_once_that_nobody_has_run_it_on_hardware() -> None:
    lines = README.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 90
    assert any("simulation only" in line for line in lines[:12])
