"""Buttons and a buzzer over gpiozero's mock."""

import threading
from dataclasses import replace
from typing import Any

import pytest

from boardware.console import Console, open_console
from boardware.description import Board
from boardware.errors import SettingError
from boardware.ports import MS, ConsoleEvent, ConsolePort, Pressed


def hold(factory: Any, copper: Any, *gpios: int) -> None:
    copper.grounded = {factory.pin(gpio).info.name for gpio in gpios}


def run(console: Console, start_ms: int, end_ms: int) -> list[ConsoleEvent]:
    return [event for now in range(start_ms * MS, end_ms * MS, MS) for event in console.step(now)]


def test_a_press_is_told_once_and_its_release_is_not(board: Board, factory: Any, wired: Any) -> None:
    copper = wired(board)
    console = open_console(board, pin_factory=factory, scan_ms=5, press_ms=10)
    port: ConsolePort = console
    assert run(console, 0, 20) == []
    hold(factory, copper, board.buttons["cancel"].gpio)
    assert run(console, 20, 300) == [Pressed(30 * MS, "cancel")]
    hold(factory, copper)
    assert run(console, 300, 400) == []
    assert port.quiet()


def test_bounces_at_press_and_release_make_one_press(board: Board, factory: Any, wired: Any) -> None:
    copper = wired(board)
    console = open_console(board, pin_factory=factory, scan_ms=1, press_ms=10, lockout_ms=40)
    gpio = board.buttons["confirm"].gpio
    told = []
    for now in range(200):
        down = (20 <= now < 120 and (now > 30 or now % 3 == 0)) or (120 <= now < 135 and now % 2 == 0)
        hold(factory, copper, *([gpio] if down else []))
        told += console.step(now * MS)
    assert [press.button for press in told] == ["confirm"]


def test_buttons_pressed_together_are_told_together(board: Board, factory: Any, wired: Any) -> None:
    copper = wired(board)
    console = open_console(board, pin_factory=factory)
    run(console, 0, 10)
    hold(factory, copper, *(button.gpio for button in board.buttons.values()))
    assert [press.button for press in run(console, 10, 200)] == ["confirm", "cancel", "turn"]


def test_a_button_held_down_at_the_start_is_no_press(board: Board, factory: Any, wired: Any) -> None:
    copper = wired(board)
    hold(factory, copper, board.buttons["turn"].gpio)
    console = open_console(board, pin_factory=factory)
    assert run(console, 0, 200) == []
    hold(factory, copper)
    run(console, 200, 400)
    hold(factory, copper, board.buttons["turn"].gpio)
    assert [press.button for press in run(console, 400, 600)] == ["turn"]


def test_no_thread_is_started(board: Board, factory: Any, wired: Any) -> None:
    wired(board)
    before = threading.active_count()
    console = open_console(board, pin_factory=factory)
    run(console, 0, 100)
    assert threading.active_count() == before


def test_a_board_without_buttons_has_a_console_that_is_always_quiet(board: Board) -> None:
    console = open_console(replace(board, buttons={}, buzzer=None))
    assert console.quiet()
    assert console.step(0) == ()
    assert console.quiet()
    assert console.due() > 1000 * MS
    console.close()


def test_closing_releases_the_pins_and_may_be_done_twice(board: Board, factory: Any, wired: Any) -> None:
    wired(board)
    console = open_console(board, pin_factory=factory)
    console.close()
    console.close()
    open_console(board, pin_factory=factory).close()


def test_a_wrong_setting_is_refused_by_name(board: Board) -> None:
    with pytest.raises(
        SettingError, match="console-gpio: unknown setting 'bounce_time', expected one of pins, "
    ):
        open_console(board, bounce_time=1)
