"""A Wi-Fi that goes and comes back with another address, in a network of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from daemon.test_addresses import UNSHARE, lacking

NETWORK = "ip link set lo up && ip link add wlan0 type veth peer name air && ip link set air up && "
apart = pytest.mark.skipif(bool(lacking()), reason=lacking() or "it is")

NAMED = """
import asyncio, json, logging, subprocess
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf
from boardumpire.service import mdns

logging.basicConfig()
mdns.RETRY_INTERVAL_S = 0.2

def ip(*words):
    subprocess.run(["ip", *words], check=True)

async def until(met):
    for _ in range(300):
        if met():
            return
        await asyncio.sleep(0.1)
    raise SystemExit("not within half a minute")

async def found(address):
    "What another machine finds: a line of its own, at that address."
    looking = AsyncZeroconf(interfaces=[address])
    try:
        told = AsyncServiceInfo("_http._tcp.local.", "board-test._http._tcp.local.")
        return told.parsed_addresses() if await told.async_request(looking.zeroconf, 5000) else []
    finally:
        await looking.async_close()

async def scene():
    name, seen = mdns.MdnsName("board-test", "0.0.0.0", 8080), []
    keeping = asyncio.create_task(name.keep_announced())
    await asyncio.sleep(1)
    seen.append(name.is_announced)
    for address in ("10.42.0.1", "10.42.0.7"):
        ip("addr", "add", address + "/24", "dev", "wlan0")
        ip("link", "set", "wlan0", "up")
        await until(lambda: name.is_announced)
        seen.append(await found(address))
        ip("addr", "del", address + "/24", "dev", "wlan0")
        ip("link", "set", "wlan0", "down")
        await until(lambda: not name.is_announced)
    seen.append(keeping.done())
    keeping.cancel()
    await name.stop()
    return seen

print(json.dumps(asyncio.run(scene())))
"""

PLAYED = """
import http.client, json, re, subprocess, sys

def ip(words):
    subprocess.run(["ip", *words.split()], check=True)

words = ["page", "--game", "stratego-quick-duel", "--listen", "0.0.0.0:0", "--state", sys.argv[2]]
ip("addr add 10.42.0.1/24 dev wlan0")
ip("link set wlan0 up")
served = subprocess.Popen([sys.argv[1], *words], stdout=subprocess.PIPE, text=True)
links = {}
for line in served.stdout:
    found = re.match(r"  ([\\w-]+) +(http\\S+)", line)
    links.update([found.groups()] if found else [])
    if "table" in links:
        break

def ask(link, method="GET", **headers):
    host, _, path = link.partition("://")[2].partition("/")
    line = http.client.HTTPConnection(host, timeout=20)
    line.request(method, "/" + path, headers=headers)
    answer = line.getresponse()
    return answer.status, answer.getheader("set-cookie", ""), answer.read().decode()

def joined(link):
    "The link of the first seat, as the table's screen shows it to phones."
    host = link.partition("/link/")[0]
    _, cookie, _ = ask(link, "POST", Origin=host)
    return json.loads(ask(host + "/join.json", Cookie=cookie.partition(";")[0])[2])["seats"][0]["link"]

told = {"before": joined(links["table"])}
ip("addr del 10.42.0.1/24 dev wlan0")
ip("link set wlan0 down")
try:
    ask(links["red"])
    told["gone"] = "answers"
except OSError:
    told["gone"] = "no answer"
told["alive"] = served.poll() is None
ip("addr add 10.42.0.7/24 dev wlan0")
ip("link set wlan0 up")
there = links["table"].replace("10.42.0.1", "10.42.0.7")
told["after"] = joined(there)
told["opened"] = ask(told["after"])[0]
served.terminate()
told["code"] = served.wait()
print(json.dumps(told))
"""


def ran(tmp_path: Path, script: str, words: str = "") -> str:
    (tmp_path / "script.py").write_text(script)
    command = f"{NETWORK}{sys.executable} {tmp_path}/script.py {words}"
    done = subprocess.run([*UNSHARE, command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@apart
@pytest.mark.slow
def test_the_name_is_announced_anew_with_the_address_that_the_machine_has_then(tmp_path: Path) -> None:
    """First there is no network; then one, another one, and none again: the daemon goes on looking."""
    assert json.loads(ran(tmp_path, NAMED)) == [False, ["10.42.0.1"], ["10.42.0.7"], False]


@apart
@pytest.mark.slow
def test_a_page_is_reached_at_the_new_address_and_its_links_name_that(tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("boardumpire")
    told = json.loads(ran(tmp_path, PLAYED, f"{command} {tmp_path}/state"))
    assert told["before"].startswith("http://10.42.0.1:")
    assert told["gone"] == "no answer"
    assert told["alive"] is True
    assert told["after"].startswith("http://10.42.0.7:")
    assert (told["opened"], told["code"]) == (200, 0)
