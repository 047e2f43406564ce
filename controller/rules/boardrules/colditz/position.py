"""A position: what stands, who is to act, what each seat knows, what may be done and what comes of it.

`ColditzState` is its interface to the core.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardrules.colditz.castle.actions import Command, PawnStep
from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.legal import listing, table_commands
from boardrules.colditz.legal.legality import refusal_code
from boardrules.colditz.legal.public_steps import is_out_of_reach
from boardrules.colditz.legal.turn_actions import actions_after_roll, actions_before_roll
from boardrules.colditz.moving.walking import do_step
from boardrules.colditz.state.facts import (
    AFTER_ROLL,
    AFTER_SEARCH,
    BEFORE_ROLL,
    CHANCE_SIDE,
    DEPLOY,
    ColditzFacts,
)
from boardrules.colditz.state.position_draft import PositionDraft
from boardrules.colditz.state.refusals import make_refusal
from boardrules.colditz.turn.verbs import VERBS
from boardrules.colditz.views import SeatKnowledge, knowledge_by_seat
from boardrules.core import CHANCE, CLOCK, Action, Event, IllegalAction, Refusal, Seat, expect_action

_CHANCE_SEATS: Final = (CHANCE,)


class ColditzPosition:
    """What stands, who is to act, what may be done, and what comes of it."""

    __slots__ = ("facts", "knowledge", "listed", "secrets")

    def __init__(
        self, facts: ColditzFacts, secrets: HiddenCards, owns: dict[Seat | None, SeatKnowledge] | None = None
    ) -> None:
        self.facts = facts
        self.secrets = secrets
        self.knowledge = knowledge_by_seat(facts.rules.seats, secrets) if owns is None else owns
        """What each seat knows beside public facts."""
        self.listed: Sequence[Action] = ()
        """The actions of the seat that is to act, once they were asked for."""

    def to_act(self) -> tuple[Seat, ...]:
        """Who is asked, or whose turn it is."""
        facts = self.facts
        if facts.table.outcome is not None:
            return ()
        turn = facts.turn
        if not facts.tasks:
            return facts.rules.seat_tuples[turn.side]
        side = facts.tasks[-1].side
        return _CHANCE_SEATS if side == CHANCE_SIDE else facts.rules.seat_tuples[side]

    # What may be done

    def actions(self, seat: Seat) -> Sequence[Action]:
        """The seat's actions, as far as they are listed."""
        facts = self.facts
        rules, turn = facts.rules, facts.turn
        if facts.table.outcome is not None:
            return ()
        if facts.tasks:
            if seat == CLOCK:
                return table_commands.closing_commands(facts)
            side = facts.tasks[-1].side
            if seat != (rules.seats[side] if side >= 0 else CHANCE):
                return ()
            self.listed = self.listed or self._task_actions(side)
        elif seat == rules.seats[turn.side]:
            self.listed = self.listed or self._turn_actions(turn.side)
        elif seat == CLOCK:
            return ()
        else:
            return listing.listed_trades(facts, self.secrets, rules.side_by_seat.get(seat, CHANCE_SIDE))
        return self.listed

    def _turn_actions(self, side: int) -> Sequence[Action]:
        facts, secrets, turn = self.facts, self.secrets, self.facts.turn
        if turn.phase == AFTER_ROLL:
            return actions_after_roll(facts, secrets, side)
        if turn.phase == BEFORE_ROLL:
            return actions_before_roll(facts, secrets, side)
        words = listing.listed_commands(facts, secrets, side, turn.phase)
        if turn.phase == DEPLOY:
            return (*listing.deploy_steps(facts), *words)
        return (*words, *listing.listed_trades(facts, secrets, side))

    def _task_actions(self, side: int) -> Sequence[Action]:
        kind = self.facts.tasks[-1].kind
        if kind == "muster":
            return listing.muster_steps(self.facts, side)
        if kind == "chase":
            return listing.chase_steps(self.facts)
        return listing.listed_commands(self.facts, self.secrets, side, kind)

    def chance(self) -> tuple[tuple[Action, int], ...]:
        """Dice, draws, values."""
        facts = self.facts
        if facts.table.outcome is not None or not facts.tasks:
            return ()
        task = facts.tasks[-1]
        if task.side != CHANCE_SIDE:
            return ()
        if task.kind == "dice":
            self.listed = listing.THROW_COMMANDS
            return listing.WEIGHTED_THROWS
        self.listed = self.listed or self._task_actions(CHANCE_SIDE)
        if task.kind == "deal":
            tops = self.secrets.decks[task.data[1]].possible_tops()
            return tuple((word, weight) for word, (_, weight) in zip(self.listed, tops, strict=True))
        values = facts.table.do_or_die_values
        return tuple((word, values.count(int(str(word).split()[1]))) for word in self.listed)

    # What comes of it

    def refusal(self, action: Action) -> Refusal | None:
        """Why an action is refused."""
        if type(action) is not PawnStep and type(action) is not Command:
            expect_action(action)
        code = refusal_code(self.facts, self.secrets, action)
        if code is None:
            return None
        params: dict[str, str] = {"seat": action.seat} if isinstance(action, (PawnStep, Command)) else {}
        if isinstance(action, PawnStep):
            names = action.board.space_names
            params |= {"from": names[action.origin], "to": names[action.target]}
        public = False
        if code == "colditz/no-way" and isinstance(action, PawnStep):
            side = self.facts.rules.seats.index(action.seat)
            public = is_out_of_reach(self.facts, side, action)
        return make_refusal(code, public=public, **params)

    def apply(self, action: Action) -> tuple[ColditzPosition, tuple[Event, ...]]:
        """The position after an action, and what happened. Raises `IllegalAction`."""
        for one in reversed(self.listed):  # what was listed is allowed
            if one is action:
                break
        else:
            refusal = self.refusal(action)
            if refusal is not None:
                raise IllegalAction(refusal)
        draft = PositionDraft(self.facts, self.secrets)
        if type(action) is PawnStep:
            side = draft.rules.side_by_seat[action.seat]
            do_step(draft, self.secrets.gear[side], side, action)
        elif type(action) is Command:
            _apply_command(draft, action)
        if draft.table.left_sides or draft.turn.phase == AFTER_SEARCH:
            table_commands.skip_absent_seats(draft)
        owns = self.knowledge if draft.secrets is self.secrets else None
        return ColditzPosition(draft.to_facts(), draft.secrets, owns), tuple(draft.events)


def _apply_command(draft: PositionDraft, command: Command) -> None:
    verb = VERBS.get(command.head)
    if verb is None:
        table_commands.apply_command(draft, command)
    else:
        verb.carry_out(draft, draft.rules.side_by_seat.get(command.seat, CHANCE_SIDE), command.rest)
