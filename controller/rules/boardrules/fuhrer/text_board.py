"""The map as text, drawn from the JSON of a view: it can't show more than the seat may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from boardrules.core import Space
from boardrules.fuhrer.ends import MAX_ROUNDS
from boardrules.fuhrer.maps import CityMap

MAP_WIDTH_COLUMNS: Final = 78
MAP_HEIGHT_LINES: Final = 34
"""Signs and lines of the map."""
_PIECE_SIGNS: Final = {"tank": "T", "spy": "S", "infantry": "I"}


def board_text(json: Mapping[str, Any], board: CityMap) -> str:
    """Cities where they lie, north above; a city's signs stand before its name."""
    signs = {city: _city_signs(json, city) for city in board.ids}
    lines = [_heading(json), "", *_map(board, signs), ""]
    lines.append(
        "T tank, S spy, I infantry, * liberated, h token" + (", H Hitler" if "sheet" in json else "")
    )
    lines.append(f"tickets: {json['tickets']}" + (f", die: {json['die']}" if json["die"] else ""))
    if json["asked"]:
        lines.append(f"asked about: {', '.join(json['asked'])}")
    if json["offer"] is not None:
        lines.append(f"{json['offer']['seat']} asks for a {json['offer']['thing']}")
    if "sheet" in json:
        lines.append(f"sheet: {' '.join(json['sheet']['entries']) or 'empty'}")
    return "\n".join(lines)


def _heading(json: Mapping[str, Any]) -> str:
    if "outcome" in json:
        return f"{json['game']}: {json['outcome']['winner']} wins, {json['outcome']['reason']}"
    piece = f" ({json['piece']})" if json["piece"] else ""
    doing = f"{' and '.join(json['to_act'])} to {json['phase']}{piece}"
    stage = f"round {json['round']} of {MAX_ROUNDS}" if json["round"] else "set-up"
    return f"{json['game']}: {stage}, {doing}"


def _city_signs(json: Mapping[str, Any], city: str) -> str:
    found = "".join([_PIECE_SIGNS[piece] for piece, at in json["pieces"].items() if at == city])
    found += "*" if city in json["flags"] else ""
    found += "h" if city == json["token"] else ""
    return found + ("H" if json.get("sheet", {}).get("at") == city else "")


def _map(board: CityMap, signs: Mapping[Space, str]) -> list[str]:
    """Every city in the line of its latitude, or in the nearest one that has room there."""
    east = [degrees[0] for degrees in board.degrees]
    north = [degrees[1] for degrees in board.degrees]
    words = [f"{signs[city]}.{city}" for city in board.ids]
    room = max(MAP_WIDTH_COLUMNS - max([len(word) for word in words]), 1)
    rows: list[list[str]] = [[" "] * (MAP_WIDTH_COLUMNS + 60) for _ in range(MAP_HEIGHT_LINES)]
    for number in sorted(range(len(words)), key=lambda one: (-north[one], east[one])):
        column = round((east[number] - min(east)) / ((max(east) - min(east)) or 1) * room)
        row = round((max(north) - north[number]) / ((max(north) - min(north)) or 1) * (MAP_HEIGHT_LINES - 1))
        _write_word(rows, row, column, words[number])
    return ["".join(row).rstrip() for row in rows]


def _write_word(rows: list[list[str]], row: int, column: int, word: str) -> None:
    nearest: Sequence[int] = sorted(range(len(rows)), key=lambda other: abs(other - row))
    for line in nearest:
        place = rows[line][max(column - 1, 0) : column + len(word) + 1]
        if not "".join(place).strip():
            rows[line][column : column + len(word)] = word
            return
    rows.append([" "] * column + list(word) + [" "] * MAP_WIDTH_COLUMNS)  # a map of too many cities: below it
