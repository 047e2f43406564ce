"""What makes a table hard besides clumsy hands: fiddlers, probers, children, attacks that are withdrawn, and
reeds that fail in the middle of a game. `rates.Rates` says how often."""

from __future__ import annotations

import random
from functools import partial

from boardrules.core import Seat, Step
from boardsim.bench.scene import Space
from boardsim.people.mending import CorrectionBehaviour
from boardsim.people.sitting import SeededGame
from boardsim.world.faults import PartFault, inject
from boardsim.world.world import Piece
from boardware.ports import MS, Micros, SlotId

CHILD = "child"
MOST_FAIL = 2
"""So many reeds fail in a game at most."""
HESITATES = 0.05
"""How often who takes an attack back has his piece down and up again: it is the sign, and his own doing."""
FIDDLES = ("lift near", "lift near", "lift far", "dip", "hop", "theirs", "step")


class HostileBehaviour:
    """Does one of these at a time; what it leaves on the board people mend."""

    def __init__(self, sitting: SeededGame, mending: CorrectionBehaviour) -> None:
        self.sitting, self.mending = sitting, mending
        self.scene = sitting.scene
        self.judge = sitting.judge
        self.settle = mending.settle

    @property
    def dice(self) -> random.Random:
        """This turn's."""
        return self.sitting.dice

    # -- the other player ----------------------------------------------------------------------------------

    def fiddle(self, seat: Seat) -> None:
        """While one thinks with a piece in the hand the other plays with pieces. Or later: `meanwhile`."""
        if self.dice.random() < 0.5:
            return
        piece, space = self._one_of(seat)
        self.sitting.erring("fiddle")
        self._think(seat, piece, space, self.dice.randint(1, 4), FIDDLES)

    def probe(self, seat: Seat) -> None:
        """The other tries to learn what it is that one holds."""
        reach = sorted({step.origin for step in self.sitting.state.steps() if step.attack})
        if not reach:
            return
        space = self.dice.choice(reach)
        self.sitting.erring("probe")
        self._think(
            seat, self.judge.stands[space], space, self.dice.randint(1, 3), ("lift near", "dip", "hop")
        )

    def meanwhile(self, seat: Seat, step: Step) -> None:
        """The other plays with pieces while one carries out an action; one may stay in his hand."""
        if self.sitting.has_erred("fiddle"):
            return
        self.sitting.erring("fiddle")
        for _ in range(self.dice.randint(1, 2)):
            if not self.judge.settled():  # else it is the other's turn, and no fiddling any more
                self._fiddle(seat, step.origin, self.dice.choice(FIDDLES), {step.origin, step.target})
        if self.dice.random() < 0.3 and not self.judge.settled():
            self.scene.hands.who = self.other(seat)
            spaces = [space for space in self._theirs(seat) if space != step.target]
            spaces = [space for space in spaces if self.scene.on(space) == self.judge.stands[space]]
            if spaces:
                self._let(self.scene.hands.lift(self.judge.stands[self.dice.choice(spaces)], self.scene.now))

    def _think(self, seat: Seat, piece: Piece, space: Space, times: int, ways: tuple[str, ...]) -> None:
        """One holds a piece, the other plays with others; at last it is put back."""
        self.scene.hands.who = seat
        self._let(self.scene.hands.lift(piece, self.scene.now))
        for _ in range(times):
            self._fiddle(seat, space, self.dice.choice(ways), {space})
            if self.judge.findings:
                return
        self.scene.hands.who = seat
        if piece in self.scene.up():
            self._let(self.scene.hands.put(piece, space, self.scene.now))
        self.settle()

    def _fiddle(self, seat: Seat, held: Space, way: str, but: set[Space]) -> None:
        """One thing that the other does while `held` is in the hand of `seat`."""
        scene, hands = self.scene, self.scene.hands
        hands.who = self.other(seat)
        near = [step.target for step in self.sitting.state.steps() if step.attack and step.origin == held]
        spaces = [space for space in self._theirs(seat) if space not in but]
        if way in ("lift near", "dip", "hop") and (close := [s for s in near if s not in but]):
            spaces = [*close]
        if way == "theirs":
            own = [space for space, piece in self.judge.stands.items() if piece.owner == seat]
            spaces = sorted(set(own) - but)
        spaces = [space for space in spaces if scene.on(space) == self.judge.stands[space]]
        if not spaces:
            return
        space = self.dice.choice(spaces)
        piece = self.judge.stands[space]
        if way == "dip":
            self._let(hands.shove(piece, scene.now))
        elif way in ("hop", "theirs"):
            self._let(hands.hop(piece, scene.now))
        else:
            self._let(hands.lift(piece, scene.now))
            if way == "step":
                self._step(piece, space)
            self.linger(100, 4000)
            if piece in scene.up() or scene.where(piece) != space:
                hands.who = self.other(seat)
                self._home(piece, space)
        self.linger(0, 800)

    def _step(self, piece: Piece, space: Space) -> None:
        """Set a piece down beside its square for a while."""
        scene = self.scene
        free = [near for near in self.sitting.neighbours(space) if scene.on(near) is None]
        last = {text for _, text in self.judge.actions[-2:]}  # putting those back would ask for it
        free = [near for near in free if f"{near}-{space}" not in last]
        if free:
            self._let(scene.hands.put(piece, self.dice.choice(free), scene.now))

    def _home(self, piece: Piece, space: Space) -> None:
        if piece in self.scene.physics.slots:
            self._let(self.scene.hands.lift(piece, self.scene.now))
        if self.scene.on(space) is None:
            self._let(self.scene.hands.put(piece, space, self.scene.now))

    def linger(self, least_ms: int, most_ms: int) -> None:
        """A while, in which what is asked is answered half the time."""
        self.sitting.pause(least_ms, most_ms)
        if self.dice.random() < 0.5:
            self.mending.answers.answer()

    # -- the player himself --------------------------------------------------------------------------------

    def withdraw(self, seat: Seat) -> None:
        """An attack is begun and taken back: both pieces go home."""
        scene, hands = self.scene, self.scene.hands
        steps = sorted(step for step in self.sitting.state.steps() if step.attack)
        if not steps:
            return
        step = self.dice.choice(steps)
        pairs = [(self.judge.stands[space], space) for space in step[:2]]
        self.sitting.erring("withdraw")
        self.dice.shuffle(pairs)
        for piece, _ in pairs:
            self._let(hands.lift(piece, scene.now))
        self.linger(200, 4000)
        if self.dice.random() < HESITATES and self.judge.stands[step.origin] in scene.up():
            self._let(hands.tap_home(self.judge.stands[step.origin], step.origin, scene.now))
        self.dice.shuffle(pairs)
        for piece, space in pairs:
            hands.who = seat
            if piece in scene.up():
                self._home(piece, space)
        self.settle()

    # -- others --------------------------------------------------------------------------------------------

    def child(self, seat: Seat) -> None:
        """A child takes a piece away; it brings it back, or the board has to miss it, at once or later."""
        scene = self.scene
        here = {space for space, piece in self.judge.stands.items() if self.scene.on(space) == piece}
        space = self.dice.choice(sorted(here))
        piece = self.judge.stands[space]
        self.sitting.erring("child")
        scene.hands.who = CHILD
        scene.aside(piece)
        way = self.dice.choice(["back", "missed", "play on"])
        if way == "back":
            end: Micros = scene.now + self.dice.randint(500, 30_000) * MS
            while scene.now < end and not self.judge.findings:
                self.linger(200, 1000)
            if piece in scene.beside and scene.on(space) is None:
                scene.hands.who = CHILD
                scene.fetch(piece, space)
        if way != "play on":
            self.settle()

    def dead(self, seat: Seat) -> None:
        """A reed feels nothing any more."""
        self._fails("dead", "reed-open")

    def stuck(self, seat: Seat) -> None:
        """A reed stays closed."""
        self._fails("stuck", "reed-closed")

    def _fails(self, kind: str, fault: str) -> None:
        scene = self.scene
        fine = sorted(set(scene.physics.sensors) - self.judge.broken)
        if len(self.judge.broken) >= MOST_FAIL:
            return
        slot = self.dice.choice(fine)
        self.sitting.erring(kind)
        scene.note(scene.now, f"fault {fault} {slot}")
        scene.world.plan(scene.now, partial(_inject, self.sitting, PartFault(fault, slot)))
        scene.wait(500)
        self.settle()

    # -- pieces --------------------------------------------------------------------------------------------

    def other(self, seat: Seat) -> Seat:
        """Who plays against `seat`."""
        return next(each for each in self.sitting.state.seats if each != seat)

    def _theirs(self, seat: Seat) -> list[Space]:
        return sorted(space for space, piece in self.judge.stands.items() if piece.owner != seat)

    def _one_of(self, seat: Seat) -> tuple[Piece, Space]:
        spaces = [space for space, piece in self.judge.stands.items() if piece.owner == seat]
        space = self.dice.choice(sorted(spaces))
        return self.judge.stands[space], space

    def _let(self, end: Micros) -> None:
        self.scene.let(end)


def _inject(sitting: SeededGame, fault: PartFault, at: Micros) -> None:
    inject(sitting.scene.world, fault, at)
    sitting.judge.fails(SlotId(fault.where), fault.kind == "reed-closed")
