"""KiCad's own electrical and design rule checks, by its command line, which KiCad has since version 8.

Beside KiCad's rules the boards keep what JLCPCB asks of two layers (its page of capabilities, 2026).
"""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from boardmake.circuit import copper, files, schematic, tile
from circuit.readers import FOLDER, from_gerbers, from_kicad

OLDEST = 8
JLCPCB = """(version 1)
(rule track (constraint track_width (min 0.127mm)))
(rule gap (constraint clearance (min 0.127mm)))
(rule hole (constraint hole_size (min 0.3mm) (max 6.3mm)))
(rule ring (condition "A.Type == 'Via'") (constraint annular_width (min 0.13mm)))
(rule pad_ring (condition "A.Type == 'Pad'") (constraint annular_width (min 0.2mm)))
(rule holes (constraint hole_to_hole (min 0.45mm)))
(rule hole_to_copper (constraint hole_clearance (min 0.2mm)))
(rule edge (constraint edge_clearance (min 0.4mm)))
(rule letters (layer "?.Silkscreen") (condition "A.Type == 'Text'")
  (constraint text_height (min 1mm)) (constraint text_thickness (min 0.15mm)))
(rule print (condition "A.Type == 'Pad' || B.Type == 'Pad'") (constraint silk_clearance (min 0.15mm)))
"""
NAMES = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())
KINDS = ("violations", "unconnected_items", "schematic_parity")


@cache
def version() -> int:
    """Of the command line; 0: there is none."""
    found = shutil.which("kicad-cli")
    if found is None:
        return 0
    return int(
        subprocess.run([found, "version"], capture_output=True, text=True).stdout.partition(".")[0] or 0
    )


@pytest.fixture(autouse=True)
def _needs_kicad() -> None:
    if version() < OLDEST:
        pytest.skip(f"no kicad-cli of version {OLDEST} or later (Debian 13: apt install kicad)")


def kicad(*words: object) -> str:
    ran = subprocess.run(["kicad-cli", *map(str, words)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def copied(name: str, into: Path) -> Path:
    """The files of a board as KiCad opens them, with JLCPCB's rules beside; their path without an ending."""
    for ending in ("kicad_pcb", "kicad_pro", "kicad_sch"):
        shutil.copy(FOLDER / name / f"{name}.{ending}", into)
    (into / f"{name}.kicad_dru").write_text(JLCPCB)
    return into / name


def found(board: Path) -> list[str]:
    """What KiCad says against schematic and board, warnings too."""
    file, said = board.with_suffix(".json"), []
    kicad("sch", "erc", "--severity-all", "--format", "json", "-o", file, f"{board}.kicad_sch")
    for sheet in json.loads(file.read_text())["sheets"]:
        said += [each["type"] for each in sheet["violations"]]
    rules = ("--schematic-parity", "--severity-all", "--format", "json")
    kicad("pcb", "drc", *rules, "-o", file, f"{board}.kicad_pcb")
    told = json.loads(file.read_text())
    return said + [each["type"] for kind in KINDS for each in told[kind]]


@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
def test_kicad_has_no_error_and_no_warning(name: str, tmp_path: Path) -> None:
    assert found(copied(name, tmp_path)) == []


@pytest.mark.nightly
@pytest.mark.parametrize(
    "plan", [tile.TilePlan(pitch=38.0), tile.TilePlan(pitch=50.0), tile.TilePlan(3, 2, 40.5)], ids=str
)
def test_nor_for_tiles_that_do_not_ship(plan: tile.TilePlan, tmp_path: Path) -> None:
    layout = tile.tile_layout(plan)
    for ending, text in (
        ("kicad_pcb", files.kicad_board(layout)),
        ("kicad_pro", files.kicad_project(layout)),
        ("kicad_sch", schematic.schematic_text(layout)),
        ("kicad_dru", JLCPCB),
    ):
        (tmp_path / f"{layout.name}.{ending}").write_text(text)
    assert found(tmp_path / layout.name) == []


# What is changed in which file, from what to what, and what KiCad calls it.
FAULTS = {
    "two outputs": ("kicad_sch", "(pin input line", "(pin output line", "pin_to_pin"),
    "a pin of another net": ("kicad_sch", '(global_label "ROW1"', '(global_label "ROW2"', "net_conflict"),
    "a cut": ("kicad_pcb", '(width 0.3) (layer "B.Cu")', '(width 0.3) (layer "F.Cu")', "unconnected_items"),
    "a thin track": ("kicad_pcb", '(width 0.3) (layer "B.Cu")', '(width 0.12) (layer "B.Cu")', "track_width"),
    "a thin ring": ("kicad_pcb", "(size 0.8) (drill 0.4)", "(size 0.8) (drill 0.6)", "annular_width"),
    "print near a pad": ("kicad_pcb", "(end 1.4 -0.85)", "(end 1.4 -0.8)", "silk_overlap"),
    "small letters": ("kicad_pcb", "(font (size 1.5 1.5)", "(font (size 0.9 0.9)", "text_height"),
}


@pytest.mark.nightly
@pytest.mark.parametrize("fault", FAULTS)
def test_it_can_find_something(fault: str, tmp_path: Path) -> None:
    ending, before, after, kind = FAULTS[fault]
    board = copied("tile-2x2-45mm", tmp_path)
    file = tmp_path / f"{board.name}.{ending}"
    assert before in file.read_text()
    file.write_text(file.read_text().replace(before, after, 1))
    assert kind in found(board)


def rows(path: Path, between: str = ",") -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=between))


