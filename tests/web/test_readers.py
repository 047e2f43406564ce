"""Whole evenings of people who know of their screens only what can be read there (`web.reader`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from web.reader import Reader, evening
from web.served import PHONE, Screen
from web.test_design import MOST_SHIFT, SHIFTS
from web.test_start import CASTLE, DUEL, HUNT, Started

DESK = {"viewport": {"width": 1280, "height": 800}}
KINDS = {"phone": PHONE, "desk": DESK}
ENDED = re.compile("You win|You lose|Draw")
MOST = 4000
"""More than people do in any of these games."""


class Table:
    """A game chosen on the start page, and people who sat down by the links on the table's screen."""

    def __init__(self, state: Path, screen: Callable[..., Screen], kind: str) -> None:
        self.program = Started(state)
        self.kind = kind
        self._screen = screen
        self.host = self._window()
        self.people: list[Reader] = []

    def _window(self) -> Screen:
        window = self._screen(None, **KINDS[self.kind])
        window.page.add_init_script(SHIFTS)
        return window

    def reader(self, window: Screen, name: str, seed: int = 0) -> Reader:
        return Reader(window.page, name, seed, touch=self.kind == "phone")

    def begin(self, game: str, **chosen: str) -> None:
        """Choose a game by its labels, and press *Begin*."""
        page = self.host.page
        page.goto(f"{self.program.origin}/?game={game}")
        for label, value in chosen.items():
            page.get_by_role("combobox", name=label, exact=True).select_option(value)
        self.reader(self.host, "").press("Begin")

    def sit(self, names: Sequence[str], seed: int) -> None:
        for place, name in enumerate(names):
            link = self.host.page.get_by_role("link", name=name, exact=True)
            window = self._window()
            window.page.goto(self.program.origin + str(link.get_attribute("href")))
            self.people.append(self.reader(window, name, seed + place))

    def shows(self, words: re.Pattern[str]) -> bool:
        """Whether somebody reads that."""
        return any(words.search(each.page.locator("main").inner_text()) for each in self.people)

    def close(self) -> None:
        self.program.close()


@pytest.fixture
def table(tmp_path: Path, screen: Callable[..., Screen], request: Any) -> Any:
    made = Table(tmp_path, screen, request.param)
    yield made
    shifts = {each.name: each.page.evaluate("[worst, moved]") for each in made.people}
    made.close()
    assert {name: moved for name, (worst, moved) in shifts.items() if worst >= MOST_SHIFT} == {}
    assert [each.errors for each in request.node.screens if each.errors] == []


@pytest.mark.slow
@pytest.mark.parametrize("table", ["phone"], indirect=True)
def test_people_who_only_read_set_up_and_begin_a_duel(table: Table) -> None:
    table.begin(DUEL)
    table.sit(("Red", "Blue"), seed=1)
    evening(table.people, lambda: table.shows(re.compile("Blue: .. to|Blue: .. attacks")), MOST)


@pytest.mark.nightly
@pytest.mark.parametrize("table", KINDS, indirect=True)
def test_people_who_only_read_play_a_duel_and_a_rematch(table: Table) -> None:
    table.begin(DUEL)
    table.sit(("Red", "Blue"), seed=1)
    evening(table.people, lambda: table.shows(ENDED), MOST)
    first, second = table.people
    first.press("Rematch")
    second.press("Yes")
    evening(table.people, lambda: table.shows(re.compile("set up your army")), MOST)
    evening(table.people, lambda: table.shows(ENDED), MOST)


@pytest.mark.nightly
@pytest.mark.parametrize("table", KINDS, indirect=True)
def test_three_people_who_only_read_hunt_to_the_end(table: Table) -> None:
    table.begin(HUNT, **{"How many players?": "3"})
    table.sit(("Hitler", "Tank and Spy", "Infantry"), seed=5)
    evening(table.people, lambda: table.shows(ENDED), MOST)


@pytest.mark.nightly
@pytest.mark.parametrize("table", KINDS, indirect=True)
def test_three_people_who_only_read_play_ten_rounds(table: Table) -> None:
    table.begin(CASTLE)
    table.sit(("Security Officer", "American", "British"), seed=5)
    evening(table.people, lambda: table.shows(re.compile("Round 11 of")) or table.shows(ENDED), MOST)


MACHINE = "The machine, level 1"
ALONE = {
    DUEL: ("Red", {"Blue": MACHINE}),
    HUNT: ("The Allies", {"Hitler": MACHINE}),
    CASTLE: ("British", {"Security Officer": MACHINE, "American": MACHINE}),
}
"""By game the seat of the person, and who plays the others."""


@pytest.mark.nightly
@pytest.mark.parametrize("table", KINDS, indirect=True)
@pytest.mark.parametrize("game", ALONE)
def test_one_who_only_reads_plays_against_the_machine(table: Table, game: str) -> None:
    seat, others = ALONE[game]
    table.begin(game, **others)
    table.people.append(table.reader(table.host, seat, 1))
    over = re.compile(f"Round 11 of|{ENDED.pattern}")
    evening(table.people, lambda: table.shows(over), MOST, idle=600)
