"""People: each sits at a seat with a phone, plays with pieces, and does what lights and sentences ask for.

They make mistakes, answer late, put their phones away and speak several languages. What they want to do is a
player's choice, by what their seat may know; what they do about it they learn from the screen alone.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import boardrules
from boardrules import baseline_players
from boardumpire.commands.computer_players import choose_answer
from boardumpire.errors import BoardumpireError
from boardumpire.ruling.dice import SYSTEM_DICE
from boardumpire.ruling.proposals import SEATING_REQUESTS
from boardumpire.service.clock import loop_time_s
from boardumpire.table.errands import AssistedMove
from boardumpire.tracking.questions import make_question
from evenings.answers import Answers
from evenings.phones import Phone
from evenings.players import short_budget

LANGUAGES = ("de", "en", "fr", "es")
AGAIN_S = 6.0
"""After so long somebody does again what has come to nothing."""


class Rates(NamedTuple):
    """How often people do what nobody asked for, for each thing they do."""

    fumble: float = 0.0
    """A piece is lifted and put back."""
    astray: float = 0.0
    """A piece is put where it may not go."""
    hesitation: float = 0.0
    """A question is answered no at first, or very late."""
    sleep: float = 0.0
    """The phone's screen goes dark for a while."""
    language: float = 0.0
    """The phone is switched to another language."""
    buttons: float = 0.0
    """A question is answered by the buttons of the board, where lights say that they mean it."""
    propose: float = 0.0
    """Something is proposed: a draw, a move back, or to resign, which it thinks better of."""


CALM, HUMAN = Rates(), Rates(0.05, 0.03, 0.05, 0.01, 0.01, 0.3, 0.01)
PROPOSED = "offer-draw", "ask-take-back", "resign"


class Intent(NamedTuple):
    """What somebody is doing with a piece."""

    text: str
    way: tuple[str, str]
    state: object
    since: float


class TableOf(Protocol):
    """What people have around them."""

    daemon: Any
    board: Any
    hands: asyncio.Lock
    """Whoever holds it has his hands over the board: people see to that themselves."""
    done: Counter[str]
    answers: Answers
    pausing: str
    """Empty while people play."""
    lost: str
    """The seat of whoever has lost a phone."""


