"""The rules against going on for ever: Q12 (back and forth) and Q13 (chasing), exactly as I10 to I17.

Both rest on public facts alone: who moved which piece from where to where, and whether there was a battle.
Positions are compared by physical piece, never by rank: else a refusal could tell that two are alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from boardrules.stratego.actions import StrategoMove
from boardrules.stratego.board import CAPTURED, Mask

Run = tuple[Any, ...]
"""A player's last turns, the latest first, as far as all were made with the same piece (and at most N)."""


def _shared(turns: tuple[StrategoMove, ...], way: Callable[[StrategoMove], Mask]) -> Mask:
    """What all these turns have in common: borders, or a pair of squares."""
    mask = -1
    for turn in turns:
        mask &= way(turn)
    return mask


class ShuttleRule:
    """Q12 as most play it: every own turn counts, whoever began."""

    start: Run = ()

    def __init__(self, limit: int, way: Callable[[StrategoMove], Mask], attacks_count: bool) -> None:
        self.limit = limit
        self.way = way
        """What of a move is counted: the borders that it crosses (I12) or its two ends (I11)."""
        self.attacks_count = attacks_count

    def after(self, run: Run, foe: Run, move: StrategoMove, ply: int) -> Run:
        """The run of the player who made a turn by which his piece came to its target."""
        if run and run[0].to == move.at:
            return (move, *run[: self.limit - 1])
        return move.alone

    def after_attack(self, run: Run, foe: Run, move: StrategoMove, ply: int, stands: bool) -> Run:
        """The run of the player who attacked; whether his piece still stands."""
        return self.after(run, foe, move, ply) if stands and self.attacks_count else ()

    def after_loss(self, run: Run, square: int) -> Run:
        """The run of a player whose piece on `square` was taken."""
        return () if run and run[0].to == square else run

    def idle(self, run: Run) -> bool:
        """Whether no move at all can be refused."""
        return len(run) < self.limit

    def bars(self, run: Run, foe: Run, ply: int, move: StrategoMove, attack: bool) -> bool:
        """Whether Q12 refuses a move: each of the last N turns crossed what it would cross."""
        if len(run) < self.limit or run[0].to != move.at or (attack and not self.attacks_count):
            return False
        return _shared((move, *run), self.way) != 0


class NoShuttleRule(ShuttleRule):
    """`shuttle=off`: nothing is counted."""

    def __init__(self) -> None:
        super().__init__(1, lambda move: 0, False)

    def after(self, run: Run, foe: Run, move: StrategoMove, ply: int) -> Run:
        """Nothing."""
        return ()


class ChaseTrail(NamedTuple):
    """A player's run where a responder's turns may be left out of the count."""

    square: int
    """Where the piece of the counted turns stands."""
    turns: tuple[StrategoMove, ...]
    """The counted turns of that piece that have something in common, the latest first, at most N."""
    plies: tuple[int, ...]
    """When each of them was made."""
    all: tuple[StrategoMove, ...]
    """His last turns, counted or not, that one piece made with something in common."""
    last: int
    """When he made his last turn."""


class FreeResponder(ShuttleRule):
    """`shuttle_responder=free`: he who answers a run that began before his own is not counted meanwhile."""

    start: Run = ChaseTrail(CAPTURED, (), (), (), 0)

    def _longer(
        self, turns: tuple[StrategoMove, ...], square: int, move: StrategoMove
    ) -> tuple[StrategoMove, ...]:
        if square != move.at:
            return (move,)
        longer = (move, *turns)
        while not _shared(longer, self.way):
            longer = longer[:-1]
        return longer

    def after(self, run: Run, foe: Run, move: StrategoMove, ply: int) -> Run:
        """As in `ShuttleRule`; a turn left out moves the piece and counts for nothing else."""
        trail = ChaseTrail(*run)
        everything = self._longer(trail.all, trail.all[0].to if trail.all else CAPTURED, move)
        if self._left_out(trail, ChaseTrail(*foe), ply):
            square = move.to if trail.square == move.at else trail.square
            return trail._replace(square=square, all=everything, last=ply)
        turns = self._longer(trail.turns, trail.square, move)[: self.limit]
        return ChaseTrail(move.to, turns, (ply, *trail.plies)[: len(turns)], everything, ply)

    def after_attack(self, run: Run, foe: Run, move: StrategoMove, ply: int, stands: bool) -> Run:
        """As in `ShuttleRule`; a left-out attack that another piece falls by ends nothing."""
        if stands and self.attacks_count:
            return self.after(run, foe, move, ply)
        trail = ChaseTrail(*run)
        ends = (
            not self.attacks_count
            or trail.square == move.at
            or not self._left_out(trail, ChaseTrail(*foe), ply)
        )
        return self.start if ends else trail._replace(all=(), last=ply)

    def after_loss(self, run: Run, square: int) -> Run:
        """As in `ShuttleRule`."""
        trail = ChaseTrail(*run)
        if trail.all and trail.all[0].to == square:
            trail = trail._replace(all=())
        return trail._replace(square=CAPTURED, turns=(), plies=()) if trail.square == square else trail

    def idle(self, run: Run) -> bool:
        """As in `ShuttleRule`."""
        return len(ChaseTrail(*run).turns) < self.limit

    def bars(self, run: Run, foe: Run, ply: int, move: StrategoMove, attack: bool) -> bool:
        """As in `ShuttleRule`; never on a turn that is left out."""
        trail = ChaseTrail(*run)
        if self.idle(run) or trail.square != move.at or (attack and not self.attacks_count):
            return False
        return (
            not self._left_out(trail, ChaseTrail(*foe), ply) and _shared((move, *trail.turns), self.way) != 0
        )

    @staticmethod
    def _left_out(trail: ChaseTrail, foe: ChaseTrail, ply: int) -> bool:
        """Whether the other side's last turns form a run of two or more that began before this one's."""
        began = trail.plies[-1] if trail.plies else ply
        return len(foe.all) >= 2 and foe.last - 2 * (len(foe.all) - 1) < began


