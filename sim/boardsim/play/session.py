"""One game on one simulated board: the world, the hands over it, and the real table underneath.

Nothing here reads a clock: `run(until)` lets time pass. The table is the daemon's own, over the real drivers
and the real lamp library; the session knows of it only what it tells.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from boardrules import registry
from boardrules.core import BadText, Seat, State
from boardsim.bench.bench import SETTLED, Bench, placements
from boardsim.bench.bench import Setting as BenchSetting
from boardsim.bench.table import Message, TableFactory
from boardsim.hands.hands import space_of
from boardsim.play.worker import LOOK, Chore, Player, Worker
from boardsim.world.copper import RGB
from boardware.parts import Board
from boardware.ports import MS, SECOND, LampId, Micros
from boardwire import marks

SLICE: Micros = 20 * MS
"""How often hands look at what the umpire says."""
DOWN: Micros = 2 * SECOND
"""How long the power stays off after `kill`."""
LINES = 400
"""How much of the log is kept."""
PENDING = ("attack-pending", "attack-counting", "attack-which")
"""Questions about an attack that waits: it is the hands of its owner that answer, where they meant it."""


class Setting(NamedTuple):
    """What is played, and by whom."""

    bench: BenchSetting
    simulated: frozenset[Seat] = frozenset(("blue",))
    """The seats that simulated hands play."""


class Line(NamedTuple):
    """One line of the log."""

    at: Micros
    kind: str
    """A message's kind, or `said`, `hands`, `power`, `error`."""
    text: str


