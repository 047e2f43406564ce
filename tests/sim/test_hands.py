"""What the real reed and button drivers feel of every verb of the hands, with contacts that bounce."""

from functools import partial
from pathlib import Path

import pytest

from boardsim.bench.bench import PIN_LIBRARIES
from boardsim.hands.hands import PACES, HandsError
from boardsim.world.copper import SolderedDiode
from boardware import description
from boardware.ports import MS, ButtonPressed, HardwareTrouble
from sim.bench import changes, felt, listening


@pytest.fixture(params=range(5))
def bench(request):
    made = listening(seed=request.param)
    yield made
    made.close()


def do(bench, verb, *args):
    if verb == "slide":
        args = (args,)
    bench.run_until(getattr(bench.hands, verb)(*args, now=bench.now))


def stand(bench, *spaces, owner="red"):
    for space in spaces:
        bench.run_until(bench.hands.stand(owner, space, bench.now))
    bench.wait(100 * MS)
    bench.table.events.clear()


@pytest.mark.parametrize("driver", PIN_LIBRARIES)
def test_a_piece_set_down_and_lifted_is_felt_once_each(driver):
    for seed in range(10):
        bench = listening(seed=seed, driver=driver)
        do(bench, "stand", "red", "a3")
        do(bench, "lift", "a3")
        bench.wait(100 * MS)
        (placed, _, _), (lifted, _, _) = felt(bench)
        assert changes(bench) == [("a3", True), ("a3", False)]
        # Set down after 300 ms of reach and 160 of lowering, felt for the last 36; debounced by 5 to 15.
        assert 424 <= placed <= 460
        # Lifted from 460 ms on: 300 ms of reach, 36 ms until the magnet is too far.
        assert 796 <= lifted <= 830
        bench.close()


def test_a_piece_is_carried_and_keeps_its_identity(bench):
    stand(bench, "a3")
    piece = bench.world.standing()["a3"]
    do(bench, "lift", "a3")
    assert bench.world.standing() == {}
    do(bench, "place", "a4")
    bench.wait(100 * MS)
    assert bench.world.standing() == {"a4": piece}
    assert changes(bench) == [("a3", False), ("a4", True)]


def test_a_slide_closes_and_opens_every_reed_on_its_way(bench):
    stand(bench, "a3")
    do(bench, "slide", "a3", "a6")
    bench.wait(100 * MS)
    told = changes(bench)
    for square in ("a4", "a5"):
        assert [present for slot, present in told if slot == square] == [True, False]
    assert [change for change in told if change[0] in ("a3", "a6")] == [("a3", False), ("a6", True)]
    assert list(bench.world.standing()) == ["a6"]


def test_between_two_squares_a_slid_piece_is_felt_by_neither_or_by_both():
    both = neither = 0
    for seed in range(40):
        bench = listening(seed=seed)
        stand(bench, "a3")
        end = bench.hands.slide(["a3", "a4"], bench.now)
        bench.run_until(end + 100 * MS)
        if changes(bench)[0] == ("a4", True):
            both += 1
        else:
            neither += 1
        bench.close()
    assert both > 5
    assert neither > 5


def test_a_slow_diagonal_slide_is_three_reeds(bench):
    bench.hands.pace = PACES["slow"]
    stand(bench, "a1")
    do(bench, "slide", "a1", "c3")
    bench.wait(100 * MS)
    assert {slot for slot, _ in changes(bench)} == {"a1", "b2", "c3"}


def test_a_tap_is_a_dip_of_the_touched_reed_and_the_attacker_stays_up(bench):
    stand(bench, "a3", "a4")
    do(bench, "tap", "a3", "a4")
    bench.wait(100 * MS)
    assert changes(bench) == [("a3", False), ("a4", False), ("a4", True)]
    (_, _, _), (down, _, _), (up, _, _) = felt(bench)
    assert 20 <= up - down <= 175  # a dip of 30 to 150 ms, a scan every 10, 5 of debounce
    assert [held.origin for held in bench.hands.held] == ["a3"]
    assert list(bench.world.standing()) == ["a4"]


