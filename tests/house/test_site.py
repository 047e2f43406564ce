"""`make docs` builds a site that works from a folder. Nothing on it comes from the internet."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe

from web.served import DESKTOP, SMALL_PHONE
from web.test_axe import RULES

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build" / "site"
LOADS = {
    *(("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src")),
    *(("audio", "src"), ("embed", "src"), ("object", "data"), ("use", "href"), ("image", "href")),
}
"""Where a browser loads what an attribute names. Of `link` elements it depends on `rel`."""
AXE = {**RULES, "preload": False, "runOnly": [rule for rule in RULES["runOnly"] if rule != "best-practice"]}
"""The theme's own search has practices that others call bad."""
"""Styles can't be fetched from a folder; what they do is in force all the same."""
SHOWN = ("index.html", "docs/play/de/stratego.html", "docs/program/api/boardrules.game.html")

pytestmark = pytest.mark.nightly


class Page(HTMLParser):
    """What a page of HTML links to, loads, and can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.anchors |= {values.get("id") or "", (tag == "a" and values.get("name")) or ""}
        for name, value in values.items():
            loads = (tag, name) in LOADS or (
                (tag, name) == ("link", "href") and values.get("rel") not in ("prev", "next", "canonical")
            )
            if loads and value:
                self.loaded.append(value)
            if value is not None and name in ("href", "src", "data"):
                self.links.append(value)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Page]:
    """Every page of a site that was built just now: once, whichever processes share its tests."""
    folder = tmp_path_factory.getbasetemp()
    folder = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    with (folder / "site.lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.fstat(lock.fileno()).st_size:
            built = subprocess.run(["make", "-s", "docs"], cwd=ROOT, capture_output=True, text=True)
            assert built.returncode == 0, built.stdout + built.stderr
            lock.write("built")
    return {path: Page(path.read_text()) for path in sorted(SITE.rglob("*.html"))}


def test_every_internal_link_leads_to_a_file_and_an_anchor(pages: dict[Path, Page]) -> None:
    broken = []
    checked = 0
    for page, found in pages.items():
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            there = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            checked += 1
            if parts.netloc or parts.path.startswith("/") or not there.is_file():
                broken.append(f"{page.relative_to(SITE)}: {link}")
            elif parts.fragment and there in pages and unquote(parts.fragment) not in pages[there].anchors:
                broken.append(f"{page.relative_to(SITE)}: {link}, no such heading")
    assert broken == []
    assert checked > 10_000


def test_every_document_is_a_page_with_its_language(pages: dict[Path, Page]) -> None:
    documents = sorted((ROOT / "docs").rglob("*.md"))
    for document in documents:
        page = SITE / document.relative_to(ROOT).with_suffix(".html")
        assert page.with_stem(page.stem.replace("README", "index")) in pages
    guide = (SITE / "docs/play/de/stratego.html").read_text()
    assert '<div lang="de">' in guide


def test_no_page_script_or_style_names_something_to_load_from_the_internet(pages: dict[Path, Page]) -> None:
    outside = [
        f"{page.relative_to(SITE)}: {each}"
        for page, found in pages.items()
        for each in found.loaded
        if urlsplit(each).netloc or urlsplit(each).scheme not in ("", "data")
    ]
    for style in SITE.rglob("*.css"):
        outside += re.findall(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//[^)]*", style.read_text())
    assert outside == []


@pytest.fixture
def opened(browser: Any, request: pytest.FixtureRequest) -> Iterator[tuple[Any, list[str]]]:
    """A window of a size, and what it asked for outside the folder or complained about."""
    context = browser.new_context(**request.param, color_scheme="light", reduced_motion="reduce")
    wrong: list[str] = []
    context.on("request", lambda asked: wrong.append(asked.url) if "://" in asked.url[5:] else None)
    page = context.new_page()
    page.on("console", lambda line: wrong.append(line.text) if line.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page, wrong
    context.close()


@pytest.mark.parametrize(
    "opened",
    [pytest.param(DESKTOP, id="desktop", marks=pytest.mark.nightly), pytest.param(SMALL_PHONE, id="phone")],
    indirect=True,
)
def test_pages_opened_from_the_folder_fit_and_have_no_violation(
    pages: dict[Path, Page], opened: tuple[Any, list[str]]
) -> None:
    """WCAG 2.2 AA, light and dark; the reader's choice of dark is kept from page to page."""
    window, wrong = opened
    for name in SHOWN:
        window.goto((SITE / name).as_uri())
        window.wait_for_function("window.document$ && document.body.dataset.mdColorScheme === 'default'")
        for scheme in ("default", "slate"):
            assert window.evaluate("document.body.dataset.mdColorScheme") == scheme
            wide = window.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{name} is {wide} pixels too wide"
            wrong += [
                f"{name}, {scheme}: {each['id']}: {node['html'][:160]}"
                for each in Axe().run(window, options=AXE).response["violations"]
                for node in each["nodes"]
            ]
            window.locator("form[data-md-component=palette] label:not([hidden])").click()
    assert wrong == []


@pytest.mark.parametrize(
    ("opened", "words", "leads"),
    [
        pytest.param(DESKTOP, "RefusedAction", "boardrules.game.html", id="desktop"),
        pytest.param(SMALL_PHONE, "Aufstellen", "docs/play/de/stratego.html", id="phone"),
    ],
    indirect=["opened"],
)
def test_the_search_works_without_a_server(
    pages: dict[Path, Page], opened: tuple[Any, list[str]], words: str, leads: str
) -> None:
    window, wrong = opened
    window.goto((SITE / SHOWN[0]).as_uri())
    if window.locator("label.md-header__button[for=__search]").is_visible():
        window.locator("label.md-header__button[for=__search]").click()
    window.locator("input.md-search__input").click()
    window.locator("input.md-search__input").press_sequentially(words)
    window.locator(f"a.md-search-result__link[href*='{leads}']").first.click()
    window.wait_for_url(re.compile(re.escape(leads)))
    assert wrong == []
