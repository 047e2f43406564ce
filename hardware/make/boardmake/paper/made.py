"""Everything that is made of one board, as files: the same board gives the same bytes."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt

from boardmake.making import bill
from boardmake.making import pages as told
from boardmake.paper import below, buttons, cuts, legend, plan
from boardmake.paper.circuits import draw_circuit
from boardmake.paper.face import SHEET_EDGE_MM, drill_template, face_shapes, with_corner_marks
from boardmake.paper.pdf import DrawingWindow, PdfPage, make_pdf
from boardmake.paper.pinout import draw_pinout
from boardmake.paper.tiles import PAPER_SIZES_MM, best_tiling, tile_pages
from boardmake.paper.words import NO_OPTIONS, drawing_game, game_art, load_print_language
from boardrules import registry, svg
from boardrules.art import CutOut, PrintLanguage
from boardrules.shapes import Shape
from boardware.parts import BoardDescription

_PAGE_STYLE = """\
body { font: 16px/1.5 "Noto Sans", "DejaVu Sans", sans-serif; color: #1d1d1b; }
body { max-width: 62em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
td, th { border: 1px solid #cfc8b6; padding: 0.2em 0.6em; text-align: left; }
th { background: #f7f3e8; }
img { max-width: 100%; }
code { background: #f7f3e8; padding: 0 0.2em; }
"""


def board_files(
    board: BoardDescription,
    language: str = "en",
    options: Mapping[str, Any] = NO_OPTIONS,
    drawing: Sequence[Shape] = (),
) -> Iterator[tuple[str, bytes]]:
    """Name and content of every file, for games with these options; a drawing is printed instead of the
    game's own. Raises `OptionError` for wrong options."""
    for game in installed_games(board):
        registry.new(game, options)
    art, said = game_art(board, options), load_print_language(language, drawing_game(board))
    printed = list(face_shapes(board, art, said, drawing))
    yield from _printed_files(board, "face", f"{board.id} face", printed)
    yield from _template_files(board)
    wires = list(below.wiring_from_below(board))
    yield "below.pdf", _sheet_pdf(board, "below", [wires])
    tiles = tile_pages(best_tiling(*board.size, "a4"), "below", f"{board.id} wiring, seen from below")
    yield "below-a4.pdf", make_pdf(board.name, tiles, {"below": wires})
    drawings = dict(_wiring_drawings(board))
    yield from ((name, content.encode()) for name, content in drawings.items())
    texts = {
        "wiring": told.wiring_page(board),
        "parts": told.parts_page(board, max_piece_count(board)),
        "power": told.power_page(board),
    }
    yield from ((f"{name}.md", text.encode()) for name, text in texts.items())
    yield "parts.csv", _parts_csv(board).encode()
    explained = legend.legend_pdf(board, art)
    if explained is not None:
        yield "legend.pdf", explained
    edge = buttons.button_card_pdf(board)
    if edge is not None:
        yield "buttons.pdf", edge
    paper = collect_cuts(board, said, options)
    if paper:
        yield "cuts.pdf", cuts.cuts_pdf(board.name, paper)
    yield "index.html", _index_page(board, texts, drawings).encode()


def _printed_files(
    board: BoardDescription, name: str, title: str, shapes: list[Shape]
) -> Iterator[tuple[str, bytes]]:
    """On one sheet, on tiles, and as SVG."""
    yield f"{name}.pdf", _sheet_pdf(board, name, [shapes])
    yield from _tiled_files(board, name, title, shapes)
    yield f"{name}.svg", svg.svg(shapes, *board.size, board.name).encode()


def _tiled_files(
    board: BoardDescription, name: str, title: str, shapes: list[Shape]
) -> Iterator[tuple[str, bytes]]:
    """On tiles of each paper, with this title on every one."""
    for paper in PAPER_SIZES_MM:
        tiles = best_tiling(*board.size, paper)
        yield f"{name}-{paper}.pdf", make_pdf(board.name, tile_pages(tiles, name, title), {name: shapes})


def _sheet_pdf(board: BoardDescription, name: str, sides: list[list[Shape]]) -> bytes:
    wide, high = board.size
    whole = (0.0, 0.0, wide + 2 * SHEET_EDGE_MM, high + 2 * SHEET_EDGE_MM)
    leaves = [
        PdfPage(whole[2], whole[3], (DrawingWindow(f"{name}{n}", SHEET_EDGE_MM, SHEET_EDGE_MM, whole),))
        for n in range(len(sides))
    ]
    return make_pdf(
        board.name,
        leaves,
        {f"{name}{n}": with_corner_marks(iter(side), board) for n, side in enumerate(sides)},
    )


def _template_files(board: BoardDescription) -> Iterator[tuple[str, bytes]]:
    """The drill template, as seen from above and from below: on sheets and on tiles."""
    above, below = list(drill_template(board)), list(drill_template(board, below=True))
    for name, content in _printed_files(board, "drill", f"{board.id} drill, seen from above", above):
        yield name, _sheet_pdf(board, "drill", [above, below]) if name == "drill.pdf" else content
    yield from _tiled_files(board, "drill-below", f"{board.id} drill, seen from below", below)


def _wiring_drawings(board: BoardDescription) -> Iterator[tuple[str, str]]:
    """By file the wiring as SVG."""
    wide, high = board.size
    for name, draw in (
        ("plan", plan.plan_shapes),
        ("matrix", plan.matrix_shapes),
        ("chain", plan.chain_shapes),
    ):
        yield f"{name}.svg", svg.svg(draw(board), wide, high, f"{board.name}: {name}")
    shapes, wide, high = draw_circuit(board)
    yield "circuit.svg", svg.svg(shapes, wide, high, f"{board.name}: circuit")
    on = [bank.pico for bank in board.banks.values()] + [chain.pico for chain in board.chains.values()]
    for pico in (*((None,) if None in on else ()), *board.picos):
        shapes, wide, high = draw_pinout(board, pico)
        yield f"pins-{pico or 'header'}.svg", svg.svg(shapes, wide, high, f"{board.name}: {pico or 'header'}")


def _parts_csv(board: BoardDescription) -> str:
    """The parts for a spreadsheet."""
    into = io.StringIO()
    writer = csv.writer(into, lineterminator="\n")
    writer.writerow(
        ("count", "unit", "part", "value", "EUR each (estimate)", "EUR (estimate)", "note", "such as")
    )
    for item in bill.bill_items(board, max_piece_count(board)):
        each = "" if item.unit_price_eur is None else f"{item.unit_price_eur:.2f}"
        row = (
            f"{item.quantity:g}",
            item.unit,
            item.part,
            item.value,
            each,
            f"{item.cost_eur:.2f}",
            item.note,
            item.type_number,
        )
        writer.writerow(row)
    return into.getvalue()


def installed_games(board: BoardDescription) -> list[str]:
    """Those of its games that are there."""
    return [game for game in board.games if game in registry.games()]


def max_piece_count(board: BoardDescription) -> int:
    """How many pieces the largest of its games has."""
    counts = [0]
    for game in installed_games(board):
        package = registry.package(game)
        box = package.box(package.new({}))
        counts.append(sum(box.piece_counts.values()) + len(box.named_pieces))
    return max(counts)


def collect_cuts(board: BoardDescription, said: PrintLanguage, options: Mapping[str, Any]) -> list[CutOut]:
    """What its games cut out: of what several need, as many as the one that needs most."""
    found: dict[tuple[str, float], CutOut] = {}
    for game in installed_games(board):
        for cut in registry.package(game).art(options).cut_outs(load_print_language(said.code, game)):
            known = found.get((cut.name, cut.width))
            if known is None or known.copies < cut.copies:
                found[cut.name, cut.width] = cut
    return list(found.values())


def _index_page(board: BoardDescription, texts: Mapping[str, str], drawings: Mapping[str, str]) -> str:
    """All that is read, on one page beside its drawings."""
    render = MarkdownIt("commonmark").enable("table").render
    shown = {name: f'<p><img src="{name}" alt="{escape(name)}"></p>' for name in drawings}
    pins = "".join(image for name, image in shown.items() if name.startswith("pins-"))
    parts = (
        f"<h1>{escape(board.name)}</h1>",
        '<p><img src="face.svg" alt="the face"></p>',
        pins + shown["circuit.svg"] + shown["matrix.svg"] + shown["chain.svg"],
        *(render(text) for text in texts.values()),
    )
    head = f'<title>{escape(board.name)}</title><meta charset="utf-8"><style>{_PAGE_STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>\n'
