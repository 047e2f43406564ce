"""Rooms full of boards: each tells a broker what its schema says, and a hall shows no more than that."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser
from starlette.responses import JSONResponse

import boardrules
from boardumpire.messages.players import clean_name
from boardumpire.web.hall import topics
from boardumpire.web.hall.board_list import BOARDS_MAX, MESSAGES_KEPT_MAX, TEXT_MAX_CHARS, BoardList
from boardumpire.web.hall.discovery import ENTITIES, discovery_messages
from daemon.service import Service
from daemon.test_daemon import set_up
from daemon.test_waits import free_port
from rules.test_schema import wrong
from table.twins import begun, setups, shared_play
from web.photographs import photographed
from web.test_mqtt import HALL, Broker, Hall, _hall, broker

__all__ = ["broker"]
SCHEMA = Path(__file__).parents[2] / "docs" / "build" / "hall.schema.json"


def test_the_schema_in_the_documents_is_that_of_the_program() -> None:
    """`python -m boardumpire.web.hall.topics > docs/build/hall.schema.json` writes it anew."""
    assert json.loads(SCHEMA.read_text()) == json.loads(json.dumps(topics.schema()))


@pytest.fixture(scope="module")
def played() -> Hall:
    """A game by hands, with all that it told a broker."""
    setup, _ = setups(7)
    moves = shared_play(begun(setup), begun(setup), 7, turns=8)
    return _hall(setup, moves, 7, "ranks")


def test_all_that_is_published_is_what_the_schema_says(played: Hall) -> None:
    properties = topics.schema()["properties"]
    seen = set()
    for out in played.outs["live"]:
        _, name, kind = out.topic.split("/")
        seen.add(kind)
        assert name == HALL
        assert list(wrong(json.loads(out.payload), properties[kind])) == []
    assert seen == {"state", "told"}
    state = json.loads(played.outs["live"][-1].payload)
    game = boardrules.package(state["view"]["game"]).schema()
    assert list(wrong(state["view"], game)) == []


def test_messages_are_numbered_without_a_gap_and_the_state_repeats_the_latest(played: Hall) -> None:
    outs = played.outs["live"]
    told = [json.loads(out.payload) for out in outs if out.topic.endswith("/told")]
    assert [each["number"] for each in told] == list(range(1, len(told) + 1))
    states = [json.loads(out.payload) for out in outs if out.topic.endswith("/state")]
    assert states[-1]["told"] == told[-topics.MESSAGES_IN_STATE :]
    assert max(len(out.payload) for out in outs) < 20_000


def test_home_assistant_is_told_of_what_is_published_and_of_nothing_else(played: Hall) -> None:
    """Its templates are rendered by its own engine, over what a game told."""
    found = discovery_messages("homeassistant", HALL, f"boardumpire/{HALL}", "1.2.3")
    assert len({topic for topic, _ in found}) == len(ENTITIES)
    state = next(
        json.loads(out.payload) for out in reversed(played.outs["live"]) if out.topic.endswith("/state")
    )
    rendered = {}
    for topic, payload in found:
        prefix, component, node, id_, last = topic.split("/")
        assert (prefix, node, last) == ("homeassistant", f"boardumpire-{HALL}", "config")
        assert re.fullmatch(r"[a-zA-Z0-9_-]+", id_), "what Home Assistant takes"
        config = json.loads(payload)
        assert config["unique_id"] == f"boardumpire-{HALL}-{id_}"
        assert config["state_topic"] in {f"boardumpire/{HALL}/{kind}" for kind in ("online", "state")}
        assert config["device"]["identifiers"] == [f"boardumpire-{HALL}"]
        assert component in ("sensor", "binary_sensor")
        if "value_template" in config:
            engine = jinja2.Environment(undefined=jinja2.StrictUndefined)
            template = engine.from_string(config["value_template"])
            rendered[id_] = template.render(value_json=state)
            before = template.render(value_json={"table": False, "told": []})
            assert before in ("", "off", "none")
    assert rendered["game"] == "stratego-quick-duel"
    assert rendered["to-move"] in ("red", "blue")
    assert rendered["tidy"] in ("on", "off")
    assert 0 < len(rendered["said"]) <= 250


@pytest.mark.parametrize("announce", ["ranks", "silent"])
def test_twin_games_tell_a_broker_the_same_bytes_at_the_same_moments(announce: str) -> None:
    """Topic, size, retained or not, and the moment of each, with its order: none follows hidden ranks."""
    first, second = setups(21)
    options = {"announce": announce}
    moves = shared_play(begun(first, options), begun(second, options), 21, turns=8)
    one, two = (_Timed.played(setup, moves, announce) for setup in (first, second))
    for name in ("live", "late"):
        assert one.times[name]
        assert one.times[name] == two.times[name]


class _Timed(Hall):
    """Notes when each message was there to be published."""

    @classmethod
    def played(cls, setup: dict[str, str], moves: list[tuple[str, str, str]], announce: str) -> _Timed:
        game = cls(setup, 21, {"announce": announce})
        for _, origin, target in moves:
            game.carry(origin, target)
        game.bench.close()
        return game

    def _turned(self, now: int) -> None:
        if not hasattr(self, "times"):
            self.times: dict[str, list[tuple[int, str, int, bool]]] = {"live": [], "late": []}
        super()._turned(now)
        for name, noted in self.times.items():
            for out in self.outs[name][len(noted) :]:
                noted.append((now, out.topic, len(out.payload), out.retain))


def told(number: int, run: str = "a", **more: Any) -> bytes:
    return json.dumps(
        {"run": run, "number": number, "kind": "ruling", "t": 1, "text": f"n{number}", **more}
    ).encode()


def state(run: str = "a", **more: Any) -> bytes:
    found = {"format": topics.FORMAT, "version": 1, "run": run, "table": True, "told": [], **more}
    return json.dumps(found).encode()


def shown(boards: BoardList, name: str = "b1") -> dict[str, Any]:
    return next(board.to_json() for board in boards if board.name == name)


def test_what_was_missed_is_counted_until_the_state_repeats_it() -> None:
    boards = BoardList()
    for number in (1, 2, 2, 6):
        boards.apply_payload("boardumpire/b1/told", told(number))
    assert shown(boards)["missed"] == 3
    repeated = [json.loads(told(number)) for number in (4, 5, 6)]
    boards.apply_payload("boardumpire/b1/state", state(told=repeated))
    found = shown(boards)
    assert (found["missed"], found["said"]) == (1, ["n6", "n4", "n5"])
    boards.apply_payload("boardumpire/b1/told", told(1, run="b"))
    assert shown(boards)["missed"] == 1, "the board was started anew: its numbers begin anew"
    boards.apply_payload("boardumpire/b1/told", told(7 + MESSAGES_KEPT_MAX))
    assert shown(boards)["missed"] == 1 + MESSAGES_KEPT_MAX


def test_a_board_that_is_taken_out_of_the_broker_leaves_the_hall() -> None:
    boards = BoardList()
    boards.apply_payload("boardumpire/b1/online", b"true")
    boards.apply_payload("boardumpire/b2/online", b"true")
    revision = boards.revision
    assert boards.apply_payload("boardumpire/b1/state", b"")
    found = boards.changes_since(revision)
    assert (found["names"], found["boards"]) == (["b2"], [])


HALF, OVERRIDE, HIDDEN = "\\ud800", "\\u202e", "\\u0007"


@pytest.mark.parametrize("bad", [HALF, OVERRIDE, HIDDEN, "\\u2068", "\\u2069x\\u2068", "\\udfff\\ud800"])
def test_one_message_stops_no_other_board(bad: str) -> None:
    """Half a character can't be sent to a browser, and a retained message was a 500 for everybody."""
    boards = BoardList()
    boards.apply_payload("boardumpire/good/state", state(seats=["red"]))
    text = f"a{bad}b"
    named = json.loads(f'"{text}"')
    board = {"text": [named], "waits": named, "clocks": {"left_ms": {named: 5, "huge": 10**4000}}}
    parts = {"seats": [named], "players": {named: named}, "view": {"game": named, "to_act": [named]}}
    assert boards.apply_payload("boardumpire/bad/state", state(run=named, board=board, **parts))
    assert boards.apply_payload("boardumpire/bad/told", told(1, run=named, text=named))
    answer = json.loads(JSONResponse({**boards.changes_since(0)}).body)
    found = {each["name"]: each for each in answer["boards"]}
    assert found["good"]["seats"] == ["red"]
    assert found["bad"]["seats"] == found["bad"]["said"]
    assert "\ufffd" in found["bad"]["said"][0]
    assert not any(ord(char) in (0x202E, 7, 0x2068, 0x2069) for char in json.dumps(found, ensure_ascii=False))
    assert list(found["bad"]["clocks"].values()) == [5]


