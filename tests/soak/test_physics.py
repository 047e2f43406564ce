"""Magnets close sensors where physics says: on a way, with hysteresis, at any angle, in a crowd."""

from itertools import pairwise
from math import hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardsim.world.kits import KITS, MakerKit
from boardsim.world.physics import BoardPhysics, FootMagnet, FootPosition, PathLeg
from boardsim.world.world import World
from boardware.description import load_board
from boardware.physics.design import SensorDesign
from boardware.physics.magnets import MU0, REMANENCE_T
from boardware.physics.sensors import REED_COUPLING_FACTOR, REED_LENGTH_MM

BOARD = load_board("quick-battle-8x8")
E4 = FootPosition(222.5, 177.5)
PITCH = 45


def even(design: SensorDesign = SensorDesign()) -> MakerKit:  # noqa: B008 - immutable
    return MakerKit(design, sample_spread=0.0, odd_magnet_rate=0.0)


WIDE = even(SensorDesign("reed on end 10-15 AT", "10x3"))


def bench(kit=even()):  # noqa: B008 - immutable
    world = World(BOARD, bounce=None)
    seen = []
    world.magnet_listeners.append(lambda slot, on, at: seen.append((slot, on, at)))
    return world, BoardPhysics(world, kit), seen


def stood(physics, at=E4, magnet=None):
    piece = physics.world.new_piece("red")
    if magnet is not None:
        physics.magnets[piece] = magnet
    physics.world.advance(physics.follow(piece, [PathLeg(0, at)], physics.world.now))
    return piece


def led(physics, piece, *points, span=1_000_000, falls=False):
    legs = [PathLeg(span, each) for each in points]
    physics.world.advance(physics.follow(piece, legs, physics.world.now, falls=falls))


def heights(kit):
    """How far up a piece closes its sensor, and opens it."""
    world, physics, seen = bench(kit)
    piece = world.new_piece("red")
    world.advance(physics.follow(piece, [PathLeg(0, E4._replace(z=50)), PathLeg(1_000_000, E4)], 0))
    led(physics, piece, E4._replace(z=50))
    assert [(slot, on) for slot, on, _ in seen] == [("e4", True), ("e4", False)]
    return 50 - seen[0][2] / 20_000, (seen[1][2] - 1_000_000) / 20_000


def exact_height(design, needed):
    """How far up a disc's exact field does so much to a reed on end, in A: thin slices along the reed."""
    disc, slices = design.magnet_disc, 200
    radius = disc.diameter_mm / 2

    def felt(up):
        total = 0.0
        for number in range(slices):
            along = REED_LENGTH_MM * ((number + 0.5) / slices - 0.5)
            near = design.gap_mm + up + REED_LENGTH_MM / 2 + along
            far = near + disc.height_mm
            milli_tesla = (
                REMANENCE_T[disc.grade] * 500 * (far / hypot(far, radius) - near / hypot(near, radius))
            )
            total += milli_tesla * (1 - 2 * abs(along) / REED_LENGTH_MM)
        return total * REED_LENGTH_MM / slices * 1e-6 / MU0

    low, high = 0.0, 50.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if felt(middle) >= needed else (low, middle)
    return low


@pytest.mark.parametrize("magnet", ["6x3", "8x2", "8x3", "10x3"])
def test_a_reed_on_end_closes_and_opens_as_high_as_the_exact_disc_has_it(magnet):
    design = SensorDesign(magnet=magnet)
    closes, opens = heights(even(design))
    needed = REED_COUPLING_FACTOR * sum(design.part.operate) / 2
    assert closes == pytest.approx(exact_height(design, needed), abs=0.4)
    assert opens == pytest.approx(exact_height(design, 0.65 * needed), abs=0.4)


def test_a_flat_reed_right_below_a_magnet_is_open_and_closes_to_both_sides_along_its_axis():
    _, physics, seen = bench(even(SensorDesign("reed flat 15-20 AT")))
    piece = stood(physics, E4._replace(x=E4.x - 20))
    led(physics, piece, E4._replace(x=E4.x + 20))
    assert [on for slot, on, _ in seen if slot == "e4"] == [True, False, True]
    _, opens, closes = [at for slot, _, at in seen if slot == "e4"]
    assert opens < 500_000 < closes, "the null is below the magnet"


