"""Fingers move magnets: what a slide passes is sensed, what is carried is not."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import boardrules
from boardsim.hands.hands import HandsError
from boardsim.page.fingers import PointerHands, PointerPosition
from boardsim.world.world import World
from boardumpire.commands import computer_players
from boardumpire.table.errands import AssistedMove
from boardumpire.tracking.questions import make_question
from boardware.description import load_board

BOARD = load_board("quick-battle-8x8")


class Table:
    """A board, hands over it, and time that is passed by hand."""

    def __init__(self) -> None:
        self.now = 0
        self.world = World(BOARD, bounce=None)
        self.fingers = PointerHands(self.world, ["red", "blue"], lambda: self.now, crew={"red": 2, "blue": 2})
        self.felt: list[tuple[str, bool]] = []
        self._closed: set[str] = set()

    def wait(self, micros: int) -> None:
        for _ in range(micros // 1000):
            self.now += 1000
            self.world.advance(self.now)
            closed = {slot for slot in BOARD.slots if self.world.copper.closed(slot)}
            self.felt += [(slot, slot in closed) for slot in sorted(closed ^ self._closed)]
            self._closed = closed

    def skip(self, micros: int) -> None:
        """Let time pass of which nobody asks what was sensed."""
        self.now += micros
        self.world.advance(self.now)

    def stand(self, **where: str) -> None:
        for owner, space in where.items():
            self.fingers.lay_out(owner, [space])
        self.wait(1_000_000)
        self.felt.clear()

    def lead(self, piece: int, *spaces: str) -> None:
        for space in spaces:
            place = BOARD.spaces[space].position
            self.fingers.lead_piece(piece, PointerPosition(*place))
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
    table.fingers.do_corrections([{"do": "put", "space": "a4", "seat": "red"}])
    table.wait(1_000_000)
    table.fingers.put_beside_board()
    assert table.world.copper.closed("a4")
    assert {piece["id"]: piece["is"] for piece in table.fingers.pieces()}[3] == "beside"


def test_let_go_between_squares_it_rests_on_the_nearer_one_and_off_the_board_beside_it(table: Table) -> None:
    table.stand(red="a3")
    table.fingers.grab(1, lift=False)
    table.fingers.lead_piece(1, PointerPosition(42.5, 158.0))
    table.wait(100_000)
    assert not table.world.copper.closed("a3"), "between two squares nothing is felt"
    table.fingers.drop(1)
    table.wait(100_000)
    assert table.world.copper.closed("a4")
    table.fingers.grab(1, lift=True)
    table.fingers.lead_piece(1, PointerPosition(-60.0, 100.0))
    table.fingers.drop(1)
    table.wait(100_000)
    assert not table.world.standing()


def test_a_knocked_piece_lies_unfelt_until_it_is_stood_up(table: Table) -> None:
    table.stand(red="a3")
    table.fingers.toggle_fallen("a3")
    table.wait(100_000)
    assert not table.world.copper.closed("a3")
    table.fingers.toggle_fallen("a3")
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


def test_a_piece_that_is_taken_again_before_it_rests_is_where_it_was_let_go(table: Table) -> None:
    """On a slow line many messages come at once: let go and taken again in one moment."""
    table.stand(red="a3")
    table.fingers.grab(1, lift=False)
    for space in ("a4", "a5"):
        table.fingers.lead_piece(1, PointerPosition(*BOARD.spaces[space].position))
    table.fingers.drop(1)
    table.fingers.grab(1, lift=True)
    table.fingers.lead_piece(1, PointerPosition(*BOARD.spaces["a6"].position))
    table.fingers.drop(1)
    table.wait(500_000)
    assert list(table.world.standing()) == ["a6"]
    assert [slot for slot in BOARD.slots if table.world.copper.closed(slot)] == ["a6"]


def test_a_piece_is_laid_out_while_a_finger_holds_it(table: Table) -> None:
    table.stand(red="a3")
    table.fingers.grab(1, lift=False)
    table.fingers.lay_out("red", ["a1"])
    table.fingers.lead_piece(1, PointerPosition(*BOARD.spaces["a4"].position))
    table.fingers.drop(1)
    table.wait(500_000)
    assert sorted(table.world.standing()) == ["a1", "a4"]


def test_nobody_else_has_pieces(table: Table) -> None:
    with pytest.raises(HandsError, match="nobody called 'green'"):
        table.fingers.lay_out("green", ["a1"])
    assert not table.world.standing()


def _something(dice: random.Random, fingers: PointerHands) -> Callable[[], object]:
    """Anything that hands may do, on few spaces: they get in each other's way."""
    spaces = ["a1", "a2", "b1", "b2", "e5", "h8"]
    piece, space, owner = dice.randint(1, 8), dice.choice(spaces), dice.choice(["red", "blue"])
    place = BOARD.spaces[space].position
    there = PointerPosition(place.x + dice.uniform(-30, 30), place.y + dice.uniform(-30, 30))
    lift = dice.random() < 0.5
    chores = [{"do": dice.choice(["take", "put"]), "space": dice.choice(spaces)} for _ in range(2)]
    some = dice.sample(spaces, dice.randint(0, 4))
    return dice.choice(
        [
            lambda: fingers.grab(piece, lift=lift),
            lambda: fingers.lead_piece(piece, there),
            lambda: fingers.lead_piece(piece, there),
            lambda: fingers.drop(piece),
            lambda: fingers.carry(piece, space),
            lambda: fingers.put_beside_board(piece),
            lambda: fingers.put_beside_board(),
            lambda: fingers.lay_out(owner, some),
            lambda: fingers.do_corrections(chores),
            lambda: fingers.toggle_fallen(space),
        ]
    )


