"""Seats that the machine plays: each by a player in a process of its own, told what its seat may know.

What it says is said as from a phone. What hands have to do for it lamps show: which piece to lift, and where
to put it. On a simulated board hands of its own do that; on a real one, people do.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import boardrules
from boardrules import sparring
from boardrules.core import Seat, Space
from boardumpire.commands.referee import sight
from boardumpire.errors import BoardumpireError, ConfigError, SeatError, outward
from boardumpire.messages import secrecy
from boardumpire.ruling.proposals import SEATING
from boardumpire.table.speech import SIGNED
from boardumpire.table.table import Table

LONGEST = 2_000_000
"""Characters of a line that a player sends: it asks little."""
LOOKS_S = 0.5
"""How often it looks at the table where nothing was told."""
REACHES_S = 0.6
"""How long its hands wait before they reach for a piece: people see whose turn it is."""
_BOT = "import sys; from boardumpire.cli import main; sys.exit(main())"
_MEASURES = ("greedy", sparring.RANDOM)
"""Players to measure by, whom nobody wants to sit opposite."""

log = logging.getLogger("boardumpire")


class Hands(Protocol):
    """Hands of the machine's own over a simulated board."""

    def do(self, message: Mapping[str, Any], who: object) -> None:
        """Do what a finger does, as `boardsim.page` takes it."""

    def piece_on(self, space: Space) -> int | None:
        """The number of the uppermost piece on a space."""


class Desk(Protocol):
    """What holds the table."""

    @property
    def alive(self) -> bool:
        """Whether there is a table."""

    @property
    def table(self) -> Table:
        """The table. Raises `BoardumpireError` while there is none."""

    def say(self, seat: str, text: str) -> None:
        """A seat says something; the table is turned at once."""

    def turn(self) -> None:
        """Have the table turned at once."""


def levels(game: str) -> tuple[str, ...]:
    """The names of those of a game's players that people may want to play against, the weakest first."""
    names = sparring.names(boardrules.package(game))
    numbered = [name for name in names if name.isdecimal()]
    return tuple(numbered or [name for name in names if name not in _MEASURES])


def checked(game: str, options: Mapping[str, Any], machines: Mapping[str, Any]) -> dict[Seat, str]:
    """The seats that the machine plays, each with its level. Raises `ConfigError`."""
    seats, known = boardrules.new(game, options).seats, sparring.names(boardrules.package(game))
    found = {}
    for seat, level in machines.items():
        if seat not in seats:
            raise ConfigError(f"[game.machines] {seat}: no such seat; expected one of {', '.join(seats)}")
        if str(level) not in known:
            raise ConfigError(f"[game.machines] {seat}: {level!r}: expected one of {', '.join(known)}")
        found[seat] = str(level)
    return found


class Machines:
    """All seats of a board that the machine plays."""

    def __init__(self, desk: Desk, seats: Mapping[Seat, str], hands: Hands | None) -> None:
        self.seats = dict(seats)
        """By seat the level."""
        self._desk, self._hands = desk, hands
        self._table: Table | None = None
        self._playing: list[_Machine] = []
        self._ending: list[asyncio.Task[None]] = []

    def stirred(self) -> None:
        """Something was told, or there is another table."""
        if not self.seats:
            return
        table = self._desk.table if self._desk.alive else None
        if table is not self._table:
            self.stop()
            self._table = table
            if table is not None:
                self._playing = [
                    _Machine(self._desk, table, seat, self.seats[seat], self._hands)
                    for seat in table.seats
                    if seat in self.seats
                ]
        for machine in self._playing:
            machine.stirred()

    def stop(self) -> None:
        """End all players."""
        for machine in self._playing:
            self._ending += machine.stop()
        self._playing, self._table = [], None

    async def ended(self) -> None:
        """After `stop`: until no player is left."""
        await asyncio.gather(*self._ending, return_exceptions=True)
        self._ending.clear()


