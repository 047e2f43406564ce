"""Chess960: castling from anywhere, by hands where they show it and said where they can't, and as PGN."""

from __future__ import annotations

import io
import random

import chess
import chess.pgn
import pytest

import boardrules
from boardrules import record, registry
from boardrules.core import OptionError, State
from boardrules.notations import ImportedGame, Notation
from boardrules.record import Record
from examples.evening import Evening

pytestmark = pytest.mark.usefixtures("games")
SIMPLE = "r2k3r/8/8/8/8/8/8/R2K3R w KQkq - 0 1"
NEAR = "5k1r/8/8/8/8/8/8/5K1R w Kk - 0 1"
"""The rook comes to where the king stands, and the king might go there alone."""
STAYS = "6kr/8/8/8/8/8/8/6KR w Kk - 0 1"


def at(fen: str) -> State:
    return boardrules.new("chess", {"fen": fen, "chess960": True})


def played(state: State, *texts: str) -> State:
    for text in texts:
        state, _ = state.apply(state.parse(text, state.seats_to_act()[0]))
    return state


@pytest.mark.parametrize(
    ("fen", "text", "king", "rook"),
    [
        (SIMPLE, "d1-h1", "g1", "f1"),
        (SIMPLE, "d1-a1", "c1", "d1"),
        (NEAR, "f1-h1", "g1", "f1"),
        (STAYS, "g1-h1", "g1", "f1"),
    ],
)
def test_a_castling_is_said_by_the_squares_of_king_and_rook(
    fen: str, text: str, king: str, rook: str
) -> None:
    layout = played(at(fen), text).layout()
    assert layout[king][0].name == "king"
    assert layout[rook][0].name == "rook"
    assert layout[king][0].seat == layout[rook][0].seat == "white"


def test_hands_castle_where_they_show_it() -> None:
    castling = [step for step in at(SIMPLE).steps() if step.companion_moves]
    assert [(step.origin, step.target, step.companion_moves) for step in castling] == [
        ("d1", "g1", (("h1", "f1"),)),
    ]  # the other one is the king's own step to c1, with the rook beside it
    for fen in (NEAR, STAYS):
        assert not [step for step in at(fen).steps() if step.companion_moves]


def test_castling_by_hand() -> None:
    game = Evening("chess", "chess-8x8", 1, options={"fen": SIMPLE, "chess960": True})
    game.begin()
    game.turn(next(step for step in game.state.steps() if step.companion_moves))
    assert game.rulings()[-1]["text"] == ["White castles: the king goes from d1 to g1."]
    assert game.state.layout()["f1"][0].name == "rook"


@pytest.mark.slow
def test_the_legal_moves_are_those_of_python_chess() -> None:
    for number in range(0, 960, 37):
        rng, board = random.Random(number), chess.Board.from_chess960_pos(number)
        state = at(board.fen())
        for _ in range(50):
            if board.is_game_over():
                break
            texts = {
                f"{chess.square_name(m.from_square)}-{chess.square_name(m.to_square)}"
                for m in board.legal_moves
            }
            assert {str(action) for action in state.legal_actions(state.seats_to_act()[0])} == texts
            castlings = [move for move in board.legal_moves if board.is_castling(move)]
            move = rng.choice(castlings or list(board.legal_moves))
            state = played(
                state, f"{chess.square_name(move.from_square)}-{chess.square_name(move.to_square)}"
            )
            if move.promotion:
                state = played(state, chess.piece_name(move.promotion))
            board.push(move)
            assert state.view(None).json()["fen"] == board.fen()


@pytest.fixture
def pgn(games: None) -> Notation:
    return next(each for each in registry.notations() if each.name == "pgn")


@pytest.mark.parametrize("number", [0, 17, 356, 518, 959])
def test_a_game_goes_and_comes_as_pgn_and_other_programs_read_it(pgn: Notation, number: int) -> None:
    rng, fen = random.Random(number), chess.Board.from_chess960_pos(number).fen()
    state, actions = at(fen), []
    for _ in range(60):
        if state.outcome is not None:
            break
        seat = state.seats_to_act()[0]
        castlings = [a for a in state.legal_actions(seat) if _castles(state, str(a))]
        action = rng.choice(castlings or list(state.legal_actions(seat)))
        actions.append((seat, str(action)))
        state, _ = state.apply(action)
    game = Record("chess", {"fen": fen, "chess960": True}, tuple(actions))
    text = pgn.write(game).text
    (found,) = pgn.read(text, {})
    assert isinstance(found, ImportedGame), found
    assert found.record.actions == game.actions
    assert record.final_state(found.record) == state
    elsewhere = chess.pgn.read_game(io.StringIO(text))
    assert elsewhere is not None
    assert not elsewhere.errors
    assert elsewhere.board().chess960
    assert (
        elsewhere.end().board().fen() == state.view(None).json()["fen"] or state.view(None).json()["reached"]
    )


def _castles(state: State, text: str) -> bool:
    origin, _, target = text.partition("-")
    there = state.layout()
    return bool(target) and target in there and there[target][0].seat == there[origin][0].seat


def test_a_pgn_of_elsewhere_is_read(pgn: Notation) -> None:
    tags = f'[Variant "Fischerandom"]\n[SetUp "1"]\n[FEN "{SIMPLE}"]\n[Result "*"]\n'
    (found,) = pgn.read(f"{tags}\n1. O-O O-O-O *\n", {})
    assert isinstance(found, ImportedGame), found
    assert [text for _, text in found.record.actions] == ["d1-h1", "d8-a8"]
    assert found.record.options["chess960"] is True


def test_what_is_no_answer_is_refused() -> None:
    with pytest.raises(OptionError, match="option chess960 is 1; try true or false"):
        boardrules.new("chess", {"chess960": 1})