def test_beside_its_axis_a_flat_reed_feels_nothing():
    _, physics, seen = bench(even(SensorDesign("reed flat 15-20 AT")))
    piece = stood(physics, E4._replace(y=E4.y - 20))
    led(physics, piece, E4._replace(y=E4.y + 20))
    assert [on for slot, on, _ in seen if slot == "e4"] == []


def test_laid_aside_along_its_axis_a_flat_reed_feels_a_piece_on_its_square_and_none_beside():
    _, physics, seen = bench(even(KITS["flat"].design))
    piece = stood(physics)
    assert seen[-1][:2] == ("e4", True)
    led(physics, piece, E4._replace(x=E4.x + PITCH))
    assert physics.sensors_closed_by(piece) == {"f4"}


def test_on_the_border_of_two_squares_neither_sensor_or_both_feel_a_slid_piece():
    far = even(SensorDesign("reed flat 10-15 AT", "10x3", gap_mm=4.0, aside_mm=9.0))
    for kit, overlaps in ((even(), False), (far, True)):
        _, physics, seen = bench(kit)
        piece = stood(physics)
        led(physics, piece, E4._replace(x=E4.x + PITCH))
        order = [(slot, on) for slot, on, _ in seen]
        gone = len(order) - 1 - order[::-1].index(("e4", False))
        assert (order.index(("f4", True)) < gone) is overlaps
        assert physics.sensors_closed_by(piece) == {"f4"}


def test_a_crowd_of_strong_magnets_closes_the_reed_of_an_empty_square_and_mixed_poles_do_not():
    around = [(x, y) for x in (-2, -1, 0, 1, 2) for y in (-2, -1, 0, 1, 2) if x or y]
    felt = {}
    for magnet in ("10x3", "12x4"):
        for mixed in (False, True):
            _, physics, _ = bench(even(SensorDesign("reed on end 10-15 AT", magnet)))
            for number, (x, y) in enumerate(around):
                pole = -1.0 if mixed and number % 2 else 1.0
                stood(physics, FootPosition(E4.x + x * PITCH, E4.y + y * PITCH), FootMagnet(pole))
            felt[magnet, mixed] = abs(physics.field_at("e4", physics.world.now))
            assert physics.world.copper.closed("e4") is (magnet == "12x4" and not mixed)
    assert felt["10x3", False] == pytest.approx(14 * 0.6, rel=0.15), "A, as with exact discs"
    assert felt["10x3", True] < 0.4 * felt["10x3", False]


def test_neighbours_weaken_a_magnet_that_lies_as_they_do_and_help_one_that_is_upside_down():
    for pole, helps in ((1.0, False), (-1.0, True)):
        _, physics, _ = bench()
        stood(physics, E4, FootMagnet(pole))
        alone = abs(physics.field_at("e4", 0))
        piece = stood(physics, FootPosition(E4.x + PITCH, E4.y))
        assert (abs(physics.field_at("e4", physics.world.now)) > alone) is helps
        led(physics, piece, FootPosition(E4.x + PITCH, E4.y, 150))
        assert abs(physics.field_at("e4", physics.world.now)) == pytest.approx(alone, rel=0.01), (
            "gone with it"
        )


def test_two_hands_at_once_leave_no_sensor_behind():
    """One piece comes down where another goes up at the same time: what is felt in the end is what stands."""
    world, physics, _ = bench()
    going, coming = stood(physics), stood(physics, E4._replace(x=E4.x + PITCH))
    physics.follow(going, [PathLeg(200_000, E4._replace(z=60))], world.now + 50_000)
    world.advance(physics.follow(coming, [PathLeg(250_000, E4)], world.now))
    world.advance(world.now + 100_000)
    assert {slot for slot in physics.sensors if world.copper.closed(slot)} == {"e4"}
    physics.remove(going)
    led(physics, coming, E4._replace(z=60))
    assert not any(world.copper.closed(slot) for slot in physics.sensors)


def test_a_piece_that_is_taken_up_before_it_was_down_opens_its_sensor():
    """What hands do next may be planned before what they do now has happened."""
    world, physics, seen = bench()
    piece = world.new_piece("red")
    down = physics.follow(piece, [PathLeg(0, E4._replace(z=40)), PathLeg(200_000, E4)], 0)
    world.advance(physics.follow(piece, [PathLeg(200_000, E4._replace(z=40))], down + 1000))
    assert [(slot, on) for slot, on, _ in seen] == [("e4", True), ("e4", False)]


