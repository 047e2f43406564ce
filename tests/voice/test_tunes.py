"""Tunes have the rhythm of the buzzer, a pitch for each tone, and tell outcomes apart."""

from __future__ import annotations

import pytest

from boardware.tunes import PITCHES, tune
from boardwire import sounds


def test_every_sound_of_the_buzzer_has_a_tune() -> None:
    assert set(PITCHES) == set(sounds.SOUNDS)


@pytest.mark.parametrize("name", sounds.SOUNDS)
def test_a_tune_has_the_rhythm_of_its_sound_and_pitches_that_a_phone_can_play(name: str) -> None:
    tones = tune(name)
    rhythm = [span for _, sounds_for, silence in tones for span in (sounds_for, silence)]
    assert tuple(rhythm) == (*sounds.spans(name), 0)
    assert len(tones) == len(PITCHES[name])
    assert all(200 <= hz <= 2000 for hz, _, _ in tones)


def test_win_loss_and_tie_are_told_apart_by_melody_alone() -> None:
    """A victory of the attacker climbs, his defeat falls, a tie treads on the spot."""
    win, loss, tie = (PITCHES[name] for name in ("attacker-stands", "defender-stands", "both-fall"))
    assert list(win) == sorted(set(win))
    assert list(loss) == sorted(set(loss), reverse=True)
    assert tie[:2] * 2 == tie[:4]


def test_an_unknown_sound_is_an_error() -> None:
    with pytest.raises(KeyError):
        tune("fanfare")
