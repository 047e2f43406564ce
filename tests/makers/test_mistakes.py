"""What makers really get wrong, built into the simulated board, and named first by the doctor.

The doctor has the board file, its drivers, and a person who sees lamps, moves pieces and lays a magnet down.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from boardsim.world.copper import Copper
from boardsim.world.kits import KITS, WIDE_SPACING_KITS, MakerKit
from boardsim.world.mistakes import KINDS, NEVER, ON_PICOS, PULL_UPS, WEAK, built
from boardsim.world.physics import BoardPhysics
from boardsim.world.world import World
from boardumpire.makers import causes, causes_buffered
from boardumpire.makers.causes import SIGNS, CauseTable, rank_causes
from boardumpire.makers.diagnosis import derive_findings
from boardumpire.makers.observations import Observations
from boardware.parts import BoardDescription
from boardware.physics.design import SensorDesign
from makers.mistaken import HEADER, MAP, PICO, TWO_PICOS, able_on, examine, pairs

ALONE, IN_PAIRS = 0.95, 0.8
"""Such shares of the boards must have a right cause named first."""
TABLES = {
    f"{module.__name__}.{name}": table
    for module in (causes, causes_buffered)
    for name, table in vars(module).items()
    if name.isupper() and isinstance(table, dict)
}


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", KINDS)
def test_a_mistake_alone_is_named_first_and_nothing_else_is_blamed(kind: str) -> None:
    found = examine([kind], 1)
    assert found.first_right, found.told()
    assert found.blamed == [], found.told()
    first = found.findings[0]
    assert first.tell, "what to try or measure next"


@pytest.mark.few(1)
@pytest.mark.parametrize("number", range(4))
def test_one_of_two_mistakes_is_named_first(number: int) -> None:
    pair = pairs(4, 7)[number]
    found = examine(pair, number)
    assert found.first_right, found.told()


@pytest.mark.few(2)
@pytest.mark.parametrize("kit", WIDE_SPACING_KITS)
def test_a_board_of_usual_parts_is_called_healthy(kit: str) -> None:
    """Reeds and magnets vary as those that can be bought, poles and places as hands glue them."""
    found = examine([], f"healthy {kit}", kit=KITS[kit])
    assert found.findings == [], found.told()


@pytest.mark.slow
def test_a_healthy_board_on_a_pico_is_called_healthy() -> None:
    assert examine([], "healthy", PICO).findings == []


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", ["plug-shifted", "wires-crossed", "diodes-reversed"])
@pytest.mark.parametrize("seed", range(3))
def test_no_board_file_is_fitted_to_a_wrong_plug(kind: str, seed: int) -> None:
    found = examine([kind], f"plug {seed}")
    assert found.first_right, found.told()
    assert not any("calibrate" in finding.text() for finding in found.findings)


def test_a_plug_that_was_turned_round_is_no_other_wiring() -> None:
    felt = {f"reeds:{row},{column}": f"reeds:{7 - row},{column}" for row in range(8) for column in range(8)}
    (found,) = derive_findings(HEADER, Observations(sensed_contacts=dict(felt)))
    assert (found.code, found.parts) == ("plug-turned", ("rows reeds",))
    assert "calibrate" not in found.text()


# -- the tables ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_every_cause_says_what_to_measure_and_can_come_first(name: str) -> None:
    """One that never comes first or beside the first is never told."""
    table: CauseTable = TABLES[name]
    told: set[str] = set()
    for code, cause in table.items():
        assert cause.description
        assert cause.next_test
        assert cause.sign_likelihoods.keys() <= set(SIGNS)
        told |= set(rank_causes(table, cause.sign_likelihoods))
        assert code in rank_causes(table, cause.sign_likelihoods)
    assert told == table.keys()


def test_the_first_sign_that_two_causes_disagree_about_decides() -> None:
    """Worked by hand: colours that jump are of the data, whatever else is seen; and a Pico that is silent."""
    assert rank_causes(causes.SILENT_PICO_CAUSES, {})[0] == "pico-unpowered"
    assert rank_causes(causes.SILENT_PICO_CAUSES, {"shines": True}) == [
        "cable-charging-only",
        "port-not-allowed",
    ]
    assert rank_causes(causes.WRONG_COLOUR_CAUSES, {"alike": True, "jumps": True})[0] == "shifter-missing"
    assert (
        rank_causes(causes.WRONG_COLOUR_CAUSES, {"jumps": False, "fades": True, "wrong": True})[0]
        == "supply-sags"
    )
    assert rank_causes(causes.MANY_UNSENSED_CAUSES, {"strong": False, "none": True}) == [
        "diodes-reversed",
        "plugs-exchanged",
        "plug-off",
    ]
    assert rank_causes(causes.MANY_UNSENSED_CAUSES, {"strong": False, "none": True, "ring right": True}) == [
        "plugs-exchanged",
        "plug-off",
    ]


# -- the mistakes themselves ---------------------------------------------------------------------------------


def closes(design: SensorDesign, seed: int) -> float:
    """On what share of the squares a piece in the middle closes the reed."""
    physics = BoardPhysics(World(HEADER), MakerKit(design, odd_magnet_rate=0.0), seed=seed)
    pole = (0.0, 0.0, physics.usual.moment)
    closed = 0
    for slot, sensor in physics.sensors.items():
        x, y = HEADER.slots[slot].position
        felt = sensor.field_of_magnet(pole, physics.usual.smoothing_mm2, (x, y, physics.usual.height_mm / 2))
        closed += sensor.is_closed(felt, False)
    return closed / len(physics.sensors)


def test_weak_magnets_close_some_reeds_and_those_that_never_do_none() -> None:
    for design in WEAK:
        assert 0.05 < closes(design, 1) < 0.95, design
    for design in NEVER:
        assert closes(design, 1) == 0.0, design
    assert closes(SensorDesign(), 1) == 1.0


@pytest.mark.parametrize("ohm", PULL_UPS)
def test_resistors_to_the_supply_hold_columns_high(ohm: float) -> None:
    copper = Copper(HEADER)
    copper.pull_up("reeds", ohm)
    grid = copper.grid("reeds")
    for wire in range(8, 16):
        grid.pull[wire] = 0
    for row in range(8):
        grid.set_drive(row, 0)
    expected = 3.3 * 50e3 / (50e3 + ohm)  # against the Pi's own pull-down
    assert grid.volts(8) == pytest.approx(expected, abs=0.02)
    assert [grid.level(wire) for wire in range(8, 16)] == [1] * 8


def test_nothing_of_a_mistake_is_in_what_the_doctor_is_given() -> None:
    """The board file that the doctor reads is the same whatever the maker did."""
    for kind in KINDS:
        file = PICO if kind in ON_PICOS else HEADER
        made = built(file, [kind], 3)
        assert file == (PICO if kind in ON_PICOS else HEADER)
        assert [mistake.kind for mistake in made.mistakes] == [kind]


# -- the measured shares -------------------------------------------------------------------------------------


@pytest.mark.nightly
def test_the_right_cause_comes_first_alone_and_in_pairs(record_property: Any) -> None:
    """Every mistake with three random seeds, on the header and on a Pico; 60 random pairs of mistakes.

    Right is a finding with the cause by its name and every part that is wrong. Blamed is what is named and
    has nothing to do with any mistake of that board.
    """
    alone = [examine([kind], f"alone {seed}", board) for kind, seed, board in _alone()]
    paired = [examine(pair, f"pair {number}") for number, pair in enumerate(pairs(60, 2026))]
    healthy = [
        examine([], f"healthy {kit} {seed}", kit=KITS[kit]) for kit in WIDE_SPACING_KITS for seed in range(6)
    ]
    for name, boards in (("alone", alone), ("in pairs", paired)):
        first = sum(one.first_right for one in boards)
        record_property(f"right cause first, {name}", f"{first} of {len(boards)}")
        record_property(f"healthy parts blamed, {name}", f"on {sum(bool(one.blamed) for one in boards)}")
        record_property(f"not first, {name}", _told(one for one in boards if not one.first_right))
    both = sum(all(one.names(each) for each in one.built.mistakes) for one in paired)
    record_property("both of a pair named", f"{both} of {len(paired)}")
    record_property(
        "healthy boards with a finding", f"{sum(bool(one.findings) for one in healthy)} of {len(healthy)}"
    )
    asks = [len(one.person.asks) for one in alone]
    record_property(
        "questions and placings", f"{min(asks)} to {max(asks)}, {sum(asks) / len(asks):.0f} on average"
    )
    assert sum(one.first_right for one in alone) >= ALONE * len(alone)
    assert sum(one.first_right for one in paired) >= IN_PAIRS * len(paired)
    assert not any(one.blamed for one in alone)
    assert not any(one.findings for one in healthy)


@pytest.mark.nightly
@pytest.mark.parametrize("board", [MAP, TWO_PICOS], ids=lambda board: board.id)
def test_the_right_cause_comes_first_on_a_map_and_on_two_picos(
    board: BoardDescription, record_property: Any
) -> None:
    """Every mistake with three seeds, 60 random pairs and six boards with nothing wrong, on each of both."""
    alone = [examine([kind], f"alone {seed}", board) for kind in able_on(board) for seed in range(3)]
    paired = [examine(pair, f"pair {number}", board) for number, pair in enumerate(pairs(60, 2026, board))]
    healthy = [examine([], f"healthy {seed}", board) for seed in range(6)]
    for name, boards in (("alone", alone), ("in pairs", paired)):
        first = sum(one.first_right for one in boards)
        record_property(f"right cause first, {name}", f"{first} of {len(boards)}")
        record_property(f"healthy parts blamed, {name}", f"on {sum(bool(one.blamed) for one in boards)}")
        record_property(f"not first, {name}", _told(one for one in boards if not one.first_right))
        record_property(f"blamed, {name}", _told(one for one in boards if one.blamed))
    assert sum(one.first_right for one in alone) >= ALONE * len(alone)
    assert sum(one.first_right for one in paired) >= IN_PAIRS * len(paired)
    assert not any(one.blamed for one in (*alone, *paired))
    assert not any(one.findings for one in healthy)


@pytest.mark.nightly
def test_the_shares_hold_for_boards_that_nobody_looked_at(record_property: Any) -> None:
    """Ten more seeds of each mistake and 400 more pairs: how often, and what then is wrong."""
    alone = [examine([kind], f"more {seed}") for kind in KINDS for seed in range(10)]
    paired = [examine(pair, f"more {number}") for number, pair in enumerate(pairs(400, 5))]
    record_property("right cause first, alone", f"{sum(one.first_right for one in alone)} of {len(alone)}")
    record_property(
        "right cause first, in pairs", f"{sum(one.first_right for one in paired)} of {len(paired)}"
    )
    record_property("pairs with a healthy part blamed", str(sum(bool(one.blamed) for one in paired)))
    wrong = Counter(one.told() for one in (*alone, *paired) if not one.first_right)
    record_property("not first", "; ".join(wrong) or "none")
    assert sum(one.first_right for one in alone) >= ALONE * len(alone)
    assert sum(one.first_right for one in paired) >= IN_PAIRS * len(paired)


def _alone() -> list[tuple[str, int, Any]]:
    boards = [
        (kind, board) for kind in KINDS for board in (HEADER, PICO) if board.picos or kind not in ON_PICOS
    ]
    return [(kind, seed, board) for kind, board in boards for seed in range(3)]


def _told(boards: Any) -> str:
    return "; ".join(one.told() for one in boards) or "none"
