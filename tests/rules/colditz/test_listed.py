"""What is listed of the legal actions, and whether it is said where there are more."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

import boardrules
from boardrules.colditz.cardplay.effect_table import EFFECTS
from boardrules.colditz.castle.actions import Command
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS
from boardrules.core import CHANCE, CLOCK
from boardumpire.commands.referee import referee
from rules.colditz.scene import after, scene
from rules.colditz.test_replay import likes
from rules.ids import rule

SOME = [list(goods) for many in range(3) for goods in combinations_with_replacement(EQUIPMENT_KINDS, many)]


def thinkable(state: Any, seat: str) -> Iterator[Any]:
    """Steps from where pawns of a seat stand to everywhere, all aims of cards, trades of up to two cards for
    two, answers to an Appel that say where to line up."""
    facts = state.facts
    rules, side = facts.rules, facts.rules.side_by_seat[seat]
    places = len(rules.board.space_names)
    for origin in {facts.node_by_pawn[pawn] for pawn in rules.pawns[side]}:
        yield from (rules.step(side, origin, target) for target in range(places))
    for number in set(state.secrets.hands[side]):
        card = rules.cards.cards[number]
        yield from (
            Command(seat, "play", card.id, *aim)
            for aim in EFFECTS[card.effect].possible_aims(facts, side, card)
        )
        yield Command(seat, "play", card.id)
    for other, give, want in product(rules.seats[1:], SOME, SOME) if side else ():
        yield Command(seat, "trade", other, *give, "for", *want)
    if side and facts.tasks and facts.tasks[-1].kind == "appel":
        circles = [rules.board.space_names[node] for node in rules.appel_diagram[side - 1]]
        yield from (Command(seat, "obey", *circles[:many]) for many in range(len(circles) + 1))


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("players", range(2, 7))
def test_a_list_says_exactly_if_there_are_more(players: int) -> None:
    rng, tally = random.Random(players), Counter[tuple[str, bool]]()
    state: Any = boardrules.new("escape-from-colditz", {"players": players, "rounds": 6})
    while state.outcome is None:
        (seat,) = state.seats_to_act()
        legal = state.legal_actions(seat)
        if seat == CHANCE:
            assert legal.whole
            faces = state.chance()
            action = rng.choices([one for one, _ in faces], [weight for _, weight in faces])[0]
        else:
            for asked in state.seats if rng.random() < 0.05 else ():
                allowed = state.legal_actions(asked)
                listed = set(allowed)
                more = [one for one in thinkable(state, asked) if one not in listed and one in allowed]
                assert allowed.whole == (not more), (asked, more[:3])
                assert referee.legal_answer(state, asked).get("sample", False) == bool(more)
                place = state.facts.tasks[-1].kind if state.facts.tasks else state.facts.turn.phase
                tally[place, bool(more)] += asked == seat
            liked = [one for one in legal if likes(state, one)]
            action = rng.choice(liked if liked and rng.random() < 0.4 else list(legal))
        state, _ = state.apply(action)
    assert tally["main", True] > 1, tally
    assert any(not more for _, more in tally), tally
    assert referee.legal_answer(state, "security") == {"ok": True, "actions": [], "table": []}
    assert "sample" not in referee.legal_answer(state, CLOCK)


@rule("R036", "R093")
def test_circles_of_cards_and_trades_of_more_cards_are_what_a_list_leaves_out() -> None:
    before = {"american": "c1 c5", "phase": "before"}
    assert scene(**before).legal_actions("american").whole
    card = scene(hands={"american": "sick-parade"}, **before).legal_actions("american")
    assert not card.whole
    assert sum("sick-parade" in str(one) for one in card) == 2  # each man once
    one = scene(gear={"american": "rope"}, **before)
    assert one.legal_actions("american").whole  # a gift; the other one could ask for it
    assert one.legal_actions("british").whole
    assert not scene(gear={"american": "rope rope"}, **before).legal_actions("british").whole
    assert not scene(gear={"american": "rope", "british": "rope"}, **before).legal_actions("american").whole
    assert scene(gear={"american": "rope", "british": "key"}, **before).legal_actions("american").whole


@rule("R032")
def test_with_one_point_every_walk_is_listed() -> None:
    assert scene(american="c1 c5", points=1).legal_actions("american").whole
    two = scene(american="c1 c5", points=2)
    assert not two.legal_actions("american").whole
    assert after(two, "american c1-c2", "american c2-c3").legal_actions("american").whole
