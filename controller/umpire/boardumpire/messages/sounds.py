"""The sounds of a board: what the buzzer and screens play, and what that means.

Who won a battle is heard, which ranks met is not: the idea is that of the electronic board of 1982, the tunes
are our own. A buzzer may know on and off only, so sounds differ by how many tones they have and which of them
are long. Drivers and Picos are told the tones and not what they mean.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from boardware.ports import Tone

C, D, E, F, G, A, HIGH_C = 523, 587, 659, 698, 784, 880, 1047
"""Pitches in Hz, equal temperament from a' = 440 Hz."""

_SHORT_MS, _LONG_MS = 80, 400
_GAP_MS, _REST_MS = 80, 200


class Sound(NamedTuple):
    """One sound."""

    tones: tuple[Tone, ...]
    meaning: str


def _short_tone(pitch: int) -> Tone:
    return Tone(pitch, _SHORT_MS, _GAP_MS)


def _long_tone(pitch: int, rest: int = _GAP_MS) -> Tone:
    return Tone(pitch, _LONG_MS, rest)


# The order is the order that people read.
SOUNDS: Final[dict[str, Sound]] = {
    "accepted": Sound((_short_tone(A),), "the umpire took it"),
    "attention": Sound((_short_tone(E), _short_tone(A)), "the umpire asks something"),
    "attack-waits": Sound((_short_tone(A), _long_tone(D)), "an attack waits for its owner's sign"),
    "refused": Sound((_long_tone(C // 2),), "this is not allowed"),
    "fault": Sound(
        (_long_tone(E // 2, _REST_MS), _long_tone(D // 2)),
        "something on the board is wrong: the lights say what",
    ),
    "attacker-stands": Sound((_short_tone(D), _short_tone(F), _long_tone(HIGH_C)), "the attacker won"),
    "defender-stands": Sound((_long_tone(F), _short_tone(D), _short_tone(G // 2)), "the defender won"),
    "both-fall": Sound(
        tuple(_short_tone(pitch) for pitch in (E, F, E, F, E, C)), "both pieces leave the board"
    ),
    "over": Sound((_long_tone(C, _REST_MS), _long_tone(G, _REST_MS), _long_tone(E)), "the game is over"),
}
"""By name; `announce.message_sound` says when each is played. `draw` and `won` would be played instead of
`over`."""


def describe_rhythm(sound: Sound) -> str:
    """What a person hears: `short short long`."""
    return " ".join("short" if tone.ms == _SHORT_MS else "long" for tone in sound.tones)
