"""Enrolling: the lamp of a pad leads from piece to piece, no screen needed; the commands around it."""

import subprocess
import sys
from pathlib import Path

import pytest

from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.commands.tags import pieces_to_enrol
from boardumpire.tags import tag_roster
from boardumpire.tags.enrolment import INITIAL_READ_US, TagEnrolment
from boardumpire.tags.tag_roster import TagRoster
from boardware.ports import MS, SECOND
from tags.games import PADS, with_readers

ARMIES = tag_roster.hand_set_armies(["stratego-quick-barrage"])


class EnrolBench:
    """A bench whose table is an enrolment."""

    def __init__(self, board, pieces, before=None):
        self.said, self.kept = [], []
        before = before or (lambda bench: None)

        def factory(board, game, options, ports, journal, settings, now, enrolled=""):
            return _Turned(
                TagEnrolment(
                    ports, self.bench.board, TagRoster(), pieces, ARMIES, self.kept.append, self.said.append
                ),
                now,
            )

        self.bench = Bench(BenchSettings(board=board, tags=True), factory)
        before(self.bench)
        self.bench.start()
        self.one = self.bench.table.one

    def show(self, owner, label):
        bench = self.bench
        bench.run_until(bench.tags.take_and_show(bench.hands, "pad-red", owner, label, bench.now))
        bench.wait(SECOND)

    def lamp(self, name):
        return self.bench.world.copper.lamps()[name]


class _Turned:
    """As the runner wants a table to be."""

    def __init__(self, one, now):
        self.one, self.ports, self.marks = one, one.ports, {}
        self.step(now)

    def step(self, now):
        self.ports.sensors.step(now)
        self.ports.console.step(now)
        return self.one.step(now)

    def take_messages(self):
        return ()

    def close(self):
        self.ports.close()


def test_pieces_are_asked_for_one_after_the_other_and_the_lamp_says_so():
    one = EnrolBench(PADS, [("red", "10"), ("red", "9")])
    bench = one.bench
    assert one.lamp("pad-red") == (0, 0, 0)
    bench.wait(INITIAL_READ_US + 100 * MS)
    red, green, blue = one.lamp("pad-red")
    assert (red, green) == (0, 0)
    assert blue
    bench.run_until(bench.tags.take_and_show(bench.hands, "pad-red", "red", "x", bench.now) - 100 * MS)
    red, green, blue = one.lamp("pad-red")  # known: it may go
    assert (red, blue) == (0, 0)
    assert green
    bench.wait(SECOND)
    one.show("red", "y")
    assert one.one.is_done
    assert one.said == [
        "red 10: show it to a pad (2 to go)",
        "red 10: known",
        "red 9: show it to a pad",
        "red 9: known",
    ]
    assert [len(kept) for kept in one.kept] == [1, 2]
    bench.close()


def test_a_tag_that_is_known_already_is_refused_and_the_piece_asked_for_still():
    one = EnrolBench(PADS, [("red", "10"), ("red", "9")])
    bench = one.bench
    bench.wait(INITIAL_READ_US)
    one.show("red", "x")
    bench.run_until(bench.tags.show(bench.hands, "pad-red", bench.now) - 300 * MS)
    assert one.lamp("pad-red")[1:] == (0, 0)
    bench.wait(2 * SECOND)
    assert not one.one.is_done
    assert one.said[-1] == "red 9: this tag is in another piece already; use one of its own"
    bench.close()


def test_where_there_is_no_pad_a_piece_is_stood_over_any_reader():
    one = EnrolBench(with_readers(), [("red", "10")])
    bench = one.bench
    bench.wait(2 * SECOND)
    bench.run_until(bench.hands.stand("red", "d4", bench.now, "x"))
    bench.wait(SECOND)
    assert one.said == ["red 10: show it to any square", "red 10: known"]
    bench.run_until(bench.hands.lift("d4", bench.now))
    bench.wait(SECOND)
    assert one.one.is_done
    bench.close()


