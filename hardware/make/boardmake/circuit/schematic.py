"""A circuit board's schematic as a file of KiCad 6, made from the same layout as its copper.

Each part is a box with named pins, and each pin bears the name of its net. Parts and nets have the
names and identities that the board's file has, so that KiCad finds nothing to change when it updates one from
the other. Pins say what drives what, where data sheets do: so KiCad finds two outputs on a net.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from boardmake.circuit.layout import Footprint, Layout, LayoutPart
from boardmake.circuit.ordering import ORDERED_PARTS
from boardware.pico_pins import EDGE_PIN_BY_GPIO

GRID_MM: Final = 2.54
_HALF_WIDTH: Final = 4 * GRID_MM
_FIRST: Final = (20 * GRID_MM, 12 * GRID_MM)
_COLUMN: Final = 30 * GRID_MM
_LOWEST: Final = 150 * GRID_MM
"""A sheet of A2 has 420 mm."""
POWER_FLAG: Final = "Supply"
"""A symbol that says that a net is fed from outside."""
_SUPPLY, _IN, _OUT, _BOTH, _LEFT_OPEN, _PASSIVE = (
    *("power_in", "input", "output", "bidirectional", "tri_state", "passive"),
)
_GATE: Final = {"OE": _IN, "A": _IN, "Y": _LEFT_OPEN}


class SymbolPin(NamedTuple):
    """A pin: what it is called, and what it does in KiCad's words."""

    name: str
    kind: str = _PASSIVE


_PICO: Final = {
    **{str(pin): SymbolPin(f"GP{gpio}", _BOTH) for gpio, pin in EDGE_PIN_BY_GPIO.items()},
    **{str(pin): SymbolPin("GND", _SUPPLY) for pin in (3, 8, 13, 18, 23, 28, 38)},
    "30": SymbolPin("RUN", _IN),
    "33": SymbolPin("AGND", _SUPPLY),
    "35": SymbolPin("ADC_VREF"),
    "36": SymbolPin("3V3", "power_out"),
    "37": SymbolPin("3V3_EN", _IN),
    "39": SymbolPin("VSYS"),
    "40": SymbolPin("VBUS", "power_out"),
}
PIN_NAMES: Final = {
    "WS2812B": {
        "1": SymbolPin("VDD", _SUPPLY), "2": SymbolPin("DOUT", _OUT),
        "3": SymbolPin("VSS", _SUPPLY), "4": SymbolPin("DIN", _IN),
    },
    "DIP-14": {
        **{
            str(pin): SymbolPin(f"{gate}{name}", _GATE[name])
            for gate, pins in enumerate(((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11)), 1)
            for pin, name in zip(pins, _GATE, strict=True)
        },
        "7": SymbolPin("GND", _SUPPLY), "14": SymbolPin("VCC", _SUPPLY),
    },
    "Pico": _PICO,
    "SOD-123": {"1": SymbolPin("K"), "2": SymbolPin("A")},
    "DO-35": {"1": SymbolPin("K"), "2": SymbolPin("A")},
    "TO-92": {"1": SymbolPin("E"), "2": SymbolPin("B"), "3": SymbolPin("C")},
}  # fmt: skip
"""The pins of parts by their place on the board; those of others are passive and have numbers alone."""


def part_uuid(layout: Layout, ref: str) -> str:
    """By which schematic and board know a part."""
    return str(uuid5(NAMESPACE_URL, f"boardumpire {layout.name} part {ref}"))


def no_connect_net(part: LayoutPart, number: str) -> str:
    """The net of a pin that is joined to nothing, as KiCad names it since version 7."""
    name = PIN_NAMES.get(part.footprint.name, {}).get(number, SymbolPin("~")).name
    return f"unconnected-({part.ref}-{'' if name == '~' else f'{name}-'}Pad{number})"


def schematic_text(layout: Layout) -> str:
    """The text of a `.kicad_sch`."""
    return "\n".join(_Sheet(layout).sheet_lines()) + "\n"


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _format_mm(value: float) -> str:
    return f"{round(value, 3) + 0.0:g}"


