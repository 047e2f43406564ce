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

from boardmake.making.spots import ID, BoardNotPlanned, PlannedSpace, PlannedSpaces

LARGEST: Final = 4_000_000
"""Bytes of a drawing."""
_UNITS: Final = {"mm": 1.0, "cm": 10.0, "in": 25.4, "px": 25.4 / 96, "": 25.4 / 96, "pt": 25.4 / 72}
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_STEP: Final = re.compile(r"\s*,?\s*([a-zA-Z]+)\s*\(([^()]*)\)")
_ASIDE: Final = frozenset(
    ("defs", "symbol", "clipPath", "mask", "marker", "pattern", "switch", "foreignObject")
)
"""What is in these does not show where it stands, or not always."""
_STYLED: Final = re.compile(
    r"(?<![\w-])(transform(?:-origin|-box)?|translate|rotate|scale|cx|cy|r|display|visibility)\s*:"
)
"""What a style may not say: places and sizes belong into attributes."""
_HIDES: Final = re.compile(r"(?<![\w-])(display\s*:\s*none|visibility\s*:\s*(hidden|collapse))")
_ROUND: Final = 1e-4


class Transform(NamedTuple):
    """What moves, turns and sizes: x' = a x + c y + e, y' = b x + d y + f, as SVG has it."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def of(self, x: float, y: float) -> tuple[float, float]:
        """Where a point comes to lie."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def after(self, inner: Transform) -> Transform:
        """This one, applied to what `inner` has moved already."""
        e, f = self.of(inner.e, inner.f)
        return Transform(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            e,
            f,
        )

    @property
    def larger(self) -> float | None:
        """How many times larger a circle becomes; `None`: it is no circle any more."""
        across, down = math.hypot(self.a, self.b), math.hypot(self.c, self.d)
        skew = self.a * self.c + self.b * self.d
        if not 0 < across < math.inf or abs(across - down) > _ROUND * across:
            return None
        return across if abs(skew) <= _ROUND * across * across else None


def matrix(text: str) -> Transform:
    """What a `transform` says. Raises `ValueError`."""
    made, at = Transform(), 0
    while text[at:].strip():
        step = _STEP.match(text, at)
        if step is None:
            raise ValueError(text)
        made, at = made.after(_step(step[1], numbers(step[2]))), step.end()
    return made


def _step(name: str, given: list[float]) -> Transform:
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
            return Transform(e=x, f=y).after(_step("rotate", [degrees])).after(Transform(e=-x, f=-y))
        case "skewX", [degrees]:
            return Transform(c=math.tan(math.radians(degrees)))
        case "skewY", [degrees]:
            return Transform(b=math.tan(math.radians(degrees)))
    raise ValueError(name)


def numbers(text: str) -> list[float]:
    """Finite numbers between spaces and commas. Raises `ValueError`."""
    words = text.replace(",", " ").split()
    if not all(_NUMBER.fullmatch(word) for word in words):
        raise ValueError(text)
    found = [float(word) for word in words]
    if not all(map(math.isfinite, found)):
        raise ValueError(text)
    return found


