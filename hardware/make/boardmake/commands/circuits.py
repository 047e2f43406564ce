"""`boardumpire make circuits|bases|box`: circuit boards to have made, feet to print, a box to cut."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from boardumpire.commands.command_parser import parse_file_path

_FELT_MM: Final = 1.0
"""Below the magnet."""


def add_circuits(verbs: Any, table_factory: object) -> None:
    """`make circuits`."""
    parser = verbs.add_parser(
        "circuits",
        example="make circuits quick-battle-8x8-pico --into circuit",
        help="write circuit boards for a board, for KiCad and for manufacturers",
    )
    parser.add_argument("board", metavar="FILE|NAME", help="a board file or the name of a shipped board")
    parser.add_argument(
        "--no-plot", action="store_true", help="write KiCad's files only, without running KiCad"
    )
    parser.set_defaults(run=_run_circuits)
    _add_into_option(parser, "circuit")


def add_bases(verbs: Any, table_factory: object) -> None:
    """`make bases`."""
    parser = verbs.add_parser(
        "bases",
        example="make bases --into bases",
        help="write feet for pieces, for OpenSCAD and a 3D printer",
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        type=parse_file_path,
        nargs="?",
        help="description of the feet [the shipped ones]",
    )
    parser.set_defaults(run=_run_bases)
    _add_into_option(parser, "bases")


def add_box(verbs: Any, table_factory: object) -> None:
    """`make box`."""
    parser = verbs.add_parser(
        "box",
        example="make box quick-battle-8x8-pico --into box",
        help="write a box for a board: a laser cutter's outlines, a source for OpenSCAD, a cross-section",
    )
    parser.add_argument("board", metavar="FILE|NAME", help="a board file or the name of a shipped board")
    for name, usual, least, most, what in (
        ("plate", None, 2, 30, "thickness of the board with its face [gap_mm less 1 mm of felt]"),
        ("sheet", 4.0, 2, 12, "thickness of walls and floor"),
        ("kerf", 0.15, 0, 1, "what the laser takes away"),
    ):
        parser.add_argument(
            f"--{name}",
            metavar="MM",
            type=_millimetres(least, most),
            default=usual,
            help=what if usual is None else f"{what} [%(default)g]",
        )
    parser.set_defaults(run=_box)
    _add_into_option(parser, "box")


def _millimetres(least: float, most: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            found = float(text)
        except ValueError:
            found = math.nan
        if not least <= found <= most:
            raise argparse.ArgumentTypeError(f"{text!r}: not a thickness; try {least:g} to {most:g}, in mm")
        return found

    return read


def _add_into_option(parser: argparse.ArgumentParser, folder: str) -> None:
    parser.add_argument(
        "--into",
        metavar="DIR",
        type=parse_file_path,
        default=Path(folder),
        help="the folder to write to [%(default)s]",
    )


def _run_circuits(given: argparse.Namespace) -> None:
    from boardmake.circuit import making
    from boardware.description import load_board

    for said in making.make_circuits(load_board(given.board), given.into, plot=not given.no_plot):
        print(said, flush=True)


def _box(given: argparse.Namespace) -> None:
    from boardmake.making import box
    from boardmake.making.spots import BoardNotPlanned
    from boardumpire.errors import BoardumpireError
    from boardware.description import load_board
    from boardware.physics.design import DEFAULT_DESIGN

    board = load_board(given.board)
    plate = given.plate or (board.sensor_design or DEFAULT_DESIGN).gap_mm - _FELT_MM
    made = box.BoardBox(board, plate, given.sheet, given.kerf)
    try:
        texts = {
            "box.scad": box.box_scad(made),
            "box-cut.svg": box.laser_cut_svg(made),
            "box-section.svg": box.section_svg(made),
            "box.md": box.box_parts(made),
        }
    except BoardNotPlanned as error:
        raise BoardumpireError(str(error)) from None
    try:
        given.into.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (given.into / name).write_text(text, encoding="utf-8")
            print(given.into / name)
    except OSError as error:
        raise BoardumpireError(f"--into {given.into}: {error.strerror}; try another folder") from None
    wide, long = made.outer_size_mm
    print(
        f"{wide:g} x {long:g} x {made.wall_height_mm:g} mm over all; "
        f"its longest part is {max(wide, long):g} mm"
    )


def _run_bases(given: argparse.Namespace) -> None:
    from boardmake.bases import description, openscad, section

    feet = description.load_bases(given.file or description.SHIPPED_BASES_PATH)
    given.into.mkdir(parents=True, exist_ok=True)
    for base in feet.values():
        sources = {f"{name}.scad": text for name, text in openscad.openscad_sources(base)}
        for name, text in {**sources, f"{base.id}.svg": section.section_svg(base)}.items():
            (given.into / name).write_text(text, encoding="utf-8")
            print(given.into / name)
