"""Wiring, parts and power say what the board file says; each board that ships yields all of it."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from pathlib import Path

import pytest

from boardmake.making import bill, pages, power
from boardmake.making.holes import drill_holes
from boardmake.paper.face import face_shapes
from boardmake.paper.made import board_files, collect_cuts, max_piece_count
from boardmake.paper.pdf import text_width_mm
from boardmake.paper.tiles import PAPER_SIZES_MM, best_tiling
from boardmake.paper.words import game_art, load_print_language
from boardmake.physics.electrics import chain_supply
from boardrules.colditz import castle
from boardrules.shapes import TextShape
from boardumpire.cli import main
from boardumpire.messages.languages import LANGUAGES
from boardware.description import board_names, board_path, load_board
from boardware.physics.magnetics import judge_design
from boardware.physics.reach import neighbours_on_board
from boardware.physics.verdict import Grade

ROWS = re.compile(r"^\|(.*)\|$", re.M)


def cells(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in row.split("|")] for row in ROWS.findall(text)]


@pytest.mark.few(3)
@pytest.mark.parametrize("name", board_names())
def test_every_wire_of_the_file_is_in_the_wiring_once(name: str) -> None:
    """Each contact stands in the cell of its row and column, each lamp at its number, each pin at its use."""
    board = load_board(name)
    parts = re.split(r"^## ", pages.wiring_page(board), flags=re.M)
    for bank in board.banks.values():
        (part,) = (part for part in parts if part.startswith(f"Matrix `{bank.id}`"))
        table = cells(part)[2:]
        found = {
            slot: (row, column)
            for row, cells_ in enumerate(table)
            for column, slot in enumerate(cells_[1:-1])
            if slot != "-"
        }
        wanted = {slot: at[1:] for at, slot in board.slots_by_contact.items() if at.bank == bank.id}
        assert found == wanted
    for chain in board.chains.values():
        (part,) = (part for part in parts if part.startswith(f"Lamps `{chain.id}`"))
        lamps = {cells_[1]: int(cells_[0]) for cells_ in cells(part)[2:]}
        assert lamps == {lamp: at.index for lamp, at in board.lamps.items() if at.chain == chain.id}
    pins = "\n".join(parts)
    for button in board.buttons.values():
        assert f"| {button.gpio} | button `{button.id}`" in pins


@pytest.mark.parametrize("name", board_names())
def test_the_parts_are_as_many_as_the_board_has(name: str) -> None:
    """Sensors, diodes, row resistors, lamps, Picos and buttons; spare parts are told as spare."""
    board = load_board(name)
    listed = list(bill.bill_items(board, max_piece_count(board)))
    count = Counter({(item.part, item.note): item.quantity for item in listed})
    felt = len(board.slots_by_contact)
    reeds = [item for item in listed if item.part in ("reed", "switch")]
    assert [item.note for item in reeds] == [f"{felt}, the rest spare"]
    assert felt <= reeds[0].quantity <= 1.15 * felt + 1
    rows = sum(len(bank.rows) for bank in board.banks.values())
    assert count["resistor", "in series with each row"] == rows
    assert sum(item.quantity for item in listed if "Raspberry Pi Pico" in item.part) == len(board.picos)
    assert count["button", ""] == len(board.buttons)
    lamps = sum(chain.length for chain in board.chains.values())
    assert lamps <= next(item.quantity for item in listed if item.part == "lamp")
    assert all(
        item.quantity > 0 and (item.unit_price_eur is None or item.unit_price_eur > 0) for item in listed
    )


def test_a_board_of_hall_switches_has_buffers(tmp_path: Path) -> None:
    """A chip for each row of eight columns, one that inverts the rows; no diodes and no row resistors."""
    source = board_path("quick-battle-8x8-pico").read_text()
    changed = source.replace('"reed on end 15-20 AT"', '"HAL504"').replace('poles = "mixed"', 'poles = "up"')
    changed = changed.replace('diode = "1N4148"\nrow_ohm = 470', 'switches = "buffered"\n# row_ohm')
    path = tmp_path / "hall.toml"
    path.write_text(changed)
    board = load_board(path)
    listed = [(item.part, item.quantity) for item in bill.bill_items(board) if "buzzer" not in item.note]
    assert ("buffer", 9) in listed
    assert ("resistor", 64) in listed
    assert ("resistor", 8) in listed
    assert ("switch", 71) in listed
    assert "reed" not in dict(listed)
    assert "diode" not in dict(listed)
    assert [load.current_ma for load in power.power_loads(board) if load.consumer == "switches"] == [
        pytest.approx(64 * 5.2)
    ]
    told = pages.wiring_page(board)
    assert "both enables (pins 1 and 19) of the row's" in told
    assert "1N4148" not in told.split("## Buzzer")[0]
    assert "74HC540" in dict(board_files(board))["circuit.svg"].decode()


def test_readers_and_pads_are_wired_and_bought() -> None:
    """64 readers have selects from eight registers, each named once; pads have a serial line each."""
    board = load_board("quick-battle-8x8-readers")
    (part,) = (part for part in pages.wiring_page(board).split("## ") if part.startswith("Readers"))
    rows = cells(part)[2:]
    assert {row[3]: (int(row[0]), 8 * int(row[1]) + int(row[2])) for row in rows} == {
        slot: (at.number, at.number) for at, slot in board.slots_by_reader.items()
    }
    listed = {item.value: item.quantity for item in bill.bill_items(board)}
    assert listed["74HC595"] == 8
    assert listed["MFRC522 board, 13.56 MHz"] == 64
    wires = {item.note: item.quantity for item in bill.bill_items(board) if item.part == "wire"}
    # In m: eight rows of seven steps, seven ways to the next row, and half the board to the pins.
    bus = 56 * 0.045 + 7 * math.hypot(0.315, 0.045) + 0.2
    assert wires["3.3 V and ground of the readers"] == math.ceil(1.2 * 2 * bus)
    assert wires["clock, data and selects of the readers"] == math.ceil(1.2 * (3 * bus + 64 * 0.2))
    padded = load_board("quick-battle-8x8-pads")
    (pads,) = (item for item in bill.bill_items(padded) if item.note == "the pads' four wires")
    assert pads.quantity == 2
    assert [row[0] for row in cells(pages.wiring_page(padded).split("## Pads")[1])[2:]] == list(padded.pads)
    assert {item.part: item.quantity for item in bill.bill_items(padded)}["USB adapter"] == 2


def test_tracks_are_as_wide_as_the_formula_says() -> None:
    """IPC-2221, outer layer of 35 um, 10 K warmer: 1 A wants 0.3 mm, 2 A 0.78 mm."""
    assert power.track_width_mm(1) == pytest.approx(0.30, abs=0.01)
    assert power.track_width_mm(2) == pytest.approx(0.78, abs=0.01)


def test_own_decks_are_printed() -> None:
    """The option that names decks for a game names those that are printed."""
    (found,) = Path(castle.__file__).parents[1].rglob("cards.toml")
    mine = found.read_text().replace('title = "Hideaway"', 'title = "Cupboard"')
    cards = collect_cuts(load_board("escape-from-colditz"), load_print_language("en"), {"cards": mine})
    assert {cut.name: cut.copies for cut in cards}["Cupboard"] == 3
    assert "Hideaway" not in {cut.name for cut in cards}


def test_a_wrong_option_is_told_and_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words_ = ["make", "paper", "escape-from-colditz", "--into", str(tmp_path / "no")]
    assert main([*words_, "--option", "cards=none"]) != 0
    assert "cards" in capsys.readouterr().err
    assert not (tmp_path / "no").exists()


@pytest.mark.slow
def test_the_table_for_spreadsheets_adds_up() -> None:
    board = load_board("escape-from-colditz")
    rows = list(csv.DictReader(io.StringIO(dict(board_files(board))["parts.csv"].decode())))
    total = sum(float(row["EUR (estimate)"]) for row in rows)
    assert total == pytest.approx(bill.total_cost_eur(board, max_piece_count(board)), abs=0.2)
    assert all("estimate" in key for key in rows[0] if "EUR" in key)


@pytest.mark.parametrize("name", board_names())
def test_the_supply_carries_what_is_drawn_and_the_fuse_holds(name: str) -> None:
    """The supply has a fifth to spare, the fuse is one that holds by the model, wires carry their share."""
    board = load_board(name)
    drawn = sum(load.current_ma for load in power.power_loads(board)) / 1000
    assert drawn <= power.SUPPLY_LOAD_SHARE * power.min_supply_a(board)
    low, _ = power.fuse_range_a(board)
    assert low <= bill.lamp_fuse_a(board) <= 1.7 * low
    others = drawn - power.PI_MA / 1000
    assert (
        others / power.SUPPLY_LOAD_SHARE + 3
        <= power.supply_with_pi_a(board, 3000)
        <= others / power.SUPPLY_LOAD_SHARE + 5.5
    )
    text = pages.power_page(board)
    assert f"take a supply of {power.supply_with_pi_a(board, 3000):g} A. **Pi 5**: leave it its own" in text
    bought = [(item.part, item.value, item.quantity) for item in bill.bill_items(board)]
    assert ("fuse", f"{power.PI_FUSE_A:g} A, slow, with holder", 1) in bought
    assert ("guard diode", "1N5822", 2) in bought  # behind each fuse
    for feed in power.supply_wires(board):
        assert feed.weakest_lamp_v == chain_supply(board, board.chains[feed.chain]).worst_v
        assert feed.mm2 >= feed.min_mm2, "the file's wire is too thin for its current"


def test_the_makers_book_says_what_its_boards_cost() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs/build/index.md").read_text()
    told = {row[0].strip("[").partition("`]")[0].strip("`"): row[-1] for row in cells(page) if len(row) == 5}
    costs = {name: load_board(name) for name in board_names() if name in told}
    assert len(costs) == 4
    for name, board in costs.items():
        assert told[name] == f"{round(bill.total_cost_eur(board, max_piece_count(board)), -1):.0f}", name


def test_the_cheapest_board_costs_what_its_page_says() -> None:
    board = load_board("quick-battle-8x8-pico")
    page = (Path(__file__).resolve().parents[2] / "docs/build/cheapest.md").read_text()
    cost = bill.total_cost_eur(board, max_piece_count(board))
    assert f"Some {round(cost, -1):.0f} EUR with a Raspberry Pi" in page
    alone = cost - bill.PRICES_EUR["Raspberry Pi"] - bill.PRICES_EUR["microSD card"]
    assert f"some {round(alone, -1):.0f} if you have" in page
    tiles = best_tiling(*board.size, "a4")
    count = {6: "six"}[tiles.columns * tiles.rows]
    assert f"`face-a4.pdf`: {count} pages" in page


def test_the_cheapest_board_is_drilled_with_the_template_of_its_side() -> None:
    """Seen from below on the underside: crosses need no holes there, and all else as many as it has."""
    page = (Path(__file__).resolve().parents[2] / "docs/build/cheapest.md").read_text()
    assert "template seen from below: `drill-below-a4.pdf`" in page
    count = Counter(hole.diameter for hole in drill_holes(load_board("quick-battle-8x8-pico")))
    assert count == {3.0: 64, 6.0: 66, 12.0: 3}
    assert "66 holes of 6 mm, and three of 12 mm" in page


def test_the_gap_that_the_guides_build_is_right_and_one_up_to_the_face_is_not() -> None:
    """Lead flush with the lower face: 4 to 7 mm with board, face and felt. Up to the face it is 2 mm."""
    board = load_board("quick-battle-8x8-pico")
    assert board.sensor_design is not None
    for gap, right in ((2.0, False), (4.0, True), (5.5, True), (7.0, True)):
        told = judge_design(board.sensor_design._replace(gap_mm=gap), neighbours_on_board(board))
        assert all(verdict.grade is Grade.FINE for verdict in told) is right, gap


@pytest.mark.parametrize("name", board_names())
def test_a_board_file_leaves_the_size_of_the_supply_to_its_page_on_power(name: str) -> None:
    """It depends on the Pi and the Picos, too: `power.md` reckons with them."""
    assert re.search(r"\d A\b", board_path(name).read_text()) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", board_names())
def test_one_command_makes_all_of_a_board(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Artwork, drill template, wiring, parts, cost and power, on sheets and tiles."""
    assert main(["make", "paper", name, "--into", str(tmp_path / "made"), "--language", "ru"]) == 0
    there = {path.name for path in (tmp_path / "made").iterdir()}
    sheets = {
        f"{what}{paper}.pdf"
        for what in ("face", "drill")
        for paper in ("", *(f"-{p}" for p in PAPER_SIZES_MM))
    } | {f"drill-below-{paper}.pdf" for paper in PAPER_SIZES_MM}
    texts = {"wiring.md", "parts.md", "parts.csv", "power.md", "index.html"}
    drawings = {"face.svg", "drill.svg", "plan.svg", "matrix.svg", "chain.svg", "circuit.svg"}
    assert sheets | texts | drawings <= there
    assert len([file for file in there if file.startswith("pins-")]) >= 1
    assert {Path(line).name for line in capsys.readouterr().out.splitlines()} == there


