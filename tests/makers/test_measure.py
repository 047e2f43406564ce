"""Measuring: a person with a ruler finds what magnets and sensors were planted, and no file is made worse."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import pytest

from boardsim.world.kits import KITS, MakerKit
from boardumpire.cli import main
from boardumpire.makers.bare_board import slot_name
from boardumpire.makers.board_file_edit import BoardFileEditError
from boardumpire.makers.measure import PIECE_NUMBERS, Measurement, MeasurementResult, squares_to_measure
from boardumpire.makers.measurement_result import (
    ReadingsResult,
    fit_readings,
    replace_sensing_table,
    result_sentences,
    write_sensing,
)
from boardumpire.makers.traces.judge import judge_measurement
from boardumpire.makers.traces.trace import parse
from boardumpire.makers.traces.traced_guide import traced_guide_factory
from boardware.description import BoardFileError, board_names, board_path, load_board
from boardware.parts import BoardDescription
from boardware.physics.design import SensorDesign
from boardware.physics.edges import DIRECTIONS, closing_distance_mm, opening_distance_mm
from boardware.physics.fitting import MeasuredValue, fit, measured_design, uncovered_readings
from boardware.physics.magnets import Vector
from boardware.physics.reach import MOUNTING_ERROR_MM, felt_distance_mm, reach_cases
from boardware.physics.reading import RulerReading
from boardware.physics.sensors import REED_COUPLING_FACTOR, Sensor
from daemon.service import Service
from makers.ruler import Ruler

KINDS = ("usual", "flat", "either-pole")
BOARD = load_board("quick-battle-8x8")
STRENGTHS = (1.0, 0.75, 0.9, 1.15)
"""Of the bag of magnets, by seed: none of them is what its size and grade say."""


def kit_named(name: str) -> tuple[BoardDescription, MakerKit]:
    kit = KITS[name]._replace(odd_magnet_rate=0.0)
    return replace(BOARD, sensor_design=kit.design), kit


def led(name: str, seed: int, *, pieces: tuple[int, ...] = PIECE_NUMBERS) -> tuple[Ruler, Measurement]:
    """A ruler before a board of a kit, whose magnets are of another strength than the kit says."""
    board, kit = kit_named(name)
    measure = Measurement(board, pieces=pieces)
    ruler = Ruler(board, measure.run_steps(), kit, seed=seed)
    for number in pieces:
        piece = ruler.piece(number)
        magnet = ruler.physics.magnet(piece)
        ruler.physics.magnets[piece] = magnet._replace(
            strength=magnet.strength * STRENGTHS[seed % len(STRENGTHS)]
        )
    return ruler, measure


@cache
def found(name: str, seed: int) -> tuple[Ruler, MeasurementResult]:
    ruler, _ = led(name, seed)
    return ruler, ruler.obey()


def planted(ruler: Ruler, name: str, square: str) -> dict[str, float]:
    """What lies under a square in truth."""
    design = KITS[name].design
    sensor, middle = ruler.physics.sensors[square], BOARD.slots[square].position
    way = radians(design.turn_deg)
    return {
        "operate": sensor.operate / (REED_COUPLING_FACTOR if design.part.is_reed else 1.0),
        "release": sensor.release / sensor.operate,
        "right": sensor.at[0] - middle.x - design.aside_mm * cos(way),
        "away": sensor.at[1] - middle.y - design.aside_mm * sin(way),
        "gap": -sensor.at[2] - (10.0 if design.sensor.startswith("reed on end") else 0.0),
        "felt": min(_felt(ruler, square, sensor, DIRECTIONS[way]) for way in DIRECTIONS if way != "up"),
    }


def _felt(ruler: Ruler, square: str, sensor: Sensor, way: Vector) -> float:
    """How far out the weakest piece is when it isn't felt any more."""
    middle = BOARD.slots[square].position
    weakest = min(PIECE_NUMBERS, key=ruler.strength)
    magnet, disc = ruler.physics.magnet(ruler.piece(weakest)), ruler.physics.usual
    mm = 0.0
    while True:
        at = (
            middle.x + way[0] * mm + magnet.centre_offset[0],
            middle.y + way[1] * mm + magnet.centre_offset[1],
            disc.height_mm / 2,
        )
        if (
            abs(sensor.field_of_magnet((0.0, 0.0, magnet.moment * disc.moment), disc.smoothing_mm2, at))
            < sensor.operate
        ):
            return mm
        mm += 0.1


