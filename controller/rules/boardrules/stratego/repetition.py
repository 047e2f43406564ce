"""The rules against going on for ever: Q12 (back and forth) and Q13 (chasing), exactly as I10 to I17.

Both rest on public facts alone: who moved which piece from where to where, and whether there was a battle.
Positions are compared by physical piece, never by rank: else a refusal could tell that two are alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from boardrules.stratego.actions import StrategoMove
from boardrules.stratego.board import CAPTURED_SQUARE, Mask

Run = tuple[Any, ...]
"""A player's last turns, the latest first, as far as all were made with the same piece (and at most N)."""


def _common_mask(turns: tuple[StrategoMove, ...], way: Callable[[StrategoMove], Mask]) -> Mask:
    """What all these turns have in common: borders, or a pair of squares."""
    mask = -1
    for turn in turns:
        mask &= way(turn)
    return mask


class ShuttleRule:
    """Q12 as most play it: every own turn counts, whoever began."""

    initial_run: Run = ()

    def __init__(self, limit: int, way: Callable[[StrategoMove], Mask], attacks_count: bool) -> None:
        self.limit = limit
        self.counted_mask = way
        """What of a move is counted: the borders that it crosses (I12) or its two ends (I11)."""
        self.counts_attacks = attacks_count

    def run_after_move(self, run: Run, foe: Run, move: StrategoMove, ply: int) -> Run:
        """The run of the player who made a turn by which his piece came to its target."""
        if run and run[0].target_square == move.origin_square:
            return (move, *run[: self.limit - 1])
        return move.single_turn

    def run_after_attack(self, run: Run, foe: Run, move: StrategoMove, ply: int, stands: bool) -> Run:
        """The run of the player who attacked; whether his piece still stands."""
        return self.run_after_move(run, foe, move, ply) if stands and self.counts_attacks else ()

    def run_after_loss(self, run: Run, square: int) -> Run:
        """The run of a player whose piece on `square` was taken."""
        return () if run and run[0].target_square == square else run

    def can_refuse_nothing(self, run: Run) -> bool:
        """Whether no move at all can be refused."""
        return len(run) < self.limit

    def refuses_move(self, run: Run, foe: Run, ply: int, move: StrategoMove, attack: bool) -> bool:
        """Whether Q12 refuses a move: each of the last N turns crossed what it would cross."""
        if (
            len(run) < self.limit
            or run[0].target_square != move.origin_square
            or (attack and not self.counts_attacks)
        ):
            return False
        return _common_mask((move, *run), self.counted_mask) != 0


class NoShuttleRule(ShuttleRule):
    """`shuttle=off`: nothing is counted."""

    def __init__(self) -> None:
        super().__init__(1, lambda move: 0, False)

    def run_after_move(self, run: Run, foe: Run, move: StrategoMove, ply: int) -> Run:
        """Nothing."""
        return ()


class ResponderRun(NamedTuple):
    """A player's run where a responder's turns may be left out of the count."""

    square: int
    """Where the piece of the counted turns stands."""
    counted_turns: tuple[StrategoMove, ...]
    """The counted turns of that piece that have something in common, the latest first, at most N."""
    counted_plies: tuple[int, ...]
    """When each of them was made."""
    all_turns: tuple[StrategoMove, ...]
    """His last turns, counted or not, that one piece made with something in common."""
    last_ply: int
    """When he made his last turn."""


class FreeResponder(ShuttleRule):
    """`shuttle_responder=free`: he who answers a run that began before his own is not counted meanwhile."""

    initial_run: Run = ResponderRun(CAPTURED_SQUARE, (), (), (), 0)

    def _extended_run(
        self, turns: tuple[StrategoMove, ...], square: int, move: StrategoMove
    ) -> tuple[StrategoMove, ...]:
        if square != move.origin_square:
            return (move,)
        longer = (move, *turns)
        while not _common_mask(longer, self.counted_mask):
            longer = longer[:-1]
        return longer

    def run_after_move(self, run: Run, foe: Run, move: StrategoMove, ply: int) -> Run:
        """As in `ShuttleRule`; a turn left out moves the piece and counts for nothing else."""
        trail = ResponderRun(*run)
        everything = self._extended_run(
            trail.all_turns, trail.all_turns[0].target_square if trail.all_turns else CAPTURED_SQUARE, move
        )
        if self._is_left_out(trail, ResponderRun(*foe), ply):
            square = move.target_square if trail.square == move.origin_square else trail.square
            return trail._replace(square=square, all_turns=everything, last_ply=ply)
        turns = self._extended_run(trail.counted_turns, trail.square, move)[: self.limit]
        return ResponderRun(
            move.target_square, turns, (ply, *trail.counted_plies)[: len(turns)], everything, ply
        )

    def run_after_attack(self, run: Run, foe: Run, move: StrategoMove, ply: int, stands: bool) -> Run:
        """As in `ShuttleRule`; a left-out attack that another piece falls by ends nothing."""
        if stands and self.counts_attacks:
            return self.run_after_move(run, foe, move, ply)
        trail = ResponderRun(*run)
        ends = (
            not self.counts_attacks
            or trail.square == move.origin_square
            or not self._is_left_out(trail, ResponderRun(*foe), ply)
        )
        return self.initial_run if ends else trail._replace(all_turns=(), last_ply=ply)

    def run_after_loss(self, run: Run, square: int) -> Run:
        """As in `ShuttleRule`."""
        trail = ResponderRun(*run)
        if trail.all_turns and trail.all_turns[0].target_square == square:
            trail = trail._replace(all_turns=())
        return (
            trail._replace(square=CAPTURED_SQUARE, counted_turns=(), counted_plies=())
            if trail.square == square
            else trail
        )

    def can_refuse_nothing(self, run: Run) -> bool:
        """As in `ShuttleRule`."""
        return len(ResponderRun(*run).counted_turns) < self.limit

    def refuses_move(self, run: Run, foe: Run, ply: int, move: StrategoMove, attack: bool) -> bool:
        """As in `ShuttleRule`; never on a turn that is left out."""
        trail = ResponderRun(*run)
        if (
            self.can_refuse_nothing(run)
            or trail.square != move.origin_square
            or (attack and not self.counts_attacks)
        ):
            return False
        return (
            not self._is_left_out(trail, ResponderRun(*foe), ply)
            and _common_mask((move, *trail.counted_turns), self.counted_mask) != 0
        )

    @staticmethod
    def _is_left_out(trail: ResponderRun, foe: ResponderRun, ply: int) -> bool:
        """Whether the other side's last turns form a run of two or more that began before this one's."""
        began = trail.counted_plies[-1] if trail.counted_plies else ply
        return len(foe.all_turns) >= 2 and foe.last_ply - 2 * (len(foe.all_turns) - 1) < began


