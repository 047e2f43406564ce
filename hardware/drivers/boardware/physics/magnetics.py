"""Whether a board feels its pieces and nothing else, by `reach`."""

from __future__ import annotations

from collections.abc import Iterator

from boardware.parts import BoardDescription, BoardPoint
from boardware.physics.design import POLES_UP, SensorDesign
from boardware.physics.reach import (
    CARRY_HEIGHT_MM,
    ContactNeighbours,
    Reaches,
    compute_reaches,
    neighbours_on_board,
)
from boardware.physics.sensors import SENSOR_PARTS
from boardware.physics.verdict import Grade, ModelVerdict

BOARD_FILE_TABLE = "sensing"
MODEL_VALID_DIAMETERS = 0.75
"""Diameters of a magnet from which on what a Hall switch feels beside its middle is right within 15 % of the
most that it feels (`tests/hardware/test_magnets.py`). Of reeds it is right from nearer on."""
SAMPLE_RATE_MIN_HZ = 15
"""A switch that looks less often misses a piece that is put back at once: an estimate."""


def model_verdicts(board: BoardDescription) -> Iterator[ModelVerdict]:
    """How far off the middle a piece is felt, what its neighbours do, and from how high on it is lifted."""
    if not board.slots_by_contact:
        return
    if board.sensor_design is None:
        text = "the file doesn't say what senses pieces; try [sensing] with sensor, magnet, gap_mm and poles"
        yield ModelVerdict(Grade.DOUBT, BOARD_FILE_TABLE, text)
        return
    places: dict[BoardPoint, str] = {}
    for slot in board.slots_by_contact.values():
        other = places.setdefault(board.slots[slot].position, slot)
        if other != slot:
            text = f"{other} and {slot} lie at one place; move one of them"
            yield ModelVerdict(Grade.REFUSED, BOARD_FILE_TABLE, text)
            return
    yield from judge_design(board.sensor_design, neighbours_on_board(board))


def judge_design(design: SensorDesign, around: ContactNeighbours) -> Iterator[ModelVerdict]:
    """What is said of a design whose sensors lie so."""
    if (why := _impossible_reason(design)) is not None:
        yield ModelVerdict(Grade.REFUSED, BOARD_FILE_TABLE, why)
        return
    found = compute_reaches(design, around)
    yield ModelVerdict(*_grade_felt_distance(design, found, around.required_distance_mm))
    if around.nearest_offsets:
        yield ModelVerdict(*_grade_neighbours(design, found, around))
    yield ModelVerdict(*_grade_lift_height(found))
    part, near = design.part, MODEL_VALID_DIAMETERS * design.magnet_disc.diameter_mm
    if not part.is_reed and design.gap_mm < near:
        text = (
            f"so near to a magnet of {design.magnet} the model may be wrong by a third beside the middle;"
            f" try gap_mm of at least {near:g}, or measure your board"
        )
        yield ModelVerdict(Grade.DOUBT, BOARD_FILE_TABLE, text)
    if part.sample_rate_hz is not None and part.sample_rate_hz < SAMPLE_RATE_MIN_HZ:
        text = f"{design.sensor} looks {part.sample_rate_hz:g} times a second; {SAMPLE_RATE_MIN_HZ} needed"
        yield ModelVerdict(Grade.DOUBT, BOARD_FILE_TABLE, text)


def _impossible_reason(design: SensorDesign) -> str | None:
    """Why a sensor can't work under such magnets, whatever their size and its place."""
    if SENSOR_PARTS[design.sensor].is_latch:  # as it is sold: a measured release can't hide it
        return (
            f"{design.sensor} is a latch: when its piece is lifted it stays closed until the other pole"
            " comes; try a switch"
        )
    if not design.is_one_pole_only or design.poles == POLES_UP:
        return None
    if design.has_mixed_poles:
        return f'{design.sensor} senses one pole only; try poles = "up", or a sensor that feels both'
    return (
        f'{design.sensor} senses the south pole only, and poles = "down" turns it away: no piece closes it;'
        ' try poles = "up"'
    )


