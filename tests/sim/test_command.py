"""`boardumpire sim`: JSON lines out, exit codes, and one clear line for input that is wrong."""

import json

import pytest

from boardrules.record import parse, write
from boardsim.people.play_record import difference
from boardumpire.cli import main
from sim.games import random_record
from table.twins import unsealed

SCRIPT = """\
setup red a1=F b1=B a2=B c1=S d1=3 d2=3 e1=2 a3=2 f1=10 h3=9
setup blue a8=F b8=B a7=B c8=S d8=9 d7=3 e8=2 a6=2 f8=10 h6=3
lift h3
place h4
wait 500
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "game.hands"
    path.write_text(SCRIPT)
    return path


def test_a_script_writes_json_lines(script, capsys):
    assert main(["sim", "run", str(script), "--lamps"]) == 0
    out, err = capsys.readouterr()
    told = [json.loads(line) for line in out.splitlines()]
    assert err == ""
    assert {line["kind"] for line in told} == {"turn", "ruling", "lamps"}
    assert {"h3": "lifted", "h4": "may-go"}.items() <= told[-4]["on"].items()


def test_every_driver_says_the_same(script, capsys):
    said = set()
    for driver in ("gpio-sim", "rpigpio-sim"):
        for lamps in ("neopixel-spi-sim", "neopixel-pwm-sim"):
            assert (
                main(["sim", "run", str(script), "--driver", driver, "--lamp-driver", lamps, "--lamps"]) == 0
            )
            said.add(unsealed(capsys.readouterr().out))
    assert len(said) == 1


def test_a_journal_is_kept_where_it_is_wanted(script, tmp_path, capsys):
    journal = tmp_path / "journal" / "journal.db"
    journal.parent.mkdir()
    assert main(["sim", "run", str(script), "--journal", str(journal)]) == 0
    assert journal.exists()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--game", "chess"], "unknown game 'chess'"),
        (["--announce", "loud"], "option announce is 'loud'; try one of ranks, silent"),
        (["--option", "announce"], "--option 'announce' has no value; try NAME=VALUE"),
        (["--option", "shuttle=9"], "option shuttle is 9"),
        (["--secret", "green"], "--secret 'green': no such seat; try one of red, blue"),
        (["--board", "nowhere"], "no board 'nowhere'"),
    ],
)
def test_a_wrong_word_is_one_clear_line(script, words, complaint, capsys):
    assert main(["sim", "run", str(script), *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("boardumpire: ")
    assert complaint in err
    assert err.count("\n") == 1


def test_a_wrong_script_and_a_missing_one_are_named(tmp_path, capsys):
    path = tmp_path / "bad.hands"
    path.write_text("setup red a1=F\nlift a9\n")
    assert main(["sim", "run", str(path)]) == 2
    assert f"{path}:2: found 'a9'; try a space of quick-battle-8x8" in capsys.readouterr().err
    assert main(["sim", "run", str(tmp_path / "none")]) == 2
    assert "none: No such file or directory; try another file" in capsys.readouterr().err


def test_a_journal_that_is_refused_gets_nothing_beside_it(script, tmp_path, capsys):
    assert main(["sim", "run", str(script), "--journal", str(tmp_path / "none" / "j.db")]) == 2
    told = f"boardumpire: {tmp_path}/none/j.db: no directory {tmp_path}/none; make it, or name another one\n"
    assert capsys.readouterr().err == told
    other = tmp_path / "other"
    other.mkdir()
    (other / "j.db").write_bytes(b"no journal" * 500)
    assert main(["sim", "run", str(script), "--journal", str(other / "j.db")]) == 2
    assert "not a whole boardumpire-journal" in capsys.readouterr().err
    assert [path.name for path in other.iterdir()] == ["j.db"]
    assert not (tmp_path / "none").exists()


def test_bytes_that_are_no_text_are_named_and_a_byte_order_mark_is_no_error(script, tmp_path, capsys):
    binary = tmp_path / "binary"
    binary.write_bytes(b"lift a3\n\xff\xfe")
    for verb, expected in (("run", "a hand script"), ("play", "a record")):
        assert main(["sim", verb, str(binary)]) == 2
        told = f"boardumpire: {binary}:2: byte 0xff, which is not UTF-8; try {expected}\n"
        assert capsys.readouterr() == ("", told)
    script.write_bytes(b"\xef\xbb\xbf" + script.read_bytes())
    assert main(["sim", "run", str(script)]) == 0


def test_a_record_is_played_and_comes_out_equal(tmp_path, capsys):
    record = random_record(4, longest=20)
    path = tmp_path / "game.record"
    path.write_text(write(record))
    assert main(["sim", "play", str(path)]) == 0
    assert difference(record, parse(capsys.readouterr().out)) is None


def test_a_wrong_record_is_named_with_its_line(tmp_path, capsys):
    path = tmp_path / "game.record"
    path.write_text("boardumpire-record 1\ngame chess\nactions\n")
    assert main(["sim", "play", str(path)]) == 2
    assert f"{path}: LINE 2: unknown game 'chess'" in capsys.readouterr().err
