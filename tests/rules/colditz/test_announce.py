"""Everything the game can say has a sentence."""

from __future__ import annotations

import random
from typing import Any

import pytest

from boardrules.colditz.castle.actions import SEATS
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS, card_set_by_key
from boardrules.colditz.games import Colditz
from boardrules.colditz.state.ends import REASONS
from boardrules.colditz.state.refusals import RULES_BY_CODE
from boardrules.core import Event, Outcome
from boardumpire.messages import announce
from rules.colditz.invariants import some_options
from rules.colditz.test_contract import attempts
from rules.colditz.test_whole_games import simple
from rules.telling import says

SPEAKS = "escape-from-colditz"
TEXTS = announce.sentences(SPEAKS).texts


def test_every_refusal_code_has_a_sentence() -> None:
    assert set(RULES_BY_CODE) == {name for name in TEXTS if name.startswith("colditz/")}


def test_every_seat_card_kind_and_reason_has_a_name() -> None:
    names = [f"seat {seat}" for seat in SEATS] + [f"item {kind}" for kind in EQUIPMENT_KINDS]
    names += [f"card {card.id}" for card in card_set_by_key("castle").cards]
    assert set(names) <= set(TEXTS)
    for card in card_set_by_key("castle").cards:
        assert TEXTS[f"card {card.id}"] == card.title
    for reason in REASONS:
        assert says(announce.outcome_message(Outcome("security", reason), SPEAKS))
    together = announce.outcome_message(Outcome("american+polish", "escapes"), SPEAKS)
    assert announce.to_sentence(together) == "American + Polish: two men have escaped. Victory!"


@pytest.mark.slow
def test_all_that_games_say_can_be_told() -> None:
    said, refused = set(), set()
    for seed in range(5):
        rng = random.Random(seed)
        state: Any = Colditz().new({**some_options(rng), "rounds": 12, "players": 2 + seed})
        while state.outcome is None:
            if rng.random() < 0.02:
                for tried in attempts(state, rng):
                    refusal = state.refusal(tried)
                    if refusal is not None:
                        refused.add(refusal.code)
                        for public in (False, True):
                            assert says(announce.refusal_message(refusal, SPEAKS, public=public))
            state, events = state.apply(simple(state, rng))
            for event in events:
                text = announce.to_sentence(announce.event_message(event, SPEAKS))
                assert "{" not in text
                said.add(announce.event_message(event, SPEAKS).id)
    assert len(said) > 25
    assert len(refused) > 20


def test_examples() -> None:
    def told(kind: str, **data: Any) -> str:
        return announce.to_sentence(announce.Message(f"event {kind}", data, SPEAKS))

    assert told("dice", seat="american", dice=[3, 4]) == "American rolled 3, 4."
    offered = {"seat": "dutch", "to": "polish", "give": ["rope", "key"], "want": []}
    assert announce.to_sentence(announce.event_message(Event("offered", tuple(offered.items())), SPEAKS)) == (
        "Dutch to Polish, an offer: Rope, Key for nothing."
    )
    assert told("play", seat="security", card="appel") == "Security Officer played Appel."