class Person:
    """Somebody at one seat."""

    def __init__(
        self, around: TableOf, seat: str, level: str, phone: Phone, chance: random.Random, rates: Rates = CALM
    ) -> None:
        self.around, self.seat, self.level, self.phone = around, seat, level, phone
        self._chance, self.rates = chance, rates
        self._intent: Intent | None = None
        self._game: object = None
        self._player: Any = None
        self._answered_table: tuple[Any, ...] = ()
        self._last: tuple[object, float] = (None, 0.0)
        self.lost = False
        """Whether its phone is lost."""
        self.agrees = True
        """Whether it says yes to what others propose."""
        self.said_yes: list[str] = []
        """What it has said yes to."""

    # What it sees

    @property
    def _table(self) -> Any:
        return self.around.daemon.table

    def _is_new(self, shown: object, again_s: float = AGAIN_S) -> bool:
        """Whether this isn't what was done last, or long ago."""
        if shown == self._last[0] and loop_time_s() - self._last[1] < again_s:
            return False
        self._last = shown, loop_time_s()
        return True

    def _happens(self, rate: float) -> bool:
        return self._chance.random() < rate

    async def live(self) -> None:
        """Until it is stopped."""
        while True:
            await asyncio.sleep(self._chance.uniform(0.3, 1.4))
            if self.around.pausing == "gone" or self.lost:
                continue
            if not self.phone.awake:
                await asyncio.sleep(self._chance.uniform(2, 40))
                if self.lost or self.around.pausing == "gone":  # meanwhile
                    continue
                self.phone.wake(self._chance.choice(LANGUAGES) if self._happens(0.3) else "")
            elif self._intent is None and self._happens(self.rates.sleep):  # else it waits for its own ruling
                self.around.done["phone asleep"] += 1
                self.phone.sleep()
            elif self._happens(self.rates.language):
                self.around.done["language"] += 1
                self.phone.sleep()
                await asyncio.sleep(0.5)
                if not self.lost:
                    self.phone.wake(self._chance.choice(LANGUAGES))
            elif self.phone.connected and self.around.daemon.has_table:
                try:
                    if self._happens(self.rates.propose):
                        self.around.done["proposed"] += 1
                        await self.phone.say(self._chance.choice(PROPOSED))
                    await self._turn()
                except BoardumpireError:
                    continue  # the power is gone, or somebody was quicker
                except ValueError as problem:  # somebody else holds the piece
                    self.around.done[str(problem)] += 1

    async def _turn(self) -> None:
        status = self.phone.status
        assert status is not None
        asked, proposal = status["question"], status["proposal"]
        if proposal is not None and self.seat in proposal["asked"]:
            await self._answer_proposal(proposal)
        elif status["over"] or status["waits"]:
            self._intent = None
        elif asked is not None and asked["seat"] in (None, self.seat):
            await self._answer(asked)
        elif asked is not None or self.around.pausing:
            return
        elif chores := self._asked_for():
            await self._tidy(chores)
        elif proposal is None:
            await self._play()

    def _asked_for(self) -> list[dict[str, Any]]:
        """What hands are asked to do now."""
        return list((self.phone.status or {}).get("chores", ())) or self._missed()

    def _missed(self) -> list[dict[str, Any]]:
        """The pieces that lamps ask for though no words do: those that have been off the board for long."""
        table = self._table
        layout = table.full_state.layout()
        found = []
        for space in table.guidance.overdue_pieces:
            if table.marks.get(space) == "put" and space in layout:
                owners = {piece.seat for piece in layout[space]}
                # of several sides' pieces there nothing says whose is missing
                found.append(
                    {"do": "put", "space": space, "seat": owners.pop() if len(owners) == 1 else None}
                )
        return found

    # What it answers

    async def _answer_proposal(self, proposal: Mapping[str, Any]) -> None:
        if not self._is_new(("proposal", proposal["thing"])):
            return
        word = proposal["thing"].partition(" ")[0]
        missed = proposal["thing"] == f"move-seat {self.around.lost}"
        yes = self.agrees and (missed or word not in (*SEATING_REQUESTS, "resign"))
        if yes:
            self.said_yes.append(proposal["thing"])
        await self._answers(f"{'yes' if yes else 'no'} {proposal['thing']}")

    async def _answers(self, text: str) -> None:
        """Say it by phone, as an answer to what that shows."""
        self.around.answers.gives(self.seat, text)
        await self.phone.say(text)

    async def _answer(self, asked: Mapping[str, Any]) -> None:
        question = make_question(asked["code"], tuple(asked["spaces"]), self.seat)
        if not self._is_new(question):
            return
        errand, text = None, ""
        if self._intent is not None:
            text = self._intent.text
            errand = AssistedMove(self._table.full_state, self._intent.way[:1], self._intent.way[1:])
        said = choose_answer(question, self.seat, errand, text, self.around.board) or "no"
        if self._happens(self.rates.hesitation):
            self.around.done["hesitation"] += 1
            await asyncio.sleep(self._chance.uniform(3, 25))
            return
        if self._happens(self.rates.buttons) and said.startswith(("yes ", "no ")):
            self.around.done["button"] += 1
            async with self.around.hands:
                now = (self.phone.status or {}).get("question")
                if now is not None and (now["code"], now["spaces"]) == (asked["code"], asked["spaces"]):
                    button = "confirm" if said.startswith("yes") else "cancel"
                    self.around.answers.gives(None, said)
                    self.around.board.do_gesture({"do": "press", "button": button}, self)
                    await asyncio.sleep(0.5)
            return
        await self._answers(said)

    # What hands do

    async def _tidy(self, chores: list[dict[str, Any]]) -> None:
        """Do what lights ask for: take pieces off, put pieces back."""
        if not self._is_new(("chores", tuple(tuple(sorted(chore.items(), key=str)) for chore in chores))):
            return
        async with self.around.hands:
            if self._asked_for() != chores:  # somebody else has done it meanwhile
                return
            self.around.done["chores"] += 1
            listed = [dict(chore) for chore in chores]
            # who looks for a piece that is not in a hand finds it beside the board
            self.around.board.do_gesture({"do": "tidy", "chores": listed, "beside": True}, self)
            await asyncio.sleep(0.4 + 0.3 * len(listed))
            for chore in listed:
                if chore["do"] == "put" and (piece := self._misplaced(chore)) is not None:
                    self.around.board.do_gesture(
                        {"do": "carry", "piece": piece, "space": chore["space"]}, self
                    )
                    await asyncio.sleep(0.5)

    def _misplaced(self, chore: Mapping[str, Any]) -> int | None:
        """The piece that is wanted and lies nowhere: it stands where none of its side belongs. The board need
        not feel that; people see it."""
        pieces, seat = self.around.board.fingers.pieces(), chore.get("seat")
        if (
            seat is None
            or self._has(chore["space"], seat)
            or any(
                each["seat"] == seat and each["is"] in ("beside", "held", "led", "lands") for each in pieces
            )
        ):
            return None
        layout = self._table.full_state.layout()
        for space in sorted(self.around.board.world.board.spaces):
            belong = sum(piece.seat == seat for piece in layout.get(space, ()))
            there = self._standing_on(space, seat)
            if len(there) > belong:
                return there[-1]
        return None

    def _has(self, space: str, seat: str) -> bool:
        """Whether as many pieces of that side stand there as belong there."""
        there = self._table.full_state.layout().get(space, ())
        belong = sum(piece.seat == seat for piece in there)
        return len(self._standing_on(space, seat)) >= belong

    def _standing_on(self, space: str, seat: str) -> list[int]:
        slots = {slot.id for slot in self.around.board.world.board.spaces[space].slots}
        return [
            each["id"]
            for each in self.around.board.fingers.pieces()
            if each["is"] == "stands" and each["slot"] in slots and each["seat"] == seat
        ]

    async def _fumble(self, origin: str) -> None:
        """Lift a piece, think better of it, and put it back."""
        number = self._on(origin)
        if number is None:
            return
        self.around.done["fumble"] += 1
        self.around.board.do_gesture({"do": "grab", "piece": number, "lift": True}, self)
        await asyncio.sleep(self._chance.uniform(0.2, 2.0))
        self.around.board.do_gesture({"do": "drop", "piece": number}, self)
        await asyncio.sleep(0.5)

    def _on(self, space: str) -> int | None:
        slots = {slot.id for slot in self.around.board.world.board.spaces[space].slots}
        there = [
            each
            for each in self.around.board.fingers.pieces()
            if each["is"] == "stands" and each["slot"] in slots
        ]
        own = [each for each in there if each["seat"] == self.seat]
        return (own or there)[-1]["id"] if there else None

    # What it plays

    async def _play(self) -> None:
        table = self._table
        state = table.full_state
        if self._intent is not None and self._intent.state is state:
            await self._go_on(self._intent)
            return
        self._intent = None
        if not table.is_calm:
            return
        if self.seat in state.throwers() and self.seat == self._thrower(state):
            await self._throw(state)
            return
        if self.seat not in self.phone.to_act and self.seat not in state.seats_to_act():
            return
        text = self._chosen(table)
        if text is None or not self._is_new((state, text), 3.0):
            return
        await self._do(text, state)

    def _thrower(self, state: Any) -> str:
        """People agree on who throws: the first of them that may and is no machine."""
        machines = self.around.daemon._computer_players
        seats = [seat for seat in state.throwers() if machines is None or seat not in machines.seats]
        return str(seats[0]) if seats else ""

    async def _throw(self, state: Any) -> None:
        open_ = self._table.choices(self.seat).get("throws", ())
        faces = [(face, weight if str(face) in open_ else 0) for face, weight in state.chance()]
        if any(weight for _, weight in faces) and self._is_new(("throw", state), 3.0):
            await self.phone.say(str(faces[SYSTEM_DICE([weight for _, weight in faces])][0]))

    def _chosen(self, table: Any) -> str | None:
        """What the player in its head does: by what its seat may know."""
        if self._game is not table:
            package = boardrules.package(table.game_id)
            self._game = table
            self._player, self._of_level = baseline_players.player_for(package, self.seat, self.level)
            self._answered_table = ()
        view, legal, table_actions = table.player_observation(self.seat)
        self._player.observe_view(view)
        if table_actions != self._answered_table:
            self._answered_table = table_actions
            said = self._player.answer_offer(view, table_actions, self._chance)
            if said is not None:
                return str(said)
        if self.seat not in table.full_state.seats_to_act() or not legal:
            return None
        return str(self._player.choose(view, legal, self._chance, short_budget(self._of_level)))

    async def _do(self, text: str, state: Any) -> None:
        errands = self._table.assisted_moves
        way, prints = errands.origin_and_target(self.seat, text), errands.placed_prints(self.seat, text)
        if way is not None:
            self._intent = Intent(text, way, state, loop_time_s())
            await self._carry(self._intent)
        elif prints:
            async with self.around.hands:
                self.around.board.set_up_army(self.seat, prints, self)
                for _ in range(60):
                    await asyncio.sleep(0.5)
                    if errands.are_occupied(tuple(prints)):
                        break
            await self.phone.say(text)
        else:
            await self._say(text)

    async def _say(self, text: str) -> None:
        self.around.answers.gives(self.seat, text)
        answered = await self.phone.say(text)
        if not answered["ok"]:
            self.around.done["refused"] += 1

    async def _carry(self, intent: Intent) -> None:
        async with self.around.hands:
            if self._table.full_state is not intent.state or not self._table.is_calm:
                return
            origin, target = intent.way
            if self._happens(self.rates.fumble):
                await self._fumble(origin)
            if self._happens(self.rates.astray):
                self.around.done["astray"] += 1
                empty = [
                    space
                    for space in self.around.board.world.board.spaces
                    if self._on(space) is None and space != target
                ]
                self.around.board.carry_piece(
                    origin, self._chance.choice(empty), seat=self.seat, name="", who=self
                )
            else:
                name = self._table.assisted_moves.carried_piece_name(intent.way, self.seat, intent.text)
                self.around.done["carried"] += 1
                self.around.board.carry_piece(origin, target, seat=self.seat, name=name, who=self)
            await asyncio.sleep(self._chance.uniform(0.8, 1.5))

    async def _go_on(self, intent: Intent) -> None:
        """What was done has come to nothing so far: say it where it can't be felt, or do it again."""
        if not self._is_new(("again", intent)):
            return
        if self._last_said_since(intent):
            self._intent = None
            return
        answered = await self.phone.say(intent.text)
        if (
            not answered["ok"]
            and self._table.full_state is intent.state
            and self._on(intent.way[0]) is not None
        ):
            await self._carry(intent)

    def _last_said_since(self, intent: Intent) -> bool:
        return loop_time_s() - intent.since > 60
