"""What the Opportunity cards do (R065), and the effects that both decks have."""

from __future__ import annotations

from collections.abc import Iterator

from boardrules.colditz.cardplay.effect import AimWords, CardEffect, move_directly, set_tunnel, tunnel_by_name
from boardrules.colditz.castle.board import OUTSIDE, UNREACHABLE, Mask
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS, Card
from boardrules.colditz.moving.arrest import release_circles, release_man
from boardrules.colditz.moving.step_effects import move_to_hideaway
from boardrules.colditz.state.answer_windows import Arrest, PlayedCard
from boardrules.colditz.state.facts import ReadablePosition
from boardrules.colditz.state.position_draft import PositionDraft
from boardrules.colditz.state.throws import begin_throws


class KitPart(CardEffect):
    """Part of an Escape Kit: it is used when a Kit is put together (R103), never by itself."""

    def possible_aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[AimWords]:
        """Nothing."""
        return iter(())


class TunnelCard(CardEffect):
    """Opens a tunnel (R130)."""

    def possible_aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[AimWords]:
        """It can't be played for an open tunnel (A16)."""
        if not position.table.tunnels[tunnel_by_name(position, card.param("tunnel"))]:
            yield ()

    def play(self, draft: PositionDraft, side: int, card: Card, args: AimWords) -> None:
        """The tunnel is open; R135 looks at the end of the turn whether two men went in."""
        set_tunnel(draft, card.param("tunnel"), 1)
        draft.add_event("open", tunnel=card.param("tunnel"))


class StaffCarEscape(CardEffect):
    """The man at the Staff Car drives out (R161)."""

    aims_depend_on_position = True

    def possible_aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[AimWords]:
        """One of the officer's men stands at the car."""
        here = position.rules.board.car_from
        if position.men_nodes >> here & 1 and any(
            position.node_by_pawn[pawn] == here for pawn in position.rules.pawns[side]
        ):
            yield ()

    def play(self, draft: PositionDraft, side: int, card: Card, args: AimWords) -> None:
        """To the free circle Outside nearest the road, directly (R036)."""
        grid = draft.rules.board
        man = draft.node_by_pawn.index(grid.car_from, draft.rules.guard_count)
        closed = draft.men_nodes | draft.guard_nodes | grid.men_no_stay | grid.targets
        away = grid.distances_from_node(grid.car_to)
        free = (n for n in range(grid.circle_count) if grid.area[n] == OUTSIDE and not closed >> n & 1)
        target = min(free, key=lambda node: (away[node], node))
        move_directly(draft, man, target)


class SolitaryRelease(CardEffect):
    """One man leaves Solitary directly (R051)."""

    aims_depend_on_position = True

    def possible_aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[AimWords]:
        """The cells and the circle."""
        grid = position.rules.board
        for cells in (grid.cells_inner, grid.cells_outer):
            if cells in position.node_by_pawn and any(
                position.node_by_pawn[pawn] == cells for pawn in position.rules.pawns[side]
            ):
                for node in release_circles(position, cells == grid.cells_outer):
                    yield grid.space_names[cells], grid.space_names[node]

    def play(self, draft: PositionDraft, side: int, card: Card, args: AimWords) -> None:
        """As by a double, without the point."""
        grid = draft.rules.board
        man = next(
            pawn for pawn in draft.rules.pawns[side] if draft.node_by_pawn[pawn] == grid.node_by_name[args[0]]
        )
        release_man(draft, man, grid.node_by_name[args[1]])


class Hideaway(CardEffect):
    """A man whom a guard comes to arrest slips to the nearest free Safe circle (R065)."""

    is_answer = True

    def can_answer(
        self, position: ReadablePosition, side: int, card: Card, event: Arrest | PlayedCard
    ) -> bool:
        """His own man, and there is such a circle."""
        if not isinstance(event, Arrest) or position.rules.owner[event.man] != side:
            return False
        return _nearest_hideaway(position, position.node_by_pawn[event.man]) >= 0

    def apply_answer(self, draft: PositionDraft, side: int, card: Card, event: Arrest | PlayedCard) -> None:
        """The guard stays where it came from."""
        assert isinstance(event, Arrest)
        move_to_hideaway(
            draft, event.guard, event.man, _nearest_hideaway(draft, draft.node_by_pawn[event.man])
        )


def _nearest_hideaway(position: ReadablePosition, node: int) -> int:
    grid = position.rules.board
    here = grid.surface_of(node)
    away, taken = grid.distances_from_node(here), position.men_nodes | position.guard_nodes
    free = [one for one in grid.nodes_of_mask(grid.safe) if not taken >> one & 1 and away[one] < UNREACHABLE]
    return min(free, key=lambda one: (away[one], one), default=-1)


class GuardDismissal(CardEffect):
    """A guard goes to the Commander's Office."""

    aims_depend_on_position = True

    def possible_aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[AimWords]:
        """Guards in the card's areas: near one of the officer's men, or with range 0 those on posts."""
        grid, where = position.rules.board, position.node_by_pawn
        areas, reach = card.param("areas"), card.param("range")
        men = sum(1 << where[pawn] for pawn in position.rules.pawns[side]) if reach else 0
        for guard in position.rules.pawns[0]:
            node = where[guard]
            if node < grid.circle_count and grid.area_name(node) in areas:
                near = men & circles_around(position, node, reach) if reach else grid.posts >> node & 1
                if near:
                    yield (grid.space_names[node],)

    def play(self, draft: PositionDraft, side: int, card: Card, args: AimWords) -> None:
        """Directly (R036)."""
        node = draft.rules.board.node_by_name[args[0]]
        draft.add_event("recall", at=args[0])
        draft.move_pawn(draft.node_by_pawn.index(node), draft.rules.board.office)


