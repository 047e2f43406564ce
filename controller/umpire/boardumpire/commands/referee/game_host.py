"""Hosts one game for programs in several processes: each seat connects to a local socket.

The first line of a connection names its seat; from then on it is answered as that seat. Nothing else leaves,
so who sits there can't cheat, whatever it sends.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from boardrules.core import Seat
from boardumpire.commands.referee.protocol import LINE_MAX_CHARS, Answer, error_answer, shorten
from boardumpire.commands.referee.referee import answer_as_line
from boardumpire.commands.referee.referee_table import GameWithChance
from boardumpire.commands.referee.seat_referee import HOSTED_VERBS, SeatReferee
from boardumpire.errors import BoardumpireError
from boardumpire.supervision import start_thread


class HostedGame:
    """The game that the connected seats play."""

    def __init__(self, table: GameWithChance) -> None:
        self.table: GameWithChance | None = table

    def after_seat_action(self) -> None:
        """Nothing: other seats see the action at their next request."""


class GameHost:
    """Serves seats until the game is over and all have disconnected."""

    def __init__(self, table: GameWithChance) -> None:
        self.hosted_game = HostedGame(table)
        self.taken_seats: set[Seat] = set()
        self._gone = asyncio.Event()

    async def serve(self, path: Path) -> None:
        """Listen at `path`, which nobody but its owner may open. Raises `BoardumpireError`."""
        if path.exists() and stat.S_ISSOCK(path.stat().st_mode):
            path.unlink()  # one that was left behind
        old = os.umask(0o177)
        try:
            server = await asyncio.start_unix_server(self._serve_connection, path, limit=LINE_MAX_CHARS + 2)
        except OSError as problem:
            raise BoardumpireError(
                f"--host {path}: {problem.strerror}; try another path for the socket"
            ) from None
        finally:
            os.umask(old)
        try:
            await self._gone.wait()
        finally:
            server.close()
            path.unlink(missing_ok=True)

    async def _serve_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seat: Seat | None = None
        with contextlib.suppress(ConnectionError):
            seat = await self._assign_seat(reader, writer)
            if seat is not None:
                await self._answer_requests(SeatReferee(seat, self.hosted_game, HOSTED_VERBS), reader, writer)
        if seat is not None:
            self.taken_seats.discard(seat)
            table = self.hosted_game.table
            if not self.taken_seats and table is not None and table.state.outcome is not None:
                self._gone.set()
        writer.close()

    async def _assign_seat(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Seat | None:
        """The seat that the first line names, once it is this connection's."""
        assert self.hosted_game.table is not None
        seats = self.hosted_game.table.state.seats
        seat = Seat((await _read_line(reader)).strip())
        if seat not in seats:
            _write_answer(
                writer,
                error_answer(
                    "unknown-seat", f"unknown seat {shorten(seat)}; expected one of {', '.join(seats)}"
                ),
            )
        elif seat in self.taken_seats:
            _write_answer(
                writer, error_answer("taken", f"somebody sits at {seat} already; expected another seat")
            )
        else:
            self.taken_seats.add(seat)
            _write_answer(writer, {"ok": True, "seat": seat})
            return seat
        await writer.drain()
        return None

    async def _answer_requests(
        self, referee: SeatReferee, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while not referee.has_quit and (line := await _read_line(reader)):
            _write_answer(writer, referee.answer_line(line))
            await writer.drain()


async def _read_line(reader: asyncio.StreamReader) -> str:
    """The next line; nothing at the end, nor from who sends one that is too long."""
    try:
        return (await reader.readline()).decode("utf-8", "replace")
    except ValueError:
        return ""


def _write_answer(writer: asyncio.StreamWriter, answer: Answer) -> None:
    writer.write(answer_as_line(answer).encode() + b"\n")


@contextlib.contextmanager
def seat_connection(path: Path, seat: Seat) -> Iterator[tuple[socket.socket, TextIO]]:
    """The socket of a seat at the table behind `path`, and what comes from there, by line.

    Raises `BoardumpireError` where nobody listens, or where the seat is not to be had.
    """
    with socket.socket(socket.AF_UNIX) as line:
        try:
            line.connect(str(path))
        except OSError as problem:
            raise BoardumpireError(
                f"--at {path}: {problem.strerror}; try the path that `boardumpire referee --host` has"
            ) from None
        with line.makefile("r", encoding="utf-8") as answers:
            line.sendall(f"{seat}\n".encode())
            first = json.loads(answers.readline() or "null")
            if not first or not first["ok"]:
                told = first["error"]["text"] if first else "nobody answers"
                raise BoardumpireError(f"--seat {seat}: {told}")
            yield line, answers


def join_as_seat(path: Path, seat: Seat, lines: TextIO, out: TextIO) -> None:
    """Sit down at the table behind `path`, and pass lines on both ways.

    Raises `BoardumpireError` where nobody is to be had there, and where the host goes before the seat does.
    """
    leaves = threading.Event()
    with seat_connection(path, seat) as (line, answers):

        def speak() -> None:
            with contextlib.suppress(OSError):  # the host has gone: what it said last is heard still
                for asked in lines:
                    if _is_quit_request(asked):
                        leaves.set()
                    line.sendall(asked.rstrip("\n").encode("utf-8", "replace") + b"\n")
                leaves.set()
                line.shutdown(socket.SHUT_WR)

        start_thread(speak, "what is typed", threading.Event())
        with contextlib.suppress(ConnectionError):
            for answer in answers:
                out.write(answer)
                out.flush()
    if not leaves.is_set():
        raise host_gone_error(path)


def host_gone_error(path: Path) -> BoardumpireError:
    """What is said where a host goes in the middle of a game."""
    return BoardumpireError(
        f"--at {path}: the host has gone; try again once `boardumpire referee --host` runs"
    )


def _is_quit_request(line: str) -> bool:
    """Whether a request ends the connection."""
    try:
        return bool(json.loads(line)["do"] == "quit")
    except (ValueError, KeyError, TypeError, RecursionError):
        return False
