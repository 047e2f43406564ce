"""`trace judge`: traces of a sound board agree with the model, those of a bad one differ where it is bad."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from boardlab.soak.one_game import SoakPlan, play
from boardsim.bench import bare
from boardsim.world.kits import KITS
from boardumpire.cli import main
from boardumpire.commands.table_factory import TableFactory
from boardumpire.makers.guide import GuideRequest
from boardumpire.makers.measure import Measurement, MeasurementResult, squares_to_measure
from boardumpire.makers.traces import replaying, trace
from boardumpire.makers.traces.judge import ModelComparison, extract_readings, judge_measurement, maker_steps
from boardumpire.makers.traces.judge_game import judge_game
from boardumpire.makers.traces.traced_guide import traced_guide_factory
from boardware.description import board_path, load_board
from boardware.parts import BoardDescription
from makers.ruler import Ruler, on_pins
from makers.test_measure import BOARD, KINDS, kit_named

TRACES = Path(__file__).resolve().parent.parent / "traces"


def nothing(ruler: Ruler) -> None:
    """A board as it should be."""


@cache
def measured(
    name: str, seed: int, change: Callable[[Ruler], None] = nothing, opened: Any = bare.open_drivers
) -> tuple[BoardDescription, str, MeasurementResult]:
    """The trace of a measurement over a board of a kit, with something changed beforehand."""
    board, kit = kit_named(name)
    lines: list[str] = []
    measure = Measurement(board)
    make = traced_guide_factory(measure, lines.append, "gpio-sim")
    ruler = Ruler(board, measure.run_steps(), kit, seed=seed, opened=opened, make=make)
    change(ruler)
    came = ruler.obey()
    return board, "".join(lines), came


def judged(name: str, seed: int, change: Callable[[Ruler], None] = nothing, **given: Any) -> ModelComparison:
    board, text, _ = measured(name, seed, change, **given)
    return judge_measurement(trace.parse(text, "x"), board)


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", KINDS)
def test_a_measurement_of_a_sound_board_agrees_and_replays_bit_for_bit(name: str, seed: int) -> None:
    board, text, came = measured(name, seed)
    found = trace.parse(text, "x")
    assert replaying.replay(found, board) == text
    assert set(extract_readings(maker_steps(found))) == set(came.readings), (
        "what was said to be done is all that is needed"
    )
    judgement = judge_measurement(found, board)
    assert judgement.differences == ()
    assert [line.split(":")[0] for line in judgement.agreements] == squares_to_measure(board)
    assert all(" mm off the middle; the model: " in line for line in judgement.agreements)


def weak(ruler: Ruler) -> None:
    ruler.magnet(2, 0.65)


def shifted(ruler: Ruler) -> None:
    sensor = ruler.physics.sensors["h1"]
    ruler.physics.sensors["h1"] = sensor._replace(at=(sensor.at[0] + 5, sensor.at[1], sensor.at[2]))


def flickers(ruler: Ruler) -> None:
    """The connector of the column of h1 and h8 lets go again and again while somebody is at the board."""
    at = BOARD.slots["h8"].sensor
    assert at is not None
    wire = len(BOARD.banks[at.bank].rows) + at.column
    dice = random.Random(5)

    def does(ask: GuideRequest) -> None:
        when = ruler.world.now + 20_000
        for number in range(6):
            ruler.world.plan(when, partial(ruler.world.cut, at.bank, wire, number % 2 == 0))
            when += dice.randint(60_000, 150_000)

    ruler.does = does


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", KINDS)
def test_a_weak_magnet_is_told_with_its_piece_and_the_squares_it_stood_on(name: str, seed: int) -> None:
    differences = judged(name, seed, weak).differences
    (piece,) = [each for each in differences if each.where.startswith("piece")]
    assert piece.where == "piece 2"
    assert all(square in piece.text for square in squares_to_measure(BOARD))
    assert "; the model: 0." in piece.text
    rest = [each for each in differences if each != piece]
    assert all("piece 2" in each.text for each in rest), rest


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", KINDS)
def test_a_shifted_sensor_is_told_at_its_square_alone(name: str, seed: int) -> None:
    differences = judged(name, seed, shifted).differences
    assert {each.where for each in differences} == {"h1"}, differences
    assert any(
        "its sensor lies " in each.text and "; the model: 2 at most" in each.text for each in differences
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", KINDS)
def test_a_flickering_connector_is_told_at_the_squares_behind_it(name: str, seed: int) -> None:
    differences = judged(name, seed, flickers, opened=on_pins).differences
    assert {each.where for each in differences} == {"h1", "h8"}, differences
    assert all("its contact changed " in each.text for each in differences), "nothing is said of magnets"


def test_a_magnet_that_is_absent_is_told_where_it_is_not_felt() -> None:
    differences = judged("usual", 0, partial(Ruler.magnet, number=3, strength=0.01)).differences
    assert [
        each.where for each in differences if "nothing is felt of piece 3" in each.text
    ] == squares_to_measure(BOARD)


def test_a_trace_that_was_changed_replays_otherwise() -> None:
    board, text, _ = measured("usual", 0)
    lines = text.splitlines(keepends=True)
    dice = random.Random(2)
    places = [n for n, line in enumerate(lines) if line.startswith(("placed", "lifted", "said"))]
    for number in dice.sample(places, 6):
        without = "".join([*lines[:number], *lines[number + 1 :]])
        assert (
            replaying.first_difference(text, replaying.replay(trace.parse(without, "x"), board)) is not None
        )


# The command


def saved(folder: Path, name: str, seed: int, change: Callable[[Ruler], None] = nothing) -> tuple[Path, Path]:
    """A trace, and the board file beside it."""
    board, text, _ = measured(name, seed, change)
    path, file = folder / "board.trace", folder / f"{board.id}.toml"
    path.write_text(text)
    file.write_text(board_path(board.id).read_text())
    return path, file


@pytest.mark.slow
def test_the_command_says_where_a_board_differs_and_the_exit_code_tells(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = saved(tmp_path, "usual", 0)
    assert main(["trace", "judge", str(path)]) == 0
    assert capsys.readouterr().out.endswith("board.trace: as the model says\n")
    assert main(["trace", "replay", str(path)]) == 0
    path, file = saved(tmp_path, "usual", 0, shifted)
    assert main(["trace", "judge", str(path), "--board", str(file)]) == 1
    told = capsys.readouterr().out
    assert "differs: h1: its sensor lies " in told
    assert told.endswith("board.trace: 1 places differ from the model\n")


HEAD = (
    "boardumpire-trace 1\nboard quick-battle-8x8\ncheck measure\noption spacer_mm 1.5\nsensors x\nmoments\n"
)
GAME = HEAD.replace("check measure", "game stratego-quick-duel")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            HEAD + "turn 0\npresent\n",
            "nothing that was measured; try",
        ),
        (HEAD.replace("check measure\n", ""), "no line 'game'; try it before 'moments'"),
        (GAME + "turn 0\n", "no move that was ruled"),
        (HEAD + "turn 0\ntold []\n", ":8: told '[]'; try [kind, data]"),
        (
            HEAD + 'turn 0\ntold ["ask", {"do": "slide one a1 0 0"}]\n',
            ":8: to be done: 'slide one a1 0 0'; try",
        ),
        (
            HEAD + 'turn 0\ntold ["ask", {"do": "centre 1 z9"}]\ntold ["x", {}]\n',
            "slot 'z9'; try one of",
        ),
        (HEAD + 'turn 0\ntold ["ask", {"do": 7}]\n', ":8: to be done: '7'; try emptied, off N"),
        (HEAD + "turn 0\nplaced\n", ":8: 'placed'; try placed and a slot, its time behind it or none"),
        (HEAD + "turn 0\nlifted  a1\n", ":8: 'lifted  a1'; try lifted and a slot"),
        (HEAD + "turn 0\nplaced a1 b1\n", ":8: placed 'b1'; try a whole number"),
        (GAME + "turn 0\nplaced a1 \u00b2\n", ":8: placed '\u00b2'; try a whole number"),
        (GAME + "turn 0\npressed\n", ":8: 'pressed'; try pressed and a button, its time behind it"),
    ],
)
def test_a_trace_of_nothing_is_refused(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.trace"
    path.write_text(text)
    assert main(["trace", "judge", str(path)]) == 2
    assert said in capsys.readouterr().err


# Games


@cache
def game(profile: str, kit: str, number: int) -> str:
    tables: list[list[str]] = []

    def begin() -> Callable[[str], object]:
        tables.append([])
        return tables[-1].append

    plan = SoakPlan(profile=profile, kit=kit, longest=40, driver="bare-sim")
    play(plan, number, TableFactory().traced(begin, "bare-sim"))
    return "".join(tables[-1])


def judged_game(text: str, kit: str) -> ModelComparison:
    found = trace.parse(text, "x")
    return judge_game(found, replace(load_board(found.board), sensor_design=KITS[kit].design))


@pytest.mark.few(1)
@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("profile", ["careful", "clumsy", "hostile"])
@pytest.mark.parametrize("kit", KINDS)
def test_a_game_on_a_sound_board_agrees_however_people_play(kit: str, profile: str, number: int) -> None:
    found = judged_game(game(profile, kit, number), kit)
    assert found.differences == ()
    assert "none of them strange" in found.agreements[0]


def test_a_contact_that_flickers_in_a_game_is_told_by_its_square() -> None:
    text = game("careful", "usual", 0)
    square = next(line.split()[1] for line in reversed(text.splitlines()) if line.startswith("placed"))
    at = max(int(line.split()[1]) for line in text.splitlines() if line.startswith("turn "))
    at += 1_000_000  # what was set down last has settled
    loose = [f"turn {at + 40_000 * n}\n{'lifted' if n % 2 else 'placed'} {square}\n" for n in range(1, 9)]
    (found,) = judged_game(text + "".join(loose), "usual").differences
    assert found.where == square
    assert "its contact changed 6 times within 200 ms" in found.text
    assert found.text.endswith("; the model: never")


def test_a_square_that_feels_its_neighbours_is_told() -> None:
    """Of a board on which a magnet closes the next square, too."""
    text = game("careful", "usual", 0)
    last = max(int(line.split()[1]) for line in text.splitlines() if line.startswith("turn "))
    ghosts = []
    for number in range(4):
        begin = last + 200_000_000 + 10_000_000 * number
        ghosts += [f"turn {begin}\nplaced d5\n"]
        ghosts += [f"turn {begin + 9_000_000}\nlifted d5\n"] if number < 3 else []
    found = judged_game(text + "".join(ghosts), "usual").differences
    assert [each.where for each in found] == ["d5"], found
    assert "of what holds one, at worst" in found[0].text


@pytest.mark.parametrize("path", sorted(TRACES.glob("*.trace")), ids=lambda path: path.stem)
def test_the_traces_that_are_kept_agree(path: Path) -> None:
    found = trace.read(path)
    board = replaying.board_of_trace(found)
    judgement = (judge_measurement if found.check_name else judge_game)(found, board)
    assert judgement.differences == ()
