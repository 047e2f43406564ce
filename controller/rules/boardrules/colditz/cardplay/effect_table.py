"""What the cards do: one class an effect, found by the effect's id.

An effect lists what its card may be aimed at, as the words that follow the card's name; `play` does it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardrules.colditz.cardplay import opportunity as o
from boardrules.colditz.cardplay import security as s
from boardrules.colditz.cardplay.effect import CardEffect

EFFECTS: Final[Mapping[str, CardEffect]] = {
    "part": o.KitPart(),
    "tunnel": o.TunnelCard(),
    "car": o.StaffCarEscape(),
    "release": o.SolitaryRelease(),
    "hideaway": o.Hideaway(),
    "dismiss": o.GuardDismissal(),
    "talisman": o.Talisman(),
    "gain": o.EquipmentGain(),
    "points": o.ExtraPoints(),
    "throw": o.ExtraThrow(),
    "cancel": o.CardCancellation(),
    "send": o.SendToRoom(),
    "home": o.SendToAppelArea(),
    "appel": s.Appel(),
    "shoot": s.ShootToKill(),
    "detect": s.TunnelDetection(),
    "unmark": s.MarkerRemoval(),
    "relief": s.OfficeRelief(),
    "confiscate": s.Confiscation(),
}
