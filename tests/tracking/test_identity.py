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
        self.following.begin_layout("abc", (), {*"abc", *extra} - {*up}, frozenset(), 0)
        self.chores = Corrections(100, 20)
        self.identity = IdentityCheck(self.following, self.chores)
        self.doubt: set[frozenset[str]] = set()

    def known(self, space: str, home: str | None) -> bool:
        return self.identity.note_identity(space, home, self.doubt)


def test_the_right_piece_is_no_news() -> None:
    board = Board()
    assert not board.known("a", "a")
    assert board.chores.is_in_order
    assert board.identity.current_fault() is None


def test_another_piece_than_was_followed_there_is_wrong_until_it_is_up() -> None:
    board = Board()
    assert board.known("b", "a")
    assert board.known("a", "b")
    assert not board.known("b", "a"), "that was known"
    assert board.identity.current_fault() == BoardFault(FaultCode.PIECES_SWAPPED, ("a", "b"))
    assert board.chores.is_in_order, "nothing is owed before it is told"
    board.identity.note_lift("b")
    assert board.identity.current_fault() == BoardFault(FaultCode.PIECES_SWAPPED, ("a",))


def test_a_piece_that_belongs_nowhere_is_wrong_too() -> None:
    board = Board()
    assert board.known("b", None)
    assert board.identity.current_fault() == BoardFault(FaultCode.PIECES_SWAPPED, ("b",))


def test_the_right_piece_after_a_wrong_one_is_news() -> None:
    board = Board()
    board.known("b", "a")
    assert board.known("b", "b")
    assert board.identity.current_fault() is None
    board.chores.wrong_piece_spaces.add("b")
    assert board.known("b", "b")
    assert board.chores.wrong_piece_spaces == set()


def test_once_a_fault_is_told_the_pieces_have_to_come_up() -> None:
    board = Board()
    board.known("b", "a")
    board.identity.note_fault_reported(BoardFault(FaultCode.PIECES_SWAPPED, ("b",)))
    assert board.chores.wrong_piece_spaces == {"b"}
    assert board.chores.outstanding == {"b"}
    assert board.identity.current_fault() is None
    assert not board.known("b", "a"), "that it has to come up is known"


def test_another_fault_changes_nothing() -> None:
    board = Board()
    board.known("b", "a")
    board.identity.note_fault_reported(BoardFault(FaultCode.PIECES_SWAPPED, ("c",)))
    assert board.chores.is_in_order
    assert board.identity.swapped_spaces == {"b"}


def test_a_swap_that_was_in_doubt_becomes_a_chore_at_once() -> None:
    board = Board()
    board.doubt = {frozenset("ab")}
    assert board.known("b", "a")
    assert board.chores.wrong_piece_spaces == {"b"}
    assert board.chores.outstanding == {"b"}
    assert board.identity.swapped_spaces == set()


def test_while_chores_are_open_a_wrong_piece_is_one_more() -> None:
    board = Board()
    board.chores.require_correction("c")
    assert board.known("b", "a")
    assert board.chores.outstanding == {"b", "c"}
    assert board.identity.swapped_spaces == set()


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
        assert board.chores.doubtful_occupants == {}
        assert board.chores.wrong_piece_spaces == (set() if home == "a" else {"a"})


def test_what_may_have_been_set_down_upon_is_settled_by_who_stands_there() -> None:
    board = Board(up="b")
    board.following.possible_landings = {"b": "a", "c": "x"}
    assert board.known("a", "a")
    assert board.following.possible_landings == {"c": "x"}


def test_a_stray_is_named() -> None:
    board = Board(up="ab")
    board.following.note_set_down("x", 500)
    board.doubt = {frozenset("ac")}
    assert board.known("x", "a")
    assert board.following.stray_candidates == {"x": frozenset("a")}
    assert board.doubt == set()
    assert not board.known("x", "a")


def test_naming_a_stray_tells_who_the_other_one_is() -> None:
    board = Board(up="ab")
    board.following.note_set_down("x", 500)
    board.following.note_set_down("y", 900)
    assert board.known("x", "a")
    assert board.following.stray_candidates == {"x": frozenset("a"), "y": frozenset("b")}


def test_a_stray_that_is_none_of_those_it_could_be_has_to_come_up() -> None:
    board = Board(up="a")
    board.following.note_set_down("x", 500)
    assert board.known("x", "c")
    assert board.identity.swapped_spaces == {"x"}
    assert board.following.stray_candidates == {"x": frozenset("a")}


def test_who_is_a_stray_that_nobody_explains_is_known_by_its_tag_and_no_fault_by_itself() -> None:
    board = Board(extra="x")
    assert board.known("x", "a")
    assert not board.known("x", "a"), "that was known"
    assert board.following.homes_by_tag == {"x": "a"}
    assert board.identity.current_fault() is None
    stranger = Board(extra="x")
    assert stranger.known("x", None)
    assert stranger.following.reported_extra_places == {"x"}
    assert stranger.identity.current_fault() is None


def test_a_piece_that_lies_on_its_side_is_a_fault_while_no_piece_is_in_a_hand() -> None:
    board = Board()
    board.identity.lying_spaces.add("a")
    assert board.identity.current_fault() == BoardFault(FaultCode.PIECE_LYING, ("a",))
    board.following.note_lift("b", 500)
    assert board.identity.current_fault() is None
    board.following.note_set_down("b", 900)
    board.identity.note_fault_reported(BoardFault(FaultCode.PIECE_LYING, ("a",)))
    assert board.chores.outstanding == board.chores.wrong_piece_spaces == {"a"}
    assert board.identity.lying_spaces == set()


def test_it_lies_no_more_once_it_is_read_or_up() -> None:
    for read in (True, False):
        board = Board()
        board.identity.lying_spaces.add("a")
        if read:
            board.known("a", "a")
        else:
            board.identity.note_lift("a")
        assert board.identity.current_fault() is None


def test_a_swap_is_told_before_what_lies() -> None:
    board = Board()
    board.identity.lying_spaces.add("a")
    board.known("b", None)
    assert board.identity.current_fault() == BoardFault(FaultCode.PIECES_SWAPPED, ("b",))


def test_a_new_layout_keeps_what_lies_where_a_piece_belongs_and_is_felt() -> None:
    board = Board(up="b", extra="x")
    board.identity.lying_spaces.update("abx")
    board.identity.swapped_spaces.add("c")
    board.identity.begin_layout()
    assert board.identity.lying_spaces == {"a"}
    assert board.identity.swapped_spaces == set()


def test_a_piece_from_a_hand_may_stand_where_another_belongs() -> None:
    board = Board(up="a")
    assert board.known("b", "a")
    assert board.identity.swapped_spaces == {"b"}
