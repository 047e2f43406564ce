"""What the cards do: one class an effect, found by the effect's id.

An effect lists what its card may be aimed at, as the words that follow the card's name; `play` does it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from boardrules.colditz.appel import call
from boardrules.colditz.arrest import clear_rooms, release_circles, released, take_marker
from boardrules.colditz.board import FAR, INNER, OUTSIDE
from boardrules.colditz.cards import KINDS, Card
from boardrules.colditz.doing import slipped
from boardrules.colditz.draft import Draft
from boardrules.colditz.facts import BEFORE, Look
from boardrules.colditz.turns import begin_throws
from boardrules.colditz.windows import clockwise

Args = tuple[str, ...]


class Effect:
    """What a card does."""

    answers: str | None = None
    """The event that it answers (R065); `None`: it is played in one's own turn."""
    phases: tuple[str, ...] | None = None
    """When in the turn it may be played; `None`: before the roll and after it."""
    silent = False
    """Whether nobody may interrupt it."""

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """All that it may be aimed at now, in a fixed order; nothing if it can't be played."""
        yield ()

    def suits(self, look: Look, side: int, card: Card, event: tuple[Any, ...]) -> bool:
        """Whether it answers this event: what happens, then its data."""
        return False

    def asked(self, look: Look, side: int, args: Args) -> tuple[int, ...]:
        """Who may interrupt it (R068): the Security Officer, or the officers clockwise."""
        if self.silent:
            return ()
        return (0,) if side else clockwise(look, tuple(look.rules.officers))

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """Carry it out."""
        raise NotImplementedError

    def answer(self, draft: Draft, side: int, card: Card, event: tuple[Any, ...]) -> None:
        """Carry out an answer; for most, that what was to come doesn't is all."""

    def thrown(self, draft: Draft, side: int, purpose: tuple[object, ...], total: int) -> None:
        """The dice that it asked for are thrown."""


class Part(Effect):
    """Part of an Escape Kit: it is used when a Kit is put together (R103), never by itself."""

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """Nothing."""
        return iter(())


class TunnelCard(Effect):
    """Opens a tunnel (R130)."""

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """It can't be played for an open tunnel, nor before the men can move (A16)."""
        if look.turn.phase != BEFORE and not look.table.tunnels[_tunnel(look, card.param("tunnel"))]:
            yield ()

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """The tunnel is open; R135 looks at the end of the turn whether two men went in."""
        _set_tunnel(draft, card.param("tunnel"), 1)
        draft.tell("open", tunnel=card.param("tunnel"))


class Car(Effect):
    """The man at the Staff Car drives out (R161)."""

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """One of the officer's men stands at the car."""
        here = look.rules.board.car_from
        if any(look.where[pawn] == here for pawn in look.rules.pawns[side]):
            yield ()

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """To the free circle Outside nearest the road, directly (R036)."""
        grid = draft.rules.board
        man = draft.where.index(grid.car_from, draft.rules.guards)
        closed = draft.men | draft.guards | grid.men_pass | grid.targets
        away = grid.away_from(grid.car_to)
        free = (n for n in range(grid.circles) if grid.area[n] == OUTSIDE and not closed >> n & 1)
        target = min(free, key=lambda node: (away[node], node))
        _directly(draft, man, target)


class Release(Effect):
    """One man leaves Solitary directly (R051)."""

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """The cells and the circle."""
        grid = look.rules.board
        for cells in (grid.cells_inner, grid.cells_outer):
            if any(look.where[pawn] == cells for pawn in look.rules.pawns[side]):
                for node in release_circles(look, cells == grid.cells_outer):
                    yield grid.names[cells], grid.names[node]

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """As by a double, without the point."""
        grid = draft.rules.board
        man = next(pawn for pawn in draft.rules.pawns[side] if draft.where[pawn] == grid.node[args[0]])
        released(draft, man, grid.node[args[1]])


class Hideaway(Effect):
    """A man whom a guard comes to arrest slips to the nearest free Safe circle (R065)."""

    answers = "arrest"

    def suits(self, look: Look, side: int, card: Card, event: tuple[Any, ...]) -> bool:
        """His own man, and there is such a circle."""
        if event[0] != "arrest" or look.rules.owner[event[2]] != side:
            return False
        return _hideaway(look, look.where[event[2]]) >= 0

    def answer(self, draft: Draft, side: int, card: Card, event: tuple[Any, ...]) -> None:
        """The guard stays where it came from."""
        _, guard, man = event
        slipped(draft, guard, man, _hideaway(draft, draft.where[man]))


