"""The rules of Escape from Colditz in a few words each, with what circles and cards mean.

Circles are told in the words of the page's legend, cards in their own.
"""

from __future__ import annotations

from typing import Final

from boardrules.colditz.deck.cards import cards_named
from boardrules.teaching import Chapter, Entry

_CIRCLES: Final = Chapter(
    "What the circles mean",
    (
        Entry(("R110",), "Door: you need a Key"),
        Entry(("R111",), "Inspection Point: you need a Pass"),
        Entry(("R112",), "Drop: you need a Rope, or two if it is marked 60"),
        Entry(("R113",), "Wire: you need a Wire Cutter"),
        Entry((), "Guard post: any man here may be arrested; guards come here from Barracks"),
        Entry(("A4",), "Safe circle: nobody can be arrested here"),
        Entry((), "Searchlight: men may not stay here"),
        Entry((), "Walkway: guards may not stay here"),
        Entry(("R140",), "Target: a man who reaches it with an Escape Kit has escaped"),
        Entry((), "Staff car: with its card, you drive out"),
        Entry((), "Tunnel: you open it with its card"),
        Entry((), "From the cells: where men who leave Solitary start"),
    ),
)
_TURN: Final = Chapter(
    "Your turn",
    (
        Entry(("R021",), "The Escape Officers play one after the other, and then the Security Officer."),
        Entry(("R022",), "Roll first. Then move, play cards and take Equipment in any order."),
        Entry(("R031",), "Your pawns share the points you rolled. Points that are left over are lost."),
        Entry(("R032",), "A step to the next circle costs one point, if a line leads there."),
        Entry(("R033",), "There is room for one pawn on a circle, and only an arrest brings two together."),
        Entry(("R045",), "A pawn that may not stay where it is has to go on before you do anything else."),
        Entry(("A23",), "In this game a pawn doesn't go back the way it came in the same turn."),
        Entry(("R005",), "Dice and cards come by chance. The umpire rolls and deals them."),
    ),
)
_GUARDS: Final = Chapter(
    "Guards and arrests",
    (
        Entry(
            ("R019",),
            "First guards are posted: one inside for each Escape Officer, two to seven outside.",
        ),
        Entry(("R041",), "A guard goes from Barracks to a guard post, and from a post to the Office."),
        Entry(("R044",), "Guards go down a drop or through the wire only where a marker lies, and outwards."),
        Entry(("R116",), "Guards enter a room only while a marker or a detected tunnel is in it."),
        Entry(("R117",), "A guard that has just come over a marker may take it away."),
        Entry(("R118",), "A guard that takes a marker in a room goes down there, or to the Office."),
        Entry(("R163",), "Nobody walks into the cells, Barracks or the Office."),
        Entry(
            ("R087",), "For an arrest outside the Inner Courtyard the officer gives up a card of Equipment."
        ),
        Entry(("R050",), "A man leaves Solitary by a card, or for a point if his officer rolls a double."),
        Entry(("R052",), "He starts on the free circle nearest the arrow."),
    ),
)
_APPEL: Final = Chapter(
    "Appel and General Search",
    (
        Entry(("R066",), "The Security Officer plays Appel before the dice are rolled."),
        Entry(("R018",), "Every man lines up on a circle of his own nation."),
        Entry(("R072",), "Each officer says which men stay away. They may be arrested anywhere this turn."),
        Entry(
            ("R073",),
            "If men stayed away, the Security Officer may search the castle instead of moving guards.",
        ),
    ),
)
_GEAR: Final = Chapter(
    "Equipment and Escape Kits",
    (
        Entry(("R091",), "Two of your men in rooms with the same symbol: you take that card."),
        Entry(("R092",), "Then both men go to free circles of the Appel area."),
        Entry(("R094",), "If the pile is empty, there is nothing to take."),
        Entry(("R093",), "In their turns, officers trade Equipment with each other, once a turn with each."),
        Entry(
            ("R102",), "One of your men in a room of each of the four Kit symbols: you put a Kit together."
        ),
        Entry(("R103",), "A card with parts of a Kit stands for men in two of these rooms."),
        Entry(("R100",), "You hold one Escape Kit at most, and nobody can take it from you."),
        Entry(("A13",), "Without an Escape Kit nobody enters a Target."),
        Entry(("R121",), "Back over a drop or the wire go only men whose own marker lies there."),
        Entry(("R130",), "A tunnel is open once its card is played. Two men have to go in that turn."),
        Entry(("R134",), "Guards go into a tunnel only once it is detected."),
    ),
)
_CARDS: Final = Chapter(
    "Playing cards",
    (
        Entry(("R065",), "You play your cards in your own turn. Some answer what somebody else does."),
        Entry(("R068",), "Before a card takes effect, the others are asked whether they answer it."),
        Entry(("R063",), "At the end of your turn you hold three cards at most. Discard what is more."),
        Entry(("R095",), "What rests on cards in a hand is told only to whoever holds them."),
        Entry(
            ("do_or_die",),
            "Do or Die: one man runs instead of your roll. If he doesn't reach a Target, you are out.",
        ),
        *(Entry((), card.text, card.title) for card in cards_named("castle").cards),
    ),
)
_END: Final = Chapter(
    "The end",
    (
        Entry(
            ("R026",), "A nation wins with two escapes, once the round is over. If none does, Security wins."
        ),
        Entry(("G18",), "Whoever leaves the game is skipped, and their men stay where they are."),
    ),
)

HELP: Final = (_TURN, _CIRCLES, _GUARDS, _APPEL, _GEAR, _CARDS, _END)
"""By each rule that the game refuses by, one entry."""
