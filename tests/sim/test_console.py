"""The console over the simulated copper, as timelines: presses, holds and sounds, with and without jumps."""

import pytest

from boardsim.bench.bench import PIN_LIBRARIES
from boardumpire.messages.sounds import SOUNDS
from boardware.ports import MS, ButtonHeld, ButtonPressed, tone_and_rest_ms
from boardwire.sounds import SOUND_PAUSE_MS
from sim.bench import listening

LOOK = 20 * MS
HOLD = 2000 * MS


# A Pico keeps its own time: its buttons and sounds are in tests/pico.
@pytest.fixture(params=[name for name in PIN_LIBRARIES if name != "pico-sim"])
def bench(request):
    bench = listening(driver=request.param, seed=3)
    yield bench
    bench.close()


def told(bench):
    """What the console told, by kind and button."""
    return [
        (type(event).__name__, event.button)
        for event in bench.table.events
        if isinstance(event, (ButtonPressed, ButtonHeld))
    ]


def times(bench):
    """When the console told it."""
    return [event.at for event in bench.table.events if isinstance(event, (ButtonPressed, ButtonHeld))]


def hold(bench, button, ms):
    bench.run_until(bench.hands.hold(button, ms * MS, bench.now))
    bench.wait(200 * MS)


def play(bench, name):
    bench.table.ports.console.sound(SOUNDS[name].tones, bench.now)


def edges(*sounds, start):
    """The edges that the table of sounds makes of these, one `SOUND_PAUSE_MS` after the other."""
    at, heard = start, []
    for name in sounds:
        for place, span in enumerate(tone_and_rest_ms(SOUNDS[name].tones)):
            heard.append((at, place % 2 == 0))
            at += span * MS
        heard.append((at, False))
        at += SOUND_PAUSE_MS * MS
    return heard


@pytest.mark.parametrize("ms", [60, 120, 500, 1900])
def test_a_short_press_is_pressed_alone(bench, ms):
    hold(bench, "confirm", ms)
    bench.wait(5 * HOLD)
    assert told(bench) == [("ButtonPressed", "confirm")]


@pytest.mark.parametrize("seed", range(6))
def test_a_long_press_is_held_once_after_two_seconds_and_no_press(seed):
    bench = listening(seed=seed)
    bench.wait(7 * MS + 123)
    hold(bench, "cancel", 9000)
    assert told(bench) == [("ButtonHeld", "cancel")]
    (held,) = times(bench)
    assert held % LOOK == 0
    bench.close()


def test_the_border_between_short_and_long_is_the_hold_after_the_press(bench):
    """A button let go by the very look at which it would be told held is not; one look more and it is."""
    bench.world.bounce = None
    bench.world.plan(1010 * MS, lambda at: bench.world.set_button("turn", True, at))
    bench.world.plan(3040 * MS, lambda at: bench.world.set_button("turn", False, at))
    bench.world.plan(5010 * MS, lambda at: bench.world.set_button("turn", True, at))
    bench.world.plan(7041 * MS, lambda at: bench.world.set_button("turn", False, at))
    bench.wait(9000 * MS)
    assert told(bench) == [("ButtonPressed", "turn"), ("ButtonHeld", "turn")]
    assert times(bench) == [3040 * MS, 7040 * MS]


def test_a_button_pressed_again_is_held_again(bench):
    for _ in range(2):
        hold(bench, "confirm", 2500)
    assert told(bench) == [("ButtonHeld", "confirm")] * 2


def test_two_buttons_are_held_each_for_itself(bench):
    bench.hands.hold("confirm", 2500 * MS, bench.now)
    bench.wait(500 * MS)
    hold(bench, "cancel", 2500)
    assert told(bench) == [("ButtonHeld", "confirm"), ("ButtonHeld", "cancel")]