def drawn(path: Path) -> PlannedSpaces:
    """The circles of an SVG drawing, each with an id. Raises `BoardNotPlanned`."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BoardNotPlanned(f"{path}: {error.strerror}; expected an SVG drawing") from None
    if len(data) > LARGEST:
        raise BoardNotPlanned(f"{path}: {len(data)} bytes; expected a drawing of at most {LARGEST}")
    return _Reader(path).read(data)


class _Sheet(NamedTuple):
    width: float
    height: float
    scale: float
    """mm a user unit."""
    left: float
    upper: float
    """The corner, in user units."""


class _Surroundings(NamedTuple):
    """What an element lies in."""

    matrix: Transform = Transform()
    aside: str = ""
    """Why nothing in it shows where it stands; empty: it does."""


class _Reader:
    """Goes through a drawing from its root."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._begin
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.sheet: _Sheet | None = None
        self.around: list[_Surroundings] = []
        self.sheets_of_style: list[str] = []
        self.spots: dict[str, PlannedSpace] = {}
        self.across: list[float] = []

    def read(self, data: bytes) -> PlannedSpaces:
        """All of it. Raises `BoardNotPlanned`."""
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            raise BoardNotPlanned(
                f"{self.path}:{error.lineno}: no XML ({error}); expected an SVG drawing"
            ) from None
        if not self.spots or self.sheet is None:
            raise BoardNotPlanned(f"{self.path}: no <circle>; expected one for each space")
        return PlannedSpaces(
            tuple(self.spots.values()), self.sheet.width, self.sheet.height, min(self.across)
        )

    def _wrong(self, what: str) -> BoardNotPlanned:
        return BoardNotPlanned(f"{self.path}:{self.parser.CurrentLineNumber}: {what}")

    def _doctype(self, *_: object) -> None:
        raise self._wrong("a document type; remove it")

    def _begin(self, name: str, said: Mapping[str, str]) -> None:
        kind = name.rpartition(" ")[2]
        if self.sheet is None:
            if kind != "svg":
                raise self._wrong(f"<{kind[:40]}>; expected <svg>")
            self.sheet = self._paper(said)
        around = self._within(kind, said)
        id_ = said.get("id", "")
        if kind == "circle" and (id_ or not around.aside):
            self._circle(id_, said, around)
        elif id_ and (kind in ("ellipse", "use") or _arc(said)):
            raise self._wrong(f"<{kind}> {id_[:40]}; expected a <circle> for each space, no id on others")
        if kind == "style":
            self.sheets_of_style.append("")
        self.around.append(around)

    def _end(self, name: str) -> None:
        self.around.pop()
        if name.rpartition(" ")[2] == "style" and _STYLED.search(self.sheets_of_style.pop()):
            raise self._wrong("a style sheet that moves or hides; do that by attributes")

    def _text(self, text: str) -> None:
        if self.sheets_of_style:
            self.sheets_of_style[-1] += text

    def _within(self, kind: str, said: Mapping[str, str]) -> _Surroundings:
        """What an element's own attributes make of where it lies."""
        outer = self.around[-1] if self.around else None
        style = said.get("style", "")
        aside = outer.aside if outer else ""
        if kind in _ASIDE or (kind == "svg" and outer):
            aside = aside or f"in <{kind}>" + (" in another" if kind == "svg" else "")
        elif (
            _HIDES.search(style)
            or said.get("display") == "none"
            or said.get("visibility") in ("hidden", "collapse")
        ):
            aside = aside or "hidden"
        elif (found := _STYLED.search(style)) and found[1] not in ("display", "visibility"):
            aside = aside or f"moved by the style's {found[1]}"
        elif "transform-origin" in said:
            aside = "under a transform-origin"
        elif outer is None and "transform" in said:
            aside = "in an <svg> with a transform"
        try:
            own = matrix(said.get("transform", ""))
        except (ValueError, OverflowError):
            own, aside = Transform(), aside or f"under the transform {said['transform'][:40]!r}"
        return _Surroundings((outer.matrix if outer else Transform()).after(own), aside)

    def _circle(self, id_: str, said: Mapping[str, str], around: _Surroundings) -> None:
        assert self.sheet is not None  # it lies in the root
        if not ID.fullmatch(id_):
            raise self._wrong(f"a circle with the id {id_[:40]!r}; expected small letters, digits, hyphens")
        if around.aside:
            raise self._wrong(
                f"circle {id_} is {around.aside}; expected it to show where cx, cy and transforms say"
            )
        larger = around.matrix.larger
        if larger is None:
            raise self._wrong(
                f"circle {id_} is made an ellipse by a transform; scale it alike across and down"
            )
        try:
            ((x,), (y,), (radius,)) = (numbers(said.get(key, "0")) for key in ("cx", "cy", "r"))
        except ValueError:
            raise self._wrong(f"circle {id_}; expected numbers in cx, cy and r") from None
        if radius <= 0:
            raise self._wrong(f"circle {id_}: r {radius:g}; expected more than 0")
        if id_ in self.spots:
            raise self._wrong(f"a second circle with the id {id_}; give each an id of its own")
        x, y = around.matrix.of(x, y)
        sheet = self.sheet
        right, up = (x - sheet.left) * sheet.scale, sheet.height - (y - sheet.upper) * sheet.scale
        if not (0 <= right <= sheet.width and 0 <= up <= sheet.height):
            raise self._wrong(
                f"circle {id_} has its middle at {right:.4g}, {up:.4g} mm; move it onto the sheet"
                f" of {sheet.width:.4g} x {sheet.height:.4g}"
            )
        self.spots[id_] = PlannedSpace(id_, round(right, 2), round(up, 2), "circle")
        self.across.append(2 * radius * larger * sheet.scale)

    def _paper(self, said: Mapping[str, str]) -> _Sheet:
        wide, high = (self._length(said.get(side, ""), side) for side in ("width", "height"))
        box = said.get("viewBox")
        if box is None:
            return _Sheet(wide, high, _UNITS["px"], 0.0, 0.0)
        try:
            left, upper, across, down = numbers(box)
            scale, other = wide / across, high / down
        except (ValueError, ZeroDivisionError):
            raise self._wrong(f"viewBox {box[:40]!r}; expected four numbers") from None
        if abs(scale - other) > scale / 1000:
            raise self._wrong(f"{scale:.4g} mm a unit across, {other:.4g} down; expected the same")
        return _Sheet(wide, high, scale, left, upper)

    def _length(self, said: str, side: str) -> float:
        found = length_mm(said)
        if found is None:
            raise self._wrong(f"{side} {said[:20]!r}; expected a length such as 400mm")
        return found


def length_mm(said: str) -> float | None:
    """A length above 0 with its unit; `None`: it is none."""
    found = re.fullmatch(r"([0-9]+\.?[0-9]*|\.[0-9]+)\s*([a-z]*)", said)
    if found is None or found[2] not in _UNITS or not 0 < float(found[1]) < math.inf:
        return None
    return float(found[1]) * _UNITS[found[2]]


def _arc(said: Mapping[str, str]) -> bool:
    """Whether it is a circle as old Inkscape writes it."""
    return any(key.endswith(" type") and value == "arc" for key, value in said.items())
