"""Every part of the bench can fail, alone, and be mended; what is sensed then is what copper would do."""

import random

import pytest

from boardsim.world import faults
from boardsim.world.faults import PartFault
from boardsim.world.world import World
from boardware.description import load_board
from sim.bench import changes, listening

BOARD = load_board("quick-battle-8x8")


def looks(world):
    """What current finds: every column read for every row driven, and what the lamps show."""
    seen = []
    for bank in world.board.banks.values():
        grid = world.copper.grid(bank.id)
        grid.pull[grid.rows :] = [0] * grid.columns
        for row in range(grid.rows):
            for other in range(grid.rows):
                grid.set_drive(other, 1 if other == row else 0)
            seen.append([grid.level(grid.rows + column) for column in range(grid.columns)])
    return (
        seen,
        dict(world.copper.lamps()),
        [world.copper.is_button_down(button) for button in world.board.buttons],
    )


def stood(*slots):
    world = World(BOARD, bounce=None)
    for slot in slots:
        world.put(world.new_piece("red"), slot, 0)
    world.advance(0)
    world.copper.set_chain("lamps", [(1, 2, 3)] * BOARD.chains["lamps"].length)
    return world


@pytest.mark.parametrize("kind", faults.KINDS)
def test_a_fault_changes_what_is_seen_and_mending_it_undoes_that(kind):
    found = [fault for fault in faults.every_fault(BOARD) if fault.kind == kind]
    every_other = [slot for number, slot in enumerate(BOARD.slots) if number % 3]
    for fault in random.Random(kind).sample(found, min(6, len(found))):
        world = stood(*every_other)
        if kind == "reed-closed":
            world = stood(*(slot for slot in every_other if slot != fault.where))
        if kind in ("reed-open", "diode-open"):
            world = stood(fault.where)
        if kind in ("diode-shorted", "diode-reversed"):
            # It ties a row that rests low to a driven column: too low for what comes after a gap.
            world = stood(*{*every_other, fault.where})
        before = looks(world)
        faults.inject(world, fault, 0)
        world.advance(1)
        if kind == "button-open":
            world.set_button(fault.where, True, 2)
            world.advance(2)
            assert looks(world) == before
            faults.inject(world, fault, 3, mend=True)
            world.set_button(fault.where, True, 4)
            world.advance(4)
            assert looks(world) != before
            continue
        assert looks(world) != before, fault
        faults.inject(world, fault, 2, mend=True)
        world.advance(3)
        assert looks(world) == before, fault


def test_a_dead_lamp_darkens_itself_and_the_chain_behind_it():
    world = stood()
    faults.inject(world, PartFault("lamp-dead", "lamps:16"), 0)
    dark = {lamp for lamp, colour in world.copper.lamps().items() if colour == (0, 0, 0)}
    assert dark == {lamp for lamp, at in BOARD.lamps.items() if at.index >= 16}


def test_a_cut_row_is_not_felt_through_gpiozero_and_the_others_are():
    bench = listening()
    faults.inject(bench.world, PartFault("row-cut", "reeds:2"), 0)
    for space in ("a2", "a3", "a4"):
        bench.run_until(bench.hands.stand("red", space, bench.now))
    bench.wait(100_000)
    assert changes(bench) == [("a2", True), ("a4", True)]


def test_faults_read_back_and_what_is_no_fault_of_this_board_is_refused():
    for fault in faults.every_fault(BOARD):
        assert faults.parse(str(fault), BOARD) == fault
    for text in ("reed-open z9", "row-cut reeds:8", "lamp-dead lamps:66", "rust a1", ""):
        with pytest.raises(ValueError, match="fault"):
            faults.parse(text, BOARD)
