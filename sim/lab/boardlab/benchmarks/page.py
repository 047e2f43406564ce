"""What a first visit to the page costs: bytes as they come over the wire, compressed, and requests.

A seat's screen is asked for as a browser does: the page itself, what it names, and the first words of its
socket. Nothing is drawn; tests/web/test_figures.py does that with a real browser.
"""

from __future__ import annotations

import gzip
import http.client
import json
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, Message, Request, TextMessage

from boardlab.benchmarks.measure import BenchmarkResult
from boardrules.core import Seat

GAMES = {
    "stratego-quick-duel": ("--game", "stratego-quick-duel"),
    "stratego-classic": ("--board", "classic-10x10", "--game", "stratego-classic"),
    "fall-of-the-fuhrer": (
        *("--board", "fall-of-the-fuhrer", "--game", "fall-of-the-fuhrer"),
        *("--option", "players=3"),
    ),
    "escape-from-colditz": ("--board", "escape-from-colditz", "--game", "escape-from-colditz"),
}
"""By game the words that serve it."""
DUEL = GAMES["stratego-quick-duel"]
"""Without words a page asks first what shall be played."""
VISIT_MAX_KB = 120
"""kB: all files of a seat's screen and its first words, without the hands of the simulated board and without
what is printed on the board (`ART_CACHE_DIRECTIVE`)."""
ART_CACHE_DIRECTIVE = "immutable"
"""What is said of a file that a browser keeps for good: what is printed on board and cards."""
HANDS_SCRIPT_PATH = "/hands.js"
"""What a seat at a real board isn't sent."""
REQUESTS = 11


class PageDaemon:
    """A daemon with its page over a simulated board. `words` say what is played there."""

    def __init__(self, state: Path, words: Sequence[str] = DUEL) -> None:
        program = Path(sys.executable).with_name("boardumpire")
        command = [
            str(program),
            "page",
            *words,
            "--listen",
            "127.0.0.1:0",
            "--state",
            str(state),
        ]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.links: dict[str, str] = {}
        while "table" not in self.links:
            line = self._process.stdout.readline()
            if not line:
                self.close()
                raise RuntimeError("the daemon ended before it told its links")
            if found := re.match(r"  ([\w-]+) +(http\S+/link/\S+)", line):
                self.links[found[1]] = found[2]
        self.origin = self.links["table"].partition("/link")[0]
        self.host, _, port = self.origin.partition("://")[2].partition(":")
        self.port = int(port)

    def sit(self, name: str) -> str:
        """Sit down by the link of that name; the cookie that says so."""
        path = self.links[name].removeprefix(self.origin)
        line = http.client.HTTPConnection(self.host, self.port, timeout=60)
        line.request("POST", path, headers={"Origin": self.origin, "Content-Length": "0"})
        cookie = line.getresponse().getheader("set-cookie")
        line.close()
        assert cookie is not None, path
        return cookie.partition(";")[0]

    def close(self) -> None:
        """End the daemon."""
        self._process.terminate()
        self._process.wait(30)
        assert self._process.stdout is not None
        self._process.stdout.close()


def visit(page: PageDaemon, seat: Seat, cookie: str) -> tuple[dict[str, int], dict[str, int]]:
    """The bytes of each answer, head and body, that a browser gets on its first visit, by its path; those of
    art apart."""
    line = http.client.HTTPConnection(page.host, page.port, timeout=60)
    ahead, sizes, art = [f"/seat/{seat}"], dict[str, int](), dict[str, int]()
    while ahead:
        path = ahead.pop()
        if path in sizes or path in art:
            continue
        line.request("GET", path, headers={"Cookie": cookie, "Accept-Encoding": "gzip"})
        answer = line.getresponse()
        body, head = answer.read(), answer.getheaders()
        assert answer.status == 200, path
        into = art if ART_CACHE_DIRECTIVE in answer.getheader("cache-control", "") else sizes
        into[path] = len(body) + sum(len(name) + len(value) + 4 for name, value in head)
        if answer.getheader("content-type", "").startswith("text/html"):
            text = gzip.decompress(body).decode() if answer.getheader("content-encoding") else body.decode()
            named = re.findall(r'<(?:link|script|img)[^>]* (?:src|href)="(/[^"]+)"', text)
            told = re.findall(r"<(/[^>]+)>; rel=(?:modulepreload|preload)", answer.getheader("link") or "")
            ahead += [*named, *told, *_game_script_paths(text)]
    line.close()
    return sizes, art


