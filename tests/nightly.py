"""Runs the long tests for as long as a night has time, and writes one report. Nothing is committed.

    make nightly                              all night long: 8 hours
    make nightly ARGS="--hours 1 --seed 5"    one hour, in the order that seed 5 draws
    make nightly ARGS="--list tests/soak"     the order, and nothing else

A long test is marked `nightly`. The order is drawn from the date, so that over some nights each is run. Each
runs in a process of its own; the cases of a slow test that CI leaves out run in one. A test that is not over
when the time is up is ended and counts as not run.
"""

from __future__ import annotations

import argparse
import datetime
import json
import random
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
MARKER = "nightly"
REPORTS = ROOT / "build" / "nightly"
NOT_RUN, PASSED, FAILED, SKIPPED = "not run", "passed", "failed", "skipped"
END_S = 30
"""How long a test may take to end what it has started, once its time is up."""
RUN_PYTEST = """import signal, sys, pytest
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(pytest.main(sys.argv[1:]))"""
"""A shell that runs something in the background makes it ignore Ctrl-C, by which `end` ends a test."""
OUTCOMES: Mapping[int, str] = {pytest.ExitCode.OK: PASSED, pytest.ExitCode.NO_TESTS_COLLECTED: SKIPPED}


class Result(NamedTuple):
    """How one test ended, or the cases of it that run in one process."""

    test: str
    outcome: str
    seconds: float = 0.0
    figures: tuple[tuple[str, object], ...] = ()
    """What the test reported with pytest's `record_property`."""
    output: str = ""
    """The end of what a test printed that failed."""


class Collected:
    """A pytest plugin that keeps what runs in one process: the ids of tests, by a name for them."""

    def __init__(self) -> None:
        self.tests: dict[str, list[str]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Called by pytest once all tests are known."""
        for item in session.items:
            name = item.nodeid.partition("[")[0] if item.get_closest_marker("slow") else item.nodeid
            self.tests.setdefault(name, []).append(item.nodeid)


def collect(paths: Sequence[str]) -> dict[str, list[str]]:
    """All long tests below `paths`: what runs in one process, by a name for it."""
    collected = Collected()
    code = pytest.main(["-q", "-q", "--collect-only", "-m", MARKER, *paths], plugins=[collected])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise SystemExit(f"nightly: the tests could not be collected (pytest: {code})")
    return collected.tests


def run_test(test: str, deadline: float, cases: Sequence[str] = ()) -> Result:
    """Run one test, or these cases of it, in a process until `deadline` (of `time.monotonic`)."""
    began = time.monotonic()
    left = deadline - began
    if left <= 0:
        return Result(test, NOT_RUN)
    figures = REPORTS / f"figures-{zlib.crc32(test.encode())}.xml"
    words = [
        sys.executable,
        "-c",
        RUN_PYTEST,
        "-q",
        "-n",
        "0",
        "-o",
        "junit_family=xunit1",
        f"--junit-xml={figures}",
    ]
    running = subprocess.Popen(
        [*words, *(cases or [test])], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        stdout, stderr = running.communicate(timeout=left)
    except subprocess.TimeoutExpired:
        end(running)
        return Result(test, NOT_RUN, time.monotonic() - began)
    finally:
        found = read_figures(figures)
    outcome = OUTCOMES.get(running.returncode, FAILED)
    if outcome == PASSED and " skipped" in stdout and " passed" not in stdout:
        outcome = SKIPPED
    output = "" if outcome == PASSED else stdout[-4000:] + stderr[-1000:]
    return Result(test, outcome, time.monotonic() - began, found, output)


def end(running: subprocess.Popen[str]) -> None:
    """End a test as Ctrl-C does, so that its fixtures end what it has started; then whatever it does."""
    running.send_signal(signal.SIGINT)
    try:
        running.communicate(timeout=END_S)
    except subprocess.TimeoutExpired:
        running.kill()
        running.communicate()


def read_figures(path: Path) -> tuple[tuple[str, object], ...]:
    """What a test recorded, from pytest's JUnit file; the file is removed."""
    from xml.etree import ElementTree

    if not path.exists():
        return ()
    root = ElementTree.parse(path).getroot()
    path.unlink()
    return tuple((each.get("name", ""), each.get("value", "")) for each in root.iter("property"))


def report(results: Iterable[Result], seed: str, commit: str) -> str:
    """The report as Markdown."""
    results = list(results)
    lines = [f"# Nightly tests of {commit}, seed {seed}", "", closing_line(results), ""]
    lines += ["| test | result | seconds | figures |", "|---|---|---|---|"]
    for each in sorted(results):
        figures = ", ".join(f"{name}: {value}" for name, value in each.figures)
        lines.append(f"| {each.test} | {each.outcome} | {each.seconds:.0f} | {figures} |")
    for each in results:
        if each.outcome == FAILED:
            lines += ["", f"## {each.test}", "", "```", each.output.strip(), "```"]
    return "\n".join(lines) + "\n"


def closing_line(results: Sequence[Result]) -> str:
    """How many tests ended how: `12 passed, 0 failed, 3 skipped`; what was not run counts as skipped."""
    outcomes = [each.outcome for each in results]
    skipped = outcomes.count(SKIPPED) + outcomes.count(NOT_RUN)
    return f"{outcomes.count(PASSED)} passed, {outcomes.count(FAILED)} failed, {skipped} skipped"


def main() -> int:
    """Run what the command line asks for; 1 if a test failed."""
    parser = argparse.ArgumentParser(
        allow_abbrev=False, prog="make nightly", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--hours", type=float, default=8.0, help="for how long [%(default)s]")
    parser.add_argument("--seed", default=str(datetime.date.today()), help="of the order [the date]")
    parser.add_argument("--jobs", type=int, default=2, help="how many run side by side [%(default)s]")
    parser.add_argument("--list", action="store_true", help="say the order, and run nothing")
    parser.add_argument("paths", nargs="*", default=["tests"], help="files, folders or tests [tests]")
    given = parser.parse_args()
    tests = collect(given.paths)
    names = list(tests)
    random.Random(given.seed).shuffle(names)
    if given.list:
        print("\n".join(names))
        return 0
    REPORTS.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + given.hours * 3600
    results = []
    with ThreadPoolExecutor(given.jobs) as pool:
        for result in pool.map(lambda name: run_test(name, deadline, tests[name]), names):
            results.append(result)
            print(f"{result.outcome:8} {result.seconds:7.0f} s  {result.test}", flush=True)
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True
    )
    page = REPORTS / f"{given.seed}.md"
    page.write_text(report(results, given.seed, commit.stdout.strip()))
    (REPORTS / f"{given.seed}.json").write_text(json.dumps([each._asdict() for each in results], indent=1))
    print(f"\nthe report: {page}\n{closing_line(results)}")
    return int(any(each.outcome == FAILED for each in results))


if __name__ == "__main__":
    sys.exit(main())
