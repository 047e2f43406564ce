"""The model of wires agrees with tables that were worked out by other means, and with data sheets."""

import pytest

from boardware.physics.volts import (
    CHIPS,
    COPPER_OHM_PER_M,
    DIODES,
    USUAL_TOLERANCE,
    WORST_TOLERANCE,
    MatrixCircuit,
    ResistorNet,
    data_shortfall_v,
    even_load_sag_v,
    fall_us,
    far_load_sag_v,
)

TABLE_CHIP = CHIPS["rp2040"]._replace(pull_ohm=(50e3, 50e3, 80e3))
"""The table takes 50 kOhm for a chip's own pull-down, 40 Ohm for its output and 3.3 V."""
SILICON, SCHOTTKY = DIODES["1N4148"], DIODES["BAT54"]
COLUMNS = [
    # row, added, V of n = 1, 4, 8, 10; most n for 2.0 V, for 2.2 V, and for 2.0 V with a Schottky diode (the
    # last one is 32 in the table, and as many as are counted here)
    (1000, None, (2.71, 2.56, 2.38, 2.30), 18, 12, 27),
    (2200, None, (2.65, 2.35, 2.05, 1.92), 8, 5, 12),
    (1000, 10e3, (2.40, 1.81, 1.36, 1.21), 2, 1, 4),
    (470, 10e3, (2.54, 2.17, 1.82, 1.68), 5, 3, 8),
    (220, 10e3, (2.61, 2.40, 2.16, 2.06), 11, 7, 17),
    (100, 10e3, (2.65, 2.53, 2.38, 2.31), 21, 13, 31),
]


@pytest.mark.parametrize("row", COLUMNS, ids=lambda row: f"{row[0]} {row[1]}")
def test_a_column_stands_where_the_table_of_volts_has_it(row) -> None:
    ohm, added, volts, most, most_22, most_schottky = row
    wires = MatrixCircuit(TABLE_CHIP, SILICON, 10, 10, ohm, added)
    assert [wires.column_v(closed) for closed in (1, 4, 8, 10)] == pytest.approx(volts, rel=0.03)
    assert wires.pieces_felt_max() == most
    assert wires._replace(chip=TABLE_CHIP._replace(high_min_v=2.2)).pieces_felt_max() == most_22
    # The table's BAT54 drops 0.19 V at 0.1 mA, its data sheet's 0.22 V: one piece less in 27.
    assert most_schottky - 1 <= wires._replace(diode=SCHOTTKY).pieces_felt_max() <= most_schottky


@pytest.mark.parametrize(
    ("ohm", "pf", "us"),
    [(80e3, 200, 20), (80e3, 400, 40), (80e3, 800, 80), (8.3e3, 200, 2), (8.3e3, 400, 4), (8.3e3, 800, 8)],
)
def test_a_column_falls_as_slowly_as_the_table_says(ohm: float, pf: float, us: float) -> None:
    assert fall_us(ohm, pf, 2.8, 0.8) == pytest.approx(us, rel=0.05)


@pytest.mark.parametrize(
    ("square_mm", "ampere", "metres", "volts"),
    [(0.25, 1.5, 1, 0.11), (0.5, 1.5, 1, 0.05), (0.175, 1.5, 1, 0.15)],
)
def test_supply_sags_as_the_table_says(square_mm: float, ampere: float, metres: float, volts: float) -> None:
    assert even_load_sag_v(ampere, metres, COPPER_OHM_PER_M / square_mm) == pytest.approx(volts, abs=0.005)


def test_lamps_at_the_far_end_sag_twice_as_much_and_feeding_both_ends_helps_fourfold() -> None:
    assert far_load_sag_v(1, 1, 0.1, 0.001) == pytest.approx(2 * even_load_sag_v(1, 1, 0.1), rel=0.01)
    assert far_load_sag_v(1, 1, 0.1, 1.0) == pytest.approx(even_load_sag_v(1, 1, 0.1))
    assert even_load_sag_v(1, 1, 0.1, both_ends=True) == pytest.approx(even_load_sag_v(1, 1, 0.1) / 4)
    assert far_load_sag_v(1, 1, 0.1, 1.0, both_ends=True) == pytest.approx(
        even_load_sag_v(1, 1, 0.1, both_ends=True)
    )


def test_a_ladder_of_lamps_sags_as_the_formula_says() -> None:
    lamps, each, ampere = 60, 2 * 0.035 * 0.045, 0.025
    current, volts = lamps * ampere, 0.0
    for _ in range(lamps):
        volts += current * each
        current -= ampere
    assert even_load_sag_v(lamps * ampere, lamps * 0.045, 0.035) == pytest.approx(volts, rel=0.03)


