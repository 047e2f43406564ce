"""An SVG drawing as the printed face of a board: its shapes in mm of the board.

What can't be printed as it is drawn (pictures, gradients, transparency, clips) is refused by name.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import atan2, cos, degrees, hypot, pi, sin, sqrt
from pathlib import Path
from typing import Final, NamedTuple

from reportlab.lib.colors import getAllNamedColors

from boardmake.making.drawing import (
    DRAWING_MAX_BYTES,
    Transform,
    parse_length_mm,
    parse_numbers,
    parse_transform,
)
from boardmake.making.spots import BoardNotPlanned
from boardrules.shapes import Paint, Point, Polyline, Shape, TextShape
from boardware.parts import BoardPoint

_SVG_NAMESPACE: Final = "{http://www.w3.org/2000/svg}"
_IGNORED_ELEMENTS: Final = frozenset(("defs", "title", "desc", "metadata", "style"))
_REFUSED_ATTRIBUTES: Final = ("clip-path", "mask", "filter", "marker-start", "marker-mid", "marker-end")
_INHERITED_ATTRIBUTES: Final = (
    *("fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-weight", "text-anchor"),
    *("visibility", "fill-opacity", "stroke-opacity"),
)
_CURVE_SEGMENTS: Final = 24
"""Straight lines that a curve becomes: on 300 mm less than 0.2 mm off it."""
_PATH_PATTERN: Final = re.compile(
    r"([a-zA-Z])|([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|[\s,]+|(.)"
)
_ARGUMENT_COUNTS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}


class _Style(NamedTuple):
    """Where an element lies, and what it inherits."""

    matrix: Transform
    attributes: Mapping[str, str]


def read_artwork(path: Path, size: BoardPoint) -> list[Shape]:
    """All that the drawing shows. Raises `BoardNotPlanned`."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BoardNotPlanned(f"{path}: {error.strerror}; try an SVG drawing") from None
    if len(data) > DRAWING_MAX_BYTES or b"<!DOCTYPE" in data:
        raise BoardNotPlanned(f"{path}: try SVG of at most {DRAWING_MAX_BYTES} bytes without a document type")
    try:
        return list(_ArtworkReader(path, ET.fromstring(data), size).shapes())
    except ET.ParseError as error:
        raise BoardNotPlanned(f"{path}: no XML ({error}); try an SVG drawing") from None