def compared(name: str, seed: int) -> Iterator[tuple[str, MeasuredValue, float]]:
    """Each value that is told, with the truth."""
    ruler, came = found(name, seed)
    fitted = fit(KITS[name].design, came.readings)
    for square, value in fitted.squares.items():
        truth = planted(ruler, name, square)
        told = {
            "operate": value.operate,
            "release": value.release,
            "right": value.sensor_offset_mm[0],
            "away": value.sensor_offset_mm[1],
            "gap": value.gap,
            "felt": value.felt_mm,
        }
        for key in told:
            yield f"{square} {key}", told[key], truth[key]
    for number, strength in fitted.pieces.items():
        yield f"piece {number}", strength, ruler.strength(number)
    truths = [planted(ruler, name, square)["gap"] for square in fitted.squares]
    yield "gap", fitted.gap, sum(truths) / len(truths)
    yield "strength", fitted.strength, sum(map(ruler.strength, fitted.pieces)) / len(fitted.pieces)


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", KINDS)
def test_what_was_planted_lies_within_what_is_told(name: str, seed: int) -> None:
    """Of 35 values at most one lies outside, and not far: each is told for 99 of 100 measurements."""
    outside = [
        (what, value, truth) for what, value, truth in compared(name, seed) if not value.contains(truth)
    ]
    assert len(outside) <= 1, outside
    assert all(abs(value.best - truth) < 1.5 * value.margin for _, value, truth in outside), outside
    assert not [what for what, _, _ in outside if what in ("strength", "gap")], outside


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(8))
def test_of_a_switch_whose_samples_differ_a_lot_a_little_less_is_told_right(seed: int) -> None:
    """A Hall switch of a wide range: some 98 of 100 values lie within."""
    outside = [each for each in compared("hall", seed) if not each[1].contains(each[2])]
    assert len(outside) <= 3, outside
    assert all(abs(value.best - truth) < 2 * value.margin for _, value, truth in outside), outside


@pytest.mark.nightly
@pytest.mark.parametrize("name", KINDS)
def test_twenty_boards_are_measured(name: str, record_property: Any) -> None:
    """Every value that is told, of twenty boards, against the truth."""
    told = [(value, truth) for seed in range(20) for _, value, truth in compared(name, seed)]
    inside = sum(value.contains(truth) for value, truth in told)
    assert inside >= 0.99 * len(told)
    record_property("seeds", "0 to 19")
    record_property("values told", len(told))
    record_property("of them within what was told", inside)


def test_a_measurement_is_done_in_twenty_minutes_by_lamps_and_sentences() -> None:
    ruler, came = found("usual", 0)
    assert len(ruler.asks) < 300, "4 s each make 20 minutes"
    assert (
        {each.square for each in came.readings}
        == set(squares_to_measure(BOARD))
        == {"d4", "a1", "h1", "a8", "h8"}
    )
    assert {each.piece for each in came.readings} == set(PIECE_NUMBERS)
    assert {each.direction for each in came.readings} == set(DIRECTIONS)
    assert came.objections() == []


@pytest.mark.few(3)
@pytest.mark.parametrize("name", [name for name in board_names() if "/" not in name])
def test_there_are_five_squares_on_every_board_and_all_of_them_are_felt(name: str) -> None:
    board = load_board(name)
    assert len(set(squares_to_measure(board))) == 5
    assert all(board.slots[slot].sensor for slot in squares_to_measure(board))


