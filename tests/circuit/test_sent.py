"""What a maker of circuit boards is sent: schematics, lists of parts, archives, and what he can print."""

from __future__ import annotations

import csv
import math
import subprocess
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from boardmake.circuit import files, making, ordering, schematic, tile
from boardmake.circuit.assembly import Assembly
from boardmake.circuit.errors import CircuitFileError
from boardmake.circuit.layout import HEAD_MM, Layout
from boardware.description import load_board
from circuit.readers import FOLDER

NAMES = (
    *("tile-2x2-45mm", "tile-2x2-45mm-panel"),
    *("carrier-quick-battle-8x8-pico", "carrier-classic-10x10-pico"),
)
BOARD = "quick-battle-8x8-pico"
KICAD = making.find_kicad()
needs_kicad = pytest.mark.skipif(KICAD is None, reason=f"no KiCad here ({making.INSTALL_COMMAND})")
DRIVERS = ("output", "power_out")


class Drawn:
    """A schematic as kiutils reads it: what stands where, and which label touches which pin."""

    def __init__(self, path: Path) -> None:
        from kiutils.schematic import Schematic

        sheet = Schematic.from_file(str(path))
        kinds = {symbol.libId: symbol for symbol in sheet.libSymbols}
        labels = {place(label.position): label.text for label in sheet.globalLabels}
        crosses = {place(cross.position) for cross in sheet.noConnects}
        self.parts: dict[str, tuple[str, str, str]] = {}
        self.nets: dict[tuple[str, str], str] = {}
        self.types: dict[tuple[str, str], str] = {}
        self.pin_names: dict[tuple[str, str], str] = {}
        self.lone: set[tuple[str, str]] = set()
        for item in sheet.schematicSymbols:
            said = {each.key: each.value for each in item.properties}
            ref = said["Reference"]
            if not ref.startswith("#"):
                self.parts[ref] = (said["Value"], said["Footprint"], item.uuid)
            for unit in kinds[item.libId].units:
                for pin in unit.pins:
                    spot = place(item.position, pin.position.X, -pin.position.Y)
                    self.types[ref, pin.number] = pin.electricalType
                    self.pin_names[ref, pin.number] = pin.name
                    assert (spot in labels) != (spot in crosses), (ref, pin.number)
                    if spot in labels:
                        self.nets[ref, pin.number] = labels[spot]
                    else:
                        self.lone.add((ref, pin.number))

    def conflicts(self) -> Iterator[str]:
        """Nets that two pins drive, nets of one pin, and supplies that nothing feeds."""
        by_net = defaultdict(list)
        for pin, net in self.nets.items():
            by_net[net].append(pin)
        for net, pins in by_net.items():
            types = [self.types[pin] for pin in pins]
            if (
                sum(kind in DRIVERS for kind in types) > 1
                or len(pins) < 2
                or ("power_in" in types and "power_out" not in types)
            ):
                yield net


def place(at: Any, dx: float = 0.0, dy: float = 0.0) -> tuple[int, int]:
    return round((at.X + dx) * 1000), round((at.Y + dy) * 1000)


@cache
def board(name: str) -> Any:
    from kiutils.board import Board

    return Board.from_file(str(FOLDER / name / f"{name}.kicad_pcb"))


@cache
def layouts() -> dict[str, Layout]:
    return {each.name: each for each in making.board_layouts(load_board(BOARD))}


