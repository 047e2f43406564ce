"""The boards, the armies and the hidden set-up (B1 to B5, Q01 to Q06, V1, V2, G1, G2)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardrules
from boardrules import english, registry
from boardrules.core import ActionSample, BadText, OptionError
from boardrules.stratego.actions import StrategoSetup
from boardrules.stratego.board import board_by_name
from boardrules.stratego.setup import draw_setup
from boardumpire.messages import announce
from rules.armies import at, code, events, moves, started, why
from rules.ids import rule

RED = "setup a1=F b1=B c1=B a2=S b2=2 c2=2 d2=3 a3=3 b3=9 d3=10"
BLUE = "setup a8=F b8=B c8=B a7=S b7=2 c7=2 d7=3 a6=3 b6=9 d6=10"


def after(*actions: tuple[str, str], game: str = "stratego-quick-duel", **options: Any) -> Any:
    state: Any = boardrules.new(game, options)
    for seat, text in actions:
        state, _ = state.apply(state.parse(text, seat))
    return state


def code_of(state: Any, seat: str, text: str) -> str | None:
    refusal = state.refusal(state.parse(text, seat))
    return None if refusal is None else refusal.code


@rule("B1", "D11")
def test_quick_battle_is_played_on_eight_by_eight() -> None:
    assert len(board_by_name("8x8").names) == 64
    assert (board_by_name("8x8").names[0], board_by_name("8x8").names[-1]) == ("a1", "h8")


@rule("B2", "Q11")
def test_the_lakes_are_two_columns_and_look_the_same_turned() -> None:
    printed = board_by_name("8x8")
    assert sorted(printed.spaces_of_mask(printed.lakes)) == ["c4", "c5", "f4", "f5"]
    assert printed.rotated_mask(printed.lakes) == printed.lakes


@rule("B3")
def test_sixty_squares_make_three_lanes_across_the_middle() -> None:
    printed = board_by_name("8x8")
    dry = [name for name in printed.names if not printed.mask_of_names((name,)) & printed.lakes]
    assert len(dry) == 60
    assert [name for name in dry if name[1] in "45"] == [
        f"{file}{rank}" for rank in "45" for file in "abdegh"
    ]


@rule("B4", "Q04", "D11", "D12")
@pytest.mark.parametrize("game", ["stratego-quick-duel", "stratego-quick-barrage"])
def test_each_side_sets_up_on_its_three_rows(game: str) -> None:
    free = boardrules.new(game).unchecked_spaces()
    assert free == {f"{file}{rank}" for file in "abcdefgh" for rank in (1, 2, 3, 6, 7, 8)}
    state = boardrules.new(game)
    assert code_of(state, "red", "setup a4=F") == "stratego/setup-zone"
    assert code_of(state, "blue", "setup a3=F") == "stratego/setup-zone"


@rule("B5", "setup_mask")
def test_every_square_of_the_zone_may_be_used_corners_too() -> None:
    assert code_of(after(), "red", "setup a1=F h1=B c1=B a3=S h3=2 c2=2 d2=3 e3=3 b3=9 d3=10") is None


@rule("B5", "setup_mask")
def test_a_mask_is_turned_for_blue() -> None:
    mask = ["a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "a2", "b2"]
    whole = " ".join(
        f"{square}={rank}"
        for square, rank in zip(mask, ["F", "B", "B", "S", "2", "2", "3", "3", "9", "10"], strict=True)
    )
    turned = "h8=F g8=B f8=B e8=S d8=2 c8=2 b8=3 a8=3 h7=9 g7=10"
    state = after(setup_mask=mask)
    assert code_of(state, "red", f"setup {whole}") is None
    assert code_of(state, "blue", f"setup {turned}") is None
    assert code_of(state, "blue", BLUE) == "stratego/setup-mask"
    assert list(state.options["setup_mask"]) == sorted(mask)


@rule("setup_mask")
@pytest.mark.parametrize("mask", [["a1"], ["a4", *"bcdefgh"], "half", [1, 2], ["z9"] * 12, 5])
def test_a_mask_that_cannot_hold_the_army_is_no_mask(mask: Any) -> None:
    with pytest.raises(OptionError, match=r"option setup_mask is .*; try whole, or a list of squares"):
        boardrules.new("stratego-quick-duel", {"setup_mask": mask})


ARMIES = {
    "stratego-quick-duel": "F B B S 2 2 3 3 9 10",
    "stratego-quick-barrage": "F B S 2 2 3 9 10",
    "stratego-barrage": "F B S 2 2 3 9 10",
    "stratego-duel": "F B B S 2 2 3 3 9 10",
    "stratego-classic": ("F B B B B B B S 2 2 2 2 2 2 2 2 3 3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6 7 7 7 8 8 9 10"),
}


@rule("Q01", "Q02", "Q03", "V1", "V2")
@pytest.mark.parametrize("game", ARMIES)
def test_the_army_is_exactly_the_one_of_the_game(game: str) -> None:
    state = boardrules.new(game)
    zone = [square for square in sorted(state.unchecked_spaces()) if int(square[1:]) <= 4]
    army = ARMIES[game].split()
    right = dict(zip(zone, army, strict=False))
    assert state.refusal(StrategoSetup("red", right.items())) is None
    for square, rank in right.items():
        fewer = {other: sign for other, sign in right.items() if other != square}
        assert state.refusal(StrategoSetup("red", fewer.items())).code == "stratego/setup-army"  # type: ignore[union-attr]
        for other in ("F", "B", "S", "2", "5", "10"):
            refused = state.refusal(StrategoSetup("red", {**right, square: other}.items()))
            assert (refused is None) == (other == rank)


@rule("Q05", "D23")
def test_a_set_up_is_complete_with_one_piece_a_square_and_hidden() -> None:
    state = after()
    assert code_of(state, "red", "setup a1=F") == "stratego/setup-army"
    doubled = RED.replace("b1=B", "a1=B")
    assert code_of(state, "red", doubled) == "stratego/setup-doubled"
    refusal = state.refusal(state.parse(doubled, "red"))
    assert refusal.public_code == "stratego/setup-refused"
    assert "a1" not in repr(refusal)
    action = state.parse(RED, "red")
    assert action.secret
    assert repr(action) == "setup ..."
    state, told = state.apply(action)
    assert [event.json() for event in told] == [{"kind": "setup", "seat": "red"}]
    assert "a1" not in repr(state)


@rule("Q05")
def test_what_is_no_square_or_rank_is_named_by_place_only() -> None:
    with pytest.raises(BadText, match="word 2: no such square; try like a1=F"):
        after().parse("setup a1=F z9=B", "red")
    with pytest.raises(BadText, match="word 1: no such rank; try one of F B 10 9 8 7 6 5 4 3 2 S") as caught:
        after().parse("setup a1=11 b1=F", "red")
    assert "11" not in str(caught.value)


@rule("Q05")
def test_all_words_of_a_set_up_that_cannot_be_read_are_named_at_once() -> None:
    with pytest.raises(BadText, match=r"words 2, 4: no such square; .*; words 3, 4: no such rank") as caught:
        after().parse("setup a1=F z9=B b1=Q y0=", "red")
    assert not {"z9", "Q", "y0"} & set(str(caught.value).split())


@rule("Q05", "Q02", "Q04", "B5")
def test_a_wrong_set_up_tells_all_its_faults_at_once_to_its_owner_alone() -> None:
    state = after(setup_mask=[*(f"{file}1" for file in "abcdefgh"), "a2", "b2"])
    refusal = state.refusal(state.parse("setup a1=F a1=F h2=B a4=B b1=B c1=S", "red"))
    assert refusal is not None
    told = [
        (each.code.removeprefix("stratego/"), dict(each.params))
        for each in (refusal, *refusal.further_refusals)
    ]
    assert told == [
        ("setup-doubled", {"square": "a1"}),
        ("setup-zone", {"square": "a4"}),
        ("setup-mask", {"square": "h2"}),
        *[
            ("setup-army", {"rank": rank, "given": given, "expected": expected})
            for rank, given, expected in ("202", "302", "901", ("10", "0", "1"), "B32", "F21")
        ],
    ]
    assert refusal.public_code == "stratego/setup-refused"
    assert "a4" not in repr(refusal)
    assert english.refusal_text(refusal, registry.package("stratego-quick-duel"), public=True) == (
        announce.to_sentence(announce.refusal_message(refusal, "stratego-quick-duel", public=True))
    )
    whole = announce.to_sentence(announce.refusal_message(refusal, "stratego-quick-duel"))
    assert "a4 is outside your set-up zone. You can't use h2 for your set-up." in whole
    assert whole == english.refusal_text(refusal, registry.package("stratego-quick-duel"))
    assert announce.translate(whole, "de") != whole
    assert announce.with_space_names(whole, {"a4": "there"}) == whole, (
        "a set-up names squares as they were typed"
    )


@rule("Q05")
def test_small_letters_and_blanks_make_the_same_set_up() -> None:
    assert after().parse("SETUP A1 = f  b1=b", "red") == after().parse("setup a1=F b1=B", "red")


@rule("Q06", "E6")
def test_red_begins_once_both_are_in() -> None:
    state = after(("red", RED), ("blue", BLUE))
    assert state.seats_to_act() == ("red",)
    assert events(state, "a3-a4") == [{"kind": "move", "seat": "red", "from": "a3", "to": "a4"}]
    assert code(state, "a6-a5", "blue") == "stratego/not-your-turn"


@rule("G1")
def test_nobody_moves_before_both_are_in() -> None:
    state = after(("red", RED))
    assert state.seats_to_act() == ("blue",)
    assert code_of(state, "red", "a3-a4") == "stratego/setup-first"
    assert state.layout() == {}


@rule("G2")
def test_a_set_up_may_be_changed_until_the_other_is_in() -> None:
    changed = RED.replace("a1=F b1=B", "a1=B b1=F")
    state = after(("red", RED))
    assert state.parse(changed, "red") in state.legal_actions("red")
    state = after(("red", RED), ("red", changed))
    assert state.view("red").json()["board"]["b1"]["rank"] == "F"
    state = after(("red", RED), ("red", changed), ("blue", BLUE))
    assert state.view("red").json()["board"]["b1"]["rank"] == "F"
    assert code_of(state, "red", RED) == "stratego/setup-done"


@rule("V1")
def test_the_big_board_has_two_square_lakes() -> None:
    printed = board_by_name("10x10")
    assert sorted(printed.spaces_of_mask(printed.lakes)) == ["c5", "c6", "d5", "d6", "g5", "g6", "h5", "h6"]
    assert len(printed.names) == 100
    assert boardrules.new("stratego-classic").unchecked_spaces() == {
        f"{file}{rank}" for file in "abcdefghij" for rank in (1, 2, 3, 4, 7, 8, 9, 10)
    }


@rule("V1", "E6", "Q26", "no_move")
def test_a_classic_army_may_wall_itself_in_and_has_then_no_first_move() -> None:
    ranks = ARMIES["stratego-classic"].split()
    front = ["a4", "b4", "e4", "f4", "i4", "j4"]
    walls = [rank for rank in ranks if rank == "B"]
    rest = [rank for rank in ranks if rank != "B"]
    squares = [
        f"{file}{rank}" for rank in range(1, 5) for file in "abcdefghij" if f"{file}{rank}" not in front
    ]
    army = {**dict(zip(front, walls, strict=True)), **dict(zip(squares, rest, strict=True))}
    red = "setup " + " ".join(f"{square}={rank}" for square, rank in army.items())
    blue = "setup " + " ".join(f"{square[0]}{11 - int(square[1:])}={rank}" for square, rank in army.items())
    state: Any = boardrules.new("stratego-classic")
    free = str(draw_setup(state.rules, "blue", random.Random(1)))
    assert after(("red", red), ("blue", free), game="stratego-classic").outcome == ("blue", "no-move")
    assert after(("red", red), ("blue", blue), game="stratego-classic").outcome == (None, "no-move")
    booklet = after(("red", red), ("blue", blue), game="stratego-classic", no_move="side_to_move_loses")
    assert booklet.outcome == ("blue", "no-move")


@rule("V2")
def test_barrage_and_duel_on_the_big_board_use_all_four_rows() -> None:
    for game in ("stratego-barrage", "stratego-duel"):
        free = boardrules.new(game).unchecked_spaces()
        assert len(free) == 80
        assert len(started(game, random.Random(1)).layout()) == 2 * len(ARMIES[game].split())


@rule("V3")
def test_defaults_of_the_big_board() -> None:
    for game, shuttle in (("stratego-classic", 5), ("stratego-barrage", 3), ("stratego-duel", 3)):
        options = boardrules.new(game).options
        assert (options["no_move"], options["shuttle"]) == ("either_side", shuttle)
    assert boardrules.new("stratego-quick-duel").options["no_move"] == "side_to_move_loses"


@rule("Q05")
@given(st.randoms(use_true_random=False), st.sampled_from(list(ARMIES)), st.sampled_from(["red", "blue"]))
def test_set_ups_round_trip_and_are_members(rng: random.Random, game: str, seat: str) -> None:
    state: Any = boardrules.new(game)
    setup = draw_setup(state.rules, seat, rng)
    assert state.parse(str(setup), seat) == setup
    assert setup in state.legal_actions(seat)
    shuffled = list(setup.pieces)
    rng.shuffle(shuffled)
    assert StrategoSetup(seat, shuffled) == setup
    assert setup not in state.legal_actions("blue" if seat == "red" else "red")


def test_the_sample_of_set_ups_is_fixed_and_legal() -> None:
    state = boardrules.new("stratego-quick-duel")
    sample = state.legal_actions("blue")
    assert isinstance(sample, ActionSample)
    assert list(sample) == list(state.legal_actions("blue"))
    assert len(set(sample)) == len(sample) == 12
    assert all(setup in sample for setup in sample)


@rule("Q04", "Q27")
def test_nobody_resigns_before_the_game_begins_but_time_may_run_out() -> None:
    state = after(("red", RED))
    assert code_of(state, "red", "resign") == "stratego/setup-resign"
    assert state.apply(state.parse("time blue", "clock"))[0].outcome == ("red", "time")


def test_a_position_of_any_pieces_names_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="c4=3: "):
        at("3 c4", "F h8")
    with pytest.raises(ValueError, match="'green' can't move"):
        at("3 a4", "F h8", to_move="green")
    assert why(at("3 a3, F h1", "3 h6, F a8", to_move="blue"), "h6-h5") is None
    assert moves(at("3 a1, F h1", "3 h6, F a8")) == {"a1-a2", "a1-b1"}
