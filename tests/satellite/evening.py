"""An evening at several boards: whole games, people who err or meddle, a bad network, power cuts.

What must hold, of every ruling and every moment: nothing is ruled on that hands at home haven't done (wrong),
nothing that was told is missing from the journal (lost), no board is said to be in order that isn't (missed),
and while nothing is broken the game goes on within five minutes (liveness).
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import boardrules
from boardrules.core import CHANCE
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.satellite.client import Satellite
from boardumpire.satellite.keys import SatelliteKey
from boardumpire.service.clock import loop_time_s, monotonic
from evenings import virtual_loop
from satellite.homes import FURTHER, Homes
from satellite.network import Faults
from satellite.people import CLUMSY, HOSTILE, Doings, Person, Rates

DUEL, HUNT, CASTLE = "stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz"
GAMES = DUEL, HUNT, CASTLE
PROFILES = {"clumsy": CLUMSY, "hostile": HOSTILE}
BREAKS = "part", "cut", "half-open", "pico", "host", "host"
PATIENCE_S = 300.0
"""A ruling comes within so many seconds in which nothing is broken."""
SETTLED_S = 30.0
"""What is wrong on a board for so long, while it is said to be in order, was missed."""
MENDED_S = 30.0
"""Long enough for each end to notice that the line is whole, for the next attempt, and for its pause."""
ACTIONS_MAX = 80


class Plan(NamedTuple):
    """What sort of evening it is."""

    game: str
    options: Mapping[str, Any]
    seats: Mapping[str, Sequence[str]]
    """By the name of each further board who sits there."""
    faults: Faults
    rates: Rates
    lies: bool
    """Whether the first satellite lies."""
    pause_s: float
    """About so long after a break the next one comes."""
    actions: int
    """After so many the evening is over."""


def drawn(game: str, boards: int, profile: str, seed: int, actions: int = ACTIONS_MAX) -> Plan:
    """The plan of an evening by its seed."""
    chance = random.Random(f"plan {game} {boards} {profile} {seed}")
    options: dict[str, Any] = {}
    if game == DUEL:
        options = {"quiet_limit": chance.choice((8, 12, 20))}
    elif game == HUNT:
        options = {"players": chance.choice((2, 3, 4) if boards == 2 else (3, 4))}
    else:
        options = {"players": chance.choice((2, 3, 4) if boards == 2 else (3, 4)), "rounds": 2}
    seats = list(boardrules.new(game, options).seats)
    chance.shuffle(seats)
    there: dict[str, list[str]] = {name: [seats.pop()] for name in FURTHER[: boards - 1]}
    for seat in seats[1:]:
        name = chance.choice(["", *there])
        if name:
            there[name].append(seat)
    faults = Faults(
        chance.uniform(0.01, 0.3),
        chance.uniform(0, 0.1),
        chance.choice((0.0, 0.02, 0.05)),
        chance.choice((0.0, 0.0, 0.0002)),
    )
    hostile = profile == "hostile"
    lies, pause_s = hostile and chance.random() < 0.7, chance.choice((10.0, 30.0, 60.0))
    return Plan(game, options, there, faults, PROFILES[profile], lies, pause_s, actions)


class Liar:
    """A satellite that lies: it claims lifts that nobody makes, repeats, floods, and sends what is none."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(f"liar {seed}")
        self._heard: list[bytes] = []
        self.lies = False
        """Whether it does so now."""

    def wrap(self, port: Any) -> Any:
        """A port of which it tells what it likes."""
        liar = self

        class Port:
            def read(self, size: int) -> bytes:
                return liar._told(port.read(size))

            def __getattr__(self, name: str) -> Any:
                return getattr(port, name)

        return Port()

    def _told(self, data: bytes) -> bytes:
        if not self.lies or not data:
            return data
        self._heard = [*self._heard[-50:], data]
        match self._chance.randrange(8):
            case 0:
                return data + self._chance.choice(self._heard)
            case 1:
                return data + self._chance.randbytes(self._chance.randrange(1, 60))
            case 2:
                changed = bytearray(data)
                changed[self._chance.randrange(len(data))] ^= 1 << self._chance.randrange(8)
                return bytes(changed)
            case 3:
                return b"".join(self._heard)[:1500]
            case 4:
                return b""
        return data


