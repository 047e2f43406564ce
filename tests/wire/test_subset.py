"""Everything on the wire stays in the part of Python that MicroPython has."""

import ast
from pathlib import Path

import pytest

import boardwire

SOURCES = sorted(Path(boardwire.__file__).parent.glob("*.py"))
MODULES = {"boardwire", "struct", "binascii", "collections", "time", "machine", "sys"}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_a_source_imports_only_what_micropython_has(source: Path) -> None:
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert (node.module or "").split(".")[0] in MODULES
        elif isinstance(node, ast.Import):
            assert {name.name.split(".")[0] for name in node.names} <= MODULES


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_a_source_has_no_match_no_decorator_and_no_positional_only_argument(source: Path) -> None:
    for node in ast.walk(ast.parse(source.read_text())):
        assert not isinstance(node, (ast.Match, ast.AsyncFunctionDef))
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            assert not [
                one for one in node.decorator_list if ast.unparse(one) not in ("property", "staticmethod")
            ]
        if isinstance(node, ast.arguments):
            assert not node.posonlyargs
