"""The machine plays chess: it is handed a view as data, in a process of its own, and hands do its moves."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import boardrules
from boardrules import baseline_players, registry
from boardrules.core import Seat, State, View
from boardrules.players import SearchBudget
from boardumpire.commands import computer_players
from boardumpire.commands.referee import observation
from boardumpire.errors import ConfigError
from evenings import virtual_loop
from evenings.service import Service, configured

pytestmark = pytest.mark.usefixtures("games")
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
PROMOTES = "8/P6k/8/8/8/8/7p/K7 w - - 0 1"
CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def choice(state: State, level: str, seed: int = 1) -> str:
    """What a player of that level does, by what reaches its process."""
    seat = state.seats_to_act()[0]
    told = observation.decode(observation.encode(observation.observe(state, seat)))
    player, budget = baseline_players.player_for(boardrules.package("chess"), seat, level)
    return str(
        player.choose(told.view, told.legal_actions, random.Random(seed), SearchBudget(budget.playouts))
    )


@pytest.mark.parametrize("level", ["2", "3"])
def test_a_mate_is_found(level: str) -> None:
    state = boardrules.new("chess", {"fen": MATE_IN_ONE})
    found = [choice(state, level, seed) for seed in range(8)]
    assert found.count("a1-a8") >= 6


def test_a_pawn_becomes_a_queen() -> None:
    state = boardrules.new("chess", {"fen": PROMOTES})
    state, _ = state.apply(state.parse("a7-a8", "white"))
    assert choice(state, "1") == "queen"


@pytest.mark.nightly
def test_a_stronger_level_wins() -> None:
    points = 0.0
    for seed in range(4):
        state, sides = boardrules.new("chess"), {"white": "13"[seed % 2], "black": "31"[seed % 2]}
        for number in range(40):
            if state.outcome is not None:
                break
            seat = state.seats_to_act()[0]
            state, _ = state.apply(state.parse(choice(state, sides[seat], seed * 1000 + number), seat))
        points += _points(state, next(seat for seat, level in sides.items() if level == "3"))
    assert points >= 3


def _points(state: State, seat: str) -> float:
    """By what the game ended in; one that goes on by what stands."""
    if state.outcome is not None and state.outcome.winner is not None:
        return float(state.outcome.winner == seat)
    worth = {"pawn": 1, "knight": 3, "bishop": 3, "rook": 5, "queen": 9, "king": 0}
    pieces = [piece for (piece,) in state.layout().values()]
    ahead = sum(worth[piece.name] * (1 if piece.seat == seat else -1) for piece in pieces)
    return 0.5 if abs(ahead) < 2 else float(ahead > 0)


@pytest.mark.slow
@pytest.mark.parametrize("fen", [PROMOTES, CASTLES])
def test_machines_play_to_the_end_by_hands(fen: str, tmp_path: Path) -> None:
    async def evening() -> None:
        seats = {"white": "2", "black": "1"}
        service = Service(configured(tmp_path, "chess", seats, board="chess-8x8", fen=fen), 1)
        async with service.running():
            await service.played()

    virtual_loop.run(evening(), 1, virtual_loop.busy)


class Holding(View):
    """A view that holds an object of another library."""

    def __init__(self, seat: Seat | None, state: State) -> None:
        super().__init__(seat)
        self.state = state

    @property
    def to_act(self) -> tuple[Seat, ...]:
        return self.state.seats_to_act()

    def json(self) -> dict[str, object]:
        return {"seat": self.seat, "to_act": list(self.to_act)}

    def comparison_key(self) -> tuple[object, ...]:
        return (self.state,)


@pytest.fixture
def held(games: None, monkeypatch: pytest.MonkeyPatch) -> None:
    package = registry.package("chess")
    state = type(package.new({}))
    monkeypatch.setattr(state, "view", lambda self, seat: Holding(seat, self))


@pytest.mark.usefixtures("held")
def test_a_game_whose_view_no_player_can_be_handed_is_refused_at_the_start() -> None:
    with pytest.raises(
        ConfigError, match=r"chess: the view of black can't be handed to a player .*View.for_"
    ):
        computer_players.check_machine_seats("chess", {}, {Seat("black"): "random"})
