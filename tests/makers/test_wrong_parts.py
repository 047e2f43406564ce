"""Parts that are all of a wrong kind are one finding, and the right one."""

from __future__ import annotations

import pytest

from boardumpire.cli import main
from boardumpire.makers.doctor import STAGES
from boardware.parts import BoardDescription
from makers.mistaken import HEADER, MAP, PICO, TWO_PICOS, examine


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("board", [PICO, TWO_PICOS], ids=lambda board: board.id)
def test_a_pico_2_of_the_first_stepping_is_one_finding(board: BoardDescription) -> None:
    """Its columns stay high once a reed was closed: that is no reed that sticks, nor sixty of them."""
    for seed in range(2):
        found = examine(["columns-latch"], seed, board)
        assert found.first_right, found.told()
        assert not found.blamed, found.told()
        assert not [one for one in found.findings if one.code.startswith("reed-")], found.told()


@pytest.mark.slow
@pytest.mark.parametrize("board", [HEADER, PICO], ids=lambda board: board.id)
def test_rows_that_carry_one_piece_and_not_all_are_found_by_full_rows(board: BoardDescription) -> None:
    """1.5 kOhm a row and 10 kOhm a column: each piece alone is sensed, and a full row loses some."""
    found = examine(["rows-weak"], 1, board, pieces=8)
    assert found.first_right, found.told()
    assert not found.blamed, found.told()
    assert "Its resistor is too large" in found.findings[0].text()
    assert not examine([], 1, board, pieces=8).findings


@pytest.mark.slow
@pytest.mark.parametrize("board", [HEADER, PICO, MAP, TWO_PICOS], ids=lambda board: board.id)
def test_lamps_with_a_white_channel_are_one_finding(board: BoardDescription) -> None:
    """They take four bytes where three are sent: nothing is dead, and no lamp is to be changed alone."""
    for seed in range(2):
        found = examine(["lamps-rgbw"], seed, board)
        assert found.first_right, found.told()
        assert not found.blamed, found.told()


@pytest.mark.slow
def test_full_rows_of_weak_magnets_blame_no_resistor() -> None:
    for seed in range(2):
        found = examine(["magnet-weak"], seed, pieces=8)
        assert found.findings, found.told()
        assert not found.blamed, found.told()


@pytest.mark.slow
def test_stages_run_alone() -> None:
    """Each asks what is its own; rows without the walk believe the board file."""
    kinds = {
        stage: {
            (ask.kind, ask.expected_sign.code.partition(" ")[0] if ask.expected_sign else "")
            for ask in examine([], 1, PICO, pieces=8, stages=(stage,)).person.asks
        }
        for stage in STAGES
    }
    both = {("arrive", ""), ("answer", "emptied")}
    assert kinds["matrix"] == both | {("watch", "")}
    assert kinds["buttons"] == both | {("press", ""), ("answer", "heard")}
    assert kinds["rows"] == both | {("answer", "pieces"), ("answer", "filled"), ("watch", "")}
    assert ("place", "") in kinds["squares"]
    assert ("answer", "any-dark") in kinds["lamps"]
    assert not any(kind in ("place", "press") for kind, _ in kinds["lamps"])
    found = examine(["rows-weak"], 1, PICO, pieces=8, stages=("rows",))
    assert found.first_right, found.told()


def test_a_stage_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["doctor", "hands"])
    assert "'hands': no stage; try one of matrix, buttons, lamps, squares, rows" in capsys.readouterr().err
