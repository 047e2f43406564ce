"""A position while it is being changed: what an action does is done here, then it is frozen again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from boardrules.colditz.castle.board import INNER
from boardrules.colditz.deck.hidden_cards import Deck, HiddenCards
from boardrules.colditz.state.facts import ColditzFacts, ColditzTurn, PendingTask, TableFacts
from boardrules.colditz.state.moves import StepCost
from boardrules.colditz.state.rules import ColditzRules
from boardrules.core import Event, Outcome

T = TypeVar("T")


def with_value_at(row: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """The same row with one other value."""
    return (*row[:place], value, *row[place + 1 :])


class PositionDraft:
    """A working copy of facts and secrets, and the events so far."""

    __slots__ = (
        "_guards",
        "_men",
        "events",
        "last_moved_pawn",
        "node_by_pawn",
        "points",
        "rules",
        "secrets",
        "table",
        "tasks",
        "turn",
    )  # fmt: skip

    rules: ColditzRules
    node_by_pawn: Sequence[int]
    points: int
    last_moved_pawn: int
    tasks: tuple[PendingTask, ...]
    turn: ColditzTurn
    table: TableFacts

    def __init__(self, facts: ColditzFacts, secrets: HiddenCards) -> None:
        self.rules, self.node_by_pawn, self._men, self._guards = (
            facts.rules,
            facts.node_by_pawn,
            facts.men_nodes,
            facts.guard_nodes,
        )
        self.points, self.last_moved_pawn, self.tasks = facts.points, facts.last_moved_pawn, facts.tasks
        self.turn, self.table = facts.turn, facts.table
        self.secrets = secrets
        self.events: list[Event] = []

    @property
    def men_nodes(self) -> int:
        """The nodes where prisoners stand."""
        if self._men < 0:
            self._men = self._mask_of_nodes(self.node_by_pawn[self.rules.guard_count :])
        return self._men

    @property
    def guard_nodes(self) -> int:
        """The nodes where guards stand."""
        if self._guards < 0:
            self._guards = self._mask_of_nodes(self.node_by_pawn[: self.rules.guard_count])
        return self._guards

    def _mask_of_nodes(self, where: Sequence[int]) -> int:
        nodes, mask = self.rules.board.node_count, 0
        for node in where:
            if node < nodes:
                mask |= 1 << node
        return mask

    def to_facts(self) -> ColditzFacts:
        """The facts as they are now."""
        return ColditzFacts(
            rules=self.rules,
            node_by_pawn=tuple(self.node_by_pawn),
            men_nodes=self.men_nodes,
            guard_nodes=self.guard_nodes,
            points=self.points,
            last_moved_pawn=self.last_moved_pawn,
            tasks=self.tasks,
            turn=self.turn,
            table=self.table,
        )

    # Small changes

    def add_event(self, kind: str, **data: Any) -> None:
        """An event for everybody."""
        self.events.append(Event(kind, tuple(data.items())))

    def add_private_event(self, sides: tuple[int, ...], kind: str, **data: Any) -> None:
        """An event for some seats alone."""
        seats = frozenset(self.rules.seats[side] for side in sides)
        self.events.append(Event(kind, tuple(data.items()), seats))

    def change_turn(self, **changes: Any) -> None:
        """Change the turn."""
        self.turn = replace(self.turn, **changes)

    def change_table(self, **changes: Any) -> None:
        """Change the table."""
        self.table = replace(self.table, **changes)

    def change_secrets(self, **changes: Any) -> None:
        """Change what is hidden."""
        self.secrets = replace(self.secrets, **changes)

    def push_task(self, kind: str, side: int, *data: Any) -> None:
        """Open a task: it is done before everything else."""
        self.tasks = (*self.tasks, PendingTask(kind, side, data))

    def pop_task(self) -> PendingTask:
        """Close the task on top."""
        task = self.tasks[-1]
        self.tasks = self.tasks[:-1]
        return task

    def end_game(self, outcome: Outcome) -> None:
        """The game is over."""
        self.change_table(outcome=outcome)
        self.tasks = ()
        self.add_event("over", winner=outcome.winner, reason=outcome.reason)

    # Pawns

    def move_pawn(self, pawn: int, node: int) -> None:
        """A pawn stands there now. A man who is in the Inner Courtyard is home (R054, A21)."""
        rules, grid, where = self.rules, self.rules.board, list(self.node_by_pawn)
        if pawn < rules.guard_count:
            self._guards = -1
        else:
            self._men = -1
        where[pawn] = node
        self.node_by_pawn = where
        if node < grid.node_count and grid.area[node] == INNER:
            self.end_way_home(pawn)

    def end_way_home(self, pawn: int) -> None:
        """He is no man on his way back any more (R054, A21)."""
        table = self.table
        if (table.immune_men | table.men_on_free_way) >> pawn & 1:
            rest = ~(1 << pawn)
            self.change_table(
                immune_men=table.immune_men & rest, men_on_free_way=table.men_on_free_way & rest
            )

    def space_name(self, node: int) -> str:
        """The space of a node, as everybody knows it."""
        return self.rules.board.space_names[node]

    # Cards

    def add_card(self, side: int, card: int) -> None:
        """A card comes into a hand."""
        self._set_hand(side, tuple(sorted((*self.secrets.hands[side], card))))

    def discard_card(self, side: int, card: int) -> None:
        """A card leaves a hand and goes under its deck (R067, R104)."""
        hand = list(self.secrets.hands[side])
        hand.remove(card)
        self._set_hand(side, tuple(hand))
        which = self.rules.deck_of(card)
        self._set_deck(which, self.secrets.decks[which].after_discard(card), 1)

    def remove_card(self, which: int, card: int) -> None:
        """A card leaves a deck."""
        self._set_deck(which, self.secrets.decks[which].after_draw(card), -1)

    def _set_hand(self, side: int, hand: tuple[int, ...]) -> None:
        self.change_secrets(hands=with_value_at(self.secrets.hands, side, hand))
        counted = len([card for card in hand if self.rules.counts_against_limit(card)])
        table = self.table
        self.change_table(
            hand_sizes=with_value_at(table.hand_sizes, side, counted),
            part_counts=with_value_at(table.part_counts, side, len(hand) - counted),
        )

    def _set_deck(self, which: int, deck: Deck, more: int) -> None:
        first, second, third = with_value_at(self.secrets.decks, which, deck)
        self.change_secrets(decks=(first, second, third))
        decks = list(self.table.deck_sizes)
        decks[which] += more
        self.change_table(deck_sizes=(decks[0], decks[1], decks[2]))

    # Equipment

    def add_gear(self, side: int, kind: int, count: int) -> None:
        """An officer has `count` more (or fewer) cards of a kind, the supply as many fewer (R096)."""
        supply = list(self.table.supply)
        supply[kind] -= count
        self.change_table(supply=tuple(supply))
        gear = list(self.secrets.gear[side])
        gear[kind] += count
        self.set_gear(side, tuple(gear))

    def set_gear(self, side: int, gear: tuple[int, ...]) -> None:
        """What an officer holds. Who holds Equipment has no immune men (A21)."""
        self.change_secrets(gear=with_value_at(self.secrets.gear, side, gear))
        returning = self.table.immune_men
        if sum(gear) and returning:
            for pawn in self.rules.pawns[side]:
                returning &= ~(1 << pawn)
        self.change_table(
            equipment_counts=with_value_at(self.table.equipment_counts, side, sum(gear)), immune_men=returning
        )

    def pay_cost(self, side: int, toll: StepCost) -> None:
        """Equipment is used and goes back to the supply (R096)."""
        if toll.cards:
            self.add_gear(side, toll.kind, -toll.cards)
            item = self.rules.kinds[toll.kind]
            self.add_event("use", seat=self.rules.seats[side], item=item, count=toll.cards)
