"""Neutral JSON and Gravon's letters become records and come back; what is wrong is named with its line."""

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
    code, out, err = converted(capsys, written(tmp_path, text))
    assert (code, err) == (0, "")
    game = record.parse(out)
    assert game.game == "stratego-barrage"
    assert game.actions[-1] == ("red", "e5-e6")
    assert record.final(game).outcome is None


def test_a_record_goes_to_every_way_and_back(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first = converted(capsys, written(tmp_path, GRAVON))[1]
    for way in ("record", "neutral", "gravon"):
        code, out, _ = converted(capsys, written(tmp_path, first), "--to", way)
        assert code == 0
        assert converted(capsys, written(tmp_path, out))[1] == first
    assert converted(capsys, written(tmp_path, first), "--to", "gravon")[1] == GRAVON


def test_several_games_become_a_file_each(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    both = written(tmp_path, f"{json.dumps(GAME)}\n\n{json.dumps({**GAME, 'moves': []})}\n")
    code, out, err = converted(capsys, both)
    assert (code, out, err) == (
        2,
        "",
        f"boardumpire: {both}: 2 games; expected --into DIR, a file for each\n",
    )
    code, out, _ = converted(capsys, both, "--into", tmp_path)
    assert (code, out) == (0, f"{tmp_path}/game-1.record\n{tmp_path}/game-2.record\n")
    assert len(record.parse((tmp_path / "game-2.record").read_text()).actions) == 2
    code, _, err = converted(capsys, both, "--into", tmp_path)
    assert (code, err.split(": ")[2]) == (2, "exists already; expected a directory without it\n")
    assert len(converted(capsys, both, "--to", "neutral")[1].splitlines()) == 2
    assert converted(capsys, both, "--into", tmp_path / "new")[0] == 0
    assert "can't write: No such file" in converted(capsys, both, "--into", tmp_path / "none" / "here")[2]


def test_a_finished_game_gets_its_result_and_options_are_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    way = ["e4", "e5", "e6", "f6", "f7", "f8", "f9", "f10", "e10", "d10", "c10", "b10", "a10"]
    moves = []
    for number, (origin, target) in enumerate(pairwise(way)):
        moves += [f"{origin}-{target}", "c8-c7" if number % 2 else "c7-c8"]
    path = written(tmp_path, json.dumps({**GAME, "moves": moves[:-1]}))
    assert "(Q12)" in converted(capsys, path)[2]
    code, out, err = converted(capsys, path, "--option", "shuttle=off", "--option", 'chase="off"')
    assert (code, err) == (0, "")
    assert out.endswith("result red flag\n")
    assert 'option shuttle "off"' in out


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "no game; expected a record, JSON or Gravon's letters"),
        ("chess", 1, "'chess'; expected boardumpire-record, a JSON object, or Gravon's 100 letters"),
        ("\n{", 2, "not JSON: "),
        (json.dumps(GAME) + "\n{\n", 2, "'{' is not JSON; expected an object a line"),
        ("[3]", 1, "'3' is no game; expected an object"),
        ("[" * 100_000, 1, "nested too deeply"),
        (json.dumps(GAME) + "\n" + json.dumps({**GAME, "variant": 3}), 2, "variant is 3; expected one of"),
        (
            json.dumps(GAME) + "\n" + json.dumps({**GAME, "moves": ["a1-a2"]}),
            2,
            "action 3 of red is not allowed",
        ),
        ("A" * 99, 1, "a field of 99 letters; expected 100"),
        ("A" * 100, 1, "0 pieces of red; expected one of 40, 10, 8"),
        (GRAVON + "E4", 5, "1 squares; expected two a move, as E4 E5"),
        (GRAVON + "J4 J5", 5, "square 'J4'; expected A1 to K10 without J"),
        (GRAVON + "\n# why\nA1 A2", 7, "action 6 of blue is not allowed: stratego/"),
        ("boardumpire-record 1\ngame chess\nactions\n", 2, "unknown game 'chess'"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, line: int, message: str
) -> None:
    path = written(tmp_path, text)
    code, out, err = converted(capsys, path)
    assert (code, out) == (2, "")
    assert err.startswith(f"boardumpire: {path}:{line}: {message}")
    assert err.count("\n") == 1


def test_what_can_not_be_read_or_said_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "can't read: No such file" in converted(capsys, tmp_path / "none")[2]
    assert "can't read: Is a directory" in converted(capsys, tmp_path)[2]
    binary = tmp_path / "binary"
    binary.write_bytes(b"\n\xff")
    assert converted(capsys, binary)[2].endswith("binary:2: not UTF-8; expected a game as text\n")
    quick = written(tmp_path, "boardumpire-record 1\ngame stratego-quick-duel\nactions\n")
    assert converted(capsys, quick, "--to", "neutral")[2].startswith("boardumpire: as neutral this can't be")
    bare = written(tmp_path, "boardumpire-record 1\ngame stratego-duel\nactions\n")
    assert "no set-up of red; expected both" in converted(capsys, bare, "--to", "gravon")[2]
    assert "expected NAME=VALUE" in converted(capsys, bare, "--option", "shuttle")[2]


@pytest.mark.parametrize("name", ["human_gravon_classic", "human_gravon_barrage", "human_gravon_duel"])
def test_recorded_games_go_through_gravons_letters_and_come_back(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, games_dir: Path, name: str
) -> None:
    game = (games_dir / f"{name}.jsonl").read_text().splitlines()[0]
    first = converted(capsys, written(tmp_path, game))[1]
    letters = converted(capsys, written(tmp_path, game), "--to", "gravon")[1]
    assert converted(capsys, written(tmp_path, letters))[1] == first
    back = json.loads(converted(capsys, written(tmp_path, first), "--to", "neutral")[1])
    assert all(back[key] == json.loads(game)[key] for key in ("variant", "red_setup", "blue_setup", "moves"))
