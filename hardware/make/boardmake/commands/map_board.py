"""`boardumpire make map-board`: a board file made from a map.

The game whose map it is makes the file: an entry point of the group `boardumpire.map_boards`. The file is
checked as any board file is before it is written.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from boardrules.board_file import BoardMaker, BoardNotPossible, BoardWiring
from boardrules.registry import installed_entry_points
from boardumpire.commands.command_parser import parse_file_path
from boardumpire.errors import BoardumpireError
from boardware.description import load_board
from boardware.errors import BoardFileError

MAP_BOARDS_GROUP = "boardumpire.map_boards"
_ID_PATTERN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def add_map_board(verbs: Any, table_factory: object) -> None:
    """`make map-board`."""
    parser = verbs.add_parser(
        "map-board", example="make map-board --game fall-of-the-fuhrer --pico > map.toml",
        help="write a board file for a game's map", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument(
        "file",
        metavar="MAP",
        type=parse_file_path,
        nargs="?",
        help="the map [the one that the game ships]",
    )
    parser.add_argument(
        "--game", required=True, metavar="ID", help=f"the game: {', '.join(sorted(_board_makers()))}"
    )
    parser.add_argument("--id", default=None, metavar="ID", help="id of the board [the game's]")
    parser.add_argument(
        "--slots", type=int, default=1, choices=(1, 2, 3), help="reeds in each space [%(default)s]"
    )
    parser.add_argument("--pico", action="store_true", help="wire it to a Pico, not to the Pi's own header")
    parser.set_defaults(run=_run)


def _board_makers() -> dict[str, EntryPoint]:
    """By game what makes a board of its maps."""
    return {point.name: point for point in installed_entry_points(MAP_BOARDS_GROUP)}


def _run(given: argparse.Namespace) -> None:
    if given.id is not None and not (_ID_PATTERN.fullmatch(given.id) and len(given.id) <= 40):
        raise BoardumpireError(
            f"--id {given.id[:60]!r}: not an id; try small letters, digits and hyphens, at most 40"
        )
    makers = _board_makers()
    if given.game not in makers:
        raise BoardumpireError(
            f"--game {given.game[:60]!r}: no game with maps; try one of {', '.join(sorted(makers))}"
        )
    try:
        make: BoardMaker = makers[given.game].load()
        made = make(given.file, given.id or given.game, BoardWiring(given.slots, given.pico))
    except (ImportError, AttributeError) as error:
        raise BoardumpireError(f"--game {given.game}: its maker of boards can't be loaded: {error}") from None
    except BoardNotPossible as error:
        raise BoardumpireError(str(error)) from None
    check_board_file(made, str(given.file or given.game))
    sys.stdout.write(made)


def check_board_file(made: str, place: str) -> None:
    """Read a board file that was made of `place`, as a board would. Raises `BoardumpireError`: what is wrong
    with it, and where."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "board.toml"
        path.write_text(made, encoding="utf-8")
        try:
            load_board(path)
        except BoardFileError as error:
            what = str(error).removeprefix(f"{path}:")
            raise BoardumpireError(f"{place}: the board made of it, line {what}") from None
