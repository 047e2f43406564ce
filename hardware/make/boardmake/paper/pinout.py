"""Drawings of what hangs on which pin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from boardrules.art import BLUE, GREEN, INK, ORANGE, PAPER, PURPLE, RED, SECONDARY_INK
from boardrules.shapes import Paint, Polyline, Rectangle, Shape, TextShape, disc
from boardware.header import HEADER_PIN_BY_GPIO as HEADER
from boardware.parts import BoardDescription
from boardware.pico_pins import EDGE_PIN_BY_GPIO as PICO
from boardware.wiring import pin_uses

_HEADER_RAILS: Final = {
    **dict.fromkeys((1, 17), "3.3 V"), **dict.fromkeys((2, 4), "5 V"),
    **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "GND"),
}  # fmt: skip
_PICO_RAILS: Final = {
    40: "VBUS", 39: "VSYS", 37: "3V3_EN", 36: "3V3", 35: "ADC_VREF", 30: "RUN",
    **dict.fromkeys((3, 8, 13, 18, 23, 28, 33, 38), "GND"),
}  # fmt: skip
_COLOUR_BY_USE: Final = (
    ("row", RED), ("column", BLUE), ("data of", ORANGE), ("button", GREEN), ("buzzer", PURPLE), ("", INK),
)  # fmt: skip
_PIN_SPACING_MM: Final = 6.0


class _Pin(NamedTuple):
    number: int
    name: str
    use: str


def draw_pinout(board: BoardDescription, pico: str | None) -> tuple[tuple[Shape, ...], float, float]:
    """The header, or one Pico, from above with what goes to each pin; and the drawing's size in mm."""
    numbers, prefix, rails = (HEADER, "GPIO", _HEADER_RAILS) if pico is None else (PICO, "GP", _PICO_RAILS)
    used = {numbers[gpio]: what.replace("`", "") for gpio, what in pin_uses(board, pico)}
    named = {pin: f"{prefix}{gpio}" for gpio, pin in numbers.items()}
    pins = {
        number: _Pin(number, rails.get(number, named.get(number, "")), used.get(number, ""))
        for number in range(1, 41)
    }
    left, right = _pins_by_side(pins, header=pico is None)
    title = "Raspberry Pi, 40-pin header" if pico is None else title_with_id("Raspberry Pi Pico", pico)
    wide, high = 240.0, 20 * _PIN_SPACING_MM + 32
    return tuple(_pinout_shapes(title, left, right, wide, high)), wide, high


def _pins_by_side(pins: Mapping[int, _Pin], *, header: bool) -> tuple[list[_Pin], list[_Pin]]:
    """From above: of the header odd pins left and even ones right; of a Pico, its USB above, 1 to 20 down
    and 40 to 21."""
    if header:
        return [pins[n] for n in range(1, 41, 2)], [pins[n] for n in range(2, 41, 2)]
    return [pins[n] for n in range(1, 21)], [pins[n] for n in range(40, 20, -1)]


def _pinout_shapes(
    title: str, left: list[_Pin], right: list[_Pin], wide: float, high: float
) -> Iterator[Shape]:
    yield Rectangle(0, 0, wide, high, Paint("#ffffff"))
    yield TextShape(wide / 2, high - 10, 6, title, INK, bold=True)
    middle, top = wide / 2, high - 20
    yield Rectangle(
        middle - 24, top - 20 * _PIN_SPACING_MM - 2, 48, 20 * _PIN_SPACING_MM + 4, Paint(PAPER, INK, 0.6), 2
    )
    for side, pins in ((-1, left), (1, right)):
        for place, pin in enumerate(pins):
            x, y = middle + side * 24, top - (place + 0.5) * _PIN_SPACING_MM
            anchor, inner = ("end", "start") if side < 0 else ("start", "end")
            ink = _pin_colour(pin)
            yield TextShape(
                x - side * 2,
                y - 1.1,
                3.0,
                f"{pin.number}  {pin.name}".strip() if side < 0 else f"{pin.name}  {pin.number}".strip(),
                INK if pin.name else SECONDARY_INK,
                inner,
            )
            yield disc(x, y, 2.4, Paint(ink if pin.use else "#ffffff", INK, 0.3))
            if pin.use:
                yield Polyline(((x + side * 1.4, y), (x + side * 8, y)), Paint(None, ink, 0.8))
                yield TextShape(x + side * 9.5, y - 1.1, 3.0, pin.use, ink, anchor)


def _pin_colour(pin: _Pin) -> str:
    return next(ink for start, ink in _COLOUR_BY_USE if pin.use.startswith(start))


def title_with_id(what: str, id_: str) -> str:
    """`Raspberry Pi Pico west`, but not `Raspberry Pi Pico pico`."""
    return what if what.lower().endswith(id_.lower()) else f"{what} {id_}"
