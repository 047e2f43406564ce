"""The circles of an SVG drawing, where they show, as spaces to be. Lengths in mm.

Transforms of a circle and of what it lies in are followed, as long as it stays a circle. What would show
otherwise than it is read here, or not at all, is refused with its line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple
from xml.parsers import expat

from boardmake.making.spots import ID_PATTERN, BoardNotPlanned, PlannedSpace, PlannedSpaces

DRAWING_MAX_BYTES: Final = 4_000_000
"""Bytes of a drawing."""
_MM_PER_UNIT: Final = {"mm": 1.0, "cm": 10.0, "in": 25.4, "px": 25.4 / 96, "": 25.4 / 96, "pt": 25.4 / 72}
_NUMBER_PATTERN: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_TRANSFORM_PATTERN: Final = re.compile(r"\s*,?\s*([a-zA-Z]+)\s*\(([^()]*)\)")
_HIDING_ELEMENTS: Final = frozenset(
    ("defs", "symbol", "clipPath", "mask", "marker", "pattern", "switch", "foreignObject")
)
"""What is in these does not show where it stands, or not always."""
_FORBIDDEN_STYLE_PATTERN: Final = re.compile(
    r"(?<![\w-])(transform(?:-origin|-box)?|translate|rotate|scale|cx|cy|r|display|visibility)\s*:"
)
"""What a style may not say: places and sizes belong into attributes."""
_HIDDEN_STYLE_PATTERN: Final = re.compile(
    r"(?<![\w-])(display\s*:\s*none|visibility\s*:\s*(hidden|collapse))"
)
_CIRCLE_TOLERANCE: Final = 1e-4


class Transform(NamedTuple):
    """What moves, turns and sizes: x' = a x + c y + e, y' = b x + d y + f, as SVG has it."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def apply(self, x: float, y: float) -> tuple[float, float]:
        """Where a point comes to lie."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def compose(self, inner: Transform) -> Transform:
        """This one, applied to what `inner` has moved already."""
        e, f = self.apply(inner.e, inner.f)
        return Transform(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            e,
            f,
        )

    @property
    def circle_scale(self) -> float | None:
        """How many times larger a circle becomes; `None`: it is no circle any more."""
        across, down = math.hypot(self.a, self.b), math.hypot(self.c, self.d)
        skew = self.a * self.c + self.b * self.d
        if not 0 < across < math.inf or abs(across - down) > _CIRCLE_TOLERANCE * across:
            return None
        return across if abs(skew) <= _CIRCLE_TOLERANCE * across * across else None


def parse_transform(text: str) -> Transform:
    """What a `transform` says. Raises `ValueError`."""
    made, at = Transform(), 0
    while text[at:].strip():
        step = _TRANSFORM_PATTERN.match(text, at)
        if step is None:
            raise ValueError(text)
        made, at = made.compose(_parse_transform_step(step[1], parse_numbers(step[2]))), step.end()
    return made


def _parse_transform_step(name: str, given: list[float]) -> Transform:
    match name, given:
        case "matrix", [a, b, c, d, e, f]:
            return Transform(a, b, c, d, e, f)
        case "translate", [x, *rest] if len(rest) < 2:
            return Transform(e=x, f=rest[0] if rest else 0.0)
        case "scale", [x, *rest] if len(rest) < 2:
            return Transform(a=x, d=rest[0] if rest else x)
        case "rotate", [degrees]:
            turn = math.radians(degrees)
            return Transform(math.cos(turn), math.sin(turn), -math.sin(turn), math.cos(turn))
        case "rotate", [degrees, x, y]:
            return (
                Transform(e=x, f=y)
                .compose(_parse_transform_step("rotate", [degrees]))
                .compose(Transform(e=-x, f=-y))
            )
        case "skewX", [degrees]:
            return Transform(c=math.tan(math.radians(degrees)))
        case "skewY", [degrees]:
            return Transform(b=math.tan(math.radians(degrees)))
    raise ValueError(name)


def parse_numbers(text: str) -> list[float]:
    """Finite numbers between spaces and commas. Raises `ValueError`."""
    words = text.replace(",", " ").split()
    if not all(_NUMBER_PATTERN.fullmatch(word) for word in words):
        raise ValueError(text)
    found = [float(word) for word in words]
    if not all(map(math.isfinite, found)):
        raise ValueError(text)
    return found


def read_drawing(path: Path) -> PlannedSpaces:
    """The circles of an SVG drawing, each with an id. Raises `BoardNotPlanned`."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BoardNotPlanned(f"{path}: {error.strerror}; try an SVG drawing") from None
    if len(data) > DRAWING_MAX_BYTES:
        raise BoardNotPlanned(f"{path}: {len(data)} bytes; try a drawing of at most {DRAWING_MAX_BYTES}")
    return _DrawingReader(path).read(data)


