"""What is played, as a timeline: the newest sound cuts, with a break."""

from boardwire.sounds import SOUND_PAUSE_MS, SoundPlayer

LOOK_MS = 20
"""Between two looks of a console: tones begin and end at looks."""
SHORT, TWICE, LONG = (80,), (80, 80, 80), (400,)


def timeline(until_ms: int, plays: dict[int, tuple[int, ...]], player: SoundPlayer | None = None) -> str:
    """What a buzzer does in each look of 20 ms: `~` a tone, `_` silence. `plays` is by the ms it begins."""
    player = player or SoundPlayer()
    drawn = ""
    for now in range(0, until_ms, LOOK_MS):
        if now in plays:
            player.play(plays[now], now * 1000)
        player.step(now * 1000)
        drawn += "~" if player.on else "_"
    return drawn


def test_tones_and_silences_are_as_long_as_they_are_told() -> None:
    drawn = timeline(1000, {100: (80, 40, 400, 200, 60)})
    assert drawn == "_____~~~~__" + 20 * "~" + 10 * "_" + "~~~______"


def test_the_newest_sound_cuts_the_one_that_plays_after_a_break() -> None:
    assert timeline(440, {20: LONG, 100: TWICE}) == "_~~~~_____~~~~____~~~~"


def test_a_sound_in_the_gap_of_another_replaces_it_after_a_break_from_its_last_tone() -> None:
    """The tone ended at 80, so the next begins at 180."""
    assert timeline(300, {0: TWICE, 120: SHORT}) == "~~~~_____~~~~__"


def test_a_sound_right_behind_another_leaves_a_break_too() -> None:
    player = SoundPlayer()
    assert timeline(300, {0: SHORT, 80: SHORT}, player) == "~~~~_____~~~~__"
    assert SOUND_PAUSE_MS == 100
    assert player.due() is None


def test_what_is_next_is_known() -> None:
    player = SoundPlayer()
    assert player.due() is None
    player.play(TWICE, 1000)
    moments = []
    while (due := player.due()) is not None:
        moments.append(due)
        player.step(due)
    assert moments == [1000, 81_000, 161_000, 241_000]
    assert not player.on


def test_a_late_step_catches_up() -> None:
    player = SoundPlayer()
    player.play(TWICE, 0)
    player.step(200_000)
    assert player.on
    player.step(9_000_000)
    assert not player.on
