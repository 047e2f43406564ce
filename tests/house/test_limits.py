"""A test that hangs is ended with its fixtures; one that changes what all share or leaves a process fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from limits import processes_of

ROOT = Path(__file__).resolve().parents[2]
TESTS = """
import asyncio, logging, os, queue, subprocess, threading, time
import pytest

children = []

@pytest.fixture
def daemon():
    process = subprocess.Popen(["sleep", "1000"])
    yield process
    process.kill()
    print("ended with", process.wait())

def test_queue(daemon):
    queue.Queue().get()

def test_process(daemon):
    daemon.wait()

def test_thread():
    thread = threading.Thread(target=time.sleep, args=(1000,), daemon=True)
    thread.start()
    thread.join()

def test_loop():
    async def scene():
        try:
            await asyncio.get_running_loop().create_future()
        except Exception:
            await asyncio.sleep(1000)
    asyncio.run(scene())

def test_stubborn():
    while True:
        try:
            time.sleep(1000)
        except BaseException:
            if not hasattr(test_stubborn, "caught"):
                test_stubborn.caught = True
            else:
                raise

def test_level():
    logging.getLogger("boardumpire.some").setLevel(logging.CRITICAL)

def test_environment():
    os.environ["SOME"] = "1"

def test_fine(daemon):
    pass

def test_processes(tmp_path):
    children.append(subprocess.Popen(["sleep", "1000"]))
    (tmp_path / "read").touch()
    subprocess.run(f"tail -f {tmp_path}/read >/dev/null 2>&1 &", shell=True, check=True)
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "conftest.py").write_text('pytest_plugins = ("limits",)\n')
    path = tmp_path / "test_some.py"
    path.write_text(TESTS)
    return path


def ran(module: Path, *words: str) -> str:
    """What pytest says of these tests."""
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:xdist", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, "--rootdir=.", "--basetemp=of-tests", *words, module.name],
        env={"PYTHONPATH": str(ROOT / "tests"), "PATH": os.environ["PATH"], "COLUMNS": "200"},
        cwd=module.parent, capture_output=True, text=True, check=False, timeout=60,
    ).stdout  # fmt: skip


@pytest.mark.slow
def test_each_way_to_hang_or_to_change_what_all_share_is_told(module: Path) -> None:
    told = ran(module, "--limit=2", "-k", "not processes and not fine")
    for name in ("queue", "process", "thread", "loop", "stubborn"):
        assert f"FAILED {module.name}::test_{name} - Failed: the test takes more than 2 s" in told
    assert told.count("ended with -9") == 2, "fixtures have ended what they started"
    for name in ("level", "environment"):
        assert f"ERROR {module.name}::test_{name} - AssertionError: the test has changed this" in told


@pytest.mark.slow
def test_a_process_that_is_left_is_told_and_ended(module: Path) -> None:
    told = ran(module, "--limit=6", "-k", "processes or fine")
    assert f"PASSED {module.name}::test_fine" in told
    assert f"ERROR {module.name}::test_processes - AssertionError: tests have left this running" in told
    assert "sleep 1000" in told
    assert "tail -f" in told
    # Of a browser that this process may hold for other tests nothing is said.
    assert not [words for words in processes_of(str(module.parent)).values() if str(module.parent) in words]
