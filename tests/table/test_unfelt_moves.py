"""What hands at another board are asked to carry, though nothing feels it."""

from __future__ import annotations

from boardrules.core import Layout, LayoutPiece, Seat, Space
from boardumpire.table.unfelt_moves import BoardSenses, UnfeltMove, unfelt_moves_after

HERE = BoardSenses(frozenset({Seat("hitler")}), {Space("bonn"): 2})
TANK, SPY, MEN = (LayoutPiece(Seat("allies"), name) for name in ("tank", "spy", "infantry"))


def at(**cities: tuple[LayoutPiece, ...]) -> Layout:
    return {Space(city): pieces for city, pieces in cities.items()}


def moved(
    before: Layout,
    after: Layout,
    way: tuple[str, str],
    already: tuple[UnfeltMove, ...] = (),
    senses: BoardSenses = HERE,
) -> tuple[UnfeltMove, ...]:
    return unfelt_moves_after(already, before, after, (Space(way[0]), Space(way[1])), senses)


def unfelt(piece: LayoutPiece, origin: str, target: str, *, leaves: bool) -> UnfeltMove:
    return UnfeltMove(piece, Space(origin), Space(target), leaves_unfelt=leaves)


APART = at(koln=(TANK,), mainz=(SPY,), ulm=(MEN,))
JOINED = at(koln=(TANK, SPY), ulm=(MEN,))
LEFT = at(koln=(SPY,), ulm=(TANK, MEN))


def test_a_piece_that_is_felt_where_it_comes_is_no_such_move() -> None:
    assert moved(APART, at(bonn=(TANK,), mainz=(SPY,), ulm=(MEN,)), ("koln", "bonn")) == ()
    assert moved(at(bonn=(TANK,), mainz=(SPY,)), at(bonn=(TANK, SPY)), ("mainz", "bonn")) == (), "two rings"
    assert moved(JOINED, at(koln=(SPY,), ulm=(MEN,), mainz=(TANK,)), ("koln", "mainz")) == ()


def test_a_piece_that_joins_another_is_and_it_may_leave_others() -> None:
    joins = unfelt(SPY, "mainz", "koln", leaves=False)
    assert moved(APART, JOINED, ("mainz", "koln")) == (joins,)
    assert moved(JOINED, LEFT, ("koln", "ulm")) == (unfelt(TANK, "koln", "ulm", leaves=True),)


def test_a_space_that_is_played_by_hand_feels_nothing() -> None:
    by_hand = HERE._replace(hand_played_spaces={Space("bonn")})
    after = at(bonn=(TANK,), mainz=(SPY,), ulm=(MEN,))
    there = moved(APART, after, ("koln", "bonn"), senses=by_hand)
    assert there == (unfelt(TANK, "koln", "bonn", leaves=False),)


def test_pieces_of_seats_at_home_are_moved_by_their_own_hands() -> None:
    at_home = HERE._replace(home=frozenset({Seat("allies")}))
    assert moved(APART, JOINED, ("mainz", "koln"), senses=at_home) == ()


def test_a_piece_that_moves_on_before_it_was_carried_is_carried_from_where_it_stands() -> None:
    open_ = (unfelt(SPY, "mainz", "koln", leaves=False),)
    on = at(koln=(TANK,), ulm=(MEN, SPY))
    assert moved(JOINED, on, ("koln", "ulm"), open_) == (unfelt(SPY, "mainz", "ulm", leaves=False),)
    felt = at(koln=(TANK,), ulm=(MEN,), bonn=(SPY,))
    assert moved(JOINED, felt, ("koln", "bonn"), open_) == ()
    assert moved(JOINED, APART, ("koln", "mainz"), open_) == ()


def test_it_is_felt_once_the_others_leave() -> None:
    open_ = (unfelt(SPY, "mainz", "koln", leaves=False),)
    assert moved(JOINED, at(koln=(SPY,), ulm=(MEN,), bonn=(TANK,)), ("koln", "bonn"), open_) == ()
