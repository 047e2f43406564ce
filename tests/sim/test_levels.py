"""A wrong level reads as it would: weak rows lose pieces, slow columns show ghosts, odd diodes pull."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from boardmake.physics.electrics import matrix_circuit
from boardsim.pico.bench import PicoBench
from boardsim.pins.drivers import open_sensors
from boardsim.world.copper import SolderedDiode
from boardsim.world.levels import BankWires
from boardsim.world.world import World
from boardware.description import load_board
from boardware.parts import BoardDescription
from boardware.physics.volts import FALLING_THRESHOLD_V, RISING_THRESHOLD_V
from boardware.pico_plan import plans_by_pico
from boardware.ports import MS, SlotId

BOARD = load_board("quick-battle-8x8")
PICO = load_board("quick-battle-8x8-pico")
ROW_1, ROW_2 = [f"{file}1" for file in "abcdefgh"], [f"{file}2" for file in "abcdefgh"]


def wired(
    board: BoardDescription = BOARD, settle_us: int | None = None, chip: str | None = None, **wires: object
) -> BoardDescription:
    """The board with other wires in its one bank."""
    bank = board.banks["reeds"]
    settle = bank.settle_us if settle_us is None else settle_us
    banks = {"reeds": replace(bank, settle_us=settle, wires=bank.wires._replace(**wires))}  # type: ignore[arg-type]
    picos = {id_: replace(pico, chip=chip or pico.chip) for id_, pico in board.picos.items()}
    return replace(board, banks=banks, picos=picos)


def with_magnets(board: BoardDescription, slots: Iterable[SlotId]) -> World:
    world = World(board, bounce=None)
    for slot in slots:
        world.put(world.new_piece("red"), slot, 0)
    world.advance(0)
    return world


def felt(world: World, scans: int = 2) -> set[SlotId]:
    """What the real driver of the header believes after some scans, 10 ms apart."""
    sensors = open_sensors(world.board, world=world, place_ms=0, lockout_ms=0)
    for _ in range(scans):
        world.advance(world.now + 10 * MS)
        sensors.step(world.now)
    present = set(sensors.present())
    sensors.close()
    return present


def test_a_full_row_with_1_kohm_and_10_kohm_pull_downs_loses_its_pieces() -> None:
    """The model promises two; usual pins feel four, and lose all of them with the fifth."""
    weak = wired(row_ohm=1000, pull_down_ohm=10e3)
    wires = matrix_circuit(weak, weak.banks["reeds"])
    assert wires.pieces_felt_max() == 2
    for count in range(1, 9):
        assert (count <= 4) == (wires.column_v(count) >= RISING_THRESHOLD_V)
        assert felt(with_magnets(weak, ROW_1[:count])) == (set(ROW_1[:count]) if count <= 4 else set())
    assert felt(with_magnets(BOARD, ROW_1 + ROW_2)) == {*ROW_1, *ROW_2}


def test_on_a_weak_row_a_lift_brings_the_others_back() -> None:
    weak = wired(row_ohm=1000, pull_down_ohm=10e3)
    world = with_magnets(weak, ROW_1[:5])
    assert felt(world) == set()
    piece = world.pieces_on("a1")[0]
    world.take(piece, "a1", world.now)
    assert felt(world) == {"b1", "c1", "d1", "e1"}


def test_between_the_thresholds_a_column_reads_as_in_the_row_before() -> None:
    """a1 alone is high. In row 2 column a hangs at 1.4 V, from above; the other columns, from below."""
    weak = wired(row_ohm=1000, pull_down_ohm=10e3)
    world = with_magnets(weak, ["a1", *ROW_2])
    grid = world.copper.grid("reeds")
    grid.pull[grid.rows :] = [0] * grid.columns
    reads = []
    for row in (0, 1):
        for other in range(grid.rows):
            grid.set_drive(other, int(other == row))
        reads.append([grid.level(grid.rows + column) for column in range(grid.columns)])
    assert FALLING_THRESHOLD_V < grid.volts(grid.rows) < RISING_THRESHOLD_V
    assert reads == [[1] + [0] * 7, [1] + [0] * 7]


@pytest.mark.parametrize("slots", [ROW_1, ["a1"], ["c3", "d3", "h8"]])
def test_too_short_a_settle_time_shows_the_row_before_as_ghosts(slots: list[SlotId]) -> None:
    slow = wired(settle_us=25, cable_pf=800.0)
    ghosts = {slot[0] + str(int(slot[1]) + 1) for slot in slots if slot[1] != "8"}
    assert felt(with_magnets(slow, slots)) == {*slots, *ghosts}
    needs = int(matrix_circuit(slow, slow.banks["reeds"]).settle_us()) + 1
    assert felt(with_magnets(wired(settle_us=needs, cable_pf=800.0), slots)) == set(slots)


def test_no_ghost_of_the_last_row_after_the_pause_between_two_scans() -> None:
    slow = wired(settle_us=10, cable_pf=800.0)
    assert felt(with_magnets(slow, ["h8"]), scans=5) == {"h8"}


def test_a_pico_strobes_without_a_pause_so_the_last_row_shows_in_the_first() -> None:
    slow = wired(PICO, settle_us=10, cable_pf=800.0)
    assert {"a8", "a1"} <= seen_by_pico(slow, ["a8"], scans=2)
    assert seen_by_pico(PICO, ["a8"], scans=2) == {"a8"}


def seen_by_pico(
    board: BoardDescription, slots: Iterable[SlotId], scans: int = 1, *, then: Iterable[SlotId] = ()
) -> set[SlotId]:
    """What the pins of a Pico read in the last of some scans; `then`: what is lifted before that one."""
    world = with_magnets(board, slots)
    plan = plans_by_pico(board)["pico"]
    bench, bank = PicoBench(world, plan), plan.banks[0]
    every = sum(1 << gpio for gpio in bank.rows)
    found: set[SlotId] = set()
    for scan in range(scans):
        if scan == scans - 1:
            for slot in then:
                world.copper.set_closed(slot, False)
        found = set()
        for row, gpio in enumerate(bank.rows):
            read = bench.read_levels(every, 1 << gpio)
            for column, pin in enumerate(bank.columns):
                if read >> pin & 1:
                    found.add(board.slots_by_contact[(bank.id, row, column)])  # type: ignore[index]
    return found


def test_the_first_stepping_of_a_pico_2_never_lets_go_of_a_column() -> None:
    latching = wired(PICO, chip="rp2350-a2")
    column = {f"a{rank}" for rank in range(1, 9)}
    assert seen_by_pico(latching, ["a1"], scans=3, then=["a1"]) == column
    cured = wired(PICO, chip="rp2350-a2", row_ohm=47, pull_down_ohm=8200.0, diode_name="BAT85")
    assert seen_by_pico(cured, ["a1"], scans=3, then=["a1"]) == set()
    assert seen_by_pico(cured, ROW_1) == set(ROW_1)


def test_a_reversed_diode_never_reads_and_pulls_its_column() -> None:
    world = with_magnets(BOARD, ["c1", "c3", "d3", "c6"])
    world.copper.set_diode("c3", SolderedDiode.REVERSED)
    assert felt(world) == {"d3"}  # c1 and c6 hang between the thresholds, and were not felt before
    grid = world.copper.grid("reeds")
    grid.pull[grid.rows :] = [0] * grid.columns
    for row in range(grid.rows):
        grid.set_drive(row, int(row == 5))
    assert grid.volts(grid.rows + 2) == pytest.approx(1.6, abs=0.1)
    world.take(world.pieces_on("c3")[0], "c3", world.now)
    assert felt(world) == {"c1", "d3", "c6"}  # without a piece on it, it does nothing


def test_all_diodes_reversed_read_nothing() -> None:
    world = with_magnets(BOARD, [*ROW_1, "a5", "h8"])
    for slot in BOARD.slots:
        world.copper.set_diode(slot, SolderedDiode.REVERSED)
    assert felt(world) == set()


def test_working_it_out_agrees_with_the_short_way_on_a_sound_board() -> None:
    """A shorted diode under an empty square changes nothing, but has everything worked out."""
    for slots in (ROW_1, ["a1", "b1", "a2", "g7"], list(BOARD.slots)[1:]):
        plain, worked = with_magnets(BOARD, slots), with_magnets(BOARD, slots)
        empty = next(slot for slot in BOARD.slots if slot not in slots)
        worked.copper.set_diode(empty, SolderedDiode.SHORTED)
        assert felt(plain) == felt(worked) == set(slots)


def test_whether_a_board_is_easy_is_what_its_wires_say() -> None:
    for board, easy in (
        (BOARD, True),
        (PICO, True),
        (wired(row_ohm=1000, pull_down_ohm=10e3), False),
        (wired(settle_us=5, cable_pf=400.0), False),
        (wired(PICO, chip="rp2350-a2"), False),
    ):
        bank = board.banks["reeds"]
        assert BankWires(matrix_circuit(board, bank), bank.settle_us).reads_cleanly is easy
