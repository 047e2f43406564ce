"""Games from elsewhere: the neutral format and Gravon's letters and squares."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardrules import record
from boardrules.stratego import formats
from boardrules.stratego.board import board
from boardrules.stratego.setup import draw_setup

GAME = {
    "variant": "barrage",
    "red_setup": ["F.........", "B.........", "S.........", "2239M....."],
    "blue_setup": ["2239M.....", "S.........", "B.........", "F........."],
    "moves": ["e4-e5", "e7-e6"],
}
LAKES = sorted(board("10x10").spaces(board("10x10").lakes))


def test_a_neutral_game_becomes_a_record_and_back() -> None:
    one = formats.record_from_neutral(GAME)
    assert one.game == "stratego-barrage"
    assert one.actions[0] == ("red", "setup a1=F a2=B a3=S a4=2 b4=2 c4=3 d4=9 e4=10")
    assert one.actions[3] == ("blue", "e7-e6")
    assert record.final(one).seats_to_act() == ("red",)
    back = formats.neutral_from_record(one)
    assert {key: back[key] for key in GAME} == GAME
    assert back["result"] is None


@pytest.mark.parametrize("name", ["human_gravon_classic", "human_gravon_barrage", "human_gravon_duel"])
def test_recorded_games_go_there_and_back(games_dir: Path, name: str) -> None:
    for line in (games_dir / f"{name}.jsonl").read_text().splitlines():
        game = json.loads(line)
        back = formats.neutral_from_record(formats.record_from_neutral(game))
        assert all(back[key] == game[key] for key in ("variant", "red_setup", "blue_setup", "moves"))


def test_a_finished_record_keeps_its_result_and_its_words_are_left_out() -> None:
    one = formats.record_from_neutral(GAME)
    over = one._replace(actions=(*one.actions, ("red", "resign")))
    state = record.final(over)
    ended = over._replace(result=state.outcome)
    back = formats.neutral_from_record(ended)
    assert back["result"] == {"winner": "blue", "reason": "resignation"}
    assert back["moves"] == GAME["moves"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variant": "custom"}, "variant is 'custom'; expected one of classic, barrage, duel"),
        ({"red_setup": ["F"]}, "set-up of red: expected 4 rows of 10 signs"),
        ({"blue_setup": ["X........."] + ["."* 10] * 3}, "set-up of blue: 'X' on a7; expected one of"),
        ({"moves": "a4-a5"}, "moves: expected a list like a4-a5"),
        ({"moves": [5]}, "moves: expected a list like a4-a5"),
    ],
)  # fmt: skip
def test_a_wrong_game_says_where_and_what_was_expected(change: dict[str, Any], message: str) -> None:
    with pytest.raises(formats.FormatError) as caught:
        formats.record_from_neutral({**GAME, **change})
    assert str(caught.value).startswith(message)


def test_what_the_neutral_format_cannot_say_is_refused() -> None:
    one = formats.record_from_neutral(GAME)
    with pytest.raises(formats.FormatError, match="stratego-quick-duel: expected one of stratego-classic"):
        formats.neutral_from_record(one._replace(game="stratego-quick-duel"))
    with pytest.raises(formats.FormatError, match="a take-back"):
        formats.neutral_from_record(one._replace(actions=(*one.actions, ("red", "agree-take-back"))))


@pytest.mark.parametrize("game", ["stratego-classic", "stratego-barrage", "stratego-duel"])
def test_gravons_letters_go_there_and_back(game: str) -> None:
    state: Any = boardrules.new(game)
    setups = tuple(draw_setup(state.rules, seat, random.Random(4)) for seat in ("red", "blue"))
    field = formats.gravon_from_setups(setups, LAKES)
    assert len(field) == 100
    assert field[42:44] + field[46:48] == "____"
    assert formats.setups_from_gravon(field) == setups


def test_gravons_letters_by_example() -> None:
    field = "MB" + "A" * 40 + "__AA__AAAA__AA__AA" + "A" * 38 + "YN"
    red, blue = formats.setups_from_gravon(field)
    assert str(red) == "setup a1=F b1=B"
    assert str(blue) == "setup i10=F j10=B"
    with pytest.raises(formats.FormatError, match="a field of 3 letters; expected 100"):
        formats.setups_from_gravon("ABC")
    with pytest.raises(formats.FormatError, match="letter 'Z' on b1; expected A to Y"):
        formats.setups_from_gravon("MZ" + field[2:])


def test_gravons_squares_leave_out_the_letter_j() -> None:
    assert formats.move_from_gravon("I4", "K4") == "i4-j4"
    assert formats.move_to_gravon("i4-j10") == ("I4", "K10")
    for name in board("10x10").names:
        source, target = formats.move_to_gravon(f"{name}-a1")
        assert formats.move_from_gravon(source, target) == f"{name}-a1"
    for wrong in ("J4", "L1", "A11", "A0", "", "A"):
        with pytest.raises(formats.FormatError, match="expected A1 to K10 without J"):
            formats.move_from_gravon(wrong, "A1")
    for wrong in ("k1-a1", "a1", "a0-a1"):
        with pytest.raises(formats.FormatError, match="expected"):
            formats.move_to_gravon(wrong)


def test_a_field_from_the_archive_is_the_recorded_set_up(games_dir: Path) -> None:
    field = (
        "AAAAAAAALBAAADAAAADMAAAAAAABAEAAAAAAACKEAA__AA__AAAA__AA__AAAAAAAAAOQWAAAAAAAXPPAAAAAAAAQNAAAAAAAANY"
    )
    lines = (games_dir / "human_gravon_duel.jsonl").read_text().splitlines()
    game = next(game for game in map(json.loads, lines) if game["id"] == "duell-2014.10-2243")
    red, blue = formats.setups_from_gravon(field)
    assert formats.rows_from_setup(red) == game["red_setup"]
    assert formats.rows_from_setup(blue) == game["blue_setup"]
