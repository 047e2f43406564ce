"""The castle as numbers: what is asked on every step is worked out once, when the board is made.

A *node* is a place where one pawn can stand: a circle on the surface, or the same circle inside a tunnel (its
own level, R034). After the nodes come the places beside the circles.
Sets of nodes are masks: bit n is node n.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from boardrules.colditz.castle.actions import PawnStep
from boardrules.colditz.castle.plan import AREAS, PLACES, SYMBOLS, CastlePlan
from boardrules.core import Seat, Space

INNER, OUTER, OUTSIDE = range(3)
Mask = int
ALL_NODES: Final[Mask] = -1
UNREACHABLE: Final = 9999


class Crossing(NamedTuple):
    """A pair of circles that only Rope or Cutter joins (R112, R113)."""

    feet: int
    """30 or 60 for a drop, 0 for wire."""
    upper: int
    """The node to come from ..."""
    lower: int
    """... and the one to come to."""

    @property
    def kind(self) -> str:
        """`rope` or `cutter`."""
        return "rope" if self.feet else "cutter"

    @property
    def card_count(self) -> int:
        """How many cards of that kind it takes."""
        return 2 if self.feet == 60 else 1


class Tunnel(NamedTuple):
    """A tunnel: its nodes from the entrance to the exit."""

    name: str
    nodes: tuple[int, ...]
    surface: tuple[int, ...]
    room: int


class CastleBoard:
    """A plan made ready to play on. Equal to others that say the same."""

    def __init__(self, plan: CastlePlan, key: str = "") -> None:
        self.plan = plan
        self.key = key
        """What the option `board` calls it: `castle`, or its whole text."""
        self.name = plan.name
        circles = list(plan.circles)
        self.circle_count = len(circles)
        below = [
            (room, place, name) for room, way in plan.tunnels.items() for place, name in enumerate(way, 1)
        ]
        self.space_names = (
            *circles,
            *(f"{room}/{place}" for room, place, _ in below),
            *PLACES,
            "away",
            "grave",
        )
        """By node its name; those inside a tunnel are `chapel/1` and so on."""
        self.node_by_name: Mapping[str, int] = {name: node for node, name in enumerate(self.space_names)}
        self.node_count = len(circles) + len(below)
        self.barracks = self.node_by_name["barracks"]
        self.office = self.node_by_name["office"]
        self.cells_inner = self.node_by_name["innercells"]
        self.cells_outer = self.node_by_name["outercells"]
        self.away = self.node_by_name["away"]
        self.grave = self.node_by_name["grave"]
        self.spaces = tuple(map(Space, (*circles, *(name for _, _, name in below), *PLACES)))
        """By node the space that hands know it by."""
        self.nodes_by_space: Mapping[str, tuple[int, ...]] = {
            space: tuple(node for node, name in enumerate(self.spaces) if name == space)
            for space in self.spaces
        }
        """By space its nodes, the circle on the surface first."""
        of = [plan.circles[name] for name in (*circles, *(name for _, _, name in below))]
        self.area = tuple(AREAS.index(circle.area) for circle in of)
        self.rooms = tuple(plan.rooms)
        self.room = tuple(self.rooms.index(circle.room) if circle.room else -1 for circle in of)
        self.circles_by_room = tuple(
            tuple(node for node in range(self.circle_count) if self.room[node] == room)
            for room in range(len(self.rooms))
        )
        """By room its circles."""
        symbols = [SYMBOLS.index(plan.rooms[circle.room]) if circle.room else -1 for circle in of]
        self.symbol = (*symbols[: self.circle_count], *(-1 for _ in self.space_names[self.circle_count :]))
        """By node or place the symbol of its room, or -1. In a tunnel nobody is in a room (R091)."""
        self.circles_by_symbol = tuple(
            tuple(node for node in range(self.circle_count) if self.symbol[node] == symbol)
            for symbol in range(len(SYMBOLS))
        )
        """By symbol the circles of its rooms."""
        self._make_masks(plan)
        self._make_tunnels(plan)
        self._make_links(plan)
        self._within: dict[tuple[int, int], Mask] = {}
        self._away: dict[int, tuple[int, ...]] = {}
        self.near_cells = (
            self._release_circles("innercells", INNER),
            self._release_circles("outercells", OUTER),
        )
        """For inner and outer cells, the circles where released men may come to stand (R052): steps from the
        arrow and node, the nearest first."""
        self._steps: dict[tuple[str, int, int], PawnStep] = {}

    def _make_masks(self, plan: CastlePlan) -> None:
        def kind(*kinds: str) -> Mask:
            return self.mask_of_names(
                name for name, circle in plan.circles.items() if circle.kinds & set(kinds)
            )

        self.appel, self.safe, self.posts = kind("appel"), kind("safe"), kind("post")
        self.lights, self.walkways, self.targets = kind("searchlight"), kind("walkway"), kind("target")
        self.doors, self.inspections = kind("door"), kind("inspection")
        self.room_circles = self.mask_of_names(name for name, circle in plan.circles.items() if circle.room)
        self.outside = sum(1 << node for node in range(self.node_count) if self.area[node] == OUTSIDE)
        self.outer_circles = sum(1 << node for node in range(self.circle_count) if self.area[node] != INNER)
        """The circles in the Outer Courtyard and Outside."""
        self.in_tunnels: Mask = sum(1 << node for node in range(self.circle_count, self.node_count))
        self.over_tunnels = self.mask_of_names(name for way in plan.tunnels.values() for name in way)
        self.men_no_stay = self.lights | self.over_tunnels
        """R037, R039: where men may go on but not stay ..."""
        self.guards_no_stay = self.walkways | self.appel | self.safe | self.over_tunnels
        """... and guards (R038, R039)."""
        self.free_way_gates = self.mask_of_names(plan.free_way_gates)
        self.inner_posts = tuple(node for node in self.nodes_of_mask(self.posts) if self.area[node] == INNER)
        self.outer_posts = tuple(node for node in self.nodes_of_mask(self.posts) if self.area[node] == OUTER)
        self.posts_in_order = (*self.inner_posts, *self.outer_posts)
        self.car_from, self.car_to = (self.node_by_name[name] for name in plan.car_route)

    def _make_tunnels(self, plan: CastlePlan) -> None:
        tunnels = []
        first = self.circle_count
        for name, way in plan.tunnels.items():
            nodes = tuple(range(first, first + len(way)))
            first += len(way)
            surface = tuple(self.node_by_name[circle] for circle in way)
            tunnels.append(Tunnel(name, nodes, surface, self.rooms.index(name)))
        self.tunnels = tuple(tunnels)
        self.tunnel_of = {node: which for which, tunnel in enumerate(tunnels) for node in tunnel.nodes}

    def _make_links(self, plan: CastlePlan) -> None:
        beside: list[list[int]] = [[] for _ in range(self.node_count)]
        for first, second in plan.links:
            beside[self.node_by_name[first]].append(self.node_by_name[second])
            beside[self.node_by_name[second]].append(self.node_by_name[first])
        self.neighbours = tuple(tuple(sorted(nodes)) for nodes in beside)
        """By node the neighbours by plain links, on the surface."""
        pairs = [(0, *pair) for pair in plan.wires] + list(plan.drops)
        self.crossings = tuple(
            Crossing(feet, self.node_by_name[upper], self.node_by_name[lower]) for feet, upper, lower in pairs
        )
        self.crossing_at = {
            way: number
            for number, crossing in enumerate(self.crossings)
            for way in ((crossing.upper, crossing.lower), (crossing.lower, crossing.upper))
        }
        """The crossing between two nodes, whichever way."""
        self.steps_home = self.distances_from(
            self.nodes_of_mask(self.mask_of_area(INNER)), self._previous_on_free_way
        )
        """R054, R085: by node how far a man from the outer cells has to go by the free way."""

    def _release_circles(self, cells: str, area: int) -> tuple[tuple[int, int], ...]:
        arrow = self.plan.places[cells].arrow
        assert arrow is not None  # the plan has been read
        away = self.distances_from_node(self.node_by_name[arrow])
        closed = self.men_no_stay | self.appel | self.room_circles
        circles = [n for n in range(self.circle_count) if self.area[n] == area and not closed >> n & 1]
        return tuple(sorted((away[node], node) for node in circles if away[node] < UNREACHABLE))

    def _previous_on_free_way(self, node: int) -> Iterable[int]:
        """Backwards from the Inner Courtyard: who could step onto `node` on the free way."""
        if (self.doors | self.inspections) & ~self.free_way_gates & 1 << node:
            return ()
        return (came for came in self.neighbours[node] if self.area[came] != INNER)

    def mask_of_area(self, area: int) -> Mask:
        """The surface circles of an area."""
        return sum(1 << node for node in range(self.circle_count) if self.area[node] == area)

    def area_name(self, node: int) -> str:
        """The area of a node, as it is written."""
        return AREAS[self.area[node]]

    def surface_of(self, node: int) -> int:
        """The circle that a node lies on or under."""
        if node < self.circle_count:
            return node
        tunnel = self.tunnels[self.tunnel_of[node]]
        return tunnel.surface[tunnel.nodes.index(node)]

    def crossing_name(self, number: int) -> str:
        """A crossing as actions name it: `n4-b8`, upper circle first."""
        crossing = self.crossings[number]
        return f"{self.space_names[crossing.upper]}-{self.space_names[crossing.lower]}"

    def crossing_by_name(self, name: str) -> int:
        """The crossing of that name, or -1."""
        upper, _, lower = name.partition("-")
        number = self.crossing_at.get(
            (self.node_by_name.get(upper, -1), self.node_by_name.get(lower, -1)), -1
        )
        return number if number >= 0 and self.crossing_name(number) == name else -1

    def mask_of_names(self, names: Iterable[str]) -> Mask:
        """A set of circles by name."""
        return sum(1 << self.node_by_name[name] for name in set(names))

    def nodes_of_mask(self, mask: Mask) -> list[int]:
        """The nodes of a set, in order."""
        nodes = []
        while mask:
            low = mask & -mask
            nodes.append(low.bit_length() - 1)
            mask ^= low
        return nodes

    def distances_from(self, start: Iterable[int], successors: Any) -> tuple[int, ...]:
        """By node the steps from the nearest of `start`; `successors(node)` gives what follows a node."""
        away = [UNREACHABLE] * self.node_count
        edge = list(start)
        for node in edge:
            away[node] = 0
        while edge:
            reached = []
            for node in edge:
                for after in successors(node):
                    if away[after] == UNREACHABLE:
                        away[after] = away[node] + 1
                        reached.append(after)
            edge = reached
        return tuple(away)

    def distances_from_node(self, node: int) -> tuple[int, ...]:
        """By node the steps from a circle over plain links, whoever stands there."""
        away = self._away.get(node)
        if away is None:
            away = self._away[node] = self.distances_from((node,), self.neighbours.__getitem__)
        return away

    def circles_within(self, node: int, steps: int) -> Mask:
        """The circles at most so many steps from one over plain links, whoever stands there."""
        found = self._within.get((node, steps))
        if found is None:
            seen = edge = {node}
            for _ in range(steps):
                edge = {after for here in edge for after in self.neighbours[here]} - seen
                seen = seen | edge
            found = sum(1 << one for one in seen if one < self.circle_count)
            self._within[node, steps] = found
        return found

    def step(self, seat: Seat, origin: int, target: int) -> PawnStep:
        """The action of going from one node to another; one object for equal steps."""
        key = (seat, origin, target)
        step = self._steps.get(key)
        if step is None:
            step = self._steps[key] = PawnStep(seat, origin, target, self)
        return step

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CastleBoard) and self.plan[:-1] == other.plan[:-1]

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<board {self.name}>"
