"""A Security Officer who plans: arrests first, then guards in the doorways of rooms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import Final

from boardrules.colditz.bots.command_choice import CommandChoice
from boardrules.colditz.bots.escape_paths import EMPTY_PILE_STEPS, EscapePaths, escape_paths
from boardrules.colditz.bots.guard_walks import GuardWalk, guard_walks, steps_of_walk
from boardrules.colditz.castle.board import INNER, UNREACHABLE, CastleBoard
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS
from boardrules.colditz.moving.appel import circles_from_guards, search_range
from boardrules.colditz.state.answer_windows import PlayedCard
from boardrules.colditz.state.facts import AFTER_ROLL, BEFORE_ROLL, DEPLOY
from boardrules.colditz.state.liability import is_liable, may_refuse
from boardrules.colditz.state.moves import pawn_in_transit
from boardrules.colditz.state.rules import ColditzRules
from boardrules.colditz.views import ColditzView
from boardrules.core import Action, Seat
from boardrules.players import SearchBudget

THREAT_FADE_STEPS: Final = 12.0
"""Over so many steps to a Target a man's threat fades to a third."""
POSSIBLE_CARD_STEPS: Final = 6
"""What a card that an officer may not have adds to them."""
SOLITARY_WORTH: Final = 0.25
CONFISCATED_CARD_WORTH: Final = 0.15
GUARDS_KEPT_IN_BARRACKS: Final = 2  # from there each post is a point away
MIN_MEN_IN_ROOMS_FOR_APPEL: Final = 3
CARD_KEEP_PRIORITY: Final = {
    "shoot": 9, "appel": 8, "points": 7, "confiscate": 6, "cancel": 5, "detect": 4, "relief": 3, "unmark": 2,
}  # fmt: skip
"""Which cards are kept when there are too many: the lowest goes first."""
CARDS_WORTH_CANCELLING: Final = ("throw", "points", "car", "tunnel", "release", "dismiss")
"""What an officer's card does that is worth a card against it."""


