"""How far a lift and a word go inside the daemon: from port to port, in calls and files.

What a driver does behind its port (scan, bounce, draw), the disk behind the writer, and the game behind its
state are their own affairs and aren't counted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from boardsim.bench.bench import Setting
from boardsim.script.script import Stage, Telling, read_script
from boardumpire.commands.table_factory import TableFactory
from boardumpire.table.table import Table
from boardware.description import load_board

HOUSE = Path(__file__).parents[2]
INSIDE, JOURNAL = (str(HOUSE / "controller" / "boardumpire" / room) for room in ("", "journal"))
SEATS = ("red", "blue")
BEGUN = """
setup red a1=F b1=B a2=B c3=S d3=3 e2=3 a3=2 g3=2 e3=10 h3=9
setup blue a8=F b8=B a7=B c6=S d6=3 e7=3 b6=2 h6=2 e6=10 g6=9
wait 3000
"""
LIFT_CALLS, LIFT_FILES, WORD_FILES = 150, 15, 20

Call = tuple[str, str]


def traced(body: Callable[[], object], into: list[Call]) -> None:
    """Note each call of the daemon's own code while `body` runs."""

    def note(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(INSIDE) and not file.startswith(JOURNAL):
            into.append((file, frame.f_code.co_name))

    sys.setprofile(note)
    try:
        body()
    finally:
        sys.setprofile(None)


@pytest.fixture
def stage():
    """A Quick Duel that has begun, all at rest."""
    stage = Stage(Setting(seed=0), TableFactory(), lambda line: None, Telling())
    stage.bench.start()
    for command in read_script(BEGUN, "way", load_board("quick-battle-8x8"), SEATS):
        stage.do(command)
    yield stage
    stage.bench.close()


def do(stage: Stage, text: str) -> None:
    """Do the last line of a script, once the others were done."""
    for command in read_script(BEGUN + text, "way", load_board("quick-battle-8x8"), SEATS)[-1:]:
        stage.do(command)


def longest(stage: Stage, text: str, name: str, monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    """The calls of the turn that has most of them, while `text` is done; turns are calls of `name`."""
    turns: list[list[Call]] = []
    real = getattr(Table, name)

    def turned(*args: object) -> object:
        turns.append([])
        found: list[object] = []
        traced(lambda: found.append(real(*args)), turns[-1])
        return found[0]

    monkeypatch.setattr(Table, name, turned)
    do(stage, text)
    return max(turns, key=len)


def test_a_lift_goes_from_the_sensors_to_the_lamps_by_few_files(stage, monkeypatch):
    calls = longest(stage, "lift h3\n", "step", monkeypatch)
    files = {Path(file).name for file, _ in calls}
    assert {"table.py", "tracker.py", "meanings.py", "display.py"} <= files, "this was no lift"
    assert len(calls) <= LIFT_CALLS, f"{len(calls)} calls"
    assert len(files) <= LIFT_FILES, sorted(files)


def test_a_word_goes_from_a_seat_to_all_by_few_files(stage, monkeypatch):
    calls = longest(stage, "say red offer-draw\n", "say", monkeypatch)
    files = {Path(file).name for file, _ in calls}
    assert {"speech.py", "match.py", "umpire.py", "secrecy.py"} <= files, "nothing was said"
    assert len(files) <= WORD_FILES, sorted(files)