def test_a_piece_set_down_upon_another_is_not_felt(bench):
    stand(bench, "a3", "a4")
    do(bench, "lift", "a3")
    do(bench, "place", "a4")
    bench.wait(100 * MS)
    assert changes(bench) == [("a3", False)]
    assert len(bench.world.standing()["a4"]) == 2
    do(bench, "lift", "a4")
    bench.wait(100 * MS)
    assert changes(bench) == [("a3", False)]


def test_a_knocked_piece_is_no_longer_felt_but_lies_there(bench):
    stand(bench, "e5")
    do(bench, "knock", "e5")
    bench.wait(200 * MS)
    assert changes(bench)[0] == ("e5", False)
    assert ("e5", True) not in changes(bench)
    (piece,) = bench.world.standing()["e5"]
    assert bench.world.fallen() == {piece}
    do(bench, "lift", "e5")
    do(bench, "place", "e5")
    bench.wait(100 * MS)
    assert changes(bench)[-1] == ("e5", True)
    assert not bench.world.fallen()


def test_some_knocked_pieces_roll_past_a_neighbour():
    rolled = 0
    for seed in range(40):
        bench = listening(seed=seed)
        stand(bench, "e5")
        do(bench, "knock", "e5")
        bench.wait(300 * MS)
        passed = [slot for slot, present in changes(bench) if present]
        assert set(passed) <= {"d5", "f5", "e4", "e6"}
        rolled += bool(passed)
        bench.close()
    assert 3 <= rolled <= 20


def test_one_of_several_held_pieces_is_named_by_where_it_was_lifted(bench):
    stand(bench, "a3", "b3")
    first, second = bench.world.standing()["a3"][0], bench.world.standing()["b3"][0]
    do(bench, "lift", "a3")
    do(bench, "lift", "b3")
    bench.run_until(bench.hands.place("a4", bench.now, "a3"))
    do(bench, "put_beside_board")
    assert bench.world.standing() == {"a4": (first,)}
    assert bench.hands.beside == [second]
    bench.run_until(bench.hands.fetch(second, bench.now))
    do(bench, "place", "b4")
    assert bench.world.standing() == {"a4": (first,), "b4": (second,)}


def test_a_press_is_told_once(bench):
    do(bench, "press", "confirm")
    bench.wait(200 * MS)
    assert [e.button for e in bench.table.events if isinstance(e, ButtonPressed)] == ["confirm"]


def test_a_button_is_held_for_as_long_as_is_said(bench):
    bench.world.bounce = None
    now = bench.now
    end = bench.hands.hold("turn", 700 * MS, now)
    assert end == now + bench.hands.pace.reach_us + 700 * MS
    bench.run_until(end - 1)
    assert bench.world.copper.is_button_down("turn")
    bench.run_until(end)
    assert not bench.world.copper.is_button_down("turn")


@pytest.mark.parametrize(
    ("act", "complaint"),
    [
        (lambda hands: hands.lift("a1", 0), "no piece on a1"),
        (lambda hands: hands.lift("z9", 0), "no space 'z9' on the board quick-battle-8x8"),
        (lambda hands: hands.place("a1", 0), "no piece in the hands"),
        (lambda hands: hands.place("a1", 0, "a2"), "no piece from a2 in the hands"),
        (lambda hands: hands.slide(["a1"], 0), "at least two squares"),
        (lambda hands: hands.slide(["a1", "a1"], 0), "goes nowhere"),
        (lambda hands: hands.hold("bell", 9, 0), "no button 'bell'; try one of: confirm, cancel, turn"),
        (lambda hands: hands.press("bell", 0), "no button 'bell'; try one of: confirm, cancel, turn"),
    ],
)
def test_what_hands_cannot_do_is_said(act, complaint):
    bench = listening()
    with pytest.raises(HandsError, match=complaint):
        act(bench.hands)
    bench.close()


