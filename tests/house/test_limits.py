"""A test that hangs is ended with its fixtures, and one that changes what all share is named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = """
import asyncio, logging, os, queue, subprocess, threading, time
import pytest

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

def test_fine():
    pass
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "conftest.py").write_text('pytest_plugins = ("limits",)\n')
    path = tmp_path / "test_some.py"
    path.write_text(TESTS)
    return path


def test_each_way_to_hang_and_to_leave_a_change_behind_is_told(module: Path) -> None:
    words = ["-q", "-rA", "-p", "no:xdist", "-p", "no:cacheprovider", "--rootdir=.", "--limit", "0.2"]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *words, module.name],
        env={"PYTHONPATH": str(ROOT / "tests"), "COLUMNS": "200"},
        cwd=module.parent, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    for name in ("queue", "process", "thread", "loop", "stubborn"):
        assert f"FAILED {module.name}::test_{name} - Failed: the test takes more than 0.2 s" in ran.stdout
    assert ran.stdout.count("ended with -9") == 2, "fixtures have ended what they started"
    for name in ("level", "environment"):
        assert f"ERROR {module.name}::test_{name} - AssertionError: the test has changed this" in ran.stdout
    assert f"PASSED {module.name}::test_fine" in ran.stdout
