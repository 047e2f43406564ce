"""The field of a disc, and what reeds feel of it, against exact formulas."""

from collections.abc import Sequence
from itertools import pairwise
from math import cos, dist, hypot, pi, sin
from pathlib import Path

import pytest

from boardware.physics import magnets
from boardware.physics.magnetics import MODEL_VALID_DIAMETERS
from boardware.physics.magnets import REMANENCE_T, Magnet, flux_density_mt, reed_drive_a
from boardware.physics.sensors import REED_LENGTH_MM, SENSOR_PARTS, SensorKind

DISCS = [magnets.parse(text) for text in ("5x2", "6x2", "6x3", "8x2", "8x3", "10x3")]


def exact_on_axis(magnet: Magnet, below: float) -> float:
    """In mT below the middle of a face: the closed formula of a disc that is magnetised evenly."""
    radius, far = magnet.diameter_mm / 2, magnet.height_mm + below
    return REMANENCE_T[magnet.grade] * 500 * (far / hypot(far, radius) - below / hypot(below, radius))


def many(magnet: Magnet, felt):
    """What is felt of a disc that is cut into small dipoles; `felt(pole, place)` of each, middle at 0."""
    rings, spokes, layers = 8, 24, 4
    pole = (0.0, 0.0, magnet.moment / (rings * spokes * layers))
    total = 0.0
    for ring in range(rings):
        far = magnet.diameter_mm / 2 * ((ring + 0.5) / rings) ** 0.5  # rings of equal area
        for spoke in range(spokes):
            turn = 2 * pi * spoke / spokes
            for layer in range(layers):
                up = magnet.height_mm * ((layer + 0.5) / layers - 0.5)
                total += felt(pole, (far * cos(turn), far * sin(turn), up))
    return total


@pytest.mark.parametrize("magnet", DISCS, ids=str)
def test_on_its_axis_a_disc_is_as_the_exact_one(magnet: Magnet) -> None:
    for below in (5, 6, 8, 10, 15, 25):
        place = (0.0, 0.0, -(below + magnet.height_mm / 2))
        felt = flux_density_mt((0.0, 0.0, magnet.moment), magnet.smoothing_mm2, place, (0.0, 0.0, 1.0))
        assert felt == pytest.approx(exact_on_axis(magnet, below), rel=0.06), below


@pytest.mark.parametrize("magnet", [*DISCS, magnets.parse("5x4"), magnets.parse("10x8")], ids=str)
def test_beside_its_axis_a_hall_switch_feels_it_as_one_cut_into_small_dipoles(magnet: Magnet) -> None:
    """From three quarters of its diameter on; nearer the model is wrong by up to a third."""
    for gap in (MODEL_VALID_DIAMETERS * magnet.diameter_mm, 6.0 + magnet.diameter_mm / 4, 12.0):
        below = -(gap + magnet.height_mm / 2)
        most = flux_density_mt(
            (0.0, 0.0, magnet.moment), magnet.smoothing_mm2, (0.0, 0.0, below), (0.0, 0.0, 1.0)
        )
        for off in range(0, 46, 3):
            place = (float(off), 0.0, below)
            felt = flux_density_mt((0.0, 0.0, magnet.moment), magnet.smoothing_mm2, place, (0.0, 0.0, 1.0))
            exact = many(
                magnet,
                lambda pole, at, place=place: flux_density_mt(
                    pole, 0.0, tuple(p - a for p, a in zip(place, at, strict=True)), (0.0, 0.0, 1.0)
                ),
            )
            assert abs(felt - exact) < 0.15 * most, (gap, off)


