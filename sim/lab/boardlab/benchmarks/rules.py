"""The rules core against python-chess: random play and lists of legal actions, in one process.

    python sim/lab/boardlab/benchmarks/rules.py [--json] [--quick]

Slices of both take turns, so that a machine that slows down slows both; the medians are compared. Random
Quick Duel play makes the events of every turn and both seats' views; set-ups are drawn before the clock
starts, their coming in and being checked is timed. Positions for the second figure are new to both: ours are
made anew by the move generator, since a position works out its actions when it is made. With
the directory of `boardlab.benchmarks.compiled` in PYTHONPATH the rules are compiled. `--quick` shows that it
runs, not how fast.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, cast

import chess

import boardrules
from boardrules import core
from boardrules.colditz.legal.listing import WEIGHTED_THROWS
from boardrules.core import CHANCE, Action
from boardrules.stratego.actions import BLUE, RED
from boardrules.stratego.moves import legal_moves
from boardrules.stratego.setup import draw_setup

QUICK = "--quick" in sys.argv
SLICES = 3 if QUICK else 41
SLICE_PLIES = 400 if QUICK else 4000
THROWS = [throw for throw, weight in WEIGHTED_THROWS for _ in range(weight)]
RATIO_GATES = ((4, 8), (6, 10), (7, 12), (0.7, 0.7))
"""By row the least ratio in plain Python, and compiled."""
GAME_PLIES_MAX = 400
"""Games are broken off here, as random chess would go on for long."""


def chess_play(rng: random.Random, plies: int) -> int:
    done = 0
    while done < plies:
        board = chess.Board()
        for _ in range(GAME_PLIES_MAX):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
            done += 1
    return done


def duel_play(rng: random.Random, plies: int, setups: list[tuple[Any, Any]]) -> int:
    done = 0
    while done < plies:
        state = boardrules.new("stratego-quick-duel", {})
        for setup in rng.choice(setups):
            state, _ = state.apply(setup)
        for _ in range(GAME_PLIES_MAX):
            waiting = state.seats_to_act()
            if not waiting:
                break
            legal = cast("Sequence[Action]", state.legal_actions(waiting[0]))
            state, _events = state.apply(rng.choice(legal))
            state.view(RED)
            state.view(BLUE)
            done += 1
    return done


def play_random_hunts(rng: random.Random, moves: int) -> int:
    """Fall of the Führer: every action with its events and the possible places; set-ups are among them."""
    done = 0
    while done < moves:
        state = boardrules.new("fall-of-the-fuhrer", {})
        while True:
            waiting = state.seats_to_act()
            if not waiting:
                break
            legal = cast("Sequence[Action]", state.legal_actions(waiting[0]))
            state, _events = state.apply(rng.choice(legal))
            done += 1
    return done


def play_random_escapes(rng: random.Random, plies: int) -> int:
    """Escape from Colditz with three players: actions listed, events, the views of all."""
    done = 0
    while done < plies:
        state: Any = boardrules.new("escape-from-colditz", {})
        viewers = (*state.seats, None)
        while state.outcome is None and done < plies:
            seat = state.seats_to_act()[0]
            if seat == CHANCE:
                odds = state.chance()  # dice are thrown 36 ways; a deck has other cards every time
                if odds is WEIGHTED_THROWS:
                    action = rng.choice(THROWS)
                else:
                    action = rng.choices([one for one, _ in odds], [weight for _, weight in odds])[0]
            else:
                action = rng.choice(state.legal_actions(seat))
            state, _events = state.apply(action)
            for viewer in viewers:
                state.view(viewer)
            done += 1
    return done


def new_setups(rng: random.Random, count: int) -> list[tuple[Any, Any]]:
    rules = boardrules.new("stratego-quick-duel", {}).rules  # type: ignore[attr-defined]
    return [(draw_setup(rules, RED, rng), draw_setup(rules, BLUE, rng)) for _ in range(count)]


def positions(rng: random.Random, count: int) -> tuple[list[Any], list[chess.Board]]:
    """Positions of random games of both, none of them asked for its actions yet."""
    states: list[Any] = []
    boards: list[chess.Board] = []
    while len(states) < count:
        state: Any = boardrules.new("stratego-quick-duel", {})
        for setup in new_setups(rng, 1)[0]:
            state, _ = state.apply(setup)
        for _ in range(GAME_PLIES_MAX):
            if state.outcome is not None:
                break
            states.append(state)
            state, _ = state.apply(rng.choice(state.legal_actions(state.seats_to_act()[0])))
    while len(boards) < count:
        board = chess.Board()
        for _ in range(GAME_PLIES_MAX):
            moves = list(board.legal_moves)
            if not moves:
                break
            boards.append(board.copy(stack=False))
            board.push(rng.choice(moves))
    return rng.sample(states, count), rng.sample(boards, count)


def seconds_per_unit(work: Callable[[], int]) -> float:
    """Seconds a unit of work."""
    start = time.thread_time()
    done = work()
    return (time.thread_time() - start) / done


def list_duel_moves(states: list[Any]) -> int:
    for state in states:
        legal_moves(state.facts, state.hidden_ranks)
    return len(states)


def list_chess_moves(boards: list[chess.Board]) -> int:
    for board in boards:
        list(board.legal_moves)
    return len(boards)


def compare_interleaved(ours: Callable[[], int], theirs: Callable[[], int]) -> tuple[float, float, float]:
    """Medians of interleaved slices: seconds of ours, of theirs, and the median of the slices' ratios."""
    pairs = [(seconds_per_unit(ours), seconds_per_unit(theirs)) for _ in range(SLICES)]
    mine, other = zip(*pairs, strict=True)
    return (
        statistics.median(mine),
        statistics.median(other),
        statistics.median(there / here for here, there in pairs),
    )


def main() -> None:
    rng = random.Random(20)

    setups = new_setups(rng, 20 if QUICK else 200)
    states, boards = positions(rng, 200 if QUICK else 2000)
    plies = SLICE_PLIES
    rows = {
        "random plies of Quick Duel, events and both views": compare_interleaved(
            lambda: duel_play(rng, plies, setups), lambda: chess_play(rng, plies // 4)
        ),
        "legal actions of a new position": compare_interleaved(
            lambda: list_duel_moves(states), lambda: list_chess_moves(boards)
        ),
        "random moves of Fall of the Führer, possible places kept": compare_interleaved(
            lambda: play_random_hunts(rng, plies), lambda: chess_play(rng, plies // 8)
        ),
        "random actions of Escape from Colditz, events and all views": compare_interleaved(
            lambda: play_random_escapes(rng, plies // 2), lambda: chess_play(rng, plies // 8)
        ),
    }
    compiled = not str(core.__file__).endswith(".py")
    gates = [gate[compiled] for gate in RATIO_GATES]
    if "--json" in sys.argv:
        told = {
            name: {"ratio": ratio, "least": least}
            for (name, (_, _, ratio)), least in zip(rows.items(), gates, strict=True)
        }
        print(json.dumps({"rows": told, "compiled": compiled}))
        return
    for (name, (mine, other, ratio)), least in zip(rows.items(), gates, strict=True):
        print(
            f"{name}: {ratio:.1f} x python-chess (gate {least});"
            f" {mine * 1e6:.2f} against {other * 1e6:.2f} microseconds"
        )


if __name__ == "__main__":
    main()
