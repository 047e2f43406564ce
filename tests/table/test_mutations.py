"""Each guard of a secret is missed: without it a test of the leaks fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("controller", "firmware", "hardware", "sim")


class Guard(NamedTuple):
    """A guard by what it keeps, where it stands, and what stands there without it."""

    name: str
    file: str
    there: str
    without: str


GUARDS = [
    Guard(
        "the reason of a refusal is private",
        "controller/boardumpire/messages/secrecy.py",
        "    if refusal.public is None:\n        return _inward(refusal)\n",
        "    return _inward(refusal)\n",
    ),
    Guard(
        "hints follow public knowledge, not the legal actions",
        "controller/boardumpire/ruling/umpire.py",
        "    for step in state.steps():\n        target, origins",
        "    for step in state.steps():\n"
        "        mover = state.layout()[step.origin][0].partition(':')[0]\n"
        "        if state.refusal(state.hand_action(mover, step.origin, step.target)):\n"
        "            continue\n"
        "        target, origins",
    ),
    Guard(
        "private messages are of one size",
        "controller/boardumpire/messages/secrecy.py",
        '{"pad": " " * (size - length)}',
        '{"pad": ""}',
    ),
    Guard(
        "all seats get a message when one does",
        "controller/boardumpire/messages/secrecy.py",
        "        for (seat, data), length in zip(parts.items(), sizes, strict=True)\n",
        "        for (seat, data), length in zip(parts.items(), sizes, strict=True)\n"
        "        if data != min(parts.values(), key=str)\n",
    ),
    Guard(
        "a secret action is not told",
        "controller/boardumpire/messages/secrecy.py",
        '"action": None if action.secret else str(action),\n        "events"',
        '"action": str(action),\n        "events"',
    ),
    Guard(
        "a secret action is sealed in the journal",
        "controller/boardumpire/journal/journal.py",
        "            box, digest = (sealed.box, sealed.commitment) if sealed else (None, None)\n",
        "            box, digest = (sealed.box + text.encode(), sealed.commitment) if sealed else (None, "
        "None)\n",
    ),
    Guard(
        "an export leaves out what is sealed",
        "controller/boardumpire/journal/records.py",
        "in store.public_entries(number)",
        "in store.entries(number)",
    ),
    Guard(
        "the repr of a set-up is redacted",
        "controller/boardrules/stratego/actions.py",
        'return "setup ..."',
        "return str(self)",
    ),
    Guard(
        "the repr of the hidden ranks is redacted",
        "controller/boardrules/stratego/facts.py",
        'return "<hidden ranks>"',
        'return f"<{bytes(self.ranks)!r}>"',
    ),
]


@pytest.mark.prove
@pytest.mark.parametrize("guard", GUARDS, ids=[guard.name for guard in GUARDS])
def test_a_guard_that_is_removed_is_missed(guard: Guard, tmp_path: Path, record_property: Any) -> None:
    """The tests of the leaks run over a copy of the program without this one guard, and fail."""
    for folder in (*PACKAGES, "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    path = tmp_path / guard.file
    text = path.read_text()
    assert text.count(guard.there) == 1, "the guard stands elsewhere now: this test has to follow it"
    path.write_text(text.replace(guard.there, guard.without))
    test, _, why = _first_failure(tmp_path).partition(" - ")
    record_property("without it fails", f"`{test}`")
    assert test, "nothing failed"
    assert why.startswith(("assert ", "AssertionError")), why


def _first_failure(folder: Path) -> str:
    """The first leak that the tests find in the program in `folder`, as pytest sums it up; empty if none."""
    # Hypothesis would shrink what it finds; the long proof stops at the first seed.
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=line"]
    tests = ["tests/table/test_secrets.py", "tests/table/test_twins.py"]
    known = ["-m", "prove or not prove", "-k", "not test_twin_games"]
    path = os.pathsep.join(str(folder / package) for package in PACKAGES)
    told = subprocess.run(
        [*command, *known, *tests],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    failed = [line for line in told.stdout.splitlines() if line.startswith("FAILED ")]
    return failed[0].removeprefix("FAILED ") if failed else ""
