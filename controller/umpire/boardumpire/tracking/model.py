"""The public side of a position, as far as hands are concerned: where pieces belong and may go. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import hypot
from typing import NamedTuple, NewType

from boardrules.core import LayoutPiece, Seat, Space

Place = NewType("Place", Space)
"""Where one piece of a space stands: the space itself for the first, `munich+2` for the third."""
NOWHERE = Place(Space(""))
Home = Place
"""A piece, by the place of the layout where it belongs."""

DIAGONAL_DISTANCE_FACTOR = 1.6
"""How much further than the nearest space one that lies beside it, aslant, may be."""
PASSING_DISTANCE_MAX_MM = 25.0
"""How far from the middle of a space a piece that is pushed past may be sensed there."""

UNBROKEN_SENSING_MAX_MM = 60.0
"""Spaces nearer to each other than this feel a piece that is pushed from one to the next without a break."""
SURE_SENSING_RADIUS_MM = 8.0
"""So near to the middle of a space a piece that is pushed past is surely felt."""


class PublicPosition(NamedTuple):
    """What everybody may know of a state, as far as hands are concerned."""

    owners: Mapping[Place, Seat]
    """The spaces that hold a piece, with the seat whose piece it is."""
    unjudged_places: frozenset[Place]
    """Spaces where hands may do as they like."""
    seats_to_move: frozenset[Seat]
    """The seats whose pieces may be moved now."""
    steps: Mapping[Place, Mapping[Place, bool]]
    """origin -> target -> whether it is an attack; all that public knowledge allows."""
    last_quiet_move: tuple[Place, Place] | None = None
    """The quiet move made last (origin, target): who puts it back asks to take it back."""
    hand_played_places: frozenset[Place] = frozenset()
    """Spaces whose reed is not believed: what stands there is played by hand, by consent."""

    is_waiting_for_answer: bool = False
    """Whether the table waits for an answer before anything more is judged."""

    place_coordinates_mm: Mapping[Place, tuple[float, float]] = {}
    """Where the spaces lie on the board, in mm."""

    crowded_places: frozenset[Place] = frozenset()
    """Those of `hand_played_places` that nothing feels because the slots of their space are too few
    (`shared_spaces`)."""
    shared_places: frozenset[Place] = frozenset()
    """Where a piece stands in one space with a crowded one: that it is lifted may not be sensed."""
    has_alike_pieces: bool = False
    """Whether nobody minds which piece of a side is which."""
    places_awaiting_answer: frozenset[Place] = frozenset()
    """Places that wait for an answer: what differs there is nobody's chore yet."""
    captures_by_step: Mapping[tuple[Place, Place], frozenset[Place]] = {}
    """By step (origin, target) where the pieces stand that it takes for certain."""
    companion_moves: Mapping[tuple[Place, Place], tuple[tuple[Place, Place], ...]] = {}
    """By step the further pieces that go with it, each with its origin and target."""
    public_kinds: Mapping[Place, LayoutPiece] = {}
    """What everybody knows the piece of each space as. Of two that are known as the same nobody minds which
    is which."""
    hints: Mapping[Place, Mapping[Place, bool]] = {}
    """Like `steps`, for people: true also where a piece is taken. Only of pieces that may take one."""
    is_fresh_from_box: bool = False
    """Whether the game has not begun and its layout comes from the box: who is where is not in doubt then."""
    declared_owners: Mapping[Place, Seat] = {}
    """Those of `unjudged_places` where a seat has said that a piece of its own stands, with that seat."""
    layout_pieces: Mapping[Place, LayoutPiece] = {}
    """The piece of the layout that belongs in each place."""
    printed_names: Mapping[LayoutPiece, str] = {}
    """By piece of the layout what everybody reads on it, where there is anything."""
    slot_counts: Mapping[Space, int] = {}
    """How many slots those spaces have that have several."""
    off_slot_places: frozenset[Place] = frozenset()
    """Places whose piece is in their space already, but on no slot of its own."""
    trays: Mapping[Place, Seat] = {}
    """The trays beside the board, which are among `hand_played_places`, each with the seat whose pieces come
    from there; empty where none do."""
    leaving_pieces: Mapping[Place, LayoutPiece] = {}
    """Places of spaces with several slots where a piece stands that has to leave, with that piece."""

    sides: Mapping[Seat, str] = {}
    """By seat its side, where several seats may be one (`State.side_of`)."""

    def side_of(self, seat: Seat) -> str:
        """The side of a seat."""
        return self.sides.get(seat, seat)

    def owner(self, origin: Place) -> Seat:
        """Whose piece belongs in a place, or comes from a tray."""
        return self.owners[origin] if origin in self.owners else self.trays[origin]

    def at_home(self, home: Collection[Seat]) -> PublicPosition:
        """The same on a board where hands of the seats at `home` alone act: pieces of others make no step."""
        if self.seats_to_move.union(self.owners.values()) <= {*home}:
            return self
        last = (
            self.last_quiet_move
            if self.last_quiet_move is not None and self.owners.get(self.last_quiet_move[1]) in home
            else None
        )

        def mine(origin: Place) -> bool:
            return self.owners.get(origin, self.trays.get(origin)) in home

        return self._replace(
            seats_to_move=self.seats_to_move.intersection(home),
            last_quiet_move=last,
            steps={origin: targets for origin, targets in self.steps.items() if mine(origin)},
            hints={origin: targets for origin, targets in self.hints.items() if mine(origin)},
            captures_by_step={step: taken for step, taken in self.captures_by_step.items() if mine(step[0])},
            companion_moves={
                step: further for step, further in self.companion_moves.items() if mine(step[0])
            },
        )

    def is_capture(self, origin: Place, target: Place) -> bool:
        """Whether a step takes what stands where it leads."""
        return target in self.captures_by_step.get((origin, target), ())

    def is_attack(self, origin: Place, target: Place) -> bool:
        """Whether a step is an attack, as far as everybody knows."""
        return self.steps.get(origin, {}).get(target, False)

    def attackable_pieces(self, origin: Place, homes: Iterable[Place]) -> list[Place]:
        """Those of these pieces that the one of `origin`, as far as everybody knows, may attack."""
        return sorted(home for home in homes if self.is_attack(origin, home))

    def quiet_targets(self, origin: Place, felt: Collection[Place]) -> list[Place]:
        """Where the piece of `origin` may go without an attack and nothing is `felt`, the nearest first."""
        steps = self.steps.get(origin, {}).items()
        return self.sort_by_distance(origin, [to for to, attack in steps if not attack and to not in felt])

    def alternative_targets(self, step: tuple[Place, Place]) -> tuple[Place, frozenset[Place]] | None:
        """The target of a quiet step, and where else its piece could have gone without an attack; `None`
        where it makes no difference which piece stands where."""
        origin, target = step
        if self.has_alike_pieces or origin in self.trays or self.is_attack(origin, target):
            return None
        steps = self.steps.get(origin, {}).items()
        return target, frozenset(to for to, attack in steps if not attack and to != target)

    def unsensed_targets(self, origin: Place) -> list[Place]:
        """Where the piece of `origin` may go without being felt, in order."""
        quiet = {target for target, attack in self.steps.get(origin, {}).items() if not attack}
        return sorted((self.crowded_places | self.hand_played_places) & quiet)

    def hidden_mover(self) -> Place | None:
        """The piece whose turn it is, where it is one alone and its lift may not be sensed."""
        (origin,) = self.steps if len(self.steps) == 1 else (None,)
        return origin if origin in self.shared_places else None

    def sort_by_distance(self, space: Place, others: Sequence[Place]) -> list[Place]:
        """Other spaces, the nearest to `space` first, as far as it is known where they lie."""
        x, y = self.place_coordinates_mm.get(space, (0.0, 0.0))

        def distance(other: Place) -> float:
            there_x, there_y = self.place_coordinates_mm.get(other, (x, y))
            return hypot(there_x - x, there_y - y)

        return sorted(others, key=distance)

    def is_beside(self, one: Place, other: Place) -> bool:
        """Whether two spaces, known by their places, lie side by side, or aslant."""
        if one not in self.place_coordinates_mm or other not in self.place_coordinates_mm:
            return False
        (x, y), (there_x, there_y) = self.place_coordinates_mm[one], self.place_coordinates_mm[other]
        near = min(
            (hypot(ex - x, ey - y) for space, (ex, ey) in self.place_coordinates_mm.items() if space != one),
            default=0.0,
        )
        return hypot(there_x - x, there_y - y) <= DIAGONAL_DISTANCE_FACTOR * near

    def is_apart(self, one: Place, other: Place) -> bool:
        """Whether two spaces are known to lie so far from each other that one piece can't be felt on both."""
        return (
            one in self.place_coordinates_mm
            and other in self.place_coordinates_mm
            and not self.is_beside(one, other)
        )

    def has_step_beyond(self, origin: Place, target: Place) -> bool:
        """Whether a step leads on from `origin` over `target`, or close by: to a free space, or to attack."""
        if origin not in self.place_coordinates_mm or target not in self.place_coordinates_mm:
            return False
        (x, y), (near_x, near_y) = self.place_coordinates_mm[origin], self.place_coordinates_mm[target]
        dx, dy = near_x - x, near_y - y
        for other in self.steps.get(origin, {}):
            ex, ey = (
                self.place_coordinates_mm.get(other, (x, y))[0] - x,
                self.place_coordinates_mm.get(other, (x, y))[1] - y,
            )
            over = abs(dx * ey - dy * ex) < PASSING_DISTANCE_MAX_MM * hypot(ex, ey)
            if over and dx * ex + dy * ey > dx * dx + dy * dy:
                return True
        return False

    def is_way_unsensed(self, origin: Place, target: Place) -> bool:
        """Whether a piece pushed from `origin` to `target` may be sensed nowhere on its way for a while,
        as between the cities of a map: then it looks like one that is carried."""
        if (
            self.has_alike_pieces
            or origin not in self.place_coordinates_mm
            or target not in self.place_coordinates_mm
        ):
            return False
        (x, y), (there_x, there_y) = self.place_coordinates_mm[origin], self.place_coordinates_mm[target]
        dx, dy = there_x - x, there_y - y
        far = hypot(dx, dy)
        return far > UNBROKEN_SENSING_MAX_MM and not any(
            SURE_SENSING_RADIUS_MM < ((ox - x) * dx + (oy - y) * dy) / far < far - SURE_SENSING_RADIUS_MM
            and abs(dx * (oy - y) - dy * (ox - x)) / far < SURE_SENSING_RADIUS_MM
            for ox, oy in self.place_coordinates_mm.values()
        )

    def judged_places(self) -> frozenset[Place]:
        """The spaces where a piece must stand."""
        return frozenset(self.owners) - self.unjudged_places

    def movable_pieces(self, homes: Iterable[Place]) -> list[Place]:
        """Those of `homes` whose piece may be moved now, in order."""
        return sorted([home for home in homes if self.owners[home] in self.seats_to_move])
