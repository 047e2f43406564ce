"""The set-up on the page: from a board with nothing configured to its table, and who may lead it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from boardumpire.commands import status
from boardumpire.errors import BoardumpireError
from boardumpire.service import config, control
from boardumpire.web import entry_code
from boardumpire.web.entry_code import EntryCode, WrongCode, is_in_local_network
from daemon.test_waits import free_port
from web.photographs import photographed
from web.served import PHONE

SHIPPED = Path(__file__).parents[2] / "systemd" / "boardumpire.toml"


def asked(
    page: str, path: str, body: Any = None, cookie: str = "", within_s: float = 20, **headers: str
) -> tuple[int, str, str]:
    """What a page answers to a browser: status, text, and the cookie that came."""
    data = None if body is None else json.dumps(body).encode()
    sent = {"origin": page, **({"cookie": cookie} if cookie else {}), **headers}
    try:
        with urllib.request.urlopen(
            urllib.request.Request(page + path, data, sent), timeout=within_s
        ) as answer:
            came = answer.headers.get("set-cookie", "")
            return answer.status, answer.read().decode(), came
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode(), ""


class Fresh:
    """A service with the shipped configuration, in which the owner has only said where its page listens."""

    def __init__(
        self, folder: Path, port: str = "", taken: socket.socket | None = None, satellites: str = ""
    ) -> None:
        """`port`: where its Pico is; `taken`: what listens where its page is to; `satellites`: where they
        connect once there are some."""
        self.folder = folder
        self.config = folder / "boardumpire.toml"
        self.listen = f"127.0.0.1:{free_port()}"
        if taken is not None:
            address, _, number = self.listen.rpartition(":")
            taken.bind((address, int(number)))
            taken.listen()
        self.origin = f"http://{self.listen}"
        text = SHIPPED.read_text().replace('listen = ""', f'listen = "{self.listen}"', 1)
        text = text.replace('listen = ""', f'listen = "{satellites}"')
        self.text = text.replace("[sensors]\n", f'[sensors]\nport = "{port}"\n' if port else "[sensors]\n")
        self.config.write_text(self.text)
        self.environ = {
            **os.environ,
            "STATE_DIRECTORY": str(folder / "state"),
            "RUNTIME_DIRECTORY": str(folder / "run"),
        }
        self.socket = folder / "run" / "control.sock"
        self.log = (folder / "log").open("ab")
        self.process = subprocess.Popen(
            [Path(sys.executable).with_name("boardumpire"), "run", "--config", self.config],
            env=self.environ,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        self.said = ""
        while "no board is chosen yet" not in self.said:
            line = self.process.stderr.readline()
            assert line, self.said
            self.said += line

    @property
    def code(self) -> str:
        """As `boardumpire status` shows it."""
        found = control.send_request(self.socket, {"do": "status"})["set_up"]
        assert isinstance(found, dict)
        return str(found["code"])

    def ask(self, path: str, body: Any = None, cookie: str = "", **headers: str) -> tuple[int, str, str]:
        """Status, text, and the cookie that came."""
        return asked(self.origin, path, body, cookie, **headers)

    def let_in(self) -> str:
        """A cookie of a device that has shown the code."""
        status, _, cookie = self.ask("/set-up/code", {"code": self.code})
        assert status == 200
        return cookie.partition(";")[0]

    def close(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        _, rest = self.process.communicate(timeout=20)
        self.said += rest
        self.log.close()
        assert self.process.returncode == 0, self.said


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Fresh]:
    service = Fresh(tmp_path)
    yield service
    service.close()


@pytest.mark.slow
def test_nothing_is_shown_or_done_for_a_device_without_the_code(fresh: Fresh) -> None:
    assert re.search(r"with the code \d{4} \d{4} \d{4}; or type sudo boardumpire setup", fresh.said)
    assert fresh.ask("/")[0] == 200
    assert fresh.ask("/set-up/state.json")[0] == 403
    for body in ({"do": "look"}, {"do": "answer", "id": "game", "value": "stratego-quick-duel"}):
        assert fresh.ask("/set-up/do", body)[0] == 403
    assert fresh.ask("/set-up/do", {"do": "look"}, cookie=f"{entry_code.COOKIE_NAME}=guess")[0] == 403
    assert fresh.ask("/set-up/table.svg")[0] == 403
    assert fresh.ask("/healthz") == (503, "no board is chosen yet\n", "")
    assert fresh.ask("/set-up/code", {"code": fresh.code}, origin="http://evil.example")[0] == 403
    assert fresh.ask("/", host="evil.example")[0] == 421

    before = fresh.code
    _, _, cookie = fresh.ask("/set-up/code", {"code": f" {before} "})
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert fresh.ask("/set-up/state.json", cookie=cookie.partition(";")[0])[0] == 200
    assert fresh.code != before, "it lets one device in"
    assert fresh.ask("/set-up/code", {"code": before})[0] == 403


@pytest.mark.slow
def test_a_device_may_choose_what_is_offered_and_nothing_else(fresh: Fresh) -> None:
    cookie = fresh.let_in()
    while (state := json.loads(fresh.ask("/set-up/state.json", cookie=cookie)[1]))["busy"]:
        pass
    assert state["question"]["id"] == "game"
    for body, refused in (
        ({"do": "answer", "id": "board", "value": "/etc/passwd"}, 409),
        ({"do": "answer", "id": "game", "value": "../../etc/passwd"}, 409),
        ({"do": "answer", "id": "game"}, 400),
        ({"do": "write", "value": "x"}, 400),
        ([1], 400),
    ):
        code, said, _ = fresh.ask("/set-up/do", body, cookie)
        assert (code, "Traceback" in said) == (refused, False)
    assert (
        fresh.ask("/set-up/do", {"do": "answer", "id": "game", "value": "stratego-classic"}, cookie)[0] == 200
    )
    assert fresh.config.read_text() == fresh.text


def test_the_control_socket_says_how_to_set_it_up_and_refuses_all_else(fresh: Fresh) -> None:
    found = control.send_request(fresh.socket, {"do": "status"})
    assert status.status_text(found).startswith(
        f"no board is chosen yet: open {fresh.origin} in this network, with"
    )
    for ask in ({"do": "new"}, {"do": "links"}, {"do": "view", "seat": None}, {"do": "chosen"}):
        with pytest.raises(BoardumpireError, match="no board is chosen yet"):
            control.send_request(fresh.socket, ask)


def test_a_machine_without_a_network_is_not_told_to_open_itself() -> None:
    """The first line of the log once named http://localhost to whoever holds a phone."""
    found = {
        "waits_for": ["the set-up"],
        "set_up": {"page": "http://ADDRESS:8080", "network": "none", "code": "1"},
    }
    said = status.status_text(found)
    assert (
        "once this machine is in a network open http://ADDRESS:8080, its address there, with the code 1"
        in said
    )


