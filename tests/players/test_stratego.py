"""Players of Stratego do what the rules take, believe what can be true, and keep to their budgets."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

import boardrules
from boardrules import baseline_players
from boardrules.core import State
from boardrules.players import PlayerLevel, SearchBudget
from boardrules.stratego.actions import StrategoMove
from boardrules.stratego.board import CAPTURED_SQUARE
from boardrules.stratego.pieces import RANK_SIGNS, SCOUT
from boardrules.stratego.players.behaviour import FEATURE_COUNT, Behaviour
from boardrules.stratego.players.behaviour_weights import WEIGHTS
from boardrules.stratego.players.beliefs import Beliefs
from boardrules.stratego.players.flag_race import RUN_WORTH, FlagRace
from boardrules.stratego.players.guess_search import WIN_WORTH
from boardrules.stratego.players.hidden_battles import NOT_HIDDEN, hidden_gains, without_pieces
from boardrules.stratego.players.levels import LEVELS
from boardrules.stratego.players.piece_values import RANK_WORTH
from boardrules.stratego.players.quick_games import QuickGames
from boardrules.stratego.players.sampling_player import winning_gains
from boardrules.stratego.players.setup_heuristics import SetupZone
from boardrules.stratego.setup import setup_refusal
from rules.armies import at, line

COMMAND = Path(sys.executable).with_name("boardumpire")
VARIANTS = [game for game in boardrules.ids() if game.startswith("stratego")]
MEMORY_MB = 60
"""What a process that plays may have in memory."""


def led(game: str, seed: int, turns: int, **options: Any) -> list[State]:
    """The states of a game in which pieces go anywhere."""
    draws, state = random.Random(f"{game} {seed}"), boardrules.new(game, options)
    players = {
        seat: baseline_players.player_for(boardrules.package(game), seat, "simple").player
        for seat in state.seats
    }
    found = []
    for _ in range(turns):
        seat = state.seats_to_act()[0]
        legal = tuple(state.legal_actions(seat))
        state, _ = state.apply(players[seat].choose(state.view(seat), legal, draws, SearchBudget(0)))
        if state.outcome is not None:
            break
        found.append(state)
    return found


@pytest.mark.few(5)
@pytest.mark.parametrize("game", VARIANTS)
@pytest.mark.parametrize("level", [level.name for level in LEVELS] + ["greedy"])
def test_every_level_plays_every_variant_by_the_rules(game: str, level: str) -> None:
    package = boardrules.package(game)
    for number, state in enumerate([boardrules.new(game), *led(game, 3, 40)[2::9]]):
        seat = state.seats_to_act()[0]
        player, its = baseline_players.player_for(package, seat, level)
        meter = SearchBudget(min(its.playouts, 500))
        player.observe_view(state.view(seat))
        chosen = player.choose(
            state.view(seat), tuple(state.legal_actions(seat)), random.Random(number), meter
        )
        assert state.refusal(chosen) is None
        assert meter.spent_count <= min(its.playouts, 500)


@pytest.mark.few(2)
@pytest.mark.parametrize("game", VARIANTS)
@pytest.mark.parametrize("announce", ["ranks", "silent"])
def test_the_truth_is_among_what_is_believed_and_every_guess_fits(game: str, announce: str) -> None:
    chance = random.Random(5)
    for state in led(game, 7, 120, announce=announce)[2::7]:
        for seat in state.seats:
            view = state.view(seat)
            beliefs = Beliefs(view)  # type: ignore[arg-type]
            true = state.hidden_ranks.ranks  # type: ignore[attr-defined]
            for piece in beliefs.hidden_pieces:
                assert beliefs.possible_ranks[piece] >> true[piece] & 1
            guess = beliefs.deal_ranks(chance)
            assert sorted(guess[piece] for piece in beliefs.enemy_pieces) == sorted(
                true[piece] for piece in beliefs.enemy_pieces
            )
            assert all(
                guess[piece] == beliefs.known_ranks[piece]
                for piece in range(len(guess))
                if beliefs.known_ranks[piece]
            )
            if announce == "ranks":
                assert all(
                    beliefs.possible_ranks[piece] >> guess[piece] & 1 for piece in beliefs.hidden_pieces
                )


def test_people_like_the_back_row_for_the_flag() -> None:
    rules = boardrules.new("stratego-duel").rules  # type: ignore[attr-defined]
    player, level = baseline_players.player_for(boardrules.package("stratego-duel"), "red", "3")
    back = 0
    for seed in range(40):
        view = boardrules.new("stratego-duel").view("red")
        setup = player.choose(view, (), random.Random(seed), SearchBudget(level.playouts))
        assert setup_refusal(rules, setup) is None  # type: ignore[arg-type]
        flag = next(square for square, rank in setup.pieces if rank == "F")  # type: ignore[attr-defined]
        back += flag.endswith("1")
    assert back > 20  # of a random set-up every fourth


def test_a_set_up_keeps_to_the_squares_that_are_allowed() -> None:
    squares = [f"{file}{row}" for file in "abcd" for row in (1, 2, 3)]
    state = boardrules.new("stratego-quick-duel", {"setup_mask": squares})
    for seat in state.seats:
        player, _ = baseline_players.player_for(boardrules.package("stratego-quick-duel"), seat, "4")
        assert state.refusal(player.choose(state.view(seat), (), random.Random(1), SearchBudget(9))) is None


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_a_player_takes_little_memory() -> None:
    """A bot at the strongest level plays some turns of the largest game; then its memory is looked at."""
    words = [COMMAND, "bot", "stratego-classic", "--seat", "red", "--level", LEVELS[-1].name, "--seed", "1"]
    referee = subprocess.Popen(
        [COMMAND, "referee", "--seat", "red", "--seed", "1"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    bot = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert bot.stdout is not None
    assert bot.stdin is not None
    assert referee.stdin is not None
    assert referee.stdout is not None
    acts = 0
    while acts < 6:
        asked = bot.stdout.readline()
        referee.stdin.write(asked)
        referee.stdin.flush()
        bot.stdin.write(referee.stdout.readline())
        bot.stdin.flush()
        acts += json.loads(asked)["do"] == "act"
    status = Path(f"/proc/{bot.pid}/status").read_text()
    for process in (bot, referee):
        process.kill()
        process.communicate()
    peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024
    assert peak < MEMORY_MB, f"{peak:.0f} MB"


@pytest.mark.parametrize("level", ["1", "4"])
@pytest.mark.parametrize("game", ["stratego-quick-duel", "stratego-classic"])
def test_machines_set_up_sensibly_and_no_corner_is_a_rule(game: str, level: str) -> None:
    package = boardrules.package(game)
    state, (size, last) = package.new({}), (8, "h") if "quick" in game else (10, "j")
    corners = 0
    for seed in range(20):
        for seat in state.seats:
            player, _ = baseline_players.player_for(package, seat, level)
            setup = player.choose(state.view(seat), (), random.Random(seed), SearchBudget(9))
            pieces = state.setup_placements(setup)
            zone = SetupZone(state.rules, seat)  # type: ignore[attr-defined]
            assert zone.find_follies(pieces) == ()
            flag = next(square for square, rank in pieces.items() if rank == "F")
            corners += flag in ("a1", f"a{size}", f"{last}1", f"{last}{size}")
    assert corners < 20  # of 40


def test_no_whim_lets_a_capture_go_that_it_knows_it_wins() -> None:
    """Where it can take a piece that it knows, a player that errs always does as one that never errs."""
    seat, package = "red", boardrules.package("stratego-quick-duel")
    settings = {
        "deep": 1,
        "worlds": 1,
        "forgets": 0.0,
        "knows_habits": True,
        "watches": False,
        "sees_runs": False,
        "weighs_odds": False,
        "quick_games": 0,
    }
    looked = differed = 0
    for seed in range(12):
        for state in led("stratego-quick-duel", seed, 60)[4:]:
            if seat not in state.seats_to_act():
                continue
            legal = tuple(state.legal_actions(seat))
            chosen = [
                package.players()  # type: ignore[union-attr]
                .make_player(seat, PlayerLevel("", 60, {**settings, "errs": errs}))
                .choose(state.view(seat), legal, random.Random(seed), SearchBudget(60))
                for errs in (0.0, 1.0)
            ]
            board = state.view(seat).json()["board"]
            takes = [
                move
                for move in map(str, legal)
                if board.get(move[3:], {}).get("seat") == "blue" and knows(state, move)
            ]
            if takes:
                looked += 1
                assert chosen[0] == chosen[1]
            else:
                differed += chosen[0] != chosen[1]
    assert looked > 2
    assert differed > 20


def knows(state: Any, move: str) -> bool:
    """Whether Red was told the rank of the piece that it takes, and beats it."""
    facts = state.view("red").facts
    squares = facts.rules.board.squares
    attacker, target = (facts.piece_on(squares[square]) for square in move.split("-"))
    rank, told = state.hidden_ranks.ranks[attacker], facts.revealed.announced_ranks[target]
    return bool(told) and facts.rules.battle_table[rank][told] == "attacker"


def test_behaviour_speaks_of_standing_pieces_and_never_against_the_truth() -> None:
    """Chances come to 1, what a piece can't be stays at 0, and what was seen changes them."""
    changed = 0
    behaviour = Behaviour()
    for state in led("stratego-quick-duel", 3, 120)[2:]:
        behaviour.observe_facts(state.view("red").facts, 0)  # type: ignore[attr-defined]
        if "red" not in state.seats_to_act():
            continue
        plain, seen = Beliefs(state.view("red")), Beliefs(state.view("red"), behaviour)  # type: ignore[arg-type]
        for piece in plain.hidden_pieces:
            if plain.facts.square_by_piece[piece] == CAPTURED_SQUARE:
                continue
            assert len(behaviour.features(plain.facts, piece, plain.enemy_pieces)) == FEATURE_COUNT
            chances = seen.chances(piece)
            assert sum(chances) == pytest.approx(1)
            assert chances[state.hidden_ranks.ranks[piece]] > 0  # type: ignore[attr-defined]
            assert [bool(chance) for chance in chances] == [bool(chance) for chance in plain.chances(piece)]
            changed += chances != plain.chances(piece)
    assert changed > 50
    assert {len(row) for row in WEIGHTS} == {FEATURE_COUNT}
    assert len(WEIGHTS) == len(RANK_SIGNS)


