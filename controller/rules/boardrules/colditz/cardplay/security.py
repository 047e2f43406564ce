"""What the Security cards do (R065)."""

from __future__ import annotations

from collections.abc import Iterator

from boardrules.colditz.cardplay.effect import Args, CardEffect, set_tunnel
from boardrules.colditz.castle.board import OUTSIDE
from boardrules.colditz.deck.cards import Card
from boardrules.colditz.moving.appel import begin_appel
from boardrules.colditz.moving.arrest import clear_rooms, take_marker
from boardrules.colditz.state.facts import BEFORE, ReadablePosition
from boardrules.colditz.state.position_draft import PositionDraft
from boardrules.colditz.state.throws import begin_throws


class Appel(CardEffect):
    """Every man lines up, or not (1.7)."""

    phases = (BEFORE,)  # R066
    silent = True

    def play(self, draft: PositionDraft, side: int, card: Card, args: Args) -> None:
        """Ask the officers."""
        begin_appel(draft)


class ShootToKill(CardEffect):
    """A man Outside may be killed (R160, G9)."""

    by_position = True

    def aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[Args]:
        """The men Outside who aren't on a Safe circle (R077)."""
        grid = position.rules.board
        if not position.men & grid.outside & ~grid.safe:
            return
        for officer in position.rules.officers:
            for pawn in position.rules.pawns[officer]:
                node = position.where[pawn]
                if node < grid.circles and grid.area[node] == OUTSIDE and not grid.safe >> node & 1:
                    yield (grid.names[node],)

    def interrupters(self, position: ReadablePosition, side: int, args: Args) -> tuple[int, ...]:
        """The officer of the man."""
        return (
            position.rules.owner[
                position.where.index(position.rules.board.node[args[0]], position.rules.guards)
            ],
        )

    def play(self, draft: PositionDraft, side: int, card: Card, args: Args) -> None:
        """Throw."""
        begin_throws(draft, side, ("shoot", card.param("least"), args[0]))

    def apply_throw(self, draft: PositionDraft, side: int, purpose: tuple[object, ...], total: int) -> None:
        """High enough, and he is out of the game."""
        at = str(purpose[2])
        man = draft.where.index(draft.rules.board.node[at], draft.rules.guards)
        seat = draft.rules.seats[draft.rules.owner[man]]
        if total < int(str(purpose[1])):
            draft.add_event("missed", seat=seat, at=at)
            return
        draft.add_event("killed", seat=seat, at=at)
        draft.move_pawn(man, draft.rules.board.grave)
        draft.end_way_home(man)


class TunnelDetection(CardEffect):
    """A tunnel is detected (R134)."""

    def aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[Args]:
        """The open tunnels."""
        for tunnel, state in zip(position.rules.board.tunnels, position.table.tunnels, strict=True):
            if state == 1:
                yield (tunnel.name,)

    def play(self, draft: PositionDraft, side: int, card: Card, args: Args) -> None:
        """Its marker lies there until it collapses."""
        set_tunnel(draft, args[0], 2)
        draft.add_event("detect", tunnel=args[0])


class MarkerRemoval(CardEffect):
    """A marker is taken off the board (R119)."""

    def aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[Args]:
        """The markers."""
        for number, owner in enumerate(position.table.markers):
            if owner:
                yield (position.rules.board.crossing_name(number),)

    def play(self, draft: PositionDraft, side: int, card: Card, args: Args) -> None:
        """Guards may be left without a way into their room (R118)."""
        take_marker(draft, draft.rules.board.crossing_named(args[0]))
        clear_rooms(draft)


class OfficeRelief(CardEffect):
    """The Commander's Office empties into Barracks at once."""

    def aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[Args]:
        """If anybody is in it."""
        if position.rules.board.office in position.where:
            yield ()

    def play(self, draft: PositionDraft, side: int, card: Card, args: Args) -> None:
        """All of them."""
        grid = draft.rules.board
        for guard in draft.rules.pawns[0]:
            if draft.where[guard] == grid.office:
                draft.move_pawn(guard, grid.barracks)
        draft.add_event("relief")


class Confiscation(CardEffect):
    """An officer with a man in a room discards an Equipment card."""

    by_position = True

    def aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[Args]:
        """Those who hold one. A man on a Safe circle is none that it hits (R077)."""
        grid = position.rules.board
        in_rooms = grid.rooms_all & ~grid.safe
        if not any(position.table.gear) or not position.men & in_rooms:
            return
        for officer in position.rules.officers:
            rooms = (1 << position.where[pawn] & in_rooms for pawn in position.rules.pawns[officer])
            if position.table.gear[officer] and any(rooms) and not position.table.out >> officer & 1:
                yield (position.rules.seats[officer],)

    def play(self, draft: PositionDraft, side: int, card: Card, args: Args) -> None:
        """Of his own choice."""
        draft.push("confiscate", draft.rules.seats.index(args[0]))
