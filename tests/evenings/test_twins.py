"""Two evenings that differ only in what is hidden look alike to who may not know it: each byte and moment.

The same people do the same by their screens and hands; in between the power goes, a process ends, they take a
break, put their phones away and change their languages.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import boardrules
from boardrules.core import CHANCE
from boardsim.bench import bare
from boardumpire.history import replays
from boardumpire.table.opening import open_table
from boardumpire.table.table import Table
from boardumpire.web.seat_links import TABLE_LINK
from colditz.test_twins import pair as castle_pair
from evenings import virtual_loop
from evenings.evening import CASTLE, DUEL, HUNT, Evening, Outage, Pause, Plan
from evenings.people import HUMAN, Person
from evenings.phones import Phone
from fuhrer.test_twins import pair
from table.twins import begun, setups, shared_play, unsealed

Course = Sequence[tuple[str, str]]
"""What is done: by which seat, and how it says that."""


class TwinCourses(NamedTuple):
    """Two courses that look alike, and the seats that may know the difference."""

    one: Course
    two: Course
    knows: Collection[str]


OUTAGES = Outage("cut", 0, 25, 4), Outage("killed", 0, 12, 3), Outage("stopped", 0, 20, 3)
PAUSES = (Pause(0, 40, 60, swept=False),)
CASTLE_OPTIONS = {"players": 3, "answer_seconds": 600}
"""Nobody is hurried: what the clock does isn't in the course."""
CASTLE_SEATS = "security", "american", "british"


class Player(Person):
    """Does what the course of the game says, and never asks who else could."""

    def __init__(self, evening: ScriptedEvening, *given: Any) -> None:
        super().__init__(evening, *given)
        self._evening = evening

    def _next(self) -> tuple[str, str]:
        done, course = len(self._evening.oracles._announced), self._evening.course
        return course[done] if done < len(course) else ("", "")

    def _chosen(self, table: Any) -> str | None:
        seat, text = self._next()
        return text if seat == self.seat else None

    async def _throw(self, state: Any) -> None:
        seat, text = self._next()
        if seat == CHANCE and self._evening.plan.dice == "real" and self._is_new(("throw", state), 3.0):
            await self.phone.say(text)


class Sent(NamedTuple):
    """What left the page for one device, or came from it."""

    at: float
    text: str


class ScriptedEvening(Evening):
    """An evening with a given course; what each device is sent and says is written down."""

    def __init__(self, folder: Path, plan: Plan, seed: int, course: Course) -> None:
        super().__init__(folder, plan, seed)
        self.course = course
        state = boardrules.new(plan.game, plan.options)
        self._states = [state]
        """The state before each action of the course."""
        for seat, text in course if plan.dice == "umpire" else ():
            state, _ = state.apply(state.parse(text, seat))
            self._states.append(state)
        self.service.opening = self._opened
        self.sent: dict[str, list[Sent]] = defaultdict(list)
        self.said: dict[str, list[Sent]] = defaultdict(list)  # type: ignore[assignment]
        app = self.service.app

        async def noted(scope: Any, receive: Any, send: Any) -> None:
            device = scope["client"][0]

            async def received() -> Any:
                message = await receive()
                self.said[device].append(Sent(_now(), message.get("text", "")))
                return message

            async def sends(message: Any) -> None:
                self.sent[device].append(Sent(_now(), message.get("text", "")))
                await send(message)

            await app(scope, received, sends)

        self.service.app = noted  # type: ignore[method-assign]

    def _opened(self, **given: Any) -> Table:
        """A table whose umpire throws and deals what the course says."""

        def thrown(weights: Sequence[int]) -> int:
            state = self.daemon.table.full_state
            _, text = self.course[self._states.index(state, len(self.oracles._announced))]
            return [str(face) for face, _ in state.chance()].index(text)

        return open_table(**(given if self.plan.dice == "real" else {**given, "dice": thrown}))

    async def _sit_down(self) -> None:
        await super()._sit_down()
        assert self.daemon.page is not None
        link = "/" + self.daemon.page.links()[TABLE_LINK].split("/", 3)[3]
        self.table_screen = Phone(self.service.app, link, None, "10.0.0.1", self._chance)
        await self.table_screen.sit_down()

    async def play(self) -> str:
        """Until the course is done."""
        async with self.service.running():
            await self._sit_down()
            self.people = [
                # A piece that rests elsewhere may be another move, and that is not in the course.
                Player(self, each.seat, each.level, each.phone, each._chance, each.rates._replace(astray=0.0))
                for each in self.people
            ]
            tasks = [asyncio.create_task(person.live()) for person in self.people]
            happens = self.service.runs(), self._outages(), self._pauses()
            tasks += [asyncio.create_task(each) for each in happens]
            try:
                for _ in range(900):
                    await asyncio.sleep(1)
                    for task in tasks:
                        if task.done():
                            task.result()
                    done = len(self.oracles._announced) == len(self.course)
                    if done and all(task.done() for task in tasks[-2:]):
                        return ""
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        raise AssertionError(f"{len(self.oracles._announced)} of {len(self.course)}: {self.service.shown()}")


def _now() -> float:
    return asyncio.get_running_loop().time()


class Seen(NamedTuple):
    """What can be seen of an evening."""

    sent: Mapping[str, Sequence[Sent]]
    said: Mapping[str, Sequence[Sent]]
    lit: Sequence[tuple[int, str]]
    done: Mapping[str, int]


