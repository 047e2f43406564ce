"""Whole games end by the rules: played at random, and by simple players, for every number of players."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from boardrules.colditz.bots.simple_players import choose_by_odds
from boardrules.colditz.games import Colditz
from boardrules.colditz.state.ends import REASONS
from boardrules.core import CHANCE, Action, State
from rules import contract
from rules.colditz.invariants import check, some_options

LONG, SHORT = 50, 6
"""Rounds of the games that are played in numbers; one random game in twenty-five is a long one."""
Act = Callable[[State, random.Random], Action]


def simple(state: State, rng: random.Random) -> Action:
    """What a simple player does, who is handed his own view alone."""
    seat = state.seats_to_act()[0]
    view: Any = state.view(None if seat == CHANCE else seat)
    return choose_by_odds(view, state.legal_actions(seat), rng)


def play(act: Act, options: dict[str, Any], rng: random.Random, every: int) -> tuple[Any, int, Counter[str]]:
    """One game; all that holds of every position is looked at now and then, and at its end."""
    state: Any = Colditz().new(options)
    plies, told = 0, Counter[str]()
    while state.outcome is None:
        if plies % every == 0:
            check(state)
        state, events = state.apply(act(state, rng))
        told.update(event.kind for event in events)
        plies += 1
        assert plies < 200_000
    check(state)
    return state, plies, told


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("act", [contract.choose, simple])
def test_a_game_ends_by_the_rules(act: Act, players: int) -> None:
    rng = random.Random(players)
    options = {**some_options(rng), "players": players}
    state, _, _ = play(act, options, rng, 60)
    assert state.outcome.reason in REASONS


def test_simple_players_do_most_of_what_there_is_to_do() -> None:
    told = Counter[str]()
    for seed in range(3):
        told += play(simple, {"players": 2 + seed}, random.Random(seed), 200)[2]
    seen = {
        "arrest",
        "use",
        "mark",
        "take",
        "card",
        "play",
        "release",
        "line-up",
        "escape",
        "surrender",
        "discard",
    }
    assert seen <= set(told)


def figures(act: Act, players: int, games: int, record_property: Callable[[str, object], None]) -> None:
    """Play many games, half of them by drawn options, and tell what came of them."""
    ends, rounds, plies, told = Counter[str](), 0, 0, Counter[str]()
    for seed in range(games):
        rng = random.Random(f"{players} {seed}")
        drawn = some_options(rng) if seed % 2 else {}
        drawn.pop("rounds", None)
        short = act is contract.choose and seed % 25
        options = {"rounds": SHORT if short else LONG, **drawn, "players": players}
        state, actions, news = play(act, options, rng, 397)
        assert state.outcome.reason in REASONS
        winner = "officers" if state.outcome.winner != "security" else "security"
        ends[f"{winner} by {state.outcome.reason}"] += 1
        rounds += options["rounds"] - state.facts.table.round + 1
        plies += actions
        told += news
    record_property("seeds", f"'{players} 0' to '{players} {games - 1}'")
    record_property("games", games)
    record_property("actions", plies)
    record_property("mean rounds", f"{rounds / games:.1f}")
    for end, count in sorted(ends.items()):
        record_property(f"won by the {end}", count)
    for kind in ("arrest", "escape", "kit", "open", "collapse", "appel", "search", "trade", "killed"):
        record_property(f"events `{kind}`", told[kind])
