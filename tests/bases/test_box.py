"""The box of a board: OpenSCAD renders it, its walls fit each other, and all that hangs below fits in."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from boardmake.making.box import (
    AIR_MM,
    BATTEN_MM,
    CLEARANCE_MM,
    PI_MM,
    BoardBox,
    box_parts,
    box_scad,
    laser_cut_svg,
    section_svg,
)
from boardmake.making.holes import drill_holes
from boardumpire.cli import main
from boardware.description import board_names, load_board

OPENSCAD = shutil.which("openscad")
needs_openscad = pytest.mark.skipif(OPENSCAD is None, reason="no openscad here (apt install openscad)")
BOARD = load_board("quick-battle-8x8-pico")
Point = tuple[float, float]


def outlines(box: BoardBox) -> dict[str, list[Point]]:
    """By part its corners, as the cutter gets them, from its lower left one."""
    found = {}
    for name, text in re.findall(r'<g id="(\w+)"><polygon points="([^"]+)"/>', laser_cut_svg(box)):
        corners = [tuple(map(float, each.split(","))) for each in text.split()]
        left, low = min(x for x, _ in corners), max(y for _, y in corners)
        found[name] = [(round(x - left, 4), round(low - y, 4)) for x, y in corners]
    return found


def area(corners: list[Point]) -> float:
    ring = [*corners, corners[0]]
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise(ring))) / 2


def reaches(corners: list[Point]) -> list[tuple[float, float]]:
    """Where a wall reaches into its left corner."""
    ring = [*corners, corners[0]]
    return sorted(
        (min(a[1], b[1]), max(a[1], b[1])) for a, b in pairwise(ring) if a[0] == b[0] == 0 and a[1] != b[1]
    )


@pytest.mark.parametrize("kerf", [0.0, 0.2])
def test_two_walls_share_a_corner_without_a_gap(kerf: float) -> None:
    """Each height belongs to one of the two; they overlap by the kerf alone, which the laser takes away."""
    box = BoardBox(BOARD, kerf=kerf)
    walls = outlines(box)
    both = sorted(reaches(walls["front"]) + reaches(walls["left"]))
    assert both[0][0] == 0
    assert both[-1][1] == box.wall_height_mm
    for (_, top), (low, _) in pairwise(both):
        assert top - low == pytest.approx(kerf, abs=1e-3)
    assert walls["front"] == walls["back"]
    assert walls["left"] == walls["right"]


@pytest.mark.parametrize("name", board_names())
def test_battens_lie_below_no_hole_and_the_pi_below_no_reed(name: str) -> None:
    box = BoardBox(load_board(name))
    for left, low, across, deep in box.batten_positions():
        for hole in drill_holes(box.board):
            x, y = hole.at.x + CLEARANCE_MM, hole.at.y + CLEARANCE_MM
            aside = max(left - x, x - left - across, low - y, y - low - deep)
            assert aside >= hole.diameter / 2, (hole.id, left, low)
        assert min(across, deep) == BATTEN_MM
    assert box.depth_mm >= box.hanging_depth_mm + AIR_MM + PI_MM


def test_a_reed_on_end_hangs_as_far_as_its_glass_and_leads_reach() -> None:
    """14 mm of glass, and 5 mm of each lead: 24 mm below the gap, as the page of tiles has it."""
    assert BOARD.sensor_design is not None
    assert BoardBox(BOARD).hanging_depth_mm == BOARD.sensor_design.gap_mm + 24


def rendered(text: str, part: str, folder: Path) -> tuple[float, str]:
    """The volume of a part by OpenSCAD, from what a printer would get."""
    source, made = folder / "box.scad", folder / f"{part}.stl"
    source.write_text(text)
    run = [OPENSCAD, "-D", f'part="{part}"', "-o", str(made), str(source)]
    said = subprocess.run(run, capture_output=True, text=True, check=False).stderr
    if not made.exists():
        return 0.0, said
    corners = [tuple(map(float, each)) for each in re.findall(r"vertex (\S+) (\S+) (\S+)", made.read_text())]
    whole = 0.0
    for a, b, c in zip(*[iter(corners)] * 3, strict=True):
        cross = (b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0])
        whole += sum(one * other for one, other in zip(a, cross, strict=True)) / 6
    return whole, said


@needs_openscad
@pytest.mark.slow
def test_openscad_makes_each_part_of_the_outlines_that_are_cut(tmp_path: Path) -> None:
    box = BoardBox(BOARD)
    for name, corners in outlines(box).items():
        part = next(each for each in box.cut_parts() if each.name == name)
        bored = sum(math.pi * across**2 / 4 for _, _, across in part.holes)
        volume, said = rendered(box_scad(box), name, tmp_path)
        assert "ERROR" not in said
        assert volume == pytest.approx((area(corners) - bored) * box.sheet, rel=1e-3), name


@needs_openscad
@pytest.mark.slow
def test_no_two_parts_are_in_one_place(tmp_path: Path) -> None:
    """Of a box without kerf: OpenSCAD adds all parts up to as much as each of them alone."""
    text = box_scad(BoardBox(BOARD, kerf=0.0))
    parts = ("front", "back", "left", "right", "floor", "board", "battens", "frame")
    alone = sum(rendered(text, part, tmp_path)[0] for part in parts)
    assert rendered(text, "all", tmp_path)[0] == pytest.approx(alone, rel=1e-4)


def test_the_command_writes_its_files_and_says_how_large_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["make", "box", "quick-battle-8x8-pico", "--into", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {
        "box.scad",
        "box-cut.svg",
        "box-section.svg",
        "box.md",
    }
    assert "409 x 409 x 77 mm over all" in capsys.readouterr().out
    assert "30 reeds and wires" in section_svg(BoardBox(BOARD))
    with pytest.raises(SystemExit):
        main(["make", "box", "quick-battle-8x8-pico", "--sheet", "40"])
    assert "'40': not a thickness; try 2 to 12, in mm" in capsys.readouterr().err


def test_the_list_of_parts_has_each_batten_and_each_screw_that_the_outlines_have() -> None:
    """Battens as OpenSCAD has them, screws as the floor has holes for them."""
    box = BoardBox(BOARD)
    text, source = box_parts(box), box_scad(box)
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if re.match(r"\| \d", line)]
    listed = sum(int(count) * float(size) for count, part, size, *_ in rows if part.startswith("batten"))
    (laid,) = re.findall(r"module battens\(\) \{(.*)\}", source)
    cubes = [sorted(map(float, each.split(", "))) for each in re.findall(r"cube\(\[([^]]+)\]\)", laid)]
    wide, long = box.inner_size_mm
    frame = 2 * (wide + long) - 4 * BATTEN_MM
    assert listed == pytest.approx(sum(cube[2] for cube in cubes) + frame)
    holes = re.findall(r"circle\(d = ([\d.]+)\)", source)
    counts = {part.split(",")[0].split(" M")[0]: int(count) for count, part, *_ in rows}
    assert counts["wood screw"] == holes.count("3.2")
    assert counts["screw"] == holes.count("2.7") == 4
    assert counts["cable gland for a hole of 12.5 mm"] == holes.count("12.5")
