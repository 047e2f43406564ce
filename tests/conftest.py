"""Options of the whole suite, and what it may take."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

import pytest
from hypothesis import settings

import distributions

# No property depends on how fast the machine is just now.
settings.register_profile("boardumpire", deadline=None)
settings.register_profile("quick", settings.get_profile("boardumpire"), max_examples=25)
settings.load_profile("boardumpire")

pytest_plugins = ("limits",)

ROOT = Path(__file__).resolve().parent.parent

BUDGET = 7_000
"""What `make test` may take of the processors, in loops of `yardstick`. Above it the run says so, and fails
where the environment has BOARDUMPIRE_BUDGET=fail: on a busy machine contention counts, too. Browsers are not
counted: nobody is told what they take. On 30 November 2026 it took 5,956 and 6,447 in two fresh clones, and
2 min 59 s and 3 min 8 s on two cores that did nothing else."""
CASES = 1
"""Of a slow test with more cases, `make test-all` takes so many, or as many as its mark `cases` says. The
night takes all."""
MEMORY, ROOM = Path("/dev/shm"), 2_000_000_000
"""Temporary files of the tests lie in memory where so many bytes are free; they take 400 MB. On a disk a
journal waits some 10 ms for each write, and `make test` takes a fifth more of the processors."""
FROZEN_AFTER = 100
"""So many tests leave some 30,000 objects."""
RUN = pytest.StashKey[int]()
TOOK = pytest.StashKey[list[tuple[float, float]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--games",
        default=str(ROOT.parent / "shared" / "games"),
        help="folder of recorded Stratego games in the neutral format; skipped where it is absent",
    )
    images = sorted((ROOT.parent / "shared" / "micropython").glob("*.uf2"))
    parser.addoption(
        "--uf2",
        default=str(images[0]) if images else None,
        help="image of MicroPython for a Pico, to run the firmware on an emulated one; skipped without",
    )


def pytest_configure(config: pytest.Config) -> None:
    """A run without what is slow takes fewer examples of each property. A test that has a number of its own
    says it in terms of `settings.default.max_examples`, or takes as many everywhere.

    Lists, sentences and pages are held against the games of this checkout, so no other may be
    in sight. What was said to the `make` that runs the tests is not for those that tests run."""
    if "not slow" in config.getoption("markexpr"):
        settings.load_profile("quick")
    for name in ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "ARGS", "JOBS"):
        os.environ.pop(name, None)
    if "TMPDIR" not in os.environ and holds_programs(MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)
    if hasattr(config, "workerinput"):
        begin_elsewhere(config)
    groups = ("boardumpire.games", "boardumpire.boards")
    entries = [entry for group in groups for entry in metadata.entry_points(group=group)]
    others = {entry.dist.name for entry in entries if entry.dist is not None}
    others -= distributions.projects().keys()
    if others:
        raise pytest.UsageError(
            f"the tests need an environment without other games: pip uninstall {' '.join(sorted(others))}"
        )


def holds_programs(folder: Path) -> bool:
    """Whether files can be made there, be run, and have room."""
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        return False
    return shutil.disk_usage(folder).free >= ROOM and not os.statvfs(folder).f_flag & os.ST_NOEXEC


def begin_elsewhere(config: pytest.Config) -> None:
    """Let each process of xdist's import the files of tests in an order of its own.

    What pytest makes of an `assert` is kept beside a file, but in a fresh clone that takes 14 s of a
    processor. So each process does it for its share of the files, and reads what the others have written.
    """
    if [Path(each).resolve() for each in config.args] != [ROOT / "tests"]:
        return
    files = sorted(map(str, (ROOT / "tests").rglob("test_*.py")))
    number = int(config.workerinput["workerid"].removeprefix("gw"))  # type: ignore[attr-defined]
    first = len(files) * number // int(config.workerinput["workercount"])  # type: ignore[attr-defined]
    config.args = files[first:] + files[:first]


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """With some of our distributions alone, such as the rules, the tests that need others are left out."""
    if not distributions.absent():
        return None
    path = collection_path / "conftest.py" if collection_path.is_dir() else collection_path
    return (path.suffix == ".py" and path.is_file() and bool(distributions.lacking(path))) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Decide which cases of a test with many cases run when.

    Of a test with `few(count)`, `make test` takes the first `count` cases, and the others are slow. Of a slow
    test with more than `CASES` cases, `make test-all` takes `CASES`, or as many as `cases(count)` says, at
    even distances, and the others run nightly. Which one is taken where it is only one depends on the name of
    the test. A run without a mark leaves nightly tests out, unless it names
    a test. All processes have one order (`begin_elsewhere`).
    """
    items.sort(key=lambda item: item.path)
    seen: Counter[str] = Counter()
    for item in items:
        few = item.get_closest_marker("few")
        if few is None:
            continue
        name = item.nodeid.partition("[")[0]
        seen[name] += 1
        if seen[name] > few.args[0]:
            item.add_marker(pytest.mark.slow)
    slow: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("nightly"):
            slow.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for name, of_one_test in slow.items():
        marker = of_one_test[0].get_closest_marker("cases")
        count = CASES if marker is None else marker.args[0]
        if count > 1:
            taken = {round(number * (len(of_one_test) - 1) / (count - 1)) for number in range(count)}
        else:  # not always the first one, which is often of the smallest game
            taken = {zlib.crc32(name.encode()) % len(of_one_test)}
        for number, item in enumerate(of_one_test):
            if len(of_one_test) > count and number not in taken:
                item.add_marker(pytest.mark.nightly)
    if not config.getoption("markexpr") and not any("::" in name for name in config.args):
        nightly = [item for item in items if item.get_closest_marker("nightly")]
        items[:] = [item for item in items if item not in nightly]
        config.hook.pytest_deselected(items=nightly)


