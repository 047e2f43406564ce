"""What a seat's own screen knows to be impossible is refused there alone: nobody else hears of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from web.recorded import conversation, difference
from web.served import DESKTOP, DUEL, PHONE, Screen, Served, play

IMPOSSIBLE = {"b1-b2": "never move", "c1-c2": "never move", "d3-d5": "too far", "d3-e4": "straight line"}
"""A Bomb and the Flag step forward, others go where only other ranks may, or nobody."""
ARMIES = {**DUEL, "red": DUEL["red"].replace("a1=F", "a1=S").replace("c1=S", "c1=F")}
Opener = Callable[..., Screen]


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Callable[[], Served]]:
    """Tables one after the other."""
    opened: list[Served] = []

    def another() -> Served:
        directory = tmp_path / str(len(opened))
        directory.mkdir()
        opened.append(Served(directory))
        return opened[-1]

    yield another
    for served in opened:
        served.close()


def _tap(red: Screen, origin: str, target: str) -> None:
    red.tap(red.square(origin))
    red.tap(red.square(target))


def _drag(red: Screen, origin: str, target: str) -> None:
    red.drag(red.square(origin), red.square(target))


def _type(red: Screen, origin: str, target: str) -> None:
    red.page.focus(f'[data-space="{origin}"]')
    red.page.keyboard.press("Enter")
    across, up = ord(target[0]) - ord(origin[0]), int(target[1:]) - int(origin[1:])
    for key, count in (("ArrowRight", across), ("ArrowUp", up)):
        for _ in range(count):
            red.page.keyboard.press(key)
    red.page.keyboard.press("Enter")


def _refused(red: Screen) -> str:
    """What the newest refusal says on the screen of whoever tried it; it goes away then."""
    red.page.wait_for_selector("#toast .refused")
    return str(
        red.page.evaluate(
            "() => { const box = document.getElementById('toast'), said = box.textContent;"
            " box.replaceChildren(); return said; }"
        )
    )


def _game(
    served: Served, screen: Opener, tries: Callable[[Screen], None], has: dict[str, object]
) -> dict[str, Screen]:
    """A duel in which Red tries something, and then moves; everybody else's screens."""
    spectator = screen(None)
    spectator.page.goto(served.origin)
    spectator.live()
    others = {
        "spectator": spectator,
        "table": screen(served.links["table"]),
        "blue": screen(served.links["blue"]),
    }
    red = screen(served.links["red"], **has)
    for seat, army in ARMIES.items():
        (red if seat == "red" else others["blue"]).take_kept("stratego-quick-duel", seat, army)
    red.until_todo("Your turn")
    for each in others.values():
        each.until("() => document.querySelectorAll('.glow.on').length > 0")
    tries(red)
    for each in others.values():
        seen = [
            piece["is"]
            for text in each.told.get("/hands", ())
            for piece in json.loads(text).get("pieces", ())
        ]
        assert not {"led", "held"} & set(seen)
    play({"red": red}, ["d3-d4"])
    for each in others.values():
        each.until_told("Red: d3 to d4.")
        assert each.errors == []
    assert red.errors == []
    return others


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "has"),
    [(_tap, DESKTOP), (_tap, PHONE), (_drag, DESKTOP), (_drag, PHONE), (_type, DESKTOP)],
    ids=["tap", "tap on a phone", "drag", "drag on a phone", "keys"],
)
def test_what_a_seats_screen_knows_to_be_impossible_nobody_else_hears_of(
    tables: Callable[[], Served], screen: Opener, way: Callable[..., None], has: dict[str, object]
) -> None:
    """All that others are sent, and all lights that they see, is as if nothing had been tried."""

    def tries(red: Screen) -> None:
        for action, why in IMPOSSIBLE.items():
            way(red, *action.split("-"))
            assert why in _refused(red)

    told = [
        {name: conversation(each) for name, each in _game(tables(), screen, each, has).items()}
        for each in (tries, lambda red: None)
    ]
    assert difference(*told) is None
