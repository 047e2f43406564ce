"""Makers' choices of sensors and magnets, by name, for the boards that are simulated."""

from __future__ import annotations

from typing import Final, NamedTuple

from boardware.physics.design import DEFAULT_DESIGN, POLES_UP, SensorDesign


class MakerKit(NamedTuple):
    """A maker's choice, and how much what he bought varies."""

    design: SensorDesign = DEFAULT_DESIGN
    sample_spread: float = 1.0
    """How much samples differ, as a share of what they may; 0: all are alike, and sit where they should."""
    magnets_on_side: bool = False
    """Whether magnets were glued in on their side, each in a direction of its own."""
    upside_down: bool = False
    """Whether all magnets were glued in the wrong way up."""
    odd_magnet_rate: float = 0.05
    """How many pieces have another magnet than the usual one: weaker, upside down, or with an iron disc."""


KITS: Final = {
    "usual": MakerKit(),
    "strong": MakerKit(SensorDesign("reed on end 20-25 AT", "10x3")),
    "mixed": MakerKit(odd_magnet_rate=0.25),
    "flat": MakerKit(SensorDesign("reed flat 15-20 AT", "8x3", gap_mm=4.0, aside_mm=9.0, turn_deg=45.0)),
    # It feels one pole alone, so a crowd can't hold it.
    "hall": MakerKit(SensorDesign("HAL504", "10x6", gap_mm=8.0, poles=POLES_UP)),
    # For circles 30 mm apart, and for cities with two rings.
    "narrow": MakerKit(SensorDesign("reed on end 15-20 AT", "6x3", gap_mm=4.0)),
    # A Hall switch that feels both poles spreads so much that its worst samples are in doubt.
    "either-pole": MakerKit(SensorDesign("DRV5032FC", "5x4")),
    # What should not be built, to see what becomes of it. On a border of two ranks both sensors feel a piece:
    "far": MakerKit(SensorDesign("reed flat 10-15 AT", "12x3", gap_mm=4.0, aside_mm=9.0, turn_deg=90.0)),
    "flat-centred": MakerKit(SensorDesign("reed flat 15-20 AT", "8x2")),
    "crowded": MakerKit(SensorDesign("reed on end 10-15 AT", "10x3", poles=POLES_UP)),
}
WIDE_SPACING_KITS: Final = ("usual", "strong", "mixed", "flat", "hall")
"""Those for spaces 45 mm apart."""
NARROW_SPACING_KITS: Final = ("narrow",)
"""Those for spaces 30 mm apart."""
