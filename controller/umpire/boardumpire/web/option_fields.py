"""The options of a game that the dialog for a new one offers, as people call them: what its package says of
them.

Who sits where stays as it is, so the number of players is not among them; what else a game may be played by
is said in the configuration.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from boardrules import registry
from boardrules.package import OptionOffer
from boardumpire.messages.languages import Catalogue, catalogue


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
