"""What makers get wrong on boards with places that feel nothing, chains fed at both ends, several chains."""

from __future__ import annotations

import pytest

from boardumpire.makers.bare import contact_id, contacts
from boardumpire.makers.diagnosis import explain
from boardumpire.makers.observations import Observations
from boardware.description import load_board
from boardware.parts import Board
from makers.mistaken import examine

MAPS = [load_board(f"fall-of-the-fuhrer{suffix}") for suffix in ("", "-slots", "-pico", "-slots-pico")]


@pytest.mark.parametrize("board", MAPS, ids=lambda board: board.id)
def test_resistors_to_the_supply_are_one_finding_where_places_have_no_reed(board: Board) -> None:
    """Crossings of a row and a column at which no reed is seem closed as well: that is no reed's fault."""
    found = examine(["pulled-up"], 1, board)
    assert found.first_right, found.told()
    assert len(found.findings) == 1, found.told()


@pytest.mark.parametrize("board", MAPS, ids=lambda board: board.id)
def test_a_column_that_is_high_is_one_finding_where_places_have_no_reed(board: Board) -> None:
    reeds = {contact_id(at) for at in board.contacts}
    column = next(at.column for name, at in contacts(board).items() if name not in reeds)
    high = frozenset(name for name, at in contacts(board).items() if at.column == column)
    (found,) = explain(board, Observations(idle=high))
    assert (found.code, found.parts) == ("column-high", (f"column reeds:{column}",))