class _ArtworkReader:
    """Goes through a drawing from its root."""

    def __init__(self, path: Path, root: ET.Element, size: BoardPoint) -> None:
        self.path, self.root = path, root
        if root.tag != f"{_SVG_NAMESPACE}svg":
            raise BoardNotPlanned(f"{path}: <{root.tag[:40]}>; try <svg>")
        wide, high = (parse_length_mm(root.get(side, "")) or 0.0 for side in ("width", "height"))
        if max(abs(wide - size.x), abs(high - size.y)) > 0.5:
            raise BoardNotPlanned(
                f"{path}: a drawing of {wide:g} x {high:g} mm; try the board's {size.x:g} x {size.y:g}"
            )
        left, upper, across, down = self._parse_numbers(
            root, "viewBox", f"0 0 {wide * 96 / 25.4} {high * 96 / 25.4}"
        )
        scale = wide / across
        self.paper = Transform(scale, 0, 0, -scale, -left * scale, high + upper * scale)
        if abs(high / down - scale) > scale / 1000:
            raise BoardNotPlanned(
                f"{path}: {scale:.4g} mm a unit across, {high / down:.4g} down; try the same"
            )
        sheets = " ".join(text for style in root.iter(f"{_SVG_NAMESPACE}style") for text in style.itertext())
        rules = re.finditer(r"\.([\w-]+)\s*\{([^}]*)\}", sheets)
        self.classes = {rule[1]: rule[2] for rule in rules}
        if re.sub(r"\.[\w-]+\s*\{[^}]*\}|/\*.*?\*/|\s", "", sheets):
            raise BoardNotPlanned(f"{path}: a style sheet of more than classes; try attributes or classes")

    def shapes(self) -> Iterator[Shape]:
        """What is drawn, from below to above."""
        yield from self._element_shapes(self.root, _Style(self.paper, {"fill": "#000000"}))

    def _error(self, element: ET.Element, what: str) -> BoardNotPlanned:
        name = f"<{_tag_name(element)}> {element.get('id', '')}".strip()
        return BoardNotPlanned(f"{self.path}: {name}: {what[:80]}")

    def _parse_numbers(self, element: ET.Element, key: str, otherwise: str) -> list[float]:
        try:
            return parse_numbers(element.get(key, otherwise).replace("px", ""))
        except ValueError:
            raise self._error(element, f"{key} {element.get(key)!r}; try numbers") from None

    def _parse_number(self, element: ET.Element, key: str, otherwise: str = "0") -> float:
        found = self._parse_numbers(element, key, otherwise)
        return found[0] if found else 0.0

    def _style_of(self, element: ET.Element, outer: _Style) -> _Style:
        own = dict(element.attrib)
        for text in (
            *(self.classes.get(name, "") for name in own.get("class", "").split()),
            own.get("style", ""),
        ):
            own.update(
                (key.strip(), value.strip())
                for key, _, value in (each.partition(":") for each in text.split(";"))
            )
        for key in _REFUSED_ATTRIBUTES:
            if own.get(key, "none") != "none":
                raise self._error(element, f"{key}; try shapes that show as they are")
        if any(
            own.get(key, "1") not in ("1", "1.0", "100%")
            for key in ("opacity", "fill-opacity", "stroke-opacity")
        ):
            raise self._error(element, "seen through; try colours that cover")
        try:
            inner = outer.matrix.compose(parse_transform(own.get("transform", "")))
        except ValueError:
            raise self._error(element, f"transform {own.get('transform')!r}; try one of SVG 1.1") from None
        kept = dict(outer.attributes)
        kept.update((key, own[key]) for key in _INHERITED_ATTRIBUTES if key in own)
        return _Style(inner, {**kept, "display": own.get("display", "")})

    def _element_shapes(self, element: ET.Element, outer: _Style) -> Iterator[Shape]:
        if (
            not isinstance(element.tag, str)
            or not element.tag.startswith(_SVG_NAMESPACE)
            or _tag_name(element) in _IGNORED_ELEMENTS
        ):
            return  # a comment, an editor's own
        style = self._style_of(element, outer)
        if style.attributes["display"] == "none":
            return
        kind = _tag_name(element)
        if kind in ("g", "a") or element is self.root:
            for child in element:
                yield from self._element_shapes(child, style)
        elif kind == "text":
            yield from self._text_shapes(element, style)
        elif style.attributes.get("visibility", "visible") == "visible":
            yield from self._geometry_shapes(element, kind, style)

    def _geometry_shapes(self, element: ET.Element, kind: str, style: _Style) -> Iterator[Shape]:
        match kind:
            case "line":
                (x1, y1, x2, y2) = (self._parse_number(element, key) for key in ("x1", "y1", "x2", "y2"))
                lines = [([(x1, y1), (x2, y2)], False)]
            case "rect":
                x, y, w, h = (self._parse_number(element, key) for key in ("x", "y", "width", "height"))
                rx = self._parse_number(element, "rx", element.get("ry", "0"))
                lines = [(list(_rounded_rectangle(x, y, w, h, min(rx, w / 2, h / 2))), True)]
            case "circle" | "ellipse":
                x, y, r = (self._parse_number(element, key) for key in ("cx", "cy", "r"))
                rx, ry = (
                    (r, r) if kind == "circle" else (self._parse_number(element, key) for key in ("rx", "ry"))
                )
                lines = [([(x + rx * cos(pi * n / 36), y + ry * sin(pi * n / 36)) for n in range(72)], True)]
            case "polyline" | "polygon":
                flat = self._parse_numbers(element, "points", "")
                lines = [(list(zip(flat[::2], flat[1::2], strict=False)), kind == "polygon")]
            case "path":
                try:
                    lines = list(path_lines(element.get("d", "")))
                except ValueError:
                    raise self._error(element, "d; try a path of SVG 1.1") from None
            case _:
                raise self._error(element, "try shapes and texts only")
        scale = sqrt(abs(style.matrix.a * style.matrix.d - style.matrix.b * style.matrix.c))
        fill, stroke = (
            self._parse_colour(element, style.attributes.get(key, "none")) for key in ("fill", "stroke")
        )
        there = [
            (tuple(style.matrix.apply(*point) for point in points), shut) for points, shut in lines if points
        ]
        if fill and there and kind != "line":
            # One outline through all parts and back: holes stay holes.
            first = there[0][0][0]
            whole = tuple(p for points, _ in there for p in (*points, points[0], first))
            yield Polyline(whole, Paint(fill), True)
        if stroke:
            wide = (
                self._parse_number(element, "", style.attributes.get("stroke-width", "1").replace("px", ""))
                * scale
            )
            dash = style.attributes.get("stroke-dasharray", "none")
            dashes = () if dash == "none" else tuple(part * scale for part in parse_numbers(dash))
            for points, shut in there:
                yield Polyline(points, Paint(None, stroke, wide, dashes), shut)

    def _text_shapes(self, element: ET.Element, style: _Style, at: Point | None = None) -> Iterator[Shape]:
        """Its lines: one for the text, one for each `tspan`."""
        x, y = (self._parse_number(element, key, str(at[n] if at else 0)) for n, key in enumerate("xy"))
        words = " ".join((element.text or "").split())
        turn = style.matrix
        if words and style.attributes.get("visibility", "visible") == "visible":
            size = self._parse_number(element, "", style.attributes.get("font-size", "16").replace("px", ""))
            ink = self._parse_colour(element, style.attributes["fill"])
            anchor = style.attributes.get("text-anchor", "start")
            bold = style.attributes.get("font-weight", "") in ("bold", "700", "800", "900")
            if ink:
                yield TextShape(
                    *turn.apply(x, y), size * hypot(turn.a, turn.b), words, ink, anchor, bold,
                    rotation_degrees=degrees(atan2(turn.b, turn.a)),
                )  # fmt: skip
        for child in element:
            if child.tag == f"{_SVG_NAMESPACE}tspan":
                yield from self._text_shapes(child, self._style_of(child, style), (x, y))

    def _parse_colour(self, element: ET.Element, said: str) -> str | None:
        """`#rrggbb`, or `None` for nothing."""
        name = said.strip().lower()
        if name in ("none", "transparent"):
            return None
        if re.fullmatch("#[0-9a-f]{3}", name):
            return "#" + "".join(2 * digit for digit in name[1:])
        if re.fullmatch("#[0-9a-f]{6}", name):
            return name
        if found := re.fullmatch(r"rgb\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)", name):
            return "#" + "".join(f"{min(255, int(part)):02x}" for part in found.groups())
        if name in (named := getAllNamedColors()):
            return f"#{named[name].hexval()[2:]}"
        raise self._error(element, f"the colour {said!r}; try a plain one")


