"""Boards that makers got wrong, examined; and whether what the doctor says of them is right."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from boardlab.rehearsal.person import Person
from boardlab.rehearsal.rehearse import led
from boardsim.world.kits import MakerKit
from boardsim.world.mistakes import KINDS, MAGNETS, ON_PICOS, Built, Mistake, built
from boardumpire.makers.diagnosis import derive_findings
from boardumpire.makers.doctor import USUAL_STAGES, Doctor
from boardumpire.makers.doctor_facts import Finding
from boardware.description import load_board
from boardware.parts import BoardDescription

HEADER = load_board("quick-battle-8x8")
PICO = load_board("quick-battle-8x8-pico")
MAP = load_board("fall-of-the-fuhrer")
"""Places that have no reed, and a chain that is fed at both ends."""
TWO_PICOS = load_board("quick-battle-8x8-two-picos")
"""Two banks and three chains, one of them of two lamps."""


class Examined(NamedTuple):
    """What the doctor said of a board."""

    built: Built
    findings: Sequence[Finding]
    person: Person

    def names(self, mistake: Mistake) -> bool:
        """Whether any finding names that mistake."""
        return any(names(finding, mistake) for finding in self.findings)

    def right(self, finding: Finding) -> bool:
        """Whether a finding names one of the mistakes that were made, and the very parts."""
        return any(names(finding, mistake) for mistake in self.built.mistakes)

    @property
    def first_right(self) -> bool:
        """Whether the cause named first is one of the mistakes."""
        return bool(self.findings) and self.right(self.findings[0])

    @property
    def blamed(self) -> list[Finding]:
        """Findings about what is healthy: of their parts none is one that was got wrong."""
        wrong = {part for mistake in self.built.mistakes for part in parts_of(mistake)}
        return [one for one in self.findings if not self.right(one) and not wrong & set(one.parts)]

    def told(self) -> str:
        """In a line, for a failing test."""
        made = ", ".join(f"{each.kind} {' '.join(each.where)}" for each in self.built.mistakes)
        return f"{made or 'nothing'}: " + " | ".join(
            f"{one.code} {' '.join(one.parts)}" for one in self.findings[:4]
        )


def examine(
    kinds: Iterable[str],
    seed: object,
    board: BoardDescription | None = None,
    kit: MakerKit | None = None,
    pieces: int = 2,
    stages: Collection[str] = USUAL_STAGES,
) -> Examined:
    """A board with these mistakes, led through by a person with pieces and a strong magnet.

    `kit`: what its maker bought, if he got nothing wrong. Reeds, magnets and hands are those of the simulated
    physics; the doctor knows the board file alone.
    """
    kinds = tuple(kinds)
    file = board or (PICO if set(kinds) & set(ON_PICOS) else HEADER)
    made = built(file, kinds, seed)
    made.kit = kit or made.kit
    number = random.Random(f"examine {seed} {kinds}").randrange(1_000_000)
    return examine_built(made, file, number, pieces, stages)


def examine_built(
    made: Built, file: BoardDescription, number: int, pieces: int = 2, stages: Collection[str] = USUAL_STAGES
) -> Examined:
    """The same of a board that was built already."""
    person = led(made, file, Doctor(file, stages=stages).run_steps(), number, pieces)
    return Examined(made, derive_findings(file, person.guide.result, person.guide.troubles), person)


def names(finding: Finding, mistake: Mistake) -> bool:
    """Whether a finding names that mistake: its cause by code, and every part."""
    kind, where = mistake
    if kind == "magnet-wrong-way":
        return finding.code == f"magnet-{where[0].replace(' ', '-')}"
    if kind == "row-diodes-reversed":
        kind = "diodes-reversed"
    if kind == "wires-crossed":
        kind = f"{where[0].split()[0]}s-crossed"
    return finding.code == kind and parts_of(mistake) <= set(finding.parts)


def parts_of(mistake: Mistake) -> set[str]:
    """The parts of a mistake, as the doctor calls them."""
    if mistake.kind in MAGNETS:
        return {"pieces"}
    return {each.replace("slot ", "diode ") for each in mistake.where}


def able_on(board: BoardDescription) -> tuple[str, ...]:
    """The mistakes that somebody can make on a board."""
    return KINDS if board.picos else tuple(kind for kind in KINDS if kind not in ON_PICOS)


def pairs(count: int, seed: int, board: BoardDescription = PICO) -> list[tuple[str, str]]:
    """Random pairs of mistakes that one board can have."""
    able = [
        pair
        for pair in combinations(able_on(board), 2)
        if not any(set(pair) <= set(group) for group in (MAGNETS, ON_PICOS))
    ]
    dice = random.Random(f"pairs {seed}")
    return [dice.choice(able) for _ in range(count)]
