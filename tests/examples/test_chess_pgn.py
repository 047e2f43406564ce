"""Chess as PGN: games of elsewhere are replayed, and what is written reads back without loss."""

from __future__ import annotations

import contextlib
import io
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

import boardrules
from boardrules import record, registry
from boardrules.core import CLOCK, State
from boardrules.notations import ImportedGame, Notation, UnreadableGame
from boardrules.record import Record, RecordComment, StatedResult

pytestmark = pytest.mark.usefixtures("games")

OPERA = """\
[Event "Paris"]
[Site "Paris FRA"]
[Date "1858.??.??"]
[Round "?"]
[White "Paul Morphy"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]
[ECO "C41"]

1. e4 e5 2. Nf3 d6 {Philidor's defence} 3. d4 Bg4?! 4. dxe5 Bxf3 (4... dxe5 5. Qxd8+
Kxd8 {and White is a pawn up}) 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7
16. Qb8+ Nxb8 17. Rd8# 1-0
"""
BAD = '[Event "A bad one"]\n[Result "*"]\n\n1. e4 e5\n2. Kf3 *\n'
DRAWN = '[White "A"]\n[Result "1/2-1/2"]\n\n1. Nf3 Nf6 1/2-1/2\n'


@pytest.fixture
def pgn(games: None) -> Notation:
    return next(each for each in registry.notations() if each.name == "pgn")


def read(pgn: Notation, text: str) -> list[ImportedGame | UnreadableGame]:
    return list(pgn.read(text, {}))


def one(pgn: Notation, text: str) -> Record:
    (found,) = read(pgn, text)
    assert isinstance(found, ImportedGame), found
    return found.record


def test_a_famous_game_is_replayed_to_its_mate(pgn: Notation) -> None:
    game = one(pgn, OPERA)
    state = record.final_state(game)
    assert state.outcome == ("white", "checkmate")
    assert (game.event, game.place, game.date) == ("Paris", "Paris FRA", "1858.??.??")
    assert game.players == {"white": "Paul Morphy", "black": "Duke Karl / Count Isouard"}
    assert (game.stated, game.tags) == (StatedResult("white", ""), {"ECO": "C41"})
    assert [comment.text for comment in game.comments] == [
        "Philidor's defence", "$6", "(dxe5 Qxd8+ Kxd8 [and White is a pawn up])",
    ]  # fmt: skip


@pytest.mark.parametrize("between", ["\n", "", "\n\n", "\n\n\n"])
def test_games_without_moves_are_kept_apart(pgn: Notation, between: str) -> None:
    tags = [f'[Event "{n}"]\n[White "W{n}"]\n[Result "1-0"]\n' for n in range(605)]
    found = read(pgn, between.join(tags) + f"\n{DRAWN}")
    assert len(found) == 606
    for number, each in enumerate(found[:605]):
        assert isinstance(each, ImportedGame), each
        assert each.record.players == {"white": f"W{number}"}
        assert each.record.stated == StatedResult("white", "")
        assert each.record.actions == ()
    assert isinstance(found[605], ImportedGame)
    assert len(found[605].record.actions) == 2


def test_a_tag_that_comes_twice_is_named(pgn: Notation) -> None:
    twice, last = read(pgn, f'[Event "e"]\n[White "a"]\n[White "b"]\n\n1. e4 *\n\n{DRAWN}')
    assert twice == UnreadableGame(3, "the tag White comes twice; try each once")
    assert isinstance(last, ImportedGame)


def test_one_empty_line_among_tags_ends_no_game(pgn: Notation) -> None:
    game = one(pgn, '[Event "e"]\n[White "a"]\n\n[Black "b"]\n\n1. e4 *\n')
    assert game.players == {"white": "a", "black": "b"}
    assert len(game.actions) == 1


