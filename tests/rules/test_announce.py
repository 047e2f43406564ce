"""Everything the games can say has a sentence, and every sentence has what it needs."""

from __future__ import annotations

import gettext
import random
import string

import pytest

import boardrules
from boardrules.core import IllegalAction, Outcome, Refusal, Seat, Space
from boardrules.history import GameHistory
from boardrules.stratego import ends
from boardrules.stratego.pieces import RANK_SIGNS
from boardrules.stratego.refusals import RULES_BY_CODE
from boardumpire.messages import announce
from rules import contract
from rules.armies import STRATEGO, at, line
from rules.telling import says
from rules.test_contract import stratego_attempts

SPEAKS = "stratego-quick-duel"
TEXTS = announce.sentences(SPEAKS).texts


def test_every_refusal_code_has_a_sentence() -> None:
    known = {name for name in TEXTS if name.startswith("stratego/")}
    assert set(RULES_BY_CODE) == known


def test_every_reason_has_a_sentence() -> None:
    for reason in ends.REASONS:
        winners = {"flag": ["red"], "quiet-limit": [None], "agreed": [None]}.get(reason, ["red", "blue"])
        for winner in [*winners, *([None] if reason == "no-move" else [])]:
            assert announce.to_sentence(announce.outcome_message(Outcome(winner, reason), SPEAKS))


def test_who_lost_is_called_by_name_too() -> None:
    end = announce.to_sentence(announce.outcome_message(Outcome(Seat("blue"), "no-move"), SPEAKS))
    assert end == "Blue wins: Red can't move any more."
    players = {Seat("red"): "Anna", Seat("blue"): "Ben"}
    assert (
        announce.with_space_names(end, {}, SPEAKS, players)
        == "Ben (Blue) wins: Anna (Red) can't move any more."
    )


def test_a_space_that_several_pieces_share_is_named_once() -> None:
    said = announce.sentence_by_id("fault pieces-down", spaces=["barracks", "a3", "barracks"])
    named = announce.with_space_names(said, {Space("barracks"): "Barracks", Space("a3"): "Appel area a3"}, "")
    assert named == "Pieces are off their spaces. Please put them back on Barracks (2), Appel area a3."


def test_every_rank_and_seat_has_a_name() -> None:
    assert all(f"rank {sign}" in TEXTS for sign in RANK_SIGNS)
    assert {"seat red", "seat blue"} <= set(TEXTS)


@pytest.mark.parametrize("game", STRATEGO)
@pytest.mark.parametrize("announced", ["ranks", "silent"])
def test_all_that_random_games_say_can_be_told(game: str, announced: str) -> None:
    rng = random.Random(game)
    state = boardrules.new(game, {"announce": announced, "quiet_limit": 60})
    said = set()
    for _ in range(600):
        for action in stratego_attempts(state, rng):
            try:
                state.apply(action)
            except IllegalAction as error:
                for public in (False, True):
                    message = announce.refusal_message(error.refusal, SPEAKS, public=public)
                    assert announce.to_sentence(message)
                    said.add(message.id)
        if state.outcome is not None:
            break
        state, events = state.apply(contract.choose(state, rng))
        for event in events:
            assert says(announce.event_message(event, SPEAKS))
            said.add(announce.event_message(event, SPEAKS).id)
    assert {"event setup", "event start", "event move", "stratego/not-your-turn"} <= said


def test_words_about_the_game_are_told() -> None:
    state = line(at("9 a3, F h1", "3 h6, F h8"), "a3-a4")
    for seat, ask, answer in (
        ("red", "offer-draw", "agree-draw"),
        ("red", "offer-draw", "decline-draw"),
        ("red", "ask-take-back", "agree-take-back"),
        ("red", "ask-take-back", "decline-take-back"),
    ):
        game = GameHistory(state)
        for event in (*game.push_text(seat, ask), *game.push_text("blue", answer)):
            assert announce.to_sentence(announce.event_message(event, SPEAKS))
    for seat, words in (("red", "resign"), ("clock", "time blue")):
        assert [
            announce.to_sentence(announce.event_message(event, SPEAKS))
            for event in state.apply(state.parse(words, seat))[1]
        ]


def test_examples() -> None:
    refusal = Refusal(
        "stratego/immovable", "Q15", (("seat", "red"), ("from", "a1"), ("to", "a2")), "stratego/not-allowed"
    )
    assert (
        announce.to_sentence(announce.refusal_message(refusal, SPEAKS))
        == "Bombs and the Flag never move; the one on a1 stays."
    )
    assert (
        announce.to_sentence(announce.refusal_message(refusal, SPEAKS, public=True)) == "That is not allowed."
    )
    _, events = at("3 a3, F h1", "B a4, 3 h8, F c8").apply(at("3 a3, F h1", "B a4").parse("a3-a4", "red"))
    assert announce.to_sentence(announce.event_message(events[0], SPEAKS)) == (
        "a3 attacks a4: a Miner (3) beats a Bomb and takes its square."
    )
    army = Refusal("stratego/setup-army", "Q05", (("rank", "B"), ("given", "1"), ("expected", "2")))
    assert (
        announce.to_sentence(announce.refusal_message(army, SPEAKS))
        == "Rank B: your army has 2, you have placed 1."
    )


def test_a_catalogue_translates_whole_sentences_with_named_parameters() -> None:
    class German(gettext.NullTranslations):
        def gettext(self, message: str) -> str:
            german = {"{seat}: {from} to {to}.": "Von {from} nach {to} zieht {seat}.", "Red": "Rot"}
            return german.get(message, message)

    message = announce.Message("event move", {"seat": "red", "from": "a3", "to": "a4"}, SPEAKS)
    assert announce.to_sentence(message, lambda game: German()) == "Von a3 nach a4 zieht Rot."
    for text in TEXTS.values():
        assert all(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def test_a_sentence_that_is_missing_is_shown_by_its_id_and_ends_nothing() -> None:
    for game in (SPEAKS, "nobody-has-this", ""):
        assert (
            announce.to_sentence(announce.Message("chess/nonsense", {"seat": "red"}, game))
            == "chess/nonsense"
        )
    assert (
        announce.to_sentence(announce.Message("event move", {"seat": "red"}, SPEAKS))
        == "Red: {from} to {to}."
    )
