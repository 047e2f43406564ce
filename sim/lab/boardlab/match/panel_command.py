"""`boardumpire lab panel GAME`: how strong a level is against strangers.

A level plays against each member of the game's panel, which may sit on one side only. Each
line has the level's share of the points, the interval that contains the true share in 95 of 100 cases
(Wilson), and the difference in Elo. Games of Stratego end as drawn after 100 turns without a battle.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import boardrules
from boardlab.match import rating
from boardlab.match.command import positive_int
from boardlab.match.contest import ACTIONS_MAX, MatchPlan
from boardlab.match.spread import NICE, play_games
from boardlab.panel.members import ALL, FIRST, PANEL_PREFIX, PanelMember, panel_of
from boardrules import baseline_players
from boardrules import option_words as given_options
from boardrules.core import OptionError
from boardumpire.errors import BoardumpireError


class PanelScore(NamedTuple):
    """What came of a level's games against one member."""

    level: str
    member: PanelMember
    score: rating.MatchScore
    """As the level sees it."""


def add_panel(subparsers: Any, table_factory: object) -> None:
    """`boardumpire lab panel`."""
    parser = subparsers.add_parser(
        "panel", example="lab panel stratego-quick-duel --level 4 --games 40",
        help="measure a level against players of other ideas", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.set_defaults(run=run_panel)
    parser.add_argument("game", metavar="GAME", help="a game that has a panel, such as stratego-quick-duel")
    parser.add_argument(
        "--level", action="append", metavar="LEVEL", help="a player of the game; again for more [all levels]"
    )
    parser.add_argument(
        "--games",
        type=positive_int,
        default=100,
        metavar="N",
        help="number of games for each line [%(default)s]",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of everything [%(default)s]")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="set an option of the game"
    )
    parser.add_argument(
        "--jobs", type=positive_int, default=os.cpu_count() or 1, metavar="N", help="number of processes"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")


def run_panel(given: argparse.Namespace) -> None:
    """Play and print, line by line. Raises `BoardumpireError`."""
    try:
        options = given_options.parse_options(given.option)
        boardrules.new(given.game, options)
    except (boardrules.UnknownGame, OptionError, ValueError) as problem:
        raise BoardumpireError(str(problem)) from None
    if panel_of(given.game) is None:
        able = ", ".join(game for game in boardrules.ids() if panel_of(game))
        raise BoardumpireError(f"{given.game} has no panel; try one of {able}")
    package = boardrules.package(given.game)
    known, own = baseline_players.player_names(package), package.players()
    levels = given.level or ([] if own is None else [level.name for level in own.levels])
    for level in levels:
        if level not in known:
            raise BoardumpireError(f"{given.game} has no player {level!r}; try one of {', '.join(known)}")
    if given.jobs == 1:
        os.nice(NICE)
    if not given.json:
        print("| level | against | as | games | share | 95 in 100 | Elo |\n|---|---|---|---:|---:|---|---:|")
    for found in panel_scores(given.game, levels, given.games, given.seed, options, given.jobs):
        print(report_text(found) if given.json else table_row(found), flush=True)


def panel_scores(
    game: str, levels: list[str], games: int, seed: int, options: Mapping[str, Any], jobs: int
) -> Iterator[PanelScore]:
    """Each level against each member, as soon as its games are over."""
    panel = panel_of(game)
    assert panel is not None
    for level in levels:
        for member in panel.members:
            plan = MatchPlan(
                game,
                {**panel.options, **options},
                (level, PANEL_PREFIX + member.name),
                seed,
                None,
                ACTIONS_MAX,
            )
            found = play_games(plan, score_counts(member, games), jobs, None)
            yield PanelScore(level, member, rating.tally(found))


def score_counts(member: PanelMember, games: int) -> range:
    """The numbers of the games in which a member sits where it can: in odd ones it has the first seat."""
    if member.seats_taken == ALL:
        return range(games)
    return range(int(member.seats_taken == FIRST), 2 * games, 2)


def table_row(found: PanelScore) -> str:
    """One line of the table."""
    score = found.score
    low, high = rating.wilson(score.wins + score.draws / 2, score.games)
    sides = {ALL: "either", FIRST: "others"}.get(found.member.seats_taken, "first")
    return (
        f"| {found.level} | {found.member.name} | {sides} | {score.games} | {score.share:.1%} |"
        f" {low:.1%} to {high:.1%} | {rating.shown(rating.elo(score.share))} |"
    )


def report_text(found: PanelScore) -> str:
    """The same as a JSON object."""
    head = {"level": found.level, "member": found.member.name, "member_sits": found.member.seats_taken}
    return json.dumps({**head, **rating.score_as_json(found.score)})
