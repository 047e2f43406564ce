"""Players of Escape from Colditz: what they plan fits the castle, and they keep to rules and budgets."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import boardrules
from boardrules import baseline_players
from boardrules.colditz.bots import simple_players
from boardrules.colditz.bots.dice_odds import MEAN_ROLL, chance_of_at_least
from boardrules.colditz.bots.escape_paths import (
    BLOCKED_WAY_STEPS,
    escape_paths,
    guard_distances,
    steps_to_rooms,
)
from boardrules.colditz.bots.escape_planner import EscapePlanner
from boardrules.colditz.bots.guard_planner import doorways, doorways_by_importance
from boardrules.colditz.bots.levels import PlanningPlayer
from boardrules.colditz.bots.walk_plans import ArrestRisk, possible_walks, steps_of_plan
from boardrules.colditz.castle.board import UNREACHABLE
from boardrules.colditz.castle.plan import SYMBOLS
from boardrules.colditz.deck.hidden_cards import Deck, HiddenCards
from boardrules.colditz.games import initial_state
from boardrules.colditz.play import ColditzState
from boardrules.colditz.state.facts import AFTER_ROLL, ColditzFacts, ColditzTurn
from boardrules.colditz.state.rules import rules_of
from boardrules.core import CHANCE
from boardrules.players import SearchBudget

GAME = "escape-from-colditz"
OPTIONS: list[dict[str, Any]] = [
    {},
    {"players": 2, "rounds": 12, "start_kits": False},
    {"players": 6, "rounds": 12, "common_target": 3},
    {"players": 4, "rounds": 12, "doubling_back": "forbidden", "marker_passage": "pay"},
    {"players": 5, "rounds": 12, "do_or_die": "classic", "safe_area": "pass_through", "pawns_block": True},
    {"search": "guard_path", "tunnel_arrest": "entrance_only", "draw_on": "classic-3-7-11", "rounds": 12},
]
ROPE, KEY, PASS, CUTTER = range(4)


def stood(
    men: dict[str, str], guards: list[str], *, points: int, turn: int = 1,
    gear: tuple[int, ...] = (0, 0, 0, 0), hand: tuple[str, ...] = (), markers: dict[str, int] | None = None,
    other: str | None = None,
) -> ColditzState:  # fmt: skip
    """A castle of three in which some pawns stand elsewhere, after a movement roll. `men`: those of the first
    officer. `other`: where one of the second's stands."""
    facts = initial_state(rules_of({})).facts
    rules, grid = facts.rules, facts.rules.board
    where = list(facts.node_by_pawn)
    for place, at in enumerate(guards):
        where[place] = grid.node_by_name[at]
    for number, (_, at) in zip(rules.pawns[1], sorted(men.items()), strict=False):
        where[number] = grid.node_by_name[at]
    if other is not None:
        where[rules.pawns[2][0]] = grid.node_by_name[other]
    cards = tuple(sorted(rules.card_numbers[name] for name in hand))
    lying = [0] * len(grid.crossings)
    for name, side in (markers or {}).items():
        lying[grid.crossing_by_name(name)] = side
    own, hands = (0, sum(gear), 0), (0, len(cards), 0)
    table = replace(facts.table, equipment_counts=own, hand_sizes=hands, markers=tuple(lying))
    masks = [sum(1 << node for node in part if node < grid.node_count) for part in (where[:12], where[12:])]
    standing = ColditzFacts(
        rules=rules,
        node_by_pawn=tuple(where),
        men_nodes=masks[1],
        guard_nodes=masks[0],
        points=points,
        last_moved_pawn=-1,
        tasks=(),
        turn=ColditzTurn(side=turn, phase=AFTER_ROLL, throws=((1, 2),)),
        table=table,
    )
    nothing = (0, 0, 0, 0)
    return ColditzState(
        standing, HiddenCards(((), cards, ()), (nothing, gear, nothing), (Deck(()), Deck(()), Deck(())))
    )


def turn_of(state: ColditzState) -> list[str]:
    """What the strongest level does until its turn is over."""
    seat = state.seats_to_act()[0]
    player, chance = PlanningPlayer(), random.Random(1)
    done: list[str] = []
    while state.seats_to_act() == (seat,) and not (done and done[-1] == "end") and len(done) < 40:
        action = player.choose(state.view(seat), tuple(state.legal_actions(seat)), chance, SearchBudget(4000))
        assert state.refusal(action) is None
        done.append(str(action))
        after, _ = state.apply(action)
        assert isinstance(after, ColditzState)
        state = after
    return done


def test_odds_are_those_of_two_dice_with_doubles() -> None:
    # By hand: 12 or more takes a double: 6-6, or one of 1-1 to 5-5 and what is missing to 12.
    assert chance_of_at_least(3) == pytest.approx(1)
    assert chance_of_at_least(12) == pytest.approx(_by_hand(12, 3))
    assert chance_of_at_least(8) == pytest.approx(_by_hand(8, 3))
    assert pytest.approx(7 * (1 + 1 / 6 + 1 / 36)) == MEAN_ROLL
    assert chance_of_at_least(37) == 0


