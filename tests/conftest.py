"""Options of the whole suite."""

from __future__ import annotations

import os
from collections import Counter
from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import settings

# No property depends on how fast the machine is just now.
settings.register_profile("boardumpire", deadline=None)
settings.register_profile("quick", settings.get_profile("boardumpire"), max_examples=25)
settings.load_profile("boardumpire")

ROOT = Path(__file__).resolve().parent.parent


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

    Lists, sentences and pages are held against the games that this distribution brings, so no other may be
    in sight. What was said to the `make` that runs the tests is not for those that tests run."""
    if "not slow" in config.getoption("markexpr"):
        settings.load_profile("quick")
    for name in ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "ARGS", "JOBS"):
        os.environ.pop(name, None)
    groups = ("boardumpire.games", "boardumpire.boards")
    entries = [entry for group in groups for entry in metadata.entry_points(group=group)]
    others = {entry.dist.name for entry in entries if entry.dist is not None} - {"boardumpire"}
    if others:
        raise pytest.UsageError(
            f"the tests need an environment without other games: pip uninstall {' '.join(sorted(others))}"
        )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a test with `few(count)`, all cases but the first are slow: `make test` takes no more than these.
    Proofs take hours: a run that says nothing of marks leaves them out, unless it names a test."""
    if not config.getoption("markexpr") and not any("::" in name for name in config.args):
        proofs = [item for item in items if item.get_closest_marker("prove")]
        items[:] = [item for item in items if item not in proofs]
        config.hook.pytest_deselected(items=proofs)
    seen: Counter[str] = Counter()
    for item in items:
        few = item.get_closest_marker("few")
        if few is None:
            continue
        name = item.nodeid.partition("[")[0]
        seen[name] += 1
        if seen[name] > few.args[0]:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def games_dir(request: pytest.FixtureRequest) -> Path:
    """The folder of recorded games."""
    folder = Path(request.config.getoption("--games"))
    if not (folder / "human_gravon_classic.jsonl").is_file():
        pytest.skip(f"no recorded games in {folder}; name a folder with --games")
    return folder
