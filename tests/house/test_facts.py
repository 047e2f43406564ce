"""Positions are made of named facts that nobody changes, and no rule reads one by its place in a row."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.state import facts as colditz
from boardrules.colditz.views import SeatKnowledge
from boardrules.fuhrer import facts as fuhrer
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


@pytest.mark.slow
def test_every_slotted_dataclass_of_the_rules_is_among_those_tried_here() -> None:
    found = {
        node.name
        for _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and any("dataclass" in ast.unparse(each) for each in node.decorator_list)
    }
    assert found == {row.__name__ for row in ROWS}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.__module__.split('.')[1]}-{row.__name__}")
def test_no_field_is_ever_given_another_value(row: Any) -> None:
    """The type checker refuses it: each field is `Final`."""
    assert {str(field.type).partition("[")[0] for field in fields(row)} == {"Final"}
    assert row.__slots__ == tuple(field.name for field in fields(row))
    values = {field.name: number for number, field in enumerate(fields(row))}
    assert row(**values) == row(**values)
    assert hash(row(**values)) == hash(row(**values))
