"""`boardumpire board check|show|new`: a board file judged, looked at, begun."""

from __future__ import annotations

import argparse
from typing import Any

from boardmake.commands import boards

EXIT_BAD_INPUT = 2


def add_board(subparsers: Any, table_factory: object) -> None:
    """The command and its verbs."""
    verbs = subparsers.add_parser("board", help="check, draw and begin board files").add_subparsers(
        metavar="VERB", required=True
    )
    parser = verbs.add_parser(
        "check",
        example="board check quick-battle-8x8",
        help="check a board file, and whether its parts and wires can work",
    )
    parser.add_argument("board", metavar="FILE|NAME", help="a board file or the name of a shipped board")
    parser.set_defaults(run=_run_check)
    boards.add_show(verbs)
    boards.add_new(verbs)


def _run_check(given: argparse.Namespace) -> int:
    from boardmake.commands import board_check

    told, works = board_check.check_board(given.board)
    print(told)
    return 0 if works else EXIT_BAD_INPUT
