"""One game of a match, from its first action to its end."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import boardrules
from boardlab.match.programs import PlayerProgram
from boardlab.match.spent import ResourceUsage
from boardlab.panel.members import panel_member
from boardrules import baseline_players
from boardrules.baseline_players import PlayerWithLevel
from boardrules.core import Seat
from boardrules.players import PlayerLevel, SearchBudget
from boardumpire.commands.referee import observation
from boardumpire.commands.referee.game_host import HostedGame
from boardumpire.commands.referee.referee_table import GameWithChance

ACTIONS_MAX = 3000
"""After so many actions of seats a game counts as drawn."""
TOO_LONG = "too-long"
"""Why such a game ended."""


class MatchPlan(NamedTuple):
    """What is the same in all games of a match."""

    game: str
    options: Mapping[str, Any]
    players: tuple[str, str]
    """Of either side the name of a player of the game or of its panel, or a command that speaks the referee's
    seat mode."""
    seed: int
    seconds: float | None
    """The cap on the time of one action; without it counting alone ends a search, and all of it repeats."""
    longest: int = ACTIONS_MAX


class GameResult(NamedTuple):
    """What came of a game."""

    number: int
    first: int
    """Which of the two players had the first seat; the other one had all others."""
    winner: int | None
    """Which of the two players won; `None`: a draw."""
    reason: str
    actions: int
    spent: tuple[ResourceUsage, ResourceUsage]


def players_by_seat(plan: MatchPlan, number: int, seats: tuple[Seat, ...]) -> dict[Seat, int]:
    """By seat which of the two players sits there: in every second game they have changed places."""
    return {seat: (number + (place > 0)) % 2 for place, seat in enumerate(seats)}


def contest(plan: MatchPlan, number: int) -> GameResult:
    """Play the game of that number. Games 2n and 2n + 1 have the same dice, with sides swapped."""
    seed = random.Random(f"{plan.seed} {number // 2}").getrandbits(60)
    table, _ = GameWithChance.begin_game(plan.game, plan.options, seed)
    side = players_by_seat(plan, number, table.state.seats)
    package = boardrules.package(plan.game)
    known = baseline_players.player_names(package)
    playing: dict[Seat, _LocalPlayer | PlayerProgram] = {}
    shared = HostedGame(table)
    try:
        for seat, player in side.items():
            name = plan.players[player]
            stranger = panel_member(plan.game, name)
            if stranger is not None or name in known:
                seated = (
                    baseline_players.player_for(package, seat, name)
                    if stranger is None
                    else PlayerWithLevel(stranger.make_player(), PlayerLevel(name, 0))
                )
                chance = random.Random(f"{seed} {seat} {number % 2}")
                playing[seat] = _LocalPlayer(table, seat, seated, chance, plan.seconds)
            else:
                playing[seat] = PlayerProgram(name, seat, shared)
        actions = _play_to_end(table, playing, plan.longest)
    finally:
        for each in playing.values():
            each.leave()
    outcome = table.state.outcome
    winner = None if outcome is None or outcome.winner is None else _winning_player(outcome.winner, side)
    spent = tuple(_usage_of_player(playing, side, player) for player in range(2))
    reason = TOO_LONG if outcome is None else outcome.reason
    return GameResult(number, number % 2, winner, reason, actions, (spent[0], spent[1]))


def _winning_player(winner: str, side: Mapping[Seat, int]) -> int:
    """Which player won: seats that win together may have a name of their own, and are the others."""
    return side.get(Seat(winner), 1 - next(iter(side.values())))


def _play_to_end(
    table: GameWithChance, playing: Mapping[Seat, _LocalPlayer | PlayerProgram], longest: int
) -> int:
    """Play to the end, or until it has taken too long; how many actions seats took."""
    actions = 0
    while table.state.outcome is None and actions < longest:
        playing[table.state.seats_to_act()[0]].act()
        actions += 1
        for each in playing.values():
            each.show_change()
    return actions


def _usage_of_player(
    playing: Mapping[Seat, _LocalPlayer | PlayerProgram], side: Mapping[Seat, int], player: int
) -> ResourceUsage:
    found = ResourceUsage()
    for seat, each in playing.items():
        if side[seat] == player:
            found = found.combined_with(each.spent)
    return found


class _LocalPlayer:
    """A player in this process. It is handed what its seat may know, and nothing else."""

    def __init__(
        self,
        table: GameWithChance,
        seat: Seat,
        seated: PlayerWithLevel,
        chance: random.Random,
        seconds: float | None,
    ) -> None:
        self._table, self._seat, self._chance, self._seconds = table, seat, chance, seconds
        self._player, self._level = seated
        self.spent = ResourceUsage()

    def act(self) -> None:
        """Do what it chooses."""
        told = observation.observe(self._table.state, self._seat)
        began = time.process_time()
        late = None
        if self._seconds is not None:
            end = time.monotonic() + self._seconds
            late = lambda: time.monotonic() > end  # noqa: E731
        meter = SearchBudget(self._level.playouts, late)
        chosen = self._player.choose(told.view, told.legal_actions, self._chance, meter)
        seconds = time.process_time() - began
        refused = self._table.state.refusal(chosen) is not None
        self._table.act(self._seat, str(told.legal_actions[0] if refused else chosen))
        self.spent = self.spent.plus_action(meter.spent_count, seconds, refused)

    def show_change(self) -> None:
        """Look at what has changed."""
        self._player.observe_view(self._table.state.view(self._seat).for_player())

    def leave(self) -> None:
        """End what the player has begun."""
        self._player.close()
