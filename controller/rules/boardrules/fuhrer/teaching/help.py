"""The rules of Fall of the Führer in a few words each."""

from __future__ import annotations

from typing import Final

from boardrules.fuhrer.ends import ALLIES
from boardrules.teaching import HelpChapter, HelpEntry

HELP: Final = (
    HelpChapter(
        "The Allies' pieces",
        (
            HelpEntry(
                ("F08", "G6"),
                "To liberate a city, the Tank stays there for a turn. A flag goes up.",
                "Tank",
                (ALLIES, "tank"),
                required_options={"liberation": ("automatic",)},
            ),
            HelpEntry(
                ("F08", "G6"),
                "To liberate its city, the Tank says so instead of rolling. A flag goes up.",
                "Tank",
                (ALLIES, "tank"),
                required_options={"liberation": ("declared",)},
            ),
            HelpEntry(
                ("F08", "G6"),
                "If the Tank stays, its city is liberated at its next turn. A flag goes up.",
                "Tank",
                (ALLIES, "tank"),
                required_options={"liberation": ("full-round",)},
            ),
            HelpEntry(
                ("F09", "X9"),
                "After moving, it may ask if Hitler is in its city or in a neighbouring one.",
                "Spy",
                (ALLIES, "spy"),
            ),
            HelpEntry(
                ("F11",),
                "Catches Hitler if it ends its turn in his city. That wins the game.",
                "Infantry",
                explains=("infantry",),
            ),
            HelpEntry(
                ("F15",),
                "Only the Infantry catches Hitler. With the Tank or the Spy he is safe, and in a city that "
                "is just being liberated, too.",
            ),
            HelpEntry(
                ("G21",),
                "Roll first, then choose where the piece goes.",
                required_options={"tank_roll": ("always",)},
            ),
            HelpEntry(
                ("G21",),
                "Roll first, then choose where the piece goes. A Tank that stays needn't roll.",
                required_options={"tank_roll": ("optional",)},
            ),
            HelpEntry(
                ("F06",),
                "The die shows 1 to 3. The piece goes along that many roads or fewer, or stays.",
            ),
            HelpEntry(("F07",), "Several pieces may be in one city."),
        ),
    ),
    HelpChapter(
        "Questions",
        (
            HelpEntry(("G5",), "The Spy asks about two different cities a turn at most."),
            HelpEntry(("F10",), "The answer is always true, and everyone hears it."),
        ),
    ),
    HelpChapter(
        "Hitler",
        (
            HelpEntry(
                ("F14",),
                "Hitler moves unseen, along up to three roads, without a die. He may stay, too.",
                explains=("★",),
            ),
            HelpEntry(
                ("X12",),
                "He takes up to three steps and ends his move in a city. A flight counts as one step; a "
                "liberated city stops him.",
                required_options={"flight": ("move",)},
            ),
            HelpEntry(
                ("X12",),
                "He takes up to three steps, or a flight instead, and ends his move in a city. A liberated "
                "city stops him.",
                required_options={"flight": ("turn",)},
            ),
            HelpEntry(
                ("X12",),
                "He takes up to three steps and ends his move in a city. A flight isn't counted; a "
                "liberated city stops him.",
                required_options={"flight": ("free",)},
            ),
            HelpEntry(
                ("F19", "F20"),
                "He has two. In a city with an airport, a ticket takes him to another one. Everyone hears "
                "that he used it.",
                "Ticket",
            ),
            HelpEntry(
                ("X18",),
                "Nobody hears from where he flies.",
                required_options={"flight_tells": ("ticket_only",)},
            ),
            HelpEntry(
                ("X18",),
                "Everyone hears from which airport he flies.",
                required_options={"flight_tells": ("origin",)},
            ),
            HelpEntry(("F13",), "From round 3 on it shows where Hitler was two rounds ago.", "Token"),
            HelpEntry(
                ("F16", "F18"),
                "Holds Hitler: while he is in a liberated city, he can only stay.",
                "Flag",
                required_options={"trapped": ("flagged",)},
            ),
            HelpEntry(
                ("F16", "F18"),
                "Holds Hitler: in a city that was liberated before he came, he can only stay.",
                "Flag",
                required_options={"trapped": ("entered",)},
            ),
            HelpEntry(
                ("F17",),
                "In a liberated city he may stay and recapture it. Everyone hears it, and the flag goes.",
            ),
        ),
    ),
    HelpChapter(
        "Set-up and turns",
        (
            HelpEntry(
                ("F03",), "First the Allies put their pieces on the map. Then Hitler secretly chooses a city."
            ),
            HelpEntry(("G19",), "The Tank is set up first, then the Spy, then the Infantry."),
            HelpEntry(
                ("X3",),
                "The three pieces start in different cities.",
                required_options={"start_cities": ("different",)},
            ),
            HelpEntry(
                ("F05",),
                "Each round Hitler moves first, then Tank, Spy and Infantry. In round 1 he rests.",
                required_options={"first_round": ("allies_only",)},
            ),
            HelpEntry(
                ("F05",),
                "Each round Hitler moves first, then Tank, Spy and Infantry.",
                required_options={"first_round": ("hitler_too",)},
            ),
            HelpEntry(
                ("H1",),
                "You may ask to take back the last thing you did, if nothing followed from it. The other "
                "side has to agree.",
            ),
            HelpEntry(
                ("H3",),
                "With a sheet on paper Hitler writes his cities down and answers himself. The umpire checks "
                "the sheet when the game is over.",
                required_options={"sheet": ("paper",)},
            ),
        ),
    ),
    HelpChapter(
        "The end",
        (HelpEntry(("F22",), "Hitler wins if nobody has caught him after 24 rounds."),),
    ),
    HelpChapter(
        "Unlike the printed rules",
        (
            HelpEntry(
                (),
                "By the printed rules every piece rolls, also a Tank that stays.",
                required_options={"tank_roll": ("optional",)},
            ),
            HelpEntry(
                (),
                "By the printed rules the three pieces may start in one city.",
                required_options={"start_cities": ("different",)},
            ),
        ),
    ),
)
"""By each rule that the game refuses by, one entry."""
