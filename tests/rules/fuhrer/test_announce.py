"""Everything the game can say has a sentence."""

from __future__ import annotations

import random

import pytest

from boardrules.core import Outcome
from boardrules.fuhrer.actions import PIECES
from boardrules.fuhrer.ends import REASONS
from boardrules.fuhrer.refusals import RULES_BY_CODE
from boardrules.history import GameHistory
from boardumpire.messages import announce
from rules.fuhrer.positions import attempts, begin, line, new, random_options, walk
from rules.telling import says

SPEAKS = "fall-of-the-fuhrer"
TEXTS = announce.sentences(SPEAKS).texts


def test_every_refusal_code_has_a_sentence() -> None:
    assert set(RULES_BY_CODE) == {name for name in TEXTS if name.startswith("fuhrer/")}


def test_every_reason_seat_and_piece_has_a_name() -> None:
    for reason in REASONS:
        for winner in ("hitler", "allies"):
            if f"{winner} {reason}" not in ("hitler capture", "allies escaped", "hitler sheet"):
                assert says(announce.outcome_message(Outcome(winner, reason), SPEAKS))
    assert {f"piece {piece}" for piece in PIECES} <= set(TEXTS)
    for players, split in (
        (2, "tank_spy"),
        (3, "tank_spy"),
        (3, "tank_infantry"),
        (3, "spy_infantry"),
        (4, "tank_spy"),
    ):
        assert {f"seat {seat}" for seat in new(players=players, allied_split=split).seats} <= set(TEXTS)


@pytest.mark.slow
def test_all_that_random_games_say_can_be_told() -> None:
    said, refused = set(), set()
    for seed in range(24):
        rng = random.Random(seed)
        for count, (state, action) in enumerate(walk(new(**random_options(rng)), rng)):
            if count % 25 == 0:
                for tried in attempts(state, rng):
                    refusal = state.refusal(tried)
                    if refusal is not None:
                        refused.add(refusal.code)
                        assert says(announce.refusal_message(refusal, SPEAKS))
                        assert says(announce.refusal_message(refusal, SPEAKS, public=True))
            for event in state.apply(action)[1]:
                assert says(announce.event_message(event, SPEAKS))
                said.add(announce.event_message(event, SPEAKS).id)
    assert {
        "event token",
        "event answer yes",
        "event answer no",
        "event liberated",
        "event audit holds",
    } <= said
    assert {"event ticket", "event flight", "event recaptured", "event lowered", "event liberating"} <= said
    assert {"fuhrer/out-of-reach", "fuhrer/not-there", "fuhrer/too-far", "fuhrer/ask-too-far"} <= refused


def test_what_is_said_about_the_game_can_be_told() -> None:
    state = line(begin("berlin", "ulm", "kiel", "linz"), "roll; roll 2; berlin-leipzig")
    for answer in ("agree-take-back", "decline-take-back"):
        game = GameHistory(state)
        for event in (*game.push_text("allies", "ask-take-back"), *game.push_text("hitler", answer)):
            assert says(announce.event_message(event, SPEAKS))
    for seat, words in (("hitler", "resign"), ("clock", "time allies")):
        for event in state.apply(state.parse(words, seat))[1]:
            assert says(announce.event_message(event, SPEAKS))


def test_examples() -> None:
    state = line(begin("berlin", "ulm", "kiel", "linz"), "stay; roll 1; stay")
    _, told = state.apply(state.parse("ask augsburg", "allies"))
    assert announce.to_sentence(announce.event_message(told[0], SPEAKS)) == "Hitler is not in augsburg."
    assert announce.to_sentence(announce.outcome_message(Outcome("allies", "capture"), SPEAKS)) == (
        "The Allies win: Infantry has captured Hitler."
    )
