"""What was measured by hand at one square: a file, and the command that fits it."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardumpire.cli import main
from boardumpire.makers.readings import ReadingsError, parse, read
from boardware.description import load_board
from boardware.physics.design import SensorDesign
from boardware.physics.edges import DIRECTIONS, closing_distance_mm, opening_distance_mm
from boardware.physics.reach import ReachCase, reach_cases
from boardware.physics.reading import RulerReading

BOARD = "quick-battle-8x8"


def by_hand(case: ReachCase, *, pieces: int = 1) -> str:
    """What a person at a bench writes down, to half a millimetre."""
    lines = ["# square piece way what mm"]
    for piece in range(1, pieces + 1):
        for way in DIRECTIONS:
            for what, found in (
                ("closes", closing_distance_mm(case, way)),
                ("opens", opening_distance_mm(case, way)),
            ):
                assert found is not None
                lines.append(f"e1 {piece} {way} {what} {round(2 * found) / 2:g}")
    return "\n".join(lines) + "\n"


def usual(strength: float = 1.0, gap: float = 6.0) -> ReachCase:
    design = SensorDesign(gap_mm=gap, strength=(strength, strength))
    return reach_cases(design).usual


def test_the_command_finds_a_weak_magnet_and_writes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers, new = tmp_path / "bench.txt", tmp_path / "new.toml"
    numbers.write_text(by_hand(usual(0.8)))
    words = ["calibrate", "--bench", str(numbers), "--board", BOARD, "--into", str(new)]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert told.startswith("Magnets: 0.7"), told
    assert f"{new}: written" in told
    written = load_board(new).sensor_design
    assert written is not None
    assert written.strength is not None
    assert written.strength[0] < 0.8 < written.strength[1]
    assert written.release == (0.45, 0.85), "one square says nothing of the others"
    assert main(words) == 2
    assert "it exists already" in capsys.readouterr().err


def test_numbers_that_contradict_each_other_are_told_and_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers, new = tmp_path / "bench.txt", tmp_path / "new.toml"
    text = by_hand(usual())
    wrong = next(line for line in text.splitlines() if "right opens" in line)
    numbers.write_text(text.replace(wrong, "e1 1 right opens 18"))
    assert main(["calibrate", "--bench", str(numbers), "--board", BOARD, "--into", str(new)]) == 1
    told = capsys.readouterr().out
    assert "Not written" in told
    assert "- e1, piece 1, right: opens between 17.5 and 18.5 mm, and all the others say" in told
    assert not new.exists()


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (
            "e1 1 up closes 11\ne1 1 up opens 8\ne1 1 right opens 12\n",
            2,
            "bench.txt:2: e1, piece 1, up: opens at 8 mm, on line 1 closes at 11 mm; it opens farther out",
        ),
        (
            "e1 1 up closes 11\ne1 1 right opens 8\ne1 1 left opens 8\n",
            1,
            "- e1: its contact holds at 1.54 of what closes it; measure again, below 1 is right\n",
        ),
    ],
)
def test_no_contact_opens_before_it_closes(
    text: str, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As where columns were swapped."""
    numbers, new = tmp_path / "bench.txt", tmp_path / "new.toml"
    numbers.write_text(text)
    assert main(["calibrate", "--bench", str(numbers), "--board", BOARD, "--into", str(new)]) == code
    told = capsys.readouterr()
    assert said in told.out + told.err
    assert not new.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "x: no readings; try lines of a square,"),
        ("# only\n\n", "x: no readings; try lines of"),
        ("e1 1 up closes\n", "x:1: 4 words; try a square, the number of a piece"),
        ("\ne1 one up closes 5\n", "x:2: piece 'one'; try its number"),
        ("e1 1 north closes 5\n", "x:1: way 'north'; try one of right, left, away, near, up"),
        ("e1 1 up shuts 5\n", "x:1: 'shuts'; try one of closes, opens"),
        ("e1 1 up closes 5mm\n", "x:1: '5mm' mm; try a number from 0 to 60"),
        ("e1 1 up closes nan\n", "x:1: 'nan' mm; try a number from 0 to 60"),
        ("e1 1 up closes -1\n", "x:1: '-1' mm; try a number from 0 to 60"),
        (
            "e1 1 up opens 7\n\ne1 1 up closes 8\n",
            "x:3: e1, piece 1, up: closes at 8 mm, on line 1 opens at 7",
        ),
    ],
)
def test_a_wrong_line_is_refused_by_number(text: str, said: str) -> None:
    with pytest.raises(ReadingsError) as caught:
        parse(text, "x")
    assert str(caught.value).startswith(said)


def test_comments_and_blank_lines_say_nothing() -> None:
    assert parse("# a\n\n e1 2 up closes 0.2 # low\n", "x") == [RulerReading("e1", 2, "up", True, 0.0, 0.7)]


def test_numbers_as_near_as_a_ruler_is_read_are_taken() -> None:
    """Of other squares, pieces and ways nothing follows."""
    text = "e1 1 up closes 8\ne1 1 up opens 7.5\ne2 1 up opens 5\ne1 2 up opens 5\ne1 1 left opens 5\n"
    assert len(parse(text, "x")) == 5


def test_a_byte_order_mark_is_no_part_of_a_square(tmp_path: Path) -> None:
    path = tmp_path / "bench.txt"
    path.write_text("e1 1 up closes 8\n", encoding="utf-8-sig")
    assert [each.square for each in read(path)] == ["e1"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "--into is missing; try --into with the name of a new board file"),
        (["--spacer", "2", "--into", "y.toml"], "--spacer: it needs --measure; try both"),
        (["--board", BOARD, "--into", "y.toml"], "--board: it needs --bench; try both"),
        (["--bench", "x.txt"], "--board is missing; try the board whose"),
        (["--bench", "none.txt", "--board", BOARD], "none.txt: "),
        (["--bench", "none.txt", "--board", BOARD, "--measure"], "exclude each other; try one of them"),
        (["--measure", "--trace", "/none/x.trace"], "no file can be made in /none"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["calibrate", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_spacer_has_a_thickness(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["calibrate", "--measure", "--spacer", "thick"])
    assert "'thick': not the thickness of a spacer; try 0.2 to 5" in capsys.readouterr().err