def test_of_pieces_with_names_the_one_that_belongs_there_is_put_there() -> None:
    """Two of one side, whichever lies first beside the board."""
    now, world = 0, World(BOARD, bounce=None)
    fingers = PointerHands(world, [], lambda: now, {"tank": "red", "spy": "red"})
    fingers.apply_ruling({}, names={"a3": ["spy"], "b3": ["tank"]})
    fingers.do_corrections(
        [{"do": "put", "space": space, "seat": "red"} for space in ("a3", "b3")], beside=True
    )
    now += 3_000_000
    world.advance(now)
    there = {piece["slot"]: piece["name"] for piece in fingers.pieces()}
    assert there == {"a3": "spy", "b3": "tank"}
    fingers.do_corrections([{"do": "take", "space": "b3", "seat": "red"}])
    fingers.apply_ruling({}, names={"a3": ["spy", "tank"]})
    fingers.do_corrections([{"do": "put", "space": "a3", "seat": "red"}])
    now += 3_000_000
    world.advance(now)
    assert {piece["name"]: piece["slot"] for piece in fingers.pieces()} == {"tank": "a3", "spy": "a3"}


@pytest.mark.parametrize("piece", [1, 2])
def test_each_of_two_pieces_with_a_name_that_share_a_space_can_be_taken(piece: int) -> None:
    """They stand side by side: neither is under the other."""
    now, world = 0, World(BOARD, bounce=None)
    fingers = PointerHands(world, [], lambda: now, {"tank": "red", "spy": "red"})
    for number in (1, 2):
        fingers.carry(number, "a3")
        now += 500_000
        world.advance(now)
    fingers.carry(piece, "a5")
    now += 500_000
    world.advance(now)
    stands = {each["id"]: each["slot"] for each in fingers.pieces()}
    assert stands == {piece: "a5", 3 - piece: "a3"}
    assert [slot for slot in BOARD.slots if world.copper.closed(slot)] == ["a3", "a5"]


@pytest.mark.parametrize("seed", range(25))
def test_whatever_many_hands_do_each_piece_is_in_one_place_and_felt_where_it_stands(seed: int) -> None:
    dice, now = random.Random(f"hands {seed}"), 0
    world = World(BOARD, bounce=None)
    named = {"tank": "red", "spy": "red", "infantry": "blue"} if seed % 2 else {}
    fingers = PointerHands(
        world, ["red", "blue"], lambda: now, named, dict.fromkeys(("red", "blue"), 2 if named else 4)
    )
    for _ in range(200):
        try:
            _something(dice, fingers)()
        except HandsError:
            continue
        finally:
            now += dice.choice([0, 0, 1000, 10_000, 30_000, 100_000, 400_000])
            world.advance(now)
    for number in list(fingers.grips):
        fingers.put_beside_board(number)
    now += 1_000_000_000
    world.advance(now)
    felt = {slot for slot in BOARD.slots if world.copper.closed(slot)}
    fallen = world.fallen()
    assert felt == {slot for slot, pieces in world.standing().items() if set(pieces) - fallen}
    assert set(Counter(piece["id"] for piece in fingers.pieces()).values()) == {1}
    assert {piece["is"] for piece in fingers.pieces()} <= {"stands", "lies", "beside"}
    standing = [piece.number for pieces in world.standing().values() for piece in pieces]
    assert len(standing) == len(set(standing))