def played(folder: Path, plan: Plan, seed: int, course: Course) -> Seen:
    """Play that course with the chances of that seed."""
    lit: list[tuple[int, str]] = []
    show = bare.BareLamps.show

    def shown(self: bare.BareLamps, marks: Mapping[str, str], now: int) -> None:
        lit.append((now, str(sorted(marks.items()))))
        show(self, marks, now)

    async def scene() -> Seen:
        evening = ScriptedEvening(folder, plan, seed, course)
        await evening.play()
        return Seen(evening.sent, evening.said, lit, evening.done)

    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bare.BareLamps, "show", shown)
        return virtual_loop.run(scene(), seed, virtual_loop.busy)


def duels(seed: int) -> TwinCourses:
    """Blue's ranks differ."""
    first, second = setups(seed)
    moves = shared_play(begun(first), begun(second), seed, 12)
    states = [begun(first), begun(second)]
    carried = []
    for seat, origin, target in moves:  # without those that are refused
        actions = [state.hand_action(seat, origin, target) for state in states]
        if all(state.refusal(action) is None for state, action in zip(states, actions, strict=True)):
            states = [state.apply(action)[0] for state, action in zip(states, actions, strict=True)]
            carried.append((seat, f"{origin}-{target}"))
    one, two = ([(seat, text) for seat, text in each.items()] + carried for each in (first, second))
    return TwinCourses(one, two, ("blue",))


def hunts(seed: int) -> TwinCourses:
    """The way of the hidden one differs."""
    found = None
    while found is None:
        found = pair(seed, {}, 40)
        seed += 1000
    one, two = ([(action.seat, str(action)) for action in each] for each in found)
    return TwinCourses(one, two, ("hitler",))


def castles(seed: int) -> TwinCourses:
    """The cards of one nation differ, and after a trade the Equipment of all nations."""
    found = None
    while found is None:
        found = castle_pair(seed, CASTLE_OPTIONS, 45)
        seed += 1000
    one, two = ([(action.seat, str(action)) for action in each] for each in (found.one, found.other))
    return TwinCourses(one, two, tuple(seat for seat in CASTLE_SEATS if seat not in found.blind))


def differences(one: Seen, two: Seen, knows: Collection[str]) -> list[str]:
    """By what others can tell the evenings apart; `knows`: the devices that may know what is hidden."""
    found = []
    for device in sorted({*one.sent, *two.sent}):
        mine = device in knows
        for name, streams in (("sent", (one.sent, two.sent)), ("said", (one.said, two.said))):
            first, second = ([_outside(each, mine=mine) for each in stream[device]] for stream in streams)
            if first != second:
                odd = next(
                    (pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]), "lengths"
                )
                found.append(f"{device} {name}: {odd}")
    if one.lit != two.lit:
        found.append("lamps")
    return found


def _outside(each: Sent, *, mine: bool) -> object:
    """What others see of it: of a screen that may know it, when and how much."""
    return (each.at, len(each.text)) if mine else (each.at, unsealed(each.text))


CASES: tuple[tuple[str, Callable[[int], TwinCourses], Sequence[str]], ...] = (
    (DUEL, duels, ("red", "blue")),
    (HUNT, hunts, ("hitler", "allies")),
    (CASTLE, castles, CASTLE_SEATS),
)


SEEDS = (1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 8)))


def seen_of(case: Any, seed: int, folder: Path) -> tuple[list[Seen], Collection[str]]:
    """What is seen of both evenings, and the devices of those who may know the difference."""
    game, courses, seats = case
    one, two, knows = courses(seed)
    assert one != two
    dice = "real" if game == HUNT else "umpire"
    rates = HUMAN._replace(propose=0.0)
    options = CASTLE_OPTIONS if game == CASTLE else {}
    plan = Plan(game, {}, dict.fromkeys(seats, "1"), 1, options, rates, OUTAGES, PAUSES, dice=dice)
    seen = [played(folder / str(number), plan, seed, course) for number, course in enumerate((one, two))]
    return seen, [f"10.0.0.{number}" for number, seat in enumerate(seats, 2) if seat in knows]


@pytest.mark.slow
@pytest.mark.cases(6)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_twin_evenings_look_alike(case: Any, seed: int, tmp_path: Path) -> None:
    seen, knows = seen_of(case, seed, tmp_path)
    assert {"cut", "killed", "stopped"} <= seen[0].done.keys()
    assert {*seen[0].sent} == {f"10.0.0.{number}" for number in range(1, 2 + len(case[2]))}
    assert not differences(*seen, knows)
    assert differences(*seen, ()), "there is something to hide"


@pytest.mark.parametrize(
    "case", [CASES[0], pytest.param(CASES[2], marks=pytest.mark.slow)], ids=[DUEL, CASTLE]
)
def test_what_a_new_process_tells_of_what_is_hidden_is_found(
    case: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It tells screens what was done before, secret actions too."""
    ruling = replays._rebuild_ruling
    monkeypatch.setattr(
        replays, "_rebuild_ruling", lambda entry, *given: ruling(entry._replace(secret=False), *given)
    )
    seen, knows = seen_of(case, 1, tmp_path)
    assert differences(*seen, knows)
