"""What a seat sees. A view holds public facts and the seat's own cards; JSON is made when asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from boardrules.colditz.castle.plan import SYMBOLS
from boardrules.colditz.deck.cards import KINDS
from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.state.answer_windows import Arrest
from boardrules.colditz.state.facts import CHANCE_SIDE, ColditzFacts, PendingTask
from boardrules.colditz.turn.collecting import gear_by_name
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

    __slots__ = ("facts", "own")

    def __init__(self, seat: Seat | None, facts: ColditzFacts, own: SeatKnowledge) -> None:
        super().__init__(seat)
        self.facts: Final = facts
        self.own: Final = own

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
        json: dict[str, Any] = {"game": "escape-from-colditz", "seat": self.seat, **public(facts)}
        json["hand"] = [rules.cards.cards[card].id for card in self.own.hand]
        gear, offer = self.own.gear, self.own.offer
        if gear is not None:
            json["equipment"] = {
                rules.seats[side]: dict(zip(KINDS, gear[side], strict=True)) for side in rules.officers
            }
        if offer is not None:
            json["offer"] = {"give": gear_by_name(offer[0]), "want": gear_by_name(offer[1])}
        if self.outcome is not None:
            json["outcome"] = self.outcome._asdict()
        return json

    def text(self) -> str:
        """The castle with what the seat knows."""
        from boardrules.colditz.castle.text_board import drawn  # for people alone

        return drawn(self.json(), self.facts.rules.board.plan)

    def __repr__(self) -> str:
        return f"<view of {self.seat or 'the spectator'}: round {self.facts.table.round}>"

    def known(self) -> tuple[object, ...]:
        """All that it holds beside its seat."""
        return self.facts, self.own


def to_act(facts: ColditzFacts) -> tuple[Seat, ...]:
    """Whom the game waits for."""
    if facts.table.outcome is not None:
        return ()
    tasks = facts.tasks
    side = tasks[-1].side if tasks else facts.turn.side
    return (CHANCE,) if side == CHANCE_SIDE else facts.rules.waits[side]


def layout(facts: ColditzFacts) -> Layout:
    """Space -> the pawns there, by the names that everybody may know."""
    rules, grid = facts.rules, facts.rules.board
    spaces: dict[Space, tuple[LayoutPiece, ...]] = {}
    for pawn, node in enumerate(facts.where):
        if node < len(grid.spaces):
            space = grid.spaces[node]
            spaces[space] = (*spaces.get(space, ()), rules.pieces[pawn])
    return spaces


def unsettled(facts: ColditzFacts) -> frozenset[Space]:
    """Where guard and man of an arrest stand that may still be answered (R068)."""
    task = facts.tasks[-1] if facts.tasks else None
    if task is None or task.kind != "answer" or not isinstance(task.data[0], Arrest):
        return frozenset()
    spaces = facts.rules.board.spaces
    return frozenset(spaces[facts.where[pawn]] for pawn in task.data[0])


def public(facts: ColditzFacts) -> dict[str, Any]:
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
        "releases": turn.releases,
        "open": _task(facts, facts.tasks[-1]) if facts.tasks else None,
        "places": {space: list(map(str, pawns)) for space, pawns in layout(facts).items()},
        "inside": _names(facts, sum(1 << p for p, n in enumerate(facts.where) if n in grid.tunnel_of)),
        "away": _names(facts, sum(1 << p for p, n in enumerate(facts.where) if n == grid.away)),
        "dead": _names(facts, sum(1 << p for p, n in enumerate(facts.where) if n == grid.grave)),
        "refusers": _names(facts, turn.refusers),
        "returning": _names(facts, standing.returning),
        "free_way": _names(facts, standing.way_home),
        "markers": {
            grid.crossing_name(number): seats[side] for number, side in enumerate(standing.markers) if side
        },
        "tunnels": {
            tunnel.name: ("closed", "open", "detected")[state]
            for tunnel, state in zip(grid.tunnels, standing.tunnels, strict=True)
        },
        "flags": _flags(facts),
        "detected": _ends(facts, 2),
        "supply": {**dict(zip(KINDS, standing.supply, strict=True)), "kits": standing.kits_left},
        "decks": dict(zip(("opportunity", "security", "parts"), standing.decks, strict=True)),
        "seats": {seat: _seat(facts, side) for side, seat in enumerate(seats)},
    }


def _flags(facts: ColditzFacts) -> list[str]:
    """The circles that markers join, and the ends of open tunnels: what lamps show as held."""
    grid = facts.rules.board
    crossings = (one for one, side in zip(grid.crossings, facts.table.markers, strict=True) if side)
    marked = {grid.names[node] for one in crossings for node in (one.upper, one.lower)}
    return sorted(marked.union(_ends(facts, 1)))


def _ends(facts: ColditzFacts, state: int) -> list[str]:
    """The circles at the ends of the tunnels that are in this state."""
    tunnels = zip(facts.rules.board.tunnels, facts.table.tunnels, strict=True)
    names = facts.rules.board.names
    return [
        names[end]
        for tunnel, now in tunnels
        if now == state
        for end in (tunnel.surface[0], tunnel.surface[-1])
    ]


def _seat(facts: ColditzFacts, side: int) -> dict[str, Any]:
    standing = facts.table
    shown: dict[str, Any] = {"cards": standing.hands[side], "out": bool(standing.out >> side & 1)}
    if side:
        shown |= {
            "equipment": standing.gear[side],
            "kit": standing.kits[side],
            "parts": standing.parts[side],
            "escapes": standing.escapes[side],
            "do_or_die": bool(standing.dares >> side & 1),
        }
    return shown


def _task(facts: ColditzFacts, task: PendingTask) -> dict[str, Any]:
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
            shown |= {"to": "arrest", "at": grid.names[facts.where[event.man]]}
        else:
            shown |= {"to": "card", "card": rules.cards.cards[event.number].id, "aim": list(event.aim)}
    elif task.kind == "trade":
        shown["from"] = rules.seats[task.data[0]]
    elif task.kind == "muster":
        shown["rooms"] = [SYMBOLS[symbol] for symbol in task.data]
    elif task.kind in ("dice", "deal", "value"):
        shown["for"] = rules.seats[task.data[0]]
    elif task.kind == "again":
        shown["throws"] = [list(throw) for throw in task.data[1]]
    return shown


def _names(facts: ColditzFacts, pawns: int) -> list[str]:
    return [name for pawn, name in enumerate(facts.rules.names) if pawns >> pawn & 1]


def truth(facts: ColditzFacts, secrets: HiddenCards) -> dict[str, Any]:
    """The whole position, hidden cards included."""
    rules = facts.rules
    cards = rules.cards.cards
    return {
        "seat": None,
        **public(facts),
        "slack": _names(facts, facts.turn.overlooked_men),
        "spare": facts.turn.extra_escapes,
        "traded": facts.turn.traded,
        "over": list(facts.turn.last_crossing),
        "trail": [[rules.names[pawn], rules.board.names[node]] for pawn, node in facts.turn.trail],
        "values": list(facts.table.values),
        "hands": {
            seat: [cards[card].id for card in hand]
            for seat, hand in zip(rules.seats, secrets.hands, strict=True)
        },
        "equipment": {
            rules.seats[side]: dict(zip(KINDS, secrets.gear[side], strict=True)) for side in rules.officers
        },
        "deck_cards": [
            {
                "shuffled": {cards[card].id: count for card, count in deck.shuffled},
                "under": [cards[card].id for card in deck.under],
            }
            for deck in secrets.decks
        ],
        "offer": [list(goods) for goods in secrets.offer] if secrets.offer else None,
        "outcome": facts.table.outcome._asdict() if facts.table.outcome else None,
        "options": {
            name: list(value) if isinstance(value, tuple) else value for name, value in rules.options.items()
        },
    }
