"""What is missing when the daemon starts is waited for, and told; only a mistake ends the start."""

from __future__ import annotations

import asyncio
import signal
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from boardumpire.commands import status
from boardumpire.commands.daemon import Daemon
from boardumpire.lamps.legend import Legend
from boardumpire.service.config import load
from boardumpire.service.notify import Notifier
from boardumpire.tags import tag_roster
from boardware.ports import TagId
from boardwire.lights import rgb
from daemon.pico_service import PicoService
from daemon.service import DEADLINE_S, Service
from daemon.test_daemon import set_up
from loops import run as run_alone
from tags.games import PADS
from tags.live import LivePad

TWO = "quick-battle-8x8-two-picos"


@pytest.fixture
def board(tmp_path: Path) -> Iterator[PicoService]:
    service = PicoService(tmp_path)
    yield service
    service.close()


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def lit(service: Service, lamp: str, mark: str) -> bool:
    """Whether a lamp has the colour of a mark; a pulse is dark now and then, so look for a while."""
    (light,) = Legend().to_lights({lamp: mark}).values()
    wanted, shown = rgb(light.code), service.world.copper.lamps()[lamp]
    return any(shown) and all((part > 0) == (whole > 0) for part, whole in zip(shown, wanted, strict=True))


@pytest.mark.slow
def test_a_pico_that_is_not_plugged_in_is_waited_for_and_told_and_then_a_game_begins(
    board: PicoService,
) -> None:
    board.start()
    assert board.words[-1] == b"READY=1"
    (missing,) = board.status()["waits_for"]
    assert missing.startswith("pico: Pico pico at ")
    assert missing.endswith("no answer (No such file or directory)")
    assert f"STATUS=waits for {missing}".encode() in board.words
    assert "It will be back" in board.ask("view", seat=None)["error"]
    assert "waits for pico: Pico pico" in status.status_text(board.status())
    board.plug("pico")
    board.until(lambda: "over" in board.status())
    assert board.status()["waits_for"] == []
    set_up(board)
    assert "Traceback" not in board.log


@pytest.mark.slow
def test_links_are_told_once_all_parts_are_there(tmp_path: Path) -> None:
    """They were refused as if no page were configured."""
    board = PicoService(tmp_path, config='[page]\nlisten = "127.0.0.1:0"\nmdns = ""\n')
    try:
        board.start()
        refused = board.ask("links", renew=None)["error"]
        assert refused.startswith(
            "there are links once all parts are there: the board waits for pico: Pico pico"
        )
        board.plug("pico")
        board.until(lambda: "over" in board.status())
        assert board.ask("links", renew=None)["links"]["table"]
    finally:
        board.close()


