"""What a seat sees. A view holds public facts and the seat's own cards; JSON is made when asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from boardrules.colditz.castle.plan import SYMBOLS
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS
from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.state.answer_windows import Arrest
from boardrules.colditz.state.facts import CHANCE_SIDE, ColditzFacts, PendingTask
from boardrules.colditz.turn.collecting import goods_as_words
from boardrules.core import CHANCE, Layout, LayoutPiece, Outcome, Seat, Space, View


@dataclass(slots=True, unsafe_hash=True, repr=False)
class SeatKnowledge:
    """What a seat knows beside public facts. Its `repr` tells nothing."""

    hand: Final[tuple[int, ...]] = ()
    """Its cards."""
    gear: Final[tuple[tuple[int, ...], ...] | None] = None
    """By side the Equipment of all officers, for officers (G20)."""
    offer: Final[tuple[tuple[int, ...], tuple[int, ...]] | None] = None
    """What is on offer in a trade, for officers."""

    def __repr__(self) -> str:
        return "<what a seat knows>"


def knowledge_by_seat(seats: tuple[Seat, ...], secrets: HiddenCards) -> dict[Seat | None, SeatKnowledge]:
    """By seat what it knows beside public facts; the spectator (`None`) knows nothing."""
    found: dict[Seat | None, SeatKnowledge] = {
        None: SeatKnowledge(),
        seats[0]: SeatKnowledge(secrets.hands[0]),
    }
    for seat, hand in zip(seats[1:], secrets.hands[1:], strict=True):
        found[seat] = SeatKnowledge(hand, secrets.gear, secrets.offer)
    return found


class ColditzView(View):
    """The game as one seat, or the spectator, may know it."""

    __slots__ = ("facts", "own_knowledge")

    def __init__(self, seat: Seat | None, facts: ColditzFacts, own: SeatKnowledge) -> None:
        super().__init__(seat)
        self.facts: Final = facts
        self.own_knowledge: Final = own

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Whom the game waits for."""
        return to_act(self.facts)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self.facts.table.outcome

    def json(self) -> dict[str, Any]:
        """What everybody may know, then `hand` (the seat's cards) and `equipment` by kind for officers."""
        facts, rules = self.facts, self.facts.rules
        json: dict[str, Any] = {"game": "escape-from-colditz", "seat": self.seat, **public_json(facts)}
        json["hand"] = [rules.cards.cards[card].id for card in self.own_knowledge.hand]
        gear, offer = self.own_knowledge.gear, self.own_knowledge.offer
        if gear is not None:
            json["equipment"] = {
                rules.seats[side]: dict(zip(EQUIPMENT_KINDS, gear[side], strict=True))
                for side in rules.officers
            }
        if offer is not None:
            json["offer"] = {"give": goods_as_words(offer[0]), "want": goods_as_words(offer[1])}
        if self.outcome is not None:
            json["outcome"] = self.outcome._asdict()
        return json

    def text(self) -> str:
        """The castle with what the seat knows."""
        from boardrules.colditz.castle.text_board import board_text  # for people alone

        return board_text(self.json(), self.facts.rules.board.plan)

    def __repr__(self) -> str:
        return f"<view of {self.seat or 'the spectator'}: round {self.facts.table.round}>"

    def comparison_key(self) -> tuple[object, ...]:
        """All that it holds beside its seat."""
        return self.facts, self.own_knowledge


def to_act(facts: ColditzFacts) -> tuple[Seat, ...]:
    """Whom the game waits for."""
    if facts.table.outcome is not None:
        return ()
    tasks = facts.tasks
    side = tasks[-1].side if tasks else facts.turn.side
    return (CHANCE,) if side == CHANCE_SIDE else facts.rules.seat_tuples[side]


def layout(facts: ColditzFacts) -> Layout:
    """Space -> the pawns there, by the names that everybody may know."""
    rules, grid = facts.rules, facts.rules.board
    spaces: dict[Space, tuple[LayoutPiece, ...]] = {}
    for pawn, node in enumerate(facts.node_by_pawn):
        if node < len(grid.spaces):
            space = grid.spaces[node]
            spaces[space] = (*spaces.get(space, ()), rules.pieces[pawn])
    return spaces


def unsettled_spaces(facts: ColditzFacts) -> frozenset[Space]:
    """Where guard and man of an arrest stand that may still be answered (R068)."""
    task = facts.tasks[-1] if facts.tasks else None
    if task is None or task.kind != "answer" or not isinstance(task.data[0], Arrest):
        return frozenset()
    spaces = facts.rules.board.spaces
    return frozenset(spaces[facts.node_by_pawn[pawn]] for pawn in task.data[0])


