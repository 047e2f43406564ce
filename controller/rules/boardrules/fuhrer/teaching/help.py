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
                "Liberates a city: it stays where it began its turn, and a flag goes up there.",
                "Tank",
                (ALLIES, "tank"),
            ),
            HelpEntry(
                ("F09", "X9"),
                "Asks after its move whether Hitler is in its own city, or in one that a road joins to it.",
                "Spy",
                (ALLIES, "spy"),
            ),
            HelpEntry(
                ("F11",), "Catches Hitler if it ends its turn in his city. That wins the game.", "Infantry"
            ),
            HelpEntry(("G21",), "Roll first, then choose where the piece goes."),
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
                ("F14",), "Hitler moves unseen, along up to three roads, without a die. He may stay, too."
            ),
            HelpEntry(
                ("X12",),
                "A move ends in a city that he reaches in three steps at most. A flight is usually one of "
                "them, and a liberated city ends his way.",
            ),
            HelpEntry(
                ("F19", "F20"),
                "He has two. In a city with an airport, a ticket takes him to another one. Everyone hears "
                "that he used it.",
                "Ticket",
            ),
            HelpEntry(("X18",), "Whether he says from where he flies is agreed on before the game."),
            HelpEntry(("F13",), "From round 3 on it shows where Hitler was two rounds ago.", "Token"),
            HelpEntry(
                ("F16", "F18"), "Holds Hitler: while he is in a liberated city, he can only stay.", "Flag"
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
            HelpEntry(("X3",), "The three pieces start in different cities."),
            HelpEntry(
                ("F05",),
                "Each round Hitler moves first, then Tank, Spy and Infantry. He usually rests in round 1.",
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
            ),
        ),
    ),
    HelpChapter(
        "The end",
        (HelpEntry(("F22",), "Hitler wins if nobody has caught him after 24 rounds."),),
    ),
)
"""By each rule that the game refuses by, one entry."""
