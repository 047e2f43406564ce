"""Hitler reckons with Allies who play plainly, and goes where they don't get."""

from __future__ import annotations

import random
from typing import Any

import boardrules
from boardrules import sparring
from boardrules.core import CHANCE
from boardrules.fuhrer import players
from boardrules.fuhrer.actions import HITLER
from boardrules.fuhrer.bots.hunt import ground
from boardrules.fuhrer.bots.plain import Round, looked
from boardrules.players import Meter

FUHRER = "fall-of-the-fuhrer"
POSITIONS = 5
GAMES = 60
"""How often a round is played on from a position."""
NEAR = 0.25
"""How far the odds may be from shares of so many games: four standard deviations."""


def plainly(state: Any, chance: random.Random) -> Any:
    """The position after one action of whoever is to act, who plays simply."""
    seat = state.seats_to_act()[0]
    options = list(state.legal_actions(seat))
    act = (
        players.roll(options, chance) if seat == CHANCE else players.choose(state.view(seat), options, chance)
    )
    return state.apply(act)[0]


def after_his_turn(seed: int, turns: int) -> Any:
    """A game when Hitler, who goes anywhere, has made so many turns."""
    state: Any = boardrules.new(FUHRER)
    chance = random.Random(seed)
    while turns and state.outcome is None:
        if state.seats_to_act() == (HITLER,):
            turns -= state.facts.round > 0
            state, _ = state.apply(chance.choice(list(state.legal_actions(HITLER))))
        else:
            state = plainly(state, chance)
    return state


def odds(state: Any) -> Round:
    """What Hitler reckons that a round brings."""
    facts = state.facts
    return looked(
        ground(facts.rules), facts.at, facts.rules.trap.cities(facts.revealed.possible), facts.flags
    )


def where(state: Any) -> int:
    """Hitler's city."""
    return int(state.view(HITLER).sheet.city)


def test_the_odds_are_those_of_the_simple_players() -> None:
    """How often a round that is played on from a position catches him."""
    found = []
    for position in range(30):
        state = after_his_turn(position, 2 + position % 5)
        if state.outcome is not None or odds(state).caught[where(state)] < 0.1:
            continue
        expected = odds(state).caught[where(state)]
        caught = 0
        for seed in range(GAMES):
            after, chance = state, random.Random(seed)
            while after.outcome is None and after.seats_to_act() != (HITLER,):
                after = plainly(after, chance)
            caught += after.outcome is not None
        found.append((expected, caught / GAMES))
        if len(found) == POSITIONS:
            break
    assert len(found) == POSITIONS
    assert max(abs(expected - share) for expected, share in found) < NEAR


def test_he_goes_where_plain_allies_hardly_get() -> None:
    """In whole games his chances to be caught come to less than a third of those of the simple player."""

    def risked(name: str, seed: int) -> float:
        state: Any = boardrules.new(FUHRER)
        chance = random.Random(seed)
        player, level = sparring.seated(boardrules.package(FUHRER), HITLER, name)
        whole = 0.0
        while state.outcome is None:
            if state.seats_to_act() != (HITLER,):
                state = plainly(state, chance)
                continue
            options = list(state.legal_actions(HITLER))
            chosen = player.choose(state.view(HITLER), options, chance, Meter(level.playouts))
            state, _ = state.apply(chosen)
            if state.facts.round > 1:
                whole += odds(state).caught[where(state)]
        return whole

    assert 3 * sum(risked("4", seed) for seed in range(2)) < sum(risked("simple", seed) for seed in range(2))
