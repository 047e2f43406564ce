"""Boards that tiles or a carrier can't make are refused, with what differs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from boardmake.circuit import copper, netlist, tile
from boardmake.circuit.assembly import Assembly
from boardmake.circuit.errors import CircuitError, CircuitFileError
from boardumpire.cli import main
from boardware.description import board_path, load_board
from boardware.parts import BoardPoint
from circuit.readers import FOLDER

BOARD = load_board("quick-battle-8x8-pico")


REED = '"reed on end 15-20 AT"'


def swapped(one: str, other: str) -> list[tuple[str, str]]:
    return [(one, "???"), (other, one), ("???", other)]


def shipped(name: str, *changes: tuple[str, str]) -> str:
    text = board_path(name).read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "quick-battle-8x8",
            "0 Picos, 1 banks and 1 chains; try a board on one Pico, with one bank and one chain",
        ),
        ("quick-battle-8x8-two-picos", "2 Picos"),
        ("escape-from-colditz", "5 Picos"),
        ("fall-of-the-fuhrer-pico", "43 places for pieces lie in no grid; tiles make one"),
        ("fall-of-the-fuhrer-slots-pico", "86 places for pieces lie in no grid; tiles make one"),
    ],
)
def test_shipped_boards_that_are_no_grid_on_one_pico(
    name: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["make", "circuits", name, "--into", str(tmp_path)]) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


WRONG = {
    "lamp": (swapped("lamp = 2 }", "lamp = 3 }"), "c1 has lamp 3; in the chain of tiles it is lamp 2"),
    "sensor": (
        swapped("sensor = [0, 0]", "sensor = [0, 1]"),
        "a1 is row 0, column 1 and lies at 42.5, 42.5 mm; tiles have it at 87.5, 42.5",
    ),
    "place": ([("a1 = { at = [42.5, 42.5]", "a1 = { at = [42.5, 40.5]")], "lies at"),
    "diodes": (
        [("diodes = true", "diodes = false")],
        "bank reeds has no diodes; tiles have one at each reed",
    ),
    "sensors": ([(REED, '"DRV5032FC"')], "tiles are made for reeds, on end or flat"),
    "flat": ([(REED, '"reed flat 15-20 AT"')], "flat reeds 0 mm aside, turned by 0 degrees; tiles have them"),
    "bend": (
        [(REED, f"{REED}\nbent_mm = 8")],
        "bent_mm = 8; pads of tiles are 3.81 mm beside the hole",
    ),
    "leads": (
        [(REED, f"{REED}\nback_mm = 3.81")],
        "its upper lead has to be 5.0 mm long, the lower one 26.8; reeds of 14 mm glass have 15.3: 11.5 mm"
        " are missing",
    ),
    "window": (
        [("a1 = { at = [42.5, 42.5],", "a1 = { at = [42.5, 42.5], lamp_at = [55, 55],")],
        "the lamp of a1 shines through the face at 55, 55 mm; tiles have it at 57.5, 57.5 (lamp_at)",
    ),
    "beside": ([("length = 66", "length = 67")], "67 lamps in chain lamps, 66 of them somewhere"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_board_that_differs_from_tiles_is_told_where(what: str, tmp_path: Path) -> None:
    changes, said = WRONG[what]
    file = tmp_path / "board.toml"
    file.write_text(shipped("quick-battle-8x8-pico", *changes))
    with pytest.raises(CircuitError) as refused:
        Assembly(load_board(file))
    assert str(refused.value).startswith("quick-battle-8x8-pico: ")
    assert said in str(refused.value)


def test_flat_reeds_as_tiles_have_them_are_taken(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    flat = '"reed flat 15-20 AT"\naside_mm = 9\nturn_deg = -45'
    file.write_text(shipped("quick-battle-8x8-pico", (REED, flat)))
    assert len(Assembly(load_board(file)).tiles) == 16


@pytest.mark.parametrize(
    ("grid", "changes", "said"),
    [
        ("8x7", (), "8 columns, 7 rows; tiles make an even number of rows"),
        ("6x4", ("--pitch", "30"), "squares of 30 mm; tiles have 38 to 50"),
        (
            "17x2",
            (),
            "17 x 2 squares on 6 columns and 6 rows of bank reeds; tiles have 17 columns and 2 rows,"
            " a column below each file",
        ),
    ],
)
def test_what_keeps_a_grid_from_tiles_is_told(
    grid: str, changes: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["board", "new", "mine", "--grid", grid, "--game", "stratego-duel", *changes]) == 0
    file = tmp_path / "board.toml"
    file.write_text(capsys.readouterr().out)
    with pytest.raises(CircuitError) as refused:
        Assembly(load_board(file))
    assert str(refused.value) == f"mine: {said}"


def test_a_board_of_files_and_ranks_is_made_of_tiles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A board that is no square has a column below each file and a row below each rank, as tiles have."""
    assert main(["board", "new", "mine", "--grid", "10x6", "--game", "stratego-duel"]) == 0
    file = tmp_path / "board.toml"
    file.write_text(capsys.readouterr().out)
    assembly = Assembly(load_board(file))
    assert (assembly.columns, assembly.rows) == (10, 6)


