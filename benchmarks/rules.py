"""The rules core against python-chess: random play and lists of legal actions, in one process.

    python benchmarks/rules.py [--json] [--castle] [--quick]

Slices of both take turns, so that a machine that slows down slows both; the medians are compared. Random
Quick Duel play makes the events of every turn and both seats' views; set-ups are drawn before the clock
starts, their coming in and being checked is timed. Positions for the second figure are new to both: ours are
made anew by the move generator, since a position works out its actions when it is made. `--castle` plays
Escape from Colditz alone: by its compiled rules, with `benchmarks.compiled`'s directory in PYTHONPATH.
`--quick` shows that it runs, not how fast.
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
from boardrules.colditz import position
from boardrules.colditz.legal.listing import DICE
from boardrules.core import CHANCE, Action
from boardrules.stratego.moves import legal_moves
from boardrules.stratego.setup import draw_setup

QUICK = "--quick" in sys.argv
SLICES = 3 if QUICK else 41
SLICE_PLIES = 400 if QUICK else 4000
THROWS = [throw for throw, weight in DICE for _ in range(weight)]
CASTLE = "random actions of Escape from Colditz, events and all views"
LONGEST = 400
"""Games are broken off here, as random chess would go on for long."""


def chess_play(rng: random.Random, plies: int) -> int:
    done = 0
    while done < plies:
        board = chess.Board()
        for _ in range(LONGEST):
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
        for _ in range(LONGEST):
            waiting = state.seats_to_act()
            if not waiting:
                break
            legal = cast("Sequence[Action]", state.legal_actions(waiting[0]))
            state, _events = state.apply(rng.choice(legal))
            state.view("red")
            state.view("blue")
            done += 1
    return done


def hunt_play(rng: random.Random, moves: int) -> int:
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


def castle_play(rng: random.Random, plies: int) -> int:
    """Escape from Colditz with three players: actions listed, events, the views of all."""
    done = 0
    while done < plies:
        state: Any = boardrules.new("escape-from-colditz", {})
        viewers = (*state.seats, None)
        while state.outcome is None and done < plies:
            seat = state.seats_to_act()[0]
            if seat == CHANCE:
                odds = state.chance()  # dice are thrown 36 ways; a deck has other cards every time
                if odds is DICE:
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
    return [(draw_setup(rules, "red", rng), draw_setup(rules, "blue", rng)) for _ in range(count)]


def positions(rng: random.Random, count: int) -> tuple[list[Any], list[chess.Board]]:
    """Positions of random games of both, none of them asked for its actions yet."""
    states: list[Any] = []
    boards: list[chess.Board] = []
    while len(states) < count:
        state: Any = boardrules.new("stratego-quick-duel", {})
        for setup in new_setups(rng, 1)[0]:
            state, _ = state.apply(setup)
        for _ in range(LONGEST):
            if state.outcome is not None:
                break
            states.append(state)
            state, _ = state.apply(rng.choice(state.legal_actions(state.seats_to_act()[0])))
    while len(boards) < count:
        board = chess.Board()
        for _ in range(LONGEST):
            moves = list(board.legal_moves)
            if not moves:
                break
            boards.append(board.copy(stack=False))
            board.push(rng.choice(moves))
    return rng.sample(states, count), rng.sample(boards, count)


def timed(work: Callable[[], int]) -> float:
    """Seconds a unit of work."""
    start = time.thread_time()
    done = work()
    return (time.thread_time() - start) / done


def duel_lists(states: list[Any]) -> int:
    for state in states:
        legal_moves(state.facts, state.deal)
    return len(states)


def chess_lists(boards: list[chess.Board]) -> int:
    for board in boards:
        list(board.legal_moves)
    return len(boards)


def compared(ours: Callable[[], int], theirs: Callable[[], int]) -> tuple[float, float, float]:
    """Medians of interleaved slices: seconds of ours, of theirs, and the median of the slices' ratios."""
    pairs = [(timed(ours), timed(theirs)) for _ in range(SLICES)]
    mine, other = zip(*pairs, strict=True)
    return (
        statistics.median(mine),
        statistics.median(other),
        statistics.median(there / here for here, there in pairs),
    )


def main() -> None:
    rng = random.Random(20)

    def castle() -> tuple[float, float, float]:
        return compared(lambda: castle_play(rng, SLICE_PLIES // 2), lambda: chess_play(rng, SLICE_PLIES // 8))

    rows: dict[str, tuple[tuple[float, float, float], int, int]] = {}
    if "--castle" not in sys.argv:
        setups = new_setups(rng, 20 if QUICK else 200)
        states, boards = positions(rng, 200 if QUICK else 2000)
        play = compared(
            lambda: duel_play(rng, SLICE_PLIES, setups), lambda: chess_play(rng, SLICE_PLIES // 4)
        )
        hunt = compared(lambda: hunt_play(rng, SLICE_PLIES), lambda: chess_play(rng, SLICE_PLIES // 8))
        lists = compared(lambda: duel_lists(states), lambda: chess_lists(boards))
        rows = {
            "random plies a second, events and both views": (play, 5, 8),
            "legal actions of a new position": (lists, 6, 10),
            "random moves of Fall of the Führer, possible places kept": (hunt, 7, 14),
        }
    rows[CASTLE] = castle(), 3, 6
    if "--json" in sys.argv:
        told = {name: {"ratio": figures[2], "least": least} for name, (figures, least, _) in rows.items()}
        print(json.dumps({"rows": told, "compiled": not str(position.__file__).endswith(".py")}))
        return
    for name, ((mine, other, ratio), gate, aim) in rows.items():
        print(
            f"{name}: {ratio:.1f} x python-chess (gate {gate}, aim {aim});"
            f" {mine * 1e6:.2f} against {other * 1e6:.2f} microseconds"
        )


if __name__ == "__main__":
    main()
