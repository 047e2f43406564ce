"""Whether a board has the squares and the lakes that a game is played on."""

from __future__ import annotations

from boardrules.package import BoardMismatch, PrintedBoard
from boardrules.stratego.board import StrategoBoard


def printed_board_mismatch(printed: PrintedBoard, board: StrategoBoard) -> BoardMismatch | None:
    """The first square or lake that a printed board has otherwise. A lake need not be a space of it."""
    lakes, squares = set(board.spaces_of_mask(board.lakes)), set(board.names)
    drawn = {space for space, outline in printed.outlines.items() if outline == "lake"}
    for said, differing in (
        ("has no square", squares - lakes - printed.outlines.keys()),
        ("has a square", printed.outlines.keys() - squares),
        ("has a lake on", drawn - lakes),
        ("has no lake on", (lakes & printed.outlines.keys()) - drawn),
    ):
        if differing:
            first = min(differing, key=lambda square: (len(square), square))
            expected = f"{board.name} squares, lakes on {', '.join(sorted(lakes))}"
            return BoardMismatch("", f"{said} {first}", expected)
    return None
