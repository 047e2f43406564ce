"""The rules of Escape from Colditz in a few words each, with what circles and cards mean.

Circles are told in the words of the page's legend, cards in their own.
"""

from __future__ import annotations

from typing import Final

from boardrules.colditz.castle.actions import NATIONS, SECURITY
from boardrules.colditz.deck.cards import card_set_by_key
from boardrules.teaching import HelpChapter, HelpEntry

_GUARD: Final = (str(SECURITY),)
_MEN: Final = tuple(map(str, NATIONS))
_CIRCLES: Final = HelpChapter(
    "What the circles mean",
    (
        HelpEntry(("R110",), "Door: you need a Key"),
        HelpEntry(("R111",), "Inspection Point: you need a Pass"),
        HelpEntry(("R112",), "Drop: you need a Rope, or two if it is marked 60"),
        HelpEntry(("R113",), "Wire: you need a Wire Cutter"),
        HelpEntry((), "Guard post: any man here may be arrested; guards come here from Barracks"),
        HelpEntry(("A4",), "Safe circle: nobody can be arrested here"),
        HelpEntry((), "Searchlight: men may not stay here"),
        HelpEntry((), "Walkway: guards may not stay here"),
        HelpEntry(("R140",), "Target: a man who reaches it with an Escape Kit has escaped"),
        HelpEntry((), "Staff car: with its card, you drive out"),
        HelpEntry((), "Tunnel: you open it with its card"),
        HelpEntry((), "From the cells: where men who leave Solitary start"),
    ),
)
_TURN: Final = HelpChapter(
    "Your turn",
    (
        HelpEntry(("R021",), "The Escape Officers play one after the other, and then the Security Officer."),
        HelpEntry(("R022",), "Roll first. Then move, play cards and take Equipment in any order."),
        HelpEntry(("R031",), "Your pawns share the points you rolled. Points that are left over are lost."),
        HelpEntry(("R032",), "A step to the next circle costs one point, if a line leads there."),
        HelpEntry(
            ("R033",), "There is room for one pawn on a circle, and only an arrest brings two together."
        ),
        HelpEntry(
            ("R045",), "A pawn that may not stay where it is has to go on before you do anything else."
        ),
        HelpEntry(
            ("A23",), "A pawn may go back the way it came.", required_options={"doubling_back": ("allowed",)}
        ),
        HelpEntry(
            ("A23",),
            "In this game a pawn doesn't go back the way it came in the same turn.",
            required_options={"doubling_back": ("forbidden",)},
        ),
        HelpEntry(("R005",), "Dice and cards come by chance. The umpire rolls and deals them."),
    ),
)
_GUARDS: Final = HelpChapter(
    "Guards and arrests",
    (
        HelpEntry(
            ("R019",),
            "First guards are posted: one inside for each Escape Officer, two to seven outside.",
        ),
        HelpEntry(
            ("R041",),
            "A guard goes from Barracks to a guard post, and from a post to the Office.",
            explains=_GUARD,
        ),
        HelpEntry(
            ("R044",), "Guards go down a drop or through the wire only where a marker lies, and outwards."
        ),
        HelpEntry(("R116",), "Guards enter a room only while a marker or a detected tunnel is in it."),
        HelpEntry(("R117",), "A guard that has just come over a marker may take it away."),
        HelpEntry(("R118",), "A guard that takes a marker in a room goes down there, or to the Office."),
        HelpEntry(("R163",), "Nobody walks into the cells, Barracks or the Office."),
        HelpEntry(("R080",), "A guard that comes onto a man's circle arrests him.", explains=_GUARD),
        HelpEntry(
            ("R081", "R082", "R084"),
            "In the Inner Courtyard he may be arrested only if his officer holds Equipment; elsewhere, and "
            "on every post, always. He is never arrested on a safe circle, in the Appel area, or in a tunnel "
            "that isn't detected.",
            explains=_MEN,
        ),
        HelpEntry(("R088",), "A man who walks onto a guard's circle is arrested, too.", explains=_MEN),
        HelpEntry(
            ("R087",), "For an arrest outside the Inner Courtyard the officer gives up a card of Equipment."
        ),
        HelpEntry(
            ("R050",), "A man leaves Solitary by a card, or for a point if his officer rolls a double."
        ),
        HelpEntry(("R052",), "He starts on the free circle nearest the arrow."),
    ),
)
_APPEL: Final = HelpChapter(
    "Appel and General Search",
    (
        HelpEntry(("R066",), "The Security Officer plays Appel before the dice are rolled."),
        HelpEntry(("R018",), "Every man lines up on a circle of his own nation."),
        HelpEntry(
            ("R072",), "Each officer says which men stay away. They may be arrested anywhere this turn."
        ),
        HelpEntry(
            ("R073",),
            "If men stayed away, the Security Officer may search the castle instead of moving guards.",
        ),
        HelpEntry(
            ("R074",),
            "A General Search arrests every man who is no more circles from a guard than the roll shows. "
            "Then the turn ends.",
        ),
        HelpEntry(
            ("R075", "R076", "R077"),
            "It spares men Outside, in tunnels, in Solitary and on safe circles.",
        ),
    ),
)
_EQUIPMENT: Final = HelpChapter(
    "Equipment and Escape Kits",
    (
        HelpEntry(("R091",), "Two of your men in rooms with the same symbol: you take that card."),
        HelpEntry(("R092",), "Then both men go to free circles of the Appel area."),
        HelpEntry(("R094",), "If the pile is empty, there is nothing to take."),
        HelpEntry(
            ("R093",), "In their turns, officers trade Equipment with each other, once a turn with each."
        ),
        HelpEntry(
            ("R102",), "One of your men in a room of each of the four Kit symbols: you put a Kit together."
        ),
        HelpEntry(("R103",), "A card with parts of a Kit stands for men in two of these rooms."),
        HelpEntry(("R100",), "You hold one Escape Kit at most, and nobody can take it from you."),
        HelpEntry(("A13",), "Without an Escape Kit nobody enters a Target.", explains=_MEN),
        HelpEntry(
            ("R121",), "Only men with a marker of their own there may go back over a drop or the wire."
        ),
        HelpEntry(("R130",), "A tunnel is open once its card is played. Two men have to go in that turn."),
        HelpEntry(
            ("R135",),
            "A tunnel falls in at the end of any player's turn in which fewer than two men are in it.",
        ),
        HelpEntry(
            ("R142", "R143"),
            "An escape uses up the Escape Kit. In one turn it serves two men of a nation.",
        ),
        HelpEntry(("R134",), "Guards go into a tunnel only once it is detected."),
    ),
)
_CARDS: Final = HelpChapter(
    "Playing cards",
    (
        HelpEntry(("R065",), "You play your cards in your own turn. Some answer what somebody else does."),
        HelpEntry(("R068",), "Before a card takes effect, the others are asked whether they answer it."),
        HelpEntry(("R063",), "At the end of your turn you hold three cards at most. Discard what is more."),
        HelpEntry(("R095",), "Whatever depends on the cards in your hand is shown only to you."),
        HelpEntry(
            ("do_or_die",),
            "Do or Die: one man runs instead of your roll. If he doesn't reach a Target, you are out.",
            required_options={"do_or_die": ("classic",)},
        ),
        *(HelpEntry((), card.text, card.title) for card in card_set_by_key("castle").cards),
    ),
)
_END: Final = HelpChapter(
    "The end",
    (
        HelpEntry(
            ("R026",),
            "A nation wins with two escapes, once the round is over. Several may win together. If none does, "
            "Security wins.",
            required_options={"common_target": ("off",)},
        ),
        HelpEntry(
            ("R026",),
            "All officers win together with {n} escapes, once the round is over. If they don't, "
            "Security wins.",
            excluded_options={"common_target": ("off",)},
        ),
        HelpEntry(("G18",), "Whoever leaves the game is skipped, and their men stay where they are."),
    ),
)

_DIFFERENCES: Final = HelpChapter(
    "Unlike the printed rules",
    (
        HelpEntry((), "The printed rules advise 50 rounds for beginners, and 40 or fewer for experts."),
        HelpEntry((), "By the printed rules officers trade as often as they like."),
        HelpEntry(
            (), "The printed rules set no limit for answers.", excluded_options={"answer_seconds": (0,)}
        ),
    ),
)

HELP: Final = (_TURN, _CIRCLES, _GUARDS, _APPEL, _EQUIPMENT, _CARDS, _END, _DIFFERENCES)
"""By each rule that the game refuses by, one entry."""
