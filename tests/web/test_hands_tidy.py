"""Hands of the simulated board from game to game, in spaces of several rings, and after a battle."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import pytest

from boardsim.page.board import VirtualBoard
from boardsim.page.fingers import ATTACK_HELD_US, ATTACK_TAP_US, PointerHands, PointerPosition
from boardsim.world.world import World
from boardware.description import load_board
from evenings import virtual_loop

FIELD, MAP = load_board("quick-battle-8x8"), load_board("fall-of-the-fuhrer-slots")
ARMY = {"red": 10, "blue": 10}
ZONES = {
    "red": [f"{column}{row}" for column in "abcdefgh" for row in "123"],
    "blue": [f"{column}{row}" for column in "abcdefgh" for row in "678"],
}
NAMES = {"tank": "allies", "spy": "allies", "infantry": "allies"}


class Bench:
    """Hands over a board, and time that is passed by hand."""

    def __init__(self, board: object = FIELD, crew: dict[str, int] = ARMY, **named: str) -> None:
        self.now = 0
        self.world = World(board, bounce=None)  # type: ignore[arg-type]
        self.fingers = PointerHands(self.world, list(crew), lambda: self.now, named, crew)
        self.felt: list[tuple[str, bool]] = []
        self.world.magnet_listeners.append(lambda slot, on, at: self.felt.append((slot, on)))

    def wait(self, micros: int = 5_000_000) -> None:
        self.now += micros
        self.world.advance(self.now)

    def stands(self) -> dict[str, list[str]]:
        """By slot whose pieces stand there, or which."""
        found = self.world.standing().items()
        return {slot: sorted(piece.label or piece.owner for piece in pieces) for slot, pieces in found}

    def number(self, slot: str) -> int:
        return self.world.standing()[slot][-1].number

    def closed(self, space: str) -> int:
        """How many rings of a space feel a piece."""
        return sum(self.world.copper.closed(slot.id) for slot in self.world.board.spaces[space].slots)

    def owned(self) -> Counter[str]:
        return Counter(piece["seat"] for piece in self.fingers.pieces())


# The next game


def left_over(bench: Bench, dice: random.Random) -> None:
    """Pieces of the last game are anywhere: on squares of either side, in the middle, in hands, beside."""
    for piece in list(bench.fingers.pieces()):
        squares = [square for square in FIELD.spaces if square not in bench.stands()]
        match dice.randrange(5):
            case 0:
                bench.fingers.grab(piece["id"], lift=True)
                bench.fingers.grips[piece["id"]].is_led = False
            case 1 | 2:
                bench.fingers.carry(piece["id"], dice.choice(squares))
            case 3:
                bench.fingers.grab(piece["id"], lift=True)
                bench.fingers.put_beside_board(piece["id"])
        bench.wait(dice.choice([0, 50_000, 1_000_000]))


@pytest.mark.few(6)
@pytest.mark.parametrize("cleared", [False, True], ids=["as it is", "cleared first"])
@pytest.mark.parametrize("seed", range(10))
def test_six_games_in_a_row_begin_with_two_whole_armies_and_nothing_else(seed: int, cleared: bool) -> None:
    dice, bench = random.Random(seed), Bench()
    for _ in range(6):
        if cleared:
            bench.fingers.reset_pieces({}, ARMY)
        armies = {side: dice.sample(zone, 10) for side, zone in ZONES.items()}
        for _ in range(2):  # the second to lay out clears what the first could not know of
            for side in dice.sample(sorted(armies), 2):
                bench.fingers.lay_out(side, armies[side])
                bench.wait(dice.choice([0, 300_000, 5_000_000]))
        bench.wait()
        assert bench.stands() == {square: [side] for side, army in armies.items() for square in army}
        assert bench.owned() == ARMY
        left_over(bench, dice)
        bench.wait()


def test_a_square_where_a_piece_of_the_last_game_stands_is_cleared() -> None:
    bench = Bench()
    bench.fingers.lay_out("red", ["f7"])
    bench.wait()
    bench.fingers.lay_out("blue", ["e7", "f7", "g7"])
    bench.fingers.lay_out("red", ["e3"])
    bench.wait()
    assert bench.stands() == {"e3": ["red"], "e7": ["blue"], "f7": ["blue"], "g7": ["blue"]}
    assert bench.owned() == ARMY


def test_while_a_finger_leads_a_piece_no_other_takes_its_place() -> None:
    bench = Bench()
    army = ZONES["red"][:10]
    bench.fingers.lay_out("red", army)
    bench.wait()
    led = bench.number(army[0])
    bench.fingers.grab(led, lift=True)
    bench.fingers.lay_out("red", ZONES["red"][10:20])
    bench.wait()
    assert bench.owned() == ARMY
    assert len(bench.stands()) == 9
    bench.fingers.lead_piece(led, PointerPosition(-100.0, -100.0))
    bench.fingers.drop(led)
    bench.fingers.lay_out("red", ZONES["red"][10:20])
    bench.wait()
    assert bench.owned() == ARMY
    assert sorted(bench.stands()) == sorted(ZONES["red"][10:20])


def test_what_fingers_lead_counts_among_the_pieces_of_the_next_game() -> None:
    bench = Bench()
    army = ZONES["red"][:10]
    bench.fingers.lay_out("red", army)
    bench.wait()
    for square in army[:3]:
        bench.fingers.grab(bench.number(square), lift=True)
    bench.fingers.reset_pieces({}, ARMY)
    bench.wait()
    assert bench.owned() == ARMY


def test_a_piece_that_lies_is_stood_up_for_the_next_game() -> None:
    bench = Bench()
    bench.fingers.lay_out("red", ["a1", "b1"])
    bench.wait()
    bench.fingers.toggle_fallen("a1")
    bench.wait()
    bench.fingers.lay_out("red", ["a1", "b1"])
    bench.wait()
    assert bench.world.copper.closed("a1")
    assert not bench.world.fallen()


def test_the_next_game_has_the_pieces_that_it_needs() -> None:
    """More of one side, none of another, and names that have changed hands."""
    bench = Bench(MAP, {"a": 2, "b": 3}, tank="allies", spy="allies")
    bench.fingers.lay_out("b", ["berlin", "munich"])
    bench.wait()
    bench.fingers.reset_pieces({"tank": "tank", "infantry": "tank"}, {"a": 4})
    bench.wait()
    assert not bench.world.standing()
    assert bench.owned() == {"a": 4, "tank": 2}
    assert {each["name"] for each in bench.fingers.pieces() if "name" in each} == {"tank", "infantry"}


# Spaces of several rings


@pytest.mark.parametrize("more", range(-1, 3))
@pytest.mark.parametrize(
    ("board", "space"),
    [
        ("fall-of-the-fuhrer", "munich"),
        ("fall-of-the-fuhrer-slots", "munich"),
        ("escape-from-colditz", "outercells"),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_pieces_of_one_space_stand_on_rings_of_their_own_as_far_as_there_are_some(
    board: str, space: str, more: int, seed: int
) -> None:
    """They come and go in any order; after each the hands do what is asked for as long as too few rings feel
    a piece. `more`: how many more pieces than rings there are."""
    dice, made = random.Random(f"{more} {seed}"), load_board(board)
    room = len(made.spaces[space].slots)
    names = {f"piece-{each}": "allies" for each in range(max(1, room + more))}
    bench = Bench(made, {}, **names)
    ids = {piece["name"]: piece["id"] for piece in bench.fingers.pieces()}
    here: set[str] = set()
    for _ in range(4 * len(names)):
        name = dice.choice(sorted(names))
        if name in here:
            bench.fingers.grab(ids[name], lift=True)
            bench.fingers.put_beside_board(ids[name])
        else:
            bench.fingers.carry(ids[name], space)
        here ^= {name}
        bench.wait(1_000_000)
        if bench.closed(space) < min(len(here), room):
            bench.fingers.do_corrections([{"do": "put", "space": space, "seat": "allies"}])
            bench.wait(1_000_000)
        assert bench.closed(space) == min(len(here), room)
        assert {piece["name"] for piece in bench.fingers.pieces() if piece["is"] == "stands"} == here


def test_who_comes_last_stands_beside_the_rings_and_takes_the_one_that_is_left() -> None:
    bench = Bench(MAP, {}, **NAMES)
    ids = {piece["name"]: piece["id"] for piece in bench.fingers.pieces()}
    for name in NAMES:
        bench.fingers.carry(ids[name], "hannover")
        bench.wait(1_000_000)
    assert bench.closed("hannover") == 2
    bench.fingers.carry(ids["tank"], "kassel")
    bench.wait(1_000_000)
    assert bench.closed("hannover") == 1, "the tank had a ring to itself"
    bench.fingers.do_corrections([{"do": "put", "space": "hannover", "seat": "allies", "name": "infantry"}])
    bench.wait(1_000_000)
    assert bench.closed("hannover") == 2
    assert bench.stands() == {"hannover": ["infantry"], "hannover/2": ["spy"], "kassel": ["tank"]}


@pytest.mark.parametrize("name", ["infantry", "spy", ""])
def test_whichever_is_asked_for_the_one_that_has_no_ring_comes_to_one(name: str) -> None:
    """Which of them the umpire takes for that he can't know."""
    bench = Bench(MAP, {}, **NAMES)
    ids = {piece["name"]: piece["id"] for piece in bench.fingers.pieces()}
    for piece in NAMES:
        bench.fingers.carry(ids[piece], "hannover")
        bench.wait(1_000_000)
    bench.fingers.carry(ids["tank"], "kassel")
    bench.wait(1_000_000)
    bench.fingers.do_corrections([{"do": "ring", "space": "hannover", "seat": "allies", "name": name}])
    bench.wait(1_000_000)
    assert bench.stands() == {"hannover": ["infantry"], "hannover/2": ["spy"], "kassel": ["tank"]}


