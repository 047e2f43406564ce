"""Who reaches a Flag that nobody defends in time: a search of a few moves doesn't see it come.

A piece *runs* if each piece of the other side that would take it, or fall with it, is too far from that
side's Flag to meet it there. Each side counts its nearest run, in one guess of the other army.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from boardrules.stratego.actions import StrategoMove
from boardrules.stratego.board import CAPTURED_SQUARE
from boardrules.stratego.facts import StrategoFacts
from boardrules.stratego.pieces import BOMB, FLAG, IMMOVABLE_RANKS, MINER
from boardrules.stratego.players.piece_values import nearness_by_square, steps_from

RUN_WORTH: Final = 40.0
"""What a run is worth, in the points of `piece_values`, divided by the steps that are left."""
MAX_RUN_STEPS: Final = 7
"""Who is further away than so many steps doesn't run."""
LEAD_TO_MOVE: Final = 2
"""A guard stops a runner whose turn it is if it has at least so many steps less to the Flag ..."""
LEAD_WAITING: Final = 1
"""... and so many where it is the guard's turn."""


class _Runner(NamedTuple):
    """A piece that may run, and who could stop it."""

    piece: int
    steps: list[int]
    """By square how many steps it is from there to the Flag."""
    guards: list[int]


class FlagRace:
    """The runs of both sides in one guess, where everything is known."""

    def __init__(self, facts: StrategoFacts, ranks: bytearray, side: int) -> None:
        """`ranks`: by piece, as guessed; `side`: whose moves are weighed."""
        self._battles, self._ranks, self._side = facts.rules.battle_table, ranks, side
        self._place = [-1 if place == CAPTURED_SQUARE else place for place in facts.square_by_piece]
        self._on = {place: piece for piece, place in enumerate(self._place) if place >= 0}
        self._guard_steps: list[list[int]] = [[], []]
        """By side and square how many steps it is to its Flag."""
        self._runners = [self._find_runners(facts, runs) for runs in (0, 1)]

    def _find_runners(self, facts: StrategoFacts, side: int) -> list[_Runner]:
        """Who of a side may run at the other one's Flag."""
        board, ranks, place = facts.rules.board, self._ranks, self._place
        foes = [piece for piece in self._on.values() if facts.owner_side(piece) != side]
        flag = next((place[piece] for piece in foes if ranks[piece] == FLAG), -1)
        if flag < 0:
            return []
        walls = sum(1 << place[piece] for piece in foes if ranks[piece] == BOMB)
        open_steps = nearness_by_square(board)[flag].steps
        walled_steps = steps_from(board, flag, walls) if walls else open_steps
        self._guard_steps[1 - side] = open_steps
        movers = [piece for piece in foes if ranks[piece] not in IMMOVABLE_RANKS]
        return [
            _Runner(
                piece,
                open_steps if ranks[piece] == MINER else walled_steps,
                [foe for foe in movers if self._battles[ranks[foe]][ranks[piece]] != "defender"],
            )
            for piece in self._on.values()
            if facts.owner_side(piece) == side and ranks[piece] not in IMMOVABLE_RANKS
        ]

    def worth_after(self, move: StrategoMove) -> float:
        """What the runs come to for the side once it has made this move, so that the other one is to move."""
        place = self._place
        piece, target = self._on[move.origin_square], self._on.get(move.target_square, -1)
        result = "attacker" if target < 0 else self._battles[self._ranks[piece]][self._ranks[target]]
        place[piece] = move.target_square if result == "attacker" else -1
        if target >= 0 and result != "defender":
            place[target] = -1
        found = self._nearest_run(self._side, LEAD_WAITING) - self._nearest_run(1 - self._side, LEAD_TO_MOVE)
        place[piece] = move.origin_square
        if target >= 0:
            place[target] = move.target_square
        return RUN_WORTH * found

    def _nearest_run(self, side: int, lead: int) -> float:
        """One divided by the steps of a side's nearest run; 0 if it has none."""
        place, guard_steps = self._place, self._guard_steps[1 - side]
        nearest = MAX_RUN_STEPS + 1
        for piece, steps, guards in self._runners[side]:
            left = steps[place[piece]] if place[piece] >= 0 else nearest
            if left < nearest and not any(
                place[guard] >= 0 and guard_steps[place[guard]] <= left - lead for guard in guards
            ):
                nearest = left
        return 1 / max(1, nearest) if nearest <= MAX_RUN_STEPS else 0.0
