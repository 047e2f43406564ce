"""The game keeps the contract of every game along random games, and reads back what it writes."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from typing import Any

import pytest

from boardrules.colditz.castle.actions import PawnStep
from boardrules.colditz.games import Colditz
from boardrules.colditz.state.moves import pawn_in_transit
from boardrules.colditz.state.refusals import RULES_BY_CODE
from boardrules.core import Action, BadText, OptionError, State
from rules import contract, toy
from rules.colditz.invariants import CHOICES, some_options
from rules.colditz.scene import after, scene, why
from rules.ids import rule


def attempts(state: State, rng: random.Random) -> Iterator[Action]:
    """Carrying pawns from anywhere to anywhere, and words by whoever may not say them now."""
    grid: Any = state.facts.rules.board  # type: ignore[attr-defined]
    places = [*state.layout(), "a1"]
    for _ in range(15):
        near = rng.choice(places)
        node = grid.node_by_name[near]
        around = [grid.space_names[one] for one in grid.neighbours[node]] if node < grid.circle_count else []
        target = rng.choice(around or grid.spaces)
        yield state.hand_action(rng.choice(state.seats), near, rng.choice((target, rng.choice(grid.spaces))))
    for text in (
        "roll", "end", "draw", "stay", "pass", "accept", "claim rope", "kit", "play release innercells c34",
        "play appel", "search", "discard release", "surrender rope", "obey", "refuse c4", "keep", "ready",
        "unmark n4-b8", "trade british rope for key", "trade american for pass", "dare c4",
        "kit kit-food-papers", "resign", "dice", "claim", "play", "roll twice",
    ):  # fmt: skip
        seat = rng.choice(state.seats)
        try:
            yield state.parse(text, seat)
        except BadText:
            assert text in ("dice",)
    yield state.parse("dice 3 4", "chance")
    yield state.parse("deal american release", "chance")
    yield state.parse("time security", "clock")
    yield state.parse("close", "clock")
    yield toy.Word("north", "rest")


@pytest.mark.few(1)
@pytest.mark.parametrize("players", range(2, 7))
def test_states_of_random_games_keep_the_contract(players: int) -> None:
    rng = random.Random(players)
    game = Colditz().new({**some_options(rng), "players": players})
    for count, state in enumerate(contract.walk(game, rng, 500)):
        if rng.random() < 0.05 or state.outcome is not None:
            contract.check_state(state, attempts(state, rng))
        if count % 100 == 0:
            contract.check_bad_text(state)


def test_every_option_has_its_values_and_exact_errors() -> None:
    for name, values in CHOICES.items():
        for value in values:
            assert Colditz().new({name: value}).options[name] == value
        with pytest.raises(OptionError) as caught:
            Colditz().new({name: "nonsense"})
        assert f"escape-from-colditz: option {name} is 'nonsense'; try " in str(caught.value)
        assert caught.value.option == name
    with pytest.raises(OptionError, match="unknown option 'roundz'; try one of players, nations, "):
        Colditz().new({"roundz": 3})
    with pytest.raises(OptionError, match="options are 5; try names with values"):
        Colditz().new(5)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="board is 'tower'; try castle, or"):
        Colditz().new({"board": "tower"})


def test_actions_read_back_and_wrong_texts_are_told() -> None:
    state = scene(gear={"american": "rope key"})
    for text in ("c4-c5", "chapel/1-chapel/2", "trade british rope key for pass", "play search n4-b8"):
        assert str(state.parse(text, "american")) == text
    assert str(state.parse("trade british key rope for", "american")) == "trade british rope key for"
    assert state.parse("c4-c5", "american") is state.parse(" c4-c5 ", "american")
    with pytest.raises(BadText, match="'zz9-c5' is no action of american; try a step like c12-c13"):
        state.parse("zz9-c5", "american")
    with pytest.raises(BadText, match="'north' is no seat here; try one of security, american"):
        state.parse("roll", "north")
    with pytest.raises(BadText, match="try close, or time and a seat"):
        state.parse("roll", "clock")
    with pytest.raises(BadText, match="'x99' is no space of the board castle"):
        state.hand_action("american", "x9", "x99")


def test_reprs_tell_no_secret() -> None:
    state = scene(hands={"american": "release"}, gear={"american": "rope"})
    shown = repr(state) + repr(state.secrets) + repr(state.secrets.decks) + repr(state.facts.rules)
    shown += "".join(repr(state.view(seat)) for seat in (*state.seats, None))
    assert {repr(state.view(seat).own_knowledge) for seat in state.seats} == {"<what a seat knows>"}
    assert "release" not in shown
    assert "rope" not in shown
    for seat, text in (("american", "trade british rope for"), ("chance", "deal american release"),
                       ("american", "discard release")):  # fmt: skip
        action = state.parse(text, seat)
        assert action.secret
        assert repr(action) == f"{text.split()[0]} ..."


@rule("R095")
def test_what_rests_on_hidden_cards_is_refused_in_public_without_a_reason() -> None:
    state = scene(american="guardhouse3")
    refusal = state.refusal(state.parse("guardhouse3-backdoor", "american"))
    assert refusal is not None
    assert (refusal.code, refusal.rule, refusal.public_code) == (
        "colditz/no-key",
        "R110",
        "colditz/not-allowed",
    )
    open_one = state.refusal(state.parse("c4-c5", "american"))
    assert open_one is not None
    assert open_one.public_code is None


@rule("R095")
@rule("R032")
def test_that_the_points_do_not_reach_is_told_to_all_where_all_can_see_it() -> None:
    """Points and circles are public: what no Equipment could reach is no secret, and all hear why."""
    state = scene(american="c4", points=2)
    refusal = state.refusal(state.parse("c4-a37", "american"))
    assert refusal is not None
    assert (refusal.code, refusal.public_code) == ("colditz/no-way", None)
    assert dict(refusal.params) == {"seat": "american", "from": "c4", "to": "a37"}


@rule("R095")
def test_where_equipment_might_reach_nobody_hears_why_not() -> None:
    """Whoever lacks the key is refused as if the reason were any other; what others hold changes nothing."""
    told = set()
    for gear in ({}, {"american": "rope pass cutter"}, {"british": "key", "american": "rope"}):
        state = scene(american="guardhouse3", british="c5", points=9, gear=gear)
        near = state.refusal(state.parse("guardhouse3-s13", "american"))
        far = state.refusal(state.parse("guardhouse3-t4", "american"))
        assert near is not None
        assert far is not None
        assert (near.code, near.public_code) == ("colditz/no-way", "colditz/not-allowed")
        told.add((near, far, far.public_code))
    assert len(told) == 1
    with_key = scene(american="guardhouse1", points=9, gear={"american": "key"})
    assert with_key.refusal(with_key.parse("guardhouse1-backdoor", "american")) is None
    without = scene(american="guardhouse1", points=9)
    refusal = without.refusal(without.parse("guardhouse1-backdoor", "american"))
    assert refusal is not None
    assert (refusal.code, refusal.public_code) == ("colditz/no-way", "colditz/not-allowed")


def test_states_and_actions_survive_pickling_as_the_same_things() -> None:
    state = scene(american="c4 chapel/1", tunnels={"chapel": 1})
    step = state.parse("c4-c5", "american")
    assert pickle.loads(pickle.dumps(step)) is step
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert hash(again) == hash(state)
    assert again.apply(step) == state.apply(step)


def test_refusals_by_turn_and_place() -> None:
    state = scene(american="c4")
    assert why(state, "security search") == "not-your-turn"
    assert why(state, "chance dice 1 2") == "not-now"
    assert why(state, "american ready") == "not-now"
    over = after(scene("security", table_with={"escape_counts": (0, 2, 0)}), "security end")
    assert why(over, "american roll") == "over"
    assert why(over, "american resign") == "over"
    assert set(over.view(None).json()["outcome"].values()) == {"american", "escapes"}
    assert all(code.startswith("colditz/") for code in RULES_BY_CODE)


def test_a_copied_position_lists_and_shows_the_same() -> None:
    """Positions share what stays the same from action to action: it is what a position made anew has."""
    for players in range(2, 7):
        rng = random.Random(players)
        options = {**some_options(rng), "players": players, "rounds": 6, "doubling_back": "allowed"}
        for state in contract.walk(Colditz().new(options), rng, 250):
            fresh = pickle.loads(pickle.dumps(state))
            for seat in state.seats_to_act():
                assert list(state.legal_actions(seat)) == list(fresh.legal_actions(seat))
            for viewer in (*state.seats, None):
                assert state.view(viewer) == fresh.view(viewer)


def scattered(rng: random.Random) -> Any:
    """A turn after its roll, with everybody anywhere, and cards, Equipment and markers drawn at random."""
    rules = scene().facts.rules
    grid = rules.board
    closed = grid.men_no_stay | grid.guards_no_stay | grid.targets | grid.room_circles | grid.posts
    rooms = rng.choice(grid.circles_by_symbol[:4])
    at_doors = [node for node in rooms if any(grid.room[near] < 0 for near in grid.neighbours[node])]
    streets = [
        name
        for name, node in grid.node_by_name.items()
        if node < grid.circle_count and not closed >> node & 1
    ]
    nodes = [grid.space_names[node] for node in rng.sample(at_doors, 2)] + rng.sample(streets, 18)
    first, second = rules.seats[1:]
    cards = {
        deck: [card.id for card in rules.cards.cards if card.deck == deck]
        for deck in ("opportunity", "security")
    }
    marked = rng.sample(range(len(grid.crossings)), rng.choice((0, 0, 2)))
    return scene(
        rng.choice(rules.seats),
        points=rng.choice((1, 2, 3, 9)),
        gear={seat: " ".join(rng.sample(("rope", "key", "pass", "cutter"), 2)) for seat in (first, second)},
        hands={
            seat: " ".join(rng.sample(cards["opportunity" if seat != "security" else "security"], 3))
            for seat in rules.seats
        },
        markers={grid.crossing_name(number): rng.choice((first, second)) for number in marked},
        turn_with={"releases_left": rng.choice((0, 1))},
        **{first: " ".join((*nodes[:6], "innercells")), second: " ".join(nodes[6:13])},
        security=" ".join(
            (*nodes[13:20], *rng.sample([grid.space_names[post] for post in grid.outer_posts], 3))
        ),
    )


def allowed_steps(state: Any) -> set[Action]:
    """The steps between neighbours that the side to move may take, each asked for by itself."""
    facts = state.facts
    side = facts.turn.side
    found: set[Action] = set()
    for node in {facts.node_by_pawn[pawn] for pawn in facts.rules.pawns[side]}:
        near = facts.rules.steps_from[side][node]
        steps = [*near.steps, *(facts.rules.step(side, node, way[0]) for way in near.exits)]
        found |= {step for step in steps if state.refusal(step) is None}
    return found


def test_the_steps_listed_are_those_allowed_wherever_everybody_is() -> None:
    seen: set[str] = set()
    for seed in range(60):
        rng = random.Random(seed)
        state = scattered(rng)
        for _ in range(3):
            (seat,) = state.seats_to_act()
            listed = list(state.legal_actions(seat))
            seen |= {action.head for action in listed if not isinstance(action, PawnStep)}
            nodes = state.facts.rules.board.node_count
            steps = [action for action in listed if isinstance(action, PawnStep)]
            walked = [step for step in steps if step.origin < nodes and step.target < nodes]
            assert len(walked) == len(set(walked))
            assert set(walked) == allowed_steps(state)
            going_on = [one for step in steps if not (one := state.apply(step)[0]).facts.tasks]
            in_transit = [one for one in going_on if pawn_in_transit(one.facts) >= 0 and one.facts.points > 0]
            state = rng.choice(in_transit or going_on or [state])
            if state.facts.points < 1:
                break
    assert seen >= {"claim", "play", "trade", "end"}


def test_an_action_comes_to_the_same_whether_or_not_anybody_has_listed_it() -> None:
    for players in range(2, 7):
        rng = random.Random(players)
        start = Colditz().new({**some_options(rng), "players": players, "rounds": 6})
        for state in contract.walk(start, rng, 250):
            for seat in state.seats_to_act():
                listed = list(state.legal_actions(seat))
                action = rng.choice(listed[:-1] or listed)
                assert state.apply(action) == pickle.loads(pickle.dumps(state)).apply(action)
