"""Board files: the shipped ones are whole, a wrong one is refused with file, line, found and expected."""

import random
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardware.description import (
    BoardDescription,
    BoardFileError,
    Buzzer,
    LampAt,
    SensorAt,
    board_names,
    board_path,
    load_board,
)

SMALL = """\
format = "boardumpire-board"
version = 1
id = "small"
name = "Small"
size = [100, 100]
games = ["lines"]
current_limit_ma = 500

[outlines]
square = { width = 40, height = 40 }

[banks.reeds]
rows = [4, 17]
columns = [23, 24]
diodes = true
settle_us = 50

[chains.lamps]
length = 4
order = "GRB"
by = ["spi", "pwm"]

[buttons]
confirm = { gpio = 5, at = [0, 0] }

[lamps]
turn = { lamp = 3, at = [50, 99] }

[defaults]
outline = "square"
bank = "reeds"
chain = "lamps"

[spaces]
a1 = { at = [25, 25], sensor = [0, 0], lamp = 0 }
b1 = { at = [75, 25], sensor = [0, 1], lamp = 1 }
town = { at = [50, 75], name = "Town", lamp = ["lamps", 2], slots = [
  { at = [40, 75], sensor = [1, 0] },
  { at = [60, 75], sensor = ["reeds", 1, 1] },
  { at = [50, 85], sensor = "none" },
] }
"""


def load(tmp_path: Path, text: str | bytes) -> BoardDescription:
    file = tmp_path / "board.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_board(file)


def refusal(tmp_path: Path, text: str | bytes) -> str:
    """The refusal, from the line number on."""
    with pytest.raises(BoardFileError) as caught:
        load(tmp_path, text)
    start = f"{tmp_path / 'board.toml'}:"
    assert str(caught.value).startswith(start)
    return str(caught.value).removeprefix(start)


def test_a_small_board_is_read_whole(tmp_path: Path) -> None:
    board = load(tmp_path, SMALL)
    assert list(board.slots) == ["a1", "b1", "town", "town/2", "town/3"]
    assert board.spaces["town"].name == "Town"
    assert board.slots["town/2"].sensor == SensorAt("reeds", 1, 1)
    assert board.slots["town/3"].sensor is None
    assert board.lamps == {
        "turn": LampAt("lamps", 3),
        "a1": LampAt("lamps", 0),
        "b1": LampAt("lamps", 1),
        "town": LampAt("lamps", 2),
    }
    assert board.slots_by_contact[SensorAt("reeds", 0, 1)] == "b1"
    assert board.chains["lamps"].claimed_gpios == (7, 8, 9, 10, 11, 18)
    assert board.buttons["confirm"].gpio == 5
    assert board.buzzer is None


@pytest.mark.parametrize("name", board_names())
def test_every_part_of_a_shipped_board_has_its_place(name: str) -> None:
    board = load_board(name)
    assert board.id == name
    ends = {(chain.id, index) for chain in board.chains.values() for index in range(chain.length)}
    assert {(at.chain, at.index) for at in board.lamps.values()} == ends
    if all(game.startswith("stratego") for game in board.games):
        assert set(board.lamps) == {*board.spaces, "turn-red", "turn-blue", *board.pads}
        assert set(board.buttons) == {"confirm", "cancel", "turn"}
    corners = [*board.named_lamps.values(), *(button.position for button in board.buttons.values())]
    for place in [*(slot.position for slot in board.slots.values()), *corners]:
        assert 0 <= place.x <= board.size.x
        assert 0 <= place.y <= board.size.y
    reeds = {
        (bank.id, r, c)
        for bank in board.banks.values()
        for r in range(len(bank.rows))
        for c in range(len(bank.columns))
    }
    felt = {tuple(slot.sensor or ()) for slot in board.slots.values()}
    assert felt <= reeds
    assert len(reeds) - len(felt) < max(len(bank.columns) for bank in board.banks.values()), "no row in vain"
    assert felt == reeds or board.lines, "a grid fills its matrix"


@pytest.mark.parametrize(("name", "side"), [("quick-battle-8x8", 8), ("classic-10x10", 10)])
def test_a_shipped_grid_board_lies_as_it_is_named(name: str, side: int) -> None:
    """Files go right, ranks up, rows are ranks, and neighbours in the chain are neighbours on the board."""
    board = load_board(name)
    for file in range(side):
        for rank in range(side):
            space = board.spaces["abcdefghij"[file] + str(rank + 1)]
            assert space.position == (42.5 + 45 * file, 42.5 + 45 * rank)
            assert space.slots[0].sensor == SensorAt("reeds", rank, file)
    chain = sorted(board.spaces.values(), key=lambda space: board.lamps[space.id].index)
    for one, other in pairwise(chain):
        assert abs(one.position.x - other.position.x) + abs(one.position.y - other.position.y) == 45


