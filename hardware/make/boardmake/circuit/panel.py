"""A tile between two rails, for the machine that sets its parts: it clamps the rails, which then break off.

JLCPCB's standard assembly asks for rails of 5 mm with fiducials and tooling holes. A panel has one tile: with
its rails it stays within 100 x 100 mm, up to which circuit boards are cheap.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from boardmake.circuit import footprints
from boardmake.circuit.layout import Footprint, Layout, LayoutPart, LayoutPoint, PrintedText, rounded_point

RAIL_MM: Final = 5.0
TOOLING_INSET_MM: Final = (5.0, 2.5)
FIDUCIAL_INSET_MM: Final = (10.0, 3.58)
"""From the corners of the panel, sideways and upwards."""
SCORE_LAYER: Final = "Cmts.User"


def panel_layout(tile: Layout) -> Layout:
    """The same tile with a rail above and below."""
    width, height = tile.width, tile.height + 2 * RAIL_MM

    def moved(at: LayoutPoint) -> LayoutPoint:
        return rounded_point(at.x, at.y + RAIL_MM)

    panel = Layout(
        f"{tile.name}-panel",
        f"{tile.title}, panel",
        width,
        height,
        [replace(part, y=moved(LayoutPoint(part.x, part.y)).y) for part in tile.parts],
        [track._replace(start=moved(track.start), end=moved(track.end)) for track in tile.tracks],
        [via._replace(at=moved(via.at)) for via in tile.vias],
        [hole._replace(at=moved(hole.at)) for hole in tile.holes],
        [words._replace(at=moved(words.at)) for words in tile.texts],
        [RAIL_MM, height - RAIL_MM],
    )
    for score in panel.scores:
        rail = score - RAIL_MM if score == RAIL_MM else score
        words = LayoutPoint(width / 2, rail + RAIL_MM / 2)
        panel.texts.append(PrintedText("V-SCORE", words, layer=SCORE_LAYER))

    def add(ref: str, value: str, footprint: Footprint, x: float, y: float) -> None:
        panel.parts.append(LayoutPart(ref, value, footprint, x, y, {}, is_bought=False, drawn=False))

    x, y = TOOLING_INSET_MM
    for number, spot in enumerate(((x, y), (width - x, y), (x, height - y), (width - x, height - y)), 1):
        add(f"TH{number}", "tooling hole", footprints.tooling_hole(), *rounded_point(*spot))
    x, y = FIDUCIAL_INSET_MM
    for number, spot in enumerate(((x, y), (x, height - y), (width - x, height - y)), 4):
        add(f"FID{number}", "fiducial", footprints.fiducial(), *rounded_point(*spot))
    return panel