class Session:
    """A game being played. The table may be dead for a while; the world never is."""

    def __init__(self, setting: Setting, factory: TableFactory) -> None:
        self.setting = setting
        it = setting.bench
        self.bench = Bench(it, factory, told=self._told)
        self.board = self.bench.board
        self.world = self.bench.world
        self.state: State = registry.new(it.game, it.options)
        """The game as the rulings tell it; for simulated players, never shown."""
        self.blocked = water(self.board)
        self.log: deque[Line] = deque(maxlen=LINES)
        self.chores: Sequence[Chore] = ()
        self.question: str | None = None
        self.pending: str | None = None
        """What was said last of an attack that waits for its sign; `attack_waits` says whether one does."""
        self.to_act: tuple[Seat, ...] = ()
        self.over: str | None = None
        self.rulings = 0
        self._tidying: set[Seat] = set(setting.simulated)
        self._entered: dict[Seat, str] = {}
        self._laying: set[Seat] = set()
        """The seats whose pieces hands are standing."""
        self._restart: Micros | None = None
        self._tidy_at: Micros | None = None
        seats = self.state.seats
        self.workers = {
            seat: Worker(seat, self.world, pace=it.pace, seed=10 * it.seed + number, tell=self._hands_tell)
            for number, seat in enumerate(seats)
        }
        self.players = {
            seat: Player(self.workers[seat], seed=it.seed) for seat in seats if seat in setting.simulated
        }

    # Time and power

    @property
    def now(self) -> Micros:
        """The virtual moment."""
        return self.bench.now

    @property
    def alive(self) -> bool:
        """Whether the umpire is running."""
        return self.bench.table is not None

    def start(self) -> None:
        """Power on: open drivers and table, on the journal of before if there is one."""
        self._restart = None
        self.bench.start()
        for seat, player in self.players.items():
            if self._setting_up(seat):
                self.say(seat, player.set_up(self.state))

    def kill(self) -> None:
        """Power off without a word, in the middle of whatever is going on. It comes back by itself."""
        if self.alive:
            self.bench.kill()
            self.chores, self.question = (), None
            for seat, player in self.players.items():
                if seat not in self._laying:
                    player.worker.drop()
            self._restart = self.now + DOWN
            self._note("power", "power off: the umpire is gone; what was ruled is in the journal")

    def close(self) -> None:
        """Dark lamps, free pins, closed journal."""
        self.bench.close()

    def run(self, until: Micros) -> None:
        """Let time pass up to and including `until`."""
        while self.now < until:
            self.bench.let(min(until, self.now + SLICE))
            if self._restart is not None and self.now >= self._restart:
                self.start()
                self._note("power", "power on: the game goes on from the journal")
            self._obey()
            for worker in self.workers.values():
                worker.step(self.now)

    # What people do

    def say(self, seat: Seat, text: str) -> bool:
        """Say something to the umpire in private, as on a phone. `False` if it wouldn't hear of it.

        A set-up that the rules allow is first laid out by hands; then it is said.
        """
        if not self.alive:
            self._note("error", "the umpire is off")
            return False
        if self._setting_up(seat) and self._is_allowed(seat, text):
            self._lay_out(seat, text)
            return True
        return self._speak(seat, text)

    def _is_allowed(self, seat: Seat, text: str) -> bool:
        try:
            return self.state.refusal(self.state.parse(text, seat)) is None
        except BadText:
            return False

    def _speak(self, seat: Seat, text: str) -> bool:
        self._entered[seat] = text
        try:
            self.bench.say(seat, text)
        except ValueError as error:
            self._note("error", str(error))
            return False
        return True

    def set_up_at_random(self, seat: Seat) -> bool:
        """Stand a set-up that makes sense, as the game draws it. It is entered once `seat` is ready."""
        if not self._setting_up(seat):
            self._note("error", "the set-up is over")
            return False
        seed, state = self.setting.bench.seed + self.now, self.state
        package = registry.package(state.game_id)
        try:
            text = state.setup_text(package.suggest(state.options, seat, "", {}, random.Random(seed)))
        except ValueError:  # a game that has none to suggest
            text = Player(self.workers[seat], seed=seed).set_up(state)
        self._stand(seat, text)
        return True

    def may_be_ready(self, seat: Seat) -> bool:
        """Whether pieces of `seat` stand whose set-up is still to be entered, and nothing else is asked."""
        return self.waits_for_set_up(seat) and self.question is None and bool(self.army(seat))

    def army(self, seat: Seat) -> Mapping[str, str]:
        """What stands on the board of the pieces of `seat`: space -> label."""
        standing = self.world.standing()
        return {
            space_of(slot): pieces[-1].label for slot, pieces in standing.items() if pieces[-1].owner == seat
        }

    def entered(self, seat: Seat) -> str:
        """What `seat` said last in secret, its set-up."""
        return self._entered[seat]

    def ready(self, seat: Seat) -> bool:
        """Enter the set-up that stands on the board."""
        worker = self.workers[seat]
        if not self.waits_for_set_up(seat):
            self._note("error", "the set-up is over")
        elif worker.busy(self.now) or worker.hands.held:
            self._note("error", "put the piece in your hand down first; then say ready")
        elif not self.alive:
            self._note("error", "the umpire is off")
        else:
            placed = sorted(self.army(seat).items())
            return self._speak(seat, " ".join(("setup", *(f"{space}={label}" for space, label in placed))))
        return False

    def carry(self, seat: Seat, origin: str, target: str) -> None:
        """A whole action by hands, which then also do what the umpire asks for."""
        self._tidying.add(seat)
        self.workers[seat].carry(origin, target)

    def by_hand(self, seat: Seat) -> Worker:
        """The hands of `seat`, which from now on do nothing by themselves."""
        if seat not in self.players:
            self._tidying.discard(seat)
        return self.workers[seat]

    def hand_over(self, seat: Seat) -> None:
        """From now on simulated hands play `seat` too."""
        player = self.players[seat] = Player(self.workers[seat], seed=self.setting.bench.seed)
        self._tidying.add(seat)
        if self.waits_for_set_up(seat):
            self.say(seat, player.set_up(self.state))
        elif seat in self.to_act and self.state.layout() and not self.workers[seat].hands.held:
            player.move(self.state)

    def take_over(self, seat: Seat) -> None:
        """From now on a person plays `seat`."""
        if self.players.pop(seat, None) is not None:
            self.workers[seat].drop()

    def tidy(self, seat: Seat) -> None:
        """Let the hands of `seat` do the chores."""
        self._tidying.add(seat)
        self._tidy_at = self.now

    # What is to be seen

    def lamps(self) -> Mapping[LampId, RGB]:
        """What the lamps were sent."""
        return self.world.copper.lamps()

    def marks(self) -> Mapping[LampId, str]:
        """What the umpire means by it."""
        return self.bench.table.marks if self.bench.table is not None else {}

    def attack_waits(self) -> bool:
        """Whether an attack waits for its sign, as the lamps show."""
        return self.pending is not None and any(
            marks.split(mark)[0] == "attack-waits" for mark in self.marks().values()
        )

    def waits_for_set_up(self, seat: Seat) -> bool:
        """Whether `seat` has to enter its set-up."""
        return seat in self.to_act and self._setting_up(seat)

    def laying_out(self) -> bool:
        """Whether hands still have pieces of a set-up to stand."""
        return bool(self._laying)

    def record(self) -> str:
        """The record; the game is over."""
        assert self.bench.table is not None
        return self.bench.table.record()

    def _setting_up(self, seat: Seat) -> bool:
        waited = seat in self.state.seats_to_act() and seat in self.state.seats
        return waited and not self.state.layout() and seat not in self._laying

    # What the umpire says

    def _told(self, message: Message) -> None:
        data = message.data
        match message.kind:
            case "ruling":
                self._ruled(data)
            case "chores":
                self.chores = data["chores"]
                self._tidy_at = self.now + LOOK if self.chores else None
            case "turn":
                self.question = None
                self._turn(tuple(data["to_act"]))
            case "over":
                self.over = _text(data)
                self.to_act = ()
                self._note("over", self.over)
                self._lay_aside()
            case "question" if data["code"] in PENDING:
                self.pending = _text(data)
                self._note("question", self.pending)
            case "question":
                self.question = _text(data)
                self._note("question", self.question)
                self._answer(data.get("seat"))
            case "private":
                if message.seat is not None and message.seat not in self.players:
                    self._private(message.seat, data)
            case _:
                self._note(message.kind, _text(data))

    def _ruled(self, data: Mapping[str, Any]) -> None:
        seat = data["seat"]
        self.question = None
        self.rulings += 1
        if not data["ok"]:
            self._note("refused", f"{seat} {data['action'] or ''}: {data['refusal']['text']}")
            return
        text: str = data["action"] or self._entered[seat]
        self.state = self.state.apply(self.state.parse(text, seat))[0]
        self._note("ruling", _text(data) if data["events"] else f"{seat}: {text}")
        for other, player in self.players.items():
            if other != seat:
                self._decline(other, player)

    def _lay_out(self, seat: Seat, text: str) -> None:
        """Hands stand the pieces of a set-up where it says; then it is said."""
        worker = self.workers[seat]
        self._laying.add(seat)
        self._stand(seat, text)
        worker.do(worker.wait(SETTLED), partial(self._enter, seat, text))

    def _stand(self, seat: Seat, text: str) -> None:
        """Hands take off what stands of `seat`, and stand its pieces where `text` says."""
        worker = self.workers[seat]
        worker.take_off()
        for space, label in placements(text):
            worker.do(partial(worker.hands.stand, seat, space, label=label))

    def _enter(self, seat: Seat, text: str, now: Micros) -> Micros:
        if not self.alive:
            self.workers[seat].do(partial(self._enter, seat, text))
            return now + SLICE
        self._laying.discard(seat)
        self._speak(seat, text)
        return now

    def _decline(self, seat: Seat, player: Player) -> None:
        for action in self.state.table_actions(seat):
            if str(action).startswith("decline"):
                self.say(seat, str(action))

    def _answer(self, asked: Seat | None) -> None:
        """Simulated hands say yes to what they are asked: they did what it looked like."""
        for seat, player in self.players.items():
            if seat == asked or (asked is None and seat in self.to_act):
                hands = player.worker.hands
                player.worker.do(player.worker.wait(LOOK), partial(hands.press, "confirm"))

    def _private(self, seat: Seat, data: Mapping[str, Any]) -> None:
        said = data.get("answer") or _text(data) or (data.get("refusal") or {}).get("text", "")
        if said:
            self._note("private", f"to {seat} alone: {said}")

    def _turn(self, to_act: tuple[Seat, ...]) -> None:
        self.to_act = to_act
        self._lay_aside()
        for seat, player in self.players.items():
            if seat in to_act and self.state.layout():
                player.move(self.state)

    def _lay_aside(self) -> None:
        for worker in self.workers.values():
            worker.lay_aside(self.state.layout())

    def _obey(self) -> None:
        """Hands that do chores do those that they can, once they have had a look."""
        if self._tidy_at is None or self.now < self._tidy_at or not self.chores:
            return
        tidying = [self.workers[seat] for seat in self.state.seats if seat in self._tidying]
        if any(worker.busy(self.now) for worker in tidying):
            return
        self._tidy_at = self.now + 4 * LOOK
        for chore in self.chores:
            for worker in tidying:
                verb = worker.obeying(chore)
                if verb is not None:
                    worker.do(verb)
                    break

    def _hands_tell(self, text: str) -> None:
        self._note("hands", text)

    def _note(self, kind: str, text: str) -> None:
        self.log.append(Line(self.now, kind, text))


def water(board: Board) -> frozenset[str]:
    """The spaces of a board where no piece may ever stand: those that are printed as a lake."""
    return frozenset(space.id for space in board.spaces.values() if space.outline.id == "lake")


def _text(data: Mapping[str, Any]) -> str:
    text: str | Sequence[str] = data.get("text", "")
    return text if isinstance(text, str) else " ".join(text)
