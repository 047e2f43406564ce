"""The header of a Raspberry Pi 3 that QEMU emulates: Debian's kernel, its driver of pins, our wheels."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boardware.description import load_board
from userland import asked_of_pi, raspberry

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(bool(raspberry.lacking()), reason=raspberry.lacking() or "all is here"),
]


@pytest.fixture(scope="module")
def pi(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return raspberry.made(
            tmp_path_factory.mktemp("pi"), {"asked.py": Path(asked_of_pi.__file__).read_text()}
        )
    except subprocess.CalledProcessError as error:
        if b"No matching distribution" in (error.stderr or b""):
            pytest.skip("no package index with these wheels can be reached from here")
        raise


@pytest.mark.parametrize("tree", ["pi.dtb", "spi.dtb"])
def test_a_board_opens_its_header_on_a_real_kernel(
    pi: Path, tree: str, record_property: Callable[[str, object], None]
) -> None:
    if tree == "spi.dtb" and not raspberry.has_spi():
        pytest.skip("QEMU has the SPI of a Pi from version 9.1 on")
    text = raspberry.told(pi, tree)
    found: dict[str, Any] = {
        key: json.loads(value) for key, value in re.findall(r"^asked: (\w+) ([\[\"\d].*)$", text, re.M)
    }
    assert "asked: ended with 0" in text, text[-3000:]
    board = load_board("quick-battle-8x8")
    (bank,) = board.banks.values()
    pins = len(bank.rows) + len(bank.columns) + len(board.buttons) + (board.buzzer is not None)
    record_property("kernel", found["kernel"])
    assert found["model"] == "Raspberry Pi 3 Model B"
    assert found["chip"] == "pinctrl-bcm2835"
    assert found["present"] == [], "no reed is closed"
    assert found["held"] == pins
    assert found["row"] == ["OUTPUT", "INPUT", "PULL_DOWN"]
    assert found["levels"] == [True, False, True], "an output is read back"
    assert re.search(rf"GPIO{bank.rows[0]} can't be had: .*busy; 'boardumpire' has it", found["rival"])
    assert found["released"] == 0
    assert ("lamps" in found) is (tree == "spi.dtb")
    assert found.get("lamps", []) == [], "the kernel's SPI took the frame"
    code, checked = found["checked"]
    assert code == 1
    assert "ok     Raspberry Pi 3 Model B" in checked
    lacks = "to do  Debian's own kernel has no SPI for lamps: install Raspberry Pi OS" in checked
    assert lacks is (tree == "pi.dtb")
