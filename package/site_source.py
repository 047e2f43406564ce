"""Collects the pages of the site for MkDocs: the documents, all that they link to, and the API.

The documents are written to be read in the repository, where they link to code, drawings and folders outside
`docs/`. The site holds those files too, at the same relative paths: source code and folders as pages, all
else as it is. `make docs` builds the site from them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
SOURCE = BUILD / "site-source"
SITE = ROOT / "package" / "site"
TAB = BUILD / "tab"
ICON = ROOT / "controller/umpire/boardumpire/web/static/icon.svg"
SHELVES = {"play": "Play", "build": "Build", "program": "Program", "understand": "Understand"}
FOLDERS = {
    "api": "API",
    "decisions": "Decisions",
    "rules": "Rules",
    "da": "Dansk",
    "de": "Deutsch",
    "en": "English",
    "es": "Español",
    "fr": "Français",
    "it": "Italiano",
    "nl": "Nederlands",
    "pt": "Português",
    "ru": "Русский",
}
"""What the menu calls the folders of a shelf."""
GUIDE = re.compile(r"docs/play/([a-z]{2})/")
"""A page in the language that its folder names."""
HIGHLIGHT = {
    "": "text",
    ".js": "javascript",
    ".py": "python",
    ".rules": "text",
    ".sh": "bash",
    ".toml": "toml",
    ".yml": "yaml",
}
"""Files that get a page of their own; the site holds others as they are."""
API: dict[str, tuple[str, ...]] = {
    "boardrules": (
        "boardrules.game",
        "boardrules.registry",
        "boardrules.core",
        "boardrules.errors",
        "boardrules.package",
        "boardrules.record",
        "boardrules.record_types",
        "boardrules.notations",
        "boardrules.players",
        "boardrules.random_source",
        "boardrules.open_game",
        "boardrules.encoding",
        "boardrules.numbered_game",
        "boardrules.marks",
        "boardrules.art",
        "boardrules.shapes",
        "boardrules.schema",
        "boardrules.teaching",
    ),
    "boardware": (
        "boardware.ports",
        "boardware.parts",
        "boardware.grid",
        "boardware.opening",
        "boardware.errors",
    ),
}
"""The modules that games, drivers and other programs are written against."""
CODE = re.compile(r"(^ *```.*?^ *```|`[^`\n]*`)", re.DOTALL | re.MULTILINE)
FENCE_WORDS = re.compile(r"^( *```\S+) .*")
"""Words for the tests behind the language of a code block, which MkDocs would misread."""
TARGET = re.compile(r"\]\(([^)\s]+)\)")
FORMS = ".github/ISSUE_TEMPLATE"
ISSUE_FORM = re.compile(r"\.\./\.\./issues/new(?:/choose|\?template=(.+))")
"""On GitHub it opens an empty issue form; the site shows what the form asks."""
HEADING = re.compile(r"^# (.+)$", re.MULTILINE)
Menu: TypeAlias = "list[str | dict[str, str | Menu]]"


def collect(source: Path = SOURCE) -> None:
    """Write README, `docs/` and all that they link to. Raises `FileNotFoundError` for a link to nothing."""
    shutil.rmtree(source, ignore_errors=True)
    waiting = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    seen = set(waiting)
    while waiting:
        for path in _write_page(waiting.pop(), source):
            if path not in seen:
                seen.add(path)
                waiting.append(path)
    api = _write_api(source)
    shutil.copytree(SITE, source / "assets", ignore=shutil.ignore_patterns("*.yml", "theme"))
    shutil.copyfile(ICON, source / "assets" / ICON.name)
    tab = _write_tab(source) if TAB.exists() else []
    _write_settings([{"Home": "README.md"}, *tab, *_shelf_menus(api), {"What is new": "CHANGELOG.md"}])


def _write_page(path: Path, source: Path) -> list[Path]:
    """Write one file or folder; return what it links to."""
    page = source / _page_of(path).relative_to(ROOT)
    page.parent.mkdir(parents=True, exist_ok=True)
    name = path.relative_to(ROOT).as_posix()
    if path.is_dir():
        kept_out = (".", "_", "index.html")  # the folder's own page becomes index.html
        inside = [each for each in sorted(path.iterdir()) if not each.name.startswith(kept_out)]
        links = [f"- [{each.name}]({os.path.relpath(_page_of(each), path)})" for each in inside]
        page.write_text("\n".join([f"# {name}", "", *links, ""]))
        return inside
    if path.suffix == ".md":
        text, linked = _with_site_links(path)
        guide = GUIDE.match(name)
        page.write_text(f"---\nlang: {guide[1]}\n---\n\n{text}" if guide else text)
        return linked
    if path.suffix in HIGHLIGHT:
        page.write_text(f"# `{name}`\n\n~~~~ {HIGHLIGHT[path.suffix]}\n{path.read_text()}~~~~\n")
    else:
        shutil.copyfile(path, page)
    return []


def _page_of(path: Path) -> Path:
    """The page or file that stands for it in the site, as if the repository were the site."""
    if path.is_dir():
        name = "contents.md" if (path / "index.html").exists() else "index.md"
        return path / ("README.md" if (path / "README.md").exists() else name)
    return path.with_name(path.name + ".md") if path.suffix in HIGHLIGHT else path


def _with_site_links(page: Path) -> tuple[str, list[Path]]:
    """The text of a page whose links lead to pages of the site, and what they lead to."""
    linked: list[Path] = []

    def site_link(match: re.Match[str]) -> str:
        target = ISSUE_FORM.sub(rf"{FORMS}/\1", match[1])
        target, hash_sign, anchor = target.partition("#")
        if not target or re.match(r"[a-z]+:", target):
            return match[0]
        path = (page.parent / target).resolve()
        if not path.exists():
            raise FileNotFoundError(f"{page.relative_to(ROOT)} links to {target}, which is not there")
        there = _page_of(path)
        linked.append(there if path.is_dir() and there.exists() else path)
        return f"]({os.path.relpath(there, page.parent)}{hash_sign}{anchor})"

    parts = CODE.split(page.read_text())
    parts[::2] = [TARGET.sub(site_link, part) for part in parts[::2]]
    parts[1::2] = [FENCE_WORDS.sub(r"\1", part) for part in parts[1::2]]
    return "".join(parts), linked


def _write_api(source: Path) -> Menu:
    """Write a page for each public module, and one that lists them; return their menu."""
    folder = Path("docs/program/api")
    (source / folder).mkdir()
    lines = [
        "# API",
        "",
        "What games, drivers and other programs are written against, from its docstrings.",
        "",
    ]
    menu: Menu = [f"{folder}/index.md"]
    for distribution, modules in API.items():
        lines += [f"## {distribution}", ""]
        for module in modules:
            (source / folder / f"{module}.md").write_text(f"# `{module}`\n\n::: {module}\n")
            lines.append(f"- [`{module}`]({module}.md)")
            menu.append({module: f"{folder}/{module}.md"})
        lines.append("")
    (source / folder / "index.md").write_text("\n".join(lines))
    return menu


def _write_tab(source: Path) -> Menu:
    """Write the page that plays in the browser, as `make tab` made it, and one that leads there."""
    shutil.copytree(TAB, source / "tab")
    lines = (
        "# Try it here",
        "The whole umpire and a simulated board run in your browser. Nothing is installed or sent anywhere.",
        "[Play Quick Duel against the machine](tab/index.html)",
        "It takes some seconds to begin. [How it works](docs/play/tab.md)",
    )
    (source / "try-it.md").write_text("\n\n".join(lines) + "\n")
    return [{"Try it": "try-it.md"}]


def _shelf_menus(api: Menu) -> Iterator[dict[str, str | Menu]]:
    """The menu of each shelf: the pages that its first page links to, then the others.

    A folder with a first page of its own has the order of its files.
    """
    for name, title in SHELVES.items():
        shelf = ROOT / "docs" / name
        first = shelf / "index.md"
        _, linked = _with_site_links(first)
        own_order = [
            page for page in linked if page.parent == shelf or not (page.parent / "index.md").exists()
        ]
        others = sorted(shelf.rglob("*.md"), key=lambda page: (page.parent, page.name != "index.md", page))
        ordered = dict.fromkeys([first, *own_order, *others])
        pages = [page for page in ordered if page.suffix == ".md" and page.is_relative_to(shelf)]
        menu: Menu = [first.relative_to(ROOT).as_posix()]
        folders: dict[str, Menu] = {}
        for page in pages[1:]:
            entry: dict[str, str | Menu] = {_title(page): page.relative_to(ROOT).as_posix()}
            if page.parent == shelf:
                menu.append(entry)
            else:
                folders.setdefault(page.parent.name, []).append(entry)
        if name == "program":
            folders["api"] = api
        yield {title: [*menu, *({FOLDERS[folder]: inside} for folder, inside in folders.items())]}


def _title(page: Path) -> str:
    found = HEADING.search(page.read_text())
    assert found, f"{page} has no heading"
    return found[1].replace("`", "")


def _write_settings(menu: Menu) -> None:
    """Write the settings of MkDocs: ours and the menu. JSON is YAML."""
    settings = {"INHERIT": os.path.relpath(SITE / "mkdocs.yml", BUILD), "nav": menu}
    (BUILD / "mkdocs.yml").write_text(json.dumps(settings, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    collect()