@pytest.mark.few(2)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["fall-of-the-fuhrer", "escape-from-colditz"])
def test_nothing_printed_hangs_over_the_edge_in_any_language(name: str, language: str) -> None:
    """Every text of the face lies on the board, with a millimetre to spare."""
    board = load_board(name)
    said = load_print_language(language, name)
    for shape in face_shapes(board, game_art(board), said):
        if isinstance(shape, TextShape) and not shape.rotation_degrees:
            wide = text_width_mm(shape.text, shape.size, bold=shape.bold)
            left = shape.x - {"start": 0.0, "middle": wide / 2, "end": wide}[shape.anchor]
            assert left > 1, shape.text
            assert left + wide < board.size.x - 1, shape.text
            assert 0.5 < shape.y < board.size.y - shape.size * 0.7, shape.text


@pytest.mark.few(4)
@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
@pytest.mark.parametrize("name", ["fall-of-the-fuhrer", "escape-from-colditz"])
def test_the_legend_speaks_every_language(name: str, language: str) -> None:
    """No entry is left in English, and each fits into three lines of its page."""
    art = game_art(load_board(name))
    english = {entry.text for entry in art.legend(load_print_language("en"))}
    said = load_print_language(language, name)
    for entry in art.legend(said):
        assert entry.text not in english
        assert len(said.wrap_text(entry.text, 4.6, 138)) <= 3
    assert len(said.months) == 12
    assert all(len(month) <= 9 for month in said.months)


@pytest.mark.few(2)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_of_every_card_fits_on_it(language: str) -> None:
    """In nine languages, title and text stay within the frame of the card."""
    art = game_art(load_board("escape-from-colditz"))
    count = 0
    for cut in art.cut_outs(load_print_language(language, "escape-from-colditz")):
        count += cut.copies
        for shape in cut.shapes:
            if isinstance(shape, TextShape):
                wide = text_width_mm(shape.text, shape.size, bold=shape.bold)
                assert wide <= cut.width - 1.5, (cut.name, shape.text)
                assert shape.y > 1, (cut.name, shape.text)
    assert count >= 47 + 16 + 27 + 5 + 5