@pytest.mark.parametrize("magnet", DISCS, ids=str)
@pytest.mark.parametrize(
    ("name", "along", "middle"),
    [("on end", (0.0, 0.0, 1.0), REED_LENGTH_MM / 2), ("flat", (1.0, 0.0, 0.0), 0.0)],
    ids=["on end", "flat"],
)
def test_beside_its_axis_a_reed_feels_it_as_one_cut_into_small_dipoles(
    magnet: Magnet, name: str, along: magnets.Vector, middle: float
) -> None:
    depth = 6 + magnet.height_mm / 2 + middle
    exact, off = [], []
    for aside in (0, 2, 4, 6, 8, 10, 12, 15, 20, 30, 45):
        whole = reed_drive_a(
            (0.0, 0.0, magnet.moment), magnet.smoothing_mm2, (aside, 0.0, -depth), along, REED_LENGTH_MM
        )
        pieces = many(
            magnet,
            lambda pole, at, aside=aside: reed_drive_a(
                pole, 0.0, (aside - at[0], -at[1], -depth - at[2]), along, REED_LENGTH_MM
            ),
        )
        exact.append(abs(pieces))
        off.append(abs(whole - pieces))
    assert max(off) <= 0.09 * max(exact), [round(100 * each / max(exact), 1) for each in off]


def test_a_part_closes_for_what_it_is_sold_for() -> None:
    for name, part in SENSOR_PARTS.items():
        low, high = part.operate
        assert 0 < low <= high, name
        assert part.is_latch or 0 < part.release[0] <= part.release[1] < 1, name
        assert part.source, name
    assert {part.kind for part in SENSOR_PARTS.values()} == set(SensorKind)


@pytest.mark.parametrize("text", ["8", "8x", "x3", "8x3 N99", "80x3", "8x3mm", "1x1"])
def test_a_text_that_names_no_magnet_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(ValueError, match=f"found '{text}', expected a disc"):
        magnets.parse(text)


def test_a_magnet_reads_back_from_its_text() -> None:
    for magnet in DISCS:
        assert magnets.parse(str(magnet)) == magnet


def test_what_discs_push_each_other_with_is_as_it_is_told() -> None:
    """Two dipoles beside each other, all poles up; docs/build/magnets.md tells it of discs of 10x6."""

    def push_mn(mm: float) -> float:
        moment = magnets.parse("10x6").moment * 1e-3  # A m²
        return 1e3 * 3 * magnets.MU0 * moment**2 / (4 * pi * (mm * 1e-3) ** 4)

    page = (Path(__file__).resolve().parents[2] / "docs" / "build" / "magnets.md").read_text()
    assert f"with {push_mn(45):.0f} mN on squares of 45 mm and with {push_mn(30):.0f} mN" in page


def potential_over(
    moment: magnets.Vector, middle: magnets.Vector, points: Sequence[magnets.Vector], steps: int = 4000
) -> float:
    """The mean of a dipole's potential in A along straight lines, summed step by step."""
    sums, metres = 0.0, 0.0
    for start, end in pairwise(points):
        length = dist(start, end)
        for step in range(steps):
            at = [m + a + (b - a) * (step + 0.5) / steps for m, a, b in zip(middle, start, end, strict=True)]
            far = hypot(*at)
            sums += sum(m * x for m, x in zip(moment, at, strict=True)) / far**3 * length / steps
        metres += length
    return 1e3 * sums / metres / (4 * pi)


def test_a_reed_with_bent_leads_feels_the_potential_along_them() -> None:
    """Against a sum over small steps; a straight one feels what the formula for straight ones says."""
    pole, top, low = (0.4, -0.2, 1.0), (0.0, 0.0, 10.0), (0.0, 0.0, -10.0)
    straight = ((0.0, 0.0, 0.0), top), ((0.0, 0.0, 0.0), low)
    bent = (
        ((0.0, 0.0, 0.0), top, (-4.0, 0.0, 10.0)),
        ((0.0, 0.0, 0.0), low, (4.0, 0.0, -10.0), (4.0, 0.0, 10.0)),
    )
    for x, y in ((0.5, 0.0), (5.0, -3.0), (-12.0, 1.0)):
        at = (-x, -y, -18.0)
        whole = reed_drive_a(pole, 0.0, at, (0.0, 0.0, 1.0), 20.0)
        assert magnets.bent_reed_drive_a(pole, 0.0, at, *straight) == pytest.approx(whole, rel=1e-9)
        for upper, lower in (straight, bent):
            summed = potential_over(pole, at, lower) - potential_over(pole, at, upper)
            assert magnets.bent_reed_drive_a(pole, 0.0, at, upper, lower) == pytest.approx(summed, rel=1e-4)
