"""The rules against going on for ever: Q12 (back and forth) and Q13 (chasing), exactly as I10 to I17.

Both rest on public facts alone: who moved which piece from where to where, and whether there was a battle.
Positions are compared by physical piece, never by rank: else a refusal could tell that two are alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from boardrules.stratego.actions import Move
from boardrules.stratego.board import GONE, Mask

Run = tuple[Any, ...]
"""A player's run back and forth: the square where his piece stands, then for k = 1, 2, ... what each of its
last k turns crossed (a mask of borders, or of pairs of squares), as far as anything is left."""

NO_RUN: Run = (GONE,)


def _longer(run: Run, move: Move, way: Callable[[Move], Mask], limit: int | None) -> Run:
    """The run after one more turn, kept to the last `limit` turns."""
    if run[0] != move.at:
        return (move.to, way(move))
    crossed = way(move)
    masks = [crossed]
    for mask in run[1:limit]:
        if not mask & crossed:
            break
        masks.append(mask & crossed)
    return (move.to, *masks)


class Shuttle:
    """Q12 as most play it: every own turn counts, whoever began."""

    start: Run = NO_RUN

    def __init__(self, limit: int, way: Callable[[Move], Mask], attacks_count: bool) -> None:
        self.limit = limit
        self.way = way
        self.attacks_count = attacks_count

    def after(self, run: Run, foe: Run, move: Move, ply: int) -> Run:
        """The run of the player who made a turn by which his piece came to its target."""
        if run[0] != move.at:
            return (move.to, self.way(move))
        return _longer(run, move, self.way, self.limit)

    def after_attack(self, run: Run, foe: Run, move: Move, ply: int, stands: bool) -> Run:
        """The run of the player who attacked; whether his piece still stands."""
        return self.after(run, foe, move, ply) if stands and self.attacks_count else NO_RUN

    def after_loss(self, run: Run, square: int) -> Run:
        """The run of a player whose piece on `square` was taken."""
        return NO_RUN if run[0] == square else run

    def barred(self, run: Run, foe: Run, ply: int) -> Mask:
        """What the piece on `run[0]` may not cross on this turn."""
        return run[self.limit] if len(run) > self.limit else 0

    def bars(self, barred: Mask, square: int, move: Move, attack: bool) -> bool:
        """Whether Q12 refuses a move, where the piece on `square` may not cross `barred`."""
        return move.at == square and self.way(move) & barred != 0 and (self.attacks_count or not attack)


class NoShuttle(Shuttle):
    """`shuttle=off`: nothing is counted."""

    def __init__(self) -> None:
        super().__init__(1, lambda move: 0, False)

    def after(self, run: Run, foe: Run, move: Move, ply: int) -> Run:
        """Nothing."""
        return NO_RUN


class Trail(NamedTuple):
    """A player's run where a responder's turns may be left out of the count."""

    square: int
    """Where the piece of the counted run stands."""
    masks: tuple[Mask, ...]
    """As in `Run`, of the counted turns."""
    plies: tuple[int, ...]
    """When the turns of `masks` were made, the latest first."""
    all: Run
    """The run of all his turns, counted or not, without limit."""
    last: int
    """When he made his last turn."""


class FreeResponder(Shuttle):
    """`shuttle_responder=free`: he who answers a run that began before his own is not counted meanwhile."""

    start: Run = Trail(GONE, (), (), NO_RUN, 0)

    def after(self, run: Run, foe: Run, move: Move, ply: int) -> Run:
        """As in `Shuttle`; a turn left out moves the piece and counts for nothing else."""
        everything = _longer(run.all, move, self.way, None)  # type: ignore[attr-defined]
        trail = Trail(*run)
        if self._left_out(trail, Trail(*foe), ply):
            square = move.to if trail.square == move.at else trail.square
            return trail._replace(square=square, all=everything, last=ply)
        counted = _longer((trail.square, *trail.masks), move, self.way, self.limit)
        masks = counted[1:]
        return Trail(move.to, masks, (ply, *trail.plies)[: len(masks)], everything, ply)

    def after_attack(self, run: Run, foe: Run, move: Move, ply: int, stands: bool) -> Run:
        """As in `Shuttle`; a left-out attack that another piece falls by ends nothing."""
        if stands and self.attacks_count:
            return self.after(run, foe, move, ply)
        trail = Trail(*run)
        ends = (
            not self.attacks_count or trail.square == move.at or not self._left_out(trail, Trail(*foe), ply)
        )
        return self.start if ends else trail._replace(all=NO_RUN, last=ply)

    def after_loss(self, run: Run, square: int) -> Run:
        """As in `Shuttle`."""
        trail = Trail(*run)
        if trail.all[0] == square:
            trail = trail._replace(all=NO_RUN)
        return trail._replace(square=GONE, masks=(), plies=()) if trail.square == square else trail

    def barred(self, run: Run, foe: Run, ply: int) -> Mask:
        """As in `Shuttle`; nothing on a turn that is left out."""
        trail = Trail(*run)
        if len(trail.masks) < self.limit or self._left_out(trail, Trail(*foe), ply):
            return 0
        return trail.masks[self.limit - 1]

    @staticmethod
    def _left_out(trail: Trail, foe: Trail, ply: int) -> bool:
        turns = len(foe.all) - 1
        began = trail.plies[-1] if trail.plies else ply
        return turns >= 2 and foe.last - 2 * (turns - 1) < began


Places = bytes
"""By physical piece the square where it stands: a whole position as everybody sees it."""

Chase = tuple[Places, ...]
"""The positions after t1, e1, t2, e2 ... of a running chase (I15)."""

SHORTEST = 4
"""A position of a chase can't come back before its second evading turn: it takes both sides to return."""


