"""What the copper of a circuit board joins, found from the places of pads, tracks and vias alone.

A `.kicad_pcb` is read without its net names: what touches is joined. So a net that was cut by hand, or two
that a track bridges, come out as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import cos, hypot, radians, sin
from pathlib import Path
from typing import Any, Final, NamedTuple

from boardmake.circuit.errors import CircuitFileError
from boardmake.circuit.layout import COPPER_LAYERS, LayoutPoint

PadKey = tuple[str, str]
"""A part and the name of its pad."""
_TOUCH_TOLERANCE_MM: Final = 1e-6
_TOKEN_PATTERN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()]+')


class PlacedPart(NamedTuple):
    """A part as the file has it."""

    ref: str
    value: str
    footprint: str
    at: LayoutPoint
    """mm from the left and from the lower edge of the board."""


class Circuit(NamedTuple):
    """One circuit board as its file has it."""

    parts: dict[str, PlacedPart]
    nets: tuple[frozenset[PadKey], ...]
    """The pads that copper joins, those that nothing joins too."""


class _CopperShape(NamedTuple):
    """A piece of copper: all within `radius` of a line, or a rectangle (`half_size` its sides)."""

    layers: Sequence[str]
    start: LayoutPoint
    end: LayoutPoint
    radius: float
    half_size: LayoutPoint | None
    pad: PadKey | None


def read_circuit(path: str | Path) -> Circuit:
    """The circuit board in a file. Raises `CircuitFileError`, `OSError`."""
    text = Path(path).read_text(encoding="utf-8")
    try:
        tree = parse_s_expression(text)
        if tree[0] != "kicad_pcb":
            raise ValueError(f"it begins with {tree[0]}")
        return circuit_of_tree(tree)
    except (ValueError, IndexError, KeyError) as error:
        raise CircuitFileError(f"{path}: {error}; try a board of KiCad 6") from None


def parse_s_expression(text: str) -> list[Any]:
    """The lists and words of an s-expression. Raises `ValueError`."""
    stack: list[list[Any]] = [[]]
    for token in _TOKEN_PATTERN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            if not stack:
                raise ValueError("a bracket too many")
            stack[-1].append(done)
        elif token[0] == '"':
            stack[-1].append(token[1:-1].replace('\\"', '"').replace("\\\\", "\\"))
        else:
            stack[-1].append(token)
    if len(stack) != 1 or len(stack[0]) != 1 or not isinstance(stack[0][0], list):
        raise ValueError("brackets that don't match")
    return list(stack[0][0])


def circuit_of_tree(tree: list[Any]) -> Circuit:
    """The circuit board that an s-expression tells of. Raises `ValueError`."""
    _refuse_other_copper(tree, "", ("segment", "via", "footprint", "layers"))
    left, lower = _lower_left_corner(tree)
    parts: dict[str, PlacedPart] = {}
    metal: list[_CopperShape] = []
    holes: list[_CopperShape] = []
    for item in _children_named(tree, "footprint"):
        words = {text[1]: text[2] for text in _children_named(item, "fp_text")}
        x, y = _parse_point(_child_named(item, "at"))
        ref = words["reference"]
        if ref in parts:
            raise ValueError(f"two parts are {ref}")
        parts[ref] = PlacedPart(
            ref, words["value"], item[1].partition(":")[2], LayoutPoint(x - left, lower - y)
        )
        _refuse_other_copper(item, f" in {ref}", ("pad", "layer"))
        metal += _pad_shapes(item, ref)
        holes += _bare_holes(item, ref)
    for item in _children_named(tree, "segment"):
        start, end = _parse_point(_child_named(item, "start")), _parse_point(_child_named(item, "end"))
        reach = float(_child_named(item, "width")[1]) / 2
        metal.append(_CopperShape((_child_named(item, "layer")[1],), start, end, reach, None, None))
    for item in _children_named(tree, "via"):
        at = _parse_point(_child_named(item, "at"))
        if {*_child_named(item, "layers")[1:]} != {*COPPER_LAYERS}:
            raise ValueError(f"a via at {at.x:g}, {at.y:g} that does not join both sides")
        metal.append(
            _CopperShape(COPPER_LAYERS, at, at, float(_child_named(item, "size")[1]) / 2, None, None)
        )
    _refuse_cut_copper(metal, holes)
    return Circuit(parts, tuple(_connected_pads(metal)))


def _refuse_other_copper(tree: list[Any], where: str, followed: Sequence[str]) -> None:
    """Zones, arcs, and lines, shapes or words that are drawn on copper: KiCad joins by them, too."""
    for item in tree:
        if not isinstance(item, list) or not item or item[0] in followed:
            continue
        layers = [
            name for key in ("layer", "layers") for each in _children_named(item, key) for name in each[1:]
        ]
        if item[0] in ("zone", "arc") or any(name.endswith(".Cu") for name in layers):
            on = f" on {' '.join(layers)}" if layers else ""
            raise ValueError(f"copper of a kind that is not followed here: {item[0]}{on}{where}")


def _lower_left_corner(tree: list[Any]) -> LayoutPoint:
    """The lower left corner of the board, which is a rectangle: what is sawn otherwise may cut copper."""
    edges = [
        item
        for item in tree
        if isinstance(item, list) and ["layer", "Edge.Cuts"] in item and item[0] != "layers"
    ]
    if any(edge[0] != "gr_line" for edge in edges):
        raise ValueError("an edge that is no straight line")
    lines = [[_parse_point(_child_named(edge, end)) for end in ("start", "end")] for edge in edges]
    xs, ys = ({line[end][axis] for line in lines for end in (0, 1)} for axis in (0, 1))
    if len(edges) != 4 or len(xs) != 2 or len(ys) != 2:
        raise ValueError("edges that are no rectangle")
    return LayoutPoint(min(xs), max(ys))


def _refuse_cut_copper(metal: Sequence[_CopperShape], holes: Sequence[_CopperShape]) -> None:
    """Holes without copper: what they run through they cut."""
    for hole in holes:
        box = _bounding_box(hole)
        for each in metal:
            left, upper, right, lower = _bounding_box(each)
            near = left <= box[2] and right >= box[0] and upper <= box[3] and lower >= box[1]
            if near and _is_touching(hole, each):
                size, (ref, _) = 2 * hole.radius, hole.pad or ("", "")
                at = f"{hole.start.x:.4g}, {hole.start.y:.4g}"
                raise ValueError(f"the hole of {size:g} mm of {ref} at {at} runs through copper")


def _children_named(tree: list[Any], name: str) -> Iterator[list[Any]]:
    return (item for item in tree if isinstance(item, list) and item and item[0] == name)


def _child_named(tree: list[Any], name: str) -> list[Any]:
    found = next(_children_named(tree, name), None)
    if found is None:
        raise ValueError(f"{tree[0]} without {name}")
    return found


def _parse_point(item: list[Any]) -> LayoutPoint:
    return LayoutPoint(float(item[1]), float(item[2]))


def _pad_shapes(item: list[Any], ref: str) -> Iterator[_CopperShape]:
    for pad in _children_named(item, "pad"):
        name, kind, shape = pad[1], pad[2], pad[3]
        if kind == "np_thru_hole":
            continue
        if kind == "thru_hole":
            _drill_diameter(pad, ref)
        at, (width, height) = _child_named(pad, "at"), _parse_point(_child_named(pad, "size"))
        own, middle = float(at[3]) if len(at) > 3 else 0.0, _position_on_board(item, at)
        layers = [
            each for each in COPPER_LAYERS if each in copper_layers_of_pad(_child_named(pad, "layers")[1:])
        ]
        if shape == "circle":
            yield _CopperShape(layers, middle, middle, width / 2, None, (ref, name))
        elif shape == "rect" and own % 90 == 0:
            half = (
                LayoutPoint(width / 2, height / 2) if own % 180 == 0 else LayoutPoint(height / 2, width / 2)
            )
            yield _CopperShape(layers, middle, middle, 0.0, half, (ref, name))
        else:
            raise ValueError(f"pad {ref}.{name} is a {shape} turned by {own:g} degrees")


def _bare_holes(item: list[Any], ref: str) -> Iterator[_CopperShape]:
    """The holes of a part that have no copper, as what they take from both sides."""
    for pad in _children_named(item, "pad"):
        if pad[2] == "np_thru_hole":
            middle = _position_on_board(item, _child_named(pad, "at"))
            yield _CopperShape(
                COPPER_LAYERS, middle, middle, _drill_diameter(pad, ref) / 2, None, (ref, pad[1])
            )


def _drill_diameter(pad: list[Any], ref: str) -> float:
    drill = _child_named(pad, "drill")
    if len(drill) != 2:
        raise ValueError(f"pad {ref}.{pad[1]} has a hole that is not round or not in its middle")
    return float(drill[1])


def _position_on_board(item: list[Any], at: list[Any]) -> LayoutPoint:
    """Where a place of a footprint lies on the board."""
    place = _child_named(item, "at")
    turn = radians(float(place[3])) if len(place) > 3 else 0.0
    x, y = _parse_point(at)
    return LayoutPoint(
        float(place[1]) + x * cos(turn) + y * sin(turn), float(place[2]) - x * sin(turn) + y * cos(turn)
    )


def copper_layers_of_pad(names: Sequence[str]) -> Sequence[str]:
    """The layers of copper among those of a pad."""
    return COPPER_LAYERS if "*.Cu" in names else names


def _connected_pads(metal: list[_CopperShape]) -> Iterator[frozenset[PadKey]]:
    """The pads of each heap of copper that hangs together."""
    leads = list(range(len(metal)))

    def head(number: int) -> int:
        while leads[number] != number:
            leads[number] = leads[leads[number]]
            number = leads[number]
        return number

    boxes = [_bounding_box(each) for each in metal]
    order = sorted(range(len(metal)), key=lambda number: boxes[number][0])
    open_: list[int] = []
    for number in order:
        left, upper, _right, lower = boxes[number]
        open_ = [each for each in open_ if boxes[each][2] >= left]
        for other in open_:
            if (
                boxes[other][1] <= lower
                and boxes[other][3] >= upper
                and _is_touching(metal[number], metal[other])
            ):
                leads[head(number)] = head(other)
        open_.append(number)
    heaps: dict[int, set[PadKey]] = {}
    for number, each in enumerate(metal):
        if each.pad is not None:
            heaps.setdefault(head(number), set()).add(each.pad)
    yield from sorted((frozenset(heap) for heap in heaps.values()), key=lambda heap: min(heap))


def _bounding_box(metal: _CopperShape) -> tuple[float, float, float, float]:
    across, along = metal.half_size or (metal.radius, metal.radius)
    return (
        min(metal.start.x, metal.end.x) - across,
        min(metal.start.y, metal.end.y) - along,
        max(metal.start.x, metal.end.x) + across,
        max(metal.start.y, metal.end.y) + along,
    )


def _is_touching(one: _CopperShape, other: _CopperShape) -> bool:
    if not set(one.layers) & set(other.layers):
        return False
    if one.half_size and other.half_size:
        return True  # their boxes do
    if other.half_size:
        one, other = other, one
    if one.half_size:
        return (
            _distance_to_box(other.start, other.end, _bounding_box(one)) <= other.radius + _TOUCH_TOLERANCE_MM
        )
    return (
        segment_distance(one.start, one.end, other.start, other.end)
        <= one.radius + other.radius + _TOUCH_TOLERANCE_MM
    )


def _distance_to_box(start: LayoutPoint, end: LayoutPoint, box: tuple[float, float, float, float]) -> float:
    """From a line to a rectangle."""
    left, upper, right, lower = box
    if any(left <= x <= right and upper <= y <= lower for x, y in (start, end)):
        return 0.0
    corners = [
        LayoutPoint(left, upper),
        LayoutPoint(right, upper),
        LayoutPoint(right, lower),
        LayoutPoint(left, lower),
    ]
    sides = zip(corners, (*corners[1:], corners[0]), strict=True)
    return min(segment_distance(start, end, *side) for side in sides)


def segment_distance(a: LayoutPoint, b: LayoutPoint, c: LayoutPoint, d: LayoutPoint) -> float:
    """From one line to another."""
    if (
        _cross_product(a, b, c) * _cross_product(a, b, d) < 0
        and _cross_product(c, d, a) * _cross_product(c, d, b) < 0
    ):
        return 0.0
    return min(
        point_segment_distance(a, c, d),
        point_segment_distance(b, c, d),
        point_segment_distance(c, a, b),
        point_segment_distance(d, a, b),
    )


def _cross_product(a: LayoutPoint, b: LayoutPoint, c: LayoutPoint) -> float:
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)


def point_segment_distance(point: LayoutPoint, start: LayoutPoint, end: LayoutPoint) -> float:
    """From a point to a line."""
    along_x, along_y = end.x - start.x, end.y - start.y
    length = along_x * along_x + along_y * along_y
    share = 0.0
    if length:
        share = ((point.x - start.x) * along_x + (point.y - start.y) * along_y) / length
        share = min(1.0, max(0.0, share))
    return hypot(point.x - start.x - share * along_x, point.y - start.y - share * along_y)
