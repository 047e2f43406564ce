"""The tunes that screens and tonal buzzers play: the rhythms of the buzzer, with a pitch for each tone.

Who won a battle is heard, which ranks met is not: the idea is that of the electronic board of 1982, the tunes
are our own. The attacker's victory climbs, his defeat falls, a tie treads on the spot.
"""

from __future__ import annotations

from collections.abc import Mapping

from boardwire import sounds

C, D, E, F, G, A, HIGH_C = 523, 587, 659, 698, 784, 880, 1047
"""Pitches in Hz, equal temperament from a' = 440 Hz."""

PITCHES: Mapping[str, tuple[int, ...]] = {
    "accepted": (A,),
    "attention": (E, A),
    "attack-waits": (A, D),
    "refused": (C // 2,),
    "fault": (E // 2, D // 2),
    "attacker-stands": (D, F, HIGH_C),
    "defender-stands": (F, D, G // 2),
    "both-fall": (E, F, E, F, E, C),
    "over": (C, G, E),
}
"""For each sound of the buzzer the pitches of its tones, in Hz."""

Tone = tuple[int, int, int]
"""A tone: its pitch in Hz, how long it sounds and the silence after it, in ms."""


def tune(name: str) -> list[Tone]:
    """The tones of a sound. Raises `KeyError` for a name that is none."""
    spans = (*sounds.spans(name), 0)
    return [(pitch, spans[2 * place], spans[2 * place + 1]) for place, pitch in enumerate(PITCHES[name])]
