"""What is printed lies where the board file says, to 0.2 mm: read back from the PDFs by another library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

import pytest

from boardmake.making.holes import LAMP_HOLE_MM, drill_holes, lamp_positions
from boardmake.paper.made import board_files
from boardmake.paper.tiles import MARGIN_MM, OVERLAP_MM
from boardware.description import BoardDescription, load_board
from printing import measured
from printing.measured import Sheet, Thing

FOUR = ("quick-battle-8x8", "classic-10x10", "fall-of-the-fuhrer", "escape-from-colditz")
TRUE = 0.2
"""mm"""


@cache
def made(name: str) -> Mapping[str, bytes]:
    return dict(board_files(load_board(name)))


def printed(board: BoardDescription) -> dict[str, tuple[float, float, float, float]]:
    """Where the face has to show spaces (of several slots: its places) and lamps, and how large."""
    wanted = {}
    for space in board.spaces.values():
        if len(space.slots) == 1:
            wanted[f"space {space.id}"] = (*space.position, space.outline.width, space.outline.height)
        elif board.id == "escape-from-colditz":
            for slot in space.slots:
                wanted[f"slot {slot.id}"] = (*slot.position, 20.0, 20.0)
    for lamp, at in lamp_positions(board).items():
        wanted[f"lamp {lamp}"] = (*at, LAMP_HOLE_MM, LAMP_HOLE_MM)
    return wanted


def drilled(board: BoardDescription) -> dict[str, tuple[float, float, float, float]]:
    """Where the template has to show holes."""
    return {
        f"{hole.kind} {hole.id}": (*hole.at, hole.diameter, hole.diameter)
        for hole in drill_holes(board)
        if hole.diameter
    }


def from_below(board: BoardDescription) -> dict[str, tuple[float, float, float, float]]:
    """The same seen from below, where left and right change places."""
    return {item: (board.size.x - x, y, w, h) for item, (x, y, w, h) in drilled(board).items()}


WANTED = {"face": printed, "drill": drilled, "drill-below": from_below}


def middles(wanted: Mapping[str, tuple[float, float, float, float]]) -> dict[str, tuple[float, float]]:
    return {name: (x, y) for name, (x, y, _, _) in wanted.items()}


def off(sheet: Sheet, left: float, low: float) -> list[Thing]:
    """What is drawn, from the board's own corner."""
    return [each._replace(x=each.x - left, y=each.y - low) for each in sheet.things]


@pytest.mark.few(1)
@pytest.mark.parametrize("what", ["face", "drill"])
@pytest.mark.parametrize("name", FOUR)
def test_every_distance_on_the_one_sheet_is_true(name: str, what: str) -> None:
    """Between all spaces, lamps and sensors, and from each to the corners that its marks make."""
    board = load_board(name)
    wanted = WANTED[what](board)
    sheet = measured.read(made(name)[f"{what}.pdf"], [1])[0]
    left, low, right, high = measured.corners(sheet)
    assert abs(right - left - board.size.x) < TRUE
    assert abs(high - low - board.size.y) < TRUE
    there = measured.found(off(sheet, left, low), wanted)
    assert there.keys() == wanted.keys()
    assert measured.worst(there, middles(wanted)) < TRUE
    for item, (x, y) in there.items():
        assert abs(x - wanted[item][0]) < TRUE, item
        assert abs(y - wanted[item][1]) < TRUE, item


@pytest.mark.few(1)
@pytest.mark.parametrize("name", FOUR)
def test_the_template_from_below_is_the_other_way_round(name: str) -> None:
    """Its second page, on which left and right have changed places."""
    board = load_board(name)
    sheet = measured.read(made(name)["drill.pdf"], [2])[0]
    left, low, _, _ = measured.corners(sheet)
    wanted = from_below(board)
    there = measured.found(off(sheet, left, low), wanted)
    assert there.keys() == wanted.keys()
    assert measured.worst(there, middles(wanted)) < TRUE


def tiles(name: str, what: str, paper: str) -> Iterator[tuple[Sheet, float, float]]:
    yield from measured.joined(measured.read(made(name)[f"{what}-{paper}.pdf"]))


QUICK, SLOW = (
    {("quick-battle-8x8", "face", "a4"), ("quick-battle-8x8", "drill-below", "a4")},
    {
        ("classic-10x10", "drill", "a3"),
    },
)
CASES = [
    pytest.param(
        *case, marks=() if case in QUICK else pytest.mark.slow if case in SLOW else pytest.mark.nightly
    )
    for case in product(FOUR, WANTED, ("a4", "a3"))
]
"""All of them take two minutes, so most are left to `make nightly`."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "what", "paper"), CASES)
def test_tiles_laid_together_by_their_marks_are_true(name: str, what: str, paper: str) -> None:
    """The middle of each space, lamp and sensor lies on some tile; all distances between them are true."""
    board = load_board(name)
    wanted = WANTED[what](board)
    laid = list(tiles(name, what, paper))
    assert len(laid) > 1
    # The first tile's lower left mark lies half an overlap outside of the board's corner.
    left, low = (side + OVERLAP_MM / 2 for side in measured.marks(laid[0][0])["A1"])
    there: dict[str, tuple[float, float]] = {}
    for sheet, dx, dy in laid:
        shown = [
            each._replace(x=each.x + dx - left, y=each.y + dy - low)
            for each in sheet.things
            if MARGIN_MM < each.x < sheet.width - MARGIN_MM and MARGIN_MM < each.y < sheet.height - MARGIN_MM
        ]
        there.update(measured.found(shown, wanted))
    assert wanted.keys() == there.keys()
    assert measured.worst(there, middles(wanted)) < TRUE


@pytest.mark.few(1)
@pytest.mark.parametrize("name", FOUR)
def test_a_page_says_its_scale(name: str) -> None:
    """On each tile is a ruler of 100 mm."""
    for sheet in measured.read(made(name)["face-a4.pdf"], [1, 2]):
        assert any(abs(abs(x1 - x0) - 100) < 0.1 and abs(y1 - y0) < 0.01 for x0, y0, x1, y1 in sheet.lines)
