"""Openings: each line of the table can be played, and PGN names what was played."""

from __future__ import annotations

import importlib
from typing import Any

import chess
import pytest

from boardrules import Game, record, registry

pytestmark = pytest.mark.usefixtures("games")


@pytest.fixture
def openings() -> Any:
    return importlib.import_module("boardumpire_chess.openings")


def test_each_line_is_a_game_and_a_position_has_one_name(openings: Any) -> None:
    lines = (openings.files("boardumpire_chess") / "openings.tsv").read_text("utf-8").splitlines()
    assert len(lines) > 100
    assert len(openings.openings()) == len(lines)
    names = [line.split("\t")[1] for line in lines]
    assert len(set(names)) == len(names)
    for each in openings.openings().values():
        assert each.code[0] in "ABCDE"
        assert 0 <= int(each.code[1:]) < 100


def named(openings: Any, moves: str, board: chess.Board | None = None) -> str:
    board = board or chess.Board()
    for move in moves.split():
        board.push_san(move)
    found = openings.opening_of(board)
    return found.name if found else ""


def test_an_opening_is_the_last_position_that_has_a_name(openings: Any) -> None:
    assert named(openings, "") == ""
    assert (
        named(openings, "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5")
        == "Sicilian Defense: Najdorf Variation"
    )
    assert named(openings, "c4 e6 d4 d5") == "Queen's Gambit Declined", "by another way"
    other = chess.Board(chess.STARTING_FEN.replace("KQkq", "-"))
    assert named(openings, "e4 e5", other) == ""
    assert named(openings, "e4 e5", chess.Board(chess960=True)) == ""


def written(game: Game) -> str:
    (pgn,) = registry.package("chess").notations()
    return pgn.write(record.parse(game.record())).text


def test_pgn_names_the_opening_and_reads_it_back() -> None:
    game = Game("chess")
    for move in ("e2-e4", "e7-e5", "g1-f3", "b8-c6", "f1-b5", "a7-a6", "ask-take-back", "agree-take-back"):
        game.push(move, None if "take" not in move else {"ask": "black", "agr": "white"}[move[:3]])
    text = written(game)
    assert '[ECO "C60"]\n[Opening "Ruy Lopez"]\n' in text
    (pgn,) = registry.package("chess").notations()
    (read,) = pgn.read(text, {})
    assert not read.record.tags
    assert pgn.write(read.record).text == text


@pytest.mark.parametrize(
    "tags", ['[ECO "C65"]\n', '[ECO "C60"]\n[Opening "Spanish"]\n', '[Opening "Spanish"]\n']
)
def test_what_a_source_calls_it_stands(tags: str) -> None:
    (pgn,) = registry.package("chess").notations()
    (read,) = pgn.read(f'[White "A"]\n{tags}\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n', {})
    again = pgn.write(read.record).text
    assert tags in again
    assert again.count("ECO") + again.count("Opening") == len(tags.splitlines())
