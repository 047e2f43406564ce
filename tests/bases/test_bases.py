"""Feet for pieces: OpenSCAD makes of them what the file says, and files that can't be printed are refused."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardmake.bases import description, openscad, section
from boardmake.bases.description import PieceBase, load_bases
from boardmake.making.holes import lamp_positions
from boardumpire.cli import main
from boardware.description import load_board
from boardware.errors import BoardFileError
from boardware.physics.magnets import parse

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "hardware" / "bases"
BASES = load_bases()
SOURCES = {name: (base, text) for base in BASES.values() for name, text in openscad.openscad_sources(base)}
FIRST = ("square-8x3-south", "square-8x3-tag-25-north", "token", "square-tag-25")
"""These are rendered by `make test`, too."""
OPENSCAD = shutil.which("openscad")
needs_openscad = pytest.mark.skipif(OPENSCAD is None, reason="no openscad here (apt install openscad)")
Corner = tuple[float, float, float]


def test_what_is_committed_is_what_the_command_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["make", "bases", "--into", str(tmp_path)]) == 0
    written = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert written == {path.name: path.read_text() for path in KEPT.iterdir()}
    assert len(capsys.readouterr().out.splitlines()) == len(written) == len(SOURCES) + len(BASES)


def test_the_usual_magnets_and_tags_have_their_pockets() -> None:
    magnets = {base.id: str(base.magnet) for base in BASES.values() if base.magnet}
    assert {text.split()[0] for text in magnets.values()} == {"6x2", "6x3", "8x2", "8x3", "10x3"}
    assert {base.tag.diameter_mm for base in BASES.values() if base.tag} == {13, 25}


def test_what_must_not_carry_a_magnet_says_so_and_has_no_pocket() -> None:
    for id_ in ("token", "flag"):
        assert BASES[id_].forbids_magnet
        assert BASES[id_].magnet is None
        assert "NO MAGNET" in SOURCES[id_][1]
    assert "NO MAGNET" not in SOURCES["square-8x3-north"][1]


def test_the_picture_shows_the_cut_at_its_size() -> None:
    """Foot, pocket and magnet, slot: rectangles in mm, the lower face below."""
    boxes = re.findall(
        r'x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"', section.section_svg(BASES["square-8x3"])
    )
    foot, pocket, magnet, slot = [tuple(map(float, box)) for box in boxes]
    assert foot == (-16, 0, 32, 7)
    assert pocket == (-4.15, 3.8, 8.3, 3.2)
    assert magnet == (-4, 4, 8, 3)
    assert slot == (-11, 0, 22, 2.5)
    assert "no magnet" in section.section_svg(BASES["token"])


@needs_openscad
@pytest.mark.few(4)
@pytest.mark.parametrize("name", sorted(SOURCES, key=lambda name: name not in FIRST))
def test_rendered_feet_have_the_dimensions_of_the_file(name: str, tmp_path: Path) -> None:
    """Rendered by OpenSCAD and measured in what a printer gets: outside, pockets, slot, grooves, closed."""
    base, text = SOURCES[name]
    faces = rendered(text, tmp_path)
    assert_closed(faces)
    corners = {corner for face in faces for corner in face}
    # The outside.
    assert min(z for _, _, z in corners) == 0
    assert max(z for _, _, z in corners) == pytest.approx(base.height_mm, abs=1e-3)
    assert max(math.hypot(x, y) for x, y, _ in corners) == pytest.approx(base.diameter_mm / 2, abs=1e-3)
    # The pockets: a disc of the size that is bought goes in and lies no higher than its face.
    if base.magnet:
        radius, depth = pocket(corners, 0.0, 0.0, base.magnet.diameter_mm / 2 + 1, base.height_mm / 2)
        assert 0.1 <= radius - base.magnet.diameter_mm / 2 <= 0.3
        assert 0.1 <= depth - base.magnet.height_mm <= 0.4
    if base.tag:
        turned = {(x, y, base.height_mm - z) for x, y, z in corners} if base.tag.opens_upwards else corners
        radius, depth = pocket(turned, base.tag.offset_mm, 0.0, base.tag.diameter_mm / 2 + 1, 2.0)
        assert 0.1 <= radius - base.tag.diameter_mm / 2 <= 0.3
        assert depth >= description.TAG_THICKNESS_MM
        if base.magnet:
            assert base.height_mm - depth - base.magnet_pocket[1] >= description.MAGNET_TAG_GAP_MM
    assert volume(faces) == pytest.approx(wanted_volume(base, name), rel=0.004)


@needs_openscad
@pytest.mark.slow
@pytest.mark.parametrize(
    "id_", sorted((b.id for b in BASES.values() if b.magnet), key=lambda i: i != "pawn-6x3")
)
def test_outside_the_magnets_pocket_both_kinds_are_the_same(id_: str, tmp_path: Path) -> None:
    """Nobody who sees or feels a piece learns its pole, which stays with it for life: all triangles that are
    not deep within the pocket, behind the magnet, are equal. Within it, grooves tell the poles apart."""
    base = BASES[id_]
    width, _depth = base.magnet_pocket
    assert base.magnet is not None

    def hidden(corners: tuple[Corner, ...]) -> bool:
        """Whether something lies behind the magnet, inside the pocket."""
        deep = all(z >= base.magnet_pocket[1] - 1e-3 for _, _, z in corners)
        return deep and all(math.hypot(x, y) < width / 2 - 0.1 for x, y, _ in corners)

    both = [rendered(SOURCES[f"{id_}-{pole}"][1], tmp_path) for pole in openscad.GROOVE_SIDES_BY_POLE]
    seen = [{edge for edge in sharp_edges(faces) if not hidden(edge)} for faces in both]
    assert len(seen[0]) > 300
    assert seen[0] == seen[1]
    for faces, grooves in zip(both, (1, 2), strict=True):
        above = base.magnet_pocket[1] + description.GROOVE_DEPTH_MM
        ceilings = [f for f in faces if hidden(f) and all(abs(z - above) < 1e-3 for _, _, z in f)]
        assert sum(map(area, ceilings)) == pytest.approx(grooves * groove_area(base), rel=0.01)


@needs_openscad
@pytest.mark.slow
def test_a_cross_tells_feet_that_must_not_hold_a_magnet(tmp_path: Path) -> None:
    for name in ("pawn-6x3-north", "token", "square-tag-13"):
        base, text = SOURCES[name]
        faces = rendered(text, tmp_path)
        crossed = any(abs(z - openscad.CROSS_SIZE_MM[0]) < 1e-3 for face in faces for _, _, z in face)
        assert crossed == base.forbids_magnet, name


def sharp_edges(faces: list[tuple[Corner, Corner, Corner]]) -> Iterator[tuple[Corner, Corner]]:
    """The edges of a surface, however it is cut into triangles: where two planes meet."""
    sides = {(face[i], face[(i + 1) % 3]): upright(face) for face in faces for i in range(3)}
    for (start, end), one in sides.items():
        if start < end and math.dist(one, sides[end, start]) > 0.02:
            yield start, end


def upright(face: tuple[Corner, ...]) -> Corner:
    """What stands upright on a triangle, of length 1."""
    x, y, z = cross(face)
    length = math.hypot(x, y, z)
    return x / length, y / length, z / length


def cross(face: tuple[Corner, ...]) -> tuple[float, float, float]:
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = face
    ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
    return uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx


def area(face: tuple[Corner, ...]) -> float:
    return math.hypot(*cross(face)) / 2


def groove_area(base: PieceBase) -> float:
    """What a groove takes of the pocket's round ceiling."""
    radius = base.magnet_pocket[0] / 2 - description.GROOVE_RIM_MM
    near, far = base.groove_span

    def beside(y: float) -> float:
        return y * math.sqrt(radius * radius - y * y) + radius * radius * math.asin(y / radius)

    return beside(far) - beside(near)


