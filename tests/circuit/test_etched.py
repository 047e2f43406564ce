"""The simulator built from copper: the games of the board file, and other ones where copper is wrong."""

from __future__ import annotations

import itertools
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from boardlab.soak.one_game import SoakError, SoakPlan, game_bench_settings
from boardmake.circuit.errors import CircuitError
from boardsim.bench.bench import BenchSettings
from boardsim.world import etched
from boardsim.world.copper import SolderedDiode
from boardsim.world.etched import EtchedError
from boardumpire.cli import main
from boardware.description import load_board
from circuit.games import BOARD, Told, played
from circuit.readers import FOLDER

TILE, CARRIER = "tile-2x2-45mm", f"carrier-{BOARD}"
WIRES = f"{BOARD}-wires.csv"


@pytest.mark.parametrize("name", [BOARD, "classic-10x10-pico"])
def test_the_copper_makes_the_board_of_the_board_file(name: str) -> None:
    """Each reed, diode, lamp, button, resistor and pin, for both boards that ship."""
    board = load_board(name)
    assert etched.read(board, FOLDER) == (board, {}, len(board.lamps), frozenset())


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_game_on_the_copper_is_the_game_on_the_board_file(number: int) -> None:
    """Every message and every lamp, to the microsecond."""
    assert played(number, FOLDER, 8) == played(number, None, 8)


@pytest.mark.nightly
def test_fifty_games_on_the_copper(record_property: Callable[[str, object], None]) -> None:
    """Fifty games on the circuit boards: all told and lit as on the board file, to the microsecond."""
    rulings = frames = 0
    for number in range(50):
        copper, file = played(number, FOLDER), played(number)
        assert copper == file, f"game {number}"
        assert copper.findings == ()
        rulings += copper.rulings
        frames += len(copper.lamps)
    record_property("seed", 26)
    record_property("games", 50)
    record_property("rulings", rulings)
    record_property("frames of lamps", frames)


# Planted errors


def tile(change: Callable[[str], str]) -> Callable[[Path], None]:
    return changed(TILE, change)


def carrier(change: Callable[[str], str]) -> Callable[[Path], None]:
    return changed(CARRIER, change)