def test_a_piece_beside_the_rings_can_be_taken_and_carried_on() -> None:
    bench = Bench(MAP, {}, **NAMES)
    ids = {piece["name"]: piece["id"] for piece in bench.fingers.pieces()}
    for name in NAMES:
        bench.fingers.carry(ids[name], "hannover")
        bench.wait(1_000_000)
    bench.felt.clear()
    bench.fingers.carry(ids["infantry"], "kassel")
    bench.wait(1_000_000)
    assert bench.felt == [("kassel", True)], "no reed felt it leave"
    assert bench.closed("hannover") == 2


@pytest.mark.parametrize("spy", ["in the hand", "on the way"])
def test_a_piece_with_a_name_is_brought_from_wherever_it_stands(spy: str) -> None:
    """In the place of another piece, or in a city that holds others: there no reed would tell."""
    bench = Bench(MAP, {}, **NAMES)
    ids = {piece["name"]: piece["id"] for piece in bench.fingers.pieces()}
    bench.fingers.apply_ruling({}, (), {"kassel": ["tank"], "hannover": ["spy"], "munich": ["infantry"]})
    for name, space in (("tank", "hannover"), ("infantry", "munich"), ("spy", "munich")):
        bench.fingers.carry(ids[name], space)
        bench.wait(1_000_000)
    if spy == "in the hand":
        bench.fingers.grab(ids["spy"], lift=True)
        bench.fingers.grips[ids["spy"]].is_led = False
    bench.fingers.do_corrections(
        [{"do": "put", "space": "kassel", "seat": "allies", "name": "tank"}], beside=True
    )
    bench.wait()
    bench.fingers.do_corrections(
        [{"do": "put", "space": "hannover", "seat": "allies", "name": "spy"}], beside=True
    )
    bench.wait()
    stands = {slot.partition("/")[0]: names for slot, names in bench.stands().items()}
    assert stands == {"kassel": ["tank"], "hannover": ["spy"], "munich": ["infantry"]}


