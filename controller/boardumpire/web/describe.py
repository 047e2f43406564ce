"""A board as a browser draws it: what is printed, from the board file alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from boardrules import registry
from boardware.parts import Board, Position
from boardwire import marks


def printed(board: Board, names: Mapping[str, str] = {}) -> dict[str, Any]:
    """Spaces, named lamps and buttons with their places in mm from the upper left corner as Red sees it.

    `names`: what people call the spaces, where the board file doesn't say it.
    """

    def at(place: Position) -> dict[str, float]:
        return {"x": place.x, "y": board.size.y - place.y}

    return {
        "id": board.id,
        "name": board.name,
        "size": [board.size.x, board.size.y],
        "spaces": [
            {
                "id": space.id,
                "name": names.get(space.id, space.name),
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
        "legend": legend(board.games),
    }


def looks(game: str) -> dict[str, Any]:
    """How the pieces of a game look, as its package says it."""
    found = registry.package(game).looks()
    told = {**found._asdict(), "guards": sorted(found.guards)}
    return {name: value for name, value in told.items() if value}


def legend(games: Iterable[str]) -> list[dict[str, Any]]:
    """What the lamps mean in these games, as `boardwire.marks` has it."""
    special = {mark for package in registry.games().values() for mark in package.marks()}
    shown = {mark for game in games for mark in registry.package(game).marks()}
    return [
        {
            "mark": name,
            "hue": hue,
            "rgb": list(marks.COLOURS[hue]),
            "pattern": pattern,
            "class": pattern.replace(" ", "-"),
            "means": meaning,
        }
        for name, (hue, pattern, meaning) in marks.LEGEND.items()
        if name in shown or name not in special
    ]
