"""Every benchmark runs in its quick form, and what it counts is within its gate.

Counts are the same however busy the machine is: memory against bare Python, modules, wake-ups, bytes. How
fast something is compared with something else is shown (`pytest -rP`), not judged: `make bench ARGS=--gates`
does that on a quiet machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOT_BENCHMARKS = {"__init__", "__main__", "measure", "compiled", "emulator"}
NAMES = sorted({path.stem for path in (ROOT / "sim/lab/boardlab/benchmarks").glob("*.py")} - NOT_BENCHMARKS)


@pytest.mark.slow
@pytest.mark.cases(6)
@pytest.mark.parametrize("name", NAMES)
def test_it_runs_and_what_it_counts_is_within_its_gate(name: str) -> None:
    command = [sys.executable, "-m", "boardlab.benchmarks", "--quick", "--json", name]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 0, ran.stderr
    rows: list[dict[str, Any]] = json.loads(ran.stdout)
    for row in rows:
        print(f"{row['what']}: {row['value']:.3g} {row['unit']} {row['detail']}")
    assert [row for row in rows if row["counted"] and row["missed"]] == []