class Evening:
    """One of them, on a running loop."""

    def __init__(self, folder: Path, plan: Plan, seed: int) -> None:
        self.plan, self.seed = plan, seed
        self.liar = Liar(seed)
        wrap = self.liar.wrap if plan.lies else lambda port: port
        self.homes = Homes(folder, plan.game, plan.options, plan.seats, plan.faults, seed, wrap)
        self.done: Counter[str] = Counter()
        self.doings = Doings()
        self.announced: list[Any] = []
        """The public events of each ruling, as they were told."""
        self._broken = 0
        self._mended_at = 0.0
        self._chance = random.Random(f"evening {seed}")
        self._odd: dict[str, tuple[object, object, float]] = {}
        self._lied_at = -SETTLED_S
        self.homes.listeners.append(self._hear)

    async def play(self) -> Counter[str]:
        """Play it; what was done and broken. Raises where something is wrong."""
        plan, homes = self.plan, self.homes
        async with homes.running():
            locks = {name: asyncio.Lock() for name in homes.homes}
            people = [
                Person(homes, seat, locks[home.name], self.doings, self.done, plan.rates)
                for home in homes.homes.values()
                for seat in home.seats
            ]
            scenes = [*(person.live() for person in people), self._breaks()]
            if plan.lies:
                scenes += [self._lies(), self._stranger()]
            tasks = [asyncio.create_task(scene) for scene in scenes]
            try:
                await self._played(tasks)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
            self._kept()
        self.done["actions"] = len(self.announced)
        return self.done

    async def _played(self, tasks: Sequence[asyncio.Task[None]]) -> None:
        last: object = None
        whole_s = 0.0
        while True:
            await asyncio.sleep(1)
            for ended in (*tasks, self.homes.daemon._runner.end_future):
                if ended.done() and not ended.cancelled():
                    ended.result()
            if self._is_played and not self._broken:
                return
            if not self._is_whole:
                continue
            whole_s += 1
            table = self.homes.daemon.table
            self._look(table)
            stands = table.full_state
            if stands is not last:
                last, whole_s = stands, 0.0
            assert whole_s < PATIENCE_S, f"stood still: {self.shown()}"

    @property
    def _is_played(self) -> bool:
        """Whether the game is over, or has gone on for long enough."""
        homes = self.homes
        return (
            homes.is_up
            and homes.daemon.has_table
            and (homes.daemon.table.is_over or len(self.announced) >= self.plan.actions)
        )

    @property
    def _is_whole(self) -> bool:
        """Whether nothing is broken, and has not been for a while."""
        return (
            not self._broken
            and loop_time_s() > self._mended_at + MENDED_S
            and self.homes.is_up
            and self.homes.daemon.has_table
        )

    # What happens to them

    async def _breaks(self) -> None:
        while True:
            await asyncio.sleep(self._chance.uniform(0.2, 2) * self.plan.pause_s)
            kind, name = self._chance.choice(BREAKS), self._chance.choice(sorted(self.homes.away))
            self.done[f"break {kind}"] += 1
            self._broken += 1
            homes, network = self.homes, self.homes.away[name].network
            span = self._chance.uniform(1, 15)
            match kind:
                case "part":
                    network.part(span)
                case "cut":
                    network.cut()
                case "half-open":
                    network.half_open()
                case "pico":
                    homes.unplug(name)
                case "host":
                    homes.cut_host()
            await asyncio.sleep(span)
            if kind == "pico":
                homes.plug(name)
            elif kind == "host":
                await homes.power_host()
                self._kept()
            self._broken -= 1
            self._mended_at = loop_time_s()
            self._odd.clear()

    async def _lies(self) -> None:
        """The satellite claims what it likes, for some seconds at a time."""
        name = next(iter(self.homes.away))
        board = self.homes.homes[name].board
        spaces = sorted(board.world.board.spaces)
        while True:
            await asyncio.sleep(self._chance.uniform(5, 60))
            self.done["lies"] += 1
            self.liar.lies = self._chance.random() < 0.7
            moved = []
            for _ in range(self._chance.randrange(6)):
                space = self._chance.choice(spaces)
                board._reed(space, self._chance.choice(("stuck", "dead")))
                board._advance_and_rearm()
                moved.append(space)
                self._lied_at = loop_time_s()
                await asyncio.sleep(self._chance.uniform(0.05, 3))
            for space in moved:
                board._reed(space, "fine")
                board._advance_and_rearm()
                await asyncio.sleep(self._chance.uniform(0.05, 1))
            self.liar.lies = False
            self._lied_at = loop_time_s()

    async def _stranger(self) -> None:
        """Somebody else takes the satellite's name, with another key."""
        name, each = next(iter(self.homes.away.items()))
        key = SatelliteKey(name, b"a key that the host doesn't have")
        stranger = Satellite(each.network.connect, key, lambda: ["/dev/none"], lambda path: None)
        await stranger.run()

    # What must hold

    def _hear(self, messages: Sequence[SeatMessage]) -> None:
        for message in messages:
            assert message.data.get("code") not in ("journal-mended", "journal-lost"), message.data
            if message.seat is not None or message.kind != "ruling" or not message.data["ok"]:
                continue
            data = message.data
            self.announced.append(json.loads(json.dumps(data["events"])))
            seat, action = data["seat"], data["action"]
            if action is None or seat == CHANCE or (self.plan.lies and self._is_liar(seat)):
                continue
            assert self.doings.has(seat, str(action)), (
                f"wrong: {seat} {action} was ruled on, and nobody at home has done it; {self.shown()}"
            )

    def _is_liar(self, seat: str) -> bool:
        """Whether the board that lies may act for that seat: its hands are what it says."""
        return seat in self.plan.seats[next(iter(self.homes.away))]

    def _look(self, table: Any) -> None:
        """Each board that is said to be in order is."""
        state = table.full_state
        for each in table.boards:
            guidance, board = each.match.guidance, self.homes.homes[each.name].board
            open_ = (
                guidance.question is not None
                or guidance.lifted_places
                or guidance.corrections
                or board.fingers.grips
                or each.match.hand_played_spaces
                or loop_time_s() < self._lied_at + SETTLED_S
            )
            setting_up = any(self._sets_up(state, seat) for seat in state.seats_to_act())
            odd = self._differs(board, state)
            if open_ or setting_up or not table.is_calm or state.outcome is not None or not odd:
                self._odd.pop(each.name, None)
                continue
            known = self._odd.get(each.name, (None, None, 0.0))
            if known[:2] != (state, odd):
                self._odd[each.name] = known = state, odd, loop_time_s()
            assert loop_time_s() - known[2] < SETTLED_S, (
                f"missed: board {each.name!r} is said to be in order, and is not (expected, found): {odd}; "
                f"{self.shown()}"
            )

    @staticmethod
    def _sets_up(state: Any, seat: str) -> bool:
        return bool(state.zone(seat)) or any(
            state.setup_placements(action) for action in [*state.legal_actions(seat)][:1]
        )

    @staticmethod
    def _differs(board: Any, state: Any) -> Mapping[str, Any]:
        space_of = {slot.id: name for name, space in board.world.board.spaces.items() for slot in space.slots}
        found: dict[str, list[str]] = {}
        for slot, pieces in board.world.standing().items():
            for piece in pieces:
                found.setdefault(space_of[slot], []).append(piece.owner)
        expected = {space: sorted(each.seat for each in there) for space, there in state.layout().items()}
        return {
            space: (expected.get(space), found.get(space))
            for space in sorted({*expected, *found} - state.unsettled_spaces())
            if expected.get(space, []) != sorted(found.get(space, []))
        }

    def _kept(self) -> None:
        """All that was told is in the journal, in that order."""
        daemon = self.homes.daemon
        assert daemon._store.unaccepted_losses() == []
        (game,) = daemon._store.games()
        entries = [entry for entry in daemon._store.entries(game.number) if entry.kind == "action"]
        written = [json.loads(entry.public_events) for entry in entries]
        count = len(self.announced)
        assert written[:count] == self.announced, f"lost: {count} were told, {len(written)} are written"
        self.announced = written

    def shown(self) -> str:
        """What each board shows and waits for."""
        homes = self.homes
        if not homes.is_up or not homes.daemon.has_table:
            return "there is no table"
        table = homes.daemon.table
        lines = [f"at {monotonic() / 1e6:.1f}: {self.plan}", f"{dict(self.done)}"]
        lines += [f"to act {table.full_state.seats_to_act()}, calm {table.is_calm}"]
        for each in table.boards:
            guidance, hands = each.match.guidance, homes.homes[each.name].board.fingers
            lines.append(
                f"{each.name!r} of {sorted(each.home)}: question {guidance.question}, "
                f"chores {guidance.corrections}, lifted {guidance.lifted_places}, "
                f"overdue {guidance.overdue_pieces}, "
                f"marks {dict(each.display.marks)}, silent {each.match._silent}, held {list(hands.grips)}, "
                f"differs {self._differs(homes.homes[each.name].board, table.full_state)}"
            )
        return "\n".join([*lines, *homes.last])


def run(folder: Path, plan: Plan, seed: int) -> Counter[str]:
    """Play an evening in virtual time; what was done in it. Raises where something is wrong."""

    async def happens() -> Counter[str]:
        return await Evening(folder, plan, seed).play()

    done: Counter[str] = virtual_loop.run(happens(), seed, virtual_loop.busy)
    return done
