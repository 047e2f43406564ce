"""Limits of every test: each of its phases ends in time, and it leaves the process as it found it."""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

LIMIT_S = 600.0
"""A test that takes longer waits for something that never comes. What needs more time is marked `nightly`."""
ENDS_S = 30.0
"""How long what was told to end may take to do it on a busy machine."""
HELPER = "multiprocessing.resource_tracker"
"""A process of the standard library that ends after the one that it helps."""
STDERR = pytest.StashKey[int]()
"""Where stacks are written: pytest catches what goes to the usual place."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--limit", type=float, help=f"seconds that a test may take [{LIMIT_S:g}; a nightly one any]"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[STDERR] = os.dup(2)


def pytest_unconfigure(config: pytest.Config) -> None:
    if STDERR in config.stash:
        os.close(config.stash[STDERR])
        del config.stash[STDERR]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    with limited(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    with limited(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    with limited(item):
        return (yield)


@contextlib.contextmanager
def limited(item: pytest.Item) -> Iterator[None]:
    """Fail the test where it waits once its time is up, so that fixtures end what it has started.

    The alarm goes off again in case that something catches what it raises. A process that never comes back
    to Python is ended, and its stacks are shown.
    """
    limit_s = item.config.getoption("--limit")
    if limit_s is None and not item.get_closest_marker("nightly"):
        limit_s = LIMIT_S
    if limit_s is None:
        yield
        return
    stderr = item.config.stash[STDERR]

    def late(number: int, frame: FrameType | None) -> None:
        faulthandler.dump_traceback(stderr)
        pytest.fail(f"the test takes more than {limit_s:g} s: what it waits for here never comes")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, limit_s, limit_s / 4)
    faulthandler.dump_traceback_later(limit_s * 2, exit=True, file=stderr)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture(autouse=True)
def leaves_the_process_as_it_was() -> Iterator[None]:
    """What one test changes for the whole process makes others fail that run after it, elsewhere."""
    before = shared()
    yield
    assert shared() == before, "the test has changed this for all that run after it"


@pytest.fixture(autouse=True, scope="session")
def leaves_no_process_running(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """What tests have started and not ended is ended, and the last test of this process fails."""
    folder = str(tmp_path_factory.getbasetemp())
    yield
    soon = time.monotonic() + min(ENDS_S, (request.config.getoption("--limit") or LIMIT_S) / 2)
    while (left := processes_of(folder)) and time.monotonic() < soon:
        time.sleep(0.05)
    for pid in left:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    assert not left, "tests have left this running"


def processes_of(folder: str) -> dict[int, str]:
    """Command lines of those that this process has started, and of all that name its folder."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended
            words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            ours = int(parent) == os.getpid() or f"{folder}/" in words
            ours = ours and HELPER not in words
            if ours and state not in "ZX" and int(entry.name) != os.getpid():
                found[int(entry.name)] = words
    return found


def shared() -> dict[str, object]:
    """What all tests in one process share."""
    levels = {
        name: (logger.level, logger.disabled)
        for name, logger in logging.root.manager.loggerDict.items()
        if isinstance(logger, logging.Logger) and name.partition(".")[0] in ("boardumpire", "boardrules")
        if logger.level or logger.disabled
    }
    return {
        "levels of loggers": {"root": logging.root.level, **levels},
        "environment": {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"},
        "folder": Path.cwd(),
    }
