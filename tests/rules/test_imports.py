"""Importing the rules core loads the standard library and itself, and no event loop, database or process."""

from __future__ import annotations

import subprocess
import sys

import pytest

import boardrules.core

SAY = "import sys; before = set(sys.modules); import boardrules; print(*sorted(set(sys.modules) - before))"


def loaded() -> set[str]:
    told = subprocess.run([sys.executable, "-c", SAY], capture_output=True, text=True, check=True)
    return set(told.stdout.split())


def test_a_fresh_interpreter_loads_the_standard_library_only() -> None:
    if not boardrules.core.__file__.endswith(".py"):
        pytest.skip("the rules are compiled (boardlab.benchmarks.compiled): they bring what mypyc needs")
    roots = {name.partition(".")[0] for name in loaded()}
    assert roots - sys.stdlib_module_names == {"boardrules"}


def test_no_event_loop_database_or_process_is_loaded() -> None:
    assert not {"asyncio", "sqlite3", "ssl", "subprocess"} & loaded()
