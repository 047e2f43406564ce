"""Spectators who are shown the game later: in order, whole, and nothing before its time."""

from __future__ import annotations

import argparse
import io
import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import segno
from playwright.sync_api import expect

from boardrules.core import visible
from boardrules.registry import new
from boardumpire.commands.page import simulated_config
from boardumpire.errors import ConfigError
from boardumpire.history import replays
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import BoardKey
from boardumpire.messages.disclosure import SeatMessage, view_of
from boardumpire.web.screen_hub import ScreenHub
from web.desks import Ear, ToyDesk
from web.served import DUEL, MOVES, Screen, Served
from web.wire import Socket, ask, sit_down

DELAY = 4


class Kept(ToyDesk):
    """The game that only tests have, with what was told of it and seen after each message."""

    def __init__(self, seed: int) -> None:
        self.seen: list[dict[str, Any]] = []
        self.messages: list[SeatMessage] = []
        self.begun = 0
        """How many messages were told before the table was opened."""
        super().__init__(seed)
        self.take_messages()
        self.seen = [self.view(None)]

    def _do(self, action: Any) -> None:
        super()._do(action)
        self.seen.append(self.view(None))

    def earlier_messages(self) -> Sequence[SeatMessage]:
        return self.messages[: self.begun]

    def public_views(self, first: int) -> Sequence[dict[str, Any]]:
        return self.seen[first : self.begun + 1]


def started(seed: int) -> tuple[Kept, ScreenHub, Ear, Ear]:
    """A table from its first action on, a screen of the table and a spectator's."""
    desk = Kept(seed)
    room = ScreenHub(desk, delay=DELAY)
    table, spectator = Ear(), Ear()
    room.enter(None, table, None, 0)
    assert room.delayed_spectators is not None
    room.delayed_spectators.enter(None, spectator, None, 0)
    return desk, room, table, spectator


def step(desk: Kept, room: ScreenHub, dice: random.Random) -> None:
    """One action of a seat, and the dice that come of it."""
    (seat, *_) = desk.view(None)["to_act"]
    desk.submit_command(seat, dice.choice(sorted(desk.choices(seat)["acts"])))
    messages = desk.take_messages()
    desk.messages += messages
    room.send_messages(messages)
    if desk.view(None).get("outcome"):
        room.send_messages([SeatMessage(0, None, "over", {"winner": None, "reason": "", "text": ""})])


def frames(ear: Ear) -> list[dict[str, Any]]:
    """What was sent after the snapshot, without numbers."""
    found = [json.loads(text) for text in ear.texts[1:]]
    return [{name: value for name, value in frame.items() if name != "n"} for frame in found]


def acted(sent: list[dict[str, Any]]) -> int:
    """How many actions of seats these frames tell."""
    rulings = [
        frame["told"] for frame in sent if frame["kind"] == "told" and frame["told"]["kind"] == "ruling"
    ]
    return sum(told["seat"] in ("north", "south") for told in rulings)


@pytest.mark.parametrize("seed", range(5))
def test_it_is_what_the_table_was_told_some_actions_late_and_at_the_end_all(seed: int) -> None:
    desk, room, table, spectator = started(seed)
    dice = random.Random(seed)
    while not desk.view(None).get("outcome"):
        live, late = frames(table), frames(spectator)
        assert late == live[: len(late)]
        assert acted(late) == max(0, acted(live) - DELAY)
        step(desk, room, dice)
    assert frames(spectator) == frames(table)
    assert acted(frames(table)) > DELAY + 2


def test_a_spectator_who_comes_late_sees_what_another_has_seen() -> None:
    desk, room, _, spectator = started(1)
    dice = random.Random(1)
    for _ in range(DELAY + 5):
        step(desk, room, dice)
    assert room.delayed_spectators is not None
    again, anew = Ear(), Ear()
    first = json.loads(spectator.texts[0])
    room.delayed_spectators.enter(None, again, first["epoch"], first["n"])
    assert again.texts[:-1] == spectator.texts[1:]
    room.delayed_spectators.enter(None, anew, "another table", 3)
    shown = json.loads(anew.texts[0])
    assert shown["view"] == [frame["view"] for frame in frames(spectator) if frame["kind"] == "view"][-1]
    told = [frame["told"] for frame in frames(spectator) if frame["kind"] == "told"]
    assert shown["told"] == told
    assert shown["view"] != desk.view(None)


def test_after_a_power_cut_it_goes_on_as_late_as_before() -> None:
    desk, room, _, spectator = started(2)
    dice = random.Random(2)
    for _ in range(DELAY + 3):
        step(desk, room, dice)
    before = [frame["view"] for frame in frames(spectator) if frame["kind"] == "view"][-1]
    told = [frame["told"] for frame in frames(spectator) if frame["kind"] == "told"]
    desk.begun = len(desk.messages)
    room.begin_table()
    shown = json.loads(spectator.texts[-1])
    assert shown["view"] == before
    assert shown["told"] == told
    assert shown["board"]["marks"] == {}
    sent = len(spectator.texts)
    step(desk, room, dice)
    late = [json.loads(text) for text in spectator.texts[sent:]]
    assert acted(late) == 1, "one action came, one is shown: that of before the cut"
    assert [frame["view"] for frame in late if frame["kind"] == "view"][-1] != before


