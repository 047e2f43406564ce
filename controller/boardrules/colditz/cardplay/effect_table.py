"""What the cards do: one class an effect, found by the effect's id.

An effect lists what its card may be aimed at, as the words that follow the card's name; `play` does it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardrules.colditz.cardplay import opportunity as o
from boardrules.colditz.cardplay import security as s
from boardrules.colditz.cardplay.effect import Effect

EFFECTS: Final[Mapping[str, Effect]] = {
    "part": o.Part(),
    "tunnel": o.TunnelCard(),
    "car": o.Car(),
    "release": o.Release(),
    "hideaway": o.Hideaway(),
    "dismiss": o.Dismiss(),
    "talisman": o.Talisman(),
    "gain": o.Gain(),
    "points": o.Points(),
    "throw": o.Throw(),
    "cancel": o.Cancel(),
    "send": o.Send(),
    "home": o.Home(),
    "appel": s.Appel(),
    "shoot": s.Shoot(),
    "detect": s.Detect(),
    "unmark": s.Unmark(),
    "relief": s.Relief(),
    "confiscate": s.Confiscate(),
}
"""Every effect by its id."""