def test_squares_too_small_for_a_tile() -> None:
    spaces = {
        id_: replace(
            space,
            slots=tuple(
                replace(slot, position=BoardPoint(slot.position.x * 0.8, slot.position.y * 0.8))
                for slot in space.slots
            ),
        )
        for id_, space in BOARD.spaces.items()
    }
    with pytest.raises(CircuitError, match="squares of 36 mm; tiles have 38 to 50"):
        Assembly(replace(BOARD, spaces=spaces))


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (tile.TilePlan(pitch=37.9), "squares of 37.9 mm; try 38 to 50"),
        (tile.TilePlan(pitch=51), "squares of 51 mm"),
        (tile.TilePlan(4, 3), "a tile of 4 x 3; try 2 to 8 columns and 2, 4, 6 or 8 rows"),
        (tile.TilePlan(1, 4), "a tile of 1 x 4"),
    ],
)
def test_a_tile_that_cannot_be_made(plan: tile.TilePlan, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        tile.tile_layout(plan)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "brackets that don't match"),
        ("(kicad_pcb (version 1)", "brackets that don't match"),
        ("(kicad_pcb))", "a bracket too many"),
        ("(kicad_sch (version 1))", "it begins with kicad_sch"),
        ("(kicad_pcb (version 1))", "try a board of KiCad 6"),
        ("(kicad_pcb (zone (net 1)))", "copper of a kind that is not followed here: zone"),
    ],
)
def test_a_file_that_is_no_circuit_board(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "board.kicad_pcb"
    file.write_text(text)
    with pytest.raises(CircuitFileError, match=said) as refused:
        copper.read_circuit(file)
    assert str(file) in str(refused.value)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("tile 1,1 W1.R", "1 fields; try 3"),
        ("tile,carrier J1.1,row 1", "2: 'tile'; try a unit and a pin"),
    ],
)
def test_a_list_of_wires_that_is_wrong_is_told_with_its_line(line: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "wires.csv"
    file.write_text(f"from,to,carries\n{line}\n")
    with pytest.raises(CircuitFileError) as refused:
        netlist.parse_wires(file)
    assert str(refused.value).startswith(f"{file}:2: ") or said in str(refused.value)
    file.write_text("a,b\n")
    with pytest.raises(CircuitFileError, match=r"wires\.csv:1: try from,to,carries"):
        netlist.parse_wires(file)


@pytest.mark.parametrize(
    "pin", ["tile 1,1 JW12.1", "tile 1,1 W1.X", "tile 5,1 W1.R", "button no 1", "lamp red 1", "carrier J1.11"]
)
def test_a_wire_to_a_pin_that_is_not_there_is_told_with_its_line(pin: str, tmp_path: Path) -> None:
    """A tile has no jumper JW12: rows 1 and 2 are joined at the right."""
    name = "quick-battle-8x8-pico-wires.csv"
    text = (FOLDER / name).read_text()
    for folder in FOLDER.iterdir():
        if folder.is_dir():
            (tmp_path / folder.name).symlink_to(folder)
    (tmp_path / name).write_text(f'{text}"{pin}","carrier J1.1",row 1\n')
    with pytest.raises(CircuitFileError) as refused:
        netlist.load_netlist(BOARD, tmp_path)
    line = text.count("\n") + 1
    assert str(refused.value) == f"{tmp_path / name}:{line}: {pin}; try a pin of this board"


def test_the_list_of_wires_reads_back() -> None:
    assert netlist.parse_wires(FOLDER / "quick-battle-8x8-pico-wires.csv")[4:] == list(Assembly(BOARD).wires)