def test_a_hidden_battle_counts_what_the_attacker_may_believe() -> None:
    """The same whatever hidden pieces are, with no Bomb where a piece has moved; nothing for who is known."""
    red = "10 c3, 3 d3, F a1, B h1"
    told = []
    for blue in ("9 c7, 2 e6, B a8, F h8", "2 c7, 9 e6, F a8, B h8"):
        state = line(at(red, blue, to_move="blue"), "c7-c6")
        view = state.view("red")
        told.append(hidden_gains(view.facts, Beliefs(view), view.own_ranks))
    assert told[0] == told[1]
    piece = view.facts.piece_on(view.facts.rules.board.squares["c6"])
    moved, general, scout = (told[0][rank][piece] for rank in (10, 9, 2))
    assert -RANK_WORTH[SCOUT] < scout < general < moved  # a Bomb would cost the Marshal most
    own = view.facts.piece_on(view.facts.rules.board.squares["c3"])
    assert told[0][9][own] != NOT_HIDDEN
    assert all(row[own] == row[piece] == NOT_HIDDEN for row in without_pieces(told[0], (own, piece)))


@pytest.mark.parametrize(("balance", "gains"), [(0.0, True), (60.0, False)])
def test_who_is_far_ahead_gambles_on_no_flag(balance: float, gains: bool) -> None:
    """A Scout's worth for a Flag once in eight: good where it is even, bad where the game is won anyway."""
    seven, one = winning_gains(balance, [-RANK_WORTH[SCOUT], WIN_WORTH])
    assert (7 * seven + one > 0) is gains
    assert winning_gains(balance, [0.0]) == [0.0]


