"""`boardumpire play`: who plays what, and whether there is a terminal to draw it in."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardsim.bench.table import TableFactory
from boardware.ports import SECOND, Micros

if TYPE_CHECKING:
    from boardsim.play.session import Session

PLAYED = {"red": ("blue",), "blue": ("red",), "both": (), "none": ("red", "blue")}
"""Whom a person plays -> whom simulated hands play."""
LONGEST: Micros = 4 * 3600 * SECOND
"""After this much virtual time a game without a screen is left."""


def add(subparsers: Any, factory: TableFactory) -> None:
    """Add the parser of `play`."""
    from boardsim.bench.bench import DRIVERS, LAMP_DRIVERS
    from boardsim.hands.hands import PACES

    parser = subparsers.add_parser(
        "play",
        help="play on a simulated board, drawn in the terminal",
        description="Play on a simulated board. Below the real drivers and the lamp library everything is "
        "simulated: magnets, reeds that bounce, copper, lamps. Without a terminal simulated hands play both "
        "sides and the game is told as text.",
    )

    def option(name: str, default: object, text: str, **more: Any) -> None:
        parser.add_argument(name, default=default, help=f"{text} [%(default)s]", **more)

    option("--as", "red", "whom you play", dest="person", choices=list(PLAYED))
    parser.add_argument(
        "--watch", dest="person", action="store_const", const="none", help="simulated hands play both sides"
    )
    option("--game", "stratego-quick-duel", "which game of Stratego", metavar="ID")
    option("--board", "quick-battle-8x8", "a shipped board or a board file", metavar="BOARD")
    option("--driver", "pico-sim", "the way to the pins", choices=list(DRIVERS))
    option("--lamp-driver", "neopixel-spi-sim", "the way to the lamps", choices=list(LAMP_DRIVERS))
    option("--hands", "human", "how fast hands are", choices=list(PACES))
    option("--speed", 1, "how much faster than real time", type=int, metavar="N")
    parser.add_argument("--seed", type=int, metavar="N", help="of set-ups, moves and bounce [any]")
    parser.add_argument("--seconds", type=float, metavar="N", help="leave after so many seconds")
    parser.add_argument("--journal", type=Path, metavar="PATH", help="keep the journal there: a new file")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw a game to an SVG file, and leave")
    parser.set_defaults(run=lambda given: _answer(given, factory))


def _answer(given: argparse.Namespace, factory: TableFactory) -> int:
    try:
        return run(given, factory)
    except (ValueError, OSError) as error:
        print(f"boardumpire: {error}", file=sys.stderr)
        return 2


def run(given: argparse.Namespace, factory: TableFactory) -> int:
    """Play as the command line says. Raises `ValueError` and `OSError` for what is wrong with it."""
    if given.journal is not None and given.journal.exists():
        raise ValueError(f"{given.journal}: exists already; play begins a new game in a new journal")
    if not 1 <= given.speed <= 100:
        raise ValueError(f"--speed {given.speed}: expected 1 to 100")
    _played_here(given.game)
    screen = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    if not screen and given.picture is None:
        given.person = "none"
    seed = time.time_ns() % 1_000_000 if given.seed is None else given.seed
    with tempfile.TemporaryDirectory(prefix="boardumpire-") as directory:
        begin = _beginner(given, factory, Path(directory), seed)
        if given.picture is not None:
            from boardsim.play.photo import take

            take(begin, given.picture)
        elif screen:
            return _on_screen(given, begin)
        else:
            return _as_text(given, begin())
    return 0


def _played_here(game: str) -> None:
    """Whether hands here can play that: two armies, one square a piece. Raises `ValueError`."""
    from boardrules import registry

    if registry.new(game).seats != tuple(PLAYED)[:2]:
        raise ValueError(
            f"--game {game}: play knows games of Stratego alone;"
            f" `boardumpire page --game {game} --board BOARD` plays it in a browser"
        )


def _beginner(
    given: argparse.Namespace, factory: TableFactory, directory: Path, seed: int
) -> Callable[[], Session]:
    """What makes a session anew, each with a journal of its own."""
    from boardsim.bench.bench import Setting as BenchSetting
    from boardsim.hands.hands import PACES
    from boardsim.play.session import Session, Setting

    count = 0

    def begin() -> Session:
        nonlocal count
        count += 1
        again = "" if count == 1 else f"-{count}"
        path = given.journal or directory / "journal.sqlite"
        bench = BenchSetting(
            board=given.board,
            game=given.game,
            driver=given.driver,
            lamp_driver=given.lamp_driver,
            journal=path.with_stem(path.stem + again),
            seed=seed + count - 1,
            pace=PACES[given.hands],
        )
        return Session(Setting(bench, frozenset(PLAYED[given.person])), factory)

    return begin


def _on_screen(given: argparse.Namespace, begin: Callable[[], Session]) -> int:
    from boardsim.play.app import PlayApp, needed

    least = needed(begin())
    columns, rows = shutil.get_terminal_size()
    if columns < least[0] or rows < least[1]:
        raise ValueError(
            f"the board needs a terminal of {least[0]} columns and {least[1]} rows; this one has "
            f"{columns} and {rows}: please make it larger"
        )
    start = time.monotonic_ns()
    app = PlayApp(
        begin,
        clock=lambda: (time.monotonic_ns() - start) // 1000,
        speed=given.speed,
        last=None if given.seconds is None else round(given.seconds * SECOND),
    )
    app.run()
    return app.return_code or 0


def _as_text(given: argparse.Namespace, session: Session) -> int:
    """The whole game told line by line, as fast as it goes."""
    print("No terminal to draw in (it needs 80 columns and 22 rows): simulated hands play, told as text.")
    end = LONGEST if given.seconds is None else round(given.seconds * SECOND)
    session.start()
    try:
        while session.over is None and session.now < end:
            session.run(session.now + SECOND)
            while session.log:
                line = session.log.popleft()
                print(f"{line.at / SECOND:8.1f} s  {line.text}")
    finally:
        session.close()
    return 0
