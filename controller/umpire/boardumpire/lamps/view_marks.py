"""What a game shows besides hands and rulings: the facts of the public view as marks, as its package says.
Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from boardrules import registry
from boardumpire.lamps import policy
from boardumpire.lamps.legend import Legend
from boardware.ports import LampId, Micros


def view_marks(game: str, view: Mapping[str, Any], lamps: Collection[LampId]) -> dict[LampId, str]:
    """The marks of the view that everybody has of that game. A lamp that the board hasn't got stays away by
    itself.

    `lamps` are those that it has."""
    return dict(registry.package(game).lamps(view, lamps))


def finale_shows(
    game: str, view: Mapping[str, Any], lamps: Collection[LampId], now: Micros
) -> Iterator[policy.LightShow]:
    """What is told once more by the lamps there are, as a game has just ended."""
    frames = registry.package(game).finale(view)
    return policy.finale_frame_shows(
        ({lamp: mark for lamp, mark in frame.items() if lamp in lamps} for frame in frames), now
    )


def idle_board_marks(game: str, view: Mapping[str, Any], lamps: Collection[LampId]) -> dict[LampId, str]:
    """All that a board with these lamps shows of that view while no hand and no answer is waited for."""
    shown = {**policy.turn_lights(view["to_act"]), **view_marks(game, view, lamps)}
    lights = Legend(game).to_lights({lamp: mark for lamp, mark in shown.items() if lamp in lamps})
    return {lamp: light.mark for lamp, light in lights.items()}
