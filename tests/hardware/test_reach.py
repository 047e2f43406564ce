"""Sensors and magnets are judged by the model: how far off a piece is felt, what others do to it."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from pathlib import Path

import pytest

from boardmake.physics.judging import verdicts
from boardsim.bench.bench import BenchSettings
from boardsim.world.kits import KITS, NARROW_SPACING_KITS, WIDE_SPACING_KITS, MakerKit
from boardsim.world.physics import BoardPhysics
from boardsim.world.world import World
from boardware.description import BoardFileError, board_names, board_path, load_board
from boardware.physics.design import MIXED_POLES, POLES_DOWN, POLES_UP, SensorDesign
from boardware.physics.magnetics import BOARD_FILE_TABLE, judge_design
from boardware.physics.reach import (
    CARRY_HEIGHT_MM,
    compute_reaches,
    crowded_field,
    felt_distance_mm,
    lift_height_mm,
    neighbour_field,
    neighbours_on_board,
    reach_cases,
    square_grid,
)
from boardware.physics.sensors import SENSOR_PARTS
from boardware.physics.verdict import Grade, ModelVerdict

SQUARES = "quick-battle-8x8"
"""45 mm apart."""
CIRCLES = "escape-from-colditz"
"""30 mm apart."""


def with_design(tmp_path: Path, design: SensorDesign, name: str = SQUARES) -> Path:
    """A shipped board with other sensors and magnets."""
    text = board_path(name).read_text()
    begin, end = text.index("[sensing]"), text.index("\n[", text.index("[sensing]")) + 1
    table = (
        f'[sensing]\nsensor = "{design.sensor}"\nmagnet = "{design.magnet}"\ngap_mm = {design.gap_mm}\n'
        f'aside_mm = {design.aside_mm}\nturn_deg = {design.turn_deg}\npoles = "{design.poles}"\n'
        f"bent_mm = {design.bent_mm}\nback_mm = {design.back_mm}\n\n"
    )
    path = tmp_path / "board.toml"
    path.write_text(text[:begin] + table + text[end:])
    return path


def told(tmp_path: Path, design: SensorDesign, name: str = SQUARES) -> list[ModelVerdict]:
    """What is said of its sensors and magnets."""
    board = load_board(with_design(tmp_path, design, name))
    assert board.sensor_design == design
    return [each for each in verdicts(board) if each.table_key == BOARD_FILE_TABLE]


def worst(found: list[ModelVerdict]) -> ModelVerdict:
    return max(found, key=lambda each: each.grade)


@pytest.mark.parametrize("name", board_names())
def test_every_board_that_ships_names_parts_that_reach_with_the_worst_samples(name: str) -> None:
    board = load_board(name)
    found = [each for each in verdicts(board) if each.table_key == BOARD_FILE_TABLE]
    assert bool(found) == bool(board.slots_by_contact)
    assert {each.grade for each in found} <= {Grade.FINE}


@pytest.mark.parametrize(
    ("kit", "board"),
    [*((kit, SQUARES) for kit in WIDE_SPACING_KITS), *((kit, CIRCLES) for kit in NARROW_SPACING_KITS)],
)
def test_what_the_soak_plays_on_is_found_fit(tmp_path: Path, kit: str, board: str) -> None:
    assert worst(told(tmp_path, KITS[kit].design, board)).grade is Grade.FINE


def test_hall_switches_fit_with_the_worst_samples_of_their_data_sheet(tmp_path: Path) -> None:
    """They close at 9.5 to 14.5 mT and open at 5 to 9 (Micronas, HAL5xx, 4.4, at 25 C)."""
    part = SENSOR_PARTS["HAL504"]
    assert part.operate == (9.5, 14.5)
    assert part.operate[0] * part.release[0] <= 5.0
    assert part.operate[1] * part.release[1] >= 9.0
    assert list(map(str, told(tmp_path, KITS["hall"].design))) == [
        "sensing: HAL504, 10x6 N42, gap 8 mm: a piece is sensed up to 8 mm off the middle, 5 mm with the"
        " worst parts; 5.0 mm needed",
        "sensing: one neighbour 45 mm away adds 0 % of what keeps a sensor closed, all neighbours 0 %;"
        " 0 % and 0 % with the worst parts; under 100 % needed",
        "sensing: a lift is noticed 13 mm up, 17 mm with the worst parts; 22 mm allowed",
    ]


@pytest.mark.parametrize(
    ("kit", "said"),
    [
        (
            "flat-centred",
            "sensing: refused: reed flat 15-20 AT, 8x2 N42, gap 6 mm: a piece on the middle of its space"
            " isn't sensed; 5.0 mm needed, 5.0 mm missing; a reed flat is open below a magnet;"
            " try aside_mm, about 9 for a reed",
        ),
        (
            "crowded",
            "sensing: refused: one neighbour 45 mm away adds 16 % of what keeps a sensor closed, all"
            " neighbours 125 %; 32 % and 247 % with the worst parts, 25 % too much: a square that was left"
            " stays closed;"
            ' try poles = "mixed", a weaker magnet, or a less sensitive sensor',
        ),
        (
            "far",
            "sensing: refused: a lift is noticed 25 mm up, 32.5 mm with the worst parts: 3 mm too high,"
            " as people carry pieces 22 mm up; try a weaker magnet, or a less sensitive sensor",
        ),
    ],
)
def test_what_nobody_should_build_is_refused_with_what_is_missing(
    tmp_path: Path, kit: str, said: str
) -> None:
    assert str(worst(told(tmp_path, KITS[kit].design))) == said


def test_what_fits_squares_does_not_fit_circles(tmp_path: Path) -> None:
    found = worst(told(tmp_path, KITS["usual"].design, CIRCLES))
    assert found.grade is Grade.DOUBT
    assert "16 % and 120 % with the worst parts" in found.text


def test_a_sensor_of_one_pole_wants_magnets_that_all_point_one_way(tmp_path: Path) -> None:
    design = SensorDesign("TLE4964-1M", "10x3", gap_mm=3.0)
    assert 'senses one pole only; try poles = "up"' in "".join(map(str, told(tmp_path, design)))
    assert "one pole" not in "".join(map(str, told(tmp_path, design._replace(poles=POLES_UP))))


def test_a_sensor_of_one_pole_never_feels_magnets_that_turn_it_away(tmp_path: Path) -> None:
    """The model says so, and in the simulated world no piece on the middle of its space closes one."""
    design = KITS["hall"].design._replace(poles=POLES_DOWN)
    assert str(worst(told(tmp_path, design))) == (
        'sensing: refused: HAL504 senses the south pole only, and poles = "down" turns it away: no piece'
        ' closes it; try poles = "up"'
    )
    for poles, closed in ((POLES_UP, True), (POLES_DOWN, False)):
        physics = BoardPhysics(
            World(load_board(SQUARES)), MakerKit(design._replace(poles=poles), odd_magnet_rate=0.0)
        )
        pole, disc = (0.0, 0.0, physics.design.measured_moment), physics.usual
        for slot, sensor in physics.sensors.items():
            middle = (*physics.world.board.slots[slot].position, disc.height_mm / 2)
            assert (
                sensor.is_closed(sensor.field_of_magnet(pole, disc.smoothing_mm2, middle), False) is closed
            ), slot
    both = KITS["usual"].design
    assert compute_reaches(both._replace(poles=POLES_DOWN), square_grid(45.0)) == compute_reaches(
        both._replace(poles=POLES_UP), square_grid(45.0)
    )


def test_a_latch_never_lets_go_and_is_refused(tmp_path: Path) -> None:
    design = SensorDesign("HAL505", "10x6", gap_mm=8.0, poles=POLES_UP)
    assert str(worst(told(tmp_path, design))) == (
        "sensing: refused: HAL505 is a latch: when its piece is lifted it stays closed until the other pole"
        " comes; try a switch"
    )
    measured = design._replace(release=(0.6, 0.9))
    assert [str(each) for each in judge_design(measured, square_grid(45.0))] == [
        str(worst(told(tmp_path, design)))
    ]
    latch = reach_cases(design).usual.sensor
    assert latch.is_closed(20.0, False)
    assert latch.is_closed(0.0, True)
    assert not latch.is_closed(-20.0, True)


def test_a_release_of_a_latch_is_no_way_round(tmp_path: Path) -> None:
    path = with_design(tmp_path, SensorDesign("HAL505", "10x6", gap_mm=8.0, poles=POLES_UP))
    path.write_text(path.read_text().replace("[sensing]\n", "[sensing]\nrelease = [0.6, 0.9]\n"))
    with pytest.raises(BoardFileError, match=r"release is .*; try none: HAL505 is a latch"):
        load_board(path)


def test_one_sensor_alone_has_no_neighbours(tmp_path: Path) -> None:
    text = with_design(tmp_path, SensorDesign()).read_text()
    lines = [line for line in text.splitlines() if not (" sensor = [" in line and "a1" not in line)]
    path = tmp_path / "one.toml"
    path.write_text("\n".join(lines))
    found = [str(each) for each in verdicts(load_board(path)) if each.table_key == BOARD_FILE_TABLE]
    assert len(found) == 2
    assert "neighbour" not in "".join(found)


def test_two_sensors_at_one_place_are_refused(tmp_path: Path) -> None:
    path = with_design(tmp_path, SensorDesign())
    path.write_text(path.read_text().replace("b1 = { at = [87.5, 42.5]", "b1 = { at = [42.5, 42.5]"))
    found = worst([each for each in verdicts(load_board(path)) if each.table_key == BOARD_FILE_TABLE])
    assert str(found) == "sensing: refused: a1 and b1 lie at one place; move one of them"


def test_a_reed_on_end_is_not_laid_aside(tmp_path: Path) -> None:
    found = worst(told(tmp_path, SensorDesign(aside_mm=9.0)))
    assert found.text.endswith("a reed on end senses best what stands right above it; try aside_mm = 0")


def test_a_bent_lead_shifts_where_a_piece_is_sensed(tmp_path: Path) -> None:
    """Both leads up at the tile's top: the spot lies some 2.5 mm beside the middle, too far with the worst
    parts, and no reed has such leads. Joined by copper it stays where a straight reed has it."""
    straight = told(tmp_path, SensorDesign())
    assert [each.grade for each in straight] == [Grade.FINE] * 3
    (felt, leads, *_) = sorted(
        told(tmp_path, SensorDesign(bent_mm=3.81, back_mm=3.81)), key=lambda v: -v.grade
    )
    if felt.grade is Grade.REFUSED:
        felt, leads = leads, felt
    assert felt.grade is Grade.DOUBT
    assert "a piece is sensed up to 6 mm off the middle, 3 mm with the worst parts" in felt.text
    assert leads.grade is Grade.REFUSED
    assert leads.text == (
        "its upper lead has to be 6.8 mm long, the lower one 26.8; reeds of 14 mm glass have 15.3: 11.5 mm"
        " are missing; try back_mm = 0, with a copper wire as the way back"
    )
    usual = reach_cases(SensorDesign(bent_mm=3.81, back_mm=3.81)).usual

    def edge(way: int) -> float:
        return max(
            mm / 4 for mm in range(80) if abs(usual.field_of_piece(way * mm / 4, 0)) >= usual.sensor.operate
        )

    assert 2.0 <= abs(edge(1) - edge(-1)) / 2 <= 3.0
    bent = told(tmp_path, SensorDesign(bent_mm=3.81))
    assert "its upper lead has to be 6.8 mm long, the lower one 5.0; reeds of 14 mm glass have 15.3" in [
        each.text for each in bent
    ]
    assert not [each for each in bent if each.grade is Grade.REFUSED]


def test_simulated_sensors_have_the_bends_of_the_file(tmp_path: Path) -> None:
    board = load_board(with_design(tmp_path, SensorDesign(bent_mm=3.81, back_mm=3.81)))
    assert all(
        each.lead_halves
        for each in BoardPhysics(World(board), MakerKit(board.sensor_design)).sensors.values()
    )


def test_so_near_to_a_magnet_that_the_model_is_wrong_is_a_doubt(tmp_path: Path) -> None:
    found = told(tmp_path, SensorDesign("DRV5032FC", "8x3", gap_mm=4.0))
    assert "the model may be wrong by a third beside the middle; try gap_mm of at least 6" in str(found)


def test_a_file_that_says_nothing_is_told_what_is_wanted(tmp_path: Path) -> None:
    path = with_design(tmp_path, SensorDesign())
    text = path.read_text()
    path.write_text(text[: text.index("[sensing]")] + text[text.index("[banks") :])
    (only,) = [each for each in verdicts(load_board(path)) if each.table_key == BOARD_FILE_TABLE]
    assert str(only) == (
        "sensing: doubt: the file doesn't say what senses pieces;"
        " try [sensing] with sensor, magnet, gap_mm and poles"
    )


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("sensor", '"reed"', "sensing.sensor is 'reed'; try one of reed on end 10-15 AT, "),
        ("sensor", "7", "sensing.sensor is 7; try one of "),
        ("magnet", '"8"', "sensing.magnet is '8'; try a disc's diameter and height in mm and its grade"),
        ("magnet", '"8x3 N99"', "sensing.magnet is '8x3 N99'; try a disc's diameter"),
        ("magnet", '"80x3"', "sensing.magnet is '80x3'; try a disc of 2 to 30 mm across"),
        (
            "magnet",
            '"4x6"',
            "sensing.magnet is '4x6'; try a disc that is at most 0.86 times as high as it",
        ),
        ("magnet", '"\u0668x3"', "sensing.magnet is "),
        ("gap_mm", "-1", "sensing.gap_mm is -1; try a number from 0 to 30 mm"),
        ("gap_mm", '"6"', "sensing.gap_mm is '6'; try a number"),
        ("aside_mm", "31", "sensing.aside_mm is 31; try a number from 0 to 30 mm"),
        ("turn_deg", "true", "sensing.turn_deg is True; try a number from -180 to 180 degrees"),
        ("poles", '"left"', "sensing.poles is 'left'; try one of mixed, up, down"),
        ("colour", '"red"', "unknown key sensing.colour; try one of sensor, magnet, gap_mm"),
    ],
)
def test_a_wrong_value_is_refused_with_its_line(tmp_path: Path, key: str, value: str, said: str) -> None:
    path = with_design(tmp_path, SensorDesign())
    lines = path.read_text().splitlines()
    at = next(
        (n for n, line in enumerate(lines) if line.startswith(f"{key} = ")), lines.index("[sensing]") + 1
    )
    lines[at] = f"{key} = {value}"
    path.write_text("\n".join(lines))
    with pytest.raises(BoardFileError) as error:
        load_board(path)
    assert str(error.value).startswith(f"{path}:{at + 1}: {said}")


def test_a_key_that_is_missing_is_named(tmp_path: Path) -> None:
    path = with_design(tmp_path, SensorDesign())
    path.write_text(path.read_text().replace("gap_mm = 6.0\n", ""))
    with pytest.raises(BoardFileError, match=r"sensing has no key gap_mm; try a number from 0 to 30 mm"):
        load_board(path)


# -- the reach is that of the simulated world --------------------------------------------------------------


@pytest.mark.parametrize("kit", [*WIDE_SPACING_KITS, *NARROW_SPACING_KITS, "far", "flat-centred"])
def test_the_reach_that_is_told_is_where_simulated_sensors_close(kit: str) -> None:
    """Without spread a piece is felt as far off the middle as is told, in all ways, and not farther."""
    design = KITS[kit].design
    usual = reach_cases(design).usual
    told_mm = felt_distance_mm(usual)
    physics = BoardPhysics(
        World(load_board(SQUARES)), MakerKit(design, sample_spread=0.0, odd_magnet_rate=0.0)
    )
    disc, sensor = physics.usual, physics.sensors["d3"]
    middle = physics.world.board.slots["d3"].position

    def closes(x: float, y: float) -> bool:
        at = (middle.x + x, middle.y + y, disc.height_mm / 2)
        return abs(sensor.field_of_magnet((0.0, 0.0, disc.moment), disc.smoothing_mm2, at)) >= sensor.operate

    rings = [(far / 2, [(far / 2 * x, far / 2 * y) for x, y in _ways()]) for far in range(50)]
    whole = [far for far, ring in rings if all(closes(x, y) for x, y in ring)]
    if told_mm is None:
        assert not closes(0.0, 0.0)
        return
    assert told_mm == max(far for far in whole if set(whole) >= {n / 2 for n in range(int(far * 2) + 1)})
    assert not all(closes((told_mm + 0.5) * x, (told_mm + 0.5) * y) for x, y in _ways())


def _ways() -> list[tuple[float, float]]:
    return [(cos(turn * pi / 8), sin(turn * pi / 8)) for turn in range(16)]


def test_a_crowd_of_one_pole_adds_up_and_a_mixed_one_by_its_squares() -> None:
    usual = reach_cases(SensorDesign(poles=POLES_UP)).usual
    around = square_grid(45.0)
    each = [
        usual.field_of_piece(45.0 * x, 45.0 * y)
        for x in range(-3, 4)
        for y in range(-3, 4)
        if 0 < hypot(x, y) <= 3.2
    ]
    assert crowded_field(usual, around).closing_field == pytest.approx(abs(sum(each)), rel=1e-9)
    mixed = reach_cases(SensorDesign(poles=MIXED_POLES)).usual
    assert crowded_field(mixed, around).closing_field == pytest.approx(
        2.6 * sum(one * one for one in each) ** 0.5, rel=1e-9
    )
    assert crowded_field(mixed, around).closing_field < crowded_field(usual, around).closing_field


def test_a_crowd_of_one_pole_can_hold_no_sensor_that_feels_the_other(tmp_path: Path) -> None:
    """Beside a magnet its field goes the other way."""
    design = SensorDesign("TLE4964-1M", "10x6", gap_mm=5.0, poles=POLES_UP)
    usual = reach_cases(design).usual
    assert usual.field_of_piece(45.0, 0.0) < 0 < usual.field_of_piece(0.0, 0.0)
    found = crowded_field(usual, square_grid(45.0))
    assert found.closing_field == 0
    assert found.opposing_field > 0
    assert compute_reaches(design, square_grid(45.0)).worst.crowd_share == 0


def test_neighbours_do_less_the_farther_they_are_and_weak_magnets_reach_less() -> None:
    strong, weak = (reach_cases(SensorDesign(magnet=magnet)).usual for magnet in ("10x3", "6x2"))
    assert (
        neighbour_field(strong, square_grid(30.0))
        > neighbour_field(strong, square_grid(45.0))
        > neighbour_field(weak, square_grid(45.0))
    )
    assert (felt_distance_mm(strong) or 0) > (felt_distance_mm(weak) or 0)
    assert lift_height_mm(strong, 5.0) > lift_height_mm(weak, 5.0)
    around = square_grid(45.0)
    found = compute_reaches(SensorDesign(), around)
    assert (found.worst.felt_mm or 0) < (found.usual.felt_mm or 0)
    assert found.worst.lift_height_mm > found.usual.lift_height_mm
    assert found.worst.lift_height_mm <= CARRY_HEIGHT_MM


def test_a_board_is_simulated_with_the_parts_that_its_file_names(tmp_path: Path) -> None:
    flat = KITS["flat"].design
    path = with_design(tmp_path, flat)
    assert BoardPhysics(World(load_board(path))).design == flat
    assert BoardPhysics(World(load_board(CIRCLES))).design == KITS["narrow"].design
    assert BenchSettings().kit is None


def test_what_is_advised_for_cardboard_that_bends_is_fine_flat_and_bent() -> None:
    """docs/build/cheapest.md: a board of 5 mm and 1 mm of felt, 2 mm more where it bends."""
    board = load_board("quick-battle-8x8-pico")
    assert board.sensor_design is not None
    page = " ".join(
        (Path(__file__).resolve().parents[2] / "docs" / "build" / "cheapest.md").read_text().split()
    )
    advice = {
        "Discs of 8 x 4 mm, or": ("reed on end 15-20 AT", "8x4", (Grade.FINE, Grade.FINE)),
        "or of 10 x 3 mm with reeds of 20 to 25 AT, fit a flat and a bent board": (
            "reed on end 20-25 AT",
            "10x3",
            (Grade.FINE, Grade.FINE),
        ),
        "reeds 2 mm further from the magnets there, and the model is in doubt": (
            board.sensor_design.sensor,
            board.sensor_design.magnet,
            (Grade.FINE, Grade.DOUBT),
        ),
        "of 10 x 3 mm are too strong for reeds of 15 to 20 AT on a flat board": (
            "reed on end 15-20 AT",
            "10x3",
            (Grade.DOUBT, Grade.FINE),
        ),
    }
    for words, (sensor, magnet, grades) in advice.items():
        assert words in page
        for bent, grade in zip((0.0, 2.0), grades, strict=True):
            design = board.sensor_design._replace(
                sensor=sensor, magnet=magnet, gap_mm=board.sensor_design.gap_mm + bent
            )
            assert max(each.grade for each in judge_design(design, neighbours_on_board(board))) is grade, (
                words,
                bent,
            )
