"""What waits for lamps waits for those that show the lift, and not for ever."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
REST: dict[str, Any] = {"kind": "lamps", "lit": {"turn-red": "#140000"}}
PULSES: list[dict[str, Any]] = [
    {"kind": "lamps", "lit": {"d3": f"#{grey}{grey}{grey}", "d4": "#007f00"}} for grey in ("7f", "7a", "74")
]


@pytest.fixture
def flood(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The benchmark."""
    monkeypatch.syspath_prepend(ROOT)
    return importlib.import_module("boardlab.benchmarks.flood")


class Hands:
    """Hands that hear these frames, and then nothing but pings."""

    def __init__(self, flood: Any, frames: list[dict[str, Any]]) -> None:
        self._flood, self._texts = flood, list(frames)
        self.said: list[tuple[str, int]] = []
        """What was done, and how many frames were still to come then."""

    def say(self, **message: Any) -> None:
        self.said.append((message["do"], len(self._texts)))

    def wait_for_frame(self, **fits: Any) -> Any:
        return self._flood.PageSocket.wait_for_frame(self, **fits)

    def _take(self) -> None:
        """A ping."""


def board(flood: Any, frames: list[dict[str, Any]]) -> Any:
    found = flood.BenchmarkDaemon.__new__(flood.BenchmarkDaemon)
    found.hands, found._piece = Hands(flood, frames), 1
    return found


def test_a_lift_is_over_once_lamps_show_it_and_the_next_begins_once_they_show_it_is_home(flood: Any) -> None:
    """What came late from before is no answer, nor is a lamp that pulses while the piece is up."""
    lifts = board(flood, [REST, *PULSES, REST, *PULSES, REST])
    lifts.lift()
    lifts.lift()
    assert lifts.hands.said == [("grab", 9), ("drop", 7), ("grab", 4), ("drop", 3)]


@pytest.mark.parametrize("frames", [[], [REST], PULSES])
def test_lamps_that_never_show_it_are_not_waited_for_for_ever(
    flood: Any, frames: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flood, "PATIENCE_S", 0.02)
    with pytest.raises(TimeoutError):
        board(flood, frames).lift()