def _game_script_paths(text: str) -> list[str]:
    """What the page's scripts fetch by themselves before anybody has touched anything. The picture of a board
    is art, and kept by the browser."""
    about = re.search(r'<script type="application/json" id="about">(.*?)</script>', text, re.DOTALL)
    assert about is not None
    printed = json.loads(about[1])["printed"]
    looks = printed["looks"]
    if not looks.get("scene"):
        return ["/setup.js"]  # a game without a scene has armies to set up
    return [looks[part] for part in ("scene", "style") if looks.get(part)]


def snapshot_bytes(page: PageDaemon, seat: Seat, cookie: str) -> int:
    """The bytes of what the socket says until the screen has its snapshot."""
    line = socket.create_connection((page.host, page.port), 60)
    talk = WSConnection(ConnectionType.CLIENT)
    headers = [(b"cookie", cookie.encode()), (b"origin", page.origin.encode())]
    target = f"/socket/{seat}"
    line.sendall(talk.send(Request(f"{page.host}:{page.port}", target, extra_headers=headers)))
    size, text = 0, ""
    while True:
        data = line.recv(1 << 16)
        size += len(data)
        talk.receive_data(data or None)
        for event in talk.events():
            if isinstance(event, AcceptConnection):
                line.sendall(talk.send(Message(json.dumps({"do": "hello", "epoch": None, "n": 0}))))
            elif isinstance(event, TextMessage):
                text += event.data
                if event.message_finished:
                    if json.loads(text)["kind"] == "snapshot":
                        line.close()
                        return size
                    text = ""


def run(*, quick: bool = False) -> list[BenchmarkResult]:
    """Visit every seat of each game once: nothing of it hangs on how fast the machine is."""
    results = []
    for game, served in GAMES.items():
        with tempfile.TemporaryDirectory() as directory:
            page = PageDaemon(Path(directory), served)
            try:
                seats = [Seat(name) for name in page.links if name not in ("table", "watch")]
                cookies = {seat: page.sit(seat) for seat in seats}
                files = [visit(page, seat, cookie) for seat, cookie in cookies.items()]
                words = max(snapshot_bytes(page, seat, cookie) for seat, cookie in cookies.items())
            finally:
                page.close()
        most_files = max(sum(sizes.values()) - sizes.get(HANDS_SCRIPT_PATH, 0) for sizes, _ in files)
        bench = files[0][0].get(HANDS_SCRIPT_PATH, 0)
        art = max(sum(kept.values()) for _, kept in files)
        detail = f"the most of {len(seats)} seats: {most_files / 1000:.1f} kB of files, "
        detail += f"{words / 1000:.1f} kB said by the socket; beside it what is printed on board and cards, "
        detail += f"kept by the browser: {art / 1000:.1f} kB; a simulated board adds {bench / 1000:.1f} kB"
        kilobytes = (most_files + words) / 1000
        results.append(
            BenchmarkResult(f"first visit, {game}", kilobytes, "kB", detail, most=VISIT_MAX_KB, counted=True)
        )
        count = max(len(sizes) + len(kept) for sizes, kept in files) + 1
        results.append(
            BenchmarkResult(
                f"requests of it, {game}",
                count,
                "requests",
                "its socket among them",
                most=REQUESTS,
                counted=True,
            )
        )
    return results
