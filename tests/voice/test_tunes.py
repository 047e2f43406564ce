"""Sounds tell outcomes apart, by their rhythm and by their melody, on any buzzer and any phone."""

from __future__ import annotations

import pytest

from boardumpire.messages.sounds import SOUNDS, Sound, describe_rhythm
from boardware.ports import tone_and_rest_ms

LOOK_MS = 20
"""Between two looks of a console: tones begin and end at looks."""


@pytest.mark.parametrize("sound", SOUNDS.values(), ids=SOUNDS)
def test_a_sound_fits_the_looks_the_wire_and_a_phone(sound: Sound) -> None:
    assert all(span % LOOK_MS == 0 and 3 * LOOK_MS <= span <= 2550 for span in tone_and_rest_ms(sound.tones))
    assert sum(tone_and_rest_ms(sound.tones)) <= 2000
    assert all(200 <= tone.pitch_hz <= 2000 for tone in sound.tones)


def test_sounds_differ_in_how_many_tones_they_have_or_which_are_long() -> None:
    assert len({describe_rhythm(sound) for sound in SOUNDS.values()}) == len(SOUNDS)


def test_the_long_tones_are_much_longer_than_the_short_ones() -> None:
    tones = {
        (tone.ms, word)
        for sound in SOUNDS.values()
        for tone, word in zip(sound.tones, describe_rhythm(sound).split(), strict=True)
    }
    shorts = [ms for ms, word in tones if word == "short"]
    longs = [ms for ms, word in tones if word == "long"]
    assert min(longs) >= 3 * max(shorts)


def test_win_loss_and_tie_are_told_apart_by_melody_alone() -> None:
    """A victory of the attacker climbs, his defeat falls, a tie treads on the spot."""
    results = ("attacker-stands", "defender-stands", "both-fall")
    win, loss, tie = ([tone.pitch_hz for tone in SOUNDS[name].tones] for name in results)
    assert win == sorted(set(win))
    assert loss == sorted(set(loss), reverse=True)
    assert tie[:2] * 2 == tie[:4]
