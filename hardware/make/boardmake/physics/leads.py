"""Whether the leads of a reed on end are long enough for the way that it is built in. Lengths in mm."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from boardware.parts import BoardDescription
from boardware.physics.magnetics import BOARD_FILE_TABLE
from boardware.physics.sensors import SensorKind
from boardware.physics.verdict import Grade, ModelVerdict

STRAIGHT_MIN_MM: Final = 3.0
"""A lead is neither bent nor cut nearer to the glass: the seal breaks."""
JOINT_MM: Final = 2.0
"""What a wire is soldered to."""


class ReedSize(NamedTuple):
    """The dimensions of a reed as it is sold."""

    glass_length: float
    overall_length: float

    @property
    def lead_length(self) -> float:
        """Each of its leads."""
        return (self.overall_length - self.glass_length) / 2


REED_SIZES: Final = {
    "14 mm glass": ReedSize(14.0, 44.6),
    "4 mm glass (Standex KSK-1A04)": ReedSize(4.1, 34.5),
}
"""Reeds that are sold: most of 14 mm glass are 44 to 45 mm over all; KSK-1A04 by its data sheet."""
USUAL_REED: Final = "14 mm glass"
"""What the parts list names and the model takes."""


class LeadLengths(NamedTuple):
    """How long the leads of a reed on end have to be."""

    upper: float
    lower: float


def needed_lead_lengths(size: ReedSize, bent: float, back: float) -> LeadLengths:
    """From the glass on. One that comes back up ends at the height of the other one's bend; a straight one is
    cut, and a wire soldered to it."""
    lower = (
        STRAIGHT_MIN_MM + back + STRAIGHT_MIN_MM + size.glass_length + STRAIGHT_MIN_MM
        if back
        else STRAIGHT_MIN_MM + JOINT_MM
    )
    return LeadLengths(STRAIGHT_MIN_MM + (bent or JOINT_MM), lower)


def verdicts(board: BoardDescription) -> Iterator[ModelVerdict]:
    """Of a board whose file bends leads."""
    design = board.sensor_design
    if design is None or design.part.kind is not SensorKind.ON_END or not (design.bent_mm or design.back_mm):
        return
    size = REED_SIZES[USUAL_REED]
    upper, lower = needed_lead_lengths(size, design.bent_mm, design.back_mm)
    told = (
        f"its upper lead has to be {upper:.1f} mm long, the lower one {lower:.1f};"
        f" reeds of {USUAL_REED} have {size.lead_length:.1f}"
    )
    short = max(upper, lower) - size.lead_length
    if short <= 0:
        yield ModelVerdict(Grade.FINE, BOARD_FILE_TABLE, told)
        return
    advice = "try back_mm = 0, with a copper wire as the way back"
    yield ModelVerdict(Grade.REFUSED, BOARD_FILE_TABLE, f"{told}: {short:.1f} mm are missing; {advice}")