def test_a_variation_that_can_not_be_read_is_named(environment: Mapping[str, str], tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text('[White "a"]\n[Result "*"]\n\n1. e4 (1. d4 Qxh8) e5 *\n')
    command = [Path(sys.executable).with_name("boardumpire"), "record", "convert", path]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert told.returncode == 1
    assert f"{path}:4: BAD: illegal san: 'Qxh8'" in told.stderr
    assert "in a variation; try a move of chess" in told.stderr


def test_tags_without_moves_are_told_by_line(environment: Mapping[str, str], tmp_path: Path) -> None:
    """Neither joined with the next game nor left out: each is told as a game of no actions."""
    path = tmp_path / "tags.pgn"
    first = '[Event "a"]\n[White "A"]\n\n[Event "b"]\n[White "B"]\n[Event "c"]\n'
    path.write_text(f'{first}[Event "d"]\n[White "D"]\n\n1. e4 *\n')
    command = [Path(sys.executable).with_name("boardumpire"), "record", "convert", path]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert told.returncode == 0
    games = [line.removeprefix(f"{path}:").split(":")[:2] for line in told.stderr.splitlines()]
    expected = [["1", 0], ["4", 0], ["6", 0], ["7", 1]]
    assert games[:4] == [[line, f" chess, {count} actions"] for line, count in expected]
    assert told.stderr.splitlines()[4].startswith(f"{path}: 4 games: ")
    lines = told.stdout.splitlines()
    assert [line for line in lines if line.startswith("event ")] == [f"event {one}" for one in "abcd"]
    assert [line for line in lines if "e2-e4" in line] == ["white e2-e4"]


def test_convert_reads_latin_1(environment: Mapping[str, str], tmp_path: Path) -> None:
    path = tmp_path / "latin.pgn"
    path.write_bytes('[White "H\u00fcbner"]\n[Result "*"]\n\n1. e4 *\n'.encode("latin-1"))
    command = [Path(sys.executable).with_name("boardumpire"), "record", "convert", path]
    told = subprocess.run(command, env=environment, capture_output=True, timeout=60)
    assert told.returncode == 0
    assert "player white H\u00fcbner" in told.stdout.decode()
    assert b"not UTF-8, so it was read as Latin-1" in told.stderr


def test_one_bad_game_hides_no_other_and_its_line_is_named(pgn: Notation) -> None:
    first, bad, last = read(pgn, f"{OPERA}\n{BAD}\n{DRAWN}")
    assert isinstance(first, ImportedGame)
    assert isinstance(last, ImportedGame)
    assert isinstance(bad, UnreadableGame)
    assert bad.line == OPERA.count("\n") + 1 + BAD.count("\n")
    assert "Kf3" in bad.message
    assert last.record.stated == StatedResult("draw", "")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[Variant "Atomic"]\n\n1. e4 *\n', "try standard chess"),
        ('[FEN "x"]\n\n1. e4 *\n', "try a position"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*\n', "try a position in which somebody can move"),
        ('[Result "2-0"]\n\n1. e4 *\n', "try one of 1-0, 0-1, 1/2-1/2, *"),
        ("words\n", "'words' is no part of a game"),
        ("1. e4 xyzzy e5 *\n", "'xyzzy' is no part of a game; try a move of chess"),
        ("1. e4 e5\n2. Nf9 *\n", "'Nf9' is no part of a game"),
        ('[Result "1-0"]\n\n1. e4 e5 0-1\n', "Result is 1-0, but the moves end with 0-1"),
        ("1. e4 {never closed e5 *\n", "a comment has no end; try }"),
        ("1. e4 (1. d4 e5 *\n", "a variation has no end; try )"),
        ("1. e4 ) e5 *\n", "')' is no part of a game"),
        ("1. e4 1-0 e5\n", "'e5' after the result"),
        ("1. e4\n[hello world\ne5 *\n", "'[hello' is no part of a game"),
        ('[Event "a"]\n[Si\n\n1. e4 *\n', "'[Si'; try a tag"),
        ("1. e4 -- 2. d4 *\n", "a null move; try a move of chess"),
        ("1. e4 e5 2. hello Nc6 *\n", "'hello' is no part of a game"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *\n', "try a position in which somebody can move"),
    ],
)
def test_what_is_no_game_of_chess_is_told(pgn: Notation, text: str, told: str) -> None:
    (bad,) = read(pgn, text)
    assert isinstance(bad, UnreadableGame)
    assert told in bad.message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[White "a"]\n[Result "2-0"]\n\n1. e4 *\n', 2),
        ('[FEN "x"]\n[White "a"]\n\n1. e4 *\n', 1),
        ('[White "a"]\n[FEN "' + "8/" * 9000 + '"]\n\n1. e4 *\n', 2),
        ('[White "a"]\n[Variant "Atomic"]\n\n1. e4 *\n', 2),
        ("1. e4 e5 1-0\n1. e5 *\n", 2),
        ('[White "a\x85b\u2028"]\n\n1. e4\ne9 *\n', 4),
    ],
)
def test_the_line_that_is_wrong_is_named(pgn: Notation, text: str, line: int) -> None:
    """Lines end as in a text editor: Windows writes three dots as a sign that elsewhere ends a line."""
    bad = read(pgn, text)[-1]
    assert isinstance(bad, UnreadableGame)
    assert bad.line == line
    assert len(bad.message) < 300


