"""A daemon in service: start, talk, stop; what is wrong is one clear line."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import boardrules
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import load_key
from daemon.service import DEADLINE_S, Service


def first_setup(seat: str) -> str:
    state = boardrules.new("stratego-quick-duel")
    return str(next(iter(state.legal_actions(seat))))


def stand_armies(service: Service) -> None:
    for seat in ("red", "blue"):
        for word in first_setup(seat).split()[1:]:
            service.do(service.hands.stand, seat, word.partition("=")[0])


def set_up(service: Service) -> None:
    """Both armies stand and are entered."""
    stand_armies(service)
    for seat in ("red", "blue"):
        assert service.ask("say", seat=seat, text=first_setup(seat)) == {"ok": True}
    service.until(
        lambda: any(told["kind"] == "turn" and told["to_act"] == ["red"] for told in service.messages)
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_cleanly(service: Service, number: int) -> None:
    service.start()
    path = service.socket
    assert path.stat().st_mode & 0o777 == 0o660
    assert service.end(number) == 0
    service.until(lambda: b"STOPPING=1" in service.words)
    assert not path.exists()
    assert not service.journal.with_name("journal.sqlite-wal").exists(), "the journal was closed"
    assert "Traceback" not in service.log


def test_the_watchdog_hears_from_the_loop_that_turns_the_table(service: Service) -> None:
    service.start(WATCHDOG_USEC="100000")
    service.until(lambda: service.words.count(b"WATCHDOG=1") >= 3)


def test_set_ups_stay_sealed_while_the_game_goes_on_and_are_told_at_its_end(service: Service) -> None:
    service.start()
    set_up(service)
    ranks = [word for seat in ("red", "blue") for word in first_setup(seat).split()[1:]]
    written = b"".join(found.read_bytes() for found in service.journal.parent.glob("journal*"))
    told = json.dumps(service.messages)
    for word in ranks:
        assert word.encode() not in written
        assert word not in told
        assert word not in service.log
    assert service.ask("say", seat="red", text="resign")["ok"]
    service.until(lambda: any(message["kind"] == "over" for message in service.messages))
    assert service.ask("status")["over"]
    service.end(signal.SIGTERM)
    store = Store.open_read_only(service.journal)
    assert [made.text for made in store.commitments(1)] == [first_setup("red"), first_setup("blue")]
    assert all(made.matches() for made in store.commitments(1))
    store.close()


@pytest.mark.slow
def test_after_a_game_another_one_begins_on_the_same_board(service: Service) -> None:
    service.start()
    assert "Play it to its end" in service.ask("new")["error"]
    set_up(service)
    service.ask("say", seat="blue", text="resign")
    service.until(lambda: any(message["kind"] == "over" for message in service.messages))
    assert service.ask("new") == {"ok": True}
    assert service.ask("view", seat=None)["view"]["to_act"] == ["red", "blue"]
    assert not service.ask("status")["over"]
    service.messages.clear()
    set_up(service)
    service.end(signal.SIGTERM)
    store = Store.open_read_only(service.journal)
    assert [game.outcome is None for game in store.games()] == [False, True]
    store.close()


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"", None),
        (b"garbage", "not JSON"),
        (b"[" * 5000, "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[]", '"do" is one of say, carry, view, status, standing, messages, new'),
        (b'{"do":[]}', '"do" is one of'),
        (b'{"do":"sing"}', '"do" is one of'),
        (b'{"do":"view","seat":"green"}', "try one of red, blue"),
        (b'{"do":"view","seat":7}', "expected a seat's name"),
        (b'{"do":"messages","seat":"green"}', "try one of red, blue"),
        (b'{"do":"say","seat":"red"}', "expected what the seat says"),
        (b'{"do":"say","text":"resign"}', "expected a seat's name"),
        (b'{"do":"say","seat":"green","text":"x"}', "try one of red, blue"),
        (b'{"do":"carry","seat":"red"}', "carry: expected what the seat says"),
        (b'{"do":"carry","seat":"green","text":"x"}', "try one of red, blue"),
        (b'{"do":"carry","seat":"red","text":"resign"}', "Wait until both armies"),
        (b'{"do":"standing","seat":"red"}', "unknown field 'seat', expected none"),
        (b'{"do":"status","seat":"red"}', "unknown field 'seat', expected none"),
        (b'{"do":"view","who":"red"}', "unknown field 'who', expected seat"),
        (b" " * 70000 + b"x", "more than 65536 bytes"),
    ],
)
def test_a_bad_line_is_one_error_and_the_conversation_goes_on(
    shared: Service, line: bytes, error: str | None
) -> None:
    if error is not None:
        answer = shared.ask_raw(line)
        assert not answer["ok"]
        assert error in answer["error"]
    else:
        shared.asks.send_raw(b"\n \n")
    assert shared.ask("status")["ok"]


def test_a_line_may_come_in_pieces_and_several_at_once(shared: Service) -> None:
    for part in (b'{"do":', b'"status"', b"}"):
        shared.asks.send_raw(part)
    assert shared.ask_raw(b"")["ok"]
    shared.asks.send_raw(b'{"do":"status"}\n{"do":"view","seat":null}\n')
    answers: list[dict[str, Any]] = shared._answers
    shared.until(lambda: len(answers) == 2)
    assert ["marks" in answers[0], "view" in answers[1]] == [True, True]


def test_what_a_seat_is_told_in_private_reaches_those_alone_who_listen_for_it(service: Service) -> None:
    service.start()
    assert all("to" not in message for message in service.messages)
    stand_armies(service)
    service.hears.send({"do": "messages", "seat": "red"})
    assert service.ask("say", seat="red", text=first_setup("red"))["ok"]
    service.until(lambda: any(message["kind"] == "ruling" for message in service.messages))
    assert {message.get("to") for message in service.messages} <= {None, "red"}


def test_one_who_hangs_up_in_the_middle_of_a_line_disturbs_nobody(service: Service) -> None:
    service.start()
    other = service.connect()
    other.send_raw(b'{"do":"sta')
    service._ready.unregister(other.socket)
    service._lines.remove(other)
    other.socket.close()
    assert service.ask("status")["ok"]


def test_two_daemons_never_write_one_journal(service: Service) -> None:
    service.start()
    first = service.process
    service.process = None
    with pytest.raises(AssertionError, match="in use by another boardumpire"):
        service.start()
    second, service.process = service.process, first
    assert second is not None
    assert second.wait(DEADLINE_S) == 75
    assert service.ask("status")["ok"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ('[drivers]\nsensors = "gpoi"', "[drivers] sensors: no driver 'gpoi'; try one of console-gpio"),
        ('[board]\nname = "ouija"', "[board] name: no board 'ouija'"),
        ('[game]\nid = "checkers"', "[game] id: unknown game 'checkers'"),
        ('[game.options]\nannounce = "loudly"', "[game.options] announce: "),
    ],
)
def test_a_start_that_fails_is_one_line_and_leaves_nothing_behind(
    service: Service, wrong: str, said: str
) -> None:
    config = service.config.read_text()
    if wrong.startswith("[drivers]"):
        config = config.replace('sensors = "gpio-sim"', wrong.partition("\n")[2])
    else:
        config += wrong
    service.config.write_text(config)
    with pytest.raises(AssertionError):
        service.start()
    assert service.process is not None
    assert service.process.wait(DEADLINE_S) == 2
    assert service.log.count("\n") == 1
    assert said in service.log
    assert not service.socket.exists()


def test_a_damaged_journal_stops_the_start_and_stays_as_it_is(service: Service) -> None:
    service.journal.parent.mkdir(parents=True)
    service.journal.write_bytes(b"damage" * 1000)
    with pytest.raises(AssertionError, match="not a whole boardumpire-journal"):
        service.start()
    assert service.journal.read_bytes() == b"damage" * 1000


def test_a_journal_that_can_no_longer_be_written_is_said_and_the_daemon_goes_on(service: Service) -> None:
    service.start()
    stand_armies(service)
    connection = sqlite3.connect(service.journal, isolation_level=None)
    connection.execute(
        "CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT raise(ABORT, 'disk full'); END"
    )
    connection.close()
    service.ask("say", seat="red", text=first_setup("red"))
    service.until(lambda: any(message["kind"] == "fault" for message in service.messages))
    assert "disk full" in json.dumps(service.messages)
    assert not any(message["kind"] == "ruling" for message in service.messages)
    assert "can't be saved" in service.ask("say", seat="blue", text=first_setup("blue"))["error"]
    assert service.ask("view", seat="red")["ok"]


def ended_by_power(service: Service) -> None:
    """A game in which both armies are set up, and the power goes."""
    service.start()
    set_up(service)
    service.kill()
    service.messages.clear()


def texts(service: Service) -> list[str]:
    """The actions of the game, as the journal has them."""
    store = Store.open_read_only(service.journal, load_key(service.key))
    found = [entry.text for entry in store.entries(1) if entry.kind == "action"]
    store.close()
    return found


@pytest.mark.slow
def test_a_damaged_log_is_mended_from_the_second_copy_and_that_is_said(service: Service) -> None:
    ended_by_power(service)
    log = service.journal.with_name("journal.sqlite-wal")
    damaged = bytearray(log.read_bytes())
    damaged[len(damaged) // 3] ^= 1
    log.write_bytes(bytes(damaged))
    service.start()
    assert texts(service) == [first_setup("red"), first_setup("blue")]
    assert "WARNING" in service.log
    assert "nothing is lost" in service.log
    kept = log.with_name("journal.sqlite-wal-damaged-1")
    assert kept.read_bytes() == bytes(damaged)


@pytest.mark.slow
def test_what_is_lost_is_named_and_agreed_to_before_the_game_goes_on(service: Service) -> None:
    ended_by_power(service)
    told = service.journal.with_name("journal.sqlite-told")
    service.journal.with_name("journal.sqlite-wal").unlink()
    lines = told.read_bytes().splitlines(keepends=True)
    lost = next(number for number, line in enumerate(lines) if b'["entry",1,2,2' in line)
    told.write_bytes(b"".join([*lines[:lost], lines[lost].replace(b"entry", b"entri"), *lines[lost + 1 :]]))
    for _ in range(2):
        service.start()
        question = service.ask("status")["question"]
        assert question["code"] == "lost-perhaps"
        assert "after action 1 of game 1 may be lost" in question["text"]
        assert (
            "First everyone has to agree"
            in service.ask("say", seat="blue", text=first_setup("blue"))["error"]
        )
        service.kill()
    assert "WARNING" in service.log
    assert "whatever was done after action 1 of game 1 may be lost" in service.log
    service.start()
    for seat in ("red", "blue"):
        assert service.ask("say", seat=seat, text="yes lost-perhaps")["ok"]
    assert service.ask("status")["question"] is None
    assert service.ask("say", seat="blue", text=first_setup("blue"))["ok"]
    service.until(lambda: any(message["kind"] == "ruling" for message in service.messages))
    assert texts(service) == [first_setup("red"), first_setup("blue")]


@pytest.fixture
def small_disk(service: Service) -> Iterator[Path]:
    """The service's state lies on a real filesystem of a megabyte."""
    state = service.directory / "state"
    state.mkdir(mode=0o700)
    words = ["mount", "-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs", str(state)]
    if shutil.which("mount") is None or subprocess.run(words, capture_output=True).returncode:
        pytest.skip("a small disk can't be mounted here: that is for root")
    yield state
    service.close()
    subprocess.run(["umount", "--lazy", str(state)], check=True)


