"""What makes a table hard besides clumsy hands: fiddlers, probers, children, attacks that are withdrawn, and
reeds that fail in the middle of a game. `rates.ErrorRates` says how often."""

from __future__ import annotations

import random
from functools import partial

from boardrules.core import NO_SEAT, Seat, Step
from boardsim.bench.scene import Space
from boardsim.people.mending import CorrectionBehaviour
from boardsim.people.sitting import SeededGame
from boardsim.world.faults import PartFault, inject
from boardsim.world.world import Piece
from boardware.ports import MS, Micros, SlotId

CHILD = "child"
MOST_FAIL = 2
"""So many reeds fail in a game at most."""
HESITATION_RATE = 0.05
"""How often who takes an attack back has his piece down and up again: it is the sign, and his own doing."""
FIDDLE_WAYS = ("lift near", "lift near", "lift far", "dip", "hop", "theirs", "step")


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
        """While one thinks with a piece in the hand the other plays with pieces. Or later:
        `fiddle_during_action`."""
        if self.dice.random() < 0.5 or (one := self._random_piece(seat)) is None:
            return
        piece, space = one
        self.sitting.record_error("fiddle")
        self._hold_while_fiddling(seat, piece, space, self.dice.randint(1, 4), FIDDLE_WAYS)

    def probe(self, seat: Seat) -> None:
        """The other tries to learn what it is that one holds."""
        reach = sorted({step.origin for step in self.sitting.state.steps() if step.attack})
        if not reach:
            return
        space = self.dice.choice(reach)
        self.sitting.record_error("probe")
        self._hold_while_fiddling(
            seat,
            self.judge.expected_pieces[space],
            space,
            self.dice.randint(1, 3),
            ("lift near", "dip", "hop"),
        )

    def fiddle_during_action(self, seat: Seat, step: Step) -> None:
        """The other plays with pieces while one carries out an action; one may stay in his hand."""
        if self.sitting.has_erred("fiddle"):
            return
        self.sitting.record_error("fiddle")
        for _ in range(self.dice.randint(1, 2)):
            if not self.judge.is_all_ruled():  # else it is the other's turn, and no fiddling any more
                self._fiddle(seat, step.origin, self.dice.choice(FIDDLE_WAYS), {step.origin, step.target})
        if self.dice.random() < 0.3 and not self.judge.is_all_ruled():
            self.scene.hands.acting_person = self.other(seat)
            spaces = [space for space in self._theirs(seat) if space != step.target]
            spaces = [
                space
                for space in spaces
                if self.scene.top_piece_on(space) == self.judge.expected_pieces[space]
            ]
            if spaces:
                self._let(
                    self.scene.hands.lift(
                        self.judge.expected_pieces[self.dice.choice(spaces)], self.scene.now
                    )
                )

    def _hold_while_fiddling(
        self, seat: Seat, piece: Piece, space: Space, times: int, ways: tuple[str, ...]
    ) -> None:
        """One holds a piece, the other plays with others; at last it is put back."""
        self.scene.hands.acting_person = seat
        self._let(self.scene.hands.lift(piece, self.scene.now))
        for _ in range(times):
            self._fiddle(seat, space, self.dice.choice(ways), {space})
            if self.judge.findings:
                return
        self.scene.hands.acting_person = seat
        if piece in self.scene.held_pieces():
            self._let(self.scene.hands.put(piece, space, self.scene.now))
        self.settle()

    def _fiddle(self, seat: Seat, held: Space, way: str, but: set[Space]) -> None:
        """One thing that the other does while `held` is in the hand of `seat`."""
        scene, hands = self.scene, self.scene.hands
        hands.acting_person = self.other(seat)
        near = [step.target for step in self.sitting.state.steps() if step.attack and step.origin == held]
        spaces = [space for space in self._theirs(seat) if space not in but]
        if way in ("lift near", "dip", "hop") and (close := [s for s in near if s not in but]):
            spaces = [*close]
        if way == "theirs":
            own = [space for space, piece in self.judge.expected_pieces.items() if piece.owner == seat]
            spaces = sorted(set(own) - but)
        spaces = [space for space in spaces if scene.top_piece_on(space) == self.judge.expected_pieces[space]]
        if not spaces:
            return
        space = self.dice.choice(spaces)
        piece = self.judge.expected_pieces[space]
        if way == "dip":
            self._let(hands.push_and_return(piece, scene.now))
        elif way in ("hop", "theirs"):
            self._let(hands.lift_briefly(piece, scene.now))
        else:
            self._let(hands.lift(piece, scene.now))
            if way == "step":
                self._set_beside_square(piece, space)
            self.linger(100, 4000)
            if piece in scene.held_pieces() or scene.space_of_piece(piece) != space:
                hands.acting_person = self.other(seat)
                self._home(piece, space)
        self.linger(0, 800)

    def _set_beside_square(self, piece: Piece, space: Space) -> None:
        """Set a piece down beside its square for a while."""
        scene = self.scene
        free = [near for near in self.sitting.neighbours(space) if scene.top_piece_on(near) is None]
        last = {text for _, text in self.judge.actions[-2:]}  # putting those back would ask for it
        free = [near for near in free if f"{near}-{space}" not in last]
        if free:
            self._let(scene.hands.put(piece, self.dice.choice(free), scene.now))

    def _home(self, piece: Piece, space: Space) -> None:
        if piece in self.scene.physics.resting_slots:
            self._let(self.scene.hands.lift(piece, self.scene.now))
        if self.scene.top_piece_on(space) is None:
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
        pairs = [(self.judge.expected_pieces[space], space) for space in step[:2]]
        self.sitting.record_error("withdraw")
        self.dice.shuffle(pairs)
        for piece, _ in pairs:
            self._let(hands.lift(piece, scene.now))
        self.linger(200, 4000)
        if (
            self.dice.random() < HESITATION_RATE
            and self.judge.expected_pieces[step.origin] in scene.held_pieces()
        ):
            self._let(hands.tap_own_square(self.judge.expected_pieces[step.origin], step.origin, scene.now))
        self.dice.shuffle(pairs)
        for piece, space in pairs:
            hands.acting_person = seat
            if piece in scene.held_pieces():
                self._home(piece, space)
        self.settle()

    # -- others --------------------------------------------------------------------------------------------

    def take_as_child(self, seat: Seat) -> None:
        """A child takes a piece away; it brings it back, or the board has to miss it, at once or later."""
        scene = self.scene
        here = {
            space
            for space, piece in self.judge.expected_pieces.items()
            if self.scene.top_piece_on(space) == piece
        }
        if not here:
            return
        space = self.dice.choice(sorted(here))
        piece = self.judge.expected_pieces[space]
        self.sitting.record_error("child")
        scene.hands.acting_person = CHILD
        scene.put_beside_board(piece)
        way = self.dice.choice(["back", "missed", "play on"])
        if way == "back":
            end: Micros = scene.now + self.dice.randint(500, 30_000) * MS
            while scene.now < end and not self.judge.findings:
                self.linger(200, 1000)
            if piece in scene.beside and scene.top_piece_on(space) is None:
                scene.hands.acting_person = CHILD
                scene.bring_to_space(piece, space)
        if way != "play on":
            self.settle()

    def break_reed_open(self, seat: Seat) -> None:
        """A reed feels nothing any more."""
        self._break_reed("dead", "reed-open")

    def break_reed_closed(self, seat: Seat) -> None:
        """A reed stays closed."""
        self._break_reed("stuck", "reed-closed")

    def _break_reed(self, kind: str, fault: str) -> None:
        scene = self.scene
        fine = sorted(set(scene.physics.sensors) - self.judge.failed_slots)
        if len(self.judge.failed_slots) >= MOST_FAIL:
            return
        slot = self.dice.choice(fine)
        self.sitting.record_error(kind)
        scene.write_script_line(scene.now, f"fault {fault} {slot}")
        scene.world.plan(scene.now, partial(_inject, self.sitting, PartFault(fault, slot)))
        scene.wait(500)
        self.settle()

    # -- pieces --------------------------------------------------------------------------------------------

    def other(self, seat: Seat) -> Seat:
        """Who plays against `seat`; `NO_SEAT` in a game that one plays alone."""
        return next((each for each in self.sitting.state.seats if each != seat), NO_SEAT)

    def _theirs(self, seat: Seat) -> list[Space]:
        return sorted(space for space, piece in self.judge.expected_pieces.items() if piece.owner != seat)

    def _random_piece(self, seat: Seat) -> tuple[Piece, Space] | None:
        spaces = [space for space, piece in self.judge.expected_pieces.items() if piece.owner == seat]
        if not spaces:
            return None
        space = self.dice.choice(sorted(spaces))
        return self.judge.expected_pieces[space], space

    def _let(self, end: Micros) -> None:
        self.scene.run_until(end)


def _inject(sitting: SeededGame, fault: PartFault, at: Micros) -> None:
    inject(sitting.scene.world, fault, at)
    sitting.judge.note_reed_failed(SlotId(fault.where), fault.kind == "reed-closed")