def test_the_small_board_leaves_spi_i2c_and_pwm_alone_and_of_the_uart_the_output() -> None:
    board = load_board("quick-battle-8x8")
    matrix = {*board.banks["reeds"].rows, *board.banks["reeds"].columns}
    buttons = {button.gpio for button in board.buttons.values()}
    assert len(matrix) == 16
    assert not matrix & {*range(4), *range(7, 12), 14, 15, 18}
    assert not buttons & {*matrix, *range(4), 10, 11, 14, 15, 18}
    assert board.buzzer is not None
    assert board.buzzer.gpio == 15


def test_a_buzzer_has_a_pin(tmp_path: Path) -> None:
    assert load(tmp_path, buzzing("gpio = 6")).buzzer == Buzzer(6)


def buzzing(line: str) -> str:
    return SMALL.replace("[lamps]", f"[buzzer]\n{line}\n\n[lamps]")


def changed(old: str, new: str) -> str:
    assert SMALL.count(old) == 1, old
    return SMALL.replace(old, new)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            changed("version = 1", "version = 2"),
            "2: version 2 of boardumpire-board, which is newer; try at most 1",
        ),
        (changed('format = "boardumpire-board"', 'format = "else"'), "1: format is 'else'; try format = "),
        (SMALL.removeprefix('format = "boardumpire-board"\n'), "1: version comes first; try format = "),
        ("", "1: an empty file; try format = "),
        (
            changed('id = "small"', 'id = "small"\ncolour = 1'),
            "4: unknown key colour; try one of format, ",
        ),
        (changed("diodes = true", "diodes = true\nresistor = 1"), "16: unknown key banks.reeds.resistor"),
        (changed('name = "Small"\n', ""), "1: the file has no key name; try a text"),
        (changed("diodes = true\n", ""), "12: banks.reeds has no key diodes; try true or false"),
        (changed("at = [25, 25], ", ""), "35: spaces.a1 has no key at; try [right, up]"),
        (
            changed("settle_us = 50", 'settle_us = "50"'),
            "16: banks.reeds.settle_us is '50'; try a whole number",
        ),
        (
            changed("settle_us = 50", "settle_us = true"),
            "16: banks.reeds.settle_us is True; try a whole number",
        ),
        (changed("diodes = true", "diodes = 1"), "15: banks.reeds.diodes is 1; try true or false"),
        (
            changed("b1 = {", "a1 = {"),
            "36: spaces.a1 a second time (first on line 35); try each key once",
        ),
        (changed("b1 = {", "turn = {"), "36: turn is a lamp's id already; try an id of its own"),
        (changed("b1 = {", "B1 = {"), "36: the id 'B1'; try small letters"),
        (
            changed("sensor = [0, 1]", "sensor = [0, 0]"),
            "36: spaces.b1.sensor is [0, 0]; try a contact of its own (a1",
        ),
        (
            changed('"reeds", 1, 1', '"reeds", 1, 0'),
            "37: spaces.town.slots.sensor is ['reeds', 1, 0]; try a contact of its own (town ",
        ),
        (
            changed("lamp = 1 }", "lamp = 0 }"),
            "36: spaces.b1.lamp is 0; try a place of its own in the chain (a1 ",
        ),
        (changed("lamp = 1 }", "lamp = 4 }"), "36: spaces.b1.lamp is 4; try an index below 4"),
        (changed("lamp = 1 }", "lamp = -1 }"), "36: spaces.b1.lamp is -1; try an index below 4"),
        (
            changed("sensor = [0, 1]", "sensor = [2, 1]"),
            "36: spaces.b1.sensor is [2, 1]; try a row below 2 and",
        ),
        (
            changed("sensor = [0, 1]", "sensor = [0, 1, 2]"),
            "36: spaces.b1.sensor is [0, 1, 2]; try [row, column]",
        ),
        (
            changed("sensor = [0, 1]", "sensor = [0.0, 1]"),
            "36: spaces.b1.sensor is [0.0, 1]; try [row, column]",
        ),
        (
            changed("rows = [4, 17]", "rows = [4, 4]"),
            "13: GPIO4 of rows of bank reeds belongs to rows of bank reeds",
        ),
        (
            changed("gpio = 5", "gpio = 23"),
            "24: GPIO23 of button confirm belongs to columns of bank reeds; try each",
        ),
        (buzzing("gpio = 5"), "27: GPIO5 of the buzzer belongs to button confirm; try each pin once"),
        (buzzing("gpio = 11"), "27: GPIO11 of the buzzer belongs to SPI (the lamps); try each pin once"),
        (buzzing("gpio = 28"), "27: buzzer.gpio is 28; try a whole number from 0 to 27"),
        (
            buzzing("gpio = 1"),
            "27: GPIO1, which the EEPROM of plugged boards needs; try GPIO2 to GPIO27",
        ),
        (buzzing("gpio = 2"), "27: GPIO2, which the Pi pulls up, for the buzzer; try another pin"),
        (buzzing(""), "26: buzzer has no key gpio; try a whole number from 0 to 27"),
        (buzzing("gpio = 6\ntone = 1"), "28: unknown key buzzer.tone; try one of gpio"),
        (
            changed('name = "Small"', 'name = "Small"\nbuzzer = 6'),
            "5: buzzer is 6; try a table",
        ),
        (
            changed("rows = [4, 17]", "rows = [4, 28]"),
            "13: GPIO28, which is not on the header; try a list of GPIO",
        ),
        (
            changed("rows = [4, 17]", "rows = [4, 10]"),
            "13: GPIO10 of rows of bank reeds belongs to SPI (the lamps)",
        ),
        (
            changed("rows = [4, 17]", "rows = [4, 7]"),
            "13: GPIO7 of rows of bank reeds belongs to SPI (the lamps)",
        ),
        (
            changed("rows = [4, 17]", "rows = [4, 18]"),
            "13: GPIO18 of rows of bank reeds belongs to the PWM of chain lamps",
        ),
        (changed("rows = [4, 17]", "rows = [4, 1]"), "13: GPIO1, which the EEPROM of plugged boards needs"),
        (changed("columns = [23, 24]", "columns = [23, 2]"), "14: GPIO2, which the Pi pulls up, as a column"),
        (
            SMALL.replace("[4, 17]", "[4, 3]").replace("true", "false"),
            "13: GPIO3, which the Pi pulls up, as a row without",
        ),
        (
            changed('by = ["spi", "pwm"]', 'by = ["pwm"]\nspi_claims = [10, 11]'),
            "22: spi_claims of a chain that is not",
        ),
        (
            changed('by = ["spi", "pwm"]', 'by = ["spi"]\nspi_claims = [10]'),
            "22: chains.lamps.spi_claims is [10]; try 10 and 11",
        ),
        (
            changed('by = ["spi", "pwm"]', 'by = ["usb"]'),
            "21: chains.lamps.by is ['usb']; try a list of",
        ),
        (changed('order = "GRB"', 'order = "GGB"'), "20: chains.lamps.order is 'GGB'; try one of RGB, "),
        (changed('bank = "reeds"', 'bank = "tags"'), "31: unknown bank 'tags'; try one of reeds"),
        (changed('"reeds", 1, 1', '"tags", 1, 1'), "37: unknown bank 'tags'; try one of reeds"),
        (changed('["lamps", 2]', '["strip", 2]'), "37: unknown chain 'strip'; try one of lamps"),
        (
            changed('outline = "square"', 'outline = "round"'),
            "30: unknown outline 'round'; try one of square",
        ),
        (
            changed("at = [75, 25]", "at = [175, 25]"),
            "36: spaces.b1.at is [175, 25]; try [right, up] in mm on the",
        ),
        (
            changed("at = [75, 25]", "at = [nan, 25]"),
            "36: spaces.b1.at is [nan, 25]; try [right, up] in mm on the",
        ),
        (
            changed("at = [0, 0]", "at = [0, -1]"),
            "24: buttons.confirm.at is [0, -1]; try [right, up] in mm",
        ),
        (
            changed("current_limit_ma = 500", "current_limit_ma = 63"),
            "7: current_limit_ma is 63; try at least 64 mA",
        ),
        (changed("current_limit_ma = 500", "current_limit_ma ="), "7: no TOML: Invalid value"),
        (SMALL + 'x = "', "42: no TOML: "),
        (b"# \xfc\n", "1: byte 0xfc, which is not UTF-8; try UTF-8 text"),
        (SMALL.encode() + b"\n\xff", "43: byte 0xff, which is not UTF-8"),
        (changed("size = [100, 100]", "size = [100]"), "5: size is [100]; try [width, height] in mm"),
        (changed('games = ["lines"]', "games = []"), "6: games is []; try a list of ids of games"),
        (changed('games = ["lines"]', "games = [1]"), "6: games is [1]; try a list of ids of games"),
        (
            changed("square = { width = 40,", "square = { width = 0,"),
            "10: outlines.square.width is 0; try mm, more than 0",
        ),
        (
            changed("square = {", 'square = { shape = "star",'),
            "10: outlines.square.shape is 'star'; try rectangle or ellipse",
        ),
        (
            changed("sensor = [0, 1]", "sensor = [0, 1], slots = []"),
            "36: b1 has both sensor and slots; try one of them",
        ),
        (SMALL[: SMALL.index("a1 =")], "34: a board without spaces; try at least one"),
        ("x = " + "[" * 5000, "1: no TOML: "),
        ("x = " + "9" * 5000, "1: no TOML: "),
        ("#" * 1_000_001, "1: 1000001 bytes; try a board file of at most 1000000"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(tmp_path: Path, text: str | bytes, answer: str) -> None:
    assert refusal(tmp_path, text).startswith(answer)


def test_a_path_without_a_file_and_an_unknown_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BoardFileError, match=r"gone\.toml: no such file; try a board file"):
        load_board(tmp_path / "gone.toml")
    with pytest.raises(BoardFileError, match="a folder; try a board file"):
        load_board(tmp_path)
    with pytest.raises(BoardFileError, match="try a board file"):
        load_board("a\0b/x.toml")
    with pytest.raises(
        BoardFileError, match=r"no board 'chess'; try classic-10x10, .*quick-battle-8x8, .* or the path"
    ):
        load_board("chess")


