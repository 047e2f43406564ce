"""The model against what others publish: fields on the axis, distances at which reeds close, and lobes.

Each figure has its source beside it; docs/build/sources.md names them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import hypot, pi
from types import MappingProxyType
from typing import NamedTuple

import pytest

from boardware.physics.magnets import MU0, REMANENCE_T, Magnet, Vector, flux_density_mt, reed_drive_a
from boardware.physics.sensors import (
    REED_COUPLING_FACTOR,
    REED_LENGTH_MM,
    REED_RELEASE_RANGE,
    SENSOR_PARTS,
    make_sensor,
)

WITHIN = 0.15


def off(found: float, published: float) -> float:
    """By what share of it the model misses a figure."""
    return found / published - 1


# -- fields on the axis --------------------------------------------------------------------------------------

# LIGO laboratory, 40m wiki, "Hall Sensor Calibration" (wiki-40m.ligo.caltech.edu, Suspensions/
# MagneticSuspension/Expdata): a gaussmeter before a cylinder of neodymium, mm and mT (mean of three).
MEASURED = {9: 6.90, 11: 4.49, 14: 2.63, 17: 1.75, 19: 1.32, 21: 1.04, 24: 0.68}
MIDDLE_MM = 4.43
"""How much farther than that the middle of the magnet is from the probe: what they fitted. Its strength and
size aren't told: the strength is taken from the reading at 14 mm."""


def test_a_field_that_was_measured_along_an_axis_falls_as_the_model_says() -> None:
    """That it falls with the cube of the distance is all that this shows: strength and middle are fitted."""

    def along(mm: float) -> float:
        return flux_density_mt((0.0, 0.0, 1.0), 0.0, (0.0, 0.0, -(mm + MIDDLE_MM)), (0.0, 0.0, 1.0))

    strength = MEASURED[14] / along(14)
    missed = {mm: off(strength * along(mm), field) for mm, field in MEASURED.items()}
    assert len(missed) == 7
    assert max(map(abs, missed.values())) <= WITHIN, missed


def exact_at_its_face(magnet: Magnet) -> float:
    """In mT: the closed formula of a disc that is magnetised evenly."""
    radius, high = magnet.diameter_mm / 2, magnet.height_mm
    return REMANENCE_T[magnet.grade] * 500 * high / hypot(high, radius)


def test_the_exact_disc_that_the_model_is_held_against_is_that_of_a_seller() -> None:
    """K&J Magnetics, "Measuring Magnets": 2952 gauss at the face of a D82, 1/2 by 1/8 inch, N42."""
    assert abs(off(exact_at_its_face(Magnet(12.7, 3.175)), 295.2)) <= 0.03


def test_the_field_below_a_disc_is_as_strong_as_by_what_its_seller_says() -> None:
    """Nothing is fitted: what is published of that D82 at its face, carried down its axis by the exact
    formula. Nobody was found who publishes what was measured some way below a disc of a known grade."""
    disc, published = Magnet(12.7, 3.175), 295.2
    radius, high = disc.diameter_mm / 2, disc.height_mm

    def share(mm: float) -> float:
        return (high + mm) / hypot(high + mm, radius) - mm / hypot(mm, radius)

    for mm in (8.0, 10.0, 15.0, 20.0, 25.0, 30.0):
        felt = flux_density_mt(
            (0.0, 0.0, disc.moment), disc.smoothing_mm2, (0.0, 0.0, -(mm + high / 2)), (0.0, 0.0, 1.0)
        )
        assert abs(off(felt, published * share(mm) / share(0.0))) <= 0.06, mm


# -- distances at which reeds close --------------------------------------------------------------------------

# A maker of reeds publishes them, in mm, by the ampere-turns of uncut samples. The least sensitive sample of
# a class closes at the first distance, the most sensitive at the last; opening is told in the same way.
# Reed Relays and Electronics India, reed-sensor.com.
BAR_TESLA = 1.25
"""Bars of sintered neodymium, N40 or so (an estimate): nothing is said of their grade."""


