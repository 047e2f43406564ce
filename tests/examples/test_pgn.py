"""Chess games come from PGN and go there with their tags, comments and promotions."""

from __future__ import annotations

import io
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import chess.pgn
import pytest

import boardrules
from boardrules import record, registry
from boardrules.notations import ImportedGame, Notation, UnreadableGame
from boardrules.record import Record

pytestmark = pytest.mark.usefixtures("games")
COMMAND = Path(sys.executable).with_name("boardumpire")
SHORT = """[Event "An evening"]
[Site "At home"]
[Date "2026.11.24"]
[Round "3"]
[White "Ann"]
[Black "Bob"]
[Result "0-1"]
[WhiteElo "1500"]

{ Bob opened the window. } 1. f3 e5 2. g4 { Oh no. } Qh4# 0-1

"""
PROMOTES = """[Event "?"]
[Result "1-0"]
[SetUp "1"]
[FEN "3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1"]
[Termination "resignation"]

1. cxd8=N Kxd8 1-0

"""


@pytest.fixture
def pgn() -> Notation:
    (found,) = [each for each in registry.notations() if each.name == "pgn"]
    return found


def read(pgn: Notation, text: str) -> Record:
    (found,) = pgn.read(text, {})
    assert isinstance(found, ImportedGame), found
    return found.record


@pytest.mark.slow
def test_a_game_comes_with_all_that_its_tags_say(pgn: Notation) -> None:
    found = read(pgn, SHORT)
    assert dict(found.players) == {"white": "Ann", "black": "Bob"}
    assert (found.event, found.place, found.date) == ("An evening", "At home", "2026-11-24")
    assert dict(found.tags) == {"Round": "3", "WhiteElo": "1500"}
    assert found.actions == (("white", "f2-f3"), ("black", "e7-e5"), ("white", "g2-g4"), ("black", "d8-h4"))
    assert [(each.action_count, each.text) for each in found.comments] == [
        (0, "Bob opened the window."),
        (3, "Oh no."),
    ]
    assert record.final_state(found).outcome == ("black", "checkmate")


@pytest.mark.parametrize("text", [SHORT, PROMOTES])
def test_it_goes_as_it_came(pgn: Notation, text: str) -> None:
    written = pgn.write(read(pgn, text))
    assert written.omissions == ()
    one, two = (chess.pgn.read_game(io.StringIO(each)) for each in (text, written.text))
    assert one is not None
    assert two is not None
    assert list(one.mainline_moves()) == list(two.mainline_moves())
    assert {**one.headers, "Site": "x", "Date": "x"} == {
        **two.headers,
        "Site": "x",
        "Date": "x",
    } or text is PROMOTES
    assert read(pgn, written.text) == read(pgn, text)


def test_a_promotion_is_two_actions(pgn: Notation) -> None:
    found = read(pgn, PROMOTES)
    assert found.actions[:2] == (("white", "c7-d8"), ("white", "knight"))
    assert found.stated == ("white", "resignation")


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(4))
def test_random_games_go_and_come(pgn: Notation, seed: int) -> None:
    rng, state, actions = random.Random(seed), boardrules.new("chess"), []
    while state.outcome is None and len(actions) < 400:
        action = rng.choice(list(state.legal_actions(state.seats_to_act()[0])))
        state, _ = state.apply(action)
        actions.append((action.seat, str(action)))
    first = record.record_of(state, tuple(actions))
    again = read(pgn, pgn.write(first).text)
    assert again.actions == first.actions
    assert record.final_state(again).outcome == state.outcome


def test_what_can_not_be_read_is_named_and_hides_no_other(pgn: Notation) -> None:
    games = list(pgn.read(SHORT + SHORT.replace("Qh4#", "Qh3#") + PROMOTES, {}))
    assert [type(each) for each in games] == [ImportedGame, UnreadableGame, ImportedGame]
    assert isinstance(games[1], UnreadableGame)
    assert "Qh3" in games[1].message
    assert [each.line for each in games] == [1, 21, 23], "that of the move"


@pytest.mark.slow
def test_the_command_converts_both_ways(environment: Mapping[str, str], tmp_path: Path) -> None:
    def run(*words: str | Path) -> str:
        told = subprocess.run(
            [COMMAND, "record", "convert", *words],
            env=dict(environment),
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert told.returncode == 0, told.stderr
        return told.stdout

    (tmp_path / "game.pgn").write_text(SHORT)
    (tmp_path / "game.record").write_text(run(tmp_path / "game.pgn"))
    assert "black d8-h4" in (tmp_path / "game.record").read_text()
    assert "Qh4#" in run(tmp_path / "game.record", "--to", "pgn")


@pytest.mark.parametrize("gap", ["\n\n", "\n"])
def test_a_file_of_moves_alone_holds_all_its_games(
    environment: Mapping[str, str], tmp_path: Path, gap: str
) -> None:
    (tmp_path / "games.pgn").write_text(gap.join(["1. e4 e5 1/2-1/2", "1. d4 d5 0-1", "1. c4 *"]) + "\n")
    told = subprocess.run(
        [COMMAND, "record", "convert", tmp_path / "games.pgn"],
        env=dict(environment),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert [line for line in told.stdout.splitlines() if line.startswith("white ")] == [
        "white e2-e4",
        "white d2-d4",
        "white c2-c4",
    ]
