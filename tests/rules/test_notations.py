"""Games from elsewhere: the neutral JSON and Gravon's letters and squares."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardrules import record
from boardrules.notations import ImportedGame, NotationError, UnreadableGame
from boardrules.stratego import gravon_notation, neutral_notation
from boardrules.stratego.board import board_by_name
from boardrules.stratego.setup import draw_setup

GAME = {
    "variant": "barrage",
    "red_setup": ["F.........", "B.........", "S.........", "2239M....."],
    "blue_setup": ["2239M.....", "S.........", "B.........", "F........."],
    "moves": ["e4-e5", "e7-e6"],
}
LAKES = sorted(board_by_name("10x10").spaces_of_mask(board_by_name("10x10").lakes))


def test_a_neutral_game_becomes_a_record_and_back() -> None:
    one = neutral_notation.record_from_neutral(GAME)
    assert one.game == "stratego-barrage"
    assert one.actions[0] == ("red", "setup a1=F a2=B a3=S a4=2 b4=2 c4=3 d4=9 e4=10")
    assert one.actions[3] == ("blue", "e7-e6")
    assert record.final_state(one).seats_to_act() == ("red",)
    assert neutral_notation.neutral_from_record(one) == ({**GAME, "result": None}, ())


COLLECTIONS = (
    "human_gravon_classic", "human_gravon_barrage", "human_gravon_duel", "ai_ataraxos_chase_barrage",
    "bots_ucc2012_classic",
)  # fmt: skip


@pytest.mark.parametrize("name", COLLECTIONS)
def test_recorded_games_go_there_and_back_with_every_word_of_theirs(games_dir: Path, name: str) -> None:
    for line in (games_dir / f"{name}.jsonl").read_text().splitlines():
        game = json.loads(line)
        one = neutral_notation.record_from_neutral(game)
        assert neutral_notation.neutral_from_record(one) == (game, ())
        through = record.parse(record.write(one))
        assert through == one
        assert neutral_notation.neutral_from_record(through) == (game, ())


def test_a_finished_record_keeps_its_result_and_its_words_are_left_out() -> None:
    one = neutral_notation.record_from_neutral(GAME)
    over = one._replace(actions=(*one.actions, ("red", "resign")))
    state = record.final_state(over)
    ended = over._replace(result=state.outcome)
    back, left_out = neutral_notation.neutral_from_record(ended)
    assert back["result"] == {"winner": "blue", "reason": "resignation"}
    assert back["moves"] == GAME["moves"]
    assert left_out == ("red resign",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variant": "custom"}, 'variant is "custom"; try one of classic, barrage, duel, quick-barrage'),
        ({"variant": ["duel"]}, 'variant is ["duel"]; try one of classic'),
        ({"red_setup": ["F"]}, 'red_setup is ["F"]; try 4 rows of 10 signs'),
        ({"red_setup": 4}, "red_setup is 4; try 4 rows of 10 signs"),
        ({"red_setup": None}, "red_setup is null; try 4 rows of 10 signs"),
        ({"blue_setup": ["X........."] + ["." * 10] * 3}, "blue_setup has 'X' on a7; try one of"),
        ({"moves": "a4-a5"}, 'moves is "a4-a5"; try a list of moves like a4-a5'),
        ({"moves": ["a4-a5", 5]}, "moves[1] is 5; try moves like a4-a5"),
        ({"result": "red"}, 'result is "red"; try an object'),
        ({"result": {"winner": "green", "reason": "x"}}, 'result is {"winner": "green", "reason": "x"}; try'),
        ({"result": {"winner": ["red"]}}, 'result is {"winner": ["red"]}; try a winner'),
        ({"result": {"winner": "red", "reason": 5}}, "reason is 5; try a text"),
        ({"result": {"winner": "red", "by": "x"}}, 'result is {"winner": "red", "by": "x"}; try a win'),
        ({"players": {"green": "x"}}, 'players.green is "x"; try a name for red or blue'),
        ({"players": {"red": 1}}, "players.red is 1; try a name for red or blue"),
        ({"players": ["Ann"]}, 'players is ["Ann"]; try an object'),
        ({"options": 1}, "options is 1; try an object"),
        ({"date": 2005}, "date is 2005; try a text"),
        ({"seed": True}, "seed is true; try a whole number"),
        ({"comments": [[1]]}, "comments[0] is [1]; try a place and a text"),
    ],
)
def test_a_wrong_game_says_where_and_what_was_expected(change: dict[str, Any], message: str) -> None:
    with pytest.raises(NotationError) as caught:
        neutral_notation.record_from_neutral({**GAME, **change})
    assert str(caught.value).startswith(message)


def test_what_the_neutral_format_cannot_say_is_refused() -> None:
    one = neutral_notation.record_from_neutral(GAME)
    with pytest.raises(NotationError, match="chess; try one of stratego-classic, stratego-barrage"):
        neutral_notation.neutral_from_record(one._replace(game="chess"))
    with pytest.raises(NotationError, match="a take-back"):
        neutral_notation.neutral_from_record(one._replace(actions=(*one.actions, ("red", "agree-take-back"))))
    with pytest.raises(NotationError, match="no set-up of blue; try both"):
        neutral_notation.neutral_from_record(one._replace(actions=one.actions[:1]))


QUICK = {
    "variant": "quick-duel",
    "red_setup": ["FBBS22..", "33......", ".9M....."],
    "blue_setup": [".9M.....", "33......", "FBBS22.."],
    "moves": ["b3-b4", "b6-b5"],
}


def test_quick_battle_leaves_and_comes_back() -> None:
    one = neutral_notation.record_from_neutral(QUICK)
    assert one.game == "stratego-quick-duel"
    assert one.actions[1] == (
        "blue", "setup a7=3 a8=F b6=9 b7=3 b8=B c6=10 c8=B d8=S e8=2 f8=2",
    )  # fmt: skip
    assert record.final_state(one).seats_to_act() == ("red",)
    assert neutral_notation.neutral_from_record(one) == ({**QUICK, "result": None}, ())


@pytest.mark.parametrize("variant", neutral_notation.VARIANTS)
def test_games_of_every_variant_go_there_and_back(variant: str) -> None:
    state: Any = boardrules.new(neutral_notation.VARIANTS[variant].game)
    rng = random.Random(variant)
    setups = [draw_setup(state.rules, seat, rng) for seat in ("red", "blue")]
    actions = [(setup.seat, str(setup)) for setup in setups]
    for setup in setups:
        state, _ = state.apply(setup)
    while state.outcome is None and len(actions) < 60:
        move = rng.choice(list(state.legal_actions(state.seats_to_act()[0])))
        actions.append((move.seat, str(move)))
        state, _ = state.apply(move)
    one = record.record_of(
        state, tuple(actions), seed=3, date="2026", board="b", event="e", place="p", source="s",
        players={"red": "Ann"}, tags={"id": [1]}, comments=(record.RecordComment(2, "well"),),
    )._replace(result=None, stated=record.StatedResult("draw", "agreed"))  # fmt: skip
    game, left_out = neutral_notation.neutral_from_record(one)
    assert left_out == ()
    assert neutral_notation.record_from_neutral(json.loads(json.dumps(game))) == one


def test_what_has_no_words_is_told() -> None:
    one = neutral_notation.record_from_neutral(GAME)
    digest = record.RecordedCommitment(1, "red", "0" * 64)
    more = one._replace(
        actions=(one.actions[0], *one.actions, ("red", "offer-draw"), ("blue", "decline-draw")),
        commitments=(digest, digest), players={"red": "Ann"}, tags={"id": 4},
    )  # fmt: skip
    said = ("an earlier set-up", "red offer-draw", "blue decline-draw", "2 commitments")
    assert neutral_notation.neutral_from_record(more)[1] == said
    assert gravon_notation.GRAVON.write(more).omissions == ("players", "id", *said)


def played(game: dict[str, Any]) -> list[str]:
    one = neutral_notation.record_from_neutral(game)
    return list(neutral_notation.NEUTRAL.find_discrepancies(one, list(record.replay(one))))


def test_logged_outcomes_and_ranks_are_held_against_the_moves() -> None:
    game = {**GAME, "moves": ["e4-e5", "e7-e6", "e5-e6"]}
    right = {"outcomes": ["move", "move", "tie"], "ranks": [None, None, ["M", "M"]], "last_refused": "a1-a2"}
    assert played(game) == []
    game["blue_setup"] = ["22.3M9....", *GAME["blue_setup"][1:]]
    assert played({**game, **right}) == []
    assert played({**game, **right, "outcomes": ["move", "win", "tie"]}) == [
        'move 2, e7-e6: outcomes say "win"; the rules say "move"'
    ]
    assert played({**game, "ranks": [None, None, ["M", "9"]]}) == [
        'move 3, e5-e6: ranks say ["M", "9"]; the rules say ["M", "M"]'
    ]
    assert played({**game, "outcomes": [[]]}) == ["outcomes is [[]]; try one for each of 3 moves"]
    assert played({**game, "outcomes": 5}) == ["outcomes is 5; try one for each of 3 moves"]
    assert played({**game, "last_refused": "d7-d6"}) == []
    assert played({**game, "last_refused": "f7-f6"}) == ['last_refused is "f7-f6"; the rules allow it']


def test_comments_of_a_text_in_gravons_letters_stay() -> None:
    field = gravon_notation.GRAVON.write(neutral_notation.record_from_neutral(GAME)).text.splitlines()[0]
    text = f"# club night\n{field} # both\nE4 E5 # bold\n# really\nE7-E6\n{field}\nE4 E5 E7\n{field}\n"
    first, second, third = gravon_notation.GRAVON.read(text, {})
    assert isinstance(first, ImportedGame)
    assert [tuple(each) for each in first.record.comments] == [
        (-1, "club night"), (2, "both"), (3, "bold"), (3, "really"),
    ]  # fmt: skip
    written = gravon_notation.GRAVON.write(first.record).text
    assert written == (f"{field}\n# club night\n# both\nE4 E5\n# bold\n# really\nE7 E6\n"), (
        "what stands before the letters would belong to the game before"
    )
    assert second == UnreadableGame(7, "3 squares; try two a move, as E4 E5")
    assert isinstance(third, ImportedGame), "a bad game hides none"


@pytest.mark.parametrize("game", ["stratego-classic", "stratego-barrage", "stratego-duel"])
def test_gravons_letters_go_there_and_back(game: str) -> None:
    state: Any = boardrules.new(game)
    setups = tuple(draw_setup(state.rules, seat, random.Random(4)) for seat in ("red", "blue"))
    field = gravon_notation.gravon_from_setups(setups, LAKES)
    assert len(field) == 100
    assert field[42:44] + field[46:48] == "____"
    assert gravon_notation.setups_from_gravon(field) == setups


def test_gravons_letters_by_example() -> None:
    field = "MB" + "A" * 40 + "__AA__AAAA__AA__AA" + "A" * 38 + "YN"
    red, blue = gravon_notation.setups_from_gravon(field)
    assert str(red) == "setup a1=F b1=B"
    assert str(blue) == "setup i10=F j10=B"
    with pytest.raises(NotationError, match="a field of 3 letters; try 100"):
        gravon_notation.setups_from_gravon("ABC")
    with pytest.raises(NotationError, match="letter 'Z' on b1; try A to Y"):
        gravon_notation.setups_from_gravon("MZ" + field[2:])


def test_gravons_squares_leave_out_the_letter_j() -> None:
    assert gravon_notation.move_from_gravon("I4", "K4") == "i4-j4"
    assert gravon_notation.move_to_gravon("i4-j10") == ("I4", "K10")
    for name in board_by_name("10x10").names:
        source, target = gravon_notation.move_to_gravon(f"{name}-a1")
        assert gravon_notation.move_from_gravon(source, target) == f"{name}-a1"
    for wrong in ("J4", "L1", "A11", "A0", "", "A"):
        with pytest.raises(NotationError, match="try A1 to K10 without J"):
            gravon_notation.move_from_gravon(wrong, "A1")
    for wrong in ("k1-a1", "a1", "a0-a1"):
        with pytest.raises(NotationError, match="try"):
            gravon_notation.move_to_gravon(wrong)


def test_a_field_from_the_archive_is_the_recorded_set_up(games_dir: Path) -> None:
    field = (
        "AAAAAAAALBAAADAAAADMAAAAAAABAEAAAAAAACKEAA__AA__AAAA__AA__AAAAAAAAAOQWAAAAAAAXPPAAAAAAAAQNAAAAAAAANY"
    )
    lines = (games_dir / "human_gravon_duel.jsonl").read_text().splitlines()
    game = next(game for game in map(json.loads, lines) if game["id"] == "duell-2014.10-2243")
    red, blue = gravon_notation.setups_from_gravon(field)
    assert neutral_notation.rows_from_setup(red) == game["red_setup"]
    assert neutral_notation.rows_from_setup(blue) == game["blue_setup"]