def test_views_of_a_game_in_the_journal() -> None:
    store = Store.open(None, BoardKey.random())
    state = new("stratego-quick-duel", {})
    number = store.begin_game("stratego-quick-duel", state.options, "quick-battle-8x8", 0)
    seen = [view_of(state, None)]
    for seat, text in [(seat, f"setup {army}") for seat, army in DUEL.items()] + [("red", MOVES[0])]:
        state, events = state.apply(state.parse(text, seat))
        told = [event.json() for event in visible(events, None)]
        store.append_entry(
            number, kind="action", seat=seat, text=text, secret=text != MOVES[0], events=told, at_ms=0
        )
        seen.append(view_of(state, None))
    assert [replays.public_views(store, number, first) for first in range(4)] == [
        seen[first:] for first in range(4)
    ]
    told = [message.data for message in replays.announced_messages(store, number)]
    assert len(told) == 3
    digests = [made.digest for made in store.commitments(number)]
    assert [data.get("commitment") for data in told] == [*digests, None], "as it was told then"
    assert len(digests) == 2
    store.close()


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("late"), "--spectator-delay", "2")
    yield served
    served.close()


def test_who_has_no_link_is_shown_the_spectators_screen_and_nothing_live(late: Served) -> None:
    origin = late.origin
    sent_on = ask(origin, "/")
    assert (sent_on.status, sent_on.headers["location"]) == (303, "/watch")
    refused = Socket(origin, "/socket")
    refused.close()
    assert refused.refused == (403, "spectators are shown the game later, at /watch")
    assert ask(origin, "/qr/watch.svg").status == 403
    page = ask(origin, "/watch")
    assert page.status == 200
    assert '"late":2' in page.text
    assert '"joins":false' in page.text
    cookie = sit_down(origin, late.links["table"])
    assert ask(origin, "/", cookie=cookie).status == 200
    phone = "192.0.2.7:8017"  # as a device in the network asks
    code = ask(origin, "/qr/watch.svg", cookie=cookie, host=phone)
    assert code.body == _code(f"http://{phone}/watch")
    assert late.watch == f"{origin}/watch"
    live, watching = Socket(origin, "/socket", cookie=cookie), Socket(origin, "/watch/socket")
    assert live.hello()["view"] == watching.hello()["view"]
    watching.say(do="say", id="1", text="resign")
    assert watching.answered("1")["ok"] is False
    live.close()
    watching.close()


def _code(link: str) -> bytes:
    drawn = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        drawn, kind="svg", scale=6, border=4, dark="#000", light="#fff"
    )
    return drawn.getvalue()


def test_without_a_delay_spectators_see_what_the_table_does(served: Served) -> None:
    assert ask(served.origin, "/").status == 200
    live, watching = Socket(served.origin, "/socket"), Socket(served.origin, "/watch/socket")
    assert live.hello() == watching.hello()
    live.close()
    watching.close()


def test_a_delay_that_is_none_is_refused(tmp_path: Path) -> None:
    given = argparse.Namespace(listen="127.0.0.1:0", https=False, spectator_delay=201)
    with pytest.raises(ConfigError, match="--spectator-delay 201: not a delay; try 0 to 200 actions"):
        simulated_config(given, tmp_path)


@pytest.mark.nightly
def test_killed_it_comes_back_as_late_as_it_was(tmp_path: Path) -> None:
    """kill -9 between two actions: a spectator two actions late sees what he saw, then one action more."""
    given = ("--spectator-delay", "2", "--board", "fall-of-the-fuhrer", "--game", "fall-of-the-fuhrer")
    cookie, seen = "", []
    for part in (("tank berlin", "spy ulm"), ("infantry kiel",)):
        late = Served(tmp_path, *given)
        cookie = cookie or sit_down(late.origin, late.links["allies"])
        seat = Socket(late.origin, "/socket/allies", cookie=cookie)
        seat.hello()
        watching = Socket(late.origin, "/watch/socket")
        seen.append(watching.hello()["view"]["pieces"])
        for number, text in enumerate(part):
            seat.say(do="say", id=f"{text} {number}", text=text)
            assert seat.answered(f"{text} {number}")["ok"]
            seat.until_shown(
                lambda frame, text=text: frame["kind"] == "told" and frame["told"].get("action") == text
            )
        if len(part) == 1:
            seen.append(watching.until("view")["view"]["pieces"])
        seat.close()
        watching.close()
        late.kill()
    assert seen == [{}, {}, {"tank": "berlin"}]


@pytest.mark.slow
def test_a_spectators_screen_tells_how_late_it_is(late: Served, screen: Callable[..., Screen]) -> None:
    shown = screen(None)
    shown.page.goto(late.origin)
    expect(shown.page.locator(".late")).to_have_text("You see the game 2 actions late, and its end at once.")
    assert shown.page.url == f"{late.origin}/watch"
    assert shown.page.locator("#who").inner_text() == "Spectators"
    assert not shown.page.locator(".codes").count()
    table = screen(late.links["table"])
    table.open("More")
    table.page.locator(".watch summary").click()
    expect(table.page.locator(".watch a")).to_have_attribute("href", "/watch")
    assert not shown.errors + table.errors
