"""What the people at the seats are called: names that they gave, beside the seats' own words.

A name is public. It is part of a game from its beginning: its journal has it, so that a restart and a replay
call everybody the same.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Mapping
from typing import Any, Final

from boardrules.core import Seat
from boardumpire.errors import BoardumpireError
from boardumpire.messages import announce
from boardumpire.messages.languages import LANGUAGES, catalogues_by_game

NAME_MAX_LENGTH: Final = 24
"""Characters of a name at most."""
NOTE_PREFIX: Final = "players"
"""How the entry of a journal begins that has a game's names."""
_JOINERS: Final = "\u200c\u200d"
"""Between letters of some scripts, and within emoji."""
_INVISIBLE_LETTERS: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs by their kind, with nothing to see."""
_ISOLATE_START, _ISOLATE_END = "\u2068", "\u2069"
"""Around a name that is read from right to left: what stands beside it keeps its order."""
_ISOLATE_REMOVALS: Final = dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069"))


def clean_name(given: str) -> str:
    """A name as it is shown, without what is around it and in one form; nothing if there is none.

    Raises `ValueError` for one that is too long, or that has what can't be seen.
    """
    text = " ".join(unicodedata.normalize("NFC", given.translate(_ISOLATE_REMOVALS)).split())
    kinds = [unicodedata.category(letter) for letter in text if letter not in _JOINERS]
    if (
        len(text) > NAME_MAX_LENGTH
        or any(kind in ("Cc", "Cf", "Cs", "Co", "Cn") for kind in kinds)
        or any(letter in _INVISIBLE_LETTERS for letter in text)
    ):
        raise ValueError(f"a name has at most {NAME_MAX_LENGTH} characters, all of which can be seen")
    if text and not any(kind[0] in "LNPS" for kind in kinds):
        raise ValueError("a name has at least one character that can be seen")
    aside = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)
    return f"{_ISOLATE_START}{text}{_ISOLATE_END}" if aside else text


def clean_names(given: Mapping[Seat, Any], seats: Collection[Seat], game: str) -> dict[Seat, str]:
    """The names of a game's seats; who gave none has none. Raises `BoardumpireError` naming the seat."""
    found: dict[Seat, str] = {}
    for seat, said in given.items():
        if seat not in seats:
            raise BoardumpireError(f"players: found {seat!r}; try one of {', '.join(seats)}")
        try:
            if not isinstance(said, str):
                raise ValueError
            called = clean_name(said)
        except ValueError:
            unfit = announce.Message("answer name", {"seat": seat, "n": NAME_MAX_LENGTH}, game)
            raise BoardumpireError(announce.to_sentence(unfit)) from None
        if called and _comparable_name(called) in _other_seat_names(seat, seats, game):
            raise BoardumpireError(
                announce.to_sentence(announce.Message("answer name-seat", {"seat": seat}, game))
            )
        if called:
            found[seat] = called
    return found


def _comparable_name(called: str) -> str:
    """A name up to a bracket, without what doesn't tell it from others: "Blue (Red)" as "blue"."""
    plain = unicodedata.normalize("NFKC", called).casefold()
    return " ".join(re.findall(r"\w+", re.split(r"[(\[{]", plain)[0]))


def _other_seat_names(seat: Seat, seats: Collection[Seat], game: str) -> set[str]:
    """What other seats are called, in each language: their names stand in brackets behind a player's."""
    others = [other for other in seats if other != seat]
    words = {
        announce.display_name("seat", other, game, catalogues_by_game(language))
        for other in others
        for language in LANGUAGES
    }
    return {_comparable_name(word) for word in (*others, *words)}


def to_note(players: Mapping[Seat, str]) -> str:
    """What the journal keeps of them."""
    return f"{NOTE_PREFIX} {json.dumps(dict(players))}"


def from_note(text: str) -> dict[Seat, str]:
    """What an entry of the journal has. Raises `ValueError` for one that isn't such."""
    found = json.loads(text.removeprefix(f"{NOTE_PREFIX} "))
    if not (isinstance(found, dict) and all(isinstance(called, str) for called in found.values())):
        raise ValueError("expected names by seats")
    return {seat: clean_name(called) for seat, called in found.items()}