def test_there_are_as_many_games_without_tags_as_results(pgn: Notation) -> None:
    first, last = read(pgn, "1. e4 e5 * {so far}\n1. d4 *\n")
    assert isinstance(first, ImportedGame)
    assert isinstance(last, ImportedGame)
    assert [len(each.record.actions) for each in (first, last)] == [2, 1]


def test_a_tag_with_what_is_no_json_stays_a_text(pgn: Notation) -> None:
    game = one(pgn, '[Note "json:[NaN]"]\n[More "json:[1]"]\n\n1. e4 *\n')
    assert game.tags == {"Note": "json:[NaN]", "More": [1]}
    assert record.parse(record.write(game)).tags == game.tags


def test_notes_and_comments_over_lines_are_passed_over(pgn: Notation) -> None:
    head = "% made by a program\n; a note\n"
    text = f"{head}1. e4 {{one\n[two xyzzy}} 1... e5! ; Nf9\n2.Nf3 $1 (2. d4?! exd4) 2... Nc6 *\n"
    assert pgn.recognises_line("% made by a program")
    assert pgn.recognises_line("; a note")
    assert [text for _, text in one(pgn, text).actions] == ["e2-e4", "e7-e5", "g1-f3", "b8-c6"]


@pytest.mark.parametrize("word", ["1" * 5000, "." * 5000, "1." * 3000, "e4" * 3000, "+" * 5000, "0-0" * 900])
def test_no_word_takes_long(pgn: Notation, word: str) -> None:
    (bad,) = read(pgn, f"1. e4 {word}x e5 *\n")
    assert isinstance(bad, UnreadableGame)


def test_games_need_no_empty_line_between(pgn: Notation) -> None:
    first, last = read(
        pgn, '[White "A"]\n[Result "1-0"]\n1. e4 e5 1-0\n[White "B"]\n[Site "?"]\n1. d4 exd6 e.p. *\n'
    )
    assert isinstance(first, ImportedGame)
    assert (first.record.players, first.record.comments) == ({"white": "A"}, ())
    assert isinstance(last, UnreadableGame), "no pawn can be taken so, but that is what is told"
    assert "exd6" in last.message
    one_, two = read(pgn, f"{OPERA.strip()}\n{DRAWN}")
    assert isinstance(one_, ImportedGame)
    assert isinstance(two, ImportedGame)


def played(seed: int) -> tuple[State, list[tuple[str, str]]]:
    """A game with whatever players may do, to its end or for 150 actions."""
    dice = random.Random(seed)
    fen = dice.choice(["r3k2r/1P4P1/8/3pP3/3Pp3/8/1p4p1/R3K2R w KQkq - 0 1", None])
    state = boardrules.new("chess", {} if fen is None else {"fen": fen})
    actions: list[tuple[str, str]] = []
    while state.outcome is None and len(actions) < 150:
        (seat,) = state.seats_to_act()
        may: list[Any] = list(state.legal_actions(seat))
        if dice.random() < 0.1:
            may = [each for who in (*state.seats, CLOCK) for each in state.table_actions(who)]
            ending = dice.random() < 0.2
            may = [each for each in may if "take-back" not in str(each)]  # PGN has no words for these
            may = [each for each in may if ending or "draw" in str(each)] or list(state.legal_actions(seat))
        action = dice.choice(may)
        actions.append((action.seat, str(action)))
        state, _ = state.apply(action)
    return state, actions


