"""The nightly run: what it finds, runs, and reports."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import nightly
from nightly import FAILED, NOT_RUN, PASSED, SKIPPED, Result

TESTS = """
import pytest

@pytest.mark.{marker}
def test_passes(record_property):
    record_property("games", 7)

@pytest.mark.{marker}
def test_fails():
    assert 1 == 2

@pytest.mark.{marker}
def test_is_skipped():
    pytest.skip("no machine")

@pytest.mark.{marker}
def test_hangs():
    try:
        while True:
            pass
    finally:
        open(__file__ + ".ended", "w").close()
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "test_some.py"
    (tmp_path / "pytest.ini").write_text(f"[pytest]\nfilterwarnings = error\nmarkers = {nightly.MARKER}\n")
    path.write_text(TESTS.format(marker=nightly.MARKER))
    monkeypatch.setattr(nightly, "REPORTS", tmp_path)
    return path


@pytest.mark.slow
def test_each_way_a_test_can_end_is_told_apart(module: Path) -> None:
    soon = time.monotonic() + 120
    passed = nightly.run_test(f"{module}::test_passes", soon)
    assert (passed.outcome, passed.figures) == (PASSED, (("games", "7"),))
    failed = nightly.run_test(f"{module}::test_fails", soon)
    assert failed.outcome == FAILED
    assert "assert 1 == 2" in failed.output
    assert nightly.run_test(f"{module}::test_is_skipped", soon).outcome == SKIPPED
    both = [f"{module}::test_{each}" for each in ("passes", "fails")]
    assert nightly.run_test("both", soon, both).outcome == FAILED
    assert nightly.run_test(f"{module}::test_hangs", time.monotonic() + 6).outcome == NOT_RUN
    assert Path(f"{module}.ended").exists(), "it could end what it had started"
    assert nightly.run_test(f"{module}::test_passes", time.monotonic() - 1).outcome == NOT_RUN


def test_the_report_names_every_test_and_shows_what_failed() -> None:
    results = [
        Result("tests/b.py::b", FAILED, 2.4, (), "assert 1 == 2"),
        Result("tests/a.py::a", PASSED, 61.0, (("games", 300),)),
        Result("tests/c.py::c", NOT_RUN),
    ]
    page = nightly.report(results, "2026-12-01", "abc123")
    assert "1 passed, 1 failed, 1 skipped" in page
    assert "| tests/a.py::a | passed | 61 | games: 300 |" in page
    assert page.index("tests/a.py::a") < page.index("tests/b.py::b")
    assert "assert 1 == 2" in page
