"""What is committed is what the program makes, and KiCad finds nothing wrong with it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from boardmake.circuit import files, making, netlist, ordering, picture, schematic, tile
from boardmake.circuit.assembly import Assembly
from boardmake.circuit.errors import KiCadError
from boardmake.circuit.layout import Layout
from boardumpire.cli import main
from boardware.description import load_board
from circuit.readers import FOLDER

BOARDS = ("quick-battle-8x8-pico", "classic-10x10-pico")
KICAD = making.find_kicad()
needs_kicad = pytest.mark.skipif(KICAD is None, reason=f"no KiCad here ({making.INSTALL_COMMAND})")
SAME_KICAD = "6.0.11+dfsg-1"
"""Which wrote what is committed: another one writes other headers."""


def expected(layout: Layout) -> dict[str, str]:
    return {
        f"{layout.name}.kicad_pcb": files.kicad_board(layout),
        f"{layout.name}.kicad_pro": files.kicad_project(layout),
        f"{layout.name}.kicad_sch": schematic.schematic_text(layout),
        f"{layout.name}.svg": picture.layout_svg(layout),
        **{f"{layout.name}-{ending}": text for ending, text in ordering.order_files(layout)},
    }


@pytest.mark.parametrize("name", [BOARDS[0], pytest.param(BOARDS[1], marks=pytest.mark.slow)])
def test_boards_pictures_and_lists_are_current(name: str) -> None:
    """`boardumpire make circuits NAME --into hardware/circuit` writes them anew."""
    assembly = Assembly(load_board(name))
    layouts = making.board_layouts(assembly.board)
    for layout in layouts:
        for file, text in expected(layout).items():
            assert (FOLDER / layout.name / file).read_text() == text, file
    assert (FOLDER / f"{name}-wires.csv").read_text() == netlist.wires_csv(assembly)
    assert (FOLDER / f"{name}-parts.csv").read_text() == making.parts_list_csv(assembly, layouts)


@pytest.mark.parametrize("folder", sorted(path.name for path in FOLDER.iterdir() if path.is_dir()))
def test_what_was_plotted_is_of_this_board_and_kicad_found_nothing(folder: str) -> None:
    told = (FOLDER / folder / making.CHECK_FILE_NAME).read_text()
    board = FOLDER / folder / f"{folder}.kicad_pcb"
    assert told.startswith(f"{board.name} sha256 {making.board_digest(board)}\n")
    assert all(words in told for words in making.CLEAN_REPORT_LINES)
    endings = {path.name.removeprefix(f"{folder}-") for path in (FOLDER / folder).glob("*-*.*")}
    assert endings >= {"F_Cu.gbr", "B_Cu.gbr", "F_Mask.gbr", "B_Mask.gbr", "F_SilkS.gbr", "Edge_Cuts.gbr"}
    assert endings >= {"F_Paste.gbr", "PTH.drl", "NPTH.drl"}


@pytest.mark.parametrize("plan", [tile.TilePlan(), tile.TilePlan(2, 2, 38.0)], ids=str)
def test_every_name_of_the_soldering_list_is_printed_on_the_tile_beside_holes_and_pads(
    plan: tile.TilePlan,
) -> None:
    """Edges W1 to N4, each reed and capacitor: none lies where a hole or a pad leaves no print."""
    layout = tile.tile_layout(plan)
    text = files.kicad_board(layout)
    printed = {words.text: (words.at, words.size) for words in layout.texts if words.layer == "F.SilkS"}
    sides = [*((side, plan.rows) for side in "WE"), *((side, plan.columns) for side in "NS")]
    names = {f"{side}{number + 1}" for side, count in sides for number in range(count)}
    assert names <= printed.keys()
    bare = {name: printed[name] for name in names}
    for part in layout.parts:
        if part.footprint.label_position is not None:
            x, y = part.footprint.label_position
            bare[part.ref] = part.board_position(x, y), 1.0
            assert f'reference "{part.ref}" (at {x:g} {y:g}) (layer "F.SilkS")' in text
    assert {part.ref for part in layout.parts if part.ref[0] in "SC" and part.is_bought} <= bare.keys()
    gone = [(pad.at, pad.width / 2, pad.height / 2) for pad in layout.placed_pads() if "F.Cu" in pad.layers]
    gone += [(hole.at, hole.diameter / 2, hole.diameter / 2) for hole in layout.holes]
    for part in layout.parts:
        gone += [(part.board_position(x, y), across / 2, across / 2) for x, y, across in part.footprint.holes]
    for name, (middle, size) in bare.items():
        wide, high = 0.45 * size * len(name), 0.5 * size
        for spot, across, along in gone:
            assert abs(spot.x - middle.x) > wide + across or abs(spot.y - middle.y) > high + along, name


def test_a_machine_is_told_every_part_without_leads() -> None:
    lines = (FOLDER / "tile-2x2-45mm" / "places.csv").read_text().splitlines()[1:]
    placed = {line.split(",")[0].strip('"'): line for line in lines}
    assert len(placed) == 12
    # Column 2, row 1: its middle is 67.5 mm right and 22.5 up; its lamp lies 15 mm beside and above.
    assert placed["L21"].split(",")[3:5] == ["82.500000", "37.500000"]
    assert placed["L21"].split(",")[5:] == ["180.000000", "top"]
    assert placed["L22"].split(",")[5] == "0.000000"
    assert placed["D21"].split(",")[1:] == [
        '"1N4148W"',
        '"SOD-123"',
        "63.690000",
        "17.900000",
        "-90.000000",
        "top",
    ]


@needs_kicad
@pytest.mark.slow
@pytest.mark.parametrize(
    "plan", [tile.TilePlan(pitch=38.0), tile.TilePlan(pitch=50.0), tile.TilePlan(3, 2, 40.5)], ids=str
)
def test_kicad_finds_nothing_wrong_with_other_tiles(plan: tile.TilePlan, tmp_path: Path) -> None:
    layout = tile.tile_layout(plan)
    for name, text in expected(layout).items():
        (tmp_path / name).write_text(text)
    making.plot_board(KICAD[0], tmp_path / f"{layout.name}.kicad_pcb", tmp_path)
    assert all(
        words in (tmp_path / making.CHECK_FILE_NAME).read_text() for words in making.CLEAN_REPORT_LINES
    )


FAULTS = {
    "thin": ('(width 0.3) (layer "B.Cu")', '(width 0.19) (layer "B.Cu")'),
    "drill": ("(drill 0.4)", "(drill 0.29)"),
    "open": ('(width 0.3) (layer "B.Cu")', '(width 0.3) (layer "F.Cu")'),
    # 0.15 mm beside the first column.
    "near": (
        "  (segment",
        '  (segment (start 50.9 60) (end 50.9 62) (width 0.2) (layer "B.Cu") (net 0))\n  (segment',
    ),
}


@needs_kicad
@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_kicad_keeps_the_rules_of_the_project_file(fault: str, tmp_path: Path) -> None:
    """A track of 0.19 mm, a hole of 0.29 and what touches or is open is found: the check can fail."""
    before, after = FAULTS[fault]
    layout = tile.tile_layout(tile.TilePlan(2, 2, 45.0))
    for name, text in expected(layout).items():
        (tmp_path / name).write_text(text)
    board = tmp_path / f"{layout.name}.kicad_pcb"
    assert before in board.read_text()
    board.write_text(board.read_text().replace(before, after, 1))
    with pytest.raises(KiCadError, match=r"KiCad found something"):
        making.plot_board(KICAD[0], board, tmp_path)


@needs_kicad
@pytest.mark.slow
def test_the_command_writes_what_is_committed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if KICAD[1] != SAME_KICAD:
        pytest.skip(f"KiCad {KICAD[1]}; what is committed was written by {SAME_KICAD}")
    for name in BOARDS:
        assert main(["make", "circuits", name, "--into", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("KiCad finds nothing wrong") == 6
    made = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()}
    kept = {path.relative_to(FOLDER): path.read_bytes() for path in FOLDER.rglob("*.*") if path.is_file()}
    assert made.keys() == kept.keys()
    assert [str(path) for path in made if made[path] != kept[path]] == []


@pytest.mark.slow
def test_without_kicad_the_boards_are_written_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["make", "circuits", BOARDS[0], "--no-plot", "--into", str(tmp_path)]) == 0
    assert "neither checked nor plotted" in capsys.readouterr().out
    assert sorted(path.name for path in (tmp_path / "tile-2x2-45mm").iterdir()) == [
        "tile-2x2-45mm-bom.csv",
        "tile-2x2-45mm-jlcpcb-bom.csv",
        "tile-2x2-45mm-jlcpcb-places.csv",
        "tile-2x2-45mm.kicad_pcb",
        "tile-2x2-45mm.kicad_pro",
        "tile-2x2-45mm.kicad_sch",
        "tile-2x2-45mm.svg",
    ]


@needs_kicad
def test_a_file_that_kicad_cannot_read_is_said_so(tmp_path: Path) -> None:
    broken = tmp_path / "broken.kicad_pcb"
    broken.write_text("(kicad_pcb (version")
    with pytest.raises(KiCadError, match=r"broken\.kicad_pcb"):
        making.plot_board(KICAD[0], broken, tmp_path)


def test_the_plotter_needs_nothing_of_ours() -> None:
    """It runs in a Python that has KiCad's module and not Boardumpire's packages."""
    tree = ast.parse(making.PLOTTER_SCRIPT.read_text())
    names = {each.names[0].name for each in tree.body if isinstance(each, ast.Import)}
    names |= {each.module for each in tree.body if isinstance(each, ast.ImportFrom)}
    assert names == {"pathlib", "pcbnew", "sys"}