def _tag_name(element: ET.Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _rounded_rectangle(x: float, y: float, wide: float, high: float, corner: float) -> Iterator[Point]:
    if not corner:
        yield from ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))
        return
    right, lower = x + wide - corner, y + high - corner
    left, upper = x + corner, y + corner
    for turn, (cx, cy) in enumerate(((right, upper), (right, lower), (left, lower), (left, upper))):
        for step in range(9):
            angle = pi / 2 * (turn - 1 + step / 8)
            yield cx + corner * cos(angle), cy + corner * sin(angle)


def path_lines(text: str) -> Iterator[tuple[list[Point], bool]]:
    """The parts of a path in straight lines, and whether each is closed. Raises `ValueError`."""
    at = bend = (0.0, 0.0)
    points: list[Point] = []
    for command, given in _path_commands(text):
        left, up = at if command.islower() else (0.0, 0.0)
        kind = command.upper()
        if kind == "Z":
            yield points, True
            at, points = points[0], points[:1]
        elif kind == "M":
            if len(points) > 1:
                yield points, False
            at = (left + given[0], up + given[1])
            points = [at]
        elif kind in "HV":
            at = (left + given[0], at[1]) if kind == "H" else (at[0], up + given[0])
            points.append(at)
        elif kind == "A":
            end = (left + given[5], up + given[6])
            points.extend(_arc_points(at, given, end))
            at = end
        else:  # a line, or a curve by its control points
            pairs = [(left + x, up + y) for x, y in zip(given[::2], given[1::2], strict=True)]
            way = [at, *([(2 * at[0] - bend[0], 2 * at[1] - bend[1])] if kind in "ST" else []), *pairs]
            steps = 1 if kind == "L" else _CURVE_SEGMENTS
            points.extend(_bezier_point(way, step / steps) for step in range(1, steps + 1))
            at, bend = way[-1], way[-2]
        if kind not in "CSQT":
            bend = at
    if len(points) > 1:
        yield points, False


