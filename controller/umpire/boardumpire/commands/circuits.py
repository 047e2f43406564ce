"""`boardumpire board circuit|bases`: circuit boards to have made, and feet of pieces to print."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(verbs: Any) -> None:
    """The two verbs."""
    circuit = verbs.add_parser("circuit", help="circuit boards for it, as files for whoever makes them")
    circuit.add_argument("board", metavar="FILE|NAME", help="a board file, or the name of a shipped board")
    circuit.add_argument("--no-plot", action="store_true", help="write KiCad's files alone, don't run KiCad")
    circuit.set_defaults(run=_circuit)
    bases = verbs.add_parser("bases", help="feet for pieces, to be printed: sources for OpenSCAD")
    bases.add_argument("file", metavar="FILE", type=Path, nargs="?", help="of the feet [those that ship]")
    bases.set_defaults(run=_bases)
    for parser, name in ((circuit, "circuit"), (bases, "bases")):
        parser.add_argument(
            "--into", metavar="DIR", type=Path, default=Path(name), help="where files go [%(default)s]"
        )


def _circuit(given: argparse.Namespace) -> None:
    from boardware.circuit import making
    from boardware.description import load_board

    for said in making.make(load_board(given.board), given.into, plot=not given.no_plot):
        print(said, flush=True)


def _bases(given: argparse.Namespace) -> None:
    from boardware.bases import description, openscad, section

    feet = description.load(given.file or description.SHIPPED)
    given.into.mkdir(parents=True, exist_ok=True)
    for base in feet.values():
        sources = {f"{name}.scad": text for name, text in openscad.sources(base)}
        for name, text in {**sources, f"{base.id}.svg": section.svg(base)}.items():
            (given.into / name).write_text(text, encoding="utf-8")
            print(given.into / name)
