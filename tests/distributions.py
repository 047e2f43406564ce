"""The distributions of the workspace, and where their packages stand."""

from __future__ import annotations

import ast
import functools
import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("controller", "firmware", "hardware", "sim")
"""The folders at the top that hold distributions."""


def folders(root: Path = ROOT) -> list[Path]:
    """Each folder with the metadata of a distribution, in which its package stands."""
    found = (path.parent for part in PARTS for path in (root / part).rglob("pyproject.toml"))
    return sorted(found)


@functools.cache
def projects() -> Mapping[str, Mapping[str, Any]]:
    """What `[project]` says, by the name of the distribution."""
    tables = (tomllib.loads((folder / "pyproject.toml").read_text())["project"] for folder in folders())
    return {table["name"]: table for table in tables}


def needed(requirement: str) -> Iterator[str]:
    """The names of others' distributions that a requirement brings, as far as our own metadata says."""
    found = re.match(r"([A-Za-z0-9.-]+)(?:\[([a-z,]+)\])?", requirement)
    assert found, requirement
    name, extras = found[1].lower(), (found[2] or "").split(",")
    project = projects().get(name)
    if project is None:
        yield name
        return
    for extra in filter(None, extras):
        for other in project["optional-dependencies"][extra]:
            yield from needed(other)
    for other in project["dependencies"]:
        yield from needed(other)


@functools.cache
def absent() -> frozenset[str]:
    """Our distributions that aren't installed."""
    return frozenset(name for name in projects() if find_spec(name) is None)


@functools.cache
def lacking(path: Path) -> frozenset[str]:
    """What of `absent` a file of the tests needs, with all files of the tests that it imports."""
    found: set[str] = set()
    waiting, seen = [path], {path}
    while waiting:
        for name in _imported(waiting.pop()):
            found |= {name.partition(".")[0]} & absent()
            other = (ROOT / "tests").joinpath(*name.split(".")).with_suffix(".py")
            if other.is_file() and other not in seen:
                seen.add(other)
                waiting.append(other)
    return frozenset(found)


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