def circles_around(position: ReadablePosition, node: int, steps: int) -> Mask:
    """The circles at most so many steps from one, counted as a search counts: over drops and wire where a
    marker points (A6)."""
    grid = position.rules.board
    found = grid.circles_within(node, steps)
    for crossing, side in zip(grid.crossings, position.table.markers, strict=True):
        left = steps - 1 - grid.distances_from_node(node)[crossing.upper] if side else -1
        if left >= 0:
            found |= circles_around(position, crossing.lower, left)
    return found


class Talisman(CardEffect):
    """Shoot to Kill against one of the officer's men misses."""

    is_answer = True

    def can_answer(
        self, position: ReadablePosition, side: int, card: Card, event: Arrest | PlayedCard
    ) -> bool:
        """His own man is the target."""
        return isinstance(event, PlayedCard) and event.effect == "shoot" and event.first_asked_side == side


class EquipmentGain(CardEffect):
    """A card of a kind of Equipment."""

    def possible_aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[AimWords]:
        """If the pile has one (R094)."""
        if position.table.supply[EQUIPMENT_KINDS.index(card.param("kind"))]:
            yield ()

    def play(self, draft: PositionDraft, side: int, card: Card, args: AimWords) -> None:
        """From the supply."""
        draft.add_event("take", seat=draft.rules.seats[side], item=card.param("kind"))
        draft.add_gear(side, EQUIPMENT_KINDS.index(card.param("kind")), 1)


class ExtraPoints(CardEffect):
    """More points of movement."""

    def play(self, draft: PositionDraft, side: int, card: Card, args: AimWords) -> None:
        """They are added."""
        add_points(draft, side, card.param("points"))


class ExtraThrow(CardEffect):
    """As many more points of movement as both dice show (R035 holds for them)."""

    def play(self, draft: PositionDraft, side: int, card: Card, args: AimWords) -> None:
        """Throw them."""
        begin_throws(draft, side, ("throw",))

    def apply_throw(self, draft: PositionDraft, side: int, purpose: tuple[object, ...], total: int) -> None:
        """They are added; nothing is drawn for them (R062)."""
        add_points(draft, side, total)


def add_points(draft: PositionDraft, side: int, points: int) -> None:
    """By a card, beside those of the roll. Who stands where it came over a crossing still does (R117)."""
    draft.points += points
    number, left = draft.turn.last_crossing
    if number >= 0:
        draft.change_turn(last_crossing=(number, left + points))
    draft.add_event("points", seat=draft.rules.seats[side], points=draft.points)


class CardCancellation(CardEffect):
    """A card that was just played does nothing."""

    is_answer = True

    def can_answer(
        self, position: ReadablePosition, side: int, card: Card, event: Arrest | PlayedCard
    ) -> bool:
        """A card of the deck it is made against that may be interrupted by anybody."""
        if not isinstance(event, PlayedCard):
            return False
        return event.deck == card.param("deck") and event.effect != "shoot"


class DirectMove(CardEffect):
    """A man goes directly to one of some circles (R036)."""

    aims_depend_on_position = True

    def movable_men(self, position: ReadablePosition, side: int, card: Card) -> list[int]:
        """The nodes of the men whom it may be."""
        raise NotImplementedError

    def target_circles(self, position: ReadablePosition, card: Card) -> list[int]:
        """The free circles to go to."""
        raise NotImplementedError

    def possible_aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[AimWords]:
        """Man and circle."""
        names, circles = position.rules.board.space_names, self.target_circles(position, card)
        return (
            (names[man], names[circle])
            for man in self.movable_men(position, side, card)
            for circle in circles
        )

    def listed_aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[AimWords]:
        """Each man once."""
        men, names = self.movable_men(position, side, card), position.rules.board.space_names
        circles = self.target_circles(position, card)[:1] if men else ()
        return ((names[man], names[circle]) for circle in circles for man in men)

    def play(self, draft: PositionDraft, side: int, card: Card, args: AimWords) -> None:
        """Directly (R036)."""
        origin, target = (draft.rules.board.node_by_name[name] for name in args)
        move_directly(draft, draft.node_by_pawn.index(origin, draft.rules.guard_count), target)


class SendToRoom(DirectMove):
    """A man in the Inner Courtyard goes to a room."""

    def movable_men(self, position: ReadablePosition, side: int, card: Card) -> list[int]:
        """Those inside who aren't in the room."""
        grid = position.rules.board
        room = grid.rooms.index(card.param("room"))
        nodes = (position.node_by_pawn[pawn] for pawn in position.rules.pawns[side])
        return [n for n in nodes if n < grid.circle_count and not grid.area[n] and grid.room[n] != room]

    def target_circles(self, position: ReadablePosition, card: Card) -> list[int]:
        """Those of the room where a man may stay."""
        grid = position.rules.board
        closed = position.men_nodes | position.guard_nodes | grid.men_no_stay
        return [n for n in grid.circles_by_room[grid.rooms.index(card.param("room"))] if not closed >> n & 1]


class SendToAppelArea(DirectMove):
    """A man in the Outer Courtyard or Outside goes back to the Appel area."""

    def movable_men(self, position: ReadablePosition, side: int, card: Card) -> list[int]:
        """Those out there, on the surface."""
        grid = position.rules.board
        if not position.men_nodes & grid.outer_circles:
            return []
        nodes = (position.node_by_pawn[pawn] for pawn in position.rules.pawns[side])
        return [n for n in nodes if grid.outer_circles >> n & 1]

    def target_circles(self, position: ReadablePosition, card: Card) -> list[int]:
        """The free ones."""
        grid = position.rules.board
        return grid.nodes_of_mask(grid.appel & ~(position.men_nodes | position.guard_nodes))