def filled(disk: Path) -> Path:
    """Leave no room on it; the file that is in the way."""
    filler = disk / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while file.write(b"x" * 512):
            pass
    return filler


@pytest.mark.slow
def test_on_a_full_disk_the_game_waits_and_goes_on_by_itself(service: Service, small_disk: Path) -> None:
    service.start()
    stand_armies(service)
    filler = filled(small_disk)

    def told(code: str) -> int:
        return sum(message.get("code") == code for message in service.messages)

    def rulings() -> int:
        return sum(message["kind"] == "ruling" for message in service.messages)

    assert service.ask("say", seat="red", text=first_setup("red"))["ok"]
    service.until(lambda: told("journal-room") > 0)
    assert rulings() == 0
    assert "no room left" in service.ask("status")["waits"]
    assert "Try again" in service.ask("say", seat="blue", text=first_setup("blue"))["error"]
    assert "There is no room left on the disk" in service.log
    filler.unlink()
    service.until(lambda: rulings() > 0)
    assert (told("journal-room"), told("journal-back")) == (1, 1)
    assert service.ask("status")["waits"] is None
    assert service.ask("say", seat="blue", text=first_setup("blue"))["ok"]
    service.until(lambda: rulings() > 1)
    assert texts(service) == [first_setup("red"), first_setup("blue")]
    service.kill()
    service.start()
    assert texts(service) == [first_setup("red"), first_setup("blue")]


