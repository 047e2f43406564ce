"""What the bench and a seat's screen offer beside dragging: keys, fumbles, faults, what is agreed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import WebSocketRoute

from web.served import Screen, play


def choose(screen: Screen, space: str) -> None:
    """Tap a space, so that the bench is about it."""
    bench = screen.page.get_by_text(f"Cause a mishap on {space}")
    if not bench.count():
        screen.page.mouse.click(*screen.square(space))
    bench.wait_for()


@pytest.fixture
def playing(playing: dict[str, Screen]) -> dict[str, Screen]:
    """Red has the bench before him."""
    playing["red"].open("More")
    return playing


def lit(screen: Screen, space: str, meaning: str, *, on: bool = True) -> None:
    """Wait until a space's lamp has a meaning, or has it no more."""
    screen.until(
        "([space, meaning, on]) => document.querySelector(`[data-space=${space}]`)"
        ".getAttribute('aria-label').includes(meaning) === on",
        space,
        meaning,
        on,
    )


def doubt(screen: Screen, space: str) -> None:
    """Open what a screen offers where a sensor is wrong; it stays open once it has been opened."""
    sensor = screen.page.locator("details", has_text=f"Is the sensor of {space} wrong?")
    sensor.wait_for()
    if sensor.get_attribute("open") is None:
        sensor.locator("summary").click()


def sure(screen: Screen, what: str) -> None:
    """Press a button, and say that it is meant."""
    screen.press(what)
    screen.page.locator("dialog").get_by_role("button", name=what).click()


@pytest.mark.nightly
def test_pieces_are_led_by_keys_lifted_or_slid(playing: dict[str, Screen]) -> None:
    red, blue = playing["red"], playing["blue"]
    for screen, space, take in ((red, "d3", "Enter"), (blue, "d6", "Shift+Enter")):
        screen.until_todo("Your turn")
        screen.page.focus(f'[data-space="{space}"]')
        screen.page.keyboard.press(take)
        screen.page.wait_for_selector(".piece.is-led")
        screen.page.keyboard.press("ArrowUp")
        screen.page.keyboard.press("Enter")
    blue.until_told("d3 to d4")
    red.until_told("d6 to d5")
    red.until_todo("Your turn")
    red.page.keyboard.press("Enter")
    red.page.wait_for_selector("rect.hint")
    assert red.page.locator("rect.hint").count() == 1, "a ring around the piece that may be attacked"
    lit(blue, "d4", "lifted", on=False)  # nobody else sees it before it is set down
    assert red.page.evaluate("document.activeElement.dataset.space") == "d4"
    red.page.keyboard.press("ArrowLeft")
    red.page.keyboard.press("Escape")
    red.page.wait_for_selector(".piece.led", state="detached")
    red.page.focus('[data-space="d4"]')
    for key in ("Enter", "ArrowUp", "Enter"):
        red.page.keyboard.press(key)
    blue.until_told("the General (9) beats the Spy")
    assert red.errors == blue.errors == []


@pytest.mark.nightly
def test_a_piece_that_was_let_go_is_taken_again_before_the_board_has_shown_that_it_stands(
    playing: dict[str, Screen],
) -> None:
    red, blue = playing["red"], playing["blue"]
    late: list[str | bytes] | None = None
    routes: list[WebSocketRoute] = []

    def slowly(page: WebSocketRoute) -> None:
        routes.append(page)
        board = page.connect_to_server()

        def came(frame: str | bytes) -> None:
            if late is None:
                page.send(frame)
            else:
                late.append(frame)

        board.on_message(came)

    red.page.route_web_socket(re.compile("/hands$"), slowly)
    red.page.reload()
    red.live()
    red.until_todo("Your turn")
    start, end = red.square("d3"), red.square("d4")
    red.drag(start, let_go=False)
    red.page.wait_for_selector(".piece.led.is-led")
    late = []
    red.lead(start, start)
    lit(blue, "d3", "lifted", on=False)
    assert red.page.locator(".piece.is-led").count() == 1, "nothing has told this screen that it stands"
    red.drag(start, let_go=False)
    lit(blue, "d3", "lifted")
    frames, late = late, None
    for frame in frames:
        routes[-1].send(frame)
    red.lead(start, end)
    blue.until_told("Red: d3 to d4.")
    red.until("() => !document.querySelector('.piece.is-led')")
    blue.drag(blue.square("d4"), let_go=False)
    red.page.wait_for_selector(".piece.is-led")
    red.drag(end, let_go=False)
    assert red.page.locator(".piece.led").count() == 0, "another's finger holds it"
    red.lead(end, end)
    blue.lead(blue.square("d4"), blue.square("d4"))
    blue.until_todo("Your turn")
    assert red.errors == blue.errors == []


@pytest.mark.nightly
def test_pieces_that_were_knocked_over_are_stood_up_again(playing: dict[str, Screen]) -> None:
    red, blue = playing["red"], playing["blue"]
    lying = "([count]) => document.querySelectorAll('.piece.is-lies').length === count"
    for count, space in enumerate(("g3", "h3", "g6"), 1):
        choose(red, space)
        red.press("Knock over / stand up")
        red.until(lying, count)
    for each in (red, blue):
        each.until_todo("Put these pieces on the board")
    for count, space in enumerate(("g3", "h3", "g6"), 1):
        choose(red, space)
        red.press("Knock over / stand up")
        red.until(lying, 3 - count)
        red.page.mouse.click(*red.square(space))  # else it would be carried to the next space tapped
    red.until_todo("The umpire asks")
    blue.until_todo("Waiting for an answer: Red.")
    red.press("Yes")
    red.until_todo("Your turn")
    play(playing, ["e3-e4"])


