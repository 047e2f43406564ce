"""People at a board: they play random legal games, err, and mend what lamps and messages tell them to.

A game is made from a seed and nothing else. What is played, which errors happen in a turn and how hands move
in it are drawn from generators of their own, so that leaving an error out changes nothing before it.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Collection, Mapping
from typing import NamedTuple

from boardrules import registry
from boardrules.core import Action, BadText, Seat, State, Step
from boardsim.bench import Setting, placements
from boardsim.judge import Judge, Tried
from boardsim.mending import Mending
from boardsim.scene import Scene, Space
from boardsim.table import TableFactory
from boardware.ports import MS

EAGER = 0.4
"""How often somebody attacks who can."""
LEARNT_MS = 60_000
"""How long people wait for their army to be learnt: readers look at all squares in a quarter of that."""
LONGEST = 80
"""After so many actions whoever is to move resigns."""


class Rates(NamedTuple):
    """How often people err, as chances an action in which it can happen."""

    illegal: float = 0.0
    """Try something that the rules refuse."""
    out_of_turn: float = 0.0
    """Move a piece when it's the other's turn."""
    put_back: float = 0.0
    """Lift a piece, think, and set it down again."""
    slide: float = 0.0
    """Push a piece instead of lifting it. Of quiet moves."""
    adjust: float = 0.0
    """Straighten two pieces, pushing or lifting them, one after the other or together."""
    knock: float = 0.0
    """Knock over one to three pieces near the hand."""
    forgotten: float = 0.0
    """Leave the loser of a battle on the board, or where it is a piece that was only said. Of those."""
    early: float = 0.0
    """Reply before the last action has been ruled on, or before its chores are done."""
    between: float = 0.0
    """Set a piece down on the border of its square. Of quiet moves."""
    take_back: float = 0.0
    """Ask to take the move back. Of moves that told nothing."""
    swap: float = 0.0
    """Set two pieces down in each other's place, or one from the box in the place of another."""
    away: float = 0.0
    """Walk away with a piece in the hand."""
    chess: float = 0.0
    """Capture as in chess: set the attacker on the other's square. Of attacks."""
    withdraw: float = 0.0
    """Begin an attack, and put both pieces back."""
    fiddle: float = 0.0
    """Fiddle with pieces while the other thinks, with one in the hand."""
    probe: float = 0.0
    """Lift and tap pieces against the one that the other holds, to learn what it is."""
    child: float = 0.0
    """A child takes a piece away, and brings it back or not."""
    dead: float = 0.0
    """A reed feels nothing from now on; two a game at most."""
    stuck: float = 0.0
    """A reed stays closed from now on; two a game at most."""
    push: float = 0.0
    """Push a piece a square nearer to one that the other has in the hand."""
    push_home: float = 0.0
    """Push a piece from beside to where the other has lifted the one in his hand."""
    push_far: float = 0.0
    """The same, over two or three squares."""
    second: float = 0.0
    """Push or set a second own piece where the one in the hand was lifted."""
    push_chore: float = 0.0
    """Push a piece where a chore wants another. Of battles."""
    push_early: float = 0.0
    """Reply before the chores are done, pushing a piece where one of them wants another. Of battles."""
    astray: float = 0.0
    """Set the piece that a chore asks for beside the one that was pushed into its place. Of those."""
    words: float = 0.0
    """Have something to say just after the other has given the sign of an attack. Of such signs."""


CLUMSY = Rates(0.03, 0.01, 0.05, 0.20, 0.02, 0.005, 0.03, 0.05, 0.02, 0.01, 0.003, 0.002)._replace(
    chess=0.10, withdraw=0.02, child=0.002, dead=0.0005, stuck=0.0005
)
HOSTILE = CLUMSY._replace(
    put_back=0.10, early=0.10, chess=0.30, withdraw=0.10, fiddle=0.30, probe=0.25, child=0.02
)._replace(push=0.10, push_home=0.10, second=0.05, push_chore=0.40, push_early=0.40, words=0.50)
PUSHER = HOSTILE._replace(
    push=0.2, push_home=0.15, push_far=0.1, second=0.15, push_chore=0.4, push_early=0.4, astray=0.5, words=0.5
)
TAGS = "tags"
"""People as clumsy, whose pieces have tags, which pads or a reader a square read: they say no set-up."""
PROFILES = {
    "clumsy": CLUMSY,
    "careful": Rates(slide=0.20),
    "hostile": HOSTILE,
    "pusher": PUSHER,
    "wild": Rates(*(min(0.3, 8 * rate) for rate in CLUMSY)),
    TAGS: CLUMSY,
}
"""Whom one may have at the board."""
KINDS = Rates._fields
BEFORE = (
    *("dead", "stuck", "swap", "adjust", "knock", "out_of_turn", "put_back"),
    *("withdraw", "probe", "fiddle", "push", "push_home", "push_far", "second", "child", "illegal"),
)
"""The errors that come before an action, in this order."""