def test_who_slips_begins_again_with_that_piece_on_that_square() -> None:
    """What was measured of them is forgotten; all the rest stays."""
    ruler, _ = led("usual", 0)
    slips = [30]
    ruler.says = lambda ask: not (slips and len(ruler.asks) > slips[0] and slips.pop())
    came = ruler.obey()
    said = [ask.text for ask in ruler.asks]
    assert said[31].startswith("Put piece 1 on the middle of d4"), "not the next step"
    assert said.count(said[31]) == 2
    keys = [(each.square, each.piece, each.direction, each.is_closing) for each in came.readings]
    assert len(keys) == len(set(keys)) == 75


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("name", ["fall-of-the-fuhrer-slots", "escape-from-colditz"])
def test_rings_near_each_other_are_measured_too(name: str) -> None:
    """Of spaces 30 mm apart; where a space has several rings words say which."""
    board = load_board(name)
    lines: list[str] = []
    measure = Measurement(board)
    make = traced_guide_factory(measure, lines.append, "bare-sim")
    assert board.sensor_design is not None
    ruler = Ruler(
        board, measure.run_steps(), MakerKit(board.sensor_design, odd_magnet_rate=0.0), seed=1, make=make
    )
    came = ruler.obey()
    assert came.objections() == []
    found = fit_readings(board.sensor_design, came.readings)
    assert found.objections == ()
    strengths = [ruler.strength(number) for number in PIECE_NUMBERS]
    assert found.fitted_readings.strength.contains(sum(strengths) / len(strengths))
    assert judge_measurement(parse("".join(lines), "x"), board).differences == ()
    several = [slot for slot in squares_to_measure(board) if len(board.spaces[slot].slots) > 1]
    assert all(any(f" of {slot_name(board, slot)}" in ask.text for ask in ruler.asks) for slot in several)


# What is written


@cache
def good(name: str = "usual", seed: int = 1) -> ReadingsResult:
    _, came = found(name, seed)
    return fit_readings(KITS[name].design, came.readings, came.objections())


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_what_is_written_promises_no_more_than_was_measured(name: str) -> None:
    """The worst parts that are written feel a piece no farther than the worst square that was measured."""
    ruler, came = found(name, 1)
    written = good(name).design
    assert good(name).objections == ()
    assert uncovered_readings(written, came.readings) == []
    weakest, _, keenest = reach_cases(written)
    for each in came.readings:
        if each.direction == "up":
            near, far = closing_distance_mm(weakest, "up"), closing_distance_mm(keenest, "up")
            assert near is not None
            assert far is not None
            assert near <= each.high_mm + 1.0
            assert far >= each.low_mm - 1.0
    sold = KITS[name].design.part.operate
    assert written.operate is not None
    assert written.operate[0] <= sold[0] < sold[1] <= written.operate[1], (
        "five samples make no class narrower"
    )
    promised = felt_distance_mm(weakest)
    assert promised is not None
    felt = [planted(ruler, name, square)["felt"] for square in BOARD.slots]
    assert sum(each >= promised - MOUNTING_ERROR_MM for each in felt) >= 61, (
        "of all 64 squares, 59 of them not measured"
    )


def test_the_rest_of_the_board_file_stays_byte_for_byte(tmp_path: Path) -> None:
    source, target = board_path("quick-battle-8x8"), tmp_path / "new.toml"
    assert BOARD.sensor_design is not None
    again = write_sensing(source, target, good().design)
    assert again.sensor_design == good().design
    before, after = source.read_bytes().splitlines(True), target.read_bytes().splitlines(True)
    changed = [line for line in after if line not in before]
    assert [line.split(b" = ")[0] for line in changed] == [b"gap_mm", b"strength", b"operate", b"release"]
    assert [line for line in before if line not in after] == [line for line in before if b"gap_mm" in line]
    assert changed[0].endswith(b"# from the magnet down to the end of the reed: board and felt\n")
    once_more = tmp_path / "again.toml"
    write_sensing(target, once_more, good().design)
    assert once_more.read_bytes() == target.read_bytes(), "nothing differs, so nothing is changed"


