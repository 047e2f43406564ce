"""A match is changed by its own methods alone."""

from __future__ import annotations

import ast
from pathlib import Path

HOUSE = Path(__file__).parents[2] / "controller" / "umpire" / "boardumpire"
OWNER = HOUSE / "table" / "match.py"


def written(tree: ast.AST) -> list[int]:
    """The lines that set or delete an attribute of something called `match`, or of a part of it."""
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            names = [each.attr for each in ast.walk(node.value) if isinstance(each, ast.Attribute)]
            names += [each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)]
            if {"match", "_match"} & set(names):
                lines.append(node.lineno)
    return lines


def test_nobody_else_writes_to_a_match():
    found = [
        f"{path.relative_to(HOUSE)}:{line}"
        for path in sorted(HOUSE.rglob("*.py"))
        if path != OWNER
        for line in written(ast.parse(path.read_text()))
    ]
    assert found == []


def test_a_write_would_be_found():
    assert written(ast.parse("self._match.adjourned = True\nmatch.blind |= {1}\nblind = match.blind")) == [
        1,
        2,
    ]
