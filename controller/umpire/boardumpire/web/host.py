"""What a page offers to the parts of it that have routes of their own."""

from __future__ import annotations

from typing import Protocol

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from boardrules.core import Seat
from boardumpire.web.screen_hub import ScreenHub
from boardumpire.web.seat_links import SeatLinks
from boardumpire.web.table_api import TableApi


class PageHost(Protocol):
    """The page of one table, as its seating and its PIN know it."""

    table_api: TableApi
    seat_links: SeatLinks
    screen_hub: ScreenHub

    def is_seated_at(self, connection: HTTPConnection, name: str) -> bool:
        """Whether the device that asks sits at that seat (or has the table's link)."""

    def has_any_link(self, connection: HTTPConnection) -> bool:
        """Whether the device that asks has any link of this table."""

    def link_holder(self, connection: HTTPConnection) -> str | None:
        """The seat whose device asks, or `table` for one that has no more than the table's link."""

    def seat_of_link(self, request: Request) -> str | None:
        """The seat (or `table`) that the link of a request leads to."""

    def cookie_name(self, name: str) -> str:
        """What a device's cookie is called."""

    def set_secret_cookie(self, response: Response, cookie: str, secret: str, *, seconds: int) -> None:
        """Have the device keep a secret that no script and no other site can use."""

    def set_seat_cookie(self, response: Response, name: str, secret: str) -> None:
        """Have the device remember that it sits there."""

    def renew_link(self, seat: Seat) -> None:
        """Give a seat a new link; whoever sits there, or asked by the old one, has to leave."""

    def no_table_response(self, request: Request) -> Response:
        """What is answered while there is no table."""

    def unknown_link_response(self, request: Request) -> Response:
        """What whoever guesses at links is told."""