@pytest.mark.parametrize("seed", range(40))
def test_what_is_written_reads_back_and_other_programs_read_it(pgn: Notation, seed: int) -> None:
    state, actions = played(seed)
    comments = (
        RecordComment(0, 'before "all"'),
        RecordComment(min(3, len(actions)), "a move; see (1) [x] % $5" * 4),
    )
    game = Record(
        "chess", dict(state.options), tuple(actions), result=state.outcome, comments=comments,
        players={"white": "Ann", "black": 'Bob "B" \\ C'}, event="Club", place="Here", date="2026-01-31",
        source="us", board="chess-8x8", tags={"Round": "3", "Elo": 1500}, stated=None,
    )  # fmt: skip
    text = pgn.write(game).text
    again = one(pgn, text)
    assert all(len(line) < 90 for line in text.splitlines() if not line.startswith("["))
    assert record.final_state(again) == state
    assert again.actions == game.actions
    assert [each.text for each in again.comments] == [each.text for each in comments]
    for name in ("players", "event", "place", "date", "source", "board", "tags"):
        assert getattr(again, name) == getattr(game, name)
    if state.outcome is not None:
        assert again.stated == StatedResult(state.outcome.winner or "draw", state.outcome.reason)
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert theirs is not None
    assert theirs.errors == []
    if state.view(None).json()["reached"] is None:
        assert theirs.end().board().fen() == state.view(None).json()["fen"]


def test_a_pawn_that_has_not_become_anything_is_kept(pgn: Notation) -> None:
    fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
    game = Record("chess", {"fen": fen}, (("white", "a7-a8"),))
    assert one(pgn, pgn.write(game).text).actions == game.actions


@pytest.mark.slow
def test_broken_files_give_errors_that_are_told(pgn: Notation) -> None:
    dice = random.Random(5)
    for _ in range(200):
        text = list(f"{OPERA}\n{DRAWN}")
        for _ in range(dice.randrange(1, 6)):
            at = dice.randrange(len(text))
            text[at] = dice.choice(
                ["", "\n", "{", "}", "(", ")", "[", '"', "$", "Q", "9", "\0", text[at] * 3]
            )
        for found in read(pgn, "".join(text)):
            if isinstance(found, ImportedGame):
                with contextlib.suppress(record.RecordError):
                    record.final_state(found.record)
            else:
                assert {"expected", "try"} & set(found.message.split())


@pytest.mark.slow
def test_convert_takes_and_gives_pgn(environment: Mapping[str, str], tmp_path: Path) -> None:
    def convert(file: Path, to: str, *more: str) -> subprocess.CompletedProcess[str]:
        command = [
            Path(sys.executable).with_name("boardumpire"),
            "record",
            "convert",
            file,
            "--to",
            to,
            *more,
        ]
        return subprocess.run(
            command, capture_output=True, text=True, env=dict(environment), timeout=60, check=False
        )

    games = tmp_path / "games.pgn"
    games.write_text(f"{OPERA}\n{BAD}\n{DRAWN}")
    told = convert(games, "record", "--skip")
    assert told.returncode == 1
    assert "stated white, by the moves white (checkmate): as stated" in told.stderr
    assert "BAD: " in told.stderr
    assert "3 games" in told.stderr
    records = tmp_path / "games.record"
    records.write_text(told.stdout)
    back = convert(records, "pgn")
    assert back.returncode == 0, back.stderr
    assert '[Reason "checkmate"]' in back.stdout
    assert "17. Rd8# 1-0" in back.stdout
    assert '[ECO "C41"]' in back.stdout
