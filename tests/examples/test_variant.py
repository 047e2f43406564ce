"""A variant of Stratego from outside is what the guide says: one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardlab import contract
from boardrules import baseline_players, registry
from boardrules.core import Seat
from boardrules.game import Game
from boardrules.stratego.games import Stratego

GUIDE = Path(__file__).parents[2] / "docs" / "program" / "add-a-game.md"


@pytest.fixture
def rush() -> Iterator[str]:
    """The game of the guide."""
    found = re.search(r"^GAME = (Stratego\(.*\))$", GUIDE.read_text(), re.MULTILINE)
    assert found
    registry.register(eval(found[1], {"Stratego": Stratego}))
    yield "rush"
    registry._registered_games.pop("rush")
    registry.package.cache_clear()


@pytest.mark.slow
def test_a_variant_of_one_line_keeps_the_contract(rush: str) -> None:
    findings = [str(each) for each in contract.check(rush, games=1).findings]
    assert [each for each in findings if "no installed board" not in each] == []


def test_a_variant_of_one_line_is_played_and_read_again(rush: str) -> None:
    game = Game(rush)
    game.push("setup a1=F b1=B c1=S d1=2 e1=2 f1=3 g1=10", "red")
    game.push("setup a8=F b8=B c8=S d8=2 e8=2 f8=3 g8=10", "blue")
    game.push("d1-d7", "red")
    assert Game.read(game.record()).state == game.state
    assert baseline_players.player_for(registry.package(rush), Seat("red"), "1").player