def changed(name: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    def plant(folder: Path) -> None:
        file = folder / name / f"{name}.kicad_pcb"
        before = file.read_text()
        after = change(before)
        assert after != before
        file.write_text(after)

    return plant


def wires(*pairs: tuple[str, str]) -> Callable[[Path], None]:
    """The list that is soldered by says something else."""

    def plant(folder: Path) -> None:
        text = (folder / WIRES).read_text()
        for before, after in pairs:
            assert before in text
            text = text.replace(before, after, 1)
        (folder / WIRES).write_text(text)

    return plant


def cut(layer: str, start: str, end: str) -> Callable[[str], str]:
    """The track between two places is gone."""
    pattern = rf'\n  \(segment \(start {re.escape(start)}\) \(end {re.escape(end)}\)[^\n]*"{layer}"[^\n]*'
    return lambda text: re.sub(pattern, "", text, count=1)


def bridge(layer: str, *points: str) -> Callable[[str], str]:
    """A track where none should be."""
    more = "".join(
        f'  (segment (start {start}) (end {end}) (width 0.2) (layer "{layer}") (net 0))\n'
        for start, end in itertools.pairwise(points)
    )
    return lambda text: text.rstrip().removesuffix(")") + more + ")\n"


def part(ref: str, change: Callable[[str], str]) -> Callable[[str], str]:
    """Something about one part."""

    def plant(text: str) -> str:
        parts = re.split(r"(?=\n  \(footprint )", text)
        return "".join(change(each) if f'(fp_text reference "{ref}"' in each else each for each in parts)

    return plant


def swapped(one: str, other: str) -> Callable[[str], str]:
    return lambda text: text.replace(one, "???").replace(other, one).replace("???", other)


def without(words: str) -> Callable[[str], str]:
    return lambda text: text.replace(words, "")


OTHER_GAME: dict[str, Callable[[Path], None]] = {
    "row cut": tile(cut("F.Cu", "22 50.5", "38.69 50.5")),
    "column cut": tile(cut("B.Cu", "95.5 87.5", "95.5 55.935")),
    "reed open": tile(cut("B.Cu", "91.31 42.5", "95.5 42.5")),
    "diode turned": tile(part("D22", lambda text: text.replace(" 270)", " 90)"))),
    "diode bridged": tile(bridge("F.Cu", "83.69 45.45", "83.69 48.75")),
    "column crossed": carrier(part("J2", swapped('(pad "3"', '(pad "4"'))),
    "rows swapped": wires(
        ("carrier J1.2,", "???,"), ("carrier J1.3,", "carrier J1.2,"), ("???,", "carrier J1.3,")
    ),
    "lamp's data turned": tile(part("L12", swapped('(pad "2"', '(pad "4"'))),
    "lamp upside down": tile(part("L21", lambda text: text.replace(" 180)", " 0)", 1))),
    "lamp without 5 V": tile(cut("F.Cu", "104.95 74.1", "104.95 76.1")),
    "jumper open": wires(("\"tile 4,1 JE12.1\",\"tile 4,1 JE12.2\",drop of solder\n", "")),
    "data not passed on": wires(("\"tile 1,1 E1.D\",\"tile 2,1 W1.D\",lamp data\n", "")),
    "shifter off": carrier(part("U2", swapped('(pad "1"', '(pad "14"'))),
    "row's resistor missing": carrier(part("R2", lambda text: text.replace("470 Ohm", "none"))),
}  # fmt: skip
NO_BOARD: dict[str, tuple[Callable[[Path], None], str]] = {
    "columns bridged": (tile(bridge("B.Cu", "50.5 70", "95.5 70")), "are one net"),
    "row on ground": (tile(bridge("F.Cu", "60 50.5", "60 68.9")), "ground and row 2 are one net"),
    "reed bridged": (
        tile(bridge("B.Cu", "38.69 42.5", "38.69 39", "46.31 39", "46.31 42.5")), "is bridged"
    ),
    "track through a hole": (
        tile(bridge("B.Cu", "38.69 42.5", "46.31 42.5")),
        "the hole of 3 mm of S12 at 42.5, 42.5 runs through copper",
    ),
    "squares bridged": (
        wires(("drop of solder\n", 'drop of solder\n"tile 1,1 D11.1","tile 1,1 D21.1",hair\n')),
        "what is between reed and diode of a1 and what is between reed and diode of b1 are one net",
    ),
    "resistors mixed": (carrier(part("R2", lambda text: text.replace("470", "4700"))), "of rows differ"),
    "buttons crossed": (
        wires(("carrier J3.1,", "???,"), ("carrier J3.2,", "carrier J3.1,"), ("???,", "carrier J3.2,")),
        "button cancel is at button confirm",
    ),
    "no ground": (wires(("carrier J7.2,", "carrier J7.1,")), "ground and 5 V are one net"),
    "buzzer turned": (carrier(part("Q1", swapped('(pad "1"', '(pad "3"'))), "not switched by its pin"),
    "buzzer's diode turned": (carrier(part("D1", swapped('(pad "1"', '(pad "2"'))), "D1 is turned"),
    "large capacitor turned": (
        carrier(part("C1", lambda text: re.sub(r"(at 58.1 96.2)", r"\1 180", text, count=1))),
        "C1 is turned",
    ),
    "base not held": (carrier(part("R43", swapped('(pad "2"', '(pad "3"'))), "R43 is not between the base"),
    "data not held": (carrier(part("R44", swapped('(pad "2"', '(pad "3"'))), "R44 is not between lamp data"),
    "base held by nothing": (
        carrier(part("R43", lambda text: text.replace("10 kOhm", "none"))),
        "carrier R43 is 'none'; expected '10 kOhm'",
    ),
    "base's resistor too large": (
        carrier(part("R42", lambda text: text.replace("1 kOhm", "1000 kOhm"))),
        "carrier R42 is '1000 kOhm'; expected '1 kOhm'",
    ),
    "other transistor": (
        carrier(part("Q1", lambda text: text.replace("2N3904", "BC547"))),
        "carrier Q1 is 'BC547'; expected '2N3904'",
    ),
    "no buzzer's diode": (
        carrier(part("D1", lambda text: text.replace("1N4148", "none"))),
        "carrier D1 is 'none'; expected '1N4148'",
    ),
    "no row's diode": (
        tile(part("D22", lambda text: text.replace("1N4148W", "none"))),
        "tile 1,1 D22 is 'none'; expected '1N4148W'",
    ),
    "fuse open": (carrier(part("J6", swapped('(pad "1"', '(pad "2"'))), "5 V does not reach the fuse"),
}  # fmt: skip


def planted(plant: Callable[[Path], None], folder: Path) -> Path:
    for name in (TILE, CARRIER):
        (folder / name).mkdir()
        shutil.copy(FOLDER / name / f"{name}.kicad_pcb", folder / name)
    shutil.copy(FOLDER / WIRES, folder)
    plant(folder)
    return folder


@cache
def sound() -> Told:
    return played(0, None, 6)


@pytest.mark.slow
@pytest.mark.parametrize("error", OTHER_GAME)
def test_copper_that_is_wrong_makes_another_game(error: str, tmp_path: Path) -> None:
    """What is planted shows in what is told or lit."""
    folder = planted(OTHER_GAME[error], tmp_path)
    made = etched.read(load_board(BOARD), folder)
    assert made != (load_board(BOARD), {}, 66, frozenset())
    assert played(0, folder, 6) != sound()


@pytest.mark.few(4)
@pytest.mark.parametrize("error", NO_BOARD)
def test_copper_of_which_no_board_can_be_made_is_refused(error: str, tmp_path: Path) -> None:
    plant, said = NO_BOARD[error]
    with pytest.raises(CircuitError) as refused:
        etched.read(load_board(BOARD), planted(plant, tmp_path))
    assert said in str(refused.value)


@pytest.mark.slow
def test_what_an_error_makes_is_what_it_would_be_on_a_bench(tmp_path: Path) -> None:
    """Each in its place: a cut wire takes its squares, a turned diode is found, data ends where it is cut."""
    board = load_board(BOARD)

    def made(error: str) -> Any:
        folder = tmp_path / error.replace(" ", "-")
        folder.mkdir()
        return etched.read(board, planted(OTHER_GAME[error], folder))

    def unfelt(it: Any) -> set[str]:
        return {slot.id for slot in it.board.slots.values() if slot.sensor is None}

    # The same tile lies sixteen times: what is wrong with one is wrong with all.
    everywhere = {f"{file}{rank}" for file in "bdfh" for rank in "2468"}
    assert unfelt(made("reed open")) == everywhere
    assert set(made("diode turned").diodes.items()) == {(id_, SolderedDiode.REVERSED) for id_ in everywhere}
    assert set(made("diode bridged").diodes.values()) == {SolderedDiode.SHORTED}
    assert made("jumper open").lamps_alive == 8
    assert made("data not passed on").lamps_alive == 2
    assert made("lamp's data turned").lamps_alive == 9
    assert made("lamp without 5 V").lamps_alive == 1
    assert made("shifter off").lamps_alive == 0
    assert unfelt(made("row's resistor missing")) == {f"{file}2" for file in "abcdefgh"}


def test_copper_is_played_on_by_a_pico_alone() -> None:
    with pytest.raises(SoakError, match="circuit boards with --driver gpio-sim: they carry a Pico"):
        game_bench_settings(SoakPlan(circuit=str(FOLDER)), 0)
    assert BenchSettings().circuit is None


@pytest.mark.slow
def test_soak_takes_circuit_boards(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "lab",
        "soak",
        "--driver",
        "pico-sim",
        "--board",
        BOARD,
        "--games",
        "1",
        "--longest",
        "4",
        "--jobs",
        "1",
    ]
    assert main([*words, "--circuit", str(FOLDER)]) == 0
    assert "missed 0" in capsys.readouterr().out


def test_an_error_names_what_was_found() -> None:
    assert issubclass(EtchedError, CircuitError)