def _path_commands(text: str) -> Iterator[tuple[str, list[float]]]:
    """Each command of a path with as many numbers as it takes."""
    command, numbers_ = "", list[float]()
    begun = False
    for letter, number, wrong in _PATH_PATTERN.findall(text):
        if wrong or (
            letter
            and (numbers_ or letter.upper() not in _ARGUMENT_COUNTS or (not begun and letter not in "mM"))
        ):
            raise ValueError(text)
        if letter:
            command, begun = letter, True
            if letter in "zZ":
                yield letter, []
        elif number:
            numbers_.append(float(number))
            if command in ("", "z", "Z"):
                raise ValueError(text)
            if len(numbers_) == _ARGUMENT_COUNTS[command.upper()]:
                yield command, numbers_
                numbers_ = []
                command = {"m": "l", "M": "L"}.get(command, command)
    if numbers_:
        raise ValueError(text)


def _bezier_point(way: list[Point], share: float) -> Point:
    """By de Casteljau."""
    while len(way) > 1:
        way = [(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])) for a, b in pairwise(way)]
    return way[0]


def _arc_points(start: Point, given: list[float], end: Point) -> Iterator[Point]:
    """An arc of an ellipse, as the appendix B.2.4 of SVG 2 finds its middle. Raises `ValueError`."""
    rx, ry, turn = abs(given[0]), abs(given[1]), given[2] * pi / 180
    if not {given[3], given[4]} <= {0.0, 1.0}:
        raise ValueError(given)
    dx, dy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x, y = cos(turn) * dx + sin(turn) * dy, cos(turn) * dy - sin(turn) * dx
    if not rx or not ry or (x, y) == (0, 0):
        yield end
        return
    larger = max(1.0, hypot(x / rx, y / ry))
    rx, ry = rx * larger, ry * larger
    apart = (x / rx) ** 2 + (y / ry) ** 2
    far = sqrt(max(0.0, 1 / apart - 1)) * (1 if given[3] != given[4] else -1)
    cx, cy = far * rx * y / ry, -far * ry * x / rx
    first, last = (atan2((sign * y - cy) / ry, (sign * x - cx) / rx) for sign in (1, -1))
    sweep = (last - first) % (2 * pi) - (0 if given[4] else 2 * pi)
    for step in range(1, _CURVE_SEGMENTS + 1):
        angle = first + sweep * step / _CURVE_SEGMENTS
        px, py = rx * cos(angle) + cx, ry * sin(angle) + cy
        yield (
            cos(turn) * px - sin(turn) * py + (start[0] + end[0]) / 2,
            sin(turn) * px + cos(turn) * py + (start[1] + end[1]) / 2,
        )
