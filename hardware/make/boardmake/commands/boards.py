"""`boardumpire board show|new` and `boardumpire make paper`: a board looked at, begun, put on paper."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from boardumpire.commands.command_parser import parse_file_path
from boardumpire.errors import BoardumpireError
from boardumpire.messages.languages import LANGUAGES
from boardware.errors import install_hint

PAPER_LIBRARIES = ("babel", "markdown_it", "pymupdf_fonts", "pypdfium2", "reportlab")
"""What drawing on paper needs: the extra `make`."""


_BOARD_ARGUMENT = {"metavar": "FILE|NAME", "help": "a board file or the name of a shipped board"}


def add_show(verbs: Any) -> None:
    """`board show`."""
    show = verbs.add_parser(
        "show",
        example="board show quick-battle-8x8 --svg board.svg",
        help="draw a board with its sensors, lamps and wires",
    )
    show.add_argument("board", **_BOARD_ARGUMENT)
    show.add_argument(
        "--svg",
        type=parse_file_path,
        metavar="FILE",
        help="write an SVG file instead of drawing in the terminal",
    )
    show.add_argument("--png", type=parse_file_path, metavar="FILE", help="write a PNG file")
    show.add_argument("--face", action="store_true", help="with --svg and --png: draw the printed face")
    show.add_argument(
        "--width",
        type=int,
        default=100,
        metavar="N",
        help="characters in a line of the terminal [%(default)s]",
    )
    show.set_defaults(run=_run_show)


def add_paper(verbs: Any, table_factory: object) -> None:
    """`make paper`."""
    make = verbs.add_parser(
        "paper",
        example="make paper quick-battle-8x8 --into my-board",
        help="write all that a maker needs: face, templates, wiring, parts, power, cards",
    )
    make.add_argument("board", **_BOARD_ARGUMENT)
    make.add_argument(
        "--into", type=parse_file_path, required=True, metavar="DIR", help="the folder to write to"
    )
    make.add_argument(
        "--language", choices=sorted(LANGUAGES), default="en", help="language of the prints [%(default)s]"
    )
    make.add_argument(
        "--face", type=parse_file_path, metavar="FILE",
        help="an SVG drawing of the board's size, to print instead of the game's own",
    )  # fmt: skip
    make.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[],
        help="set an option of the board's game; `board=@castle.toml` prints that castle",
    )  # fmt: skip
    make.set_defaults(run=_run_paper)


def add_new(verbs: Any) -> None:
    """`board new`."""
    new = verbs.add_parser(
        "new",
        example="board new my-board --grid 8x8 --lake c4 --lake c5 --lake f4 --lake f5"
        " --game stratego-quick-duel > my-board.toml",
        help="begin a board file from a grid or a drawing (from a map: boardumpire make map-board)",
    )
    new.add_argument("id", metavar="ID", help="id of the board: small letters, digits, hyphens")
    source = new.add_mutually_exclusive_group(required=True)
    source.add_argument("--grid", metavar="8x8", help="files x ranks: a1 to h8")
    source.add_argument(
        "--svg",
        type=parse_file_path,
        metavar="FILE",
        help="a drawing: each circle is a space, named by the circle's id",
    )
    new.add_argument(
        "--pitch", type=float, default=45.0, metavar="MM", help="with --grid: width of a square [%(default)g]"
    )
    new.add_argument(
        "--lake",
        action="append",
        default=[],
        metavar="SPACE",
        help="with --grid: a square that no piece may enter",
    )
    new.add_argument(
        "--game",
        action="append",
        required=True,
        metavar="ID",
        help="a game that can be played on it; repeat it for more",
    )
    new.add_argument("--name", help="name of the board [the id]")
    new.add_argument("--header", action="store_true", help="wire it to the Pi's own header, not to a Pico")
    new.set_defaults(run=_run_new)


def _run_show(given: argparse.Namespace) -> None:
    from boardware.description import load_board

    board = load_board(given.board)
    if given.svg is None and given.png is None:
        from boardmake.paper.terminal import board_as_text

        if not 20 <= given.width <= 400:
            raise BoardumpireError(f"--width {given.width}: too narrow or wide; try 20 to 400")
        print(board_as_text(board, given.width))
        return
    _check_libraries()
    from boardmake.paper import plan
    from boardmake.paper.face import face_shapes
    from boardmake.paper.pdf import PdfPage, first_page_png, make_pdf
    from boardmake.paper.words import game_art, load_print_language
    from boardrules import svg

    shapes = list(
        face_shapes(board, game_art(board), load_print_language("en"))
        if given.face
        else plan.plan_shapes(board)
    )
    if given.svg is not None:
        _write_file(given.svg, svg.svg(shapes, *board.size, board.name).encode())
    if given.png is not None:
        _write_file(
            given.png, first_page_png(make_pdf(board.name, [PdfPage(*board.size, (), shapes)]), dots=2.5)
        )


def _run_paper(given: argparse.Namespace) -> None:
    from boardware.description import load_board

    board = load_board(given.board)
    _check_libraries()
    from boardmake.making.spots import BoardNotPlanned
    from boardmake.paper.artwork import read_artwork
    from boardmake.paper.made import board_files
    from boardrules import option_words as given_options
    from boardrules.core import OptionError

    try:
        options = given_options.parse_options(given.option)
        drawing = read_artwork(given.face, board.size) if given.face else ()
        made = list(board_files(board, given.language, options, drawing))
    except (OptionError, BoardNotPlanned) as error:
        raise BoardumpireError(str(error)) from None
    try:
        given.into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BoardumpireError(f"--into {given.into}: {error.strerror}; try another folder") from None
    for name, content in made:
        _write_file(given.into / name, content)


def _write_file(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise BoardumpireError(f"{path}: {error.strerror}; try another file") from None
    print(path)


def _check_libraries() -> None:
    """Whether what draws on paper is installed. Raises `BoardumpireError`."""
    from importlib.util import find_spec

    missing = [name for name in PAPER_LIBRARIES if find_spec(name) is None]
    if missing:
        raise BoardumpireError(
            f"libraries for drawings are missing ({', '.join(missing)}): {install_hint('make')}"
        )


def _run_new(given: argparse.Namespace) -> None:
    from boardmake.commands.map_board import check_board_file
    from boardmake.making import begin
    from boardmake.making.drawing import read_drawing
    from boardmake.making.spots import BoardNotPlanned
    from boardrules import registry

    for game in given.game:
        if game not in registry.ids():
            known = ", ".join(sorted(registry.ids()))
            raise BoardumpireError(f"--game {game[:60]!r}: no such game; try one of {known}")
    try:
        spots = (
            begin.plan_grid(given.grid, given.pitch, given.lake)
            if given.svg is None
            else read_drawing(given.svg)
        )
        seats = dict.fromkeys(seat for game in given.game for seat in registry.new(game, {}).seats)
        made = begin.board_file_text(
            given.id,
            given.name or given.id,
            spots,
            given.game,
            list(seats) if len(seats) > 1 else [],
            header=given.header,
        )
    except BoardNotPlanned as error:
        raise BoardumpireError(str(error)) from None
    check_board_file(made, given.grid or str(given.svg))
    sys.stdout.write(made)
