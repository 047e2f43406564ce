"""The places of parts, drawn from the dimensions that data sheets give, in mm.

Land patterns of parts without a hole leave 0.3 to 0.5 mm of solder beside each terminal, for a soldering
iron.
"""

from __future__ import annotations

from math import sqrt

from boardmake.circuit.layout import BOTTOM_LAYER, Footprint, FootprintPad, LayoutPoint

PIN_PITCH_MM = 2.54
ON_END_PAD_MM = 3.81
"""From the middle of a reed that stands on end to each of its pads. A copper wire joins each lead to its pad:
the upper one stands straight, and the lower one is too short to come back up (`boardmake.physics.leads`)."""
FLAT_NEAR_PAD_MM, FLAT_FAR_PAD_MM = -3.0, 19.0
"""Where the leads of a flat reed go down, from the middle of its square towards the lower right corner."""


def reed() -> Footprint:
    """A glass reed of 14 by 2.3 mm with leads of 15 mm, on end or flat."""
    near, far = FLAT_NEAR_PAD_MM / sqrt(2), FLAT_FAR_PAD_MM / sqrt(2)
    return Footprint(
        "Reed",
        "reed switch: on end from 1 to 2 through the hole, or flat from 3 to 4",
        (
            FootprintPad("1", -ON_END_PAD_MM, 0, 1.7, 1.7, 0.9),
            FootprintPad("2", ON_END_PAD_MM, 0, 1.7, 1.7, 0.9),
            FootprintPad("3", near, near, 1.6, 1.6, 0.9),
            FootprintPad("4", far, far, 1.6, 1.6, 0.9),
        ),
        (-1.5, -1.5, 1.5, 1.5),
        holes=((0, 0, 3.0),),
        has_outline=False,
        label_position=LayoutPoint(0.6, -2.6),
        courtyard=(-4.9, -1.9, 4.9, 1.9),
    )


def lamp() -> Footprint:
    """WS2812B in a 5050 package: body 5 by 5, terminals 3.2 apart, 5.4 over all (Worldsemi's data sheet)."""
    return Footprint(
        "WS2812B",
        "1 VDD, 2 DOUT, 3 VSS, 4 DIN; the cut corner is at 3",
        (
            FootprintPad("1", -2.45, -1.6, 1.5, 1.0),
            FootprintPad("2", -2.45, 1.6, 1.5, 1.0),
            FootprintPad("3", 2.45, 1.6, 1.5, 1.0),
            FootprintPad("4", 2.45, -1.6, 1.5, 1.0),
        ),
        (-2.5, -2.5, 2.5, 2.5),
        orientation_mark=LayoutPoint(1.8, 3.05),
        is_smd=True,
    )


def diode_smd() -> Footprint:
    """SOD-123: body 2.7 by 1.6, 3.7 over its leads, which are 0.6 wide (Diodes Incorporated, 1N4148W)."""
    return Footprint(
        "SOD-123",
        "1 cathode, where the ring is; 2 anode",
        (FootprintPad("1", -1.65, 0, 1.1, 1.2), FootprintPad("2", 1.65, 0, 1.1, 1.2)),
        (-1.4, -0.85, 1.4, 0.85),
        orientation_mark=LayoutPoint(-2.7, 0),
        is_smd=True,
    )


def capacitor_smd() -> Footprint:
    """0805: 2.0 by 1.25."""
    return Footprint(
        "C0805",
        "100 nF, 16 V, X7R",
        (FootprintPad("1", 0, -1.0, 1.4, 1.0), FootprintPad("2", 0, 1.0, 1.4, 1.0)),
        (-0.65, -1.0, 0.65, 1.0),
        is_smd=True,
        has_outline=False,
        label_position=LayoutPoint(-2.3, 0),
    )


def jumper() -> Footprint:
    """Two pads below the board, 0.5 mm apart: a drop of solder joins them."""
    return Footprint(
        "Jumper",
        "closed by a drop of solder",
        (
            FootprintPad("1", 0, -1.0, 1.0, 1.5, layer=BOTTOM_LAYER),
            FootprintPad("2", 0, 1.0, 1.0, 1.5, layer=BOTTOM_LAYER),
        ),
        (-0.5, -1.75, 0.5, 1.75),
        is_smd=True,
        has_outline=False,
    )


def fiducial() -> Footprint:
    """What a machine finds its way by: 1 mm of copper, 2 mm without mask (IPC-7351)."""
    return Footprint(
        "Fiducial",
        "for the machine that sets parts",
        (FootprintPad("1", 0, 0, 1.0, 1.0, disc=True, bare=0.5),),
        (-0.5, -0.5, 0.5, 0.5),
        is_smd=True,
        has_outline=False,
        courtyard=(-1.0, -1.0, 1.0, 1.0),
    )


def tooling_hole() -> Footprint:
    """What holds a panel in the machine: a hole of 2 mm without copper, as JLCPCB advises."""
    return Footprint(
        "ToolingHole",
        "for the machine that sets parts",
        (),
        (-1.0, -1.0, 1.0, 1.0),
        ((0.0, 0.0, 2.0),),
        has_outline=False,
        courtyard=(-1.5, -1.5, 1.5, 1.5),
    )


def test_point() -> Footprint:
    """A round pad of 1.5 mm for a meter's probe."""
    return Footprint(
        "TestPoint",
        "for a meter",
        (FootprintPad("1", 0, 0, 1.5, 1.5, disc=True),),
        (-0.75, -0.75, 0.75, 0.75),
        is_smd=True,
        has_outline=False,
        label_position=LayoutPoint(0, -1.6),
    )