@pytest.mark.nightly
def test_a_dead_reed_is_played_by_hand_once_both_agree_and_believed_again(playing: dict[str, Screen]) -> None:
    red, blue = playing["red"], playing["blue"]
    choose(red, "e3")
    red.press("Reed is dead")
    red.page.get_by_text("e3: reed dead").wait_for()
    doubt(red, "e3")
    red.press("Play e3 by hand")
    blue.until_todo("Do you all agree?")
    blue.press("Yes")
    red.until_todo("Your turn")
    red.drag(red.square("e3"), let_go=False)
    red.page.wait_for_selector(".piece.led.is-led")
    red.lead(red.square("e3"), red.square("e4"))
    red.until_todo("The umpire asks")
    red.press("Yes")
    blue.until_told("Red: e3 to e4.")
    play(playing, ["e6-e5"], first=1)
    choose(red, "e3")
    red.press("Mend both")
    red.page.get_by_text("e3: reed dead").wait_for(state="detached")
    doubt(red, "e3")
    red.press("Use the sensor again")
    blue.until_todo("Do you all agree?")
    blue.press("Yes")
    red.until_todo("Your turn")
    assert red.errors == blue.errors == []


@pytest.mark.nightly
def test_a_piece_that_went_where_nothing_is_felt_is_said(playing: dict[str, Screen]) -> None:
    red, blue = playing["red"], playing["blue"]
    choose(red, "e4")
    red.press("Reed is dead")
    doubt(red, "e4")
    red.press("Play e4 by hand")
    blue.until_todo("Do you all agree?")
    blue.press("Yes")
    red.until_todo("Your turn")
    red.move("e3-e4")
    choose(red, "e3")
    doubt(red, "e3")
    red.press("e3–e4")
    blue.until_told("Red: e3 to e4.")
    blue.until_todo("Your turn")
    assert red.errors == blue.errors == []


@pytest.mark.nightly
def test_a_stuck_reed_and_a_cut_diode_are_told_and_mended(playing: dict[str, Screen]) -> None:
    red, blue = playing["red"], playing["blue"]
    choose(red, "e4")
    red.press("Reed sticks")
    red.page.get_by_text("Did a piece move here from e3? (e4)").first.wait_for()
    red.press("No")  # no reed can tell: that of e3 might stick as well
    for each in (red, blue):
        each.until_todo("Tidy up the board")
    red.press("Mend both")
    red.until_todo("Your turn")
    choose(red, "b3")
    red.press("Cut the diode")
    lit(blue, "b3", "lifted")
    red.press("Mend both")
    lit(blue, "b3", "lifted", on=False)
    red.until_todo("Your turn")
    play(playing, ["e3-e4"])


@pytest.mark.nightly
def test_moves_are_taken_back_draws_offered_and_games_resigned(playing: dict[str, Screen]) -> None:
    red, blue = playing["red"], playing["blue"]
    play(playing, ["d3-d4"])
    red.page.uncheck('[data-key="tidies"]')  # red does it
    sure(red, "Take back …")
    blue.until_todo("Your turn")
    sure(blue, "Let them take it back")
    red.until_todo("Tidy up the board")
    red.move("d4-d3")
    red.until_todo("Your turn")
    red.press("Hold confirm")
    blue.until_told("Red offered a draw")
    blue.press("Decline the draw")
    red.until_told("Blue declined the draw")
    sure(red, "Resign")
    for each in (red, blue):
        each.until_todo("Blue won by resignation")
    blue.press("Rematch")
    red.until_todo("Blue would like to start a new game")
    red.press("Yes")
    red.until_todo("Red, set up your army")
    blue.until_todo("Blue, set up your army")
    assert red.errors == blue.errors == []


@pytest.mark.nightly
def test_a_shorted_diode_is_felt_elsewhere_until_it_is_mended(playing: dict[str, Screen]) -> None:
    """Current that goes through g3 both ways hides the piece on g6 from its reed: nobody touched that one."""
    red, blue = playing["red"], playing["blue"]
    choose(red, "g3")
    red.press("Short the diode")
    red.page.get_by_text("g3: diode shorted").wait_for()
    for each in (red, blue):
        lit(each, "g6", "lifted")
    red.press("Mend both")
    red.page.get_by_text("g3: diode shorted").wait_for(state="detached")
    for each in (red, blue):
        lit(each, "g6", "lifted", on=False)
    play(playing, ["e3-e4"])
    assert red.errors == blue.errors == []


@pytest.mark.slow
def test_the_boards_buttons_ask_and_open_screens_answer(playing: dict[str, Screen]) -> None:
    red, blue = playing["red"], playing["blue"]
    play(playing, ["d3-d4"])
    asked = "Red asked to take the last move back"
    red.press("Hold turn")
    blue.until_told(asked)
    blue.press("Don't let them take it back")
    blue.until_told("Blue said no: the move stands")
    blue.until_todo("Your turn")
    red.press("Hold cancel")
    blue.until_told("Blue: really resign?")
    blue.press("No")
    blue.until_todo("Your turn")
    red.press("Turn")
    play(playing, ["e6-e5"], first=1)
    red.press("Hold cancel")
    blue.until_told("Red: really resign?")
    red.press("Yes")
    for each in (red, blue):
        each.until_todo("Blue won by resignation")
    assert red.errors == blue.errors == []
