"""Hitler reckons with Allies who play plainly, and goes where they do not get; the Allies corner him."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardlab.panel.members import panel_member
from boardrules import baseline_players
from boardrules.core import CHANCE, Seat
from boardrules.fuhrer import simple_players
from boardrules.fuhrer.actions import HITLER
from boardrules.fuhrer.bots.allied_policy import AlliedWeights, movement_graph
from boardrules.fuhrer.bots.belief_state import DIE_FACES
from boardrules.fuhrer.bots.chase_policy import (
    GUESS_PROBABILITY,
    ROUND_DISCOUNT,
    ROUNDS_AHEAD,
    ChasePolicy,
    catch_probability,
    catch_probability_with_flags,
)
from boardrules.fuhrer.bots.hitler_policy import HitlerPolicy
from boardrules.fuhrer.bots.hitler_weights import HitlerWeights
from boardrules.fuhrer.bots.opponent_model import OpponentModel
from boardrules.fuhrer.bots.simple_allies import RoundRisk, expected_round
from boardrules.players import SearchBudget

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
        simple_players.draw_face(options, chance)
        if seat == CHANCE
        else simple_players.choose(state.view(seat), options, chance)
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


def odds(state: Any) -> RoundRisk:
    """What Hitler reckons that a round brings."""
    facts = state.facts
    return expected_round(
        movement_graph(facts.rules),
        facts.city_by_piece,
        facts.rules.trap_rule.cities_of_marks(facts.knowledge.possible_marks),
        facts.flags,
    )


def where(state: Any) -> int:
    """Hitler's city."""
    return int(state.view(HITLER).sheet.city)


def test_the_odds_are_those_of_the_simple_players() -> None:
    """How often a round that is played on from a position catches him."""
    found = []
    for position in range(30):
        state = after_his_turn(position, 2 + position % 5)
        if state.outcome is not None or odds(state).catch_probability[where(state)] < 0.1:
            continue
        expected = odds(state).catch_probability[where(state)]
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


@pytest.mark.slow
def test_he_goes_where_plain_allies_hardly_get() -> None:
    """In whole games his chances to be caught come to less than a third of those of the simple player."""

    def risked(name: str, seed: int) -> float:
        state: Any = boardrules.new(FUHRER)
        chance = random.Random(seed)
        player, level = baseline_players.player_for(boardrules.package(FUHRER), HITLER, name)
        whole = 0.0
        while state.outcome is None:
            if state.seats_to_act() != (HITLER,):
                state = plainly(state, chance)
                continue
            options = list(state.legal_actions(HITLER))
            chosen = player.choose(state.view(HITLER), options, chance, SearchBudget(level.playouts))
            state, _ = state.apply(chosen)
            if state.facts.round > 1:
                whole += odds(state).catch_probability[where(state)]
        return whole

    assert 3 * sum(risked("4", seed) for seed in range(2)) < sum(risked("simple", seed) for seed in range(2))


# The Allies


FIELD = (Path(__file__).resolve().parents[1] / "rules/fuhrer/field.map").read_text()


def test_a_pursuit_is_what_it_is_said_to_be() -> None:
    """The odds that are worked out row by row are those of the same rule asked place by place."""
    land = movement_graph(boardrules.new(FUHRER, {"map": FIELD}).facts.rules)  # type: ignore[attr-defined]
    flags = 0b100100

    @cache
    def stood(infantry: int, his: int, rounds: int) -> float:
        later = ROUND_DISCOUNT * ahead(infantry, his, rounds - 1)
        return GUESS_PROBABILITY + (1 - GUESS_PROBABILITY) * later if infantry == his else later

    @cache
    def known(infantry: int, his: int, rounds: int) -> float:
        best = [max(stood(end, his, rounds) for end in land.within[infantry][die]) for die in DIE_FACES]
        return sum(best) / len(DIE_FACES)

    @cache
    def ahead(infantry: int, his: int, rounds: int) -> float:
        ends: Sequence[int] = [his] if flags >> his & 1 else land.end_cities(his, flags)
        return min(known(infantry, end, rounds) for end in ends) if rounds else 0.0

    found = catch_probability(land, flags)
    for infantry in range(land.city_count):
        for his in range(land.city_count):
            assert found.after_infantry_turn[infantry][his] == pytest.approx(
                stood(infantry, his, ROUNDS_AHEAD)
            )
            assert found.before_infantry_throw[infantry][his] == pytest.approx(
                known(infantry, his, ROUNDS_AHEAD)
            )


def test_a_flag_never_makes_him_safer_and_an_answer_is_never_worth_less_than_none() -> None:
    """Flags bar ways; whom an answer doesn't help may do what it would have done without."""
    for seed in range(6):
        state = after_his_turn(seed, 3 + seed)
        if state.outcome is not None:
            continue
        facts, land = state.facts, movement_graph(state.facts.rules)
        with_one = catch_probability(land, facts.flags | 1 << facts.city_by_piece[0])
        for more, before in zip(
            with_one.before_infantry_throw,
            catch_probability(land, facts.flags).before_infantry_throw,
            strict=True,
        ):
            assert all(one >= other - 1e-12 for one, other in zip(more, before, strict=True))
        chase = ChasePolicy(facts, AlliedWeights(), random.Random(seed), SearchBudget(100))
        assert all(
            chase._knowledge_value((city,)) >= chase._knowledge_value(()) - 1e-12
            for city in range(land.city_count)
        )


