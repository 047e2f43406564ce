"""Who is at the board's buttons is not locked out of the PIN by whoever guesses with the table's link."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from web.served import Served
from web.wire import Answer, Socket, ask, sit_down


def order(served: Served, cookie: str, pin: str, source: str) -> Answer:
    body = json.dumps({"do": "sound", "on": False, "pin": pin}).encode()
    return ask(served.origin, "/table/do", "POST", body, source, Origin=served.origin, Cookie=cookie)


def press(served: Served, cookie: str, button: str) -> None:
    """A finger on the board's own button."""
    hands = Socket(served.origin, "/hands", cookie=cookie)
    hands.until("world")
    hands.say(do="press", button=button)
    hands.close()


def press_until_it_counts(served: Served, cookie: str, button: str, screen: Socket) -> None:
    """What was asked less than a second ago takes no press: each one that came too soon is told."""

    def answered(frame: dict[str, Any]) -> bool:
        return frame.get("kind") == "board" and not frame["board"]["proposals"]

    tries = 0
    while True:
        press(served, cookie, button)
        tries += 1
        frame = screen.until_shown(
            lambda each, n=tries: answered(each) or sum("press-changed" in text for text in screen.raw) >= n
        )
        if answered(frame):
            return


@pytest.mark.slow
def test_confirm_at_the_board_lets_the_right_pin_through(tmp_path: Path) -> None:
    served = Served(tmp_path)
    cookie = sit_down(served.origin, served.links["table"])
    seat = sit_down(served.origin, served.links["red"])
    wrong = "000000" if served.pin != "000000" else "000001"
    for number in range(40):
        order(served, cookie, wrong, f"127.0.0.{2 + number}")
    told = order(served, cookie, served.pin, "127.0.0.1")
    assert (told.status, "Press confirm on the board" in told.text) == (403, True)
    red = Socket(served.origin, "/socket/red", cookie=seat)
    shown = red.hello()["board"]["proposal"]
    assert (shown["thing"], shown["asked"]) == ("try-pin", [])
    red.say(do="say", id="for him", text="yes")
    red.answered("for him")
    assert order(served, cookie, served.pin, "127.0.0.1").status == 403, "no phone says it for the board"
    press_until_it_counts(served, cookie, "confirm", red)
    assert order(served, cookie, wrong, "127.0.0.60").status == 403
    assert order(served, cookie, served.pin, "127.0.0.1").status == 200
    red.close()
    served.close()


@pytest.mark.slow
def test_cancel_at_the_board_keeps_whoever_guesses_out(tmp_path: Path) -> None:
    served = Served(tmp_path)
    cookie = sit_down(served.origin, served.links["table"])
    wrong = "000000" if served.pin != "000000" else "000001"
    for number in range(40):
        order(served, cookie, wrong, f"127.0.0.{2 + number}")
    table = Socket(served.origin, "/socket", cookie=cookie)
    assert table.hello()["board"]["proposal"]["thing"] == "try-pin"
    press_until_it_counts(served, cookie, "cancel", table)
    said = [order(served, cookie, wrong, f"127.0.1.{2 + number}").text for number in range(10)]
    assert not any("isn't the table's" in text for text in said)
    table.close()
    served.close()
