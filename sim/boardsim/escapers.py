"""People around a board of pawns that are alike, many of them moved in one turn: they play, err and mend.

What is no carrying of pawns they say on their phones. Each ruling is held against the truth, a game of its
own, played by what was really done and said; the cards that the umpire deals are read from the phones.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from boardrules import registry
from boardrules.colditz.actions import Word
from boardrules.colditz.players import choose
from boardrules.core import CHANCE, Action, State
from boardsim.bench import Setting
from boardsim.hunters import PATIENCE, SLICE_MS, UNHEARD, Truth
from boardsim.judge import LOST, MISSED, WRONG
from boardsim.people import CLUMSY, LONGEST, Erring, Rates
from boardsim.scene import Scene, Space
from boardsim.table import Message, TableFactory
from boardsim.world import Piece
from boardware.ports import SECOND, Micros

LOOK: Micros = 130 * SECOND
"""How long a pawn may stand wrong before people see it themselves: the umpire says so within 120 s."""
WHIM = 0.25
"""How often somebody does just anything."""
PLAYER_ACTIONS = 2
"""A turn has many actions: so many times `longest` are played."""


class Dealt(Truth):
    """The truth of a game whose cards the umpire deals, to one seat each."""

    def __init__(self, scene: Scene, state: State) -> None:
        self._card = False
        super().__init__(scene, state)

    def hear(self, message: Message) -> None:
        """Hold what everybody is told against the truth; what a seat alone is told may be its card."""
        if message.seat is None:
            super().hear(message)
            return
        for event in message.data.get("events", ()):
            if event["kind"] == "drawn" and self._card:
                self._card = False
                self._chance(f"deal {event['seat']} {event['card']}")

    def _chance(self, text: str) -> None:
        self.actions.append((CHANCE, text))
        self.truth.push_text(CHANCE, text)

    def _ruled(self, data: Mapping[str, Any]) -> None:
        if data["ok"] and data["seat"] == CHANCE and data["action"] is None:
            self._card = True  # which one the seat's own phone says
            return
        super()._ruled(data)


class Stand(NamedTuple):
    """Where a pawn of a seat belongs, or is."""

    space: Space
    seat: str


class Escapers:
    """All players of one game at one board, from power on to the end."""

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
        self.scene = Scene(setting, factory)
        self.judge = Dealt(self.scene, registry.new(setting.game, setting.options))
        self.seed, self.rates, self.without = seed, rates, frozenset(without)
        self.longest = longest * PLAYER_ACTIONS
        self.turn = 0
        self.erred: list[Erring] = []
        self.dice = random.Random(seed)
        self.pawns: list[Piece] = []

    @property
    def state(self) -> State:
        """The game as it truly stands."""
        return self.judge.truth.state

    # -- the game ------------------------------------------------------------------------------------------

    def play(self) -> None:
        """From power on to the end, or to the first thing that the umpire does wrong."""
        scene = self.scene
        scene.bench.start()
        scene.wait(200)
        for stand in sorted(self.belongs().elements()):
            pawn = scene.world.new_piece(stand.seat, stand.seat)
            self.pawns.append(pawn)
            self._put(pawn, stand.space)
        self.settle()
        while self.state.outcome is None and not self.judge.findings:
            self.turn += 1
            self.dice = random.Random(f"{self.seed} {self.turn}")
            scene.hands.dice = random.Random(f"{self.seed} {self.turn} hands")
            self._turn()
            self.settle()

    def _turn(self) -> None:
        (seat,) = self.state.seats_to_act()
        if self.turn > self.longest:
            self._say(self.state.parse("resign", seat))
            return
        self._blunder()
        if self.judge.findings:
            return
        action = self._choose(seat)
        self.scene.note(self.scene.now, f"# turn {self.turn}: {seat} {action!r}")
        carried = {each: hands for hands, each in self._carries(seat).items()}
        if action in carried:
            self._carry(action, *carried[action])
        else:
            self._say(action)

    def _carries(self, seat: str) -> dict[tuple[Space, Space], Action]:
        return {
            (origin, target): action
            for origin, targets in self.state.carries(seat).items()
            for target, action in targets.items()
        }

    def _choose(self, seat: str) -> Action:
        """What a simple player would do, who sees some of the ways of his pawns; or just anything."""
        dice, carries = self.dice, list(self._carries(seat).values())
        words = [action for action in self.state.legal_actions(seat) if isinstance(action, Word)]
        if dice.random() < WHIM:
            return dice.choice(dice.choice([each for each in (carries, words) if each]))
        ways = dice.sample(carries, min(len(carries), 60))
        view: Any = self.state.view(seat)
        return choose(view, [*ways, *words], dice)

    def _say(self, action: Action) -> None:
        buttons = [button for button, said in self.state.pressed().items() if said == action]
        self.judge.does(action)
        if buttons and self.dice.random() < 0.3:
            self.scene.press(buttons[0])
            return
        why = self.scene.say(action.seat, str(action))
        if why is not None:
            self.judge.find(WRONG, f"{action.seat} could not say {action!r}: {why}")

    # -- where pawns are -----------------------------------------------------------------------------------

    def belongs(self) -> Counter[Stand]:
        """How many pawns of each seat belong on each space."""
        return Counter(
            Stand(space, pawn.partition(":")[0])
            for space, pawns in self.state.layout().items()
            for pawn in pawns
        )

    def stands(self) -> dict[Piece, Stand]:
        """By pawn that stands upright where it is."""
        scene, fallen = self.scene, self.scene.world.fallen()
        return {
            pawn: Stand(space, pawn.owner)
            for pawn in self.pawns
            if pawn not in fallen and (space := scene.where(pawn)) is not None
        }

    def astray(self) -> tuple[list[Piece], list[Stand]]:
        """The pawns that are not where one of theirs belongs, and where one is missing."""
        left, wrong = self.belongs(), []
        standing = self.stands()
        for pawn in self.pawns:
            stand = standing.get(pawn)
            if stand is not None and left[stand] > 0:
                left[stand] -= 1
            elif pawn not in self.scene.beside:
                wrong.append(pawn)
        return wrong, sorted(left.elements())

    def misplaced(self) -> bool:
        """Whether any pawn is not where it belongs."""
        return any(self.astray())

    def _free(self, space: Space) -> str:
        """A slot of a space where nothing stands, or its first."""
        slots = self.scene.world.board.spaces[space].slots
        free = [slot.id for slot in slots if not self.scene.world.on(slot.id)]
        return free[0] if free else slots[0].id

    def _put(self, pawn: Piece, space: Space) -> None:
        scene = self.scene
        if pawn in scene.beside:
            scene.beside.remove(pawn)
        if pawn in scene.physics.at:
            scene.let(scene.hands.put(pawn, self._free(space), scene.now))
        else:
            scene.let(scene.hands.stand(pawn, self._free(space), scene.now))

    def _lift(self, pawn: Piece) -> None:
        if pawn in self.scene.physics.slots:
            self.scene.let(self.scene.hands.lift(pawn, self.scene.now))

    def _on(self, stand: Stand) -> Piece | None:
        """A pawn of a seat on a space."""
        return next((pawn for pawn, at in self.stands().items() if at == stand), None)

    # -- one action ----------------------------------------------------------------------------------------

    def _carry(self, action: Action, origin: Space, target: Space) -> None:
        """A legal move with a pawn; where it meets one of the other side, both are taken up."""
        scene, dice = self.scene, self.dice
        pawn = self._on(Stand(origin, action.seat))
        if pawn is None:
            self.judge.find(WRONG, f"nothing of {action.seat} stands on {origin}")
            return
        met = next((other for other, at in self.stands().items() if at.space == target), None)
        meets = met is not None and (met.owner == "security") != (pawn.owner == "security")
        if len(scene.world.board.spaces[target].slots) > 1:
            meets = False
        self.judge.does(action)
        if meets and met is not None:
            first, second = (pawn, met) if dice.random() < 0.6 else (met, pawn)
            self._lift(first)
            self._lift(second)
            return
        if self._errs("slide") and self._alone(origin) and self._clear(origin, target):
            self.erring("slide")
            scene.let(scene.hands.slide(pawn, target, scene.now))
            return
        self._lift(pawn)
        if self._errs("away"):
            self.erring("away")
            scene.wait(dice.randint(5_000, 15_000))
        if self._errs("between") and (beside := self._beside(target)):
            self.erring("between")
            scene.let(scene.hands.put_between(pawn, target, beside, dice.uniform(0.3, 0.46), scene.now))
            return
        self._put(pawn, target)

    def _alone(self, space: Space) -> bool:
        return len(self.scene.world.board.spaces[space].slots) == 1

    def _clear(self, origin: Space, target: Space) -> bool:
        """Whether a pawn can be pushed there: side by side, both with one slot."""
        return self._alone(target) and target in self._near(origin, 45.0)

    def _near(self, space: Space, most_mm: float) -> list[Space]:
        spaces = self.scene.world.board.spaces
        here = spaces[space].position
        found = []
        for other, place in spaces.items():
            dx, dy = place.position.x - here.x, place.position.y - here.y
            if other != space and dx * dx + dy * dy <= most_mm * most_mm and len(place.slots) == 1:
                found.append(other)
        return found

    def _beside(self, target: Space) -> Space | None:
        if not self._alone(target):
            return None
        taken = {at.space for at in self.stands().values()}
        free = [space for space in self._near(target, 45.0) if space not in taken]
        return self.dice.choice(free) if free else None

    # -- errors --------------------------------------------------------------------------------------------

    def _errs(self, kind: str) -> bool:
        dice = random.Random(f"{self.seed} {self.turn} {kind}")
        return dice.random() < getattr(self.rates, kind) and Erring(self.turn, kind) not in self.without

    def erring(self, kind: str) -> None:
        """An error really happens now."""
        self.erred.append(Erring(self.turn, kind))
        self.judge.count[f"injected {kind}"] += 1

    def _blunder(self) -> None:
        for kind in ("put_back", "adjust", "knock", "illegal", "out_of_turn"):
            if self._errs(kind) and not self.judge.findings:
                getattr(self, "_" + kind)()
                self.settle()

    def _some(self) -> tuple[Piece, Stand]:
        return self.dice.choice(sorted(self.stands().items()))

    def _put_back(self) -> None:
        """A pawn is lifted and, after a thought, set back."""
        pawn, at = self._some()
        self.erring("put_back")
        self._lift(pawn)
        self.pause(50, 4000)
        self._put(pawn, at.space)

    def _adjust(self) -> None:
        """A pawn is straightened."""
        pawn, at = self._some()
        if self._alone(at.space):
            self.erring("adjust")
            self.scene.let(self.scene.hands.centre(pawn, at.space, self.scene.now))

    def _knock(self) -> None:
        """A pawn falls over; somebody stands it up, at once or when asked."""
        pawn, at = self._some()
        if not self._alone(at.space):
            return
        self.erring("knock")
        self.scene.let(self.scene.hands.topple(pawn, self.scene.now))
        if self.dice.random() < 0.5:
            self.pause(300, 3000)
            self._lift(pawn)
            self._put(pawn, at.space)

    def _illegal(self) -> None:
        """A pawn of whoever is to move is carried where it may not go."""
        self._wrongly("illegal", mine=True)

    def _out_of_turn(self) -> None:
        """A pawn is moved by somebody whose turn it is not."""
        self._wrongly("out_of_turn", mine=False)

    def _wrongly(self, kind: str, *, mine: bool) -> None:
        (seat,) = self.state.seats_to_act()
        taken = {at.space for at in self.stands().values()}
        pawns = [(pawn, at) for pawn, at in sorted(self.stands().items()) if (pawn.owner == seat) == mine]
        if not mine:  # among others in the cells it is taken for one of them
            pawns = [(pawn, at) for pawn, at in pawns if self._alone(at.space)]
        if not pawns:
            return
        pawn, at = self.dice.choice(pawns)
        spaces = self.scene.world.board.spaces
        legal = self._carries(seat) if mine else {}
        free = [
            space
            for space, place in sorted(spaces.items())
            if space not in taken and (at.space, space) not in legal and len(place.slots) == 1
        ]
        target = self.dice.choice(free)
        self.erring(kind)
        before = self.judge.refused
        self.judge.tried = str(self.state.hand_action(seat, at.space, target)) if mine else None
        self._lift(pawn)
        self._put(pawn, target)
        self.scene.wait(9000)
        if self.judge.refused == before:
            self.judge.find(MISSED, f"{pawn.owner} from {at.space} to {target}: nobody objected")

    # -- mending -------------------------------------------------------------------------------------------

    def pause(self, least_ms: int, most_ms: int) -> None:
        """Take one's time."""
        self.scene.wait(self.dice.randint(least_ms, most_ms))

    def settle(self) -> None:
        """Obey, answer and look until all is ruled on and the board is in order."""
        scene, judge = self.scene, self.judge
        begun = scene.now
        while not judge.findings:
            if self._acts(scene.now - begun):
                begun = scene.now
            elif self._calm():
                break
            elif scene.now - begun > PATIENCE:
                waits = [f"{seat} {text}" for seat, text, _ in judge.waiting[:1]]
                judge.find(LOST if waits else MISSED, f"{waits or self.astray()}: nothing more was said")
            else:
                scene.wait(SLICE_MS)
        judge.tried = None

    def _calm(self) -> bool:
        ears, state = self.scene.ears, self.state
        if self.judge.waiting or ears.chores or self._asked() is not None:
            return False
        if state.outcome is not None:
            return ears.over
        if state.seats_to_act() == (CHANCE,):
            return False
        return ears.to_act == state.seats_to_act() and not self.misplaced()

    def _acts(self, idle: Micros) -> bool:
        return self._answer() or self._obey() or self._unheard(idle) or self._mend(idle)

    def _asked(self) -> Mapping[str, Any] | None:
        ears = self.scene.ears
        if ears.question is not None and ears.question["spaces"] and not self.scene.lit("asks"):
            ears.question = None
        return ears.question

    def _answer(self) -> bool:
        """Answer what is asked, truthfully, on the phone or by a button."""
        scene, asked = self.scene, self._asked()
        if asked is None:
            return False
        self.pause(600, 3000)
        if self._asked() is not asked:
            return True
        scene.ears.question = None
        waiting = [text for _, text, _ in self.judge.waiting]
        spaces: Sequence[Space] = asked["spaces"]
        if asked["code"] in ("attack-where", "moved-where"):
            text = next((f"{spaces[0]}-{to}" for to in spaces[1:] if f"{spaces[0]}-{to}" in waiting), None)
            if text is not None:
                scene.say(asked["seat"], text)
                scene.wait(200)
                return True
        yes = asked["code"] == "who-stands"
        if len(spaces) > 1 and asked["code"] in ("attack-here", "that-piece", "came-from", "moved-here"):
            yes = f"{spaces[0]}-{spaces[1]}" in waiting
        if self.dice.random() < 0.5:
            scene.press("confirm" if yes else "cancel")
        else:
            scene.say(asked["seat"] or scene.ears.to_act[0], "yes" if yes else "no")
        scene.wait(100)
        return True

    def _obey(self) -> bool:
        """Do a chore: what is wrong comes up or goes off the board, what is missing goes where it belongs."""
        scene = self.scene
        if not scene.ears.chores:
            return False
        self.pause(200, 1500)
        if self._set_right():
            return True
        for chore in scene.ears.chores:
            here = [pawn for pawn, at in self.stands().items() if at.space == chore["space"]]
            if here and chore["do"] in ("put", "centre") and self._alone(chore["space"]):
                scene.let(scene.hands.centre(here[0], chore["space"], scene.now))
                scene.wait(500)
                return True
        return False

    def _set_right(self) -> bool:
        """Take up one pawn that is astray and set it down where one of its seat is missing, or aside."""
        wrong, missing = self.astray()
        if not wrong:
            if missing:  # one that was thought to be out of the game
                pawn = next((pawn for pawn in self.scene.beside if pawn.owner == missing[0].seat), None)
                if pawn is not None:
                    self._put(pawn, missing[0].space)
                    return True
            return False
        pawn = wrong[0]
        home = next((stand for stand in missing if stand.seat == pawn.owner), None)
        self._lift(pawn)
        if home is None:
            self.scene.aside(pawn)
        else:
            self._put(pawn, home.space)
        self.scene.wait(200)
        return True

    def _unheard(self, idle: Micros) -> bool:
        """Nothing comes of a move: its pawn is pushed to the middle of where it stands."""
        if idle < UNHEARD or not self.judge.waiting or self.scene.ears.chores:
            return False
        seat, text, _ = self.judge.waiting[0]
        _, dash, target = text.partition("-")
        if not dash or target not in self.scene.world.board.spaces:
            return False
        if idle > 3 * UNHEARD and self.misplaced():
            return self._set_right()
        pawn = self._on(Stand(target, seat))
        if pawn is None or not self._alone(target) or idle > 2 * UNHEARD:
            return False
        self.scene.let(self.scene.hands.centre(pawn, target, self.scene.now))
        self.scene.wait(400)
        return False

    def _mend(self, idle: Micros) -> bool:
        """Set right what people see themselves."""
        if idle < UNHEARD or self.scene.ears.chores or self.judge.waiting or not self.misplaced():
            return False
        return self._set_right()
