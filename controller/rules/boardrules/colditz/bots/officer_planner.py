"""An Escape Officer who plans: what he says and plays, and in which order he does all of his turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from boardrules.colditz.bots.command_choice import CommandChoice
from boardrules.colditz.bots.dice_odds import chance_of_at_least
from boardrules.colditz.bots.escape_paths import EscapePaths, Gear, guard_distances, steps_to_rooms
from boardrules.colditz.bots.escape_planner import EscapePlanner, release_step
from boardrules.colditz.castle.actions import Command, PawnStep
from boardrules.colditz.castle.board import INNER, UNREACHABLE
from boardrules.colditz.castle.plan import SYMBOLS
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS
from boardrules.colditz.moving.appel import circles_from_guards
from boardrules.colditz.moving.walking import why_not_step
from boardrules.colditz.state.answer_windows import Arrest, PlayedCard
from boardrules.colditz.state.facts import AFTER_ROLL, BEFORE_ROLL, ColditzFacts
from boardrules.colditz.state.moves import pawn_in_transit
from boardrules.colditz.state.rules import HAND_LIMIT
from boardrules.colditz.turn.collecting import PAIR_SIZE
from boardrules.colditz.views import ColditzView
from boardrules.core import NO_SEAT, Action
from boardrules.players import SearchBudget

CARD_KEEP_PRIORITY: Final = {
    "throw": 9, "points": 8, "talisman": 4, "hideaway": 5, "dismiss": 6, "car": 1, "release": 7, "cancel": 3,
    "gain": 6, "part": 5, "tunnel": 4, "send": 3, "home": 2,
}  # fmt: skip
"""Which cards are kept when there are too many: the lowest goes first."""
MIN_ROLL_AGAIN_CHANCE: Final = 0.5
"""How likely a further throw has to bring a man out."""
MIN_DANGER_SPARED: Final = 0.3
MAX_DANGER: Final = 0.75
"""The danger at which a man is better brought home."""
MIN_STEPS_SPARED: Final = 5


class OfficerPlanner(CommandChoice):
    """What an officer does with one choice: a list of actions, the first of which is done now."""

    def __init__(
        self,
        view: ColditzView,
        legal: Sequence[Action],
        budget: SearchBudget,
    ) -> None:
        super().__init__(view, legal)
        self.planner = EscapePlanner(view, budget)
        self.side, self.seat = self.planner.side, view.seat or NO_SEAT

    def actions(self) -> list[Action]:
        """What he does, first of all and then."""
        if self.facts.tasks:
            return [self._answer_question(self.facts.tasks[-1].kind)]
        if self.facts.turn.side != self.side:
            return [self.legal[0]]
        if pawn_in_transit(self.facts) >= 0:
            return [self.steps[0]] if self.steps else [self.legal[0]]
        if self.facts.turn.phase == BEFORE_ROLL:
            return self._actions_before_roll() or self.matching_command("roll") or [self.legal[0]]
        if self.facts.turn.phase != AFTER_ROLL:
            return [self.legal[0]]
        return self._turn()

    # Answers

    def _answer_question(self, kind: str) -> Action:
        found: list[Action] = []
        if kind == "again":
            found = self.matching_command("roll")
        elif kind == "offer":
            found = self.matching_command("draw")
        elif kind == "trade":
            found = self.matching_command("accept" if self._is_trade_good() else "decline")
        elif kind == "appel":
            found = [max(self.commands, key=self._refusal_value)]
        elif kind == "confiscate":
            found = [min(self.commands, key=self._cost_without)]
        elif kind == "answer":
            found = self._answer()
        elif kind == "muster":
            found = self._line_up()
        return found[0] if found else self.legal[0]

    def _answer(self) -> list[Action]:
        """A card that answers, if what is to come is worth it."""
        event = self.facts.tasks[-1].data[0]
        plays = [word for word in self.commands if word.head == "play"]
        worth = False
        if isinstance(event, Arrest):
            inside = self.board.area[self.facts.node_by_pawn[event.man]] == INNER
            worth = (
                not inside
                or event.man in self.planner.runners
                or self.planner.table.hand_sizes[self.side] >= HAND_LIMIT
            )
        elif isinstance(event, PlayedCard):
            mine = self.seat in event.aim or event.effect in ("detect", "shoot")
            worth = mine or event.effect in ("points", "unmark")
        return list(plays[:1]) if plays and worth else self.matching_command("pass")

    def _line_up(self) -> list[Action]:
        """The man to the circle from which he goes on best."""
        nearest = min(self.steps, key=lambda step: (self._steps_to_escape(step.target), step.target))
        return [nearest]

    def _steps_to_escape(self, node: int) -> int:
        return self.planner.paths.cost_and_missing_cards(node, self.planner.gear, self.planner.table.supply)[
            0
        ]

    def _cost_without(self, word: Command) -> int:
        """How much a kind of Equipment would be missed: by what the best runner's way takes."""
        kind = EQUIPMENT_KINDS.index(word.rest[0])
        less = tuple(count - (number == kind) for number, count in enumerate(self.planner.gear))
        gear: Gear = less
        works = [
            self.planner.paths.cost_and_missing_cards(
                self.facts.node_by_pawn[pawn], gear, self.planner.table.supply
            )[0]
            for pawn in self.planner.men
        ]
        return min(works, default=0)

    def _is_trade_good(self) -> bool:
        """Whether a trade that is offered brings him nearer to a way out."""
        offer = self.view.own_knowledge.offer
        if offer is None:
            return False
        gets, gives = offer
        return (
            self._cost_after_trade(gets, gives) < self._cost_after_trade(gives, gives) if sum(gets) else False
        )

    def _cost_after_trade(self, gets: Sequence[int], gives: Sequence[int]) -> int:
        gear: Gear = tuple(a + b - c for a, b, c in zip(self.planner.gear, gets, gives, strict=True))
        works = [
            self.planner.paths.cost_and_missing_cards(
                self.facts.node_by_pawn[pawn], gear, self.planner.table.supply
            )[0]
            for pawn in self.planner.men
        ]
        return min(works, default=UNREACHABLE)

    def _refusal_value(self, word: Command) -> float:
        """What it is worth that these men stay away from an Appel (R072, R074)."""
        if word.head != "refuse":
            return 0.0
        near, found = circles_from_guards(self.facts), 0.0
        circle = self.rules.appel_diagram[self.side - 1][0]
        for name in word.rest:
            node = self.board.node_by_name[name]
            danger = max(chance_of_at_least(near[node]), self._arrest_probability(node))
            found += (1 - danger) * self.planner.escape_value(
                self._steps_to_escape(node)
            ) - self.planner.escape_value(self._steps_to_escape(circle))
        return found

    def _arrest_probability(self, node: int) -> float:
        points = self.planner.arrest_risk.points_by_node()[node]
        return chance_of_at_least(points) if points < UNREACHABLE and not 1 << node & self.board.safe else 0.0

    # The turn

    def _actions_before_roll(self) -> list[Action]:
        return self._release_man() + self._cards_for_equipment()

    def _turn(self) -> list[Action]:
        planner = self.planner
        for plan in (
            self._assemble_kit,
            self._release_man,
            self._escape_walk,
            self._cards_for_points,
            self._claim,
            self._open_tunnel,
            self._play_staff_car,
            self._cards_for_equipment,
            self._run_outside_first,
            planner.fetching_walk,
            self._offer_trade,
            self._sacrifice_man,
            planner.best_runner_walk,
            self._protect_endangered_man,
            planner.clear_doorway,
            self._step_out_of_way,
        ):
            found = list(plan())
            if found:
                return found
        return self._end_turn()

    def _assemble_kit(self) -> list[Action]:
        """A Kit, with as few cards as will do."""
        found = [word for word in self.commands if word.head == "kit"]
        return [min(found, key=lambda word: len(word.rest))] if found else []

    def _release_man(self) -> list[Action]:
        card = [word for word, card in self.card_plays("release")]
        step = release_step(self.planner, self.legal)
        return [step] if step is not None else list(card[:1])

    def _escape_walk(self) -> list[PawnStep]:
        return self.planner.escape_walk(self.facts.points)

    def _cards_for_points(self) -> list[Action]:
        """A card for more points, if it brings a man out."""
        near = self.planner.possible_escapers(self.facts.points + 16) if self.planner.has_kit else []
        if not near:
            return []
        short = (
            self.planner.paths.steps_to_target(self.facts.node_by_pawn[near[0]], self.planner.gear)
            - self.facts.points
        )
        points, throws = self.card_plays("points"), self.card_plays("throw")
        more = sum(card.param("points") for _, card in points)
        if points and 0 < short <= more:
            return [points[0][0]]
        return (
            [throws[0][0]]
            if throws and short > 0 and chance_of_at_least(short - more) >= MIN_ROLL_AGAIN_CHANCE
            else []
        )

    def _claim(self) -> list[Action]:
        wanted = self.planner.kinds_to_claim()
        for word in self.commands:
            if word.head == "claim" and (word.rest[0] in wanted or not self._are_men_needed(word)):
                return [word]
        return []

    def _are_men_needed(self, word: Command) -> bool:
        """Whether two men in those rooms are there for something else."""
        symbol = SYMBOLS.index(word.rest[0])
        inside = [
            pawn for pawn in self.planner.men if self.board.symbol[self.facts.node_by_pawn[pawn]] == symbol
        ]
        idle = [pawn for pawn in inside if pawn not in self.planner.runners[:2]]
        return len(idle) < PAIR_SIZE or self.planner.gear[symbol] >= PAIR_SIZE

    def _open_tunnel(self) -> list[Action]:
        """A tunnel is opened, and two men go in."""
        if not self.planner.runners:
            return []
        best = self.planner.costs[self.planner.runners[0]][0] - MIN_STEPS_SPARED
        for word, card in self.card_plays("tunnel"):
            number = next(n for n, it in enumerate(self.board.tunnels) if it.name == card.param("tunnel"))
            entry = self.board.tunnels[number]
            opened = tuple(state > 0 or n == number for n, state in enumerate(self.facts.table.tunnels))
            own = tuple(owner == self.side for owner in self.facts.table.markers)
            ways = EscapePaths(self.rules, own, opened, self.facts.guard_nodes)
            if (
                ways.cost_and_missing_cards(entry.nodes[0], self.planner.gear, self.planner.table.supply)[0]
                >= best
            ):
                continue
            away = self.board.distances_from_node(entry.surface[0])
            near = sorted(self._men_inside(), key=lambda pawn: away[self.facts.node_by_pawn[pawn]])[
                :PAIR_SIZE
            ]
            cost = sum(max(1, away[self.facts.node_by_pawn[pawn]]) for pawn in near) + 2
            if (
                len(near) == PAIR_SIZE
                and cost <= self.facts.points
                and not self._is_occupied(entry.surface[0])
            ):
                first, second = (self.facts.node_by_pawn[pawn] for pawn in near)
                step = self.rules.step
                into, on = (
                    step(self.side, first, entry.nodes[0]),
                    step(self.side, entry.nodes[0], entry.nodes[1]),
                )
                return [word, into, on, step(self.side, second, entry.nodes[0])]
        return []

    def _is_occupied(self, node: int) -> bool:
        return bool((self.facts.men_nodes | self.facts.guard_nodes) >> node & 1)

    def _men_inside(self) -> list[int]:
        where = self.facts.node_by_pawn
        return [
            p
            for p in self.planner.men
            if where[p] < self.board.circle_count and self.board.area[where[p]] == INNER
        ]

    def _play_staff_car(self) -> list[Action]:
        return [word for word, _ in self.card_plays("car")[: int(self.planner.has_kit)]]

    def _cards_for_equipment(self) -> list[Action]:
        """Equipment by a card, where it is missing; a man sent where he is wanted."""
        lack = self.planner.missing_equipment()
        full = self.facts.table.hand_sizes[self.side] >= HAND_LIMIT
        for word, card in self.card_plays("gain"):
            if full or lack[EQUIPMENT_KINDS.index(card.param("kind"))]:
                return [word]
        if self.facts.turn.phase == AFTER_ROLL:
            for word, _ in self.card_plays("send"):
                if self._is_send_worthwhile(word):
                    return [word]
        return []

    def _is_send_worthwhile(self, word: Command) -> bool:
        """Whether a man that a card sends to a room saves steps by it."""
        man, circle = (self.board.node_by_name[name] for name in word.rest[1:3])
        symbol = self.board.symbol[circle]
        pawn = self.facts.node_by_pawn.index(man, self.rules.guard_count)
        wanted = {one for symbols in self.planner.wanted_symbols() for one in symbols}
        rooms = steps_to_rooms(self.facts, self.side)
        if symbol in wanted and pawn not in self.planner.runners[:1]:
            return rooms[symbol][man] >= MIN_STEPS_SPARED
        return (
            pawn in self.planner.runners[:2]
            and self._steps_to_escape(man) - self._steps_to_escape(circle) >= MIN_STEPS_SPARED
        )

    def _run_outside_first(self) -> list[PawnStep]:
        """Who is out already goes on before anybody fetches something."""
        for pawn in self.planner.runners:
            node = self.facts.node_by_pawn[pawn]
            if node >= self.board.circle_count or self.board.area[node] != INNER:
                return self.planner.best_runner_walk()
        return [] if any(self.planner.missing_equipment()) else self.planner.best_runner_walk()

    def _offer_trade(self) -> list[Action]:
        """A trade that both may like: something he has no use for, for what he lacks."""
        lack, gear = self.planner.missing_equipment(), self.planner.gear
        if not any(lack):
            return []
        for word in self.commands:
            if word.head == "trade" and len(word.rest) == 4 and word.rest[2] == "for":
                give, want = EQUIPMENT_KINDS.index(word.rest[1]), EQUIPMENT_KINDS.index(word.rest[3])
                if lack[want] and not self._needs_equipment(give) and gear[give]:
                    return [word]
        return []

    def _needs_equipment(self, kind: int) -> bool:
        none: Gear = (0, 0, 0, 0)
        one = tuple(int(number == kind) for number in range(len(EQUIPMENT_KINDS)))
        return self._cost_after_trade(none, one) > self._cost_after_trade(none, none)

    def _sacrifice_man(self) -> list[Action]:
        """A man for a guard who bars the way to what is wanted."""
        men = len(self.planner.men)
        if men < PAIR_SIZE + 2:
            return []
        return [step for step in self.planner.sacrifice_man() if _may_step(self.view, step)]

    def _step_out_of_way(self) -> list[Action]:
        """With that the turn is over: else he would come back at once."""
        steps = self.planner.step_out_of_way() if self.facts.table.hand_sizes[self.side] <= HAND_LIMIT else []
        return [*steps, *self.matching_command("end")] if steps else []

    def _protect_endangered_man(self) -> list[Action]:
        """A guard is sent off who endangers a man; or the man himself comes home."""
        facts, danger = self.facts, self.planner.arrest_risk
        out = [
            pawn
            for pawn in self.planner.men
            if danger.probability_at(facts.node_by_pawn[pawn], self.planner.gear, pawn) > MIN_DANGER_SPARED
        ]
        if not out:
            return []
        man = min(out, key=lambda pawn: self.planner.costs[pawn][0])
        node = facts.node_by_pawn[man]
        now = danger.probability_at(node, self.planner.gear, man)
        if self.board.area[node] != INNER:
            for word, _ in self.card_plays("dismiss"):
                guard = facts.node_by_pawn.index(self.board.node_by_name[word.rest[1]])
                guards = [one for one in self.rules.pawns[0] if one != guard]
                after = guard_distances(facts, facts.table.markers, guards, posts=True)[node]
                if now - (chance_of_at_least(after) if after < UNREACHABLE else 0.0) > MIN_DANGER_SPARED:
                    return [word]
        if now > MAX_DANGER and self.planner.turns_left and self.board.area[node] != INNER:
            names = self.board.space_names
            return [*[word for word, _ in self.card_plays("home") if word.rest[1] == names[node]][:1]]
        return []

    def _end_turn(self) -> list[Action]:
        if self.facts.table.hand_sizes[self.side] > HAND_LIMIT:
            spare: Callable[[Command], int] = lambda word: self._keep_priority(self._card_effect(word))  # noqa: E731
            return [min((word for word in self.commands if word.head == "discard"), key=spare)]
        return self.matching_command("end") or [self.legal[0]]

    def _keep_priority(self, effect: str) -> int:
        return (
            CARD_KEEP_PRIORITY[effect]
            if effect != "part" or self.planner.has_kit
            else max(CARD_KEEP_PRIORITY.values())
        )

    def _card_effect(self, command: Command) -> str:
        return self.rules.cards.cards[self.rules.card_numbers[command.rest[0]]].effect


def _may_step(view: ColditzView, step: PawnStep) -> bool:
    facts: ColditzFacts = view.facts
    side = facts.rules.side_by_seat[view.seat or NO_SEAT]
    return (
        why_not_step(
            facts, None if view.own_knowledge.gear is None else view.own_knowledge.gear[side], side, step
        )
        is None
    )