def _grade(worst: bool, usual: bool) -> Grade:
    """Of what is fine with the worst parts, and with usual ones."""
    return Grade.FINE if worst else Grade.DOUBT if usual else Grade.REFUSED


def _grade_felt_distance(design: SensorDesign, found: Reaches, need: float) -> tuple[Grade, str, str]:
    far = [-1.0 if each.felt_mm is None else each.felt_mm for each in found]
    grade = _grade(far[0] >= need, far[1] >= need)
    told = f"{design}: {_describe_felt_distance(found)}"
    if grade is Grade.FINE:
        return grade, BOARD_FILE_TABLE, f"{told}; {need:.1f} mm needed"
    short = need - max(0.0, far[0] if grade is Grade.DOUBT else far[1])
    return (
        grade,
        BOARD_FILE_TABLE,
        f"{told}; {need:.1f} mm needed, {short:.1f} mm missing; {_advise_on_distance(design)}",
    )


def _describe_felt_distance(found: Reaches) -> str:
    worst, usual = found.worst.felt_mm, found.usual.felt_mm
    if usual is None:
        return "a piece on the middle of its space isn't sensed"
    worst_is = "not at all" if worst is None else f"{worst:g} mm"
    return f"a piece is sensed up to {usual:g} mm off the middle, {worst_is} with the worst parts"


def _advise_on_distance(design: SensorDesign) -> str:
    if design.is_open_below_magnet and not design.aside_mm:
        return f"a {design.part.kind.value} is open below a magnet; try aside_mm, about 9 for a reed"
    if design.aside_mm and not design.is_open_below_magnet:
        return f"a {design.part.kind.value} senses best what stands right above it; try aside_mm = 0"
    return "try a stronger magnet, a smaller gap_mm, or a more sensitive sensor"


def _grade_neighbours(
    design: SensorDesign, found: Reaches, around: ContactNeighbours
) -> tuple[Grade, str, str]:
    most = [max(each.neighbour_share, each.crowd_share) for each in found]
    grade = _grade(most[0] < 1, most[1] < 1)
    worst, usual = (
        [f"{100 * share:.0f} %" for share in (each.neighbour_share, each.crowd_share)] for each in found
    )
    told = (
        f"one neighbour {around.pitch:.0f} mm away adds {usual[0]} of what keeps a sensor closed, all"
        f" neighbours {usual[1]}; {worst[0]} and {worst[1]} with the worst parts"
    )
    if grade is Grade.FINE:
        return grade, BOARD_FILE_TABLE, f"{told}; under 100 % needed"
    over = 100 * (most[0 if grade is Grade.DOUBT else 1] - 1)
    poles = "" if design.has_mixed_poles or design.is_one_pole_only else 'poles = "mixed", '
    return (
        grade,
        BOARD_FILE_TABLE,
        (
            f"{told}, {over:.0f} % too much: a square that was left stays closed;"
            f" try {poles}a weaker magnet, or a less sensitive sensor"
        ),
    )


def _grade_lift_height(found: Reaches) -> tuple[Grade, str, str]:
    worst, usual = found.worst.lift_height_mm, found.usual.lift_height_mm
    grade = _grade(worst <= CARRY_HEIGHT_MM, usual <= CARRY_HEIGHT_MM)
    told = f"a lift is noticed {usual:g} mm up, {worst:g} mm with the worst parts"
    if grade is Grade.FINE:
        return grade, BOARD_FILE_TABLE, f"{told}; {CARRY_HEIGHT_MM:g} mm allowed"
    over = (worst if grade is Grade.DOUBT else usual) - CARRY_HEIGHT_MM
    return (
        grade,
        BOARD_FILE_TABLE,
        (
            f"{told}: {over:g} mm too high, as people carry pieces {CARRY_HEIGHT_MM:g} mm up;"
            " try a weaker magnet, or a less sensitive sensor"
        ),
    )
