"""Whether an action is allowed now, and if not, why: whose turn it is, what is open, what the rules say."""

from __future__ import annotations

from boardrules.colditz.castle.actions import Command, PawnStep
from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.legal import table_commands
from boardrules.colditz.moving.walking import why_not_step
from boardrules.colditz.state.facts import CHANCE_SIDE, ColditzFacts
from boardrules.colditz.turn.verbs import VERBS
from boardrules.core import CHANCE, CLOCK, Action


def refusal_code(facts: ColditzFacts, secrets: HiddenCards, action: Action) -> str | None:
    """The code of why an action is refused, or `None`."""
    rules = facts.rules
    if not isinstance(action, (PawnStep, Command)):
        return "colditz/unknown-action"
    if isinstance(action, Command) and table_commands.is_table_command(action):
        return table_commands.refusal_code(facts, action)
    if facts.table.outcome is not None:
        return "colditz/over"
    if action.seat == CLOCK and action == table_commands.CLOSE_COMMAND:
        return None if table_commands.closing_commands(facts) else "colditz/nothing-open"
    if action.seat != CHANCE and action.seat not in rules.seats:
        return "colditz/unknown-action"
    side = CHANCE_SIDE if action.seat == CHANCE else rules.seats.index(action.seat)
    if isinstance(action, PawnStep):
        return _step_refusal_code(facts, secrets, side, action)
    verb = VERBS.get(action.head)
    if verb is None:
        return "colditz/unknown-action"
    code = _timing_code(facts, side, action.head, verb.phases_and_tasks)
    return verb.refusal_code(facts, secrets, side, action.rest) if code is None else code


def _step_refusal_code(facts: ColditzFacts, secrets: HiddenCards, side: int, step: PawnStep) -> str | None:
    turn = facts.turn
    if side < 0 or step.board != facts.rules.board:
        return "colditz/unknown-action"
    if facts.tasks and facts.tasks[-1].kind not in ("muster", "chase"):
        return "colditz/wait"
    if side != (facts.tasks[-1].side if facts.tasks else turn.side):
        return "colditz/not-your-turn"
    return why_not_step(facts, secrets.gear[side], side, step)


def _timing_code(facts: ColditzFacts, side: int, head: str, at: tuple[str, ...]) -> str | None:
    turn = facts.turn
    if facts.tasks:
        task = facts.tasks[-1]
        if task.kind not in at:
            return "colditz/wait"
        return None if side == task.side else "colditz/not-asked"
    if turn.phase not in at:
        return "colditz/not-now" if turn.phase != "before" else "colditz/roll-first"
    if head == "trade" and side > 0:
        return "colditz/out" if facts.table.left_sides >> side & 1 else None
    return None if side == turn.side else "colditz/not-your-turn"
