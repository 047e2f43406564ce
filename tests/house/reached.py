"""Which words a test reaches: what it says itself, and whatever it uses says.

It is read, not run. A word is a part of a text, or the name of what is called or imported.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping
from pathlib import Path

import distributions

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (ROOT / "tests", ROOT / "package", *distributions.folders())

Place = tuple[Path, str]
"""A name at the top of a file."""


@functools.cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@functools.cache
def _tops(path: Path) -> Mapping[str, tuple[ast.stmt, ...]]:
    """By name what defines it at the top of a file."""
    found: dict[str, list[ast.stmt]] = {}
    for statement in _tree(path).body:
        for name in _named(statement):
            found.setdefault(name, []).append(statement)
    return {name: tuple(statements) for name, statements in found.items()}


def _named(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (alias.asname or alias.name for alias in names)
        case ast.Assign() | ast.AnnAssign():
            yield from (node.id for node in ast.walk(statement) if isinstance(node, ast.Name))


def _elsewhere(statement: ast.ImportFrom, name: str) -> Place | None:
    """Where a name comes from, if that is a file of ours."""
    original = next(alias.name for alias in statement.names if name in (alias.asname, alias.name))
    for folder in SOURCES:
        path = folder.joinpath(*(statement.module or "").split(".")).with_suffix(".py")
        if path.is_file():
            return path, original
    return None


def _used(path: Path, statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.arg):  # a fixture
            yield node.arg


def _said(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from node.value.split()
        elif isinstance(node, ast.Attribute):
            yield node.attr


def words(path: Path, test: str = "") -> set[str]:
    """The words that a test reaches; without a name, those of all tests of the file together."""
    waiting: list[Place] = [(path, name) for name in _tops(path) if name == test or not test]
    seen: set[Place] = set()
    found: set[str] = set()
    while waiting:
        place = waiting.pop()
        if place in seen:
            continue
        seen.add(place)
        file, name = place
        statements = _tops(file).get(name, ())
        if not statements and file.is_relative_to(ROOT / "tests"):  # a fixture of a folder, perhaps
            shared = [folder / "conftest.py" for folder in (file.parent, ROOT / "tests")]
            waiting += [(each, name) for each in shared if each.is_file() and each != file]
        for statement in statements:
            if isinstance(statement, ast.ImportFrom):
                origin = _elsewhere(statement, name)
                waiting += [] if origin is None else [origin]
            elif file.is_relative_to(ROOT / "tests") or isinstance(statement, ast.Assign | ast.AnnAssign):
                found.update(_said(statement))
                waiting += [(file, each) for each in _used(file, statement)]
    return found
