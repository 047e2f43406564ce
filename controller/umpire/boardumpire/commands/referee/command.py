"""`boardumpire referee`: on standard streams, for one seat alone, or as the host of several."""

from __future__ import annotations

import argparse
import sys
from io import TextIOWrapper
from typing import Any

from boardumpire.commands.command_parser import parse_file_path
from boardumpire.errors import BoardumpireError

EPILOG = """\
Each line that comes in is one JSON object with a field "do", and is answered by one line:

  {"do":"hello"}                                              protocol, version, verbs
  {"do":"help","verb":"act"}                                  what a verb takes
  {"do":"new","game":"stratego-quick-duel","seed":1}          begin a game
  {"do":"legal","seat":"red"}                                 what a seat may do
  {"do":"act","seat":"red","action":"a3-a4"}                  a seat does something
  {"do":"quit"}                                               end

With --seat the other program plays that seat, and learns what that seat may know. The other seats play at
random; with --at other programs play them, in the game of a --host.
docs/program/referee-protocol.md has the whole protocol.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = "Judge games on standard input and output, one JSON object a line."
    parser.epilog = EPILOG
    parser.add_argument("--seat", metavar="SEAT", help="play only this seat")
    parser.add_argument(
        "--at", type=parse_file_path, metavar="SOCKET", help="with --seat: join the game at this socket"
    )
    parser.add_argument(
        "--host",
        type=parse_file_path,
        metavar="SOCKET",
        help="host a game for programs that join at this socket",
    )
    parser.add_argument("--game", metavar="GAME", help="with --host: the id of the game")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="with --host: set an option of the game",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="with --seat or --host: seed of the dice")


def run(given: argparse.Namespace) -> None:
    """Answer until there are no more lines. Raises `BoardumpireError`."""
    if given.host is None and (given.game is not None or given.option):
        raise BoardumpireError(
            "--game and --option need --host; try --host SOCKET, or begin the game with a line:"
            ' {"do":"new","game":"stratego-quick-duel"}'
        )
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):  # bytes that are no UTF-8 make a line that isn't JSON
            stream.reconfigure(encoding="utf-8", errors="replace")
    if given.host is not None:
        import asyncio

        asyncio.run(_host_game(given))
    elif given.at is not None:
        from boardumpire.commands.referee import game_host

        if given.seat is None:
            raise BoardumpireError("--at needs --seat; try the seat that sits down there")
        game_host.join_as_seat(given.at, given.seat, sys.stdin, sys.stdout)
    elif given.seat is not None:
        from boardumpire.commands.referee import referee, seat_referee

        seats = seat_referee.all_seats()
        if given.seat not in seats:
            raise BoardumpireError(
                f"--seat {given.seat}: no game has this seat; try one of {', '.join(seats)}"
            )
        alone: Any = seat_referee.SeatReferee(
            given.seat, seat_referee.SoloSession(given.seed), seat_referee.VERBS
        )
        referee.run(alone, sys.stdin, sys.stdout)
    else:
        from boardumpire.commands.referee import referee

        referee.run(referee.Referee(), sys.stdin, sys.stdout)


async def _host_game(given: argparse.Namespace) -> None:
    import boardrules
    from boardrules import option_words as given_options
    from boardrules.core import OptionError
    from boardumpire.commands.referee import game_host
    from boardumpire.commands.referee.referee_table import GameWithChance

    if given.seat is not None or given.at is not None or given.game is None:
        raise BoardumpireError(
            "--host takes --game, and neither --seat nor --at; try --host SOCKET --game stratego-quick-duel"
        )
    try:
        table, _ = GameWithChance.begin_game(
            given.game, given_options.parse_options(given.option), given.seed or _random_seed()
        )
    except (OptionError, boardrules.UnknownGame) as problem:
        raise BoardumpireError(str(problem)) from None
    await game_host.GameHost(table).serve(given.host)


def _random_seed() -> int:
    import secrets

    return secrets.randbits(63)