def test_a_shipped_board_is_also_read_by_its_path() -> None:
    import boardware

    path = Path(str(boardware.__file__)).parent / "boards" / "quick-battle-8x8.toml"
    assert load_board(str(path)) == load_board("quick-battle-8x8")


TOKENS = [
    "[",
    "]",
    "{",
    "}",
    '"',
    "=",
    ",",
    "\n",
    "-1",
    "0",
    "99",
    "4",
    "1e9",
    "true",
    "'x'",
    "#",
    "[a]",
    "\x00",
    "é",
]
pieces = re.findall(r"\w+|\s+|.", SMALL)


@given(st.integers(0, 2**32), st.integers(1, 6))
def test_a_mutated_file_is_read_or_refused_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, seed: int, times: int
) -> None:
    chance = random.Random(seed)
    parts = list(pieces)
    for _ in range(times):
        at = chance.randrange(len(parts))
        match chance.randrange(4):
            case 0:
                del parts[at]
            case 1:
                parts[at] = chance.choice(TOKENS)
            case 2:
                parts[at] = chance.choice(parts)
            case _:
                lines = "".join(parts).splitlines(keepends=True)
                line = chance.randrange(len(lines))
                lines.insert(chance.randrange(len(lines)), lines.pop(line) if at % 2 else lines[line])
                parts = re.findall(r"\w+|\s+|.", "".join(lines))
    read_or_refused(tmp_path_factory.getbasetemp() / "mutated.toml", "".join(parts).encode())


