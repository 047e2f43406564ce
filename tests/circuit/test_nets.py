"""The copper of tiles and carriers joins exactly what the board file says, by three readers."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from boardmake.circuit import copper
from boardmake.circuit.errors import CircuitFileError
from boardware.description import load_board
from circuit.readers import FOLDER, from_gerbers, from_kicad, units, wanted, whole

BOARDS = ("quick-battle-8x8-pico", "classic-10x10-pico")


@cache
def by_ours(name: str):
    return set(copper.read_circuit(FOLDER / name / f"{name}.kicad_pcb").nets)


@cache
def by_kiutils(name: str):
    return from_kicad(FOLDER / name / f"{name}.kicad_pcb")


@cache
def by_gerbonara(name: str):
    return from_gerbers(FOLDER / name, name)


READERS = {"ours": by_ours, "kiutils": by_kiutils, "gerbonara": by_gerbonara}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", [BOARDS[0], pytest.param(BOARDS[1], marks=pytest.mark.slow)])
def test_the_copper_and_the_wires_join_what_the_board_file_says(name: str, reader: str) -> None:
    board = load_board(name)
    assert whole(board, READERS[reader]) == wanted(board)


@pytest.mark.parametrize("name", sorted({*units(load_board(BOARDS[0])).values()}))
def test_the_readers_agree_on_every_pad_holes_at_the_edges_and_jumpers_too(name: str) -> None:
    assert by_ours(name) == by_kiutils(name) == by_gerbonara(name)


@pytest.mark.slow
def test_each_reader_sees_a_cut_and_a_bridge(tmp_path: Path) -> None:
    """A reader that saw neither would prove nothing."""
    name = "tile-2x2-45mm"
    text = (FOLDER / name / f"{name}.kicad_pcb").read_text()
    lines = text.splitlines(keepends=True)
    cut = next(line for line in lines if "(segment" in line and '"B.Cu"' in line and "(width 0.3)" in line)
    bridge = '  (segment (start 50 70) (end 80 70) (width 0.2) (layer "B.Cu") (net 0))\n'
    for change in (text.replace(cut, ""), text.replace(cut, cut + bridge)):
        file = tmp_path / "changed.kicad_pcb"
        file.write_text(change)
        assert set(copper.read_circuit(file).nets) == from_kicad(file) != by_ours(name)


LINE = "(start 50 70) (end 80 70)"
UNSEEN = {
    "gr_line": (f'(gr_line {LINE} (layer "F.Cu") (width 0.2))', "gr_line on F.Cu"),
    "gr_poly": ('(gr_poly (pts (xy 50 90) (xy 80 90) (xy 80 95)) (layer "B.Cu"))', "gr_poly on B.Cu"),
    "gr_text": ('(gr_text "a" (at 60 60) (layer "B.Cu"))', "gr_text on B.Cu"),
    "gr_arc": ('(gr_arc (start 1 1) (mid 2 2) (end 3 1) (layer "F.Cu") (width 1))', "gr_arc on F.Cu"),
    "fp_circle": (
        '(footprint "x:y" (layer "F.Cu") (at 60 60) (fp_text reference "X1") (fp_text value "x")'
        ' (fp_circle (center 0 0) (end 9 0) (layer "F.Cu") (width 1)))',
        "fp_circle on F.Cu in X1",
    ),
    "zone in a part": (
        '(footprint "x:y" (layer "F.Cu") (at 60 60) (fp_text reference "X1") (fp_text value "x")'
        ' (zone (net 0) (layers "F&B.Cu")))',
        "zone on F&B.Cu in X1",
    ),
    "hole": (
        '(footprint "x:y" (layer "F.Cu") (at 50.5 60) (fp_text reference "X1") (fp_text value "x")'
        ' (pad "" np_thru_hole circle (at 1 0) (size 3 3) (drill 3) (layers "*.Cu")))',
        "the hole of 3 mm of X1 at 51.5, 60 runs through copper",
    ),
    "slot": (
        '(footprint "x:y" (layer "F.Cu") (at 60 60) (fp_text reference "X1") (fp_text value "x")'
        ' (pad "" np_thru_hole oval (at 0 0) (size 3 9) (drill oval 3 9) (layers "*.Cu")))',
        "pad X1. has a hole that is not round or not in its middle",
    ),
    "via": (
        '(via blind (at 60 60) (size 1) (layers "F.Cu" "In1.Cu"))',
        "a via at 60, 60 that does not join both sides",
    ),
    "sawn": (f'(gr_line {LINE} (layer "Edge.Cuts") (width 0.1))', "edges that are no rectangle"),
    "sawn round": (
        '(gr_circle (center 60 60) (end 65 60) (layer "Edge.Cuts"))',
        "an edge that is no straight line",
    ),
}


@pytest.mark.parametrize("what", UNSEEN)
def test_copper_that_is_not_followed_is_refused(what: str, tmp_path: Path) -> None:
    """What KiCad etches, drills or saws counts, whatever it is called."""
    name = "tile-2x2-45mm"
    text = (FOLDER / name / f"{name}.kicad_pcb").read_text()
    item, said = UNSEEN[what]
    file = tmp_path / "changed.kicad_pcb"
    file.write_text(f"{text.rstrip().removesuffix(')')}  {item}\n)\n")
    with pytest.raises(CircuitFileError) as refused:
        copper.read_circuit(file)
    assert str(file) in str(refused.value)
    assert said in str(refused.value)


def test_a_gerber_with_a_cut_or_a_bridge_is_seen(tmp_path: Path) -> None:
    name = "tile-2x2-45mm"
    for path in (FOLDER / name).glob(f"{name}-*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    file = tmp_path / f"{name}-B_Cu.gbr"
    text = file.read_text()
    row = text.rindex("D01*")
    start = text.rindex("\nX", 0, text.rindex("\nX", 0, row))
    file.write_text(text[:start] + text[row + 4 :])
    assert from_gerbers(tmp_path, name) != by_gerbonara(name)
    bridge = "X8000000Y20000000D02*\nX80000000Y20000000D01*\n"
    file.write_text(text.replace("M02*", bridge + "M02*"))
    assert from_gerbers(tmp_path, name) != by_gerbonara(name)
