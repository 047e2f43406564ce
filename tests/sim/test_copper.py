"""Current runs through the simulated matrix as it does in copper."""

import subprocess
import sys

import pytest

from boardsim.world.copper import Copper, CopperError, SolderedDiode
from boardsim.world.world import ContactBounce, World
from boardware.description import load_board

BOARD = load_board("quick-battle-8x8")


def scan(copper, *, idle=None):
    """The slots that look closed when one row after the other is driven high; idle rows float or are low."""
    felt = set()
    for bank in BOARD.banks.values():
        grid = copper.grid(bank.id)
        for column in range(grid.columns):
            grid.pull[grid.rows + column] = 0
        for row in range(grid.rows):
            for other in range(grid.rows):
                grid.set_drive(other, 1 if other == row else idle)
            for column in range(grid.columns):
                if grid.level(grid.rows + column):
                    felt.add(
                        next(s for at, s in BOARD.slots_by_contact.items() if at == (bank.id, row, column))
                    )
    return felt


def close(copper, *slots):
    for slot in slots:
        copper.set_closed(slot, True)


@pytest.mark.parametrize("idle", [None, 0])
def test_with_fine_diodes_exactly_the_closed_reeds_are_felt(idle):
    copper = Copper(BOARD)
    closed = {"a1", "b1", "a2", "h8", "c4", "d4"}
    close(copper, *closed)
    assert scan(copper, idle=idle) == closed


def test_three_corners_and_an_absent_diode_make_the_fourth_corner_a_ghost():
    copper = Copper(BOARD)
    close(copper, "a1", "b1", "a2")
    assert "b2" not in scan(copper)
    # Row 2 high: through a2 to column a, backwards through a1 to row 1, through b1 to column b.
    copper.set_diode("a1", SolderedDiode.ABSENT)
    assert scan(copper) == {"a1", "b1", "a2", "b2"}


def test_the_ghost_needs_the_diode_on_the_backward_way_to_be_missing():
    copper = Copper(BOARD)
    close(copper, "a1", "b1", "a2")
    copper.set_diode("b1", SolderedDiode.SHORTED)
    copper.set_diode("a2", SolderedDiode.SHORTED)
    assert scan(copper) == {"a1", "b1", "a2"}


def test_a_short_to_a_row_that_is_held_low_leaves_its_column_between_the_thresholds():
    copper = Copper(BOARD)
    close(copper, "a1", "a2", "a4")
    copper.set_diode("a1", SolderedDiode.SHORTED)
    assert scan(copper) == {"a1", "a2", "a4"}
    # While row 2 or 4 is high, column a hangs between it and row 1, which is low: it reads as before.
    assert scan(copper, idle=0) == {"a1", "a2"}


def test_a_broken_diode_is_never_felt_and_disturbs_nobody():
    copper = Copper(BOARD)
    close(copper, "a1", "b1", "a2")
    copper.set_diode("a1", SolderedDiode.BROKEN)
    assert scan(copper) == {"b1", "a2"}
    copper.set_diode("a1", SolderedDiode.FINE)
    assert scan(copper) == {"a1", "b1", "a2"}


def test_the_slow_way_agrees_with_the_fast_way_while_all_is_fine():
    fast, slow = Copper(BOARD), Copper(BOARD)
    slow.set_diode("h8", SolderedDiode.SHORTED)
    for copper in (fast, slow):
        close(copper, "a1", "b1", "a2", "b2", "g7", "g6", "e1")
    assert scan(fast) == scan(slow)


def test_a_world_file_is_seen_by_another_process_both_ways(tmp_path):
    path = tmp_path / "world"
    world = World.create_file(path, BOARD)
    world.copper.set_closed("c3", True)
    program = """
import sys
from boardsim.world.copper import Copper
from boardware.description import load_board
there = Copper.attach(sys.argv[1], load_board("quick-battle-8x8"))
assert there.closed("c3") and not there.closed("c4")
there.set_chain("lamps", [(1, 2, 3)] * 66)
there.close()
"""
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)
    assert world.copper.lamps()["a1"] == (1, 2, 3)
    assert world.copper.frame_count("lamps") == 1
    world.copper.close()


def test_a_file_that_is_no_world_of_this_board_is_refused_by_name(tmp_path):
    path = tmp_path / "world"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(CopperError, match="world: no world of this format; expected 'boardsim copper 1'"):
        Copper.attach(path, BOARD)
    blank = bytes(Copper(BOARD).cells)
    path.write_bytes(blank[:20] + b"?" + blank[21:])
    with pytest.raises(CopperError, match="a world of another board than quick-battle-8x8"):
        Copper.attach(path, BOARD)
    path.write_bytes(blank[:-1])
    with pytest.raises(CopperError, match=f"{len(blank) - 1} bytes; expected {len(blank)}"):
        Copper.attach(path, BOARD)


def edges_of(world, slot, until=10_000_000):
    felt, state = [], world.copper.closed(slot)
    while (at := world.next_edge()) is not None and at <= until:
        world.advance(at)
        if world.copper.closed(slot) != state:
            state = not state
            felt.append((at, state))
    return felt


def test_a_reed_chatters_within_its_limits_and_comes_to_rest():
    for seed in range(50):
        world = World(BOARD, seed=seed, bounce=ContactBounce())
        piece = world.new_piece("red")
        world.plan(1000, lambda at, w=world, p=piece: w.put(p, "a1", at))
        closing = edges_of(world, "a1")
        assert closing[0] == (1000, True)
        assert closing[-1][1]
        assert len(closing) >= 3
        assert closing[-1][0] <= 3000
        world.plan(9000, lambda at, w=world, p=piece: w.take(p, "a1", at))
        opening = edges_of(world, "a1")
        assert opening[0] == (9000, False)
        assert not opening[-1][1]
        assert opening[-1][0] <= 10200
        assert not world.copper.closed("a1")


def test_the_same_seed_gives_the_same_edges_in_however_many_steps():
    def run(seed, step):
        world = World(BOARD, seed=seed)
        for number, slot in enumerate(["a1", "b2", "a3"]):
            piece = world.new_piece("red")
            world.plan(1000 + 300 * number, lambda at, p=piece, s=slot, w=world: w.put(p, s, at))
        states = []
        for now in range(0, 6000, step):
            world.advance(now)
            if now % 100 == 0:
                states.append(bytes(world.copper.cells))
        return states

    assert run(1, 1) == run(1, 50) == run(1, 100)
    assert run(1, 100) != run(2, 100)


def test_chatter_ends_when_the_contact_changes_again():
    world = World(BOARD, bounce=ContactBounce(close_us=(2000, 2000), close_pairs=(5, 5)))
    piece = world.new_piece("red")
    world.plan(1000, lambda at: world.put(piece, "a1", at))
    world.plan(1100, lambda at: world.take(piece, "a1", at))
    world.advance(20_000)
    assert not world.copper.closed("a1")
    assert world.next_edge() is None


def test_the_past_cannot_be_planned():
    world = World(BOARD)
    world.advance(500)
    with pytest.raises(ValueError, match="499 us is past: the world is at 500 us"):
        world.plan(499, lambda at: None)
