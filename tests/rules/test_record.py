"""The game record: writing, reading, replaying and exact errors."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boardrules
from boardrules import record
from boardrules.core import Outcome
from rules import contract, toy
from rules.armies import STRATEGO

SMALL = """boardumpire-record 1
game stratego-quick-duel
option announce "silent"
seed 7
board quick-battle-8x8
date 2026-01-31
actions
red setup a1=F b1=B c1=B a2=S b2=2 c2=2 d2=3 a3=3 b3=9 d3=10
blue setup a8=F b8=B c8=B a7=S b7=2 c7=2 d7=3 a6=3 b6=9 d6=10
# Red opens on the left
red a3-a4
blue resign
result red resignation
"""


def played(game: str, seed: int, longest: int = 300) -> record.Record:
    state = boardrules.new(game, {"quiet_limit": 50} if game in STRATEGO else {})
    rng = random.Random(seed)
    actions = []
    while state.outcome is None and len(actions) < longest:
        action = contract.choose(state, rng)
        actions.append((action.seat, str(action)))
        state, _ = state.apply(action)
    return record.record_of(state, tuple(actions), seed=seed, board="b", date="2026-01-31")


def test_a_record_is_read_as_written() -> None:
    read = record.parse(SMALL)
    assert (read.game, read.seed, read.board, read.date) == (
        "stratego-quick-duel", 7, "quick-battle-8x8", "2026-01-31",
    )  # fmt: skip
    assert read.result == Outcome("red", "resignation")
    assert read.actions[2] == ("red", "a3-a4")
    assert record.parse(record.write(read)) == read
    assert record.final(read).outcome == read.result
    assert "a1" not in repr(read)


@settings(max_examples=20)
@given(st.sampled_from(list(boardrules.games())), st.integers(0, 10**6))
def test_records_of_random_games_round_trip_and_replay(game: str, seed: int) -> None:
    one = played(game, seed, 60)
    text = record.write(one)
    assert record.parse(text) == one
    assert hash(record.parse(text)) == hash(one)
    assert record.write(record.parse(text)) == text
    assert record.final(one).outcome == one.result


def test_a_record_with_a_mask_round_trips() -> None:
    mask = [f"{file}{rank}" for rank in (1, 2) for file in "abcdefgh"]
    one = record.record_of(boardrules.new("stratego-quick-duel", {"setup_mask": mask}), ())
    assert record.parse(record.write(one)) == one
    assert record.final(one) == boardrules.new("stratego-quick-duel", {"setup_mask": mask})


def test_a_replay_undoes_what_was_taken_back() -> None:
    text = SMALL.replace("blue resign\nresult red resignation\n", "red ask-take-back\nblue agree-take-back\n")
    assert record.final(record.parse(text)).view(None).json()["turn"] == 1


def test_a_replay_gives_states_and_events() -> None:
    steps = list(record.replay(record.parse(SMALL)))
    assert [(step.seat, step.events[0].kind) for step in steps] == [
        ("red", "setup"), ("blue", "setup"), ("red", "move"), ("blue", "resign"),
    ]  # fmt: skip


def test_a_toy_record_replays_with_its_chance() -> None:
    actions = (
        ("chance", "deal north card"),
        ("chance", "deal south blank"),
        ("chance", "roll 2"),
        ("north", "rest"),
    )
    one = record.Record("toy", {}, actions)
    assert record.final(one, toy.new).seats_to_act() == ("chance",)


ERRORS = {
    "": "LINE 1: nothing; expected boardumpire-record 1",
    "boardumpire-record": "LINE 1: 'boardumpire-record'; expected boardumpire-record 1",
    "chess 1": "LINE 1: 'chess 1'; expected boardumpire-record 1",
    "boardumpire-record 2\ngame x": (
        "LINE 1: boardumpire-record 2 is newer than boardumpire-record 1, the newest known here"
    ),
    "boardumpire-record 0": "LINE 1: boardumpire-record 0 never was; expected boardumpire-record 1",
    "boardumpire-record 1\ngame stratego-duel": "LINE 2: no line 'actions'; expected one after the header",
    "boardumpire-record 1\n\nactions": "LINE 3: no line 'game ID'; expected one in the header",
    "boardumpire-record 1\ncolour red": (
        "LINE 2: unknown header 'colour'; expected one of game, option, seed, board, date, actions"
    ),
    "boardumpire-record 1\ngame": "LINE 2: game says nothing; expected a value",
    "boardumpire-record 1\nseed x": "LINE 2: seed 'x'; expected a whole number",
    "boardumpire-record 1\ngame a\ngame b": "LINE 3: a second 'game'; expected one",
    "boardumpire-record 1\noption shuttle three": "LINE 2: option shuttle is 'three'; expected a JSON value",
    "boardumpire-record 1\noption a 1\noption a 1": "LINE 3: a second option 'a'; expected one",
    "boardumpire-record 1\nactions now": "LINE 2: 'now' after 'actions'; expected nothing",
    "boardumpire-record 1\nactions\nred": "LINE 3: 'red' alone; expected a seat and its action",
    "boardumpire-record 1\nactions\nresult red": (
        "LINE 3: result 'red'; expected a seat or draw, and a reason"
    ),
    "boardumpire-record 1\nactions\nresult red flag\nred a3-a4": (
        "LINE 4: 'red a3-a4' after the result; expected nothing"
    ),
}


@pytest.mark.parametrize("text", ERRORS)
def test_a_wrong_record_names_line_and_expectation(text: str) -> None:
    with pytest.raises(record.RecordError, match=f"^{re.escape(ERRORS[text])}$"):
        record.parse(text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("stratego-quick-duel", "chess", "LINE 2: unknown game 'chess'; expected one of escape-from-colditz"),
        (
            'announce "silent"',
            "announce 5",
            "LINE 3: stratego-quick-duel: option announce is 5; expected one of",
        ),
        ("red a3-a4", "red a3-a9", "LINE 11: 'a3-a9' is no action of red; expected one of a move like a3-a4"),
        ("red a3-a4", "red a3-b4", "LINE 11: action 3 of red is not allowed: stratego/diagonal (Q09)"),
        ("red a3-a4", "green a3-a4", "LINE 11: 'green' is no seat here; expected one of red, blue, clock"),
        ("a1=F", "a4=F", "LINE 8: action 1 of red is not allowed: stratego/setup-refused"),
        (
            "result red",
            "result blue",
            "LINE 13: the result is red resignation; the record says blue resignation",
        ),
    ],
)
def test_a_record_that_cannot_be_played_names_the_line(old: str, new: str, message: str) -> None:
    with pytest.raises(record.RecordError) as caught:
        record.final(record.parse(SMALL.replace(old, new)))
    assert str(caught.value).startswith(message)


@settings(max_examples=200)
@given(st.text(max_size=80), st.integers(0, 12))
def test_any_text_is_read_or_refused_by_line(noise: str, at: int) -> None:
    lines = SMALL.split("\n")
    lines.insert(at, noise)
    told = "LINE "
    try:
        record.final(record.parse("\n".join(lines)))
    except record.RecordError as error:
        told = str(error)
    assert told.startswith("LINE ")
