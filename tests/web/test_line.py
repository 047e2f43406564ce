"""Screens that were away: nothing is lost and nothing is done twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from boardumpire.web.seat_links import SeatLinks
from daemon.service import Service
from web.served import DUEL, Screen, Served, play
from web.wire import Socket, sit_down


def history(screen: Screen) -> list[str]:
    lines: list[str] = screen.page.eval_on_selector_all(
        ".history li", "all => all.map((line) => line.textContent)"
    )
    return lines


@pytest.mark.slow
def test_reload_lost_network_two_tabs_and_a_power_cut_lose_nothing(
    playing: dict[str, Screen], served: Served, screen: Callable[..., Screen]
) -> None:
    red, blue = playing["red"], playing["blue"]
    second = Screen(red.context, None)
    second.page.goto(f"{served.origin}/seat/red")
    second.live()
    play(playing, ["d3-d4"])
    second.until_told("d3 to d4")
    red.page.reload()
    red.live()
    assert history(red)[-1] == "Red: d3 to d4."
    blue.context.set_offline(True)
    blue.page.wait_for_selector("#line.lost")
    red.press("Offer a draw")
    red.page.locator("dialog").get_by_role("button", name="Offer a draw").click()
    second.until_told("Red offered a draw")
    blue.context.set_offline(False)
    blue.live()
    blue.until_told("Red offered a draw")
    blue.press("Decline the draw")
    red.until_told("Blue declined the draw")
    blue.drag(blue.square("d6"), let_go=False)
    blue.page.wait_for_selector(".piece.led.is-led")
    red.open("More")
    red.page.get_by_text("The bench").scroll_into_view_if_needed()
    red.press("Cut the power")
    with red.page.expect_websocket(), blue.page.expect_websocket():  # the power is back soon
        red.press("Cut it")
    red.live()
    blue.live()
    blue.until_todo("Put these pieces on the board")
    blue.lead(blue.square("d6"), blue.square("d6"))
    play(playing, ["d6-d5"], first=1)
    for each in (red, blue):
        each.until_told("Blue: d6 to d5.")
        assert history(each)[-1] == "Blue: d6 to d5."
    play(playing, ["d4-d5"], first=2)
    for each in (red, blue, second):
        each.until_told("beats the Spy")
    assert history(second) == history(red)
    second.page.close()


@pytest.mark.slow
def test_what_is_tapped_without_a_network_is_refused_and_never_done(playing: dict[str, Screen]) -> None:
    red = playing["red"]
    red.context.set_offline(True)
    red.page.wait_for_selector("#line.lost")
    for space in ("d3", "d4", "e3", "e4"):
        red.tap(red.square(space))
    red.page.wait_for_selector("#toast >> text=nothing was done")
    red.press("Offer a draw")
    red.page.locator("dialog").get_by_role("button", name="Offer a draw").click()
    red.context.set_offline(False)
    red.live()
    play(playing, ["h3-h4"])
    playing["blue"].until_told("h3 to h4")
    assert history(red)[-1] == history(playing["blue"])[-1] == "Red: h3 to h4."


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    found = Service(tmp_path)
    port = 20000 + os.getpid() % 20000
    with found.config.open("a") as config:
        config.write(f'[page]\nlisten = "127.0.0.1:{port}"\n')
    yield found
    found.close()


@pytest.mark.slow
def test_a_daemon_killed_in_mid_move_goes_on_with_the_same_seats(service: Service) -> None:
    service.start()
    links = service.ask("links")["links"]
    origin = links["table"].partition("/link")[0]
    cookies = {seat: sit_down(origin, links[seat]) for seat in ("red", "blue")}
    for seat, army in DUEL.items():
        for word in army.split():
            service.do(service.hands.stand, seat, word.partition("=")[0])
        assert service.ask("say", seat=seat, text=f"setup {army}") == {"ok": True}
    service.until(
        lambda: any(told["kind"] == "turn" and told["to_act"] == ["red"] for told in service.messages)
    )
    before = Socket(origin, "/socket/red", cookie=cookies["red"])
    seen = before.hello()
    service.do(service.hands.lift, "d3")
    service.end(signal.SIGKILL)
    assert before.until_closed()[0] == 1006
    before.close()
    service.start()
    assert service.ask("links")["links"] == links
    after = Socket(origin, "/socket/red", cookie=cookies["red"])
    after.say(do="hello", epoch=seen["epoch"], n=seen["n"])
    snapshot = after.until("snapshot")
    assert snapshot["epoch"] != seen["epoch"]
    assert snapshot["view"] == seen["view"]
    assert [told["text"] for told in snapshot["told"]][:2] == [
        ["Red has finished setting up."],
        ["Blue has finished setting up.", "Both armies are set up. Red goes first."],
    ]
    after.close()
    assert SeatLinks.open(service.directory / "state" / "key" / "links.json", ["red", "blue"]).is_taken("red")