def test_a_name_that_is_read_from_right_to_left_keeps_what_sets_it_apart() -> None:
    boards = BoardList()
    called = clean_name("\u05d0\u05e0\u05d4")
    boards.apply_payload("boardumpire/b1/state", state(seats=["red"], players={"red": called}))
    assert shown(boards)["players"] == {"red": called}


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=15,
)
_KEYS = ("table", "told", "seats", "view", "board", "clocks")


@pytest.mark.slow
@given(st.fixed_dictionaries({}, optional=dict.fromkeys(_KEYS, _JSON)), _JSON, st.binary(max_size=40))
def test_whatever_is_published_a_hall_shows_plain_words_of_bounded_length(
    parts: dict[str, Any], anything: Any, raw: bytes
) -> None:
    boards = BoardList()
    boards.apply_payload("boardumpire/b1/online", b"true")
    boards.apply_payload("boardumpire/b1/state", state(**parts))
    for kind in ("state", "told", "online"):
        boards.apply_payload(f"boardumpire/b2/{kind}", json.dumps(anything).encode())
        boards.apply_payload(f"boardumpire/b3/{kind}", raw)
    boards.apply_payload("boardumpire/b1/told", told(1, text=anything))
    for topic in ("boardumpire/../state", "boardumpire/B/state", "x/b1/state", "boardumpire/b1/other"):
        assert not boards.apply_payload(topic, state())
    for board in boards:
        for value in board.to_json().values():
            assert _plain(value)


