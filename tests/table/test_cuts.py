"""After a power cut no piece stands for another without a question: people who obey end as without it."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from boardsim.hands.hands import space_of
from boardware.ports import SECOND
from table.cuts import KEPT, SWAPPED, Cut, Obedient, cuts, exchanged
from table.rows import HANDS, Row, Run, read_row

ROWS = [read_row(path) for path in sorted(HANDS.glob("*.hands"))]
ROWS_OF_OTHER_GAMES = [read_row(path) for path in sorted(HANDS.glob("*/*.hands"))]
CUTS = 2
"""After so many lines of a script `make test` cuts the power; after each line of some, `make test-all`."""
WAYS = (KEPT, SWAPPED)


def tried(chosen: list[tuple[Cut, str]], folder: Path) -> None:
    """Cut, obey, and look at every piece."""
    for number, (cut, off) in enumerate(chosen):
        place = folder / str(number)
        place.mkdir()
        found = exchanged(cut, off, place)
        assert found is None, found


@pytest.mark.few(8)
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


@pytest.mark.parametrize(
    "count",
    [pytest.param(2, marks=pytest.mark.slow), pytest.param(None, marks=pytest.mark.nightly, id="all")],
)
@pytest.mark.parametrize("row", ROWS_OF_OTHER_GAMES, ids=[row.name for row in ROWS_OF_OTHER_GAMES])
def test_a_board_that_is_wrong_after_a_cut_is_said_to_be(row: Row, count: int | None, tmp_path: Path) -> None:
    """No rank is hidden here: where a piece stands that the game has elsewhere, a lamp asks."""
    chosen = cuts(row)
    for cut in chosen if count is None else random.Random(row.name).sample(chosen, min(count, len(chosen))):
        told, wrong = _after_cut(cut, tmp_path / f"{cut.at}.db")
        assert told or not wrong, f"{cut}: nothing is said of {wrong}"


def _after_cut(cut: Cut, journal: Path) -> tuple[bool, list[tuple[str, str]]]:
    """Whether anything is asked a while after the power came back, and which pieces can be felt where the
    game has none of their side, by space and side. A game that was over is none any more."""
    run = Run(cut.row, journal)
    try:
        run.bench.start()
        for command in cut.commands[: cut.at + 1]:
            run.stage.do(command)
        if run.state.outcome is not None:
            return False, []
        run.bench.kill()
        run.bench.start()
        run.bench.wait(10 * SECOND)
        standing = Counter[tuple[str, str]]()
        for slot, pieces in run.bench.world.standing().items():
            standing.update((space_of(slot), piece.owner) for piece in pieces[:1])
        wanted = Counter(
            (space, piece.seat) for space, pieces in run.state.layout().items() for piece in pieces
        )
        guidance = run.people.guidance
        asks = "asks" in run.shown.values() or guidance.question is not None
        return asks or bool(guidance.corrections or guidance.lifted_places), sorted(standing - wanted)
    finally:
        run.bench.close()


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
