"""Game after game on one simulated board, whatever the last one left where."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardsim.hands.hands import HandsError
from evenings import service, virtual_loop
from evenings.service import Service, configured

DUEL, HUNT, CASTLE = "stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz"
OPTIONS: dict[str, dict[str, Any]] = {
    DUEL: {"quiet_limit": 12},
    HUNT: {},
    CASTLE: {"players": 3, "rounds": 5},
}


def left_over(board: Any, dice: random.Random) -> None:
    """A child plays with the pieces of a game that is over: stands some anywhere, holds some, drops some."""
    fingers = board.fingers
    for piece in fingers.pieces():
        try:
            match dice.randrange(4):
                case 0:
                    fingers.carry(piece["id"], dice.choice(sorted(board.world.board.spaces)))
                case 1:
                    fingers.grab(piece["id"], lift=True)
                    fingers.grips[piece["id"]].is_led = False
                case 2:
                    fingers.grab(piece["id"], lift=True)
                    fingers.put_beside_board(piece["id"])
        except HandsError:  # it is on its way
            continue


async def evening(folder: Path, game: str, seed: int, games: int) -> None:
    dice = random.Random(f"left over {seed}")
    options = OPTIONS[game]
    seats = dict.fromkeys(boardrules.new(game, options).seats, "1")
    played = Service(configured(folder, game, seats, **options), seed)
    async with played.running():
        board: Any = played.daemon._virtual
        box = Counter(piece["seat"] for piece in board.fingers.pieces())
        for number in range(games):
            if number:
                left_over(board, dice)
                played.daemon.begin_game({})
            await played.played()
            assert Counter(piece["seat"] for piece in board.fingers.pieces()) == box


@pytest.mark.slow
@pytest.mark.cases(3)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("game", "board", "games"),
    [(DUEL, "quick-battle-8x8", 6), (HUNT, f"{HUNT}-slots", 6), (CASTLE, CASTLE, 3)],
)
def test_games_in_a_row_come_to_their_end(
    game: str, board: str, games: int, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(service.BOARDS, game, board)
    virtual_loop.run(evening(tmp_path, game, seed, games), seed, virtual_loop.busy)
