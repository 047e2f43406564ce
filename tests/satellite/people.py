"""People at several boards: each has hands at the own board alone, and does what its lamps ask.

They err, meddle with the others' tokens, and know nothing of lines and power. What they do is noted before
they do it, so that every ruling can be held against it.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter
from typing import Any, NamedTuple

from boardrules.core import CHANCE, Seat
from boardsim.hands.hands import HandsError
from boardumpire.commands.computer_players import choose_answer
from boardumpire.errors import BoardumpireError
from boardumpire.service.clock import loop_time_s
from boardumpire.table.errands import AssistedMove
from boardumpire.tracking.questions import make_question
from satellite.homes import Home, Homes

AGAIN_S = 6.0
"""After so long somebody does again what has come to nothing."""
SAYS_S = 60.0
"""And after so long says it, as people do where nothing is felt."""
ATTACK_RATE = 0.4
"""How often somebody attacks who can."""


class Rates(NamedTuple):
    """How often people do what nobody asked for, for each thing they do."""

    fumble: float = 0.08
    """A piece is lifted and put back."""
    astray: float = 0.04
    """A piece is put where it may not go."""
    hesitation: float = 0.1
    """A question is answered late."""
    button: float = 0.3
    """A question is answered by the buttons of the board."""
    meddle: float = 0.03
    """While others are to act, each second: their tokens are moved, or a button is pressed."""


CLUMSY = Rates()
HOSTILE = Rates(0.1, 0.06, 0.1, 0.3, 0.25)


class Intent(NamedTuple):
    """What somebody is doing with a piece."""

    text: str
    way: tuple[str, str]
    state: Any
    since: float


class Doings:
    """What each seat has done or said since the game stood otherwise: nothing else may be ruled on."""

    def __init__(self) -> None:
        self._state: object = None
        self._done: dict[str, set[str]] = {}

    def note(self, seat: str, text: str, state: object) -> None:
        """Somebody is about to do that."""
        if state is not self._state:
            self._state, self._done = state, {}
        self._done.setdefault(seat, set()).add(text)

    def has(self, seat: str, text: str) -> bool:
        """Whether that seat has done it."""
        return text in self._done.get(seat, ())


class Person:
    """Somebody at one seat, at the board where that is at home."""

    def __init__(
        self, homes: Homes, seat: str, hands: asyncio.Lock, doings: Doings, done: Counter[str], rates: Rates
    ) -> None:
        """`hands`: whoever holds it has hands over that board."""
        self.homes, self.seat, self.hands, self.doings, self.done = homes, seat, hands, doings, done
        self.rates = rates
        self._chance = random.Random(f"person {homes.seed} {seat}")
        self._intent: Intent | None = None
        self._walked = "", ""
        """From where to where it has carried a piece last."""
        self._last: tuple[object, float] = (None, 0.0)

    @property
    def home(self) -> Home:
        """The own board."""
        return self.homes.home_of(self.seat)

    @property
    def _table(self) -> Any:
        return self.homes.daemon.table

    @property
    def _here(self) -> Any:
        return self.homes.table_board(self.home.name)

    def _happens(self, rate: float) -> bool:
        return self._chance.random() < rate

    def _is_new(self, shown: object, again_s: float = AGAIN_S) -> bool:
        """Whether this isn't what was done last, or long ago."""
        if shown == self._last[0] and loop_time_s() - self._last[1] < again_s:
            return False
        self._last = shown, loop_time_s()
        return True

    async def live(self) -> None:
        """Until it is stopped."""
        while True:
            await asyncio.sleep(self._chance.uniform(0.4, 1.6))
            if not self.homes.is_up or not self.homes.daemon.has_table:
                continue
            try:
                await self._turn()
            except BoardumpireError:
                self.done["refused"] += 1
            except HandsError as problem:  # somebody else holds the piece
                self.done[str(problem)] += 1

    async def _turn(self) -> None:
        table, guidance = self._table, self._here.match.guidance
        asked, proposal = guidance.question, table.newest_proposal
        if proposal is not None and self.seat in proposal.seats_asked:
            if self._is_new(("proposal", proposal.request)):
                word = "no" if proposal.request == "resign" else "yes"
                self.homes.daemon.submit_command(Seat(self.seat), f"{word} {proposal.request}")
        elif table.waiting_sentence:
            self._intent = None
        elif asked is not None and asked.seat in (None, self.seat):
            await self._answer(asked, self._chores(guidance))
        elif asked is not None:
            return
        elif chores := self._chores(guidance) or self._missed(guidance):
            await self._tidy(chores)
        elif table.is_over:
            self._intent = None
        elif self.seat not in table.full_state.seats_to_act() and self._happens(self.rates.meddle):
            await self._meddle()
        else:
            await self._play()

    def _chores(self, guidance: Any) -> list[dict[str, Any]]:
        """What the board asks for."""
        return [
            {"do": str(each.kind), "space": each.space, "seat": each.seat, "name": each.printed_name}
            for each in guidance.corrections
        ]

    def _missed(self, guidance: Any) -> list[dict[str, Any]]:
        """The pieces that lamps alone ask for: they have been off the board for long."""
        layout = self._table.full_state.layout()
        found = []
        for space in guidance.overdue_pieces:
            if self._here.display.marks.get(space) == "put" and space in layout:
                owners = {piece.seat for piece in layout[space]}
                found.append(
                    {"do": "put", "space": space, "seat": owners.pop() if len(owners) == 1 else None}
                )
        return found

    async def _answer(self, asked: Any, chores: list[dict[str, Any]]) -> None:
        led = [
            chore
            for chore in chores
            if asked.code == "moved-here" and (chore["do"], chore["space"]) == ("put", asked.spaces[-1])
        ]
        if not all(map(self._is_done, led)):
            await self._tidy(chores)  # it is asked whether that is done
            return
        question = make_question(asked.code, tuple(asked.spaces), Seat(self.seat))
        if not self._is_new(question):
            return
        errand, text = None, ""
        if self._intent is not None:
            text = self._intent.text
            errand = AssistedMove(self._table.full_state, self._intent.way[:1], self._intent.way[1:])  # type: ignore[arg-type]
        said = choose_answer(question, Seat(self.seat), errand, text, self.home.board) or "no"
        if led:
            said = f"yes {question.answer_key()}"
        if self._happens(self.rates.hesitation):
            await asyncio.sleep(self._chance.uniform(3, 25))
            return
        if self._happens(self.rates.button) and said.startswith(("yes ", "no ")):
            async with self.hands:
                if self._here.match.guidance.question == asked:
                    self._press("confirm" if said.startswith("yes") else "cancel")
                    await asyncio.sleep(0.5)
            return
        self._note(said)
        self.homes.daemon.submit_command(Seat(self.seat), said)

    def _is_done(self, put: dict[str, Any]) -> bool:
        """Whether what is to be put somewhere stands there."""
        there = self._standing_on(put["space"], put["seat"])
        if put["name"]:
            pieces = self.home.board.fingers.pieces()
            return any(each.get("name") == put["name"] and each["id"] in there for each in pieces)
        layout = self._table.full_state.layout()
        return len(there) >= [piece.seat for piece in layout.get(put["space"], ())].count(put["seat"])

    def _press(self, button: str) -> None:
        self.done["button"] += 1
        self.home.board.do_gesture({"do": "press", "button": button}, self)

    async def _tidy(self, chores: list[dict[str, Any]]) -> None:
        """Do what lights ask for: take pieces off, put pieces back."""
        if not self._is_new(("chores", str(chores)), self._chance.choice((2.0, AGAIN_S))):
            return
        async with self.hands:
            self.done["chores"] += 1
            self.home.board.do_gesture({"do": "tidy", "chores": chores, "beside": True}, self)
            await asyncio.sleep(0.4 + 0.3 * len(chores))
            for chore in chores:
                if chore["do"] == "put" and (piece := self._misplaced(chore)) is not None:
                    self.home.board.do_gesture({"do": "carry", "piece": piece, "space": chore["space"]}, self)
                    await asyncio.sleep(0.5)

    def _misplaced(self, chore: Any) -> int | None:
        """The piece that is wanted and lies nowhere: it stands where none of its side belongs."""
        pieces, seat = self.home.board.fingers.pieces(), chore["seat"]
        layout = self._table.full_state.layout() if self.homes.is_up else {}
        at_hand = ("beside", "held", "led", "lands")
        if seat is None or any(each["seat"] == seat and each["is"] in at_hand for each in pieces):
            return None
        wanted = sum(piece.seat == seat for piece in layout.get(chore["space"], ()))
        if len(self._standing_on(chore["space"], seat)) >= wanted:
            return None
        for space in sorted(self.home.board.world.board.spaces):
            there = self._standing_on(space, seat)
            if len(there) > sum(piece.seat == seat for piece in layout.get(space, ())):
                return there[-1]
        return None

    def _standing_on(self, space: str, seat: str = "") -> list[int]:
        slots = {slot.id for slot in self.home.board.world.board.spaces[space].slots}
        return [
            each["id"]
            for each in self.home.board.fingers.pieces()
            if each["is"] == "stands" and each["slot"] in slots and seat in ("", each["seat"])
        ]

    # What it plays

    def _note(self, text: str) -> None:
        self.doings.note(self.seat, text, self._table.full_state)

    def _note_way(self, origin: str, target: str, text: str) -> None:
        """A piece is about to be carried: where it goes straight back the game may have a word for that."""
        back = self._table.full_state.straight_back_action(Seat(self.seat))
        if back is not None and (target, origin) == self._walked:
            self._note(str(back))
        self._walked = origin, target
        self._note(text)

    async def _play(self) -> None:
        table = self._table
        state = table.full_state
        if self._intent is not None and self._intent.state is state:
            await self._go_on(self._intent)
            return
        self._intent = None
        if self.seat not in state.seats_to_act():
            return
        if not table.is_calm and not self._happens(0.2):
            return
        text = self._chosen(state)
        if text is None or not self._is_new((state, text), 3.0):
            return
        errands = self._here.errands
        way, prints = errands.origin_and_target(self.seat, text), errands.placed_prints(self.seat, text)
        if way is not None:
            self._intent = Intent(text, way, state, loop_time_s())
            await self._carry(self._intent)
            return
        if prints:
            async with self.hands:
                self.home.board.set_up_army(Seat(self.seat), prints, self)
                for _ in range(60):
                    await asyncio.sleep(0.5)
                    if errands.are_occupied(tuple(prints)):
                        break
        if self.homes.is_up and self._table.full_state is state:
            self._note(text)
            self.homes.daemon.submit_command(Seat(self.seat), text)

    def _chosen(self, state: Any) -> str | None:
        legal = sorted(map(str, state.legal_actions(self.seat)))
        attacks = [text for text in legal if text.partition("-")[2] in state.layout()]
        if not legal:
            return None
        return self._chance.choice(attacks if attacks and self._happens(ATTACK_RATE) else legal)

    async def _carry(self, intent: Intent) -> None:
        board = self.home.board
        async with self.hands:
            if not self.homes.is_up or self._table.full_state is not intent.state:
                return
            origin, target = intent.way
            there = self._standing_on(origin, self.seat)
            if there and self._happens(self.rates.fumble):
                self.done["fumble"] += 1
                board.do_gesture({"do": "grab", "piece": there[-1], "lift": True}, self)
                await asyncio.sleep(self._chance.uniform(0.2, 2.0))
                board.do_gesture({"do": "drop", "piece": there[-1]}, self)
                await asyncio.sleep(0.5)
            if not self.homes.is_up or self._table.full_state is not intent.state:
                return
            if self._happens(self.rates.astray):
                self.done["astray"] += 1
                empty = [
                    space
                    for space in sorted(board.world.board.spaces)
                    if not self._standing_on(space) and space != target
                ]
                target = self._chance.choice(empty)
                self._note_way(origin, target, f"{origin}-{target}")
                board.carry_piece(origin, target, seat=Seat(self.seat), who=self)
            else:
                name = self._here.errands.carried_piece_name(intent.way, self.seat, intent.text)
                self.done["carried"] += 1
                self._note_way(origin, target, intent.text)
                board.carry_piece(origin, target, seat=Seat(self.seat), name=name, who=self)
            await asyncio.sleep(self._chance.uniform(0.8, 1.5))

    async def _go_on(self, intent: Intent) -> None:
        """What was done has come to nothing so far: say it, where it can't be felt; else do it again, and at
        last say it."""
        if not self._is_new(("again", intent)):
            return
        if self._is_unfelt(intent):
            self._say(intent)
        elif self._standing_on(intent.way[0], self.seat):
            self.done["again"] += 1
            await self._carry(intent)
        elif loop_time_s() - intent.since > SAYS_S:
            self._say(intent)

    def _is_unfelt(self, intent: Intent) -> bool:
        """Whether the piece has left others and joined others: no sensor feels that, and the page says it."""
        (origin, target), layout = intent.way, intent.state.layout()
        before = len(layout.get(origin, ()))
        return before > 1 and bool(layout.get(target)) and len(self._standing_on(origin)) < before

    def _say(self, intent: Intent) -> None:
        self.done["said"] += 1
        self._note(intent.text)
        self._intent = None
        self.homes.daemon.submit_command(Seat(self.seat), intent.text)

    # What it shall not

    async def _meddle(self) -> None:
        """While another is to act, at another board: that one's tokens are moved here, or made to attack."""
        state = self._table.full_state
        (other, *_) = [seat for seat in state.seats_to_act() if seat != CHANCE] or [""]
        if not other or other in self.home.seats:
            return
        board, errands = self.home.board, self._here.errands
        ways = []
        for text in sorted(map(str, state.legal_actions(other)))[:200]:
            with contextlib.suppress(ValueError):
                if (way := errands.origin_and_target(other, text)) is not None:
                    ways.append((text, way))
        async with self.hands:
            match self._chance.randrange(4):
                case 0 | 1 if ways:
                    text, way = self._chance.choice(ways)
                    self.done["meddled"] += 1
                    board.carry_piece(*way, seat=Seat(other), who=self)
                    await asyncio.sleep(self._chance.uniform(0.5, 4))
                case 2:
                    self._press(self._chance.choice(sorted(board.world.board.buttons)))
                    await asyncio.sleep(0.5)
                case 3 if ways:
                    text, _ = self._chance.choice(ways)
                    self.homes.says(self.seat, text)  # a seat says another's move: refused
