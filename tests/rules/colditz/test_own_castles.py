"""Castles and decks of one's own, as options of a game: their whole texts, so that a journal has them."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

import boardrules
from boardrules import given
from boardrules.colditz.datafile import SHIPPED
from boardrules.core import OptionError, State
from boardrules.record import parse, record_of, write

GAME = "escape-from-colditz"
CASTLE = (SHIPPED / "castle.toml").read_text(encoding="utf-8")
CARDS = (SHIPPED / "cards.toml").read_text(encoding="utf-8")
MINE = CASTLE.replace('name = "castle"', 'name = "mine"', 1).replace("a37", "zz37")
DECKS = CARDS.replace('name = "castle"', 'name = "my cards"', 1).replace("staff-car", "lorry")


def begun(**options: Any) -> State:
    return boardrules.new(GAME, options)


def circles(state: State) -> set[str]:
    return set(state.scenery()["circles"])


def test_owners_play_their_own() -> None:
    state = begun(board=MINE, cards=DECKS)
    assert {"zz37", "a36"} <= circles(state)
    assert "a37" not in circles(state)
    assert "lorry" in state.scenery()["cards"]
    assert "staff-car" not in state.scenery()["cards"]


def test_what_the_game_brings_is_called_by_its_name() -> None:
    plain = begun()
    assert (plain.options["board"], plain.options["cards"]) == ("castle", "castle")
    assert begun(board=CASTLE.replace("\n", "\r\n"), cards=CARDS) == plain


def test_one_name_for_two_castles_mixes_nothing_up() -> None:
    """What somebody mends in the own file counts in the next game, whatever the castle is called."""
    other = MINE.replace("zz37", "yy37")
    assert "zz37" in circles(begun(board=MINE))
    assert "yy37" in circles(begun(board=other))
    assert begun(board=MINE) != begun(board=other)
    assert "lorry" in begun(cards=DECKS).scenery()["cards"]
    assert "cart" in begun(cards=DECKS.replace("lorry", "cart")).scenery()["cards"]


def test_a_record_holds_the_castle_and_the_decks() -> None:
    state, done = begun(board=MINE, cards=DECKS, players=2), []
    for _ in range(9):
        (seat,) = state.seats_to_act()
        legal = [action for action, _ in state.chance()] or list(state.legal_actions(seat))
        done.append((legal[0].seat, str(legal[0])))
        state = state.apply(legal[0])[0]
    text = write(record_of(state, tuple(done)))
    again = parse(text)
    assert json.loads(json.dumps(dict(again.options)))["board"] == MINE
    back = boardrules.new(GAME, again.options)
    for seat, words in again.actions:
        back = back.apply(back.parse(words, seat))[0]
    assert back == state
    assert pickle.loads(pickle.dumps(state)) == state


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"board": "mine"}, "option board is 'mine'; expected castle, or the whole text of a file"),
        ({"cards": 7}, "option cards is 7; expected castle, or the whole text of a file"),
        (
            {"board": MINE.replace('zz37 = "', 'zz37 = "x ')},
            "option board:51: [circles] zz37: 'x 495 405 inner appel'; expected",
        ),
        ({"board": "x\n" * 9000}, "option board: Expected '=' after a key"),
        ({"board": "format = " + "[" * 9999 + "\n"}, "option board: "),
        (
            {"cards": CARDS.replace('tunnel = "chapel"', 'tunnel = "cellar"')},
            "whose card tunnel-chapel has the tunnel 'cellar'; expected one of chapel",
        ),
    ],
)
def test_a_wrong_one_is_refused_by_its_option_and_line(options: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError) as caught:
        begun(**options)
    assert caught.value.option == next(iter(options))
    assert said in str(caught.value)
    assert len(str(caught.value)) < 400


def test_options_of_the_command_line_may_be_files(tmp_path: Any) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + MINE.replace("\n", "\r\n").encode())
    found = given.options([f"board=@{path}", "players=2", "nations=dutch", "search=circles"])
    assert found == {"board": MINE, "players": 2, "nations": "dutch", "search": "circles"}
    assert begun(**found).seats == ("security", "dutch")
    for name, said in (("none.toml", "No such file or directory"), ("", "Is a directory")):
        with pytest.raises(OptionError, match=said) as caught:
            given.options([f"board=@{tmp_path / name}"])
        assert str(caught.value).startswith(f"--option board: {tmp_path / name}: ")


@pytest.mark.parametrize("nations", ["french,polish", " french , polish ", ["french", "polish"]])
def test_nations_are_named_with_commas_between(nations: Any) -> None:
    assert begun(nations=nations).seats == ("security", "french", "polish")


@pytest.mark.parametrize("nations", ["french", "french,french", "french,swiss", "", ["french", 3]])
def test_wrong_nations_are_refused(nations: Any) -> None:
    with pytest.raises(OptionError, match="as a list or with commas between"):
        begun(nations=nations)
