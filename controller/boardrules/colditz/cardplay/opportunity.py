"""What the Opportunity cards do (R065), and the effects that both decks have."""

from __future__ import annotations

from collections.abc import Iterator

from boardrules.colditz.cardplay.effect import Args, Effect, directly, set_tunnel, tunnel_named
from boardrules.colditz.castle.board import ANYWHERE, FAR, OUTSIDE, Mask
from boardrules.colditz.deck.cards import KINDS, Card
from boardrules.colditz.moving.arrest import release_circles, released
from boardrules.colditz.moving.doing import slipped
from boardrules.colditz.state.draft import Draft
from boardrules.colditz.state.facts import Look
from boardrules.colditz.state.throws import begin_throws
from boardrules.colditz.state.windows import Arrest, Played


class Part(Effect):
    """Part of an Escape Kit: it is used when a Kit is put together (R103), never by itself."""

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """Nothing."""
        return iter(())


class TunnelCard(Effect):
    """Opens a tunnel (R130)."""

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """It can't be played for an open tunnel (A16)."""
        if not look.table.tunnels[tunnel_named(look, card.param("tunnel"))]:
            yield ()

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """The tunnel is open; R135 looks at the end of the turn whether two men went in."""
        set_tunnel(draft, card.param("tunnel"), 1)
        draft.tell("open", tunnel=card.param("tunnel"))


class Car(Effect):
    """The man at the Staff Car drives out (R161)."""

    looks = True

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """One of the officer's men stands at the car."""
        here = look.rules.board.car_from
        if look.men >> here & 1 and any(look.where[pawn] == here for pawn in look.rules.pawns[side]):
            yield ()

    def minds(self, look: Look, side: int, card: Card) -> Mask:
        """That circle."""
        return 1 << look.rules.board.car_from

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """To the free circle Outside nearest the road, directly (R036)."""
        grid = draft.rules.board
        man = draft.where.index(grid.car_from, draft.rules.guards)
        closed = draft.men | draft.guards | grid.men_pass | grid.targets
        away = grid.away_from(grid.car_to)
        free = (n for n in range(grid.circles) if grid.area[n] == OUTSIDE and not closed >> n & 1)
        target = min(free, key=lambda node: (away[node], node))
        directly(draft, man, target)


class Release(Effect):
    """One man leaves Solitary directly (R051)."""

    looks = True

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """The cells and the circle."""
        grid = look.rules.board
        for cells in (grid.cells_inner, grid.cells_outer):
            if cells in look.where and any(look.where[pawn] == cells for pawn in look.rules.pawns[side]):
                for node in release_circles(look, cells == grid.cells_outer):
                    yield grid.names[cells], grid.names[node]

    def minds(self, look: Look, side: int, card: Card) -> Mask:
        """None, if nobody is in the cells: no step leads there."""
        grid, where = look.rules.board, look.where
        return ANYWHERE if grid.cells_inner in where or grid.cells_outer in where else 0

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """As by a double, without the point."""
        grid = draft.rules.board
        man = next(pawn for pawn in draft.rules.pawns[side] if draft.where[pawn] == grid.node[args[0]])
        released(draft, man, grid.node[args[1]])


class Hideaway(Effect):
    """A man whom a guard comes to arrest slips to the nearest free Safe circle (R065)."""

    answers = True

    def suits(self, look: Look, side: int, card: Card, event: Arrest | Played) -> bool:
        """His own man, and there is such a circle."""
        if not isinstance(event, Arrest) or look.rules.owner[event.man] != side:
            return False
        return _hideaway(look, look.where[event.man]) >= 0

    def answer(self, draft: Draft, side: int, card: Card, event: Arrest | Played) -> None:
        """The guard stays where it came from."""
        assert isinstance(event, Arrest)
        slipped(draft, event.guard, event.man, _hideaway(draft, draft.where[event.man]))


def _hideaway(look: Look, node: int) -> int:
    grid = look.rules.board
    here = grid.surface_of(node)
    away, taken = grid.away_from(here), look.men | look.guards
    free = [one for one in grid.listed(grid.safe) if not taken >> one & 1 and away[one] < FAR]
    return min(free, key=lambda one: (away[one], one), default=-1)


class Dismiss(Effect):
    """A guard goes to the Commander's Office."""

    looks = True

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """Guards in the card's areas: near one of the officer's men, or with range 0 those on posts."""
        grid, where = look.rules.board, look.where
        areas, reach = card.param("areas"), card.param("range")
        men = sum(1 << where[pawn] for pawn in look.rules.pawns[side]) if reach else 0
        for guard in look.rules.pawns[0]:
            node = where[guard]
            if node < grid.circles and grid.area_name(node) in areas:
                near = men & grid.within(node, reach) if reach else grid.posts >> node & 1
                if near:
                    yield (grid.names[node],)

    def minds(self, look: Look, side: int, card: Card) -> Mask:
        """What is near the guards, who stay where they are."""
        grid, reach, minds = look.rules.board, card.param("range"), 0
        for guard in look.rules.pawns[0] if reach else ():
            if look.where[guard] < grid.circles:
                minds |= grid.within(look.where[guard], reach)
        return minds

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """Directly (R036)."""
        node = draft.rules.board.node[args[0]]
        draft.tell("recall", at=args[0])
        draft.put(draft.where.index(node), draft.rules.board.office)