def test_an_address_of_the_page_that_is_taken_is_no_secret_of_the_set_up(tmp_path: Path) -> None:
    with socket.socket() as taken:
        service = Fresh(tmp_path, taken=taken)
        try:
            said = status.status_text(control.send_request(service.socket, {"do": "status"}))
            assert said.startswith("no board is chosen yet: type sudo boardumpire setup\n")
            assert f"can't listen at {service.listen}: Address already in use" in said
        finally:
            service.close()


def test_whoever_guesses_codes_keeps_the_owner_out_of_nothing(fresh: Fresh) -> None:
    """One wrong code a second from anywhere once refused every right one."""
    wrong = "0" * entry_code.CODE_DIGITS
    assert fresh.code != wrong
    for _ in range(60):
        assert fresh.ask("/set-up/code", {"code": wrong})[0] == 403
    assert fresh.let_in()
    assert entry_code.CODE_DIGITS >= 12


def test_a_code_lets_one_device_in_and_odd_ones_none() -> None:
    made: list[int] = []
    entry = EntryCode(lambda: made.append(1))
    for odd in ("", entry.text[:-1], f"{entry.text}0", "\ud800", "١٢٣٤ ٥٦٧٨ ٩٠١٢"):
        with pytest.raises(WrongCode, match="That is not the code"):
            entry.admit_device(odd)
    assert not made
    code = entry.text
    assert entry.admit_device(code.replace(" ", ""))
    assert made == [1]
    with pytest.raises(WrongCode):
        entry.admit_device(code)


def test_a_device_of_another_network_is_kept_out() -> None:
    assert is_in_local_network("127.0.0.1")
    assert is_in_local_network("::1")
    assert is_in_local_network("::ffff:127.0.0.1")
    for far in ("203.0.113.9", "2001:db8::1", "", "testclient"):
        assert not is_in_local_network(far)


