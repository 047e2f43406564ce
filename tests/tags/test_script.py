"""Hand scripts on boards with tags: an army is learnt from a pad, led by a file alone."""

import json

import pytest

from boardsim.bench.bench import parse_setup
from boardumpire.cli import main
from tags.games import BARRAGE, PADS

ARMY = "setup a1=F b1=B c1=S d1=2 e1=2 f1=3 g1=9 h1=10"
RUN = ("sim", "run", "--game", BARRAGE, "--board", PADS, "--lamps")


def shown(army):
    return "".join(f"take red {label}\nshow pad-red\nplace {space}\n" for space, label in parse_setup(army))


@pytest.fixture
def run(tmp_path, capsys):
    def run(text, *words):
        path = tmp_path / "it.hands"
        path.write_text(text)
        code = main([*RUN, *words, str(path)])
        said = capsys.readouterr()
        return code, [json.loads(line) for line in said.out.splitlines()], said.err

    return run


@pytest.mark.slow
def test_an_army_is_set_up_by_showing_its_pieces_to_the_pad(run):
    def told(army):
        code, lines, _ = run(shown(army) + "wait 6000\n", "--tags")
        assert code == 0
        return lines

    lines = told(ARMY)
    assert [(line["seat"], line["ok"]) for line in lines if line["kind"] == "ruling"] == [("red", True)]
    other = told(ARMY.replace("=10", "=x").replace("=9", "=10").replace("=x", "=9"))
    for line in lines + other:
        line.pop("commitment", None)
    assert lines == other, "what was shown is told nobody"


def test_a_piece_that_is_held_over_a_pad_for_a_moment_is_read_without_the_script_waiting(run):
    text = "over pad-red red/3/7 1500\npath red/3/7 0:22,22,40 200:22,22,40\nwait 1500\n"
    _, told, _ = run(text, "--tags")
    assert [line["pad"] for line in told if line["kind"] == "shown"] == ["pad-red"]


def test_without_tags_nothing_can_be_shown(run, capsys):
    code, told, error = run("lift a1\n".replace("lift a1", "take red 3") + "show pad-red\n")
    assert (code, told) == (2, [])
    assert "it.hands:2: 'show', but pieces have no tags here; try --tags" in error


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("show pad-green", "try a pad of quick-battle-8x8-pads (pad-blue, pad-red)"),
        ("show pad-red", "no piece in the hands"),
        ("over pad-red red/3 100", "try OWNER/LABEL/NUMBER"),
    ],
)
def test_what_is_wrong_in_a_line_about_a_pad_is_said_with_its_line(run, line, expected):
    code, _, error = run(f"wait 1\n{line}\n", "--tags")
    assert code == 2
    assert "it.hands:2: " in error
    assert expected in error


def test_a_board_that_reads_no_tags_says_so(tmp_path, capsys):
    path = tmp_path / "it.hands"
    path.write_text("wait 1\n")
    assert main(["sim", "run", "--tags", str(path)]) == 2
    assert "--tags: quick-battle-8x8 has nothing that reads them" in capsys.readouterr().err