@pytest.mark.parametrize(
    ("red", "blue", "move", "least", "most"),
    [
        ("10 a7, F h1", "F a8, 2 c8, B h8", "a7-a8", 1.0, 1.0),  # it takes the Flag
        ("10 c7, F h1", "F a8, 3 c8, B h8", "c7-c8", 1.0, 1.0),  # nobody is left to move
        ("2 h5, F a1", "9 a4, 10 b4, S d4, F e8, B h8, B c8", "h5-h6", 0.0, 0.4),
        ("9 a5, 10 b5, S d5, F e1, B h1", "2 h4, F a8", "b5-b6", 0.6, 1.0),
    ],
)
def test_a_quick_game_knows_who_wins(red: str, blue: str, move: str, least: float, most: float) -> None:
    state = at(red, blue)
    games = QuickGames(state.facts, bytearray(state.hidden_ranks.ranks), 0)
    first = state.parse(move, "red")
    assert isinstance(first, StrategoMove)
    shares = [games.play(first, random.Random(seed)) for seed in range(20)]
    assert least <= mean(shares) <= most
    assert shares == [games.play(first, random.Random(seed)) for seed in range(20)]


def test_who_chases_a_piece_that_runs_at_a_flag_is_too_late() -> None:
    """A General three steps from an open Flag runs once the Marshal is off; beside the Flag that stops it."""
    state = at("10 h3, 3 e2, F h1", "9 g4, F a8")
    race = FlagRace(state.facts, bytearray(state.hidden_ranks.ranks), 0)
    stays, chases = (race.worth_after(state.parse(f"h3-{to}", "red")) for to in ("h2", "h4"))
    assert stays == 0
    assert chases == -RUN_WORTH / 4
    assert race.worth_after(state.parse("h3-h2", "red")) == stays  # it has put all back


