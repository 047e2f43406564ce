"""Positions are made of named facts that nobody changes, and no rule reads one by its place in a row."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardrules.colditz.deck.hidden import HiddenCards
from boardrules.colditz.state import facts as colditz
from boardrules.colditz.views import SeatKnowledge
from boardrules.fuhrer import facts as fuhrer
from boardrules.row import FrozenRecord
from boardrules.stratego import facts as stratego

RULES = Path(__file__).resolve().parents[2] / "controller" / "rules" / "boardrules"
MOST = 4
"""As many names may stand for the places of a row."""
ROWS = (
    stratego.StrategoFacts,
    fuhrer.FuhrerFacts,
    colditz.ColditzFacts,
    colditz.ColditzTurn,
    colditz.TableFacts,
    colditz.PendingTask,
    HiddenCards,
    SeatKnowledge,
)


def trees() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(RULES.rglob("*.py")):
        yield path, ast.parse(path.read_text())


def test_no_row_is_taken_apart_into_more_than_four_names() -> None:
    found = [
        f"{path.relative_to(RULES)}:{node.lineno}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Tuple | ast.List)
        and isinstance(node.ctx, ast.Store)
        and len(node.elts) > MOST
    ]
    assert found == []


@pytest.mark.slow
def test_no_type_is_a_row_of_more_than_four_nameless_places() -> None:
    found = [
        f"{path.relative_to(RULES)}:{node.lineno}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id == "tuple"
        and isinstance(node.slice, ast.Tuple)
        and len(node.slice.elts) > MOST
    ]
    assert found == []


def test_every_row_is_among_those_tried_here() -> None:
    assert set(FrozenRecord.__subclasses__()) == set(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.__module__.split('.')[1]}-{row.__name__}")
class TestRows:
    def test_names_its_fields_once_more_in_its_making_and_nowhere_else(self, row: Any) -> None:
        assert row.fields == tuple(inspect.signature(row).parameters)
        assert row.__slots__ == row.fields
        assert not hasattr(row, "__dict__") or "__dict__" not in dir(row)

    def test_no_field_is_ever_given_another_value(self, row: Any) -> None:
        """The type checker refuses it: each field is `Final`."""
        tree = ast.parse(inspect.getsource(row).strip())
        final = {
            node.target.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Attribute)
            and ast.unparse(node.annotation) == "Final"
        }
        assert final == set(row.fields)

    def test_but_changes_what_is_named_and_nothing_else(self, row: Any) -> None:
        values = {name: number for number, name in enumerate(row.fields)}
        first = row(**values)
        other = first.but(**{row.fields[0]: "other"})
        assert {name: getattr(first, name) for name in row.fields} == values
        assert {name: getattr(other, name) for name in row.fields} == {**values, row.fields[0]: "other"}
        assert first != other
        assert first == row(**values)
        with pytest.raises(TypeError):
            first.but(nonsense=1)
