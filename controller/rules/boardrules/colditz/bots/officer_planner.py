"""An Escape Officer who plans: what he says and plays, and in which order he does all of his turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from boardrules.colditz.bots.command_choice import CommandChoice
from boardrules.colditz.bots.dice_odds import at_least
from boardrules.colditz.bots.escape_paths import EscapePaths, Gear, guard_distances, steps_to_rooms
from boardrules.colditz.bots.escape_planner import EscapePlanner, PlanningWeights, released
from boardrules.colditz.castle.actions import Command, PawnStep
from boardrules.colditz.castle.board import INNER, UNREACHABLE
from boardrules.colditz.castle.plan import SYMBOLS
from boardrules.colditz.deck.cards import KINDS
from boardrules.colditz.moving.appel import distances
from boardrules.colditz.moving.walking import why_step
from boardrules.colditz.state.answer_windows import Arrest, PlayedCard
from boardrules.colditz.state.facts import BEFORE, MAIN, ColditzFacts
from boardrules.colditz.state.moves import pawn_in_transit
from boardrules.colditz.state.rules import HAND_LIMIT
from boardrules.colditz.turn.collecting import PAIR
from boardrules.colditz.views import ColditzView
from boardrules.core import NO_SEAT, Action
from boardrules.players import Chance, SearchBudget

KEPT: Final = {
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
        weights: PlanningWeights,
        chance: Chance,
        budget: SearchBudget,
    ) -> None:
        super().__init__(view, legal)
        self.planner, self.weights = EscapePlanner(view, weights, chance, budget), weights
        self.side, self.seat = self.planner.side, view.seat or NO_SEAT

    def actions(self) -> list[Action]:
        """What he does, first of all and then."""
        if self.facts.tasks:
            return [self._asked(self.facts.tasks[-1].kind)]
        if self.facts.turn.side != self.side:
            return [self.legal[0]]
        if pawn_in_transit(self.facts) >= 0:
            return [self.steps[0]] if self.steps else [self.legal[0]]
        if self.facts.turn.phase == BEFORE:
            return self._early() or self.said("roll") or [self.legal[0]]
        if self.facts.turn.phase != MAIN:
            return [self.legal[0]]
        return self._turn()

    # Answers

    def _asked(self, kind: str) -> Action:
        found: list[Action] = []
        if kind == "again":
            found = self.said("roll")
        elif kind == "offer":
            found = self.said("draw")
        elif kind == "trade":
            found = self.said("accept" if self._gains() else "decline")
        elif kind == "appel":
            found = [max(self.words, key=self._refusing)]
        elif kind == "confiscate":
            found = [min(self.words, key=self._missed)]
        elif kind == "answer":
            found = self._answer()
        elif kind == "muster":
            found = self._line_up()
        return found[0] if found else self.legal[0]

    def _answer(self) -> list[Action]:
        """A card that answers, if what is to come is worth it."""
        event = self.facts.tasks[-1].data[0]
        plays = [word for word in self.words if word.head == "play"]
        worth = False
        if isinstance(event, Arrest):
            inside = self.board.area[self.facts.where[event.man]] == INNER
            worth = (
                not inside
                or event.man in self.planner.runners
                or self.planner.table.hands[self.side] >= HAND_LIMIT
            )
        elif isinstance(event, PlayedCard):
            mine = self.seat in event.aim or event.effect in ("detect", "shoot")
            worth = mine or event.effect in ("points", "unmark")
        return list(plays[:1]) if plays and worth else self.said("pass")

    def _line_up(self) -> list[Action]:
        """The man to the circle from which he goes on best."""
        nearest = min(self.steps, key=lambda step: (self._work(step.target), step.target))
        return [nearest]

    def _work(self, node: int) -> int:
        return self.planner.out.work(node, self.planner.gear, self.planner.table.supply)[0]

    def _missed(self, word: Command) -> int:
        """How much a kind of Equipment would be missed: by what the best runner's way takes."""
        kind = KINDS.index(word.rest[0])
        less = tuple(count - (number == kind) for number, count in enumerate(self.planner.gear))
        gear: Gear = less
        works = [
            self.planner.out.work(self.facts.where[pawn], gear, self.planner.table.supply)[0]
            for pawn in self.planner.men
        ]
        return min(works, default=0)

    def _gains(self) -> bool:
        """Whether a trade that is offered brings him nearer to a way out."""
        offer = self.view.own.offer
        if offer is None:
            return False
        gets, gives = offer
        return self._after(gets, gives) < self._after(gives, gives) if sum(gets) else False

    def _after(self, gets: Sequence[int], gives: Sequence[int]) -> int:
        gear: Gear = tuple(a + b - c for a, b, c in zip(self.planner.gear, gets, gives, strict=True))
        works = [
            self.planner.out.work(self.facts.where[pawn], gear, self.planner.table.supply)[0]
            for pawn in self.planner.men
        ]
        return min(works, default=UNREACHABLE)

    def _refusing(self, word: Command) -> float:
        """What it is worth that these men stay away from an Appel (R072, R074)."""
        if word.head != "refuse":
            return 0.0
        near, found = distances(self.facts), 0.0
        circle = self.rules.diagram[self.side - 1][0]
        for name in word.rest:
            node = self.board.node[name]
            danger = max(at_least(near[node]), self._arrested(node))
            found += (1 - danger) * self.planner.hope(self._work(node)) - self.planner.hope(
                self._work(circle)
            )
        return found

    def _arrested(self, node: int) -> float:
        points = self.planner.danger.points()[node]
        return at_least(points) if points < UNREACHABLE and not 1 << node & self.board.safe else 0.0

    # The turn

    def _early(self) -> list[Action]:
        return self._released() + self._fetched_by_card()

    def _turn(self) -> list[Action]:
        planner = self.planner
        for plan in (
            self._kit, self._released, self._finish, self._hurry, self._claim, self._by_tunnel, self._car,
            self._fetched_by_card, self._urgent, planner.fetch, self._swap, self._give_up, planner.run,
            self._send_off, planner.step_in, self._make_way,
        ):  # fmt: skip
            found = list(plan())
            if found:
                return found
        return self._ended()

    def _kit(self) -> list[Action]:
        """A Kit, with as few cards as will do."""
        found = [word for word in self.words if word.head == "kit"]
        return [min(found, key=lambda word: len(word.rest))] if found else []

    def _released(self) -> list[Action]:
        card = [word for word, card in self.plays("release")]
        step = released(self.planner, self.legal)
        return [step] if step is not None else list(card[:1])

    def _finish(self) -> list[PawnStep]:
        return self.planner.finish(self.facts.points)

    def _hurry(self) -> list[Action]:
        """A card for more points, if it brings a man out."""
        near = self.planner.near(self.facts.points + 16) if self.planner.kit else []
        if not near:
            return []
        short = self.planner.out.steps(self.facts.where[near[0]], self.planner.gear) - self.facts.points
        points, throws = self.plays("points"), self.plays("throw")
        more = sum(card.param("points") for _, card in points)
        if not self.weights.cards:
            return [word for word, _ in (points + throws)[:1]]
        if points and 0 < short <= more:
            return [points[0][0]]
        return (
            [throws[0][0]] if throws and short > 0 and at_least(short - more) >= MIN_ROLL_AGAIN_CHANCE else []
        )

    def _claim(self) -> list[Action]:
        wanted = self.planner.claims()
        for word in self.words:
            if word.head == "claim" and (word.rest[0] in wanted or not self._keeps_men(word)):
                return [word]
        return []

    def _keeps_men(self, word: Command) -> bool:
        """Whether two men in those rooms are there for something else."""
        symbol = SYMBOLS.index(word.rest[0])
        inside = [pawn for pawn in self.planner.men if self.board.symbol[self.facts.where[pawn]] == symbol]
        idle = [pawn for pawn in inside if pawn not in self.planner.runners[:2]]
        return len(idle) < PAIR or self.planner.gear[symbol] >= PAIR

    def _by_tunnel(self) -> list[Action]:
        """A tunnel is opened, and two men go in."""
        if not self.planner.runners:
            return []
        best = self.planner.work[self.planner.runners[0]][0] - MIN_STEPS_SPARED
        for word, card in self.plays("tunnel"):
            number = next(n for n, it in enumerate(self.board.tunnels) if it.name == card.param("tunnel"))
            entry = self.board.tunnels[number]
            opened = tuple(state > 0 or n == number for n, state in enumerate(self.facts.table.tunnels))
            own = tuple(owner == self.side for owner in self.facts.table.markers)
            ways = EscapePaths(self.rules, own, opened, self.facts.guards)
            if ways.work(entry.nodes[0], self.planner.gear, self.planner.table.supply)[0] >= best:
                continue
            away = self.board.away_from(entry.surface[0])
            near = sorted(self._inside(), key=lambda pawn: away[self.facts.where[pawn]])[:PAIR]
            cost = sum(max(1, away[self.facts.where[pawn]]) for pawn in near) + 2
            if len(near) == PAIR and cost <= self.facts.points and not self._on(entry.surface[0]):
                first, second = (self.facts.where[pawn] for pawn in near)
                step = self.rules.step
                into, on = (
                    step(self.side, first, entry.nodes[0]),
                    step(self.side, entry.nodes[0], entry.nodes[1]),
                )
                return [word, into, on, step(self.side, second, entry.nodes[0])]
        return []

    def _on(self, node: int) -> bool:
        return bool((self.facts.men | self.facts.guards) >> node & 1)

    def _inside(self) -> list[int]:
        where = self.facts.where
        return [
            p
            for p in self.planner.men
            if where[p] < self.board.circles and self.board.area[where[p]] == INNER
        ]

    def _car(self) -> list[Action]:
        return [word for word, _ in self.plays("car")[: int(self.planner.kit)]]

    def _fetched_by_card(self) -> list[Action]:
        """Equipment by a card, where it is missing; a man sent where he is wanted."""
        lack = self.planner.lacking()
        full = self.facts.table.hands[self.side] >= HAND_LIMIT
        for word, card in self.plays("gain"):
            if full or lack[KINDS.index(card.param("kind"))]:
                return [word]
        if self.facts.turn.phase == MAIN:
            for word, _ in self.plays("send"):
                if self._sent(word):
                    return [word]
        return []

    def _sent(self, word: Command) -> bool:
        """Whether a man that a card sends to a room saves steps by it."""
        man, circle = (self.board.node[name] for name in word.rest[1:3])
        symbol = self.board.symbol[circle]
        pawn = self.facts.where.index(man, self.rules.guards)
        wanted = {one for symbols in self.planner.wanted() for one in symbols}
        rooms = steps_to_rooms(self.facts, self.side)
        if symbol in wanted and pawn not in self.planner.runners[:1]:
            return rooms[symbol][man] >= MIN_STEPS_SPARED
        return pawn in self.planner.runners[:2] and self._work(man) - self._work(circle) >= MIN_STEPS_SPARED

    def _urgent(self) -> list[PawnStep]:
        """Who is out already goes on before anybody fetches something."""
        for pawn in self.planner.runners:
            node = self.facts.where[pawn]
            if node >= self.board.circles or self.board.area[node] != INNER:
                return self.planner.run()
        return [] if any(self.planner.lacking()) else self.planner.run()

    def _swap(self) -> list[Action]:
        """A trade that both may like: something he has no use for, for what he lacks."""
        lack, gear = self.planner.lacking(), self.planner.gear
        if not any(lack):
            return []
        for word in self.words:
            if word.head == "trade" and len(word.rest) == 4 and word.rest[2] == "for":
                give, want = KINDS.index(word.rest[1]), KINDS.index(word.rest[3])
                if lack[want] and not self._needs(give) and gear[give]:
                    return [word]
        return []

    def _needs(self, kind: int) -> bool:
        none: Gear = (0, 0, 0, 0)
        one = tuple(int(number == kind) for number in range(len(KINDS)))
        return self._after(none, one) > self._after(none, none)

    def _give_up(self) -> list[Action]:
        """A man for a guard who bars the way to what is wanted."""
        men = len(self.planner.men)
        if not self.weights.cards or men < PAIR + 2:
            return []
        return [step for step in self.planner.give_up() if _may_step(self.view, step)]

    def _make_way(self) -> list[Action]:
        """With that the turn is over: else he would come back at once."""
        steps = self.planner.make_way() if self.facts.table.hands[self.side] <= HAND_LIMIT else []
        return [*steps, *self.said("end")] if steps else []

    def _send_off(self) -> list[Action]:
        """A guard is sent off who endangers a man; or the man himself comes home."""
        facts, danger = self.facts, self.planner.danger
        out = [
            pawn
            for pawn in self.planner.men
            if danger.at(facts.where[pawn], self.planner.gear, pawn) > MIN_DANGER_SPARED
        ]
        if not out:
            return []
        man = min(out, key=lambda pawn: self.planner.work[pawn][0])
        node = facts.where[man]
        now = danger.at(node, self.planner.gear, man)
        if self.board.area[node] != INNER:
            for word, _ in self.plays("dismiss"):
                guard = facts.where.index(self.board.node[word.rest[1]])
                guards = [one for one in self.rules.pawns[0] if one != guard]
                after = guard_distances(facts, facts.table.markers, guards, posts=True)[node]
                if now - (at_least(after) if after < UNREACHABLE else 0.0) > MIN_DANGER_SPARED:
                    return [word]
        if now > MAX_DANGER and self.planner.turns and self.board.area[node] != INNER:
            names = self.board.names
            return [*[word for word, _ in self.plays("home") if word.rest[1] == names[node]][:1]]
        return []

    def _ended(self) -> list[Action]:
        if self.facts.table.hands[self.side] > HAND_LIMIT:
            spare: Callable[[Command], int] = lambda word: self._kept(self._effect(word))  # noqa: E731
            return [min((word for word in self.words if word.head == "discard"), key=spare)]
        return self.said("end") or [self.legal[0]]

    def _kept(self, effect: str) -> int:
        return KEPT[effect] if effect != "part" or self.planner.kit else max(KEPT.values())

    def _effect(self, word: Command) -> str:
        return self.rules.cards.cards[self.rules.card[word.rest[0]]].effect


def _may_step(view: ColditzView, step: PawnStep) -> bool:
    facts: ColditzFacts = view.facts
    side = facts.rules.side[view.seat or NO_SEAT]
    return why_step(facts, None if view.own.gear is None else view.own.gear[side], side, step) is None
