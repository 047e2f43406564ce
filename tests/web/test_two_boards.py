"""Two boards on one machine: a browser sends its cookies to both, whatever their ports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from web.served import Screen, Served
from web.wire import ask, sit_down


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Served]:
    (tmp_path / "other").mkdir()
    served = Served(tmp_path / "other")
    yield served
    served.close()


@pytest.mark.slow
def test_one_device_keeps_its_seats_at_both(
    served: Served, other: Served, screen: Callable[..., Screen]
) -> None:
    phone = screen(served.links["red"])
    phone.page.goto(other.links["red"])
    phone.page.click("button.main")
    phone.live()
    for board in (served, other):
        phone.page.goto(f"{board.origin}/seat/red")
        phone.live()
    assert phone.errors == []
    assert len({cookie["name"] for cookie in phone.context.cookies()}) == 2


@pytest.mark.slow
def test_a_board_is_called_the_same_after_a_restart_and_its_name_tells_no_link(tmp_path: Path) -> None:
    first = Served(tmp_path)
    cookie = sit_down(first.origin, first.links["blue"])
    tokens = [link.rpartition("/")[2] for link in first.links.values()]
    first.close()
    second = Served(tmp_path)
    assert ask(second.origin, "/seat/blue", Cookie=cookie).status == 200
    assert sit_down(second.origin, second.links["red"]).partition("=")[0] == cookie.partition("=")[0].replace(
        "blue", "red"
    )
    assert not [token for token in tokens if token in cookie.partition("=")[0]]
    second.close()