def test_data_of_3v3_is_0v2_short_for_lamps_at_5_v_and_enough_behind_a_diode() -> None:
    assert data_shortfall_v(5.0, shifter=False) == pytest.approx(0.2)
    assert data_shortfall_v(4.3, shifter=False) < 0
    assert data_shortfall_v(5.0, shifter=True) < 0


def test_diodes_drop_what_their_data_sheets_say() -> None:
    assert SILICON.forward_drop_v(50e-6) == pytest.approx(0.52, abs=0.01)
    assert SILICON.forward_drop_v(10e-3) < 1.0
    for schottky in (SCHOTTKY, DIODES["BAT85"]):
        assert schottky.forward_drop_v(0.1e-3) == pytest.approx(0.22, abs=0.005)
        assert schottky.forward_drop_v(1e-3) == pytest.approx(0.29, abs=0.005)
        assert schottky.forward_drop_v(10e-3) == pytest.approx(0.35, rel=0.06)


@pytest.mark.parametrize("row_ohm", [100, 470, 1000])
def test_a_reversed_diode_holds_its_column_between_the_thresholds(row_ohm: float) -> None:
    """Its row rests low while another drives the column: 1.6 V, by the table of mistakes."""
    net = ResistorNet(3)
    net.add_resistor(0, row_ohm + 40, 3.3)
    net.add_resistor(1, row_ohm + 40, 0.0)
    net.add_resistor(2, 50e3, 0.0)
    net.add_diode(0, 2)
    net.add_diode(2, 1)
    assert net.solve_wire_volts(SILICON)[2] == pytest.approx(1.6, rel=0.03)


def test_the_circuit_and_the_formula_agree_on_a_row() -> None:
    for added in (None, 10e3):
        for closed in (1, 3, 8):
            wires = MatrixCircuit(TABLE_CHIP, SILICON, 8, 8, 470, added)
            net = ResistorNet(9)
            net.add_resistor(0, 510, 3.3)
            for column in range(1, 9):
                net.add_resistor(column, wires.column_pull_down_ohm(50e3), 0.0)
                if column <= closed:
                    net.add_diode(0, column)
            volts = net.solve_wire_volts(SILICON)
            assert volts[1] == pytest.approx(wires.column_v(closed), abs=0.002)
            assert volts[8] == pytest.approx(0 if closed < 8 else volts[1])


def test_diodes_side_by_side_are_as_one_that_counts_for_all() -> None:
    every, few = ResistorNet(5), ResistorNet(2)
    every.add_resistor(0, 510, 3.3)
    few.add_resistor(0, 510, 3.3)
    for column in range(1, 5):
        every.add_resistor(column, 8e3, 0.0)
        every.add_diode(0, column)
    few.add_resistor(1, 2e3, 0.0)
    few.add_diode(0, 1, 4)
    assert every.solve_wire_volts(SILICON)[:2] == pytest.approx(few.solve_wire_volts(SILICON), abs=0.001)


def test_bridges_make_one_wire_of_two() -> None:
    net = ResistorNet(3)
    net.join_wires(0, 1)
    net.add_resistor(0, 1000, 3.3)
    net.add_resistor(1, 2000, 0.0)
    assert net.solve_wire_volts(SILICON) == pytest.approx([2.2, 2.2, 0.0], abs=0.001)


def test_the_largest_resistor_that_is_named_works_and_a_larger_one_does_not() -> None:
    for chip in CHIPS.values():
        for added in (None, 22e3):
            wires = MatrixCircuit(chip, SILICON, 10, 10, 470, added)
            most = wires.row_ohm_max(10)
            assert wires._replace(row_ohm=most * 0.99).pieces_felt_max(WORST_TOLERANCE) >= 10
            assert wires._replace(row_ohm=most * 1.02).pieces_felt_max(WORST_TOLERANCE) < 10


def test_the_worst_parts_are_never_better_than_the_usual_ones() -> None:
    for chip in CHIPS.values():
        for diode in (*DIODES.values(), None):
            wires = MatrixCircuit(chip, diode, 10, 10, 470, None, 150)
            assert wires.column_v(5, WORST_TOLERANCE) < wires.column_v(5, USUAL_TOLERANCE)
            assert wires.fall_us(WORST_TOLERANCE) > wires.fall_us(USUAL_TOLERANCE)


def test_only_the_first_stepping_of_the_rp2350_latches_and_a_resistor_cures_it() -> None:
    latching = [name for name, chip in CHIPS.items() if MatrixCircuit(chip, SILICON, 8, 8, 470).can_latch()]
    assert latching == ["rp2350-a2"]
    assert not MatrixCircuit(CHIPS["rp2350-a2"], SILICON, 8, 8, 100, 8.2e3).can_latch()
    assert MatrixCircuit(CHIPS["rp2350-a2"], SILICON, 8, 8, 100, 10e3).can_latch()
