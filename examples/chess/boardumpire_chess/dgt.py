"""`boardumpire dgt`: the board of a running daemon as a DGT board on a pseudo-terminal, for programs.

It asks the daemon over its control socket what stands where, as everybody can see it, and speaks DGT's
protocol (`dgt_protocol`) to whatever program opens the pseudo-terminal. The daemon goes on judging the game.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import select
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import chess

from boardumpire.commands.command_parser import parse_file_path
from boardumpire.errors import BoardumpireError
from boardumpire.service import config, control
from boardumpire.service.process import stop_event
from boardumpire_chess.dgt_protocol import ClockTimes, DgtBoard

GAME_ID: Final = "chess"
UPDATE_PERIOD_S: Final = 0.1
"""Between two looks while a program wants changes; DGT's boards take up to 0.25 s for one."""
IDLE_PERIOD_S: Final = 1.0
READ_BYTES: Final = 4096
UNREAD_MAX_BYTES: Final = 1 << 16
"""What may wait for a program that does not read; beyond it what is said is lost, as on a serial line."""


class DgtBridge:
    """Between a board in service and a program: what is sensed goes in, and what a program is told comes
    out."""

    def __init__(self, ask: Callable[[], Mapping[str, Any]]) -> None:
        """`ask` answers as the control socket does to `standing`, or raises `BoardumpireError`."""
        self._ask = ask
        self.board = DgtBoard()
        self._pieces: dict[chess.Square, chess.Piece] = {}
        self.trouble = ""
        """Why nothing is known of the board; empty while all is well."""

    @property
    def period_s(self) -> float:
        """How long until it wants to look again."""
        return UPDATE_PERIOD_S if self.board.sends_updates else IDLE_PERIOD_S

    def exchange(self, said: bytes, now: float) -> bytes:
        """Look at the board, then take what a program has said; what it is told."""
        try:
            answer = self._ask()
            if answer["game"] != GAME_ID:
                raise BoardumpireError(f"the board plays {answer['game']}; begin a game of {GAME_ID}")
        except BoardumpireError as error:
            self.trouble = str(error)
        else:
            self.trouble = ""
            self._pieces = name_pieces(answer["standing"], self._pieces)
            self.board.set_pieces(self._pieces)
            self.board.set_clock(clock_times(answer["clocks"]))
        self.board.receive(said, now)
        self.board.advance(now)
        return self.board.take_output()


def name_pieces(
    standing: Mapping[str, Any], before: Mapping[chess.Square, chess.Piece]
) -> dict[chess.Square, chess.Piece]:
    """By square the piece that is felt there. Where it can't be told which it is, it is what was there
    before, such as a pawn that is taken in passing and not lifted yet. Where nothing was, nothing is: a DGT
    board does not feel a strange piece, either."""
    pieces = {}
    for space, (piece, *_) in standing.items():
        square = chess.parse_square(space)
        if piece is not None:
            kind = chess.PIECE_NAMES.index(piece["name"])
            pieces[square] = chess.Piece(kind, piece["seat"] == "white")
        elif square in before:
            pieces[square] = before[square]
    return pieces


def clock_times(clocks: Mapping[str, Any] | None) -> ClockTimes | None:
    """The clock of a game, White's at the left; `None` where time is not limited."""
    if clocks is None:
        return None
    left = clocks["left_ms"]
    running = {"white": "left", "black": "right"}.get(clocks["runs"] or "", "")
    return ClockTimes(left["white"] / 1000, left["black"] / 1000, running)


def add_dgt(commands: Any, factory: object) -> None:
    """`boardumpire dgt`. It opens no table, so it needs no `factory`."""
    parser = commands.add_parser(
        "dgt",
        example="dgt --link /tmp/dgt-board",
        help="let other programs use the running chessboard as a DGT board, on a pseudo-terminal",
    )
    parser.add_argument(
        "--link", metavar="PATH", type=parse_file_path, help="make this a link to the pseudo-terminal"
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=parse_file_path,
        help="the configuration [/etc/boardumpire/boardumpire.toml]",
    )
    parser.set_defaults(run=_run)


def _run(given: argparse.Namespace) -> int:
    path = config.load(given.config, os.environ).control.socket

    def ask() -> Mapping[str, Any]:
        return control.send_request(path, {"do": "standing"})

    bridge = DgtBridge(ask)
    bridge.exchange(b"", time.monotonic())
    if bridge.trouble:
        raise BoardumpireError(bridge.trouble)
    stopped = stop_event()
    with _pseudo_terminal(given.link) as (line, name):
        print(f"a DGT board at {name}", flush=True)
        _serve(bridge, line, stopped)
    return 0


@contextlib.contextmanager
def _pseudo_terminal(link: Path | None) -> Iterator[tuple[int, str]]:
    """The board's end of it, and the name of the other. Raises `BoardumpireError`."""
    line, other = os.openpty()  # the other end stays open here: programs come and go
    try:
        tty.setraw(other)
        os.set_blocking(line, False)
        name = os.ttyname(other)
        os.chown(name, -1, os.getegid())
        os.chmod(name, 0o660)  # as the control socket: owner and group
        if link is None:
            yield line, name
            return
        if link.is_symlink():
            link.unlink()
        elif link.exists():
            raise BoardumpireError(f"{link}: there is a file; try a path where there is none")
        link.symlink_to(name)
        try:
            yield line, str(link)
        finally:
            if link.is_symlink() and os.readlink(link) == name:
                link.unlink()
    finally:
        os.close(line)
        os.close(other)


def _serve(bridge: DgtBridge, line: int, stopped: threading.Event) -> None:
    waiting, due = b"", 0.0
    shown, trouble = "", ""
    while not stopped.is_set():
        pause = max(0.0, due - time.monotonic())
        readable, _, _ = select.select([line], [line] if waiting else [], [], pause)
        said = os.read(line, READ_BYTES) if readable else b""
        if said or time.monotonic() >= due:
            told = bridge.exchange(said, time.monotonic())
            due = time.monotonic() + bridge.period_s
            if len(waiting) + len(told) <= UNREAD_MAX_BYTES:
                waiting += told
        if waiting:
            with contextlib.suppress(BlockingIOError):
                waiting = waiting[os.write(line, waiting) :]
        if bridge.board.shown_text != shown:
            shown = bridge.board.shown_text
            print(f"clock: {shown}", flush=True)
        if bridge.trouble != trouble:
            trouble = bridge.trouble
            print(f"boardumpire: {trouble or 'the board is there again'}", file=sys.stderr, flush=True)
