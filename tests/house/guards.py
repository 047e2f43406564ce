"""Every guard of the page: what it stops, how the program is without it, and the test that notices.

`PYTHONPATH=tests python -m house.guards` prints them as a table.
"""

from __future__ import annotations

from typing import NamedTuple

from house.mutants import Mutant

WEB = "controller/umpire/boardumpire/web"
BENCH = "sim/simulator/boardsim/page/board.py"
HERE = "tests/web/test_guards.py"
LOST, ATTACKS, REFUSALS = (f"tests/web/test_{name}.py" for name in ("lost_phone", "attacks", "refusals"))
MACHINES = "tests/daemon/test_machine_seats.py"
CROWDS, PIN, ROOM = (f"tests/web/test_{name}.py" for name in ("crowds", "pin", "room"))


class Guard(NamedTuple):
    """A guard, by what it does."""

    name: str
    stops: str
    file: str
    there: str
    without: str
    test: str
    """The file of a test, and what pytest selects in it: `tests/web/test_guards.py::hello_first`."""

    @property
    def tests(self) -> tuple[str, ...]:
        """Arguments for pytest."""
        file, _, which = self.test.partition("::")
        return (file, "-m", "not slow and not nightly", "-k", which)

    def mutant(self) -> Mutant:
        """The program without it."""
        return Mutant(f"without: {self.name}", self.file, self.there, self.without, self.tests)


def _guard(name: str, stops: str, file: str, there: str, without: str, test: str) -> Guard:
    return Guard(
        name,
        stops,
        file if "/" in file else f"{WEB}/{file}",
        there,
        without,
        test if "::" in test else f"{HERE}::{test}",
    )


