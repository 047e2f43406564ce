"""What the Security cards do (R065)."""

from __future__ import annotations

from collections.abc import Iterator

from boardrules.colditz.cardplay.effect import AimWords, CardEffect, set_tunnel
from boardrules.colditz.castle.board import OUTSIDE
from boardrules.colditz.deck.cards import Card
from boardrules.colditz.moving.appel import begin_appel
from boardrules.colditz.moving.arrest import clear_rooms, take_marker
from boardrules.colditz.state.facts import BEFORE_ROLL, ReadablePosition
from boardrules.colditz.state.position_draft import PositionDraft
from boardrules.colditz.state.throws import begin_throws


class Appel(CardEffect):
    """Every man lines up, or not (1.7)."""

    playable_phases = (BEFORE_ROLL,)  # R066
    is_uninterruptible = True

    def play(self, draft: PositionDraft, side: int, card: Card, args: AimWords) -> None:
        """Ask the officers."""
        begin_appel(draft)


class ShootToKill(CardEffect):
    """A man Outside may be killed (R160, G9)."""

    aims_depend_on_position = True

    def possible_aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[AimWords]:
        """The men Outside who aren't on a Safe circle (R077)."""
        grid = position.rules.board
        if not position.men_nodes & grid.outside & ~grid.safe:
            return
        for officer in position.rules.officers:
            for pawn in position.rules.pawns[officer]:
                node = position.node_by_pawn[pawn]
                if node < grid.circle_count and grid.area[node] == OUTSIDE and not grid.safe >> node & 1:
                    yield (grid.space_names[node],)

    def interrupters(self, position: ReadablePosition, side: int, args: AimWords) -> tuple[int, ...]:
        """The officer of the man."""
        return (
            position.rules.owner[
                position.node_by_pawn.index(
                    position.rules.board.node_by_name[args[0]], position.rules.guard_count
                )
            ],
        )

    def play(self, draft: PositionDraft, side: int, card: Card, args: AimWords) -> None:
        """Throw."""
        begin_throws(draft, side, ("shoot", card.param("least"), args[0]))

    def apply_throw(self, draft: PositionDraft, side: int, purpose: tuple[object, ...], total: int) -> None:
        """High enough, and he is out of the game."""
        at = str(purpose[2])
        man = draft.node_by_pawn.index(draft.rules.board.node_by_name[at], draft.rules.guard_count)
        seat = draft.rules.seats[draft.rules.owner[man]]
        if total < int(str(purpose[1])):
            draft.add_event("missed", seat=seat, at=at)
            return
        draft.add_event("killed", seat=seat, at=at)
        draft.move_pawn(man, draft.rules.board.grave)
        draft.end_way_home(man)


class TunnelDetection(CardEffect):
    """A tunnel is detected (R134)."""

    def possible_aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[AimWords]:
        """The open tunnels."""
        for tunnel, state in zip(position.rules.board.tunnels, position.table.tunnels, strict=True):
            if state == 1:
                yield (tunnel.name,)

    def play(self, draft: PositionDraft, side: int, card: Card, args: AimWords) -> None:
        """Its marker lies there until it collapses."""
        set_tunnel(draft, args[0], 2)
        draft.add_event("detect", tunnel=args[0])


class MarkerRemoval(CardEffect):
    """A marker is taken off the board (R119)."""

    def possible_aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[AimWords]:
        """The markers."""
        for number, owner in enumerate(position.table.markers):
            if owner:
                yield (position.rules.board.crossing_name(number),)

    def play(self, draft: PositionDraft, side: int, card: Card, args: AimWords) -> None:
        """Guards may be left without a way into their room (R118)."""
        take_marker(draft, draft.rules.board.crossing_by_name(args[0]))
        clear_rooms(draft)


class OfficeRelief(CardEffect):
    """The Commander's Office empties into Barracks at once."""

    def possible_aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[AimWords]:
        """If anybody is in it."""
        if position.rules.board.office in position.node_by_pawn:
            yield ()

    def play(self, draft: PositionDraft, side: int, card: Card, args: AimWords) -> None:
        """All of them."""
        grid = draft.rules.board
        for guard in draft.rules.pawns[0]:
            if draft.node_by_pawn[guard] == grid.office:
                draft.move_pawn(guard, grid.barracks)
        draft.add_event("relief")


class Confiscation(CardEffect):
    """An officer with a man in a room discards an Equipment card."""

    aims_depend_on_position = True

    def possible_aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[AimWords]:
        """Those who hold one. A man on a Safe circle is none that it hits (R077)."""
        grid = position.rules.board
        in_rooms = grid.room_circles & ~grid.safe
        if not any(position.table.equipment_counts) or not position.men_nodes & in_rooms:
            return
        for officer in position.rules.officers:
            rooms = (1 << position.node_by_pawn[pawn] & in_rooms for pawn in position.rules.pawns[officer])
            if (
                position.table.equipment_counts[officer]
                and any(rooms)
                and not position.table.left_sides >> officer & 1
            ):
                yield (position.rules.seats[officer],)

    def play(self, draft: PositionDraft, side: int, card: Card, args: AimWords) -> None:
        """Of his own choice."""
        draft.push_task("confiscate", draft.rules.seats.index(args[0]))
