"""Pawns that are alike on a board, and the people who move them: which stand where, and which should."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from boardrules import registry
from boardrules.core import Seat
from boardsim.bench.bench import BenchSettings
from boardsim.bench.scene import BenchScene, Space
from boardsim.bench.table import BenchTableFactory
from boardsim.judging.dealt import DealtTruth
from boardsim.people.players import TablePeople
from boardsim.people.rates import CLUMSY, ErrorRates
from boardsim.people.sitting import seeded_dice
from boardsim.world.world import Piece


class PawnPlace(NamedTuple):
    """Where a pawn of a seat belongs, or is."""

    space: Space
    seat: Seat


class PawnPlayers(TablePeople):
    """The pawns of one game. `state` says where they belong, the world where they are."""

    def __init__(
        self,
        setting: BenchSettings,
        factory: BenchTableFactory,
        seed: str,
        rates: ErrorRates = CLUMSY,
        **more: Any,
    ) -> None:
        """`more` as `TablePeople`."""
        scene = BenchScene(setting, factory.with_dice(seeded_dice(seed)))
        super().__init__(
            scene, DealtTruth(scene, registry.new(setting.game, setting.options)), seed, rates, **more
        )
        self.pawns: list[Piece] = []

    def deal_out(self) -> None:
        """Set every pawn up out of the box."""
        for stand in sorted(self.expected_pawns().elements()):
            pawn = self.scene.world.new_piece(stand.seat, stand.seat)
            self.pawns.append(pawn)
            self.put(pawn, stand.space)

    def expected_pawns(self) -> Counter[PawnPlace]:
        """How many pawns of each seat belong on each space."""
        return Counter(
            PawnPlace(space, pawn.seat) for space, pawns in self.state.layout().items() for pawn in pawns
        )

    def stands(self) -> dict[Piece, PawnPlace]:
        """By pawn that stands upright where it is."""
        scene, fallen = self.scene, self.scene.world.fallen()
        return {
            pawn: PawnPlace(space, pawn.owner)
            for pawn in self.pawns
            if pawn not in fallen and (space := scene.space_of_piece(pawn)) is not None
        }

    def stray_and_missing(self) -> tuple[list[Piece], list[PawnPlace]]:
        """The pawns that are not where one of theirs belongs, and where one is missing."""
        left, wrong = self.expected_pawns(), []
        standing = self.stands()
        for pawn in self.pawns:
            stand = standing.get(pawn)
            if stand is not None and left[stand] > 0:
                left[stand] -= 1
            elif pawn not in self.scene.beside:
                wrong.append(pawn)
        return wrong, sorted(left.elements())

    def misplaced(self) -> tuple[list[Piece], list[PawnPlace]] | None:
        """What `stray_and_missing` finds, if any pawn is misplaced; those that wait for an answer may be
        anywhere."""
        wrong, missing = self.stray_and_missing()
        unsettled = self.state.unsettled_spaces()
        if len(wrong) <= len(missing) and all(stand.space in unsettled for stand in missing):
            return None
        return wrong, missing

    def free_slot(self, space: Space) -> str:
        """A slot of a space where nothing stands, or its first."""
        slots = self.scene.world.board.spaces[space].slots
        free = [slot.id for slot in slots if not self.scene.world.pieces_on(slot.id)]
        return free[0] if free else slots[0].id

    def put(self, pawn: Piece, space: Space) -> None:
        """Set a pawn down on a space, from a hand, from beside the board or from the box."""
        scene = self.scene
        if pawn in scene.beside:
            scene.beside.remove(pawn)
        if pawn in scene.physics.positions:
            scene.run_until(scene.hands.put(pawn, self.free_slot(space), scene.now))
        else:
            scene.run_until(scene.hands.place_from_box(pawn, self.free_slot(space), scene.now))

    def lift(self, pawn: Piece) -> None:
        """Take a pawn up that stands or lies on the board."""
        if pawn in self.scene.physics.resting_slots:
            self.scene.run_until(self.scene.hands.lift(pawn, self.scene.now))

    def pawn_at(self, stand: PawnPlace) -> Piece | None:
        """A pawn of a seat on a space."""
        return next((pawn for pawn, at in self.stands().items() if at == stand), None)

    def is_single_pawn_space(self, space: Space) -> bool:
        """Whether a space is one for a single pawn."""
        return len(self.scene.world.board.spaces[space].slots) == 1

    def near(self, space: Space, most_mm: float) -> list[Space]:
        """The spaces for single pawns at most so far from another, middle to middle."""
        spaces = self.scene.world.board.spaces
        here = spaces[space].position
        found = []
        for other, place in spaces.items():
            dx, dy = place.position.x - here.x, place.position.y - here.y
            if other != space and dx * dx + dy * dy <= most_mm * most_mm and len(place.slots) == 1:
                found.append(other)
        return found

    def occupied(self, space: Space) -> bool:
        """Whether a space for a single pawn holds one."""
        return self.is_single_pawn_space(space) and any(at.space == space for at in self.stands().values())
