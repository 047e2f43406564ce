"""`boardumpire doctor --rehearse`: the doctor on a simulated board that somebody built wrong.

A simulated person does what the doctor asks for, and says what is seen: so one reads on a PC what a finding
looks like, before a board of one's own has it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from boardlab.rehearsal.person import Person
from boardlab.rehearsal.touch import Touch
from boardsim.pico.picos import SimPicos
from boardsim.world.mistakes import KINDS, OF_HANDS, OF_PARTS, ON_PICOS, Built, Mistake, built
from boardsim.world.physics import BoardPhysics
from boardumpire.errors import BoardumpireError
from boardumpire.makers import settling
from boardumpire.makers.doctor import USUAL_STAGES, Doctor
from boardumpire.makers.guide import Check
from boardumpire.makers.observations import Observations
from boardware.description import load_board
from boardware.parts import BoardDescription
from boardware.ports import HardwareTrouble

NAMES: Final = (*KINDS, *OF_PARTS, *OF_HANDS)
ON_HEADER, ON_PICO = "quick-battle-8x8", "quick-battle-8x8-pico"
NEED_PICO: Final = (*ON_PICOS, "columns-latch", "pins-counted", "settle-short")
PIECES: Final = 8
"""As many as a full row needs."""


class Rehearsal(NamedTuple):
    """What came of it."""

    board: BoardDescription
    seen: Observations
    troubles: Iterable[HardwareTrouble]
    mistakes: Sequence[Mistake]
    """What was built in."""


def rehearse(kind: str, stages: Collection[str], say: Callable[[str], None]) -> Rehearsal:
    """One examination of a board with a mistake of this kind, at a place that chance chooses.

    `say` is given what the doctor asks for, and what the person answers. Raises `BoardumpireError`.
    """
    if kind not in NAMES:
        names = ", ".join(sorted(NAMES))
        raise BoardumpireError(f"--rehearse {kind[:40]!r}: no such mistake; try one of {names}")
    file = load_board(ON_PICO if kind in NEED_PICO else ON_HEADER)
    made, number = built(file, [kind], random.random()), random.randrange(1_000_000)
    person = led(made, file, Doctor(file, stages=stages or USUAL_STAGES).run_steps(), number, say=say)
    seen = person.guide.result
    if slower := settling.slower_board(file, seen):
        say("Once more on some squares, with a longer settle_us.")
        made.board = replace(
            made.board,
            banks={
                id_: replace(bank, settle_us=slower.banks[id_].settle_us)
                for id_, bank in made.board.banks.items()
            },
        )
        again = led(made, slower, settling.second_walk(slower, seen), number, say=say)
        settling.note_second_walk(slower, seen, again.guide.result)
    return Rehearsal(file, seen, person.guide.troubles, made.mistakes)


def led(
    made: Built,
    file: BoardDescription,
    check: Check,
    number: int,
    pieces: int = PIECES,
    say: Callable[[str], None] = lambda text: None,
) -> Person:
    """A person who was led over a board that was built, by a check that knows its file alone."""
    world = made.world(number)
    hands = Touch(BoardPhysics(world, made.kit, seed=number), number)
    picos = None
    if file.picos:
        picos = SimPicos(world, board=file, unpowered=made.unpowered, charging_only=made.charging_only)
    try:
        person = Person(world, file, check, picos, pieces, hands, say)
        person.obey()
    finally:
        if picos is not None:
            picos.close()
    return person