@pytest.mark.parametrize("there", ["french", "british"])
def test_a_piece_joins_another_one_on_one_circle_and_either_goes_on(there: str) -> None:
    """Where pawns don't block each other, one's own as well."""
    bench = Bench(load_board("escape-from-colditz"), {"british": 8, "french": 8})
    first = next(each["id"] for each in bench.fingers.pieces() if each["seat"] == there)
    second = next(each["id"] for each in reversed(bench.fingers.pieces()) if each["seat"] == "british")
    for number, space in ((first, "c11"), (second, "a1")):
        bench.fingers.carry(number, space)
        bench.wait()
    bench.fingers.apply_ruling({"c11": there, "a1": "british"}, joins=[("a1", "c11")])
    bench.fingers.carry(second, "c11")
    bench.wait()
    assert bench.stands() == {"c11": sorted([there, "british"])}
    bench.fingers.carry(first, "c10")
    bench.wait()
    assert bench.stands() == {"c11": ["british"], "c10": [there]}


def test_of_two_who_take_the_same_piece_off_none_takes_another_one() -> None:
    """A man leaves the cells: several pairs of hands see what lamps ask for at the same moment."""
    bench = Bench(load_board("escape-from-colditz"), {"british": 8, "french": 8})
    for seat in ("french", "british", "french"):
        piece = next(
            each["id"] for each in bench.fingers.pieces() if each["seat"] == seat and each["is"] == "beside"
        )
        bench.fingers.carry(piece, "innercells")
        bench.wait()
    chores = [
        {"do": "put", "space": "c34", "seat": "british"},
        {"do": "take", "space": "innercells", "seat": "british"},
    ]
    for _ in range(3):
        bench.fingers.do_corrections(chores)
        bench.wait(10_000)
    bench.wait()
    stands = bench.stands()
    assert stands.pop("c34") == ["british"]
    assert [*stands.values()] == [["french"]] * 2


