"""Somebody whose phone stays dark: lights say what is asked, pieces and buttons answer it.

It is taken out for what is secret alone, and for what no button says.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from typing import Any

from boardumpire.commands.computer_players import choose_answer
from boardumpire.errors import BoardumpireError
from boardumpire.ruling.proposals import SEATING_REQUESTS
from boardumpire.table.errands import AssistedMove
from boardumpire.table.open_matters import shown_matter
from boardumpire.tracking.questions import NAMED_ANSWER_CODES, make_question
from evenings.people import Intent, Person

SEEN_S = 1.3
"""How long somebody looks at lights before pressing a button for them."""
STEPS = 40
"""After so many presses somebody who steps through what can be said gives up."""


class WithoutPhone(Person):
    """Somebody at one seat, without a phone."""

    async def live(self) -> None:
        """Until it is stopped."""
        self.phone.sleep()
        while True:
            await asyncio.sleep(self._chance.uniform(0.3, 1.4))
            if self.around.pausing == "gone" or self.lost or not self.around.daemon.has_table:
                continue
            if self.phone.awake:
                self.phone.sleep()
            try:
                await self._turn()
            except BoardumpireError:
                continue  # the power is gone, or somebody was quicker
            except ValueError as problem:  # somebody else holds the piece
                self.around.done[str(problem)] += 1

    async def _turn(self) -> None:
        table = self._table
        asked, proposal = table.guidance.question, table.newest_proposal
        if proposal is not None and self.seat in proposal.seats_asked:
            await self._answer_proposal({"thing": proposal.request})
        elif table.is_over or table.waiting_sentence:
            self._intent = None
        elif asked is not None and asked.seat in (None, self.seat):
            await self._answer({"code": asked.code, "spaces": asked.spaces})
        elif asked is not None or self.around.pausing:
            return
        elif chores := self._asked_for():
            await self._tidy(chores)
        elif proposal is None and self._asking() & self._spaces:
            await self._let_be()
        elif proposal is None:
            await self._play()

    def _asked_for(self) -> list[dict[str, Any]]:
        """What lights ask hands for: pieces of one side at a time.

        What they show while a machine moves, its own hands do.
        """
        if not (self._table.guidance.corrections or self._table.guidance.overdue_pieces):
            return []
        marks, spaces = self._table.marks, self.around.board.world.board.spaces
        chores = [
            (marks[space], space) for space in marks if space in spaces and marks[space] in ("take", "put")
        ]
        sides = [lamp.removeprefix("turn-") for lamp, mark in marks.items() if mark == "put"]
        layout = self._table.full_state.layout()
        asked = {chore.space for chore in self._table.guidance.corrections}
        found = []
        for kind, space in chores:
            if space not in asked and (kind == "take" or space not in layout):
                continue  # a machine's move
            chore: dict[str, Any] = {"do": kind, "space": space}
            owners = {piece.seat for piece in layout.get(space, ())}
            if kind == "put" and (seat := next((side for side in sides if side in owners), None)):
                chore["seat"] = seat
            elif kind == "put" and len(owners) == 1:
                chore["seat"] = owners.pop()
            elif kind == "take" and len(owners) > 1:  # the sentence that is read out names the side
                chore["seat"] = next(
                    (
                        each.seat
                        for each in self._table.guidance.corrections
                        if (each.kind, each.space) == ("take", space)
                    ),
                    None,
                )
            found.append(chore)
            if kind == "put" and self._standing(space) > 1:  # or those want a place of their own each
                found.append({"do": "ring", "space": space})
        return found

    def _standing(self, space: str) -> int:
        """How many pieces stand there."""
        slots = {slot.id for slot in self.around.board.world.board.spaces[space].slots}
        pieces = self.around.board.fingers.pieces()
        return sum(each["is"] == "stands" and each["slot"] in slots for each in pieces)

    # Buttons

    async def _press(self, button: str) -> None:
        self.around.done[f"button {button}"] += 1
        self.around.board.do_gesture({"do": "press", "button": button}, self)
        await asyncio.sleep(0.5)

    def _asking(self) -> frozenset[str]:
        """The lights that ask."""
        return frozenset(lamp for lamp, mark in self._table.marks.items() if mark == "asks")

    async def _step_to(self, lamps: Collection[str], state: object) -> bool:
        """Press until these lights ask, then `confirm`; whether they did."""
        board, wanted = self.around.board.world.board, frozenset(lamps)
        button = "choose" if "choose" in board.buttons else "turn"
        async with self.around.hands:
            asked = self._table.guidance.question
            for _ in range(STEPS):
                if self._table.full_state is not state:
                    return True
                if self._table.guidance.question != asked:  # the board asks: that comes first
                    return False
                if self._asking() == wanted:
                    await asyncio.sleep(SEEN_S)
                    if self._asking() == wanted and self._table.full_state is state:
                        await self._press("confirm")
                        await asyncio.sleep(0.5)
                        return True
                await self._press(button)
        return False

    # What it answers

    async def _answers(self, text: str) -> None:
        """Say yes or no by the buttons, which speak for whoever is asked, unless lamps show a newer one."""
        await asyncio.sleep(SEEN_S)
        async with self.around.hands:
            shown = shown_matter(self._table.boards[0].commands.matters.open_matters.matters)
            if shown is not None and text.endswith(shown.name):
                self.around.answers.gives(None, text)
                await self._press("confirm" if text.startswith("yes") else "cancel")

    async def _answer_proposal(self, proposal: Mapping[str, Any]) -> None:
        if proposal["thing"].partition(" ")[0] in SEATING_REQUESTS and not self.around.lost:
            return  # for the screen that is meant
        await super()._answer_proposal(proposal)

    async def _answer(self, asked: Mapping[str, Any]) -> None:
        question = make_question(asked["code"], tuple(asked["spaces"]), self.seat)
        if not self._is_new(question):
            return
        errand, text = None, ""
        if self._intent is not None:
            text = self._intent.text
            errand = AssistedMove(self._table.full_state, self._intent.way[:1], self._intent.way[1:])
        said = choose_answer(question, self.seat, errand, text) or f"no {question.answer_key()}"
        if question.code in NAMED_ANSWER_CODES and not said.startswith("no ") and self._intent is not None:
            await self._step_to(self._intent.way[1:], self._table.full_state)
            return
        await asyncio.sleep(SEEN_S)
        async with self.around.hands:
            now = self._table.guidance.question
            if now is not None and (now.code, now.spaces) == (asked["code"], asked["spaces"]):
                self.around.answers.gives(None, said)
                await self._press("confirm" if said.startswith("yes") else "cancel")

    # What it plays

    async def _do(self, text: str, state: Any) -> None:
        errands = self._table.assisted_moves
        way, prints = errands.origin_and_target(self.seat, text), errands.placed_prints(self.seat, text)
        action = state.parse(text, self.seat)
        if way is not None:
            self._intent = Intent(text, way, state, 0.0)
            await self._carry(self._intent)
        else:
            if prints:
                async with self.around.hands:
                    self.around.board.set_up_army(self.seat, prints, self)
                    for _ in range(60):
                        await asyncio.sleep(0.5)
                        if errands.are_occupied(tuple(prints)):
                            break
            await (self._by_phone(text) if action.secret else self._say(text))

    async def _say(self, text: str) -> None:
        """By a button that means it, by stepping to it, or on the phone."""
        state = self._table.full_state
        action = state.parse(text, self.seat)
        button = next((name for name, said in state.button_actions().items() if said == action), "")
        lamps = next((lamp for lamp, said in state.cursor_actions() if said == action), "")
        if button:
            async with self.around.hands:
                await self._press(button)
                await asyncio.sleep(0.5)
        elif lamps and "choose" in self.around.board.world.board.buttons:
            await self._step_to(lamps.split(), state)
        else:
            await self._by_phone(text)

    async def _by_phone(self, text: str) -> None:
        """Take the phone out, say it there, and put it away."""
        self.around.done["phone taken out"] += 1
        self.phone.wake()
        for _ in range(60):
            await asyncio.sleep(0.5)
            if self.phone.connected:
                await super()._say(text)
                break
        self.phone.sleep()

    async def _throw(self, state: Any) -> None:
        open_ = set(self._table.choices(self.seat).get("throws", ()))
        thrown = [(lamp, face) for lamp, face in state.cursor_actions() if str(face) in open_]
        if thrown and self._is_new(("throw", state), 3.0):
            lamp, _ = self._chance.choice(thrown)
            await self._step_to(lamp.split(), state)
        elif not thrown:
            self.phone.wake()
            await super()._throw(state)

    async def _go_on(self, intent: Intent) -> None:
        """What was done has come to nothing so far: point at it where it can't be felt, or do it again."""
        if not self._is_new(("again", intent)):
            return
        spaces, board = self._table.marks.keys() & self._spaces, self.around.board.world.board
        if any(self._table.marks[space] in ("take", "put") for space in spaces):
            return
        if "choose" in board.buttons and await self._step_to(intent.way[1:], intent.state):
            return
        there = self._on(intent.way[0])
        if there is not None and self._whose(there) == self.seat:
            await self._carry(intent)
        else:
            await self._by_phone(intent.text)

    @property
    def _spaces(self) -> Collection[str]:
        return self.around.board.world.board.spaces.keys()

    def _whose(self, number: int) -> str:
        pieces = self.around.board.fingers.pieces()
        return next((str(each["seat"]) for each in pieces if each["id"] == number), "")

    async def _let_be(self) -> None:
        """A light asks for what this person doesn't mean."""
        asking = self._asking()
        if self._is_new(("asks", asking), 4.0):
            return
        async with self.around.hands:  # by the time the board is free it may ask for something else
            table = self._table
            if self._asking() == asking and table.guidance.question is None and table.newest_proposal is None:
                await self._press("cancel")