def known(one):
    return [[piece for _, piece in kept] for kept in one.kept]


def test_what_stood_there_at_the_start_is_not_taken_until_it_was_lifted():
    one = EnrolBench(
        with_readers(),
        [("red", "10"), ("red", "9")],
        lambda bench: bench.world.advance(bench.hands.stand("blue", "h8", 0, "F")),
    )
    bench = one.bench
    bench.wait(30 * SECOND)
    assert one.said == [
        "h8: something is there already; nothing is taken there until all was lifted",
        "red 10: show it to any square (2 to go)",
    ]
    assert one.kept == []
    bench.run_until(bench.hands.lift("h8", bench.now))
    bench.wait(SECOND)
    bench.run_until(bench.hands.place("h8", bench.now))
    bench.wait(SECOND)
    assert known(one) == [[("red", "10")]]
    bench.close()


def test_a_piece_that_is_stood_beside_one_that_is_known_is_taken_once_it_was_lifted():
    one = EnrolBench(with_readers(), [("red", "10"), ("red", "9")])
    bench = one.bench
    bench.wait(2 * SECOND)
    for space, label in (("d4", "x"), ("e4", "y")):
        bench.run_until(bench.hands.stand("red", space, bench.now, label))
        bench.wait(SECOND)
    assert one.said[-1] == "e4: one piece at a time; nothing is taken there until all was lifted"
    bench.run_until(bench.hands.lift("d4", bench.now))
    bench.wait(20 * SECOND)
    assert one.said[-1] == "red 9: show it to any square"
    assert known(one) == [[("red", "10")]]
    bench.run_until(bench.hands.lift("e4", bench.now))
    bench.wait(SECOND)
    bench.run_until(bench.hands.place("e4", bench.now, "e4"))
    bench.wait(SECOND)
    assert known(one)[1:] == [[("red", "10"), ("red", "9")]]
    bench.close()


def in_hand(bench, *spaces):
    for number, space in enumerate(spaces):
        bench.run_until(bench.hands.stand("red", space, bench.now, str(number)))
        bench.run_until(bench.hands.lift(space, bench.now))


def test_of_two_pieces_shown_at_once_none_is_taken_and_the_lamp_flashes_red():
    one = EnrolBench(PADS, [("red", "10"), ("red", "9")])
    bench = one.bench
    bench.wait(INITIAL_READ_US)
    in_hand(bench, "a1", "b1")
    bench.run_until(bench.tags.show(bench.hands, "pad-red", bench.now, ["a1", "b1"]) - 300 * MS)
    assert one.lamp("pad-red")[1:] == (0, 0)
    bench.wait(2 * SECOND)
    assert one.said[1:] == [
        "pad-red: one piece at a time; nothing is taken there until all was lifted",
        "red 10: show it to a pad (2 to go)",
    ]
    assert one.kept == []
    bench.run_until(bench.tags.show(bench.hands, "pad-red", bench.now, ["a1"]))
    assert known(one) == [[("red", "10")]]
    bench.close()


def test_a_piece_beside_which_another_turns_up_is_forgotten_again():
    """The second was not read at first: nobody knows which of both was meant."""
    one = EnrolBench(PADS, [("red", "10"), ("red", "9")])
    bench = one.bench
    bench.wait(INITIAL_READ_US)
    in_hand(bench, "a1", "b1")
    over = bench.tags.pieces_over_pads["pad-red"]
    for space in ("a1", "b1"):
        over.append(bench.hands.held_piece(space).piece)
        bench.wait(500 * MS)
    assert one.said[1:] == [
        "red 10: known",
        "red 10: forgotten again, there are two pieces",
        "pad-red: one piece at a time; nothing is taken there until all was lifted",
    ]
    assert known(one) == [[("red", "10")], []]
    over.clear()
    bench.wait(SECOND)
    assert one.said[-1] == "red 10: show it to a pad (2 to go)"
    assert not one.one.is_done
    bench.close()


