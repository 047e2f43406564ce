"""Two readers of circuit boards that share nothing with ours, and what a board file wants of their nets.

One reads KiCad's file by kiutils and asks of every two pieces of copper whether they touch. The other reads
what a maker of circuit boards gets, Gerber and drill files, by gerbonara, paints them line by line and sees
what hangs together, as an eye would.
"""

from __future__ import annotations

import csv
import math
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from boardware.parts import BoardDescription
from boardware.pico_pins import EDGE_PIN_BY_GPIO

Net = frozenset[tuple[str, str]]
ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "hardware" / "circuit"
STEP = 0.05
"""mm between two painted lines: a quarter of the least gap."""


class Heaps:
    """Things that hang together."""

    def __init__(self) -> None:
        self._leads: dict[Any, Any] = {}

    def head(self, thing: Any) -> Any:
        self._leads.setdefault(thing, thing)
        while self._leads[thing] != thing:
            thing = self._leads[thing]
        return thing

    def join(self, one: Any, other: Any) -> None:
        self._leads[self.head(one)] = self.head(other)

    def all(self) -> list[set[Any]]:
        found = defaultdict(set)
        for thing in list(self._leads):
            found[self.head(thing)].add(thing)
        return list(found.values())


# KiCad's file, by kiutils


def from_kicad(path: Path) -> set[Net]:
    """The pads that copper joins. Net names are not looked at."""
    from kiutils.board import Board as KiCadBoard
    from kiutils.items.brditems import Segment
    from kiutils.items.brditems import Via as KiCadVia

    board = KiCadBoard.from_file(str(path))
    copper = []  # (pad or number, layers, polyline of its middle, reach)
    drawn = [*board.graphicItems, *(item for part in board.footprints for item in part.graphicItems)]
    assert not [item for item in drawn if item.layer.endswith(".Cu")]  # it joins, too
    for part in board.footprints:
        ref = next(text.text for text in part.graphicItems if getattr(text, "type", "") == "reference")
        turn = math.radians(part.position.angle or 0)
        for pad in part.pads:
            if pad.type == "np_thru_hole":
                continue
            x, y = pad.position.X, pad.position.Y
            middle = complex(part.position.X, part.position.Y) + complex(x, y) * complex(
                math.cos(turn), -math.sin(turn)
            )
            layers = {"F.Cu", "B.Cu"} if "*.Cu" in pad.layers else set(pad.layers) & {"F.Cu", "B.Cu"}
            width, height = pad.size.X, pad.size.Y
            if (pad.position.angle or 0) % 180:
                width, height = height, width
            reach = min(width, height) / 2
            half = complex(max(0.0, width / 2 - reach), max(0.0, height / 2 - reach))
            copper.append(((ref, pad.number), layers, middle - half, middle + half, reach))
    for number, item in enumerate(board.traceItems):
        if isinstance(item, Segment):
            ends = complex(item.start.X, item.start.Y), complex(item.end.X, item.end.Y)
            copper.append((number, {item.layer}, *ends, item.width / 2))
        elif isinstance(item, KiCadVia):
            at = complex(item.position.X, item.position.Y)
            copper.append((number, {"F.Cu", "B.Cu"}, at, at, item.size / 2))
    heaps = Heaps()
    for each in copper:
        heaps.head(each[0])
    for one, other in combinations(copper, 2):
        if one[1] & other[1] and apart(one, other) <= 1e-6:
            heaps.join(one[0], other[0])
    nets = (frozenset(each for each in heap if isinstance(each, tuple)) for heap in heaps.all())
    return {net for net in nets if net}


def apart(one: Any, other: Any) -> float:
    """From the edge of one bar to that of another, in mm; far is told roughly."""
    (_, _, a, b, reach), (_, _, c, d, further) = one, other
    rough = abs((a + b) / 2 - (c + d) / 2) - abs(a - b) / 2 - abs(c - d) / 2
    if rough > reach + further:
        return rough
    if crossing(a, b, c, d):
        return 0.0
    ends = (beside(a, c, d), beside(b, c, d), beside(c, a, b), beside(d, a, b))
    return min(ends) - reach - further


def crossing(a: complex, b: complex, c: complex, d: complex) -> bool:
    def side(p: complex, q: complex, r: complex) -> float:
        return ((q - p).conjugate() * (r - p)).imag

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def beside(point: complex, start: complex, end: complex) -> float:
    along = end - start
    share = 0.0 if not along else ((point - start) * along.conjugate()).real / abs(along) ** 2
    return abs(point - start - along * min(1.0, max(0.0, share)))


# Gerber and drill files, by gerbonara


def from_gerbers(folder: Path, name: str) -> set[Net]:
    """The pads that are one when the plotted copper is painted and drilled."""
    heaps, lines, pads = Heaps(), {}, []
    for layer in ("F_Cu", "B_Cu"):
        lines[layer] = painted(folder / f"{name}-{layer}.gbr", layer, heaps, pads)
    for x, y in drilled(folder / f"{name}-PTH.drl"):
        heaps.join(*(run_at(lines[layer], layer, x, y) for layer in ("F_Cu", "B_Cu")))
    nets = defaultdict(set)
    for pad, layer, x, y in pads:
        nets[heaps.head(run_at(lines[layer], layer, x, y))].add(pad)
    return {frozenset(net) for net in nets.values()}


