"""The options of a game that the dialog for a new one offers, as people call them.

Who sits where stays as it is, so the number of players is not among them; what else a game may be played by
is said in the configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from boardumpire.languages import catalogue
from boardumpire.web.tongue import _


class Offer(NamedTuple):
    """One option: values to choose from, each with what it is called, or a whole number."""

    name: str
    label: str
    values: tuple[tuple[Any, str], ...] = ()
    """`{n}` in what a value is called stands for the value."""
    numbers: tuple[int, int] = (0, 0)
    """The least and the greatest, where there are no values."""


_TOGETHER = _("men of all nations together: {n}")
_COLDITZ = (
    Offer("rounds", _("Rounds"), numbers=(1, 50)),  # as many as the round track of the board has
    Offer(
        "start_kits",
        _("Escape Kits"),
        ((True, _("each officer starts with one")), (False, _("none at the start"))),
    ),
    Offer(
        "common_target",
        _("Who has won"),
        (("off", _("who gets two men out")), *((number, _TOGETHER) for number in range(2, 7))),
    ),
    Offer(
        "draw_on",
        _("What earns a card"),
        (
            ("any_throw", _("any throw of 5 or less")),
            ("first_throw", _("a first throw of 5 or less")),
            ("final_total", _("a total of 5 or less")),
            ("classic-3-7-11", _("a total of 3, 7 or 11")),
        ),
    ),
    Offer(
        "do_or_die",
        _("Do or Die"),
        (("off", _("not played")), ("classic", _("a card for each officer"))),
    ),
    Offer("answer_seconds", _("Seconds to answer (0: no limit)"), numbers=(0, 600)),
)
OFFERS: Mapping[str, tuple[Offer, ...]] = {"escape-from-colditz": _COLDITZ}
"""By game; who plays others finds their options in the configuration alone."""


def offered(options: Mapping[str, Mapping[str, Any]], language: str) -> dict[str, list[dict[str, Any]]]:
    """What may be chosen for each of these games, which are given with the options in force, as JSON."""
    return {
        game: [_field(offer, inforce[offer.name], language) for offer in OFFERS.get(game, ())]
        for game, inforce in options.items()
    }


def _field(offer: Offer, value: Any, language: str) -> dict[str, Any]:
    """`name`, `label`, `value`, and `values`, each with what it is called, or `low` and `high`."""
    words = catalogue(language)
    field = {"name": offer.name, "label": words.gettext(offer.label), "value": value}
    if not offer.values:
        low, high = offer.numbers
        return {**field, "low": low, "high": max(high, value)}
    values = [[one, words.gettext(text).format(n=one)] for one, text in offer.values]
    if value not in (one for one, text in values):  # the configuration has it
        values.append([value, str(value)])
    return {**field, "values": values}
