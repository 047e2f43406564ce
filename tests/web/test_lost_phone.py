"""A seat that moves to another device: who has to agree, how long that holds, what the old device keeps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardumpire.web.seating import PICKUP_TIMEOUT_S
from boardware.ports import MS, SECOND
from daemon.service import Service
from table.test_offers import SETUPS
from web.desks import BenchDesk
from web.test_confirm import Guest
from web.test_frame import Toy
from web.wire import Socket, ask, sit_down


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    found = Service(tmp_path, config='[page]\nlisten = "127.0.0.1:0"\n')
    found.start()
    yield found
    found.close()


class Owner:
    """The device that sits at Red's seat."""

    def __init__(self, service: Service) -> None:
        link = service.ask("links")["links"]["red"]
        self.origin = link.partition("/link")[0]
        self.cookie = sit_down(self.origin, link)

    def screen(self) -> Socket:
        socket = Socket(self.origin, "/socket/red", cookie=self.cookie)
        socket.hello()
        return socket

    def opens(self) -> int:
        return ask(self.origin, "/seat/red", Cookie=self.cookie).status


def test_an_owner_whose_screen_is_open_is_asked_as_well(service: Service) -> None:
    """The others' yes alone moves nothing; the owner's own no ends it."""
    owner, thief = Owner(service), Guest(service, "red")
    screen = owner.screen()
    assert thief.post("/ask").status == 202
    shown = screen.until_shown(lambda frame: bool(frame.get("board", {}).get("proposal")))
    assert set(shown["board"]["proposal"]["asked"]) == {"red", "blue"}, "its own screen asks it"
    assert service.ask("say", seat="blue", text="yes move-seat red")["ok"]
    assert (thief.peek(), thief.look().status, thief.opens()) == (202, 202, 403)
    assert owner.opens() == 200
    assert service.ask("say", seat="red", text="no move-seat red")["ok"]
    assert (thief.peek(), thief.look().status, thief.opens()) == (200, 403, 403)
    assert (owner.opens(), screen.closed) == (200, None)
    screen.close()


def test_an_owner_who_opens_its_screen_meanwhile_has_to_agree_too(service: Service) -> None:
    owner, thief = Owner(service), Guest(service, "red")
    assert thief.post("/ask").status == 202
    screen = owner.screen()
    assert service.ask("say", seat="blue", text="yes move-seat red")["ok"]
    assert (thief.look().status, thief.opens(), owner.opens()) == (202, 403, 200)
    screen.close()


def test_an_owner_who_agrees_moves_and_leaves_nothing_on_the_old_device(service: Service) -> None:
    owner, new = Owner(service), Guest(service, "red")
    screen = owner.screen()
    assert new.post("/ask").status == 202
    for seat in ("blue", "red"):
        assert service.ask("say", seat=seat, text="yes move-seat red")["ok"]
    assert (new.look().status, new.opens()) == (303, 200)
    assert screen.until_closed()[0] == 4403, "the old screen is hung up on"
    assert owner.opens() == 403
    again = Socket(owner.origin, "/socket/red", cookie=owner.cookie)
    assert again.refused is not None
    for each in (screen, again):
        each.close()


def test_a_phone_that_is_lost_needs_no_yes_of_its_own(service: Service) -> None:
    owner, new = Owner(service), Guest(service, "red")
    owner.screen().close()
    service.until(lambda: service.ask("links")["ok"])  # by then the daemon has seen that it is gone
    assert new.post("/ask").status == 202
    assert service.ask("say", seat="blue", text="yes move-seat red")["ok"]
    assert (new.look().status, new.opens()) == (303, 200)
    assert owner.opens() == 403


def test_a_socket_that_was_opened_before_says_hello_too_late(service: Service) -> None:
    """The old device may keep one open without a word: it was let in when the seat was still its own."""
    owner = Owner(service)
    early = Socket(owner.origin, "/socket/red", cookie=owner.cookie)
    assert service.ask("links", renew="red")["ok"]
    early.say(do="hello", epoch=None, n=0)
    assert early.until_closed() == (4403, "this seat has a new link")
    assert early.raw == [], "it was shown nothing"
    early.close()


class Asked(BenchDesk):
    """A desk whose table is really asked."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.bench = bench

    def propose(self, by: str, thing: str, *, ask_everybody: bool = False) -> bool:
        asked: bool = self._table.propose_request(by, thing, self.bench.now, all_of_them=ask_everybody)
        return asked


class Evening:
    """A game on a bench, a page over it, and a clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.bench = Bench(BenchSettings(lamp_driver="neopixel-pwm-sim"), TableFactory())
        self.bench.start()
        for seat, text in SETUPS.items():
            self.bench.set_up(seat, text)
        self.bench.wait(SECOND)
        self.toy = Toy(Asked(self.bench), clock=lambda: self.now)
        self.origin = self.toy.server.origin

    def post(self, seat: str, more: str = "", cookie: str = "") -> Any:
        path = self.toy.link(seat).removeprefix(self.origin)
        return ask(self.origin, path + more, "POST", Origin=self.origin, Cookie=cookie)

    def look(self, seat: str, cookie: str) -> int:
        path = self.toy.link(seat).removeprefix(self.origin)
        return ask(self.origin, f"{path}/ask", Cookie=cookie).status

    def agree(self, seat: str) -> None:
        """The other seat says yes, and the daemon passes on what the table wants."""
        self.bench.say(seat, "yes move-seat red")
        self.bench.wait(MS)
        table: Any = self.bench.table
        wish = table.take_agreed_request()
        assert wish is not None
        self.toy.page.grant_request(wish)

    def close(self) -> None:
        self.toy.close()
        self.bench.close()


