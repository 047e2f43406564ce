"""`boardumpire lab match A B`: how much stronger one player is than another, with bounds.

A and B are players of the game (a level, `random` ...), members of its panel (`panel:NAME`, as `lab panel`
names them), or commands that speak the referee's seat mode, such
as "boardumpire bot GAME --seat {seat} --level 2". They swap sides from game to game.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

import boardrules
from boardlab.match import rating
from boardlab.match.contest import ACTIONS_MAX, MatchPlan
from boardlab.match.spread import NICE, ResultsFile, play_games
from boardlab.panel.members import panel_member
from boardrules import baseline_players
from boardrules import option_words as given_options
from boardrules.core import OptionError
from boardumpire.commands.command_parser import parse_file_path
from boardumpire.errors import BoardumpireError

PROGRESS_BAR_WIDTH = 30
"""Characters of the progress bar."""


def add_match(subparsers: Any, table_factory: object) -> None:
    """`boardumpire lab match`."""
    parser = subparsers.add_parser(
        "match", example="lab match 1 random --games 20",
        help="play many games between two players, and rate them", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.set_defaults(run=run)
    parser.add_argument("a", metavar="A", help="a player of the game, or a command")
    parser.add_argument("b", metavar="B", help="its opponent")
    parser.add_argument("--game", metavar="ID", default="stratego-quick-duel", help="the game [%(default)s]")
    parser.add_argument(
        "--games", type=positive_int, default=100, metavar="N", help="number of games [%(default)s]"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of everything [%(default)s]")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="set an option of the game"
    )
    parser.add_argument("--seconds", type=float, metavar="S", help="time limit for one action [none]")
    parser.add_argument(
        "--longest",
        type=positive_int,
        default=ACTIONS_MAX,
        metavar="N",
        help="after N actions the game is a draw [%(default)s]",
    )
    parser.add_argument(
        "--jobs", type=positive_int, default=os.cpu_count() or 1, metavar="N", help="number of processes"
    )
    parser.add_argument("--dask", metavar="ADDRESS", help="use a Dask cluster (needs the extra `cluster`)")
    parser.add_argument(
        "--into",
        type=parse_file_path,
        metavar="FILE",
        help="save each game in this file, and continue from the games in it",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def positive_int(word: str) -> int:
    """A number of at least 1, as an argument says it."""
    if not (word.isascii() and word.isdigit() and int(word)):
        raise argparse.ArgumentTypeError(f"{word!r}: not a number here; try 1 or more")
    return int(word)


def run(given: argparse.Namespace) -> None:
    """Play what isn't played yet and tell what came of all. Raises `BoardumpireError`."""
    plan = plan_match(given)
    kept = ResultsFile(given.into, plan)
    missing = [number for number in range(given.games) if number not in kept.games]
    if len(missing) and given.jobs == 1:
        os.nice(NICE)
    for game in play_games(plan, missing, given.jobs, given.dask):
        kept.add(game)
        _show_progress(kept, plan, given.games)
    found = rating.tally(kept.games[number] for number in sorted(kept.games) if number < given.games)
    if given.json:
        head = {
            "game": plan.game,
            "options": dict(plan.options),
            "seed": plan.seed,
            "a": given.a,
            "b": given.b,
        }
        print(json.dumps({**head, **rating.score_as_json(found)}))
    else:
        print(rating.text(found, plan.players))


def plan_match(given: argparse.Namespace) -> MatchPlan:
    """What is asked for, checked. Raises `BoardumpireError`."""
    try:
        package = boardrules.package(given.game)
        options = given_options.parse_options(given.option)
        boardrules.new(given.game, options)
    except (boardrules.UnknownGame, OptionError, ValueError) as problem:
        raise BoardumpireError(str(problem)) from None
    known = baseline_players.player_names(package)
    for name in (given.a, given.b):
        if (
            name not in known
            and panel_member(given.game, name) is None
            and " " not in name
            and "/" not in name
        ):
            raise BoardumpireError(
                f"{given.game} has no player {name!r}; try one of {', '.join(known)}, or a command"
            )
    return MatchPlan(given.game, options, (given.a, given.b), given.seed, given.seconds, given.longest)


def _show_progress(kept: ResultsFile, plan: MatchPlan, games: int) -> None:
    """How far it is and how it stands, where somebody looks on."""
    if not sys.stderr.isatty():
        return
    found = rating.tally(kept.games.values())
    done = PROGRESS_BAR_WIDTH * min(found.games, games) // games
    end = "\n" if found.games >= games else ""
    bar = "█" * done + "░" * (PROGRESS_BAR_WIDTH - done)
    print(
        f"\r{bar} {found.games} of {games}, {found.share:.1%} for {plan.players[0]}", end=end, file=sys.stderr
    )
