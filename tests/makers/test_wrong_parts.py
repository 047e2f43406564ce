"""Parts that are all of a wrong kind are one finding, and the right one."""

from __future__ import annotations

import pytest

from boardware.parts import BoardDescription
from makers.mistaken import HEADER, MAP, PICO, TWO_PICOS, examine


@pytest.mark.parametrize("board", [HEADER, PICO, MAP, TWO_PICOS], ids=lambda board: board.id)
def test_reeds_that_open_under_a_magnet_are_told_from_resistors_to_a_supply(board: BoardDescription) -> None:
    """All seems closed on the empty board: one piece tells which of the two it is."""
    for seed in range(2):
        found = examine(["reeds-closed"], seed, board)
        assert found.first_right, found.told()
        assert not found.blamed, found.told()
        text = found.findings[0].text()
        assert "normally closed" in text
        other = examine(["pulled-up"], seed, board)
        assert other.first_right, other.told()
        assert "Likely cause: The columns' resistors lead to 3.3 V" in other.findings[0].text()


@pytest.mark.parametrize("board", [PICO, TWO_PICOS], ids=lambda board: board.id)
def test_a_pico_2_of_the_first_stepping_is_one_finding(board: BoardDescription) -> None:
    """Its columns stay high once a reed was closed: that is no reed that sticks, nor sixty of them."""
    for seed in range(2):
        found = examine(["columns-latch"], seed, board)
        assert found.first_right, found.told()
        assert not found.blamed, found.told()
        assert not [one for one in found.findings if one.code.startswith("reed-")], found.told()