class Bar(NamedTuple):
    """A magnet that is magnetised lengthwise."""

    length: float
    volume: float
    """In mm³."""
    half: float
    """Half as thick as it is, in mm."""

    def poles(self) -> Iterator[tuple[float, float]]:
        """It in nine pieces: how far from its middle each lies, and the moment of each, in mA m²."""
        pieces = 9
        for piece in range(pieces):
            yield (
                self.length * ((piece + 0.5) / pieces - 0.5),
                BAR_TESLA / MU0 * self.volume * 1e-6 / pieces,
            )


def _round(length: float, thick: float) -> Bar:
    return Bar(length, pi * thick * thick / 4 * length, thick / 2)


def _square(length: float, thick: float) -> Bar:
    return Bar(length, length * thick * thick, thick / 2)


BARS = {
    "NDR-S": _square(6, 2.5), "NDR-M": _square(8, 3), "NDR-I": _square(12, 3.5), "NDR-L": _square(19, 4),
    "NDC-S": _round(7, 3), "NDC-M": _round(10, 4), "NDC-I": _round(12, 6), "NDC-L": _round(15, 8),
}  # fmt: skip
Distances = Mapping[str, tuple[float, float]]


class Table(NamedTuple):
    """What is published of one class of a reed."""

    name: str
    low: float
    high: float
    """Ampere-turns."""
    closes: Distances
    opens: Distances = MappingProxyType({})


Felt = Callable[[float], float]
"""What a reed feels, in A, by the distance of surfaces in mm."""


def closes_at(felt: Felt, ampere_turns: float) -> float:
    """The distance at which a reed of so many ampere-turns closes."""
    near, far = 0.0, 80.0
    for _ in range(20):
        middle = (near + far) / 2
        near, far = (middle, far) if felt(middle) >= REED_COUPLING_FACTOR * ampere_turns else (near, middle)
    return near


def beside(bar: Bar, length: float, radius: float) -> Felt:
    """Of a bar that lies along a reed."""
    along = (1.0, 0.0, 0.0)

    def felt(mm: float) -> float:
        below = -(mm + bar.half + radius)
        return abs(
            sum(
                reed_drive_a((pole, 0.0, 0.0), 0.0, (-at, 0.0, below), along, length)
                for at, pole in bar.poles()
            )
        )

    return felt


def above(bar: Bar, length: float, deep: float) -> Felt:
    """Of a bar that stands on the axis of a reed whose end lies so deep."""
    along = (0.0, 0.0, 1.0)

    def felt(mm: float) -> float:
        depth = deep + mm + bar.length / 2 + length / 2
        # Not right on the axis: there the closed form divides by nothing.
        return abs(
            sum(
                reed_drive_a((0.0, 0.0, moment), 0.0, (0.01, 0.0, -(depth + at)), along, length)
                for at, moment in bar.poles()
            )
        )

    return felt


# Pages MM-1018 and SM-1322, cropped leads: bars that lie along the reed.
GLASS = {"MM-1018": (10.0, 0.9), "SM-1322": (13.0, 1.1)}
"""Length and radius of the glass."""
LEADS_MM = 4.0
"""What is left of both leads together: an estimate, nothing is said of it."""
LYING = [
    Table("MM-1018", 10, 20, {"NDR-S": (6, 8.5), "NDR-M": (8.5, 11), "NDR-L": (16, 19), "NDC-S": (7, 9.5),
                              "NDC-M": (11, 14.5), "NDC-L": (22, 28)}),
    Table("MM-1018", 20, 30, {"NDR-M": (7.5, 9), "NDR-L": (12, 16), "NDC-M": (9, 13.5), "NDC-L": (18, 22)}),
    Table("SM-1322", 10, 20, {"NDR-S": (6.5, 10), "NDR-M": (9.5, 12), "NDR-I": (13.5, 18), "NDR-L": (17, 23),
                              "NDC-S": (7.5, 11), "NDC-M": (11.5, 16), "NDC-I": (18, 24),
                              "NDC-L": (25, 33)}),
    Table("SM-1322", 20, 30, {"NDR-M": (8, 9.5), "NDR-I": (12, 13.5), "NDR-L": (14.5, 17),
                              "NDC-M": (10, 11.5), "NDC-I": (16, 18)}),
]  # fmt: skip

