"""`boardumpire lab soak`: many games of clumsy people; each ruling is compared with the truth."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from boardsim.bench.table import BenchTableFactory

BAD_INPUT = 2
FAILED = 1


def add_soak(subparsers: Any, table_factory: BenchTableFactory) -> None:
    """Add the command `soak`."""
    from boardlab.soak.one_game import CABLE_FAULTS_BY_NAME
    from boardlab.soak.soak import __doc__ as about
    from boardsim.bench.bench import BARE, LAMP_DRIVERS, PIN_LIBRARIES
    from boardsim.people.rates import ACTIONS_MAX, PROFILES
    from boardsim.world.kits import KITS

    parser = subparsers.add_parser(
        "soak",
        example="lab soak --game stratego-quick-duel --games 20",
        help="play many games with simulated clumsy people, and check each ruling",
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )

    def add(name: str, default: object, words: str, **more: Any) -> None:
        parser.add_argument(name, default=default, help=f"{words} [%(default)s]", **more)

    add("--game", "stratego-quick-duel", "the game", metavar="ID")
    add("--driver", "gpio-sim", "the simulated driver", choices=[*PIN_LIBRARIES, BARE])
    add("--lamp-driver", "neopixel-pwm-sim", "the simulated driver of the lamps", choices=list(LAMP_DRIVERS))
    add("--profile", "clumsy", "how the people behave", choices=list(PROFILES))
    add("--games", 100, "number of games", type=_positive_number, metavar="N")
    add("--first", 0, "number of the first game", type=_whole_number, metavar="N")
    add("--seed", 0, "seed of everything", type=_whole_number, metavar="S")
    add(
        "--longest",
        ACTIONS_MAX,
        "after N actions the player to move resigns",
        type=_whole_number,
        metavar="N",
    )
    add("--wire", "fine", "quality of the Picos' cables", choices=list(CABLE_FAULTS_BY_NAME))
    add("--jobs", os.cpu_count() or 1, "number of processes", type=_positive_number, metavar="N")
    parser.add_argument(
        "--board", metavar="BOARD", help="a shipped board or a board file [the usual one for the game]"
    )
    kit = "sensors and magnets [chosen at random for each game, to suit the board]"
    parser.add_argument("--kit", choices=list(KITS), help=kit)
    add("--out", "soak-findings", "folder for scripts and traces of wrong rulings", metavar="FOLDER")
    circuit = (
        "with --driver pico-sim: play on circuit boards that `boardumpire make circuits` wrote into a folder"
    )
    parser.add_argument("--circuit", metavar="FOLDER", help=circuit)
    parser.add_argument("--dask", metavar="ADDRESS", help="use a Dask cluster (needs the extra `cluster`)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=lambda given: _run(given, table_factory))


def _whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise argparse.ArgumentTypeError(
            f"{text[:20]!r}: not a number here; try a whole number below 1000000000"
        )
    return int(text)


def _positive_number(text: str) -> int:
    found = _whole_number(text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r}: too few; try 1 or more")
    return found


def _run(given: argparse.Namespace, factory: BenchTableFactory) -> int:
    from boardlab.soak import one_game, soak
    from boardrules.registry import UnknownGame

    try:
        one_game.check_playable(given.game)
        plan = one_game.SoakPlan(
            game=given.game,
            driver=given.driver,
            profile=given.profile,
            seed=given.seed,
            board=given.board or one_game.first_board_of(given.game),
            lamp_driver=given.lamp_driver,
            wire=given.wire,
            kit=given.kit,
            longest=given.longest,
            circuit=given.circuit,
            out=given.out,
        )
        numbers = range(given.first, given.first + given.games)
        report = soak.soak(plan, numbers, factory, given.jobs, _progress(given.games), given.dask)
    except (UnknownGame, one_game.SoakError) as error:
        print(f"boardumpire: {error}", file=sys.stderr)
        return BAD_INPUT
    print(soak.report_json_line(report) if given.json else soak.text(report))
    return 0 if report.fine else FAILED


def _progress(games: int) -> Any:
    """Tells how far it is, where somebody looks on."""

    def told(report: Any) -> None:
        if sys.stderr.isatty():
            end = "\n" if report.games == games else ""
            print(f"\r{report.games} of {games}, {len(report.findings)} wrong", end=end, file=sys.stderr)

    return told
