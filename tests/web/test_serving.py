"""The page's server starts and stops on the daemon's own loop."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from wsproto import ConnectionState, ConnectionType, WSConnection
from wsproto.events import CloseConnection, Request

from boardumpire.commands import page
from boardumpire.commands.page import simulated_config
from boardumpire.errors import ConfigError, UnreachableAddress
from boardumpire.web.page import TablePage
from boardumpire.web.seat_links import SeatLinks
from boardumpire.web.server import Server
from web.desks import ToyDesk
from web.served import Served
from web.wire import Socket, sit_down


def test_it_stops_while_a_screen_is_hanging_up() -> None:
    """Between a screen's goodbye and the end of its line the server must not say goodbye to it again."""

    async def scene() -> None:
        desk = ToyDesk()
        server = Server(TablePage(desk, SeatLinks.open(None, desk.seats)).app, "127.0.0.1", 0)
        await server.start()
        where = urlsplit(server.origin)
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        screen = WSConnection(ConnectionType.CLIENT)
        origin = [(b"origin", server.origin.encode())]
        writer.write(screen.send(Request(where.netloc, "/socket", extra_headers=origin)))
        screen.receive_data(await reader.readuntil(b"\r\n\r\n"))
        writer.write(screen.send(CloseConnection(code=1000)))
        connections = server._state.connections
        while not [each for each in connections if each.conn.state is ConnectionState.CLOSED]:
            await asyncio.sleep(0)
        server.stop()
        await server.wait_closed()
        assert await reader.read() == _goodbye()
        writer.close()
        await writer.wait_closed()

    with ThreadPoolExecutor(1) as other:  # in this thread Playwright's own loop may be running
        other.submit(asyncio.run, scene()).result()


def _goodbye() -> bytes:
    """A server's answer to a goodbye with code 1000: one frame, not masked."""
    return b"\x88\x02\x03\xe8"


@pytest.mark.slow
def test_it_ends_without_a_word_of_its_own_while_screens_are_open(served: Served) -> None:
    cookies = {seat: sit_down(served.origin, served.links[seat]) for seat in ("red", "table")}
    screens = [Socket(served.origin, "/socket/red", cookie=cookies["red"]), Socket(served.origin, "/socket")]
    for screen in screens:
        screen.hello()
    served.close()
    for screen in screens:
        screen.until_closed()
        screen.close()
    assert "Traceback" not in (served.state / "log").read_text()


def test_the_computer_under_a_simulated_board_is_not_shut_down(tmp_path: Path) -> None:
    given = argparse.Namespace(
        listen="127.0.0.1:0",
        board="quick-battle-8x8",
        driver="pico-sim",
        game="stratego-quick-duel",
        option=[],
        machine=[],
        https=False,
        spectator_delay=0,
    )
    assert not simulated_config(given, tmp_path).machine.power_off


def test_who_plays_beside_another_gets_the_next_free_port(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as another:
        another.bind(("127.0.0.1", 0))
        another.listen()
        taken = another.getsockname()[1]
        monkeypatch.setattr(page, "LISTEN_PORTS", range(taken, taken + 20))
        given = argparse.Namespace(listen="")
        with contextlib.closing(page._open_listening_socket(given)) as one:
            assert given.listen == f"127.0.0.1:{one.getsockname()[1]}"
            assert taken < one.getsockname()[1] < taken + 20
            with contextlib.closing(page._open_listening_socket(argparse.Namespace(listen=""))) as other:
                assert other.getsockname()[1] > one.getsockname()[1]
        monkeypatch.setattr(page, "LISTEN_PORTS", range(taken, taken + 1))
        with pytest.raises(UnreachableAddress, match="try --listen"):
            page._open_listening_socket(argparse.Namespace(listen=""))


def test_a_game_without_a_board_is_named() -> None:
    with pytest.raises(
        ConfigError, match=r"--game nosuch: no shipped board has this game; try one of .*duel"
    ):
        page._default_board("nosuch")
