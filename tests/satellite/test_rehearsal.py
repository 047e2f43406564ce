"""Two simulated boards are paired as docs/play/two-boards.md says, by what stands there and on screens."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from boardumpire.cli import main
from boardumpire.commands import rehearse
from boardumpire.service import config
from web.conftest import browser  # noqa: F401 - a fixture
from web.served import DESKTOP, PATIENCE_MS

GUIDE = (Path(__file__).parents[2] / "docs" / "play" / "two-boards.md").read_text()
CONSOLE = "\n".join(re.findall("```{}\n(.*?)```".format("console"), GUIDE, re.DOTALL))
COMMANDS = re.findall(r"^\$ boardumpire (.*?)(?: +#.*)?$", CONSOLE, re.MULTILINE)
LINKS_COMMAND = re.findall(r"`boardumpire (links --config .*?)`", GUIDE)[0]
LIMIT_S = 600.0
"""In ten minutes owners are to be done, with reading and typing."""


class Rehearsal:
    """One of the commands of the guide, and what it has shown."""

    def __init__(self, folder: Path, command: str) -> None:
        self._program = Path(sys.executable).with_name("boardumpire")
        self._folder = folder
        self.process = subprocess.Popen(
            [self._program, *command.split()],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.board = self.shown(r"The board, with its pieces: (\S+)")[0]
        self.page, self.code = self.shown(r"open (\S+) in this network, with the code ([\d ]+\d)")

    def shown(self, pattern: str) -> tuple[str, ...]:
        assert self.process.stdout is not None
        read = ""
        while (found := re.search(pattern, read)) is None:
            line = self.process.stdout.readline()
            assert line, read
            read += line
        return found.groups()

    def typed(self, command: str) -> str:
        """What another command says."""
        words = [self._program, *command.split()]
        return subprocess.run(words, cwd=self._folder, capture_output=True, text=True, check=True).stdout

    def close(self) -> None:
        self.process.send_signal(signal.SIGINT)
        said, _ = self.process.communicate(timeout=30)
        assert self.process.returncode == 0, said


@pytest.fixture
def homes(tmp_path: Path) -> Iterator[list[Rehearsal]]:
    found = []
    try:
        for command in COMMANDS:
            found.append(Rehearsal(tmp_path, command))
        yield found
    finally:
        for each in found:
            each.close()


def opened(browser: Browser, address: str) -> Page:  # noqa: F811
    page = browser.new_context(**DESKTOP).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    return page


def press(page: Page, text: str) -> None:
    """Press what is called so."""
    page.get_by_role("button", name=text).first.click()


def told(text: str) -> str:
    """Words that the guide sets off."""
    assert f"*{text}*" in GUIDE
    return text


def begin_set_up(browser: Browser, home: Rehearsal) -> Page:  # noqa: F811
    page = opened(browser, home.page)
    page.get_by_label("code").fill(home.code)
    press(page, "Begin")
    return page


@pytest.mark.slow
def test_two_boards_are_paired_and_play(homes: list[Rehearsal], browser: Browser) -> None:  # noqa: F811
    began = time.monotonic()
    home, away = homes
    table = begin_set_up(browser, home)
    press(table, "Stratego Quick Battle: Duel")
    press(table, "Quick Battle, 8 x 8, on a Pico")
    press(table, "Leave it as it is")
    press(table, "Later")
    press(table, "Write it, and begin")
    press(table, "Open the table")

    table.get_by_text(told("More"), exact=True).click()
    press(table, told("The table's settings"))
    table.get_by_label("What to do").select_option(told("Play with another board"))
    press(table, told("Do it"))
    press(table, told("Show the code"))
    table.get_by_text("The other board asks for this code").wait_for()
    shown = table.get_by_role("dialog").inner_text()
    (code,), (address,) = re.findall(r"\d{4} \d{4}", shown), re.findall(r"\S+:\d+", shown)

    other = begin_set_up(browser, away)
    press(other, told("The game is at another board"))
    press(other, "Quick Battle, 8 x 8, on a Pico")
    other.get_by_label("The address of the other board").fill(address)
    press(other, "Go on")
    other.get_by_label("Eight digits").fill(code)
    press(other, "Go on")
    other.get_by_text(f"It belongs to the table at {address} now.").wait_for()
    press(table, "Close")

    board = opened(browser, away.board)
    board.locator(".glow.on").first.wait_for()  # the table's lights have come to the other board
    assert board.get_by_text("Slide pieces over the board").count() == 1
    assert board.get_by_text("Hands tidy up").count() == 0, "no table tells this page what to tidy"
    links = dict(line.split() for line in home.typed(LINKS_COMMAND).splitlines())
    blue = opened(browser, links["blue"])
    press(blue, "Sit down as Blue")
    press(blue, "Random")
    assert time.monotonic() - began < LIMIT_S


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["there"], "there: File exists; try another folder"),
        (["home", "--board", "quick-battle-8x8"], "it has no Picos; try quick-battle-8x8-pico"),
        (["home", "--board", "none"], "none"),
    ],
)
def test_what_can_not_be_rehearsed_is_told(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there").touch()
    assert main(["rehearse", *words]) == 2
    assert said in capsys.readouterr().err
    assert not Path("home").exists()


def test_a_folder_keeps_what_its_owner_has_written(tmp_path: Path) -> None:
    rehearse.write_first_config(tmp_path, ["one", "two"])
    written = tmp_path / "boardumpire.toml"
    found = config.read_file(written)
    assert found.sensors["ports"] == {name: str(tmp_path / "ports" / name) for name in ("one", "two")}
    assert (found.board.name, found.machine.power_off) == ("", "")
    written.write_text("# mine\n")
    rehearse.write_first_config(tmp_path, ["one", "two"])
    assert written.read_text() == "# mine\n"
