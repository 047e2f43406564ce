"""Crowds that hold lines and ask nothing: whoever has a seat still loads its page and plays."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from boardumpire.web import limits
from web.test_attacks import Table
from web.wire import PATIENCE_S, Socket, ask

CROWD = [f"127.0.0.{number}" for number in range(2, 10)]
"""Where those come from who hold lines; the seats sit elsewhere."""
SOON_S = 2 * limits.REQUEST_TIMEOUT_S
"""When what has to end after `limits.REQUEST_TIMEOUT_S` is over, on a machine that does other things, too."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    made = Table(tmp_path_factory.mktemp("crowded"))
    yield made
    made.close()


def line_to(table: Table, source: str) -> socket.socket:
    host, _, port = table.origin.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), PATIENCE_S, (source, 0))


def head(table: Table, asked: str, **headers: str) -> bytes:
    fields = {"Host": table.origin.removeprefix("http://"), **headers}
    lines = [f"{asked} HTTP/1.1", *(f"{name.replace('_', '-')}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def one_answer(line: socket.socket) -> bytes:
    """The head of an answer; its body is read as well."""
    got = b""
    while b"\r\n\r\n" not in got:
        part = line.recv(1 << 16)
        assert part, got
        got += part
    length = re.search(rb"content-length: (\d+)", got)
    assert length is not None, got
    while len(got.partition(b"\r\n\r\n")[2]) < int(length[1]):
        got += line.recv(1 << 16)
    return got.partition(b"\r\n\r\n")[0]


def loads_and_plays(table: Table) -> None:
    """A seat's device opens its page anew, with all that belongs to it, on lines of its own, and plays."""
    page = ask(table.origin, "/seat/red", Cookie=table.cookies["red"])
    assert page.status == 200, page.text
    parts = set(re.findall(r'(?:src|href)="(/[\w./-]+)"', page.text))
    assert any(part.endswith(".js") for part in parts)
    for part in parts:
        assert ask(table.origin, part, Cookie=table.cookies["red"]).status == 200
    screen = table.screen("red")
    assert table.answers(screen)
    screen.close()
    assert table.answers(), "and so does the screen that was open all the while"


def one_byte(table: Table, line: socket.socket) -> None:
    """Ask once, as any browser, and begin to ask once more."""
    line.sendall(head(table, "GET /about.json"))
    one_answer(line)
    line.sendall(b"G")


def half_a_body(table: Table, line: socket.socket) -> None:
    cookie = table.cookies["table"]  # who has no link is refused before it is read
    line.sendall(
        head(table, "POST /table/do", Cookie=cookie, Origin=table.origin, Content_Length="99") + b"{"
    )


HOLDING: list[Callable[[Table, socket.socket], None]] = [one_byte, half_a_body, lambda table, line: None]


@pytest.mark.few(1)
@pytest.mark.parametrize("hold", HOLDING, ids=["one byte", "half a body", "nothing"])
@pytest.mark.parametrize("each", [43, 70])
def test_a_seat_plays_on_while_a_crowd_without_links_holds_lines(
    table: Table, hold: Callable[[Table, socket.socket], None], each: int
) -> None:
    lines: list[socket.socket] = []
    for source in CROWD[:3] if each == 43 else CROWD:
        for _ in range(each):
            lines.append(line_to(table, source))
            with suppress(OSError, AssertionError):
                hold(table, lines[-1])
    loads_and_plays(table)
    assert table.files < 300
    for line in lines:
        line.close()


@pytest.mark.slow
def test_the_table_s_link_holds_no_room_of_a_seat(table: Table) -> None:
    """Sockets of the table's screen that never say hello: many, from many addresses."""
    held = []
    for number in range(300):
        with suppress(OSError, AssertionError):
            held.append(
                Socket(
                    table.origin,
                    "/socket",
                    cookie=table.cookies["table"],
                    source=CROWD[number % len(CROWD)],
                )
            )
    loads_and_plays(table)
    assert table.files < 300
    began = time.monotonic()
    assert held[-1].until_closed()[0] in (1006, 1008), "none says nothing for long"
    assert time.monotonic() - began < SOON_S
    for each in held:
        each.close()


def test_screens_that_look_on_leave_room_for_seats(table: Table) -> None:
    held = []
    for number in range(limits.SOCKETS_MAX + 8):
        screen = Socket(table.origin, "/socket", source=CROWD[number % len(CROWD)])
        screen.say(do="hello", epoch=None, n=0)
        held.append(screen)
    assert held[-1].until_closed()[0] == 1013, "more than there is room for"
    loads_and_plays(table)
    for each in held:
        each.close()


def test_another_seat_holds_no_room_of_this_one(table: Table) -> None:
    lines = []
    for number in range(200):
        lines.append(line_to(table, CROWD[number % len(CROWD)]))
        with suppress(OSError, AssertionError):
            lines[-1].sendall(head(table, "GET /about.json", Cookie=table.cookies["blue"]))
            one_answer(lines[-1])
    loads_and_plays(table)
    for line in lines:
        line.close()


@pytest.mark.slow
@pytest.mark.parametrize("size", [limits.HEAD_MAX_BYTES + 200, 30_000, 70_000])
def test_a_head_that_is_too_long_is_refused_however_it_comes(table: Table, size: int) -> None:
    asked = head(table, "GET /about.json", X_Long="x" * size)
    for pieces in (1, 2, 40):
        line = line_to(table, CROWD[0])
        step = len(asked) // pieces + 1
        with suppress(OSError):
            for begin in range(0, len(asked), step):
                line.sendall(asked[begin : begin + step])
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 431 ")
        line.close()


@pytest.mark.slow
def test_a_head_of_a_browser_with_many_cookies_is_not(table: Table) -> None:
    line = line_to(table, "127.0.0.1")
    line.sendall(head(table, "GET /about.json", X_Long="x" * (limits.HEAD_MAX_BYTES - 400)))
    assert one_answer(line).startswith(b"HTTP/1.1 200 ")
    line.close()