class GuardPlanner(CommandChoice):
    """What the Security Officer does with one choice: a list of actions, the first of which is done now."""

    def __init__(
        self,
        view: ColditzView,
        legal: Sequence[Action],
        budget: SearchBudget,
    ) -> None:
        super().__init__(view, legal)
        self.budget, self.table = budget, view.facts.table

    def actions(self) -> list[Action]:
        """What he does, first of all and then."""
        facts = self.facts
        if facts.tasks:
            return [self._answer_question(facts.tasks[-1].kind)]
        if facts.turn.phase == DEPLOY:
            return [self._deployment_action()]
        if pawn_in_transit(facts) >= 0:
            return [self.steps[0]] if self.steps else [self.legal[0]]
        if facts.turn.phase == BEFORE_ROLL:
            return self._appel() or self.matching_command("roll")
        if facts.turn.phase != AFTER_ROLL:
            return [self.legal[0]]
        return self._turn()

    # Answers

    def _answer_question(self, kind: str) -> Action:
        found: list[Action] = []
        if kind == "again":
            found = self.matching_command("roll")
        elif kind == "offer":
            found = self.matching_command("draw")
        elif kind == "markers":
            found = self.matching_command("unmark") or self.matching_command("keep")
        elif kind == "answer":
            event = self.facts.tasks[-1].data[0]
            stops = isinstance(event, PlayedCard) and event.effect in CARDS_WORTH_CANCELLING
            found = (self.matching_command("play") if stops else []) or self.matching_command("pass")
        elif kind == "chase":
            found = [*[step for step in self.steps if step.target < self.board.node_count][:1]]
        return found[0] if found else self.legal[0]

    # What threatens

    def threat(self, pawn: int, ways: EscapePaths | None = None) -> float:
        """How near a man is to a Target, by what his officer may hold."""
        side, node = self.rules.owner[pawn], self.facts.node_by_pawn[pawn]
        cards, best = self.table.equipment_counts[side], UNREACHABLE
        for way in (ways or escape_paths(self.facts, side)).ways[node]:
            best = min(best, way.steps + POSSIBLE_CARD_STEPS * max(0, sum(way.needed_gear) - cards))
        worth = 1.0 + 0.5 * self.table.escape_counts[side]
        return worth * exp(-best / THREAT_FADE_STEPS) * (1.0 if self.table.has_kit[side] else 0.5)

    def _men_in_play(self) -> list[int]:
        return [
            pawn for side in self.rules.officers if not self.table.left_sides >> side & 1
            for pawn in self.rules.pawns[side] if self.facts.node_by_pawn[pawn] < self.board.node_count
        ]  # fmt: skip

    def arrest_value(self, pawn: int) -> float:
        """What it is worth to arrest a man."""
        side, node = self.rules.owner[pawn], self.facts.node_by_pawn[pawn]
        taken = (
            CONFISCATED_CARD_WORTH
            if self.board.area[node] != INNER and self.table.equipment_counts[side]
            else 0.0
        )
        return SOLITARY_WORTH + 3 * self.threat(pawn) + taken

    # Set-up

    def _deployment_action(self) -> Action:
        """Guards to posts near doorways, and below windows from which the way out is short."""
        ready = self.matching_command("ready")
        if ready:
            return ready[0]
        return (
            max(self.steps, key=lambda step: (self._post_value(step.target), -step.target))
            if self.steps
            else self.legal[0]
        )

    def _post_value(self, node: int) -> float:
        if self.board.area[node] == INNER:
            doors = [door for pair in doorways(self.board)[:2] for door in pair]
            return -float(min((self.board.distances_from_node(door)[node] for door in doors), default=0))
        ways = escape_paths(self.facts, 1, past_guards=True).ways[node]
        lands = any(crossing.lower == node for crossing in self.board.crossings)
        return (10.0 if lands else 0.0) - min((way.steps for way in ways), default=UNREACHABLE)

    # The turn

    def _turn(self) -> list[Action]:
        for plan in (
            self._detect,
            self._search,
            self._arrest,
            self._cards_to_catch,
            self._shoot,
            self._play_inspection,
            self._bar_doorways,
        ):
            found = list(plan())
            if found:
                return found
        return self._end_turn()

    def _appel(self) -> list[Action]:
        """It costs officers most when many of their men wait in rooms or are out."""
        plays = self.card_plays("appel")
        if not plays:
            return []
        away = [pawn for pawn in self._men_in_play() if may_refuse(self.facts, pawn)]
        threat = sum(self.threat(pawn) for pawn in away)
        if (len(away) >= MIN_MEN_IN_ROOMS_FOR_APPEL and threat > 0.8) or threat > 1.2:
            return [plays[0][0]]
        return []

    def _search(self) -> list[Action]:
        """A General Search, if it finds more than the guards could arrest."""
        words = self.matching_command("search")
        if not words:
            return []
        near, reach = circles_from_guards(self.facts), search_range(self.facts)
        refusers = [pawn for pawn in self._men_in_play() if self.facts.turn.refusers >> pawn & 1]
        found = sum(
            self.arrest_value(pawn) for pawn in refusers if near[self.facts.node_by_pawn[pawn]] <= reach
        )
        walks = guard_walks(self.facts, self.facts.points)
        moved = max((self.arrest_value(walk.man) for walk in walks if walk.man >= 0), default=0.0)
        return list(words) if found > moved else []

    def _arrest(self) -> list[Action]:
        best, found = 0.0, None
        for walk in guard_walks(self.facts, self.facts.points):
            if walk.man >= 0 and self.budget.try_spend():
                worth = self.arrest_value(walk.man) / (walk.points + 3) + 0.05 * self.arrest_value(walk.man)
                worth -= 0.02 if self._is_barring_doorway(walk.guard) else 0.0
                if worth > best:
                    best, found = worth, walk
        return list(steps_of_walk(self.facts, found)) if found else []

    def _cards_to_catch(self) -> list[Action]:
        """Cards with which somebody who is out can still be caught."""
        men = [
            pawn
            for pawn in self._men_in_play()
            if is_liable(self.facts, pawn) and self.board.area[self.facts.node_by_pawn[pawn]]
        ]
        if not men:
            return []
        points = self.card_plays("points")
        more = self.facts.points + (points[0][1].param("points") if points else 0)
        if points and any(walk.man in men for walk in guard_walks(self.facts, more)):
            return [points[0][0]]
        if (
            self.card_plays("relief")
            and self.facts.points > 1
            and self.board.barracks not in self.facts.node_by_pawn
        ):
            return [self.card_plays("relief")[0][0]]
        return []

    def _shoot(self) -> list[Action]:
        plays = self.card_plays("shoot")
        at = {word: self._man_at(word.rest[1]) for word, _ in plays}
        best = max(at, key=lambda word: self.threat(at[word]), default=None)
        return [best] if best is not None and self.threat(at[best]) > 0.25 else []

    def _man_at(self, name: str) -> int:
        return self.facts.node_by_pawn.index(self.board.node_by_name[name], self.rules.guard_count)

    def _detect(self) -> list[Action]:
        return [word for word, _ in self.card_plays("detect")[:1]]

    def _play_inspection(self) -> list[Action]:
        """Equipment is taken from whoever is best off; a marker is taken where it lets somebody out."""
        plays = [word for word, _ in self.card_plays("confiscate")]
        plays.sort(
            key=lambda word: self.table.equipment_counts[self.rules.side_by_seat[Seat(word.rest[1])]],
            reverse=True,
        )
        if plays:
            return [plays[0]]
        best, found = 0.2, None
        for word, _ in self.card_plays("unmark"):
            gain = self._threat_reduction(self.board.crossing_by_name(word.rest[1]))
            if gain > best:
                best, found = gain, word
        return [found] if found else []

    def _threat_reduction(self, number: int) -> float:
        """By how much less the men threaten without that marker."""
        side = self.table.markers[number]
        own = tuple(owner == side and n != number for n, owner in enumerate(self.table.markers))
        ways = EscapePaths(
            self.rules, own, tuple(state > 0 for state in self.table.tunnels), self.facts.guard_nodes
        )
        men = [
            pawn for pawn in self.rules.pawns[side] if self.facts.node_by_pawn[pawn] < self.board.node_count
        ]
        return sum(self.threat(pawn) - self.threat(pawn, ways) for pawn in men)

    def _is_barring_doorway(self, guard: int) -> bool:
        """Whether a guard stands where it bars a way."""
        return any(self.facts.node_by_pawn[guard] in pair for pair in doorways(self.board))

    # Barring

    def _bar_doorways(self) -> list[Action]:
        """Guards go to the doorways of rooms, those first without which the ways out are longest."""
        keepers = {door for pair in doorways_by_importance(self.rules) for door in pair}
        for pair in doorways_by_importance(self.rules):
            for door in pair:
                if not 1 << door & (self.facts.guard_nodes | self.facts.men_nodes):
                    walk = self._walk_to_node(door, keepers)
                    if walk is not None:
                        return list(steps_of_walk(self.facts, walk))
        return []

    def _walk_to_node(self, node: int, keepers: set[int]) -> GuardWalk | None:
        """The shortest way of a guard who isn't needed where he is."""
        where = self.facts.node_by_pawn
        best: GuardWalk | None = None
        home = sum(where[guard] == self.board.barracks for guard in self.rules.pawns[0])
        for walk in guard_walks(self.facts, self.facts.points, node):
            at = where[walk.guard]
            if (
                walk.man >= 0
                or at in keepers
                or (at == self.board.barracks and home <= GUARDS_KEPT_IN_BARRACKS)
            ):
                continue
            if best is None or walk.points < best.points:
                best = walk
        return best

    def _end_turn(self) -> list[Action]:
        discards = [word for word in self.commands if word.head == "discard"]
        if discards:
            effect = self.rules.cards
            return [
                min(
                    discards,
                    key=lambda word: CARD_KEEP_PRIORITY[
                        effect.cards[self.rules.card_numbers[word.rest[0]]].effect
                    ],
                )
            ]
        return self.matching_command("end") or [self.legal[0]]