Places = bytes
"""By physical piece the square where it stands: a whole position as everybody sees it."""

Chase = tuple[Places, ...]
"""The positions after t1, e1, t2, e2 ... of a running chase; t1 alone may be an attack that won (I15)."""

SHORTEST: Final = 4
"""A position of a chase can't come back before its second evading turn: it takes both sides to return."""


class BoardRepeatRule:
    """Q13 by the whole board, any piece of the chaser (I15, I16)."""

    def __init__(self, undo_exception: bool) -> None:
        self.undo_exception = undo_exception

    def after(
        self, chase: Chase, foe_chase: Chase, move: StrategoMove, mine: StrategoMove | None,
        latest: StrategoMove | None, places: Places, enemy: Mask,
    ) -> tuple[Chase, Chase]:  # fmt: skip
        """Both chases after the quiet `move`; `mine` was the mover's last turn, `latest` the foe's."""
        evading = foe_chase and latest and latest.beside >> move.at & 1  # I14
        return (
            (*self._kept(chase, move, mine), places) if move.beside & enemy else (),  # I13
            (*foe_chase, places) if evading else (),
        )

    def opened(self, move: StrategoMove, places: Places, enemy: Mask) -> Chase:
        """The chase that an attack which won opens (I15); a battle ends any other."""
        return (places,) if move.beside & enemy else ()

    def _kept(self, chase: Chase, move: StrategoMove, mine: StrategoMove | None) -> Chase:
        return chase

    def bans(
        self,
        chase: Chase,
        move: StrategoMove,
        mine: StrategoMove | None,
        latest: StrategoMove | None,
        places: Places,
        enemy: Mask,
    ) -> bool:
        """Whether Q13 refuses the quiet `move` in the running `chase`."""
        if not move.beside & enemy or self._undoes(move, mine):
            return False
        return places.replace(move.left, move.came) in chase

    def _undoes(self, move: StrategoMove, mine: StrategoMove | None) -> bool:
        back = mine is not None and move.to == mine.at and move.at == mine.to
        return back and self.undo_exception


class PairRepeatRule(BoardRepeatRule):
    """`chase=pair_repeat`: one piece of the chaser throughout, and only the two pieces count (I17)."""

    def _kept(self, chase: Chase, move: StrategoMove, mine: StrategoMove | None) -> Chase:
        return chase if mine is not None and mine.to == move.at else ()

    def bans(
        self,
        chase: Chase,
        move: StrategoMove,
        mine: StrategoMove | None,
        latest: StrategoMove | None,
        places: Places,
        enemy: Mask,
    ) -> bool:
        """As in `BoardRepeatRule`: refused if chaser and evader stand as they did after an earlier ti."""
        if mine is None or latest is None or mine.to != move.at or self._undoes(move, mine):
            return False
        if not move.beside & 1 << latest.to:
            return False
        chaser, evader = places.index(move.at), places.index(latest.to)
        return any(then[chaser] == move.to and then[evader] == latest.to for then in chase[::2])


class NoChaseRule(BoardRepeatRule):
    """`chase=off`: nothing is followed."""

    def after(
        self, chase: Chase, foe_chase: Chase, move: StrategoMove, mine: StrategoMove | None,
        latest: StrategoMove | None, places: Places, enemy: Mask,
    ) -> tuple[Chase, Chase]:  # fmt: skip
        """No chases."""
        return (), ()

    def opened(self, move: StrategoMove, places: Places, enemy: Mask) -> Chase:
        """No chase."""
        return ()
