"""Who pushes pieces over the board, and talks, while somebody else has one in the hand or a chore to do.

A piece that is pushed is sensed on the next square before it leaves its own, or by neither for a moment: so
what another hand pushes looks much like what the mover does. `rates.ErrorRates` says how often.
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

PUSHED_STAY_MIN_MS = 700
"""How long a piece that is pushed where another was lifted stays there at least: for less it would be the
attacker's tap on its own square, which another's magnet can forge (docs/understand/measuring.md)."""
HELD_MS = 300
"""How long a piece has been up before another is pushed where it stood: what dips for less was in no hand."""
SPEAK_WITHIN_US: Micros = 200 * MS
"""How soon after the sign of an attack somebody has a word to say."""
REST_RATE = 0.5
"""How often who has pushed a piece far rests with it on its way back."""
ATTACK_RULING_MAX_MS = 1000
"""How long the umpire may take to rule on an attack after its sign."""
QUESTION_MAX_MS = 3500
"""How long the umpire may take to ask who was pushed to where a chore is."""
HOLD_STILL_RATE = 0.3
"""How often hands hold still for so long."""
FAR = 3
"""Over how many squares a piece is pushed at most."""
PUSH_HOME_KINDS = ("push_home", "push_far")
PUSH_BACK_RATE = 0.7
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
        self._hold_while_pushing(seat, "push")

    def push_home(self, seat: Seat) -> None:
        """The same, and he pushes it where that piece was lifted."""
        self._hold_while_pushing(seat, "push_home")

    def push_far(self, seat: Seat) -> None:
        """The same, from further away."""
        self._hold_while_pushing(seat, "push_far")

    def place_second_piece(self, seat: Seat) -> None:
        """One thinks with a piece in the hand, and puts another of his own where it stood."""
        self._hold_while_pushing(seat, "second")

    def push_during_action(self, seat: Seat, step: Step, kind: str) -> None:
        """The same in the middle of an action; it may stay there."""
        if self.sitting.has_erred(kind):
            return
        held = step.origin if self.scene.top_piece_on(step.origin) is None else step.target
        self._push_once(kind, seat, held, {step.origin, step.target})

    def _hold_while_pushing(self, seat: Seat, kind: str) -> None:
        """One holds a piece, something is done meanwhile, and at last it is put back."""
        scene, own = self.scene, self._own(seat)
        self.dice.shuffle(own)
        held = next((space for space in own if self._possible_pushes(kind, seat, space, {space})), None)
        if held is None:
            return
        piece = self.judge.expected_pieces[held]
        scene.hands.acting_person = seat
        scene.run_until(scene.hands.lift(piece, scene.now))
        self._push_once(kind, seat, held, {held})
        scene.hands.acting_person = seat
        if piece in scene.held_pieces() and scene.top_piece_on(held) is None and not self.judge.findings:
            scene.run_until(scene.hands.put(piece, held, scene.now))
        self.mending.settle()

    def _push_once(self, kind: str, seat: Seat, held: Space, but: set[Space]) -> None:
        """One thing that is done while the piece of `held` is in the hand of `seat`."""
        scene, hands = self.scene, self.scene.hands
        choices = self._possible_pushes(kind, seat, held, but)
        if not choices:
            return
        scene.wait(self.dice.randint(HELD_MS, 2000))
        space, target = self.dice.choice(choices)
        piece = self.judge.expected_pieces.get(space)  # a round may have ended meanwhile
        if piece is None or self.sitting.ended:
            return
        if scene.top_piece_on(space) != piece or scene.top_piece_on(target) is not None:
            return
        self.sitting.record_error(kind)
        hands.acting_person = piece.owner
        if kind == "second" and self.dice.random() < 0.5:
            scene.run_until(hands.lift(piece, scene.now))
            scene.run_until(hands.put(piece, target, scene.now))
        else:
            scene.run_until(hands.slide(piece, target, scene.now))
        least = PUSHED_STAY_MIN_MS if kind in PUSH_HOME_KINDS else 0
        self.hostility.linger(least, self.dice.choice([900, 4000]))
        if kind == "push_far":
            self._push_halfway_back(piece, target, space)
        self._maybe_push_back(piece, scene.space_of_piece(piece) or target, space)

    def _push_halfway_back(self, piece: Piece, target: Space, space: Space) -> None:
        """Push it back half the way, and rest there."""
        scene = self.scene
        way = self._straight_push_origins(target)
        there = way[way.index(space) - 1] if space in way else target
        if (
            scene.top_piece_on(target) == piece
            and scene.top_piece_on(there) is None
            and self.dice.random() < REST_RATE
        ):
            scene.hands.acting_person = piece.owner
            scene.run_until(scene.hands.slide(piece, there, scene.now))
            self.hostility.linger(100, 2500)

    def _maybe_push_back(self, piece: Piece, target: Space, space: Space) -> None:
        """Push it back, or leave it there."""
        scene = self.scene
        here = scene.top_piece_on(target) == piece and scene.top_piece_on(space) is None
        if here and self.dice.random() < PUSH_BACK_RATE and not self.sitting.ended:
            scene.hands.acting_person = piece.owner
            scene.run_until(scene.hands.slide(piece, space, scene.now))
            self.hostility.linger(0, 800)

    def _possible_pushes(
        self, kind: str, seat: Seat, held: Space, but: set[Space]
    ) -> list[tuple[Space, Space]]:
        """Which pieces may be pushed, or set, and where, while the piece of `held` is up."""
        if kind == "second":
            far = self._own(seat) if self.dice.random() < 0.3 else self.sitting.neighbours(held)
            return [(space, held) for space in far if space not in but and self._owner_at_home(space) == seat]
        other = self.hostility.other(seat)
        if kind in PUSH_HOME_KINDS:
            beside = set(self.sitting.neighbours(held))
            lines = [
                space
                for space in self._straight_push_origins(held)
                if (space in beside) == (kind == "push_home")
            ]
            return [
                (space, held)
                for space in lines
                if space not in but and self._is_push_allowed(space, held, other)
            ]
        near = [
            (space, target)
            for space in self._own(other)
            for target in self.sitting.neighbours(space)
            if target != held
            and self.scene.top_piece_on(target) is None
            and self._is_push_allowed(space, target, other)
            if space not in but and self._distance(target, held) < self._distance(space, held)
        ]
        reach = {step.target for step in self.sitting.state.steps() if step.origin == held}
        reached = [each for each in near if each[1] in reach]
        return reached if reached and self.dice.random() < 0.7 else near

    def _is_push_allowed(self, space: Space, target: Space, owner: Seat) -> bool:
        """Whether a piece of that side stands there, and pushing it doesn't put the last move back."""
        return self._owner_at_home(space) == owner and f"{target}-{space}" not in self._last()

    # -- while there is a chore to do ----------------------------------------------------------------------

    def push_onto_correction(self, action: Action, kind: str, kinds: Collection[str]) -> None:
        """A piece is pushed where another has to be put: by who is to move next, as an early reply
        (`push_early`), or by anybody (`push_chore`)."""
        scene = self.scene
        step = self.sitting.steps(self.judge.state_before_last).get(action)
        if step is None or not step.attack:
            return
        self.mending.await_ruling(40_000)
        if self.sitting.ended or not self.judge.is_all_ruled():
            return
        scene.wait(self.dice.randint(100, 800))
        choices = [
            (space, target)
            for target in sorted(str(chore["space"]) for chore in scene.listener.chores)
            if scene.top_piece_on(target) is None
            for space in self._straight_push_origins(target)
            if self._owner_at_home(space) and self._is_push_of_kind(kind, space, target)
        ]
        if not choices:
            return
        space, target = self.dice.choice(choices)
        piece = self.judge.expected_pieces[space]
        self.sitting.record_error(kind)
        self.judge.ambiguous_errors.add(kind)
        scene.hands.acting_person = piece.owner
        scene.run_until(scene.hands.slide(piece, target, scene.now))
        if self.dice.random() < HOLD_STILL_RATE:
            self._check_umpire_asks(space, target)
        self.hostility.linger(100, 4000)
        if "astray" in kinds:
            self._put_wanted_astray(space, target)
        self._maybe_push_back(piece, target, space)

    def _check_umpire_asks(self, space: Space, target: Space) -> None:
        """Hold still: what was pushed over from beside may not be taken for what the chore wants."""
        judge, scene = self.judge, self.scene
        pushed = scene.now
        scene.wait(QUESTION_MAX_MS)
        felt = target in scene.closed_reed_spaces() and space not in scene.closed_reed_spaces()
        beside = space in self.sitting.neighbours(target) and not {space, target} & judge.hand_played_spaces
        if felt and beside and not judge.failed_slots and judge.asked.get(target, -1) < pushed:
            judge.find("missed", f"{space} was pushed onto {target}, which had a chore, and nobody was asked")

    def _put_wanted_astray(self, space: Space, target: Space) -> None:
        """Whoever holds the piece that belongs on `target` sets it down beside where the other came from."""
        scene, piece = self.scene, self.judge.expected_pieces.get(target)
        free = [near for near in (space, *self.sitting.neighbours(space)) if scene.top_piece_on(near) is None]
        if piece in scene.held_pieces() and free and not self.sitting.ended:
            self.sitting.record_error("astray")
            scene.hands.acting_person = piece.owner
            scene.run_until(scene.hands.put(piece, self.dice.choice(free), scene.now))
            self.hostility.linger(100, 4000)

    def _is_push_of_kind(self, kind: str, space: Space, target: Space) -> bool:
        """Whether that is a reply: hands of who is to move next could do it."""
        reply = any(step[:2] == (space, target) for step in self.sitting.state.steps())
        return reply == (kind == "push_early") and f"{target}-{space}" not in self._last()

    # -- words ---------------------------------------------------------------------------------------------

    def speak_after_sign(self, seat: Seat) -> None:
        """Just after `seat` has given the sign of an attack the other has something to say."""
        scene, judge = self.scene, self.judge
        other, before = self.hostility.other(seat), judge.state_before_last
        said = [str(word) for word in before.table_actions(other)]
        ways = [["adjourn"]]
        ways += [[word] for word in ("offer-draw", "ask-take-back") if word in said]
        if "ask-take-back" in said:
            ways.append(["ask-take-back", "withdraw-take-back"])
        way, end = self.dice.choice(ways), scene.now + SPEAK_WITHIN_US
        for count, word in enumerate(way):
            scene.run_until(scene.now + self.dice.randint(0, (end - scene.now) // len(way) // MS) * MS)
            if judge.is_all_ruled() or judge.findings:
                return
            if not count:
                self.sitting.record_error("words")
            elif scene.listener.offer != other:
                break  # the attack has declined it already
            self._say_word(other, word)
        self._check_sign_counts(seat, way[-1])

    def _check_sign_counts(self, seat: Seat, word: str) -> None:
        """No word takes a sign away: who has given it needn't do anything more."""
        judge, scene = self.judge, self.scene
        text, done = (
            judge.actions[-1][1],
            {each.kind for each in self.sitting.erred if each.turn == self.sitting.turn},
        )
        origin, _, target = text.partition("-")
        up = (
            judge.expected_pieces.keys() - scene.closed_reed_spaces() == {origin, target}
            and not scene.closed_reed_spaces() - judge.expected_pieces.keys()
        )
        if (
            done == {"words"}
            and up
            and not judge.failed_slots
            and judge.hand_attribution.has_tapped_clearly(seat, text)
        ):
            scene.wait(ATTACK_RULING_MAX_MS)
            if not judge.is_all_ruled():
                judge.find("lost", f"{seat} {text}: its sign was given, and then somebody said {word}")

    def _say_word(self, seat: Seat, word: str) -> None:
        if word != "adjourn":
            self.judge.insert_before_last(seat, word)
        refused = self.scene.say(seat, word)
        if refused is not None:
            self.judge.find("lost", f"{seat} could not say {word}: {refused}")

    # -- pieces --------------------------------------------------------------------------------------------

    def _own(self, seat: Seat) -> list[Space]:
        return sorted(space for space in self.judge.expected_pieces if self._owner_at_home(space) == seat)

    def _owner_at_home(self, space: Space) -> Seat:
        """Whose piece rests on a square where it belongs."""
        piece = self.judge.expected_pieces.get(space)
        return piece.owner if piece is not None and self.scene.top_piece_on(space) == piece else NO_SEAT

    def _straight_push_origins(self, target: Space) -> list[Space]:
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
                if self.scene.top_piece_on(space) is not None or not further:
                    break
                (space,) = further
        return found

    def _last(self) -> set[str]:
        """The last moves: putting those back asks for it."""
        return {text for _, text in self.judge.actions[-2:]}

    def _distance(self, one: Space, other: Space) -> float:
        spaces = self.scene.world.board.spaces
        here, there = spaces[one].position, spaces[other].position
        return hypot(there.x - here.x, there.y - here.y)
