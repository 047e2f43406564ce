"""The options of a game that the dialog for a new one offers, as people call them: what its package says of
them.

Who sits where stays as it is, so the number of players is not among them; what else a game may be played by
is said in the configuration.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from boardrules import registry
from boardrules.package import GamePackage, OptionOffer
from boardrules.rule_sets import BALANCED, OWN, RULEBOOK, options_of, set_in_force
from boardumpire.messages.languages import Catalogue, catalogue
from boardumpire.web.page_language import _

SETS = {
    RULEBOOK: _("As in the rulebook"),
    BALANCED: _("Balanced between strong players"),
    OWN: _("Own choice"),
}
"""What people call the sets of options."""


def offered(options: Mapping[str, Mapping[str, Any]], language: str) -> dict[str, list[dict[str, Any]]]:
    """What may be chosen for each of these games, which are given with the options in force, as JSON.

    Each has `name`, `label`, `value`, perhaps `help`, and `values`, each with what it is called, or `low` and
    `high`.
    """
    return {
        game: [
            _field(offer, inforce[offer.name], catalogue(language, game))
            for offer in registry.package(game).offers()
        ]
        for game, inforce in options.items()
    }


def titles(games: Iterable[str]) -> dict[str, str]:
    """What people call these games."""
    return {game: registry.package(game).title for game in games}


def _field(offer: OptionOffer, value: Any, words: Catalogue) -> dict[str, Any]:
    field = {"name": offer.name, "label": words.gettext(offer.label), "value": value}
    if offer.help:
        field["help"] = words.gettext(offer.help)
    if not offer.values:
        low, high = offer.numbers
        return {**field, "low": low, "high": max(high, value)}
    values = [[one, words.gettext(text).format(n=one)] for one, text in offer.values]
    if value not in (one for one, text in values):  # the configuration has it
        said = next((text for _, text in offer.values if "{n}" in text), "{n}")
        values.append([value, words.gettext(said).format(n=value)])
    return {**field, "values": values}


def set_of(game: str, options: Mapping[str, Any]) -> str:
    """The id of the set of rules that a game with these options, every one of them, is played by; empty where
    it has no sets, or there is no game."""
    package = registry.package(game) if options else None
    return set_in_force(package, options) if package and package.rulebook else ""


def set_called(game: str, options: Mapping[str, Any], language: str) -> str:
    """What people call that set; empty as `set_of`."""
    found = set_of(game, options)
    return catalogue(language).gettext(SETS[found]) if found else ""


def rule_sets(game: str, players: int, language: str) -> list[dict[str, Any]]:
    """The sets to choose from, where the rulebook and the tuned game differ, as JSON: of each the `id`, its
    `label`, the `values` of its options, and what is `told` of those that differ. `players`: how many play; 0
    until that is known."""
    package = registry.package(game)
    if not package.rulebook:
        return []
    words = catalogue(language, game)
    sets = [
        {
            "id": name,
            "label": words.gettext(SETS[name]),
            "values": {
                offer.name: options_of(package, name, players)[offer.name] for offer in package.offers()
            },
            "told": [
                f"{words.gettext(offer.label)}: {_value_called(package, name, offer, players, words)}"
                for offer in package.offers()
                if offer.name in package.rulebook
            ],
        }
        for name in (RULEBOOK, BALANCED)
    ]
    return [*sets, {"id": OWN, "label": words.gettext(SETS[OWN]), "values": {}, "told": []}]


def _value_called(package: GamePackage, name: str, offer: OptionOffer, players: int, words: Catalogue) -> str:
    """What an option is in a set; where that goes by the number of players, from least to most."""
    seatings = (players,) if players or not offer.by_players else package.seatings
    values = [options_of(package, name, number)[offer.name] for number in seatings]
    if not offer.values and min(values) != max(values):
        return f"{min(values)}–{max(values)}"
    field = _field(offer, values[0], words)
    return next((text for value, text in field.get("values", ()) if value == values[0]), str(values[0]))