def _plain(value: Any) -> bool:
    match value:
        case str():
            return len(value) <= TEXT_MAX_CHARS
        case list():
            return len(value) <= 16 and all(isinstance(each, str) and _plain(each) for each in value)
        case dict():
            return all(_plain(name) and type(ms) is int for name, ms in value.items())
    return type(value) in (int, bool)


def test_a_hall_is_bounded() -> None:
    boards = BoardList()
    for number in range(BOARDS_MAX + 5):
        boards.apply_payload(f"boardumpire/b{number}/online", b"true")
    assert len(list(boards)) == BOARDS_MAX
    assert not boards.apply_payload("boardumpire/b1/state", b" " * (1 << 19))
    for number in range(500):
        boards.apply_payload("boardumpire/b1/told", told(number + 1, run=f"run {number}"))
    assert len(shown(boards, "b1")["said"]) == 3


class Shown:
    """`boardumpire hall` in a process of its own."""

    def __init__(self, port: int, *more: str) -> None:
        command = [Path(sys.executable).with_name("boardumpire"), "hall", f"127.0.0.1:{port}", *more]
        self.process = subprocess.Popen(
            [*command, "--listen", "127.0.0.1:0", "--name", "test-hall"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.origin = self.process.stdout.readline().removeprefix("The hall: ").strip()
        assert self.origin, self.process.stderr and self.process.stderr.read()

    def close(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        _, said = self.process.communicate(timeout=20)
        assert self.process.returncode == 0, said
        assert "Traceback" not in said


@pytest.fixture
def hall(broker: Broker) -> Iterator[Shown]:
    shown = Shown(broker.port)
    yield shown
    shown.close()


@pytest.mark.slow
def test_the_hall_shows_a_real_board_and_thirty_others_in_a_browser(
    broker: Broker, hall: Shown, browser: Browser, tmp_path: Path
) -> None:
    sections = '[page]\nlisten = "127.0.0.1:0"\nmdns = ""\n[mqtt]\ndiscovery = "homeassistant"\n'
    service = Service(tmp_path, config=f'{sections}broker = "127.0.0.1:{broker.port}"\nname = "{HALL}"\n')
    broker.client.subscribe("homeassistant/#", qos=1)
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    try:
        service.start()
        for number in range(1, 31):
            seats = ["red", "blue"]
            view = {"game": "stratego-quick-duel", "to_act": [seats[number % 2]]}
            clocks = {"left_ms": {"red": 65_000 * number, "blue": 900_000}}
            board = {
                "text": ["Put the piece on e4 back."] if number == 3 else [],
                "over": number == 4,
                "clocks": clocks,
            }
            said = [json.loads(told(1, text="Red moves from a1 to a2. <b>Blue</b> is to move."))]
            if number == 7:  # what every table of JavaScript has, and what no browser can be sent
                seats = ["toString", "__proto__", "half \ud800"]
            payload = state(view=view, seats=seats, board=board, told=said)
            broker.client.publish(f"boardumpire/table-{number}/state", payload, qos=1, retain=True)
            broker.client.publish(
                f"boardumpire/table-{number}/online", str(number != 5).lower(), qos=1, retain=True
            )
        page.goto(hall.origin)
        page.locator(f'[data-board="{HALL}"]').get_by_text("in play").wait_for()
        set_up(service)
        page.locator(f'[data-board="{HALL}"] .seat.moves').get_by_text("red").wait_for()
        page.locator('[data-board="table-5"]').get_by_text("away").wait_for()
        page.locator('[data-board="table-3"]').get_by_text("Put the piece on e4 back.").wait_for()
        page.get_by_text("31 boards, 28 in play").wait_for()
        seats = page.locator('[data-board="table-7"] .seat').all_text_contents()
        assert seats == ["toString", "__proto__", "half \ufffd"]
        names = page.eval_on_selector_all("[data-board]", "all => all.map((one) => one.dataset.board)")
        assert names == [HALL, *(f"table-{number}" for number in range(1, 31))]
        assert page.locator("li b").count() == 0, "words of a board are words"
        photographed(page, "hall")
        service.kill()
        page.locator(f'[data-board="{HALL}"]').get_by_text("away").wait_for()
        found = {topic for topic, *_ in broker.heard if topic.startswith("homeassistant/")}
        assert len(found) == len(ENTITIES)
        assert not errors
    finally:
        page.context.close()
        service.close()


@pytest.mark.slow
def test_without_a_broker_the_hall_says_so_and_waits(browser: Browser) -> None:
    hall = Shown(free_port())
    page = browser.new_context().new_page()
    try:
        page.goto(hall.origin)
        page.get_by_text("the broker is away").wait_for()
        page.get_by_text("No board has told anything yet.").wait_for()
    finally:
        page.context.close()
        hall.close()