def umpire_sees(table: Table) -> dict[str, str]:
    """What stands where, as an umpire knows who has just ruled that it is right."""
    return {slot: pieces[-1].owner for slot, pieces in table.world.standing().items()}


def stands(table: Table) -> dict[int, str]:
    return {piece.number: slot for slot, pieces in table.world.standing().items() for piece in pieces}


def drag(table: Table, piece: int, *spaces: str) -> None:
    table.fingers.grab(piece, lift=True)
    for space in spaces:
        table.fingers.lead_piece(piece, PointerPosition(*BOARD.spaces[space].position))
        table.skip(100_000)
    table.fingers.drop(piece)
    table.skip(800_000)


def tidied(table: Table, chores: list[dict[str, str]]) -> None:
    """What screens send while there are chores: all at once, and again as long as some are left."""
    for _ in range(4):
        table.fingers.do_corrections(chores)
        table.skip(3_000_000)


def test_where_pieces_take_each_other_who_is_dropped_on_one_stands_there(table: Table) -> None:
    table.fingers.lay_out("blue", ["a6"])
    table.fingers.lay_out("red", ["a3"])
    table.wait(1_000_000)
    numbers = {slot: number for number, slot in stands(table).items()}
    table.fingers.apply_ruling(umpire_sees(table), {("a3", "a6")})
    drag(table, numbers["a3"], "a6")
    assert stands(table) == {numbers["a3"]: "a6"}
    assert [piece["is"] for piece in table.fingers.pieces() if piece["id"] == numbers["a6"]] == ["held"]


def test_two_pieces_of_a_side_that_went_astray_come_home_each_to_its_own_square(table: Table) -> None:
    table.fingers.lay_out("blue", ["a6", "b6"])
    table.wait(1_000_000)
    before = stands(table)
    table.fingers.apply_ruling(umpire_sees(table))
    first, second = sorted(before, key=before.__getitem__)
    drag(table, first, "a4")
    drag(table, second, "b4")
    takes = [{"do": "take", "space": space, "seat": "blue"} for space in ("a4", "b4")]
    puts = [{"do": "put", "space": space, "seat": "blue"} for space in ("a6", "b6")]
    tidied(table, [*takes, *puts])
    assert stands(table) == before


def test_a_piece_is_not_put_in_place_of_the_one_that_a_finger_holds(table: Table) -> None:
    table.fingers.lay_out("blue", ["a6", "b6"])
    table.wait(1_000_000)
    before = stands(table)
    table.fingers.apply_ruling(umpire_sees(table))
    first, second = sorted(before, key=before.__getitem__)
    drag(table, second, "b4")
    table.fingers.grab(first, lift=True)
    table.wait(300_000)
    chores = [{"do": "take", "space": "b4", "seat": "blue"}]
    chores += [{"do": "put", "space": space, "seat": "blue"} for space in ("a6", "b6")]
    tidied(table, chores)
    assert stands(table) == {second: "b6"}
    table.lead(first, "a6")
    table.fingers.drop(first)
    table.wait(300_000)
    assert stands(table) == before


def test_where_a_piece_joins_another_sides_both_stand(table: Table) -> None:
    """Two men of two officers on one circle, one of them in a tunnel below."""
    table.fingers.lay_out("red", ["a3"])
    table.fingers.lay_out("blue", ["a6"])
    table.wait(1_000_000)
    (red,) = (piece for piece, space in stands(table).items() if space == "a3")
    table.fingers.apply_ruling({}, joins={("a3", "a6")})
    table.fingers.carry(red, "a6")
    table.wait(1_000_000)
    assert set(stands(table).values()) == {"a6"}
    assert len(stands(table)) == 2
    assert not table.fingers.grips


