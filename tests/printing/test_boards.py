"""`boardumpire board new` and `show`: what comes out is a board that can be checked, drawn and played on."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise
from math import dist
from pathlib import Path

import pytest

from boardmake.making.begin import plan_grid
from boardmake.making.drawing import read_drawing
from boardmake.making.holes import lamp_positions
from boardmake.making.layout import verdicts
from boardmake.making.spots import BoardNotPlanned
from boardmake.paper.face import face_shapes
from boardmake.paper.pdf import text_width_mm
from boardmake.paper.words import game_art, load_print_language
from boardrules.colditz.castle.face import KIND_COLOURS, kind_sign
from boardrules.shapes import TextShape
from boardumpire.cli import main
from boardware.description import board_names, load_board
from boardware.parts import BoardDescription, BoardPoint
from boardware.physics.verdict import Grade

SVG = "{http://www.w3.org/2000/svg}"
ROUND = """<svg xmlns="http://www.w3.org/2000/svg" width="200mm" height="100mm" viewBox="0 0 400 200">
<g><circle id="north" cx="100" cy="50" r="40"/></g><circle id="south" cx="300" cy="150" r="40"/></svg>"""

SHOW = "try it to show where cx, cy and transforms say"
OVAL = "is made an ellipse by a transform; scale it alike across and down"


def begun(tmp_path: Path, capsys: pytest.CaptureFixture[str], *words_: str) -> Path:
    assert main(["board", "new", *words_]) == 0
    path = tmp_path / "new.toml"
    path.write_text(capsys.readouterr().out)
    return path


@pytest.mark.parametrize("wired", [(), ("--header",)])
def test_a_grid_becomes_a_board_that_is_right(
    wired: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Squares from a1 on, a reed and a lamp each, and a lamp for each seat's turn at the end of the chain."""
    lakes = ("--lake", "c4", "--lake", "c5", "--lake", "f4", "--lake", "f5")
    path = begun(tmp_path, capsys, "mine", "--grid", "8x8", "--game", "stratego-quick-duel", *lakes, *wired)
    board = load_board(path)
    shipped = load_board("quick-battle-8x8")
    assert board.spaces.keys() == shipped.spaces.keys()
    assert {s.id for s in board.spaces.values() if s.outline.id == "lake"} == {"c4", "c5", "f4", "f5"}
    assert not [each for each in verdicts(board) if each.grade is not Grade.FINE]
    assert main(["board", "check", str(path)]) == 0
    told = capsys.readouterr().out
    assert "refused" not in told
    assert "lamps are at most 200 mm apart (turn-red to turn-blue)" in told
    assert board.named_lamps.keys() == {"turn-red", "turn-blue"}
    assert "can't be played" not in told


