"""Lichess on the loopback interface: the endpoints of its Board API that a board uses, as its OpenAPI
description (lichess-org/api, doc/specs) has them. One account, whose token is known; a script plays the other
side. It answers what the description says, and 404 to anything else.
"""

from __future__ import annotations

import json
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import chess

TOKEN = "lip_test"


class GameOnServer:
    """A game, and who reads its stream."""

    def __init__(self, game_id: str, color: str) -> None:
        self.id, self.color = game_id, color
        self.board = chess.Board()
        self.status, self.winner = "started", ""
        self.offers: set[str] = set()
        """`wdraw`, `btakeback` and so on."""
        self.readers: list[queue.Queue[dict[str, Any] | None]] = []
        self.asked: list[str] = []
        """What the board has asked for."""

    @property
    def mine(self) -> str:
        return self.color[0]

    @property
    def theirs(self) -> str:
        return "b" if self.mine == "w" else "w"

    def state(self) -> dict[str, Any]:
        """`GameStateEvent`."""
        return {
            "type": "gameState",
            "moves": " ".join(move.uci() for move in self.board.move_stack),
            "wtime": 600_000,
            "btime": 600_000,
            "winc": 0,
            "binc": 0,
            "status": self.status,
            **({"winner": self.winner} if self.winner else {}),
            **dict.fromkeys(sorted(self.offers), True),
        }

    def full(self) -> dict[str, Any]:
        """`GameFullEvent`."""
        return {
            "type": "gameFull",
            "id": self.id,
            "variant": {"key": "standard", "name": "Standard", "short": "Std"},
            "clock": {"initial": 600_000, "increment": 0},
            "speed": "rapid",
            "perf": {"name": "Rapid"},
            "rated": False,
            "createdAt": 1745112707998,
            "white": {"id": "white", "name": "White", "title": None, "rating": 1500},
            "black": {"id": "black", "name": "Black", "title": None, "rating": 1500},
            "initialFen": "startpos",
            "state": self.state(),
        }

    def tell(self) -> None:
        """The state has changed."""
        if self.board.is_checkmate():
            self.status, self.winner = "mate", "black" if self.board.turn else "white"
        for reader in self.readers:
            reader.put(self.state())
            if self.status != "started":
                reader.put(None)

    # What the other side does

    def move(self, uci: str) -> None:
        self.board.push_uci(uci)
        self.offers.clear()
        self.tell()

    def offer(self, thing: str) -> None:
        self.offers.add(self.theirs + thing)
        self.tell()

    def decline(self, thing: str) -> None:
        self.offers.discard(self.mine + thing)
        self.tell()

    def accept_take_back(self) -> None:
        """What is taken back is the last move of who asked, and what came after."""
        asker = self.mine if f"{self.mine}takeback" in self.offers else self.theirs
        self.board.pop()
        if self.board.turn != (asker == "w"):
            self.board.pop()
        self.offers.clear()
        self.tell()

    def end(self, status: str, winner: str) -> None:
        self.status, self.winner = status, winner
        self.tell()

    # What the board asks for

    def play(self, uci: str) -> str:
        """The error, if any."""
        if self.status != "started" or self.board.turn != (self.mine == "w"):
            return "Not your turn, or game already over"
        try:
            self.board.push_uci(uci)
        except ValueError:
            return f"Piece on {uci[:2]} cannot move to {uci[2:4]}"
        self.offers.clear()
        self.tell()
        return ""

    def handle(self, thing: str, accept: bool) -> None:
        offered = self.theirs + thing in self.offers
        if not accept:
            self.offers.discard(self.theirs + thing)
        elif offered and thing == "takeback":
            self.accept_take_back()
            return
        elif offered:
            self.end("draw", "")
            return
        else:
            self.offers.add(self.mine + thing)
        self.tell()