def _by_hand(least: int, throws: int) -> float:
    if least <= 0:
        return 1
    if not throws:
        return 0
    found = 0.0
    for first in range(1, 7):
        for second in range(1, 7):
            left = least - first - second
            more = throws - 1 if first == second else 0
            found += _by_hand(left, more) / 36
    return found


def test_ways_out_are_as_the_castle_is_drawn() -> None:
    """Counted on the drawing: from w24, over the drop there, eight steps lead to the second Target."""
    facts = initial_state(rules_of({})).facts
    ways, node = escape_paths(facts, 1), facts.rules.board.node_by_name
    assert ways.steps_to_target(node["w24"], (1, 0, 0, 0)) == 8
    assert ways.steps_to_target(node["orderlies1"], (2, 0, 0, 0)) == 11
    assert ways.steps_to_target(node["orderlies1"], (0, 0, 0, 0)) == UNREACHABLE
    assert ways.cost_and_missing_cards(node["w24"], (0, 0, 0, 0), facts.table.supply)[1] == (1, 0, 0, 0)


def test_guards_come_out_of_barracks_and_not_into_rooms() -> None:
    state = stood({}, ["c3"], points=7)
    cost = guard_distances(state.facts, state.facts.table.markers, state.facts.rules.pawns[0], posts=True)
    node = state.facts.rules.board.node_by_name
    assert (cost[node["c3"]], cost[node["c2"]], cost[node["w7"]], cost[node["w9"]]) == (0, 1, 1, 2)
    assert cost[node["chapel4"]] == UNREACHABLE
    marked = list(state.facts.table.markers)
    marked[state.facts.rules.board.crossing_by_name("theatre4-s8")] = 1
    assert (
        guard_distances(state.facts, marked, state.facts.rules.pawns[0], posts=True)[node["theatre4"]]
        < UNREACHABLE
    )


def test_danger_is_where_a_guard_may_come() -> None:
    state = stood({"1": "w9"}, ["w7"], points=0)
    danger, node = ArrestRisk(state.facts, 1), state.facts.rules.board.node_by_name
    man = state.facts.rules.pawns[1][0]
    assert danger.probability_at(node["w9"], (0, 0, 0, 0), man) > 0.8
    assert danger.probability_at(node["w24"], (1, 0, 0, 0), man) == 0  # Safe
    assert danger.probability_at(node["chapel4"], (1, 0, 0, 0), man) == 0  # no guard comes there
    assert (
        danger.probability_at(node["c2"], (0, 0, 0, 0), man) == 0
    )  # without Equipment nobody is arrested inside


def test_walks_are_as_long_as_they_say() -> None:
    state = stood({"1": "orderlies1"}, [], points=9, gear=(2, 0, 0, 0))
    facts, man = state.facts, state.facts.rules.pawns[1][0]
    found = {(walk.end, walk.gear): walk for walk in possible_walks(facts, 1, man, (2, 0, 0, 0), 9)}
    for walk in found.values():
        after: Any = state
        for step in steps_of_plan(facts, 1, man, walk):
            after, _ = after.apply(step)
        assert after.facts.node_by_pawn[man] == walk.end
        assert after.secrets.gear[1] == walk.gear
        assert after.facts.points <= 9 - len(walk.nodes) + 1
    assert len(found) > 60


def test_a_man_who_can_escape_does() -> None:
    done = turn_of(stood({"1": "w24"}, [], points=8, gear=(1, 0, 0, 0)))
    assert "away" not in done[0]
    assert any(action.endswith("-t2") for action in done)


def test_a_card_is_kept_for_the_run() -> None:
    short = stood({"1": "w24"}, [], points=5, gear=(1, 0, 0, 0), hand=("all-clear",))
    assert turn_of(short)[0] == "play all-clear"
    far = stood({"1": "a6"}, [], points=5, gear=(0, 0, 0, 0), hand=("all-clear",))
    assert "play all-clear" not in turn_of(far)


def test_who_could_be_caught_out_there_waits_where_he_is_safe() -> None:
    done = turn_of(stood({"1": "w24"}, ["w23", "w7"], points=4, gear=(1, 0, 0, 0)))
    assert not any(action.startswith("w24") for action in done)


def test_men_fetch_what_the_way_takes() -> None:
    done = turn_of(stood({"1": "chapel3", "2": "c2"}, [], points=6))
    assert "claim rope" in done


def test_a_man_in_a_doorway_goes_further_in() -> None:
    state = stood({"1": "store2", "2": "c17"}, [], points=6)
    assert "claim rope" in turn_of(state)


def test_a_man_is_given_up_for_a_guard_before_a_room() -> None:
    guards = ["c2", "c17", "c22", "c7", "c10", "c18", "c27", "c33"]
    done = turn_of(stood({"1": "chapel4", "2": "a19", "3": "a12"}, guards, points=9))
    assert any(action.split("-")[-1] in guards for action in done)


