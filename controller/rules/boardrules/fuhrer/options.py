"""The options of Fall of the Führer: their values, and how what somebody gave is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from boardrules.core import OptionError
from boardrules.fuhrer.maps import ORIGINAL, MapError, map_by_text
from boardrules.ranges import OptionRange, value_text

OPTION_VALUES: Final[Mapping[str, tuple[str | int | bool, ...]]] = {
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
OPTION_RANGES: Final[Mapping[str, OptionRange]] = {
    **{name: OptionRange(values) for name, values in OPTION_VALUES.items()},
    "map": OptionRange(text=f"{ORIGINAL}, or the text of a map"),
}
"""The same as what is stated of them."""
DEFAULTS: Final[Mapping[str, Any]] = {
    **{name: values[0] for name, values in OPTION_VALUES.items()},
    "map": ORIGINAL,
}


def read_options(game_id: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Every option with the value in force, in a fixed order. Raises `OptionError`."""
    if not isinstance(given, Mapping):
        raise OptionError(f"{game_id}: options are {value_text(given)}; try names with values")
    options = dict(DEFAULTS)
    for name, value in given.items():
        if name not in DEFAULTS:
            expected = ", ".join(DEFAULTS)
            raise OptionError(f"{game_id}: unknown option {name!r}; try one of {expected}", name)
        options[name] = _read_map(game_id, value) if name == "map" else _checked_value(game_id, name, value)
    if options["tank_roll"] == "always" and options["liberation"] == "declared":
        raise OptionError(
            f"{game_id}: option tank_roll is 'always' and liberation is 'declared'; try one of the two,"
            " as a Tank that has to roll can't declare instead of rolling",
            "tank_roll",
            clash="tank-rolls-or-declares",
        )
    return options


def _checked_value(game_id: str, name: str, given: Any) -> Any:
    if OPTION_RANGES[name].contains_value(given):
        return given
    raise OptionError(
        f"{game_id}: option {name} is {value_text(given)}; try {OPTION_RANGES[name].expected_text()}", name
    )


def _read_map(game_id: str, given: Any) -> str:
    if not isinstance(given, str):
        raise OptionError(
            f"{game_id}: option map is {value_text(given)}; try {OPTION_RANGES['map'].expected_text()}", "map"
        )
    try:
        map_by_text(given)
    except MapError as error:
        raise OptionError(f"{game_id}: option map: {error}", "map") from None
    return given
