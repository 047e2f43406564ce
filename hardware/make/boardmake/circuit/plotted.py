"""Run by the Python that KiCad's module belongs to: `python3 plotted.py BOARD.kicad_pcb FOLDER`.

Checks a board by KiCad's own rules and plots it: `check.txt`, Gerber and drill files, places of parts for a
machine. It imports nothing of Boardumpire, which that Python may not have.
"""

import sys
from pathlib import Path

import pcbnew

COPPER_LAYERS = (("F_Cu", pcbnew.F_Cu), ("B_Cu", pcbnew.B_Cu))
GERBER_LAYERS = (
    *COPPER_LAYERS,
    *(("F_Mask", pcbnew.F_Mask), ("B_Mask", pcbnew.B_Mask), ("F_Paste", pcbnew.F_Paste)),
    *(("F_SilkS", pcbnew.F_SilkS), ("B_SilkS", pcbnew.B_SilkS), ("Edge_Cuts", pcbnew.Edge_Cuts)),
)


def check_board(board: pcbnew.BOARD, into: Path) -> None:
    """KiCad's design rule check."""
    if not pcbnew.WriteDRCReport(board, str(into / "check.txt"), pcbnew.EDA_UNITS_MILLIMETRES, True):
        sys.exit("KiCad could not check the board")


def plot_gerbers(board: pcbnew.BOARD, into: Path) -> None:
    """What a maker of circuit boards is sent."""
    control = pcbnew.PLOT_CONTROLLER(board)
    options = control.GetPlotOptions()
    options.SetOutputDirectory(str(into))
    options.SetPlotFrameRef(False)
    options.SetUseGerberAttributes(True)
    options.SetUseGerberProtelExtensions(False)
    options.SetCreateGerberJobFile(False)
    options.SetSubtractMaskFromSilk(True)
    options.SetUseAuxOrigin(True)
    scored = any(drawn.GetLayer() == pcbnew.Cmts_User for drawn in board.GetDrawings())
    for name, layer in (*GERBER_LAYERS, *((("V_Score", pcbnew.Cmts_User),) if scored else ())):
        control.SetLayer(layer)
        control.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        if not control.PlotLayer():
            sys.exit(f"KiCad could not plot {name}")
    control.ClosePlot()
    drills = pcbnew.EXCELLON_WRITER(board)
    drills.SetFormat(True)
    drills.SetOptions(False, False, board.GetDesignSettings().GetAuxOrigin(), False)
    drills.CreateDrillandMapFilesSet(str(into), True, False)


def write_part_places(board: pcbnew.BOARD, into: Path) -> None:
    """Where a machine sets parts without leads: the middle of each, and its turn."""
    millimetres = only_without_leads = top = as_csv = from_origin = True
    without_holes = bottom = False
    exporter = pcbnew.PLACE_FILE_EXPORTER(
        board, millimetres, only_without_leads, without_holes, top, bottom, as_csv, from_origin
    )
    (into / "places.csv").write_text(exporter.GenPositionData())


def main(path: str, folder: str) -> None:
    """Do all of it."""
    into = Path(folder)
    into.mkdir(parents=True, exist_ok=True)
    board = pcbnew.LoadBoard(path)
    check_board(board, into)
    plot_gerbers(board, into)
    write_part_places(board, into)


if __name__ == "__main__":
    main(*sys.argv[1:])
