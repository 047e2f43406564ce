"""Chess over python-chess: every kind of move by hand, and games to their ends."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import boardrules
from boardrules import record
from boardrules.core import CLOCK, LayoutPiece, OptionError, State
from boardrules.history import GameHistory
from examples.evening import Evening
from rules import contract

pytestmark = pytest.mark.usefixtures("games")
GAME, BOARD = "chess", "chess-8x8"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
IN_PASSING = "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1"
PROMOTING = "3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1"


def at(fen: str) -> State:
    return boardrules.new(GAME, {"fen": fen})


def played(state: State, *texts: str) -> State:
    for text in texts:
        state, _ = state.apply(state.parse(text, state.seats_to_act()[0]))
    return state


def code(state: State, text: str, seat: str | None = None) -> str | None:
    refusal = state.refusal(state.parse(text, seat or state.seats_to_act()[0]))
    return None if refusal is None else refusal.code


def evening(fen: str, seed: int) -> Evening:
    made = Evening(GAME, BOARD, seed, options={"fen": fen})
    made.begin()
    return made


@pytest.mark.slow
@pytest.mark.parametrize("fen", [None, CASTLING, IN_PASSING, PROMOTING])
def test_its_states_keep_the_contract(fen: str | None) -> None:
    rng = random.Random(3)
    state = boardrules.new(GAME, {} if fen is None else {"fen": fen})
    for _ in range(15):
        tries = [
            state.parse(text, seat)
            for text in ("e2-e4", "a1-h8", "queen", "claim-draw")
            for seat in state.seats
        ]
        contract.check_bad_text(state)
        contract.check_state(state, tries)
        if state.outcome is not None:
            break
        state, _ = state.apply(rng.choice(list(state.legal_actions(state.seats_to_act()[0]))))


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(4))
def test_castling_by_hand(seed: int) -> None:
    game = evening(CASTLING, seed)
    for target in ("g1", "c8") if seed % 2 else ("c1", "g8"):
        step = next(step for step in game.state.steps() if step.companion_moves and step.target == target)
        game.turn(step)
    assert game.rulings()[-1]["text"] == ["Black castles: the king goes from e8 to " + target + "."]


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(4))
def test_taking_in_passing_by_hand(seed: int) -> None:
    game = evening(IN_PASSING, seed)
    game.turn(next(step for step in game.state.steps() if step.target == "d4"))
    game.turn(next(step for step in game.state.steps() if step.takes == ("d4",)))
    assert "d4" not in game.state.layout()


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", ["queen", "knight", "rook", "bishop"])
@pytest.mark.parametrize("target", ["c8", "d8"])
def test_promotion_by_hand_and_phone(kind: str, target: str) -> None:
    game = evening(PROMOTING, 1)
    game.turn(next(step for step in game.state.steps() if step.target == target and step.origin == "c7"))
    assert game.state.seats_to_act() == ("white",)
    game.say(kind)
    assert game.state.layout()[target] == (LayoutPiece("white", kind),)


def test_promotion_by_a_button() -> None:
    game = evening(PROMOTING, 1)
    game.turn(next(step for step in game.state.steps() if step.target == "c8"))
    number = len(game.rulings())
    game.bench.run_until(game.bench.hands.press("turn", game.bench.now))
    game.wait(500)
    game.ruled(game.state.parse("queen", "white"), number)


def test_without_a_phone_a_pawn_becomes_any_piece() -> None:
    """`choose` goes down the file from the last rank: queen, knight, rook, bishop."""
    game = evening(PROMOTING, 1)
    game.turn(next(step for step in game.state.steps() if step.target == "d8"))
    for square in ("d8", "d7", "d6"):
        game.press("choose")
        assert game.lit()[square] == "asks"
    number = len(game.rulings())
    game.press("confirm")
    game.ruled(game.state.parse("rook", "white"), number)


def test_without_a_phone_a_draw_is_claimed() -> None:
    game = evening("4k3/8/8/8/8/8/3R4/4K3 w - - 99 80", 1)
    game.turn(next(step for step in game.state.steps() if step.target == "c2"))
    game.press("choose")
    assert game.lit()["turn-black"] == "asks"
    game.press("confirm")
    assert game.told[-1].kind == "over"
    assert game.told[-1].data["text"] == "A draw: fifty moves without a capture or a pawn move."


def test_without_a_phone_a_draw_is_offered_and_agreed() -> None:
    game = evening(CASTLING, 1)
    bench = game.bench
    bench.run_until(bench.hands.hold("confirm", 2_500_000, bench.now))
    game.wait(500)
    game.press("confirm")
    assert game.told[-1].data["text"] == "A draw by agreement."


def test_lamps_show_what_may_be_taken_and_the_chores_of_all_pieces() -> None:
    game = evening(PROMOTING, 1)
    game.lift("c7")
    game.wait(200)
    assert game.lit() == {"c7": "lifted", "c8": "may-go", "d8": "may-attack", "turn-white": "to-move"}
    game.lift("d8")
    game.wait(15_000)  # it is not late: it is to be taken
    assert game.lit()["d8"] == "may-attack"
    castling = evening(CASTLING, 1)
    castling.lift("e1")
    castling.wait(200)
    assert {"g1", "c1"} <= castling.lit().keys()
    castling.place("g1", "e1")
    castling.wait(1500)
    assert (castling.lit()["h1"], castling.lit()["f1"]) == ("take", "put")
    passing = evening(IN_PASSING, 1)
    passing.turn(next(step for step in passing.state.steps() if step.target == "d4"))
    passing.lift("e4")
    passing.wait(200)
    assert passing.lit()["d3"] == "may-attack"
    passing.place("d3", "e4")
    passing.wait(1500)
    assert passing.lit()["d4"] == "take"


def test_a_clock_runs_for_the_side_to_move_and_ends_the_game() -> None:
    clock = {"kind": "fischer", "base_s": 60, "extra_s": 10}
    game = Evening(GAME, BOARD, 2, table={"clock": clock})
    game.begin()
    game.wait(20_000)
    game.turn(next(step for step in game.state.steps() if step.target == "e4"))
    game.wait(30_000)
    assert game.bench.table is not None
    game.wait(31_000)
    over = game.told[-1]
    assert (over.kind, over.data["winner"], over.data["reason"]) == ("over", "white", "time")
    assert over.data["text"] == "White won on time."


def test_a_pawn_that_waits_for_its_kind_outlives_a_power_cut(tmp_path: Path) -> None:
    game = Evening(GAME, BOARD, 3, tmp_path / "journal.sqlite", {"fen": PROMOTING})
    game.begin()
    game.turn(next(step for step in game.state.steps() if step.target == "c8"))
    game.bench.kill()
    game.bench.start()
    game.wait(1000)
    assert game.chores() == []
    game.say("bishop")


def test_the_board_as_text() -> None:
    state = played(boardrules.new(GAME), "e2-e4", "e7-e5", "d1-h5", "b8-c6", "f1-c4", "g8-f6", "h5-f7")
    assert (
        str(state)
        == """\
