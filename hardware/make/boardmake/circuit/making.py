"""Writes all that is needed to have the circuit boards of a board made, and to put them together.

KiCad's own module checks and plots them, in the Python it belongs to. Where there is none the boards are
written all the same, and the answer says what is missing.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from boardmake.circuit import carrier, copper, files, netlist, ordering, panel, picture, schematic, tile
from boardmake.circuit.assembly import Assembly
from boardmake.circuit.errors import CircuitFileError, KiCadError
from boardmake.circuit.layout import Layout
from boardware.parts import BoardDescription

KICAD_PYTHONS: Final = ("/usr/bin/python3", "python3")
"""Where Debian's KiCad has its module."""
PLOTTER_SCRIPT: Final = Path(__file__).with_name("plotted.py")
CHECK_FILE_NAME: Final = "check.txt"
CLEAN_REPORT_LINES: Final = ("Found 0 DRC violations", "Found 0 unconnected pads", "Found 0 Footprint errors")
_VOLATILE_LINE_PATTERNS: Final = (
    (re.compile(r"^(%TF\.CreationDate,)[^*]*", re.M), r"\g<1>2000-01-01T00:00:00+00:00"),
    (re.compile(r"^(; #@! TF\.CreationDate,).*", re.M), r"\g<1>2000-01-01T00:00:00+00:00"),
    (re.compile(r"^(G04 Created by KiCad \(.*\)) date [^*]*", re.M), r"\g<1>"),
    (re.compile(r"^(; DRILL file \{.*\}) date .*", re.M), r"\g<1>"),
    (re.compile(r"^(\*\* Drc report for ).*/", re.M), r"\g<1>"),
    (re.compile(r"^\*\* Created on .* \*\*\n", re.M), ""),
)
_PLOT_TIMEOUT_S: Final = 120
INSTALL_COMMAND: Final = "apt install --no-install-recommends kicad"


def board_layouts(board: BoardDescription) -> list[Layout]:
    """The circuit boards of a board. Raises `NoTilesError`, `NoCarrierError`, `UnroutableNetError`."""
    assembly = Assembly(board)
    tiles = [tile.tile_layout(plan) for plan in assembly.tile_counts]
    return [*tiles, *map(panel.panel_layout, tiles), carrier.carrier_layout(board)]


def make_circuits(board: BoardDescription, into: Path, *, plot: bool = True) -> Iterator[str]:
    """Write everything, and say what was written.

    A circuit board that somebody changed in KiCad is kept, and refused if its copper joins other pads. Raises
    `NoTilesError`, `NoCarrierError`, `UnroutableNetError`, `KiCadError`, `CircuitFileError`, `OSError`.
    """
    assembly = Assembly(board)
    found = find_kicad() if plot else None
    python = found[0] if found else None
    made = board_layouts(board)
    changed = {layout.name for layout in made if _changed(into / layout.name, layout)}
    for layout in made:
        folder = into / layout.name
        folder.mkdir(parents=True, exist_ok=True)
        if layout.name not in changed:
            _write_layout(folder, layout)
        if python is not None:
            plot_board(python, folder / f"{layout.name}.kicad_pcb", folder)
            ordering.zip_fabrication_files(layout.name, folder)
        kept = ", changed in KiCad and kept: it joins the same pads" if layout.name in changed else ""
        yield f"{folder}: {_layout_summary(layout, plotted=python is not None)}{kept}"
    wires, parts = into / f"{board.id}-wires.csv", into / f"{board.id}-parts.csv"
    wires.write_text(netlist.wires_csv(assembly), encoding="utf-8")
    yield f"{wires}: {len(assembly.closed_jumpers)} drops of solder, {len(assembly.wires)} wires"
    parts.write_text(parts_list_csv(assembly, made), encoding="utf-8")
    yield f"{parts}: what is soldered on"
    if plot and python is None:
        yield f"no KiCad here: nothing was checked or plotted; on Debian: {INSTALL_COMMAND}"


def _write_layout(folder: Path, layout: Layout) -> None:
    for ending, text in (
        ("kicad_pcb", files.kicad_board(layout)),
        ("kicad_pro", files.kicad_project(layout)),
        ("kicad_sch", schematic.schematic_text(layout)),
        ("svg", picture.layout_svg(layout)),
    ):
        (folder / f"{layout.name}.{ending}").write_text(text, encoding="utf-8")
    for ending, text in ordering.order_files(layout):
        (folder / f"{layout.name}-{ending}").write_text(text, encoding="utf-8")


