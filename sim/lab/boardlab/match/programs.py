"""A program in a process of its own that plays a seat of a match: it asks, and is answered as that seat."""

from __future__ import annotations

import contextlib
import shlex
import subprocess
import threading
import time
from collections.abc import Iterator

from boardlab.match.spent import ResourceUsage
from boardrules.core import Seat
from boardumpire.commands.referee.game_host import HostedGame
from boardumpire.commands.referee.referee import answer_as_line
from boardumpire.commands.referee.seat_referee import HOSTED_VERBS, SeatReferee
from boardumpire.errors import BoardumpireError

ACTION_TIMEOUT_S = 60.0
"""Seconds that a program may take for one action."""
EXIT_TIMEOUT_S = 3.0
"""Seconds that it may take to end once the game is over."""


class PlayerProgram:
    """One seat of one game."""

    def __init__(self, command: str, seat: Seat, shared: HostedGame) -> None:
        """Start it; `{seat}` in the command stands for its seat. Raises `BoardumpireError`."""
        self._command, self._seat, self._shared = command, seat, shared
        self._referee = SeatReferee(seat, shared, HOSTED_VERBS)
        self.spent = ResourceUsage()
        words = [word.replace("{seat}", seat) for word in shlex.split(command)]
        try:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", errors="replace"
            )
        except (OSError, IndexError) as problem:
            raise BoardumpireError(
                f"{command!r} is no player of the game, and no command that starts: {problem}"
            ) from None

    def act(self) -> None:
        """Answer until it has done something. Raises `BoardumpireError` if it goes, or thinks for too
        long."""
        table = self._shared.table
        assert table is not None
        before, began = len(table.game.actions), time.monotonic()
        with self._kill_after(ACTION_TIMEOUT_S):
            while len(table.game.actions) == before:
                if not self._answer():
                    raise BoardumpireError(
                        f"{self._command!r} at {self._seat}: it ended, or was silent for"
                        f" {ACTION_TIMEOUT_S:.0f} s; let it answer with an act that the rules allow"
                    )
        self.spent = self.spent.plus_action(0, time.monotonic() - began, False)

    def show_change(self) -> None:
        """It hears of what others do when it asks."""

    def leave(self) -> None:
        """Answer what it still asks; then it has to end."""
        with self._kill_after(EXIT_TIMEOUT_S):
            while self._answer():
                pass
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):
                stream.close()
        self._process.wait()

    def _answer(self) -> bool:
        """Answer one line; false if there are no more."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        if self._referee.has_quit:
            return False
        line = self._process.stdout.readline()
        if not line:
            return False
        try:
            self._process.stdin.write(answer_as_line(self._referee.answer_line(line)) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return False
        return True

    @contextlib.contextmanager
    def _kill_after(self, seconds: float) -> Iterator[None]:
        """Ends the program if what is done meanwhile takes longer."""
        timer = threading.Timer(seconds, self._process.kill)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