class _Sheet(NamedTuple):
    width: float
    height: float
    mm_per_unit: float
    """mm a user unit."""
    left: float
    upper: float
    """The corner, in user units."""


class _ElementContext(NamedTuple):
    """What an element lies in."""

    matrix: Transform = Transform()
    hidden_reason: str = ""
    """Why nothing in it shows where it stands; empty: it does."""


class _DrawingReader:
    """Goes through a drawing from its root."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._start_element
        self.parser.EndElementHandler = self._end_element
        self.parser.CharacterDataHandler = self._add_style_text
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype
        self.sheet: _Sheet | None = None
        self.around: list[_ElementContext] = []
        self.sheets_of_style: list[str] = []
        self.spots: dict[str, PlannedSpace] = {}
        self.across: list[float] = []

    def read(self, data: bytes) -> PlannedSpaces:
        """All of it. Raises `BoardNotPlanned`."""
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            raise BoardNotPlanned(
                f"{self.path}:{error.lineno}: no XML ({error}); try an SVG drawing"
            ) from None
        if not self.spots or self.sheet is None:
            raise BoardNotPlanned(f"{self.path}: no <circle>; try one for each space")
        return PlannedSpaces(
            tuple(self.spots.values()), self.sheet.width, self.sheet.height, min(self.across)
        )

    def _error(self, what: str) -> BoardNotPlanned:
        return BoardNotPlanned(f"{self.path}:{self.parser.CurrentLineNumber}: {what}")

    def _refuse_doctype(self, *_: object) -> None:
        raise self._error("a document type; remove it")

    def _start_element(self, name: str, said: Mapping[str, str]) -> None:
        kind = name.rpartition(" ")[2]
        if self.sheet is None:
            if kind != "svg":
                raise self._error(f"<{kind[:40]}>; try <svg>")
            self.sheet = self._parse_sheet(said)
        around = self._context_of(kind, said)
        id_ = said.get("id", "")
        if kind == "circle" and (id_ or not around.hidden_reason):
            self._add_circle(id_, said, around)
        elif id_ and (kind in ("ellipse", "use") or _is_arc(said)):
            raise self._error(f"<{kind}> {id_[:40]}; try a <circle> for each space, no id on others")
        if kind == "style":
            self.sheets_of_style.append("")
        self.around.append(around)

    def _end_element(self, name: str) -> None:
        self.around.pop()
        if name.rpartition(" ")[2] == "style" and _FORBIDDEN_STYLE_PATTERN.search(self.sheets_of_style.pop()):
            raise self._error("a style sheet that moves or hides; do that by attributes")

    def _add_style_text(self, text: str) -> None:
        if self.sheets_of_style:
            self.sheets_of_style[-1] += text

    def _context_of(self, kind: str, said: Mapping[str, str]) -> _ElementContext:
        """What an element's own attributes make of where it lies."""
        outer = self.around[-1] if self.around else None
        style = said.get("style", "")
        aside = outer.hidden_reason if outer else ""
        if kind in _HIDING_ELEMENTS or (kind == "svg" and outer):
            aside = aside or f"in <{kind}>" + (" in another" if kind == "svg" else "")
        elif (
            _HIDDEN_STYLE_PATTERN.search(style)
            or said.get("display") == "none"
            or said.get("visibility") in ("hidden", "collapse")
        ):
            aside = aside or "hidden"
        elif (found := _FORBIDDEN_STYLE_PATTERN.search(style)) and found[1] not in ("display", "visibility"):
            aside = aside or f"moved by the style's {found[1]}"
        elif "transform-origin" in said:
            aside = "under a transform-origin"
        elif outer is None and "transform" in said:
            aside = "in an <svg> with a transform"
        try:
            own = parse_transform(said.get("transform", ""))
        except (ValueError, OverflowError):
            own, aside = Transform(), aside or f"under the transform {said['transform'][:40]!r}"
        return _ElementContext((outer.matrix if outer else Transform()).compose(own), aside)

    def _add_circle(self, id_: str, said: Mapping[str, str], around: _ElementContext) -> None:
        assert self.sheet is not None  # it lies in the root
        if not ID_PATTERN.fullmatch(id_):
            raise self._error(f"a circle with the id {id_[:40]!r}; try small letters, digits, hyphens")
        if around.hidden_reason:
            raise self._error(
                f"circle {id_} is {around.hidden_reason}; try it to show where cx, cy and transforms say"
            )
        larger = around.matrix.circle_scale
        if larger is None:
            raise self._error(
                f"circle {id_} is made an ellipse by a transform; scale it alike across and down"
            )
        try:
            ((x,), (y,), (radius,)) = (parse_numbers(said.get(key, "0")) for key in ("cx", "cy", "r"))
        except ValueError:
            raise self._error(f"circle {id_}; try numbers in cx, cy and r") from None
        if radius <= 0:
            raise self._error(f"circle {id_}: r {radius:g}; try more than 0")
        if id_ in self.spots:
            raise self._error(f"a second circle with the id {id_}; give each an id of its own")
        x, y = around.matrix.apply(x, y)
        sheet = self.sheet
        right, up = (x - sheet.left) * sheet.mm_per_unit, sheet.height - (y - sheet.upper) * sheet.mm_per_unit
        if not (0 <= right <= sheet.width and 0 <= up <= sheet.height):
            raise self._error(
                f"circle {id_} has its middle at {right:.4g}, {up:.4g} mm; move it onto the sheet"
                f" of {sheet.width:.4g} x {sheet.height:.4g}"
            )
        self.spots[id_] = PlannedSpace(id_, round(right, 2), round(up, 2), "circle")
        self.across.append(2 * radius * larger * sheet.mm_per_unit)

    def _parse_sheet(self, said: Mapping[str, str]) -> _Sheet:
        wide, high = (self._parse_length(said.get(side, ""), side) for side in ("width", "height"))
        box = said.get("viewBox")
        if box is None:
            return _Sheet(wide, high, _MM_PER_UNIT["px"], 0.0, 0.0)
        try:
            left, upper, across, down = parse_numbers(box)
            scale, other = wide / across, high / down
        except (ValueError, ZeroDivisionError):
            raise self._error(f"viewBox {box[:40]!r}; try four numbers") from None
        if abs(scale - other) > scale / 1000:
            raise self._error(f"{scale:.4g} mm a unit across, {other:.4g} down; try the same")
        return _Sheet(wide, high, scale, left, upper)

    def _parse_length(self, said: str, side: str) -> float:
        found = parse_length_mm(said)
        if found is None:
            raise self._error(f"{side} {said[:20]!r}; try a length such as 400mm")
        return found


def parse_length_mm(said: str) -> float | None:
    """A length above 0 with its unit; `None`: it is none."""
    found = re.fullmatch(r"([0-9]+\.?[0-9]*|\.[0-9]+)\s*([a-z]*)", said)
    if found is None or found[2] not in _MM_PER_UNIT or not 0 < float(found[1]) < math.inf:
        return None
    return float(found[1]) * _MM_PER_UNIT[found[2]]


def _is_arc(said: Mapping[str, str]) -> bool:
    """Whether it is a circle as old Inkscape writes it."""
    return any(key.endswith(" type") and value == "arc" for key, value in said.items())