@given(st.binary(max_size=60), st.integers(0, len(SMALL)), st.integers(0, len(SMALL)))
def test_a_file_with_bytes_put_in_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, junk: bytes, start: int, end: int
) -> None:
    text = SMALL.encode()
    read_or_refused(tmp_path_factory.getbasetemp() / "junk.toml", text[:start] + junk + text[end:])


def read_or_refused(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    refused = ""
    try:
        assert load_board(file).spaces
    except BoardFileError as error:
        refused = str(error)
    if refused:
        match = re.match(re.escape(str(file)) + r":(\d+): .+; try .+", refused, re.DOTALL)
        assert match, refused
        assert 1 <= int(match[1]) <= data.count(b"\n") + 1


def test_lines_join_spaces_once(tmp_path: Path) -> None:
    text = board_path("fall-of-the-fuhrer").read_text(encoding="utf-8")
    for line, said in (
        ('rome = ["kiel"]', "a line from rome, which is no space"),
        ('innsbruck = ["rome"]', "names 'rome'; try ids of other spaces"),
        ('innsbruck = ["innsbruck"]', "names 'innsbruck'; try ids of other spaces"),
        ('innsbruck = ["salzburg"]', "a second line between innsbruck and salzburg"),
    ):
        path = tmp_path / "board.toml"
        path.write_text(f"{text}{line}\n", encoding="utf-8")
        with pytest.raises(BoardFileError, match=said) as caught:
            load_board(path)
        assert f"board.toml:{len(text.splitlines()) + 1}: " in str(caught.value)


def test_a_pico_sends_to_four_chains_at_most(tmp_path: Path) -> None:
    text = board_path("quick-battle-8x8-pico").read_text()
    more = "".join(
        f'\n[chains.more{gpio}]\npico = "pico"\ngpio = {gpio}\nlength = 1\norder = "GRB"\n'
        for gpio in (20, 22, 26, 27)
    )
    (tmp_path / "five.toml").write_text(text.replace("\n[buttons]", f"{more}\n[buttons]"))
    with pytest.raises(BoardFileError, match="try at most 4 chains a Pico"):
        load_board(tmp_path / "five.toml")


def test_a_file_is_found_without_its_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").write_text(board_path("quick-battle-8x8").read_text())
    monkeypatch.chdir(tmp_path)
    assert load_board("mine").id == "quick-battle-8x8"
    with pytest.raises(BoardFileError, match="no board ''"):
        load_board("")
