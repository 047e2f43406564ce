"""Every guard of the page, asked over HTTP as it is served: what it lets in, and what it keeps out."""

from __future__ import annotations

import ipaddress
import json
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message
from starlette.websockets import WebSocket

from boardsim.page.board import BURST as BURST_OF_HANDS
from boardsim.page.board import SOCKETS_MAX as HANDS
from boardsim.page.board import VirtualBoard
from boardumpire.service.config import parse_networks
from boardumpire.web import limits
from boardumpire.web.page import AccessPolicy, PageExtras
from boardumpire.web.request_guard import REQUEST_BURST, REQUESTS_PER_S, RequestGuard
from boardumpire.web.screen import ScreenOutbox
from boardumpire.web.screen_hub import VIEW_PADDING_BYTES
from boardumpire.web.seat_links import SeatLinks, SeatTaken
from boardware.description import load_board
from loops import run
from web.test_frame import Toy
from web.wire import Socket, ask, sit_down

OURS = (ipaddress.ip_network("127.0.0.0/8"),)


@contextmanager
def served(door: AccessPolicy = AccessPolicy(), clock: Callable[[], float] | None = None) -> Iterator[Toy]:  # noqa: B008
    toy = Toy(door=door) if clock is None else Toy(door=door, clock=clock)
    try:
        yield toy
    finally:
        toy.close()


@pytest.fixture(scope="module")
def toy() -> Iterator[Toy]:
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def cookies(toy: Toy) -> dict[str, str]:
    return {name: sit_down(toy.server.origin, toy.link(name)) for name in ("north", "south", "table")}


def post(toy: Toy, path: str, origin: str | None, **more: str) -> Any:
    claims = {} if origin is None else {"Origin": origin}
    return ask(toy.server.origin, path, "POST", b"{}", **claims, **more)


class TestOrigins:
    @pytest.mark.parametrize("path", ["/table/do", "/link/x", "/lesson/again"])
    @pytest.mark.parametrize(
        "claims",
        [
            "https://{host}",
            "http://{name}",
            "http://{name}:1",
            "ws://{host}",
            "//{host}",
            "http://{host}/x",
            "null",
        ],
    )
    def test_only_the_same_scheme_name_and_port_speak_for_a_device(
        self, toy: Toy, path: str, claims: str
    ) -> None:
        """Whoever has another port, or the encrypted one, of this name is somebody else."""
        host = toy.server.origin.removeprefix("http://")
        said = post(toy, path, claims.format(host=host, name=host.partition(":")[0]))
        assert (said.status, said.text) == (403, "another site may not speak for this device\n")

    def test_a_socket_is_no_other_schemes_either(self, toy: Toy, cookies: dict[str, str]) -> None:
        for claims in (toy.server.origin.replace("http", "https"), "http://127.0.0.1"):
            screen = Socket(toy.server.origin, "/socket/north", cookie=cookies["north"], claims=claims)
            assert screen.refused == (403, "another site may not speak for this device")
            screen.close()

    def test_a_proxy_that_is_named_says_by_which_scheme_it_was_asked(self) -> None:
        with served(AccessPolicy(proxies=OURS)) as toy:
            there = toy.server.origin.replace("http", "https")
            for stated, status in (("https", 404), ("http", 403), ("", 403), ("wss", 403)):
                assert post(toy, "/link/x", there, X_Forwarded_Proto=stated).status == status
            assert post(toy, "/link/x", toy.server.origin).status == 404, "who asks past it is believed, too"
            screen = Socket(toy.server.origin, "/socket", claims=toy.server.origin)
            assert screen.refused is None
            screen.close()

    def test_nobody_else_is_believed(self, toy: Toy) -> None:
        there = toy.server.origin.replace("http", "https")
        assert post(toy, "/link/x", there, X_Forwarded_Proto="https").status == 403
        with served(AccessPolicy(proxies=(ipaddress.ip_network("192.0.2.0/24"),))) as other:
            there = other.server.origin.replace("http", "https")
            assert post(other, "/link/x", there, X_Forwarded_Proto="https").status == 403

    def test_links_and_codes_name_the_scheme_that_the_proxy_was_asked_by(self) -> None:
        with served(AccessPolicy(host_names=("board.example",), proxies=OURS)) as toy:
            cookie = sit_down(toy.server.origin, toy.link("table"))
            how = {"Cookie": cookie, "Host": "board.example", "X_Forwarded_Proto": "https"}
            seats = json.loads(ask(toy.server.origin, "/join.json", **how).body)["seats"]
            assert seats[0]["link"].startswith("https://board.example/link/")


