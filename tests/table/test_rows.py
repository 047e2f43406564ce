"""Every situation of docs/understand/tracker.md as a hand script, at any speed, with power cuts anywhere."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from table.rows import HANDS, Run, boundaries, read_row

ROWS = [read_row(path) for path in sorted(HANDS.glob("*.hands"))]
NAMES = [row.name for row in ROWS]
OTHERS = [read_row(path) for path in sorted(HANDS.glob("*/*.hands"))]
"""Those of other games, which don't follow every piece."""
CONDITIONS = pytest.mark.parametrize(
    "condition",
    [{}, {"bounce": True}, {"pace": "slow"}, {"pace": "fast"}],
    ids=["plain", "bounce", "slow", "fast"],
)
CUTS = 1
"""At so many boundaries a row is cut here; `make nightly` takes them all."""


@pytest.mark.few(len(ROWS))
@pytest.mark.parametrize("row", ROWS, ids=NAMES)
@CONDITIONS
def test_a_row_is_ruled_told_and_shown_as_written(
    row: Any, condition: dict[str, Any], tmp_path: Path
) -> None:
    Run(row, tmp_path / "journal.db", **condition).whole()


@pytest.mark.few(len(OTHERS))
@pytest.mark.parametrize("row", OTHERS, ids=[row.name for row in OTHERS])
@CONDITIONS
def test_a_row_of_another_game_is_ruled_told_and_shown_as_written(
    row: Any, condition: dict[str, Any], tmp_path: Path
) -> None:
    Run(row, tmp_path / "journal.db", **condition).whole()


@pytest.mark.few(1)
@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_a_row_cut_by_the_power_is_led_back_and_ends_alike(row: Any, tmp_path: Path) -> None:
    cuts = boundaries(row)
    _cut(row, random.Random(row.name).sample(cuts, min(CUTS, len(cuts))), tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_a_row_cut_after_any_of_its_lines_is_led_back_and_ends_alike(
    row: Any, tmp_path: Path, record_property: Any
) -> None:
    """Killed and started again after each line in turn: nothing lost, nothing believed, the same end."""
    cuts = boundaries(row)
    record_property("kills", len(cuts))
    _cut(row, cuts, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["set-down-by-a-child", "one-too-many", "stuck-one-of-two"])
def test_who_has_said_who_stands_there_is_not_asked_again_after_a_cut(name: str, tmp_path: Path) -> None:
    row = next(row for row in ROWS if row.name == name)
    for number in range(1, len(row.scenes) + 1):
        run = Run(row, tmp_path / f"{number}.db")
        run.bench.start()
        for scene in row.scenes[:number]:
            run.play(scene)
        in_question = run.open_arrivals
        run.bench.kill()
        run.bench.start()
        assert run.open_arrivals == in_question, f"after scene {number}"
        run.bench.close()


def _cut(row: Any, cuts: list[Any], folder: Path) -> None:
    whole = Run(row, folder / "whole.db")
    whole.whole()
    for number, (scene, command) in enumerate(cuts):
        try:
            _, accepted = Run(row, folder / f"{number}.db").cut(scene, command, whole.arrivals)
        except AssertionError as error:
            raise AssertionError(f"cut after line {command.line}: {error}") from error
        assert accepted == row.all_accepted(), f"cut after line {command.line}"
