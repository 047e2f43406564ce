"""Counts of move trees on 8x8, made by the plainest referee one could write: no bitboards, no caches."""

from __future__ import annotations

import random

import pytest

from boardrules.stratego.play import StrategoState
from rules.armies import at, started

LAKES = {(2, 3), (2, 4), (5, 3), (5, 4)}
Piece = tuple[int, str]
Plain = dict[tuple[int, int], Piece]


def plain(state: StrategoState) -> Plain:
    board = state.truth()["board"]
    return {
        (ord(name[0]) - 97, int(name[1:]) - 1): (int(piece["seat"] == "blue"), piece["rank"])
        for name, piece in board.items()
    }


def plain_moves(board: Plain, side: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    found = []
    for (x, y), (owner, rank) in board.items():
        if owner != side or rank in "BF":
            continue
        for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            for far in range(1, 8 if rank == "2" else 2):
                to = (x + far * dx, y + far * dy)
                if not (0 <= to[0] < 8 and 0 <= to[1] < 8) or to in LAKES:
                    break
                if to in board:
                    if board[to][0] != side:
                        found.append(((x, y), to))
                    break
                found.append(((x, y), to))
    return found


def plain_perft(board: Plain, side: int, depth: int) -> int:
    found = plain_moves(board, side)
    if depth == 1:
        return len(found)
    total = 0
    for origin, to in found:
        after = dict(board)
        mine = after.pop(origin)[1]
        theirs = after.pop(to)[1] if to in after else None
        if theirs == "F":
            continue
        values = {"S": 1, "B": 99}
        one, other = (values.get(rank or "0") or int(rank or 0) for rank in (mine, theirs))
        wins = one > other or (mine == "3" and theirs == "B") or (mine == "S" and theirs == "10")
        if wins:
            after[to] = (side, mine)
        elif one < other and theirs is not None:
            after[to] = (1 - side, theirs)
        total += plain_perft(after, 1 - side, depth - 1)
    return total


def perft(state: StrategoState, depth: int) -> int:
    actions = state.legal_actions(state.seats_to_act()[0]) if state.outcome is None else ()
    if depth == 1:
        return len(actions)
    return sum(perft(state.apply(action)[0], depth - 1) for action in actions)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("game", ["stratego-quick-duel", "stratego-quick-barrage"])
def test_counts_agree_with_the_plainest_referee(game: str, seed: int) -> None:
    state = started(game, random.Random(seed), shuttle="off", chase="off")
    rng = random.Random(seed)
    for _ in range(30):
        if state.outcome is None:
            after, _ = state.apply(rng.choice(state.legal_actions(state.seats_to_act()[0])))
            assert isinstance(after, StrategoState)
            state = after
    if state.outcome is None:
        side = ("red", "blue").index(state.seats_to_act()[0])
        assert [perft(state, depth) for depth in (1, 2, 3)] == [
            plain_perft(plain(state), side, depth) for depth in (1, 2, 3)
        ]


FIXED = ("F a1, B a2, B b1, S c1, 2 d3, 2 e3, 3 g2, 3 h2, 9 b3, 10 g3",
         "F h8, B h7, B g8, S f8, 2 e6, 2 d6, 3 b7, 3 a7, 9 g6, 10 b6")  # fmt: skip


def test_counts_of_one_position_stay_what_they_are() -> None:
    state = at(*FIXED, shuttle="off", chase="off")
    counts = [perft(state, depth) for depth in (1, 2, 3)]
    assert counts == [plain_perft(plain(state), 0, depth) for depth in (1, 2, 3)]
    assert counts == PINNED


PINNED = [25, 621, 15920]
