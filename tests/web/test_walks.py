"""Whole games of each of the three, on phones and on a desk.

In every state board and action are in sight, no text is cut, and no panel changes because somebody else acts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardrules.colditz.bots.simple_players import choose_by_odds
from boardrules.colditz.castle.actions import PawnStep
from boardrules.core import Action
from web.castle import GAME, CastleDesk, by_hand
from web.served import DUEL, MOVES, RULED, Screen, Served
from web.test_frame import Toy
from web.test_hunt import Players, latest, same
from web.walking import DEVICES, Walk

Opener = Callable[..., Screen]
SEATS = {
    "duel": ("red", "blue", "table"),
    "hunt": ("hitler", "tank-spy", "infantry"),
    "castle": ("security", "american", "british"),
}
HUNT = ("--board", "fall-of-the-fuhrer", "--game", "fall-of-the-fuhrer", "--driver", "gpio-sim")
IN_REACH = """([space]) => {
    const { x, y, width, height } = document.querySelector(`[data-space="${space}"]`).getBoundingClientRect();
    const there = document.elementFromPoint(x + width / 2, y + height / 2);
    return there?.dataset.space === space;
}"""


def sat(game: str, turned: int, screen: Opener, links: Callable[[str], str]) -> Walk:
    """A screen for each seat: with each turn everybody gets the next device."""
    sizes = list(DEVICES)
    seats = SEATS[game]
    has = {seat: sizes[(number + turned) % len(sizes)] for number, seat in enumerate(seats)}
    return Walk(
        f"{game}-{turned}", {seat: screen(links(seat), **DEVICES[size]) for seat, size in has.items()}
    )


# Stratego, on a simulated board that hands move


def duel(served: Served, walk: Walk) -> Iterator[None]:
    """Both set up by dragging, then the moves; each yield is a state of the game."""
    for seat, army in DUEL.items():
        screen = walk.screens[seat]
        for word in army.split():
            space, _, rank = word.partition("=")

            def place(screen: Screen = screen, rank: str = rank, space: str = space) -> None:
                screen.drag(screen.place(f'[data-piece="army:{rank}"]'), screen.square(space))

            drafted = partial(
                screen.page.wait_for_selector, f'[data-piece="draft:{space}"]', state="attached"
            )
            walk.act(seat, place, drafted)  # type: ignore[arg-type]
            yield
        walk.act(seat, partial(screen.press, "Ready"), partial(ready, walk, seat))
        yield
    walk.leave()
    for number, move in enumerate(MOVES):
        seat = ("red", "blue")[number % 2]
        walk.act(seat, partial(walk.screens[seat].move, move), partial(ruled, walk, move, number))
        yield
    assert [walk.screens[seat].page.inner_text("#todo") for seat in DUEL] == ["You win!", "You lose"]


def ready(walk: Walk, seat: str) -> None:
    for each in walk.screens.values():
        each.until_told(f"{seat.capitalize()} has finished setting up")


def ruled(walk: Walk, move: str, number: int) -> None:
    """Every screen has the move, and whoever is next is asked."""
    for each in walk.screens.values():
        each.until(RULED, *move.split("-"))
    if number + 1 < len(MOVES):
        walk.screens[("blue", "red")[number % 2]].until_todo("Your turn")


# Fall of the Führer, on a simulated board that hands move


class Hunters(Players):
    """Who plays a hunt, each on the next device."""

    def walk(self, walk: Walk) -> Iterator[None]:
        walk.leave()
        while True:
            view = latest(self.screens["hitler"])["view"]
            if "outcome" in view:
                return
            (seat,) = view["to_act"]
            if seat == "chance":
                self.until(self.screens["hitler"], lambda here, view=view: not same(view, here))
                continue
            screen = self.screens[seat]
            self.until(screen, partial(same, view))
            walk.act(seat, partial(self.act, screen, latest(screen)), partial(self._done, view))
            yield

    def _done(self, view: dict[str, Any]) -> None:
        self.until(self.screens["hitler"], lambda here: not same(view, here))
        here = latest(self.screens["hitler"])["view"]
        if here["to_act"] == ["chance"]:
            return self._done(here)
        for screen in self.screens.values():
            self.until(screen, lambda there: same(latest(self.screens["hitler"])["view"], there))
        return None


# Escape from Colditz, what seats say being ruled on


def castle(game: Toy, walk: Walk, draws: random.Random) -> Iterator[None]:
    """Simple players decide, and do it by what they find on their screens."""
    walk.leave()
    while game.desk.state.outcome is None:
        state: Any = game.desk.state
        (seat,) = state.seats_to_act()
        action = choose_by_odds(state.view(seat), state.legal_actions(seat), draws)
        walk.act(seat, partial(tapped, walk.screens[seat], state, action), partial(judged, game, walk, state))
        yield


def tapped(screen: Screen, state: Any, action: Action) -> None:
    """A man is led by touching circles where they are in reach; else all of the castle is looked at first."""
    if not isinstance(action, PawnStep):
        return by_hand(screen, state, action)
    for node in (action.origin, action.target):
        space = state.facts.rules.board.spaces[node]
        screen.page.evaluate("scrollTo(0, 0)")
        if not screen.page.evaluate(IN_REACH, [space]):
            screen.tap(screen.page.locator('[data-key="whole"]'))
        screen.tap(screen.place(f'[data-space="{space}"]'))
    return None


def judged(game: Toy, walk: Walk, before: Any) -> None:
    some = next(iter(walk.screens.values()))
    for _ in range(400):
        if game.desk.state is not before and not game.desk.state.chance():
            break
        some.page.wait_for_timeout(25)
    else:
        raise AssertionError(f"nothing was done: {some.shown()}")
    for seat, screen in walk.screens.items():
        screen.until_view(game.desk.view(seat))


@pytest.fixture
def walked(tmp_path: Path, screen: Opener) -> Iterator[Callable[[str, int, int | None], Walk]]:
    """Walks a game with devices turned so far, for so many states or to its end."""
    ends: list[Callable[[], None]] = []

    def walk(game: str, turned: int, states: int | None) -> Walk:
        if game == "castle":
            state = boardrules.new(GAME, {"players": 3, "rounds": 12})
            desk = CastleDesk(state, seed=turned)
            desk.throw()
            desk.take_messages()
            page = Toy(desk)
            ends.append(page.close)
            here = sat(game, turned, screen, page.link)
            steps = castle(page, here, random.Random(5 + turned))
        else:
            more = (*HUNT, "--option", "players=3") if game == "hunt" else ()
            served = Served(tmp_path, *more)
            ends.append(served.close)
            here = sat(game, turned, screen, served.links.__getitem__)
            steps = duel(served, here) if game == "duel" else Hunters(here.screens, 4 + turned).walk(here)
        here.look()
        for _ in islice(steps, states):
            pass
        return here

    yield walk
    for end in ends:
        end()


def told(walk: Walk, record_property: Callable[[str, object], None]) -> None:
    """The figures of a walk; then what was wrong."""
    record_property("states", walk.states)
    record_property("screens measured", walk.measured)
    record_property("panels of others compared", walk.kept)
    assert list(walk.errors()) == []
    assert walk.found() == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "states"), [("duel", 8), ("hunt", 6), ("castle", 6)])
def test_the_first_states_of_a_game_are_whole_on_every_screen(
    walked: Callable[..., Walk], game: str, states: int, record_property: Callable[[str, object], None]
) -> None:
    told(walked(game, 0, states), record_property)


@pytest.mark.nightly
@pytest.mark.parametrize("turned", range(3))
@pytest.mark.parametrize("game", SEATS)
def test_whole_games_are_whole_on_every_screen(
    walked: Callable[..., Walk], game: str, turned: int, record_property: Callable[[str, object], None]
) -> None:
    """Three whole games of each, so that each seat has been at 360x640, 390x844 and 1280x800, touched or with
    a mouse. After each thing that happens: board and first button are within the window and don't hide each
    other, no text is cut, and nothing that was opened, typed, scrolled or focused has changed on the screen
    of anybody else."""
    told(walked(game, turned, None), record_property)