def test_of_those_that_lie_beside_the_one_that_belongs_there_is_put_back(table: Table) -> None:
    """Not the one that was captured before, and lies there first."""
    table.fingers.lay_out("blue", ["a6", "b6"])
    table.wait(1_000_000)
    table.fingers.apply_ruling(umpire_sees(table))
    first, second = sorted(stands(table), key=stands(table).__getitem__)
    for piece in (first, second):
        table.fingers.grab(piece, lift=True)
        table.fingers.lead_piece(piece, PointerPosition(-60.0, 100.0))
        table.fingers.drop(piece)
        table.wait(300_000)
        table.fingers.apply_ruling({"b6": "blue"})  # the first was captured
    table.fingers.do_corrections([{"do": "put", "space": "b6", "seat": "blue"}], beside=True)
    table.wait(1_000_000)
    assert stands(table) == {second: "b6"}


def test_the_winner_of_a_battle_is_put_where_it_was_fought_whatever_else_is_in_hands(table: Table) -> None:
    table.fingers.lay_out("red", ["a3", "b3"])
    table.stand(blue="a4")
    table.fingers.apply_ruling(umpire_sees(table))
    (winner,) = [piece for piece, slot in stands(table).items() if slot == "a3"]
    (other,) = [piece for piece, slot in stands(table).items() if slot == "b3"]
    drag(table, winner, "a4")
    table.wait(1_000_000)
    table.fingers.grab(other, lift=True)
    table.lead(other, "b1")
    table.fingers.drop(other)
    table.fingers.apply_ruling({"a4": "red", "b3": "red"})
    chores = [{"do": "take", "space": "b1", "seat": "red"}]
    chores += [{"do": "put", "space": space, "seat": "red"} for space in ("b3", "a4")]
    tidied(table, chores)
    assert stands(table) == {winner: "a4", other: "b3"}


@pytest.mark.parametrize("seed", range(60))
def test_whatever_went_astray_comes_home_each_to_its_own_square(seed: int) -> None:
    """Hands that tidy up know each piece: an umpire who feels only that something stands couldn't tell."""
    dice, table = random.Random(f"astray {seed}"), Table()
    for owner, spaces in (("red", ["a1", "b1", "c1"]), ("blue", ["a8", "b8", "c8"])):
        table.fingers.lay_out(owner, spaces)
    table.wait(2_000_000)
    for _ in range(6):
        table.fingers.apply_ruling(umpire_sees(table))
        before = stands(table)
        owners = {piece.number: piece.owner for pieces in table.world.standing().values() for piece in pieces}
        for _ in range(dice.randint(1, 6)):
            piece = dice.choice(sorted(before))
            try:
                drag(table, piece, *dice.sample(["a1", "b1", "c1", "d4", "e4", "a8", "b8", "h8"], 2))
            except HandsError:
                continue
        for _ in range(8):
            now = stands(table)
            wrong = {n: space for n, space in now.items() if before[n] != space}
            missing = {n: space for n, space in before.items() if now.get(n) != space}
            chores = [{"do": "take", "space": s, "seat": owners[n]} for n, s in wrong.items()]
            chores += [{"do": "put", "space": s, "seat": owners[n]} for n, s in missing.items()]
            dice.shuffle(chores)
            table.fingers.do_corrections(chores, beside=True)
            table.skip(3_000_000)
        assert stands(table) == before
        moving = dice.choice(sorted(before))  # and a move that the umpire rules
        free = sorted({"d3", "e3", "f3", "g3", "d6", "e6", "g6"} - set(stands(table).values()))
        drag(table, moving, dice.choice(free))


@pytest.mark.parametrize("seed", range(40))
def test_pieces_that_stand_in_each_others_places_come_home_when_somebody_asks(seed: int) -> None:
    """Chores as an umpire has them who only feels that something stands: none where it is the wrong piece."""
    dice, table = random.Random(f"swapped {seed}"), Table()
    for owner, spaces in (("red", ["a1", "b1", "c1", "d1"]), ("blue", ["a8", "b8"])):
        table.fingers.lay_out(owner, spaces)
    table.wait(2_000_000)
    table.fingers.apply_ruling(umpire_sees(table))
    before = stands(table)
    owners = {piece.number: piece.owner for pieces in table.world.standing().values() for piece in pieces}
    for piece in dice.sample(sorted(before), 5):
        drag(table, piece, dice.choice(["a1", "b1", "c1", "d1", "d4", "e4", "a8", "b8"]))
    for _ in range(12):
        felt = set(stands(table).values())
        chores = [{"do": "put", "space": s, "seat": owners[n]} for n, s in before.items() if s not in felt]
        chores += [
            {"do": "take", "space": s, "seat": owners[n]}
            for n, s in stands(table).items()
            if s not in before.values()
        ]
        table.fingers.do_corrections(chores, beside=True)
        table.skip(3_000_000)
    assert set(stands(table).values()) == set(before.values())