@pytest.mark.parametrize("name", NAMES)
def test_schematic_and_board_have_the_same_parts_and_nets(name: str) -> None:
    """So KiCad changes nothing when it updates the board from its schematic."""
    drawn = Drawn(FOLDER / name / f"{name}.kicad_sch")
    parts, nets = {}, {}
    for part in board(name).footprints:
        words = {text.type: text.text for text in part.graphicItems if getattr(text, "type", "")}
        if part.attributes.boardOnly:
            assert words["reference"] not in drawn.parts
            continue
        ref = words["reference"]
        parts[ref] = (words["value"], f"{part.libraryNickname}:{part.entryName}", part.path.removeprefix("/"))
        nets |= {(ref, pad.number): pad.net.name for pad in part.pads if pad.number}
    lone = {pin: f"unconnected-({pin[0]}-{drawn.pin_names[pin]}-Pad{pin[1]})" for pin in drawn.lone}
    expected = {**drawn.nets, **{pin: net.replace("-~-", "-") for pin, net in lone.items()}}
    assert parts == drawn.parts
    assert nets == {pin: net for pin, net in expected.items() if pin[0] in parts}


@pytest.mark.parametrize("name", NAMES)
def test_no_schematic_breaks_an_electrical_rule(name: str) -> None:
    assert list(Drawn(FOLDER / name / f"{name}.kicad_sch").conflicts()) == []


def test_two_lamps_that_drive_one_wire_are_seen(tmp_path: Path) -> None:
    """The check of rules can fail: data in and out of one lamp change places."""
    layout = tile.tile_layout(tile.TilePlan(2, 2, 45.0))
    lamp = next(part for part in layout.parts if part.ref == "L21")
    lamp.nets["2"], lamp.nets["4"] = lamp.nets["4"], lamp.nets["2"]  # type: ignore[index]  # a dict
    file = tmp_path / "swapped.kicad_sch"
    file.write_text(schematic.schematic_text(layout))
    assert list(Drawn(file).conflicts()) == ["DATA1-1"]


def rows(path: Path, between: str = ",") -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=between))


def test_jlcpcb_is_told_each_part_and_place_as_kicad_is() -> None:
    """Turns differ by the list that KiBot publishes: a WS2812B by 180 degrees, a diode not at all."""
    folder = FOLDER / NAMES[0]
    bom = rows(folder / f"{NAMES[0]}-jlcpcb-bom.csv")
    assert {row["Comment"]: row["JLCPCB Part #"] for row in bom} == {
        "1N4148W": "C81598",
        "WS2812B": "C2761795",
        "100 nF": "C49678",
    }
    refs = [ref for row in bom for ref in row["Designator"].split(",")]
    ours = {row["Designator"]: row for row in rows(folder / f"{NAMES[0]}-jlcpcb-places.csv")}
    kicads = {row["Ref"]: row for row in rows(folder / "places.csv")}
    assert sorted(refs) == sorted(ours) == sorted(kicads)
    more = {"L": 180, "D": 0, "C": 90}
    for ref, row in ours.items():
        kicad = kicads[ref]
        assert row["Layer"].lower() == kicad["Side"]
        for ours_at, kicads_at in (("Mid X", "PosX"), ("Mid Y", "PosY")):
            assert float(row[ours_at].removesuffix("mm")) == pytest.approx(float(kicad[kicads_at]))
        assert (float(row["Rotation"]) - float(kicad["Rot"]) - more[ref[0]]) % 360 == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_list_of_parts_has_every_part_that_is_fitted(name: str) -> None:
    listed = [
        ref for row in rows(FOLDER / name / f"{name}-bom.csv", ";") for ref in row["Designator"].split(",")
    ]
    fitted = []
    for part in board(name).footprints:
        words = {text.type: text.text for text in part.graphicItems if getattr(text, "type", "")}
        if not part.attributes.excludeFromBom:
            fitted.append(words["reference"])
    assert sorted(listed) == sorted(fitted)


@pytest.mark.parametrize("name", NAMES)
def test_an_archive_holds_a_whole_board_within_100_mm(name: str, tmp_path: Path) -> None:
    """gerbonara knows each file by what it is, and reads the outline."""
    from gerbonara.layers import LayerStack

    archive = FOLDER / name / f"{name}-fab.zip"
    with zipfile.ZipFile(archive) as opened:
        for file in opened.namelist():
            assert opened.read(file) == (FOLDER / name / file).read_bytes()
        assert len(opened.namelist()) == (11 if name.endswith("-panel") else 10)
        opened.extractall(tmp_path)
    with pytest.warns(SyntaxWarning):
        stack = LayerStack.open(tmp_path)
    assert {"top", "bottom"} <= {side for side, use in stack.graphic_layers if use == "copper"}
    (left, lower), (right, upper) = stack.outline.bounding_box()
    assert right - left <= 100.2
    assert upper - lower <= 100.2