def test_a_button_that_is_down_at_power_on_is_neither(bench):
    bench.kill()
    bench.hands.hold("confirm", 9000 * MS, bench.now)
    bench.wait(1000 * MS)
    bench.start()
    bench.wait(10_000 * MS)
    assert told(bench) == []


def test_a_held_button_costs_no_turns_in_virtual_time():
    bench = listening()
    turns = []
    step = bench.table.step
    bench.table.step = lambda now: turns.append(now) or step(now)
    hold(bench, "confirm", 60_000)
    assert len(turns) < 20
    bench.close()


@pytest.mark.parametrize("name", SOUNDS)
def test_a_sound_is_heard_as_the_table_writes_it(bench, name):
    bench.wait(33 * MS)
    play(bench, name)
    bench.wait(5000 * MS)
    assert bench.world.buzzer_tones == edges(name, start=40 * MS)
    assert not bench.world.copper.buzzing()


def test_a_sound_that_is_replaced_is_cut_at_once_and_the_new_one_follows_a_break_later(bench):
    play(bench, "refused")
    bench.wait(133 * MS)
    play(bench, "defender-stands")
    bench.wait(5000 * MS)
    first, *rest = bench.world.buzzer_tones
    assert first.is_on
    assert rest[0] == (133 * MS, False)
    assert rest[1:] == edges("defender-stands", start=(140 + SOUND_PAUSE_MS) * MS)


def test_a_sound_replaced_before_it_began_is_never_heard(bench):
    bench.wait(33 * MS)
    play(bench, "over")
    play(bench, "accepted")
    bench.wait(5000 * MS)
    assert bench.world.buzzer_tones == edges("accepted", start=40 * MS)


def test_a_sound_asked_for_when_another_has_just_ended_leaves_a_break(bench):
    bench.wait(33 * MS)
    play(bench, "accepted")
    bench.wait(100 * MS)
    play(bench, "attention")
    bench.wait(5000 * MS)
    assert bench.world.buzzer_tones == edges("accepted", "attention", start=40 * MS)


@pytest.mark.parametrize("jump", [True, False])
def test_a_sound_asked_for_at_the_moment_of_a_look_begins_at_the_next(jump):
    """Jumping may have left out the look of this moment, looking every period has not."""
    bench = listening(jump=jump)
    bench.wait(40 * MS)
    play(bench, "accepted")
    bench.wait(5000 * MS)
    assert bench.world.buzzer_tones == edges("accepted", start=60 * MS)
    bench.close()


def test_a_press_within_a_sound_is_told_and_the_sound_goes_on(bench):
    bench.wait(33 * MS)
    play(bench, "over")
    hold(bench, "confirm", 100)
    bench.wait(5000 * MS)
    assert told(bench) == [("ButtonPressed", "confirm")]
    assert bench.world.buzzer_tones == edges("over", start=40 * MS)


def test_a_power_cut_in_a_tone_is_silence_and_the_next_table_begins_silent(bench):
    bench.wait(33 * MS)
    play(bench, "refused")
    bench.wait(100 * MS)
    dead = bench.table  # held, lest its pins be released because nobody holds it
    bench.kill()
    bench.wait(1000 * MS)
    bench.start()
    bench.wait(1000 * MS)
    assert bench.world.buzzer_tones == [(40 * MS, True), (133 * MS, False)]
    assert dead is not bench.table


def test_closing_silences(bench):
    play(bench, "refused")
    bench.wait(100 * MS)
    assert bench.world.copper.buzzing()
    bench.table.ports.console.close()
    assert not bench.world.copper.buzzing()
    play(bench, "refused")


def test_a_board_without_a_buzzer_is_silent_and_costs_no_turns():
    bench = listening(board="classic-10x10")
    play(bench, "over")
    assert bench.table.ports.console.next_own_change() is None
    bench.wait(5000 * MS)
    assert bench.world.buzzer_tones == []
    with pytest.raises(KeyError):
        play(bench, "trumpet")
    bench.close()
