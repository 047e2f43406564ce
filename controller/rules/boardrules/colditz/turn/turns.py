"""The flow of turns and rounds: throws, draws, the end of a turn (1.3, 1.4, 1.6, G21)."""

from __future__ import annotations

from typing import Final

from boardrules.colditz.cardplay.effect_table import EFFECTS
from boardrules.colditz.moving.arrest import arrest_man, clear_rooms, end_immunity
from boardrules.colditz.state.ends import deserted_outcome, round_outcome
from boardrules.colditz.state.facts import AFTER_ROLL, AFTER_SEARCH, BEFORE_ROLL, CHANCE_SIDE, ColditzTurn
from boardrules.colditz.state.position_draft import PositionDraft
from boardrules.colditz.state.rules import HAND_LIMIT, OPPORTUNITY_DECK, SECURITY_DECK
from boardrules.colditz.state.throws import MOVEMENT_ROLL

MAX_THROWS: Final = 3  # R035


def begin_turn(draft: PositionDraft, side: int) -> None:
    """The turn of a side begins."""
    draft.turn, draft.tasks = ColditzTurn(side=side, phase=BEFORE_ROLL), ()
    draft.points, draft.last_moved_pawn = 0, -1
    draft.add_event("turn", seat=draft.rules.seats[side], round=draft.table.round)


def apply_throw(draft: PositionDraft, dice: tuple[int, int]) -> None:
    """What the dice show; a double allows another throw, twice at most (R035)."""
    side, purpose, before = draft.pop_task().data
    throws = (*before, dice)
    draft.add_event("dice", seat=draft.rules.seats[side], dice=list(dice))
    if purpose[0] == "dare":
        _finish_dare_throws(draft, side, purpose, throws)
    elif dice[0] == dice[1] and len(throws) < MAX_THROWS:
        draft.push_task("again", side, purpose, throws)
    else:
        finish_throws(draft, side, purpose, throws)


def answer_another_roll(draft: PositionDraft, wanted: bool) -> None:
    """The answer to R035's offer."""
    task = draft.pop_task()
    purpose, throws = task.data
    if wanted:
        draft.push_task("dice", CHANCE_SIDE, task.side, purpose, throws)
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
    if purpose[0] != MOVEMENT_ROLL:
        EFFECTS[str(purpose[0])].apply_throw(draft, side, purpose, total)
        return
    draft.points += total
    draft.change_turn(phase=AFTER_ROLL, throws=throws, releases_left=doubles if side else 0)  # R050
    draft.add_event("points", seat=draft.rules.seats[side], points=draft.points)
    which = OPPORTUNITY_DECK if side else SECURITY_DECK
    if draft.rules.earns_card(throws) and draft.table.deck_sizes[which]:  # R060, G12
        draft.push_task("offer", side)


def _finish_dare_throws(
    draft: PositionDraft, side: int, purpose: tuple[object, ...], throws: tuple[tuple[int, int], ...]
) -> None:
    """`do_or_die`: as many throws as the card says, doubles giving no further one."""
    if len(throws) < int(str(purpose[1])):
        draft.push_task("dice", CHANCE_SIDE, side, purpose, throws)
        return
    draft.points += sum(a + b for a, b in throws)
    draft.change_turn(phase=AFTER_ROLL)
    draft.add_event("points", seat=draft.rules.seats[side], points=draft.points)


def answer_draw_offer(draft: PositionDraft, wanted: bool) -> None:
    """The answer to the draw of R060."""
    side = draft.pop_task().side
    if wanted:
        draft.change_turn(has_drawn=True)  # R061
        draft.push_task("deal", CHANCE_SIDE, side, OPPORTUNITY_DECK if side else SECURITY_DECK)


def finish_deal(draft: PositionDraft, card: int) -> None:
    """A card comes from a deck into a hand."""
    side, which = draft.pop_task().data
    draft.remove_card(which, card)
    draft.add_card(side, card)
    seat = draft.rules.seats[side]
    draft.add_event("card", seat=seat, deck=("opportunity", "security", "parts")[which])
    draft.add_private_event((side,), "drawn", seat=seat, card=draft.rules.cards.cards[card].id)


