"""Escape from Colditz in numbers: a row of places for each thing that may be in one.

A walk is written as its single steps. What may name many things (a trade, men who refuse, the aim of a card)
takes a number for each of its words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any, Final

from boardrules.colditz.cardplay.effect_table import EFFECTS
from boardrules.colditz.castle.actions import Command, PawnStep
from boardrules.colditz.castle.plan import SYMBOLS
from boardrules.colditz.deck.cards import DECKS, EQUIPMENT_KINDS
from boardrules.colditz.legal.listing import COMMAND_LISTERS, THROW_COMMANDS
from boardrules.colditz.moving.appel import obeying_men
from boardrules.colditz.moving.walk_search import shortest_walk
from boardrules.colditz.moving.walking import pawn_at
from boardrules.colditz.play import ColditzState
from boardrules.colditz.state.answer_windows import Arrest, PlayedCard
from boardrules.colditz.state.facts import (
    AFTER_ROLL,
    AFTER_SEARCH,
    BEFORE_ROLL,
    DEPLOY,
    ColditzFacts,
    PendingTask,
)
from boardrules.colditz.state.liability import may_refuse
from boardrules.colditz.state.rules import ColditzRules
from boardrules.colditz.turn.collecting import MAX_OFFERS, goods_of_words, offer_count
from boardrules.colditz.views import ColditzView, to_act
from boardrules.core import CHANCE, Action, Event, Seat, Space, State, View
from boardrules.encoding import GameEncoding, one_hot

_PHASES: Final = (DEPLOY, BEFORE_ROLL, AFTER_ROLL, AFTER_SEARCH, "over")
_TASKS: Final = (*COMMAND_LISTERS, "muster", "chase", "dice", "deal")
_WORDS: Final = (
    "ready", "roll", "stay", "draw", "skip", "pass", "accept", "decline", "obey", "search", "keep", "end",
)  # fmt: skip
_REFUSE, _OBEY, _DARE = "refuse ...", "obey ...", "dare ..."
_DONE, _AT, _FOR = "done", "at", "for"
_MOST_POINTS: Final = 60
"""More count as so many: three throws and the best cards stay below."""
_MOST_THROWS: Final = 3


class ColditzEncoding(GameEncoding):
    """The encoding of a game on one castle with certain decks and as many players."""

    told = (
        "drawn",
        "given",
        "wanted",
        *(f"given_{kind}" for kind in EQUIPMENT_KINDS),
        *(f"wanted_{kind}" for kind in EQUIPMENT_KINDS),
    )

    def __init__(self, rules: ColditzRules) -> None:
        grid, cards = rules.board, rules.cards.cards
        names = grid.space_names
        officers = rules.seats[1:]
        parts = sorted(card.id for card in cards if card.effect == "part")
        crossings = [grid.crossing_name(number) for number in range(len(grid.crossings))]
        self.actions = (
            *_WORDS,
            *(f"claim {kind}" for kind in EQUIPMENT_KINDS),
            *(f"surrender {kind}" for kind in EQUIPMENT_KINDS),
            *(" ".join(("kit", *chosen)) for count in range(3) for chosen in combinations(parts, count)),
            *(f"discard {card.id}" for card in cards),
            *(f"unmark {crossing}" for crossing in crossings),
            *(f"{names[origin]}-{names[target]}" for origin, target in dict.fromkeys(_single_steps(rules))),
        )
        self.words = tuple(
            dict.fromkeys(
                (
                    *(f"play {card.id}" for card in cards),
                    *(f"trade {seat} ..." for seat in officers),
                    *(_REFUSE, _OBEY, _DARE, _AT, _FOR, _DONE),
                    *EQUIPMENT_KINDS,
                    *officers,
                    *(tunnel.name for tunnel in grid.tunnels),
                    *crossings,
                    *names[: grid.node_count],
                    *(names[cells] for cells in (grid.cells_inner, grid.cells_outer)),
                )
            )
        )
        self.chances = (
            *map(str, THROW_COMMANDS),
            *(
                f"deal {seat} {card.id}"
                for side, seat in enumerate(rules.seats)
                for card in cards
                if card.deck == DECKS[0 if side else 1]
            ),
            *(f"value {value}" for value in sorted(set(rules.cards.do_or_die_values))),
        )
        sides, row = rules.players, len(names)
        self.parts = {
            "seat": sides,
            "to_act": sides + 1,
            "turn": sides,
            "phase": len(_PHASES),
            "open": len(_TASKS),  # what has to be answered first
            "open_seats": sides,  # whom it is about: who is asked later, who offers, for whom is thrown
            "open_card": len(cards),
            "open_symbols": len(SYMBOLS),
            "round": 1,
            "points": 1,
            "releases": 1,
            "covered": 1,  # men whom a Kit that was used up still covers
            "throws": 2 * _MOST_THROWS,
            "drawn": 1,  # whether a card was drawn in this turn
            "guards_moved": 1,  # whether guards moved though men had refused
            "hand": len(cards),
            "equipment": len(officers) * len(EQUIPMENT_KINDS),  # 0 for the Security Officer, who may not know
            "offer": 2 * len(EQUIPMENT_KINDS),
            "supply": len(EQUIPMENT_KINDS) + 1,
            "decks": 3,
            "cards": sides,
            "out": sides,
            "equipment_counts": len(officers),
            "kits": len(officers),
            "parts": len(officers),
            "escapes": len(officers),
            "do_or_die": len(officers),
            "offers": sides * sides,  # how many trades one has offered another in this turn
            "tunnels": 2 * len(grid.tunnels),  # open, then detected
            "markers": len(officers) * len(crossings),
            "last_crossing": len(crossings),
            "pawns": sides * row,
            "moved": row,  # where the pawn is that moved last
            "named": row,  # what an open matter is about
            "refusers": row,
            "returning": row,  # who can't be arrested on his way back
            "free_way": row,
            "daring": row,
            "trail": row,  # where pawns may not go back to
        }
        self._rules = rules

    # Actions that take several numbers

    def takes_words(self, action: Action) -> bool:
        """Cards, trades, answers to an Appel that name something, Do or Die."""
        return isinstance(action, Command) and (
            action.head in ("play", "trade", "refuse", "dare")
            or (action.head == "obey" and bool(action.rest))
        )

    def next_words(self, state: State, seat: Seat, said: Sequence[str]) -> Sequence[str]:
        """Exactly those that lead to an action that is allowed."""
        assert isinstance(state, ColditzState)
        if not said:
            return list(
                dict.fromkeys(
                    _first_word(action)
                    for action in state.legal_actions(seat)
                    if isinstance(action, Command) and self.takes_words(action)
                )
            )
        begun, rest = said[0], tuple(said[1:])
        side = self._rules.side_by_seat[seat]
        if begun.startswith("trade "):
            return self._trade_words(state, side, Seat(begun.split()[1]), rest)
        if begun in (_REFUSE, _OBEY):
            return self._appel_words(state, side, begun, rest)
        if begun == _DARE:
            places = {state.facts.node_by_pawn[pawn] for pawn in self._rules.pawns[side]}
            grid = self._rules.board
            return [grid.space_names[node] for node in sorted(places) if node < grid.node_count]
        aims = self._aims(state, side, begun)
        return list(dict.fromkeys(aim[len(rest)] for aim in aims if aim[: len(rest)] == rest != aim))

    def said_action(self, state: State, seat: Seat, said: Sequence[str]) -> str | None:
        """The text that these words make."""
        assert isinstance(state, ColditzState)
        side, begun, rest = self._rules.side_by_seat[seat], said[0], said[1:]
        if begun.startswith("play "):
            whole = tuple(rest) in self._aims(state, side, begun)
        elif begun == _DARE:
            whole = bool(rest)
        else:
            whole = bool(rest) and (rest[-1] == _DONE or not self.next_words(state, seat, said))
        words = [word for word in rest if word != _DONE]
        return " ".join((begun.removesuffix(" ..."), *words)) if whole else None

    def said_words(self, state: State, action: Action) -> Sequence[str]:
        """A walk by its steps, a trade by its kinds."""
        assert isinstance(state, ColditzState)
        facts, rules = state.facts, self._rules
        names, side = rules.board.space_names, rules.side_by_seat[action.seat]
        if isinstance(action, PawnStep):
            on_board = action.origin < rules.board.node_count > action.target
            if facts.tasks or not on_board:
                return (str(action),)
            pawn = pawn_at(facts, side, action.origin)
            stops = (action.origin, *shortest_walk(facts, state.secrets.gear[side], pawn, action.target))
            return [f"{names[one]}-{names[other]}" for one, other in pairwise(stops)]
        if not isinstance(action, Command) or not self.takes_words(action):
            return (str(action),)
        first, rest = _first_word(action), action.rest
        if action.head == "trade":
            return (first, *rest[1:], _DONE)
        if action.head in ("play", "dare"):
            return (first, *(rest[1:] if action.head == "play" else rest))
        return self._said_answer(facts, side, action)

    def _said_answer(self, facts: ColditzFacts, side: int, action: Command) -> Sequence[str]:
        names = self._rules.board.space_names
        men, at = set(action.rest), set[str]()
        if action.head == "obey":
            men, at = at, men
        elif _AT in action.rest:
            split = action.rest.index(_AT)
            men, at = set(action.rest[:split]), set(action.rest[split + 1 :])
        diagram = [names[node] for node in self._rules.appel_diagram[side - 1]]
        circles = [name for name in diagram if name in at] if len(at) < len(diagram) else []
        if action.head == "obey":
            return (_OBEY, *circles) if circles else ("obey",)
        refusing = [names[facts.node_by_pawn[pawn]] for pawn in self._rules.pawns[side]]
        refusing = [name for name in refusing if name in men]
        return (_REFUSE, *refusing, *((_AT, *circles) if circles else (_DONE,)))

    def _aims(self, state: ColditzState, side: int, begun: str) -> list[tuple[str, ...]]:
        """What the card may be aimed at now; it was among the first words, so the time is right."""
        card = self._rules.cards.cards[self._rules.card_numbers[begun.split()[1]]]
        effect = EFFECTS[card.effect]
        return [()] if effect.is_answer else list(effect.possible_aims(state.facts, side, card))

    def _trade_words(self, state: ColditzState, side: int, seat: Seat, rest: tuple[str, ...]) -> list[str]:
        """Kinds in their order: first those that are given, then those that are wanted."""
        gear, other = state.secrets.gear, self._rules.side_by_seat[seat]
        wanting = _FOR in rest
        part = rest[rest.index(_FOR) + 1 :] if wanting else rest
        held = gear[other if wanting else side]
        from_kind = EQUIPMENT_KINDS.index(part[-1]) if part else 0
        found = [
            kind
            for number, kind in enumerate(EQUIPMENT_KINDS)
            if number >= from_kind and part.count(kind) < held[number]
        ]
        if wanting:
            return [*found, _DONE] if len(rest) > 1 else found
        return [*found, _FOR] if rest or any(gear[other]) else found

    def _appel_words(self, state: ColditzState, side: int, begun: str, rest: tuple[str, ...]) -> list[str]:
        """Men in their order, then circles in the order of the diagram."""
        facts, names = state.facts, self._rules.board.space_names
        men = {
            names[facts.node_by_pawn[pawn]]: pawn
            for pawn in self._rules.pawns[side]
            if may_refuse(facts, pawn)
        }
        naming = begun == _REFUSE and _AT not in rest
        refusing = () if begun == _OBEY else rest if naming else rest[: rest.index(_AT)]
        refusers = sum(1 << men[name] for name in refusing)
        diagram = [names[node] for node in self._rules.appel_diagram[side - 1]]
        wanted = len(obeying_men(facts, side, refusers))
        if naming:
            later = [name for name, pawn in men.items() if not rest or pawn > men[rest[-1]]]
            more = [_DONE, _AT] if 0 < wanted < len(diagram) else [_DONE]
            return [*later, *more] if rest else later
        chosen = rest if begun == _OBEY else rest[rest.index(_AT) + 1 :]
        left = wanted - len(chosen)
        first = diagram.index(chosen[-1]) + 1 if chosen else 0
        return diagram[first : len(diagram) - left + 1] if left else []

    # What a seat sees and hears

    def observe(self, view: View, placed: Mapping[Space, str], coming: str | None) -> list[float]:
        """Rows count places in the order of the board."""
        assert isinstance(view, ColditzView)
        facts, own, rules = view.facts, view.own_knowledge, self._rules
        grid, seats, sides, officers = rules.board, rules.seats, rules.sides, rules.officers
        turn, table = facts.turn, facts.table
        task = facts.tasks[-1] if facts.tasks else None
        row = len(grid.space_names)
        hand, offer, gear = Counter(own.hand), own.offer or ((0,) * 4, (0,) * 4), own.gear
        throws = [die / 6 for throw in turn.throws for die in throw]

        def pawns(mask: int) -> list[float]:
            return _marked(row, (node for pawn, node in enumerate(facts.node_by_pawn) if mask >> pawn & 1))

        def pawn(number: int) -> list[float]:
            return pawns(1 << number if number >= 0 else 0)

        return [
            *one_hot(seats, view.seat),
            *one_hot((CHANCE, *seats), *to_act(facts)),
            *one_hot(sides, turn.side),
            *one_hot(_PHASES, "over" if table.outcome else turn.phase),
            *one_hot(_TASKS, task and task.kind),
            *one_hot(sides, *_sides_of(task)),
            *_marked(len(rules.cards.cards), _cards_of(task)),
            *_marked(len(SYMBOLS), task.data if task and task.kind == "muster" else ()),
            table.round / rules.rounds,
            _share(facts.points, _MOST_POINTS),
            _share(turn.releases_left, _MOST_THROWS),
            _share(turn.extra_escapes, rules.men_per_officer),
            *(throws + [0.0] * 2 * _MOST_THROWS)[: 2 * _MOST_THROWS],
            float(turn.has_drawn),
            float(turn.has_moved_guards),
            *(hand[number] / card.copies for number, card in enumerate(rules.cards.cards)),
            *(_share(gear[side][kind], most) if gear else 0.0
              for side in officers for kind, most in enumerate(rules.cards.supply)),
            *(_share(count, rules.cards.supply[kind]) for goods in offer for kind, count in enumerate(goods)),
            *map(_share, table.supply, rules.cards.supply),
            _share(table.kits_left, rules.cards.kit_count),
            *(_share(size, _DECK) for size in table.deck_sizes),
            *(_share(size, _DECK) for size in table.hand_sizes),
            *(float(table.left_sides >> side & 1) for side in sides),
            *(_share(count, sum(rules.cards.supply)) for count in table.equipment_counts[1:]),
            *map(float, table.has_kit[1:]),
            *(_share(count, _DECK) for count in table.part_counts[1:]),
            *(_share(count, rules.men_per_officer) for count in table.escape_counts[1:]),
            *(float(table.do_or_die_sides >> side & 1) for side in officers),
            *(offer_count(turn.trade_offers, one, other) / MAX_OFFERS for one in sides for other in sides),
            *(float(state == shown) for state in table.tunnels for shown in (1, 2)),
            *(float(owner == side) for side in officers for owner in table.markers),
            *_marked(len(table.markers), (turn.last_crossing[0], *_crossings_of(task))),
            *(share for side in sides for share in self._pawn_shares(facts, side)),
            *pawn(facts.last_moved_pawn),
            *_marked(row, self._nodes_of(facts, task)),
            *pawns(turn.refusers),
            *pawns(table.immune_men),
            *pawns(table.men_on_free_way),
            *pawn(turn.daring_man),
            *_marked(row, (node for _, node in turn.visited_nodes)),
        ]  # fmt: skip

    def _pawn_shares(self, facts: ColditzFacts, side: int) -> list[float]:
        """By place the share of a side's pawns that are there."""
        shares, pawns = [0.0] * len(self._rules.board.space_names), self._rules.pawns[side]
        counts = Counter(facts.node_by_pawn[pawn] for pawn in pawns)
        for node, count in counts.items():
            shares[node] = count / len(pawns)
        return shares

    def _nodes_of(self, facts: ColditzFacts, task: PendingTask | None) -> Iterator[int]:
        """Where those stand whom an open matter is about."""
        if task is None:
            return
        event = task.data[0] if task.data else None
        if isinstance(event, Arrest):
            yield from (facts.node_by_pawn[pawn] for pawn in event)
        elif isinstance(event, PlayedCard):
            nodes = self._rules.board.node_by_name
            yield from (nodes[word] for word in event.aim if word in nodes)
        elif task.kind == "appel":
            refusing = sum(refusers for _, refusers, _ in task.data[0])
            yield from (node for pawn, node in enumerate(facts.node_by_pawn) if refusing >> pawn & 1)
        elif task.kind == "chase":
            yield facts.node_by_pawn[task.data[0]]

    def tell(self, events: Iterable[Event]) -> tuple[float, ...]:
        """Which card was drawn, and what a trade would exchange, as far as a seat hears it."""
        numbers, supply = self._rules.card_numbers, self._rules.cards.supply
        drawn = given = wanted = 0.0
        kinds = [0.0] * 2 * len(EQUIPMENT_KINDS)
        for event in events:
            data: dict[str, Any] = dict(event.data)
            if event.kind == "drawn":
                drawn = (numbers[data["card"]] + 1) / len(numbers)
            elif event.kind == "offer":
                given, wanted = (_share(data[part], sum(supply)) for part in ("give", "want"))
            elif event.kind == "offered":
                goods = [goods_of_words(tuple(data[part])) or () for part in ("give", "want")]
                kinds = [_share(n, supply[kind]) for each in goods for kind, n in enumerate(each)]
        return (drawn, given, wanted, *kinds)


