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
from pathlib import Path

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, Message, Request, TextMessage

from benchmarks.measure import Result

FIRST_VISIT_KB = 60
"""Gate: all files of a seat's screen and its first words."""
REQUESTS = 10


class Page:
    """A daemon with its page over a simulated board."""

    def __init__(self, state: Path) -> None:
        program = Path(sys.executable).with_name("boardumpire")
        command = [
            str(program),
            "page",
            "--game",
            "stratego-quick-duel",
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


def visit(page: Page, seat: str, cookie: str) -> list[int]:
    """The bytes of each answer, head and body, that a browser gets on its first visit."""
    line = http.client.HTTPConnection(page.host, page.port, timeout=60)
    ahead, seen, sizes = [f"/seat/{seat}"], set[str](), []
    while ahead:
        path = ahead.pop()
        if path in seen:
            continue
        seen.add(path)
        line.request("GET", path, headers={"Cookie": cookie, "Accept-Encoding": "gzip"})
        answer = line.getresponse()
        body, head = answer.read(), answer.getheaders()
        sizes.append(len(body) + sum(len(name) + len(value) + 4 for name, value in head))
        if answer.getheader("content-type", "").startswith("text/html"):
            text = gzip.decompress(body).decode() if answer.getheader("content-encoding") else body.decode()
            named = re.findall(r'<(?:link|script|img)[^>]* (?:src|href)="(/[^"]+)"', text)
            told = re.findall(r"<(/[^>]+)>; rel=modulepreload", answer.getheader("link") or "")
            ahead += [*named, *told]
    line.close()
    return sizes


def first_words(page: Page, seat: str, cookie: str) -> int:
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


def run(*, quick: bool = False) -> list[Result]:
    """Visit once: nothing of it hangs on how fast the machine is."""
    with tempfile.TemporaryDirectory() as directory:
        page = Page(Path(directory))
        try:
            cookie = page.sit("red")
            sizes = visit(page, "red", cookie)
            words = first_words(page, "red", cookie)
        finally:
            page.close()
    files = sum(sizes)
    return [
        Result(
            "first visit to a seat's screen",
            (files + words) / 1000,
            "kB",
            f"{files / 1000:.1f} kB of files, {words / 1000:.1f} kB said by the socket",
            most=FIRST_VISIT_KB,
            counted=True,
        ),
        Result("requests of a first visit", len(sizes) + 1, "requests", most=REQUESTS, counted=True),
    ]
