"""Whether a board feels its pieces and nothing else, by `reach`."""

from __future__ import annotations

from collections.abc import Iterator

from boardware.parts import BoardDescription, BoardPoint
from boardware.physics.design import UP, SensorDesign
from boardware.physics.reach import LIFTED, ContactNeighbours, Reaches, of_board, reaches
from boardware.physics.sensors import PARTS
from boardware.physics.verdict import Grade, ModelVerdict

WHERE = "sensing"
NEAR = 0.75
"""Diameters of a magnet from which on what a Hall switch feels beside its middle is right within 15 % of the
most that it feels (`tests/hardware/test_magnets.py`). Of reeds it is right from nearer on."""
SLOW_HZ = 15
"""A switch that looks less often misses a piece that is put back at once: an estimate."""


def verdicts(board: BoardDescription) -> Iterator[ModelVerdict]:
    """How far off the middle a piece is felt, what its neighbours do, and from how high on it is lifted."""
    if not board.contacts:
        return
    if board.sensing is None:
        text = "the file doesn't say what senses pieces; try [sensing] with sensor, magnet, gap_mm and poles"
        yield ModelVerdict(Grade.DOUBT, WHERE, text)
        return
    places: dict[BoardPoint, str] = {}
    for slot in board.contacts.values():
        other = places.setdefault(board.slots[slot].position, slot)
        if other != slot:
            text = f"{other} and {slot} lie at one place; move one of them"
            yield ModelVerdict(Grade.REFUSED, WHERE, text)
            return
    yield from judged(board.sensing, of_board(board))


def judged(design: SensorDesign, around: ContactNeighbours) -> Iterator[ModelVerdict]:
    """What is said of a design whose sensors lie so."""
    if (why := _never(design)) is not None:
        yield ModelVerdict(Grade.REFUSED, WHERE, why)
        return
    found = reaches(design, around)
    yield ModelVerdict(*_felt(design, found, around.need))
    if around.nearest:
        yield ModelVerdict(*_held(design, found, around))
    yield ModelVerdict(*_lifted(found))
    part, near = design.part, NEAR * design.disc.diameter_mm
    if not part.reed and design.gap < near:
        text = (
            f"so near to a magnet of {design.magnet} the model may be wrong by a third beside the middle;"
            f" try gap_mm of at least {near:g}, or measure your board"
        )
        yield ModelVerdict(Grade.DOUBT, WHERE, text)
    if part.rate_hz is not None and part.rate_hz < SLOW_HZ:
        text = f"{design.sensor} looks {part.rate_hz:g} times a second; {SLOW_HZ} needed"
        yield ModelVerdict(Grade.DOUBT, WHERE, text)


def _never(design: SensorDesign) -> str | None:
    """Why a sensor can't work under such magnets, whatever their size and its place."""
    if PARTS[design.sensor].latch:  # as it is sold: a measured release can't hide it
        return (
            f"{design.sensor} is a latch: when its piece is lifted it stays closed until the other pole"
            " comes; try a switch"
        )
    if not design.one_way or design.poles == UP:
        return None
    if design.mixed:
        return f'{design.sensor} senses one pole only; try poles = "up", or a sensor that feels both'
    return (
        f'{design.sensor} senses the south pole only, and poles = "down" turns it away: no piece closes it;'
        ' try poles = "up"'
    )


def _grade(worst: bool, usual: bool) -> Grade:
    """Of what is fine with the worst parts, and with usual ones."""
    return Grade.FINE if worst else Grade.DOUBT if usual else Grade.REFUSED


def _felt(design: SensorDesign, found: Reaches, need: float) -> tuple[Grade, str, str]:
    far = [-1.0 if each.felt is None else each.felt for each in found]
    grade = _grade(far[0] >= need, far[1] >= need)
    told = f"{design}: {_off(found)}"
    if grade is Grade.FINE:
        return grade, WHERE, f"{told}; {need:.1f} mm needed"
    short = need - max(0.0, far[0] if grade is Grade.DOUBT else far[1])
    return grade, WHERE, f"{told}; {need:.1f} mm needed, {short:.1f} mm missing; {_nearer(design)}"


def _off(found: Reaches) -> str:
    worst, usual = found.worst.felt, found.usual.felt
    if usual is None:
        return "a piece on the middle of its space isn't sensed"
    worst_is = "not at all" if worst is None else f"{worst:g} mm"
    return f"a piece is sensed up to {usual:g} mm off the middle, {worst_is} with the worst parts"


def _nearer(design: SensorDesign) -> str:
    if design.flat and not design.aside:
        return f"a {design.part.kind.value} is open below a magnet; try aside_mm, about 9 for a reed"
    if design.aside and not design.flat:
        return f"a {design.part.kind.value} senses best what stands right above it; try aside_mm = 0"
    return "try a stronger magnet, a smaller gap_mm, or a more sensitive sensor"


def _held(design: SensorDesign, found: Reaches, around: ContactNeighbours) -> tuple[Grade, str, str]:
    most = [max(each.beside, each.crowd) for each in found]
    grade = _grade(most[0] < 1, most[1] < 1)
    worst, usual = ([f"{100 * share:.0f} %" for share in (each.beside, each.crowd)] for each in found)
    told = (
        f"one neighbour {around.pitch:.0f} mm away adds {usual[0]} of what keeps a sensor closed, all"
        f" neighbours {usual[1]}; {worst[0]} and {worst[1]} with the worst parts"
    )
    if grade is Grade.FINE:
        return grade, WHERE, f"{told}; under 100 % needed"
    over = 100 * (most[0 if grade is Grade.DOUBT else 1] - 1)
    poles = "" if design.mixed or design.one_way else 'poles = "mixed", '
    return (
        grade,
        WHERE,
        (
            f"{told}, {over:.0f} % too much: a square that was left stays closed;"
            f" try {poles}a weaker magnet, or a less sensitive sensor"
        ),
    )


def _lifted(found: Reaches) -> tuple[Grade, str, str]:
    worst, usual = found.worst.lifted, found.usual.lifted
    grade = _grade(worst <= LIFTED, usual <= LIFTED)
    told = f"a lift is noticed {usual:g} mm up, {worst:g} mm with the worst parts"
    if grade is Grade.FINE:
        return grade, WHERE, f"{told}; {LIFTED:g} mm allowed"
    over = (worst if grade is Grade.DOUBT else usual) - LIFTED
    return (
        grade,
        WHERE,
        (
            f"{told}: {over:g} mm too high, as people carry pieces {LIFTED:g} mm up;"
            " try a weaker magnet, or a less sensitive sensor"
        ),
    )
