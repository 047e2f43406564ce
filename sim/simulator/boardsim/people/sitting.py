"""What all who play at one board share: the board, the truth, the turn with its dice, and the errors so far.

What is played, which errors happen in a turn and how hands move in it are drawn from generators of their own,
so that leaving an error out changes nothing before it.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Collection, Mapping, Sequence

from boardrules import registry
from boardrules.core import Action, BadText, State, Step
from boardsim.bench.bench import BenchSettings
from boardsim.bench.scene import BenchScene, Space
from boardsim.bench.table import BenchTableFactory
from boardsim.judging.judge import Judge
from boardsim.people.rates import CLUMSY, ErrorRates, TurnError
from boardware.ports import MS


def seeded_dice(seed: str) -> Callable[[Sequence[int]], int]:
    """Dice and decks from a seed: given weights, which of it comes."""
    chance = random.Random(f"chance {seed}")

    def dice(weights: Sequence[int]) -> int:
        return chance.choices(range(len(weights)), weights)[0]

    return dice


class SeededGame:
    """One game at one board, made from a seed and nothing else."""

    def __init__(
        self,
        setting: BenchSettings,
        factory: BenchTableFactory,
        seed: str,
        rates: ErrorRates = CLUMSY,
        *,
        without: Collection[TurnError] = (),
        judges: type[Judge] = Judge,
    ) -> None:
        self.scene = BenchScene(setting, factory.with_dice(seeded_dice(seed)))
        self.judge = judges(self.scene, registry.new(setting.game, setting.options))
        self.seed = seed
        self.rates = rates
        self.without = frozenset(without)
        self.turn = 0
        self.dice = random.Random(seed)
        """This turn's."""
        self.erred: list[TurnError] = []
        self._steps: tuple[State | None, dict[Action, Step]] = None, {}

    @property
    def state(self) -> State:
        """The game as it truly stands."""
        return self.judge.truth.state

    @property
    def ended(self) -> bool:
        """Whether the game is over, or the umpire has done something wrong."""
        return bool(self.judge.findings) or self.state.outcome is not None

    # -- the turn and its dice -----------------------------------------------------------------------------

    def reseed_dice(self, what: str) -> None:
        """Take dice of this turn's own."""
        self.dice = random.Random(f"{self.seed} {self.turn} {what}")
        self.scene.hands.dice = random.Random(f"{self.seed} {self.turn} {what} hands")

    def pause(self, least_ms: int, most_ms: int) -> None:
        """Take one's time."""
        self.scene.run_until(self.scene.now + self.dice.randint(least_ms, most_ms) * MS)

    def should_err(self, kind: str) -> bool:
        """Whether people try that error this turn."""
        dice = random.Random(f"{self.seed} {self.turn} {kind}")
        return dice.random() < getattr(self.rates, kind) and TurnError(self.turn, kind) not in self.without

    def record_error(self, kind: str) -> None:
        """An error really happens now."""
        self.erred.append(TurnError(self.turn, kind))
        self.judge.count[f"injected {kind}"] += 1

    def has_erred(self, kind: str) -> bool:
        """Whether that error has happened this turn."""
        return TurnError(self.turn, kind) in self.erred

    # -- the board -----------------------------------------------------------------------------------------

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

    def misplaced(self) -> list[Space]:
        """The squares where another piece, or none, rests than people know should."""
        self.judge.match_alike_pieces()
        stands, scene = self.judge.expected_pieces, self.scene
        spaces = set(stands) | {
            space for piece in scene.physics.resting_slots if (space := scene.space_of_piece(piece))
        }
        fallen = scene.world.fallen()
        return sorted(
            space
            for space in spaces
            if (piece := scene.top_piece_on(space)) != stands.get(space)
            or (piece is not None and piece in fallen)
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