def nets_of_schematic(path: Path) -> set[frozenset[tuple[str, str]]]:
    tree = ElementTree.parse(path)
    return {
        frozenset((node.attrib["ref"], node.attrib["pin"]) for node in net.iter("node"))
        for net in tree.iter("net")
    }


@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
def test_what_a_new_kicad_exports_is_what_is_sent(name: str, tmp_path: Path) -> None:
    """The same nets in schematic and copper, the same parts, and the same places."""
    board = copied(name, tmp_path)
    pcb, sch = f"{board}.kicad_pcb", f"{board}.kicad_sch"
    layers = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,F.SilkS,B.SilkS,Edge.Cuts"
    as_ours = ("--no-protel-ext", "--use-drill-file-origin", "--layers", layers)
    kicad("pcb", "export", "gerbers", *as_ours, "-o", tmp_path, pcb)
    kicad(
        "pcb",
        "export",
        "drill",
        "--excellon-separate-th",
        "--drill-origin",
        "plot",
        "-o",
        f"{tmp_path}/",
        pcb,
    )
    assert from_gerbers(tmp_path, name) == from_kicad(FOLDER / name / f"{name}.kicad_pcb")

    kicad("sch", "export", "netlist", "--format", "kicadxml", "-o", tmp_path / "nets.xml", sch)
    drawn = nets_of_schematic(tmp_path / "nets.xml")
    of_copper: Any = copper.read_circuit(FOLDER / name / f"{name}.kicad_pcb").nets
    parts = {part for net in drawn for part, _ in net}
    assert drawn == {
        frozenset(pin for pin in net if pin[0] in parts)
        for net in of_copper
        if any(pin[0] in parts for pin in net)
    }

    kicad(
        "sch",
        "export",
        "bom",
        "--fields",
        "Reference,Value",
        "--exclude-dnp",
        "-o",
        tmp_path / "bom.csv",
        sch,
    )
    listed = {
        row["Refs"] if "Refs" in row else row["Reference"]: row["Value"] for row in rows(tmp_path / "bom.csv")
    }
    sent = rows(FOLDER / name / f"{name}-bom.csv", ";")
    assert listed == {ref: row["Designation"] for row in sent for ref in row["Designator"].split(",")}

    front = ("--format", "csv", "--units", "mm", "--side", "front", "--smd-only", "--use-drill-file-origin")
    kicad("pcb", "export", "pos", *front, "-o", tmp_path / "places.csv", pcb)
    places = {row.pop("Ref"): row for row in rows(tmp_path / "places.csv")}
    assert places == {row.pop("Ref"): row for row in rows(FOLDER / name / "places.csv")}