def end_turn(draft: PositionDraft) -> None:
    """G21: what the end of a turn brings, and whose turn is next."""
    rules, side = draft.rules, draft.turn.side
    if draft.table.immune_men:
        end_immunity(draft)
    if any(draft.table.tunnels):
        collapse_tunnels(draft)
    if draft.turn.daring_man >= 0:
        _end_failed_dare(draft)
    draft.add_event("end", seat=rules.seats[side])
    if draft.table.outcome is None:
        begin_next_turn(draft, side)


def begin_next_turn(draft: PositionDraft, side: int) -> None:
    """The next turn; at the end of a round its checks (R024 to R026, R145, R146)."""
    rules = draft.rules
    while True:
        last = rules.officers[-1] if draft.table.round == 1 else 0
        if side == 0:
            _empty_office(draft)
        if side == last:
            outcome = round_outcome(draft)
            if outcome is not None:
                draft.end_game(outcome)
                return
            draft.change_table(round=draft.table.round - 1)
            draft.add_event("round", round=draft.table.round)
        side = (side + 1) % rules.players
        if not draft.table.left_sides >> side & 1:
            begin_turn(draft, side)
            return


def _empty_office(draft: PositionDraft) -> None:
    """R024, R042. The end of the Security Officer's turn tells it; if he is out there is none (G18)."""
    grid = draft.rules.board
    if draft.table.left_sides & 1 and grid.office in draft.node_by_pawn:
        draft.add_event("relief")
    for guard in draft.rules.pawns[0]:
        if draft.node_by_pawn[guard] == grid.office:
            draft.move_pawn(guard, grid.barracks)


def collapse_tunnels(draft: PositionDraft) -> None:
    """R135: tunnels with fewer than two men inside fall in."""
    rules, grid = draft.rules, draft.rules.board
    for number, tunnel in enumerate(grid.tunnels):
        if not draft.table.tunnels[number]:
            continue
        inside = [pawn for pawn, node in enumerate(draft.node_by_pawn) if node in tunnel.nodes]
        men = [pawn for pawn in inside if rules.owner[pawn]]
        if len(men) >= 2:
            continue
        states = list(draft.table.tunnels)
        states[number] = 0
        draft.change_table(tunnels=tuple(states))
        draft.add_event("collapse", tunnel=tunnel.name)
        for pawn in inside:
            if rules.owner[pawn]:
                move_buried_man(draft, pawn)
            else:
                draft.add_event("recall", at=draft.space_name(draft.node_by_pawn[pawn]))
                draft.move_pawn(pawn, grid.office)
        clear_rooms(draft)


def move_buried_man(draft: PositionDraft, man: int) -> None:
    """The man left in a tunnel goes to the Inner cells, or where there is room (R135)."""
    grid = draft.rules.board
    full = draft.node_by_pawn.count(grid.cells_inner) >= grid.plan.places["innercells"].capacity
    cells = grid.cells_outer if full else grid.cells_inner
    seat = draft.rules.seats[draft.rules.owner[man]]
    draft.add_event(
        "buried", seat=seat, at=draft.space_name(draft.node_by_pawn[man]), to=grid.space_names[cells]
    )
    draft.move_pawn(man, cells)
    draft.end_way_home(man)


def _end_failed_dare(draft: PositionDraft) -> None:
    """`do_or_die`: who didn't bring his man to a Target is out (G18)."""
    turn, grid = draft.turn, draft.rules.board
    if draft.node_by_pawn[turn.daring_man] != grid.away and not draft.table.left_sides >> turn.side & 1:
        remove_seat(draft, turn.side)


def remove_seat(draft: PositionDraft, side: int) -> None:
    """A seat is out: its men stand, its turn is skipped (G18). A man on his run can't stay upon others."""
    if draft.turn.daring_man in draft.rules.pawns[side]:
        node = draft.node_by_pawn[draft.turn.daring_man]
        if node < draft.rules.board.node_count and draft.node_by_pawn.count(node) > 1:
            arrest_man(draft, draft.turn.daring_man, None)
    draft.change_table(left_sides=draft.table.left_sides | 1 << side)
    draft.add_event("out", seat=draft.rules.seats[side])
    outcome = deserted_outcome(draft)
    if outcome is not None:
        draft.end_game(outcome)


def finish_search(draft: PositionDraft) -> None:
    """After every action: a General Search ends the turn once all is done (R074)."""
    turn = draft.turn
    done = not draft.tasks and draft.table.outcome is None
    if done and turn.phase == AFTER_SEARCH and draft.table.hand_sizes[turn.side] <= HAND_LIMIT:
        end_turn(draft)
