"""A pair of hands with things to do, one after the other, and a player who knows what to do next."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from boardrules.core import Action, State, Step
from boardsim.hands.hands import Hands, HandsError, InHand, Pace, space_of
from boardsim.world.world import Piece, World
from boardware.ports import MS, Micros

Verb = Callable[[Micros], Micros]
"""Begins at a moment, returns when it ends. Raises `HandsError`."""

Chore = Mapping[str, Any]
"""One thing that the umpire wants done: `do` (put, take, centre), `space`, `seat`."""

LOOK: Micros = 500 * MS
"""How long hands look at a chore before they obey."""
THINK: tuple[Micros, Micros] = (700 * MS, 1600 * MS)
"""How long a simulated player thinks, least and most."""
EAGER = 0.6
"""How often a simulated player attacks where it may."""


class Worker:
    """One seat's hands. What is queued is done in order; what can't be done is said and dropped."""

    def __init__(
        self, seat: str, world: World, *, pace: Pace, seed: int, tell: Callable[[str], None]
    ) -> None:
        self.seat = seat
        self.hands = Hands(world, pace=pace, seed=seed)
        self._queue: deque[Verb] = deque()
        self._free: Micros = 0
        self._tell = tell

    def due(self) -> Micros | None:
        """When the next thing is begun; `None` when there is none."""
        return self._free if self._queue else None

    def busy(self, now: Micros) -> bool:
        """Whether the hands are at something or have something to do."""
        return bool(self._queue) or now < self._free

    def do(self, *verbs: Verb) -> None:
        """Do these after all that is queued."""
        self._queue.extend(verbs)

    def drop(self) -> None:
        """Forget what is queued."""
        self._queue.clear()

    def step(self, now: Micros) -> None:
        """Begin what is due."""
        while self._queue and self._free <= now:
            verb = self._queue.popleft()
            try:
                self._free = max(now, verb(now))
            except HandsError as error:
                self._queue.clear()
                self._tell(str(error))

    # Verbs made of others

    def wait(self, micros: Micros) -> Verb:
        """Do nothing for a while."""
        return lambda now: now + micros

    def carry(self, origin: str, target: str) -> None:
        """Do what a person means by `a3-a4`: a piece that stands on the target is lifted too, an attack,
        whose sign is that the own piece is tapped on its own square."""
        hands = self.hands

        def arrive(now: Micros) -> Micros:
            if not pieces_on(hands.world, target):
                return hands.place(target, now)
            self._queue.appendleft(lambda now: hands.sign(origin, now))
            return hands.lift(target, now)

        self.do(lambda now: hands.lift(origin, now), arrive)

    def exchange(self, space: str, now: Micros) -> Micros:
        """The one piece in the hands and the one on `space` change places."""
        hands = self.hands
        (mine,) = hands.held
        if mine.origin is None:
            raise HandsError(f"a piece stands on {space}, and the one in the hand came from no square")
        home = space_of(mine.origin)
        self._queue.extendleft(
            (lambda now: hands.place(home, now, space), lambda now: hands.place(space, now, home))
        )
        return hands.lift(space, now)

    def take_off(self) -> None:
        """Put all pieces of this side that are on the board, or in the hands, beside it."""
        for held in self.hands.held:
            self.do(_putting_aside(self.hands, held))
        for space, pieces in self.hands.world.standing().items():
            if pieces[-1].owner == self.seat:
                self.do(partial(self.hands.lift, space), self.hands.aside)

    def obeying(self, chore: Chore) -> Verb | None:
        """How these hands do a chore: take off a piece of theirs, put down one they hold. Else `None`."""
        space, hands = chore["space"], self.hands
        if chore["do"] == "take":
            standing = pieces_on(hands.world, space)
            mine = bool(standing) and standing[-1].owner == self.seat
            return partial(hands.lift, space) if mine else None
        held = self.fitting(space, chore["seat"]) if chore["do"] == "put" else None
        return None if held is None else lambda now: hands.place(space, now, held.origin)

    def fitting(self, space: str, owner: str | None) -> InHand | None:
        """The held piece that belongs on `space`: one that was lifted there if it can be."""
        fitting = [held for held in self.hands.held if owner is None or held.piece.owner == owner]
        home = [held for held in fitting if held.origin is not None and space_of(held.origin) == space]
        return home[-1] if home else fitting[-1] if fitting else None

    def lay_aside(self, wanted: Mapping[str, Sequence[str]]) -> None:
        """Put held pieces beside the board that no space of the layout waits for."""
        standing = [piece.owner for pieces in self.hands.world.standing().values() for piece in pieces]
        owners = [pieces[0].partition(":")[0] for pieces in wanted.values()]
        for held in self.hands.held:
            owner = held.piece.owner
            if standing.count(owner) >= owners.count(owner):
                self.do(_putting_aside(self.hands, held))


class Player:
    """A simulated player of one seat: sets up and moves at random within the rules."""

    def __init__(self, worker: Worker, *, seed: int) -> None:
        self.worker = worker
        self._random = random.Random(f"player {worker.seat} {seed}")

    def set_up(self, state: State) -> str:
        """A set-up that the rules allow, as it is written."""
        return str(self._random.choice(list(state.legal_actions(self.worker.seat))))

    def move(self, state: State) -> None:
        """Have the hands carry out a legal action that hands can do. There is one unless the game is over."""
        steps = self._legal(state)
        attacks = [step for step in steps if step.attack]
        step = self._random.choice(attacks if attacks and self._random.random() < EAGER else steps)
        self.worker.do(self.worker.wait(self._random.randint(*THINK)))
        self.worker.carry(step.origin, step.target)

    def _legal(self, state: State) -> list[Step]:
        seat = self.worker.seat
        legal: set[Action] = set(state.legal_actions(seat))
        return [step for step in state.steps() if state.hand_action(seat, step.origin, step.target) in legal]


def pieces_on(world: World, space: str) -> list[Piece]:
    """What stands on a space, lowest first."""
    return [piece for slot, pieces in world.standing().items() if space_of(slot) == space for piece in pieces]


def _putting_aside(hands: Hands, held: InHand) -> Verb:
    return lambda now: hands.aside(now, held.origin) if held in hands.held else now