def test_what_is_missing_is_asked_for():
    assert len(pieces_to_enrol(ARMIES, TagRoster(), [])) == 16
    roster = TagRoster().with_piece(tag_roster.TagId(b"\x04abc"), ("red", "2"), ARMIES)
    assert pieces_to_enrol(ARMIES, roster, ["red", "2"]) == [("red", "2")]
    with pytest.raises(tag_roster.TagError, match="red 1: no such piece"):
        pieces_to_enrol(ARMIES, roster, ["red", "1"])


def run(folder, *words):
    config = folder / "c.toml"
    if not config.exists():
        config.write_text(
            'format = "boardumpire-config"\nversion = 1\n'
            f'[board]\nname = "{PADS}"\n[drivers]\ntags = "pn532"\n'
            '[tags]\nports = { pad-red = "/dev/null", pad-blue = "/dev/null" }\n'
            f'[pieces]\ntags = "{folder}/tags"\n'
        )
    done = subprocess.run(
        [str(Path(sys.executable).with_name("boardumpire")), "tags", *words, "--config", str(config)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
def test_lists_are_exported_imported_and_counted(tmp_path):
    text = "boardumpire-tags 1\n04a1b2c3d4e5f6 red 10\n04a1b2c3d4e5f7 red 3\n"
    (tmp_path / "in").write_text(text)
    (tmp_path / "in").chmod(0o600)
    assert run(tmp_path, "import", str(tmp_path / "in")) == (0, "2 pieces are known\n", "")
    code, out, err = run(tmp_path, "import", str(tmp_path / "in"))
    assert (code, out) == (2, "")
    assert err.endswith("in:2: red 10: this tag is in another piece already; use one of its own\n")
    code, out, _ = run(tmp_path, "list")
    assert code == 0
    assert "red 10     1 of 1\n" in out
    assert "blue F     0 of 1\n" in out
    assert "a1b2" not in out
    code, out, _ = run(tmp_path, "export")
    assert [line for line in out.splitlines() if not line.startswith("#")] == [
        "boardumpire-tags 1",
        "04a1b2c3d4e5f6 red 10",
        "04a1b2c3d4e5f7 red 3",
    ]
    (tmp_path / "in").chmod(0o644)
    code, _, err = run(tmp_path, "import", str(tmp_path / "in"), "--replace")
    assert (code, err) == (0, f"{tmp_path}/in: found mode 0644: others may read every rank there\n")


@pytest.mark.slow
def test_an_export_never_goes_over_a_file_that_is_there(tmp_path):
    (tmp_path / "dear").write_text("something else")
    code, out, err = run(tmp_path, "export", str(tmp_path / "dear"))
    assert (code, out) == (2, "")
    assert err.endswith("dear: it exists already; try another name\n")
    assert (tmp_path / "dear").read_text() == "something else"
    assert run(tmp_path, "export", str(tmp_path))[0] == 2
    code, _, err = run(tmp_path, "export", str(tmp_path / "no" / "new"))
    assert (code, err.partition("/no/new: ")[2]) == (
        2,
        f"no folder {tmp_path}/no; try one that exists\n",
    )
    assert not (tmp_path / "no").exists()
    assert run(tmp_path, "export", str(tmp_path / "new")) == (0, "", "")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o600


def test_a_file_without_an_end_is_no_list(tmp_path):
    code, _, err = run(tmp_path, "import", "/dev/zero")
    assert code == 2
    assert err.endswith("/dev/zero: more than 1000000 bytes; try a list of tags\n")


def test_enrolling_without_a_reader_says_why(tmp_path):
    code, _, err = run(tmp_path, "enrol")
    assert code == 2
    assert err.startswith("boardumpire: ")
    code, _, err = run(tmp_path, "import", str(tmp_path / "none"))
    said = "can't be read: No such file or directory; try a file that `boardumpire tags export` made"
    assert (code, err) == (2, f"boardumpire: {tmp_path}/none: {said}\n")
