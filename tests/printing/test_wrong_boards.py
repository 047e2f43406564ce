"""A board that is described wrong is refused: each mistake with its own sentence, exactly."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boardumpire.cli import main
from boardware.description import board_path

RIGHT = """\
format = "boardumpire-board"
version = 1
id = "small"
name = "Small"
size = [200, 160]
games = ["fall-of-the-fuhrer"]
current_limit_ma = 500

[outlines]
square = { width = 40, height = 40 }

[picos.pico]

[banks.reeds]
pico = "pico"
rows = [10, 11]
columns = [0, 1]
diodes = true
settle_us = 50

[chains.lamps]
pico = "pico"
gpio = 16
length = 5
order = "GRB"

[sensing]
sensor = "reed on end 15-20 AT"
magnet = "8x3"
gap_mm = 6
poles = "mixed"

[buttons]
confirm = { pico = "pico", gpio = 17, at = [20, 8] }

[lamps]
turn-red = { lamp = 4, at = [180, 8] }

[defaults]
outline = "square"
bank = "reeds"
chain = "lamps"

[spaces]
a1 = { at = [40, 40], sensor = [0, 0], lamp = 0 }
b1 = { at = [140, 40], sensor = [0, 1], lamp = 1 }
a2 = { at = [40, 120], sensor = [1, 0], lamp = 2 }
b2 = { at = [140, 120], sensor = [1, 1], lamp = 3 }

