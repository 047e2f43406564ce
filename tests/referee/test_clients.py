"""The clients of examples/clients, each of 50 lines, play whole games in a language of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CLIENTS = Path(__file__).resolve().parents[2] / "examples" / "clients"
COMMAND = Path(sys.executable).with_name("boardumpire")
ENVIRONMENT = {**os.environ, "PATH": f"{COMMAND.parent}{os.pathsep}{os.environ['PATH']}"}
LINES = 52


def client(name: str) -> list[str]:
    if not CLIENTS.is_dir():
        pytest.skip("there is no folder examples/ here")
    if name.endswith(".py"):
        return [sys.executable, str(CLIENTS / name)]
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node here")
    return [node, str(CLIENTS / name)]


@pytest.mark.parametrize("name", ["client.py", "client.mjs"])
@pytest.mark.parametrize(("seat", "game"), [("red", "stratego-quick-duel"), ("allies", "fall-of-the-fuhrer")])
def test_it_plays_a_game_to_its_end(name: str, seat: str, game: str) -> None:
    command = client(name)
    assert len((CLIENTS / name).read_text().splitlines()) <= LINES
    played = subprocess.run(
        [*command, seat, game], env=ENVIRONMENT, capture_output=True, text=True, timeout=300
    )
    assert played.returncode == 0, played.stderr
    assert "reason" in played.stdout.splitlines()[-1]


@pytest.mark.slow
def test_both_play_at_one_table(tmp_path: Path) -> None:
    socket = tmp_path / "table"
    sides = {"red": client("client.py"), "blue": client("client.mjs")}
    host = subprocess.Popen([COMMAND, "referee", "--host", socket, "--game", "stratego-quick-barrage"])
    try:
        while not socket.exists():
            assert host.poll() is None
        playing = {
            seat: subprocess.Popen(
                [*command, seat, "--at", str(socket)], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
            )
            for seat, command in sides.items()
        }
        ends = {seat: each.communicate(timeout=300)[0].splitlines()[-1] for seat, each in playing.items()}
        assert [each.returncode for each in playing.values()] == [0, 0]
        assert ends["red"].replace("'", '"').replace("None", "null").replace(" ", "") == ends["blue"]
        assert host.wait(30) == 0
    finally:
        host.kill()
        host.wait()


@pytest.mark.parametrize("name", ["client.py", "client.mjs"])
def test_what_is_not_there_ends_it_with_a_code(name: str) -> None:
    command = client(name)
    lost = subprocess.run(
        [*command, "red", "--at", "/nowhere/x"], env=ENVIRONMENT, capture_output=True, text=True, timeout=60
    )
    assert lost.returncode != 0
    assert "referee --host" in lost.stderr