class Talisman(Effect):
    """Shoot to Kill against one of the officer's men misses."""

    answers = True

    def suits(self, look: Look, side: int, card: Card, event: Arrest | Played) -> bool:
        """His own man is the target."""
        return isinstance(event, Played) and event.effect == "shoot" and event.first == side


class Gain(Effect):
    """A card of a kind of Equipment."""

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """If the pile has one (R094)."""
        if look.table.supply[KINDS.index(card.param("kind"))]:
            yield ()

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """From the supply."""
        draft.tell("take", seat=draft.rules.seats[side], item=card.param("kind"))
        draft.gear_by(side, KINDS.index(card.param("kind")), 1)


class Points(Effect):
    """More points of movement."""

    always = True

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """They are added."""
        more_points(draft, side, card.param("points"))


class Throw(Effect):
    """As many more points of movement as both dice show (R035 holds for them)."""

    always = True

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """Throw them."""
        begin_throws(draft, side, ("throw",))

    def thrown(self, draft: Draft, side: int, purpose: tuple[object, ...], total: int) -> None:
        """They are added; nothing is drawn for them (R062)."""
        more_points(draft, side, total)


def more_points(draft: Draft, side: int, points: int) -> None:
    """By a card, beside those of the roll. Who stands where it came over a crossing still does (R117)."""
    draft.points += points
    number, left = draft.turn.over
    if number >= 0:
        draft.set_turn(over=(number, left + points))
    draft.tell("points", seat=draft.rules.seats[side], points=draft.points)


class Cancel(Effect):
    """A card that was just played does nothing."""

    answers = True

    def suits(self, look: Look, side: int, card: Card, event: Arrest | Played) -> bool:
        """A card of the deck it is made against that may be interrupted by anybody."""
        if not isinstance(event, Played):
            return False
        return event.deck == card.param("deck") and event.effect != "shoot"


class Carry(Effect):
    """A man goes directly to one of some circles (R036)."""

    looks = True

    def men(self, look: Look, side: int, card: Card) -> list[int]:
        """The nodes of the men whom it may be."""
        raise NotImplementedError

    def circles(self, look: Look, card: Card) -> list[int]:
        """The free circles to go to."""
        raise NotImplementedError

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """Man and circle."""
        names, circles = look.rules.board.names, self.circles(look, card)
        return ((names[man], names[circle]) for man in self.men(look, side, card) for circle in circles)

    def shown(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """Each man once."""
        men, names = self.men(look, side, card), look.rules.board.names
        circles = self.circles(look, card)[:1] if men else ()
        return ((names[man], names[circle]) for circle in circles for man in men)

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """Directly (R036)."""
        origin, target = (draft.rules.board.node[name] for name in args)
        directly(draft, draft.where.index(origin, draft.rules.guards), target)


class Send(Carry):
    """A man in the Inner Courtyard goes to a room."""

    def men(self, look: Look, side: int, card: Card) -> list[int]:
        """Those inside who aren't in the room."""
        grid = look.rules.board
        room = grid.rooms.index(card.param("room"))
        nodes = (look.where[pawn] for pawn in look.rules.pawns[side])
        return [n for n in nodes if n < grid.circles and not grid.area[n] and grid.room[n] != room]

    def circles(self, look: Look, card: Card) -> list[int]:
        """Those of the room where a man may stay."""
        grid = look.rules.board
        closed = look.men | look.guards | grid.men_pass
        return [n for n in grid.in_room[grid.rooms.index(card.param("room"))] if not closed >> n & 1]


class Home(Carry):
    """A man in the Outer Courtyard or Outside goes back to the Appel area."""

    def men(self, look: Look, side: int, card: Card) -> list[int]:
        """Those out there, on the surface."""
        grid = look.rules.board
        if not look.men & grid.beyond:
            return []
        nodes = (look.where[pawn] for pawn in look.rules.pawns[side])
        return [n for n in nodes if grid.beyond >> n & 1]

    def minds(self, look: Look, side: int, card: Card) -> Mask:
        """None but those, if nobody is out there."""
        beyond = look.rules.board.beyond
        return ANYWHERE if look.men & beyond else beyond

    def circles(self, look: Look, card: Card) -> list[int]:
        """The free ones."""
        grid = look.rules.board
        return grid.listed(grid.appel & ~(look.men | look.guards))
