"""The flow of turns and rounds: throws, draws, the end of a turn (1.3, 1.4, 1.6, G21)."""

from __future__ import annotations

from typing import Final

from boardrules.colditz.cardplay.effect_table import EFFECTS
from boardrules.colditz.moving.arrest import arrest, clear_rooms, end_of_return
from boardrules.colditz.state.ends import deserted_outcome, round_outcome
from boardrules.colditz.state.facts import BEFORE, CHANCE_SIDE, MAIN, SEARCHED, ColditzTurn
from boardrules.colditz.state.position_draft import PositionDraft
from boardrules.colditz.state.rules import HAND_LIMIT, OPPORTUNITY, SECURITY_DECK
from boardrules.colditz.state.throws import MOVE

THROWS: Final = 3  # R035


def begin_turn(draft: PositionDraft, side: int) -> None:
    """The turn of a side begins."""
    draft.turn, draft.tasks = ColditzTurn(side=side, phase=BEFORE), ()
    draft.points, draft.last = 0, -1
    draft.add_event("turn", seat=draft.rules.seats[side], round=draft.table.round)


def apply_throw(draft: PositionDraft, dice: tuple[int, int]) -> None:
    """What the dice show; a double allows another throw, twice at most (R035)."""
    side, purpose, before = draft.pop().data
    throws = (*before, dice)
    draft.add_event("dice", seat=draft.rules.seats[side], dice=list(dice))
    if purpose[0] == "dare":
        _finish_dare(draft, side, purpose, throws)
    elif dice[0] == dice[1] and len(throws) < THROWS:
        draft.push("again", side, purpose, throws)
    else:
        finish_throws(draft, side, purpose, throws)


def ask_for_another_roll(draft: PositionDraft, more: bool) -> None:
    """The answer to R035's offer."""
    task = draft.pop()
    purpose, throws = task.data
    if more:
        draft.push("dice", CHANCE_SIDE, task.side, purpose, throws)
    else:
        finish_throws(draft, task.side, purpose, throws)


def finish_throws(
    draft: PositionDraft, side: int, purpose: tuple[object, ...], throws: tuple[tuple[int, int], ...]
) -> None:
    """All throws of one roll are made."""
    total, doubles = 0, 0
    for first, second in throws:
        total += first + second
        doubles += first == second
    if purpose[0] != MOVE:
        EFFECTS[str(purpose[0])].apply_throw(draft, side, purpose, total)
        return
    draft.points += total
    draft.set_turn(phase=MAIN, throws=throws, releases=doubles if side else 0)  # R050
    draft.add_event("points", seat=draft.rules.seats[side], points=draft.points)
    which = OPPORTUNITY if side else SECURITY_DECK
    if draft.rules.earns(throws) and draft.table.decks[which]:  # R060, G12
        draft.push("offer", side)


def _finish_dare(
    draft: PositionDraft, side: int, purpose: tuple[object, ...], throws: tuple[tuple[int, int], ...]
) -> None:
    """`do_or_die`: as many throws as the card says, doubles giving no further one."""
    if len(throws) < int(str(purpose[1])):
        draft.push("dice", CHANCE_SIDE, side, purpose, throws)
        return
    draft.points += sum(a + b for a, b in throws)
    draft.set_turn(phase=MAIN)
    draft.add_event("points", seat=draft.rules.seats[side], points=draft.points)


def draw(draft: PositionDraft, wanted: bool) -> None:
    """The answer to the draw of R060."""
    side = draft.pop().side
    if wanted:
        draft.set_turn(drawn=True)  # R061
        draft.push("deal", CHANCE_SIDE, side, OPPORTUNITY if side else SECURITY_DECK)


def finish_deal(draft: PositionDraft, card: int) -> None:
    """A card comes from a deck into a hand."""
    side, which = draft.pop().data
    draft.remove_card(which, card)
    draft.add_card(side, card)
    seat = draft.rules.seats[side]
    draft.add_event("card", seat=seat, deck=("opportunity", "security", "parts")[which])
    draft.add_private_event((side,), "drawn", seat=seat, card=draft.rules.cards.cards[card].id)


