"""What tests of Picos share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def image(request: pytest.FixtureRequest) -> Path:
    """MicroPython for a Pico, as a person downloads it from micropython.org."""
    given = request.config.getoption("--uf2")
    if given is None or not Path(given).is_file():
        pytest.skip("no image of MicroPython for a Pico; name one with --uf2 (micropython.org has it)")
    return Path(given)
