"""How soon a simulated board answers whoever plays on the page: in virtual time, the disk included."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from boardrules.core import Seat
from boardumpire.commands.page import CARRIED
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.service.clock import loop_time_s, monotonic
from evenings import virtual_loop
from evenings.service import Service, configured

DUEL = "stratego-quick-duel"
ARMIES = {
    "red": "a1=F b1=B a2=B d3=9 e3=3 h3=2 g3=10 b3=3 c1=S a3=2",
    "blue": "a8=F b8=B b7=B d6=S e6=3 h6=2 g6=10 f8=9 d8=3 c7=2",
}
OWN_MOVE_S, ATTACK_S, REFUSAL_S = 0.25, 0.6, 0.8


class Scene:
    """A game that has begun, and the seconds from a gesture to what is told of it."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.told: list[tuple[float, SeatMessage]] = []
        service.listeners.append(lambda new: self.told.extend((loop_time_s(), each) for each in new))

    def piece(self, space: str) -> int:
        board = self.service.board
        (slot,) = board.world.board.spaces[space].slots
        found: list[int] = [each["id"] for each in board.fingers.pieces() if each.get("slot") == slot.id]
        return found[0]

    async def set_up(self) -> None:
        for seat, army in ARMIES.items():
            spaces = [word.partition("=")[0] for word in army.split()]
            self.service.board.place_pieces(seat, spaces)
            await asyncio.sleep(3)
            self.service.daemon.table.say(Seat(seat), f"setup {army}", monotonic())
            self.service.daemon.wake_table()
            await asyncio.sleep(1)
        assert [message.data["to_act"] for _, message in self.told if message.kind == "turn"][-1] == ["red"]

    async def until(self, kind: str, do: Callable[[], None]) -> float:
        """How long after `do` a message of that kind is told."""
        began, before = loop_time_s(), len(self.told)
        do()
        for _ in range(1000):
            new = [at for at, message in self.told[before:] if message.kind == kind]
            if new:
                return new[0] - began
            await asyncio.sleep(0.01)
        raise AssertionError(f"no {kind}: {self.service.shown()}")

    def carry(self, origin: str, target: str) -> Callable[[], None]:
        return lambda: self.service.board.do_gesture(
            {"do": "carry", "piece": self.piece(origin), "space": target}, "a finger"
        )


def at_the_board(folder: Path, plays: Callable[[Scene], Awaitable[None]]) -> None:
    async def scene() -> None:
        service = Service(replace(configured(folder, DUEL, {}), tracker=CARRIED), 3)
        at = Scene(service)
        async with service.running():
            await at.set_up()
            await plays(at)

    virtual_loop.run(scene(), 1)


def test_moves_attacks_and_slips_are_answered_in_time(tmp_path: Path) -> None:
    async def plays(at: Scene) -> None:
        assert await at.until("ruling", at.carry("d3", "d4")) < OWN_MOVE_S
        await asyncio.sleep(2)
        assert await at.until("ruling", at.carry("d6", "d5")) < OWN_MOVE_S
        await asyncio.sleep(2)
        assert await at.until("chores", at.carry("e3", "f4")) < REFUSAL_S  # it may not go there
        at.service.board.do_corrections([{"do": "take", "space": "f4"}, {"do": "put", "space": "e3"}])
        await asyncio.sleep(3)
        assert await at.until("ruling", at.carry("d4", "d5")) < ATTACK_S

    at_the_board(tmp_path, plays)


@pytest.mark.parametrize("rest_s", [0.2, 0.6])
def test_a_piece_that_a_finger_pushes_is_not_judged_on_its_way(rest_s: float, tmp_path: Path) -> None:
    async def plays(at: Scene) -> None:
        board = at.service.board
        number, before = at.piece("h3"), len(at.told)
        board.do_gesture({"do": "grab", "piece": number, "lift": False}, "a finger")
        for space in ("h4", "h5"):
            (slot,) = board.world.board.spaces[space].slots
            x, y = slot.position
            board.do_gesture({"do": "lead", "piece": number, "x": x, "y": y}, "a finger")
            await asyncio.sleep(rest_s)
        board.do_gesture({"do": "drop", "piece": number}, "a finger")
        await asyncio.sleep(3)
        moves = [
            event
            for _, message in at.told[before:]
            if message.kind == "ruling" and message.data["ok"]
            for event in message.data["events"]
            if event["kind"] == "move"
        ]
        assert [(move["from"], move["to"]) for move in moves] == [("h3", "h5")]

    at_the_board(tmp_path, plays)
