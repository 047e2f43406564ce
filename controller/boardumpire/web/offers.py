"""The options of a game that the dialog for a new one offers, as people call them.

Who sits where stays as it is, so the number of players is not among them; what else a game may be played by
is said in the configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from boardrules.stratego.games import GAMES as STRATEGO
from boardumpire.messages.languages import catalogue
from boardumpire.web.page_language import _


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
        _("What lets you draw a card"),
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
_IN_A_ROW = _("turns in a row: {n}")
_STRATEGO = (
    Offer(
        "announce",
        _("What everyone learns from a battle"),
        (("ranks", _("both ranks and who wins")), ("silent", _("only who wins"))),
    ),
    Offer(
        "reveal_after_battle",
        _("A rank shown in a battle"),
        (("hide_again", _("is hidden again")), ("stay_open", _("stays to be seen on the screens"))),
    ),
    Offer(
        "spy_vs_spy",
        _("A Spy that attacks a Spy"),
        (("tie", _("both fall")), ("attacker_wins", _("the attacker wins"))),
    ),
    Offer(
        "shuttle",
        _("A piece may go to and fro between two squares"),
        (*((number, _IN_A_ROW) for number in (3, 5, 6)), ("off", _("as long as it likes"))),
    ),
    Offer(
        "chase",
        _("A piece may chase another"),
        (
            ("board_repeat", _("until all would stand as before")),
            ("pair_repeat", _("until both would stand as before")),
            ("off", _("without end")),
        ),
    ),
    Offer(
        "quiet_limit",
        _("Turns of both sides without a battle that make a draw"),
        (("off", _("no limit")), *((number, "{n}") for number in (40, 60, 100, 200))),
    ),
)
_FUHRER = (
    Offer(
        "tank_roll",
        _("A Tank that wants to stay"),
        (("optional", _("says so and needn't roll")), ("always", _("rolls first, like all pieces"))),
    ),
    Offer(
        "liberation",
        _("A Tank liberates its city"),
        (
            ("automatic", _("whenever it stays")),
            ("declared", _("if it says so instead of rolling")),
            ("full-round", _("at its next turn, if it stayed")),
        ),
    ),
    Offer(
        "recapture",
        _("The flag of a city that Hitler re-captures"),
        (("at_once", _("goes at once")), ("round_end", _("goes when the round is over"))),
    ),
    Offer(
        "trapped",
        _("Hitler can't leave"),
        (
            ("flagged", _("any liberated city")),
            ("entered", _("a city liberated before he came")),
        ),
    ),
    Offer(
        "flight",
        _("A flight with a ticket"),
        (
            ("move", _("is one of his three moves")),
            ("turn", _("is his whole turn")),
            ("free", _("costs him no move")),
        ),
    ),
    Offer(
        "one_flight_a_turn",
        _("In one turn Hitler may use"),
        ((False, _("both tickets")), (True, _("one ticket"))),
    ),
    Offer(
        "flight_tells",
        _("All hear of a flight"),
        (("ticket_only", _("that a ticket was used")), ("origin", _("also from which airport"))),
    ),
    Offer(
        "spy_questions",
        _("The Spy asks about two cities"),
        (
            ("one_by_one", _("one after the other")),
            ("both_first", _("both before any answer")),
        ),
    ),
)
OFFERS: Mapping[str, tuple[Offer, ...]] = {
    **{game.id: _STRATEGO for game in STRATEGO},
    "fall-of-the-fuhrer": _FUHRER,
    "escape-from-colditz": _COLDITZ,
}
"""By game; what is not among them is said in the configuration alone."""


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
        said = next((text for _, text in offer.values if "{n}" in text), "{n}")
        values.append([value, words.gettext(said).format(n=value)])
    return {**field, "values": values}