def _hideaway(look: Look, node: int) -> int:
    grid = look.rules.board
    here = grid.surface_of(node)
    away, taken = grid.away_from(here), look.men | look.guards
    free = [one for one in grid.listed(grid.safe) if not taken >> one & 1 and away[one] < FAR]
    return min(free, key=lambda one: (away[one], one), default=-1)


class Dismiss(Effect):
    """A guard goes to the Commander's Office."""

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """Guards in the card's areas: near one of the officer's men, or with range 0 those on posts."""
        grid = look.rules.board
        areas, reach = card.param("areas"), card.param("range")
        men = [look.where[pawn] for pawn in look.rules.pawns[side] if look.where[pawn] < grid.circles]
        for guard in look.rules.pawns[0]:
            node = look.where[guard]
            if node >= grid.circles or grid.area_name(node) not in areas:
                continue
            away = grid.away_from(node)
            if any(away[man] <= reach for man in men) if reach else grid.posts >> node & 1:
                yield (grid.names[node],)

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """Directly (R036)."""
        node = draft.rules.board.node[args[0]]
        draft.tell("recall", at=args[0])
        draft.put(draft.where.index(node), draft.rules.board.office)


class Talisman(Effect):
    """Shoot to Kill against one of the officer's men misses."""

    answers = "shoot"

    def suits(self, look: Look, side: int, card: Card, event: tuple[Any, ...]) -> bool:
        """His own man is the target."""
        return bool(event[0] == "card" and event[3] == "shoot" and event[5] == side)


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

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """They are added."""
        draft.points += card.param("points")
        draft.tell("points", seat=draft.rules.seats[side], points=draft.points)


class Throw(Effect):
    """As many more points of movement as both dice show (R035 holds for them)."""

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """Throw them."""
        begin_throws(draft, side, ("throw",))

    def thrown(self, draft: Draft, side: int, purpose: tuple[object, ...], total: int) -> None:
        """They are added; nothing is drawn for them (R062)."""
        draft.points += total
        draft.tell("points", seat=draft.rules.seats[side], points=draft.points)


class Cancel(Effect):
    """A card that was just played does nothing."""

    answers = "card"

    def suits(self, look: Look, side: int, card: Card, event: tuple[Any, ...]) -> bool:
        """A card of the deck it is made against that may be interrupted by anybody."""
        return bool(event[0] == "card" and event[4] == card.param("deck") and event[3] != "shoot")


class Send(Effect):
    """A man in the Inner Courtyard goes to a room."""

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """Man and free circle of the room, where he may stay."""
        rules, grid = look.rules, look.rules.board
        room = grid.rooms.index(card.param("room"))
        closed = look.men | look.guards | grid.men_pass
        circles = [n for n in range(grid.circles) if grid.room[n] == room and not closed >> n & 1]
        for pawn in rules.pawns[side]:
            node = look.where[pawn]
            if node < grid.circles and grid.area[node] == INNER and grid.room[node] != room:
                yield from ((grid.names[node], grid.names[circle]) for circle in circles)

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """Directly (R036)."""
        origin, target = (draft.rules.board.node[name] for name in args)
        _directly(draft, draft.where.index(origin, draft.rules.guards), target)


class Home(Effect):
    """A man in the Outer Courtyard or Outside goes back to the Appel area."""

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """Man and free circle."""
        rules, grid = look.rules, look.rules.board
        closed = look.men | look.guards
        circles = [grid.names[node] for node in grid.listed(grid.appel & ~closed)]
        for pawn in rules.pawns[side]:
            node = look.where[pawn]
            if node < grid.circles and grid.area[node] != INNER:
                yield from ((grid.names[node], circle) for circle in circles)

    play = Send.play


class Appel(Effect):
    """Every man lines up, or not (1.7)."""

    phases = (BEFORE,)  # R066
    silent = True

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """Ask the officers."""
        call(draft)