def test_a_piece_in_another_ones_place_goes_home_and_that_one_too(table: Table) -> None:
    table.fingers.lay_out("red", ["a1", "b1"])
    table.wait(1_000_000)
    table.fingers.apply_ruling(umpire_sees(table))
    before = stands(table)
    first, second = sorted(before, key=before.__getitem__)
    drag(table, second, "d4")
    drag(table, first, "b1")
    chores = [{"do": "take", "space": "d4", "seat": "red"}, {"do": "put", "space": "a1", "seat": "red"}]
    table.fingers.do_corrections(chores)
    table.skip(3_000_000)
    assert stands(table) == {first: "b1"}, "unless somebody asks, what stands where it may is let alone"
    table.fingers.do_corrections(chores[1:], beside=True)
    table.skip(3_000_000)
    assert stands(table) == before


def test_a_piece_that_is_dropped_on_an_enemy_is_tapped_on_its_own_square(table: Table) -> None:
    """The sign of an attack: both up, then its own reed closes and opens again while the enemy is up."""
    table.stand(red="a3", blue="a4")
    began = table.now
    table.fingers.carry(1, "a4")
    moments: list[tuple[int, str, bool]] = []
    while table.now < began + 2_000_000:
        seen = len(table.felt)
        table.wait(1000)
        moments += [(table.now, slot, closed) for slot, closed in table.felt[seen:]]
    (up, *own), enemy = (
        [at for at, slot, _ in moments if slot == "a3"],
        [at for at, slot, _ in moments if slot == "a4"],
    )
    assert [closed for _, slot, closed in moments if slot == "a3"] == [False, True, False]
    assert len(enemy) == 1, "and stays up"
    down, again = own
    assert enemy[0] < down
    assert down - up >= 200_000, "it was up for a while before"
    assert 30_000 <= again - down <= 500_000
    assert [piece["is"] for piece in table.fingers.pieces() if piece["id"] in (1, 3)] == ["held", "held"]


def test_a_seat_that_the_machine_plays_says_what_its_hands_know() -> None:
    """Its errand alone tells nothing: somebody may have set another piece there, or moved its own."""
    now, world = 0, World(BOARD, bounce=None)
    fingers: Any = PointerHands(world, ["red"], lambda: now, crew={"red": 3})
    for number, space in enumerate(("a3", "b3"), 1):
        fingers.carry(number, space)
    now += 1_000_000
    world.advance(now)
    fingers.apply_ruling({"a3": "red", "b3": "red"})
    errand = AssistedMove(boardrules.new("stratego-quick-duel"), ("a3",), ("a4",))

    def said(code: str, *spaces: str) -> str:
        answered = computer_players.choose_answer(
            make_question(code, spaces, "red"), "red", errand, "a3-a4", fingers
        )
        return str(answered).partition(" ")[0]

    fingers.carry(3, "a4")  # from beside
    now += 1_000_000
    world.advance(now)
    assert [said(code, "a3", "a4") for code in ("came-from", "moved-here")] == ["no"] * 2
    assert said("that-piece", "a3", "a4", "b3") == "no"
    assert [said("same-places", "a3", "b3"), said("who-stands", "a3", "c3")] == ["yes", "yes"]
    fingers.grab(1, lift=True)
    assert [said("in-hand", "a3"), said("in-hand", "b3")] == ["yes", "no"]
    fingers.carry(1, "b4")
    now += 1_000_000
    world.advance(now)
    assert [said("in-hand", "a3"), said("came-from", "a3", "b4")] == ["no", "yes"]
    assert [said("same-places", "a3", "b3"), said("who-stands", "a3", "c3")] == ["no", "no"]
    assert said("came-from", "c3", "a4") == "no", "what hands don't know is as the errand says"
    assert said("attack-here", "a3", "a4") == "yes", "what is meant hands don't know"