# Pages MS-214, MS-225 and MS-228, tip to tip: a bar on the axis of a reed in a round housing, one pole
# towards its end. That is a reed on end under a magnet.
DEEP = {"MS-214": 1.0, "MS-225": 2.0, "MS-228": 2.0}
"""How deep the end of the reed lies in its housing (plain, M5, M8), in mm: nothing is said of it. Whole
millimetres, one a housing, were chosen by what fits best."""
HOUSED_MM = 24.0
"""That reed from end to end: an estimate."""
ON_END = [
    Table("MS-214", 10, 15,
          {"NDR-S": (4, 6.5), "NDR-M": (7, 10), "NDR-I": (15, 19.5), "NDR-L": (15.5, 20), "NDC-S": (5.5, 8),
           "NDC-M": (10.5, 14), "NDC-I": (19.5, 24), "NDC-L": (29, 35.5)},
          {"NDR-M": (9, 11), "NDR-I": (18.5, 21), "NDR-L": (18.5, 22), "NDC-M": (13, 15.5),
           "NDC-I": (22.5, 26), "NDC-L": (33, 38)}),
    Table("MS-214", 15, 20,
          {"NDR-M": (5, 7), "NDR-I": (12, 15), "NDR-L": (12.5, 15.5), "NDC-S": (3.5, 5.5), "NDC-M": (8, 10.5),
           "NDC-I": (16.5, 19.5), "NDC-L": (25, 29)},
          {"NDR-I": (16.5, 18.5), "NDR-L": (17, 18.5), "NDC-M": (12, 13), "NDC-I": (21, 22.5),
           "NDC-L": (32, 33)}),
    Table("MS-225", 10, 15,
          {"NDR-M": (5, 7.5), "NDR-I": (9, 12), "NDR-L": (13, 17), "NDC-S": (3, 5), "NDC-M": (8, 11),
           "NDC-I": (16.5, 21), "NDC-L": (25, 31)},
          {"NDR-I": (10.5, 13), "NDR-L": (16.5, 18), "NDC-M": (10, 12), "NDC-I": (20, 22),
           "NDC-L": (29, 33)}),
    Table("MS-225", 15, 20,
          {"NDR-M": (5, 6), "NDR-I": (8, 9), "NDR-L": (13, 15), "NDC-M": (7, 8), "NDC-I": (16, 17),
           "NDC-L": (24, 25)},
          {"NDR-I": (10.5, 12), "NDR-L": (16, 17), "NDC-M": (10, 11), "NDC-I": (20, 21), "NDC-L": (28, 29)}),
    Table("MS-228", 20, 25,
          {"NDR-M": (3, 5), "NDR-I": (6, 8), "NDR-L": (9, 12), "NDC-M": (5, 7), "NDC-I": (13, 15),
           "NDC-L": (21, 24)},
          {"NDR-I": (11, 12), "NDR-L": (15, 16), "NDC-M": (10, 11), "NDC-I": (19, 20), "NDC-L": (29, 30)}),
    Table("MS-228", 25, 30,
          {"NDR-I": (4.5, 6), "NDR-L": (8, 9), "NDC-M": (3.5, 5), "NDC-I": (11, 13), "NDC-L": (19, 21)},
          {"NDR-I": (10, 11), "NDR-L": (14, 15), "NDC-I": (18, 19), "NDC-L": (27, 29)}),
    Table("MS-228", 30, 35,
          {"NDR-L": (6, 8), "NDC-I": (9, 11), "NDC-L": (16, 19)},
          {"NDR-L": (14, 16), "NDC-I": (18, 20), "NDC-L": (26, 28)}),
]  # fmt: skip
LEAST_MM = 5.0
"""Nearer distances aren't compared: the maker's own tolerance of 0.5 mm is more than a tenth of them."""