@pytest.mark.parametrize(("runner", "worth"), [("9", 0), ("3", -RUN_WORTH * (1 / 3))])
def test_only_a_miner_runs_at_a_flag_behind_bombs(runner: str, worth: float) -> None:
    state = at("10 a8, F h1, B h2, B g1", f"{runner} h4, F a5, B a4, B b5, B a6")
    race = FlagRace(state.facts, bytearray(state.hidden_ranks.ranks), 0)
    assert race.worth_after(state.parse("a8-b8", "red")) == worth


def test_the_strongest_level_stays_with_its_flag() -> None:
    """The Marshal would like to go after a General that is known, four steps from the Flag."""
    red = "9 c3, 10 h3, 3 a2, B b2, B c2, 3 e2, S b1, F h1, 2 g4"
    blue = "9 g5, F a8, B d8, B a7, S f7, 10 e6, 2 f6, 3 c6, 3 b4, 2 g7"
    state = line(at(red, blue, to_move="blue"), "g5-g4")
    for seed in range(3):
        budget, legal = SearchBudget(LEVELS[-1].playouts), tuple(state.legal_actions("red"))
        chosen = players_of("4")["red"].choose(state.view("red"), legal, random.Random(seed), budget)
        assert str(chosen) not in ("h3-g3", "h3-h4")


def test_a_draw_is_agreed_to_after_forty_quiet_turns() -> None:
    state = at("10 a3, F h1", "9 h8, F a8")
    player, draws = players_of("4")["blue"], random.Random(3)
    agreed = {}
    for turn in range(45):
        offered, _ = state.apply(state.parse("offer-draw", "red"))
        said = player.answer_offer(offered.view("blue"), offered.table_actions("blue"), random.Random(1))
        agreed[turn] = str(said) == "agree-draw"
        assert str(said) in ("agree-draw", "decline-draw")
        assert player.answer_offer(state.view("blue"), state.table_actions("blue"), random.Random(1)) is None
        seat = state.seats_to_act()[0]
        own_half = "1234" if seat == "red" else "5678"
        step = draws.choice([move for move in state.legal_actions(seat) if str(move)[4] in own_half])
        state = line(state, str(step))
    assert not any(agreed[turn] for turn in range(40))
    assert all(agreed[turn] for turn in range(40, 45))


def players_of(level: str) -> dict[str, Any]:
    package = boardrules.package("stratego-quick-duel")
    return {seat: baseline_players.player_for(package, seat, level).player for seat in ("red", "blue")}


@pytest.mark.parametrize(("red", "turns"), [("3 a3, F h1", 10), ("10 a3, 9 b3, 2 c3, F h1", None)])
def test_who_is_far_behind_for_ten_turns_has_no_hope(red: str, turns: int | None) -> None:
    blue = "10 h8, 9 g8, 3 f8, 2 e8, 2 d8, 3 c8, S b8, F a8, B a7, B b7"
    state, draws = at(red, blue), random.Random(3)
    player, hopeless = players_of("1")["red"], []
    for _ in range(24):
        seat = state.seats_to_act()[0]
        if seat == "red":
            player.choose(state.view(seat), tuple(state.legal_actions(seat)), draws, SearchBudget(20))
            hopeless.append(player.is_hopeless())
        own_half = "1234" if seat == "red" else "5678"
        state = line(
            state, str(draws.choice([each for each in state.legal_actions(seat) if str(each)[4] in own_half]))
        )
    assert hopeless == [turns is not None and number >= turns for number in range(1, 13)]
