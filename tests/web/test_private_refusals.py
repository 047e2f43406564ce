"""What a seat's own screen knows to be impossible is refused there alone: nobody else hears of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from web.recorded import conversation, difference
from web.served import DESKTOP, DUEL, PHONE, Screen, Served
from web.wire import apart

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


def _keys(here: Screen, origin: str, target: str) -> None:
    """Take up a piece and set it down elsewhere, wherever that is on a large board."""
    for space in (origin, target):
        here.page.focus(f'[data-space="{space}"]')
        here.page.keyboard.press("Enter")


def _rulings(here: Screen) -> list[bool]:
    """Of each ruling that a screen was told of: whether it was accepted."""
    frames = [json.loads(text) for text in here.frames if '"kind":"told"' in text]
    return [frame["told"]["ok"] for frame in frames if frame["told"]["kind"] == "ruling"]


def _refused(red: Screen) -> str:
    """What the newest refusal says on the screen of whoever tried it; it goes away then."""
    red.page.wait_for_selector("#toast .refused")
    return str(
        red.page.evaluate(
            "() => { const box = document.getElementById('toast'), said = box.textContent;"
            " box.replaceChildren(); return said; }"
        )
    )


def _marks(frames: list[dict[str, Any]]) -> object:
    """What the board showed last."""
    return next(frame["board"]["marks"] for frame in reversed(frames) if "board" in frame)


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
        for each in (red, *others.values()):  # whoever loads a page anew is told what has been told by then
            each.until_told(f"{seat.title()} has finished setting up.")
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
    # Pushed: a piece that is in the air for long, as on a busy machine, is asked about.
    red.move("d3-d4", lift=False)
    for each in others.values():
        each.until_told("Red: d3 to d4.")
        each.until_frame(lambda frames: _marks(frames) == {"turn-blue": "turn-blue"})
        assert each.errors == []
    assert red.errors == []
    return others


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("way", "has"),
    [
        pytest.param(_tap, DESKTOP, id="tap", marks=pytest.mark.nightly),
        pytest.param(_tap, PHONE, id="tap on a phone"),
        pytest.param(_drag, DESKTOP, id="drag"),
        pytest.param(_drag, PHONE, id="drag on a phone", marks=pytest.mark.nightly),
        pytest.param(_type, DESKTOP, id="keys", marks=pytest.mark.nightly),
    ],
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


@pytest.mark.slow
def test_a_door_or_a_wall_of_the_castle_is_refused_on_its_own_screen_alone(
    tmp_path: Path, screen: Opener
) -> None:
    """What it takes to go there is in a hand of cards that others don't see."""
    game = "escape-from-colditz"
    served = Served(tmp_path, "--game", game, "--board", game, "--option", "players=2")
    try:
        others = [screen(served.links[name]) for name in ("table", "american")]
        guards = screen(served.links["security"])
        guards.press("Let the hands do it")
        guards.until_frame(
            lambda frames: any(frame.get("may", {}).get("moves", {}).get("by") for frame in frames)
        )
        guards.until("() => !document.querySelector('[data-key=tidy]')")
        for each in others:
            each.until("() => !document.querySelector('[data-key=tidy]')")
        may = next(json.loads(text)["may"] for text in reversed(guards.frames) if '"may":' in text)
        origin, targets = next(iter(apart(may)["moves"].items()))
        spaces = guards.page.eval_on_selector_all(
            "[data-space]", "all => all.map((one) => one.dataset.space)"
        )
        before = [len(_rulings(each)) for each in others]
        _keys(guards, origin, min(set(spaces) - {*targets, *apart(may)["moves"]}))
        assert _refused(guards)
        _keys(guards, origin, targets[0])
        for each, count in zip(others, before, strict=True):
            each.until_frame(lambda frames, each=each, count=count: len(_rulings(each)) > count)
            assert _rulings(each)[count:] == [True]
        for each in (*others, guards):
            assert each.errors == []
    finally:
        served.close()
