"""A hunt in a browser with four screens: places are tapped, pieces carried, the sheet is Hitler's alone."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from web.served import DESKTOP, PHONE, Screen, Served
from web.wire import apart

SEATS = {"table": DESKTOP, "hitler": PHONE, "tank-spy": PHONE, "infantry": DESKTOP}
PIECES = ("tank", "spy", "infantry")
MOMENT = ("round", "phase", "piece", "to_act", "asked", "pieces", "outcome")


@pytest.fixture
def hunt(tmp_path: Path) -> Iterator[Served]:
    game = ("--board", "fall-of-the-fuhrer", "--game", "fall-of-the-fuhrer", "--driver", "gpio-sim")
    page = Served(tmp_path, *game, "--option", "players=3", "--option", "rules=balanced")
    yield page
    page.close()


def latest(screen: Screen) -> dict[str, Any]:
    """What the screen was told last of the game."""
    for text in reversed(screen.frames):
        if text.startswith(('{"n"', '{"kind":"snapshot"')):
            frame = json.loads(text)
            if "view" in frame:
                return frame  # type: ignore[no-any-return]
    raise AssertionError("no view came yet")


def same(view: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether nothing was done between two views."""
    return all(view.get(key) == other.get(key) for key in MOMENT)


class Players:
    """Who sits at the screens: all that they do goes through the page."""

    def __init__(self, screens: dict[str, Screen], seed: int) -> None:
        self.screens = screens
        self.dice = random.Random(seed)

    def play(
        self, rounds: int, after: Callable[[dict[str, Any]], None] = lambda view: None
    ) -> dict[str, Any]:
        """Play to the end, or for so many rounds."""
        while True:
            view = latest(self.screens["hitler"])["view"]
            after(view)
            if "outcome" in view or view["round"] > rounds:
                return view  # type: ignore[no-any-return]
            (seat,) = view["to_act"]
            if seat != "chance":
                screen = self.screens[seat]
                self.until(screen, partial(same, view))
                self.act(screen, latest(screen))
            self.until(self.screens["hitler"], lambda here, view=view: not same(view, here))

    def until(self, screen: Screen, fits: Callable[[dict[str, Any]], bool]) -> None:
        """Wait until the game looks so on this screen."""
        while not fits(latest(screen)["view"]):
            screen.next_frame()

    def act(self, screen: Screen, frame: dict[str, Any]) -> None:
        view, may = frame["view"], apart(frame["may"])
        if may["moves"] and self.dice.random() < 0.8:
            ((origin, targets),) = may["moves"].items()
            target = self.dice.choice(targets)
            self.choose(screen, origin)
            self.tap(screen, target)
            return
        if view["phase"] == "place":
            act = self.dice.choice(may["acts"])
            piece, place = act.split()
            end = screen.square(place)  # scrolls to the top
            screen.drag(screen.place(f'[data-piece="world:{PIECES.index(piece) + 1}"]'), end)
            self.do(screen, act)
            return
        act = self.dice.choice([act for act in may["acts"] if "ticket" not in act] or may["acts"])
        self.do(screen, act)

    def do(self, screen: Screen, act: str) -> None:
        """Press what says it, once its place is tapped."""
        button = screen.page.locator(f'.acts [data-key="{act}"]')
        for place in act.split()[1:2]:
            self.choose(screen, place)
        screen.tap(button)

    def choose(self, screen: Screen, space: str) -> None:
        if screen.page.get_attribute(f'[data-space="{space}"]', "aria-pressed") is None:
            self.tap(screen, space)

    def tap(self, screen: Screen, space: str) -> None:
        screen.tap(screen.square(space))


def sat(hunt: Served, screen: Callable[..., Screen]) -> dict[str, Screen]:
    return {seat: screen(hunt.links[seat], **how) for seat, how in SEATS.items()}


@pytest.mark.nightly
def test_a_round_on_four_screens(hunt: Served, screen: Callable[..., Screen]) -> None:
    screens = sat(hunt, screen)
    view = Players(screens, 1).play(1)
    assert view["round"] == 2
    assert len(view["sheet"]["entries"]) == 1
    hitlers = screens["hitler"].page
    assert hitlers.locator('[data-part="sheet"]').count() == 1
    for name in ("table", "tank-spy", "infantry"):
        other = latest(screens[name])["view"]
        assert "sheet" not in other
        assert screens[name].page.locator('[data-part="sheet"]').count() == 0
    infantry = screens["infantry"]
    assert not infantry.page.locator(".possible").count()
    infantry.page.locator('[data-part="help"] summary').click()
    infantry.page.locator('[data-key="help"]').check()
    infantry.page.wait_for_selector(".possible", state="attached")
    shown = latest(infantry)["view"]["possible"]
    assert view["sheet"]["at"] in shown
    assert "possible" not in latest(screens["tank-spy"])["view"]
    for each in screens.values():
        assert not each.errors


@pytest.mark.nightly
def test_a_whole_hunt_on_four_screens(
    hunt: Served, screen: Callable[..., Screen], record_property: Callable[[str, object], None]
) -> None:
    """A whole game in Chromium, by taps on four screens: Hitler's and an Allied phone, an Allied desktop, the
    table. Until it is over nobody but Hitler is sent his sheet."""
    screens = sat(hunt, screen)
    view = Players(screens, 4).play(24)
    record_property("rounds", view["round"])
    record_property("end", view["outcome"]["reason"])
    assert view["flags"]
    for each in screens.values():
        drawn = each.page.locator(".flag[data-flag]").evaluate_all(
            "all => all.map((flag) => flag.dataset.flag)"
        )
        assert drawn == view["flags"], "whatever its lamp has to say besides"
    for name in ("table", "tank-spy", "infantry"):
        for text in screens[name].frames:
            frame = json.loads(text)
            if "view" in frame and "outcome" not in frame["view"]:
                assert "sheet" not in frame["view"]
        assert not screens[name].errors


@pytest.mark.nightly
def test_chores_are_told_to_those_whose_pieces_they_are_about(
    hunt: Served, screen: Callable[..., Screen]
) -> None:
    """Whoever is asked something else meanwhile goes on with that; each chore shows the piece it wants."""
    seats = {seat: screen(hunt.links[seat], **PHONE) for seat in ("hitler", "tank-spy", "infantry")}
    for seat, place in (("tank-spy", "bonn"), ("tank-spy", "kiel"), ("infantry", "ulm")):
        seats[seat].page.wait_for_selector(".hint")
        seats[seat].page.mouse.click(*seats[seat].square(place))
        seats[seat].page.locator('.now .acts [data-key$=" ' + place + '"]').click()
    ours, other, his = seats["tank-spy"], seats["infantry"], seats["hitler"]
    for each in (ours, other):
        each.until_todo("Put these pieces on the board")
        assert each.page.locator(".chores .chip").count() == 3
    his.until_todo("Choose the city where you start")
    his.page.mouse.click(*his.square("berlin"))
    his.page.locator('.now .acts [data-key="hide berlin"]').click()
    ours.page.click('[data-key="tidy"]')
    ours.until_todo("What does your Tank do?")
    his.until_told("Hitler has chosen where he starts.")
    assert [error for each in seats.values() for error in each.errors] == []
