"""What lamps ask hands to do for a seat that the machine plays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from boardrules.core import LayoutPiece
from boardumpire.table.table import Table
from boardumpire.tracking.events import BoardGuidance, Correction
from fuhrer.hunt import Hunt

ALLIES = "allies"
ORDER = BoardGuidance(corrections=(), lifted_places=(), hints={}, question=None)


@pytest.fixture
def hunt() -> Iterator[Hunt]:
    """Tank and Infantry stand in one city that has one reed; the Tank has rolled."""
    hunt = Hunt(3)
    hunt.begin()
    yield hunt
    hunt.bench.close()


def said(hunt: Hunt, *texts: str) -> None:
    for text in texts:
        seat = "hitler" if text.startswith(("hide", "go")) else ALLIES
        hunt.bench.say(seat, text)
        hunt.bench.wait(1_000_000)


def test_of_two_pieces_in_one_city_amber_and_blue_ask_for_the_one_whose_turn_it_is(hunt: Hunt) -> None:
    """Nothing feels that it leaves, so nothing has to be lifted before the lamps say where it goes."""
    table: Table = hunt.table
    for piece, city in (("tank", "kassel"), ("spy", "nurnberg"), ("infantry", "hannover")):
        hunt.stand(ALLIES, piece, city)
        said(hunt, f"{piece} {city}")
    said(hunt, "hide linz", "stay", "stay", "done")
    hunt.bench.run_until(hunt.bench.hands.lift("hannover", hunt.bench.now))
    assert table.assisted_moves.unsensed_ends(("hannover", "kassel")) == (False, True)
    assert table.assisted_moves.is_lifted("hannover")
    hunt.bench.run_until(hunt.bench.hands.place("kassel", hunt.bench.now))
    said(hunt, "hannover-kassel", "go linz", "roll")
    way = ("kassel", "frankfurt")
    assert table.assisted_moves.origin_and_target(ALLIES, "kassel-frankfurt") == way
    assert table.assisted_moves.carried_piece_name(way, ALLIES, "kassel-frankfurt") == "tank"
    assert table.assisted_moves.unsensed_ends(way) == (True, False)
    assert table.marks["frankfurt"] == "may-go", "whose lift isn't felt is shown its ways at once"
    table.assisted_moves.request_move(ALLIES, way[:1], way[1:])
    table.step(hunt.bench.now)
    assert {space: table.marks.get(space) for space in way} == {"kassel": "take", "frankfurt": "put"}
    assert "may-go" not in table.marks.values()
    assert table.marks["turn-tank"] == "to-move"


def test_an_answer_that_is_still_shown_hides_nothing_that_hands_shall_do(hunt: Hunt) -> None:
    table: Table = hunt.table
    for piece, city in (("tank", "kassel"), ("spy", "nurnberg"), ("infantry", "hannover")):
        hunt.stand(ALLIES, piece, city)
        said(hunt, f"{piece} {city}")
    said(hunt, "hide linz", "stay", "stay")
    hunt.bench.say(ALLIES, "ask nurnberg")
    hunt.bench.wait(200_000)
    assert table.marks["nurnberg"] == "not-here"
    table.assisted_moves.request_move(ALLIES, ("hannover",), ("nurnberg",))
    table.step(hunt.bench.now)
    assert (table.marks["hannover"], table.marks["nurnberg"]) == ("take", "put")
    hunt.bench.run_until(hunt.bench.hands.lift("hannover", hunt.bench.now))
    table.step(hunt.bench.now)
    assert table.marks["hannover"] == "lifted"


def test_what_is_out_of_order_is_asked_for_first(hunt: Hunt) -> None:
    """A piece that stands where another shall go has to leave, however blue the lamp wants to be."""
    table: Table = hunt.table
    for piece, city in (("tank", "kassel"), ("spy", "nurnberg"), ("infantry", "hannover")):
        hunt.stand(ALLIES, piece, city)
        said(hunt, f"{piece} {city}")
    said(hunt, "hide linz", "stay", "stay")
    way = ("hannover", "kassel")
    table.assisted_moves.request_move(ALLIES, way[:1], way[1:])
    assert table.assisted_moves.apply_to_guidance(ORDER)[1] == {"hannover": "take", "kassel": "put"}
    disorder = ORDER._replace(corrections=(Correction("take", "kassel", None),))
    assert table.assisted_moves.apply_to_guidance(disorder) == (disorder, {})


def both_unfelt(hunt: Hunt) -> tuple[str, str]:
    """The Tank stands with the Infantry and shall go to the city of the Spy: no reed feels either end."""
    for piece, city in (("tank", "kassel"), ("spy", "frankfurt"), ("infantry", "hannover")):
        hunt.stand(ALLIES, piece, city)
        said(hunt, f"{piece} {city}")
    said(hunt, "hide linz", "stay", "stay", "done")
    hunt.bench.run_until(hunt.bench.hands.lift("hannover", hunt.bench.now))
    hunt.bench.run_until(hunt.bench.hands.place("kassel", hunt.bench.now))
    said(hunt, "hannover-kassel", "go linz", "roll")
    way = ("kassel", "frankfurt")
    hunt.table.assisted_moves.request_move(ALLIES, way[:1], way[1:])
    hunt.table.step(hunt.bench.now)
    assert hunt.table.assisted_moves.unsensed_ends(way) == (True, True)
    return way


@pytest.mark.parametrize("who", ["hitler", ALLIES, "buttons"])
def test_whether_a_piece_was_carried_that_no_reed_feels_is_asked(hunt: Hunt, who: str) -> None:
    """Of anybody who can see it: by phone or button. Yes is the move, no leaves all as it is."""
    table, way = hunt.table, both_unfelt(hunt)
    for yes in (False, True):
        before = table.full_state
        assert table.assisted_moves.ask_whether_carried(way, hunt.bench.now)
        table.step(hunt.bench.now)
        asked = table.guidance.question
        assert (asked.code, asked.spaces, asked.seat) == ("moved-here", way, None)
        assert table.marks["frankfurt"] == "asks"
        assert not {"take", "put"} & {table.marks.get(space) for space in way}
        assert not table.assisted_moves.ask_whether_carried(way, hunt.bench.now), "it is asked once"
        hunt.bench.wait(1_000_000)  # what is asked has to be read first
        if who == "buttons":
            hunt.press("confirm" if yes else "cancel")
        else:
            hunt.bench.say(who, "yes" if yes else "no")
        hunt.bench.wait(1_000_000)
        assert (table.full_state is not before) == yes
        if not yes:
            assert (table.marks["kassel"], table.marks["frankfurt"]) == ("take", "put")
    assert sorted(table.full_state.layout()["frankfurt"]) == [
        LayoutPiece("allies", "spy"),
        LayoutPiece("allies", "tank"),
    ]


def test_what_is_asked_of_a_piece_that_no_reed_feels_falls_when_another_is_lifted(hunt: Hunt) -> None:
    table, way = hunt.table, both_unfelt(hunt)
    assert table.assisted_moves.ask_whether_carried(way, hunt.bench.now)
    hunt.bench.run_until(hunt.bench.hands.lift("frankfurt", hunt.bench.now))
    hunt.bench.wait(200_000)
    assert table.guidance.question is None
