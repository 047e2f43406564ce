"""What makers get wrong on boards with places that feel nothing, chains fed at both ends, several chains."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from boardmake.physics.judging import verdicts
from boardsim.world.kits import MakerKit
from boardsim.world.mistakes import Built
from boardsim.world.physics import BoardPhysics
from boardsim.world.world import World
from boardumpire.makers.bare_board import all_contacts, contact_id
from boardumpire.makers.diagnosis import derive_findings
from boardumpire.makers.observations import ChainInspection, Observations, StrongMagnetTest
from boardware.description import load_board
from boardware.parts import BoardDescription
from boardware.physics.design import SensorDesign
from boardware.physics.magnets import parse
from boardware.physics.verdict import Grade
from makers.mistaken import TWO_PICOS, examine, examine_built

MAPS = [load_board(f"fall-of-the-fuhrer{suffix}") for suffix in ("", "-slots", "-pico", "-slots-pico")]

SHIPPED = [load_board("quick-battle-8x8"), load_board("classic-10x10"), *MAPS[:2]]
CHAINS = TWO_PICOS


@pytest.mark.parametrize("board", MAPS, ids=lambda board: board.id)
def test_resistors_to_the_supply_are_one_finding_where_places_have_no_reed(board: BoardDescription) -> None:
    """Crossings of a row and a column at which no reed is seem closed as well: that is no reed's fault."""
    found = examine(["pulled-up"], 1, board)
    assert found.first_right, found.told()
    assert len(found.findings) == 1, found.told()


@pytest.mark.parametrize("board", MAPS, ids=lambda board: board.id)
def test_a_column_that_is_high_is_one_finding_where_places_have_no_reed(board: BoardDescription) -> None:
    reeds = {contact_id(at) for at in board.slots_by_contact}
    column = next(at.column for name, at in all_contacts(board).items() if name not in reeds)
    high = frozenset(name for name, at in all_contacts(board).items() if at.column == column)
    (found,) = derive_findings(board, Observations(closed_when_empty=high))
    assert (found.code, found.parts) == ("column-high", (f"column reeds:{column}",))


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(4))
def test_of_several_chains_that_with_swapped_colours_is_named_alone(seed: int) -> None:
    """Seed 0 swaps those of the last chain, 2 and 3 of others."""
    found = examine(["colours-swapped"], seed, CHAINS)
    assert len(found.findings) == 1, found.told()
    assert found.first_right, found.told()
    assert "change places of G and R" in found.findings[0].check


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("other", "seed"),
    [(other, seed) for seed in (1, 0, 2) for other in ("shifter-missing", "ground-missing", "supply-sags")],
)
def test_of_several_chains_none_is_blamed_for_what_two_others_have(other: str, seed: int) -> None:
    found = examine(["colours-swapped", other], seed, CHAINS)
    assert found.first_right, found.told()
    assert found.blamed == [], found.told()


@pytest.mark.parametrize(("one", "other"), [(3, 6), (0, 6), (2, 4)])
def test_a_row_of_one_reed_that_is_crossed_with_another_is_told(one: int, other: int) -> None:
    """Row 6 of this map has innsbruck alone. The board file is right, and nobody is told to change it."""
    bank = MAPS[0].banks["reeds"]
    pins = list(bank.rows)
    pins[one], pins[other] = pins[other], pins[one]
    made = Built(replace(MAPS[0], banks={"reeds": replace(bank, rows=tuple(pins))}))
    (found,) = examine_built(made, MAPS[0], 1).findings
    assert (found.code, found.parts) == ("rows-crossed", (f"row reeds:{one}", f"row reeds:{other}"))
    assert "calibrate" not in found.text()


@pytest.mark.parametrize(("kind", "seed"), [("magnet-weak", 2), ("magnet-wrong-way", 2)])
def test_magnets_are_blamed_and_not_the_few_reeds_of_a_map(kind: str, seed: int) -> None:
    """Two cities alone felt no piece here; there all rows but two seemed dead."""
    found = examine([kind], f"alone {seed}", MAPS[0])
    assert found.first_right, found.told()
    assert len(found.findings) == 1, found.told()


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize(("kind", "seed"), [("magnet-wrong-way", 0), ("magnet-weak", 2)])
def test_magnets_are_those_of_the_pieces_and_no_bank_is_blamed_for_them(kind: str, seed: int) -> None:
    found = examine([kind], f"alone {seed}", CHAINS)
    assert found.first_right, found.told()
    assert len(found.findings) == 1, found.told()


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_supply_that_sags_before_a_short_chain_is_named(seed: int) -> None:
    found = examine(["supply-sags"], f"alone {seed}", CHAINS)
    assert found.first_right, found.told()
    assert found.blamed == [], found.told()


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize("board", MAPS, ids=lambda board: board.id)
def test_a_supply_that_sags_between_two_feeds_is_named(board: BoardDescription, seed: int) -> None:
    """These chains are fed at both ends: their lamps fade towards the middle."""
    found = examine(["supply-sags"], seed, board)
    assert found.first_right, found.told()
    assert found.blamed == [], found.told()


