"""Options of the whole suite."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# No property depends on how fast the machine is just now.
settings.register_profile("boardumpire", deadline=None)
settings.load_profile("boardumpire")

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--games",
        default=str(ROOT.parent / "shared" / "games"),
        help="folder of recorded Stratego games in the neutral format; skipped where it is absent",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With several workers all that needs a browser runs in one of them, from the beginning: two browsers at
    once would only keep each other waiting."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("browser"))
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)


@pytest.fixture(scope="session")
def games_dir(request: pytest.FixtureRequest) -> Path:
    """The folder of recorded games."""
    folder = Path(request.config.getoption("--games"))
    if not (folder / "human_gravon_classic.jsonl").is_file():
        pytest.skip(f"no recorded games in {folder}; name a folder with --games")
    return folder
