"""What the drawing of a board's circuits joins is what may be joined: it can be built as it is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from boardmake.making import bill, pages
from boardmake.paper.circuits import draw_circuit
from boardmake.paper.symbols import EARTH_PAINT, RAIL, WIRE_PAINT
from boardrules.shapes import Oval, Polyline, Rectangle, Shape, TextShape
from boardware.description import board_names, load_board

NEAR = 0.01
"""mm: wires that are no farther from each other meet."""
Spot = tuple[float, float]


def on(spot: Spot, way: Polyline) -> bool:
    """Whether a place lies on a wire, all of which run along an axis."""
    return any(
        min(ax, bx) - NEAR <= spot[0] <= max(ax, bx) + NEAR
        and min(ay, by) - NEAR <= spot[1] <= max(ay, by) + NEAR
        for (ax, ay), (bx, by) in zip(way.points, way.points[1:], strict=False)
    )


def joined(shapes: tuple[Shape, ...]) -> list[list[Polyline]]:
    """Wires that conduct to each other."""
    nets: list[list[Polyline]] = []
    for wire in (shape for shape in shapes if isinstance(shape, Polyline) and shape.paint == WIRE_PAINT):
        ends = (wire.points[0], wire.points[-1])
        meets = [
            net
            for net in nets
            if any(
                any(on(end, w) for end in ends) or on(w.points[0], wire) or on(w.points[-1], wire)
                for w in net
            )
        ]
        nets = [net for net in nets if net not in meets] + [[wire, *(w for net in meets for w in net)]]
    return nets


def bodies(shapes: tuple[Shape, ...]) -> Iterator[Rectangle]:
    yield from (shape for shape in shapes[1:] if isinstance(shape, Rectangle))


def inside(box: Rectangle, spot: Spot, by: float) -> bool:
    """Within a box that is larger by so much on all sides."""
    return (
        box.x - by <= spot[0] <= box.x + box.width + by and box.y - by <= spot[1] <= box.y + box.height + by
    )


def along(wire: Polyline) -> Iterator[Spot]:
    """Places on a wire, every tenth of each of its stretches."""
    for (ax, ay), (bx, by) in zip(wire.points, wire.points[1:], strict=False):
        yield from ((ax + (bx - ax) * n / 10, ay + (by - ay) * n / 10) for n in range(11))


@pytest.mark.few(3)
@pytest.mark.parametrize("name", board_names())
def test_every_part_has_two_ends_that_no_wire_joins(name: str) -> None:
    """No wire runs through a body, and at least two nets end at it."""
    shapes, _, _ = draw_circuit(load_board(name))
    nets = joined(shapes)
    assert len(list(bodies(shapes))) >= 4
    for body in bodies(shapes):
        at = [
            net
            for net in nets
            if any(inside(body, end, NEAR) for wire in net for end in (wire.points[0], wire.points[-1]))
        ]
        assert len(at) >= 2, body
        assert not any(inside(body, spot, -0.1) for net in nets for wire in net for spot in along(wire)), body


@pytest.mark.few(3)
@pytest.mark.parametrize("name", board_names())
def test_no_wire_joins_a_supply_to_ground_or_to_another_one(name: str) -> None:
    shapes, _, _ = draw_circuit(load_board(name))
    named: list[tuple[str, Spot]] = []
    for shape, after in pairwise(shapes):
        if isinstance(shape, Oval) and shape.paint.fill == RAIL and isinstance(after, TextShape):
            named.append((after.text, (shape.x, shape.y)))
        elif isinstance(shape, Polyline) and shape.paint == EARTH_PAINT:
            (ax, y), (bx, _) = shape.points
            named.append(("GND", ((ax + bx) / 2, y)))
    for net in joined(shapes):
        there = {what for what, spot in named if any(on(spot, wire) for wire in net)}
        assert len(there) <= 1, there
    assert len({what for what, _ in named}) >= 3


def test_the_shifter_is_drawn_and_told_with_its_pins() -> None:
    """Its supply, its gate, and what the carrier does with gates that are not used."""
    board = load_board("quick-battle-8x8-pico")
    said = {shape.text for shape in draw_circuit(board)[0] if isinstance(shape, TextShape)}
    assert {"2", "3", "14", "7, 1", "4, 10, 13", "7, 5, 9, 12", "100 nF", "1N4148", "E"} <= said
    assert {"Data of lamps", "One space of matrix reeds"} <= said
    assert "pin 14 to the lamps' 5 V, pin 7 to ground, 100 nF between" in pages.wiring_page(board)
    listed = {(item.value, item.note) for item in bill.bill_items(board)}
    assert ("10 kOhm", "from each data pin to ground") in listed


def test_the_transistor_of_the_list_fits_the_carrier() -> None:
    """Emitter, base, collector: a BC547 would sit turned."""
    folder = Path(__file__).parents[2] / "hardware" / "circuit"
    assert "TO-92,2N3904" in (folder / "quick-battle-8x8-pico-parts.csv").read_text()
    values = [
        item.value
        for item in bill.bill_items(load_board("quick-battle-8x8-pico"))
        if item.part == "transistor"
    ]
    assert all("2N3904" in value and "BC547" not in value for value in values)