def edge_holes(name: str, pads: dict[str, tuple[float, float]]) -> Footprint:
    """Holes of 1 mm along an edge, for bits of wire."""
    x, y = pads.get("R") or pads["C"]  # one hole of them: the others have parts beside them
    room = (x - 1.0, y - 1.0, x + 1.0, y + 1.0)
    return Footprint(
        name,
        "holes for wires to the next tile or to the carrier",
        tuple(FootprintPad(pad, x, y, 1.6, 1.6, 1.0) for pad, (x, y) in pads.items()),
        room,
        has_outline=False,
        courtyard=room,
    )


def pin_header(count: int) -> Footprint:
    """A row of pins or holes, 2.54 mm apart, of 0.64 mm square: the diagonal is 0.9."""
    return Footprint(
        f"Pins{count}",
        "pin header, 2.54 mm",
        tuple(
            FootprintPad(str(number + 1), 0, PIN_PITCH_MM * number, 1.7, 1.7, 1.0, is_round=number > 0)
            for number in range(count)
        ),
        (-1.27, -1.27, 1.27, PIN_PITCH_MM * count - 1.27),
    )


def pico() -> Footprint:
    """A Raspberry Pi Pico: 51 by 21, holes of 1 mm, 2.54 apart, in rows 17.78 apart (its data sheet, 2.1)."""
    left = [
        FootprintPad(str(number + 1), -8.89, -24.13 + PIN_PITCH_MM * number, 1.7, 1.7, 1.0)
        for number in range(20)
    ]
    right = [
        FootprintPad(str(40 - number), 8.89, -24.13 + PIN_PITCH_MM * number, 1.7, 1.7, 1.0)
        for number in range(20)
    ]
    return Footprint(
        "Pico",
        "Raspberry Pi Pico on sockets; its USB is at pins 1 and 40",
        (left[0]._replace(is_round=False), *left[1:], *right),
        (-10.5, -25.5, 10.5, 25.5),
        orientation_mark=LayoutPoint(-11.3, -24.13),
    )


def resistor() -> Footprint:
    """A quarter of a watt: body 6.3 by 2.5 (Vishay CCF07 and its like), leads bent 10.16 apart."""
    return Footprint(
        "R10.16",
        "resistor, 0.25 W",
        (FootprintPad("1", -5.08, 0, 1.6, 1.6, 0.9), FootprintPad("2", 5.08, 0, 1.6, 1.6, 0.9)),
        (-3.2, -1.2, 3.2, 1.2),
        is_label_inside=True,
    )


def diode() -> Footprint:
    """DO-35: body 3.9 by 1.7 at most (Vishay 1N4148), leads bent 10.16 apart."""
    return Footprint(
        "DO-35",
        "1 cathode, where the ring is; 2 anode",
        (
            FootprintPad("1", -5.08, 0, 1.6, 1.6, 0.9, is_round=False),
            FootprintPad("2", 5.08, 0, 1.6, 1.6, 0.9),
        ),
        (-2.0, -1.0, 2.0, 1.0),
        orientation_mark=LayoutPoint(-2.7, 0),
        is_label_inside=True,
    )


def dip14() -> Footprint:
    """DIP-14: rows 7.62 apart (JEDEC MS-001; Texas Instruments N0014A: body 19.7 by 6.6)."""
    left = [
        FootprintPad(str(number + 1), -3.81, -7.62 + PIN_PITCH_MM * number, 1.6, 1.6, 0.9)
        for number in range(7)
    ]
    right = [
        FootprintPad(str(14 - number), 3.81, -7.62 + PIN_PITCH_MM * number, 1.6, 1.6, 0.9)
        for number in range(7)
    ]
    return Footprint(
        "DIP-14",
        "pin 1 at the dot",
        (left[0]._replace(is_round=False), *left[1:], *right),
        (-2.6, -9.85, 2.6, 9.85),
        orientation_mark=LayoutPoint(-5.6, -7.62),
    )


def radial_part(name: str, pitch: float, across: float, drill: float) -> Footprint:
    """A part that stands on two leads so far apart, with a round body."""
    half, ring = across / 2, drill + 0.9
    return Footprint(
        name,
        f"radial, leads {pitch:g} mm apart, {across:g} mm across",
        (
            FootprintPad("1", -pitch / 2, 0, ring, ring, drill, is_round=False),
            FootprintPad("2", pitch / 2, 0, ring, ring, drill),
        ),
        (-half, -half, half, half),
    )


def screw_terminal() -> Footprint:
    """A screw terminal of two poles, 5.08 mm apart, pins of 1 mm (Phoenix Contact MKDS 1.5/2-5.08)."""
    return Footprint(
        "Terminal2",
        "screw terminal, 5.08 mm",
        (
            FootprintPad("1", -2.54, 0, 2.6, 2.6, 1.3, is_round=False),
            FootprintPad("2", 2.54, 0, 2.6, 2.6, 1.3),
        ),
        (-5.08, -4.1, 5.08, 4.1),
    )


def transistor() -> Footprint:
    """TO-92 with its leads bent 2.54 apart: 1 emitter, 2 base, 3 collector (2N3904, onsemi)."""
    return Footprint(
        "TO-92",
        "1 emitter, 2 base, 3 collector, seen from above with the flat side towards the lower edge",
        (
            FootprintPad("1", -2.54, 0, 1.6, 1.6, 0.9, is_round=False),
            FootprintPad("2", 0, 0, 1.6, 1.6, 0.9),
            FootprintPad("3", 2.54, 0, 1.6, 1.6, 0.9),
        ),
        (-3.6, -2.2, 3.6, 1.5),
    )