_DECK: Final = 47
"""The cards of the larger deck (R004)."""


def _marked(size: int, found: Iterable[int]) -> list[float]:
    """So many numbers: 1.0 at those that were found; -1 is none."""
    numbers = [0.0] * (size + 1)
    for one in found:
        numbers[one] = 1.0
    return numbers[:size]


def _share(count: int, most: int) -> float:
    return min(1.0, count / most)


def _first_word(action: Command) -> str:
    """The word that begins an action of several."""
    if action.head == "play":
        return f"play {action.rest[0]}"
    return f"trade {action.rest[0]} ..." if action.head == "trade" else f"{action.head} ..."


def _single_steps(rules: ColditzRules) -> Iterator[tuple[int, int]]:
    """Every step that may ever be made at once, as the nodes or places that it leads between."""
    grid = rules.board
    for side in (0, 1):
        for node, ways in enumerate(rules.steps_from[side]):
            yield from ((node, step.target) for step in ways.steps)
            yield from ((node, way[0]) for way in ways.exits)
    for post in grid.posts_in_order:
        yield grid.barracks, post
        yield post, grid.office
    for cells, near in zip((grid.cells_inner, grid.cells_outer), grid.near_cells, strict=True):
        yield from ((cells, node) for _, node in near)
    for circles in grid.circles_by_symbol:  # who has collected something goes to the Appel area (R092)
        yield from ((node, circle) for node in circles for circle in grid.nodes_of_mask(grid.appel))
    yield from ((crossing.upper, grid.office) for crossing in grid.crossings)  # R118


def _sides_of(task: PendingTask | None) -> tuple[int, ...]:
    """The sides that an open matter is about, beside the one that is asked."""
    if task is None:
        return ()
    if task.kind == "answer":
        return tuple(task.data[1])
    return (task.data[0],) if task.kind in ("trade", "markers", "dice", "deal", "value") else ()


def _cards_of(task: PendingTask | None) -> tuple[int, ...]:
    event = task.data[0] if task and task.kind == "answer" else None
    return (event.card_number,) if isinstance(event, PlayedCard) else ()


def _crossings_of(task: PendingTask | None) -> tuple[int, ...]:
    return (task.data[1],) if task and task.kind == "chase" else ()
