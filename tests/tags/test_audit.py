"""In a game under way tags say who stands where: what was swapped is found, what would be asked is known."""

import pytest

from boardware.ports import SECOND
from tags.games import BARRAGE, PADS, Told, with_readers

ARMY = "setup a3=9 b3=3 c1=2 c3=2 e1=F e3=B f2=10 h2=S"
THEIRS = "setup a6=9 b6=3 c6=2 c8=2 e6=F e8=B f7=10 h7=S"


@pytest.fixture
def told():
    yield from under_way(with_readers())


@pytest.fixture
def pads():
    yield from under_way(PADS)


def under_way(board):
    one = Told(board, game=BARRAGE)
    one.army("red", ARMY)
    one.army("blue", THEIRS)
    one.wait()
    assert one.faults() == []
    one.messages.clear()
    yield one
    one.bench.close()


def chores(told):
    return {(chore.kind, chore.space) for chore in told.bench.table.guidance.corrections}


def test_two_pieces_up_and_home_again_raise_no_question(told):
    told.lift("a3", "b3")
    told.place("b3", "b3")
    told.place("a3", "a3")
    told.wait(3000)
    assert told.questions() == []
    assert told.faults() == []
    assert chores(told) == set()


def test_two_pieces_that_traded_places_in_hands_have_to_trade_back(told):
    told.lift("a3", "b3")
    told.place("b3", "a3")
    told.place("a3", "b3")
    told.wait(3000)
    assert told.questions() == []
    assert chores(told) == {("take", "a3"), ("take", "b3")}
    told.lift("a3", "b3")
    told.wait(500)
    told.place("a3", "b3")  # named by where it was lifted: it is the one that belongs there
    told.place("b3", "a3")
    told.wait(3000)
    assert chores(told) == set()
    assert told.questions() == []


def test_which_of_two_pieces_moved_is_known(told):
    told.lift("a3", "b3")
    told.place("a4", "a3")
    told.place("b3", "b3")
    told.wait(3000)
    assert told.questions() == []
    assert [m.data["action"] for m in told.messages if m.kind == "ruling"] == ["a3-a4"]


def test_pieces_that_traded_places_while_the_power_was_off_are_a_fault_that_tells_no_rank(tmp_path):
    told = Told(with_readers(), game=BARRAGE, journal=tmp_path / "journal.db")
    told.army("red", ARMY)
    told.army("blue", THEIRS)
    told.bench.kill()
    told.lift("a3", "f2")
    told.place("f2", "a3")
    told.place("a3", "f2")
    told.messages.clear()
    told.bench.start()
    told.wait(4000)
    faults = [m.data for m in told.messages if m.kind == "fault"]
    assert {(f["code"], *f["spaces"]) for f in faults} == {("swapped", "a3", "f2")}
    assert all(f["text"] == "The wrong piece is on a3 f2." for f in faults)
    assert chores(told) == {("take", "a3"), ("take", "f2")}
    told.lift("a3", "f2")
    told.place("a3", "f2")
    told.place("f2", "a3")
    told.wait(4000)
    assert chores(told) == set()
    assert told.questions() == []
    told.bench.close()


def test_a_piece_of_the_same_rank_will_not_do_either(tmp_path):
    """Else a fault would tell that two ranks differ, and none that they are alike."""
    told = Told(with_readers(), game=BARRAGE)
    told.army("red", ARMY)
    told.army("blue", THEIRS)
    told.messages.clear()
    bench = told.bench
    told.lift("c1", "c3")  # both Scouts
    told.place("c3", "c1")
    told.place("c1", "c3")
    told.wait(3000)
    assert chores(told) == {("take", "c1"), ("take", "c3")}
    bench.close()


def test_a_captured_piece_cannot_come_back_in_the_place_of_another(told):
    bench = told.bench
    moves = [("a3", "a4"), ("b6", "b5"), ("a4", "a5"), ("b5", "b4")]
    for origin, target in moves:
        told.lift(origin)
        told.place(target)
        told.wait(1000)
    told.attack("b3", "b4")  # Miner against Miner: both fall
    told.wait(3000)
    fallen = [held.origin for held in bench.hands.held]
    assert set(fallen) == {"b3", "b4"}
    told.messages.clear()
    told.lift("c6")  # blue's Scout; but its Miner that fell is set down where that stood
    told.place("b6", "b4")
    told.wait(4000)
    assert ("swapped", ["b6"]) in told.faults()


def test_after_a_fall_nobody_is_asked(told):
    bench = told.bench
    for space in ("a3", "b3", "c3"):
        bench.run_until(bench.hands.knock(space, bench.now))
    told.wait(7000)
    assert [code for code, _ in told.faults()] == ["pieces-down"]
    for space in ("a3", "b3", "c3"):
        told.lift(space)
        told.place(space, space)
    told.wait(5000)
    assert told.questions() == []
    assert chores(told) == set()


