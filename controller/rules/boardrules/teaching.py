"""What a game teaches: its rules in a few words each, and a first game that leads by the hand.

All texts are sentences in English, which catalogues translate. `{name}` in one stands for what people call
the space that `spaces` gives by that name.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from boardrules.core import Seat


class HelpEntry(NamedTuple):
    """One thing to know, and the rules that it tells: a refusal by one of them leads here."""

    rules: tuple[str, ...]
    """Ids as in the page of the game in `docs/play/rules`."""
    text: str
    name: str = ""
    """What it is about: a piece, a card, a circle."""
    piece: tuple[Seat, str] | None = None
    """The piece that is drawn beside it: whose, and its print."""
    required_options: Mapping[str, tuple[Any, ...]] = {}
    """By option the values with which it holds; in `text`, `{n}` stands for the value of the first one."""
    excluded_options: Mapping[str, tuple[Any, ...]] = {}
    """By option the values with which it doesn't hold."""
    explains: tuple[str, ...] = ()
    """What else it explains to who touches it: prints of pieces, signs of theirs (`moved`), whose pieces."""

    def applies_to(self, options: Mapping[str, Any]) -> bool:
        """Whether it is a rule of a game with these options."""
        return all(options.get(name) in values for name, values in self.required_options.items()) and not any(
            options.get(name) in values for name, values in self.excluded_options.items()
        )


class HelpChapter(NamedTuple):
    """Entries under a title."""

    title: str
    entries: tuple[HelpEntry, ...]


class LessonStep(NamedTuple):
    """One thing that somebody who learns is asked to do."""

    ask: str
    does: tuple[str, ...]
    """Patterns of the texts of actions: any of them will do. `*` stands for anything."""
    then: str
    """What is said once it is done."""
    first: tuple[str, ...] = ()
    """Patterns of what has to be done before, such as a throw."""
    spaces: Mapping[str, str] = {}
    times: int = 1
    """How often it has to be done."""


class Lesson(NamedTuple):
    """A first game of one seat, on a board of its own; whoever is not there is played as it says here."""

    goal: str
    """What it is all about, before the first step."""
    steps: tuple[LessonStep, ...]
    end: str
    options: Mapping[str, object] = {}
    initial_spaces: Mapping[Seat, tuple[str, ...]] = {}
    """By seat where its pieces stand before the first action of the opening."""
    opening: tuple[tuple[Seat, str], ...] = ()
    """What all seats do before the first step, in this order."""
    scripted_actions: Mapping[Seat, tuple[str, ...]] = {}
    """By seat what it does in its turns, one after the other, as far as that is legal ..."""
    fallback_patterns: tuple[str, ...] = ("*",)
    """... and patterns of what it does then: the first that fits anything legal."""
    chance_choices: tuple[int, ...] = ()
    """Which of what may come by chance comes, by its number in the list, time after time; later it is left to
    the dice."""


def matches_any(text: str, patterns: tuple[str, ...]) -> bool:
    """Whether the text of an action is as one of the patterns."""
    return any(fnmatchcase(text, pattern) for pattern in patterns)
