"""Calibration: a person led by lamps mends a board file in which things are in a scrambled order."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boardsim.pico.picos import SimPicos
from boardsim.world import faults
from boardsim.world.world import World
from boardumpire.makers.board_file_edit import BoardFileEditError, edit_board_text, write_edited_board
from boardumpire.makers.calibrate import CalibrationResult
from boardumpire.makers.lattice import Lattice
from boardware.description import board_names, board_path, load_board
from daemon.service import Service
from makers.scrambled import calibrated, same, scrambled, wiring

ON_THE_HEADER = [name for name in board_names() if not load_board(name).picos]
ON_PICOS = [
    name
    for name in board_names()
    if (board := load_board(name)).picos
    and not board.reader_banks
    and len(board.slots_by_contact) == len(board.spaces) <= 100
]
"""A Pico that reads tags knows which reed belongs to which reader: another board file, another firmware. The
castle's 463 reeds, one after the other, take longer than a test may; that all of a hundred are learnt over
Picos, and over two of them, is shown by the others; with several slots a space by the one on the header."""


@pytest.mark.few(2)
@pytest.mark.parametrize("name", ON_THE_HEADER)
def test_rows_columns_and_lamps_in_any_order_are_mended_by_lamps_alone(name: str, tmp_path: Path) -> None:
    """The corrected file has every reed on its pins and every lamp in its place; all else is as it was."""
    world, (path, file) = scrambled(name, 1, tmp_path)
    assert not same(world.board, file), "the board file is wrong"
    learnt, person = calibrated(world, (path, file))
    again = write_edited_board(path, tmp_path / "mended.toml", file, learnt)
    assert same(world.board, again)
    assert learnt.unsettled_notes == []
    most = len(file.spaces) + len(file.slots) if file.lines else 64 * len(file.spaces) // 50 + 20
    assert learnt.placing_count <= most, "some 80 placings for 64 squares; on a map, which is no grid, more"
    assert file.lines or all(ask.space is None for ask in person.asks), "no text says where, but on a map"
    before, after = path.read_text(), (tmp_path / "mended.toml").read_text()
    assert re.sub(r"(sensor|lamp) = (\[.*?\]|\d+)", "", after) == re.sub(
        r"(sensor|lamp) = (\[.*?\]|\d+)", "", before
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ON_PICOS)
def test_it_runs_over_picos_as_well(name: str, tmp_path: Path) -> None:
    """Pins stay where they are, so no Pico has to be flashed anew."""
    world, (path, file) = scrambled(name, 2, tmp_path)
    picos = SimPicos(world)
    try:
        learnt, _ = calibrated(world, (path, file), picos)
    finally:
        picos.close()
    assert same(world.board, write_edited_board(path, tmp_path / "mended.toml", file, learnt))


def test_a_board_wired_in_no_order_at_all_is_mended_square_by_square(tmp_path: Path) -> None:
    """Every single reed elsewhere: the light leaves squares out, so all of them are asked one by one."""
    world, (path, file) = scrambled("quick-battle-8x8", 3, tmp_path, reeds=True)
    # What is wired in no order is the board: its file would be right had it been written for it.
    world, file = World(file, seed=3), world.board
    learnt, _ = calibrated(world, (path, file))
    assert same(
        world.board,
        write_edited_board(board_path("quick-battle-8x8"), tmp_path / "mended.toml", file, learnt),
    )
    assert learnt.placing_count > 120


def test_a_board_file_that_fits_is_left_as_it_is(tmp_path: Path) -> None:
    board = load_board("quick-battle-8x8")
    learnt, _ = calibrated(World(board, seed=4), (board_path(board.id), board))
    write_edited_board(board_path(board.id), tmp_path / "same.toml", board, learnt)
    assert (tmp_path / "same.toml").read_text() == board_path(board.id).read_text()
    assert learnt.count_changes(board) == 0


@pytest.mark.nightly
@pytest.mark.parametrize("name", ON_THE_HEADER)
def test_twenty_scrambled_board_files_are_mended(name: str, tmp_path: Path, record_property: Any) -> None:
    """Pins of rows and columns and all lamps in twenty random orders: each time the file written fits."""
    placings = []
    for seed in range(20):
        world, (path, file) = scrambled(name, seed, tmp_path)
        learnt, _ = calibrated(world, (path, file))
        assert same(world.board, write_edited_board(path, tmp_path / f"mended-{seed}.toml", file, learnt))
        placings.append(learnt.placing_count)
    record_property("seeds", "0 to 19")
    record_property("mended", "20 of 20")
    record_property("times the piece was put down", f"{min(placings)} to {max(placings)}")


def test_a_ring_that_is_never_felt_is_said_and_which_it_is_follows(tmp_path: Path) -> None:
    name = "fall-of-the-fuhrer-slots"
    world, (path, file) = scrambled(name, 5, tmp_path, reeds=True)
    world, file = World(file, seed=5), world.board
    faults.inject(world, faults.parse("reed-open kiel/2", world.board), 0)
    learnt, _ = calibrated(world, (path, file))
    again = write_edited_board(board_path(name), tmp_path / "mended.toml", file, learnt)
    assert [line for line in learnt.unsettled_notes if "kiel" in line] == [
        "kiel (the left ring): nothing is sensed there; which reed it is is a guess"
    ]
    differing = {key for key, value in wiring(again).items() if value != wiring(world.board).get(key)}
    assert differing <= {"reed kiel/2"}


def test_what_cannot_be_learnt_is_said_and_the_rest_is_mended(tmp_path: Path) -> None:
    """One reed is dead: where it must be follows from the others."""
    world, (path, file) = scrambled("quick-battle-8x8", 5, tmp_path)
    faults.inject(world, faults.parse("reed-open e5", world.board), 0)
    learnt, _ = calibrated(world, (path, file))
    again = write_edited_board(path, tmp_path / "mended.toml", file, learnt)
    assert learnt.unsettled_notes == ["e5: nothing is sensed there; which reed it is follows from the others"]
    assert same(world.board, again)


def test_a_chain_that_goes_dark_is_said_too(tmp_path: Path) -> None:
    world, (path, file) = scrambled("quick-battle-8x8", 6, tmp_path)
    faults.inject(world, faults.parse("lamp-dead lamps:60", world.board), 0)
    learnt, _ = calibrated(world, (path, file))
    dark = [
        line.partition(":")[0].removeprefix("lamp of ")
        for line in learnt.unsettled_notes
        if "not seen" in line
    ]
    assert dark == ["a8", "b8", "c8", "d8", "turn-blue", "turn-red"]
    again = write_edited_board(path, tmp_path / "mended.toml", file, learnt)
    differing = {key for key, value in wiring(again).items() if value != wiring(world.board)[key]}
    assert differing <= {f"lamp {name}" for name in dark}


def test_a_lattice_takes_blocks_that_fill_it_and_no_others() -> None:
    board = load_board("quick-battle-8x8")
    lattice = Lattice(board)
    row = [f"reeds:0,{number}" for number in range(8)]
    column = [f"reeds:{number},0" for number in range(8)]
    placed = lattice.assign_contacts([(row, column, False)])
    assert placed is not None
    assert (placed["a1"], placed["c2"]) == ("reeds:0,0", "reeds:1,2")
    turned = lattice.assign_contacts([(row, column, True)])
    assert turned is not None
    assert (turned["a1"], turned["c2"]) == ("reeds:0,0", "reeds:2,1")
    assert lattice.assign_contacts([(row[:7], column, False)]) is None
    assert lattice.assign_contacts([(row, column, False), (row, column, False)]) is None
    assert (
        Lattice(replace(board, spaces={"a1": board.spaces["a1"], "b2": board.spaces["b2"]})).is_regular
        is False
    )


def test_a_file_that_would_say_something_else_is_not_left_behind(tmp_path: Path) -> None:
    board = load_board("quick-battle-8x8")
    target = tmp_path / "new.toml"
    with pytest.raises(
        BoardFileEditError, match=r"can't be mended in its text: .*a contact of its own \(a1 is on it\)"
    ):
        write_edited_board(
            board_path(board.id), target, board, CalibrationResult(contact_by_slot={"a1": "reeds:1,0"})
        )
    assert not target.exists()
    target.write_text("mine")
    with pytest.raises(BoardFileEditError, match=r"new\.toml: File exists; try another file"):
        write_edited_board(board_path(board.id), target, board, CalibrationResult())
    assert target.read_text() == "mine"


def test_values_in_tables_of_their_own_are_found_too() -> None:
    board = load_board("quick-battle-8x8")
    text = (
        "[defaults]\nbank = 'reeds'\n[spaces.a1]\nat = [1, 1] # middle\nsensor = [0, 0] # reed\n"
        'lamp = ["lamps", 0]\n'
    )
    learnt = CalibrationResult(contact_by_slot={"a1": "reeds:3,4"}, lamp_by_space={"a1": "lamps:7"})
    assert edit_board_text(text, board, learnt, "x") == text.replace("[0, 0]", "[3, 4]").replace(
        '"lamps", 0', '"lamps", 7'
    )
    with pytest.raises(
        BoardFileEditError, match=r"x: found no sensor at spaces\.b2; write one by hand and try again"
    ):
        edit_board_text(text, board, CalibrationResult(contact_by_slot={"b2": "reeds:0,0"}), "x")


def test_the_command_refuses_to_write_over_a_file(tmp_path: Path) -> None:
    service = Service(tmp_path)
    try:
        command = [Path(sys.executable).with_name("boardumpire"), "calibrate", "--into", service.config]
        done = subprocess.run(
            [*command, "--config", service.config], input="", capture_output=True, text=True, check=False
        )
    finally:
        service.close()
    assert done.returncode == 2
    assert done.stderr.endswith("it exists already; try another name\n")