Places = bytes
"""By physical piece the square where it stands: a whole position as everybody sees it."""

Chase = tuple[Places, ...]
"""The positions after t1, e1, t2, e2 ... of a running chase; t1 alone may be an attack that won (I15)."""

MIN_CHASE_LENGTH: Final = 4
"""A position of a chase can't come back before its second evading turn: it takes both sides to return."""


class BoardRepeatRule:
    """Q13 by the whole board, any piece of the chaser (I15, I16)."""

    def __init__(self, undo_exception: bool) -> None:
        self.allows_undo = undo_exception

    def chases_after_move(
        self, chase: Chase, foe_chase: Chase, move: StrategoMove, mine: StrategoMove | None,
        latest: StrategoMove | None, places: Places, enemy: Mask,
    ) -> tuple[Chase, Chase]:  # fmt: skip
        """Both chases after the quiet `move`; `mine` was the mover's last turn, `latest` the foe's."""
        evading = foe_chase and latest and latest.target_neighbours >> move.origin_square & 1  # I14
        return (
            (*self._continued_chase(chase, move, mine), places)
            if move.target_neighbours & enemy
            else (),  # I13
            (*foe_chase, places) if evading else (),
        )

    def chase_after_attack(self, move: StrategoMove, places: Places, enemy: Mask) -> Chase:
        """The chase that an attack which won opens (I15); a battle ends any other."""
        return (places,) if move.target_neighbours & enemy else ()

    def _continued_chase(self, chase: Chase, move: StrategoMove, mine: StrategoMove | None) -> Chase:
        return chase

    def refuses_move(
        self,
        chase: Chase,
        move: StrategoMove,
        mine: StrategoMove | None,
        latest: StrategoMove | None,
        places: Places,
        enemy: Mask,
    ) -> bool:
        """Whether Q13 refuses the quiet `move` in the running `chase`."""
        if not move.target_neighbours & enemy or self._is_allowed_undo(move, mine):
            return False
        return places.replace(move.origin_byte, move.target_byte) in chase

    def _is_allowed_undo(self, move: StrategoMove, mine: StrategoMove | None) -> bool:
        back = (
            mine is not None
            and move.target_square == mine.origin_square
            and move.origin_square == mine.target_square
        )
        return back and self.allows_undo


class PairRepeatRule(BoardRepeatRule):
    """`chase=pair_repeat`: one piece of the chaser throughout, and only the two pieces count (I17)."""

    def _continued_chase(self, chase: Chase, move: StrategoMove, mine: StrategoMove | None) -> Chase:
        return chase if mine is not None and mine.target_square == move.origin_square else ()

    def refuses_move(
        self,
        chase: Chase,
        move: StrategoMove,
        mine: StrategoMove | None,
        latest: StrategoMove | None,
        places: Places,
        enemy: Mask,
    ) -> bool:
        """As in `BoardRepeatRule`: refused if chaser and evader stand as they did after an earlier ti."""
        if (
            mine is None
            or latest is None
            or mine.target_square != move.origin_square
            or self._is_allowed_undo(move, mine)
        ):
            return False
        if not move.target_neighbours & 1 << latest.target_square:
            return False
        chaser, evader = places.index(move.origin_square), places.index(latest.target_square)
        return any(
            then[chaser] == move.target_square and then[evader] == latest.target_square for then in chase[::2]
        )


class NoChaseRule(BoardRepeatRule):
    """`chase=off`: nothing is followed."""

    def chases_after_move(
        self, chase: Chase, foe_chase: Chase, move: StrategoMove, mine: StrategoMove | None,
        latest: StrategoMove | None, places: Places, enemy: Mask,
    ) -> tuple[Chase, Chase]:  # fmt: skip
        """No chases."""
        return (), ()

    def chase_after_attack(self, move: StrategoMove, places: Places, enemy: Mask) -> Chase:
        """No chase."""
        return ()
