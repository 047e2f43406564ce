"""`[page] confirm`: a link alone seats nobody; somebody at the table has to agree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardumpire.web.seating import Seating
from daemon.service import Service
from web.wire import Answer, ask


class Guest:
    """A device that follows a seat's link."""

    def __init__(self, service: Service, seat: str) -> None:
        self.origin, _, path = service.ask("links")["links"][seat].partition("/link")
        self.path = f"/link{path}"
        self.cookie = ""

    def post(self, more: str = "") -> Answer:
        return self._ask(more, "POST")

    def look(self) -> Answer:
        """What its page asks for while it waits."""
        return self._ask("/ask", "GET")

    def preview(self) -> Answer:
        """What a messenger asks for that shows where a link leads."""
        return ask(self.origin, self.path, "HEAD")

    def peek(self) -> int:
        """What its page looks at until there is an answer; it takes nothing."""
        return self._ask("/ask", "HEAD").status

    def _ask(self, more: str, method: str) -> Answer:
        answer = ask(self.origin, self.path + more, method, Origin=self.origin, Cookie=self.cookie)
        if given := answer.headers.get("set-cookie", ""):
            self.cookie = given.partition(";")[0]
        return answer

    def opens(self) -> int:
        """The status of the seat's own screen."""
        return ask(self.origin, "/seat/red", Cookie=self.cookie).status


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    found = Service(tmp_path)
    with found.config.open("a") as config:
        config.write('[page]\nlisten = "127.0.0.1:0"\nconfirm = true\n')
    found.start()
    yield found
    found.close()


def test_a_free_seat_is_given_once_somebody_at_the_table_agrees(service: Service) -> None:
    guest = Guest(service, "red")
    assert guest.post().status == 200
    assert "The others have to agree first" in guest.post().text
    assert guest.opens() == 403, "its link alone opens nothing"
    assert guest.post("/ask").status == 202
    assert (guest.look().status, guest.opens()) == (202, 403)
    service.ask("say", seat="red", text="yes sit-down red")
    assert guest.peek() == 202, "not by the seat that is asked for"
    assert service.ask("say", seat="blue", text="yes sit-down red")["ok"]
    assert (guest.peek(), guest.peek(), guest.opens()) == (200, 200, 403)
    assert (guest.look().status, guest.opens()) == (303, 200)


def test_a_seat_that_was_declined_can_not_be_asked_for_at_once_by_anybody(service: Service) -> None:
    guest, other = Guest(service, "red"), Guest(service, "red")
    assert guest.post("/ask").status == 202
    assert other.post("/ask").status == 409, "one asks at a time"
    assert service.ask("say", seat="blue", text="no sit-down red")["ok"]
    assert guest.peek() == 200
    assert (guest.look().status, guest.opens()) == (403, 403)
    assert (other.look().status, other.opens()) == (200, 403)
    assert other.post("/ask").status == 429, "a minute has to go by first"
    third = Guest(service, "blue")
    assert third.post("/ask").status == 202, "another seat is another question"
    assert service.ask("say", seat="red", text="yes sit-down blue")["ok"]
    assert (third.peek(), guest.opens(), other.opens()) == (200, 403, 403)


def test_after_each_no_the_wait_doubles_up_to_an_hour_and_ends_with_a_yes() -> None:
    now = [0.0]
    nothing: Any = None
    seating = Seating(nothing, lambda request: "", lambda: now[0])
    assert not seating.is_paused("red")
    for wait in (60, 120, 240, 480, 960, 1920, 3840, 3840):
        seating.note_declined("move-seat red")
        now[0] += wait - 0.1
        assert seating.is_paused("red")
        assert not seating.is_paused("blue")
        now[0] += 0.2
        assert not seating.is_paused("red")
    seating.note_declined("adjourn")
    assert not seating.is_paused("red"), "only a no to a request for a seat"


def test_requests_for_seats_are_counted(service: Service) -> None:
    """Each one rings the board: an address may make some at once, and then one a minute."""
    said = []
    for number in range(14):
        guest = Guest(service, ("red", "blue")[number % 2])
        said.append(guest.post("/ask").status)
        service.ask("links", renew=("red", "blue")[number % 2])  # it waits no more
        service.ask("say", seat="blue", text="yes sit-down red")
        service.ask("say", seat="red", text="yes sit-down blue")
    assert said[:10] == [202] * 10
    assert set(said[10:]) == {429}


def test_what_only_looks_at_a_link_takes_no_seat(tmp_path: Path) -> None:
    """Messengers send HEAD to show where a link leads; only the button on its page sits down."""
    service = Service(tmp_path)
    with service.config.open("a") as config:
        config.write('[page]\nlisten = "127.0.0.1:0"\n')
    service.start()
    guest = Guest(service, "red")
    assert guest.preview().status == 200
    assert guest.preview().headers.get("set-cookie", "") == ""
    assert guest.post().status == 303
    assert guest.opens() == 200
    service.close()


def test_a_seat_that_nobody_fetched_keeps_nobody_else_out(service: Service) -> None:
    """The device that asked is gone; its link is renewed, and another one asks."""
    lost, other = Guest(service, "red"), Guest(service, "blue")
    assert lost.post("/ask").status == 202
    assert service.ask("say", seat="blue", text="yes sit-down red")["ok"]
    assert other.post("/ask").status == 409, "for a minute it may be fetched"
    service.ask("links", renew="red")
    assert other.post("/ask").status == 202