def test_a_panel_is_a_tile_between_two_rails() -> None:
    """Of 5 mm, V-scored from edge to edge; no copper lies within 0.4 mm of a score (JLCPCB)."""
    from gerbonara.excellon import ExcellonFile
    from gerbonara.rs274x import GerberFile

    def gerber(name: str, layer: str) -> list[Any]:
        return GerberFile.open(FOLDER / name / f"{name}-{layer}.gbr").objects

    scores = [line for line in gerber(NAMES[1], "V_Score") if hasattr(line, "x1") and line.x1 != line.x2]
    across = sorted(line.y1 for line in scores if abs(line.x1 - line.x2) == pytest.approx(90.0))
    assert across == pytest.approx([5.0, 95.0])

    def discs(layer: str, diameter: float) -> set[tuple[float, float]]:
        return {
            (round(each.x, 2), round(each.y, 2))
            for each in gerber(NAMES[1], layer)
            if hasattr(each, "x") and getattr(each.aperture, "diameter", 0) == pytest.approx(diameter)
        }

    marks = {(10.0, 3.58), (80.0, 3.58), (10.0, 96.42)}
    assert {at for at in discs("F_Cu", 1.0) & discs("F_Mask", 2.0) if not 5 < at[1] < 95} == marks
    with pytest.warns(SyntaxWarning):
        holes = ExcellonFile.open(FOLDER / NAMES[1] / f"{NAMES[1]}-NPTH.drl").objects
    tooling = {(round(each.x, 2), round(each.y, 2)) for each in holes if each.aperture.diameter == 2.0}
    assert tooling == {(5.0, 2.5), (85.0, 2.5), (5.0, 97.5), (85.0, 97.5)}
    for layer in ("F_Cu", "B_Cu"):
        boxes = [each.bounding_box() for each in gerber(NAMES[1], layer)]
        for (_, lower), (_, upper) in boxes:
            assert all(upper <= y - 0.4 or lower >= y + 0.4 for y in (5.0, 95.0))
        of_tile = [each.bounding_box() for each in gerber(NAMES[0], layer)]
        in_tile = [(low, high) for low, high in boxes if 5 < low[1] < 95]
        moved = [((left, low + 5), (right, high + 5)) for (left, low), (right, high) in of_tile]
        assert [tuple(map(rounded, box)) for box in in_tile] == [tuple(map(rounded, box)) for box in moved]


def rounded(at: tuple[float, float]) -> tuple[float, float]:
    return round(at[0], 3), round(at[1], 3)


@pytest.mark.parametrize("name", NAMES)
def test_print_is_of_letters_and_lines_that_makers_can_print(name: str) -> None:
    """Lines of 0.153 mm and letters of 1 mm, as JLCPCB asks for; lines are measured in the Gerber file."""
    from gerbonara.rs274x import GerberFile

    for text in (*board(name).graphicItems, *(t for p in board(name).footprints for t in p.graphicItems)):
        if getattr(text, "effects", None) and text.layer.endswith("SilkS"):
            assert text.effects.font.height >= 1.0
            assert text.effects.font.thickness >= 0.153
    for side in "FB":
        drawn = GerberFile.open(FOLDER / name / f"{name}-{side}_SilkS.gbr").objects
        widths = {item.aperture.diameter for item in drawn if hasattr(item, "x1") and item.polarity_dark}
        assert not widths or min(widths) >= 0.153


