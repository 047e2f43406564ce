"""Buttons and a buzzer over gpiozero's mock."""

import threading
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from boardware.console import Console, open_console
from boardware.description import BoardDescription
from boardware.errors import DriverError, SettingError
from boardware.ports import MS, ButtonHeld, ButtonPressed, ConsoleEvent, ConsolePort, Tone, tone_and_rest_ms

SHORT = [Tone(880, 80)]
TWICE = [Tone(659, 80, 80), Tone(880, 80)]
LONG = [Tone(523, 400, 200), Tone(784, 400, 200), Tone(659, 400)]


def hold(factory: Any, copper: Any, *gpios: int) -> None:
    copper.grounded = {factory.pin(gpio).info.name for gpio in gpios}


def run(console: Console, start_ms: int, end_ms: int) -> list[ConsoleEvent]:
    return [event for now in range(start_ms * MS, end_ms * MS, MS) for event in console.step(now)]


def test_a_press_is_told_once_when_the_button_is_let_go(
    board: BoardDescription, factory: Any, wired: Any
) -> None:
    copper = wired(board)
    console = open_console(board, pin_factory=factory, scan_ms=5, press_ms=10)
    port: ConsolePort = console
    assert run(console, 0, 20) == []
    hold(factory, copper, board.buttons["cancel"].gpio)
    assert run(console, 20, 300) == []
    hold(factory, copper)
    assert run(console, 300, 400) == [ButtonPressed(300 * MS, "cancel", 270 * MS)]
    assert port.is_quiet()


def test_bounces_at_press_and_release_make_one_press(
    board: BoardDescription, factory: Any, wired: Any
) -> None:
    copper = wired(board)
    console = open_console(board, pin_factory=factory, scan_ms=1, press_ms=10, lockout_ms=40)
    gpio = board.buttons["confirm"].gpio
    told = []
    for now in range(200):
        down = (20 <= now < 120 and (now > 30 or now % 3 == 0)) or (120 <= now < 135 and now % 2 == 0)
        hold(factory, copper, *([gpio] if down else []))
        told += console.step(now * MS)
    assert [press.button for press in told] == ["confirm"]


def test_a_button_that_closes_again_within_the_lockout_is_one_press(
    board: BoardDescription, factory: Any, wired: Any
) -> None:
    copper = wired(board)
    console = open_console(board, pin_factory=factory, scan_ms=1, press_ms=10, lockout_ms=40)
    gpio = board.buttons["confirm"].gpio
    told = []
    for now in range(200):
        down = 20 <= now < 120 or 125 <= now < 140  # longer than a press has to last
        hold(factory, copper, *([gpio] if down else []))
        told += console.step(now * MS)
    assert [press.button for press in told] == ["confirm"]


def test_buttons_pressed_together_are_told_together(
    board: BoardDescription, factory: Any, wired: Any
) -> None:
    copper = wired(board)
    console = open_console(board, pin_factory=factory)
    run(console, 0, 10)
    hold(factory, copper, *(button.gpio for button in board.buttons.values()))
    assert run(console, 10, 200) == []
    hold(factory, copper)
    assert [press.button for press in run(console, 200, 300)] == ["confirm", "cancel", "turn"]


def test_a_button_held_down_at_the_start_is_no_press(
    board: BoardDescription, factory: Any, wired: Any
) -> None:
    copper = wired(board)
    hold(factory, copper, board.buttons["turn"].gpio)
    console = open_console(board, pin_factory=factory)
    assert run(console, 0, 200) == []
    hold(factory, copper)
    assert run(console, 200, 400) == []
    hold(factory, copper, board.buttons["turn"].gpio)
    run(console, 400, 600)
    hold(factory, copper)
    assert [press.button for press in run(console, 600, 700)] == ["turn"]


def test_no_thread_is_started(board: BoardDescription, factory: Any, wired: Any) -> None:
    wired(board)
    before = threading.active_count()
    console = open_console(board, pin_factory=factory)
    console.sound(LONG, 0)
    run(console, 0, 500)
    assert threading.active_count() == before


def test_a_button_held_is_told_once_after_the_time_that_is_set(
    board: BoardDescription, factory: Any, wired: Any
) -> None:
    copper = wired(board)
    console = open_console(board, pin_factory=factory, scan_ms=5, press_ms=10, hold_ms=600)
    run(console, 0, 20)
    hold(factory, copper, board.buttons["cancel"].gpio)
    assert run(console, 20, 5000) == [ButtonHeld(630 * MS, "cancel", 600 * MS)]
    hold(factory, copper)
    assert run(console, 5000, 6000) == [], "its release is no press"
    hold(factory, copper, board.buttons["cancel"].gpio)
    assert run(console, 6000, 6500) == []
    hold(factory, copper)
    assert [type(event) for event in run(console, 6500, 6600)] == [ButtonPressed]


def test_what_it_wants_is_the_look_at_which_a_hold_is_told(
    board: BoardDescription, factory: Any, wired: Any
) -> None:
    copper = wired(board)
    console = open_console(board, pin_factory=factory, scan_ms=15, hold_ms=200)
    run(console, 0, 20)
    assert console.next_own_change() is None
    hold(factory, copper, board.buttons["turn"].gpio)
    assert run(console, 20, 150) == []
    assert console.is_quiet()
    assert console.next_own_change() == 270 * MS  # the first look, of those every 15 ms, at or after 260
    assert [event.at for event in run(console, 150, 900)] == [270 * MS]
    assert console.next_own_change() is None


