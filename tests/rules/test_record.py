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
from boardrules.record.replaying import Agreement, compare_results
from boardrules.record_types import comments_from_text
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
    assert record.final_state(read).outcome == read.result
    assert "a1" not in repr(read)


@settings(max_examples=settings.default.max_examples // 5)
@given(st.sampled_from(list(boardrules.games())), st.integers(0, 10**6))
def test_records_of_random_games_round_trip_and_replay(game: str, seed: int) -> None:
    one = played(game, seed, 60)
    text = record.write(one)
    assert record.parse(text) == one
    assert hash(record.parse(text)) == hash(one)
    assert record.write(record.parse(text)) == text
    assert record.final_state(one).outcome == one.result


def test_a_record_with_a_mask_round_trips() -> None:
    mask = [f"{file}{rank}" for rank in (1, 2) for file in "abcdefgh"]
    one = record.record_of(boardrules.new("stratego-quick-duel", {"setup_mask": mask}), ())
    assert record.parse(record.write(one)) == one
    assert record.final_state(one) == boardrules.new("stratego-quick-duel", {"setup_mask": mask})


def test_a_replay_undoes_what_was_taken_back() -> None:
    text = SMALL.replace("blue resign\nresult red resignation\n", "red ask-take-back\nblue agree-take-back\n")
    assert record.final_state(record.parse(text)).view(None).json()["turn"] == 1


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
    assert record.final_state(one, toy.new).seats_to_act() == ("chance",)


ERRORS = {
    "": "LINE 1: nothing; try boardumpire-record 1",
    "boardumpire-record": "LINE 1: 'boardumpire-record'; try boardumpire-record 1",
    "chess 1": "LINE 1: 'chess 1'; try boardumpire-record 1",
    "boardumpire-record 2\ngame x": (
        "LINE 1: boardumpire-record 2 is newer than boardumpire-record 1, the newest known here"
    ),
    "boardumpire-record 0": "LINE 1: boardumpire-record 0 never was; try boardumpire-record 1",
    "boardumpire-record 1\ngame stratego-duel": "LINE 2: no line 'actions'; try to add one after the header",
    "boardumpire-record 1\n\nactions": "LINE 3: no line 'game ID'; try to add one in the header",
    "boardumpire-record 1\ncolour red": (
        "LINE 2: unknown header 'colour'; try one of game, option, player, seed, board, date, "
        "event, place, source, stated, tag, actions"
    ),
    "boardumpire-record 1\ngame": "LINE 2: game says nothing; try a value",
    "boardumpire-record 1\nseed x": "LINE 2: seed 'x'; try a whole number",
    "boardumpire-record 1\ngame a\ngame b": "LINE 3: a second 'game'; try one alone",
    "boardumpire-record 1\noption shuttle three": (
        "LINE 2: option shuttle is 'three'; try a JSON value "
        "(not JSON: Expecting value, column 1; try one JSON value)"
    ),
    'boardumpire-record 1\noption a {"b": 1, "b": 2}': (
        """LINE 2: option a is '{"b": 1, "b": 2}'; try a JSON value """
        "(the key 'b' twice in one object; try it once)"
    ),
    "boardumpire-record 1\nplayer red": "LINE 2: player 'red' alone; try a seat and a name",
    "boardumpire-record 1\nplayer red A\nplayer red B": "LINE 3: a second player 'red'; try one alone",
    'boardumpire-record 1\nevent "open': (
        """LINE 2: event is '"open'; try a text or a JSON string """
        "(not JSON: Unterminated string starting at, column 1; try one JSON value)"
    ),
    "boardumpire-record 1\nstated red a\nstated red b": "LINE 3: a second 'stated'; try one alone",
    "boardumpire-record 1\nactions\ncommitment 1 red": (
        "LINE 3: commitment '1 red'; try ENTRY SEAT sha256 DIGEST, then salt SALT or sealed"
    ),
    f"boardumpire-record 1\nactions\ncommitment 1 red sha256 {'0' * 64} sealed\nred resign": (
        "LINE 4: 'red resign' after a commitment; try it before the commitments"
    ),
    "boardumpire-record 1\ngame a\nactions\nboardumpire-record 1\ngame b\nactions": (
        "LINE 4: a second game, of 2; try a file with one"
    ),
    "boardumpire-record 1\noption a 1\noption a 1": "LINE 3: a second option 'a'; try one alone",
    "boardumpire-record 1\nactions now": "LINE 2: 'now' after 'actions'; try 'actions' alone",
    "boardumpire-record 1\nactions\nred": "LINE 3: 'red' alone; try a seat and its action",
    "boardumpire-record 1\nactions\nresult red": ("LINE 3: result 'red'; try a seat or draw, and a reason"),
    "boardumpire-record 1\nactions\nresult red flag\nred a3-a4": (
        "LINE 4: 'red a3-a4' after the result; try the file without it"
    ),
}


@pytest.mark.parametrize("text", ERRORS)
def test_a_wrong_record_names_line_and_expectation(text: str) -> None:
    with pytest.raises(record.RecordError, match=f"^{re.escape(ERRORS[text])}$"):
        record.parse(text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("stratego-quick-duel", "chess", "LINE 2: unknown game 'chess'; try one of escape-from-colditz"),
        (
            'announce "silent"',
            "announce 5",
            "LINE 3: stratego-quick-duel: option announce is 5; try one of",
        ),
        (
            "red a3-a4",
            "red a3-a9",
            "LINE 11: action 3 of red: 'a3-a9' is no action of red; try a move like a3-a4",
        ),
        ("red a3-a4", "red a3-b4", "LINE 11: action 3 of red is not allowed: stratego/diagonal (Q09)"),
        (
            "red a3-a4",
            "green a3-a4",
            "LINE 11: action 3 of green: 'green' is no seat here; try one of red, blue, clock",
        ),
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
        record.final_state(record.parse(SMALL.replace(old, new)))
    assert str(caught.value).startswith(message)


@settings(max_examples=2 * settings.default.max_examples)
@given(st.text(max_size=80), st.integers(0, 12))
def test_any_text_is_read_or_refused_by_line(noise: str, at: int) -> None:
    lines = SMALL.split("\n")
    lines.insert(at, noise)
    told = "LINE "
    try:
        record.final_state(record.parse("\n".join(lines)))
    except record.RecordError as error:
        told = str(error)
    assert told.startswith("LINE ")


DIGEST = "5e" * 32
WHOLE = f"""boardumpire-record 1
# Copied from the club's book
game stratego-quick-duel
option announce "silent"
player red Ann
player blue "  Bob \\u2028 the second "
seed 7
board quick-battle-8x8
date 2026-01-??
event Club championship, round 3
place Hamburg
source book 7, page 9
stated blue forfeit
tag id "g-7"
tag outcomes ["move"]
actions
red setup a1=F b1=B c1=B a2=S b2=2 c2=2 d2=3 a3=3 b3=9 d3=10
blue setup a8=F b8=B c8=B a7=S b7=2 c7=2 d7=3 a6=3 b6=9 d6=10
# Red opens on the left
#
#  as always
red a3-a4
# and leaves
commitment 1 red sha256 {DIGEST} salt 00ff
commitment 2 blue sha256 {DIGEST} sealed
"""


def test_a_record_holds_all_that_a_source_may_say() -> None:
    read = record.parse(WHOLE)
    assert read.players == {"red": "Ann", "blue": "  Bob \u2028 the second "}
    assert (read.event, read.place, read.source) == (
        "Club championship, round 3", "Hamburg", "book 7, page 9",
    )  # fmt: skip
    assert read.stated == record.StatedResult("blue", "forfeit")
    assert read.tags == {"id": "g-7", "outcomes": ["move"]}
    assert read.commitments == (
        record.RecordedCommitment(1, "red", DIGEST, "00ff"),
        record.RecordedCommitment(2, "blue", DIGEST, None),
    )
    assert [(each.action_count, each.text) for each in read.comments] == [
        (-1, "Copied from the club's book"), (2, "Red opens on the left"), (2, ""), (2, " as always"),
        (3, "and leaves"),
    ]  # fmt: skip
    assert record.write(read) == WHOLE
    assert record.final_state(read).outcome is None, "what is stated need not come of the moves"


def test_several_games_a_file_come_one_by_one() -> None:
    one, other = record.parse(SMALL), record.parse(WHOLE)
    both = record.write_all([one, other])
    assert record.parse_all(both) == [one, other]
    assert record.parse_all(f"# mine\n{SMALL}\n{WHOLE}")[0].comments[0] == record.RecordComment(-1, "mine")


def test_a_bad_game_between_two_good_ones_is_named_and_they_are_read() -> None:
    text = SMALL + SMALL.replace("actions\n", "") + "boardumpire-record 9\n" + SMALL
    one, two, three, four = record.parse_each(text)
    assert one == four == record.parse(SMALL)
    assert isinstance(two, record.RecordError)
    assert two.bare_message.startswith("unknown header 'red'; try one of")
    assert two.line == 20
    assert isinstance(three, record.RecordError)
    assert three.bare_message.startswith("boardumpire-record 9 is newer")
    with pytest.raises(record.RecordError, match="LINE 20: unknown header"):
        record.parse_all(text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("player red", "player green", "LINE 5: player 'green'; try one of red, blue"),
        ("stated blue", "stated green", "LINE 13: stated 'green'; try one of red, blue, draw, unknown"),
    ],
)
def test_players_and_the_stated_winner_are_seats_of_the_game(old: str, new: str, message: str) -> None:
    with pytest.raises(record.RecordError, match=f"^{message}$"):
        record.final_state(record.parse(WHOLE.replace(old, new)))


@pytest.mark.parametrize(
    ("stated", "outcome", "expected"),
    [
        (None, Outcome("red", "flag"), Agreement.NOT_STATED),
        (("red", "flag captured"), Outcome("red", "flag"), Agreement.AS_STATED),
        (("red", "forfeit"), Outcome("red", "flag"), Agreement.AS_STATED),
        (("draw", ""), Outcome(None, "no-move"), Agreement.AS_STATED),
        (("unknown", "flag captured"), Outcome("red", "flag"), Agreement.AS_STATED),
        (("blue", "flag captured"), Outcome("red", "flag"), Agreement.DIFFERS),
        (("red", "flag captured"), Outcome("red", "no-move"), Agreement.DIFFERS),
        (("red", "flag captured"), None, Agreement.DIFFERS),
        (("red", "forfeit"), None, Agreement.ENDS_OTHERWISE),
        (("unknown", "broken off"), None, Agreement.ENDS_OTHERWISE),
    ],
)
def test_what_is_stated_is_held_against_the_moves(
    stated: tuple[str, str] | None, outcome: Outcome | None, expected: Agreement
) -> None:
    reasons = {"flag captured": "flag"}
    assert compare_results(stated and record.StatedResult(*stated), outcome, reasons) is expected


TEXTS = st.text(max_size=12)


@settings(max_examples=settings.default.max_examples * 3 // 2)
@given(
    players=st.dictionaries(st.sampled_from(["red", "blue"]), st.text(min_size=1, max_size=12)),
    event=st.none() | TEXTS,
    date=st.none() | TEXTS,
    reason=TEXTS,
    tags=st.dictionaries(
        st.sampled_from("abc"), st.recursive(st.integers() | TEXTS | st.none(), st.lists, max_leaves=3)
    ),
    remark=TEXTS,
)
def test_whatever_a_source_says_comes_back(
    players: dict[str, str], event: str | None, date: str | None, reason: str, tags: object, remark: str
) -> None:
    one = record.parse(SMALL)._replace(
        players=players, event=event, date=date, stated=record.StatedResult("draw", reason), tags=tags,
        comments=comments_from_text(1, remark),
    )  # fmt: skip
    assert record.parse(record.write(one)) == one
    assert record.parse_all(record.write_all([one, one])) == [one, one]
