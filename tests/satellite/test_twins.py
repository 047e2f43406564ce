"""Games that differ only in what is hidden: a satellite is sent the same bytes at the same moments."""

from __future__ import annotations

import asyncio
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardrules.core import Seat
from boardrules.rule_sets import BALANCED_SET, RULES_OPTION
from boardumpire.messages import disclosure
from boardumpire.table.opening import open_table
from boardumpire.table.table_view import TableView
from evenings import virtual_loop
from evenings.test_twins import CASTLE_OPTIONS, CASTLE_SEATS, Course, TwinCourses, castles, hunts
from satellite.evening import CASTLE, HUNT
from satellite.homes import Homes
from satellite.network import Faults
from satellite.people import Doings, Person, Rates

BAD = Faults(0.15, 0.05, 0.05)
CAREFUL = Rates(fumble=0.1, astray=0.0, hesitation=0.1, button=0.3, meddle=0.0)
"""A piece that rests elsewhere may be another move, and that is not in the course."""
CUT_S, PARTED_S, OFF_S = 25.0, 60.0, 6.0
"""When the host's power goes, when the line is parted, and for how long."""
LONGEST_S = 1500


class Follower(Person):
    """Does what the course says, and never asks who else could."""

    def __init__(self, evening: CourseEvening, seat: str, hands: asyncio.Lock) -> None:
        super().__init__(evening.homes, seat, hands, Doings(), Counter(), CAREFUL)
        self._evening = evening

    def _chosen(self, state: Any) -> str | None:
        done = self._evening.count_done(state)
        seat, text = self._evening.course[done] if done < len(self._evening.course) else ("", "")
        return text if seat == self.seat else None


class CourseEvening:
    """An evening at two boards with a given course."""

    def __init__(
        self, folder: Path, game: str, options: dict[str, Any], away: Sequence[str], course: Course
    ) -> None:
        self.course = course
        state = boardrules.new(game, options)
        self._states = [state]
        """The state before each action of the course, and the last one."""
        for seat, text in course:
            state, _ = state.apply(state.parse(text, seat))
            self._states.append(state)
        options = {RULES_OPTION: BALANCED_SET, **options}  # what the library plays, and courses are of
        self.homes = Homes(folder, game, options, {"north": away}, BAD, 1)
        self.homes.open_table = self._opened

    def count_done(self, state: Any) -> int:
        """How much of the course is done."""
        return self._states.index(state)

    def _opened(self, **given: Any) -> Any:
        """A table whose umpire throws and deals what the course says."""

        def thrown(weights: Sequence[int]) -> int:
            state = self.homes.daemon.table.full_state
            _, text = self.course[self.count_done(state)]
            return [str(face) for face, _ in state.chance()].index(text)

        return open_table(**{**given, "dice": thrown})

    async def play(self) -> list[object]:
        """Until the course is done; what went to and fro between host and satellite, sealed, and when."""
        homes = self.homes
        async with homes.running():
            locks = {name: asyncio.Lock() for name in homes.homes}
            people = [
                Follower(self, seat, locks[home.name]) for home in homes.homes.values() for seat in home.seats
            ]
            tasks = [asyncio.create_task(person.live()) for person in people]
            breaks = asyncio.create_task(self._breaks())
            try:
                for _ in range(LONGEST_S):
                    await asyncio.sleep(1)
                    for task in (*tasks, breaks):
                        if task.done():
                            task.result()
                    table = homes.daemon.table if homes.is_up and homes.daemon.has_table else None
                    if breaks.done() and table is not None and table.full_state == self._states[-1]:
                        return [end.sent for ends in homes.away["north"].network.lines for end in ends]
            finally:
                for task in (*tasks, breaks):
                    task.cancel()
                await asyncio.gather(*tasks, breaks, return_exceptions=True)
        raise AssertionError(f"the course was not done: {list(homes.last)}")

    async def _breaks(self) -> None:
        await asyncio.sleep(CUT_S)
        self.homes.cut_host()
        await asyncio.sleep(OFF_S)
        await self.homes.power_host()
        await asyncio.sleep(PARTED_S)
        self.homes.away["north"].network.part(OFF_S)


CASES: tuple[tuple[str, Callable[[int], TwinCourses], dict[str, Any], Sequence[str]], ...] = (
    (HUNT, hunts, {}, ("hitler", "allies")),
    (CASTLE, castles, CASTLE_OPTIONS, CASTLE_SEATS),
)


def sent_of_twins(case: Any, folder: Path, *, knows: bool) -> list[list[object]]:
    """What goes to and fro in two games; `knows`: whether who may know the difference sits far away."""
    game, courses, options, seats = case
    twins = courses(1)
    assert twins.one != twins.two
    away = [seat for seat in seats if (seat in twins.knows) == knows]

    async def played(course: Course, here: Path) -> list[object]:
        here.mkdir()
        return await CourseEvening(here, game, options, away, course).play()

    courses = twins.one, twins.two
    return [
        virtual_loop.run(played(course, folder / str(number)), 1, virtual_loop.busy)
        for number, course in enumerate(courses)
    ]


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("knows", [False, True], ids=["who-may-not", "who-may"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_a_satellite_is_sent_nothing_of_what_is_hidden(case: Any, knows: bool, tmp_path: Path) -> None:
    """Also one of those who may know it: its lights are everybody's."""
    one, two = sent_of_twins(case, tmp_path, knows=knows)
    assert one == two


@pytest.mark.slow
def test_a_light_that_hangs_on_what_is_hidden_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = TableView._game_marks

    def leaky(self: TableView, now: int) -> Any:
        first, shown, to_act = marks(self, now)
        lamps = sorted(self._lamps)
        known = str(disclosure.view_of(self._match.state, Seat("hitler")))
        return first, {**shown, lamps[zlib.crc32(known.encode()) % len(lamps)]: "asks"}, to_act

    monkeypatch.setattr(TableView, "_game_marks", leaky)
    one, two = sent_of_twins(CASES[0], tmp_path, knows=False)
    assert one != two
