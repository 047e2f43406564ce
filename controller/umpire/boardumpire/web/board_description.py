"""A board as a browser draws it: what is printed, from the board file alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from boardrules import registry
from boardrules.core import Space
from boardumpire.lamps.legend import COLOURS, SHARED_MARKS
from boardumpire.web.game_files import game_file_path, game_files
from boardware.parts import BoardDescription, BoardPoint
from boardwire import lights


def board_as_json(board: BoardDescription, names: Mapping[Space, str] = {}) -> dict[str, Any]:
    """Spaces, named lamps and buttons with their places in mm from the upper left corner as Red sees it.

    `names`: what people call the spaces, where the board file doesn't say it.
    """

    def at(place: BoardPoint) -> dict[str, float]:
        return {"x": place.x, "y": board.size.y - place.y}

    return {
        "id": board.id,
        "name": board.name,
        "size": [board.size.x, board.size.y],
        "spaces": [
            {
                "id": space.id,
                "name": names.get(Space(space.id), space.name),
                **at(space.position),
                "outline": space.outline.id,
                "shape": space.outline.shape,
                "w": space.outline.width,
                "h": space.outline.height,
                "slots": [{"id": slot.id, **at(slot.position)} for slot in space.slots],
            }
            for space in board.spaces.values()
        ],
        "lamps": [{"id": lamp, **at(place)} for lamp, place in board.named_lamps.items()],
        "buttons": [{"id": button.id, **at(button.position)} for button in board.buttons.values()],
        "lines": [list(line) for line in board.lines],
        "legend": lamp_legend(board.games),
    }


def piece_looks(game: str) -> dict[str, Any]:
    """How the pieces of a game look, as its package says it; its scene and that one's styles as addresses."""
    found = registry.package(game).piece_appearance()
    told = {**found._asdict(), "guards": sorted(found.guards)}
    if found.scene:
        script, style = game_file_path(game, f"{found.scene}.js"), game_file_path(game, f"{found.scene}.css")
        told |= {"scene": f"/{script}", "style": f"/{style}" if style in game_files(game) else ""}
    return {name: value for name, value in told.items() if value}


def lamp_legend(games: Iterable[str]) -> list[dict[str, Any]]:
    """What the lamps mean in these games; `game` says whose a mark is, of the board's own nothing."""
    marks = {name: ("", mark) for name, mark in SHARED_MARKS.items()}
    for game in registry.usable_games(games):
        marks |= {name: (game, mark) for name, mark in registry.package(game).marks().items()}
    return [
        {
            "mark": name,
            "game": game,
            "hue": mark.colour,
            "rgb": list(lights.rgb(COLOURS[mark.colour] << 4)),
            "pattern": mark.pattern,
            "class": mark.pattern.replace(" ", "-"),
            "means": mark.means,
            **({"at_end": mark.at_end} if mark.at_end else {}),
        }
        for name, (game, mark) in marks.items()
    ]