@pytest.mark.parametrize(
    ("grid", "wired", "columns", "rows"),
    [
        ("10x6", (), 10, 6),
        ("4x9", (), 4, 9),
        ("16x3", (), 16, 3),
        ("12x6", ("--header",), 12, 6),
        ("17x3", (), 8, 7),
        ("14x7", (), 10, 10),
    ],
)
def test_a_grid_is_wired_by_files_and_ranks_while_pins_suffice(
    grid: str, wired: tuple[str, ...], columns: int, rows: int, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """A wire below each file and each rank; 16 columns of a Pico are neighbours, and 20 pins are free."""
    board = load_board(begun(tmp_path, capsys, "mine", "--grid", grid, "--game", "stratego-duel", *wired))
    (bank,) = board.banks.values()
    assert (len(bank.columns), len(bank.rows)) == (columns, rows)
    if f"{columns}x{rows}" == grid:
        for id_, slot in board.slots.items():
            assert slot.sensor is not None
            assert (slot.sensor.column, slot.sensor.row) == (ord(id_[0]) - 97, int(id_[1:]) - 1)
    assert not [each for each in verdicts(board) if each.grade is Grade.REFUSED]


def test_a_small_board_has_its_buttons_on_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = begun(tmp_path, capsys, "mine", "--grid", "1x2", "--game", "stratego-duel")
    assert not [each for each in verdicts(load_board(path)) if each.grade is Grade.REFUSED]


def test_a_game_that_nobody_knows_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", "new", "mine", "--grid", "4x4", "--game", "ludo"]) != 0
    assert "--game 'ludo': no such game; try one of escape-from-colditz," in capsys.readouterr().err


def test_circles_of_a_drawing_become_spaces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In mm from the lower left corner, whatever the drawing's units are."""
    source = tmp_path / "drawing.svg"
    source.write_text(ROUND)
    board = load_board(begun(tmp_path, capsys, "mine", "--svg", str(source), "--game", "stratego-duel"))
    assert board.size == (200, 100)
    assert {id_: tuple(space.position) for id_, space in board.spaces.items()} == {
        "north": (50, 75),
        "south": (150, 25),
    }
    assert board.spaces["north"].outline.width == 40


@pytest.mark.parametrize(
    ("was", "becomes", "told"),
    [
        ('id="south"', 'id="north"', "a second circle with the id north; give each an id of its own"),
        ('id="south"', "", "a circle with the id ''; try small letters, digits, hyphens"),
        ('r="40"/></svg>', "/></svg>", "circle south: r 0; try more than 0"),
        ('cx="300"', 'transform="x" cx="300"', f"2: circle south is under the transform 'x'; {SHOW}"),
        ("<g>", '<g transform="skewX(9)">', f"2: circle north {OVAL}"),
        ("<g>", '<g transform="scale(1, 1.01)">', f"2: circle north {OVAL}"),
        ("<g>", '<g transform="scale(0)">', f"2: circle north {OVAL}"),
        (
            "<g>",
            '<g transform="translate(1e)">',
            f"circle north is under the transform 'translate(1e)'; {SHOW}",
        ),
        ("<g>", '<g transform="matrix(1 0 0 1 0)">', f"under the transform 'matrix(1 0 0 1 0)'; {SHOW}"),
        ("<g>", '<g style="transform: scale(2)">', f"circle north is moved by the style's transform; {SHOW}"),
        ("<g>", '<g style="fill:red;display:none">', f"circle north is hidden; {SHOW}"),
        (
            "<g>",
            '<g transform-origin="9 9" transform="scale(2)">',
            f"north is under a transform-origin; {SHOW}",
        ),
        ("<g>", '<g style="transform-origin:9px 9px">', f"is moved by the style's transform-origin; {SHOW}"),
        ("<g>", '<g transform="translate(1e999)">', f"under the transform 'translate(1e999)'; {SHOW}"),
        (
            "<g>",
            '<g transform="translate(301)">',
            "2: circle north has its middle at 200.5, 75 mm; move it onto the sheet of 200 x 100",
        ),
        ('width="200mm"', 'width="0mm"', "width '0mm'; try a length such as 400mm"),
        ("<g>", '<g visibility="hidden">', f"circle north is hidden; {SHOW}"),
        ('id="south"', 'id="south" display="none"', f"circle south is hidden; {SHOW}"),
        ('id="south"', 'id="south" style="cx: 5px"', f"circle south is moved by the style's cx; {SHOW}"),
        ('viewBox="', 'transform="scale(2)" viewBox="', f"north is in an <svg> with a transform; {SHOW}"),
        (
            "<g>",
            "<style>circle { display : none }</style><g>",
            "style sheet that moves or hides; do that by attributes",
        ),
        *(
            (r"(</?)g>", rf"\1{kind}>", f"2: circle north is in <{kind}>{more}; {SHOW}")
            for kind, more in (
                ("defs", ""),
                ("symbol", ""),
                ("clipPath", ""),
                ("mask", ""),
                ("svg", " in another"),
            )
        ),
        (
            "<g>",
            '<ellipse id="east" rx="9" ry="9"/><g>',
            "2: <ellipse> east; try a <circle> for each space, no id on others",
        ),
        (
            "<g>",
            '<use id="east" href="#south"/><g>',
            "<use> east; try a <circle> for each space, no id on others",
        ),
        ('r="40"/></svg>', 'r="0"/></svg>', "circle south: r 0; try more than 0"),
        ('r="40"/></svg>', 'r="nan"/></svg>', "circle south; try numbers in cx, cy and r"),
        ('width="200mm"', 'width="20em"', "width '20em'; try a length such as 400mm"),
        ('height="100mm"', 'height="300mm"', "0.5 mm a unit across, 1.5 down; try the same"),
        ("circle", "rect", "no <circle>; try one for each space"),
        ("</svg>", "", "no XML (no element found: line 2, column 96); try an SVG drawing"),
        ("<svg", "<!DOCTYPE svg><svg", "a document type; remove it"),
    ],
)
def test_a_wrong_drawing_is_refused(was: str, becomes: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "drawing.svg"
    path.write_text(re.sub(was, becomes, ROUND))
    with pytest.raises(BoardNotPlanned) as caught:
        read_drawing(path)
    assert str(caught.value).startswith(str(path))
    assert str(caught.value).endswith(told)


@pytest.mark.parametrize(
    ("layer", "circle", "place", "wide"),
    [
        # In user units of half a millimetre, y down; places in mm from the lower left corner.
        ("translate(100,-20)", "", (100, 85), 40),
        ("translate(100)", "", (100, 75), 40),
        ("scale(0.5)", "translate(100,100)", (50, 62.5), 20),
        ("translate(100 100)", "scale(.5)", (75, 37.5), 20),
        ("translate(100 100) scale(.5)", "", (75, 37.5), 20),
        ("rotate(90)", "translate(50, -150)", (50, 25), 40),
        ("rotate(90, 100, 100)", "", (75, 50), 40),
        ("matrix(0 -1 1 0 50 200)", "", (50, 50), 40),
        ("scale(-1,1)", "translate(-400)", (150, 75), 40),
        ("skewX(45)", "skewX(-45)", (50, 75), 40),
    ],
)
def test_a_circle_lies_where_transforms_show_it(
    layer: str, circle: str, place: tuple[float, float], wide: float, tmp_path: Path
) -> None:
    """The layer's transform, as Inkscape writes one, and the circle's own, the inner one first."""
    path = tmp_path / "drawing.svg"
    own = ROUND.replace("<g>", f'<g transform="{layer}">').replace(
        "<circle", f'<circle transform="{circle}"', 1
    )
    path.write_text(own.partition("</g>")[0] + "</g></svg>")
    (north,) = read_drawing(path).spaces
    assert (north.x, north.y) == pytest.approx(place)
    assert read_drawing(path).space_width == pytest.approx(wide)


def test_what_is_no_space_may_be_drawn_beside(tmp_path: Path) -> None:
    """A clip's circle, a decoration: they have no id."""
    path = tmp_path / "drawing.svg"
    more = '<defs><clipPath><circle r="3"/></clipPath></defs><ellipse rx="3" ry="4"/><use href="#north"/>'
    path.write_text(ROUND.replace("<g>", more + "<g style='opacity:.5;stroke-width:2;--my-r:1'>"))
    assert [spot.id for spot in read_drawing(path).spaces] == ["north", "south"]


def test_a_wrong_grid_is_refused() -> None:
    for size, lakes, told in (
        ("8", [], "--grid '8': not a grid; try files x ranks, each 1 to 26, such as 8x8"),
        ("8x99", [], "--grid '8x99': not a grid; try files x ranks, each 1 to 26, such as 8x8"),
        ("2x2", ["c1"], "--lake 'c1': no such square; try one of a1 to b2"),
    ):
        with pytest.raises(BoardNotPlanned) as caught:
            plan_grid(size, 45, lakes)
        assert str(caught.value) == told


def test_too_many_squares_for_the_pins_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", "new", "mine", "--grid", "12x12", "--game", "stratego-duel"]) != 0
    assert "144 spaces; there is room for 100 on one Pico" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("name", ["quick-battle-8x8-pads", "fall-of-the-fuhrer-slots-pico"])
def test_show_draws_every_part(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As SVG a circle for each lamp and sensor, as PNG a picture, in letters every space or a #."""
    board = load_board(name)
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    assert main(["board", "show", name, "--svg", str(svg), "--png", str(png)]) == 0
    rings = [float(each.get("r", 0)) for each in ET.parse(svg).iter(f"{SVG}circle")]
    assert rings.count(3) == len(board.lamps)
    assert rings.count(1.5) == len(board.slots_by_contact)
    assert png.read_bytes().startswith(b"\x89PNG")
    capsys.readouterr()
    assert main(["board", "show", name, "--width", "120"]) == 0
    text = capsys.readouterr().out
    shown = [space for space in board.spaces if space in text]
    assert len(shown) + text.count("#") >= len(board.spaces)
    assert {len(line) for line in text.splitlines()} == {122}


def test_show_into_a_folder_that_is_not_there_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "no" / "a.svg"
    assert main(["board", "show", "quick-battle-8x8", "--svg", str(path)]) != 0
    assert f"{path}: No such file or directory; try another file" in capsys.readouterr().err


@pytest.mark.few(4)
@pytest.mark.parametrize("name", board_names())
def test_nothing_is_refused_of_a_board_that_ships(name: str) -> None:
    assert not [each for each in verdicts(load_board(name)) if each.grade is Grade.REFUSED]


def hops(board: BoardDescription, chain: str) -> list[tuple[BoardPoint, BoardPoint]]:
    """The wires of a chain, from lamp to lamp."""
    places = lamp_positions(board)
    way = sorted((place.index, lamp) for lamp, place in board.lamps.items() if place.chain == chain)
    return list(pairwise(places[lamp] for _, lamp in way))


def crosses(one: tuple[BoardPoint, BoardPoint], other: tuple[BoardPoint, BoardPoint]) -> bool:
    """Whether two wires lie across each other, by which side of one the ends of the other are on."""

    def side(a: BoardPoint, b: BoardPoint, c: BoardPoint) -> float:
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)

    return (
        side(*one, other[0]) * side(*one, other[1]) < -1e-6
        and side(*other, one[0]) * side(*other, one[1]) < -1e-6
    )


@pytest.mark.parametrize(
    ("name", "longest_m"),
    [
        ("fall-of-the-fuhrer", 4.0),
        ("fall-of-the-fuhrer-pico", 4.0),
        ("fall-of-the-fuhrer-slots", 5.3),
        ("escape-from-colditz", 15.0),
    ],
)
def test_the_wire_from_lamp_to_lamp_is_short(name: str, longest_m: float) -> None:
    """Line by line it were 9 m on the map and 26 m on the castle. In a short chain hardly two wires cross."""
    board = load_board(name)
    chains = [hops(board, chain) for chain in board.chains]
    assert sum(dist(*hop) for chain in chains for hop in chain) / 1000 < longest_m
    across = [
        (one, other)
        for chain in chains
        for first, one in enumerate(chain)
        for other in chain[first + 2 :]
        if crosses(one, other)
    ]
    assert len(across) <= len(chains)


@pytest.mark.parametrize("name", ["fall-of-the-fuhrer", "fall-of-the-fuhrer-slots"])
def test_no_name_on_the_map_covers_another(name: str) -> None:
    board = load_board(name)
    texts = [
        shape
        for shape in face_shapes(board, game_art(board), load_print_language("en"))
        if isinstance(shape, TextShape) and shape.text in {space.name for space in board.spaces.values()}
    ]
    assert len(texts) == len(board.spaces)
    rooms = []
    for shape in texts:
        wide = text_width_mm(shape.text, shape.size, bold=True)
        left = shape.x - {"start": 0.0, "middle": wide / 2, "end": wide}[shape.anchor]
        rooms.append((left, shape.y, left + wide, shape.y + shape.size * 0.7, shape.text))
    for one, other in combinations(rooms, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one[4], other[4])


def test_what_a_circle_of_the_castle_is_shows_without_colour() -> None:
    """Each kind has a sign of its own, or is plainly black or white."""
    drawn_as = {kind: tuple(kind_sign(frozenset((kind,)))) for kind in KIND_COLOURS}
    plain = {kind for kind, shapes in drawn_as.items() if not shapes}
    assert plain == {"post", "appel"}
    others = [shapes for kind, shapes in drawn_as.items() if kind not in plain]
    assert len(set(others)) == len(others)
