"""The firmware asks of MicroPython what it has on each kind of Pico: types are checked against its stubs.

Those that can't be emulated, the Pico 2 and both with wireless, are held by this alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from boardware.description import load_board
from boardware.pico_flash import stage_firmware
from boardware.pico_plan import plans_by_pico

ROOT = Path(__file__).resolve().parents[2]
STUBS = ROOT / ".venv" / "stubs"
KINDS = ("rpi_pico", "rpi_pico_w", "rpi_pico2", "rpi_pico2_w")
MISSING = {
    '"DMA" has no attribute "channel"',
    '"DMA" has no attribute "registers"',
    'Item "BinaryIO" of "BinaryIO | Any" has no attribute "readinto"',
}
"""What MicroPython 1.28 has (rp2.DMA and sys.stdin.buffer in its reference) and its stubs don't."""


def complaints(kind: str, firmware: Path) -> set[str]:
    """What mypy says of our own files, for one kind of Pico."""
    files = sorted(path.relative_to(firmware) for path in firmware.rglob("*.py"))
    told = subprocess.run(
        [
            *(
                sys.executable,
                "-m",
                "mypy",
                "--config-file=",
                "--check-untyped-defs",
                "--follow-imports=silent",
            ),
            *("--python-version", "3.11", "--cache-dir", str(firmware / "cache")),
            *("--custom-typeshed-dir", str(STUBS / "micropython_stdlib_stubs")),
            *map(str, files),
        ],
        cwd=firmware,
        env=os.environ | {"MYPYPATH": str(STUBS / f"micropython_rp2_{kind}_stubs")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode in (0, 1), told.stderr
    lines = [line for line in told.stdout.splitlines() if ": error: " in line]
    ours = [line for line in lines if (firmware / line.partition(":")[0]).is_relative_to(firmware)]
    return {line.rpartition("  [")[0] for line in ours if not line.startswith(("/", ".."))}


@pytest.fixture
def firmware(tmp_path: Path) -> Path:
    """The files as they are put on a Pico."""
    if not STUBS.is_dir():
        pytest.skip("no stubs of MicroPython; `make test-all` fetches them")
    (plan,) = plans_by_pico(load_board("quick-battle-8x8-readers")).values()
    stage_firmware(tmp_path, plan)
    names = ("BOARD", "PICO", "PLAN", "BANKS", "CHAINS", "BUTTONS", "BUZZER", "READERS", "PADS")
    types = "".join(f"{name}: Any\n" for name in names)  # it is data, of another shape for each Pico
    (tmp_path / "pins.pyi").write_text(f"from typing import Any\n\n{types}")
    (tmp_path / "pins.py").unlink()
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_boots_asks_for_nothing_that_such_a_pico_lacks(firmware: Path, kind: str) -> None:
    found = {each.split(": error: ")[1] for each in complaints(kind, firmware)}
    assert found <= MISSING


@pytest.mark.slow
def test_what_is_asked_for_and_not_there_is_told(firmware: Path) -> None:
    """So that the test above can fail."""
    main = firmware / "main.py"
    main.write_text(main.read_text().replace("machine.WDT(timeout=", "machine.WatchDog(timeout="))
    (found,) = {each.split(": error: ")[1] for each in complaints("rpi_pico2", firmware)} - MISSING
    assert found == 'Module has no attribute "WatchDog"'