NEW = SensorDesign(gap_mm=5.5, strength=(0.9, 1.1), operate=(15.0, 20.0), release=(0.5, 0.8))
ADDED = "strength = [0.9, 1.1]\noperate = [15, 20]\nrelease = [0.5, 0.8]\n"


def test_any_form_of_the_table_is_written_into() -> None:
    head = '[sensing]\nsensor = "reed on end 15-20 AT"\nmagnet = "8x3"\n'
    text = f'a = 1\n{head}gap_mm = 6 # board\npoles = "mixed"\n\n[b]\ngap_mm = 6\n'
    wanted = f'a = 1\n{head}gap_mm = 5.5 # board\npoles = "mixed"\n{ADDED}\n[b]\ngap_mm = 6\n'
    assert replace_sensing_table(text, SensorDesign(), NEW, "x") == wanted
    windows = text.replace("\n", "\r\n")
    assert replace_sensing_table(windows, SensorDesign(), NEW, "x") == wanted.replace("\n", "\r\n")
    assert replace_sensing_table(wanted, NEW, NEW, "x") == wanted
    last = f'{head}gap_mm = 5.5\npoles = "mixed"'
    assert replace_sensing_table(last, SensorDesign(gap_mm=5.5), NEW, "x") == f"{last}\n{ADDED}"
    none = replace_sensing_table("a = 1", None, NEW, "x")
    assert none.startswith('a = 1\n\n[sensing]\nsensor = "reed on end 15-20 AT"\n')
    assert none.endswith(ADDED)
    with pytest.raises(
        BoardFileEditError, match=r"x: found no \[sensing\] on a line of its own; write it so and try again"
    ):
        replace_sensing_table("sensing = { gap_mm = 6 }\n", SensorDesign(), NEW, "x")


