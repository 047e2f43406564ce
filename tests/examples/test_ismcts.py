"""The search that anybody can copy: it knows no more than its seat, and finds what is to be found."""

from __future__ import annotations

import random
import runpy
from pathlib import Path
from typing import Any

import pytest

from boardrules import Game

FILE = Path(__file__).resolve().parents[2] / "examples" / "clients" / "ismcts.py"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"


@pytest.fixture
def search() -> dict[str, Any]:
    return runpy.run_path(str(FILE))


@pytest.mark.slow
@pytest.mark.usefixtures("games")
def test_a_mate_is_found_by_search(search: dict[str, Any]) -> None:
    game = Game("chess", fen=MATE_IN_ONE)
    found = [str(search["choose"](game, "white", 400, random.Random(seed))) for seed in range(3)]
    assert found.count("a1-a8") >= 2


@pytest.mark.parametrize("seed", range(3))
def test_search_chooses_the_same_whatever_is_hidden(search: dict[str, Any], seed: int) -> None:
    dice = random.Random(seed)
    game = Game("stratego-quick-duel")
    while len(game.actions) < 4:
        seat = game.turn or game.to_act[0]
        game.push(dice.choice(list(game.legal(seat))), seat)
    seat = game.to_act[0]
    twin = Game(game.resample(seat, dice))
    assert twin.state != game.state
    chosen = [search["choose"](each, seat, 10, random.Random(1)) for each in (game, twin)]
    assert chosen[0] == chosen[1]
    assert chosen[0] in game.legal(seat)