def painted(path: Path, layer: str, heaps: Heaps, pads: list[Any]) -> dict[int, list[Any]]:
    """By line the runs of copper on it, from left to right; those that touch those below are one heap."""
    from gerbonara.rs274x import GerberFile
    from gerbonara.utils import MM

    paint = defaultdict(list)
    for item in GerberFile.open(path).objects:
        if ".P" in item.attrs and hasattr(item, "x"):
            pads.append((tuple(item.attrs[".P"][:2]), layer, item.x, item.y))
        for shape in item.to_primitives(unit=MM):
            assert shape.polarity_dark
            for line, left, right in strokes(shape):
                paint[line].append((left, right))
    runs = {}
    for line in sorted(paint):
        runs[line] = [(layer, line, left, right) for left, right in merged(paint[line])]
        for run in runs[line]:
            heaps.head(run)
            for below in runs.get(line - 1, ()):
                if below[2] <= run[3] and run[2] <= below[3]:
                    heaps.join(run, below)
    return runs


def strokes(shape: Any) -> Iterator[tuple[int, float, float]]:
    """The lines that a shape covers, each from where to where."""
    kind = type(shape).__name__
    if kind == "Rectangle":
        assert shape.rotation % (math.pi / 2) < 1e-9
        wide, high = (shape.w, shape.h) if shape.rotation % math.pi < 1e-9 else (shape.h, shape.w)
        for line in between(shape.y - high / 2, shape.y + high / 2):
            yield line, shape.x - wide / 2, shape.x + wide / 2
        return
    if kind == "Circle":
        a = b = complex(shape.x, shape.y)
        reach = shape.r
    else:
        assert kind == "Line", kind
        a, b, reach = complex(shape.x1, shape.y1), complex(shape.x2, shape.y2), shape.width / 2
    for line in between(min(a.imag, b.imag) - reach, max(a.imag, b.imag) + reach):
        ends = list(chords(a, b, reach, line * STEP))
        if ends:
            yield line, min(ends), max(ends)


def chords(a: complex, b: complex, reach: float, y: float) -> Iterator[float]:
    """Where a bar with round ends begins and ends at a height: its ends' circles and its long sides."""
    for end in (a, b):
        off = y - end.imag
        if abs(off) <= reach:
            half = math.sqrt(reach * reach - off * off)
            yield from (end.real - half, end.real + half)
    if a == b:
        return
    across = (b - a) / abs(b - a) * 1j * reach
    for sign in (1, -1):
        start, stop = a + sign * across, b + sign * across
        if (start.imag - y) * (stop.imag - y) <= 0 and start.imag != stop.imag:
            share = (y - start.imag) / (stop.imag - start.imag)
            yield start.real + share * (stop.real - start.real)


def between(low: float, high: float) -> range:
    return range(math.ceil(low / STEP - 1e-9), math.floor(high / STEP + 1e-9) + 1)


def merged(spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for left, right in sorted(spans):
        if found and left <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], right))
        else:
            found.append((left, right))
    return found


def run_at(lines: dict[int, list[Any]], layer: str, x: float, y: float) -> Any:
    return next(run for run in lines[round(y / STEP)] if run[2] <= x <= run[3])


def drilled(path: Path) -> Iterator[tuple[float, float]]:
    from gerbonara.excellon import ExcellonFile

    with warnings.catch_warnings():
        # KiCad says G90, absolute places, after the header, which gerbonara finds late.
        warnings.simplefilter("ignore", SyntaxWarning)
        file = ExcellonFile.open(path)
    yield from ((item.x, item.y) for item in file.objects)


# The whole board


