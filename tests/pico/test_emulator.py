"""The emulated Pico's core, compiled for one Python alone, is the same chip."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import distributions

ROOT = Path(__file__).resolve().parents[2]
BOOT = """
import hashlib, sys
from pathlib import Path
import rp2040py.native._cortex_m0_core as core
from boardsim.pico import chip
chip.BATCH = 1  # else rp2040py asks wall time when to look at the chip's clock
program = b"import machine; machine.freq(200_000_000); print(2 ** 70 // 3)"
chip = chip.EmulatedChip(Path(sys.argv[1]), {"main.py": program})
chip.run(40_000)
told = chip._mcu.core.cycles, hashlib.sha256(bytes(chip._mcu.sram)).hexdigest(), chip.hertz
print(core.__file__, *told, sep="\\n")
"""


def booted(image: Path, first: Path | None) -> list[str]:
    """Of which file the core is, what cycles 40 ms took, what is in its memory then, and its frequency."""
    path = [*([first] if first else []), *distributions.folders()]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-c", BOOT, str(image)]
    told = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr[-2000:]
    return told.stdout.splitlines()


@pytest.mark.nightly
def test_the_core_compiled_for_this_python_is_the_same_chip(
    image: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty milliseconds of MicroPython: the same cycles, and the same in each byte of memory."""
    monkeypatch.syspath_prepend(ROOT)
    emulator = importlib.import_module("boardlab.benchmarks.emulator")
    if emulator.missing_build_tool():
        pytest.skip(emulator.missing_build_tool())
    made = emulator.build(tmp_path / "emulator", optimize="-O0")
    usual, compiled = booted(image, None), booted(image, made)
    assert compiled[0].startswith(str(made))
    assert not usual[0].startswith(str(made))
    assert int(usual[1]) > 500_000
    assert compiled[1:] == usual[1:]
