"""After a power cut no piece stands for another without a question: people who obey end as without it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from table.cuts import KEPT, SWAPPED, Cut, Obedient, cuts, exchanged
from table.rows import HANDS, read_row

ROWS = [read_row(path) for path in sorted(HANDS.glob("*.hands"))]
CUTS = 2
"""After so many lines of a script `make test` cuts the power; `make test-all` cuts after each, in one way."""
WAYS = (KEPT, SWAPPED)


def tried(chosen: list[tuple[Cut, str]], folder: Path) -> None:
    """Cut, obey, and look at every piece."""
    for number, (cut, off) in enumerate(chosen):
        place = folder / str(number)
        place.mkdir()
        found = exchanged(cut, off, place)
        assert found is None, found


@pytest.mark.few(18)
@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_people_who_obey_after_a_cut_have_every_piece_where_the_game_has_it(row: Any, tmp_path: Path) -> None:
    dice = random.Random(f"cuts {row.name}")
    tried([(cut, dice.choice(WAYS)) for cut in dice.sample(cuts(row), min(CUTS, len(cuts(row))))], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_people_who_obey_after_a_cut_at_any_line_have_every_piece_in_place(row: Any, tmp_path: Path) -> None:
    dice = random.Random(f"all cuts {row.name}")
    tried([(cut, dice.choice(WAYS)) for cut in cuts(row)], tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_people_who_obey_after_any_cut_have_every_piece_where_the_game_has_it(
    row: Any, tmp_path: Path, record_property: Any
) -> None:
    chosen = [(cut, off) for cut in cuts(row) for off in WAYS]
    record_property("kills", len(chosen))
    tried(chosen, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "asked"),
    [("who-won", "who-stands"), ("swapped", "same-places"), ("two-lifted", "same-places")],
)
def test_pieces_set_down_in_each_others_place_while_the_power_is_off_are_asked_about(
    name: str, asked: str, tmp_path: Path
) -> None:
    row = next(row for row in ROWS if row.name == name)
    questions: list[str] = []
    for number, cut in enumerate(cuts(row)):
        people = Obedient(cut, tmp_path / f"{number}.db")
        try:
            if people.play(SWAPPED) and people.wrong():
                assert people.obey()
                assert not people.wrong(), f"{cut}: {people.done}"
                questions += people.asked
        finally:
            people.bench.close()
    assert asked in questions, "none of these cuts had two pieces in hands"


@pytest.mark.parametrize(
    ("name", "noted"),
    [
        ("move", []),
        ("attack", []),
        ("slide", []),
        ("not-allowed", []),
        ("put-back", []),
        ("swapped", ["e3=h3", "e3=h3 e3! h3!", "e3=h3 h3!", "e3=h3", ""]),
        ("who-won", ["h5?h4", "h5!", ""]),
    ],
)
def test_doubt_is_noted_and_a_lift_is_not(name: str, noted: list[str], tmp_path: Path) -> None:
    """Spaces alone are named, and nothing at all where each hand holds one piece at a time."""
    row = next(row for row in ROWS if row.name == name)
    people = Obedient(cuts(row)[-1], tmp_path / "journal.db")
    people.play(None)
    assert people.doubts_noted() == noted
    people.bench.close()
