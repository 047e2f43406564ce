"""Fingers move magnets: what a slide passes is felt, what is carried is not."""

from __future__ import annotations

import pytest

from boardsim.hands import HandsError
from boardsim.page.fingers import Fingers, Point
from boardsim.world import World
from boardware.description import load_board

BOARD = load_board("quick-battle-8x8")


class Table:
    """A board, hands over it, and time that is passed by hand."""

    def __init__(self) -> None:
        self.now = 0
        self.world = World(BOARD, bounce=None)
        self.fingers = Fingers(self.world, ["red", "blue"], 2, lambda: self.now)
        self.felt: list[tuple[str, bool]] = []
        self._closed: set[str] = set()

    def wait(self, micros: int) -> None:
        for _ in range(micros // 1000):
            self.now += 1000
            self.world.advance(self.now)
            closed = {slot for slot in BOARD.slots if self.world.copper.closed(slot)}
            self.felt += [(slot, slot in closed) for slot in sorted(closed ^ self._closed)]
            self._closed = closed

    def stand(self, **where: str) -> None:
        for owner, space in where.items():
            self.fingers.lay_out(owner, [space])
        self.wait(1_000_000)
        self.felt.clear()

    def lead(self, piece: int, *spaces: str) -> None:
        for space in spaces:
            place = BOARD.spaces[space].position
            self.fingers.lead(piece, Point(*place))
            self.wait(100_000)


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_slide_is_felt_on_every_square_it_passes(table: Table) -> None:
    table.stand(red="a3")
    table.fingers.grab(1, lift=False)
    table.lead(1, "a4", "a5", "a6")
    table.fingers.drop(1)
    table.wait(200_000)
    ways = [slot for slot, closed in table.felt if closed]
    assert ways == ["a4", "a5", "a6"]
    assert table.felt[-1] == ("a6", True)
    assert not [slot for slot in ("a3", "a4", "a5") if table.world.copper.closed(slot)]


def test_one_long_stroke_is_felt_on_its_whole_way(table: Table) -> None:
    table.stand(red="a1")
    table.fingers.grab(1, lift=False)
    table.lead(1, "a8")
    table.fingers.drop(1)
    table.wait(200_000)
    assert [slot for slot, closed in table.felt if closed] == [f"a{rank}" for rank in range(2, 9)]


def test_a_carried_piece_is_felt_where_it_leaves_and_lands_alone(table: Table) -> None:
    table.stand(red="a3")
    table.fingers.grab(1, lift=True)
    table.lead(1, "a4", "a5", "a6")
    table.fingers.drop(1)
    table.wait(200_000)
    assert table.felt == [("a3", False), ("a6", True)]


def test_a_piece_is_not_pushed_through_another_but_lifted_over_it(table: Table) -> None:
    table.stand(red="a3", blue="a4")
    table.fingers.grab(1, lift=False)
    table.lead(1, "a4", "a5")
    table.fingers.drop(1)
    table.wait(200_000)
    assert table.felt == [("a3", False), ("a5", True)]


def test_dropped_on_another_sides_piece_both_are_in_the_hand(table: Table) -> None:
    table.stand(red="a3", blue="a4")
    table.fingers.grab(1, lift=False)
    table.lead(1, "a4")
    table.fingers.drop(1)
    table.wait(200_000)
    assert {slot for slot, closed in table.felt if not closed} == {"a3", "a4"}
    assert [piece["id"] for piece in table.fingers.pieces() if piece["is"] == "held"] == [1, 3]
    table.fingers.tidy([{"do": "put", "space": "a4", "seat": "red"}])
    table.wait(1_000_000)
    table.fingers.aside()
    assert table.world.copper.closed("a4")
    assert {piece["id"]: piece["is"] for piece in table.fingers.pieces()}[3] == "beside"


def test_let_go_between_squares_it_rests_on_the_nearer_one_and_off_the_board_beside_it(table: Table) -> None:
    table.stand(red="a3")
    table.fingers.grab(1, lift=False)
    table.fingers.lead(1, Point(42.5, 158.0))
    table.wait(100_000)
    assert not table.world.copper.closed("a3"), "between two squares nothing is felt"
    table.fingers.drop(1)
    table.wait(100_000)
    assert table.world.copper.closed("a4")
    table.fingers.grab(1, lift=True)
    table.fingers.lead(1, Point(-60.0, 100.0))
    table.fingers.drop(1)
    table.wait(100_000)
    assert not table.world.standing()


def test_a_knocked_piece_lies_unfelt_until_it_is_stood_up(table: Table) -> None:
    table.stand(red="a3")
    table.fingers.knock("a3")
    table.wait(100_000)
    assert not table.world.copper.closed("a3")
    table.fingers.knock("a3")
    table.wait(500_000)
    assert table.world.copper.closed("a3")
    assert not table.world.fallen()


def test_what_is_seen_never_holds_what_is_written_on_a_piece(table: Table) -> None:
    table.stand(red="a3", blue="a6")
    for piece in table.fingers.pieces():
        assert piece.keys() <= {"id", "seat", "is", "slot", "x", "y"}


@pytest.mark.parametrize(("piece", "space"), [(99, "a1"), (1, "z9")])
def test_what_hands_can_not_do_is_said(table: Table, piece: int, space: str) -> None:
    with pytest.raises(HandsError):
        table.fingers.carry(piece, space)
