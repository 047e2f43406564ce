"""A first game for either side with two players: an officer takes a Key, and a guard makes an arrest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardrules.colditz.castle.actions import NATIONS, SECURITY
from boardrules.core import Seat
from boardrules.teaching import Lesson, LessonStep

_OPTIONS: Final = {"players": 2, "nations": ("american",)}
_DEALT_CARD_CHOICES: Final = (3, 13)
"""The card that each is dealt at first, by its number among those there are."""
_THROW_OF_TEN: Final = 17
_THROW_OF_ELEVEN: Final = 19
"""Among the throws of two dice: 4 and 6, 5 and 6. Neither earns a card."""
_FALLBACK_PATTERNS: Final = ("pass", "decline", "ready", "roll", "skip", "end", "*")

_OFFICER_LESSON: Final = Lesson(
    "Bring two men out of the castle. For that you need Equipment: five moves show you how to get some.",
    (
        LessonStep(
            "Roll the dice. Your men share the points.",
            ("roll",),
            "A step to the next circle costs one point.",
        ),
        LessonStep(
            "Two rooms have the symbol of a Key. Bring a man into the first: touch {from}, then {to}.",
            ("a8-dentist?",),
            "No guard may follow him into the room.",
            spaces={"from": "a8", "to": "dentist4"},
        ),
        LessonStep(
            "Bring a second man into the other room: touch {from}, then {to}.",
            ("a22-showers?",),
            "Two men in rooms with the same symbol: you get that card.",
            spaces={"from": "a22", "to": "showers2"},
        ),
        LessonStep(
            "Take the card: choose the Key.",
            ("claim key",),
            "A Key lets one man through a Door.",
        ),
        LessonStep(
            "Both men go back to the Appel area. Touch each of them, then a free circle with a ring there.",
            ("dentist?-a*", "showers?-a*"),
            "There they are safe: nobody is arrested in the Appel area.",
            times=2,
        ),
    ),
    "Now end your turn. With Rope, Keys, Passes and an Escape Kit your men get out.",
    options=_OPTIONS,
    opening=tuple((SECURITY, text) for text in ("barracks-c3", "barracks-n4", "barracks-n14", "ready")),
    fallback_patterns=_FALLBACK_PATTERNS,
    chance_choices=(*_DEALT_CARD_CHOICES, _THROW_OF_ELEVEN),
)
_SECURITY_LESSON: Final = Lesson(
    "Nobody may get out. Five moves show you how your guards stop them.",
    (
        LessonStep(
            "Your guards wait in Barracks. Post one inside: touch {from}, then {to}.",
            ("barracks-c3",),
            "One guard inside for each Escape Officer: that is the least.",
            spaces={"from": "barracks", "to": "c3"},
        ),
        LessonStep(
            "Outside you need two or more. Touch {from}, then a post with a ring: twice.",
            tuple(f"barracks-{side}*" for side in "nwse"),
            "That is enough to begin.",
            spaces={"from": "barracks"},
            times=2,
        ),
        LessonStep(
            "Your guards are posted. Now press the marked button.",
            ("ready",),
            "The American officer plays first. Watch where the man goes.",
        ),
        LessonStep(
            "A man has gone to the guard post {at}. Roll the dice.",
            ("roll",),
            "On a guard post you may always arrest a man.",
            spaces={"at": "c16"},
        ),
        LessonStep(
            "Arrest him: touch {from}, then {to}. A guard comes out there.",
            ("barracks-c16", "c3-c16"),
            "He goes to Solitary, and your guard to the Commander's Office.",
            spaces={"from": "barracks", "to": "c16"},
        ),
    ),
    "In the Inner Courtyard you may arrest men only if their officer holds Equipment.",
    options=_OPTIONS,
    scripted_actions={NATIONS[0]: ("roll", "a11-c16", "end")},
    fallback_patterns=_FALLBACK_PATTERNS,
    chance_choices=(*_DEALT_CARD_CHOICES, _THROW_OF_ELEVEN, _THROW_OF_TEN),
)

LESSONS: Final[Mapping[Seat, Lesson]] = {SECURITY: _SECURITY_LESSON, NATIONS[0]: _OFFICER_LESSON}
