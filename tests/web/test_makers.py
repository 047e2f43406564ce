"""The makers' screen: doctor, calibration and traces on the page; only for devices with the table's link."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from boardumpire.service.fault_log import FaultLog
from web.served import Screen, Served
from web.wire import PATIENCE_S, Answer, Socket, ask, sit_down

PACE_S = 0.3
"""How often the screen itself asks (`SOON` in makers.js): who asks faster is refused before long."""


class Maker:
    """A device with the table's link that asks without a browser."""

    def __init__(self, served: Served) -> None:
        self.origin = served.origin
        self.cookie = sit_down(served.origin, served.links["table"])

    def get(self, path: str) -> Answer:
        return ask(self.origin, path, Cookie=self.cookie)

    def do(self, **wanted: Any) -> Answer:
        body = json.dumps(wanted).encode()
        return ask(self.origin, "/makers/do", "POST", body, Cookie=self.cookie, Origin=self.origin)

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.get("/makers/state.json").text)
        return found

    def until(self, fits: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Ask for the state until it fits."""
        end = time.monotonic() + PATIENCE_S
        while not fits(state := self.state()):
            assert time.monotonic() < end, state
            time.sleep(PACE_S)
        return state


@pytest.fixture
def maker(served: Served) -> Maker:
    return Maker(served)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "path", ["/makers", "/makers/state.json", "/makers/do", "/makers/faults.txt", "/makers/traces/x-1.svg"]
)
def test_a_device_without_the_tables_link_is_refused(served: Served, path: str) -> None:
    """A seat's link is not enough: who sits at one side must not take the board from the other."""
    method = "POST" if path.endswith("do") else "GET"
    seat = sit_down(served.origin, served.links["red"])
    body = b"{}" if method == "POST" else None
    for cookie in ("", seat):
        answer = ask(served.origin, path, method, body, Cookie=cookie, Origin=served.origin)
        assert (answer.status, "table's link" in answer.text) == (403, True)


@pytest.mark.slow
def test_what_the_workshop_does_not_do_is_refused_with_a_word(maker: Maker) -> None:
    assert maker.do(do="dance").status == 400
    assert maker.do(do="start", what="surgery").text.startswith("no examination 'surgery'; try one of doctor")
    assert maker.do(do="replay", name="../key.trace").text == "no trace '../key.trace'\n"
    assert maker.get("/makers/traces/none-1.svg").status == 404
    assert maker.do(do="start", what="calibrate").status == 200
    for wanted in ({"do": "start", "what": "doctor"}, {"do": "record", "on": True}):
        assert (maker.do(**wanted).status, "examined" in maker.do(**wanted).text) == (409, True)
    assert json.loads(maker.do(do="stop").text)["running"] is None


@pytest.mark.slow
def test_the_doctor_finds_a_reed_that_sticks_and_the_game_goes_on(maker: Maker) -> None:
    hands = Socket(maker.origin, "/hands", cookie=maker.cookie)
    hands.say(do="reed", space="d6", **{"is": "stuck"})
    assert json.loads(maker.do(do="start", what="doctor-no-hands").text)["running"] == "doctor-no-hands"
    state = maker.until(lambda state: state["report"])
    assert state["running"] is None
    assert [line.partition(":")[0] for line in state["report"]["lines"]] == ["reed d6"]
    assert any("calculated, not measured" in line for line in state["report"]["power"])
    table = Socket(maker.origin, "/socket", cookie=maker.cookie)
    assert table.hello()["view"]["to_act"] == ["red", "blue"]
    table.close()
    hands.close()


@pytest.mark.slow
def test_a_mistake_to_practise_on_is_found(tmp_path: Path) -> None:
    """A simulated board with a maker's mistake; the end says what was built in."""
    served = Served(tmp_path, "--mistake", "pulled-up")
    try:
        maker = Maker(served)
        maker.do(do="start", what="doctor-no-hands")
        report = maker.until(lambda state: state["report"])["report"]
        assert "3.3 V" in " ".join(report["lines"])
        served.process.send_signal(signal.SIGTERM)
        assert served.process.stdout is not None
        assert "Built in: pulled-up columns reeds" in served.process.stdout.read()
    finally:
        served.close()


@pytest.mark.slow
def test_the_calibration_leads_a_piece_by_the_lamps_of_the_board(maker: Maker) -> None:
    """Hands on the page carry a piece to where a lamp blinks; the next lamp follows once it is sensed."""
    hands = Socket(maker.origin, "/hands", cookie=maker.cookie)
    piece = hands.until("world")["pieces"][0]["id"]
    state = json.loads(maker.do(do="start", what="calibrate").text)
    maker.do(do="answer", yes=False, asked=state["ask"]["number"] + 7)
    assert maker.state()["ask"]["number"] == state["ask"]["number"], (
        "an answer to another question says nothing"
    )
    maker.do(do="answer", yes=True, asked=state["ask"]["number"])
    for space in ("a1", "b1", "c1"):
        maker.until(lambda state, here=space: state["ask"]["marks"] == {here: "put"})
        hands.say(do="carry", piece=piece, space=space)
    state = maker.until(lambda state: state["ask"]["marks"] == {"d1": "put"})
    assert state["ask"]["power"].startswith("76 of at most 1500 mA"), "66 dark lamps and half a blue one"
    assert json.loads(maker.do(do="stop").text)["running"] is None
    hands.close()


@pytest.mark.nightly
def test_a_measurement_calls_squares_by_name_and_leaves_a_trace(maker: Maker) -> None:
    """Nobody puts a piece down: nothing is measured, and what was done is a trace that replays."""
    state = json.loads(maker.do(do="start", what="measure").text)
    assert "Have 3 pieces ready" in state["ask"]["text"]
    seen = set()
    while state["running"]:
        ask = state["ask"]
        if ask["kind"] == "answer":
            seen |= set(ask["marks"])
            maker.do(do="answer", yes=True, asked=ask["number"])
        now = ask["number"]
        state = maker.until(lambda state, old=now: not state["running"] or state["ask"]["number"] > old)
    assert seen == {"d4", "a1", "h1", "a8", "h8"}
    assert state["report"]["title"] == "Nothing was measured"
    assert state["report"]["lines"][0] == "d4: nothing is felt of piece 1 on the middle"
    (name,) = state["traces"]
    assert name == "quick-battle-8x8-pico-measure-1.trace"
    assert json.loads(maker.do(do="replay", name=name).text)["said"].endswith("moments, the same rulings")


@pytest.mark.slow
def test_a_trace_is_recorded_replayed_and_drawn(maker: Maker, served: Served) -> None:
    assert json.loads(maker.do(do="record", on=True).text)["tracing"]
    hands = Socket(served.origin, "/hands", cookie=maker.cookie)
    hands.say(do="carry", piece=hands.until("world")["pieces"][0]["id"], space="c2")
    path = served.state / "makers" / maker.state()["traces"][0]
    end = time.monotonic() + PATIENCE_S
    while "placed c2" not in path.read_text():
        assert time.monotonic() < end, path.read_text()
    hands.close()
    maker.do(do="record", on=False)
    name = path.name
    assert path.stat().st_mode & 0o777 == 0o600
    assert json.loads(maker.do(do="replay", name=name).text)["said"].endswith("the same rulings")
    drawn = maker.get(f"/makers/traces/{name.removesuffix('.trace')}.svg?from=0&to=1")
    assert (drawn.status, drawn.headers["content-type"]) == (200, "image/svg+xml")
    assert drawn.text.startswith("<svg ")
    assert maker.get(f"/makers/traces/{name.removesuffix('.trace')}.svg?from=soon").status == 400
    assert maker.get(f"/makers/traces/{name.removesuffix('.trace')}.svg?to=inf").status == 400


@pytest.mark.nightly
def test_a_person_is_led_on_the_screen(served: Served, screen: Callable[..., Screen]) -> None:
    """The text, the lamps and the answers; afterwards the table is there again."""
    maker = screen(served.links["table"])
    maker.open("More")
    maker.page.click("text=For makers")
    maker.page.click("text=Learn the wiring")
    maker.press("Begin")
    maker.until_todo("Take every piece off the board")
    maker.press("Yes")
    maker.until_todo("Put the piece where the lamp blinks blue")
    maker.press("Stop")
    maker.until_todo("Is something wrong with the board?")
    maker.page.click("text=Record a trace")
    maker.until("() => document.querySelector('.traces')?.textContent.includes('End quick-battle')")
    maker.page.click(".traces >> text=Show")
    maker.until("() => document.querySelector('.picture img')?.naturalWidth > 100")
    maker.page.click("nav >> text=The table")
    maker.live()
    assert maker.errors == []


@pytest.mark.slow
def test_what_went_wrong_lately_can_be_read(served: Served, screen: Callable[..., Screen]) -> None:
    faults = FaultLog(served.state, lambda: 0.0)
    faults.append_line(f"{served.state}/journal.sqlite: the disk is full")
    page = screen(served.links["table"]).page
    page.goto(f"{served.origin}/makers")
    page.get_by_text("What went wrong lately").click()
    expect(page.locator(".faults pre")).to_have_text(
        "1970-01-01T00:00:00Z journal.sqlite: the disk is full\n"
    )
