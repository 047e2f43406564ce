"""An asyncio loop in virtual time: it jumps to the next timer and never waits.

One seed decides what the machine would: how late each timer comes, and how long a thread takes. Nothing comes
from outside, so the same seed gives the same run.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import multiprocessing.process  # noqa: F401 - draws a key at random when it is first imported
import os
import random
import selectors
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar
from unittest import mock

from loops import no_other

Result = TypeVar("Result")

MICROS = 1_000_000
BEGINS = 1_000 * MICROS
"""The virtual time at which a loop begins."""
MOST_STEPS_AT_ONCE = 100_000
"""A loop that turns so often without any time passing never ends."""


class StandsStill(AssertionError):  # noqa: N818
    """Nothing is due, and nothing will ever come."""


class _Jump(selectors.SelectSelector):
    """A wait only moves the clock. What a simulated board brings to a file is heard a microsecond later:
    drivers look once at a moment."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[Any]:
        # One is the loop's own, by which threads would wake it.
        ready = super().select(0) if len(self.get_map()) > 1 else []
        if ready:
            self._loop.micros += 1
        else:
            self._loop.pass_time(timeout)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """Virtual time in whole microseconds."""

    def __init__(
        self, chance: random.Random, late: Callable[[random.Random], int] = lambda chance: 0
    ) -> None:
        """`late`: by how many microseconds a timer comes late."""
        self.micros = BEGINS
        self._chance, self._late = chance, late
        self._at_once = 0
        super().__init__(_Jump(self))
        self.slow_callback_duration = float("inf")
        self._clock_resolution = 0.5 / MICROS  # a timer never comes early

    def time(self) -> float:
        return self.micros / MICROS

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:
        due = round(when * MICROS) + self._late(self._chance)
        return super().call_at(due / MICROS, callback, *args, context=context)

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> Any:
        """Runs it as one step some milliseconds from now."""
        done = self.create_future()

        def step() -> None:
            if done.done():
                return
            try:
                done.set_result(func(*args))
            except Exception as error:
                done.set_exception(error)

        self.call_later(self._chance.uniform(0.0005, 0.05), step)
        return done

    def call_soon_threadsafe(self, callback: Any, *args: Any, context: Any = None) -> asyncio.Handle:
        return self.call_soon(callback, *args, context=context)  # there is one thread

    def pass_time(self, timeout: float | None) -> None:
        """Go on to when the next timer is due."""
        if timeout is None:
            raise StandsStill("the loop waits for nothing")
        if timeout > 0:
            self._at_once = 0
            self.micros += round(timeout * MICROS)
            return
        self._at_once += 1
        assert self._at_once < MOST_STEPS_AT_ONCE, "the loop turns without end, and no time passes"


def busy(chance: random.Random) -> int:
    """How late a timer comes on a busy machine, in microseconds: at times a tenth of a second."""
    return chance.randrange(100_000) if chance.random() < 0.02 else chance.randrange(300)


def run(
    scene: Coroutine[Any, Any, Result], seed: int = 0, late: Callable[[random.Random], int] = lambda chance: 0
) -> Result:
    """What the coroutine returns, in virtual time and with everything that is random drawn from `seed`."""
    loop = VirtualLoop(random.Random(f"loop {seed}"), late)
    drawn = drawn_from(random.Random(f"machine {seed}"))
    with no_other(), drawn, _no_collection(), asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(_until_wrong(scene))


async def _until_wrong(scene: Coroutine[Any, Any, Result]) -> Result:
    """What the coroutine returns; raises what went wrong in a callback, which nobody awaits."""
    loop = asyncio.get_running_loop()
    wrong: asyncio.Future[BaseException] = loop.create_future()

    def heard(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if not wrong.done():
            wrong.set_result(context.get("exception") or RuntimeError(context["message"]))

    loop.set_exception_handler(heard)
    task = asyncio.create_task(scene)
    await asyncio.wait((task, wrong), return_when=asyncio.FIRST_COMPLETED)
    if wrong.done():
        task.cancel()
        await asyncio.wait((task,))
        raise wrong.result()
    return task.result()


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Circles of garbage are left until the end: looking for them takes an eighth of the time."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


@contextlib.contextmanager
def drawn_from(chance: random.Random) -> Iterator[None]:
    """What the kernel gives out at random is drawn from here."""
    with (
        mock.patch.object(os, "urandom", chance.randbytes),
        mock.patch.object(random, "_urandom", chance.randbytes),
    ):
        yield
