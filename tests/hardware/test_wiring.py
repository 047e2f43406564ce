"""The tables for makers come from the board files."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from boardware.description import BoardDescription, board_names, load_board
from boardware.header import HEADER_PIN_BY_GPIO
from boardware.wiring import main, pin_table

MAKERS = Path(__file__).parents[2] / "docs" / "build"
DOCUMENT = MAKERS / "header.md"


@pytest.mark.parametrize("name", board_names())
def test_a_page_names_each_shipped_board_and_says_how_to_print_its_pins(name: str) -> None:
    board = load_board(name)
    document = MAKERS / "pico.md" if board.picos else DOCUMENT
    if board.reader_banks:
        document = MAKERS / "tags.md"
    page = document.read_text()
    assert f"`{name}`" in page
    assert re.search(r"`boardumpire make paper [\w-]+ --into my-board`", page)


def test_the_table_names_each_pin_once_in_the_order_of_the_header(board: BoardDescription) -> None:
    lines = pin_table(board).splitlines()[2:]
    pins = [[int(cell) for cell in line.split("|")[1:3]] for line in lines]
    assert pins == sorted(pins)
    assert len({gpio for _, gpio in pins}) == len(pins) == 16 + 3 + 3 + 1
    assert all(HEADER_PIN_BY_GPIO[gpio] == pin for pin, gpio in pins)
    assert "| 7 | 4 | row 0 of `reeds`: a1 to h1 |" in lines
    assert "| 16 | 23 | column 0 of `reeds`: a1 to a8 |" in lines
    assert "| 10 | 15 | buzzer, through a transistor |" in lines
    assert "| 24 | 8 | button `confirm`, its other side to ground |" in lines


def test_the_header_has_28_pins_that_lie_where_they_lie() -> None:
    assert sorted(HEADER_PIN_BY_GPIO) == list(range(28))
    known = {
        2: 3,
        3: 5,
        14: 8,
        15: 10,
        18: 12,
        10: 19,
        9: 21,
        11: 23,
        8: 24,
        7: 26,
        0: 27,
        1: 28,
        26: 37,
        21: 40,
    }
    assert known.items() <= HEADER_PIN_BY_GPIO.items()
    ground_and_power = {1, 2, 4, 6, 9, 14, 17, 20, 25, 30, 34, 39}
    assert set(HEADER_PIN_BY_GPIO.values()) == set(range(1, 41)) - ground_and_power


def test_the_table_is_printed_by_name(capsys: pytest.CaptureFixture[str], board: BoardDescription) -> None:
    assert main(["quick-battle-8x8"]) == 0
    assert capsys.readouterr().out == pin_table(board)
    assert main(["chess"]) == 1
    assert "no board 'chess'" in capsys.readouterr().err
    assert main([]) == 2
    assert capsys.readouterr().err.startswith("usage: ")


def test_pins_that_spi_takes_are_shown(board: BoardDescription) -> None:
    chain = replace(board.chains["lamps"], claimed_gpios=(9, 10, 11))
    assert "| 21 | 9 | taken by SPI: leave open |" in pin_table(
        replace(board, chains={"lamps": chain}, buttons={})
    )
