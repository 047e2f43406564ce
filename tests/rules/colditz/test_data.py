"""The board and the decks as data: what they have, what is refused and how, and the drawing."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from boardrules.colditz.__main__ import main
from boardrules.colditz.castle import check
from boardrules.colditz.castle.board import CastleBoard
from boardrules.colditz.castle.board_reader import board_by_key
from boardrules.colditz.castle.datafile import SHIPPED_FOLDER, DataError
from boardrules.colditz.castle.face import face_shapes
from boardrules.colditz.castle.labels import CIRCLE_RADIUS_MM
from boardrules.colditz.castle.plan import read_plan
from boardrules.colditz.deck.cards import DECK_TOTALS, card_set_by_key, read_cards
from boardrules.shapes import Oval, Rectangle
from rules.ids import rule

CASTLE = (SHIPPED_FOLDER / "castle.toml").read_text()
CARDS = (SHIPPED_FOLDER / "cards.toml").read_text()


@rule("R018", "R101", "R141", "R164")
def test_the_castle_is_playable() -> None:
    castle = board_by_key("castle")
    assert check.problem_lines(castle) == []
    assert castle.circle_count >= 260
    assert castle.appel.bit_count() == 37
    assert len(castle.rooms) == 16
    assert {crossing.feet for crossing in castle.crossings} == {0, 30, 60}
    width, height = castle.plan.size
    assert (width, height) <= (900, 700)
    assert all(
        len(check.escape_lengths(castle, target)) >= 2 for target in castle.nodes_of_mask(castle.targets)
    )
    nearest = sorted(
        min(check.escape_lengths(castle, target).values()) for target in castle.nodes_of_mask(castle.targets)
    )
    assert nearest[0] >= check.MIN_ESCAPE_STEPS
    assert len(set(nearest)) >= 4  # Targets at differing lengths
    for target in castle.nodes_of_mask(castle.targets):
        ways = check.escape_lengths(castle, target)
        for means in ("rope", "cutter", "pass", "staff car"):
            assert any(start in ways for start in check.exit_circles(castle)[means]), means


@rule("R132")
def test_an_own_castle_may_have_a_tunnel_that_ends_outside() -> None:
    beyond = CASTLE.replace("n28 n7 n6 n5", "n28 n7 n6 b9", 1)
    own = CastleBoard(read_plan(beyond, "my.toml"))
    assert check.problem_lines(own) == []
    assert check.exit_circles(own)["tunnel"] == [own.node_by_name["b9"]]
    line = next(line for line in CASTLE.splitlines() if line.startswith("n5 ="))
    inside = CastleBoard(read_plan(CASTLE.replace(line, line.replace("outer", "inner"), 1), "my.toml"))
    assert any("[tunnels] chapel: ends on n5; try a circle of" in one for one in check.problem_lines(inside))


@pytest.mark.parametrize("key", ["drops30", "drops60", "wires"])
def test_a_castle_has_drops_of_both_heights_and_wire(key: str) -> None:
    start = CASTLE.index(f"{key} = [")
    without = CASTLE[:start] + f"{key} = []" + CASTLE[CASTLE.index("]", start) + 1 :]
    (found, *_) = check.problem_lines(CastleBoard(read_plan(without, "my.toml")))
    assert found.startswith("my.toml:")
    assert f"[links] {key}: there is none; try some" in found


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('format = "boardumpire-colditz-board"', 'format = "x"', ":6: format is 'x'; try"),
        ("version = 1", "version = 2", ":7: boardumpire-colditz-board 2 is newer than 1"),
        ('a1 = "375 255 inner appel"', 'a1 = "375 inner appel"', ":15: [circles] a1: '375 inner appel'; "),
        ('a1 = "375 255 inner appel"', 'a1 = "375 255 inner apel"', ":15: [circles] a1: unknown kind 'apel'"),
        ('chapel = "rope"', 'chapel = "ropes"', "[rooms] chapel: 'ropes'; try one of rope, key"),
        ('"t1 b1",', '"t9 b1",', "unknown circle 't9'; try one of [circles]"),
        ('return = ["gate", "backdoor"]', 'return = ["c1"]', "[free] return: c1 is neither a door nor"),
        ('chapel = "chapel3 ', 'chapel = "c1 ', "[tunnels] chapel: begins on c1; try a circle of"),
        ('"a1 a2 a3 a4 a5", "a7', '"a1 a2 a3 a4 a4", "a7', "[appel] 5: a4 stands there twice"),
        ('chapel = "rope"', 'chapel = "key"', "1 rooms show rope; try 2"),
        ('t1 = "15 15 outside target"', 't1 = "15 15 outside"', "there are 6 targets; try 7 or more"),
        ('t1 = "15 15 outside target"', 't1 = "25 25 outside target"', "mm from b1; try 25 or more"),
        ('[rooms]', '[roms]', "unknown section or key 'roms'"),
        ("arrow = \"c34\"", "arrow = \"s1\"", "[places] innercells: its arrow points out of its area"),
        ("[circles]", "[circles", "try TOML"),
    ],
)  # fmt: skip
def test_a_wrong_board_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    assert old in CASTLE
    with pytest.raises(DataError) as caught:
        check.check_board(CastleBoard(read_plan(CASTLE.replace(old, new, 1), "my.toml")))
    assert str(caught.value).startswith("my.toml:")
    assert message in str(caught.value)


def test_dead_circles_and_lonely_targets_are_found() -> None:
    cut = CASTLE.replace('  "t1 b1",\n', "", 1)
    assert cut != CASTLE
    found = "\n".join(check.problem_lines(CastleBoard(read_plan(cut, "my.toml"))))
    assert "[circles] t1: no man can get there from the Appel area" in found
    assert "[circles] t1: nobody gets there; try 5 to 40" in found


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("count = 3", "count = 4", "the deck opportunity has 48 cards; try 47"),
        (
            'effect = "car"',
            'effect = "tank"',
            "[opportunity.staff-car] effect: 'tank'; try one of part,",
        ),
        ('kind = "rope"', 'kind = "string"', "[opportunity.bed-sheets] kind: 'string'; try one of rope"),
        ("rope = 12", "rope = 11", "[supply] rope: 11; try 12"),
        ("least = 8", 'least = "8"', "[security.shoot-to-kill] least: '8'; try a whole number"),
        ("points = 5", "points = 5\ncolour = 1", "[security.double-time] colour: unknown; try one of"),
        ("version = 1", "version = 0", "version is 0; try 1"),
        (
            'symbols = ["compass", "disguise"]',
            'symbols = ["food", "documents"]',
            "the cards with the effect part show documents+food; try two kinds that make a Kit together",
        ),
        (
            'symbols = ["compass", "disguise"]',
            'symbols = ["compass", "food"]',
            "show compass+food, documents+food; try two kinds",
        ),
    ],
)
def test_wrong_decks_are_refused_with_their_line(old: str, new: str, message: str) -> None:
    assert old in CARDS
    with pytest.raises(DataError) as caught:
        read_cards(CARDS.replace(old, new, 1), "deck.toml")
    assert str(caught.value).startswith("deck.toml:")
    assert message in str(caught.value)


@rule("R070")
def test_decks_hold_two_appel_cards() -> None:
    one = CARDS.replace('title = "Appel"\ncount = 2', 'title = "Appel"\ncount = 1')
    one = one.replace('title = "At the double"\ncount = 2', 'title = "At the double"\ncount = 3')
    with pytest.raises(DataError, match="there are 1 cards with the effect appel; try 2"):
        read_cards(one, "deck.toml")


@rule("R004", "R103")
def test_the_decks_have_their_totals() -> None:
    cards = card_set_by_key("castle").cards
    for deck, total in DECK_TOTALS.items():
        assert sum(card.copies for card in cards if card.deck == deck) == total
    assert sum(card.copies for card in cards if card.effect == "part") == 6
    assert all(card.title and card.text for card in cards)


@pytest.mark.slow
def test_the_drawing_shows_every_circle_and_place(capsys: pytest.CaptureFixture[str]) -> None:
    castle = board_by_key("castle")
    high = castle.plan.size[1]
    shapes = list(face_shapes(castle))
    circles = {
        (one.x, one.y) for one in shapes if isinstance(one, Oval) and one.width == 2 * CIRCLE_RADIUS_MM
    }
    assert circles == {(circle.x, high - circle.y) for circle in castle.plan.circles.values()}
    cells = [one for one in shapes if isinstance(one, Rectangle) and one.width == one.height == 20]
    assert len(cells) == sum(place.capacity for place in castle.plan.places.values())
    assert main(["draw"]) == 0
    drawn = ET.fromstring(capsys.readouterr().out)
    assert drawn.get("width") == "900mm"


def test_the_command_for_owners(capsys: pytest.CaptureFixture[str], tmp_path: pytest.TempPathFactory) -> None:
    assert main(["check"]) == 0
    assert "412 circles, 16 rooms" in capsys.readouterr().out
    assert main(["draw"]) == 0
    assert capsys.readouterr().out.startswith("<svg ")
    assert main(["cards"]) == 0
    assert "2 x security appel: Appel" in capsys.readouterr().out
    wrong = tmp_path / "mine.toml"  # type: ignore[operator]
    assert main(["check", str(wrong)]) == 1
    wrong.write_text(CASTLE.replace('"t1 b1",', '"t9 b1",', 1))
    assert main(["check", str(wrong)]) == 1
    assert "unknown circle 't9'" in capsys.readouterr().err
    assert main(["sing"]) == 2
