"""Leads a person through a check at a terminal, in real time."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable
from typing import Any, TextIO

from boardumpire.errors import BoardumpireError
from boardumpire.makers.guide import KINDS_WITHOUT_ANSWER, Check, Guide, GuideRequest
from boardumpire.service.clock import monotonic
from boardware.ports import SECOND, Micros, Ports, WakingDriver

PROMPT_BY_KIND = {"answer": "[yes/no] ", "place": "", "press": "", "watch": "", "arrive": ""}


class UserQuitError(BoardumpireError):
    """The person left before the end."""


def run_check_at_terminal(
    ports: Ports, check: Check, out: TextIO, guide_factory: Callable[[Ports, Check, Micros], Guide] = Guide
) -> tuple[Any, Guide]:
    """Run a check to its end; its result, and the guide, which `guide_factory` makes. Raises `UserQuitError`.

    Answers are read from standard input: a line that begins with `y` or is empty says yes, one that begins
    with `n` no, `q` or its end stops.
    """
    guide = guide_factory(ports, check, monotonic())
    asked: GuideRequest | None = None
    listens = True
    while True:
        wanted = guide.step(monotonic())
        if guide.is_done:
            return guide.result, guide
        if guide.request is not asked:
            asked = guide.request
            out.write(f"{guide.request_number:>4}  {asked.text} {PROMPT_BY_KIND[asked.kind]}\n")
            out.flush()
        times = [ports.sensors.due(), ports.console.due(), *([] if wanted is None else [wanted])]
        line = _read_line_until(ports, max(0, min(times) - monotonic()) / SECOND, listens)
        listens = listens and line != ""
        if not listens and guide.request.kind not in KINDS_WITHOUT_ANSWER:
            raise UserQuitError("standard input has ended, and with it the answers")
        if line:
            _apply_typed_answer(guide, line)


def _read_line_until(ports: Ports, timeout: float, listens: bool) -> str | None:
    """What was typed meanwhile; "" if no more will come, `None` if the drivers want a turn."""
    wakes = ports.sensors.filenos() if isinstance(ports.sensors, WakingDriver) else ()
    ready, _, _ = select.select([*([sys.stdin] if listens else []), *wakes], [], [], timeout)
    if sys.stdin not in ready:
        return None
    typed = os.read(sys.stdin.fileno(), 1000).decode(errors="replace")
    return typed and typed.splitlines()[-1] + "\n"


def _apply_typed_answer(guide: Guide, line: str) -> None:
    word = line.strip().lower()[:1]
    if word == "q":
        raise UserQuitError("stopped before the end")
    if word in ("", "y", "n"):
        guide.answer(word != "n")
