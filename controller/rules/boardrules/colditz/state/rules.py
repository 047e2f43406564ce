"""What is fixed for a whole game: board, cards, seats, pawns, and how the options make the rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from boardrules.colditz.castle.actions import SECURITY, PawnStep
from boardrules.colditz.castle.board import CastleBoard, Crossing, Mask
from boardrules.colditz.castle.board_reader import board_by_key
from boardrules.colditz.castle.check import GUARD_COUNTS, MEN_PER_OFFICER
from boardrules.colditz.deck.card_draws import DRAW_RULES
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS, CardSet, card_set_by_key
from boardrules.colditz.state.options import GAME, read_options
from boardrules.core import LayoutPiece, OptionError, Seat

HAND_LIMIT: Final = 3  # R063
OPPORTUNITY_DECK, SECURITY_DECK, PARTS_PILE = range(3)

Exit = tuple[int, str, int]
"""A way on that isn't free for all: the node it leads to, what it is, and which crossing or tunnel."""


class StepsFromNode(NamedTuple):
    """The ways on from one node."""

    steps: tuple[PawnStep, ...] = ()
    """Those that are free for all of the side."""
    exits: tuple[Exit, ...] = ()
    """The others."""
    neighbours: Mask = 0
    """The nodes that `steps` lead to."""
    no_stay: Mask = 0
    """Those of them where a pawn may not stay (R045)."""
    can_return: bool = True
    """Whether a pawn can come back from each of those with a second point, and stay."""


