"""`boardumpire doctor --rehearse`: a mistake in a simulated board, found as on a real one."""

from __future__ import annotations

import json

import pytest

from boardlab.rehearsal.rehearse import NAMES
from boardsim.world.mistakes import OF_PARTS
from boardumpire.cli import main


@pytest.mark.slow
def test_a_rehearsal_shows_what_is_asked_and_what_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    """Of the stages that are named; at the end what was built in, which the finding has to name."""
    assert main(["doctor", "--rehearse", "chain-cut", "lamps", "--json"]) == 1
    told = capsys.readouterr()
    (found,) = json.loads(told.out)["findings"]
    assert found["code"] == "chain-cut"
    asked, _, built = told.err.partition("Built in: ")
    assert built == f"chain-cut {found['parts'][0]}\n"
    assert "Is any lamp of the board dark?\n      yes\n" in asked
    assert "Put a piece" not in asked


def test_a_mistake_that_nobody_makes_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--rehearse", "gremlins"]) == 2
    said = capsys.readouterr().err
    assert "--rehearse 'gremlins': no such mistake; try one of " in said
    assert all(name in said for name in NAMES)
    assert set(OF_PARTS) < set(NAMES)
