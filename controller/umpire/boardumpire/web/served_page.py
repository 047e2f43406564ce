"""The page in service: built from the configuration, listening, told what happens."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from starlette.requests import HTTPConnection, Request
from starlette.routing import BaseRoute

from boardrules.core import NO_SEAT, Seat, Space
from boardumpire.errors import BoardumpireError
from boardumpire.makers.workshop import Workshop
from boardumpire.ruling.proposals import SeatProposal
from boardumpire.service.addresses import reachable_addresses, url_host
from boardumpire.service.config import PageSection, parse_listen_address, parse_networks
from boardumpire.service.mdns import MdnsName
from boardumpire.supervision import keep_running, start_task
from boardumpire.web import health
from boardumpire.web.health import ObservedService
from boardumpire.web.page import AccessPolicy, PageExtras, TablePage
from boardumpire.web.page_server import OpenPageServer
from boardumpire.web.screen_hub import ScreenHub
from boardumpire.web.seat_links import WATCH_PATH, SeatLinks
from boardumpire.web.table_api import TableApi
from boardumpire.web.table_pin import load_or_make_pin


class PowerCycledService(TableApi, ObservedService, Protocol):
    """A table whose power can be cut, and that counts."""

    def cut_power(self, back_s: float) -> None:
        """Drop the table; it is back after so many seconds."""


class VirtualBoard(Protocol):
    """A simulated board with hands on the page: an entry point of the group `boardumpire.virtual`."""

    static_package: str
    """Where its static files are."""
    mistakes: Sequence[str]
    """What its maker did wrong, and where."""
    on_slide: Callable[[], None]
    """Called when a finger begins to push a piece over the board instead of lifting it."""

    @staticmethod
    def load_pico_modules() -> None:
        """Import early what only some boards need, so that a game begins sooner."""

    @property
    def driver_settings(self) -> Mapping[str, Any]:
        """Settings for the simulated drivers."""

    def routes(
        self, may: Callable[[HTTPConnection], bool], cut_power: Callable[[float], None]
    ) -> Sequence[BaseRoute]:
        """Its routes; `may` says whether a device may use hands."""

    def carry_piece(
        self, origin: Space, target: Space, *, seat: Seat = NO_SEAT, name: str = "", who: object = None
    ) -> bool:
        """Carry a piece from space to space; whether there was one. Of several it is the one with that
        `name`, else one of that `seat`."""

    @property
    def is_busy(self) -> bool:
        """Whether a piece is on its way."""

    def place_pieces(self, seat: Seat, spaces: Sequence[Space]) -> None:
        """Stand pieces of a seat on these spaces."""

    def lay_hand_aside(self) -> None:
        """Lay what waits in a hand beside the board."""

    def do_corrections(self, chores: Sequence[Mapping[str, Any]]) -> None:
        """Do these chores, with pieces from beside the board, too."""

    def apply_ruling(
        self,
        spaces: Mapping[Space, Seat],
        takes: Collection[tuple[Space, Space]],
        names: Mapping[Space, Collection[str]],
        joins: Collection[tuple[Space, Space]],
    ) -> None:
        """The umpire has ruled: on each of these spaces one piece of that owner belongs. `takes`: from where
        to where a piece takes the one that stands there; `names`: of pieces with names those that belong
        on each space; `joins`: from where to where a piece goes to stand beside another one."""

    def do_gesture(self, message: Mapping[str, Any], who: object) -> None:
        """Do what a finger of `who` does."""

    def is_home_piece_on(self, home: Space, space: Space) -> bool | None:
        """Whether the piece that belongs on `home` by the last ruling stands on `space`; `None` where hands
        don't know which it is."""

    def is_home_piece_held(self, home: Space) -> bool | None:
        """Whether the piece that belongs on `home` by the last ruling is in a hand; `None` as above."""

    def set_up_army(self, seat: Seat, prints: Mapping[Space, str], who: object) -> bool:
        """Stand pieces of a seat: by space what is printed on each, where that is a name. Whether all of them
        stand."""

    def reset_pieces(self, named: Mapping[str, Seat], unnamed_counts: Mapping[Seat, int]) -> None:
        """Lay the pieces of the next game beside the board: by their names the seat of those that have one,
        and by seat how many others there are."""

    def lend_ports(self) -> Mapping[str, Path]:
        """By Pico the serial port at which another process finds it from now on; none where the board has no
        Picos. Needs a running loop."""

    def start(self) -> None:
        """Let time run."""

    def stop(self) -> None:
        """Stop time."""