@pytest.mark.parametrize("name", NAMES)
def test_no_copper_lies_below_the_head_of_a_screw(name: str) -> None:
    """A nut of M3 is 6.01 mm over its corners."""
    it = board(name)
    screws = [part.position for part in it.footprints if part.entryName == "Screw"]
    assert screws
    spots = []
    for item in it.traceItems:
        ends = (item.start, item.end) if hasattr(item, "start") else (item.position, item.position)
        reach = (item.width if hasattr(item, "width") else item.size) / 2
        a, b = (complex(end.X, end.Y) for end in ends)
        spots += [(a + (b - a) * n / 200, reach) for n in range(201)]
    for part in it.footprints:
        turn = math.radians(part.position.angle or 0)
        for pad in part.pads:
            if pad.type != "np_thru_hole":
                x, y = pad.position.X, pad.position.Y
                at = complex(part.position.X, part.position.Y) + complex(x, y) * complex(
                    math.cos(turn), -math.sin(turn)
                )
                spots.append((at, max(pad.size.X, pad.size.Y) / 2))
    for screw in screws:
        assert min(abs(at - complex(screw.X, screw.Y)) - reach for at, reach in spots) >= HEAD_MM / 2 - 0.01


@pytest.mark.slow
def test_a_machine_finds_its_way_on_a_tile_and_a_meter_on_a_carrier() -> None:
    tile_, carrier = layouts()[NAMES[0]], layouts()[f"carrier-{BOARD}"]
    marks = [complex(part.x, part.y) for part in tile_.parts if part.footprint.name == "Fiducial"]
    assert len(marks) == 3
    middle = complex(tile_.width / 2, tile_.height / 2)
    turned = {complex(round((2 * middle - at).real, 3), round((2 * middle - at).imag, 3)) for at in marks}
    assert not turned & set(marks)  # a tile that lies upside down is another one
    points = {part.nets["1"] for part in carrier.parts if part.footprint.name == "TestPoint"}
    assert points == {"5V-IN", "+5V", "GND", "LAMP3V3", "LAMP5V", "DATA"}


def saved(path: Path) -> None:
    """By KiCad, as somebody does who changed something."""
    program = "import pcbnew, sys; pcbnew.SaveBoard(sys.argv[1], pcbnew.LoadBoard(sys.argv[1]))"
    subprocess.run([KICAD[0], "-c", program, str(path)], check=True, capture_output=True, cwd="/")


@needs_kicad
@pytest.mark.slow
def test_a_board_that_was_changed_in_kicad_is_kept(tmp_path: Path) -> None:
    """One that joins the same pads; another one is refused, with the pads that are one net."""
    board_ = load_board(BOARD)
    list(making.make_circuits(board_, tmp_path, plot=False))
    name = NAMES[0]
    file = tmp_path / name / f"{name}.kicad_pcb"
    saved(file)
    before = file.read_bytes()
    assert files.GENERATED.encode() not in before
    said = "\n".join(making.make_circuits(board_, tmp_path, plot=False))
    assert f"{name}: 90 x 90 mm" in said
    assert "changed in KiCad and kept" in said
    assert file.read_bytes() == before
    line = '  (segment (start 50.5 70) (end 95.5 70) (width 0.2) (layer "B.Cu") (net 0))\n)\n'
    file.write_text(before.decode().rstrip().removesuffix(")") + line)
    with pytest.raises(CircuitFileError) as refused:
        list(making.make_circuits(board_, tmp_path, plot=False))
    assert f"{file}: " in str(refused.value)
    assert "are one net, and the board file joins others" in str(refused.value)


def test_an_odd_number_of_squares_makes_one_wider_tile() -> None:
    from boardmake.circuit.assembly import _tile_lengths

    assert [_tile_lengths(count) for count in range(2, 8)] == [[2], [3], [2, 2], [2, 3], [2, 2, 2], [2, 2, 3]]
    assert {plan.name for plan in Assembly(load_board("classic-10x10-pico")).tile_counts} == {NAMES[0]}
    assert ordering.ORDERED_PARTS.keys() == {"WS2812B", "SOD-123", "C0805"}
