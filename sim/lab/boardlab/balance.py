"""`boardumpire lab balance GAME`: how often each side wins between equally simple players.

It prints one line for the game with its options, and with `--each` one for every other value of every option.
So a map or an option can be judged before people play with it. The interval contains the true share in 95 of
100 cases.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from boardrules import option_words as options_given
from boardrules import registry
from boardrules.core import CHANCE, OptionError, State
from boardrules.package import SimplePlayers

FAIR_SHARE_RANGE = (0.35, 0.65)
"""Between these shares a game counts as fair."""
BAD_INPUT = 2


class BalanceTally(NamedTuple):
    """What came of many games."""

    games: int
    winners: Mapping[str, int]
    """How often the seat that plays alone won, and how often the others (`SimplePlayers.coalition_name`)."""
    reasons: Mapping[str, int]
    rounds: float
    """The mean round in which a game ended."""

    def share(self, side: str) -> float:
        """How large a part of the games a side has won."""
        return self.winners.get(side, 0) / self.games

    def interval(self, side: str) -> tuple[float, float]:
        """Wilson's interval of that share, for 95 in 100."""
        n, p, z = self.games, self.share(side), 1.96
        middle, width = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (middle - width) / (1 + z * z / n), (middle + width) / (1 + z * z / n)


def play(state: State, act: Callable[..., Any], draws: random.Random) -> State:
    """One game to its end; every player is handed its own view and nothing else."""
    while state.outcome is None:
        seat = state.seats_to_act()[0]
        view = state.view(None if seat == CHANCE else seat)
        state, _ = state.apply(act(view, state.legal_actions(seat), draws))
    return state


def players_of(game: str) -> SimplePlayers:
    """The simple players of a game. Raises `ValueError` for one that has none."""
    players = registry.package(game).simple_players()
    if players is None:
        able = ", ".join(id_ for id_, package in registry.games().items() if package.simple_players())
        raise ValueError(f"{game} has no simple players; try one of {able}")
    return players


def tally(game: str, options: Mapping[str, Any], games: int, seed: int) -> BalanceTally:
    """Play many games."""
    players = players_of(game)
    act, alone, together = players.choose_action, players.solo_seat, players.coalition_name
    start = registry.new(game, options)
    winners: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    rounds = 0
    for number in range(games):
        end = play(start, act, random.Random(seed * 1_000_003 + number))
        assert end.outcome is not None
        winners[end.outcome.winner if end.outcome.winner == alone else together] += 1
        reasons[end.outcome.reason] += 1
        rounds += players.count_rounds(end.view(None).json())
    return BalanceTally(games, winners, reasons, rounds / games)


def option_variants(
    game: str, options: Mapping[str, Any], each: bool
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The options to play by, each with a name; those that don't go together are left out."""
    yield "as asked", dict(options)
    if not each:
        return
    in_force = registry.new(game, options).options
    players = players_of(game)
    for name, known in players.option_values.items():
        for value in known:
            changed = {**options, name: value}
            if value == in_force[name] or name in players.irrelevant_options:
                continue
            try:
                registry.new(game, changed)
            except OptionError:
                continue
            yield f"{name}={str(value).lower()}", changed


def add_balance(subparsers: Any, table_factory: object) -> None:
    """`boardumpire lab balance GAME`."""
    parser = subparsers.add_parser(
        "balance", example="lab balance fall-of-the-fuhrer --games 200",
        help="measure how often each side wins among simple players", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument(
        "game", metavar="GAME", help="a game that has simple players, such as fall-of-the-fuhrer"
    )
    parser.add_argument(
        "--games", type=int, default=400, metavar="N", help="number of games for each line [%(default)s]"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of dice and players [%(default)s]"
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set an option of the game; VALUE is JSON, text, or @FILE for the text of a file",
    )
    parser.add_argument(
        "--each", action="store_true", help="one more line for every other value of every option"
    )
    parser.set_defaults(run=_run)


def _run(given: argparse.Namespace) -> int:
    try:
        if given.games < 1:
            raise ValueError(f"--games {given.games}: too few; try 1 or more")
        players = players_of(given.game)
        options = options_given.parse_options(given.option)
        registry.new(given.game, options)
        alike = [name for name in players.irrelevant_options if name in options]
        if alike:
            raise ValueError(f"option {alike[0]} changes nothing among simple players; try another")
    except (OptionError, ValueError) as error:
        print(f"boardumpire: {error}", file=sys.stderr)
        return BAD_INPUT
    print(f"| options | games | {players.coalition_title} win | 95 in 100 | mean end in round | fair |")
    print("|---|---:|---:|---|---:|---|")
    for name, changed in option_variants(given.game, options, given.each):
        found = tally(given.game, changed, given.games, given.seed)
        print(format_table_row(name, found, players.coalition_name), flush=True)
    return 0


def format_table_row(name: str, found: BalanceTally, side: str = "allies") -> str:
    """One line of the table; `side` is whose share of the games it tells."""
    share, (low, high) = found.share(side), found.interval(side)
    fair = "yes" if FAIR_SHARE_RANGE[0] <= share <= FAIR_SHARE_RANGE[1] else "no"
    return f"| {name} | {found.games} | {share:.1%} | {low:.1%} to {high:.1%} | {found.rounds:.1f} | {fair} |"
