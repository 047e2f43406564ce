"""A browser for a whole run, a page for a test."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from web.served import CHROMIUM, DESKTOP, DUEL, PHONE, Screen, Served, browsers


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not there: apt-get install chromium")
    try:
        ctypes.CDLL("libatomic.so.1")
    except OSError:
        pytest.skip("libatomic.so.1 is not there, but Playwright needs it: apt-get install libatomic1")
    yield from browsers()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    page = Served(tmp_path)
    yield page
    page.close()


@pytest.fixture
def screen(browser: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., Screen]]:
    """Opens a window: `screen(link, **PHONE)`."""
    contexts = []
    opened: list[Screen] = []
    request.node.screens = opened

    def open_screen(link: str | None, **how: Any) -> Screen:
        workers = how.pop("service_workers", "block")  # what they ask for isn't what a test looks at
        context = browser.new_context(**(how or DESKTOP), reduced_motion="reduce", service_workers=workers)
        contexts.append(context)
        opened.append(Screen(context, link, touch=bool(how.get("has_touch"))))
        return opened[-1]

    yield open_screen
    for context in contexts:
        context.close()


@pytest.fixture
def playing(served: Served, screen: Callable[..., Screen]) -> dict[str, Screen]:
    """Both seats of a duel whose armies stand: Red at a desktop, Blue with a phone."""
    seats = {"red": screen(served.links["red"]), "blue": screen(served.links["blue"], **PHONE)}
    for seat, army in DUEL.items():
        seats[seat].take_kept("stratego-quick-duel", seat, army)
    seats["red"].until_todo("Your turn")
    return seats


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Where a test fails, say what every screen showed."""
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    if report.when == "call" and report.failed:
        for number, open_screen in enumerate(getattr(item, "screens", [])):
            report.sections.append((f"screen {number}", open_screen.shown()))
