"""One person alone plays a whole game against the machine, in a browser: from the start page to the end."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from web.served import DUEL, Screen
from web.test_hunt import Players, latest, same
from web.test_start import Started
from web.wire import apart

GAME, HUNT, CASTLE = "stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz"


def moves_of(screen: Screen) -> dict[str, list[str]]:
    """By origin where the person may go, as its screen was told last."""
    for text in reversed(screen.frames):
        found = _moves(json.loads(text)) if '"moves"' in text else None
        if found is not None:
            return found
    return {}


def _moves(told: Any) -> dict[str, list[str]] | None:
    if isinstance(told, dict):
        if "moves" in told and "acts" in told:
            return dict(apart(told)["moves"])
        told = list(told.values())
    if isinstance(told, list):
        return next((found for each in told if (found := _moves(each)) is not None), None)
    return None


def chosen(screen: Screen, draws: random.Random) -> str:
    """What the person does: an attack if there is one, else a step forward, else anything."""
    moves = [(origin, target) for origin, targets in sorted(moves_of(screen).items()) for target in targets]
    view = screen.latest_view()
    assert view is not None
    attacks = [move for move in moves if move[1] in view["board"]]
    forward = [move for move in moves if move[1][1] > move[0][1]]
    return "-".join(draws.choice(attacks or forward or moves))


@pytest.mark.nightly
def test_one_person_alone_sets_up_and_plays_to_the_end(tmp_path: Path, screen: Callable[..., Screen]) -> None:
    """Blue is chosen as the machine on the start page. It sets up and moves by hands of its own."""
    program = Started(tmp_path)
    try:
        red = screen(None)
        red.page.goto(f"{program.origin}/?game={GAME}")
        red.page.select_option("#seat-blue", "2")
        red.page.click("button.main")
        red.until_told("Blue has finished setting up.")
        red.take_kept(GAME, "red", DUEL["red"])
        draws = random.Random(4)
        for _ in range(60):
            red.until("() => /Your turn|game is over|wins/.test(document.body.innerText)")
            view = red.latest_view()
            if view is not None and view["phase"] == "over":
                break
            red.page.screenshot(path=str(tmp_path / f"turn{view['turn'] if view else 0}.png"))
            red.move(chosen(red, draws))
            turn = view["turn"] if view else 0
            red.until_frame(lambda told, turn=turn: _after(told, turn))  # type: ignore[misc]
        else:
            red.press("Resign")
        view = red.latest_view()
        assert view is not None
        shot = tmp_path / "end.png"
        red.page.screenshot(path=str(shot))
        assert not red.errors
    finally:
        program.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seat", "machine", "rounds"),
    [
        pytest.param("hitler", "allies", 4, marks=pytest.mark.nightly),
        pytest.param("hitler", "allies", 24, marks=pytest.mark.nightly),
        ("allies", "hitler", 3),
    ],
)
def test_one_person_alone_hides_or_hunts_to_the_end(
    seat: str, machine: str, rounds: int, tmp_path: Path, screen: Callable[..., Screen]
) -> None:
    """Its pieces are set up and carried by hands of its own; after some rounds the person gives up, if the
    game lasts so long."""
    program = Started(tmp_path)
    try:
        me = screen(None)
        me.page.goto(f"{program.origin}/?game={HUNT}")
        me.page.select_option(f"#seat-{machine}", "2")
        me.page.click("button.main")  # who plays alone is led to the own seat
        me.live()
        person = Players({seat: me}, 1)
        for _ in range(600):
            view = latest(me)["view"]
            if "outcome" in view:
                break
            if view["round"] > rounds:
                me.press("Resign")
                me.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
            elif seat in view["to_act"]:
                person.act(me, latest(me))
            person.until(me, lambda here, view=view: not same(view, here))  # type: ignore[misc]
        assert "outcome" in latest(me)["view"]
        assert {"tank", "spy", "infantry"} == latest(me)["view"]["pieces"].keys()
        me.page.screenshot(path=str(tmp_path / "end.png"))
        assert not me.errors
    finally:
        program.close()


def _changed(screen: Screen, view: dict[str, Any]) -> None:
    """Wait until the game goes on."""
    for _ in range(1200):
        if latest(screen)["view"] != view:
            return
        screen.page.wait_for_timeout(50)
    raise AssertionError(f"nothing came after {view}: {screen.shown()}")


def _after(told: list[dict[str, Any]], turn: int) -> bool:
    """Whether both have moved since that turn, or the game is over."""
    views = [frame["view"] for frame in told if "view" in frame]
    return bool(views) and (views[-1]["turn"] >= turn + 2 or views[-1]["phase"] == "over")


WISHES = ("ready", "draw", "roll", "pass", "keep", "accept", "obey", "end", "discard", "confiscate")
"""What somebody says at the castle who wants to get on, the dearest first ..."""
NEVER = ("resign", "pass-always", "stands")
"""... and what is always there, or would end it."""


def says(screen: Screen) -> None:
    """The person at the castle does what helps the game on; where nothing can be said it moves a pawn."""
    keys = screen.page.locator(".acts button[data-key]:enabled").evaluate_all(
        "(all) => all.map((one) => one.dataset.key)"
    )
    moves = moves_of(screen)
    words = [key for wish in WISHES for key in keys if key.split()[0] == wish]
    words += [key for key in keys if key not in NEVER and not moves]
    if words[:1] == ["end"]:  # it may have ended by itself
        screen.page.locator('.acts [data-key="end"]').evaluate_all("(all) => all.forEach((e) => e.click())")
    elif words:
        screen.tap(screen.page.locator(f'.acts [data-key="{words[0]}"]'))
    if words:
        return
    origin = min(moves)
    screen.tap(screen.page.locator('[data-key="whole"]'))
    for space in (origin, moves[origin][0]):
        screen.tap(screen.place(f'[data-space="{space}"]'))


@pytest.mark.nightly
@pytest.mark.parametrize("rounds", [3, 20])
def test_one_person_alone_guards_the_castle_to_the_end(
    rounds: int, tmp_path: Path, screen: Callable[..., Screen]
) -> None:
    """Both officers are the machine, whose men are carried by hands of its own."""
    program = Started(tmp_path)
    try:
        first = screen(None)
        first.page.goto(f"{program.origin}/?game={CASTLE}")
        first.page.get_by_label("Rules", exact=True).select_option("Own choice")
        first.page.fill("#option-rounds", str(rounds))
        for seat in ("american", "british"):
            first.page.select_option(f"#seat-{seat}", "3")
        first.page.click("button.main")
        me = screen(program.until(r"  security +(http\S+)"))
        for _ in range(40 * rounds):
            view = latest(me)["view"]
            if "outcome" in view:
                break
            if "security" in view["to_act"]:
                says(me)
            _changed(me, view)
        assert "outcome" in latest(me)["view"]
        me.page.screenshot(path=str(tmp_path / "end.png"))
        assert not me.errors
        assert not first.errors
    finally:
        program.close()