def rendered(text: str, folder: Path) -> list[tuple[Corner, Corner, Corner]]:
    """The triangles that OpenSCAD makes of a source."""
    (folder / "foot.scad").write_text(text)
    run = [str(OPENSCAD), "-o", "foot.stl", "foot.scad"]
    subprocess.run(run, cwd=folder, check=True, capture_output=True, timeout=120)
    found = re.findall(r"vertex (\S+) (\S+) (\S+)", (folder / "foot.stl").read_text())
    corners = [(float(x), float(y), float(z)) for x, y, z in found]
    return list(zip(corners[::3], corners[1::3], corners[2::3], strict=True))


def assert_closed(faces: list[tuple[Corner, Corner, Corner]]) -> None:
    """Each edge belongs to two triangles, once each way."""
    edges = Counter((face[i], face[(i + 1) % 3]) for face in faces for i in range(3))
    assert set(edges.values()) == {1}
    assert all((end, start) in edges for start, end in edges)


def pocket(corners: set[Corner], x: float, y: float, within: float, below: float) -> tuple[float, float]:
    """Radius and depth of a round pocket that opens downwards: of its corners that are not on the face."""
    inside = [
        (math.hypot(cx - x, cy - y), z)
        for cx, cy, z in corners
        if 0.7 < z < below + 1.5 and math.hypot(cx - x, cy - y) < within
    ]
    depth = min(z for _, z in inside)
    return max(radius for radius, z in inside if z < depth + 1e-3), depth


def volume(faces: list[tuple[Corner, Corner, Corner]]) -> float:
    return sum(
        a[0] * (b[1] * c[2] - b[2] * c[1])
        - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
        for a, b, c in faces
    ) / 6  # fmt: skip


def wanted_volume(base: PieceBase, name: str) -> float:
    """What is left of a disc, in mm3; grooves and crosses as well."""

    def disc(across: float, high: float) -> float:
        return math.pi * across * across / 4 * high

    left = disc(base.diameter_mm, base.height_mm)
    if base.magnet:
        left -= disc(base.magnet.diameter_mm + 0.3, base.magnet.height_mm + 0.2)
        grooves = {"north": 1, "south": 2}[name.rpartition("-")[2]]
        left -= grooves * groove_area(base) * description.GROOVE_DEPTH_MM
    if base.tag:
        left -= disc(base.tag.diameter_mm + 0.3, description.TAG_THICKNESS_MM + 0.2)
    if base.slot:
        left -= base.slot.length * base.slot.width * base.slot.depth
    if base.forbids_magnet:
        deep, wide = openscad.CROSS_SIZE_MM
        left -= deep * (2 * 0.6 * base.diameter_mm * wide - wide * wide)
    return left


