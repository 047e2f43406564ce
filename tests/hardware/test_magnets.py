"""The field of a disc, and what reeds feel of it, against exact formulas and against what makers publish."""

from math import cos, hypot, pi, sin

import pytest

from boardware.physics import magnets
from boardware.physics.magnetics import NEAR
from boardware.physics.magnets import MU0, REMANENCE, Magnet, drive, flux
from boardware.physics.sensors import COUPLING, PARTS, REED_MM, Kind, sample

DISCS = [magnets.parse(text) for text in ("5x2", "6x2", "6x3", "8x2", "8x3", "10x3")]


def exact_on_axis(magnet: Magnet, below: float) -> float:
    """In mT below the middle of a face: the closed formula of a disc that is magnetised evenly."""
    radius, far = magnet.diameter_mm / 2, magnet.height_mm + below
    return REMANENCE[magnet.grade] * 500 * (far / hypot(far, radius) - below / hypot(below, radius))


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


def test_the_exact_disc_meets_what_k_and_j_magnetics_measures_at_the_face_of_a_d82() -> None:
    """1/2 by 1/8 inch, N42: 2952 gauss (kjmagnetics.com, D82)."""
    assert exact_on_axis(Magnet(12.7, 3.175), 0) == pytest.approx(295.2, rel=0.03)


@pytest.mark.parametrize("magnet", DISCS, ids=str)
def test_on_its_axis_a_disc_is_as_the_exact_one(magnet: Magnet) -> None:
    for below in (5, 6, 8, 10, 15, 25):
        place = (0.0, 0.0, -(below + magnet.height_mm / 2))
        felt = flux((0.0, 0.0, magnet.moment), magnet.spread, place, (0.0, 0.0, 1.0))
        assert felt == pytest.approx(exact_on_axis(magnet, below), rel=0.06), below


@pytest.mark.parametrize("magnet", [*DISCS, magnets.parse("5x4"), magnets.parse("10x8")], ids=str)
def test_beside_its_axis_a_hall_switch_feels_it_as_one_cut_into_small_dipoles(magnet: Magnet) -> None:
    """From three quarters of its diameter on; nearer the model is wrong by up to a third."""
    for gap in (NEAR * magnet.diameter_mm, 6.0 + magnet.diameter_mm / 4, 12.0):
        below = -(gap + magnet.height_mm / 2)
        most = flux((0.0, 0.0, magnet.moment), magnet.spread, (0.0, 0.0, below), (0.0, 0.0, 1.0))
        for off in range(0, 46, 3):
            place = (float(off), 0.0, below)
            felt = flux((0.0, 0.0, magnet.moment), magnet.spread, place, (0.0, 0.0, 1.0))
            exact = many(
                magnet,
                lambda pole, at, place=place: flux(
                    pole, 0.0, tuple(p - a for p, a in zip(place, at, strict=True)), (0.0, 0.0, 1.0)
                ),
            )
            assert abs(felt - exact) < 0.15 * most, (gap, off)


@pytest.mark.parametrize("magnet", DISCS, ids=str)
@pytest.mark.parametrize(
    ("name", "along", "middle"),
    [("on end", (0.0, 0.0, 1.0), REED_MM / 2), ("flat", (1.0, 0.0, 0.0), 0.0)],
    ids=["on end", "flat"],
)
def test_beside_its_axis_a_reed_feels_it_as_one_cut_into_small_dipoles(
    magnet: Magnet, name: str, along: magnets.Vector, middle: float
) -> None:
    depth = 6 + magnet.height_mm / 2 + middle
    exact, off = [], []
    for aside in (0, 2, 4, 6, 8, 10, 12, 15, 20, 30, 45):
        whole = drive((0.0, 0.0, magnet.moment), magnet.spread, (aside, 0.0, -depth), along, REED_MM)
        pieces = many(
            magnet,
            lambda pole, at, aside=aside: drive(
                pole, 0.0, (aside - at[0], -at[1], -depth - at[2]), along, REED_MM
            ),
        )
        exact.append(abs(pieces))
        off.append(abs(whole - pieces))
    assert max(off) <= 0.09 * max(exact), [round(100 * each / max(exact), 1) for each in off]


