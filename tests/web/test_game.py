"""Whole games in a browser, every piece moved by a finger; and nobody is sent what is hidden from him."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from web.served import DESKTOP, DUEL, MOVES, PHONE, SMALL_PHONE, Screen, Served, hidden_ranks, play
from web.wire import ask


@pytest.mark.parametrize(
    ("red_has", "blue_has"),
    [
        pytest.param(DESKTOP, SMALL_PHONE, id="desktop and phone"),
        pytest.param(DESKTOP, DESKTOP, id="desktops", marks=pytest.mark.prove),
        pytest.param(PHONE, SMALL_PHONE, id="phones", marks=pytest.mark.prove),
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
        assert each.errors == []
    replay = json.loads(ask(served.origin, "/games/1.json").body)
    assert replay["count"] == len(MOVES) + 3
    assert all(proof["holds"] for proof in replay["proofs"])
    assert replay["steps"][2]["truth"]["board"]["a8"]["rank"] == "F"
    assert replay["steps"][2]["views"]["red"]["board"]["a8"]["rank"] == "?"
    for seat, army in DUEL.items():
        other = "blue" if seat == "red" else "red"
        for watcher in (seats[other], table):
            texts = [*watcher.frames, *(body.decode() for *_, body in watcher.answers)]
            assert len(watcher.frames) > 40
            assert hidden_ranks(texts, seat, army, MOVES) == []