WRONG = {
    'magnet = "8x3"': ('magnet = "8 by 3"', 10, "bases.one.magnet is '8 by 3'; try a disc's diameter"),
    "across = 32": ("across = 10", 10, "0.85 mm beside its magnet; try 1.2 mm at least"),
    "height = 7": ("height = 6", 9, "0.3 mm between what opens below and above; try 1.2 mm at least"),
    "length = 22": ("length = 31", 11, "0.5 mm beside its slot; try 1.2 mm at least"),
    "play = 0.3": ("play = 3", 4, "play is 3"),
    "version = 1": ("version = 2", 2, "version is 2"),
    'format = "boardumpire-bases"': ('format = "bases"', 1, "a file without its format"),
}
"""By what stands in the file: what is there instead, the line that is named, and what is said."""
ONE = """format = "boardumpire-bases"
version = 1
[fit]
play = 0.3
glue = 0.2
wall = 1.2
[bases.one]
across = 32
height = 7
magnet = "8x3"
slot = { length = 22, width = 1.6, depth = 2.5 }
"""


@pytest.mark.parametrize("before", WRONG)
def test_a_foot_that_cannot_be_printed_is_refused_with_its_line(before: str, tmp_path: Path) -> None:
    after, line, said = WRONG[before]
    file = tmp_path / "feet.toml"
    file.write_text(ONE)
    assert load_bases(file)["one"].magnet == parse("8x3")
    file.write_text(ONE.replace(before, after))
    with pytest.raises(BoardFileError) as refused:
        load_bases(file)
    assert str(refused.value).startswith(f"{file}:{line}: ")
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            'tag = { across = 13, aside = 7, at = "above" }',
            "one with tag and slot above",
        ),
        ('tag = { across = 13, aside = 7, at = "below" }', "one with tag and magnet below"),
        ('tag = { across = 13, aside = 7, at = "beside" }', "at"),
    ],
)
def test_a_tag_in_the_way_is_refused(more: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "feet.toml"
    file.write_text(ONE + more + "\n")
    with pytest.raises(BoardFileError, match=re.escape(said)):
        load_bases(file)


@pytest.mark.parametrize(
    ("foot", "board", "hides"),
    [
        ("square-8x3", "quick-battle-8x8", 0.0),
        ("square-8x3-tag-25", "quick-battle-8x8-pads", 0.25),
        ("pawn-6x3", "escape-from-colditz", 0.125),
        ("city-8x3", "fall-of-the-fuhrer", 0.05),
        ("city-6x3", "fall-of-the-fuhrer-slots", 0.0),
    ],
)
def test_a_foot_suits_the_board_that_its_page_names(foot: str, board: str, hides: float) -> None:
    """Its magnet is the board's, and in the middle of a space it hides no more of the lamp than is said."""
    base, on = BASES[foot], load_board(board)
    assert on.sensor_design is not None
    assert base.magnet == on.sensor_design.magnet_disc
    shine = [(x / 5, y / 5) for x in range(-15, 16) for y in range(-15, 16) if x * x + y * y <= 225]
    at = lamp_positions(on)
    for space in on.spaces.values():
        for slot in space.slots if space.id in at else ():
            spots = [(at[space.id].x + x, at[space.id].y + y) for x, y in shine]
            hidden = sum(math.dist(spot, slot.position) < base.diameter_mm / 2 for spot in spots)
            assert hidden <= hides * len(spots), slot.id


@pytest.mark.parametrize(
    ("height", "aside", "said"),
    [
        (8, 7, "3.6 mm between magnet and tag"),
        (10.5, 0, "its tag right above its magnet"),
    ],
)
def test_a_tag_too_near_a_magnet_is_refused(height: float, aside: float, said: str, tmp_path: Path) -> None:
    """Five millimetres, and off its middle (docs/build/tags.md)."""
    text = "".join(feet_without_slot()).replace("height = 7", f"height = {height}")
    file = tmp_path / "feet.toml"
    file.write_text(f'{text}tag = {{ across = 13, aside = {aside}, at = "above" }}\n')
    with pytest.raises(BoardFileError, match=re.escape(said)):
        load_bases(file)


def feet_without_slot() -> Iterator[str]:
    yield from (line for line in ONE.splitlines(keepends=True) if not line.startswith("slot"))


def test_a_foot_with_neither_has_to_say_that_it_has_no_magnet(tmp_path: Path) -> None:
    file = tmp_path / "feet.toml"
    file.write_text(ONE.replace('magnet = "8x3"\n', ""))
    with pytest.raises(BoardFileError, match="one without a magnet and without a tag"):
        load_bases(file)
