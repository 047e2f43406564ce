"""The options of Fall of the Führer that the dialog for a new game has, as people call them."""

from __future__ import annotations

from typing import Final

from boardrules.package import OptionOffer

OFFERS: Final = (
    OptionOffer(
        "start_cities",
        "Tank, Spy and Infantry start",
        (("different", "in three different cities"), ("any", "in any cities, also in the same one")),
        help="From three different cities, the Allies reach more of the map at once.",
    ),
    OptionOffer(
        "tank_roll",
        "A Tank that wants to stay",
        (("optional", "says so and needn't roll"), ("always", "rolls first, like all pieces")),
        help="The die shows how far a piece may move. A Tank that wants to stay needn't roll, unless it "
        "always has to.",
    ),
    OptionOffer(
        "liberation",
        "A Tank liberates its city",
        (
            ("automatic", "whenever it stays"),
            ("declared", "if it says so instead of rolling"),
            ("full-round", "at its next turn, if it stayed"),
        ),
        help="A liberated city gets a flag: Hitler can't pass through it, and can't leave it until the "
        "flag is gone. The sooner flags go up, the easier it is for the Allies.",
    ),
    OptionOffer(
        "recapture",
        "The flag of a city that Hitler recaptures",
        (("at_once", "is taken down at once"), ("round_end", "is taken down when the round is over")),
        help=(
            "Hitler may stay in a liberated city and take its flag down. Until it is down, he can't leave."
        ),
    ),
    OptionOffer(
        "trapped",
        "Hitler can't leave",
        (
            ("flagged", "any liberated city"),
            ("entered", "a city liberated before he came"),
        ),
        help="With the second choice, Hitler can leave even if the flag goes up while he is there, which "
        "is easier for him.",
    ),
    OptionOffer(
        "flight",
        "A flight with a ticket",
        (
            ("move", "is one of his three moves"),
            ("turn", "is his whole turn"),
            ("free", "uses up no move"),
        ),
        help=(
            "A ticket takes him from one airport to another. The fewer moves a flight uses up, the "
            "further he gets."
        ),
    ),
    OptionOffer(
        "one_flight_a_turn",
        "In one turn Hitler may use",
        ((False, "both tickets"), (True, "one ticket")),
        help="He has two tickets for the whole game. With both in one turn, he gets further.",
    ),
    OptionOffer(
        "flight_tells",
        "What everyone learns from a flight",
        (
            ("ticket_only", "that a ticket was used"),
            ("origin", "that a ticket was used, and from which airport"),
        ),
        help="The airport that he left narrows down where he can be.",
    ),
    OptionOffer(
        "spy_questions",
        "The Spy asks about two cities",
        (
            ("one_by_one", "one after the other"),
            ("both_first", "both before any answer"),
        ),
        help="The Spy asks whether Hitler is in a city. Once you know the first answer, the second "
        "question is worth more.",
    ),
)
