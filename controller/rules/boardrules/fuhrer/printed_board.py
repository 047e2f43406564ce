"""Whether a board was made of the map that is played on."""

from __future__ import annotations

from typing import Final

from boardrules.fuhrer.maps import map_by_text
from boardrules.package import BoardMismatch, PrintedBoard, line_mismatch

_EXPECTED_BOARD: Final = (
    "a board of this map (`boardumpire make map-board --game fall-of-the-fuhrer MAP` makes one)"
)


def map_mismatch(board: PrintedBoard, text: str) -> BoardMismatch | None:
    """What the lines and the airports of a board, as far as its file has them, say otherwise than a map."""
    cities = map_by_text(text)
    links = ((cities.ids[one], cities.ids[other]) for one, other in cities.links)
    told = line_mismatch(board, links) if board.lines else ""
    if told:
        return BoardMismatch("map", told, _EXPECTED_BOARD)
    drawn = {space for space, outline in board.outlines.items() if outline == "airport"}
    wanted = set(cities.space_ids(cities.airports))
    for said, cities_ in (("has", drawn - wanted), ("has no", wanted - drawn if drawn else set())):
        if cities_:
            return BoardMismatch("map", f"{said} airport in {min(cities_)}", _EXPECTED_BOARD)
    return None