class BoardRepeat:
    """Q13 by the whole board, any piece of the chaser (I15, I16)."""

    def __init__(self, undo_exception: bool) -> None:
        self.undo_exception = undo_exception

    def after(
        self, chase: Chase, foe_chase: Chase, move: Move, mine: Move | None, latest: Move | None,
        places: Places, enemy: Mask,
    ) -> tuple[Chase, Chase]:  # fmt: skip
        """Both chases after the quiet `move`; `mine` was the mover's last turn, `latest` the foe's."""
        evading = foe_chase and latest and latest.beside & ~move.stay  # I14
        return (
            (*self._kept(chase, move, mine), places) if move.beside & enemy else (),  # I13
            (*foe_chase, places) if evading else (),
        )

    def _kept(self, chase: Chase, move: Move, mine: Move | None) -> Chase:
        return chase

    def bans(
        self, chase: Chase, move: Move, mine: Move | None, latest: Move | None, places: Places, enemy: Mask
    ) -> bool:
        """Whether Q13 refuses the quiet `move` in the running `chase`."""
        if not move.beside & enemy or self._undoes(move, mine):
            return False
        return places.replace(move.left, move.came) in chase

    def _undoes(self, move: Move, mine: Move | None) -> bool:
        back = mine is not None and move.to == mine.at and move.at == mine.to
        return back and self.undo_exception


class PairRepeat(BoardRepeat):
    """`chase=pair_repeat`: one piece of the chaser throughout, and only the two pieces count (I17)."""

    def _kept(self, chase: Chase, move: Move, mine: Move | None) -> Chase:
        return chase if mine is not None and mine.to == move.at else ()

    def bans(
        self, chase: Chase, move: Move, mine: Move | None, latest: Move | None, places: Places, enemy: Mask
    ) -> bool:
        """As in `BoardRepeat`: refused if chaser and evader stand as they did after an earlier ti."""
        if mine is None or latest is None or mine.to != move.at or self._undoes(move, mine):
            return False
        if not move.beside & 1 << latest.to:
            return False
        chaser, evader = places.index(move.at), places.index(latest.to)
        return any(then[chaser] == move.to and then[evader] == latest.to for then in chase[::2])


class NoChase(BoardRepeat):
    """`chase=off`: nothing is followed."""

    def after(
        self, chase: Chase, foe_chase: Chase, move: Move, mine: Move | None, latest: Move | None,
        places: Places, enemy: Mask,
    ) -> tuple[Chase, Chase]:  # fmt: skip
        """No chases."""
        return (), ()
