"""`boardumpire make map-board --game escape-from-colditz`: a board file from a castle."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from boardrules.board_file import BoardNotPossible
from boardrules.colditz.castle.board import CastleBoard
from boardrules.colditz.castle.board_file import (
    GAME,
    MAX_REEDS_PER_PICO,
    MAX_SHEET_MM,
    PICO_NAMES,
    board_file_text,
    named_lamps,
)
from boardrules.colditz.castle.board_reader import board_by_key
from boardrules.colditz.castle.plan import read_plan
from boardrules.colditz.games import Colditz
from boardumpire import cli
from boardware.description import board_path, load_board
from boardwire.strip import LAMP_IDLE_MA, WHITE_MA

CASTLE = Path(board_by_key("castle").plan.source.file)


def altered(name: str, *changes: tuple[str, str]) -> CastleBoard:
    """The castle under another name with other lines."""
    text = CASTLE.read_text(encoding="utf-8").replace('name = "castle"', f'name = "{name}"')
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return CastleBoard(read_plan(text, "mine.toml"))


def test_the_shipped_board_is_what_the_command_makes_of_the_shipped_castle(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["make", "map-board", "--game", GAME]) == 0
    assert capsys.readouterr().out == board_path(GAME).read_text(encoding="utf-8")


def test_it_covers_every_space_where_a_pawn_can_stand() -> None:
    made, castle = load_board(GAME), board_by_key("castle")
    assert set(made.spaces) == set(castle.spaces)
    assert made.games == (GAME,)
    for name, circle in castle.plan.circles.items():
        space = made.spaces[name]
        assert space.position == (circle.x, 700 - circle.y)
        assert len(space.slots) == 1
    for players in range(2, 7):
        layout = Colditz().new({"players": players}).layout()
        for space, pawns in layout.items():
            assert len(pawns) <= len(made.spaces[space].slots), "everybody is felt at the start"
    assert {name: len(made.spaces[name].slots) for name in castle.plan.places} == {
        "barracks": 16, "office": 16, "innercells": 12, "outercells": 7,
    }  # fmt: skip
    assert {frozenset(line) for line in made.lines} == {frozenset(link) for link in castle.plan.links}


def test_every_reed_and_lamp_is_wired_within_size_and_power() -> None:
    made = load_board(GAME)
    assert made.size.x <= MAX_SHEET_MM[0]
    assert made.size.y <= MAX_SHEET_MM[1]
    assert len(made.slots_by_contact) == len(made.slots) == 463
    assert set(made.lamps) == {*made.spaces, *named_lamps(board_by_key("castle"))}
    assert len(made.picos) == len(made.chains) == len(made.banks) == math.ceil(463 / MAX_REEDS_PER_PICO) == 5
    lamps = sum(chain.length for chain in made.chains.values())
    assert lamps == len(made.lamps)
    # However its share is cut, every chain can show at least four white lamps at once.
    for chain in made.chains.values():
        assert made.current_limit_ma * chain.length // lamps >= chain.length * LAMP_IDLE_MA + 4 * WHITE_MA


def test_nothing_printed_or_wired_lies_on_something_else() -> None:
    made = load_board(GAME)
    places = [slot.position for slot in made.slots.values()]
    places += [*made.named_lamps.values(), *(button.position for button in made.buttons.values())]
    slots = len(made.slots)
    for number, one in enumerate(places):
        for other in places[:number]:
            least = 26 if number < slots else 10
            assert math.dist(one, other) >= least


def test_a_castle_of_ones_own_is_made_and_what_is_wrong_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(
        CASTLE.read_text(encoding="utf-8").replace('name = "castle"', 'name = "keep"'), encoding="utf-8"
    )
    assert cli.main(["make", "map-board", "--game", GAME, str(mine), "--id", "the-keep"]) == 0
    assert 'id = "the-keep"' in capsys.readouterr().out
    mine.write_text("format = 3", encoding="utf-8")
    assert cli.main(["make", "map-board", "--game", GAME, str(mine)]) == 2
    assert str(mine) in capsys.readouterr().err
    assert cli.main(["make", "map-board", "--game", GAME, str(tmp_path / "none.toml")]) == 2
    assert "No such file" in capsys.readouterr().err
    large = altered("large", ("size = [900, 700]", "size = [901, 700]"))
    with pytest.raises(BoardNotPossible, match="large: 901 x 700 mm; try at most 900 x 700"):
        board_file_text(large, "large")
    more = "".join(f'z{number} = "{number % 30 * 30} {number // 30 * 30} outside"\n' for number in range(164))
    crowded = altered("crowded", ("[circles]\n", f"[circles]\n{more}"))
    with pytest.raises(
        BoardNotPossible,
        match=f"627 places for pawns; try at most {MAX_REEDS_PER_PICO * len(PICO_NAMES)}",
    ):
        board_file_text(crowded, "crowded")
