"""A seat that is another device's now: what it hides leaves the old screen at once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from web.served import DUEL, Screen, Served
from web.wire import Socket, ask, sit_down

RANKS = ("Field Marshal", "Scout", "Bomb", "Flag", "Spy", "General")
SHOWN = "document.documentElement.outerHTML"
KEPT = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"


def renew(served: Served, seat: str = "red") -> None:
    """The owner gives the seat a new link: whoever sat there has to leave."""
    table = sit_down(served.origin, served.links["table"])
    order = json.dumps({"do": "links", "renew": seat, "pin": served.pin}).encode()
    assert ask(served.origin, "/table/do", "POST", order, Origin=served.origin, Cookie=table).status == 200


def secrets_on(screen: Screen) -> list[str]:
    """What of Red's army is still in the document or in what the device keeps."""
    shown, kept = screen.page.evaluate(SHOWN), screen.page.evaluate(KEPT)
    pieces = screen.page.locator("[data-piece]").count()
    return [
        *(rank for rank in RANKS if rank in shown),
        *([f"{pieces} pieces"] if pieces else []),
        *(word for word in DUEL["red"].split() if word in shown + kept),
    ]


def memory(screen: Screen) -> str:
    """All that the page's scripts hold, after what nobody holds is gone."""
    talk = screen.context.new_cdp_session(screen.page)
    parts: list[str] = []
    talk.on("HeapProfiler.addHeapSnapshotChunk", lambda part: parts.append(part["chunk"]))
    talk.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    talk.detach()
    return "".join(parts)


def gone(screen: Screen, word: str = "This seat is taken") -> None:
    """It was asked for anew, or, with another word, has only emptied itself."""
    screen.page.get_by_text(word).wait_for()
    assert secrets_on(screen) == []


@pytest.mark.slow
def test_a_screen_that_was_open_shows_nothing_any_more(served: Served, playing: dict[str, Screen]) -> None:
    red, blue = playing["red"], playing["blue"]
    assert len(secrets_on(red)) > 10, "until then the army is on show"
    assert "Red's Spy" in memory(red)
    renew(served)
    gone(red)
    assert "Red's Spy" not in memory(red), "nor do scripts hold it"
    assert blue.page.locator("[data-piece]").count() > 0
    assert red.page.evaluate("fetch('/seat/red').then(({ status }) => status)") == 403


@pytest.mark.slow
def test_it_needs_nobodys_answer_for_it(served: Served, playing: dict[str, Screen]) -> None:
    """The page is asked for anew; where nothing comes of that, everything is gone all the same."""
    red = playing["red"]
    red.page.route("**/seat/red", lambda route: route.fulfill(status=204))
    renew(served)
    gone(red, "This seat has a new link.")
    assert red.errors == []


@pytest.mark.nightly
def test_a_screen_that_was_away_learns_of_it_as_it_comes_back(
    served: Served, playing: dict[str, Screen]
) -> None:
    """A phone that slept was not told: its socket is refused, and a browser does not say why."""
    red = playing["red"]
    red.context.set_offline(True)
    red.page.wait_for_selector("#line.lost")
    renew(served)
    assert len(secrets_on(red)) > 10, "a phone without a line knows nothing of it"
    red.context.set_offline(False)
    gone(red)


@pytest.mark.nightly
def test_a_line_that_was_away_for_a_while_turns_nobody_out(playing: dict[str, Screen]) -> None:
    red = playing["red"]
    before = secrets_on(red)
    red.context.set_offline(True)
    red.page.wait_for_selector("#line.lost")
    red.context.set_offline(False)
    red.live()
    assert secrets_on(red) == before


@pytest.mark.slow
def test_hands_of_a_device_that_has_left_its_seat_move_nothing(served: Served) -> None:
    cookie = sit_down(served.origin, served.links["red"])
    hands = Socket(served.origin, "/hands", cookie=cookie)
    hands.send('{"do":"carry","piece":1,"space":"a1"}')
    hands.until_shown(lambda frame: [*_standing(frame)] == ["a1"])
    renew(served)
    hands.send('{"do":"carry","piece":1,"space":"a2"}')
    assert hands.until_closed() == (4403, "this device has left its seat")
    hands.close()
    table = Socket(served.origin, "/hands", cookie=sit_down(served.origin, served.links["table"]))
    assert [*_standing(table.until("world"))] == ["a1"]
    table.close()


def _standing(frame: dict[str, Any]) -> list[str]:
    return [piece["slot"] for piece in frame.get("pieces", ()) if piece["is"] == "stands"]
