"""A first game for either side: the Allies catch Hitler in their first round; he gets away from a flag."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardrules.core import Seat
from boardrules.fuhrer.actions import HITLER
from boardrules.fuhrer.ends import ALLIES
from boardrules.teaching import Lesson, LessonStep

_FALLBACK_PATTERNS: Final = ("stay", "roll", "done", "go *", "no", "*")
_STAYING_ACTIONS: Final = ("stay", "done", "stay")
"""Spy and Infantry stay, and nobody asks."""
_ALLIED_LESSON: Final = Lesson(
    "Hitler hides in a city. Find him with Tank, Spy and Infantry: five moves show you how.",
    (
        LessonStep(
            "Your Tank liberates the city where it stays. Let it stay in {at}.",
            ("stay",),
            "A flag goes up: Hitler can't pass through that city any more.",
            spaces={"at": "berlin"},
        ),
        LessonStep(
            "Now your Spy. The die says how far it may go; this time let it stay in {at}.",
            ("stay",),
            "The Spy asks after its move, moved or not.",
            spaces={"at": "kassel"},
        ),
        LessonStep(
            "It may ask about its own city and those next to it. Touch {at} on the map, then ask.",
            ("ask erfurt",),
            "The answer is always true, and everyone hears it.",
            spaces={"at": "erfurt"},
        ),
        LessonStep(
            "You have a second question. Ask about {at}.",
            ("ask frankfurt",),
            "Now you know where he is.",
            spaces={"at": "frankfurt"},
        ),
        LessonStep(
            "Only Infantry can catch him, by going to his city: touch {from}, then {to}.",
            ("koblenz-frankfurt",),
            "Infantry has ended its turn in his city: you have caught him!",
            spaces={"from": "koblenz", "to": "frankfurt"},
        ),
    ),
    "In a whole game Hitler moves every round, and his token shows where he was two rounds ago.",
    opening=(
        (ALLIES, "tank berlin"),
        (ALLIES, "spy kassel"),
        (ALLIES, "infantry koblenz"),
        (HITLER, "hide frankfurt"),
    ),
    fallback_patterns=_FALLBACK_PATTERNS,
    chance_choices=(1, 2),
)
_HITLER_LESSON: Final = Lesson(
    "Nobody sees where you are. Don't get caught for 24 rounds. Five moves show you how.",
    (
        LessonStep(
            "The Allies are on the map. Choose where you start: touch {at}, then the button.",
            ("hide innsbruck",),
            "Only this screen shows where you are.",
            spaces={"at": "innsbruck"},
        ),
        LessonStep(
            "Each round you go along up to three roads, or stay. Touch {at}, then the button.",
            ("go salzburg",),
            "The others hear that you have moved, but not where to.",
            spaces={"at": "salzburg"},
        ),
        LessonStep(
            "Your token shows where you were two rounds ago. The Tank in {at} can't catch you: go there.",
            ("go munich",),
            "You are safe with the Tank. But look: it stays, and the city is liberated.",
            spaces={"at": "munich"},
        ),
        LessonStep(
            "The flag holds you in {at}. Recapture the city.",
            ("recapture",),
            "Everyone hears it, and the flag is taken down. Next round you can leave.",
            spaces={"at": "munich"},
        ),
        LessonStep(
            "Now they know where you are. Walk to {at} and fly on: touch {to}, and choose one ticket.",
            ("go bonn ticket",),
            "You are far away. Everyone hears that you flew, but not where you landed.",
            spaces={"at": "innsbruck", "to": "bonn"},
        ),
    ),
    "You have one ticket left. Stay away from Infantry: only Infantry can catch you.",
    opening=((ALLIES, "tank munich"), (ALLIES, "spy berlin"), (ALLIES, "infantry hamburg")),
    # The Tank steps out and back in, stays in the third round, which liberates the city, and leaves again.
    scripted_actions={
        ALLIES: (
            *("roll", "munich-augsburg", *_STAYING_ACTIONS),
            *("roll", "augsburg-munich", *_STAYING_ACTIONS),
            *("stay", *_STAYING_ACTIONS),
            *("roll", "munich-augsburg", *_STAYING_ACTIONS),
        )
    },
    fallback_patterns=_FALLBACK_PATTERNS,
)

LESSONS: Final[Mapping[Seat, Lesson]] = {HITLER: _HITLER_LESSON, ALLIES: _ALLIED_LESSON}