class TestHeads:
    @pytest.mark.parametrize(
        ("host", "status"),
        [
            ("evil.example", 421), ("localhost.evil.example", 421), ("local", 421),
            ("127.0.0.1.evil.example", 421),
            ("board.example", 200), ("BOARD.example:80", 200), ("any.local", 421),
            ("192.0.2.7", 200), ("[::1]:8", 200),
        ],
    )  # fmt: skip
    def test_only_addresses_and_our_own_names_are_answered(self, host: str, status: int) -> None:
        with served(AccessPolicy(host_names=("Board.Example",))) as toy:
            assert ask(toy.server.origin, "/about.json", Host=host).status == status

    @pytest.mark.parametrize(
        ("client", "known"),
        [("192.168.1.9", True), ("fe80::1", True), ("127.0.0.1", False), ("::1", False), ("127.0.0.2", True)],
    )
    def test_a_local_name_is_no_way_to_a_page_on_this_machine_alone(self, client: str, known: bool) -> None:
        """Anybody in the network may call himself something.local and name the loopback address as his."""
        proxies = parse_networks("127.0.0.2")
        assert proxies is not None
        guard = RequestGuard(PlainTextResponse("here"), (), lambda asks: None, proxies)
        head = [(b"host", b"any.local:8080")]
        scope = {"type": "http", "method": "GET", "scheme": "http", "path": "/", "headers": head}
        answered: list[Message] = []

        async def send(message: Message) -> None:
            answered.append(message)

        async def receive() -> Message:
            return {"type": "http.request", "body": b""}

        run(guard({**scope, "client": (client, 9)}, receive, send))
        assert answered[0]["status"] == (200 if known else 421)

    @pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])
    def test_no_other_method_is_answered(self, toy: Toy, method: str) -> None:
        answer = ask(toy.server.origin, "/about.json", method, Origin=toy.server.origin)
        assert (answer.status, answer.text) == (405, "only GET, HEAD, POST are answered here\n")

    def test_what_a_form_of_another_page_sends_has_no_origin_and_is_refused(self, toy: Toy) -> None:
        assert post(toy, "/link/x", None).text == "this is sent from the page only\n"
        screen = Socket(toy.server.origin, "/socket", claims=None)
        assert screen.refused == (403, "a socket is opened from the page only")
        screen.close()

    def test_no_strange_letters_are_asked_for(self, toy: Toy) -> None:
        host, _, port = toy.server.origin.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), 20) as line:
            line.sendall(f"GET /help.json?seat=\u00fc HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            said = line.recv(1 << 16)
        assert said.startswith(b"HTTP/1.1 400 ")

    @pytest.mark.parametrize(
        ("length", "status"), [(limits.BODY_MAX_BYTES, 404), (limits.BODY_MAX_BYTES + 1, 413)]
    )
    def test_a_body_has_a_most(self, toy: Toy, length: int, status: int) -> None:
        origin = toy.server.origin
        assert ask(origin, "/link/x", "POST", b"x" * length, Origin=origin).status == status

    @pytest.mark.parametrize("length", ["-1", "1e3", "\u00b2"])
    def test_a_length_is_a_number(self, toy: Toy, length: str) -> None:
        origin = toy.server.origin
        sent = ask(origin, "/link/x", "POST", b"x", Origin=origin, Content_Length=length)
        assert sent.status in (400, 413)

    def test_a_body_of_unknown_length_is_refused(self, toy: Toy) -> None:
        origin = toy.server.origin
        sent = ask(origin, "/link/x", "POST", Origin=origin, Transfer_Encoding="chunked")
        assert (sent.status, sent.headers["connection"]) == (411, "close")

    @pytest.mark.parametrize(
        "path", ["/", "/about.json", "/link/none", "/style.css", "/nothing", "/table/do"]
    )
    def test_every_answer_says_what_a_browser_may_do_with_it(self, toy: Toy, path: str) -> None:
        answer = ask(toy.server.origin, path)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in answer.headers
        if answer.headers["content-type"].startswith(("text/html", "text/plain")):
            assert "default-src 'none'" in answer.headers["content-security-policy"]
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
            assert answer.headers["referrer-policy"] == "same-origin"
        if path != "/style.css":
            assert answer.headers["cache-control"] in ("no-store", "no-cache")


class TestRates:
    def test_requests_are_counted_by_device_and_one_uses_up_no_others(self) -> None:
        now = 0.0
        with served(clock=lambda: now) as toy:
            origin, cookie = toy.server.origin, sit_down(toy.server.origin, toy.link("north"))
            asked = [ask(origin, "/healthy").status for _ in range(int(REQUEST_BURST) + 1)]
            assert (asked[0], asked[-2:]) == (404, [429, 429]), "sitting down was one of them"
            assert ask(origin, "/about.json", Cookie=cookie).status == 200, (
                "a seat has its own at this address"
            )
            assert ask(origin, "/about.json", source="127.0.0.2").status == 200
            now += 1 / REQUESTS_PER_S
            assert [ask(origin, "/about.json").status for _ in range(2)] == [200, 429]

    def test_links_are_guessed_twenty_times_and_then_every_five_seconds(self) -> None:
        now = 0.0
        with served(clock=lambda: now) as toy:
            origin = toy.server.origin
            guess = [ask(origin, f"/link/{number:024}").status for number in range(25)]
            assert guess == [404] * 20 + [429] * 5
            assert ask(origin, "/link/x", source="127.0.0.2").status == 404
            assert ask(origin, toy.link("north").removeprefix(origin)).status == 200, "a right one is none"
            now += 5
            assert [ask(origin, "/link/x").status for _ in range(2)] == [404, 429]


class TestLinks:
    def test_the_first_device_that_sits_down_is_the_last(self) -> None:
        links = SeatLinks.open(None, ("north", "south"))
        links.bind_device("north")
        with pytest.raises(SeatTaken):
            links.bind_device("north")

    def test_links_have_144_bits_and_files_hold_no_devices_secret(self, tmp_path: Path) -> None:
        path = tmp_path / "key" / "links.json"
        links = SeatLinks.open(path, ("north", "south"))
        tokens = {links.token(name) for name in ("north", "south", "table")}
        assert len(tokens) == 3
        assert all(len(token) == 24 for token in tokens)
        secret = links.bind_device("north")
        assert secret not in path.read_text()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        again = SeatLinks.open(path, ("north", "south"))
        assert again.is_seated("north", secret)
        assert not again.is_seated("south", secret)
        assert not again.is_seated("north", again.token("north"))

    def test_a_seats_cookie_opens_that_seat_alone(self, toy: Toy, cookies: dict[str, str]) -> None:
        for seat in ("north", "south"):
            for holder, cookie in {**cookies, "": ""}.items():
                forged = cookie.replace(f"-{holder}=", f"-{seat}=") if holder else ""
                for given in (cookie, forged):
                    opens = 200 if holder == seat else 403
                    assert ask(toy.server.origin, f"/seat/{seat}", Cookie=given).status == opens
                    screen = Socket(toy.server.origin, f"/socket/{seat}", cookie=given)
                    assert (screen.refused is None) is (opens == 200)
                    screen.close()

    def test_the_cookie_is_kept_from_scripts_other_sites_and_plain_lines(self) -> None:
        for secure in (False, True):
            with served(AccessPolicy(uses_https=secure)) as toy:
                path = toy.link("north").removeprefix(toy.server.origin)
                kept = (
                    ask(toy.server.origin, path, "POST", Origin=toy.server.origin)
                    .headers["set-cookie"]
                    .lower()
                )
                words = kept.split("; ")
                assert {"httponly", "samesite=lax"} <= set(words)
                assert ("secure" in words) is secure

    def test_what_looks_at_a_link_binds_nothing(self) -> None:
        with served() as toy:
            path = toy.link("north").removeprefix(toy.server.origin)
            for method in ("GET", "HEAD"):
                assert "set-cookie" not in ask(toy.server.origin, path, method).headers
            assert not toy.links.is_taken("north")

    def test_a_taken_seat_is_neither_given_nor_shown_again(self, toy: Toy, cookies: dict[str, str]) -> None:
        origin = toy.server.origin
        path = toy.link("north").removeprefix(origin)
        for cookie in ("", cookies["south"], cookies["table"]):
            answer = ask(origin, path, "POST", Origin=origin, Cookie=cookie)
            assert (answer.status, "set-cookie" in answer.headers) == (403, False)
        seats = json.loads(ask(origin, "/join.json", Cookie=cookies["south"]).body)["seats"]
        assert [(each["taken"], each["link"], each["path"]) for each in seats] == [(True, None, None)] * 2
        assert ask(origin, "/qr/north.svg", Cookie=cookies["south"], Host="192.0.2.7").status == 404
        assert ask(origin, "/qr/north.svg?lost", Cookie=cookies["south"], Host="192.0.2.7").status == 200

    def test_with_confirm_a_link_alone_seats_nobody(self) -> None:
        with served(AccessPolicy(needs_confirmation=True)) as toy:
            path = toy.link("north").removeprefix(toy.server.origin)
            answer = ask(toy.server.origin, path, "POST", Origin=toy.server.origin)
            assert "set-cookie" not in answer.headers
            assert not toy.links.is_taken("north")

    def test_a_new_link_turns_the_old_device_out(self) -> None:
        with served() as toy:
            cookie = sit_down(toy.server.origin, toy.link("north"))
            screen = Socket(toy.server.origin, "/socket/north", cookie=cookie)
            screen.hello()
            toy.loop.call_soon_threadsafe(toy.page.renew_link, "north")
            assert screen.until_closed()[0] == 4403
            screen.close()
            assert ask(toy.server.origin, "/seat/north", Cookie=cookie).status == 403

    def test_another_board_has_other_cookies(self, toy: Toy, cookies: dict[str, str]) -> None:
        with served() as other:
            name = sit_down(other.server.origin, other.link("north")).partition("=")[0]
            assert name != cookies["north"].partition("=")[0]
            assert ask(other.server.origin, "/seat/north", Cookie=cookies["north"]).status == 403


class TestLinkless:
    @pytest.mark.parametrize("path", ["/join.json", "/qr/north.svg", "/qr/watch.svg", "/table.json"])
    def test_who_has_no_link_is_shown_none(self, toy: Toy, path: str) -> None:
        assert ask(toy.server.origin, path, Host="192.0.2.7").status == 403

    def test_who_has_no_link_orders_nothing(self, toy: Toy) -> None:
        for order in ({"do": "new"}, {"do": "sound", "on": True, "pin": "0000"}):
            body = json.dumps(order).encode()
            said = ask(toy.server.origin, "/table/do", "POST", body, Origin=toy.server.origin)
            assert (said.status, "have a link" in said.text) == (403, True)

    def test_the_pin_is_shown_to_the_table_alone(self, toy: Toy, cookies: dict[str, str]) -> None:
        shown = {
            name: json.loads(ask(toy.server.origin, "/table.json", Cookie=cookie).body)["pin"]
            for name, cookie in cookies.items()
        }
        assert len(shown.pop("table")) == 6
        assert set(shown.values()) == {""}

    def test_late_spectators_get_no_live_screen(self) -> None:
        with served(AccessPolicy(spectator_delay=3)) as toy:
            answer = ask(toy.server.origin, "/")
            assert (answer.status, answer.headers["location"]) == (303, "/watch")
            for cookie, opens in (("", False), (sit_down(toy.server.origin, toy.link("table")), True)):
                screen = Socket(toy.server.origin, "/socket", cookie=cookie)
                assert (screen.refused is None) is opens
                screen.close()

    @pytest.mark.parametrize(
        "order",
        [
            {"do": "sound", "on": False},
            {"do": "shut-down"},
            {"do": "update"},
            {"do": "links", "renew": "south"},
        ],
    )
    def test_what_needs_the_pin_is_not_done_without_it(
        self, toy: Toy, cookies: dict[str, str], order: dict[str, Any]
    ) -> None:
        origin = toy.server.origin
        for pin, status in ((None, 400), ("", 403), ("000000", 403)):
            body = json.dumps(order if pin is None else {**order, "pin": pin}).encode()
            said = ask(origin, "/table/do", "POST", body, Origin=origin, Cookie=cookies["north"])
            assert said.status == status
        assert toy.desk.is_sound_on
        assert toy.links.is_taken("south")


class TestScreens:
    @pytest.fixture
    def north(self, toy: Toy, cookies: dict[str, str]) -> Iterator[Socket]:
        screen = Socket(toy.server.origin, "/socket/north", cookie=cookies["north"])
        yield screen
        screen.close()

    def test_a_screen_says_hello_first(self, north: Socket) -> None:
        north.say(do="say", id="x", text="walk a")
        assert north.until_closed() == (1008, 'expected {"do":"hello"} first')

    def test_messages_come_ten_a_second(self, north: Socket) -> None:
        north.hello()
        for number in range(60):
            north.say(do="here", id=f"h{number}")
        assert north.until_closed() == (1013, "too many messages: wait a moment")

    def test_a_message_has_a_most(self, north: Socket) -> None:
        north.hello()
        north.say(do="say", id="x", text="x" * limits.MESSAGE_MAX_BYTES)
        assert north.until_closed()[0] == 1009

    @pytest.mark.parametrize("message", ["[]", "nonsense", "[" * 5000, b"\x00"])
    def test_what_no_page_sends_ends_the_conversation(self, north: Socket, message: str | bytes) -> None:
        north.hello()
        north.send(message)
        assert north.until_closed()[0] == 1008

    def test_what_was_answered_is_not_done_again(self, toy: Toy, north: Socket) -> None:
        said: list[str] = []
        does, toy.desk.check_action = toy.desk.check_action, lambda seat, text: said.append(text)
        try:
            north.hello()
            for text in ("first", "second"):
                north.say(do="check", id="once", text=text)
                assert north.answered("once")["ok"]
            north.say(do="check", id="again", text="third")
            north.answered("again")
        finally:
            toy.desk.check_action = does
        assert said == ["first", "third"]

    def test_every_answer_is_as_long(self, north: Socket) -> None:
        north.hello()
        for number, text in enumerate(("", "walk a", "x" * 400)):
            north.say(do="check", id=f"{number}", text=text)
            north.answered(f"{number}")
        assert {len(text) for text in north.raw if '"answer"' in text} == {limits.PADDED_MESSAGE_BYTES}

    def test_only_a_seat_says_something(self, toy: Toy, cookies: dict[str, str]) -> None:
        screen = Socket(toy.server.origin, "/socket", cookie=cookies["table"])
        screen.hello()
        screen.say(do="say", id="x", text="walk a")
        answer = screen.answered("x")
        assert (answer["ok"], answer["text"]) == (False, "only a seat can say something")
        screen.close()

    def test_a_seat_has_so_many_screens(self, toy: Toy, cookies: dict[str, str]) -> None:
        screens = [
            Socket(toy.server.origin, "/socket/south", cookie=cookies["south"])
            for _ in range(limits.SOCKETS_PER_SEAT + 1)
        ]
        for screen in screens[:-1]:
            screen.hello()
        screens[-1].say(do="hello", epoch=None, n=0)
        assert "too many screens of this seat" in screens[-1].until_closed()[1]
        for screen in screens:
            screen.close()

    def test_so_many_screens_look_on_of_one_address_and_in_all(self) -> None:
        with served() as toy:
            held = []
            for number in range(limits.SOCKETS_MAX + 2):
                source = f"127.0.0.{2 + number // limits.SOCKETS_PER_ADDRESS}"
                held.append(Socket(toy.server.origin, "/socket", source=source))
                if number < limits.SOCKETS_MAX:
                    held[-1].hello()
            held[-1].say(do="hello", epoch=None, n=0)
            assert "too many screens look at this table" in held[-1].until_closed()[1]
            held[0].close()
            held[-2].say(do="hello", epoch=None, n=0)
            for screen in held[1:]:
                screen.close()
        with served() as toy:
            held = [Socket(toy.server.origin, "/socket") for _ in range(limits.SOCKETS_PER_ADDRESS + 1)]
            for screen in held[:-1]:
                screen.hello()
            held[-1].say(do="hello", epoch=None, n=0)
            assert "too many screens from this address" in held[-1].until_closed()[1]
            for screen in held:
                screen.close()

    def test_nothing_that_a_seat_is_told_is_compressed(self, toy: Toy, cookies: dict[str, str]) -> None:
        """Its length would tell what is in it."""
        host, _, port = toy.server.origin.removeprefix("http://").partition(":")
        lines = [
            "GET /socket/north HTTP/1.1", f"Host: {host}:{port}", f"Origin: {toy.server.origin}",
            f"Cookie: {cookies['north']}", "Connection: Upgrade", "Upgrade: websocket",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Extensions: permessage-deflate", "", "",
        ]  # fmt: skip
        with socket.create_connection((host, int(port)), 20) as line:
            line.sendall("\r\n".join(lines).encode())
            said = line.recv(1 << 16).lower()
        assert said.startswith(b"http/1.1 101 ")
        assert b"sec-websocket-extensions" not in said

    def test_views_of_a_seat_are_of_one_size(self) -> None:
        with served() as toy:
            cookie = sit_down(toy.server.origin, toy.link("north"))
            screen = Socket(toy.server.origin, "/socket/north", cookie=cookie)
            act = screen.hello()["may"]["acts"][0]
            screen.say(do="say", id="x", text=act)
            screen.until("view")
            assert {len(text) % VIEW_PADDING_BYTES for text in screen.raw if '"kind":"view"' in text} == {0}
            screen.close()

    def test_who_does_not_read_is_hung_up_on_before_much_is_kept_for_him(self) -> None:
        """No byte of what is sent leaves for this one."""
        outbox = ScreenOutbox(WebSocket({"type": "websocket", "client": None, "headers": []}, _never, _never))
        for _ in range(limits.BACKLOG_MAX_BYTES // 1024):
            outbox.send("x" * 1024)
        assert not outbox.is_closed
        outbox.send("x")
        assert outbox.is_closed


async def _never(message: Any = None) -> Any:
    raise AssertionError("nothing comes of this line")


class TestHands:
    @pytest.fixture
    def bench(self) -> Iterator[Toy]:
        """A page over a board that is simulated, too."""
        found: list[Toy] = []
        board = VirtualBoard(load_board("quick-battle-8x8"), ("north", "south"), crew={"north": 1})
        routes = board.routes(lambda asks: found[0].page.has_any_link(asks), lambda back_s: None)
        found.append(
            Toy(more=PageExtras(virtual_board_routes=routes, asset_packages=(board.static_package,)))
        )
        yield found[0]
        found[0].close()

    def hands(self, bench: Toy, cookie: str) -> Socket:
        return Socket(bench.server.origin, "/hands", cookie=cookie)

    def test_hands_are_for_who_has_a_link(self, bench: Toy) -> None:
        stranger = self.hands(bench, "")
        assert stranger.refused == (403, "hands are for those who have a link of this table")
        stranger.close()

    def test_hands_of_a_device_that_has_left_its_seat_do_nothing(self, bench: Toy) -> None:
        hands = self.hands(bench, sit_down(bench.server.origin, bench.link("north")))
        bench.loop.call_soon_threadsafe(bench.page.renew_link, "north")
        ask(bench.server.origin, "/about.json")  # by then it has its new link
        hands.send('{"do":"carry","piece":1,"space":"a1"}')
        assert hands.until_closed()[0] == 4403
        assert not any('"slot":"a1"' in text for text in hands.raw)
        hands.close()

    def test_there_are_so_many_hands(self, bench: Toy) -> None:
        cookie = sit_down(bench.server.origin, bench.link("table"))
        held = [self.hands(bench, cookie) for _ in range(HANDS + 1)]
        assert [each.refused is None for each in held] == [True] * HANDS + [False]
        for each in held:
            each.close()

    def test_hands_do_so_much_a_second(self, bench: Toy) -> None:
        hands = self.hands(bench, sit_down(bench.server.origin, bench.link("table")))
        for _ in range(10 * BURST_OF_HANDS):
            hands.send('{"do":"aside"}')
        assert hands.until_closed() == (1013, "too many messages: wait a moment")
        hands.close()