def test_an_attacker_set_upon_the_defender_is_felt_by_its_tag(told):
    for origin, target in [("a3", "a4"), ("f7", "f6"), ("a4", "a5")]:
        told.lift(origin)
        told.place(target)
        told.wait(1000)
    told.messages.clear()
    told.lift("a6")
    told.place("a5")
    told.wait(2000)
    assert told.questions() == []
    rulings = [m.data["action"] for m in told.messages if m.kind == "ruling"]
    assert rulings == ["a6-a5"]


def test_a_dead_reader_is_told_and_play_goes_on(told):
    told.bench.tags.banks["squares"].chips[3].dead = True
    told.bench.wait(20 * SECOND)
    assert ("reader-mute", []) in told.faults()
    told.lift("a3")
    told.place("a4")
    told.wait(1000)
    assert [m.data["action"] for m in told.messages if m.kind == "ruling"] == ["a3-a4"]


def test_a_cloned_tag_is_found_out_where_the_piece_should_not_be(told):
    bench = told.bench
    pieces = bench.world.standing()
    bench.tags.box.clone(pieces["b3"][0], pieces["a3"][0])
    told.lift("b3")
    told.place("b4")
    told.wait(3000)
    assert told.faults() == [("swapped", ["b4"])]
    assert "ruling" not in told.kinds()


@pytest.mark.slow
def test_on_a_board_with_pads_a_question_is_answered_by_showing_the_piece(pads):
    pads.lift("a3", "b3")
    pads.place("a3", "a3")
    pads.place("b3", "b3")
    pads.wait(2000)
    assert pads.questions() == ["same-places"]
    assert pads.bench.table.marks["pad-red"] == "asks"
    pads.lift("a3")
    pads.show("pad-red")
    pads.place("a3")
    pads.wait(2000)
    assert pads.questions() == ["same-places"]
    assert pads.bench.table.guidance.question is None


@pytest.mark.slow
def test_a_piece_shown_to_a_pad_that_is_not_the_one_lifted_is_a_fault_when_it_is_stood(pads):
    bench = pads.bench
    standing = bench.world.standing()
    one, other = standing["a3"][0], standing["b3"][0]
    bench.tags.box.clone(one, other)  # what stands on a3 says that it is the piece of b3
    pads.lift("a3")
    pads.show("pad-red")
    pads.place("a3")
    pads.wait(4000)
    assert ("swapped", ["a3"]) in pads.faults()


@pytest.mark.slow
def test_silent_battles_tell_the_outcome_alone():
    for board in (with_readers(), PADS):
        told = Told(board, game=BARRAGE, options={"announce": "silent"})
        told.army("red", ARMY)
        told.army("blue", THEIRS)
        for origin, target in [("a3", "a4"), ("f7", "f6"), ("a4", "a5")]:
            told.lift(origin)
            told.place(target)
            told.wait(1000)
        told.messages.clear()
        told.attack("a6", "a5")
        if board == PADS:
            told.show("pad-blue", "a6", "a5")
        told.wait(3000)
        (battle,) = [m.data for m in told.messages if m.kind == "ruling"]
        assert battle["events"] == [{"kind": "battle", "from": "a6", "to": "a5", "result": "both"}]
        told.bench.close()


def test_a_piece_that_lies_though_its_reed_feels_it_is_noticed_by_its_tag(told):
    bench = told.bench
    (piece,) = bench.world.standing()["a3"]
    bench.tags.box.remove_tag(piece)  # as good as lying: felt, and not read
    bench.wait(30 * SECOND)
    assert told.faults() == [("lying", ["a3"])]
    assert chores(told) == {("take", "a3")}
    told.lift("a3")
    told.place("a3", "a3")
    told.wait(40_000)
    assert chores(told) == set()
    assert told.faults() == [("lying", ["a3"])]


def test_a_piece_that_fell_as_its_reed_dipped_is_noticed_for_it_is_not_read_again(told):
    bench = told.bench
    (piece,) = bench.world.standing()["a3"]
    told.lift("a3")
    bench.tags.box.remove_tag(piece)  # as good as lying: it is set down and not read
    told.place("a3", "a3")
    told.wait(8000)
    assert told.faults() == [("lying", ["a3"])]
    assert chores(told) == {("take", "a3")}


def test_a_tag_that_broke_is_called_lying_once_alone(told):
    bench = told.bench
    (piece,) = bench.world.standing()["a3"]
    bench.tags.box.remove_tag(piece)
    for _ in range(3):
        told.lift("a3")
        told.place("a3", "a3")
        told.wait(20_000)
    told.lift("a3")
    told.place("a4")
    told.wait(20_000)
    assert told.faults() == [("lying", ["a3"])]
    assert [m.data["action"] for m in told.messages if m.kind == "ruling"] == ["a3-a4"]


def test_a_piece_on_a_dead_reader_does_not_lie(told):
    bench = told.bench
    number = next(at.number for at, slot in bench.world.board.slots_by_reader.items() if slot == "a4")
    bench.tags.banks["squares"].chips[number].dead = True
    told.lift("a3")
    told.place("a4")
    told.wait(20_000)
    assert told.faults() == [("reader-mute", [])]
    assert [m.data["action"] for m in told.messages if m.kind == "ruling"] == ["a3-a4"]
