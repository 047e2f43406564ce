"""Castles and decks of one's own, as options of a game: their whole texts, so that a journal has them."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardrules import option_words
from boardrules.colditz.__main__ import main
from boardrules.colditz.castle import check
from boardrules.colditz.castle.board import CastleBoard
from boardrules.colditz.castle.datafile import SHIPPED_FOLDER, DataError
from boardrules.colditz.castle.plan import read_plan
from boardrules.colditz.deck.cards import read_cards
from boardrules.core import OptionError, State
from boardrules.record import parse, record_of, write
from rules.colditz.invariants import check as check_state
from rules.colditz.scene import after, at, scene
from rules.ids import rule

GAME = "escape-from-colditz"
CASTLE = (SHIPPED_FOLDER / "castle.toml").read_text(encoding="utf-8")
CARDS = (SHIPPED_FOLDER / "cards.toml").read_text(encoding="utf-8")
MINE = CASTLE.replace('name = "castle"', 'name = "mine"', 1).replace("a37", "zz37")
DECKS = CARDS.replace('name = "castle"', 'name = "my cards"', 1).replace("staff-car", "lorry")


def begun(**options: Any) -> State:
    return boardrules.new(GAME, options)


def circles(state: State) -> set[str]:
    return set(state.printed_facts()["circles"])


def test_owners_play_their_own() -> None:
    state = begun(board=MINE, cards=DECKS)
    assert {"zz37", "a36"} <= circles(state)
    assert "a37" not in circles(state)
    assert "lorry" in state.printed_facts()["cards"]
    assert "staff-car" not in state.printed_facts()["cards"]


@rule("R132")
def test_men_come_outside_by_a_tunnel_that_ends_there() -> None:
    beyond = CASTLE.replace("n28 n7 n6 n5", "n28 n7 n6 b9")
    state = scene(american="chapel/1 chapel/6", tunnels={"chapel": 1}, points=9, options={"board": beyond})
    state = after(state, "american chapel/6-b8")
    assert at(state, "american") == ["b8", "chapel/1"]
    check_state(state)


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
    assert "lorry" in begun(cards=DECKS).printed_facts()["cards"]
    assert "cart" in begun(cards=DECKS.replace("lorry", "cart")).printed_facts()["cards"]


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
        ({"board": "mine"}, "option board is 'mine'; try castle, or the whole text of a file"),
        ({"cards": 7}, "option cards is 7; try castle, or the whole text of a file"),
        (
            {"board": MINE.replace('zz37 = "', 'zz37 = "x ')},
            "option board:51: [circles] zz37: 'x 495 405 inner appel'; try",
        ),
        ({"board": "x\n" * 9000}, "option board: Expected '=' after a key"),
        ({"board": "format = " + "[" * 9999 + "\n"}, "option board: "),
        (
            {"cards": CARDS.replace('tunnel = "chapel"', 'tunnel = "cellar"')},
            "whose card tunnel-chapel has the tunnel 'cellar'; try one of chapel",
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
    found = option_words.parse_options([f"board=@{path}", "players=2", "nations=dutch", "search=circles"])
    assert found == {"board": MINE, "players": 2, "nations": "dutch", "search": "circles"}
    assert begun(**found).seats == ("security", "dutch")
    for name, said in (("none.toml", "No such file or directory"), ("", "Is a directory")):
        with pytest.raises(OptionError, match=said) as caught:
            option_words.parse_options([f"board=@{tmp_path / name}"])
        assert str(caught.value).startswith(f"--option board: {tmp_path / name}: ")


@pytest.mark.parametrize("nations", ["french,polish", " french , polish ", ["french", "polish"]])
def test_nations_are_named_with_commas_between(nations: Any) -> None:
    assert begun(nations=nations).seats == ("security", "french", "polish")


@pytest.mark.parametrize("nations", ["french", "french,french", "french,swiss", "", ["french", 3]])
def test_wrong_nations_are_refused(nations: Any) -> None:
    with pytest.raises(OptionError, match="as a list or with commas between"):
        begun(nations=nations)


def changed(*changes: tuple[str, str]) -> CastleBoard:
    text = CASTLE
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return CastleBoard(read_plan(text, "my.toml"))


CELLS = "innercells = { places = 12, box = [555, 465, 4, 30]"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"t1 b1",', '"t1 b1 a1",', "[links] ways: a1 lies inner, b1 outside; try a door"),
        ('"n16 n34",', '"n16 s34",', "[links] ways: n16 and s34 are 514 mm apart; try at most 150"),
        ('"t1 b1",', '"t1 b1 b1",', "[links] ways: b1 is its own neighbour"),
        ('"n4 b8"', '"n4 t7"', "[links] wires: n4 and t7 are"),
        (CELLS, CELLS.replace("555, 465", "375, 255"), "[places] innercells: is 0 mm from a1; try 25"),
        (CELLS, CELLS.replace("4, 30]", "4, 20]"), "[places] innercells: is 20 mm from innercells; try"),
        (CELLS, CELLS.replace("555, 465", "855, 465"), "[places] innercells: lies off the sheet"),
        ("size = [900, 700]", "size = [901, 700]", "the sheet has 901 x 700 mm; try at most 900 x 700"),
        ("office = { places = 16", "office = { places = 3", "[places] office: has room for 3; try 16"),
        ("barracks = { places = 16", "barracks = { places = 15", "[places] barracks: has room for 15;"),
        ("places = 12, box", "places = 11, box", "[places] outercells: all cells have room for 18;"),
    ],
)  # fmt: skip
def test_more_that_nobody_could_play_on_is_found(old: str, new: str, said: str) -> None:
    assert any(said in line for line in check.problem_lines(changed((old, new)))), said


EXCLUDED = {
    "walkway": "a walkway", "safe": "a Safe circle", "post": "a guard post",
    "searchlight": "a searchlight", "door": "a door", "inspection": "an inspection point",
    "target": "a Target", "chapel": "in a room",
}  # fmt: skip


@pytest.mark.parametrize(
    ("circle", "kinds", "what"),
    [
        ('c3 = "375 225 inner post', "walkway safe chapel", "a guard post"),
        ('a1 = "375 255 inner appel', "post searchlight door inspection chapel", "an Appel circle"),
        ('t1 = "15 15 outside target', "post searchlight walkway safe door inspection", "a Target"),
        ('e30 = "735 435 outer car', "searchlight safe door inspection", "the Staff Car's circle"),
        ('d7 = "855 405 outside', "searchlight safe door inspection target", "the Staff Car's circle"),
        ('b8 = "225 45 outside', "door inspection target", "an end of a drop or of the wire"),
    ],
)
def test_kinds_that_exclude_each_other_on_one_circle_are_found(circle: str, kinds: str, what: str) -> None:
    """Where pawns are put they can stay, and where they come by other means they needn't pay."""
    name = circle.split()[0]
    for kind in kinds.split():
        lines = check.problem_lines(changed((circle, f"{circle} {kind}")))
        said = f"[circles] {name}: is {what} and {EXCLUDED[kind]}; try one of the two"
        assert any(said in line for line in lines), (kind, lines)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("wires = [", 'wires = ["n4 b8", ', "[links] wires: n4 and b8 are a pair twice"),
        ("drops60 = [", 'drops60 = ["office2 n27", ', "[links] drops30: office2 and n27 are a pair twice"),
        ("wires = [", 'wires = ["office2 n27", ', "[links] wires: office2 and n27 are a pair twice"),
        ("wires = [", 'wires = ["b8 n4", ', "[links] wires: b8 and n4 are a pair twice"),
        (
            'from = "e30"',
            'from = "n6"',
            "[circles] n6: is the Staff Car's circle and a tunnel's; try one",
        ),
    ],
)
def test_pairs_and_places_that_are_two_things_are_found(old: str, new: str, said: str) -> None:
    lines = check.problem_lines(changed((old, new)))
    assert any(said in line for line in lines), lines


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([('chapel = "chapel3', 'attic = "chapel3')], "[tunnels] attic: is no room; try one of"),
        ([(CELLS, CELLS.replace("4, 30]", "0, 30]"))], "[places] innercells: the box is [555, 465, 0, 30];"),
        ([(CELLS, CELLS.replace("4, 30]", "4, 0]"))], "[places] innercells: the box is [555, 465, 4, 0];"),
        ([(CELLS, CELLS.replace("12", "12000"))], "[places] innercells: has 12000 places; try at most"),
        ([('name = "castle"', 'name = ""')], "''; try a name of one line, 1 to 80 letters"),
        ([('name = "castle"', 'name = "a\\nb"')], "try a name of one line, 1 to 80 letters"),
        ([('a1 = "375', 'at = "375')], "[circles] at: is a word of actions; try another name"),
        ([('a1 = "375', 'dutch = "375')], "[circles] dutch: is a word of actions; try another name"),
        ([('a1 = "375', 'away = "375')], "[circles] away: is a word of actions; try another name"),
        ([('a1 = "375', '"a-1" = "375')], "[circles] a-1: is no name for a circle; try small"),
        ([('a1 = "375', '"A1" = "375')], "[circles] A1: is no name for a circle; try small"),
        ([('a1 = "375', 'a1 = "²')], "[circles] a1: '² 255 inner appel'; try"),
        ([('a1 = "375', f'a1 = "{"9" * 5000}')], "[circles] a1: '9"),
        ([('chapel = "rope"', '"the chapel" = "rope"')], "[rooms] the chapel: is no name for a room;"),
        ([('2 = ["a8', '9 = ["a8')], "[appel] 9: is no number of players; try 2 to 6"),
    ],
)  # fmt: skip
def test_what_can_not_be_read_is_told_with_its_line(changes: list[tuple[str, str]], said: str) -> None:
    with pytest.raises(DataError) as caught:
        changed(*changes)
    assert str(caught.value).startswith("my.toml:")
    assert said in str(caught.value)