def test_a_tunnel_is_opened_by_two_men() -> None:
    state = stood({"1": "chapel4", "2": "c2"}, [], points=9, gear=(0, 0, 0, 1), hand=("tunnel-chapel",))
    done = turn_of(state)
    assert done[0] == "play tunnel-chapel"
    assert sum("chapel/1" in action for action in done) >= 2


def test_security_arrests_who_is_nearest_to_freedom() -> None:
    state = stood({"1": "w9", "2": "s6"}, ["w7", "s7"], points=2, turn=0)
    assert turn_of(state)[0] == "w7-w9"


def test_security_bars_the_doorways_of_the_rooms_with_ropes() -> None:
    board = initial_state(rules_of({})).facts.rules.board
    names = {board.space_names[door] for door in doorways(board)[ROPE]}
    assert names == {"c2", "c17"}
    assert doorways_by_importance(rules_of({}))[0] == doorways(board)[ROPE]
    done = turn_of(stood({}, ["c3", "c19"], points=3, turn=0))
    assert {"c3-c2", "c19-c17"} <= set(done)


@pytest.mark.few(3)
@pytest.mark.parametrize("level", ["2", "4"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_planners_play_by_the_rules_whatever_the_options(level: str, options: dict[str, Any]) -> None:
    package, state, draws = boardrules.package(GAME), boardrules.new(GAME, options), random.Random(level)
    players = {seat: baseline_players.player_for(package, seat, level) for seat in state.seats}
    for _ in range(300):
        if state.outcome is not None:
            break
        seat = state.seats_to_act()[0]
        legal = tuple(state.legal_actions(seat))
        if seat == CHANCE:
            action = draws.choice(legal)
        else:
            player, its = players[seat]
            meter = SearchBudget(its.playouts)
            action = player.choose(state.view(seat), legal, draws, meter)
            assert meter.spent_count <= its.playouts
        assert state.refusal(action) is None, f"{seat} says {action}"
        state, _ = state.apply(action)


def test_who_plans_nothing_plays_simply() -> None:
    state = stood({"1": "w24"}, [], points=8, gear=(1, 0, 0, 0))
    view, legal = state.view("american"), tuple(state.legal_actions(state.seats_to_act()[0]))
    draws = random.Random(2)
    draws.random()  # whether it plans
    chosen = PlanningPlayer(1.0).choose(view, legal, random.Random(2), SearchBudget(4000))
    assert chosen == simple_players.choose(view, legal, draws)


def test_without_a_budget_they_still_play() -> None:
    state = stood({"1": "w9"}, ["w7"], points=5, gear=(1, 0, 0, 0))
    seat = state.seats_to_act()[0]
    mind = EscapePlanner(state.view(seat), SearchBudget(0))
    assert mind.best_runner_walk() == []


def test_who_gets_no_further_steps_out_of_the_way() -> None:
    """In the doorway of a room he would bar it for the other officers, too."""
    state = stood({"1": "c2"}, [], points=4)
    steps = EscapePlanner(state.view("american"), SearchBudget(4000)).step_out_of_way()
    assert [str(step).partition("-")[0] for step in steps] == ["c2"]
    assert 1 << steps[-1].target & state.facts.rules.board.appel


def test_who_waits_in_a_doorway_lets_others_in() -> None:
    """Nobody passes a man: in the doorway he bars the room for the other officers, too."""
    state = stood({"1": "laundry3"}, [], points=3)
    steps = EscapePlanner(state.view("american"), SearchBudget(4000)).clear_doorway()
    assert [str(step).partition("-")[0] for step in steps] == ["laundry3"]
    inside = stood({"1": "laundry2"}, [], points=3)
    assert not EscapePlanner(inside.view("american"), SearchBudget(4000)).clear_doorway()


def test_a_room_that_another_officers_man_bars_is_further_away() -> None:
    disguise = SYMBOLS.index("disguise")
    free, barred = (stood({}, ["c28"], points=3, other=other).facts for other in (None, "laundry3"))
    node = free.rules.board.node_by_name["c21"]
    assert steps_to_rooms(free, 1)[disguise][node] == 1
    assert steps_to_rooms(barred, 1)[disguise][node] == 1 + BLOCKED_WAY_STEPS
    assert steps_to_rooms(barred, 2)[disguise][node] == 1  # his own officer's others ask him to go further in


def test_who_waits_for_a_kit_helps_to_put_it_together() -> None:
    """Nobody else gets to a room with documents."""
    state = stood(
        {"1": "office2", "2": "wc1", "3": "parcels1", "4": "a33"}, ["c1", "c9"], points=2, gear=(3, 1, 1, 1)
    )
    table = replace(state.facts.table, has_kit=(False,) * 3)
    state = ColditzState(replace(state.facts, table=table), state.secrets)
    mind = EscapePlanner(state.view("american"), SearchBudget(4000))
    assert mind.runners[0] == mind.men[0]
    assert set(mind.men[:4]) == mind.fetching_men()
