"""What lamps ask hands to do for a seat that the machine plays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from boardumpire.table.table import Table
from boardumpire.tracking.values import Chore, Guidance
from fuhrer.hunt import Hunt

ALLIES = "allies"
ORDER = Guidance(chores=(), lifted=(), hints={}, question=None)


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
    hunt.bench.let(hunt.bench.hands.lift("hannover", hunt.bench.now))
    assert table.errands.unfelt(("hannover", "kassel")) == (False, True)
    assert table.errands.up("hannover")
    hunt.bench.let(hunt.bench.hands.place("kassel", hunt.bench.now))
    said(hunt, "hannover-kassel", "go linz", "roll")
    way = ("kassel", "frankfurt")
    assert table.errands.way(ALLIES, "kassel-frankfurt") == way
    assert table.errands.called(way, ALLIES, "kassel-frankfurt") == "tank"
    assert table.errands.unfelt(way) == (True, False)
    assert table.marks["frankfurt"] == "may-go", "whose lift isn't felt is shown its ways at once"
    table.errands.ask(ALLIES, way[:1], way[1:])
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
    table.errands.ask(ALLIES, ("hannover",), ("nurnberg",))
    table.step(hunt.bench.now)
    assert (table.marks["hannover"], table.marks["nurnberg"]) == ("take", "put")
    hunt.bench.let(hunt.bench.hands.lift("hannover", hunt.bench.now))
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
    table.errands.ask(ALLIES, way[:1], way[1:])
    assert table.errands.shown(ORDER)[1] == {"hannover": "take", "kassel": "put"}
    disorder = ORDER._replace(chores=(Chore("take", "kassel", None),))
    assert table.errands.shown(disorder) == (disorder, {})