def test_a_piece_that_is_carried_low_closes_the_sensors_it_passes_and_a_high_one_none():
    for height, expected in ((3.0, True), (60.0, False)):
        _, physics, seen = bench()
        piece = stood(physics)
        led(physics, piece, E4._replace(z=height), FootPosition(E4.x + 90, E4.y, height))
        assert (("f4", True) in [(slot, on) for slot, on, _ in seen]) is expected


def test_a_fallen_piece_lies_on_its_square_with_its_magnet_sideways():
    world, physics, _ = bench()
    piece = stood(physics)
    led(physics, piece, FootPosition(E4.x + 3, E4.y, 9.0), falls=True)
    assert world.fallen() == {piece}
    assert physics.resting_slots[piece] == "e4"
    assert not world.copper.closed("e4"), "a reed on end has its null below it"
    led(physics, piece, E4._replace(z=30), E4)
    assert world.copper.closed("e4")


def test_a_hall_switch_that_looks_five_times_a_second_misses_a_quick_piece():
    seen_by = {}
    for name in ("DRV5033FA", "DRV5032FC"):
        _, physics, seen = bench(even(SensorDesign(name, "8x2")))
        piece = stood(physics, FootPosition(E4.x - 90, E4.y))
        led(physics, piece, FootPosition(E4.x + 90, E4.y), span=300_000)
        seen_by[name] = {slot for slot, on, _ in seen if on}
    assert {"d4", "e4", "f4"} < seen_by["DRV5033FA"]
    assert len(seen_by["DRV5032FC"]) < len(seen_by["DRV5033FA"])


def test_a_unipolar_switch_never_feels_a_magnet_that_is_upside_down():
    for pole, expected in ((1.0, True), (-1.0, False)):
        world, physics, _ = bench(even(SensorDesign("TLE4964-1M", "10x3")))
        stood(physics, E4, FootMagnet(pole))
        assert world.copper.closed("e4") is expected


def test_what_is_bought_varies_within_its_class_and_the_same_seed_gives_the_same():
    world = World(BOARD)
    one, again, other = (BoardPhysics(world, KITS["usual"], seed=seed) for seed in (1, 1, 2))
    assert one.sensors == again.sensors != other.sensors
    low, high = one.design.part.operate
    assert all(
        REED_COUPLING_FACTOR * low <= sensor.operate <= REED_COUPLING_FACTOR * high
        for sensor in one.sensors.values()
    )
    assert len({sensor.operate for sensor in one.sensors.values()}) > 50


POINTS = st.builds(
    FootPosition,
    st.integers(150, 300).map(float),
    st.integers(120, 240).map(float),
    st.integers(0, 60).map(float),
)
DESIGNS = [SensorDesign(), SensorDesign("reed flat 15-20 AT"), SensorDesign("DRV5033AJ", "8x3"), WIDE.design]


@settings(max_examples=settings.default.max_examples // 5)
@given(st.lists(POINTS, min_size=2, max_size=5), st.sampled_from(DESIGNS))
def test_what_is_felt_on_any_way_is_what_following_it_step_by_step_finds(points, design):
    """What was foreseen, against a walk in steps of half a millimetre."""
    world, physics, seen = bench(even(design))
    piece = world.new_piece("red")
    span = 1_000_000
    world.advance(
        physics.follow(piece, [PathLeg(0, points[0]), *(PathLeg(span, each) for each in points[1:])], 0)
    )
    walked, closed = [], set()
    for number, (start, end) in enumerate(pairwise(points)):
        steps = max(1, round(2 * hypot(*(b - a for a, b in zip(start, end, strict=True)))))
        for step in range(steps + 1):
            x, y, z = (a + (b - a) * step / steps for a, b in zip(start, end, strict=True))
            for slot, sensor in physics.sensors.items():
                felt = physics._field_on_sensor(slot, physics.magnet(piece), x, y, z, (0.0, 0.0, 1.0))
                if sensor.is_closed(felt, slot in closed) != (slot in closed):
                    closed ^= {slot}
                    walked.append((slot, slot in closed, number * span + span * step / steps))
    grazed = 0
    for slot in physics.sensors:
        mine = [(on, at) for each, on, at in seen if each == slot]
        theirs = [(on, at) for each, on, at in walked if each == slot]
        if [on for on, _ in mine] != [on for on, _ in theirs]:
            grazed += 1  # in and out again within a step
            continue
        assert all(
            abs(one[1] - other[1]) < 40_000 + span / 5 for one, other in zip(mine, theirs, strict=True)
        )
    assert grazed <= 1