def felt_by(table: Table, bar: str) -> Felt:
    """Of a bar by a reed of that table."""
    if table.name in GLASS:
        glass, radius = GLASS[table.name]
        return beside(BARS[bar], glass + LEADS_MM, radius)
    return above(BARS[bar], HOUSED_MM, DEEP[table.name])


def misses(tables: list[Table]) -> list[tuple[str, float]]:
    """By what share each published distance is missed."""
    found = []
    for table in tables:
        for bar, (least, most) in table.closes.items():
            felt = felt_by(table, bar)
            for turns, published in ((table.low, most), (table.high, least)):
                if published >= LEAST_MM:
                    what = f"{table.name} {turns:g} AT {bar} {published}"
                    found.append((what, off(closes_at(felt, turns), published)))
    return found


def test_distances_at_which_lying_reeds_close_come_out() -> None:
    """One number was fitted to these 46, the coupling. That they agree in their shape is what is shown."""
    found = misses(LYING)
    shares = [share for _, share in found]
    assert len(found) == 46
    assert sum(abs(share) <= WITHIN for share in shares) >= 44, found
    assert max(map(abs, shares)) < 0.21
    assert abs(sum(shares) / len(shares)) < 0.03


def test_distances_at_which_reeds_on_end_close_come_out_with_the_same_coupling() -> None:
    """Nothing of the model was fitted to these: the coupling is that of bars that lie along a reed.

    But how deep the end lies was chosen for each of the three housings, which moves all of a housing alike.
    Four of the seven that are missed are of one bar of 12 mm that is said to reach as far as one of 19 mm.
    """
    found = misses(ON_END)
    shares = [share for _, share in found]
    assert len(found) == 78
    assert sum(abs(share) <= WITHIN for share in shares) >= 70, found
    assert max(map(abs, shares)) < 0.35
    assert abs(sum(shares) / len(shares)) < 0.03


@pytest.mark.parametrize(
    ("name", "value", "lying", "on_end"),
    [
        ("DEEP", {name: deep - 0.5 for name, deep in DEEP.items()}, 44, 64),
        ("DEEP", {name: deep + 0.5 for name, deep in DEEP.items()}, 44, 70),
        ("DEEP", {name: deep - 1.0 for name, deep in DEEP.items()}, 44, 51),
        ("DEEP", {name: deep + 1.0 for name, deep in DEEP.items()}, 44, 60),
        ("DEEP", dict.fromkeys(DEEP, 1.5), 44, 65),
        ("HOUSED_MM", 20.0, 44, 68),
        ("HOUSED_MM", 28.0, 44, 69),
        ("BAR_TESLA", 1.15, 44, 70),
        ("BAR_TESLA", 1.35, 41, 63),
        ("LEADS_MM", 2.0, 42, 71),
        ("LEADS_MM", 6.0, 42, 71),
    ],
)
def test_what_was_chosen_may_be_otherwise_and_most_still_come_out(
    monkeypatch: pytest.MonkeyPatch, name: str, value: object, lying: int, on_end: int
) -> None:
    """Depth, lengths and remanence are nowhere published: with others 95 to 115 of 124 are met."""
    monkeypatch.setitem(globals(), name, value)
    met = [sum(abs(share) <= WITHIN for _, share in misses(tables)) for tables in (LYING, ON_END)]
    assert met == [lying, on_end]


def test_reeds_hold_at_such_shares_as_the_same_maker_publishes() -> None:
    """From where it closes and opens follows what a reed still holds at. The model takes 45 to 85 %."""
    shares = []
    for table in ON_END:
        for bar, opens in table.opens.items():
            felt = felt_by(table, bar)
            for closing, opening in zip(table.closes[bar], opens, strict=True):
                shares.append(felt(opening) / felt(closing))
    assert len(shares) == 66
    assert 0.38 < min(shares) < REED_RELEASE_RANGE[0]
    assert REED_RELEASE_RANGE[1] < max(shares) < 0.93
    assert sum(REED_RELEASE_RANGE[0] <= share <= REED_RELEASE_RANGE[1] for share in shares) >= 0.75 * len(
        shares
    )


