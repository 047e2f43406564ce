"""What the daemon does for its table: clocks that outlive it, another game, an end for today."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardumpire.errors import BoardumpireError
from boardumpire.service import power_commands
from boardumpire.service.mdns import MdnsName
from boardumpire.service.next_game import apply_game_changes
from boardumpire.table.opening import NewGameSettings
from boardware.description import load_board
from daemon.service import Service
from loops import run as run_alone

ARMIES = {
    "red": "setup a1=F b1=B a2=B c3=S d3=3 e2=3 a3=2 g3=2 e3=10 h3=9",
    "blue": "setup a8=F b8=B a7=B c6=S d6=3 e7=3 b6=2 h6=2 e6=10 g6=9",
}

PRESS_US = 600_000
"""A press that a daemon on a busy machine sees too; what is held is held for two seconds."""


@pytest.fixture
def timed(tmp_path: Path) -> Iterator[Service]:
    """A daemon whose games have a clock, and whose shutting down leaves a mark."""
    service = Service(tmp_path)
    with service.config.open("a") as config:
        mark = f'{sys.executable} -c \'open(\\"{tmp_path}/off\\", \\"w\\")\''
        config.write(
            f'[clock]\nkind = "fischer"\nbase_s = 600\nextra_s = 5\n[machine]\npower_off = "{mark}"\n'
        )
    service.start()
    for seat, army in ARMIES.items():
        for word in army.split()[1:]:
            service.do(service.hands.stand, seat, word.partition("=")[0])
        service.ask("say", seat=seat, text=army)
    service.until(lambda: clocks(service)["runs"] == "red")
    yield service
    service.close()


def clocks(service: Service) -> dict[str, Any]:
    found: dict[str, Any] = service.ask("status")["clocks"]
    return found


def hold(service: Service, button: str, asks: str) -> None:
    """Hold a button until something is asked, and let go of it."""
    service.do(service.hands.hold, button, 2_300_000)
    service.until(lambda: (service.ask("status")["proposal"] or {}).get("thing") == asks)
    then = service.now + 1_100_000  # a press counts for what was asked a second before the button went down
    service.until(lambda: service.now >= then, wake_at=then)


@pytest.mark.slow
def test_after_kill_9_everybody_has_what_was_left(timed: Service) -> None:
    timed.do(timed.hands.lift, "h3")
    timed.do(timed.hands.place, "h4")
    timed.until(lambda: clocks(timed)["runs"] == "blue")
    before = clocks(timed)["left_ms"]
    assert 604_000 - 60_000 < before["red"] < 605_000, "five seconds more than what the move left"
    timed.kill()
    timed.start()
    after = clocks(timed)
    assert after["left_ms"] == before
    assert after["runs"] is None, "it waits until somebody is there"
    timed.do(timed.hands.lift, "g6")
    timed.until(lambda: clocks(timed)["runs"] == "blue")


@pytest.mark.slow
def test_by_the_board_alone_another_game_begins_and_the_machine_is_shut_down(timed: Service) -> None:
    timed.ask("say", seat="red", text="resign")
    timed.until(lambda: bool(timed.ask("status")["over"]))
    hold(timed, "confirm", "new-game")
    timed.do(timed.hands.hold, "confirm", PRESS_US)
    timed.until(lambda: not timed.ask("status")["over"])
    assert timed.ask("view", seat=None)["view"]["phase"] == "setup"
    hold(timed, "turn", "shut-down")
    timed.do(timed.hands.hold, "confirm", PRESS_US)
    timed.until(lambda: (timed.directory / "off").exists())
    assert timed.process is not None
    assert timed.process.wait(20) == 0, "it has stopped in good order"
    assert set(timed.world.copper.lamps().values()) == {(0, 0, 0)}, "lamps are dark"


def test_a_command_that_fails_says_so_and_one_that_is_missing_too() -> None:
    for command, word in (
        ("", "nothing is configured"),
        ("/no/such/program", "can't be run"),
        ("false", "exit"),
    ):
        with pytest.raises(BoardumpireError, match=word):
            power_commands.run_command(command, "power_off")
    power_commands.run_command("true", "power_off")


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"game": "chess"}, "try one of stratego"),
        ({"clock": {"kind": "sand"}}, "try one of none, fischer"),
        ({"clock": {"kind": "turn", "turn_s": 1}}, "try 5 to 86400 seconds"),
        ({"clock": {"kind": "turn", "speed": 1}}, "unknown key"),
        ({"clock": 7}, "a clock as an object"),
        ({"options": {"shuttle": 4}}, "shuttle"),
        ({"options": 7}, "options as an object"),
        ({"people": 2}, "unknown 'people'"),
        ({"players": 2}, "expected players as an object"),
    ],
)
def test_a_game_that_there_is_not_is_refused_by_name(given: dict[str, Any], word: str) -> None:
    board = load_board("quick-battle-8x8")
    with pytest.raises(BoardumpireError, match=word):
        apply_game_changes(NewGameSettings("stratego-quick-duel", {}), given, board)


def test_what_is_not_given_stays_as_it_was() -> None:
    board = load_board("quick-battle-8x8")
    before = NewGameSettings("stratego-quick-duel", {"announce": "silent"})
    timed = apply_game_changes(before, {"clock": {"kind": "turn", "turn_s": 20}}, board)
    assert timed == before._replace(clock_terms=timed.clock_terms)
    assert str(timed.clock_terms) == "turn 20000000 0"
    limited = apply_game_changes(timed, {"options": {"quiet_limit": 40}}, board)
    assert limited.options == {"announce": "silent", "quiet_limit": 40}
    other = apply_game_changes(timed, {"game": "stratego-quick-barrage"}, board)
    assert other == NewGameSettings("stratego-quick-barrage", {"rules": "rulebook"}, timed.clock_terms)


@pytest.mark.slow
def test_the_pages_name_is_found_in_the_network_until_it_stops() -> None:
    async def scene() -> list[str]:
        from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

        name = MdnsName("boardumpire-test", "127.0.0.1", 8080)
        await name.start()
        if not name.is_announced:
            pytest.skip("multicast is not to be had on the loopback here")
        looking = AsyncZeroconf(interfaces=["127.0.0.1"])
        found = AsyncServiceInfo("_http._tcp.local.", "boardumpire-test._http._tcp.local.")
        try:
            assert await found.async_request(looking.zeroconf, 5000)
            assert (found.server, found.port) == ("boardumpire-test.local.", 8080)
            return found.parsed_addresses()
        finally:
            await looking.async_close()
            await name.stop()
            assert not name.is_announced

    assert run_alone(scene()) == ["127.0.0.1"]


def test_where_there_is_no_such_network_a_warning_says_why(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        run_alone(MdnsName("boardumpire", "192.0.2.77", 8080).start())
    assert "boardumpire.local is not announced" in caplog.text
