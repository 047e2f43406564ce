"""A board's wires are judged by the model: what works with its margin, what can't with what is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from boardmake.physics.electrics import chain_length_m, chain_supply, matrix_circuit
from boardmake.physics.judging import verdicts
from boardware.description import BoardFileError, board_names, board_path, load_board
from boardware.physics.verdict import Grade, ModelVerdict
from boardware.physics.volts import WORST_TOLERANCE

PICO = board_path("quick-battle-8x8-readers").read_text()
BANK, CHAIN = "diodes = true\n", "length = 66\n"


def judged(
    tmp_path: Path, bank: str = "", chain: str = "", pico: str = "", **changed: str
) -> list[ModelVerdict]:
    text = PICO.replace(BANK, BANK + bank, 1).replace(CHAIN, CHAIN + chain, 1)
    text = text.replace("[picos.pico]\n", "[picos.pico]\n" + pico, 1)
    for key, value in changed.items():
        line = next(line for line in text.splitlines() if line.startswith(f"{key} ="))
        text = text.replace(line, f"{key} = {value}", 1)
    path = tmp_path / "board.toml"
    path.write_text(text)
    return verdicts(load_board(path))


def one(found: list[ModelVerdict], grade: Grade) -> str:
    (verdict,) = [each for each in found if each.grade is grade]
    return str(verdict)


@pytest.mark.parametrize("name", board_names())
def test_what_ships_works_with_the_worst_parts(name: str) -> None:
    found = verdicts(load_board(name))
    assert [str(each) for each in found if each.grade is not Grade.FINE] == []
    assert {each.table_key for each in found} > {f"banks.{bank}" for bank in load_board(name).banks}


def test_the_old_advice_for_long_cables_is_refused_with_what_is_missing(tmp_path: Path) -> None:
    found = judged(tmp_path, "row_ohm = 1000\npull_down_ohm = 10000\n")
    assert one(found, Grade.REFUSED) == (
        "banks.reeds: refused: a full row is 8 pieces; 1000 Ohm a row, 1N4148, pull-downs of 50 to 80 kOhm"
        " beside 10 kOhm carry 2 with usual parts, 1 with the worst: 1.38 V arrive, 0.62 V are missing;"
        " try row_ohm of at most 110"
    )


def test_the_new_advice_for_long_cables_works_for_a_full_row_of_ten_on_every_chip(tmp_path: Path) -> None:
    for name in ("classic-10x10", "classic-10x10-pico"):
        board = load_board(name)
        wires = matrix_circuit(board, board.banks["reeds"])
        long = wires._replace(row_ohm=100, pull_down_ohm=22e3, cable_pf=1000)
        assert long.pieces_felt_max(WORST_TOLERANCE) >= 10
        assert long.settle_us(WORST_TOLERANCE) < board.banks["reeds"].settle_us


def test_a_row_that_may_be_too_weak_is_a_doubt(tmp_path: Path) -> None:
    found = judged(tmp_path, "row_ohm = 220\npull_down_ohm = 10000\n")
    text = one(found, Grade.DOUBT)
    assert "carry 11 with usual parts, 5 with the worst" in text
    assert "0.14 V are missing" in text


def test_too_short_a_settle_time_is_named(tmp_path: Path) -> None:
    found = judged(tmp_path, "cable_m = 10\n", settle_us="20")
    text = one(found, Grade.REFUSED)
    assert "a row settles in 51 us, 70 us with the worst parts (687 pF, 80 kOhm)" in text
    assert "settle_us = 20 is 31 us too short" in text
    assert "try at least 70" in text
    assert not [each for each in judged(tmp_path, "cable_m = 10\n", settle_us="71") if each.grade]


def test_the_first_stepping_of_a_pico_2_wants_its_resistors(tmp_path: Path) -> None:
    text = one(judged(tmp_path, pico='chip = "rp2350-a2"\n'), Grade.REFUSED)
    assert text.endswith("stays at 2.2 V; pull_down_ohm: found none, expected at most 8200")
    cured = judged(
        tmp_path, 'row_ohm = 47\npull_down_ohm = 8200\ndiode = "BAT85"\n', pico='chip = "rp2350-a2"\n'
    )
    assert not [each for each in cured if each.grade]


def test_data_without_a_level_shifter_is_refused_unless_the_lamps_have_less(tmp_path: Path) -> None:
    text = one(judged(tmp_path, chain="shifter = false\n"), Grade.REFUSED)
    assert text.startswith(
        "chains.lamps: refused: data is 3.3 V; lamps at 5 V need 3.50 V: 0.20 V are missing"
    )
    found = judged(tmp_path, chain="shifter = false\nsupply_v = 4.7\nwire_ohm_m = 0.001\n")
    assert not [each for each in found if each.grade]


def test_a_thin_wire_is_a_doubt_then_refused(tmp_path: Path) -> None:
    assert "blue fades; try feeds = 2" in one(judged(tmp_path, chain="wire_ohm_m = 0.1\n"), Grade.DOUBT)
    text = one(judged(tmp_path, chain="wire_ohm_m = 0.25\n"), Grade.REFUSED)
    assert "V are missing for lamps to work; try feeds = 2, or thicker wire" in text
    assert not [each for each in judged(tmp_path, chain="wire_ohm_m = 0.1\nfeeds = 2\n") if each.grade]


def test_what_arrives_counts_fuse_feed_cable_and_a_low_supply(tmp_path: Path) -> None:
    """By Ohm's law alone: 1.5 A from a supply of 4.9 V through a fuse and out and back half a metre of 1 mm2,
    then along the lamps of a board of ten by ten to the last ones, which draw it all."""
    path = tmp_path / "board.toml"
    path.write_text(board_path("classic-10x10").read_text().replace("feeds = 2", "feeds = 1"))
    board = load_board(path)
    chain = board.chains["lamps"]
    lit = 1.5 / (102 * 0.061)  # the share of lamps that draws 1.5 A
    way = chain_length_m(board, chain) * (1 - lit / 2) * 2 * 0.035
    expected = 5 * 0.98 - 0.06 - 1.5 * (2 * 0.5 * 0.0175 + way)
    assert chain_supply(board, chain).worst_v == pytest.approx(expected, abs=0.01)
    assert expected < 4.4
    (told,) = (str(each) for each in verdicts(board) if each.table_key == "chains.lamps" and each.grade)
    assert told.startswith("chains.lamps: doubt: ")
    assert "if all is drawn there and the supply is 2 % low" in told
    assert "try feeds = 2" in told


def test_the_wire_of_a_chain_is_as_long_as_its_lamps_lie_apart() -> None:
    board = load_board("classic-10x10")
    way = chain_length_m(board, board.chains["lamps"])
    assert 99 * 0.045 < way < 99 * 0.045 + 1.5  # to and fro through all squares, then to the lamps of turns


@pytest.mark.parametrize(
    ("bank", "chain", "pico", "answer"),
    [
        ('diode = "1N4007"\n', "", "", "diode is '1N4007'; try one of 1N4148, BAT54, BAT85"),
        ("row_ohm = -1\n", "", "", "row_ohm is -1; try a number from 0 to 100000 Ohm"),
        ("row_ohm = true\n", "", "", "row_ohm is True; try a number"),
        ("pull_down_ohm = 0\n", "", "", "pull_down_ohm is 0; try a number from 100 to 1e+06 Ohm"),
        ("cable_m = 1\ncable_pf = 100\n", "", "", "cable_pf beside cable_m; try one of them"),
        ("", "shifter = 1\n", "", "shifter is 1; try true or false"),
        ("", "feeds = 3\n", "", "feeds is 3; try a whole number from 1 to 2"),
        ("", "supply_v = 12\n", "", "supply_v is 12; try a number from 3 to 6 V"),
        ("", "wire_m = nan\n", "", "wire_m is nan; try a number from 0 to 100 m"),
        ("", "", 'chip = "esp32"\n', "chip is 'esp32'; try one of rp2040, rp2350, rp2350-a2"),
    ],
)
def test_a_wrong_value_is_refused_with_its_line(
    tmp_path: Path, bank: str, chain: str, pico: str, answer: str
) -> None:
    with pytest.raises(BoardFileError, match=r"board.toml:\d+: ") as caught:
        judged(tmp_path, bank, chain, pico)
    assert answer in str(caught.value)


def test_a_bank_without_diodes_is_judged_by_all_the_columns_that_its_bridges_may_join(tmp_path: Path) -> None:
    found = judged(tmp_path, diodes="false")
    texts = [str(each) for each in found if each.table_key == "banks.reeds"]
    assert "470 Ohm a row, no diodes, pull-downs" in texts[0]
    assert "us too short: pieces of the row before show as ghosts" in texts[1]
    assert "1805 pF" in texts[1]


def test_judging_needs_no_library_of_pins() -> None:
    program = (
        "import sys; from boardmake.physics import judging; from boardware.description import load_board;"
        "judging.verdicts(load_board('quick-battle-8x8'));"
        "print(*{'gpiozero', 'numpy', 'board'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == ""
