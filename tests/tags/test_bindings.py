"""Which tag is which piece is settled as a game begins: no later read tells whether two ranks are alike."""

from pathlib import Path

import pytest

from boardsim.bench.bench import parse_setup
from boardumpire.journal.journal import Store
from tags.games import BARRAGE, PADS, Told, with_readers

ARMY = "setup a3=9 b3=3 c1=2 h3=2 e1=F e3=B f2=10 h2=S"
THEIRS = "setup a6=9 b6=3 h6=2 c8=2 e6=F e8=B f7=10 h7=S"
THEIR_OTHER_SCOUT, OTHERS = "c8", ("e8", "e6", "b6")


def set_up(board, journal=None):
    """Both armies stand, and are said by phone."""
    told = Told(board, game=BARRAGE, journal=journal)
    bench = told.bench
    for seat, army in (("red", ARMY), ("blue", THEIRS)):
        for space, label in parse_setup(army):
            bench.run_until(bench.hands.stand(seat, space, bench.now, label))
        bench.say(seat, army)
    told.wait(3000)
    assert told.faults() == []
    return told


def fallen_scouts(board, journal=None):
    """The Scouts of h3 and h6 have met, both lie beside the board."""
    told = set_up(board, journal)
    told.attack("h3", "h6")
    told.wait(3000)
    told.messages.clear()
    return told


def outcome(told):
    said = told.faults(), told.questions(), sorted(told.bench.table.guidance.corrections)
    told.bench.close()
    return said


def shown(told, space):
    """Red shows the blue Scout that fell, while blue's piece of a space is up."""
    told.lift(space)
    told.show("pad-red", "h6")
    told.place(space, space)
    told.wait(6000)


@pytest.mark.few(1)
@pytest.mark.parametrize("space", [THEIR_OTHER_SCOUT, *OTHERS])
def test_a_fallen_piece_that_is_shown_for_another_tells_nothing_and_stops_nothing(space):
    told = fallen_scouts(PADS)
    shown(told, space)
    assert outcome(told) == ([], [], [])


@pytest.mark.parametrize("other", ["c8", "e8"])
def test_of_two_that_are_up_before_the_first_move_a_pad_tells_nothing(other):
    """Two Scouts, or a Scout and a Bomb: what is shown is bound to neither."""
    told = set_up(PADS)
    told.messages.clear()
    told.lift(other, "h6")
    told.show("pad-red", "h6")
    told.place("h6", "h6")
    told.place(other, other)
    told.wait(6000)
    assert outcome(told) == ([], ["same-places"], [])


def test_after_a_fallen_piece_was_shown_the_other_side_plays_on():
    told = fallen_scouts(PADS)
    told.show("pad-red", "h6")
    told.lift("a6")
    told.place("a5")
    told.wait(3000)
    assert told.faults() == []
    told.bench.close()


def put_in_its_place(told, space):
    """While the power is off the fallen Scout is stood where another piece stood."""
    told.bench.kill()
    told.lift(space)
    told.place(space, "h6")
    told.messages.clear()
    told.bench.start()
    told.wait(6000)


@pytest.mark.few(1)
@pytest.mark.parametrize("space", [THEIR_OTHER_SCOUT, *OTHERS])
def test_a_fallen_piece_in_the_place_of_another_is_noticed_alike_whatever_that_one_is(space, tmp_path):
    told = fallen_scouts(with_readers(), tmp_path / "journal.db")
    put_in_its_place(told, space)
    faults, questions, chores = outcome(told)
    assert faults == [("swapped", [space])]
    assert questions == []
    assert [chore.space for chore in chores] == [space]


@pytest.mark.few(1)
@pytest.mark.parametrize("one", [THEIR_OTHER_SCOUT, "e8"])
def test_two_pieces_swapped_before_the_first_move_are_noticed_alike(one, tmp_path):
    """Two Scouts, or a Scout and a Bomb."""
    told = Told(with_readers(), game=BARRAGE, journal=tmp_path / "journal.db")
    told.army("red", ARMY)
    told.army("blue", THEIRS)
    told.bench.kill()
    told.lift(one, "h6")
    told.place(one, "h6")
    told.place("h6", one)
    told.messages.clear()
    told.bench.start()
    told.wait(6000)
    faults, questions, _ = outcome(told)
    assert {space for _, spaces in faults for space in spaces} == {one, "h6"}
    assert questions == []


def test_the_journal_keeps_bindings_sealed_and_equally_long_and_never_an_id(tmp_path):
    sizes = set()
    for name, theirs in (
        ("one", THEIRS),
        ("two", THEIRS.replace("=9", "=x").replace("=2", "=9", 1).replace("=x", "=2")),
    ):
        file = Path(tmp_path / f"{name}.db")
        told = Told(with_readers(), game=BARRAGE, journal=file)
        told.army("red", ARMY)
        told.army("blue", theirs)
        ids = [
            tag.uid for tag in (told.bench.tags.box.tag(p[0]) for p in told.bench.world.standing().values())
        ]
        table = told.bench.table
        told.bench.say("red", "resign")
        told.wait(2000)
        assert table.view(None)["phase"] != "play"
        told.bench.close()
        raw = file.read_bytes()
        assert len(ids) == 16
        assert not any(uid in raw or uid.hex().encode() in raw for uid in ids)
        store = Store.open_read_only(file)
        notes = [entry for entry in store.public_entries(1) if entry.text.startswith("bound ")]
        assert notes, "opened at the end, as all that was sealed"
        assert len(store.commitments(1)) == 2, "what is proved are actions"
        sizes.add(tuple(len(entry.text) for entry in notes))
        store.close()
    assert len(sizes) == 1
