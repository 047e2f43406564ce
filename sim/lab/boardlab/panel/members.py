"""Who is in the panel of which game, and which seats each can take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from boardlab.panel import castle_players, hunt_players, stratego_players
from boardrules.players import Player

PANEL_PREFIX = "panel:"
"""How a member is called where players are named: `panel:runner`."""
FIRST, OTHERS, ALL = "first", "others", "all"


class PanelMember(NamedTuple):
    """A member of the panel."""

    name: str
    seats_taken: str
    """`first` seat, the `others`, or `all` of them, in turn."""
    make_player: Callable[[], Player]


class Panel(NamedTuple):
    """The members for a game."""

    members: tuple[PanelMember, ...]
    options: Mapping[str, Any]
    """Options of the game that differ: a game that stands still has to end."""


_STRATEGO = Panel(
    (
        PanelMember("one-move", ALL, stratego_players.OneMove),
        PanelMember("runner", ALL, stratego_players.Runner),
        PanelMember("waiter", ALL, stratego_players.Waiter),
        PanelMember("cautious", ALL, stratego_players.Cautious),
        PanelMember("gambler", ALL, stratego_players.Gambler),
        PanelMember("shuttle", ALL, stratego_players.Shuttle),
        PanelMember("open-flag", ALL, stratego_players.OpenFlag),
    ),
    {"quiet_limit": 100},
)
_HUNT = Panel(
    (
        PanelMember("still", FIRST, hunt_players.StillHider),
        PanelMember("walker", FIRST, hunt_players.WalkingHider),
        PanelMember("far", FIRST, hunt_players.FarHider),
        PanelMember("static", OTHERS, hunt_players.StaticAllies),
        PanelMember("token-runner", OTHERS, hunt_players.TokenRunner),
        PanelMember("swarm", OTHERS, hunt_players.SwarmingAllies),
    ),
    {},
)
_CASTLE = Panel(
    (
        PanelMember("idle", FIRST, castle_players.Idle),
        PanelMember("door-guards", FIRST, castle_players.DoorGuards),
        PanelMember("catcher", FIRST, castle_players.Catcher),
        PanelMember("idler", OTHERS, castle_players.Idler),
        PanelMember("straight", OTHERS, castle_players.Straight),
    ),
    {},
)


def panel_of(game: str) -> Panel | None:
    """The panel for a game, or `None` where there is none."""
    if game.startswith("stratego"):
        return _STRATEGO
    return {"fall-of-the-fuhrer": _HUNT, "escape-from-colditz": _CASTLE}.get(game)


def panel_member(game: str, name: str) -> PanelMember | None:
    """The member called `panel:NAME`, or `None`."""
    found = panel_of(game)
    if found is None or not name.startswith(PANEL_PREFIX):
        return None
    return next((each for each in found.members if PANEL_PREFIX + each.name == name), None)