def test_a_file_that_would_say_something_else_is_not_left_behind(tmp_path: Path) -> None:
    target = tmp_path / "new.toml"
    with pytest.raises(BoardFileEditError, match="can't be mended in its text"):
        write_sensing(board_path(BOARD.id), target, NEW._replace(strength=(0.9, 4.0)))
    assert not target.exists()
    target.write_text("mine")
    with pytest.raises(BoardFileEditError, match="File exists; try another file"):
        write_sensing(board_path(BOARD.id), target, NEW)
    assert target.read_text() == "mine"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("strength = 1", "sensing.strength is 1; try the least and the most, two numbers from 0.1 to 3"),
        ("strength = [1.1, 0.9]", "sensing.strength is [1.1, 0.9]; try the least and the most"),
        ('operate = ["a", 2]', "sensing.operate is ['a', 2]; try the least"),
        ("release = [0.5, 0.6, 0.7]", "sensing.release is [0.5, 0.6, 0.7]; try the least"),
        ("release = [0.5, 1.5]", "sensing.release is [0.5, 1.5]; try the least"),
    ],
)
def test_a_wrong_measured_value_is_refused_by_line(line: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(board_path(BOARD.id).read_text().replace("[sensing]\n", f"[sensing]\n{line}\n"))
    with pytest.raises(BoardFileError) as caught:
        load_board(path)
    number = path.read_text().splitlines().index(line) + 1
    assert str(caught.value).startswith(f"{path}:{number}: {said}")


# What is not written


@pytest.mark.slow
def test_every_reading_that_was_taken_wrong_is_told_and_nothing_is_written() -> None:
    """A ruler that slipped by 9 mm, at any one of 75 readings, is never taken for a board."""
    _, came = found("usual", 0)
    dice = random.Random(1)
    for wrong in dice.sample(came.readings, 3):
        off = wrong._replace(low_mm=wrong.low_mm + 9, high_mm=wrong.high_mm + 9)
        lied = [off if each == wrong else each for each in came.readings]
        said = fit_readings(KITS["usual"].design, lied).objections
        assert any(text.startswith(str(off)) for text in said), (off, said)


def test_a_piece_with_another_magnet_is_named() -> None:
    ruler, _ = led("usual", 0)
    ruler.magnet(2, 0.65)
    came = ruler.obey()
    said = fit_readings(KITS["usual"].design, came.readings, came.objections()).objections
    assert any(text.startswith("piece 2 has another magnet: it is 6") for text in said), said


def test_a_piece_without_a_magnet_is_named_on_every_square() -> None:
    ruler, _ = led("usual", 0)
    ruler.magnet(3, 0.01)
    came = ruler.obey()
    assert came.unsensed_pieces == [(slot, 3) for slot in squares_to_measure(BOARD)]
    assert f"{squares_to_measure(BOARD)[0]}: nothing is felt of piece 3 on the middle" in came.objections()


@pytest.mark.slow
def test_readings_at_random_are_never_written() -> None:
    dice = random.Random(7)
    for _ in range(6):
        readings = []
        for square in "abc":
            for way in DIRECTIONS:
                low = dice.uniform(1, 25)
                readings.append(RulerReading(square, 1, way, True, low, low + 2))
        assert fit_readings(SensorDesign(), readings).objections


def test_one_reading_says_too_little() -> None:
    said = fit_readings(KITS["either-pole"].design, [RulerReading("a1", 1, "up", True, 6, 7)]).objections
    assert any("which says too little" in text for text in said), said
    with pytest.raises(ValueError, match="no readings, expected at least one"):
        fit(SensorDesign(), [])


def test_what_is_said_names_the_margins_and_the_worst_square() -> None:
    told = result_sentences(good(), kit_named("usual")[0])
    text = "\n".join(told)
    fitted = good().fitted_readings
    worst = min(fitted.squares, key=lambda name: fitted.squares[name].felt_mm.best)
    assert f"Worst square: {worst}" in text
    assert "Magnets: 0.79 (surely 0.64 to 0.93) of the strength of 8x3 N42; piece 1 0." in text
    assert "a piece is felt" in text
    assert "all neighbours" in text, "the crowd"


@pytest.mark.slow
def test_what_was_measured_before_is_forgotten() -> None:
    _, came = found("usual", 1)
    old = KITS["usual"].design._replace(strength=(0.2, 0.3), operate=(1.0, 2.0))
    assert measured_design(fit(old, came.readings)) == measured_design(
        fit(KITS["usual"].design, came.readings)
    )


def test_the_ways_of_the_model_lead_out_and_back() -> None:
    usual = reach_cases(SensorDesign()).usual
    for way in DIRECTIONS:
        out, back = opening_distance_mm(usual, way), closing_distance_mm(usual, way)
        assert out is not None
        assert back is not None
        assert back < out, "it holds longer than it takes to close it"
    centred = reach_cases(SensorDesign("reed flat 15-20 AT", "8x2")).usual
    assert opening_distance_mm(centred, "right") is None, "it isn't closed on the middle"


def test_the_command_measures_and_leaves_a_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In real time, and nobody puts a piece down: nothing is written, and the trace says so again."""
    service = Service(tmp_path)
    trace, new = tmp_path / "measure.trace", tmp_path / "new.toml"
    command = [Path(sys.executable).with_name("boardumpire"), "calibrate", "--measure", "--spacer", "2"]
    command += ["--into", new, "--trace", trace, "--config", service.config]
    try:
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as running:
            assert running.stdin is not None
            assert running.stderr is not None
            assert running.stdout is not None
            for line in running.stderr:
                if "hen yes" in line or "hen answer yes" in line:
                    running.stdin.write("y\n")
                    running.stdin.flush()
            told = running.stdout.read()
    finally:
        service.close()
    assert running.returncode == 1, told
    assert told.startswith("Nothing was measured.\n- d4: nothing is felt of piece 1 on the middle\n")
    assert not new.exists()
    assert trace.stat().st_mode & 0o777 == 0o600
    assert "spacers of 2 mm" in trace.read_text()
    assert main(["trace", "replay", str(trace)]) == 0
    capsys.readouterr()
    assert main(["trace", "judge", str(trace)]) == 1
    assert (
        "differs: h8: nothing is felt of piece 3 on the middle; the model: surely" in capsys.readouterr().out
    )