# What a maker of reeds publishes: distances of actuation, in mm, by the ampere-turns of uncut samples. The
# least sensitive sample of a class closes at the first distance, the most sensitive at the last.
# Reed Relays and Electronics India, reed-sensor.com: pages MM-1018 and SM-1322, cropped leads.
GLASS = {"MM-1018": (10.0, 0.9), "SM-1322": (13.0, 1.1)}
"""Length and radius of the glass."""
LEADS_MM = 4.0
"""What is left of both leads together: an estimate, nothing is said of it."""
BAR_TESLA = 1.25
"""Bars of sintered neodymium, N40 or so (an estimate): nothing is said of their grade."""
BARS = {
    "NDR-S": (6, 6 * 2.5 * 2.5, 1.25), "NDR-M": (8, 8 * 3 * 3, 1.5), "NDR-I": (12, 12 * 3.5 * 3.5, 1.75),
    "NDR-L": (19, 19 * 4 * 4, 2), "NDC-S": (7, pi * 9 / 4 * 7, 1.5), "NDC-M": (10, pi * 16 / 4 * 10, 2),
    "NDC-I": (12, pi * 36 / 4 * 12, 3), "NDC-L": (15, pi * 64 / 4 * 15, 4),
}  # fmt: skip
"""Length in mm, volume in mm³, half the thickness in mm."""
PUBLISHED = [
    ("MM-1018", 10, 20, {"NDR-S": (6, 8.5), "NDR-M": (8.5, 11), "NDR-L": (16, 19), "NDC-S": (7, 9.5),
                         "NDC-M": (11, 14.5), "NDC-L": (22, 28)}),
    ("MM-1018", 20, 30, {"NDR-M": (7.5, 9), "NDR-L": (12, 16), "NDC-M": (9, 13.5), "NDC-L": (18, 22)}),
    ("SM-1322", 10, 20, {"NDR-S": (6.5, 10), "NDR-M": (9.5, 12), "NDR-I": (13.5, 18), "NDR-L": (17, 23),
                         "NDC-S": (7.5, 11), "NDC-M": (11.5, 16), "NDC-I": (18, 24), "NDC-L": (25, 33)}),
    ("SM-1322", 20, 30, {"NDR-M": (8, 9.5), "NDR-I": (12, 13.5), "NDR-L": (14.5, 17), "NDC-M": (10, 11.5),
                         "NDC-I": (16, 18)}),
]  # fmt: skip


def closes_at(bar: str, reed: str, ampere_turns: float) -> float:
    """How far from a reed a bar along it closes it, in mm from surface to surface."""
    length, volume, half = BARS[bar]
    glass, radius = GLASS[reed]
    pieces = 9
    pole = (BAR_TESLA / MU0 * volume * 1e-6 / pieces, 0.0, 0.0)
    at = [length * ((piece + 0.5) / pieces - 0.5) for piece in range(pieces)]
    near, far = 0.0, 80.0
    for _ in range(40):
        middle = (near + far) / 2
        below = -(middle + half + radius)
        felt = sum(drive(pole, 0.0, (-x, 0.0, below), (1.0, 0.0, 0.0), glass + LEADS_MM) for x in at)
        near, far = (middle, far) if abs(felt) >= COUPLING * ampere_turns else (near, middle)
    return near


def test_distances_that_a_maker_of_reeds_publishes_come_out() -> None:
    """One number was fitted to these 46, the coupling. That they agree in their shape is what is shown."""
    off = [
        closes_at(bar, reed, turns) / published - 1
        for reed, low, high, rows in PUBLISHED
        for bar, (least, most) in rows.items()
        for turns, published in ((low, most), (high, least))
    ]
    assert len(off) == 46
    assert sum(abs(each) <= 0.15 for each in off) >= 44, off
    assert max(abs(each) for each in off) < 0.21
    assert abs(sum(off) / len(off)) < 0.03


def test_a_door_contact_that_is_rated_for_12_5_mm_closes_there() -> None:
    """Tane STB-10 DM: a reed on end and a disc of 9.5 x 3.2 mm. A reed of up to 25 AT has to close."""
    part = PARTS["reed on end 20-25 AT"]
    reed = sample(part, (0.0, 0.0, 0.0), 12.5, operate=22.5)
    disc = Magnet(9.5, 3.2)
    felt = reed.feels((0.0, 0.0, disc.moment), disc.spread, (0.0, 0.0, disc.height_mm / 2))
    assert felt / COUPLING >= 22.5


def test_a_part_closes_for_what_it_is_sold_for() -> None:
    for name, part in PARTS.items():
        low, high = part.operate
        assert 0 < low <= high, name
        assert 0 < part.release[0] <= part.release[1] < 1, name
        assert part.source, name
    assert {part.kind for part in PARTS.values()} == set(Kind)


@pytest.mark.parametrize("text", ["8", "8x", "x3", "8x3 N99", "80x3", "8x3mm", "1x1"])
def test_a_text_that_names_no_magnet_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(ValueError, match=f"found '{text}', expected a disc"):
        magnets.parse(text)


def test_a_magnet_reads_back_from_its_text() -> None:
    for magnet in DISCS:
        assert magnets.parse(str(magnet)) == magnet