chess: nobody to act, check, white (checkmate)

8 r . b q k b . r
7 p p p p . Q p p
6 . . n . . n . .
5 . . . . p . . .
4 . . B . P . . .
3 . . . . . . . .
2 P P P P . P P P
1 R N B . K . N R
  a b c d e f g h"""
    )
    reached = played(at(PROMOTING), "c7-d8")
    assert str(reached).splitlines()[0] == "chess: white to act: what the pawn on d8 becomes"
    assert "8 . . . P k . . ." in str(reached)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_game_by_hand_from_the_box(seed: int) -> None:
    game = Evening(GAME, BOARD, seed)
    game.begin()
    for _ in range(60):
        if game.state.outcome is not None:
            break
        if game.state.steps():
            game.turn()
        else:
            game.say(game.dice.choice(["queen", "rook", "bishop", "knight"]))
    table = game.bench.table
    assert table is not None
    assert record.final_state(record.parse(table.export_record())) == game.state


@pytest.mark.slow
def test_a_power_cut_loses_nothing(tmp_path: Path) -> None:
    game = Evening(GAME, BOARD, 5, tmp_path / "journal.sqlite")
    game.begin()
    for _ in range(12):
        game.turn()
        game.bench.kill()
        game.bench.start()
        game.wait(1000)
        assert game.chores() == []
        assert game.bench.table is not None
        assert record.final_state(record.parse(game.bench.table.export_record())) == game.state


def test_refusals_say_why() -> None:
    state = boardrules.new(GAME)
    assert code(state, "e2-e5") == "chess/no-way"
    assert code(state, "e7-e5", "black") == "chess/not-your-turn"
    assert code(state, "e7-e5") == "chess/no-piece"
    assert code(state, "queen") == "chess/no-promotion"
    assert code(state, "claim-draw") == "chess/no-claim"
    assert code(at("4k3/4r3/8/8/8/8/4B3/4K3 w - - 0 1"), "e2-d3") == "chess/check"
    assert code(at("4k3/8/8/8/8/5r2/8/4K2R w K - 0 1"), "e1-g1") == "chess/no-castling"
    reached = played(at(PROMOTING), "c7-c8")
    assert code(reached, "e1-e2") == "chess/promote-first"


def test_draws_are_claimed_agreed_and_come_by_themselves() -> None:
    there_and_back = ("g1-f3", "g8-f6", "f3-g1", "f6-g8")
    state = played(boardrules.new(GAME), *there_and_back, *there_and_back)
    assert played(state, "claim-draw").outcome == (None, "repetition")
    assert played(state, *there_and_back, *there_and_back).outcome == (None, "fivefold")
    fifty = at("4k3/8/8/8/8/8/3R4/4K3 w - - 99 80")
    assert code(fifty, "claim-draw") == "chess/no-claim"
    assert played(fifty, "d2-c2", "claim-draw").outcome == (None, "fifty")
    assert played(at("4k3/8/8/8/8/8/3R4/4K3 w - - 149 90"), "d2-c2").outcome == (None, "seventy-five")
    offered = played(boardrules.new(GAME), "offer-draw")
    agreed, _ = offered.apply(offered.parse("agree-draw", "black"))
    assert agreed.outcome == (None, "agreed")
    assert code(offered, "agree-draw", "white") == "chess/no-offer"
    moved = played(offered, "e2-e4")
    assert code(moved, "agree-draw") is None
    assert code(played(moved, "e7-e5"), "agree-draw", "black") == "chess/no-offer", "who moves declines it"


def test_how_games_end() -> None:
    assert played(boardrules.new(GAME), "f2-f3", "e7-e5", "g2-g4", "d8-h4").outcome == ("black", "checkmate")
    assert played(at("7k/8/5KQ1/8/8/8/8/8 w - - 0 1"), "g6-f7").outcome == (None, "stalemate")
    assert played(at("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1"), "e1-e2").outcome == (None, "insufficient")
    late = boardrules.new(GAME)
    assert late.apply(late.parse("time white", CLOCK))[0].outcome == ("black", "time")
    bare = at("4k3/8/8/8/8/8/3R4/4K3 w - - 0 1")
    assert bare.apply(bare.parse("time white", CLOCK))[0].outcome == (None, "time"), (
        "a bare king wins nothing"
    )


@pytest.mark.parametrize(
    "wrong", [{"fen": "x"}, {"fen": 3}, {"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, {"speed": 1}]
)
def test_wrong_options_are_named(wrong: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="; try "):
        boardrules.new(GAME, wrong)


def test_a_position_is_read_and_written_and_lines_are_counted() -> None:
    """The counts from the first position are those that everybody has."""
    game = boardrules.Game.from_position(GAME, CASTLING)
    assert game.position() == CASTLING
    assert game.resample("white", random.Random(1)) == game.state
    assert [boardrules.perft(boardrules.new(GAME), depth) for depth in (1, 2, 3)] == [20, 400, 8902]
    with pytest.raises(ValueError, match="try a position"):
        boardrules.Game.from_position(GAME, "nonsense")


def told_back(game: Evening, seat: str) -> None:
    """The other side agrees, by words."""
    other = "white" if seat == "black" else "black"
    game.bench.say(other, "agree-take-back")
    game.wait(500)


def chores(game: Evening) -> set[tuple[str, str]]:
    return {(chore["do"], chore["space"]) for chore in game.chores()}


def mend(game: Evening, *ways: tuple[str, str]) -> None:
    for origin, target in ways:
        game.lift(origin)
        game.place(target)
        game.wait(500)


TAKING = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"


def test_a_capture_that_is_taken_back_by_words_is_put_right() -> None:
    game = evening(TAKING, 1)
    game.turn(next(step for step in game.state.steps() if step.takes))
    game.bench.say("white", "ask-take-back")
    told_back(game, "white")
    assert chores(game) == {("put", "e4"), ("take", "d5")}, "White's pawn stands where Black's belongs"
    mend(game, ("d5", "e4"))
    assert chores(game) == {("put", "d5")}
    game.bench.run_until(game.bench.hands.stand("black", "d5", game.bench.now, "pawn"))
    game.wait(1000)
    assert game.chores() == []
    assert not game.of("fault")


def test_a_capture_is_taken_back_by_pieces() -> None:
    game = evening(TAKING, 2)
    game.turn(next(step for step in game.state.steps() if step.takes))
    game.lift("d5")
    game.place("e4")
    game.wait(1500)
    assert game.rulings()[-1]["action"] == "ask-take-back"
    told_back(game, "white")
    assert chores(game) == {("put", "d5")}
    game.bench.run_until(game.bench.hands.stand("black", "d5", game.bench.now, "pawn"))
    game.wait(1000)
    assert game.chores() == []


def test_a_castling_is_taken_back_by_pieces() -> None:
    game = evening(CASTLING, 1)
    game.turn(next(step for step in game.state.steps() if step.companion_moves and step.target == "g1"))
    game.lift("g1")
    game.place("e1")
    game.wait(1500)
    assert game.rulings()[-1]["action"] == "ask-take-back"
    told_back(game, "white")
    assert chores(game) == {("take", "f1"), ("put", "h1")}
    mend(game, ("f1", "h1"))
    assert game.chores() == []


def test_a_promotion_is_taken_back_as_one_move() -> None:
    game = GameHistory(at(PROMOTING))
    for text in ("c7-c8", "queen"):
        game.push_text("white", text)
    game.push_text("white", "ask-take-back")
    assert game.state.table_actions("black")[-2:] == (
        game.state.parse("agree-take-back", "black"), game.state.parse("decline-take-back", "black"),
    )  # fmt: skip
    game.push_text("black", "agree-take-back")
    assert game.state == at(PROMOTING)
    assert code(game.state, "ask-take-back") == "chess/nothing-to-take-back"


def test_a_move_is_taken_back_with_the_reply_to_it() -> None:
    game = GameHistory(boardrules.new(GAME))
    for seat, text in (("white", "e2-e4"), ("black", "e7-e5"), ("white", "g1-f3"), ("black", "b8-c6")):
        game.push_text(seat, text)
    game.push_text("white", "ask-take-back")
    assert code(game.state, "agree-take-back", "white") == "chess/no-offer"
    game.push_text("black", "agree-take-back")
    assert game.state == played(boardrules.new(GAME), "e2-e4", "e7-e5")
    assert code(game.state, "withdraw-take-back", "white") == "chess/no-offer"
    game.push_text("black", "ask-take-back")
    game.push_text("black", "withdraw-take-back")
    game.push_text("white", "f1-c4")
    assert game.state.view(None).json()["offer"] is None