def public_json(facts: ColditzFacts) -> dict[str, Any]:
    """Everything that everybody knows, as JSON."""
    rules, turn, standing = facts.rules, facts.turn, facts.table
    grid, seats = rules.board, rules.seats
    return {
        "to_act": list(to_act(facts)),
        "phase": "over" if standing.outcome is not None else turn.phase,
        "round": standing.round,
        "rounds": rules.rounds,
        "turn": seats[turn.side],
        "points": facts.points,
        "throws": [list(throw) for throw in turn.throws],
        "releases": turn.releases_left,
        "open": _task_json(facts, facts.tasks[-1]) if facts.tasks else None,
        "places": {space: list(map(str, pawns)) for space, pawns in layout(facts).items()},
        "inside": _pawn_names(
            facts, sum(1 << p for p, n in enumerate(facts.node_by_pawn) if n in grid.tunnel_of)
        ),
        "away": _pawn_names(facts, sum(1 << p for p, n in enumerate(facts.node_by_pawn) if n == grid.away)),
        "dead": _pawn_names(facts, sum(1 << p for p, n in enumerate(facts.node_by_pawn) if n == grid.grave)),
        "refusers": _pawn_names(facts, turn.refusers),
        "returning": _pawn_names(facts, standing.immune_men),
        "free_way": _pawn_names(facts, standing.men_on_free_way),
        "markers": {
            grid.crossing_name(number): seats[side] for number, side in enumerate(standing.markers) if side
        },
        "tunnels": {
            tunnel.name: ("closed", "open", "detected")[state]
            for tunnel, state in zip(grid.tunnels, standing.tunnels, strict=True)
        },
        "flags": _held_circles(facts),
        "detected": _tunnel_ends(facts, 2),
        "supply": {**dict(zip(EQUIPMENT_KINDS, standing.supply, strict=True)), "kits": standing.kits_left},
        "decks": dict(zip(("opportunity", "security", "parts"), standing.deck_sizes, strict=True)),
        "seats": {seat: _seat_json(facts, side) for side, seat in enumerate(seats)},
    }


def _held_circles(facts: ColditzFacts) -> list[str]:
    """The circles that markers join, and the ends of open tunnels: what lamps show as held."""
    grid = facts.rules.board
    crossings = (one for one, side in zip(grid.crossings, facts.table.markers, strict=True) if side)
    marked = {grid.space_names[node] for one in crossings for node in (one.upper, one.lower)}
    return sorted(marked.union(_tunnel_ends(facts, 1)))


def _tunnel_ends(facts: ColditzFacts, state: int) -> list[str]:
    """The circles at the ends of the tunnels that are in this state."""
    tunnels = zip(facts.rules.board.tunnels, facts.table.tunnels, strict=True)
    names = facts.rules.board.space_names
    return [
        names[end]
        for tunnel, now in tunnels
        if now == state
        for end in (tunnel.surface[0], tunnel.surface[-1])
    ]


def _seat_json(facts: ColditzFacts, side: int) -> dict[str, Any]:
    standing = facts.table
    shown: dict[str, Any] = {"cards": standing.hand_sizes[side], "out": bool(standing.left_sides >> side & 1)}
    if side:
        shown |= {
            "equipment": standing.equipment_counts[side],
            "kit": standing.has_kit[side],
            "parts": standing.part_counts[side],
            "escapes": standing.escape_counts[side],
            "do_or_die": bool(standing.do_or_die_sides >> side & 1),
        }
    return shown


def _task_json(facts: ColditzFacts, task: PendingTask) -> dict[str, Any]:
    """What is open, as far as everybody knows."""
    rules, grid = facts.rules, facts.rules.board
    shown: dict[str, Any] = {
        "what": task.kind,
        "seat": CHANCE if task.side == CHANCE_SIDE else rules.seats[task.side],
    }
    if task.kind == "answer":
        event = task.data[0]
        shown["asked"] = [rules.seats[side] for side in (task.side, *task.data[1])]
        if isinstance(event, Arrest):
            shown |= {"to": "arrest", "at": grid.space_names[facts.node_by_pawn[event.man]]}
        else:
            shown |= {"to": "card", "card": rules.cards.cards[event.card_number].id, "aim": list(event.aim)}
    elif task.kind == "trade":
        shown["from"] = rules.seats[task.data[0]]
    elif task.kind == "muster":
        shown["rooms"] = [SYMBOLS[symbol] for symbol in task.data]
    elif task.kind in ("dice", "deal", "value"):
        shown["for"] = rules.seats[task.data[0]]
    elif task.kind == "again":
        shown["throws"] = [list(throw) for throw in task.data[1]]
    return shown


def _pawn_names(facts: ColditzFacts, pawns: int) -> list[str]:
    return [name for pawn, name in enumerate(facts.rules.piece_names) if pawns >> pawn & 1]


def full_json(facts: ColditzFacts, secrets: HiddenCards) -> dict[str, Any]:
    """The whole position, hidden cards included."""
    rules = facts.rules
    cards = rules.cards.cards
    return {
        "seat": None,
        **public_json(facts),
        "slack": _pawn_names(facts, facts.turn.overlooked_men),
        "spare": facts.turn.extra_escapes,
        "traded": facts.turn.trade_offers,
        "over": list(facts.turn.last_crossing),
        "trail": [
            [rules.piece_names[pawn], rules.board.space_names[node]]
            for pawn, node in facts.turn.visited_nodes
        ],
        "values": list(facts.table.do_or_die_values),
        "hands": {
            seat: [cards[card].id for card in hand]
            for seat, hand in zip(rules.seats, secrets.hands, strict=True)
        },
        "equipment": {
            rules.seats[side]: dict(zip(EQUIPMENT_KINDS, secrets.gear[side], strict=True))
            for side in rules.officers
        },
        "deck_cards": [
            {
                "shuffled": {cards[card].id: count for card, count in deck.shuffled},
                "under": [cards[card].id for card in deck.bottom_cards],
            }
            for deck in secrets.decks
        ],
        "offer": [list(goods) for goods in secrets.offer] if secrets.offer else None,
        "outcome": facts.table.outcome._asdict() if facts.table.outcome else None,
        "options": {
            name: list(value) if isinstance(value, tuple) else value for name, value in rules.options.items()
        },
    }
