"""Identity: what is known of who stands where is held to what was followed there."""

from __future__ import annotations

from boardumpire.tracking.corrections import Corrections
from boardumpire.tracking.events import BoardFault, FaultCode
from boardumpire.tracking.identity import IdentityCheck
from boardumpire.tracking.piece_tracker import PieceTracker


class Board:
    """Pieces belong on a, b and c; those of `up` are in the air."""

    def __init__(self, up: str = "", extra: str = "") -> None:
        self.following = PieceTracker(100, 20)
        self.following.reset("abc", (), {*"abc", *extra} - {*up}, frozenset(), 0)
        self.chores = Corrections(100, 20)
        self.identity = IdentityCheck(self.following, self.chores)
        self.doubt: set[frozenset[str]] = set()

    def known(self, space: str, home: str | None) -> bool:
        return self.identity.note_identity(space, home, self.doubt)


def test_the_right_piece_is_no_news() -> None:
    board = Board()
    assert not board.known("a", "a")
    assert board.chores.in_order
    assert board.identity.fault() is None


def test_another_piece_than_was_followed_there_is_wrong_until_it_is_up() -> None:
    board = Board()
    assert board.known("b", "a")
    assert board.known("a", "b")
    assert not board.known("b", "a"), "that was known"
    assert board.identity.fault() == BoardFault(FaultCode.SWAPPED, ("a", "b"))
    assert board.chores.in_order, "nothing is owed before it is told"
    board.identity.note_lift("b")
    assert board.identity.fault() == BoardFault(FaultCode.SWAPPED, ("a",))


def test_a_piece_that_belongs_nowhere_is_wrong_too() -> None:
    board = Board()
    assert board.known("b", None)
    assert board.identity.fault() == BoardFault(FaultCode.SWAPPED, ("b",))


def test_the_right_piece_after_a_wrong_one_is_news() -> None:
    board = Board()
    board.known("b", "a")
    assert board.known("b", "b")
    assert board.identity.fault() is None
    board.chores.exchange.add("b")
    assert board.known("b", "b")
    assert board.chores.exchange == set()


def test_once_a_fault_is_told_the_pieces_have_to_come_up() -> None:
    board = Board()
    board.known("b", "a")
    board.identity.note_fault_reported(BoardFault(FaultCode.SWAPPED, ("b",)))
    assert board.chores.exchange == {"b"}
    assert board.chores.outstanding == {"b"}
    assert board.identity.fault() is None
    assert not board.known("b", "a"), "that it has to come up is known"


def test_another_fault_changes_nothing() -> None:
    board = Board()
    board.known("b", "a")
    board.identity.note_fault_reported(BoardFault(FaultCode.SWAPPED, ("c",)))
    assert board.chores.in_order
    assert board.identity.wrong == {"b"}


def test_a_swap_that_was_in_doubt_becomes_a_chore_at_once() -> None:
    board = Board()
    board.doubt = {frozenset("ab")}
    assert board.known("b", "a")
    assert board.chores.exchange == {"b"}
    assert board.chores.outstanding == {"b"}
    assert board.identity.wrong == set()


def test_while_chores_are_open_a_wrong_piece_is_one_more() -> None:
    board = Board()
    board.chores.require("c")
    assert board.known("b", "a")
    assert board.chores.outstanding == {"b", "c"}
    assert board.identity.wrong == set()


def test_a_doubt_is_settled_by_either_piece_at_home() -> None:
    board = Board()
    board.doubt = {frozenset("ab"), frozenset("bc")}
    assert board.known("a", "a")
    assert board.doubt == {frozenset("bc")}
    assert not board.known("a", "a")


def test_a_claim_is_settled_by_who_stands_there() -> None:
    for home in ("a", "b", None):
        board = Board()
        board.chores.doubt_who_stands("a", "x", 500)
        assert board.known("a", home), "it was in question"
        assert board.chores.claimed == {}
        assert board.chores.exchange == (set() if home == "a" else {"a"})


def test_what_may_have_been_set_down_upon_is_settled_by_who_stands_there() -> None:
    board = Board(up="b")
    board.following.set_upon = {"b": "a", "c": "x"}
    assert board.known("a", "a")
    assert board.following.set_upon == {"c": "x"}


def test_a_stray_is_named() -> None:
    board = Board(up="ab")
    board.following.place("x", 500)
    board.doubt = {frozenset("ac")}
    assert board.known("x", "a")
    assert board.following.strays == {"x": frozenset("a")}
    assert board.doubt == set()
    assert not board.known("x", "a")


def test_naming_a_stray_tells_who_the_other_one_is() -> None:
    board = Board(up="ab")
    board.following.place("x", 500)
    board.following.place("y", 900)
    assert board.known("x", "a")
    assert board.following.strays == {"x": frozenset("a"), "y": frozenset("b")}


def test_a_stray_that_is_none_of_those_it_could_be_has_to_come_up() -> None:
    board = Board(up="a")
    board.following.place("x", 500)
    assert board.known("x", "c")
    assert board.identity.wrong == {"x"}
    assert board.following.strays == {"x": frozenset("a")}


def test_who_is_a_stray_that_nobody_explains_is_known_by_its_tag_and_no_fault_by_itself() -> None:
    board = Board(extra="x")
    assert board.known("x", "a")
    assert not board.known("x", "a"), "that was known"
    assert board.following.named == {"x": "a"}
    assert board.identity.fault() is None
    stranger = Board(extra="x")
    assert stranger.known("x", None)
    assert stranger.following.strangers == {"x"}
    assert stranger.identity.fault() is None


def test_a_piece_that_lies_on_its_side_is_a_fault_while_no_piece_is_in_a_hand() -> None:
    board = Board()
    board.identity.lies.add("a")
    assert board.identity.fault() == BoardFault(FaultCode.LYING, ("a",))
    board.following.lift("b", 500)
    assert board.identity.fault() is None
    board.following.place("b", 900)
    board.identity.note_fault_reported(BoardFault(FaultCode.LYING, ("a",)))
    assert board.chores.outstanding == board.chores.exchange == {"a"}
    assert board.identity.lies == set()


def test_it_lies_no_more_once_it_is_read_or_up() -> None:
    for read in (True, False):
        board = Board()
        board.identity.lies.add("a")
        if read:
            board.known("a", "a")
        else:
            board.identity.note_lift("a")
        assert board.identity.fault() is None


def test_a_swap_is_told_before_what_lies() -> None:
    board = Board()
    board.identity.lies.add("a")
    board.known("b", None)
    assert board.identity.fault() == BoardFault(FaultCode.SWAPPED, ("b",))


def test_a_new_layout_keeps_what_lies_where_a_piece_belongs_and_is_felt() -> None:
    board = Board(up="b", extra="x")
    board.identity.lies.update("abx")
    board.identity.wrong.add("c")
    board.identity.begin_layout()
    assert board.identity.lies == {"a"}
    assert board.identity.wrong == set()


def test_a_piece_from_a_hand_may_stand_where_another_belongs() -> None:
    board = Board(up="a")
    assert board.known("b", "a")
    assert board.identity.wrong == {"b"}
