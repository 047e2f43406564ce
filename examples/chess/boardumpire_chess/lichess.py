"""`boardumpire lichess`: games on Lichess at the real board, by its Board API and the library berserk.

Nothing goes online but by this command. The person plays at the board, and carries what the other side does
on Lichess as lights ask. Lichess keeps the time.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import queue
import socket
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

from boardumpire.commands.command_parser import parse_file_path
from boardumpire.errors import BoardumpireError
from boardumpire.service import config, control
from boardumpire.service.process import stop_event
from boardumpire_chess import lichess_game
from boardumpire_chess.lichess_game import Carried, LichessLink, NotTheSameGame, RemoteGame, Said, Sent

URL: Final = "https://lichess.org"
RETRY_S: Final = 5.0
TOO_MANY_RETRY_S: Final = 60.0
"""What Lichess asks of who was told 429."""
TICK_S: Final = 1.0
"""Between two looks at the table without a message."""
TOKEN_MAX_BYTES: Final = 1000


class GameStart(NamedTuple):
    """A game has begun on Lichess, or goes on."""

    game_id: str
    own: str
    """The side of who holds the token."""


class Lichess:
    """Lichess for one token. Each stream is read by a thread and comes out of one queue."""

    def __init__(self, url: str, token: str, news: queue.Queue[Any]) -> None:
        """Raises `BoardumpireError` without berserk."""
        try:
            import berserk
        except ImportError:
            raise BoardumpireError(
                "lichess: berserk is not installed; try pip install boardumpire-chess[lichess]"
            ) from None
        self._errors = (berserk.exceptions.ApiError, berserk.exceptions.ResponseError)
        self._url, self._token = url, token
        self._news = news

    def _client(self) -> Any:
        import berserk

        return berserk.Client(session=berserk.TokenSession(self._token), base_url=self._url)

    def check(self) -> str:
        """The name of who holds the token. Raises `BoardumpireError`."""
        try:
            return str(self._client().account.get()["username"])
        except self._errors as error:
            raise BoardumpireError(f"lichess: {self._url}: {error}; try another token or later") from None

    def watch_events(self) -> None:
        """From now on each game that starts comes as `GameStart`."""
        self._read_forever(lambda client: client.board.stream_incoming_events(), self._take_event)

    def _take_event(self, event: dict[str, Any]) -> None:
        if event["type"] == "gameStart":
            game = event["game"]
            self._news.put(GameStart(game["gameId"], game["color"]))

    def watch_game(self, game_id: str) -> None:
        """From now on each state of a game comes as `(game_id, RemoteGame)`, until it is over."""
        full: dict[str, Any] = {}

        def take(event: dict[str, Any]) -> None:
            if event["type"] == "gameFull":
                full.update(event)
                event = event["state"]
            if event["type"] == "gameState":
                self._news.put((game_id, lichess_game.remote_game(full, event)))

        self._read_forever(lambda client: client.board.stream_game_state(game_id), take, once=True)

    def seek(self, minutes: int, increment: int) -> None:
        """Look for somebody to play a standard game with; the game comes as `GameStart`."""

        def opened(client: Any) -> Iterable[dict[str, Any]]:
            client.board.seek(minutes, increment)  # returns once it is over
            return ()

        self._read_forever(opened, lambda event: None, once=True)

    def _read_forever(
        self,
        opened: Callable[[Any], Iterable[dict[str, Any]]],
        take: Callable[[dict[str, Any]], None],
        *,
        once: bool = False,
    ) -> None:
        """Read a stream in a thread, and open it again where it breaks; `once`: not where it ends."""

        def read() -> None:
            while True:
                try:
                    for event in opened(self._client()):
                        take(event)
                    if once:
                        return
                    time.sleep(RETRY_S)
                except self._errors as error:
                    self._news.put(BoardumpireError(f"lichess: {error}"))
                    time.sleep(_pause_after(error))
                except OSError as error:  # a stream that breaks off
                    self._news.put(BoardumpireError(f"lichess: {error}"))
                    time.sleep(RETRY_S)

        threading.Thread(target=read, daemon=True).start()

    def send(self, game_id: str, task: Sent) -> None:
        """Tell Lichess something. Raises `BoardumpireError`."""
        board = self._client().board
        try:
            match task.verb:
                case "move":
                    board.make_move(game_id, task.value)
                case "draw":
                    board.handle_draw_offer(game_id, task.value == "yes")
                case "takeback":
                    board.handle_takeback_offer(game_id, task.value == "yes")
                case _:
                    board.resign_game(game_id)
        except self._errors as error:
            raise BoardumpireError(f"lichess: {task.verb} {task.value}: {error}") from None


def _pause_after(error: Exception) -> float:
    return TOO_MANY_RETRY_S if getattr(error, "status_code", None) == 429 else RETRY_S


class Session:
    """Plays the games of Lichess at the table, one after the other."""

    def __init__(self, lichess: Lichess, table: Path, news: queue.Queue[Any]) -> None:
        """`table`: the control socket."""
        self._lichess, self._table, self._news = lichess, table, news
        self._game_id = ""
        self._link = LichessLink("white")
        self._remote: RemoteGame | None = None
        self._told: set[str] = set()
        """The troubles that were told since Lichess was heard of last."""

    def run(self, stopped: threading.Event) -> None:
        """Until `stopped` is set, which it sees within `TICK_S`."""
        while not stopped.is_set():
            with contextlib.suppress(queue.Empty):
                self._take(self._news.get(timeout=TICK_S))
                while True:
                    self._take(self._news.get_nowait())
            try:
                self._go_on()
            except (BoardumpireError, NotTheSameGame) as error:
                self._tell(str(error))

    def _take(self, news: Any) -> None:
        match news:
            case GameStart(game_id, own) if game_id != self._game_id:
                self._game_id, self._link, self._remote = game_id, LichessLink(own), None
                print(f"game {game_id}: the board plays {own}", flush=True)
                self._lichess.watch_game(game_id)
            case (self._game_id, RemoteGame() as remote):
                self._remote = remote
                self._link.see_offers(remote)
                self._told.clear()
            case BoardumpireError():
                self._tell(str(news))

    def _tell(self, text: str) -> None:
        """Each trouble once."""
        if text not in self._told:
            self._told.add(text)
            print(f"boardumpire: {text}", file=sys.stderr, flush=True)

    def _go_on(self) -> None:
        """Do one thing after the other until there is nothing to do."""
        if self._remote is None:
            return
        answer = control.send_request(self._table, {"do": "view", "seat": None})["view"]
        local = lichess_game.local_game(answer)
        if local.reason and not self._remote.is_over and not self._is_of_this_game(local.fen):
            control.send_request(self._table, {"do": "new"})
            self._news.put(None)  # look again at once
            return
        task = self._link.next_task(local, self._remote)
        if isinstance(task, Said | Carried):
            verb = "say" if isinstance(task, Said) else "carry"
            control.send_request(self._table, {"do": verb, "seat": task.seat, "text": task.text})
        elif task is not None:
            self._lichess.send(self._game_id, task)

    def _is_of_this_game(self, fen: str) -> bool:
        """Whether a table whose game is over shows this one: its last position was there."""
        assert self._remote is not None
        return self._link.knows_position(fen, self._remote)


def watch_table(path: Path, news: queue.Queue[Any]) -> None:
    """From now on something comes whenever the table tells anything."""

    def read() -> None:
        while True:
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as line:
                line.connect(str(path))
                line.sendall(json.dumps({"do": "messages"}).encode() + b"\n")
                with line.makefile("rb") as file:
                    for _ in file:
                        news.put(None)
            time.sleep(RETRY_S)

    threading.Thread(target=read, daemon=True).start()


def read_token(path: Path) -> str:
    """The token in a file that nobody but its owner may read. Raises `BoardumpireError`."""
    with path.open("rb") as file:
        mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        if mode & 0o077:
            raise BoardumpireError(f"{path}: others may open it ({mode:04o}); try chmod 600 {path}")
        token = file.read(TOKEN_MAX_BYTES).decode("ascii", "replace").strip()
    if not token.isprintable() or not token or " " in token:
        raise BoardumpireError(f"{path}: expected a token alone, as lichess.org/account/oauth/token makes it")
    return token


def parse_time(text: str) -> tuple[int, int]:
    """Minutes and seconds for each move, such as `15+10`."""
    base, _, extra = text.partition("+")
    if not (base.isdecimal() and extra.isdecimal() and int(base) <= 180 and int(extra) <= 180):
        raise argparse.ArgumentTypeError(f"{text!r}: expected minutes+seconds; try 15+10")
    return int(base), int(extra)


def add_lichess(commands: Any, factory: object) -> None:
    """`boardumpire lichess`. It opens no table, so it needs no `factory`."""
    parser = commands.add_parser(
        "lichess",
        example="lichess --token lichess.token --seek 15+10",
        help="play games of Lichess at the running chessboard",
    )
    parser.add_argument(
        "--token",
        metavar="FILE",
        type=parse_file_path,
        required=True,
        help="the file with a token that may board:play; mode 0600",
    )
    parser.add_argument(
        "--seek", metavar="TIME", type=parse_time, help="look for somebody to play with, such as 15+10"
    )
    parser.add_argument("--url", default=URL, help="where Lichess is [%(default)s]")
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=parse_file_path,
        help="the configuration [/etc/boardumpire/boardumpire.toml]",
    )
    parser.set_defaults(run=_run)


def _run(given: argparse.Namespace) -> int:
    path = config.load(given.config, os.environ).control.socket
    token, news = read_token(given.token), queue.Queue[Any]()
    lichess = Lichess(given.url, token, news)
    found = control.send_request(path, {"do": "standing"})
    if found["game"] != "chess":
        raise BoardumpireError(f"the board plays {found['game']}; begin a game of chess")
    print(f"Lichess: {lichess.check()}", flush=True)
    stopped = stop_event()
    watch_table(path, news)
    lichess.watch_events()
    if given.seek is not None:
        lichess.seek(*given.seek)
    Session(lichess, path, news).run(stopped)
    return 0
