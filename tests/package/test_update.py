"""Another version is taken between two games, and given back with the games of before when it isn't well."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardumpire.service.upgrade_handover import EXIT_CODE_UPGRADE
from daemon.service import Service
from daemon.test_daemon import set_up

UPDATE = Path(__file__).parents[2] / "package" / "update.sh"
PROGRAM = Path(sys.executable).with_name("boardumpire")
PROVEN_S = 120
pytestmark = pytest.mark.skipif(shutil.which("runuser") is None, reason="runuser is not on this machine")


class Home:
    """The folder of the versions; a machine that was up for `uptime` seconds."""

    def __init__(self, folder: Path) -> None:
        self.path, self.state = folder / "opt", folder / "state"
        self.path.mkdir()
        (self.path / "bin").symlink_to("current/bin")
        self.uptime = 1000
        self._uptime = folder / "uptime"
        self.said = ""

    def version(self, name: str, script: str) -> None:
        """A version whose program is that shell script."""
        program = self.path / name / "bin" / "boardumpire"
        program.parent.mkdir(parents=True)
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)

    def update(self, *words: str, **more: str) -> int:
        self._uptime.write_text(f"{self.uptime}.05 12.00\n")
        environ = {
            **os.environ,
            "BOARDUMPIRE_HOME": str(self.path),
            "BOARDUMPIRE_STATE": str(self.state),
            "BOARDUMPIRE_UPTIME": str(self._uptime),
            "BOARDUMPIRE_PATIENCE": "2",
            "BOARDUMPIRE_OWNER": "",
            **more,
        }
        ran = subprocess.run(["sh", UPDATE, *words], env=environ, capture_output=True, text=True)
        self.said += ran.stderr
        return ran.returncode

    def starts(self) -> int:
        """As systemd starts it: what comes before, the program itself, what comes after it is ready."""
        assert self.update("start") == 0, self.said
        code = subprocess.run([self.path / "bin" / "boardumpire", "run"]).returncode
        return code or self.update("confirm")

    @property
    def runs(self) -> str:
        return (self.path / "current").readlink().name

    def links(self) -> dict[str, str]:
        return {
            name: (self.path / name).readlink().name
            for name in ("current", "previous", "next")
            if (self.path / name).is_symlink()
        }


WELL = "exit 0"
ENDS = 'if [ "$1" = run ]; then exit 1; fi'
SILENT = 'if [ "$1" = status ]; then exit 2; fi'


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path)
    home.version("1.0", WELL)
    (home.path / "current").symlink_to("1.0")
    return home


def test_a_version_that_is_well_stays_and_the_one_before_is_kept(home: Home) -> None:
    for name in ("1.1", "1.2"):
        home.version(name, WELL)
        home.update("take", name)
        assert home.runs != name, "not before it is started anew"
        assert home.starts() == 0
        assert home.runs == name
        home.uptime += PROVEN_S
        assert home.starts() == 0
        assert not (home.path / "trial").exists()
    assert home.links() == {"current": "1.2", "previous": "1.1"}
    assert not (home.path / "1.0").exists()


@pytest.mark.parametrize("bad", [ENDS, "exit 1"])
def test_a_version_that_ends_at_once_is_given_back_after_three_starts(home: Home, bad: str) -> None:
    home.version("1.1", bad)
    home.update("take", "1.1")
    assert [home.starts() for _ in range(3)] == [1, 1, 1]
    assert home.runs == "1.1"
    assert home.starts() == 0
    assert home.runs == "1.0"
    assert "1.1 did not start well 3 times: 1.0 runs again" in home.said
    home.version("1.1.1", WELL)
    (home.path / "next").symlink_to("1.1")
    assert home.starts() == 0
    assert home.runs == "1.0", "what was given back is not tried again by itself"
    home.update("take", "1.1.1")
    assert home.starts() == 0
    assert home.runs == "1.1.1"


def test_one_that_ends_soon_after_it_was_ready_is_given_back_too(home: Home) -> None:
    home.version("1.1", WELL)
    home.update("take", "1.1")
    for _ in range(3):
        assert home.starts() == 0
        home.uptime += PROVEN_S - 30
    assert home.starts() == 0
    assert home.runs == "1.0"


def test_the_administrator_goes_back_to_the_version_before(home: Home) -> None:
    assert home.update("back") == 1
    assert "there is no version before 1.0" in home.said
    home.version("1.1", WELL)
    home.update("take", "1.1")
    assert home.starts() == 0
    home.uptime += PROVEN_S
    assert home.starts() == 0
    home.version("1.2", WELL)
    home.update("take", "1.2")
    assert home.update("back") == 0, home.said
    assert "you asked for it: 1.0 runs again" in home.said
    for _ in range(2):
        assert home.starts() == 0
        assert home.runs == "1.0", (
            "neither the one that it came from nor the one that waited is taken by itself"
        )
    assert home.update("back") == 1
    home.update("take", "1.2")
    assert home.starts() == 0
    assert home.runs == "1.2"


def test_one_that_makes_room_for_a_third_was_well(home: Home) -> None:
    """Two packages within two minutes: the first gives way as soon as it is ready, and that is no failure."""
    home.version("1.1", WELL)
    home.update("take", "1.1")
    assert home.starts() == 0
    home.version("1.2", WELL)
    home.update("take", "1.2")
    home.update("ended", EXIT_STATUS=str(EXIT_CODE_UPGRADE))
    assert home.starts() == 0
    assert home.runs == "1.2"
    assert "did not start well" not in home.said


def test_a_machine_that_is_switched_off_at_once_gives_nothing_back(home: Home) -> None:
    home.version("1.1", WELL)
    home.update("take", "1.1")
    for _ in range(5):
        assert home.starts() == 0
        home.uptime = 20
    assert home.runs == "1.1"


def test_one_that_refuses_the_configuration_is_given_back_at_once(home: Home) -> None:
    """systemd starts nothing again that ends with 2: it would stay off."""
    home.version("1.1", 'if [ "$1" = run ]; then exit 2; fi')
    home.update("take", "1.1")
    assert home.starts() == 2
    home.update("ended", EXIT_STATUS="2")
    assert home.links() == {"current": "1.0", "previous": "1.0"}
    home.update("ended", EXIT_STATUS="2")
    assert home.runs == "1.0", "the one before is no longer tried: it is the owner's mistake"


@pytest.mark.parametrize("link", ["current", "previous"])
def test_a_link_that_a_power_cut_left_half_made_is_in_nobodys_way(home: Home, link: str) -> None:
    """A link to a folder that is there already would be filled, not replaced."""
    home.version("1.1", WELL)
    (home.path / f".{link}").symlink_to("1.0")
    home.update("take", "1.1")
    assert home.starts() == 0
    assert home.links() == {"current": "1.1", "previous": "1.0"}
    assert not (home.path / "1.0" / "1.1").is_symlink()


@pytest.mark.parametrize("done", range(4))
def test_wherever_a_power_cut_falls_a_version_that_is_bad_is_given_back(home: Home, done: int) -> None:
    """The power goes after so many of the changes that taking a version makes."""
    home.version("1.1", ENDS)
    home.update("take", "1.1")
    stopped = home.path.parent / "stopped.sh"
    marks = ("    echo ", "    point current", '    rm -f "$home/next"', "    say ")
    text = UPDATE.read_text()
    begin = text.index("take() {")
    at = text.index(marks[done], text.index('echo "1 -"', begin) - 10)
    stopped.write_text(f"{text[:at]}    exit 0\n{text[at:]}")
    environ = {**os.environ, "BOARDUMPIRE_HOME": str(home.path), "BOARDUMPIRE_STATE": str(home.state)}
    subprocess.run(["sh", stopped, "start"], env=environ, check=True, capture_output=True)
    home.uptime = 5
    for _ in range(10):
        home.starts()
    assert home.runs == "1.0"
    assert home.starts() == 0
    assert (home.path / "refused" / "1.1").exists()
    assert "next" not in home.links()


def test_one_that_does_not_answer_is_not_well(home: Home) -> None:
    home.version("1.1", SILENT)
    home.update("take", "1.1")
    assert home.starts() == 1
    assert "1.1 does not answer" in home.said


def test_a_version_that_is_not_whole_is_not_taken(home: Home) -> None:
    (home.path / "1.1" / "bin").mkdir(parents=True)
    home.update("take", "1.1")
    assert home.starts() == 0
    assert home.links() == {"current": "1.0"}


def test_where_no_copy_of_the_games_can_be_made_the_old_one_goes_on(home: Home) -> None:
    home.state.mkdir()
    (home.state / "journal.sqlite").write_text("x")
    home.version("0.9", 'if [ "$1" = backup ]; then exit 1; fi')
    (home.path / "current").unlink()
    (home.path / "current").symlink_to("0.9")
    home.version("1.1", WELL)
    home.update("take", "1.1")
    assert home.starts() == 0
    assert (home.runs, "no copy of the games could be made" in home.said) == ("0.9", True)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service(tmp_path)
    yield service
    service.close()


def real(home: Home, service: Service, name: str, first: str = "") -> None:
    """The program itself as a version; `first` is done before it."""
    home.version(name, f'{first}\nexec {PROGRAM} "$@" --config {service.config}')


@pytest.mark.slow
def test_a_game_is_played_to_its_end_before_another_version_runs(tmp_path: Path, service: Service) -> None:
    """The daemon itself, over a simulated board: it gives way when the game is over, and not before."""
    home = Home(tmp_path)
    real(home, service, "1.0")
    real(home, service, "1.1")
    (home.path / "current").symlink_to("1.0")
    home.state = tmp_path / "state"
    assert home.update("start") == 0
    service.start(BOARDUMPIRE_HOME=str(home.path))
    set_up(service)
    assert home.update("take", "1.1") == 0
    then = service.now + 6_000_000
    service.until(lambda: service.now > then)
    assert service.process is not None
    assert service.process.poll() is None, "it is looked for every five seconds, and a game goes on"
    service.ask("say", seat="red", text="resign")
    service.until(lambda: service._ended())
    assert service.process.returncode == EXIT_CODE_UPGRADE
    service._hang_up()
    assert home.update("start") == 0
    assert home.links() == {"current": "1.1", "previous": "1.0"}
    (copy,) = (home.state / "before-update").glob("*.tar")
    assert copy.stat().st_mode & 0o077 == 0
    service.start(BOARDUMPIRE_HOME=str(home.path))
    assert service.end(signal.SIGTERM) == 0


@pytest.mark.slow
def test_a_further_board_takes_the_version_that_is_current(tmp_path: Path, service: Service) -> None:
    """Between two games, and not the one that waits for the first board."""
    current = tmp_path / "current"
    current.symlink_to(sys.prefix)
    (tmp_path / "next").symlink_to("1.1")
    service.start(BOARDUMPIRE_HOME=str(tmp_path), BOARDUMPIRE_VERSION_LINK="current")
    then = service.now + 6_000_000
    service.until(lambda: service.now > then)
    assert service.process is not None
    assert service.process.poll() is None
    current.unlink()
    current.symlink_to("1.1")
    service.until(lambda: service._ended())
    assert service.process.returncode == EXIT_CODE_UPGRADE
    service._hang_up()


@pytest.mark.slow
def test_games_that_a_version_given_back_has_changed_are_brought_back(
    tmp_path: Path, service: Service
) -> None:
    """A newer version brings the journal to its own format and then fails: the older one reads it again."""
    home = Home(tmp_path)
    home.state = tmp_path / "state"
    service.start()
    set_up(service)
    service.end(signal.SIGTERM)
    journal = home.state / "journal.sqlite"
    newer = f"""if [ "$1" = run ]; then {sys.executable} -c '
import sqlite3
found = sqlite3.connect("{journal}")
found.execute("PRAGMA user_version = 99")
found.execute("UPDATE meta SET version = 99")
found.commit()'; exit 1; fi"""
    real(home, service, "1.0")
    home.version("1.1", newer)
    (home.path / "current").symlink_to("1.0")
    home.update("take", "1.1")
    for _ in range(3):
        home.update("start")
        subprocess.run([home.path / "bin" / "boardumpire", "run"])
    assert sqlite3.connect(journal).execute("PRAGMA user_version").fetchone() == (99,)
    home.update("start")
    assert home.runs == "1.0", home.said
    service.start()
    assert service.ask("view", seat=None)["view"]["to_act"] == ["red"], "the game goes on where it was"
