"""Whole games in a browser, every piece moved by a finger; and nobody is sent what is hidden from him."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from web.served import DESKTOP, DUEL, MOVES, PHONE, SMALL_PHONE, Screen, Served, hidden_ranks, play
from web.wire import ask


def the_end_is_drawn_as_it_was_told(screen: Screen) -> None:
    """The Scout stands where it took the Flag, whose face is seen beside the board; both armies are shown."""
    for space, name in (("a8", "Red's Scout"), ("b8", "Blue's Bomb"), ("a1", "Red's Flag")):
        screen.until(
            "([space, name]) => document.querySelector(`[data-space=${space}]`).ariaLabel.includes(name)",
            space,
            name,
        )
    assert "beats the Flag" in screen.page.inner_text(".banner")
    assert screen.page.locator(".banner svg.drawn").count() == 2
    assert screen.page.locator(".layer-pieces .crest").count() == 0
    ways = screen.page.locator("[data-way]").evaluate_all("all => all.map((one) => one.dataset.way)")
    assert ways == ["a3", "a8"]


@pytest.mark.parametrize(
    ("red_has", "blue_has"),
    [
        pytest.param(DESKTOP, SMALL_PHONE, id="desktop and phone", marks=pytest.mark.slow),
        pytest.param(DESKTOP, DESKTOP, id="desktops", marks=pytest.mark.nightly),
        pytest.param(PHONE, SMALL_PHONE, id="phones", marks=pytest.mark.nightly),
    ],
)
def test_a_whole_duel_by_dragging_from_the_set_up_to_the_flag(
    served: Served, screen: Callable[..., Screen], red_has: dict[str, Any], blue_has: dict[str, Any]
) -> None:
    table = screen(served.links["table"])
    seats = {"red": screen(served.links["red"], **red_has), "blue": screen(served.links["blue"], **blue_has)}
    for seat, army in DUEL.items():
        seats[seat].set_up(army)
    play(seats, MOVES)
    for each in (table, *seats.values()):
        each.until_todo("Red has captured the Flag and wins.")
        the_end_is_drawn_as_it_was_told(each)
        assert each.errors == []
    seats["red"].until_todo("You win!")
    seats["blue"].until_todo("You lose")
    seats["blue"].page.reload()
    seats["blue"].live()
    the_end_is_drawn_as_it_was_told(seats["blue"])
    replay = json.loads(ask(served.origin, "/games/1.json").body)
    assert replay["count"] == len(MOVES) + 3
    assert all(proof["holds"] for proof in replay["proofs"])
    assert replay["steps"][2]["truth"]["board"]["a8"]["rank"] == "F"
    assert replay["steps"][2]["views"]["red"]["board"]["a8"]["rank"] == "?"
    for seat, army in DUEL.items():
        other = "blue" if seat == "red" else "red"
        for watcher in (seats[other], table):
            texts = [*watcher.frames, *watcher.answered()]
            assert len(watcher.frames) > 40
            assert hidden_ranks(texts, seat, army, MOVES) == []