def test_two_pieces_of_a_side_are_taken_off_one_space_though_one_is_leaving() -> None:
    bench = Bench(load_board("escape-from-colditz"), {"british": 8})
    for each in bench.fingers.pieces()[:4]:
        bench.fingers.carry(each["id"], "innercells")
        bench.wait()
    bench.fingers.do_corrections([{"do": "take", "space": "innercells", "seat": "british"}] * 2)
    bench.wait(10_000)
    bench.fingers.do_corrections([{"do": "take", "space": "innercells", "seat": "british"}] * 3)
    bench.wait()
    assert [*bench.stands().values()] == [["british"]]


def test_who_carries_a_piece_with_a_name_carries_no_other() -> None:
    """The Spy was taken into a hand when the power went; the Tank stands where the board has both."""

    async def carried() -> dict[str, str]:
        board = VirtualBoard(MAP, [], named=NAMES)
        board.start()
        board.do_gesture({"do": "carry", "piece": 1, "space": "kassel"})
        board.do_gesture({"do": "grab", "piece": 2, "lift": True})
        board.fingers.grips[2].is_led = False
        await asyncio.sleep(5)
        assert board.carry_piece("kassel", "hannover", seat="allies", name="spy")
        await asyncio.sleep(5)
        return {piece["name"]: piece.get("slot", "") for piece in board.fingers.pieces()}

    assert virtual_loop.run(carried()) == {"tank": "kassel", "spy": "hannover", "infantry": ""}


# After a battle


def attacked() -> Bench:
    bench = Bench()
    bench.fingers.lay_out("red", ["b3"])
    bench.fingers.lay_out("blue", ["b6"])
    bench.wait()
    bench.fingers.apply_ruling({"b3": "red", "b6": "blue"})
    bench.fingers.carry(bench.number("b3"), "b6")
    bench.wait(100_000)
    bench.felt.clear()
    return bench


def test_a_piece_that_attacks_taps_its_own_square() -> None:
    bench = attacked()
    bench.fingers.apply_ruling({"b3": "red", "b6": "blue"})  # something was told, and nothing has moved
    bench.wait()
    assert bench.felt == [("b3", True), ("b3", False)]


def test_a_beaten_piece_that_was_laid_aside_taps_no_more() -> None:
    bench = attacked()
    bench.fingers.put_beside_board()
    bench.wait()
    assert not bench.felt
    assert not bench.world.standing()


def test_a_ruling_takes_away_the_tap_of_every_piece() -> None:
    bench = attacked()
    bench.fingers.apply_ruling({})
    bench.wait()
    assert not bench.felt


def test_a_winner_that_is_stood_on_the_square_taps_no_more() -> None:
    bench = attacked()
    bench.fingers.apply_ruling({"b6": "red"})
    bench.fingers.do_corrections([{"do": "put", "space": "b6", "seat": "red"}])
    bench.wait()
    assert bench.felt == [("b6", True)]


def test_a_tap_that_has_begun_ends() -> None:
    bench = attacked()
    bench.wait(ATTACK_HELD_US - 100_000 + ATTACK_TAP_US // 2)
    assert bench.felt == [("b3", True)]
    bench.fingers.put_beside_board()
    bench.wait()
    assert bench.felt == [("b3", True), ("b3", False)]
    assert {piece["is"] for piece in bench.fingers.pieces()} == {"beside"}