def pytest_collection_finish() -> None:
    leave_out_of_collections()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Only between two files: what their tests share may have to be collected."""
    result = yield
    item.config.stash[RUN] = item.config.stash.get(RUN, 0) + 1
    if item.config.stash[RUN] >= FROZEN_AFTER and (nextitem is None or nextitem.path != item.path):
        item.config.stash[RUN] = 0
        leave_out_of_collections()
    return result


def leave_out_of_collections() -> None:
    """Hide modules, collected tests and what pytest keeps of those that ran from garbage collections.

    Thousands make one collection take up to half a second, and tests that cut the power do many.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def games_dir(request: pytest.FixtureRequest) -> Path:
    """The folder of recorded games."""
    folder = Path(request.config.getoption("--games"))
    if not (folder / "human_gravon_classic.jsonl").is_file():
        pytest.skip(f"no recorded games in {folder}; name a folder with --games")
    return folder


def used() -> float:
    """Seconds of the processors that this process took, and those that it started and that have ended."""
    return sum(sum(getrusage(who)[:2]) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))


def yardstick() -> float:
    """Seconds of a processor that a loop of bare Python takes here and now."""
    took = []
    for _ in range(5):
        began = time.process_time()
        sum(number * number % 7 for number in range(1_000_000))
        took.append(time.process_time() - began)
    return sorted(took)[2]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """What a process of xdist's has told as it ended."""
    if "took" in getattr(node, "workeroutput", {}):
        node.config.stash.setdefault(TOOK, []).append(node.workeroutput["took"])


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["took"] = used(), yardstick()
    elif TOOK not in config.stash:
        config.stash[TOOK] = [(used(), yardstick())]
    if os.environ.get("BOARDUMPIRE_BUDGET") == "fail" and over_budget(config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def over_budget(config: pytest.Config) -> bool:
    """Whether a run of the quick tests took more than it may."""
    return "not slow" in config.getoption("markexpr") and loops(config) > BUDGET


def loops(config: pytest.Config) -> int:
    """How many loops of the yardstick the run took, of all its processes."""
    return round(sum(seconds / loop for seconds, loop in config.stash.get(TOOK, [])))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if config.option.collectonly or TOOK not in config.stash:
        return
    seconds = sum(seconds for seconds, _ in config.stash[TOOK])
    quick = "not slow" in config.getoption("markexpr")
    budget = f", of {BUDGET} that `make test` may take" if quick else ""
    terminalreporter.line(f"{seconds:.0f} s of the processors: {loops(config)} loops of bare Python{budget}")
    if over_budget(config):
        failed = "FAILED" if os.environ.get("BOARDUMPIRE_BUDGET") == "fail" else "warning"
        advice = (
            "on an idle machine, mark as slow, or make quicker, what has grown (BUDGET in tests/conftest.py)"
        )
        terminalreporter.line(f"{failed}: `make test` took too long; {advice}", yellow=True)
