"""The options of Fall of the Führer that the dialog for a new game has, as people call them."""

from __future__ import annotations

from typing import Final

from boardrules.package import Offer

OFFERS: Final = (
    Offer(
        "tank_roll",
        "A Tank that wants to stay",
        (("optional", "says so and needn't roll"), ("always", "rolls first, like all pieces")),
    ),
    Offer(
        "liberation",
        "A Tank liberates its city",
        (
            ("automatic", "whenever it stays"),
            ("declared", "if it says so instead of rolling"),
            ("full-round", "at its next turn, if it stayed"),
        ),
    ),
    Offer(
        "recapture",
        "The flag of a city that Hitler re-captures",
        (("at_once", "is taken down at once"), ("round_end", "is taken down when the round is over")),
    ),
    Offer(
        "trapped",
        "Hitler can't leave",
        (
            ("flagged", "any liberated city"),
            ("entered", "a city liberated before he came"),
        ),
    ),
    Offer(
        "flight",
        "A flight with a ticket",
        (
            ("move", "is one of his three moves"),
            ("turn", "is his whole turn"),
            ("free", "costs him no move"),
        ),
    ),
    Offer(
        "one_flight_a_turn",
        "In one turn Hitler may use",
        ((False, "both tickets"), (True, "one ticket")),
    ),
    Offer(
        "flight_tells",
        "What everyone learns from a flight",
        (
            ("ticket_only", "that a ticket was used"),
            ("origin", "that a ticket was used, and from which airport"),
        ),
    ),
    Offer(
        "spy_questions",
        "The Spy asks about two cities",
        (
            ("one_by_one", "one after the other"),
            ("both_first", "both before any answer"),
        ),
    ),
)