@pytest.mark.parametrize("tones", [SHORT, TWICE, LONG])
@pytest.mark.parametrize("late", [0, 3], ids=["in time", "late"])
def test_a_sound_has_the_rhythm_it_is_told_even_if_looks_come_late(
    board: BoardDescription, factory: Any, wired: Any, tones: list[Tone], late: int
) -> None:
    """Each look comes 0 to 3 ms after its moment; a tone is at most that much longer or shorter."""
    wired(board)
    console = open_console(board, pin_factory=factory)
    pin = factory.pin(board.buzzer.gpio if board.buzzer else 0)
    console.step(0)
    console.sound(tones, 1700)
    edges = []
    for number, moment in enumerate(range(20 * MS, 3000 * MS, 20 * MS)):
        now = moment + number * 7 % 4 * late * 1000 // 3
        was = pin.state
        console.step(now)
        if pin.state != was:
            edges.append(moment // MS)
    assert [after - before for before, after in pairwise(edges)] == tone_and_rest_ms(tones)
    assert edges[0] == 20
    assert not pin.state


def test_what_it_wants_while_it_plays_is_the_next_edge(
    board: BoardDescription, factory: Any, wired: Any
) -> None:
    wired(board)
    console = open_console(board, pin_factory=factory)
    console.step(0)
    assert console.next_own_change() is None
    console.sound(TWICE, 5 * MS)
    moments = []
    while (moment := console.next_own_change()) is not None:
        moments.append(moment // MS)
        assert moment >= console.due()
        console.step(moment)
    assert moments == [20, 100, 180, 260]


def test_a_board_with_a_buzzer_alone_is_quiet_and_plays(
    board: BoardDescription, factory: Any, wired: Any
) -> None:
    wired(board)
    console = open_console(replace(board, buttons={}), pin_factory=factory)
    assert console.step(0) == ()
    assert console.is_quiet()
    console.sound(SHORT, 0)
    assert console.next_own_change() == 20 * MS
    console.step(20 * MS)
    assert factory.pin(15).state
    console.close()
    assert factory.pin(15).function == "input"
    console.sound(SHORT, 40 * MS)


def test_a_board_without_buttons_has_a_console_that_is_always_quiet(board: BoardDescription) -> None:
    console = open_console(replace(board, buttons={}, buzzer=None))
    assert console.is_quiet()
    assert console.step(0) == ()
    assert console.is_quiet()
    assert console.due() > 1000 * MS
    console.close()


def test_closing_releases_the_pins_and_may_be_done_twice(
    board: BoardDescription, factory: Any, wired: Any
) -> None:
    wired(board)
    console = open_console(board, pin_factory=factory)
    console.close()
    console.close()
    open_console(board, pin_factory=factory).close()


def test_a_wrong_setting_is_refused_by_name(board: BoardDescription) -> None:
    with pytest.raises(SettingError, match="console-gpio: unknown setting 'bounce_time'; try one of pins, "):
        open_console(board, bounce_time=1)


def test_a_pin_that_is_taken_is_named(board: BoardDescription, factory: Any, wired: Any) -> None:
    wired(board)
    console = open_console(board, pin_factory=factory)
    with pytest.raises(DriverError, match="console-gpio: GPIO15 can't be had"):
        open_console(replace(board, buttons={}), pin_factory=factory)
    console.close()


@pytest.mark.parametrize("tones", [SHORT, TWICE, LONG])
def test_a_tonal_buzzer_plays_the_pitches_of_the_tune_in_its_rhythm(
    board: BoardDescription, tones: list[Tone]
) -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    console = open_console(replace(board, buttons={}), pin_factory=factory, tonal=True)
    pin = factory.pin(15)
    heard: list[tuple[int, float | None]] = []
    console.step(0)
    console.sound(tones, 0)
    for now in range(0, 4000 * MS, 20 * MS):
        console.step(now)
        if not heard or heard[-1][1] != pin.frequency:
            heard.append((now // MS, pin.frequency))
        assert (pin.frequency is None) == (pin.state == 0)
    edges = [at for at, _ in heard]
    assert [after - before for before, after in pairwise(edges[1:])] == tone_and_rest_ms(tones)
    pitches = [round(hz) for _, hz in heard if hz is not None]
    assert pitches == [tone.pitch_hz for tone in tones]
    console.close()
    factory.reset()


def test_a_tune_that_is_cut_gives_way_to_the_next_from_its_first_tone(board: BoardDescription) -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    console = open_console(replace(board, buttons={}), pin_factory=factory, tonal=True)
    pin = factory.pin(15)
    console.step(0)
    console.sound(LONG, 0)
    console.step(20 * MS)
    console.sound(TWICE, 30 * MS)
    assert pin.frequency is None
    heard = []
    for now in range(40 * MS, 2000 * MS, 20 * MS):
        console.step(now)
        if pin.frequency is not None and round(pin.frequency) not in heard:
            heard.append(round(pin.frequency))
    assert heard == [tone.pitch_hz for tone in TWICE]
    console.close()
    factory.reset()


def test_tonal_is_true_or_false(board: BoardDescription) -> None:
    with pytest.raises(SettingError, match="tonal is 'yes'; try true or false"):
        open_console(board, tonal="yes")