@pytest.mark.slow
def test_a_pico_that_is_pulled_in_mid_game_is_told_by_status_health_and_counts(tmp_path: Path) -> None:
    """The game goes on by itself once it is back; until then nobody who asks hears that all is well."""
    port = free_port()
    board = PicoService(tmp_path, config=f'[page]\nlisten = "127.0.0.1:{port}"\n')

    def asked(path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    try:
        board.plug("pico")
        board.start()
        set_up(board)
        assert board.status()["waits_for"] == []
        assert asked("/healthz") == (200, "ok\n")
        board.unplug("pico")
        board.until(lambda: bool(board.status()["waits_for"]))
        found = board.status()
        (missing,) = found["waits_for"]
        assert missing.startswith("pico: Pico pico at ")
        assert status.status_text(found).startswith("a game is played\n")
        assert f"waits for {missing}" in status.status_text(found)
        assert asked("/healthz") == (503, f"waits for {missing}\n")
        assert "boardumpire_missing_parts 1\n" in asked("/metrics")[1]
        board.plug("pico")
        board.until(lambda: not board.status()["waits_for"])
        assert asked("/healthz") == (200, "ok\n")
        assert "boardumpire_missing_parts 0\n" in asked("/metrics")[1]
    finally:
        board.close()


@pytest.mark.slow
def test_a_pico_that_is_silent_for_longer_than_a_start_waits_is_no_end_either(board: PicoService) -> None:
    """It is plugged in and says nothing, as one that boots slowly or has no firmware yet."""
    board.config.write_text(board.config.read_text().replace("[tracker]", "answer_ms = 100\n[tracker]", 1))
    pico = board.picos.picos_by_name["pico"]
    pico.to_host.faults = pico.to_host.faults._replace(lose=1.0)
    board.plug("pico")
    board.start()
    (missing,) = board.status()["waits_for"]
    assert missing == f"pico: Pico pico at {pico.port}: no answer"
    then = board.now + 1_000_000
    board.until(lambda: board.now > then)
    assert board.status()["waits_for"] == [missing]
    pico.to_host.faults = pico.to_host.faults._replace(lose=0.0)
    board.until(lambda: "over" in board.status())


@pytest.mark.slow
def test_pulled_again_while_another_is_missing_it_counts_as_missing(tmp_path: Path) -> None:
    service = PicoService(tmp_path, TWO)
    try:
        service.plug("south")
        service.start()
        service.until(lambda: [part.split()[2] for part in service.status()["waits_for"]] == ["north"])
        lamps = [lamp for lamp, at in service.board.lamps.items() if at.index == 0]
        service.until(lambda: any(lit(service, lamp, "asks") for lamp in lamps))
        service.unplug("south")
        service.until(lambda: "Pico south" in service.status()["waits_for"][0])
        service.plug("north")
        service.until(lambda: "Pico north" not in service.status()["waits_for"][0])
        assert "over" not in service.status()
        service.plug("south")
        service.until(lambda: "over" in service.status())
    finally:
        service.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_while_it_waits_a_signal_ends_it_cleanly(board: PicoService, number: int) -> None:
    board.start()
    assert board.end(number) == 0
    assert not board.socket.exists()
    assert not board.journal.with_name("journal.sqlite-wal").exists(), "the journal was closed"
    assert "Traceback" not in board.log


def test_while_it_waits_the_watchdog_hears_from_it(board: PicoService) -> None:
    board.start(WATCHDOG_USEC="100000")
    board.until(lambda: board.words.count(b"WATCHDOG=1") >= 3)
    assert board.status()["waits_for"]


@pytest.mark.slow
def test_while_a_table_that_was_waited_for_is_opened_the_watchdog_hears_from_it(tmp_path: Path) -> None:
    """The timer's own sign comes every half minute here: those that come sooner are of the steps."""
    service = PicoService(tmp_path, config=f'[page]\nlisten = "127.0.0.1:{free_port()}"\n')
    try:
        service.start(WATCHDOG_USEC="60000000")
        heard = service.words.count(b"WATCHDOG=1")
        service.plug("pico")
        service.until(lambda: "over" in service.status())
        service.until(lambda: service.words.count(b"WATCHDOG=1") >= heard + 3)
    finally:
        service.close()


@pytest.mark.slow
def test_the_page_says_what_is_missing_in_the_readers_language_and_then_is_the_table(tmp_path: Path) -> None:
    port = free_port()
    service = PicoService(tmp_path, config=f'[page]\nlisten = "127.0.0.1:{port}"\n')

    def page(path: str = "/") -> tuple[int, str]:
        asked = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"accept-language": "de"})
        try:
            with urllib.request.urlopen(asked, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    try:
        service.start()
        code, said = page()
        assert code == 503
        assert 'lang="de"' in said
        assert "Pico pico at" in said
        assert "A part of the board is missing" not in said
        assert page("/seat/red")[0] == 503
        assert page("/style.css")[0] == 200
        service.plug("pico")
        service.until(lambda: "over" in service.status())
        service.until(lambda: page()[0] == 200)
    finally:
        service.close()


@pytest.mark.slow
def test_a_port_that_another_program_has_is_waited_for_while_the_game_is_played(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        service = Service(tmp_path, config=f'[page]\nlisten = "127.0.0.1:{port}"\n')
        service.start()
        assert f"can't listen at 127.0.0.1:{port}" in service.ask("status")["waits_for"][0]
        assert not service.ask("status")["over"]
    try:
        service.until(lambda: service.ask("status")["waits_for"] == [])
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer:
            assert answer.status == 200
    finally:
        service.close()


@pytest.fixture
def padded(tmp_path: Path) -> Iterator[tuple[Service, Callable[[], None]]]:
    """A board with pads whose serial lines are not there, and what plugs them in."""
    service = Service(tmp_path, board=PADS)
    lines = {pad: tmp_path / pad for pad in ("pad-red", "pad-blue")}
    ports = ", ".join(f'{pad} = "{line}"' for pad, line in lines.items())
    service.config.write_text(
        service.config.read_text()
        .replace("neopixel-spi-sim", "neopixel-pwm-sim")
        .replace('console = "console-sim"', 'console = "console-sim"\ntags = "pn532"')
        + f'[board]\nname = "{PADS}"\n[tags]\nports = {{ {ports} }}\nanswer_ms = 60000\n'
    )
    known = tag_roster.TagRoster({TagId(b"\x04abcdef"): ("red", "10")})
    tag_roster.save(tmp_path / "state" / "key" / "tags", known)
    pads = [LivePad() for _ in lines]

    def plug() -> None:
        for line, pad in zip(lines.values(), pads, strict=True):
            line.symlink_to(pad.path)

    yield service, plug
    service.close()
    for pad in pads:
        pad.close()


def test_pads_whose_serial_line_comes_late_are_waited_for(
    padded: tuple[Service, Callable[[], None]],
) -> None:
    """The kernel names a USB adapter when it is plugged in: `/dev/ttyUSB0` may not be there yet."""
    service, plug = padded
    service.start()
    assert "pad-red" in service.status()["waits_for"][0]
    first = [lamp for lamp, at in service.board.lamps.items() if at.index == 0]
    service.until(lambda: all(lit(service, lamp, "asks") for lamp in first))
    plug()
    service.until(lambda: "over" in service.status())


def test_a_part_that_has_gone_when_the_table_is_opened_anew_is_waited_for_too(
    padded: tuple[Service, Callable[[], None]], tmp_path: Path
) -> None:
    """As after a trace, or an examination of the board."""
    service, plug = padded
    plug()
    environ = {"STATE_DIRECTORY": str(tmp_path / "state"), "RUNTIME_DIRECTORY": str(tmp_path / "run")}
    found = load(service.config, environ)

    async def scene() -> None:
        daemon = Daemon(found, Notifier({}), wait_for_hardware=True)
        try:
            await daemon.start()
            assert daemon.full_status()["waits_for"] == []
            for line in ("pad-red", "pad-blue"):
                (tmp_path / line).unlink()
            daemon.reopen_table(None)
            while not daemon.full_status()["waits_for"]:
                await asyncio.sleep(0.01)
            assert not daemon.has_table
            plug()
            while not daemon.has_table:
                await asyncio.sleep(0.01)
            assert daemon.full_status()["waits_for"] == []
        finally:
            daemon.stop()
            await daemon.wait_closed()

    run_alone(asyncio.wait_for(scene(), 60))


def test_a_wrong_configuration_is_still_an_end(board: PicoService) -> None:
    board.config.write_text(board.config.read_text() + "\n[lamps]\nbrightness = 0\n")
    with pytest.raises(AssertionError):
        board.start()
    assert board.process is not None
    assert board.process.wait(DEADLINE_S) == 2
    assert "brightness is 0" in board.log