@pytest.fixture
def evening() -> Iterator[Evening]:
    found = Evening()
    yield found
    found.close()


def cookie_of(answer: Any) -> str:
    return str(answer.headers["set-cookie"].partition(";")[0])


@pytest.mark.parametrize(("waited", "status"), [(PICKUP_TIMEOUT_S - 1, 303), (PICKUP_TIMEOUT_S, 403)])
def test_a_seat_that_was_agreed_to_is_fetched_within_a_minute_or_not_at_all(
    evening: Evening, waited: float, status: int
) -> None:
    sit_down(evening.origin, evening.toy.link("red"))
    asked = evening.post("red", "/ask")
    assert asked.status == 202
    evening.agree("blue")
    evening.now += waited
    assert evening.look("red", cookie_of(asked)) == status


def test_what_was_agreed_for_one_device_seats_no_other(evening: Evening) -> None:
    for seat in ("red", "blue"):
        sit_down(evening.origin, evening.toy.link(seat))
    asked = evening.post("red", "/ask")
    evening.agree("blue")
    name, _, secret = cookie_of(asked).partition("=")
    for cookie in ("", f"{name}=", f"{name}=x{secret}"):
        assert evening.look("red", cookie) == 403, "it is offered to ask"
    assert evening.look("blue", cookie_of(asked)) == 403, "nor the same device at another seat"
    assert evening.post("red", "/ask").status == 409, "nor is another one asked about while it holds"
    assert evening.look("red", cookie_of(asked)) == 303


def test_who_asked_by_an_old_link_waits_for_nothing(evening: Evening) -> None:
    sit_down(evening.origin, evening.toy.link("red"))
    asked = evening.post("red", "/ask")
    evening.toy.page.renew_link("red")
    evening.agree("blue")
    assert evening.look("red", cookie_of(asked)) == 200, (
        "the seat is free: anybody with the new link may sit down"
    )
    assert not evening.toy.links.is_taken("red")


def test_another_wish_that_the_table_grants_is_not_taken_for_this_one(evening: Evening) -> None:
    sit_down(evening.origin, evening.toy.link("red"))
    asked = evening.post("red", "/ask")
    table: Any = evening.bench.table
    evening.toy.page.grant_request(table.newest_proposal._replace(request="new-game"))
    assert evening.look("red", cookie_of(asked)) == 202


@pytest.mark.parametrize(
    "hands",
    ["lift e3, lift d3, place e4", "lift h3, wait", "lift e6, wait"],
    ids=["that-piece", "in-hand", "attacked-unfelt"],
)
def test_no_answer_to_the_board_gives_a_seat_away(evening: Evening, hands: str) -> None:
    """While `confirm` says something at the board no device asks for a seat."""
    bench = evening.bench
    table: Any = bench.table
    sit_down(evening.origin, evening.toy.link("red"))
    for hand in hands.split(", "):
        verb, _, space = hand.partition(" ")
        if verb == "wait":
            bench.wait(6 * SECOND)
        else:
            bench.run_until(getattr(bench.hands, verb)(space, bench.now))
    bench.wait(2 * SECOND)
    assert evening.post("red", "/ask").status == 409
    bench.run_until(bench.hands.press("confirm", bench.now))
    bench.wait(SECOND)
    assert table.newest_proposal is None
    assert table.take_agreed_request() is None


@pytest.mark.parametrize("wait_ms", [200, 800, 1200, 3000])
@pytest.mark.parametrize("first", ["attack", "request"])
def test_no_press_for_an_attack_gives_a_seat_away(evening: Evening, first: str, wait_ms: int) -> None:
    """Its sign is the only meaning of `confirm` while an attack waits, and no device asks for a seat then."""
    bench = evening.bench
    table: Any = bench.table
    sit_down(evening.origin, evening.toy.link("red"))
    for hand in ("h3-h4", "h6-h5"):
        origin, _, target = hand.partition("-")
        bench.run_until(bench.hands.lift(origin, bench.now))
        bench.run_until(bench.hands.place(target, bench.now))
        bench.wait(SECOND)
    if first == "request":
        assert evening.post("red", "/ask").status == 202
    bench.run_until(bench.hands.lift("a3", bench.now))
    bench.run_until(bench.hands.lift("a7", bench.now))
    bench.wait(4 * SECOND)
    assert table.guidance.question.code == "attack-pending"
    if first == "attack":
        assert evening.post("red", "/ask").status == 409
        assert table.newest_proposal is None
    before = table.full_state
    bench.wait(wait_ms * MS)
    bench.run_until(bench.hands.press("confirm", bench.now))
    bench.wait(SECOND)
    assert table.take_agreed_request() is None, "the seat stays where it is"
    assert table.guidance.question is None
    assert table.full_state is not before, "and the attack is what the press was for"