def test_a_supply_that_sags_too_little_to_be_seen_is_not_named() -> None:
    """Of this one, of 0.25 Ohm a metre, more than half the blue is left in every lamp."""
    chain = MAPS[0].chains["lamps"]
    thin = replace(chain, wires=chain.wires._replace(wire_ohm_per_m=0.25))
    found = examine_built(Built(replace(MAPS[0], chains={"lamps": thin})), MAPS[0], 1)
    assert found.person.guide.result.lamps_even
    assert found.findings == []


EVEN = ChainInspection(is_one_colour=True, colours_jump=False, first_is_steady=True, fades_along_chain=False)


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        (Observations(lamps_even=False), "not equally white and bright"),
        (Observations(colours_right={"red": False, "green": True}, lamps_even=True), "not every lamp is red"),
    ],
)
def test_what_no_chain_shows_alone_is_not_dropped(seen: Observations, told: str) -> None:
    """All chains were looked at, and none was found to be wrong: then one of them is, nobody knows which."""
    seen = replace(seen, chain_inspections=dict.fromkeys(CHAINS.chains, EVEN))
    (found,) = derive_findings(CHAINS, seen)
    assert found.code == "lamps-unclear"
    assert found.parts == ("chain south", "chain north", "chain turns")
    assert told in found.text()
    faded = {**seen.chain_inspections, "north": EVEN._replace(fades_along_chain=True)}
    assert [one.parts for one in derive_findings(CHAINS, replace(seen, chain_inspections=faded))] == [
        ("chain north",)
    ]


def test_where_not_even_the_strong_magnet_is_felt_both_causes_are_named_and_a_meter_decides() -> None:
    """Causes stand in their order; what nobody measured is no percentage that people read."""
    board = load_board("quick-battle-8x8")
    felt = dict.fromkeys(map(contact_id, board.slots_by_contact))
    strong = {"reeds:0,0": StrongMagnetTest(closes_by_magnet=False, closes_when_turned=False)}
    (found,) = derive_findings(board, Observations(sensed_contacts=felt, magnet_tests=strong))
    assert found.code == "diodes-reversed"
    assert [other.code for other in found.others] == ["plugs-exchanged", "plug-off"]
    text = found.text()
    assert "%" not in text
    assert text.index("Likely cause: ") < text.index("To be sure: ") < text.index("Or: ")
    page = (Path(__file__).parents[2] / "docs/build/doctor.md").read_text()
    assert "**Some mistakes look the same**: plugs exchanged, and not in" in page


@pytest.mark.parametrize("board", SHIPPED, ids=lambda board: board.id)
def test_the_strong_magnets_that_the_doctor_asks_for_close_every_reed(board: BoardDescription) -> None:
    """A disc of 15 x 5 mm, and four of those in the pieces, through twice the board and felt."""
    assert board.sensor_design is not None
    piece, gap = board.sensor_design.magnet_disc, board.sensor_design.gap_mm
    stack = piece._replace(height_mm=4 * piece.height_mm)
    kit = MakerKit(board.sensor_design._replace(gap_mm=2 * gap))
    sensors = BoardPhysics(World(board), kit, seed=1).sensors
    for magnet in (parse("15x5"), stack):
        for slot, sensor in sensors.items():
            lies = (*board.slots[slot].position, magnet.height_mm / 2)
            assert sensor.is_closed(
                sensor.field_of_magnet((0.0, 0.0, magnet.moment), magnet.smoothing_mm2, lies), False
            ), slot


@pytest.mark.parametrize("robs", [True, False])
def test_one_reed_that_feels_no_piece_may_have_magnets_a_little_weak(robs: bool) -> None:
    """Of a magnet that the model refuses, most reeds close: the one that doesn't need not be at fault."""
    board, name = SHIPPED[0], "reeds:3,3"
    felt = {each: each for each in map(contact_id, board.slots_by_contact)}
    strong = {} if robs else {name: StrongMagnetTest(closes_by_magnet=True, closes_when_turned=True)}
    seen = Observations(
        sensed_contacts={**felt, name: None},
        magnet_tests=strong,
        hidden_by_unsensed={name: "reeds:0,3"} if robs else {},
    )
    (found,) = derive_findings(board, seen)
    others = [other.code for other in found.others]
    if robs:
        assert (found.code, others) == ("diode-reversed", [])
    else:
        assert (found.code, others) == ("reed-insensitive", ["magnet-weak"])


@pytest.mark.slow
def test_weak_magnets_that_are_felt_in_the_middle_are_not_named() -> None:
    """The page says so: the doctor asks for no piece off its middle, so it vouches for no margin."""
    kit = MakerKit(SensorDesign(magnet="6x2", gap_mm=6.0))
    assert kit.design != SHIPPED[0].sensor_design
    refused = replace(SHIPPED[0], sensor_design=kit.design)
    assert Grade.REFUSED in {each.grade for each in verdicts(refused)}
    silent = [seed for seed in range(4) if not examine([], f"mild {seed}", SHIPPED[0], kit).findings]
    assert silent
    page = (Path(__file__).parents[2] / "docs/build/doctor.md").read_text()
    assert "**Magnets that are a little too weak** are often not found" in page