class ServedPage:
    """A page that listens."""

    def __init__(
        self,
        section: PageSection,
        table_api: PowerCycledService,
        virtual: VirtualBoard | None = None,
        workshop: Workshop | None = None,
        listening: socket.socket | None = None,
        machines: Mapping[Seat, str] = MappingProxyType({}),
        *,
        open_server: OpenPageServer | None = None,
    ) -> None:
        """`listening`: as `Server`; `machines`: by seat that the machine plays its level; those have no
        links; `open_server`: as `Platform`.

        Raises `ConfigError` for links that can't be read.
        """
        where = parse_listen_address(section.listen)
        assert where is not None, "the configuration was read"
        self._seats = [seat for seat in table_api.seats if seat not in machines]
        self._links = SeatLinks.open(section.links, self._seats)
        self._pin = load_or_make_pin(section.pin, section.links.with_name("pin"))
        self._name: MdnsName | None = None
        self._label = section.mdns
        self._virtual = virtual
        secure = bool(section.certificate)
        self.page = TablePage(
            table_api,
            self._links,
            AccessPolicy(
                section.names.split(),
                secure,
                section.confirm,
                section.spectator_delay,
                parse_networks(section.proxy) or (),
                self._external_url,
            ),
            PageExtras(
                virtual.routes(self._may_use_hands, table_api.cut_power) if virtual else (),
                (virtual.static_package,) if virtual else (),
                workshop,
                health.health_routes(table_api, parse_networks(section.metrics) or ()),
                machines,
            ),
            pin=self._pin,
        )
        if virtual is not None:
            self.page.screen_hub.on_view_change = lambda: virtual.apply_ruling(*table_api.public_pieces())
            if table_api.has_table:
                self.page.screen_hub.on_view_change()
        if open_server is None:
            from boardumpire.web.server import Server  # its libraries, only where a socket listens

            open_server = Server
        self._server = open_server(
            self.page.app,
            *where,
            section.certificate,
            section.key,
            holder=self.page.link_holder,
            listening=listening,
        )

    @property
    def screen_hub(self) -> ScreenHub:
        """Who is told what happens."""
        return self.page.screen_hub

    def _may_use_hands(self, connection: HTTPConnection) -> bool:
        return self.page.has_any_link(connection)

    async def start(self) -> None:
        """Listen. Raises `ConfigError`."""
        await self._server.start()
        address, port = self._server.listen_address
        if self._label and not ipaddress.ip_address(address).is_loopback:
            self._name = MdnsName(self._label, address, port, secure=self._server.is_secure)
            self._announcing = keep_running(self._name.keep_announced, "[page] mdns")
        if self._virtual is not None:
            self._virtual.start()

    def stop(self) -> None:
        """Hang up. Stopping twice is allowed."""
        if self._virtual is not None:
            self._virtual.stop()
        self._server.stop()
        if self._name is not None:
            name, self._name = self._name, None
            self._announcing.cancel()
            with contextlib.suppress(RuntimeError):  # no loop is left to say it on: it lapses by itself
                self._leaving = start_task(name.stop(), "[page] mdns")

    async def wait_closed(self) -> None:
        """After `stop`: until every screen has heard of it, at most a second."""
        await self._server.wait_closed()

    def _external_url(self, request: Request) -> str:
        """The address under which another device finds this page: as this one did, unless that is itself.
        Empty where none can."""
        host = request.url.hostname or ""
        port = "" if request.url.port is None else f":{request.url.port}"
        if host == "localhost" or host.startswith("127.") or host == "::1":
            return self._public_origin()
        return f"{request.url.scheme}://{url_host(host)}{port}"

    def _public_origin(self) -> str:
        """As `reach`, for who did not ask by the page."""
        listens_to, port = self._server.listen_address
        addresses = reachable_addresses(listens_to)
        if not addresses:
            return ""
        host = url_host(addresses[0])  # any phone opens that; a name in `.local` not every one
        if self._server.is_secure and self._name is not None and self._name.is_announced:
            host = self._name.host  # a certificate is for a name
        return f"{self._server.scheme}://{host}:{port}"

    @property
    def is_local_only(self) -> bool:
        """Whether the links open on this machine itself and nowhere else."""
        return not self._public_origin()

    @property
    def pin(self) -> str:
        """The table's PIN, for whoever runs the machine."""
        return self._pin.text

    @property
    def origin(self) -> str:
        """Where it is found, by other devices if that can be: `http://192.0.2.7:8080`."""
        return self._public_origin() or self._server.origin

    def grant_request(self, agreed: SeatProposal) -> None:
        """The table has agreed that somebody sits down on another device, or may try the PIN."""
        self.page.grant_request(agreed)

    def links(self, renew: Seat | None = None) -> dict[str, str]:
        """The whole links of all seats of people, the table and spectators, once `renew` got a new one."""
        if renew is not None:
            if not (renew in self._seats and self._links.has_link(renew)):
                people = ", ".join(seat for seat in self._seats if self._links.has_link(seat))
                raise BoardumpireError(f"no seat {renew!r} has a link; try one of {people}")
            self.page.renew_link(renew)
        paths = self._links.paths()
        paths = {
            **{seat: paths[seat] for seat in self._seats if seat in paths},
            WATCH_PATH: f"/{WATCH_PATH}",
            **paths,
        }
        origin = self.origin
        return {name: origin + path for name, path in paths.items()}