class _Machine:
    """One seat of one table."""

    def __init__(self, desk: Desk, table: Table, seat: Seat, level: str, hands: Hands | None) -> None:
        self._desk, self._table, self._seat, self._level, self._hands = desk, table, seat, level, hands
        self._news = asyncio.Event()
        self._own: object = None
        """The state that its own last action led to."""
        self._seen: object = None
        """The state that the player was told of last."""
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._plays()), loop.create_task(self._helps())]

    def stirred(self) -> None:
        """Something has changed."""
        self._news.set()

    def stop(self) -> list[asyncio.Task[None]]:
        """End it; what has still to end."""
        for task in self._tasks:
            task.cancel()
        return self._tasks

    async def _wait(self) -> None:
        """Until something has changed, or a while has passed."""
        self._news.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), LOOKS_S)

    # What the player asks

    async def _plays(self) -> None:
        words = ["bot", self._table.game, "--seat", self._seat, "--level", self._level]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            _BOT,
            *words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            while line := await process.stdout.readline():
                answer = await self._answer(json.loads(line))
                process.stdin.write((json.dumps(answer) + "\n").encode())
                await process.stdin.drain()
            if self._table.stands.outcome is None:
                log.warning("the player at %s has ended with code %s", self._seat, await process.wait())
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.communicate()

    async def _answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        match asked:
            case {"do": "events"}:
                return await self._events()
            case {"do": "sight"}:
                return {"ok": True, "sight": sight.written(sight.Sight(*self._table.sight(self._seat)))}
            case {"do": "act", "action": str(text)}:
                try:
                    await self._act(text)
                    self._own = self._table.stands
                except SeatError as refused:
                    return {"ok": False, "error": {"code": "refused", "text": str(outward(refused))}}
                return {"ok": True}
        return {"ok": False, "error": {"code": "unknown-verb", "text": "expected events, sight or act"}}

    async def _events(self) -> dict[str, Any]:
        """Answered once there is something new, or something to do."""
        table = self._table
        while True:
            state = table.stands
            if state.outcome is not None:
                return {"ok": True, "to_act": [], "events": [], "outcome": state.outcome._asdict()}
            to_act = list(state.seats_to_act())
            if state is not self._seen:
                self._seen = state
                return {"ok": True, "to_act": to_act, "events": [{"kind": "changed"}]}
            if self._seat in to_act and table.calm:
                return {"ok": True, "to_act": to_act, "events": []}
            await self._wait()

    async def _act(self, text: str) -> None:
        """Do it: by hands where hands do it. Raises `SeatError`."""
        table, state = self._table, self._table.stands
        while not table.calm and table.stands is state:
            await self._wait()
        if table.stands is not state:
            return  # it was meant for what stood then
        table.check(self._seat, text)
        spaces, way = table.placed(self._seat, text), table.way(self._seat, text)
        if way is not None:
            await self._carry(*way)
            return
        if spaces:
            await self._stand(spaces)
        self._desk.say(self._seat, text)
        while table.stands is state and not table.calm:
            await self._wait()

    async def _carry(self, origin: Space, target: Space) -> None:
        """Have a piece carried, and wait until hands have done something."""
        table, state = self._table, self._table.stands
        table.ask_hands(self._seat, (origin,), (target,))
        self._desk.turn()
        if self._hands is not None:
            await asyncio.sleep(REACHES_S)
            piece = self._hands.piece_on(origin)
            if piece is not None and table.stands is state:
                self._does({"do": "carry", "piece": piece, "space": target})
        while table.stands is state:
            await self._wait()

    async def _stand(self, spaces: Sequence[Space]) -> None:
        """Have pieces stood on these spaces, and wait until they are."""
        table = self._table
        table.ask_hands(self._seat, (), spaces)
        self._desk.turn()
        if self._hands is not None:
            self._does({"do": "lay-out", "seat": self._seat, "spaces": list(spaces)})
        while not table.felt(spaces):
            await self._wait()

    # What it does without being asked

    async def _helps(self) -> None:
        """Answer the board's questions to its seat, agree to what others propose, tidy up after its hands."""
        while True:
            await self._wait()
            try:
                self._help()
            except BoardumpireError as refused:  # somebody else was quicker
                log.info("%s: %s", self._seat, refused)

    def _help(self) -> None:
        table, seat = self._table, self._seat
        question, proposal = table.guidance.question, table.proposal
        if question is not None and question.seat == seat and question.code in SIGNED:
            self._desk.say(seat, f"yes {question.name()}")
        if proposal is not None and seat in proposal.asked:
            yes = proposal.word() not in SEATING
            self._desk.say(seat, f"{'yes' if yes else 'no'} {proposal.thing}")
        chores = table.guidance.chores
        if chores and self._hands is not None:
            listed = secrecy.chores(0, chores).data["chores"]
            # What its own action has left to do, it does, with pieces from beside the board too.
            beside = {"beside": True} if self._own is table.stands else {}
            self._does({"do": "tidy", "chores": listed, **beside})

    def _does(self, message: Mapping[str, Any]) -> None:
        assert self._hands is not None
        try:
            self._hands.do(message, self)
        except ValueError as problem:  # somebody holds the piece: what hands do is ruled on all the same
            log.info("%s: %s", self._seat, problem)
