"""Everything that the meaning of hands depends on at one moment: rules look at this and at nothing else."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from boardrules.core import Seat
from boardumpire.tracking.corrections import Corrections
from boardumpire.tracking.events import BoardFault, TrackerEvent
from boardumpire.tracking.model import Home, Place, PublicPosition
from boardumpire.tracking.piece_tracker import PieceTracker
from boardumpire.tracking.questions import SamePlacesQuestion
from boardumpire.tracking.stuck_sensors import StuckSensorDetector
from boardumpire.tracking.timing import TrackerTiming
from boardware.ports import Micros

QUESTION_CANDIDATES_MAX = 4
"""Of so many pieces or spaces one after the other is asked about: the nearest."""
NO_STEPS: Mapping[Place, bool] = {}


class EnemyTouch(NamedTuple):
    """An enemy piece was up for a moment while a piece of the mover was in a hand."""

    origin: Home
    target: Place
    duration: Micros


class EnemyTap(NamedTuple):
    """A piece of the other side was up for a moment while nothing else was felt to be up."""

    home: Home
    at: Micros
    is_second_in_row: bool
    """Whether it was the second time in a row."""


@dataclass(frozen=True, kw_only=True)
class Situation:
    """A moment at the board. It is made anew whenever something has changed, and kept by nobody."""

    position: PublicPosition
    piece_tracker: PieceTracker
    corrections: Corrections
    timing: TrackerTiming = field(default_factory=TrackerTiming)
    doubtful_pairs: frozenset[frozenset[Home]] = frozenset()
    """Pairs of pieces of one side that may have been swapped."""
    enemy_touch: EnemyTouch | None = None
    """The last touch, if nothing was set down since."""
    enemy_tap: EnemyTap | None = None
    """What was touched last while nothing else was felt to be up, if nothing else was set down since."""
    must_move_piece: Home | None = None
    """The piece that was touched and has to be moved."""
    nothing_lifted: bool = False
    """Whether the side to move has lifted nothing this turn."""
    was_in_order: bool = False
    """Whether the board was in order once this turn."""
    identity_fault: BoardFault | None = None
    """What tags say is wrong with what stands where."""
    signed_attack: tuple[Home, Place] | None = None
    """The attack (origin, target) whose sign the mover has given."""
    long_lifted_pieces: frozenset[Home] = frozenset()
    """Pieces that have been gone for so long that the board has said so."""
    places_awaiting_answer: frozenset[Place] = frozenset()
    """Differences that wait for an answer: nothing is made of them."""
    stuck_sensors: StuckSensorDetector = field(default_factory=StuckSensorDetector)
    declined_events: Collection[TrackerEvent] = frozenset()
    """What was answered with no, or reported and asks for nothing, since hands last did something."""
    mislaid_candidates: tuple[Place, ...] = ()
    """A piece that was lost when its space came to be played by hand, and where it may have gone."""
    layout_since: Micros = 0
    """When the layout came to hold."""
    refused_move: tuple[Home, Place] | None = None
    """The move (origin, target) that was refused, while hands are led back from it."""
    last_move_alternatives: tuple[Home, frozenset[Place]] | None = None
    """Where the piece that moved last stands, and where else it could have gone."""
    winner_places: frozenset[Home] = frozenset()
    """Where pieces stand that have won a battle there and were set down since: each may be the beaten one."""
    last_activity: Micros = 0
    """When hands last did something, or corrections came up."""
    missing_pieces: frozenset[Home] = frozenset()
    """Pieces that are in no hand, as their owner has said, and were not felt since."""
    take_back_shown: bool = False
    """Whether the last move stands put back while a take-back is asked for."""
    is_centring_requested: bool = False
    """Whether people were asked to set a piece in the middle of its space, and nothing has changed since."""

    @property
    def lifted_at(self) -> Mapping[Home, Micros]:
        """The pieces that are up, with the moment at which each was lifted."""
        return self.piece_tracker.lifted_at

    @property
    def stray_candidates(self) -> Mapping[Place, frozenset[Home]]:
        """Where something stands that belongs nowhere there, with the pieces that it could be."""
        return self.piece_tracker.stray_candidates

    def owner(self, home: Home) -> Seat:
        """Whose piece belongs there."""
        return self.position.owner(home)

    def movable_pieces(self, homes: Collection[Home]) -> list[Home]:
        """Those of these pieces that may be moved now, in order."""
        return self.position.movable_pieces(homes)

    def steps(self, origin: Home) -> Mapping[Place, bool]:
        """Where the piece of `origin` may go, as far as everybody knows, and whether it attacks there."""
        return self.position.steps.get(origin, NO_STEPS)

    def can_move_quietly(self, origin: Home, target: Place) -> bool:
        """Whether the piece of `origin` may go to `target` without an attack."""
        return self.steps(origin).get(target) is False

    @cached_property
    def certain_places(self) -> dict[Home, Place]:
        """By piece the space where it stands for certain, though it belongs elsewhere."""
        return {next(iter(homes)): space for space, homes in self.stray_candidates.items() if len(homes) == 1}

    @cached_property
    def movable_pieces_felt(self) -> list[Home]:
        """The mover's pieces that are felt where they belong."""
        return self.movable_pieces(self.piece_tracker.felt_places & self.position.owners.keys())

    @cached_property
    def pieces_in_hands(self) -> frozenset[Home]:
        """The pieces that are up; while several are, without those that are known to be in no hand."""
        return frozenset(self.lifted_at.keys() - self.missing_pieces or self.lifted_at)

    @cached_property
    def considered_pieces(self) -> frozenset[Home]:
        """The pieces that are up and may do something: not those of the other side that have long been gone,
        those that wait for an answer, or those in no hand while others may be."""
        homes = self.pieces_in_hands - self.places_awaiting_answer
        return frozenset(
            home
            for home in homes
            if home not in self.long_lifted_pieces or self.owner(home) in self.position.seats_to_move
        )

    @cached_property
    def swap_question(self) -> SamePlacesQuestion | None:
        """The question about pieces of one side that were in hands together and all stand now."""
        away = self.piece_tracker.differing_spaces()
        homes = sorted({home for pair in self.doubtful_pairs if not pair & away for home in pair})
        if not homes:
            return None
        side = self.position.side_of(self.owner(homes[0]))
        asked = [home for home in homes if self.position.side_of(self.owner(home)) == side]
        # Of pieces of several seats the one is asked whose turn it is, if it is one of them.
        owners = [self.owner(home) for home in asked]
        seat = next((each for each in owners if each in self.position.seats_to_move), owners[0])
        return SamePlacesQuestion(tuple(asked), seat)

    def attackable_lifted_pieces(self, origin: Home) -> list[Place]:
        """The pieces in hands that the one of `origin`, as far as everybody knows, may attack."""
        return self.position.attackable_pieces(origin, self.piece_tracker.pieces_in_hand())

    def possible_unsensed_origins(self) -> frozenset[Home]:
        """The pieces that may have moved to where something stands that nobody was seen to lift."""
        if len(self.stray_candidates) != 1 or self.lifted_at or self.corrections.outstanding:
            return frozenset()
        ((space, homes),) = self.stray_candidates.items()
        return (
            frozenset()
            if homes
            else frozenset(home for home in self.movable_pieces_felt if self.can_move_quietly(home, space))
        )