GUARDS = (
    # Who asks, and how
    _guard(
        "only addresses and own names are answered", "a name that is bound to the board's address",
        "request_guard.py", "if not self._is_known_host(host, scope):", "if False:",
        "only_addresses_and_our_own_names",
    ),
    _guard(
        "an origin has the same name and port", "another site that a player has open",
        "request_guard.py",
        'if origin is not None and origin.lower() != f"{scheme}://{host.lower()}":', "if False:",
        "only_the_same_scheme_name_and_port",
    ),
    _guard(
        "an origin has the same scheme", "what somebody put at the other scheme's port of the board's name",
        "request_guard.py", 'scheme = "https" if scope["scheme"] in ("https", "wss") else "http"',
        'scheme = (origin or "").partition(":")[0].lower()', "only_the_same_scheme_name_and_port",
    ),
    _guard(
        "only a named proxy says by which scheme it was asked", "a forged `X-Forwarded-Proto`",
        "request_guard.py", "return any(address in network for network in self._proxies)", "return True",
        "nobody_else_is_believed",
    ),
    _guard(
        "nobody is believed where no proxy is named", "a forged `X-Forwarded-Proto`",
        "request_guard.py", "if not self._proxies:\n            return False",
        "if not self._proxies:\n            return True",
        "nobody_else_is_believed",
    ),
    _guard(
        "a socket has an origin", "a program that is no page",
        "request_guard.py",
        'return None if origin is not None else (403, "a socket is opened from the page only")',
        "return None", "sends_has_no_origin",
    ),
    _guard(
        "a POST has an origin", "forms of other sites, sent by old browsers",
        "request_guard.py",
        'if origin is None:\n                return 403, "this is sent from the page only"',
        "pass",
        "sends_has_no_origin",
    ),
    _guard(
        "three methods are answered", "whatever else HTTP knows",
        "request_guard.py", 'if scope["method"] not in ALLOWED_METHODS:', "if False:", "no_other_method",
    ),
    _guard(
        "a body has a length", "a body without end",
        "request_guard.py", 'if "transfer-encoding" in headers:', "if False:", "of_unknown_length",
    ),
    _guard(
        "a body has a most", "large bodies",
        "request_guard.py",
        'if headers.get("content-length", "0") not in map(str, range(BODY_MAX_BYTES + 1)):', "if False:",
        "a_body_has_a_most",
    ),
    _guard(
        "requests are counted by device and address", "floods of requests",
        "request_guard.py",
        "if not self._asked.take_token(f\"{self._holder(HTTPConnection(scope)) or ''} {address}\"):",
        "if False:", "requests_are_counted",
    ),
    _guard(
        "a seat's requests are counted by themselves", "a flood that keeps a seat at its address out",
        "request_guard.py", "f\"{self._holder(HTTPConnection(scope)) or ''} {address}\"", "address",
        "requests_are_counted",
    ),
    _guard(
        "answers carry a policy", "scripts and frames from elsewhere",
        "request_guard.py", "await self._app(scope, receive, _with_security_headers(send))",
        "await self._app(scope, receive, send)",
        "every_answer_says",
    ),
    _guard(
        "no answer is kept unless it says so", "a device that goes on showing a seat",
        "request_guard.py", 'headers.setdefault("cache-control", "no-store")\n        await', "await",
        "every_answer_says",
    ),
    _guard(
        "a head has a most", "long heads that come in one piece",
        "connection.py",
        "if size > limits.HEAD_MAX_BYTES:", "if False:", f"{CROWDS}::a_head_that_is_too_long",
    ),
    _guard(
        "a head and a body take five seconds at most", "who holds lines and doesn't finish asking",
        "connection.py", "self.loop.call_later(TIMEOUTS_S[at], self.transport.abort)", "None",
        "tests/web/test_patience.py::five_seconds_at_most",
    ),
    _guard(
        "a byte begins nothing anew", "who sends one now and then",
        "connection.py",
        "if at != self._phase:", "if True:", "tests/web/test_patience.py::five_seconds_at_most",
    ),
    _guard(
        "a screen says its first word within five seconds", "who opens sockets and says nothing",
        "screen.py",
        "async with asyncio.timeout(limits.REQUEST_TIMEOUT_S):", "async with asyncio.timeout(None):",
        "tests/web/test_patience.py::first_word",
    ),
    _guard(
        "a message has a most", "large messages",
        "server.py", "ws_max_size=limits.MESSAGE_MAX_BYTES", "ws_max_size=1 << 30", "a_message_has_a_most",
    ),
    _guard(
        "nothing is compressed on sockets", "a listener who tells messages apart by their length",
        "server.py", "ws_per_message_deflate=False", "ws_per_message_deflate=True",
        "seat_is_told_is_compressed",
    ),
    _guard(
        "connections of strangers have a most", "who holds lines and asks nothing",
        "connection_pool.py",
        "if len(group) <= _connections_max(holder) and (holder or most <= limits.STRANGERS_PER_ADDRESS):",
        "if True:", "tests/web/test_pool.py::crowd_of_strangers",
    ),
    _guard(
        "of which an address has a part", "one who holds the room of all strangers",
        "connection_pool.py", "(holder or most <= limits.STRANGERS_PER_ADDRESS)", "True",
        "tests/web/test_pool.py::one_address",
    ),
    _guard(
        "whoever holds most loses a line", "who crowds others out",
        "connection_pool.py",
        "network, most = crowd.most_common(1)[0]", "network, most = crowd.most_common()[-1]",
        "tests/web/test_pool.py::crowd_of_strangers",
    ),
    _guard(
        "a seat's lines are counted by themselves", "a crowd that keeps seats out",
        "connection_pool.py",
        "held.link_holder = holder", "pass", "tests/web/test_pool.py::a_seat_keeps_its_line",
    ),
    # Links and seats
    _guard(
        "links have 144 random bits", "guesses at links",
        "seat_links.py", "return secrets.token_urlsafe(18)", "return secrets.token_urlsafe(9)",
        "links_have_144_bits",
    ),
    _guard(
        "wrong links are counted", "guesses at links",
        "page.py", "if not self._guesses.take_token(address):", "if False:", "links_are_guessed_twenty_times",
    ),
    _guard(
        "a link is bound to its first device", "a stolen link",
        "seat_links.py", "raise SeatTaken(name)", "pass", "first_device_that_sits_down",
    ),
    _guard(
        "a taken seat is asked for, not given", "a stolen link",
        "page.py",
        "if name != TABLE_LINK and (self._confirm or self.seat_links.is_taken(name)):\n            return",
        "if False:\n            return",
        "with_confirm_a_link_alone",
    ),
    _guard(
        "a seat opens to its device's secret alone", "another device, and another seat's",
        "seat_links.py",
        "return expected is not None and hmac.compare_digest(expected, _digest(secret))",
        "return expected is not None", "a_seats_cookie_opens",
    ),
    _guard(
        "a seat's page is its own device's", "the opponent",
        "page.py", "if not self.is_seated_at(request, seat):", "if False:", "a_seats_cookie_opens",
    ),
    _guard(
        "a seat's socket is its own device's", "the opponent",
        "page.py", "if seat not in self.table_api.seats or not self.is_seated_at(socket, seat):",
        "if seat not in self.table_api.seats:", "a_seats_cookie_opens",
    ),
    _guard(
        "looking at a link binds nothing", "messengers that show where a link leads",
        "page.py", 'if request.method != "POST":\n            return self._seat_form(request, name)', "pass",
        "looks_at_a_link_binds_nothing",
    ),
    _guard(
        "with `confirm` a link alone seats nobody", "who photographs a code over a shoulder",
        "page.py", "(self._confirm or self.seat_links.is_taken(name))", "self.seat_links.is_taken(name)",
        "with_confirm_a_link_alone",
    ),
    _guard(
        "a cookie is kept from scripts", "a script of somebody else's in the page",
        "page.py", "httponly=True", "httponly=False", "cookie_is_kept_from_scripts",
    ),
    _guard(
        "a cookie is kept from other sites", "another site's requests",
        "page.py", 'samesite="lax"', 'samesite="none"', "cookie_is_kept_from_scripts",
    ),
    _guard(
        "over TLS a cookie is sent over TLS alone", "who reads along",
        "page.py", "secure=self._secure)", "secure=False)", "cookie_is_kept_from_scripts",
    ),
    _guard(
        "a cookie is called after its board", "another board on the same machine",
        "page.py", 'return f"boardumpire-{self.seat_links.board_tag}-{name}"', 'return f"boardumpire-{name}"',
        "another_board_has_other_cookies",
    ),
    _guard(
        "files keep a digest of a device's secret", "who reads a backup",
        "seat_links.py",
        "link.device = _digest(secret)\n", "link.device = secret\n", "links_have_144_bits",
    ),
    _guard(
        "files of links are their owner's", "other users of the machine",
        "seat_links.py", "text.encode(), 0o600", "text.encode(), 0o644", "links_have_144_bits",
    ),
    _guard(
        "a new link hangs up on the old screens", "a device that has to leave",
        "page.py",
        "self.seating.cancel_request(seat)\n        self.screen_hub.close_seat(seat)",
        "self.seating.cancel_request(seat)",
        "a_new_link_turns",
    ),
    # A seat moves to another device
    _guard(
        "an owner whose screen is open is asked as well", "the others, who take a seat between them",
        "seating.py", "ask_everybody=watched", "all_of_them=False", f"{LOST}::owner_whose_screen_is_open",
    ),
    _guard(
        "and without its own yes nothing moves", "the others, who take a seat between them",
        "controller/umpire/boardumpire/ruling/proposals.py",
        'if proposal.kind() == "move-seat" and proposal.subject() in set(screens) - agree:', "if False:",
        f"{LOST}::opens_its_screen_meanwhile",
    ),
    _guard(
        "while the board asks nobody asks for a seat", "an opponent with a second phone, at every attack",
        "controller/umpire/boardumpire/table/seat_commands.py",
        "in SEATING_REQUESTS and self.matters.is_board_asking():",
        "in SEATING_REQUESTS and False:",
        f"{LOST}::gives_a_seat_away",
    ),
    _guard(
        "what was agreed lapses after a minute", "a seat that stands open",
        "seating.py", "self._granted_at is not None and self._clock() < self._granted_at + PICKUP_TIMEOUT_S",
        "self._granted_at is not None", f"{LOST}::fetched_within_a_minute",
    ),
    _guard(
        "what was agreed is for the device that asked", "another device that follows the same link",
        "seating.py",
        "return hmac.compare_digest(asked.secret_digest, _secret_digest(secret))", "return True",
        f"{LOST}::seats_no_other",
    ),
    _guard(
        "and for the seat that it asked for", "who asks for one seat and takes another",
        "seating.py", "if asked is None or secret is None or asked.seat != name:",
        "if asked is None or secret is None:", f"{LOST}::seats_no_other",
    ),
    _guard(
        "another wish of the table seats nobody", "a yes to something else",
        "seating.py", "if self._asked is not None and agreed.request == self._asked.thing:",
        "if self._asked is not None:", f"{LOST}::another_wish",
    ),
    _guard(
        "the old device's screens are hung up on", "who finds the lost phone",
        "seating.py", "self._page.screen_hub.close_seat(name)", "pass", f"{LOST}::leaves_nothing",
    ),
    _guard(
        "who asked by an old link waits for nothing", "who asked before the link was renewed",
        "seating.py", "self._asked = self._granted_at = None\n\n    def routes", "pass\n\n    def routes",
        f"{LOST}::by_an_old_link",
    ),
    # Seats that the machine plays
    _guard(
        "a seat that the machine plays has no link", "who reads along at a machine's seat",
        "served_page.py",
        "[seat for seat in table_api.seats if seat not in machines]",
        "list(table_api.seats)",
        f"{MACHINES}::no_way_leads_to_a_seat_of_the_machine",
    ),
    _guard(
        "its link can't be renewed", "whoever has the PIN",
        "pin_routes.py",
        "seat in table_api.seats and self._page.seat_links.has_link(seat)",
        "seat in table_api.seats",
        f"{MACHINES}::no_way_leads_to_a_seat_of_the_machine",
    ),
    _guard(
        "nobody asks for it by a link from before", "who had that seat in another game",
        "seat_links.py",
        "{name: known.get(name) or _SeatLink(_new_token()) for name in (*seats, TABLE_LINK)}",
        "known | {n: known.get(n) or _SeatLink(_new_token()) for n in (*seats, TABLE_LINK)}",
        f"{MACHINES}::no_way_leads_to_a_seat_of_the_machine",
    ),
    _guard(
        "no code leads there", "who says that a phone is lost",
        "seating.py", "if seat in page.table_api.seats and not page.seat_links.has_link(seat):", "if False:",
        f"{MACHINES}::no_way_leads_to_a_seat_of_the_machine",
    ),
    _guard(
        "the control socket shows nothing of it", "who may type commands on the machine",
        "controller/umpire/boardumpire/service/control.py", "if seat in self._machines:", "if False:",
        f"{MACHINES}::control_socket_neither_shows",
    ),
    _guard(
        "nor has the seat of a lesson's partner a link", "who reads along beside whoever learns",
        "seat_links.py",
        "return name in self._links and name not in self.get_program_seats()", "return name in self._links",
        f"{MACHINES}::lessons_partner",
    ),
    _guard(
        "after a no a seat can't be asked for at once", "who asks until somebody says yes",
        "seating.py", "if self.is_paused(name) or not (", "if not (",
        "tests/web/test_confirm.py::can_not_be_asked_for_at_once",
    ),
    _guard(
        "requests for seats are counted", "who rings the board without end",
        "seating.py", "not (self._each.has_token(address) and self._all.has_token())", "False",
        "tests/web/test_confirm.py::requests_for_seats_are_counted",
    ),
    _guard(
        "seats are shown to who has a link", "passers-by",
        "seating.py",
        "if not page.has_any_link(request):\n            return _refusal_response()\n        seats",
        "seats", "no_link_is_shown_none",
    ),
    _guard(
        "codes are shown to who has a link", "passers-by",
        "seating.py",
        "if not page.has_any_link(request):\n            return _refusal_response()\n        if seat in page",
        "if seat in page", "no_link_is_shown_none",
    ),
    _guard(
        "the link of a taken seat is not shown", "who looks over a shoulder",
        "seating.py", '"link": None if taken else self._seat_url(request, seat) or None',
        '"link": self._seat_url(request, seat) or None', "neither_given_nor_shown",
    ),
    _guard(
        "nor its code, but for a lost phone", "who looks over a shoulder",
        "seating.py",
        'if page.seat_links.is_taken(seat) and "lost" not in request.query_params:', "if False:",
        "neither_given_nor_shown",
    ),
    # The PIN
    _guard(
        "orders are taken from who has a link", "passers-by, who would guess at the PIN",
        "pin_routes.py",
        "if holder is None:\n            return _refusal_response()", "holder = holder or TABLE_LINK",
        "no_link_orders_nothing",
    ),
    _guard(
        "what there is to choose is shown to who has a link", "passers-by",
        "pin_routes.py", "if not self._page.has_any_link(request):", "if False:", "no_link_is_shown_none",
    ),
    _guard(
        "the PIN is shown to the table alone", "a seat that shall not have it",
        "pin_routes.py",
        'self._pin.text if self._page.is_seated_at(request, TABLE_LINK) else ""', "self._pin.text",
        "pin_is_shown_to_the_table_alone",
    ),
    _guard(
        "orders need the PIN", "a seat that shuts the table down",
        "pin_routes.py",
        'self._pin.check_pin(wanted["pin"], holder, request.client.host if request.client else "")',
        "pass", "needs_the_pin",
    ),
    _guard(
        "all but a new game needs the PIN", "a seat that shuts the table down",
        "pin_routes.py",
        'COMMANDS_WITHOUT_PIN = ("new",)',
        'COMMANDS_WITHOUT_PIN = ("new", "sound", "shut-down", "update", "links")',
        "needs_the_pin",
    ),
    _guard(
        "wrong PINs of a seat are counted", "guesses at the PIN",
        "table_pin.py",
        "if not self._each.has_token(who):", "if False:", f"{PIN}::one_seat_at_many_addresses",
    ),
    _guard(
        "a seat's guesses are counted wherever it is", "guesses from many addresses",
        "table_pin.py", 'f"{holder} {address}" if holder == TABLE_LINK else holder', 'f"{holder} {address}"',
        f"{PIN}::one_seat_at_many_addresses",
    ),
    _guard(
        "those with the table's link are counted together", "guesses from many addresses",
        "table_pin.py",
        "if together and not self._all.has_token() and not self._has_proof(who):", "if False:",
        f"{PIN}::many_addresses",
    ),
    _guard(
        "who knew the PIN is not kept out", "who guesses to keep its owner out",
        "table_pin.py",
        "together = holder == TABLE_LINK and who not in self._knew", "together = holder == TABLE_LINK",
        f"{PIN}::many_addresses",
    ),
    _guard(
        "`confirm` lets each address try two", "guesses behind somebody's `confirm`",
        "table_pin.py",
        "return self._tried[who] <= TRIES_AFTER_PROOF", "return True", f"{PIN}::whoever_is_at_the_board",
    ),
    _guard(
        "and for a minute", "guesses behind somebody's `confirm`",
        "table_pin.py",
        "if self._clock() >= self._proven_until or (", "if (", f"{PIN}::whoever_is_at_the_board",
    ),
    _guard(
        "the PIN's file is its owner's", "other users of the machine",
        "table_pin.py", ".encode(), 0o600", ".encode(), 0o644", f"{PIN}::kept_for_the_owner",
    ),
    # Screens
    _guard(
        "messages come ten a second", "floods of messages",
        "screen.py", "if not bucket.take_token():", "if False:", "messages_come_ten_a_second",
    ),
    _guard(
        "a screen says hello first", "what is no page of ours",
        "screen.py", 'if hello.get("do") != "hello":', "if False:", "a_screen_says_hello",
    ),
    _guard(
        "what no page sends ends the conversation", "strange messages",
        "screen.py", 'raise BadMessage("bad message: not JSON") from None', "value = {}",
        "what_no_page_sends",
    ),
    _guard(
        "only a seat says something", "the table's screen, and passers-by",
        "screen.py", 'if checked["do"] != "here":', "if False:", "only_a_seat_says",
    ),
    _guard(
        "what was answered is not done again", "a message that is sent again",
        "screen.py", "answer = self._answers.get(id_)", "answer = None",
        "what_was_answered_is_not_done_again",
    ),
    _guard(
        "every answer is as long", "a listener who tells answers apart",
        "screen.py",
        "announce.translate(self._answer_once(message), language), limits.PADDED_MESSAGE_BYTES",
        "announce.translate(self._answer_once(message), language), 1",
        "every_answer_is_as_long",
    ),
    _guard(
        "who does not read is hung up on", "what would be kept for him",
        "screen.py", "if self._waiting > limits.BACKLOG_MAX_BYTES:", "if False:", "who_does_not_read",
    ),
    _guard(
        "a seat has so many screens", "one seat that holds all room",
        "screen_hub.py",
        "elif len(mine) >= limits.SOCKETS_PER_SEAT:", "elif False:", "a_seat_has_so_many_screens",
    ),
    _guard(
        "so many screens look on", "a crowd of screens",
        "screen_hub.py", "if len(looking) >= limits.SOCKETS_MAX:", "if False:", "so_many_screens_look_on",
    ),
    _guard(
        "and so many of one address", "one address that holds all room",
        "screen_hub.py",
        "if Counter(each.address for each in looking)[screen.address] >= limits.SOCKETS_PER_ADDRESS:",
        "if False:", "so_many_screens_look_on",
    ),
    _guard(
        "views are of one size", "a listener who counts a seat's moves",
        "screen_hub.py",
        "pad_to=VIEW_PADDING_BYTES if audience else 0", "pad_to=0", "views_of_a_seat_are_of_one_size",
    ),
    _guard(
        "late spectators have no live page", "a spectator who tells a player",
        "page.py",
        'RedirectResponse("/watch", 303)\n            if self.is_spectator(request)\n            else await',
        "await", "late_spectators",
    ),
    _guard(
        "nor a live socket", "a spectator who tells a player",
        "page.py", "if self.is_spectator(socket):", "if False:", "late_spectators",
    ),
    _guard(
        "the makers' screen is for the table's link", "seats, whose board it stops",
        "page.py", "lambda asks: self.is_seated_at(asks, TABLE_LINK)", "lambda asks: True",
        "tests/web/test_makers.py::without_the_tables_link",
    ),
    _guard(
        "counts are for the machine and whom it names", "a spectator who counts live",
        "health.py", "return address.is_loopback or any(address in network for network in known)",
        "return True",
        "tests/daemon/test_metrics.py::counts_are_for_the_machine",
    ),
    _guard(
        "the set-up needs a code", "who is in the same network",
        "setup_page.py", "if not self._entry.is_admitted(request):", "if False:",
        "tests/web/test_setup.py::device_without_the_code",
    ),
    _guard(
        "a code lets one device in", "who has read the code as well",
        "entry_code.py", "self._code = _new_code()\n        self._made()", "self._made()",
        "tests/web/test_setup.py::device_without_the_code or one_device",
    ),
    _guard(
        "the code has to be right", "guesses at the code",
        "entry_code.py", "if not hmac.compare_digest(", "if False and hmac.compare_digest(",
        "tests/web/test_setup.py::whoever_guesses",
    ),
    _guard(
        "the set-up is for devices of the machine's networks", "the internet",
        "entry_code.py", "if network.prefixlen and asks in network:", "if True:",
        "tests/web/test_setup.py::another_network",
    ),
    # Hands on a simulated board
    _guard(
        "hands are for who has a link", "passers-by, who would move pieces",
        BENCH, "if not may(socket):", "if False:", "hands_are_for_who_has_a_link",
    ),
    _guard(
        "a device that has left its seat has no hands any more", "who was turned out, with a page still open",
        BENCH, "if not self._allowed(self._socket):", "if False:", "hands_of_a_device_that_has_left",
    ),
    _guard(
        "there are so many hands", "a crowd of hands",
        BENCH, "elif len(self._sockets) >= SOCKETS_MAX:", "elif False:", "there_are_so_many_hands",
    ),
    _guard(
        "hands do so much a second", "floods of messages",
        BENCH, "if not self._take_rate_token():", "if False:", "hands_do_so_much",
    ),
)  # fmt: skip


def table() -> str:
    """All of them, a row each, with the test that notices."""
    lines = ["| guard | what it stops | the test |", "|---|---|---|"]
    for each in GUARDS:
        file, _, which = each.test.partition("::")
        test = file.rpartition("/")[2].removesuffix(".py")
        lines.append(f"| {each.name} | {each.stops} | `{test}`, `{which}` |")
    return "\n".join((*lines, ""))


if __name__ == "__main__":
    print(table(), end="")
