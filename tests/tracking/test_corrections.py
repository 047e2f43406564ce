"""Corrections name the very pieces: whoever reads nothing but them brings the board in order, sides and names
included."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

import boardrules
from boardrules.colditz.play import ColditzState
from boardrules.core import Action, Layout, LayoutPiece, State
from boardumpire.ruling.umpire import battle_winner_space, carried_move, public_position, spaces_changing_side
from boardumpire.tracking import shared_spaces
from boardumpire.tracking.events import Correction
from boardumpire.tracking.tracker import Tracker
from boardware.description import load_board

SECOND = 1_000_000
HAND = ""
"""Where pieces are that stand nowhere: in a hand, or beside the board."""


class Thing(NamedTuple):
    """A piece of wood."""

    number: int
    seat: str
    name: str
    """What everybody reads on it."""


class Literal:
    """A board, and somebody who does what corrections say: with any piece of which they are true."""

    def __init__(self, state: State, board: str, dice: random.Random) -> None:
        spaces = load_board(board).spaces
        self.dice, self.state = dice, state
        self.all = frozenset(spaces)
        self.rooms = {name: len(space.slots) for name, space in spaces.items() if len(space.slots) > 1}
        self.tracker, self.now = Tracker(), 0
        self.at: dict[Thing, tuple[str, int]] = {}
        """By piece its space and the ring there; -1: beside the rings."""
        self.corrected = Counter[str]()
        self.unsure = frozenset[str]()
        for where, pieces in state.layout().items():
            for piece in pieces:
                self.at[self.made(piece)] = where, self.ring(where)
        self.begin(None)

    def made(self, piece: LayoutPiece) -> Thing:
        return Thing(len(self.at), piece.seat, self.state.piece_label(piece))

    def ring(self, space: str) -> int:
        """Where a piece that comes to a space is set down: on a free ring, or else anywhere there."""
        taken = {ring for where, ring in self.at.values() if where == space}
        free = [ring for ring in range(self.rooms.get(space, 1)) if ring not in taken]
        return self.dice.choice(free) if free else self.dice.choice([-1, *taken])

    def count(self, space: str) -> int:
        return len({ring for where, ring in self.at.values() if where == space and ring >= 0})

    def move(self, thing: Thing, space: str, ring: int | None = None) -> None:
        """Lift a piece, and set it down, as reeds feel it."""
        left, _ = self.at[thing]
        self.at[thing] = HAND, 0
        self.feel(left)
        if space:
            self.at[thing] = space, self.ring(space) if ring is None else ring
            self.feel(space)

    def feel(self, space: str) -> None:
        self.now += SECOND
        tracker = self.tracker
        if space:
            changes = shared_spaces.place_changes(
                space,
                self.count(space),
                tracker.piece_tracker.felt_places,
                tracker.position,
                tracker.spaces_to_correct,
            )
            for where, present in list(changes):
                tracker.note_sensor_change(where, present, self.now)
        tracker.advance(self.now)

    def begin(self, hands: tuple[str, ...] | None, exchange: str | None = None) -> None:
        before = self.tracker.position
        stand = {} if hands is None else self.tracker.known_pieces(self.state.layout(), hands)
        places = shared_spaces.step_of_hands(hands, before)
        new = public_position(self.state, self.all, slot_counts=self.rooms, known=stand)
        felt = shared_spaces.felt_places({space: self.count(space) for space in self.all})
        self.tracker.begin_layout(new, felt, self.now, hands=places, exchange=exchange, unsure=self.unsure)

    def started_anew(self) -> None:
        """The power was off."""
        self.tracker = Tracker()
        self.begin(None)

    def do(self, action: Action) -> None:
        """Hands carry out an action, and it is ruled on."""
        before = self.state
        hands = carried_move(before, action.seat, str(action)) or ()
        if hands:
            self.carry(hands, action)
        self.state = before.apply(action)[0]
        self.unsure |= spaces_changing_side(before, self.state)
        self.begin(hands, battle_winner_space(before, self.state, hands or None))
        self.now += SECOND

    def carry(self, hands: tuple[str, ...], action: Action) -> None:
        origin, target = hands
        after, there = self.state.apply(action)[0].layout(), self.state.layout()[origin]
        gone = [piece for piece in there if piece not in after.get(origin, ())]
        gone = gone or [piece for piece in there if piece.seat == action.seat]  # it is not ruled on yet
        named = {(piece.seat, self.state.piece_label(piece)) for piece in gone}
        mover = self.some(lambda thing: (thing.seat, thing.name) in named, origin)
        attacked = [thing for thing, (space, _) in self.at.items() if space == target]
        attack = any((step.origin, step.target) == hands and step.attack for step in self.state.steps())
        self.move(mover, HAND if attack else target)
        if attack:
            self.move(attacked[0], HAND)

    def some(self, fits: Any, *spaces: str) -> Thing:
        return self.dice.choice([t for t, (space, _) in self.at.items() if space in spaces and fits(t)])

    # Corrections

    def obey(self) -> None:
        """Do the corrections, in any order, until there are none."""
        for _ in range(200):
            chores = shared_spaces.guidance_by_spaces(self.tracker.guidance()).corrections
            if not chores:
                self.unsure = frozenset()
                return
            doable = [chore for chore in chores if self.meant(chore)]
            assert doable, f"nobody can do any of {chores}, where {self.at}"
            self.obeyed(self.dice.choice(doable))
        raise AssertionError(f"corrections without end: {chores}")

    def meant(self, chore: Correction) -> list[Thing]:
        """The pieces of which a correction is true."""
        there = [thing for thing, (space, _) in self.at.items() if space == chore.space]
        rings = Counter(self.at[thing][1] for thing in there)
        abreast = [thing for thing in there if self.at[thing][1] < 0 or rings[self.at[thing][1]] > 1]
        if chore.kind == "ring" or (chore.kind == "take" and not chore.is_leaving):
            return abreast if chore.kind == "ring" else there
        held = [thing for thing, (space, _) in self.at.items() if space == HAND]
        return [
            thing
            for thing in (
                there if chore.kind == "take" else [*held, *(abreast if chore.printed_name else ())]
            )
            if (thing.seat == chore.seat if chore.seat else self.is_missing(thing, chore.space))
            and (not chore.printed_name or thing.name == chore.printed_name)
        ]

    def is_missing(self, thing: Thing, space: str) -> bool:
        """Whether a piece of that side is to go back where several sides stand: people saw it go up."""
        here = [each.seat for each, (where, _) in self.at.items() if where == space]
        belong = [piece.seat for piece in self.state.layout().get(space, ())]
        return here.count(thing.seat) < belong.count(thing.seat)

    def obeyed(self, chore: Correction) -> None:
        self.corrected[chore.kind] += 1
        self.move(self.dice.choice(self.meant(chore)), HAND if chore.kind == "take" else chore.space)

    def shows(self, layout: Layout) -> bool:
        """Whether the board is as it should be, whose and which pieces included."""
        stands: dict[str, Counter[tuple[str, str]]] = {}
        for thing, (space, _) in self.at.items():
            if space:
                stands.setdefault(space, Counter())[thing.seat, thing.name] += 1
        return stands == {
            space: Counter((piece.seat, self.state.piece_label(piece)) for piece in pieces)
            for space, pieces in layout.items()
        }


def chosen(state: State, dice: random.Random) -> Action:
    """What somebody does who likes to walk, to attack and to arrest."""
    chance = state.chance()
    if chance:
        return dice.choices([face for face, _ in chance], [weight for _, weight in chance])[0]
    acts = [action for seat in state.seats_to_act() for action in state.legal_actions(seat)]
    layout = state.layout()
    ends = [
        action
        for action in acts
        if carried_move(state, action.seat, str(action)) and str(action).partition("-")[2] in layout
    ]
    return dice.choice(ends) if ends and dice.random() < 0.8 else dice.choice(acts)


CASTLE, HUNT, DUEL = "escape-from-colditz", "fall-of-the-fuhrer", "stratego-quick-duel"
GAMES = [
    (CASTLE, CASTLE, {"players": 2}, 250),
    *[
        pytest.param(CASTLE, CASTLE, {"players": players}, 250, marks=pytest.mark.slow)
        for players in range(3, 7)
    ],
    *[(HUNT, board, {"players": players}, 250) for board in (HUNT, f"{HUNT}-slots") for players in (2, 4)],
    (DUEL, "quick-battle-8x8", {}, 100),
]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))])
@pytest.mark.parametrize(("game", "board", "options", "steps"), GAMES)
def test_whoever_obeys_corrections_literally_brings_the_board_in_order(
    game: str, board: str, options: dict[str, Any], steps: int, seed: int
) -> None:
    dice = random.Random(f"{game} {options} {seed}")
    state = boardrules.new(game, options)
    while state.unchecked_spaces() or not state.layout():  # armies are set up, and the three are stood
        state = state.apply(chosen(state, dice))[0]
    table = Literal(state, board, dice)
    for _ in range(steps):
        if table.state.outcome is not None:
            break
        table.do(chosen(table.state, dice))
        if table.state.outcome is not None:
            break
        if dice.random() < 0.1:
            table.started_anew()
        if not table.state.unsettled_spaces():
            table.obey()
            assert table.shows(table.state.layout())
    assert sum(table.corrected.values()) > 0 or game != CASTLE


def test_at_a_start_the_side_of_the_piece_that_came_last_is_asked_for() -> None:
    """Nothing but the position is known then, and that pieces of several sides share the cells."""
    dice = random.Random("cells")
    board = load_board(CASTLE)
    spaces = frozenset(board.spaces)
    rooms = {name: len(space.slots) for name, space in board.spaces.items() if len(space.slots) > 1}
    state, mixed = boardrules.new(CASTLE, {"players": 3}), 0
    for _ in range(300):
        if state.outcome is not None:
            break
        before, state = state.layout(), state.apply(chosen(state, dice))[0]
        for space, pieces in state.layout().items() if state.outcome is None else ():
            came = [piece for piece in pieces if piece not in before.get(space, ())]
            if space not in rooms or len(came) != 1 or len(pieces) > rooms[space]:
                continue
            counts = {where: len(there) for where, there in state.layout().items()}
            tracker = Tracker()
            felt = shared_spaces.felt_places({**counts, space: counts[space] - 1})
            tracker.begin_layout(public_position(state, spaces, slot_counts=rooms), felt, 0)
            asked = [chore.seat for chore in shared_spaces.guidance_by_spaces(tracker.guidance()).corrections]
            assert asked == [came[0].seat], (space, pieces, came)
            mixed += len({piece.seat for piece in pieces}) > 1
    assert mixed


def test_men_of_two_sides_that_trade_places_are_told_apart_after_a_power_cut() -> None:
    """An Appel leads each to where the other one stands: no reed changes, whether that is done or not."""
    after = boardrules.new(CASTLE, {"players": 3})
    assert isinstance(after, ColditzState)
    names, where = after.facts.rules.piece_names, list(after.facts.node_by_pawn)
    one, other = names.index("american:1"), names.index("british:1")
    where[one], where[other] = where[other], where[one]
    before = ColditzState(replace(after.facts, node_by_pawn=tuple(where)), after.secrets)
    table = Literal(before, CASTLE, random.Random("an Appel"))
    table.state, table.unsure = after, spaces_changing_side(before, after)
    table.started_anew()
    table.obey()
    assert table.shows(after.layout())
    assert table.corrected == {"take": 2, "put": 2}
    table.started_anew()
    assert not table.tracker.guidance().corrections
