"""The options of Fall of the Führer: their values, and how what somebody gave is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from boardrules.core import OptionError
from boardrules.fuhrer.maps import ORIGINAL, MapError, map_of
from boardrules.ranges import OptionRange, shown

VALUES: Final[Mapping[str, tuple[str | int | bool, ...]]] = {
    "players": (2, 3, 4),  # F01
    "first_round": ("allies_only", "hitler_too"),
    "start_cities": ("different", "any"),
    "allied_split": ("tank_spy", "tank_infantry", "spy_infantry"),
    "tank_roll": ("optional", "always"),
    "liberation": ("automatic", "declared", "full-round"),
    "recapture": ("at_once", "round_end"),
    "trapped": ("flagged", "entered"),
    "flight": ("move", "turn", "free"),
    "one_flight_a_turn": (False, True),
    "flight_tells": ("ticket_only", "origin"),
    "spy_questions": ("one_by_one", "both_first"),
    "sheet": ("umpire", "paper"),  # H3
}
"""What each option may be, the default first. `map` (H4) is a text, so it isn't among them."""
RANGES: Final[Mapping[str, OptionRange]] = {
    **{name: OptionRange(values) for name, values in VALUES.items()},
    "map": OptionRange(text=f"{ORIGINAL}, or the text of a map"),
}
"""The same as what is stated of them."""
DEFAULTS: Final[Mapping[str, Any]] = {**{name: values[0] for name, values in VALUES.items()}, "map": ORIGINAL}


def read_options(game_id: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Every option with the value in force, in a fixed order. Raises `OptionError`."""
    if not isinstance(given, Mapping):
        raise OptionError(f"{game_id}: options are {shown(given)}; try names with values")
    options = dict(DEFAULTS)
    for name, value in given.items():
        if name not in DEFAULTS:
            expected = ", ".join(DEFAULTS)
            raise OptionError(f"{game_id}: unknown option {name!r}; try one of {expected}", name)
        options[name] = _read_map(game_id, value) if name == "map" else _one_of(game_id, name, value)
    if options["tank_roll"] == "always" and options["liberation"] == "declared":
        raise OptionError(
            f"{game_id}: option tank_roll is 'always' and liberation is 'declared'; try one of the two,"
            " as a Tank that has to roll can't declare instead of rolling",
            "tank_roll",
            clash="tank-rolls-or-declares",
        )
    return options


def _one_of(game_id: str, name: str, given: Any) -> Any:
    if RANGES[name].holds(given):
        return given
    raise OptionError(f"{game_id}: option {name} is {shown(given)}; try {RANGES[name].expected()}", name)


def _read_map(game_id: str, given: Any) -> str:
    if not isinstance(given, str):
        raise OptionError(f"{game_id}: option map is {shown(given)}; try {RANGES['map'].expected()}", "map")
    try:
        map_of(given)
    except MapError as error:
        raise OptionError(f"{game_id}: option map: {error}", "map") from None
    return given