@lru_cache(maxsize=4)
def doorways(board: CastleBoard) -> tuple[tuple[int, ...], ...]:
    """By symbol the circles before the rooms that show it, if each room has but one."""
    found = []
    for symbol in range(len(board.circles_by_symbol)):
        doors = []
        for room in {board.room[node] for node in board.circles_by_symbol[symbol]}:
            near = {
                n
                for node in board.circles_by_room[room]
                for n in board.neighbours[node]
                if board.room[n] != room
            }
            free = [node for node in near if not 1 << node & board.guards_no_stay]
            doors.append(free[0] if len(near) == 1 and free else -1)
        found.append(tuple(doors) if min(doors) >= 0 else ())
    return tuple(found)


@lru_cache(maxsize=4)
def doorways_by_importance(rules: ColditzRules) -> tuple[tuple[int, ...], ...]:
    """The pairs of doorways to bar, in that order.

    First those of the kinds without which the ways out are longest, then one pair of those for a Kit.
    """
    doors, start = doorways(rules.board), rules.appel_diagram[0][0]
    ways = EscapePaths(rules, (False,) * len(rules.board.crossings), (False,) * len(rules.board.tunnels), 0)
    supply = [EMPTY_PILE_STEPS] * len(EQUIPMENT_KINDS)
    order: list[int] = []
    nothing = (0,) * len(EQUIPMENT_KINDS)
    while len(order) < len(EQUIPMENT_KINDS):
        costs = {}
        for kind in set(range(len(EQUIPMENT_KINDS))) - set(order):
            without = [0 if number == kind else count for number, count in enumerate(supply)]
            costs[kind] = ways.cost_and_missing_cards(start, nothing, without)[0]
        worst = max(costs, key=lambda kind: (costs[kind], -kind))
        order.append(worst)
        supply[worst] = 0
    kit = sorted(range(len(EQUIPMENT_KINDS), len(doors)), key=lambda symbol: (doors[symbol] == (), symbol))[
        :1
    ]
    return tuple(doors[symbol] for symbol in (*order, *kit) if doors[symbol])