PUSHED = ("push", "push_home", "push_far", "second")
"""Those that come while a piece is in the hand, too."""


class Erring(NamedTuple):
    """One error in one turn."""

    turn: int
    kind: str


class People:
    """Two players at one board, from power on to the end of a game."""

    def __init__(
        self,
        setting: Setting,
        factory: TableFactory,
        seed: str,
        rates: Rates = CLUMSY,
        *,
        without: Collection[Erring] = (),
        longest: int = LONGEST,
    ) -> None:
        from boardsim.blunders import Blunders  # these know people
        from boardsim.captures import Captures
        from boardsim.hostility import Hostility
        from boardsim.pushers import Pushers

        self.scene = Scene(setting, factory)
        self.judge = Judge(self.scene, registry.new(setting.game, setting.options))
        self.seed = seed
        self.rates = rates
        self.without = frozenset(without)
        self.longest = longest
        self.turn = 0
        self._steps: tuple[State | None, dict[Action, Step]] = None, {}
        self.erred: list[Erring] = []
        self.dice = random.Random(seed)
        self.mending = Mending(self)
        self.blunders = Blunders(self)
        self.captures = Captures(self)
        self.hostility = Hostility(self)
        self.pushers = Pushers(self)

    @property
    def state(self) -> State:
        """The game as it truly stands."""
        return self.judge.truth.state

    # -- the game ------------------------------------------------------------------------------------------

    def play(self) -> None:
        """From power on to the end, or to the first thing that the umpire does wrong."""
        scene = self.scene
        scene.bench.start()
        scene.let(scene.now)
        self._deal("start")
        for seat in self.state.seats:
            self._set_up(seat)
        self.mending.settle()
        while self.state.outcome is None and not self.judge.findings:
            self.turn += 1
            if self.turn > self.longest:
                self._resign()
            else:
                self._turn()

    def _deal(self, what: str) -> None:
        """Take dice of this turn's own."""
        self.dice = random.Random(f"{self.seed} {self.turn} {what}")
        self.scene.hands.dice = random.Random(f"{self.seed} {self.turn} {what} hands")

    def _set_up(self, seat: Seat) -> None:
        scene = self.scene
        action = self.dice.choice(list(self.state.legal_actions(seat)))
        scene.note(scene.now, f"# {seat} sets up")
        ends, pad = [scene.now], scene.pad(seat)
        for space, label in placements(str(action)):
            piece = scene.world.new_piece(seat, label)
            if pad is None:
                ends.append(scene.hands.stand(piece, space, scene.now))
            else:
                scene.show(piece, pad)
                scene.let(scene.hands.stand(piece, space, scene.now))
        scene.let(max(ends))
        scene.wait(200)
        self.judge.tries(action)
        if scene.bench.tags is None:
            scene.say(seat, str(action))
        else:
            self.mending.await_ruling(LEARNT_MS)

    def _resign(self) -> None:
        seat = self.state.seats_to_act()[0]
        self.judge.tries(self.state.parse("resign", seat))
        self.scene.say(seat, "resign")
        self.mending.settle()

    def _turn(self) -> None:
        action = self._choose()
        self._deal("does")
        kinds = [kind for kind in KINDS if self._errs(kind)]
        self.scene.note(
            self.scene.now, f"# turn {self.turn}: {action.seat} {action} {' '.join(kinds)}".rstrip()
        )
        self.scene.hands.who = action.seat
        for kind in BEFORE:
            if kind in kinds and self._goes_on():
                self.blunders.do(kind, action.seat)
                self.scene.hands.who = action.seat
        if not self._goes_on():
            return
        if action not in self.state.legal_actions(action.seat):  # fallen pieces were taken for an action
            action = self._choose()
        self.carry(action, kinds)
        for kind in ("push_chore", "push_early"):
            if kind in kinds:
                self.pushers.onto_chore(action, kind, kinds)
        if "early" in kinds:
            self.blunders.early(action)
        if "forgotten" in kinds:
            self.blunders.forget(action)
        self.mending.settle()
        self.judge.ambiguous.clear()
        if "take_back" in kinds and self._goes_on():
            self.blunders.take_back(action)

    def _goes_on(self) -> bool:
        return not self.judge.findings and self.state.outcome is None

    def _errs(self, kind: str) -> bool:
        dice = random.Random(f"{self.seed} {self.turn} {kind}")
        return dice.random() < getattr(self.rates, kind) and Erring(self.turn, kind) not in self.without

    def erring(self, kind: str) -> None:
        """An error really happens now."""
        self.erred.append(Erring(self.turn, kind))
        self.judge.count[f"injected {kind}"] += 1

    def _choose(self) -> Action:
        """The next action: any legal one, rather often an attack."""
        dice, state = random.Random(f"{self.seed} {self.turn} move"), self.state
        legal = sorted(state.legal_actions(state.seats_to_act()[0]), key=str)
        steps = self.steps()
        attacks = [action for action in legal if action in steps and steps[action].attack]
        return dice.choice(attacks if attacks and dice.random() < EAGER else legal)

    # -- one action ----------------------------------------------------------------------------------------

    def steps(self, state: State | None = None) -> Mapping[Action, Step]:
        """How hands carry out each action that they can; the others are said."""
        state = state or self.state
        if state is not self._steps[0]:
            found = {}
            for step in state.steps():
                with contextlib.suppress(BadText):
                    for seat in state.seats_to_act():
                        found[state.hand_action(seat, step.origin, step.target)] = step
            self._steps = state, found
        return self._steps[1]

    def carry(self, action: Action, kinds: Collection[str]) -> None:
        """Carry a legal action out with the pieces; the truth goes on."""
        step = self.steps()[action]
        self.judge.tries(action)
        self._do(action.seat, step, kinds)

    def again(self, tried: Tried) -> None:
        """Do something again that the umpire had undone before it was ruled on."""
        origin, _, target = tried.text.partition("-")
        if origin not in self.scene.world.board.spaces:
            self.scene.say(tried.seat, tried.text)
            return
        attack = self.judge.stands.get(target) is not None
        self._do(tried.seat, Step(origin, target, attack), ())

    def _do(self, seat: Seat, step: Step, kinds: Collection[str]) -> None:
        self.scene.hands.who = seat
        if step.attack:
            self.captures.attack(seat, step, kinds)
        else:
            self._move(seat, step, kinds)
        if self.mending.blind & {step.origin, step.target}:
            self.judge.doers.says(seat, f"{step.origin}-{step.target}")
            self.scene.say(seat, f"{step.origin}-{step.target}")

    def between_lifts(self, seat: Seat, step: Step, kinds: Collection[str]) -> None:
        """What happens while a piece is in the hand."""
        if "away" in kinds:
            self.blunders.away()
        if "fiddle" in kinds:
            self.hostility.meanwhile(seat, step)
            self.scene.hands.who = seat
        for kind in PUSHED:
            if kind in kinds and not (step.attack and kind == "second"):
                self.pushers.meanwhile(seat, step, kind)
                self.scene.hands.who = seat

    def _move(self, seat: Seat, step: Step, kinds: Collection[str]) -> None:
        scene, hands = self.scene, self.scene.hands
        piece = scene.on(step.origin)
        if piece is None:  # a child has it
            return
        if "slide" in kinds:
            self.erring("slide")
            scene.let(hands.slide(piece, step.target, scene.now))
            return
        scene.let(hands.lift(piece, scene.now))
        self.between_lifts(seat, step, kinds)
        if self.judge.settled() or piece in scene.physics.slots or scene.on(step.target) is not None:
            return  # the board had it put back, or somebody stands there: it is done again
        if "between" in kinds and (other := self.blunders.beside(step)):
            self.erring("between")
            share = self.dice.uniform(0.30, 0.46)
            scene.let(hands.put_between(piece, step.target, other, share, scene.now))
        elif self.dice.random() < 0.1:
            scene.let(hands.drag(piece, step.target, scene.now))
        else:
            scene.let(hands.put(piece, step.target, scene.now))

    def misplaced(self) -> list[Space]:
        """The squares where another piece, or none, rests than people know should."""
        stands, scene = self.judge.stands, self.scene
        spaces = set(stands) | {space for piece in scene.physics.slots if (space := scene.where(piece))}
        fallen = scene.world.fallen()
        return sorted(
            space
            for space in spaces
            if (piece := scene.on(space)) != stands.get(space) or (piece is not None and piece in fallen)
        )

    def neighbours(self, space: Space, reach: float = 1.1) -> list[Space]:
        """The squares beside one, those aslant too with a reach of 1.5."""
        spaces = self.scene.world.board.spaces
        here = spaces[space]
        most = reach * min(here.outline.width, here.outline.height)
        found = []
        for other, place in spaces.items():
            dx, dy = place.position.x - here.position.x, place.position.y - here.position.y
            if other != space and dx * dx + dy * dy <= most * most:
                found.append(other)
        return found


def span_ms(dice: random.Random, least: int, most: int) -> int:
    """A while, in milliseconds."""
    return dice.randint(least, most) * MS // MS