def _changed(folder: Path, layout: Layout) -> bool:
    """Whether another program saved a circuit board. Raises `CircuitFileError` if it joins other pads."""
    path = folder / f"{layout.name}.kicad_pcb"
    if not path.exists() or files.GENERATED in path.read_text(encoding="utf-8").partition("\n")[0]:
        return False
    wanted = set(copper.circuit_of_tree(copper.parse_s_expression(files.kicad_board(layout))).nets)
    for net in sorted(copper.read_circuit(path).nets, key=min):
        if net not in wanted:
            pads = ", ".join(".".join(pad) for pad in sorted(net)[:8])
            raise CircuitFileError(
                f"{path}: {pads} are one net, and the board file joins others; mend it in KiCad, or move the"
                " file away and it is made anew"
            )
    return True


def _layout_summary(layout: Layout, *, plotted: bool) -> str:
    size = f"{layout.width:g} x {layout.height:g} mm"
    checked = "KiCad finds nothing wrong, plotted" if plotted else "neither checked nor plotted"
    return f"{size}, {len(layout.tracks)} tracks, {len(layout.vias)} vias; {checked}"


def parts_list_csv(assembly: Assembly, made: list[Layout]) -> str:
    """What is soldered on all circuit boards together, as CSV."""
    times = {plan.name: count for plan, count in assembly.tile_counts.items()}
    times[f"carrier-{assembly.board.id}"] = 1  # a panel is another form of its tile
    count: Counter[tuple[str, str]] = Counter()
    for layout in made:
        for part in layout.parts:
            if part.is_bought and part.is_fitted:
                count[part.footprint.name, part.value] += times.get(layout.name, 0)
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(("count", "part", "value"))
    for plan, needed in assembly.tile_counts.items():
        table.writerow((needed, "circuit board", plan.name))
    table.writerow((1, "circuit board", f"carrier-{assembly.board.id}"))
    table.writerows((number, *what) for what, number in sorted(count.items()))
    for lamp in assembly.lamps_off_tiles:
        table.writerow((1, "WS2812B on wires", lamp))
    return out.getvalue()


@cache
def find_kicad() -> tuple[str, str] | None:
    """A Python that has KiCad's module, and KiCad's version; `None`: there is none."""
    for name in KICAD_PYTHONS:
        found = shutil.which(name)
        if found:
            ask = [found, "-c", "import pcbnew; print(pcbnew.GetBuildVersion())"]
            said = subprocess.run(ask, capture_output=True, text=True, check=False, cwd="/")
            if said.returncode == 0:
                return found, said.stdout.strip()
    return None


def plot_board(python: str, board: Path, into: Path) -> None:
    """Check and plot a board by KiCad. What was plotted says which board it is of. Raises `KiCadError`."""
    with tempfile.TemporaryDirectory(prefix="circuit-") as name:
        folder = Path(name)
        run = [python, str(PLOTTER_SCRIPT), str(board.resolve()), name]
        try:
            ran = subprocess.run(
                run, capture_output=True, text=True, check=False, timeout=_PLOT_TIMEOUT_S, cwd="/"
            )
        except subprocess.TimeoutExpired:
            raise KiCadError(f"{board}: KiCad took more than {_PLOT_TIMEOUT_S} s") from None
        if ran.returncode:
            raise KiCadError(f"{board}: {(ran.stderr or ran.stdout).strip().splitlines()[-1]}")
        for path in sorted(folder.iterdir()):
            text = path.read_text(encoding="utf-8")
            for pattern, instead in _VOLATILE_LINE_PATTERNS:
                text = pattern.sub(instead, text)
            if path.name == CHECK_FILE_NAME:
                text = f"{board.name} sha256 {board_digest(board)}\n{text}"
            (into / path.name).write_text(text, encoding="utf-8")
    told = (into / CHECK_FILE_NAME).read_text(encoding="utf-8")
    if not all(words in told for words in CLEAN_REPORT_LINES):
        raise KiCadError(
            f"{into / CHECK_FILE_NAME}: KiCad found something; mend it until the file says:"
            f" {', '.join(CLEAN_REPORT_LINES)}"
        )


def board_digest(board: Path) -> str:
    """By which a board is known."""
    return hashlib.sha256(board.read_bytes()).hexdigest()
