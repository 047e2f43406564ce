"""Who is hung up on where one connection too many comes: the one that holds most, never a seat for others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from boardumpire.web import limits
from boardumpire.web.connection_pool import ConnectionPool
from boardumpire.web.seat_links import TABLE_LINK


class Lines:
    """Connections to a pool, and which of them have ended."""

    def __init__(self) -> None:
        self.pool = ConnectionPool()
        self.ended: list[tuple[str, int]] = []

    def come(self, address: str, port: int, holder: str | None = None) -> tuple[str, int]:
        client = address, port
        self.pool.add(client, self._end(client))
        if holder is not None:
            self.pool.note_request(client, holder)
        return client

    def _end(self, client: tuple[str, int]) -> Callable[[], None]:
        return lambda: self.ended.append(client)


@pytest.fixture
def lines() -> Lines:
    return Lines()


def test_of_a_crowd_of_strangers_whoever_holds_most_loses_the_oldest(lines: Lines) -> None:
    for number in range(limits.STRANGERS_MAX - 3):
        lines.come(f"192.0.2.{number}", 1)
    held = [lines.come("198.51.100.1", port) for port in range(4)]
    assert lines.ended == held[:1]
    assert len(lines.pool) == limits.STRANGERS_MAX


def test_one_address_has_a_part_of_the_room_of_strangers(lines: Lines) -> None:
    held = [lines.come("198.51.100.1", port) for port in range(limits.STRANGERS_PER_ADDRESS + 2)]
    assert lines.ended == held[:2]


def test_in_an_ipv6_network_all_addresses_are_one_household(lines: Lines) -> None:
    held = [lines.come(f"2001:db8::{port:x}", port) for port in range(limits.STRANGERS_PER_ADDRESS + 1)]
    assert lines.ended == held[:1]


def test_a_seat_keeps_its_line_in_any_crowd(lines: Lines) -> None:
    seat = lines.come("198.51.100.1", 1, "red")
    for port in range(2, 2 + 2 * limits.STRANGERS_MAX):
        lines.come("198.51.100.1", port)
    for port in range(500, 500 + limits.CONNECTIONS_OF_TABLE + 5):
        lines.come("198.51.100.1", port, TABLE_LINK)
    for port in range(700, 700 + limits.CONNECTIONS_PER_SEAT + 5):
        lines.come("198.51.100.1", port, "blue")
    assert seat not in lines.ended


@pytest.mark.parametrize(
    ("holder", "most"), [("red", limits.CONNECTIONS_PER_SEAT), (TABLE_LINK, limits.CONNECTIONS_OF_TABLE)]
)
def test_each_link_has_so_many_lines(lines: Lines, holder: str, most: int) -> None:
    held = [lines.come("198.51.100.1", port, holder) for port in range(most + 3)]
    assert lines.ended == held[:3]
