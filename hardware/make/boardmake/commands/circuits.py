"""`boardumpire make circuits|bases`: circuit boards to have made, and feet of pieces to print."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from boardumpire.commands.command_parser import parse_file_path


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


def _run_bases(given: argparse.Namespace) -> None:
    from boardmake.bases import description, openscad, section

    feet = description.load_bases(given.file or description.SHIPPED_BASES_PATH)
    given.into.mkdir(parents=True, exist_ok=True)
    for base in feet.values():
        sources = {f"{name}.scad": text for name, text in openscad.openscad_sources(base)}
        for name, text in {**sources, f"{base.id}.svg": section.section_svg(base)}.items():
            (given.into / name).write_text(text, encoding="utf-8")
            print(given.into / name)
