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

RULES_OPTION: Final = "rules"
"""The option that names a set. No game has one of its own by this name."""
RULEBOOK_SET: Final = "rulebook"
"""As the printed rules say (`GamePackage.rulebook_options`): what people play unless they choose
otherwise."""
BALANCED_SET: Final = "balanced"
"""As was tuned in games of strong players: the defaults of `GamePackage.new`, which records rest on."""
CUSTOM_SET: Final = "own"
"""Neither of the two."""


def expand_rule_set(game: GamePackage, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options with those of the set that they name; what is given by its own name counts more.

    Raises `OptionError` for an unknown set.
    """
    if not isinstance(options, Mapping) or RULES_OPTION not in options:
        return options
    given = dict(options)
    name = given.pop(RULES_OPTION)
    if name not in (RULEBOOK_SET, BALANCED_SET):
        raise OptionError(
            f"{game.id}: option {RULES_OPTION} is {name!r}; try one of {RULEBOOK_SET}, {BALANCED_SET}",
            RULES_OPTION,
        )
    return {**game.rulebook_options, **given} if name == RULEBOOK_SET else given


def merge_options(game: GamePackage, before: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a next game: those `before` with what is `given`. A set that is given takes the place of
    all that people choose by options, and leaves seats, maps and boards as they are."""
    kept = before
    if RULES_OPTION in given:
        kept = {name: value for name, value in before.items() if name not in _compared_options(game)}
    return {**kept, **given}


def rule_set_in_force(game: GamePackage, options: Mapping[str, Any], *, has_machines: bool = False) -> str:
    """`RULEBOOK_SET`, `BALANCED_SET` or `CUSTOM_SET`: which set these options are, which hold every option's
    value. `has_machines`: a program plays, so an option that its players need is nobody's choice."""
    programs = game.players() if has_machines else None
    needed = programs.options if programs else {}
    compared = [
        name
        for name in _compared_options(game) - {RULES_OPTION}
        if name not in needed or options[name] != needed[name]
    ]
    for name in (RULEBOOK_SET, BALANCED_SET):
        usual = rule_set_options(game, name, options.get("players", 0))
        if all(options[each] == usual[each] for each in compared):
            return name
    return CUSTOM_SET


@functools.cache
def rule_set_options(game: GamePackage, name: str, players: int) -> Mapping[str, Any]:
    """Every option of a game that so many play by the set of that name; 0: as many as usually."""
    people = {"players": players} if players else {}
    return game.new(expand_rule_set(game, {**people, RULES_OPTION: name})).options


def _compared_options(game: GamePackage) -> frozenset[str]:
    return frozenset({RULES_OPTION, *game.rulebook_options, *(offer.name for offer in game.option_offers())})