def terminal(service: Fresh, typed: str, *more: str) -> subprocess.CompletedProcess[str]:
    """`boardumpire setup` beside that service, and what somebody types."""
    return subprocess.run(
        [Path(sys.executable).with_name("boardumpire"), "setup", "--config", service.config, *more],
        env=service.environ,
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.slow
def test_at_the_terminal_one_may_go_back_or_leave_and_nothing_is_written(fresh: Fresh) -> None:
    left = terminal(fresh, "stratego\n2\nb\n\nq\n")
    assert (left.returncode, left.stderr) == (2, "boardumpire: left before the end; nothing was written\n")
    assert f"The page asks the same: open {fresh.origin} in this network" in left.stdout
    assert left.stdout.count("Which game is the board for?") == 2, "back leads to the question before"
    unwanted = terminal(fresh, "\n\n2\n3\n3\n")
    assert unwanted.stdout.endswith("Nothing was written.\n"), unwanted
    assert fresh.config.read_text() == fresh.text


@pytest.mark.slow
@pytest.mark.skipif(
    find_spec("micropython_unix") is None or find_spec("mpremote") is None,
    reason="no MicroPython or no mpremote for this machine",
)
def test_at_the_terminal_enter_alone_leads_from_a_bare_pico_to_the_table(tmp_path: Path) -> None:
    """And then the command refuses a board that is in service."""
    from pico.test_flash import Machine

    pico = Machine(tmp_path)
    service = Fresh(tmp_path, pico.port)
    try:
        ran = terminal(service, 7 * "\n")
        assert (ran.returncode, ran.stderr) == (0, "")
        for said in (
            "pico: has the firmware now",
            "Board quick-battle-8x8-pico: tested",
            "The table is open.",
        ):
            assert said in ran.stdout
        links = control.send_request(service.socket, {"do": "links", "renew": None})["links"]
        assert links["table"] in ran.stdout
        again = terminal(service, "")
        assert (again.returncode, again.stderr) == (
            2,
            "boardumpire: the board is in service: sudo systemctl stop boardumpire, then again\n",
        )
    finally:
        service.close()
        pico.close()


def _answer(page: Page, id_: str, value: str) -> None:
    page.click(f'[data-key="{id_} {value}"]')


@pytest.mark.slow
@pytest.mark.skipif(
    find_spec("micropython_unix") is None or find_spec("mpremote") is None,
    reason="no MicroPython or no mpremote for this machine",
)
def test_from_a_bare_pico_and_nothing_configured_to_the_table_by_a_phone(
    tmp_path: Path, browser: Browser
) -> None:
    """mpremote flashes a real MicroPython, the doctor looks at it, and the same service becomes the table."""
    from pico.test_flash import Machine

    pico = Machine(tmp_path)
    service = Fresh(tmp_path, pico.port)
    try:
        phone = browser.new_context(**PHONE).new_page()
        errors: list[str] = []
        phone.on("pageerror", lambda error: errors.append(str(error)))
        phone.goto(service.origin)
        phone.fill("#code", "1234")
        phone.click("button.main")
        phone.get_by_text("That is not the code.").wait_for()
        phone.fill("#code", service.code)
        phone.click("button.main")
        phone.get_by_text(f"Pico at {pico.port}: no firmware of ours").wait_for()
        photographed(phone, "setup-game")
        _answer(phone, "game", "stratego-quick-duel")
        _answer(phone, "board", "quick-battle-8x8-pico")
        photographed(phone, "setup-flash")
        _answer(phone, "flash pico", pico.port)
        phone.wait_for_selector('[data-key="page keep"]', timeout=60_000)
        assert (pico.flash / "lib" / "boardwire" / "station.py").is_file()
        _answer(phone, "page", "keep")
        _answer(phone, "doctor", "watch")
        phone.wait_for_selector(".report h2", timeout=60_000)
        photographed(phone, "setup-doctor")
        assert "quick-battle-8x8-pico" in phone.inner_text("main")
        assert service.config.read_text() == service.text, "nothing is written before it is wanted"
        _answer(phone, "configuration", "write")
        phone.wait_for_selector('[data-key="table"]')
        photographed(phone, "setup-done")
        phone.wait_for_url(re.compile("/link/"), timeout=60_000)
        phone.get_by_role("button").first.wait_for()
        found = config.read_file(service.config)
        assert (found.board.name, found.drivers.sensors) == ("quick-battle-8x8-pico", "pico")
        assert "over" in control.send_request(service.socket, {"do": "status"})
        links = control.send_request(service.socket, {"do": "links", "renew": None})["links"]
        assert phone.url == links["table"]
        assert not errors
        phone.context.close()
    finally:
        service.close()
        pico.close()