@pytest.mark.parametrize("command", ["check", "draw"])
def test_a_wrong_board_is_told_by_every_command(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    for old, new in (
        ("4, 30]", "0, 30]"),
        ('chapel = "chapel3', 'attic = "chapel3'),
        ('"t1 b1",', '"t1 b1 a1",'),
    ):
        path.write_text(CASTLE.replace(old, new, 1), encoding="utf-8")
        assert main([command, str(path)]) == 1
        assert capsys.readouterr().err.startswith(f"{path}:")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "Appel"', 'title = ""', "[security.appel] title: ''; try a title of one line"),
        ("[opportunity.staff-car]", '[opportunity."staff car"]', "'staff car' is no card; try a"),
        ("[opportunity.staff-car]", "[opportunity.appel]", "appel is in both decks; try"),
        ("points = 5", "points = 100000", "points: 100000; try a whole number, at most 60"),
        ("[3, 4, 5, 6, 7]", "[3, 4, 5, 6, 99999]", "try 5 whole numbers from 1 to 60"),
        ('name = "castle"', 'name = " "', "' '; try a name of one line"),
    ],
)  # fmt: skip
def test_decks_that_nobody_could_play_with_are_refused(old: str, new: str, said: str) -> None:
    assert old in CARDS
    with pytest.raises(DataError) as caught:
        read_cards(CARDS.replace(old, new, 1), "deck.toml")
    assert said in str(caught.value)