[lines]
a1 = ["b1", "a2"]
"""

CASES = {
    "a game that nobody knows": (
        'games = ["fall-of-the-fuhrer"]',
        'games = ["ludo"]',
        ":6: games: refused: ludo isn't installed; install its package, or try one of escape-from-colditz,"
        " fall-of-the-fuhrer, stratego-barrage, stratego-classic, stratego-duel, stratego-quick-barrage,"
        " stratego-quick-duel",
    ),
    "a game of more squares": (
        'games = ["fall-of-the-fuhrer"]',
        'games = ["stratego-quick-duel"]',
        ":6: games: refused: stratego-quick-duel can't be played: board small has no square a3;"
        " try 8x8 squares, lakes on c4, c5, f4, f5",
    ),
    "two spaces on each other": (
        "at = [140, 40], sensor",
        "at = [60, 40], sensor",
        ":46: spaces.b1: refused: overlaps a1 by 20.0 mm; move them apart",
    ),
    "a name that rings the bell": (
        'name = "Small"',
        'name = "Sm\\u0007all"',
        ":4: name is 'Sm\\x07all'; try a text of one line, without control characters",
    ),
    "a name of two lines": (
        'name = "Small"',
        'name = "Small\\nboard"',
        ":4: name is 'Small\\nboard'; try a text of one line, without control characters",
    ),
    "a space over the edge": (
        "at = [140, 120], sensor",
        "at = [140, 150], sensor",
        ":48: spaces.b2: refused: its outline square reaches 10.0 mm over the edge; keep all of it on the"
        " board of 200 x 160",
    ),
    "a link through another space": (
        'a1 = ["b1", "a2"]',
        'a1 = ["b2"]\n\n[outlines.post]\nwidth = 8\nheight = 8\n\n[spaces.post]\nat = [90, 80]\n'
        'outline = "post"\nsensor = "none"',
        ":51: lines.a1: refused: the line to b2 runs under post (5.6 mm); move post aside",
    ),
    "a lamp drilled into a reed's hole": (
        "sensor = [0, 0], lamp = 0",
        "sensor = [0, 0], lamp = 0, lamp_at = [42, 40]",
        ":45: spaces.a1: refused: its lamp hole of 6 mm cuts the sensor hole of a1: 2.0 mm apart; keep"
        " 5.5 or more",
    ),
    "a lamp in another space": (
        "sensor = [0, 0], lamp = 0",
        "sensor = [0, 0], lamp = 0, lamp_at = [130, 40]",
        ":45: spaces.a1: refused: its lamp shines in b1; move it out of other spaces",
    ),
    "a lamp of no space in a space": (
        "lamp = 4, at = [180, 8]",
        "lamp = 4, at = [130, 30]",
        ":37: lamps.turn-red: refused: its lamp shines in b1; move it out of other spaces",
    ),
    "a button into a reed": (
        "gpio = 17, at = [20, 8]",
        "gpio = 17, at = [44, 40]",
        ":34: buttons.confirm: refused: its button hole of 12 mm cuts the sensor hole of a1: 4.0 mm apart;"
        " keep 8.5 or more",
    ),
    "a button that the edge cuts": (
        "gpio = 17, at = [20, 8]",
        "gpio = 17, at = [20, 2]",
        ":34: buttons.confirm: refused: the button at 20, 2 is cut by the edge; leave room for its hole of"
        " 12 mm",
    ),
    "two sensors at one place": (
        "at = [140, 40], sensor",
        "at = [40, 40], sensor",
        ":27: sensing: refused: a1 and b1 lie at one place; move one of them",
    ),
    "a sensor that is open below its magnet": (
        '"reed on end 15-20 AT"',
        '"reed flat 15-20 AT"',
        ":27: sensing: refused: reed flat 15-20 AT, 8x3 N42, gap 6 mm: a piece on the middle of its space"
        " isn't sensed; 8.9 mm needed, 8.9 mm missing; a reed flat is open below a magnet; try aside_mm,"
        " about 9 for a reed",
    ),
    "a magnet upside down over a switch of one pole": (
        '"reed on end 15-20 AT"',
        '"TLE4964-1M"',
        ':27: sensing: refused: TLE4964-1M senses one pole only; try poles = "up", or a sensor that'
        " feels both",
    ),
    "a row that settles too briefly": (
        "settle_us = 50",
        "settle_us = 5",
        ":14: banks.reeds: refused: a row settles in 16 us, 22 us with the worst parts (213 pF, 80 kOhm); "
        "settle_us = 5 is 11 us too short: pieces of the row before show as ghosts; try at least 22, or"
        " a smaller pull_down_ohm",
    ),
    "data too low for the lamps": (
        'order = "GRB"',
        'order = "GRB"\nshifter = false',
        ":21: chains.lamps: refused: data is 3.3 V; lamps at 5 V need 3.50 V: 0.20 V are missing; try a"
        " level shifter, or a supply of at most 4.7 V",
    ),
    "a pin used twice": (
        "gpio = 16",
        "gpio = 10",
        ":16: GP10 of rows of bank reeds belongs to chain lamps; try each pin once",
    ),
    "two lamps at one place of the chain": (
        "lamp = 1 }",
        "lamp = 0 }",
        ":46: spaces.b1.lamp is 0; try a place of its own in the chain (a1 is on it)",
    ),
    "a lamp beyond the chain": (
        "length = 5",
        "length = 4",
        ":37: lamps.turn-red.lamp is 4; try an index below 4, from 0",
    ),
    "two reeds on one contact": (
        "sensor = [0, 1]",
        "sensor = [0, 0]",
        ":46: spaces.b1.sensor is [0, 0]; try a contact of its own (a1 is on it)",
    ),
    "a contact outside of the matrix": (
        "sensor = [1, 1]",
        "sensor = [2, 1]",
        ":48: spaces.b2.sensor is [2, 1]; try a row below 2 and a column below 2, from 0",
    ),
    "a space beside the board": (
        "at = [140, 120], sensor",
        "at = [240, 120], sensor",
        ":48: spaces.b2.at is [240, 120]; try [right, up] in mm on the board of 200 x 160",
    ),
    "an unknown outline": (
        'outline = "square"\nbank',
        'outline = "circle"\nbank',
        ":40: unknown outline 'circle'; try one of square",
    ),
    "an unknown key": (
        "lamp = 2 }",
        "lamp = 2, light = 3 }",
        ":47: unknown key spaces.a2.light; try one of at, name, outline, sensor, lamp, lamp_at, reader,"
        " slots",
    ),
    "a line to nowhere": (
        '["b1", "a2"]',
        '["b1", "c3"]',
        ":51: lines.a1 names 'c3'; try ids of other spaces",
    ),
    "a place for a lamp that isn't there": (
        "sensor = [0, 1], lamp = 1 }",
        "sensor = [0, 1], lamp_at = [150, 50] }",
        ":46: lamp_at of b1, which has no lamp; try a lamp, or no lamp_at",
    ),
    "columns of a Pico that are no neighbours": (
        "columns = [0, 1]",
        "columns = [0, 2]",
        ":17: banks.reeds.columns is [0, 2]; try neighbours in rising order, as [0, 1]",
    ),
}


def told(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    status = main(["board", "check", str(path)])
    out, err = capsys.readouterr()
    return status, out + err


def test_the_right_one_is_not_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.toml"
    path.write_text(RIGHT)
    status, text = told(path, capsys)
    assert status == 0
    assert "refused" not in text


def test_a_matrix_without_diodes_is_in_doubt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three pieces make a ghost on any rectangle of contacts."""
    path = tmp_path / "board.toml"
    path.write_text(RIGHT.replace("diodes = true", "diodes = false"))
    doubt = "banks.reeds: doubt: without diodes three pieces on the corners of a rectangle feign a fourth"
    assert doubt in told(path, capsys)[1]
    path.write_text(RIGHT)
    assert "feign a fourth" not in told(path, capsys)[1]


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_is_refused_with_file_line_what_was_found_and_what_was_expected(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    was, becomes, sentence = CASES[name]
    assert RIGHT.count(was) == 1, name
    path = tmp_path / "board.toml"
    path.write_text(RIGHT.replace(was, becomes))
    status, text = told(path, capsys)
    assert status != 0
    assert f"{path}{sentence}" in text.replace("boardumpire: ", "").splitlines(), text


def test_there_are_twenty() -> None:
    assert len(CASES) >= 20
    assert len({sentence for _, _, sentence in CASES.values()}) == len(CASES)


HEAD = 'format = "boardumpire-config"\nversion = 1\n'
SHIPPED = board_path("classic-10x10-pico")


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ('outline = "lake", sensor = [5, 7]', "sensor = [5, 7]", "has no lake on h6"),
        ("sensor = [6, 7]", 'outline = "lake", sensor = [6, 7]', "has a lake on h7"),
        ("j10 = {", "k10 = {", "has no square j10"),
        (
            r"(c5 = \{.*), lamp = 42 \}",
            r"\1 }\nk1 = { at = [5, 5], sensor = 'none', lamp = 42 }",
            "has a square k1",
        ),
    ],
)
def test_squares_and_lakes_are_compared_with_the_games(
    was: str, becomes: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And a table doesn't begin such a game on it."""
    path = tmp_path / "board.toml"
    text = SHIPPED.read_text()
    changed = re.sub(was if was.startswith("(") else re.escape(was), becomes, text)
    path.write_text(changed)
    status, lines = told(path, capsys)
    assert status != 0
    expected = "try 10x10 squares, lakes on c5, c6, d5, d6, g5, g6, h5, h6"
    sentence = (
        f"games: refused: stratego-barrage can't be played: board classic-10x10-pico {said}; {expected}"
    )
    assert sentence in lines
    settings = tmp_path / "settings.toml"
    settings.write_text(f'{HEAD}[board]\nname = "{path}"\n[game]\nid = "stratego-barrage"\n')
    assert main(["check-config", "--no-machine", "--config", str(settings)]) != 0
    err = capsys.readouterr().err
    assert said in err or said.replace("square ", "") in err  # where pieces stand first is looked for by id


def test_a_board_without_the_squares_of_its_lakes_is_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody goes there: they need no space."""
    path = tmp_path / "board.toml"
    text = re.sub(r"\n[a-h][1-8] = .*lake.*", "", board_path("quick-battle-8x8").read_text())
    path.write_text(text)
    status, lines = told(path, capsys)
    assert (status, "can't be played" in lines) == (0, False)