def _symbol_pins(footprint: Footprint) -> list[tuple[str, SymbolPin]]:
    known = PIN_NAMES.get(footprint.name, {})
    return [(pad.name, known.get(pad.name, SymbolPin("~"))) for pad in footprint.pads]


class _PinAt(NamedTuple):
    """Where a pin ends, from the middle of its symbol, upwards."""

    number: str
    pin: SymbolPin
    x: float
    y: float


def _pin_positions(pins: list[tuple[str, SymbolPin]]) -> list[_PinAt]:
    """The first half of the pins on the left, the others on the right."""
    left = (len(pins) + 1) // 2
    found = []
    for index, (number, pin) in enumerate(pins):
        row, side = (index, -1) if index < left else (index - left, 1)
        found.append(_PinAt(number, pin, side * (_HALF_WIDTH + GRID_MM), -GRID_MM * row))
    return found


class _Sheet:
    """One schematic on its way into text."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._parts = [part for part in layout.parts if part.drawn]
        self._count = 0

    def _uuid(self) -> str:
        self._count += 1
        return f"(uuid {uuid5(NAMESPACE_URL, f'boardumpire {self._layout.name} sheet {self._count}')})"

    def sheet_lines(self) -> Iterator[str]:
        """The file."""
        yield "(kicad_sch (version 20211123) (generator boardumpire)"
        yield f"  {self._uuid()}"
        yield '  (paper "A2")'
        yield f"  (title_block (title {_quoted(self._layout.title)}))"
        yield "  (lib_symbols"
        for footprint in {part.footprint.name: part.footprint for part in self._parts}.values():
            yield from _symbol_definition(footprint.name, _symbol_pins(footprint))
        yield from _symbol_definition(POWER_FLAG, [("1", SymbolPin("~", "power_out"))], power=True)
        yield "  )"
        instances = []
        x, y = _FIRST
        for part in self._parts:
            pins = _symbol_pins(part.footprint)
            high = GRID_MM * ((len(pins) + 1) // 2 + 3)
            if y + high > _LOWEST:
                x, y = x + _COLUMN, _FIRST[1]
            yield from self._part_lines(part, x, y)
            instances.append((part_uuid(self._layout, part.ref), part.ref, part.value, part.footprint.name))
            y += high
        for number, net in enumerate(self._power_flags(), 1):
            ref = f"#FLG{number:02}"
            if y + 4 * GRID_MM > _LOWEST:
                x, y = x + _COLUMN, _FIRST[1]
            yield from self._placed_symbol(
                POWER_FLAG, ref, POWER_FLAG, "", x, y, part_uuid(self._layout, ref), ["1"], ()
            )
            (pin,) = _pin_positions([("1", SymbolPin("~"))])
            yield self._label_line(net, x + pin.x, y - pin.y, left=True)
            instances.append((part_uuid(self._layout, ref), ref, POWER_FLAG, ""))
            y += 4 * GRID_MM
        yield '  (sheet_instances (path "/" (page "1")))'
        yield "  (symbol_instances"
        for uuid, ref, value, kind in instances:
            place = f"boardumpire:{kind}" if kind else ""
            yield (
                f'    (path "/{uuid}" (reference {_quoted(ref)}) (unit 1) (value {_quoted(value)})'
                f" (footprint {_quoted(place)}))"
            )
        yield "  )"
        yield ")"

    def _power_flags(self) -> list[str]:
        """The nets that supply parts, which all come from outside."""
        return sorted(
            {
                net
                for part in self._parts
                for number, pin in _symbol_pins(part.footprint)
                if pin.kind == _SUPPLY and (net := part.nets.get(number))
            }
        )

    def _part_lines(self, part: LayoutPart, x: float, y: float) -> Iterator[str]:
        pins = _symbol_pins(part.footprint)
        ordered = ORDERED_PARTS.get(part.footprint.name)
        more = (("MPN", ordered.mpn), ("LCSC", ordered.lcsc)) if ordered else ()
        yield from self._placed_symbol(
            part.footprint.name, part.ref, part.value, f"boardumpire:{part.footprint.name}", x, y,
            part_uuid(self._layout, part.ref), [number for number, _ in pins], more,
            bought=part.is_bought and part.is_fitted,
        )  # fmt: skip
        for pin in _pin_positions(pins):
            net = part.nets.get(pin.number)
            if net:
                yield self._label_line(net, x + pin.x, y - pin.y, left=pin.x < 0)
            else:
                yield f"  (no_connect (at {_format_mm(x + pin.x)} {_format_mm(y - pin.y)}) {self._uuid()})"

    def _placed_symbol(
        self, symbol: str, ref: str, value: str, footprint: str, x: float, y: float, uuid: str,
        pins: list[str], more: tuple[tuple[str, str], ...], *, bought: bool = False,
    ) -> Iterator[str]:  # fmt: skip
        bom = "yes" if bought else "no"
        yield (
            f"  (symbol (lib_id {_quoted(f'boardumpire:{symbol}')})"
            f" (at {_format_mm(x)} {_format_mm(y)} 0) (unit 1)"
            f" (in_bom {bom}) (on_board yes) (uuid {uuid})"
        )
        shown = [("Reference", ref, -2 * GRID_MM, False), ("Value", value, 2 * GRID_MM, False)]
        hidden = [("Footprint", footprint, 0.0, True), ("Datasheet", "", 0.0, True)]
        hidden += [(name, said, 0.0, True) for name, said in more]
        for number, (name, said, dx, hide) in enumerate((*shown, *hidden)):
            yield (
                f"    (property {_quoted(name)} {_quoted(said)} (id {number})"
                f" (at {_format_mm(x + dx)} {_format_mm(y - 1.5 * GRID_MM)} 0)"
                f" (effects (font (size 1.27 1.27)){' hide' if hide else ''}))"
            )
        for pin in pins:
            yield f"    (pin {_quoted(pin)} {self._uuid()})"
        yield "  )"

    def _label_line(self, net: str, x: float, y: float, *, left: bool) -> str:
        turn, justify = (180, "right") if left else (0, "left")
        return (
            f"  (global_label {_quoted(net)} (shape passive) (at {_format_mm(x)} {_format_mm(y)} {turn})"
            f" (effects (font (size 1.27 1.27)) (justify {justify})) {self._uuid()})"
        )


def _symbol_definition(name: str, pins: list[tuple[str, SymbolPin]], *, power: bool = False) -> Iterator[str]:
    """A box, as the sheet keeps it."""
    ref = "#FLG" if power else "U"
    kind = " (power)" if power else ""
    yield f"    (symbol {_quoted(f'boardumpire:{name}')}{kind} (in_bom yes) (on_board yes)"
    for number, (field, said) in enumerate(
        (("Reference", ref), ("Value", name), ("Footprint", ""), ("Datasheet", ""))
    ):
        yield (
            f"      (property {_quoted(field)} {_quoted(said)} (id {number}) (at 0 0 0)"
            " (effects (font (size 1.27 1.27)) hide))"
        )
    places = _pin_positions(pins)
    lower = min(pin.y for pin in places) - GRID_MM / 2
    yield (
        f"      (symbol {_quoted(f'{name}_0_1')}"
        f" (rectangle (start {_format_mm(-_HALF_WIDTH)} {_format_mm(GRID_MM / 2)})"
        f" (end {_format_mm(_HALF_WIDTH)} {_format_mm(lower)})"
        " (stroke (width 0.15) (type default) (color 0 0 0 0)) (fill (type none))))"
    )
    yield f"      (symbol {_quoted(f'{name}_1_1')}"
    for pin in places:
        yield (
            f"        (pin {pin.pin.kind} line"
            f" (at {_format_mm(pin.x)} {_format_mm(pin.y)} {0 if pin.x < 0 else 180})"
            f" (length {_format_mm(GRID_MM)})"
            f" (name {_quoted(pin.pin.name)} (effects (font (size 1.27 1.27))))"
            f" (number {_quoted(pin.number)} (effects (font (size 1.27 1.27)))))"
        )
    yield "      )"
    yield "    )"
