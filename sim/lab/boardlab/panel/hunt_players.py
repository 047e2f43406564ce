"""Players of Fall of the Führer to measure by: three who hide, three who hunt, each with one idea."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boardrules.core import Action
from boardrules.fuhrer.actions import (
    DONE,
    INFANTRY,
    ROLL,
    SPY,
    STAY,
    ChooseStart,
    HitlerTurn,
    MovePiece,
    PlacePiece,
    SpyQuestion,
)
from boardrules.fuhrer.facts import AnnouncedTurn, FuhrerFacts
from boardrules.fuhrer.maps import CityMap, city_numbers
from boardrules.players import Chance, Player, SearchBudget


def linked_cities(board: CityMap, city: int) -> list[int]:
    """By city how many links it is from one."""
    found, reached, far = [0] * len(board.ids), 1 << city, 0
    while reached != board.all_cities:
        far += 1
        after = board.with_neighbours(reached)
        for other in city_numbers(after & ~reached):
            found[other] = far
        reached = after
    return found


class BestOf(Player):
    """Does what has the highest worth."""

    __slots__ = ()

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, meter: SearchBudget) -> Action:
        """The best, or one of those that are alike."""
        self.look(view)
        scored = [
            (self.action_worth(view, action) + 0.01 * chance.random(), at) for at, action in enumerate(legal)
        ]
        return legal[max(scored)[1]]

    def look(self, view: Any) -> None:
        """Before a choice."""

    def action_worth(self, view: Any, action: Action) -> float:
        """How good an action is."""
        raise NotImplementedError


class StillHider(BestOf):
    """Hides anywhere, and never moves again while it may stay."""

    __slots__ = ()

    def action_worth(self, view: Any, action: Action) -> float:
        """Where it is."""
        return float(isinstance(action, HitlerTurn) and action.city == view.sheet.city and not action.origins)


class WalkingHider(BestOf):
    """Goes anywhere, on foot."""

    __slots__ = ()

    def action_worth(self, view: Any, action: Action) -> float:
        """No ticket, no re-capture; a chance of a hundredth decides."""
        return float(
            not isinstance(action, ChooseStart) and isinstance(action, HitlerTurn) and not action.origins
        )


class FarHider(BestOf):
    """Goes as far from Infantry and Spy as it can, and flies when Infantry is near."""

    __slots__ = ()

    def action_worth(self, view: Any, action: Action) -> float:
        """The links to both."""
        facts: FuhrerFacts = view.facts
        board = facts.rules.board
        infantry, spy = (
            linked_cities(board, facts.city_by_piece[INFANTRY]),
            linked_cities(board, facts.city_by_piece[SPY]),
        )
        if isinstance(action, ChooseStart | HitlerTurn):
            tickets = len(action.origins) if isinstance(action, HitlerTurn) else 0
            near = infantry[view.sheet.city] <= 1 if view.sheet.city >= 0 else False
            return infantry[action.city] + 0.5 * spy[action.city] - tickets * (0.5 if near else 4.0)
        return -1.0


class StaticAllies(BestOf):
    """The pieces stay where they were set up; Infantry goes only where he must be."""

    __slots__ = ()

    def action_worth(self, view: Any, action: Action) -> float:
        """Questions, and staying."""
        facts: FuhrerFacts = view.facts
        board, possible = (
            facts.rules.board,
            facts.rules.trap_rule.cities_of_marks(facts.knowledge.possible_marks),
        )
        if isinstance(action, PlacePiece):
            return float(board.cities_within[action.city][2].bit_count())
        if isinstance(action, SpyQuestion):
            return float(sum(possible >> city & 1 for city in action.cities))
        if isinstance(action, MovePiece):
            return 9.0 if facts.stage.piece == INFANTRY and possible == action.target_mask else -1.0
        return {DONE: 0.5, STAY: 1.0, ROLL: 0.0}.get(str(action), 1.2)


class TokenRunner(BestOf):
    """Everybody runs to where he was told to have been last, or may be; Infantry enters, the Spy asks."""

    __slots__ = ("_far",)

    def look(self, view: Any) -> None:
        """Where he was last, by token or answer; else anywhere that he may be."""
        facts: FuhrerFacts = view.facts
        board, possible = (
            facts.rules.board,
            facts.rules.trap_rule.cities_of_marks(facts.knowledge.possible_marks),
        )
        goal = 0
        for said in facts.knowledge.log:
            if isinstance(said, AnnouncedTurn):
                goal = 1 << said.token if said.token >= 0 else goal
            elif said.is_here:
                goal = 1 << said.city
        goal = goal & possible or possible
        reached = goal
        self._far = [0 if goal >> city & 1 else -1 for city in range(len(board.ids))]
        step = 0
        while reached != board.all_cities:
            step += 1
            after = board.with_neighbours(reached)
            for city in city_numbers(after & ~reached):
                self._far[city] = step
            reached = after

    def action_worth(self, view: Any, action: Action) -> float:
        """How near it brings a piece."""
        facts: FuhrerFacts = view.facts
        if isinstance(action, PlacePiece):
            return float(
                facts.rules.board.cities_within[action.city][2].bit_count()
                - 9 * facts.city_by_piece.count(action.city)
            )
        if isinstance(action, SpyQuestion):
            possible = facts.rules.trap_rule.cities_of_marks(facts.knowledge.possible_marks)
            return sum(
                (3.0 if self._far[city] == 0 else 1.0) for city in action.cities if possible >> city & 1
            )
        if isinstance(action, MovePiece):
            return -float(self._far[action.target])
        if str(action) == ROLL:
            return 1.0
        return (
            0.5 if str(action) == DONE else -float(self._far[facts.city_by_piece[max(0, facts.stage.piece)]])
        )


class SwarmingAllies(TokenRunner):
    """The same, but it runs to the middle of all places where he may be."""

    __slots__ = ()

    def look(self, view: Any) -> None:
        """The mean way to each of them."""
        facts: FuhrerFacts = view.facts
        board = facts.rules.board
        cities = list(city_numbers(facts.rules.trap_rule.cities_of_marks(facts.knowledge.possible_marks)))
        ways = [linked_cities(board, city) for city in cities]
        self._far = [round(sum(column) / max(1, len(cities))) for column in zip(*ways, strict=True)] or [
            0
        ] * len(board.ids)