def test_a_door_contact_that_is_rated_for_12_5_mm_closes_there_and_not_much_farther() -> None:
    """Tane, STB-10 DM: a reed on end and a disc of 9.5 x 3.2 mm. The least sensitive reed of up to 25 AT has
    to close at the rated distance, and a maker gives away a third of what it could at most (estimate)."""
    disc = Magnet(9.5, 3.2)

    def felt(mm: float) -> float:
        reed = make_sensor(SENSOR_PARTS["reed on end 20-25 AT"], (0.0, 0.0, 0.0), mm)
        return reed.field_of_magnet(
            (0.0, 0.0, disc.moment), disc.smoothing_mm2, (0.0, 0.0, disc.height_mm / 2)
        )

    assert 12.5 <= closes_at(felt, 25) <= 12.5 * 4 / 3


# -- lobes: nobody publishes their sizes, but what they are like ---------------------------------------------

DISC = Magnet(8, 3)


def lying(u: float, z: float = 6.0, pole: Vector = (0.0, 0.0, 1.0)) -> float:
    """What a reed along x feels of a disc whose middle is so far along it and so far above it."""
    return reed_drive_a(
        tuple(DISC.moment * each for each in pole),
        DISC.smoothing_mm2,
        (-u, 0.0, -z),
        (1.0, 0.0, 0.0),
        REED_LENGTH_MM,
    )


@pytest.mark.parametrize("z", [4.0, 6.0, 9.0])
def test_a_magnet_that_points_along_a_reed_has_a_strong_lobe_in_the_middle_and_weaker_ones_beside(
    z: float,
) -> None:
    """Standex-Meder, "Reed Switch Magnet Interaction", slide 8: the lobe of the centre reaches farthest."""
    felt = [lying(u, z, (1.0, 0.0, 0.0)) for u in range(60)]
    middle, side = abs(felt[0]), max(abs(each) for each in felt[1:] if each * felt[0] < 0)
    assert max(map(abs, felt)) == middle
    assert 0 < side < middle / 2


@pytest.mark.parametrize("z", [4.0, 6.0, 9.0])
def test_a_magnet_that_points_at_a_reed_has_a_null_in_the_middle_and_two_lobes_alike(z: float) -> None:
    """Texas Instruments, SLYA090, "Reed Switches": there are zones where a reed feels nothing of a magnet
    until that is turned by 90 degrees."""
    assert lying(0.0, z) == pytest.approx(0.0, abs=1e-9)
    assert abs(lying(0.0, z, (1.0, 0.0, 0.0))) > REED_COUPLING_FACTOR * 20
    most = max(range(1, 40), key=lambda u: abs(lying(float(u), z)))
    assert 3 < most < REED_LENGTH_MM / 2
    assert lying(float(most), z) == pytest.approx(-lying(-float(most), z))
    assert abs(lying(float(most), z)) > REED_COUPLING_FACTOR * 20


def test_such_a_reed_opens_soonest_where_the_magnet_goes_towards_its_middle() -> None:
    """elobau, "Field line diagram": with the magnet's axis across the reed, the way between closing and
    opening is least for a magnet that moves towards the middle to open it."""

    def way(inwards: bool) -> float:
        """From where it just closes to where it opens, with a release of 65 %."""
        closes = REED_COUPLING_FACTOR * 17.5
        peak = max(range(1, 200), key=lambda n: abs(lying(n / 10)))
        places = [n / 10 for n in (range(peak, -1, -1) if inwards else range(peak, 600))]
        first = next(u for u in places if abs(lying(u)) < closes)
        last = next(u for u in places if abs(lying(u)) < 0.65 * closes)
        return abs(last - first)

    assert way(inwards=True) < way(inwards=False) / 2
