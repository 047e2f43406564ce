"""The service runs where there are no sockets, serial ports, threads and processes, as in a browser's tab."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

SERVICE = """
import asyncio, json, sys
from pathlib import Path

for name in ("serial", "termios", "pty", "pwd", "uvicorn", "h11", "wsproto", "websockets"):
    sys.modules[name] = None

def refuse(event, given):
    if event in (
        "socket.bind", "socket.connect", "subprocess.Popen", "os.fork", "os.exec", "os.posix_spawn",
        "_thread.start_new_thread", "_thread.start_joinable_thread",
    ):
        raise RuntimeError(f"{event}{given}")

sys.addaudithook(refuse)
sys.path.append("package/tab/python")
from boardumpire_tab import Tab

async def main(folder):
    told = asyncio.Queue()
    tab = Tab(folder, lambda *what: told.put_nowait(what))
    link = await tab.start("stratego-quick-duel", {"blue": "2"})
    status, headers, body = await tab.request("POST", link, {})
    sits = dict(headers)
    cookie = {"cookie": sits["set-cookie"].partition(";")[0]}
    page = await tab.request("GET", sits["location"], cookie)
    alien = await tab.request("GET", sits["location"], {})
    tab.open_socket(1, "/socket/red", cookie)
    tab.say(1, json.dumps({"do": "hello", "epoch": None, "n": 0, "language": "en"}))
    opened, frame = await told.get(), await told.get()
    tab.open_socket(2, "/socket/red", {})
    refused = await told.get()
    await tab.stop()
    print(json.dumps([status, sits["location"], page[0], page[2].decode(), alien[0], opened, frame, refused]))

asyncio.run(main(Path(sys.argv[1])))
"""


@pytest.mark.slow
def test_a_table_is_served_without_sockets_serial_ports_threads_and_processes(tmp_path: Path) -> None:
    program = [sys.executable, "-c", SERVICE, str(tmp_path)]
    ran = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    status, seat, found, page, alien, opened, frame, refused = json.loads(ran.stdout)
    assert (status, seat, found) == (303, "/seat/red", 200)
    assert '<script type="module" src="/main.js">' in page
    assert alien == 403, "a seat's screen is for who sat down there"
    assert opened == [1, "open", "", 0]
    snapshot = json.loads(frame[2])
    assert (frame[:2], snapshot["kind"]) == ([1, "message"], "snapshot")
    assert refused[:2] == [2, "close"]
