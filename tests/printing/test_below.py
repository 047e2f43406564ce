"""The sheet of all wires from below: mirrored, at true scale, with every pin, diode and lamp."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from math import dist

import pypdfium2
import pytest

from boardmake.making.holes import lamp_positions, sensor_positions
from boardmake.paper.below import wiring_from_below
from boardmake.paper.made import board_files
from boardrules.svg import svg
from boardware.description import load_board
from boardware.parts import BoardDescription

SVG = "{http://www.w3.org/2000/svg}"
BOARDS = ("quick-battle-8x8", "fall-of-the-fuhrer-pico", "escape-from-colditz")


def drawn(board: BoardDescription) -> ET.Element:
    return ET.fromstring(svg(wiring_from_below(board), *board.size))


def place(ring: ET.Element) -> tuple[float, float]:
    return float(ring.get("cx", 0)), float(ring.get("cy", 0))


def points(path: str) -> list[tuple[float, float]]:
    numbers = [float(number) for number in re.findall(r"-?[0-9.]+", path)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


@pytest.mark.parametrize("name", BOARDS)
def test_left_and_right_change_places(name: str) -> None:
    """A sensor's ring and a lamp's number lie where the board has them, seen from behind."""
    board = load_board(name)
    root = drawn(board)
    rings = [place(ring) for ring in root.iter(f"{SVG}circle") if ring.get("r") == "1.5"]
    for x, y in sensor_positions(board).values():
        assert [ring for ring in rings if dist(ring, (board.size.x - x, board.size.y - y)) < 0.03]
    numbers = {(float(text.get("x", 0)), text.text) for text in root.iter(f"{SVG}text")}
    for lamp, (x, _) in lamp_positions(board).items():
        number = str(board.lamps[lamp].index)
        assert any(abs(at - (board.size.x - x)) < 0.02 for at, text in numbers if text == number), lamp


@pytest.mark.parametrize("name", BOARDS)
def test_each_reed_has_a_diode_whose_line_is_at_the_reed(name: str) -> None:
    """From below the row lies to the right: a triangle points to the left, to its line and its reed."""
    board = load_board(name)
    paths = [path.get("d", "") for path in drawn(board).iter(f"{SVG}path")]
    shut = [points(path) for path in paths if path.endswith("Z")]
    triangles = [corners for corners in shut if len(corners) == 3]
    for x, y in sensor_positions(board).values():
        at = (board.size.x - x, board.size.y - y)
        tips = [corners for corners in triangles if dist(corners[2], (at[0] + 5.8, at[1])) < 0.03]
        assert tips
        assert all(corner[0] > tips[0][2][0] for corner in tips[0][:2])


@pytest.mark.parametrize("name", BOARDS)
def test_every_pin_is_named_where_its_wire_begins(name: str) -> None:
    board = load_board(name)
    texts = [text.text or "" for text in drawn(board).iter(f"{SVG}text")]
    for bank in board.banks.values():
        on = f"{bank.pico} GP" if bank.pico else "GPIO"
        for letter, pins in (("R", bank.rows), ("C", bank.columns)):
            assert all(f"{letter}{number} {on}{pin}" in texts for number, pin in enumerate(pins, 1))
    for button in board.buttons.values():
        assert f"{f'{button.pico} GP' if button.pico else 'GPIO'}{button.gpio}" in texts


def test_the_sheet_is_as_large_as_the_board() -> None:
    board = load_board("quick-battle-8x8-pico")
    made = dict(board_files(board))
    assert {"below.pdf", "below-a4.pdf"} <= made.keys()
    with pypdfium2.PdfDocument(made["below.pdf"]) as found:
        wide, high = (points * 25.4 / 72 for points in found[0].get_size())
    assert (wide, high) == pytest.approx((board.size.x + 20, board.size.y + 20), abs=0.1)