def test_a_nudged_piece_is_not_felt_for_a_moment(bench):
    stand(bench, "a3")
    do(bench, "nudge", "a3")
    bench.wait(100 * MS)
    assert changes(bench) == [("a3", False), ("a3", True)]


def test_a_piece_on_a_border_is_felt_twice_until_it_is_centred_or_lifted(bench):
    stand(bench, "a3")
    do(bench, "lift", "a3")
    do(bench, "straddle", "a4", "b4")
    bench.wait(100 * MS)
    assert changes(bench) == [("a3", False), ("a4", True), ("b4", True)]
    do(bench, "centre", "a4")
    bench.wait(100 * MS)
    assert changes(bench)[3:] == [("b4", False)]
    do(bench, "lift", "a4")
    do(bench, "straddle", "a5", "a4")
    do(bench, "lift", "a5")
    bench.wait(100 * MS)
    assert bench.table.ports.sensors.present() == set()


def test_a_board_is_cleared_and_rebuilt(bench):
    stand(bench, "a3", "b3")
    before = bench.world.standing()
    do(bench, "clear")
    bench.wait(100 * MS)
    assert (bench.world.standing(), bench.table.ports.sensors.present()) == ({}, set())
    do(bench, "rebuild")
    bench.wait(100 * MS)
    assert bench.world.standing() == before
    assert bench.table.ports.sensors.present() == {"a3", "b3"}


def test_a_board_turned_half_round_feels_its_pieces_at_the_other_end(bench):
    stand(bench, "a1", "b3")
    bench.world.plan(bench.now, bench.world.turn_board)
    bench.wait(100 * MS)
    assert bench.table.ports.sensors.present() == {"h8", "g6"} == bench.world.standing().keys()


def test_a_stuck_reed_says_nothing_new_until_it_is_mended(bench):
    stand(bench, "a3")
    for closed, present in ((True, {"a3"}), (False, set()), (None, {"a3"})):
        bench.world.plan(bench.now, partial(bench.world.stick, "a3", closed))
        bench.wait(100 * MS)
        assert bench.table.ports.sensors.present() == present
    bench.world.plan(bench.now, partial(bench.world.stick, "a3", True))
    do(bench, "lift", "a3")
    bench.wait(100 * MS)
    assert bench.table.ports.sensors.present() == {"a3"}
    bench.world.plan(bench.now, partial(bench.world.stick, "a3", None))
    bench.wait(100 * MS)
    assert bench.table.ports.sensors.present() == set()


def test_a_slide_over_a_piece_is_refused(bench):
    stand(bench, "a3", "a5")
    with pytest.raises(HandsError, match="a piece stands on a5; slide over empty spaces"):
        bench.hands.slide(["a3", "a6"], bench.now)


def test_an_absent_diode_masks_where_idle_rows_are_held_low(bench):
    stand(bench, "a1", "b1", "a2", "a4")
    bench.world.plan(bench.now, partial(bench.world.solder, "a1", SolderedDiode.ABSENT))
    bench.wait(100 * MS)
    # While row 2 or 4 is high, a1's bridge pulls column a down to 1.4 V: it reads as in the row before.
    assert changes(bench) == [("a4", False)]


def test_three_corners_of_a_board_without_diodes_are_a_ghost_that_the_driver_reports(tmp_path):
    shipped = Path(description.__file__).parent / "boards" / "quick-battle-8x8.toml"
    path = tmp_path / "bare.toml"
    path.write_text(shipped.read_text().replace("diodes = true", "diodes = false"))
    bench = listening(board=str(path))
    for space in ("a1", "b1", "a2"):
        do(bench, "stand", "red", space)
    bench.wait(200 * MS)
    troubles = [event for event in bench.table.events if isinstance(event, HardwareTrouble)]
    assert {trouble.code for trouble in troubles} == {"ghost"}
    assert "b2" not in bench.table.ports.sensors.present()
    bench.close()