def test_who_runs_to_where_he_was_seen_is_expected_there() -> None:
    """From wherever Infantry stands, it ends nearer to that city than by the middle of where he may be."""
    graph = movement_graph(boardrules.new(FUHRER).facts.rules)  # type: ignore[attr-defined]
    everywhere = graph.board.all_cities
    for at in range(0, graph.city_count, 3):
        for seen in range(0, graph.city_count, 5):
            plain, running = (
                sum(
                    share * graph.distances[seen][end]
                    for end, share in enumerate(
                        expected_round(graph, (0, 0, at), everywhere, 0, *goal).infantry_end_odds
                    )
                )
                for goal in ((), (seen,))
            )
            assert running <= plain + 1e-9
            assert running < max(1, graph.distances[seen][at])


# What he thinks of them


KINDS = {
    "random": ("random_share", 0.75),
    "simple": ("plain_share", 0.75),
    "panel:token-runner": ("runner_share", 0.5),
}
"""By player the kind that it is, and how likely that is believed at least: who runs to the token often goes
where plain ones go."""


@pytest.mark.parametrize("name", KINDS)
def test_he_sees_what_kind_of_allies_they_are(name: str) -> None:
    """After some rounds he reckons mostly with the kind that plays, by what everybody sees."""
    for seed in range(2):
        state: Any = boardrules.new(FUHRER)
        chance, judging = random.Random(seed), OpponentModel()
        stranger = panel_member(FUHRER, name)
        allies = (
            stranger.make_player()
            if stranger is not None
            else baseline_players.player_for(boardrules.package(FUHRER), Seat("allies"), name)[0]
        )
        at_first = HitlerWeights()
        assert judging.adjusted_weights(at_first) == at_first
        while state.outcome is None and state.facts.round < 9:
            seat = state.seats_to_act()[0]
            options = list(state.legal_actions(seat))
            if seat == HITLER:
                judging.observe_position(state.facts)
                view, nerve = state.view(HITLER), judging.adjusted_weights(at_first)
                action = HitlerPolicy(
                    view.facts, view.sheet, nerve, chance, SearchBudget(20_000), judging
                ).choose_action(options)
            elif seat == CHANCE:
                action = chance.choice(options)
            else:
                action = allies.choose(state.view(seat), options, chance, SearchBudget(0))
            state, _ = state.apply(action)
        nerve = judging.adjusted_weights(at_first)
        assert -1e-9 <= nerve.weighing_share < 1
        assert getattr(nerve, KINDS[name][0]) > KINDS[name][1]
        assert (nerve.token_cost < at_first.token_cost) == (name == "random")


def test_whoever_asks_him_twice_tells_him_nothing_of_them() -> None:
    """The analysis of a game asks five times in one position."""
    state: Any = boardrules.new(FUHRER)
    chance, judging = random.Random(1), OpponentModel()
    while state.seats_to_act() != (HITLER,) or not state.facts.round:
        seat = state.seats_to_act()[0]
        state, _ = state.apply(chance.choice(list(state.legal_actions(seat))))
    view, options = state.view(HITLER), list(state.legal_actions(HITLER))
    for _ in range(3):
        judging.observe_position(view.facts)
        assert judging.adjusted_weights(HitlerWeights()) == HitlerWeights()
        HitlerPolicy(
            view.facts, view.sheet, HitlerWeights(), chance, SearchBudget(100), judging
        ).choose_action(options)


def test_a_flag_is_weighed_by_what_it_brings() -> None:
    """Worked out anew from where a pursuit was left off, the same flags come to what more rounds do. One
    more never lets him get away more often, and where it lies makes a difference."""
    state = after_his_turn(2, 4)
    facts, land = state.facts, movement_graph(state.facts.rules)
    same, before = catch_probability_with_flags(land, facts.flags, 0), catch_probability(land, facts.flags)
    for infantry in range(land.city_count):
        for his in range(land.city_count):
            # What lies more than ten rounds ahead counts, by LATER, less than that.
            assert (
                -1e-9
                < same.before_infantry_throw[infantry][his] - before.before_infantry_throw[infantry][his]
                < ROUND_DISCOUNT**ROUNDS_AHEAD
            )
    gains = []
    for city in range(land.city_count):
        if not facts.flags >> city & 1:
            more = catch_probability_with_flags(land, facts.flags, 1 << city)
            each = [
                b - a
                for a, b in zip(
                    chain(*same.before_infantry_throw), chain(*more.before_infantry_throw), strict=True
                )
            ]
            assert min(each) > -1e-9
            gains.append(sum(each))
    assert max(gains) > 1.5 * sum(gains) / len(gains) > 0
