"""A position, what each seat knows of it, and what is known already of what its sides may do.

`Play` is its face to the core. What is worked out for one is handed on to the next as far as it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardrules.colditz.castle.actions import Command, PawnStep
from boardrules.colditz.castle.board import Mask
from boardrules.colditz.deck.hidden import HiddenCards
from boardrules.colditz.legal import leaving, listing
from boardrules.colditz.legal.action_cache import ActionCache, begun, kept_up, on_the_way
from boardrules.colditz.legal.legality import why_not
from boardrules.colditz.legal.parts import PARTS, Part, held_up, steady
from boardrules.colditz.legal.reach import too_far
from boardrules.colditz.moving.arrest import wasted
from boardrules.colditz.moving.walking import do_step
from boardrules.colditz.state.draft import PositionDraft
from boardrules.colditz.state.facts import BEFORE, CHANCE_SIDE, DEPLOY, MAIN, SEARCHED, ColditzFacts
from boardrules.colditz.state.moves import transit
from boardrules.colditz.state.refusals import refused
from boardrules.colditz.turn.vocabulary import VERBS
from boardrules.colditz.views import SeatKnowledge, own
from boardrules.core import CHANCE, CLOCK, Action, Event, IllegalAction, Refusal, Seat, expect_action

_CHANCE: Final = (CHANCE,)


class ColditzPosition:
    """What stands, who is to act, what may be done, and what comes of it."""

    __slots__ = ("cache", "changed", "facts", "listed", "locked", "owns", "quick", "secrets", "words")

    def __init__(
        self, facts: ColditzFacts, secrets: HiddenCards, owns: dict[Seat | None, SeatKnowledge] | None = None
    ) -> None:
        self.facts = facts
        self.secrets = secrets
        self.owns = own(facts.rules.seats, secrets) if owns is None else owns
        """What each seat knows beside public facts."""
        self.words: Sequence[Part] = ()
        """The words of a turn, of this position or of one before in which all stood as they do ..."""
        self.cache: ActionCache | None = None
        """... the list of the turn, of this position or an earlier one ..."""
        self.changed: Mask = 0
        """... and the nodes that pawns have left and come to since."""
        self.listed: Sequence[Action] = ()
        """What was listed for whoever is to act ..."""
        self.quick: Sequence[Sequence[PawnStep]] = ()
        """... and of that, by pawn of the side, the steps of which nothing comes but a point less ..."""
        self.locked: Mask = 0
        """... and, of the men in the outer cells, those for whom that point could have been kept (A21)."""

    def to_act(self) -> tuple[Seat, ...]:
        """Who is asked, or whose turn it is."""
        facts = self.facts
        if facts.table.outcome is not None:
            return ()
        turn = facts.turn
        if not facts.tasks:
            return facts.rules.waits[turn.side]
        side = facts.tasks[-1].side
        return _CHANCE if side == CHANCE_SIDE else facts.rules.waits[side]

    # What may be done

    def actions(self, seat: Seat) -> Sequence[Action]:
        """The seat's actions, as far as they are listed."""
        facts = self.facts
        rules, turn = facts.rules, facts.turn
        if facts.table.outcome is not None:
            return ()
        if facts.tasks:
            if seat == CLOCK:
                return leaving.closing(facts)
            side = facts.tasks[-1].side
            if seat != (rules.seats[side] if side >= 0 else CHANCE):
                return ()
            self.listed = self.listed or self._task_actions(side)
        elif seat == rules.seats[turn.side]:
            self.listed = self.listed or self._turn_actions(turn.side)
        elif seat == CLOCK:
            return ()
        else:
            return listing.trades(facts, self.secrets, rules.side.get(seat, CHANCE_SIDE))
        return self.listed

    def _turn_actions(self, side: int) -> Sequence[Action]:
        facts, secrets, turn = self.facts, self.secrets, self.facts.turn
        if turn.phase == MAIN:
            if not facts.rules.trails and turn.daring < 0:
                return self._cached_actions(side)
            going = transit(facts)
            steps: list[Action] = [*listing.slow_steps(facts, secrets.gear[side], going)]
            if going >= 0:
                return steps + held_up(facts, secrets, side)[0]
        elif turn.phase == BEFORE:
            steps = [facts.rules.rolls[side]]
        elif turn.phase == DEPLOY:
            return (*listing.deploy_steps(facts), *listing.words(facts, secrets, side, DEPLOY))
        else:
            words = listing.words(facts, secrets, side, turn.phase)
            return (*words, *listing.trades(facts, secrets, side))
        for part, _ in self._turn_words(side):
            steps += part
        return steps

    def _turn_words(self, side: int) -> Sequence[Part]:
        facts, secrets = self.facts, self.secrets
        if self.words:  # only those that don't depend on where pawns stand are others after the roll
            first, _, last = self.words
            self.words = (first, steady(facts, secrets, side), last)
        else:
            self.words = [part(facts, secrets, side) for part in PARTS[1:]]
        return self.words

    def _cached_actions(self, side: int) -> Sequence[Action]:
        """The steps and words of a turn. Its cache is kept up; that of a pawn on its way is put aside."""
        facts, secrets, cache = self.facts, self.secrets, self.cache
        if cache is None or self.changed:
            going = transit(facts)
            if going >= 0:
                cache = on_the_way(facts, secrets, side, going)
            elif cache is None:
                cache = self.cache = begun(facts, secrets, side, self._turn_words(side))
            else:
                cache = self.cache = kept_up(facts, secrets, side, cache, self.changed)
                self.changed = 0
        if not (facts.turn.refusers or facts.table.way):
            self.quick, self.locked = cache.quick, cache.locked & ~facts.turn.slack
        return cache.actions()

    def _task_actions(self, side: int) -> Sequence[Action]:
        kind = self.facts.tasks[-1].kind
        if kind == "muster":
            return listing.muster_steps(self.facts, side)
        if kind == "chase":
            return listing.chase_steps(self.facts)
        return listing.words(self.facts, self.secrets, side, kind)

    def chance(self) -> tuple[tuple[Action, int], ...]:
        """Dice, draws, values."""
        facts = self.facts
        if facts.table.outcome is not None or not facts.tasks:
            return ()
        task = facts.tasks[-1]
        if task.side != CHANCE_SIDE:
            return ()
        if task.kind == "dice":
            self.listed = listing.THROWS
            return listing.DICE
        self.listed = self.listed or self._task_actions(CHANCE_SIDE)
        if task.kind == "deal":
            tops = self.secrets.decks[task.data[1]].tops()
            return tuple((word, weight) for word, (_, weight) in zip(self.listed, tops, strict=True))
        values = facts.table.values
        return tuple((word, values.count(int(str(word).split()[1]))) for word in self.listed)

    # What comes of it

    def refusal(self, action: Action) -> Refusal | None:
        """Why an action is refused."""
        if type(action) is not PawnStep and type(action) is not Command:
            expect_action(action)
        code = why_not(self.facts, self.secrets, action)
        if code is None:
            return None
        params = {"seat": action.seat} if isinstance(action, (PawnStep, Command)) else {}
        if isinstance(action, PawnStep):
            names = action.board.names
            params |= {"from": names[action.origin], "to": names[action.target]}
        public = False
        if code == "colditz/no-way" and isinstance(action, PawnStep):
            side = self.facts.rules.seats.index(action.seat)
            public = too_far(self.facts, side, action)
        return refused(code, public=public, **params)

    def apply(self, action: Action) -> tuple[ColditzPosition, tuple[Event, ...]]:
        """The position after an action, and what happened. Raises `IllegalAction`."""
        facts = self.facts
        if self.quick and type(action) is PawnStep and action.origin in facts.where:
            pawn = facts.where.index(action.origin)
            place = pawn - facts.rules.pawns[facts.turn.side][0]
            if 0 <= place < len(self.quick) and action in self.quick[place]:
                return self._stepped(pawn, action), action.told
        for one in reversed(self.listed):  # what was listed is allowed
            if one is action:
                break
        else:
            refusal = self.refusal(action)
            if refusal is not None:
                raise IllegalAction(refusal)
        draft = PositionDraft(facts, self.secrets)
        if type(action) is PawnStep:
            side = facts.rules.side[action.seat]
            do_step(draft, self.secrets.gear[side], side, action)
        elif type(action) is Command:
            _say(draft, action)
        if draft.table.out or draft.turn.phase == SEARCHED:
            leaving.go_on(draft)
        owns = self.owns if draft.secrets is self.secrets else None
        after = ColditzPosition(draft.frozen(), draft.secrets, owns)
        self._hand_on(draft, after)
        return after, tuple(draft.events)

    def _stepped(self, pawn: int, step: PawnStep) -> ColditzPosition:
        """After a step that only costs its point."""
        turn = wasted(self.facts, self.locked) if self.locked else self.facts.turn
        facts = self.facts.stepped(pawn, step, turn)
        after = ColditzPosition(facts, self.secrets, self.owns)
        after.cache, after.changed = self.cache, self.changed | step.shift
        return after

    def _hand_on(self, draft: PositionDraft, after: ColditzPosition) -> None:
        """What is known already of a position after an action that isn't a plain step."""
        facts, hands, gear = self.facts, draft.secrets.hands, draft.secrets.gear
        if draft.table is not facts.table or draft.others or draft.turn.side != facts.turn.side:
            return
        if hands is not self.secrets.hands or gear is not self.secrets.gear:
            return
        # Only the side's own pawns have moved, if any, and what it may have to say is another.
        if self.cache is not None:
            after.cache, after.changed = self.cache, self.changed | draft.changed | facts.rules.board.told
        elif not draft.changed:
            after.words = self.words


def _say(draft: PositionDraft, word: Command) -> None:
    verb = VERBS.get(word.head)
    if verb is None:
        leaving.do(draft, word)
    else:
        verb.do(draft, draft.rules.side.get(word.seat, CHANCE_SIDE), word.rest)