class Shoot(Effect):
    """A man Outside may be killed (R160, G9)."""

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """The men Outside."""
        grid = look.rules.board
        for officer in look.rules.officers:
            for pawn in look.rules.pawns[officer]:
                node = look.where[pawn]
                if node < grid.circles and grid.area[node] == OUTSIDE:
                    yield (grid.names[node],)

    def asked(self, look: Look, side: int, args: Args) -> tuple[int, ...]:
        """The officer of the man."""
        return (look.rules.owner[look.where.index(look.rules.board.node[args[0]], look.rules.guards)],)

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """Throw."""
        begin_throws(draft, side, ("shoot", card.param("least"), args[0]))

    def thrown(self, draft: Draft, side: int, purpose: tuple[object, ...], total: int) -> None:
        """High enough, and he is out of the game."""
        at = str(purpose[2])
        man = draft.where.index(draft.rules.board.node[at], draft.rules.guards)
        seat = draft.rules.seats[draft.rules.owner[man]]
        if total < int(str(purpose[1])):
            draft.tell("missed", seat=seat, at=at)
            return
        draft.tell("killed", seat=seat, at=at)
        draft.put(man, draft.rules.board.grave)
        draft.unflag(man)


class Detect(Effect):
    """A tunnel is detected (R134)."""

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """The open tunnels."""
        for tunnel, state in zip(look.rules.board.tunnels, look.table.tunnels, strict=True):
            if state == 1:
                yield (tunnel.name,)

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """Its marker lies there until it collapses."""
        _set_tunnel(draft, args[0], 2)
        draft.tell("detect", tunnel=args[0])


class Unmark(Effect):
    """A marker is taken off the board (R119)."""

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """The markers."""
        for number, owner in enumerate(look.table.markers):
            if owner:
                yield (look.rules.board.crossing_name(number),)

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """Guards may be left without a way into their room (R118)."""
        take_marker(draft, draft.rules.board.crossing_named(args[0]))
        clear_rooms(draft)


class Relief(Effect):
    """The Commander's Office empties into Barracks at once."""

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """If anybody is in it."""
        if look.rules.board.office in look.where:
            yield ()

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """All of them."""
        grid = draft.rules.board
        for guard in draft.rules.pawns[0]:
            if draft.where[guard] == grid.office:
                draft.put(guard, grid.barracks)
        draft.tell("relief")


class Confiscate(Effect):
    """An officer with a man in a room discards an Equipment card."""

    def aims(self, look: Look, side: int, card: Card) -> Iterator[Args]:
        """Those who hold one."""
        grid = look.rules.board
        for officer in look.rules.officers:
            rooms = (1 << look.where[pawn] & grid.rooms_all for pawn in look.rules.pawns[officer])
            if look.table.gear[officer] and any(rooms) and not look.table.out >> officer & 1:
                yield (look.rules.seats[officer],)

    def play(self, draft: Draft, side: int, card: Card, args: Args) -> None:
        """Of his own choice."""
        draft.push("confiscate", draft.rules.seats.index(args[0]))


EFFECTS: Mapping[str, Effect] = {
    "part": Part(), "tunnel": TunnelCard(), "car": Car(), "release": Release(), "hideaway": Hideaway(),
    "dismiss": Dismiss(), "talisman": Talisman(), "gain": Gain(), "points": Points(), "throw": Throw(),
    "cancel": Cancel(), "send": Send(), "home": Home(), "appel": Appel(), "shoot": Shoot(),
    "detect": Detect(), "unmark": Unmark(), "relief": Relief(), "confiscate": Confiscate(),
}  # fmt: skip
"""Every effect by its id."""


def _tunnel(look: Look, name: str) -> int:
    return next(n for n, tunnel in enumerate(look.rules.board.tunnels) if tunnel.name == name)


def _set_tunnel(draft: Draft, name: str, state: int) -> None:
    states = list(draft.table.tunnels)
    states[_tunnel(draft, name)] = state
    draft.set_table(tunnels=tuple(states))


def _directly(draft: Draft, man: int, target: int) -> None:
    """A man is moved without points (R036)."""
    seat = draft.rules.seats[draft.rules.owner[man]]
    draft.tell("send", **{"seat": seat, "from": draft.named(draft.where[man]), "to": draft.named(target)})
    draft.put(man, target)
