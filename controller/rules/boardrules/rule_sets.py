"""The options of a game in sets that have a name, so that nobody has to know them all.

`registry.new` takes the name as one more option: `{"rules": "rulebook", "players": 3}`. A state holds plain
values only, and so do journals and records: they replay alike whatever a set becomes.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, Final

from boardrules.core import OptionError
from boardrules.package import GamePackage

RULES: Final = "rules"
"""The option that names a set. No game has one of its own by this name."""
RULEBOOK: Final = "rulebook"
"""As the printed rules say (`GamePackage.rulebook`): what people play unless they choose otherwise."""
BALANCED: Final = "balanced"
"""As was tuned in games of strong players: the defaults of `GamePackage.new`, which records rest on."""
OWN: Final = "own"
"""Neither of the two."""


def expanded(game: GamePackage, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options with those of the set that they name; what is given by its own name counts more.

    Raises `OptionError` for an unknown set.
    """
    if not isinstance(options, Mapping) or RULES not in options:
        return options
    given = dict(options)
    name = given.pop(RULES)
    if name not in (RULEBOOK, BALANCED):
        raise OptionError(f"{game.id}: option {RULES} is {name!r}; try one of {RULEBOOK}, {BALANCED}", RULES)
    return {**game.rulebook, **given} if name == RULEBOOK else given


def merged(game: GamePackage, before: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a next game: those `before` with what is `given`. A set that is given takes the place of
    all that people choose by options, and leaves seats, maps and boards as they are."""
    kept = before
    if RULES in given:
        kept = {name: value for name, value in before.items() if name not in _compared(game)}
    return {**kept, **given}


def set_in_force(game: GamePackage, options: Mapping[str, Any]) -> str:
    """`RULEBOOK`, `BALANCED` or `OWN`: which set these options are, which hold every option's value."""
    for name in (RULEBOOK, BALANCED):
        usual = options_of(game, name, options.get("players", 0))
        if all(options[each] == usual[each] for each in _compared(game) if each != RULES):
            return name
    return OWN


@functools.cache
def options_of(game: GamePackage, name: str, players: int) -> Mapping[str, Any]:
    """Every option of a game that so many play by the set of that name; 0: as many as usually."""
    people = {"players": players} if players else {}
    return game.new(expanded(game, {**people, RULES: name})).options


def _compared(game: GamePackage) -> frozenset[str]:
    return frozenset({RULES, *game.rulebook, *(offer.name for offer in game.offers())})
