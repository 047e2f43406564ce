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
from boardrules.rule_sets import BALANCED_SET, CUSTOM_SET, RULEBOOK_SET, rule_set_in_force, rule_set_options
from boardumpire.messages.languages import Catalogue, catalogue
from boardumpire.web.page_language import _

RULE_SET_LABELS = {
    RULEBOOK_SET: _("As in the rulebook"),
    BALANCED_SET: _("Balanced between strong players"),
    CUSTOM_SET: _("Own choice"),
}
"""What people call the sets of options."""


def offered_option_fields(
    options: Mapping[str, Mapping[str, Any]], language: str
) -> dict[str, list[dict[str, Any]]]:
    """What may be chosen for each of these games, which are given with the options in force, as JSON.

    Each has `name`, `label`, `value`, perhaps `help`, and `values`, each with what it is called, or `low` and
    `high`, or, where it is a text, its greatest `length`.
    """
    return {
        game: [
            _option_field(offer, inforce[offer.name], catalogue(language, game))
            for offer in registry.package(game).option_offers()
        ]
        for game, inforce in options.items()
    }


def game_titles(games: Iterable[str]) -> dict[str, str]:
    """What people call these games."""
    return {game: registry.package(game).title for game in games}


def _option_field(offer: OptionOffer, value: Any, words: Catalogue) -> dict[str, Any]:
    field = {"name": offer.name, "label": words.gettext(offer.label), "value": value}
    if offer.help:
        field["help"] = words.gettext(offer.help)
    if offer.text_length:
        return {**field, "length": offer.text_length}
    if not offer.values:
        low, high = offer.number_range
        return {**field, "low": low, "high": max(high, value)}
    values = [[one, words.gettext(text).format(n=one)] for one, text in offer.values]
    if value not in (one for one, text in values):  # the configuration has it
        said = next((text for _, text in offer.values if "{n}" in text), "{n}")
        values.append([value, words.gettext(said).format(n=value)])
    return {**field, "values": values}


def rule_set_label(
    game: str, options: Mapping[str, Any], language: str, *, has_machines: bool = False
) -> str:
    """What people call the set of rules that a game with all these options is played by; empty where there is
    none, or no game. `has_machines`: a program plays."""
    package = registry.package(game) if options else None
    if package is None or not package.rulebook_options:
        return ""
    found = rule_set_in_force(package, options, has_machines=has_machines)
    return catalogue(language).gettext(RULE_SET_LABELS[found])


def rule_sets(game: str, players: int, language: str) -> list[dict[str, Any]]:
    """The sets to choose from, where the rulebook and the tuned game differ, as JSON: of each the `id`, its
    `label`, the `values` of its options, and what is `told` of those that differ. `players`: how many play; 0
    until that is known."""
    package = registry.package(game)
    if not package.rulebook_options:
        return []
    words = catalogue(language, game)
    sets = [
        {
            "id": name,
            "label": words.gettext(RULE_SET_LABELS[name]),
            "values": {
                offer.name: rule_set_options(package, name, players)[offer.name]
                for offer in package.option_offers()
            },
            "told": [
                f"{words.gettext(offer.label)}: {_option_value_text(package, name, offer, players, words)}"
                for offer in package.option_offers()
                if offer.name in package.rulebook_options
            ],
        }
        for name in (RULEBOOK_SET, BALANCED_SET)
    ]
    return [
        *sets,
        {"id": CUSTOM_SET, "label": words.gettext(RULE_SET_LABELS[CUSTOM_SET]), "values": {}, "told": []},
    ]


def _option_value_text(
    package: GamePackage, name: str, offer: OptionOffer, players: int, words: Catalogue
) -> str:
    """What an option is in a set; where that goes by the number of players, from least to most."""
    seatings = (players,) if players or not offer.depends_on_players else package.player_counts
    values = [rule_set_options(package, name, number)[offer.name] for number in seatings]
    if not offer.values and min(values) != max(values):
        return f"{min(values)}–{max(values)}"
    field = _option_field(offer, values[0], words)
    return next((text for value, text in field.get("values", ()) if value == values[0]), str(values[0]))
