"""Components, set-up, the order of play: R001 to R030."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from boardrules.colditz.deck.cards import card_set_by_key
from boardrules.colditz.games import Colditz
from boardrules.colditz.moving.walking import required_posts
from boardrules.colditz.play import ColditzState
from boardrules.colditz.state.facts import BEFORE_ROLL
from boardrules.colditz.state.options import DEFAULT_ROUNDS
from boardrules.core import OptionError
from rules.colditz.scene import after, altered, at, hand, kinds, rolled, scene, told, turn_of, why
from rules.ids import rule


def dealt(players: int, **options: Any) -> Any:
    """After the deal: the first card of each deck to everybody."""
    state: Any = Colditz().new({"players": players, **options})
    while state.seats_to_act() == ("chance",):
        state, _ = state.apply(state.chance()[0][0])
    return state


def deployed(players: int, **options: Any) -> Any:
    """After a deployment of as few guards as may be."""
    state = dealt(players, **options)
    grid, officers = state.facts.rules.board, players - 1
    posts = [*grid.inner_posts[:officers], *grid.outer_posts[:2]]
    lines = [f"security barracks-{grid.space_names[post]}" for post in posts]
    return after(state, *lines, "security ready")


@rule("R001", "R002", "R003", "R012")
@pytest.mark.parametrize(
    ("players", "guards", "men"), [(2, 6, 8), (3, 12, 7), (4, 14, 6), (5, 15, 5), (6, 16, 4)]
)
def test_seats_and_pawns_by_the_number_of_players(players: int, guards: int, men: int) -> None:
    state = dealt(players)
    nations = ("american", "british", "dutch", "french", "polish")[: players - 1]
    assert state.seats == ("security", *nations)
    pawns = [pawn for there in state.layout().values() for pawn in there]
    assert len([pawn for pawn in pawns if pawn.seat == "security"]) == guards
    for nation in nations:
        assert len([pawn for pawn in pawns if pawn.seat == nation]) == men
    with pytest.raises(OptionError, match="players is 7; try one of 2, 3, 4, 5, 6"):
        Colditz().new({"players": 7})


@rule("R012")
def test_nations_are_chosen() -> None:
    assert dealt(3, nations=["polish", "dutch"]).seats == ("security", "polish", "dutch")
    with pytest.raises(OptionError, match="nations is \\['dutch'\\]; try as many of"):
        Colditz().new({"players": 3, "nations": ["dutch"]})


@rule("R004", "R013", "R015", "R017", "R090")
@pytest.mark.parametrize("players", range(2, 7))
def test_the_decks_have_their_sizes(players: int) -> None:
    table = Colditz().new({"players": players}).facts.table  # type: ignore[attr-defined]
    assert table.deck_sizes == ((41, 16, 6) if players == 6 else (47, 16, 0))
    assert table.supply == (12, 6, 5, 4)
    assert table.kits_left + sum(table.has_kit) == 5
    assert card_set_by_key("castle").do_or_die_values == (3, 4, 5, 6, 7)
    assert Colditz().new({"players": players}).view(None).json()["supply"] == {  # face up: public
        "rope": 12, "key": 6, "pass": 5, "cutter": 4, "kits": 5 - sum(table.has_kit)
    }  # fmt: skip


@rule("R015", "R016")
def test_one_card_each_is_dealt_by_chance() -> None:
    state = Colditz().new({"players": 3})
    assert state.seats_to_act() == ("chance",)
    weights = {str(action): weight for action, weight in state.chance()}
    assert weights["deal security appel"] == 2
    assert sum(weights.values()) == 16
    state = after(state, "chance deal security search", "chance deal american talisman")
    state, events = told(state, "chance deal british hideaway")
    assert [event.audience for event in events] == [None, frozenset(("british",))]
    assert (hand(state, "security"), hand(state, "american")) == (["search"], ["talisman"])
    assert state.facts.table.deck_sizes == (45, 15, 0)


@rule("R017", "R104")
def test_with_six_players_the_parts_are_apart() -> None:
    state: Any = Colditz().new({"players": 6})
    parts = state.truth()["deck_cards"][2]["shuffled"]
    assert parts == {"kit-food-papers": 3, "kit-compass-disguise": 3}
    assert not set(parts) & set(state.truth()["deck_cards"][0]["shuffled"])


@rule("R010", "R011", "R026", "A1", "rounds", "R150")
def test_rounds_count_down_from_the_agreed_number() -> None:
    for players, rounds in DEFAULT_ROUNDS.items():
        assert dealt(players).facts.table.round == rounds
    assert dealt(2, rounds=50).facts.table.round == 50
    state = deployed(2, rounds=2)
    assert state.facts.table.round == 2
    state = after(rolled(state, "3 4"), "american end")
    state, events = told(rolled(state, "3 4"), "security end")
    assert state.facts.table.round == 1
    assert "round" in kinds(events)
    with pytest.raises(OptionError, match="rounds is 0; try a whole number from 1 to 99"):
        Colditz().new({"rounds": 0})


@rule("R014", "R151", "start_kits")
def test_each_officer_starts_with_a_kit_unless_agreed_otherwise() -> None:
    assert dealt(4).facts.table.has_kit == (False, True, True, True)
    assert dealt(4, start_kits=False).facts.table.has_kit == (False,) * 4
    assert dealt(4, start_kits=False).facts.table.kits_left == 5


@rule("R018")
@pytest.mark.parametrize("players", range(2, 7))
def test_the_men_stand_on_their_diagram(players: int) -> None:
    state = dealt(players)
    rules = state.facts.rules
    for officer, circles in zip(rules.officers, rules.appel_diagram, strict=True):
        assert at(state, rules.seats[officer]) == sorted(rules.board.space_names[node] for node in circles)


@rule("R019")
def test_guards_are_deployed_one_inside_for_each_officer_and_two_to_seven_outside() -> None:
    state = dealt(3)
    grid = state.facts.rules.board
    inner = [grid.space_names[node] for node in grid.inner_posts]
    outer = [grid.space_names[node] for node in grid.outer_posts]
    assert why(state, "security ready") == "posts-first"
    assert why(state, "security barracks-a1") == "post-only"
    state = after(state, f"security barracks-{inner[0]}", f"security barracks-{inner[1]}")
    assert why(state, f"security barracks-{inner[2]}") == "post-zone"
    assert why(state, "security ready") == "posts-first"
    for post in outer[:7]:
        state = after(state, f"security barracks-{post}")
    assert why(state, f"security barracks-{outer[7]}") == "post-zone"
    assert why(state, f"security barracks-{outer[0]}") == "occupied"
    state = after(state, "security ready")
    assert turn_of(state) == "american"
    assert state.facts.node_by_pawn.count(grid.barracks) == 3


@rule("R019", "G15", "G16")
def test_with_two_players_there_are_fewer_guards_to_place() -> None:
    state = dealt(2)
    grid = state.facts.rules.board
    outer = [grid.space_names[node] for node in grid.outer_posts]
    state = after(state, f"security barracks-{grid.space_names[grid.inner_posts[0]]}")
    for post in outer[:5]:
        state = after(state, f"security barracks-{post}")
    assert why(state, f"security barracks-{outer[5]}") in ("post-zone", "no-piece")
    after(state, "security ready")


@rule("R019", "G16")
def test_where_outer_posts_are_fewer_than_guards_wanted_they_are_the_limit() -> None:
    state = dealt(2)
    grid = state.facts.rules.board
    for count in (1, 3):
        outer = grid.outer_posts[:count]
        posts = sum(1 << node for node in (*grid.inner_posts, *outer))
        few = altered(state.facts.rules, board=altered(grid, outer_posts=outer, posts=posts))
        there = ColditzState(replace(state.facts, rules=few), state.secrets)
        assert required_posts(there.facts) == (1, min(2, count), count)
        there = after(there, f"security barracks-{grid.space_names[grid.inner_posts[0]]}")
        for node in outer:
            there = after(there, f"security barracks-{grid.space_names[node]}")
        assert [str(action) for action in there.legal_actions("security")] == ["ready"]


@rule("R021", "R022", "R024")
def test_officers_clockwise_then_the_security_officer() -> None:
    state = deployed(3, rounds=50)
    order = []
    for _ in range(6):
        order.append(turn_of(state))
        state = after(rolled(state, "3 4"), f"{turn_of(state)} end")
    assert order == ["american", "british", "security"] * 2
    assert state.facts.table.round == 48


@rule("R022", "R030")
def test_the_roll_comes_first() -> None:
    state = scene(phase=BEFORE_ROLL, american="c2")
    assert why(state, "american c2-c3") == "roll-first"
    assert why(state, "american end") == "roll-first"
    assert why(state, "british roll") == "not-your-turn"
    state = rolled(state, "3 4")
    assert state.facts.points == 7
    assert why(state, "american roll") == "not-now"
    assert why(state, "chance dice 1 2") == "not-now"


@rule("R005")
def test_both_dice_are_always_thrown_and_chance_knows_their_odds() -> None:
    state = after(scene(phase=BEFORE_ROLL), "american roll")
    odds = {str(action): weight for action, weight in state.chance()}
    assert len(odds) == 21
    assert sum(odds.values()) == 36
    assert (odds["dice 3 3"], odds["dice 3 4"]) == (1, 2)
    assert why(state, "chance dice 4 3") == "chance"
    assert why(state, "chance dice 7 7") == "chance"


@rule("R006", "G10", "R114")
def test_each_nation_lays_markers_of_its_colour_without_limit() -> None:
    ways = {"n4": "b8", "n14": "b18", "n19": "b23", "w4": "x5", "office2": "n27", "kitchen2": "n33",
            "s23": "p8", "s30": "p15", "s36": "p23"}  # fmt: skip
    state = scene(american="n4 n14 n19 w4 office2 kitchen2 s23", british="s30 s36", points=12,
                  gear={"american": "cutter cutter cutter cutter rope rope rope rope",
                        "british": "rope rope rope rope"})  # fmt: skip
    first = list(ways.items())[:7]
    state = after(state, *(f"american {upper}-{lower}" for upper, lower in first), "american end")
    state = after(rolled(state, "3 4"), "british s30-p15", "british s36-p23")
    laid = {f"{upper}-{lower}": "american" for upper, lower in first}
    assert state.view(None).json()["markers"] == {**laid, "s30-p15": "british", "s36-p23": "british"}


@rule("R025", "R026", "A2", "R146")
def test_in_the_eagle_round_only_officers_play() -> None:
    state = deployed(3, rounds=1)
    state = after(rolled(state, "3 4"), "american end")
    assert turn_of(state) == "british"
    state = after(rolled(state, "3 4"), "british end")
    assert state.outcome == ("security", "rounds")
    assert state.seats_to_act() == ()
