"""Who pushes pieces over the board, and talks, while somebody else has one in the hand or a chore to do.

A piece that is pushed is sensed on the next square before it leaves its own, or by neither for a moment: so
what another hand pushes looks much like what the mover does. `rates.Rates` says how often.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from math import hypot

from boardrules.core import NO_SEAT, Action, Seat, Step
from boardsim.bench.scene import Space
from boardsim.people.hostility import HostileBehaviour
from boardsim.people.mending import CorrectionBehaviour
from boardsim.people.sitting import SeededGame
from boardsim.world.world import Piece
from boardware.ports import MS, Micros

STAYS_MS = 700
"""How long a piece that is pushed where another was lifted stays there at least: for less it would be the
attacker's tap on its own square, which another's magnet can forge (docs/understand/measuring.md)."""
HELD_MS = 300
"""How long a piece has been up before another is pushed where it stood: what dips for less was in no hand."""
SPEAKS: Micros = 200 * MS
"""How soon after the sign of an attack somebody has a word to say."""
RESTS = 0.5
"""How often who has pushed a piece far rests with it on its way back."""
HEEDED_MS = 1000
"""How long the umpire may take to rule on an attack after its sign."""
DOUBTED_MS = 3500
"""How long the umpire may take to ask who was pushed to where a chore is."""
WATCHES = 0.3
"""How often hands hold still for so long."""
FAR = 3
"""Over how many squares a piece is pushed at most."""
HOMES = ("push_home", "push_far")
BACK = 0.7
"""How often who pushed a piece pushes it back himself."""


class SlidingBehaviour:
    """Does one of these at a time; what it leaves on the board people mend."""

    def __init__(
        self, sitting: SeededGame, mending: CorrectionBehaviour, hostility: HostileBehaviour
    ) -> None:
        self.sitting, self.mending, self.hostility = sitting, mending, hostility
        self.scene = sitting.scene
        self.judge = sitting.judge

    @property
    def dice(self) -> random.Random:
        """This turn's."""
        return self.sitting.dice

    # -- while somebody thinks with a piece in the hand ----------------------------------------------------

    def push(self, seat: Seat) -> None:
        """One thinks with a piece in the hand, the other pushes one of his nearer."""
        self._think(seat, "push")

    def push_home(self, seat: Seat) -> None:
        """The same, and he pushes it where that piece was lifted."""
        self._think(seat, "push_home")

    def push_far(self, seat: Seat) -> None:
        """The same, from further away."""
        self._think(seat, "push_far")

    def second(self, seat: Seat) -> None:
        """One thinks with a piece in the hand, and puts another of his own where it stood."""
        self._think(seat, "second")

    def meanwhile(self, seat: Seat, step: Step, kind: str) -> None:
        """The same in the middle of an action; it may stay there."""
        if self.sitting.has_erred(kind):
            return
        held = step.origin if self.scene.on(step.origin) is None else step.target
        self._one(kind, seat, held, {step.origin, step.target})

    def _think(self, seat: Seat, kind: str) -> None:
        """One holds a piece, something is done meanwhile, and at last it is put back."""
        scene, own = self.scene, self._own(seat)
        self.dice.shuffle(own)
        held = next((space for space in own if self._choices(kind, seat, space, {space})), None)
        if held is None:
            return
        piece = self.judge.stands[held]
        scene.hands.who = seat
        scene.let(scene.hands.lift(piece, scene.now))
        self._one(kind, seat, held, {held})
        scene.hands.who = seat
        if piece in scene.up() and scene.on(held) is None and not self.judge.findings:
            scene.let(scene.hands.put(piece, held, scene.now))
        self.mending.settle()

    def _one(self, kind: str, seat: Seat, held: Space, but: set[Space]) -> None:
        """One thing that is done while the piece of `held` is in the hand of `seat`."""
        scene, hands = self.scene, self.scene.hands
        choices = self._choices(kind, seat, held, but)
        if not choices:
            return
        scene.wait(self.dice.randint(HELD_MS, 2000))
        space, target = self.dice.choice(choices)
        piece = self.judge.stands[space]
        if scene.on(space) != piece or scene.on(target) is not None or self.sitting.ended:
            return
        self.sitting.erring(kind)
        hands.who = piece.owner
        if kind == "second" and self.dice.random() < 0.5:
            scene.let(hands.lift(piece, scene.now))
            scene.let(hands.put(piece, target, scene.now))
        else:
            scene.let(hands.slide(piece, target, scene.now))
        least = STAYS_MS if kind in HOMES else 0
        self.hostility.linger(least, self.dice.choice([900, 4000]))
        if kind == "push_far":
            self._rest(piece, target, space)
        self._back(piece, scene.where(piece) or target, space)

    def _rest(self, piece: Piece, target: Space, space: Space) -> None:
        """Push it back half the way, and rest there."""
        scene = self.scene
        way = self._in_line(target)
        there = way[way.index(space) - 1] if space in way else target
        if scene.on(target) == piece and scene.on(there) is None and self.dice.random() < RESTS:
            scene.hands.who = piece.owner
            scene.let(scene.hands.slide(piece, there, scene.now))
            self.hostility.linger(100, 2500)

    def _back(self, piece: Piece, target: Space, space: Space) -> None:
        """Push it back, or leave it there."""
        scene = self.scene
        here = scene.on(target) == piece and scene.on(space) is None
        if here and self.dice.random() < BACK and not self.sitting.ended:
            scene.hands.who = piece.owner
            scene.let(scene.hands.slide(piece, space, scene.now))
            self.hostility.linger(0, 800)

    def _choices(self, kind: str, seat: Seat, held: Space, but: set[Space]) -> list[tuple[Space, Space]]:
        """Which pieces may be pushed, or set, and where, while the piece of `held` is up."""
        if kind == "second":
            far = self._own(seat) if self.dice.random() < 0.3 else self.sitting.neighbours(held)
            return [(space, held) for space in far if space not in but and self._whose(space) == seat]
        other = self.hostility.other(seat)
        if kind in HOMES:
            beside = set(self.sitting.neighbours(held))
            lines = [space for space in self._in_line(held) if (space in beside) == (kind == "push_home")]
            return [(space, held) for space in lines if space not in but and self._may(space, held, other)]
        near = [
            (space, target)
            for space in self._own(other)
            for target in self.sitting.neighbours(space)
            if target != held and self.scene.on(target) is None and self._may(space, target, other)
            if space not in but and self._far(target, held) < self._far(space, held)
        ]
        reach = {step.target for step in self.sitting.state.steps() if step.origin == held}
        reached = [each for each in near if each[1] in reach]
        return reached if reached and self.dice.random() < 0.7 else near

    def _may(self, space: Space, target: Space, owner: Seat) -> bool:
        """Whether a piece of that side stands there, and pushing it doesn't put the last move back."""
        return self._whose(space) == owner and f"{target}-{space}" not in self._last()

    # -- while there is a chore to do ----------------------------------------------------------------------

    def onto_chore(self, action: Action, kind: str, kinds: Collection[str]) -> None:
        """A piece is pushed where another has to be put: by who is to move next, as an early reply
        (`push_early`), or by anybody (`push_chore`)."""
        scene = self.scene
        step = self.sitting.steps(self.judge.before).get(action)
        if step is None or not step.attack:
            return
        self.mending.await_ruling(40_000)
        if self.sitting.ended or not self.judge.settled():
            return
        scene.wait(self.dice.randint(100, 800))
        choices = [
            (space, target)
            for target in sorted(str(chore["space"]) for chore in scene.ears.chores)
            if scene.on(target) is None
            for space in self._in_line(target)
            if self._whose(space) and self._fits(kind, space, target)
        ]
        if not choices:
            return
        space, target = self.dice.choice(choices)
        piece = self.judge.stands[space]
        self.sitting.erring(kind)
        self.judge.ambiguous.add(kind)
        scene.hands.who = piece.owner
        scene.let(scene.hands.slide(piece, target, scene.now))
        if self.dice.random() < WATCHES:
            self._doubted(space, target)
        self.hostility.linger(100, 4000)
        if "astray" in kinds:
            self._astray(space, target)
        self._back(piece, target, space)

    def _doubted(self, space: Space, target: Space) -> None:
        """Hold still: what was pushed over from beside may not be taken for what the chore wants."""
        judge, scene = self.judge, self.scene
        pushed = scene.now
        scene.wait(DOUBTED_MS)
        felt = target in scene.felt() and space not in scene.felt()
        beside = space in self.sitting.neighbours(target) and not {space, target} & judge.blind
        if felt and beside and not judge.broken and judge.asked.get(target, -1) < pushed:
            judge.find("missed", f"{space} was pushed onto {target}, which had a chore, and nobody was asked")

    def _astray(self, space: Space, target: Space) -> None:
        """Whoever holds the piece that belongs on `target` sets it down beside where the other came from."""
        scene, piece = self.scene, self.judge.stands.get(target)
        free = [near for near in (space, *self.sitting.neighbours(space)) if scene.on(near) is None]
        if piece in scene.up() and free and not self.sitting.ended:
            self.sitting.erring("astray")
            scene.hands.who = piece.owner
            scene.let(scene.hands.put(piece, self.dice.choice(free), scene.now))
            self.hostility.linger(100, 4000)

    def _fits(self, kind: str, space: Space, target: Space) -> bool:
        """Whether that is a reply: hands of who is to move next could do it."""
        reply = any(step[:2] == (space, target) for step in self.sitting.state.steps())
        return reply == (kind == "push_early") and f"{target}-{space}" not in self._last()

    # -- words ---------------------------------------------------------------------------------------------

    def words(self, seat: Seat) -> None:
        """Just after `seat` has given the sign of an attack the other has something to say."""
        scene, judge = self.scene, self.judge
        other, before = self.hostility.other(seat), judge.before
        said = [str(word) for word in before.table_actions(other)]
        ways = [["adjourn"]]
        ways += [[word] for word in ("offer-draw", "ask-take-back") if word in said]
        if "ask-take-back" in said:
            ways.append(["ask-take-back", "withdraw-take-back"])
        way, end = self.dice.choice(ways), scene.now + SPEAKS
        for count, word in enumerate(way):
            scene.let(scene.now + self.dice.randint(0, (end - scene.now) // len(way) // MS) * MS)
            if judge.settled() or judge.findings:
                return
            if not count:
                self.sitting.erring("words")
            elif scene.ears.offer != other:
                break  # the attack has declined it already
            self._speaks(other, word)
        self._heeded(seat, way[-1])

    def _heeded(self, seat: Seat, word: str) -> None:
        """No word takes a sign away: who has given it needn't do anything more."""
        judge, scene = self.judge, self.scene
        text, done = (
            judge.actions[-1][1],
            {each.kind for each in self.sitting.erred if each.turn == self.sitting.turn},
        )
        origin, _, target = text.partition("-")
        up = judge.stands.keys() - scene.felt() == {origin, target} and not scene.felt() - judge.stands.keys()
        if done == {"words"} and up and not judge.broken and judge.doers.signed(seat, text):
            scene.wait(HEEDED_MS)
            if not judge.settled():
                judge.find("lost", f"{seat} {text}: its sign was given, and then somebody said {word}")

    def _speaks(self, seat: Seat, word: str) -> None:
        if word != "adjourn":
            self.judge.interposes(seat, word)
        refused = self.scene.say(seat, word)
        if refused is not None:
            self.judge.find("lost", f"{seat} could not say {word}: {refused}")

    # -- pieces --------------------------------------------------------------------------------------------

    def _own(self, seat: Seat) -> list[Space]:
        return sorted(space for space in self.judge.stands if self._whose(space) == seat)

    def _whose(self, space: Space) -> Seat:
        """Whose piece rests on a square where it belongs."""
        piece = self.judge.stands.get(space)
        return piece.owner if piece is not None and self.scene.on(space) == piece else NO_SEAT

    def _in_line(self, target: Space) -> list[Space]:
        """The squares from which a piece may be pushed straight to this one, over at most two free ones."""
        spaces, found = self.scene.world.board.spaces, []
        for near in self.sitting.neighbours(target):
            here, there, space = spaces[target].position, spaces[near].position, near
            step = there.x - here.x, there.y - here.y
            for _ in range(FAR):
                found.append(space)
                beyond = spaces[space].position.x + step[0], spaces[space].position.y + step[1]
                further = [
                    each for each in self.sitting.neighbours(space)
                    if hypot(spaces[each].position.x - beyond[0], spaces[each].position.y - beyond[1]) < 1
                ]  # fmt: skip
                if self.scene.on(space) is not None or not further:
                    break
                (space,) = further
        return found

    def _last(self) -> set[str]:
        """The last moves: putting those back asks for it."""
        return {text for _, text in self.judge.actions[-2:]}

    def _far(self, one: Space, other: Space) -> float:
        spaces = self.scene.world.board.spaces
        here, there = spaces[one].position, spaces[other].position
        return hypot(there.x - here.x, there.y - here.y)