class ColditzRules:
    """The rules of one game as its options make them. Equal for equal options."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options: Mapping[str, Any] = MappingProxyType(options)
        self._key = tuple(options.items())
        self._hash = hash(self._key)
        self.board: CastleBoard = board_by_key(options["board"])
        self.cards: CardSet = card_set_by_key(options["cards"])
        self.card_numbers = {card.id: number for number, card in enumerate(self.cards.cards)}
        """By the id of a card its number."""
        self.kinds = EQUIPMENT_KINDS
        self.players: int = options["players"]
        self.seats: tuple[Seat, ...] = (SECURITY, *options["nations"])
        self.sides = range(self.players)
        self.officers = range(1, self.players)
        self.side_by_seat = {seat: side for side, seat in enumerate(self.seats)}
        self.seat_tuples = tuple((seat,) for seat in self.seats)
        self.men_per_officer, self.guard_count = (
            MEN_PER_OFFICER[self.players],
            GUARD_COUNTS[self.players],
        )  # R003
        self.owner = (0,) * self.guard_count + tuple(
            side for side in self.officers for _ in range(self.men_per_officer)
        )
        """By pawn its side."""
        self.pawns = tuple(
            tuple(pawn for pawn, side in enumerate(self.owner) if side == whose) for whose in self.sides
        )
        """By side its pawns."""
        self.pieces = tuple(
            LayoutPiece(self.seats[side], str(pawn - self.pawns[side][0] + 1))
            for pawn, side in enumerate(self.owner)
        )
        """By pawn the piece that everybody sees ..."""
        self.piece_names = tuple(map(str, self.pieces))
        """... and the name that everybody may call it by."""
        no_stay = tuple(
            frozenset(self.board.nodes_of_mask(mask))
            for mask in (self.board.guards_no_stay, self.board.men_no_stay)
        )
        self.no_stay = tuple(no_stay[side > 0] for side in self.owner)
        """By pawn the nodes that it may go over but not stay on (R037 to R039)."""
        self.appel_diagram = tuple(
            tuple(self.board.node_by_name[name] for name in way)
            for way in self.board.plan.diagrams[self.players]
        )
        """R018: by officer (0 is the first) the circles of his men."""
        self.has_separate_parts = self.players == 6  # R017, R104
        self.rounds: int = options["rounds"]
        target = options["common_target"]
        self.common_target: int | None = None if target == "off" else target
        self.earns_card = DRAW_RULES[options["draw_on"]]
        self.pass_safe: bool = options["safe_area"] == "pass_through"
        self.search_by_path: bool = options["search"] == "guard_path"
        self.pawns_block: bool = options["pawns_block"]
        self.free_markers: bool = options["marker_passage"] == "free"
        self.tunnel_anywhere: bool = options["tunnel_arrest"] == "any_circle"
        self.forbids_doubling_back: bool = options["doubling_back"] == "forbidden"
        self.has_do_or_die: bool = options["do_or_die"] == "classic"
        self._check_cards()
        self._make_exits()

    def _check_cards(self) -> None:
        tunnels = tuple(tunnel.name for tunnel in self.board.tunnels)
        for card in self.cards.cards:
            for name, known in (("tunnel", tunnels), ("room", self.board.rooms)):
                given = dict(card.params).get(name)
                if given is not None and given not in known:
                    expected = ", ".join(known)
                    raise OptionError(
                        f"{GAME}: option cards is {self.cards.name!r}, whose card {card.id} has the {name}"
                        f" {given!r}; try one of {expected}, as the board {self.board.name} has them",
                        "cards",
                    )

    def _make_exits(self) -> None:
        """The ways on from every node: those that anybody may take, with their steps, and the others."""
        grid = self.board
        plain: list[list[int]] = [[] for _ in range(grid.node_count)]
        posts: list[list[int]] = [[] for _ in range(grid.node_count)]
        men: list[list[Exit]] = [[] for _ in range(grid.node_count)]
        guards: list[list[Exit]] = [[] for _ in range(grid.node_count)]
        closed = grid.room_circles | grid.safe | grid.targets
        for node in range(grid.circle_count):
            for after in grid.neighbours[node]:
                kind = self._gate_kind(after)
                if kind:
                    men[node].append((after, kind, -1))
                else:
                    plain[node].append(after)
                if not closed >> after & 1:
                    posts[node].append(after)
                elif not grid.targets >> after & 1:
                    guards[node].append((after, "closed", -1))
        for number, crossing in enumerate(grid.crossings):
            self._add_crossing(number, crossing, men, guards)
        for number, tunnel in enumerate(grid.tunnels):
            self._add_tunnel(number, tunnel.nodes, tunnel.surface, plain, men, guards)
        self.men_exits = tuple(map(tuple, men))
        self.guard_exits = tuple(map(tuple, guards))
        self.men_plain = tuple(map(tuple, plain))
        self.guard_plain = tuple(map(tuple, posts))
        self.steps_to_stay = (
            self._compute_steps_to_stay(grid.guards_no_stay, self.guard_plain, self.guard_exits),
            self._compute_steps_to_stay(grid.men_no_stay, self.men_plain, self.men_exits),
        )
        """For guards and for men, by node the fewest steps to where they may stay, whatever is in the way."""
        self.steps_from = tuple(
            self._compute_steps_from(side, plain if side else posts) for side in self.sides
        )
        """By side and node or place the ways on."""

    def _compute_steps_to_stay(
        self, hard: int, plain: tuple[tuple[int, ...], ...], exits: tuple[tuple[Exit, ...], ...]
    ) -> tuple[int, ...]:
        grid = self.board
        back: list[list[int]] = [[] for _ in range(grid.node_count)]
        for node in range(grid.node_count):
            for after in (*plain[node], *(way[0] for way in exits[node])):
                back[after].append(node)
        away = grid.distances_from([n for n in range(grid.node_count) if not hard >> n & 1], back.__getitem__)
        return tuple(max(1, steps) for steps in away)

    def _compute_steps_from(self, side: int, plain: list[list[int]]) -> tuple[StepsFromNode, ...]:
        grid = self.board
        hard = grid.men_no_stay if side else grid.guards_no_stay
        exits = self.men_exits if side else self.guard_exits
        ways = []
        for node in range(grid.node_count):
            steps = tuple(self.step(side, node, after) for after in plain[node])
            neighbours = sum(step.target_mask for step in steps)
            no_stay = neighbours & hard
            returns = not no_stay or not hard >> node & 1
            returns = returns and all(node in plain[after] for after in grid.nodes_of_mask(no_stay))
            ways.append(StepsFromNode(steps, exits[node], neighbours, no_stay, returns))
        return (*ways, *(StepsFromNode() for _ in range(grid.node_count, len(grid.space_names))))

    def _gate_kind(self, node: int) -> str:
        grid = self.board
        for kind, mask in (("door", grid.doors), ("inspection", grid.inspections), ("target", grid.targets)):
            if mask >> node & 1:
                return kind
        return ""

    @staticmethod
    def _add_crossing(
        number: int, crossing: Crossing, men: list[list[Exit]], guards: list[list[Exit]]
    ) -> None:
        men[crossing.upper].append((crossing.lower, "down", number))
        men[crossing.lower].append((crossing.upper, "up", number))
        guards[crossing.upper].append((crossing.lower, "down", number))

    def _add_tunnel(
        self,
        number: int,
        nodes: tuple[int, ...],
        surface: tuple[int, ...],
        plain: list[list[int]],
        men: list[list[Exit]],
        guards: list[list[Exit]],
    ) -> None:
        """R132 to R134: men go in at the entrance and out at the exit, guards where `tunnel_arrest` says."""
        grid = self.board
        for node, after in pairwise(nodes):
            for one, other in ((node, after), (after, node)):
                plain[one].append(other)
                guards[one].append((other, "tunnel", number))
        for near in grid.neighbours[surface[0]]:
            men[near].append((nodes[0], "in", number))
        for near in grid.neighbours[surface[-1]]:
            kind = self._gate_kind(near)
            if kind:
                men[nodes[-1]].append((near, kind, -1))
            else:
                plain[nodes[-1]].append(near)
        for node, circle in zip(nodes, surface, strict=True):
            entrance = node == nodes[0]
            for near in grid.neighbours[circle]:
                if self.tunnel_anywhere or entrance:
                    guards[near].append((node, "tunnel", number))
                if self.tunnel_anywhere or entrance or node == nodes[-1]:
                    guards[node].append((near, "closed", -1))

    def step(self, side: int, origin: int, target: int) -> PawnStep:
        """The step of a side from one node to another."""
        return self.board.step(self.seats[side], origin, target)

    def counts_against_limit(self, card: int) -> bool:
        """Whether a card in the hand counts against R063."""
        return not (self.has_separate_parts and self.cards.cards[card].effect == "part")

    def deck_of(self, card: int) -> int:
        """The deck under which a used card goes (R067, R104)."""
        if self.cards.cards[card].deck == "security":
            return SECURITY_DECK
        return OPPORTUNITY_DECK if self.counts_against_limit(card) else PARTS_PILE

    def next_officer(self, side: int, out: int) -> int:
        """The next side in the order of play that isn't out (R021), `side` itself at last."""
        for turn in range(1, self.players + 1):
            other = (side + turn) % self.players
            if not out >> other & 1:
                return other
        return side

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, ColditzRules) and self._key == other._key)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"<rules of {GAME}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return rules_of, (dict(self.options),)


NO_GEAR: Final = (0,) * len(EQUIPMENT_KINDS)


@lru_cache(maxsize=32)
def _cached_rules(read: tuple[tuple[str, Any], ...]) -> ColditzRules:
    return ColditzRules(dict(read))


def rules_of(options: Mapping[str, Any]) -> ColditzRules:
    """The rules that these options make. Raises `OptionError`."""
    return _cached_rules(tuple(read_options(options).items()))
