"""Sounds: a closed table of rhythms that a listener tells apart, and the timeline of what is played."""

import pytest

from boardwire.sounds import BREAK_MS, SOUNDS, Player, spans, words

LOOK_MS = 20
"""Between two looks of a console: tones begin and end at looks."""


def timeline(until_ms: int, plays: dict[int, str], player: Player | None = None) -> str:
    """What a buzzer does in each look of 20 ms: `~` a tone, `_` silence. `plays` is by the ms it begins."""
    player = player or Player()
    drawn = ""
    for now in range(0, until_ms, LOOK_MS):
        if now in plays:
            player.play(plays[now], now * 1000)
        player.step(now * 1000)
        drawn += "~" if player.on else "_"
    return drawn


def drawn(name: str) -> str:
    """A sound as the table writes it."""
    return "".join(("_" if place % 2 else "~") * (span // LOOK_MS) for place, span in enumerate(spans(name)))


@pytest.mark.parametrize("name", SOUNDS)
def test_a_sound_begins_and_ends_with_a_tone_and_fits_the_looks(name: str) -> None:
    assert len(spans(name)) % 2 == 1
    assert all(span % LOOK_MS == 0 and span >= 3 * LOOK_MS for span in spans(name))
    assert sum(spans(name)) <= 2000


def test_sounds_differ_in_how_many_tones_they_have_or_which_are_long() -> None:
    assert len({words(name) for name in SOUNDS}) == len(SOUNDS)
    assert words("attacker-stands") == "short short long"
    assert words("defender-stands") == "long short short"
    assert set(words("both-fall").split()) == {"short"}


def test_the_long_tones_are_much_longer_than_the_short_ones() -> None:
    tones = {
        (tone, word)
        for name in SOUNDS
        for tone, word in zip(spans(name)[::2], words(name).split(), strict=True)
    }
    shorts = [tone for tone, word in tones if word == "short"]
    longs = [tone for tone, word in tones if word == "long"]
    assert min(longs) >= 3 * max(shorts)


@pytest.mark.parametrize("name", SOUNDS)
def test_a_sound_is_played_as_the_table_writes_it(name: str) -> None:
    assert timeline(3000, {100: name}).strip("_") == drawn(name)


def test_the_newest_sound_cuts_the_one_that_plays_after_a_break() -> None:
    assert timeline(440, {20: "refused", 100: "attention"}) == "_~~~~_____~~~~____~~~~"


def test_a_sound_in_the_gap_of_another_replaces_it_after_a_break_from_its_last_tone() -> None:
    """The tone ended at 80, so the next begins at 180."""
    assert timeline(300, {0: "attention", 120: "accepted"}) == "~~~~_____~~~~__"


def test_a_sound_right_behind_another_leaves_a_break_too() -> None:
    player = Player()
    assert timeline(300, {0: "accepted", 80: "accepted"}, player) == "~~~~_____~~~~__"
    assert BREAK_MS == 100
    assert player.due() is None


def test_what_is_next_is_known() -> None:
    player = Player()
    assert player.due() is None
    player.play("attention", 1000)
    moments = []
    while (due := player.due()) is not None:
        moments.append(due)
        player.step(due)
    assert moments == [1000, 81_000, 161_000, 241_000]
    assert not player.on


def test_a_late_step_catches_up() -> None:
    player = Player()
    player.play("attention", 0)
    player.step(200_000)
    assert player.on
    player.step(9_000_000)
    assert not player.on


def test_a_name_that_is_none_is_refused() -> None:
    with pytest.raises(KeyError):
        Player().play("trumpet", 0)