def end_turn(draft: PositionDraft) -> None:
    """G21: what the end of a turn brings, and whose turn is next."""
    rules, side = draft.rules, draft.turn.side
    if draft.table.returning:
        end_of_return(draft)
    if any(draft.table.tunnels):
        collapse(draft)
    if draft.turn.daring_man >= 0:
        _dare_failed(draft)
    draft.add_event("end", seat=rules.seats[side])
    if draft.table.outcome is None:
        after_turn(draft, side)


def after_turn(draft: PositionDraft, side: int) -> None:
    """The next turn; at the end of a round its checks (R024 to R026, R145, R146)."""
    rules = draft.rules
    while True:
        last = rules.officers[-1] if draft.table.round == 1 else 0
        if side == 0:
            _office_empties(draft)
        if side == last:
            outcome = round_outcome(draft)
            if outcome is not None:
                draft.end(outcome)
                return
            draft.set_table(round=draft.table.round - 1)
            draft.add_event("round", round=draft.table.round)
        side = (side + 1) % rules.players
        if not draft.table.out >> side & 1:
            begin_turn(draft, side)
            return


def _office_empties(draft: PositionDraft) -> None:
    """R024, R042. The end of the Security Officer's turn tells it; if he is out there is none (G18)."""
    grid = draft.rules.board
    if draft.table.out & 1 and grid.office in draft.where:
        draft.add_event("relief")
    for guard in draft.rules.pawns[0]:
        if draft.where[guard] == grid.office:
            draft.move_pawn(guard, grid.barracks)


def collapse(draft: PositionDraft) -> None:
    """R135: tunnels with fewer than two men inside fall in."""
    rules, grid = draft.rules, draft.rules.board
    for number, tunnel in enumerate(grid.tunnels):
        if not draft.table.tunnels[number]:
            continue
        inside = [pawn for pawn, node in enumerate(draft.where) if node in tunnel.nodes]
        men = [pawn for pawn in inside if rules.owner[pawn]]
        if len(men) >= 2:
            continue
        states = list(draft.table.tunnels)
        states[number] = 0
        draft.set_table(tunnels=tuple(states))
        draft.add_event("collapse", tunnel=tunnel.name)
        for pawn in inside:
            if rules.owner[pawn]:
                bury(draft, pawn)
            else:
                draft.add_event("recall", at=draft.space_name(draft.where[pawn]))
                draft.move_pawn(pawn, grid.office)
        clear_rooms(draft)


def bury(draft: PositionDraft, man: int) -> None:
    """The man left in a tunnel goes to the Inner cells, or where there is room (R135)."""
    grid = draft.rules.board
    full = draft.where.count(grid.cells_inner) >= grid.plan.places["innercells"].places
    cells = grid.cells_outer if full else grid.cells_inner
    seat = draft.rules.seats[draft.rules.owner[man]]
    draft.add_event("buried", seat=seat, at=draft.space_name(draft.where[man]), to=grid.names[cells])
    draft.move_pawn(man, cells)
    draft.end_way_home(man)


def _dare_failed(draft: PositionDraft) -> None:
    """`do_or_die`: who didn't bring his man to a Target is out (G18)."""
    turn, grid = draft.turn, draft.rules.board
    if draft.where[turn.daring_man] != grid.away and not draft.table.out >> turn.side & 1:
        leave(draft, turn.side)


def leave(draft: PositionDraft, side: int) -> None:
    """A seat is out: its men stand, its turn is skipped (G18). A man on his run can't stay upon others."""
    if draft.turn.daring_man in draft.rules.pawns[side]:
        node = draft.where[draft.turn.daring_man]
        if node < draft.rules.board.nodes and draft.where.count(node) > 1:
            arrest(draft, draft.turn.daring_man, None)
    draft.set_table(out=draft.table.out | 1 << side)
    draft.add_event("out", seat=draft.rules.seats[side])
    outcome = deserted_outcome(draft)
    if outcome is not None:
        draft.end(outcome)


def finish_search(draft: PositionDraft) -> None:
    """After every action: a General Search ends the turn once all is done (R074)."""
    turn = draft.turn
    done = not draft.tasks and draft.table.outcome is None
    if done and turn.phase == SEARCHED and draft.table.hands[turn.side] <= HAND_LIMIT:
        end_turn(draft)
