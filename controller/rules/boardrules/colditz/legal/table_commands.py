"""What is said about the game rather than in it: leaving it, a player's time, the clock that ends windows."""

from __future__ import annotations

from typing import Final

from boardrules.colditz.cardplay import cardplay
from boardrules.colditz.castle.actions import Command
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS
from boardrules.colditz.legal.listing import chase_steps, muster_steps
from boardrules.colditz.moving import appel
from boardrules.colditz.moving.walking import do_step, posted_guard_counts, required_posts
from boardrules.colditz.state.facts import AFTER_SEARCH, CHANCE_SIDE, DEPLOY, ColditzFacts
from boardrules.colditz.state.position_draft import PositionDraft
from boardrules.colditz.turn import collecting, turns
from boardrules.core import CLOCK, Seat

RESIGN: Final = "resign"
TIME: Final = "time"
CLOSE: Final = "close"
WALK_BACK: Final = "walk-back"
"""That the walk just made doesn't count (G22): `Play` knows whether one was."""
CLOSE_COMMAND: Final = Command(CLOCK, CLOSE)


def is_table_command(word: object) -> bool:
    """Whether it is a table action: leaving, a seat's time that has run out, a walk put straight back."""
    return isinstance(word, Command) and word.head in (TIME, RESIGN, WALK_BACK)


def closing_commands(facts: ColditzFacts) -> tuple[Command, ...]:
    """The clock may end what is open, so that nobody can stall (R068)."""
    tasks = facts.tasks
    if not tasks:
        return ()
    return () if tasks[-1].side == CHANCE_SIDE else (CLOSE_COMMAND,)


def available_commands(facts: ColditzFacts, seat: Seat) -> tuple[Command, ...]:
    """What a seat may say now, in a fixed order."""
    seats = facts.rules.seats
    words = [Command(CLOCK, TIME, other) for other in seats] if seat == CLOCK else [Command(seat, RESIGN)]
    return tuple(word for word in words if refusal_code(facts, word) is None)


def refusal_code(facts: ColditzFacts, word: Command) -> str | None:
    """Why a seat may not say this now (G18)."""
    if facts.table.outcome is not None:
        return "colditz/over"
    if word.head == WALK_BACK:
        return "colditz/not-now"
    seats = facts.rules.seats
    if word.head == TIME:
        right = word.seat == CLOCK and len(word.rest) == 1 and word.rest[0] in seats
        side = seats.index(word.rest[0]) if right else -1
    else:
        side = seats.index(word.seat) if word.seat in seats and not word.rest else -1
    if side < 0:
        return "colditz/unknown-action"
    return "colditz/out" if facts.table.left_sides >> side & 1 else None


def apply_command(draft: PositionDraft, word: Command) -> None:
    """Carry it out."""
    if word.head == CLOSE:
        close_window(draft)
        return
    seats = draft.rules.seats
    if word.head == TIME:
        draft.add_event("time", seat=word.rest[0])
    _leave_game(draft, seats.index(word.rest[0] if word.head == TIME else word.seat))


def _leave_game(draft: PositionDraft, side: int) -> None:
    """G18: his men stand, his turn is skipped; what waits for him `skip_absent_seats` does."""
    turns.remove_seat(draft, side)
    if draft.tasks and draft.tasks[-1].kind == "trade" and draft.tasks[-1].data[0] == side:
        close_window(draft)  # his own offer


def skip_absent_seats(draft: PositionDraft) -> None:
    """After an action: a General Search ends its turn once all is done, and nobody waits for somebody who is
    out. What he would be asked is closed as the clock closes it, and his turn ends."""
    while draft.table.outcome is None:
        if draft.turn.phase == AFTER_SEARCH:
            turns.finish_search(draft)
        turn, out = draft.turn, draft.table.left_sides
        waits = draft.tasks[-1].side if draft.tasks else turn.side
        if waits == CHANCE_SIDE or not out >> waits & 1:
            return
        if draft.tasks:
            close_window(draft)
        elif turn.phase == DEPLOY:
            _post_missing_guards(draft)
            turns.begin_turn(draft, draft.rules.next_officer(0, out))
        else:
            turns.end_turn(draft)


def _post_missing_guards(draft: PositionDraft) -> None:
    """Guards onto posts for a Security Officer who left before he had set them (R019)."""
    grid = draft.rules.board
    inner, least, _ = required_posts(draft)
    for posts, wanted, area in ((grid.inner_posts, inner, 0), (grid.outer_posts, least, 1)):
        free = [node for node in posts if not draft.guard_nodes >> node & 1]
        for node in free[: max(0, wanted - posted_guard_counts(draft)[area])]:
            draft.events += draft.rules.step(0, grid.barracks, node).move_events
            draft.move_pawn(draft.node_by_pawn.index(grid.barracks), node)


def close_window(draft: PositionDraft) -> None:
    """The clock ends what is open: no throw, no card, no trade; the first that fits where one must."""
    task = draft.tasks[-1]
    draft.add_event("close", seat=draft.rules.seats[task.side], what=task.kind)
    if task.kind == "again":
        turns.answer_another_roll(draft, False)
    elif task.kind == "offer":
        turns.answer_draw_offer(draft, False)
    elif task.kind == "answer":
        cardplay.do_pass(draft, task.side, ())
    elif task.kind == "trade":
        collecting.do_decline(draft, task.side, ())
    elif task.kind == "markers":
        draft.pop_task()
    elif task.kind == "confiscate":
        held = zip(EQUIPMENT_KINDS, draft.secrets.gear[task.side], strict=True)
        collecting.do_surrender(draft, task.side, (next(kind for kind, count in held if count),))
    elif task.kind == "appel":
        men = appel.obeying_men(draft, task.side, 0)
        appel.record_answer(draft, 0, appel.default_circles(draft, task.side, men))
    else:
        _take_default_steps(draft, task.kind)


def _take_default_steps(draft: PositionDraft, kind: str) -> None:
    while draft.tasks and draft.tasks[-1].kind == kind:
        facts = draft.to_facts()
        side = facts.tasks[-1].side
        step = (muster_steps(facts, side) if kind == "muster" else chase_steps(facts))[0]
        do_step(draft, draft.secrets.gear[side], side, step)
