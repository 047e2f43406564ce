"""What a person has typed, opened, scrolled or focused stays so, whatever anybody else does meanwhile."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import boardrules
from boardrules.core import CHANCE, State
from boardumpire.ruling.proposals import SeatProposal
from boardware.description import load_board
from web.castle import CastleDesk, PositionDesk, played
from web.served import DESKTOP, PHONE, Screen
from web.test_frame import Toy

KEPT = """() => {
    const named = (one) => one.dataset.key ?? one.dataset.part ?? one.className;
    const all = (what) => [...document.querySelectorAll(`#side ${what}`)];
    const focus = document.activeElement;
    return {
        open: Object.fromEntries(all("details[data-part]").map((one) => [one.dataset.part, one.open])),
        entered: Object.fromEntries(all("textarea, select, input[data-key]").map(
            (one) => [named(one), one.type === "checkbox" ? one.checked : one.value])),
        scrolled: Object.fromEntries(all("ol, ul, textarea").filter(
            (one) => one.scrollTop && one.scrollTop + one.clientHeight < one.scrollHeight - 8).map(
            (one) => [named(one), one.scrollTop])),
        focus: [named(focus), focus.selectionStart ?? null, focus.selectionEnd ?? null],
    };
}"""
"""All that a person may have left somewhere in the panels."""
TURN_OVER = "for (const one of document.querySelectorAll('#side details[data-part]')) one.open = !one.open"


class Seated:
    """A page over positions, one seat's screen, and the others who act without one."""

    def __init__(self, desk: PositionDesk, screen: Callable[..., Screen], seat: str, **how: Any) -> None:
        self.desk = desk
        self.game = Toy(desk)
        self.seat = seat
        self.screen = screen(self.game.link(seat), **how)

    def acts(self, seat: str, text: str) -> None:
        """A seat says something, and the screen has heard of it."""
        heard = len(self.screen.frames)
        self.game.loop.call_soon_threadsafe(self.desk.submit_command, seat, text)
        self.screen.until_frame(lambda frames: any(frame["kind"] == "view" for frame in frames[heard:]))
        self.screen.page.wait_for_timeout(30)  # what is drawn a moment later

    def left(self) -> dict[str, Any]:
        found: dict[str, Any] = self.screen.page.evaluate(KEPT)
        return found

    def close(self) -> None:
        self.game.close()
        assert self.screen.errors == []


def both(before: dict[str, Any], after: dict[str, Any]) -> None:
    """What is there before and after is the same; nothing that was focused or scrolled is gone."""
    for kind in ("open", "entered"):
        common = before[kind].keys() & after[kind].keys()
        assert {key: before[kind][key] for key in common} == {key: after[kind][key] for key in common}
    assert before["scrolled"].items() <= after["scrolled"].items()
    assert before["focus"] == after["focus"]


def hunts() -> PositionDesk:
    state = boardrules.new("fall-of-the-fuhrer", {"players": 3})
    return PositionDesk(state, board=load_board("fall-of-the-fuhrer"))


@pytest.mark.slow
def test_notes_lose_no_letter_while_the_others_play(screen: Callable[..., Screen]) -> None:
    """Somebody writes in the middle of their notes; between the letters everybody else moves."""
    at = Seated(hunts(), screen, "infantry", **PHONE)
    try:
        page, draws = at.screen.page, random.Random(1)
        page.locator('[data-part="help"] summary').click()
        notes = page.locator('[data-key="notes"]')
        notes.fill("seen\n" * 9 + "in Kiel")
        notes.evaluate("one => { one.setSelectionRange(5, 5); one.scrollTop = 7; one.focus(); }")
        page.evaluate("window.notes = document.querySelector('[data-key=\"notes\"]')")
        acted = 0
        for letter in "never in Ulm":
            page.keyboard.type(letter)
            (seat,) = at.desk.state.seats_to_act()
            before = at.left()
            at.acts(seat, str(draws.choice(at.desk.state.legal_actions(seat))))
            acted += 1
            both(before, at.left())
        assert acted > 8
        assert notes.input_value() == "seen\n" + "never in Ulm" + "seen\n" * 8 + "in Kiel"
        assert page.evaluate("window.notes.isConnected"), (
            "it is the very same field: a word half spelled stays"
        )
    finally:
        at.close()


def choosing() -> State:
    """A position in which an officer has a list to choose from and may offer a trade."""
    for seed in range(8):
        for state, _ in played(seed, rounds=25):
            said = [str(each).split() for each in state.legal_actions("american")]
            aims = [each[1] for each in said if each[0] == "play"]
            if any(each[0] == "trade" for each in said) and any(aims.count(card) > 3 for card in aims):
                return state
    raise AssertionError("no such position")


@pytest.mark.nightly
def test_no_part_opens_or_closes_and_nothing_scrolls_while_the_others_play(
    screen: Callable[..., Screen],
) -> None:
    """Each part is turned over, the history read from further up; then forty things happen."""
    game = list(played(3, rounds=25))
    first = next(number for number, (state, _) in enumerate(game) if state.seats_to_act() != (CHANCE,))
    at = Seated(CastleDesk(game[first][0], seed=2), screen, "american", **DESKTOP)
    try:
        page, draws, acted = at.screen.page, random.Random(2), 0
        while acted < 60:
            (seat,) = at.desk.state.seats_to_act()
            legal = [each for each in at.desk.state.legal_actions(seat) if str(each) != "resign"]
            at.acts(seat, str(draws.choice(legal)))
            acted += 1
            if acted == 20:
                page.evaluate(TURN_OVER)
                page.evaluate("document.querySelector('[data-part=\"history\"]').open = true")
                page.evaluate("document.querySelector('ol.history').scrollTop = 40")
                page.evaluate("document.querySelector('[data-part=\"cards\"] summary').focus()")
                before = at.left()
                assert before["open"]["cards"]
                assert before["scrolled"] == {"history": 40}
            if acted >= 20:
                both(before, at.left())
    finally:
        at.close()


@pytest.mark.slow
def test_a_trade_half_put_together_and_a_list_keep_what_was_chosen(screen: Callable[..., Screen]) -> None:
    """Meanwhile somebody wants to sit down on another device, and the table declines."""
    state = choosing()
    at = Seated(CastleDesk(state), screen, "american", **PHONE)
    try:
        page = at.screen.page
        page.locator('[data-part="trade"] summary').click()
        field = page.locator('[data-key^="give "]:not(:disabled)').first
        field.fill("1")
        picked = page.locator('select[data-key^="aim "]').first
        last = picked.evaluate("list => (list.value = list.options[list.options.length - 1].value)")
        field.focus()
        before = at.left()
        for wish in (SeatProposal("", "sit-down british", frozenset({"american"})), None):
            at.desk.proposal = wish
            at.game.loop.call_soon_threadsafe(at.game.page.screen_hub.broadcast_status)
            at.screen.until(
                f"() => {'!' if wish is None else ''}document.querySelector('.todo [data-key=yes]')"
            )
            page.wait_for_timeout(30)
            both(before, at.left())
        assert (field.input_value(), picked.input_value()) == ("1", last)
        plays = f'.acts [data-key="play {last.split()[1]}"]'
        page.locator(plays).click()
        page.wait_for_selector(plays, state="detached")
        assert last in at.screen.said[-1], "what was chosen is what is played"
    finally:
        at.close()
