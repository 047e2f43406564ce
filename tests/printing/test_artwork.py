"""`make paper --face`: a drawing of one's own is the printed face, true in place, size and colour."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from boardmake.making.spots import BoardNotPlanned
from boardmake.paper.artwork import path_lines, read_artwork
from boardumpire.cli import main
from boardware.parts import BoardPoint

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="200mm" height="100mm" viewBox="0 0 400 200">'
ISLAND = f"""{HEAD}
<style>.sea {{ fill: #3060c0 }} /* water */</style><rect class="sea" width="400" height="200"/>
<g transform="translate(100 100)"><path d="M-60-60h120v120h-120zM-20-20v40h40v-40z" fill="#20a040"/></g>
<g stroke="red" stroke-width="20" fill="none"><path d="M250 180 A 40 40 0 0 1 330 180"/></g>
<ellipse cx="350" cy="50" rx="30" ry="15" style="fill:#ffcc00;stroke:none" opacity="1"/>
<circle id="north" cx="200" cy="150" r="16" fill="#fff"/>
<circle id="south" cx="300" cy="60" r="16" fill="#fff"/>
<text x="210" y="40" font-size="24" text-anchor="middle">Atoll <tspan x="210" y="70">of two</tspan></text>
</svg>"""


def colours(folder: Path) -> dict[tuple[float, float], tuple[int, ...]]:
    """What PDFium, which knows nothing of us, shows at places of the board, in mm from the lower left."""
    with pypdfium2.PdfDocument(folder / "face.pdf") as found:
        page = found[0]
        picture = page.render(scale=4).to_pil().convert("RGB")
        wide = page.get_width() * 25.4 / 72
    dots, edge = picture.width / wide, (wide - 200) / 2
    places = ((5, 95), (25, 75), (50, 50), (75, 75), (145, 28), (145, 10), (175, 75), (175, 85), (90, 30))
    return {at: picture.getpixel(((edge + at[0]) * dots, (edge + 100 - at[1]) * dots)) for at in places}


def test_a_drawing_is_the_printed_face(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With a hole in a shape, an arc, an ellipse, classes and transforms; lamps and buttons lie above."""
    drawing, board = tmp_path / "atoll.svg", tmp_path / "atoll.toml"
    drawing.write_text(ISLAND)
    assert main(["board", "new", "atoll", "--svg", str(drawing), "--game", "stratego-duel"]) == 0
    board.write_text(capsys.readouterr().out)
    assert main(["make", "paper", str(board), "--face", str(drawing), "--into", str(tmp_path)]) == 0
    sea, land, sun, red = (48, 96, 192), (32, 160, 64), (255, 204, 0), (255, 0, 0)
    assert colours(tmp_path) == {
        (5, 95): sea,
        (25, 75): land,
        (50, 50): sea,  # the lagoon
        (75, 75): land,
        (145, 28): red,  # on top of the arc
        (145, 10): sea,  # below it
        (175, 75): sun,
        (175, 85): sea,
        (90, 30): sea,
    }
    svg = (tmp_path / "face.svg").read_text()
    assert svg.index("Atoll") < svg.index("of two") < svg.index("Confirm")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('<image id="photo" href="a.png"/>', "<image> photo: try shapes and texts only"),
        ('<use href="#north"/>', "<use>: try shapes and texts only"),
        ('<rect id="r" fill="url(#g)"/>', "<rect> r: the colour 'url(#g)'; try a plain one"),
        ('<rect opacity=".5"/>', "<rect>: seen through; try colours that cover"),
        ('<g clip-path="url(#c)"/>', "<g>: clip-path; try shapes that show as they are"),
        ('<path d="M0 0 X 3"/>', "<path>: d; try a path of SVG 1.1"),
        ('<path d="L 3 3"/>', "<path>: d; try a path of SVG 1.1"),
        ('<path d="M 3 3 5"/>', "<path>: d; try a path of SVG 1.1"),
        ("<style>rect { fill: red }</style>", "a style sheet of more than classes"),
        ("<g", "no XML"),
    ],
)
def test_what_would_print_otherwise_is_refused(more: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_text(f"{HEAD}{more}</svg>")
    with pytest.raises(BoardNotPlanned) as caught:
        read_artwork(path, BoardPoint(200, 100))
    assert str(caught.value).startswith(f"{path}: {said}")


def test_a_drawing_of_another_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_text(ISLAND)
    with pytest.raises(BoardNotPlanned, match="a drawing of 200 x 100 mm; try the board's 400 x 400"):
        read_artwork(path, BoardPoint(400, 400))


def test_curves_end_where_they_say_and_bulge_as_they_should() -> None:
    ((points, shut),) = path_lines("m10,10 c0,10 10,10 10,0 s10-10 10,0 q5 10 10 0 t10 0 H 5 z")
    assert shut
    assert points[-1] == (5, 10)
    assert max(y for x, y in points if x <= 20) == pytest.approx(17.5)
    assert min(y for x, y in points if 20 <= x <= 30) == pytest.approx(2.5)
    assert max(y for x, y in points if 30 <= x <= 40) == pytest.approx(15)
    assert min(y for x, y in points if 40 <= x <= 50) == pytest.approx(5)
