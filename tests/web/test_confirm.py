"""`[page] confirm`: a link alone seats nobody; somebody at the table has to agree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

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
    service.ask("say", seat="red", text="yes")
    assert guest.peek() == 202, "not by the seat that is asked for"
    assert service.ask("say", seat="blue", text="yes")["ok"]
    assert (guest.peek(), guest.peek(), guest.opens()) == (200, 200, 403)
    assert (guest.look().status, guest.opens()) == (303, 200)


def test_who_was_declined_may_ask_again_and_nobody_else_sits_meanwhile(service: Service) -> None:
    guest, other = Guest(service, "red"), Guest(service, "red")
    assert guest.post("/ask").status == 202
    assert other.post("/ask").status == 409, "one asks at a time"
    assert service.ask("say", seat="blue", text="no")["ok"]
    assert guest.peek() == 200
    assert (guest.look().status, guest.opens()) == (403, 403)
    assert (other.look().status, other.opens()) == (200, 403)
    assert other.post("/ask").status == 202
    assert service.ask("say", seat="blue", text="yes")["ok"]
    assert (guest.look().status, guest.opens()) == (200, 403), "it was the other that was agreed to"
    assert (other.look().status, other.opens()) == (303, 200)


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
    assert service.ask("say", seat="blue", text="yes")["ok"]
    assert other.post("/ask").status == 409, "for a minute it may be fetched"
    service.ask("links", renew="red")
    assert other.post("/ask").status == 202
