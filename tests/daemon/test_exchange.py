"""Neutral JSON and Gravon's letters become records and come back; every game is judged and reported."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from boardrules import record
from boardumpire import cli

GAME = {
    "variant": "barrage",
    "red_setup": ["F.........", "B.........", "S.........", "2239M....."],
    "blue_setup": ["2239M.....", "S.........", "B.........", "F........."],
    "moves": ["e4-e5", "e7-e6", "e5-e6"],
}
GRAVON = (
    "MAAAAAAAAABAAAAAAAAACAAAAAAAAADDEKLAAAAAAA__AA__AAAA__AA__AAPPQWXAAAAAOAAAAAAAAANAAAAAAAAAYAAAAAAAAA"
    "\nE4 E5\nE7 E6\nE5 E6\n"
)


def converted(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    code = cli.main(["record", "convert", *map(str, words)])
    return code, *capsys.readouterr()


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "game"
    path.write_text(text)
    return path


@pytest.mark.parametrize("text", [json.dumps(GAME), json.dumps(GAME, indent=1), json.dumps([GAME]), GRAVON])
def test_a_game_becomes_a_record_that_plays(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str
) -> None:
    path = written(tmp_path, text)
    code, out, err = converted(capsys, path)
    assert code == 0
    assert err == (
        f"{path}:1: stratego-barrage, 5 actions: by the moves the game goes on: nothing stated\n"
        f"{path}: 1 game: 1 nothing stated\n"
    )
    game = record.parse(out)
    assert game.game == "stratego-barrage"
    assert game.actions[-1] == ("red", "e5-e6")
    assert record.final_state(game).outcome is None


def test_a_record_goes_to_every_way_and_back(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first = converted(capsys, written(tmp_path, GRAVON))[1]
    for way in ("record", "neutral", "gravon"):
        code, out, _ = converted(capsys, written(tmp_path, first), "--to", way)
        assert code == 0
        assert converted(capsys, written(tmp_path, out))[1] == first
    assert converted(capsys, written(tmp_path, first), "--to", "gravon")[1] == GRAVON


def test_several_games_become_one_file_or_a_file_each(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    both = written(tmp_path, f"{json.dumps(GAME)}\n\n{json.dumps({**GAME, 'moves': []})}\n")
    code, out, err = converted(capsys, both)
    assert code == 0
    assert [len(game.actions) for game in record.parse_all(out)] == [5, 2]
    assert err.splitlines()[-1] == f"{both}: 2 games: 2 nothing stated"
    for way in ("record", "neutral", "gravon"):
        there = converted(capsys, written(tmp_path, out), "--to", way)[1]
        assert converted(capsys, written(tmp_path, there))[1] == out
    both.write_text(out)
    code, told, _ = converted(capsys, both, "--into", tmp_path)
    assert (code, told) == (0, f"{tmp_path}/game-1.record\n{tmp_path}/game-2.record\n")
    assert len(record.parse((tmp_path / "game-2.record").read_text()).actions) == 2
    code, _, err = converted(capsys, both, "--into", tmp_path)
    assert (code, err.split(": ")[2]) == (2, "it exists already; try another folder\n")
    assert len(converted(capsys, both, "--to", "neutral")[1].splitlines()) == 2
    assert converted(capsys, both, "--into", tmp_path / "new")[0] == 0
    assert "can't write: No such file" in converted(capsys, both, "--into", tmp_path / "none" / "here")[2]


def test_actions_that_were_typed_otherwise_are_written_as_the_rules_write_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    first = converted(capsys, written(tmp_path, json.dumps(GAME)))[1]
    typed = written(tmp_path, first.replace("red e4-e5", "red E4 - E5"))
    assert converted(capsys, typed)[1] == first
    assert json.loads(converted(capsys, typed, "--to", "neutral")[1])["moves"] == GAME["moves"]


def test_one_bad_game_hides_no_other(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bad = json.dumps({**GAME, "moves": ["e4-e5", "e7-e9"]})
    text = "\n".join((json.dumps(GAME), bad, "{", json.dumps({**GAME, "variant": 3}), json.dumps(GAME)))
    path = written(tmp_path, text)
    code, out, err = converted(capsys, path)
    assert (code, out) == (1, "")
    lines = [line.removeprefix(f"{path}") for line in err.splitlines()]
    assert lines[0].startswith(":1: stratego-barrage, 5 actions: ")
    assert lines[1].startswith(":2: BAD: action 4 of blue is not allowed: stratego/")
    assert lines[2].startswith(":3: BAD: not JSON: ")
    assert lines[3].startswith(":4: BAD: variant is 3; try one of classic, ")
    assert lines[5] == ": 5 games: 2 nothing stated, 3 bad; nothing written (--skip leaves bad games out)"
    code, out, err = converted(capsys, path, "--skip")
    assert code == 1
    assert len(record.parse_all(out)) == 2
    assert err.endswith(": 5 games: 2 nothing stated, 3 bad; the bad ones are left out\n")
    code, out, _ = converted(capsys, path, "--skip", "--into", tmp_path / "new")
    assert (code, out) == (1, f"{tmp_path}/new/game-1.record\n{tmp_path}/new/game-5.record\n")


def test_what_is_stated_is_held_against_the_moves(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    armies = {
        "red_setup": ["F.........", "B.........", "S.........", "2.39M...2."],
        "blue_setup": ["...M.....F", "S..932....", "B.........", "2........."],
    }
    won = {"variant": "barrage", **armies, "moves": ["i4-j4", "d7-e7", "j4-j7"]}
    games = [
        {**won, "result": {"winner": "red", "reason": "flag captured"}},
        {**won, "result": {"winner": "blue", "reason": "flag captured"}},
        {**won, "result": {"winner": "red", "reason": "flag"}, "outcomes": ["move", "move", "win"]},
        {**won, "result": {"winner": "red", "reason": "flag"}, "outcomes": ["move", "win", "win"]},
        {**GAME, "result": {"winner": "red", "reason": "forfeit"}},
    ]
    path = written(tmp_path, "\n".join(map(json.dumps, games)))
    code, out, err = converted(capsys, path)
    assert code == 1, "a game differs"
    start = "stratego-barrage, 5 actions: "
    assert [line.partition(f"{path}:")[2] for line in err.splitlines()] == [
        f"1: {start}stated red (flag captured), by the moves red (flag): as stated",
        f"2: {start}stated blue (flag captured), by the moves red (flag): DIFFERS",
        f"3: {start}stated red (flag), by the moves red (flag): as stated",
        f"4: {start}stated red (flag), by the moves red (flag): DIFFERS; "
        'move 2, d7-e7: outcomes say "win"; the rules say "move"',
        f"5: {start}stated red (forfeit), by the moves the game goes on: ends otherwise",
        " 5 games: 2 as stated, 2 DIFFERS, 1 ends otherwise",
    ]
    read = record.parse_all(out)
    assert [game.result and game.result.winner for game in read] == ["red"] * 4 + [None]
    assert [game.stated and game.stated.winner for game in read] == ["red", "blue", None, None, "red"]
    again = converted(capsys, written(tmp_path, out))
    assert again[:2] == (1, out), "records say the same of themselves"
    back = [json.loads(line) for line in converted(capsys, path, "--to", "neutral")[1].splitlines()]
    assert back == games


def test_set_ups_alone_say_nothing_of_an_end(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps({**GAME, "moves": [], "result": {"winner": "red", "reason": "flag"}}))
    code, _, err = converted(capsys, path)
    assert code == 0
    assert err.endswith("game: 1 no moves\n")


def test_what_a_notation_has_no_words_for_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first = converted(capsys, written(tmp_path, json.dumps({**GAME, "event": "club"})))[1]
    made = f"commitment 1 red sha256 {'0' * 64} sealed\n"
    path = written(tmp_path, first + made)
    assert "left out" not in converted(capsys, path)[2]
    assert converted(capsys, path)[1] == first + made, "a record loses nothing"
    assert "; left out: 1 commitment\n" in converted(capsys, path, "--to", "neutral")[2]
    assert "; left out: event, 1 commitment\n" in converted(capsys, path, "--to", "gravon")[2]


def test_a_finished_game_gets_its_result_and_options_are_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    way = ["e4", "e5", "e6", "f6", "f7", "f8", "f9", "f10", "e10", "d10", "c10", "b10", "a10"]
    moves = []
    for number, (origin, target) in enumerate(pairwise(way)):
        moves += [f"{origin}-{target}", "c8-c7" if number % 2 else "c7-c8"]
    path = written(tmp_path, json.dumps({**GAME, "moves": moves[:-1]}))
    assert "(Q12)" in converted(capsys, path)[2]
    code, out, _ = converted(capsys, path, "--option", "shuttle=off", "--option", 'chase="off"')
    assert code == 0
    assert out.endswith("result red flag\n")
    assert 'option shuttle "off"' in out


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (
            "",
            1,
            "no game; try boardumpire-record 1, a JSON object, Gravon's 100 letters, ",
        ),
        (
            "# x\nchess",
            2,
            "'chess'; try boardumpire-record 1, a JSON object, Gravon's 100 letters, ",
        ),
        ("\n{", 2, "not JSON: "),
        (json.dumps(GAME) + "\n{\n", 2, "not JSON: "),
        ("[]", 1, "no game in it"),
        ("[3]", 1, "3 is no game; try an object"),
        ("[" * 100_000, 1, "nested too deeply"),
        (json.dumps(GAME) + "\n" + json.dumps({**GAME, "variant": 3}), 2, "variant is 3; try one of"),
        (
            json.dumps(GAME) + "\n" + json.dumps({**GAME, "moves": ["a1-a2"]}),
            2,
            "action 3 of red is not allowed",
        ),
        (json.dumps(GAME) + "\n" + '{"variant": "duel", "variant": "duel"}', 2, "the key 'variant' twice"),
        (json.dumps({**GAME, "options": {"shuttle": 4}}), 1, "stratego-barrage: option shuttle is 4; try"),
        ("A" * 99, 1, "a field of 99 letters; try 100"),
        ("A" * 100, 1, "0 pieces of red; try one of 40, 10, 8"),
        (GRAVON + "E4", 5, "1 squares; try two a move, as E4 E5"),
        (GRAVON + "J4 J5", 5, "square 'J4'; try A1 to K10 without J"),
        (GRAVON + "\n# why\nA1 A2", 7, "action 6 of blue is not allowed: stratego/"),
        ("boardumpire-record 1\ngame chess\nactions\n", 2, "unknown game 'chess'"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, line: int, message: str
) -> None:
    path = written(tmp_path, text)
    code, out, err = converted(capsys, path)
    assert (code, out) == (1, "")
    (bad,) = [told for told in err.splitlines() if ": BAD: " in told]
    assert bad.startswith(f"{path}:{line}: BAD: {message}")


def test_what_can_not_be_carried_out_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bare = written(tmp_path, "boardumpire-record 1\ngame stratego-duel\nactions\n")
    binary = tmp_path / "binary"
    binary.write_bytes(b"\n\xff")
    wrong: list[tuple[list[str | Path], str]] = [
        ([tmp_path / "none"], "can't read: No such file or directory; try a file of games\n"),
        ([tmp_path], "can't read: Is a directory; try a file of games\n"),
        ([binary], "binary:2: not UTF-8; try a file of text\n"),
        ([bare, "--option", "shuttle"], "try NAME=VALUE\n"),
        (
            [bare, "--to", "chess"],
            "--to 'chess': no such notation; try one of record, neutral, gravon, gravon-xml, gravon-gsn\n",
        ),
    ]
    for words, message in wrong:
        code, out, err = converted(capsys, *words)
        assert (code, out) == (2, "")
        assert err.endswith(message)
        assert err.count("\n") == 1
    assert "no set-up of red; try both" in converted(capsys, bare, "--to", "gravon")[2]
    quick = written(tmp_path, "boardumpire-record 1\ngame stratego-quick-duel\nactions\n")
    code, out, err = converted(capsys, quick, "--to", "gravon")
    assert (code, out) == (1, "")
    assert ":1: BAD: as gravon this can't be written: stratego-quick-duel; try one of" in err


@pytest.mark.parametrize("name", ["human_gravon_classic", "human_gravon_barrage", "human_gravon_duel"])
def test_recorded_games_go_through_gravons_letters_and_come_back(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, games_dir: Path, name: str
) -> None:
    game = (games_dir / f"{name}.jsonl").read_text().splitlines()[0]
    first = converted(capsys, written(tmp_path, game))[1]
    letters = converted(capsys, written(tmp_path, game), "--to", "gravon")[1]
    back = record.parse(converted(capsys, written(tmp_path, letters))[1])
    whole = record.parse(first)
    assert (back.game, back.actions, back.result) == (whole.game, whole.actions, whole.result)
    back = json.loads(converted(capsys, written(tmp_path, first), "--to", "neutral")[1])
    assert all(back[key] == json.loads(game)[key] for key in ("variant", "red_setup", "blue_setup", "moves"))