@pytest.mark.slow
def test_a_new_game_that_finds_no_room_leaves_the_table_as_it_is(service: Service, small_disk: Path) -> None:
    service.start()
    set_up(service)
    service.ask("say", seat="blue", text="resign")
    service.until(lambda: any(message["kind"] == "over" for message in service.messages))
    filler = filled(small_disk)
    assert "full" in service.ask("new")["error"]
    assert service.ask("status")["over"], "the table is there still"
    filler.unlink()
    assert service.ask("new")["ok"]
    assert not service.ask("status")["over"]


@pytest.mark.slow
def test_a_start_on_a_full_disk_is_no_damage_and_may_be_tried_again(
    service: Service, small_disk: Path
) -> None:
    ended_by_power(service)
    service.journal.with_name("journal.sqlite-shm").unlink()  # its room is taken by others meanwhile
    filler = filled(small_disk)
    before = {path: path.read_bytes() for path in small_disk.glob("journal*") if "-shm" not in path.name}
    with pytest.raises(AssertionError, match="full"):
        service.start()
    assert service.process is not None
    assert service.process.wait(DEADLINE_S) == 75, "systemd tries again"
    assert {path: path.read_bytes() for path in before} == before
    assert not list(small_disk.glob("*-damaged-*"))
    filler.unlink()
    service.start()
    assert texts(service) == [first_setup("red"), first_setup("blue")]
    assert "damaged" not in service.log


@pytest.mark.slow
def test_more_connections_than_files_may_be_open_write_few_lines(service: Service) -> None:
    """Each that could not be accepted was a traceback, dozens of times a second: 14 MB in an evening."""
    service.config.write_text(service.config.read_text() + '[page]\nlisten = "127.0.0.1:0"\nmdns = ""\n')
    service.start()
    assert service.process is not None
    origin = service.ask("links", renew=None)["links"]["table"]
    address = urlsplit(origin)
    open_files = len(os.listdir(f"/proc/{service.process.pid}/fd"))
    resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE, (open_files + 8, open_files + 8))
    before = len(service.log)
    with contextlib.ExitStack() as held:
        for _ in range(60):
            held.enter_context(socket.create_connection((str(address.hostname), address.port or 0)))
        service.until(lambda: "out of system resource" in service.log)
        end = service.now + 3_000_000
        service.until(lambda: service.now > end)
    assert len(service.log) - before < 3000
    assert "Traceback" not in service.log
