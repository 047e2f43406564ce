"""What a position is made of."""

from __future__ import annotations

from typing import Any

import pytest

from boardrules.colditz.deck.hidden import Secrets
from boardrules.colditz.state.facts import Table, Turn


@pytest.mark.parametrize("kind", [Turn, Table, Secrets])
def test_copies_have_every_field(kind: Any) -> None:
    if not hasattr(kind, "__slots__"):
        pytest.skip("the rules are compiled (benchmarks/compiled.py): a field takes values of its type alone")
    row = kind(**{name: number for number, name in enumerate(kind.fields)})
    assert set(kind.fields) == set(kind.__slots__)
    assert row.copy() == row
    assert row.copy() is not row