def whole(board: BoardDescription, read: Any) -> set[frozenset[tuple[str, str, str]]]:
    """The nets of a board's parts: those of its circuit boards by a reader, and the wires of the list."""
    heaps = Heaps()
    for unit, name in units(board).items():
        for net in read(name):
            first, *others = ((unit, part, pad) for part, pad in sorted(net))
            heaps.head(first)
            for pin in others:
                heaps.join(first, pin)
    with open(FOLDER / f"{board.id}-wires.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            heaps.join(pin_of(row["from"]), pin_of(row["to"]))
    found = (frozenset(each for each in heap if soldered(each)) for heap in heaps.all())
    return {net for net in found if net}


def pin_of(text: str) -> tuple[str, str, str]:
    unit, _, pad = text.rpartition(" ")
    part, dot, name = pad.rpartition(".")
    return (unit, part, name) if dot else (unit, "", pad)


def soldered(pin: tuple[str, str, str]) -> bool:
    """Whether a pad is one of a part, not a hole at an edge or a drop of solder."""
    unit, part, _ = pin
    return not unit.startswith("tile") or (part[0] in "SLDC" and len(part) == 3)


def units(board: BoardDescription) -> dict[str, str]:
    """The circuit boards of an 8 x 8 or 10 x 10 board by where they lie, in squares of 45 mm."""
    side = {64: 4, 100: 5}[len(board.spaces)]
    tiles = {f"tile {x},{y}": "tile-2x2-45mm" for x in range(1, side + 1) for y in range(1, side + 1)}
    return {"carrier": f"carrier-{board.id}", **tiles}


def wanted(board: BoardDescription) -> set[frozenset[tuple[str, str, str]]]:
    """The nets that a board file asks for, with the parts that docs/build/header.md names."""
    (bank,), (chain,) = board.banks.values(), board.chains.values()
    _side, nets = len(bank.columns), defaultdict(set)
    lamps = {}
    for space in board.spaces.values():
        row, column = space.slots[0].sensor.row, space.slots[0].sensor.column
        unit, number = f"tile {column // 2 + 1},{row // 2 + 1}", f"{column % 2 + 1}{row % 2 + 1}"
        lamps[board.lamps[space.id].index] = [(unit, f"L{number}", pad) for pad in ("4", "2", "1", "3")]
        nets[f"row {row}"].add((unit, f"D{number}", "2"))
        nets[f"under {space.id}"] |= {(unit, f"D{number}", "1"), *((unit, f"S{number}", pad) for pad in "13")}
        nets[f"column {column}"] |= {(unit, f"S{number}", pad) for pad in "24"}
        upward = row % 2 == 1
        nets["5 V" if upward else "ground"].add((unit, f"C{number}", "1"))
        nets["ground" if upward else "5 V"].add((unit, f"C{number}", "2"))
    for name in board.named_lamps:
        lamps[board.lamps[name].index] = [(f"lamp {name}", "", pad) for pad in ("DIN", "DOUT", "VDD", "VSS")]
    for number in range(chain.length):
        into, out, plus, minus = lamps[number]
        nets[f"data {number}"].add(into)
        if number + 1 < chain.length:  # nothing follows the last one
            nets[f"data {number + 1}"].add(out)
        nets["5 V"].add(plus)
        nets["ground"].add(minus)

    def carrier(net: str, *pads: str) -> None:
        nets[net] |= {("carrier", *pad.split(".")) for pad in pads}

    for number, gpio in enumerate(bank.rows):
        carrier(f"row {number}", f"R{number + 1}.1", f"J1.{number + 1}")
        carrier(f"pin of row {number}", f"R{number + 1}.2", f"U1.{EDGE_PIN_BY_GPIO[gpio]}")
    for number, gpio in enumerate(bank.columns):
        carrier(f"column {number}", f"R{number + 21}.1", f"J2.{number + 1}", f"U1.{EDGE_PIN_BY_GPIO[gpio]}")
        carrier("ground", f"R{number + 21}.2")
    for number, button in enumerate(board.buttons.values(), 1):
        carrier(f"button {button.id}", f"J3.{number}", f"U1.{EDGE_PIN_BY_GPIO[button.gpio]}")
        nets[f"button {button.id}"].add((f"button {button.id}", "", "1"))
        nets["ground"].add((f"button {button.id}", "", "2"))
    carrier("3.3 V data", f"U1.{EDGE_PIN_BY_GPIO[chain.gpio]}", "U2.2", "R44.1")
    carrier("5 V data", "U2.3", "R41.1")
    carrier("data 0", "R41.2", "J5.1")
    carrier("tone", f"U1.{EDGE_PIN_BY_GPIO[board.buzzer.gpio]}", "R42.1")
    carrier("base", "R42.2", "R43.2", "Q1.2")
    carrier("buzzer", "Q1.3", "D1.2", "J4.2")
    nets["buzzer"].add(("buzzer", "", "-"))
    carrier("in", "J6.1", "F1.1")
    carrier("5 V", "F1.2", "C1.1", "C2.1", "J7.1", "J4.1", "D1.1", *(f"U2.{pin}" for pin in (4, 10, 13, 14)))
    nets["5 V"].add(("buzzer", "", "+"))
    grounds = (3, 8, 13, 18, 23, 28, 33, 38)  # data sheet of the Pico, 2.1
    carrier("ground", *(f"U1.{pin}" for pin in grounds), *(f"U2.{pin}" for pin in (1, 5, 7, 9, 12)))
    carrier(
        "ground",
        "J6.2",
        "J7.2",
        "J5.2",
        "C1.2",
        "C2.2",
        "R43.1",
        "R44.2",
        "Q1.1",
        f"J3.{len(board.buttons) + 1}",
    )
    used = {pin for net in nets.values() for pin in net}
    points = ("in", "5 V", "ground", "3.3 V data", "5 V data", "data 0")
    for number, net in enumerate(points, 1):
        carrier(net, f"TP{number}.1")
    rest = [("U1", pin) for pin in range(1, 41)] + [("U2", pin) for pin in (6, 8, 11)]
    lone = {("carrier", part, str(pin)) for part, pin in rest} - used
    return {frozenset(net) for net in nets.values()} | {frozenset([pin]) for pin in lone}
