"""People at a board whose pieces are few, known to all, and may share a space: they play, err and mend.

What their game wants beside hands they say: set-ups, dice of their own, what the board can't feel. Each
ruling is held against the truth, a game of its own, played by what was really done and said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardrules import registry
from boardrules.core import CHANCE, Action, BadText, Step
from boardsim.bench import Setting
from boardsim.company import UNHEARD, Company
from boardsim.judge import MISSED, WRONG
from boardsim.people import CLUMSY, Rates
from boardsim.physics import Magnet
from boardsim.scene import Scene, Space
from boardsim.table import TableFactory
from boardsim.truth import Truth
from boardsim.world import Piece
from boardware.ports import Micros

ALIKE = (Magnet(), Magnet(0.8), Magnet(1.0, disc=True))
"""Magnets of pieces that stand on one reed together: a flipped one would cancel the other."""
BESIDE = 0.25
"""How often a second piece comes to stand beside the ring, where no reed feels it."""


class Hunters(Company):
    """All players of one game at one board, from power on to the end."""

    def __init__(
        self, setting: Setting, factory: TableFactory, seed: str, rates: Rates = CLUMSY, **more: Any
    ) -> None:
        """`more` as `Company`."""
        scene = Scene(setting._replace(table={**setting.table, "dice": "real"}), factory)
        super().__init__(
            scene, Truth(scene, registry.new(setting.game, setting.options)), seed, rates, **more
        )
        self.pieces: dict[str, Piece] = {}

    # -- the game ------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """A piece comes to the board when it is said where it begins."""

    def _turn(self) -> None:
        (seat,) = self.state.seats_to_act()
        if seat == CHANCE:
            face = self.dice.choice([action for action, _ in self.state.chance()])
            self.scene.note(self.scene.now, f"# turn {self.turn}: {face}")
            self.pause(300, 1500)
            self.scene.say(self.state.seats[0], str(face))
            return
        if self.turn > self.longest * 4:
            self._say(self.state.parse("resign", seat))
            return
        steps = self._steps()
        if steps:
            self._blunder()
            if self.judge.findings:
                return
        legal = sorted(self.state.legal_actions(seat), key=str)
        moves = [action for action in legal if action in steps]
        action = self.dice.choice(moves if moves and self.dice.random() < 0.8 else legal)
        self.scene.note(self.scene.now, f"# turn {self.turn}: {seat} {'...' if action.secret else action}")
        if action in steps:
            self._carry(action, steps[action])
        else:
            self._say(action)

    def _steps(self) -> dict[Action, Step]:
        found = {}
        for step in self.state.steps():
            for seat in self.state.seats_to_act():
                found[self.state.hand_action(seat, step.origin, step.target)] = step
        return found

    def _say(self, action: Action) -> None:
        """Say it on the phone; a piece that is set up is stood first."""
        name = str(action).split()[0]
        if name not in self.pieces and action in self.state.legal_actions(action.seat):
            after, _ = self.state.apply(action)
            owners = dict(after.view(None).json()["owners"])
            if name in owners:
                piece = self.pieces[name] = self.scene.world.new_piece(owners[name], name)
                self.scene.physics.magnets[piece] = self.dice.choice(ALIKE)
                space = str(action).split()[1]
                self.scene.let(self.scene.hands.stand(piece, space, self.scene.now))
        self.judge.does(action)
        why = self.scene.say(action.seat, str(action))
        if why is not None:
            self.judge.find(WRONG, f"{action.seat} could not say {action}: {why}")

    # -- where pieces are ----------------------------------------------------------------------------------

    def at(self) -> dict[str, Space]:
        """By piece the space where it truly belongs."""
        return dict(self.state.view(None).json()["pieces"])

    def misplaced(self) -> list[str]:
        """The pieces that don't stand where they belong."""
        fallen = self.scene.world.fallen()
        return [
            name
            for name, space in self.at().items()
            if self.scene.where(self.pieces[name]) != space or self.pieces[name] in fallen
        ]

    def _put(self, name: str, space: Space) -> None:
        """Set a piece down on a space: in its middle, or beside the ring where another has that."""
        scene, piece = self.scene, self.pieces[name]
        taken = [other for other in self.pieces.values() if other != piece and scene.where(other) == space]
        slots = scene.world.board.spaces[space].slots
        free = [slot.id for slot in slots if not scene.world.on(slot.id)]
        if free and len(slots) > 1:
            scene.let(scene.hands.put(piece, free[0], scene.now))
        elif taken and self.dice.random() < BESIDE:
            scene.let(scene.hands.put_between(piece, space, self._nearest(space), 0.42, scene.now))
        else:
            scene.let(scene.hands.put(piece, space, scene.now))

    def _nearest(self, space: Space) -> Space:
        spaces = self.scene.world.board.spaces
        x, y = spaces[space].position
        far = {
            other: (place.position.x - x) ** 2 + (place.position.y - y) ** 2
            for other, place in spaces.items()
        }
        return min((other for other in far if other != space), key=far.__getitem__)

    def _fetch(self, name: str) -> None:
        """Take a piece up, wherever it is, and set it down where it belongs."""
        piece = self.pieces[name]
        if piece in self.scene.physics.slots:
            self.scene.let(self.scene.hands.lift(piece, self.scene.now))
        self._put(name, self.at()[name])

    def _carry(self, action: Action, step: Step) -> None:
        """A legal move with the piece."""
        scene = self.scene
        name = self._mover()
        piece = self.pieces[name]
        shares = self._shares(step)
        self.judge.does(action)
        if self._errs("slide") and not shares:
            self.erring("slide")
            scene.let(scene.hands.slide(piece, step.target, scene.now))
            return
        scene.let(scene.hands.lift(piece, scene.now))
        if self._errs("away"):
            self.erring("away")
            scene.wait(self.dice.randint(5_000, 15_000))
        self._put(name, step.target)

    def _mover(self) -> str:
        """The piece whose turn it is."""
        return str(self.state.view(None).json()["piece"])

    def _shares(self, step: Step) -> bool:
        """Whether another piece stands where this one leaves or comes."""
        where = list(self.at().values())
        return where.count(step.origin) > 1 or step.target in where

    # -- errors --------------------------------------------------------------------------------------------

    def _blunder(self) -> None:
        self._blunder_each("put_back", "adjust", "knock", "illegal", "early")

    def _some(self) -> str:
        """A piece that stands alone."""
        where = self.at()
        alone = [name for name, space in where.items() if list(where.values()).count(space) == 1]
        return self.dice.choice(sorted(alone)) if alone else ""

    def _put_back(self) -> None:
        """A piece is lifted and, after a thought, set back."""
        name = self._some()
        if name:
            self.erring("put_back")
            self.scene.let(self.scene.hands.lift(self.pieces[name], self.scene.now))
            self.pause(50, 4000)
            self._put(name, self.at()[name])

    def _adjust(self) -> None:
        """A piece is straightened."""
        name = self._some()
        if name:
            self.erring("adjust")
            self.scene.let(self.scene.hands.centre(self.pieces[name], self.at()[name], self.scene.now))

    def _knock(self) -> None:
        """A piece falls over; somebody stands it up, at once or when asked."""
        name = self._some()
        if name:
            self.erring("knock")
            self.scene.let(self.scene.hands.topple(self.pieces[name], self.scene.now))
            if self.dice.random() < 0.5:
                self.pause(300, 3000)
                self._fetch(name)

    def _illegal(self) -> None:
        """A piece is carried where it may not go."""
        self._wrongly(self._mover(), "illegal")

    def _early(self) -> None:
        """A piece is moved before it is its turn."""
        others = sorted(set(self.pieces) - {self._mover()})
        self._wrongly(self.dice.choice(others), "out_of_turn")

    def _wrongly(self, name: str, kind: str) -> None:
        scene, where = self.scene, self.at()
        origin = where[name]
        if list(where.values()).count(origin) > 1:
            return
        reach = {step.target for step in self.state.steps() if step.origin == origin}
        every = set(scene.world.board.spaces) - set(where.values())
        # What stands with the piece to move is taken for it: nobody could tell.
        hidden = {step.target for step in self.state.steps() if list(where.values()).count(step.origin) > 1}
        free = sorted(every - hidden - (reach if kind == "illegal" else set()))
        if not free:
            return
        target = self.dice.choice(free)
        (seat,) = self.state.seats_to_act()
        try:
            action = self.state.hand_action(seat, origin, target)
        except BadText:
            return
        if self.state.refusal(action) is None:
            return
        self.erring(kind)
        before = self.judge.refused
        self.judge.tried = str(action)
        scene.let(scene.hands.lift(self.pieces[name], scene.now))
        scene.let(scene.hands.put(self.pieces[name], target, scene.now))
        scene.wait(9000)
        if self.judge.refused == before:
            self.judge.find(MISSED, f"{name} from {origin} to {target}: nobody objected")

    # -- mending -------------------------------------------------------------------------------------------

    def _meant(self, asked: Mapping[str, Any]) -> str | None:
        waiting = self.judge.waiting
        return waiting[0][1] if asked["code"] == "moved-where" and waiting else None

    def _true(self, asked: Mapping[str, Any]) -> bool:
        code, spaces, waiting = asked["code"], asked["spaces"], self.judge.waiting
        if waiting and code in ("moved-here", "that-piece", "came-from"):
            return waiting[0][1] == f"{spaces[0]}-{spaces[1]}"
        return code == "who-stands" or (code == "same-places" and not self.misplaced())

    def _obey(self) -> bool:
        """Do a chore: pieces go where they belong, one that belongs there is pushed to the middle."""
        scene = self.scene
        if not scene.ears.chores:
            return False
        self.pause(300, 2500)
        wrong = self.misplaced()
        if wrong:
            self._fetch(wrong[0])
            scene.wait(200)
            return True
        for chore in scene.ears.chores:
            here = [name for name, space in self.at().items() if space == chore["space"]]
            if here and chore["do"] in ("put", "centre"):
                scene.let(scene.hands.centre(self.pieces[here[0]], chore["space"], scene.now))
                scene.wait(500)
                return True
        return False

    def _unheard(self, idle: Micros) -> bool:
        """Nothing comes of a move: it is said, where the board may not feel it."""
        if idle < UNHEARD or not self.judge.waiting or self.scene.ears.chores:
            return False
        seat, text, _ = self.judge.waiting[0]
        origin, _, target = text.partition("-")
        if not target:
            return False
        wrong = self.misplaced()
        if wrong:
            self._fetch(wrong[0])
            return True
        where = list(self.at().values())
        if where.count(target) > 1 or origin in where:
            if self.dice.random() < 0.3:  # by the buttons
                return self._point(target)
            self.scene.say(seat, text)
            self.scene.wait(300)
            return True
        name = next(name for name, space in self.at().items() if space == target)
        self.scene.let(self.scene.hands.centre(self.pieces[name], target, self.scene.now))
        return True

    def _point(self, target: Space) -> bool:
        for _ in range(40):
            self.scene.press("choose")
            if target in self.scene.lit("asks"):
                self.scene.press("confirm")
                self.scene.wait(300)
                return True
        return False

    def _mend(self, idle: Micros) -> bool:
        """Set right what people see themselves."""
        wrong = self.misplaced()
        if idle < UNHEARD or not wrong or self.scene.ears.chores:
            return False
        self._fetch(wrong[0])
        return True
