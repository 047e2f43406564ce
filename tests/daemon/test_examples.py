"""The example below the help of each command runs, as it stands there."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import boardrules
from boardrules.core import Outcome
from boardsim.world.world import World
from boardware.description import load_board
from daemon.service import Service
from daemon.test_cli import GAME, commands, played
from daemon.test_waits import free_port

TESTS = Path(__file__).resolve().parent.parent
PROGRAMS = Path(sys.executable).parent

NEEDS = {
    "calibrate": "sensors and a person at the board",
    "doctor": "sensors and lights",
    "flash": "a Pico",
    "hall": "an MQTT broker",
    "hotspot": "NetworkManager and a Wi-Fi adapter",
    "pair": "a table that names the satellite; tests/satellite/test_service.py has both",
    "run": "a board; with a simulated one it runs in test_daemon.py",
    "satellite": "a table on another machine, and a person who types its code",
    "setup": "a person who answers, and the rights of root",
    "tags enrol": "a tag reader",
    "trace record": "a board; with a simulated one it runs in makers/test_trace.py",
}
"""Commands whose examples need what a test hasn't, and what that is."""
IN_SERVICE = ("links", "status")
"""Commands that ask a board in service."""
SERVING = "page"
"""The command that goes on until it is stopped."""
LIMIT_S = 100.0


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every file that an example names, and the state of a board beside it."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "evening.hands").write_text((TESTS / "hands" / "attack.hands").read_text())
    (folder / "evening.trace").write_text((TESTS / "traces" / "attack.trace").read_text())
    (folder / "lines.jsonl").write_text(f'{{"do":"new","game":"{GAME}","options":{{}},"seed":1}}\n')
    World.create_file(folder / "world", load_board("quick-battle-8x8"), seed=1).copper.close()
    (folder / "my-board.toml").write_text(
        'format = "boardumpire-config"\nversion = 1\n'
        '[drivers]\nsensors = "gpio-sim"\nlamps = "neopixel-spi-sim"\nconsole = "console-sim"\n'
        + "".join(f'[{each}]\nworld = "{folder}/world"\n' for each in ("sensors", "lamps", "console"))
    )
    (folder / "state").mkdir()
    store, _ = played(folder / "state" / "journal.sqlite")
    store.finish_game(1, Outcome("red", "resignation"), 3)
    for _ in range(2):
        store.begin_game(GAME, boardrules.new(GAME).options, "quick-battle-8x8", 1_769_817_600_000)
    store.close()
    run(folder, "record export 1 > game.record")
    run(folder, "record convert game.record --to neutral > games.jsonl")
    run(folder, "backup --into made")
    next((folder / "made").iterdir()).rename(folder / "evening.tar")
    run(folder, "tags export tags.json")
    return folder


def run(folder: Path, example: str) -> subprocess.CompletedProcess[str]:
    """What a shell makes of an example in this folder."""
    done = subprocess.run(
        ["bash", "-c", f"boardumpire {example}"], cwd=folder, env=environ(folder), capture_output=True,
        text=True, stdin=subprocess.DEVNULL, timeout=LIMIT_S,
    )  # fmt: skip
    assert done.returncode == 0, (example, done.stdout[-2000:], done.stderr[-2000:])
    return done


def environ(folder: Path) -> dict[str, str]:
    return {
        "PATH": f"{PROGRAMS}:{os.environ['PATH']}",
        "STATE_DIRECTORY": str(folder / "state"),
        "RUNTIME_DIRECTORY": str(folder / "run"),
    }


@pytest.mark.slow
@pytest.mark.cases(8)
@pytest.mark.parametrize("name", sorted({*commands()} - {*NEEDS, *IN_SERVICE, SERVING}))
def test_the_example_of_a_command_runs(name: str, files: Path, tmp_path: Path) -> None:
    """Of games that are played by the hundred, two are."""
    folder = tmp_path / "here"
    shutil.copytree(files, folder)
    if name == "restore":
        shutil.rmtree(folder / "state")
    elif name == "tags export":
        (folder / "tags.json").unlink()
    example = re.sub(r"--games \d+", "--games 2", commands()[name].example)
    done = run(folder, example)
    written = re.search(r"(?:--into|--svg|>) (\S+)|^(?:key new|tags export) (\S+)", example)
    assert written is None or (folder / (written[1] or written[2])).exists(), example
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_examples_for_a_board_in_service_run(tmp_path: Path) -> None:
    service = Service(tmp_path, config=f'[page]\nlisten = "127.0.0.1:{free_port()}"\nmdns = ""\n')
    try:
        service.start()
        for name in IN_SERVICE:
            assert run(tmp_path, commands()[name].example).stdout
    finally:
        service.close()


@pytest.mark.slow
def test_the_example_of_the_page_serves_until_it_is_stopped(tmp_path: Path) -> None:
    """At another port than it names: that one may be taken here."""
    address = f"127.0.0.1:{free_port()}"
    words = re.sub(r"127\.0\.0\.1:\d+", address, commands()[SERVING].example).split()
    assert address in words
    with subprocess.Popen(
        [PROGRAMS / "boardumpire", *words], cwd=tmp_path, env=environ(tmp_path), stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
    ) as served:  # fmt: skip
        assert served.stdout is not None
        assert any(f"http://{address}/" in line for line in served.stdout)
        served.send_signal(signal.SIGTERM)
        assert served.wait(LIMIT_S) == 0


def test_only_known_commands_are_left_out() -> None:
    assert {*NEEDS, *IN_SERVICE, SERVING} <= {*commands()}