class LichessServer:
    """The server, from `with` to its end."""

    def __init__(self) -> None:
        self.games: dict[str, GameOnServer] = {}
        self.events: list[queue.Queue[dict[str, Any] | None]] = []
        self.seeks: list[dict[str, list[str]]] = []
        self.strange: list[str] = []
        """Requests that the description doesn't have."""
        owner = self

        class Handler(_Handler):
            server_of = owner

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> LichessServer:
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        for reader in [*self.events, *(each for game in self.games.values() for each in game.readers)]:
            reader.put(None)
        self._http.shutdown()
        self._http.server_close()

    def begin(self, game_id: str, color: str) -> GameOnServer:
        """A game begins: whoever reads events is told (`GameStartEvent`)."""
        game = self.games[game_id] = GameOnServer(game_id, color)
        for reader in self.events:
            reader.put(self.start_event(game))
        return game

    @staticmethod
    def start_event(game: GameOnServer) -> dict[str, Any]:
        info = {"fullId": f"{game.id}full", "gameId": game.id, "id": game.id, "color": game.color}
        return {"type": "gameStart", "game": {**info, "fen": game.board.fen(), "compat": {"board": True}}}


class _Handler(BaseHTTPRequestHandler):
    server_of: LichessServer
    protocol_version = "HTTP/1.1"  # a stream comes in chunks

    def log_message(self, *args: Any) -> None:
        pass

    def _json(self, code: int, content: dict[str, Any]) -> None:
        data = json.dumps(content).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _is_allowed(self) -> bool:
        if self.headers.get("Authorization") == f"Bearer {TOKEN}":
            return True
        self._json(401, {"error": "No such token"})
        return False

    def _stream(self, first: list[dict[str, Any]], reader: queue.Queue[dict[str, Any] | None]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for each in first:
            self._chunk(json.dumps(each).encode() + b"\n")
        while True:
            try:
                event = reader.get(timeout=7)
            except queue.Empty:
                self._chunk(b"\n")  # for keep alive purposes
                continue
            if event is None:
                self._chunk(b"")
                return
            self._chunk(json.dumps(event).encode() + b"\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()

    def do_GET(self) -> None:
        if not self._is_allowed():
            return
        parts = urlsplit(self.path).path.strip("/").split("/")
        server, reader = self.server_of, queue.Queue[dict[str, Any] | None]()
        match parts:
            case ["api", "account"]:
                self._json(200, {"id": "someone", "username": "Someone", "perfs": {}})
            case ["api", "stream", "event"]:
                server.events.append(reader)
                going = [game for game in server.games.values() if game.status == "started"]
                self._stream([server.start_event(game) for game in going], reader)
            case ["api", "board", "game", "stream", game_id] if game_id in server.games:
                game = server.games[game_id]
                game.readers.append(reader)
                if game.status != "started":
                    reader.put(None)
                self._stream([game.full()], reader)
            case _:
                server.strange.append(f"GET {self.path}")
                self._json(404, {"error": "Not found"})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        if not self._is_allowed():
            return
        server, error = self.server_of, ""
        match urlsplit(self.path).path.strip("/").split("/"):
            case ["api", "board", "seek"]:
                server.seeks.append(parse_qs(body))
                self.send_response(200)
                self.send_header("Content-Type", "application/x-ndjson")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            case ["api", "board", "game", game_id, *words] if game_id in server.games:
                game = server.games[game_id]
                match words:
                    case ["move", uci]:
                        error = game.play(uci)
                    case ["draw" | "takeback" as thing, "yes" | "no" as accept]:
                        game.handle(thing, accept == "yes")
                    case ["resign"]:
                        game.end("resign", "black" if game.color == "white" else "white")
                    case _:
                        server.strange.append(f"POST {self.path}")
                        error = "Not found"
                game.asked.append(" ".join(words))
            case _:
                server.strange.append(f"POST {self.path}")
                error = "Not found"
        self._json(400, {"error": error}) if error else self._json(200, {"ok": True})
