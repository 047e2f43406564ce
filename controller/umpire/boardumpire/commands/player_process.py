"""A player in a process of its own: it asks by lines on its standard output, and is answered.

Whatever the process does wrong ends in `PlayerFailed`: it can't be started, ends, takes longer than it may,
prints too much that is no request. What it prints beside its requests is never logged, as it knows what its
seat hides.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple, Protocol

from boardrules.core import Seat
from boardrules.players import MAX_THINKING_S
from boardumpire.supervision import describe, start_task

LINE_MAX_CHARS: Final = 2_000_000
"""Characters of a line that a player sends: it asks little."""
STRAY_LINES_MAX: Final = 100
"""Lines beside its requests that a player may print before it counts as broken."""
KILL_WAIT_S: Final = 5.0
"""How long the end of a killed process is waited for."""

log = logging.getLogger("boardumpire")

_TRACEBACK_FRAME_PATTERN = re.compile(r'  File "(?:[^"]*/)?([^"/]+)", line (\d+)')
_ERROR_LINE_PATTERN = re.compile(r"(?:\w+\.)*(\w*(?:Error|Exception|Interrupt|Exit))(?::|$)")


class PlayerRequests(Protocol):
    """The lines of a player."""

    async def readline(self) -> bytes:
        """The next line; empty once it has ended."""


class PlayerReplies(Protocol):
    """Where a player hears what it asked."""

    def write(self, data: bytes, /) -> None:
        """Send a line."""

    async def drain(self) -> None:
        """Until it is sent. Raises `ConnectionError` where the player has ended."""


class PlayerProcess(Protocol):
    """A player that runs: `asyncio.subprocess.Process` is one."""

    @property
    def stdin(self) -> PlayerReplies | None:
        """Where it hears answers."""

    @property
    def stdout(self) -> PlayerRequests | None:
        """Where it asks."""

    @property
    def returncode(self) -> int | None:
        """With which code it ended; `None` while it runs."""

    def kill(self) -> None:
        """End it at once. Raises `ProcessLookupError` where it has ended."""

    async def communicate(self) -> tuple[bytes, bytes]:
        """Until it has ended."""


StartPlayer = Callable[[str, Seat, str], Awaitable[PlayerProcess]]
"""Starts a player of a game, at a seat, of a level."""


class PlayerFailed(Exception):  # noqa: N818 - what it is
    """A player can't go on. The message says why and may be logged."""


class PlayerTooSlow(PlayerFailed):
    """A player took longer than its budget."""


class TimeBudget(NamedTuple):
    """How long a player may take before it counts as stuck."""

    start_s: float = 60.0
    """From its start to its first request: it loads the game, on a busy machine."""
    think_s: float = 10 * MAX_THINKING_S
    """From an answer to its next request: far more than its own counted budget allows."""

    def multiplied_by(self, factor: int) -> TimeBudget:
        """All of it that many times."""
        return TimeBudget(factor * self.start_s, factor * self.think_s)


DEFAULT_TIME_BUDGET = TimeBudget()


class RunningPlayer:
    """One player, from `run_player` on."""

    def __init__(self, process: PlayerProcess, name: str, budget: TimeBudget) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._name, self._budget = process, name, budget
        self._input, self._output = process.stdin, process.stdout
        self._strays = 0
        self._within_s = budget.start_s
        self._raised = ""
        """Which error its standard error tells of."""
        errors = getattr(process, "stderr", None)
        self._errors = (
            None if errors is None else start_task(self._watch_stderr(errors), f"the errors of {name}")
        )

    async def read_request(self) -> Mapping[str, Any]:
        """The next thing that it asks. Raises `PlayerFailed`."""
        try:
            async with asyncio.timeout(self._within_s):
                while True:
                    line = await self._output.readline()
                    if not line:
                        raise PlayerFailed(await self._end_reason())
                    asked = _parse_request(line)
                    if asked is not None:
                        return asked
                    self._count_stray_line()
        except TimeoutError:
            raise PlayerTooSlow(f"it has not asked anything for {self._within_s:g} s") from None
        except ValueError:  # a line without an end
            raise PlayerFailed(
                f"it sent more than {LINE_MAX_CHARS} characters without a line's end"
            ) from None

    async def send_answer(self, answer: Mapping[str, Any]) -> None:
        """Answer what it asked last. Raises `PlayerFailed`."""
        self._within_s = self._budget.think_s
        try:
            async with asyncio.timeout(self._within_s):
                self._input.write((json.dumps(answer) + "\n").encode())
                await self._input.drain()
        except TimeoutError:
            raise PlayerTooSlow(f"it has read nothing for {self._within_s:g} s") from None
        except ConnectionError:
            raise PlayerFailed(await self._end_reason()) from None

    async def close(self) -> None:
        """End it, also where it is stopped or hangs."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        try:
            await self._wait_until_ended()
        except TimeoutError:
            log.error("%s did not end after it was killed", self._name)
        finally:
            if self._errors is not None:
                self._errors.cancel()

    def _count_stray_line(self) -> None:
        self._strays += 1
        if self._strays == 1:
            log.warning(
                "%s printed a line that is no request; it is not logged, as it may hold secrets",
                self._name,
            )
        if self._strays > STRAY_LINES_MAX:
            raise PlayerFailed(f"it printed more than {STRAY_LINES_MAX} lines that are no requests")

    async def _end_reason(self) -> str:
        """Why it has ended, once its output has."""
        with contextlib.suppress(TimeoutError):
            await self._wait_until_ended()
        code = self._process.returncode
        ended = "it has closed its output" if code is None else f"it has ended with code {code}"
        return f"{ended} ({self._raised})" if self._raised else ended

    async def _wait_until_ended(self) -> None:
        """Until it has ended, and its pipes were read to theirs. Raises `TimeoutError`."""
        async with asyncio.timeout(KILL_WAIT_S):
            if self._errors is not None:
                await asyncio.wait([self._errors])  # a task that is awaited itself is cancelled with us
            await self._process.communicate()

    async def _watch_stderr(self, errors: asyncio.StreamReader) -> None:
        """Read what it says on standard error to its end. A traceback's last place and error are kept."""
        place = ""
        while True:
            try:
                line = (await errors.readline()).decode("utf-8", "replace")
            except ValueError:  # far too long: no line of a traceback
                continue
            if not line:
                return
            if found := _TRACEBACK_FRAME_PATTERN.match(line):
                place = f" at {found[1]}:{found[2]}"
            elif place and (found := _ERROR_LINE_PATTERN.match(line)):
                self._raised, place = f"{found[1]}{place}", ""


def _parse_request(line: bytes) -> Mapping[str, Any] | None:
    """A request; `None` for a line that is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("do"), str) else None


@contextlib.asynccontextmanager
async def run_player(
    start: Callable[[], Awaitable[PlayerProcess]], name: str, budget: TimeBudget = DEFAULT_TIME_BUDGET
) -> AsyncIterator[RunningPlayer]:
    """A player's process for as long as it is wanted. Raises `PlayerFailed` where it can't be started."""
    try:
        process = await start()
    except Exception as error:
        raise PlayerFailed(f"it can't be started: {describe(error)}") from None
    player = RunningPlayer(process, name, budget)
    try:
        yield player
    finally:
        await player.close()
