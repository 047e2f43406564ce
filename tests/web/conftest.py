"""A browser for a whole run, a page for a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from web.served import CHROMIUM, DESKTOP, Screen, Served, browsers


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not there: apt-get install chromium")
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
        context = browser.new_context(**(how or DESKTOP), reduced_motion="reduce")
        contexts.append(context)
        opened.append(Screen(context, link, touch=bool(how.get("has_touch"))))
        return opened[-1]

    yield open_screen
    for context in contexts:
        context.close()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Where a test fails, say what every screen showed."""
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    if report.when == "call" and report.failed:
        for number, open_screen in enumerate(getattr(item, "screens", [])):
            report.sections.append((f"screen {number}", open_screen.shown()))
