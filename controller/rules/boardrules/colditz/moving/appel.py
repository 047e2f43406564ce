"""Appel and General Search (1.7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from boardrules.colditz.moving.arrest import arrest_man
from boardrules.colditz.state.facts import AFTER_SEARCH, ReadablePosition
from boardrules.colditz.state.liability import is_in_appel_area, is_searched, may_refuse
from boardrules.colditz.state.moves import guard_possible_steps
from boardrules.colditz.state.position_draft import PositionDraft

Answer = tuple[int, int, tuple[int, ...]]
"""A side, the pawns that refuse as a mask, and the circles for the others."""


def begin_appel(draft: PositionDraft) -> None:
    """The Appel is called: the officers are asked in turn (R072)."""
    draft.add_event("appel")
    _ask_next_officer(draft, ())


def _ask_next_officer(draft: PositionDraft, answers: tuple[Answer, ...]) -> None:
    """Ask the next officer who can choose anything; then all line up together (R071)."""
    for side in draft.rules.officers[len(answers) :]:
        obey, asks = (
            obeying_men(draft, side, 0),
            any(may_refuse(draft, pawn) for pawn in draft.rules.pawns[side]),
        )
        choice = asks or 0 < len(obey) < len(draft.rules.appel_diagram[side - 1])
        if choice and not draft.table.left_sides >> side & 1:
            draft.push_task("appel", side, answers)
            return
        answers = (*answers, (side, 0, default_circles(draft, side, obey)))
    _line_up(draft, answers)


def obeying_men(position: ReadablePosition, side: int, refusers: int) -> list[int]:
    """The men of a side that line up, if these refuse."""
    return [
        pawn
        for pawn in position.rules.pawns[side]
        if is_in_appel_area(position, pawn) or (may_refuse(position, pawn) and not refusers >> pawn & 1)
    ]


def default_circles(position: ReadablePosition, side: int, men: Sequence[int]) -> tuple[int, ...]:
    """Where they line up if nobody says: who stands on a circle of the diagram stays there."""
    diagram = position.rules.appel_diagram[side - 1]
    kept = {position.node_by_pawn[pawn] for pawn in men} & set(diagram)
    others = (circle for circle in diagram if circle not in kept)
    return tuple(sorted([*kept, *(next(others) for _ in range(len(men) - len(kept)))]))


def record_answer(draft: PositionDraft, refusers: int, circles: tuple[int, ...]) -> None:
    """An officer has answered."""
    task = draft.pop_task()
    seat = draft.rules.seats[task.side]
    who = [
        draft.space_name(draft.node_by_pawn[pawn])
        for pawn in draft.rules.pawns[task.side]
        if refusers >> pawn & 1
    ]
    draft.add_event("refuse", seat=seat, at=who) if who else draft.add_event("obey", seat=seat)
    _ask_next_officer(draft, (*task.data[0], (task.side, refusers, circles)))


def _line_up(draft: PositionDraft, answers: Iterable[Answer]) -> None:
    """All together, so that nobody stands in another's way (R071)."""
    places, refusers = [], 0
    for side, refusing, circles in answers:
        refusers |= refusing
        men = obeying_men(draft, side, refusing)
        staying = [pawn for pawn in men if draft.node_by_pawn[pawn] in circles]
        left = iter([node for node in circles if node not in {draft.node_by_pawn[pawn] for pawn in staying}])
        places += [(pawn, next(left)) for pawn in men if pawn not in staying]
    moves = [(draft.rules.owner[pawn], draft.node_by_pawn[pawn], pawn, node) for pawn, node in places]
    for side, origin, pawn, node in moves:
        ways = {"from": draft.space_name(origin), "to": draft.space_name(node)}
        draft.add_event("line-up", seat=draft.rules.seats[side], **ways)
        draft.move_pawn(pawn, node)
    draft.change_turn(refusers=refusers)


def do_general_search(draft: PositionDraft) -> None:
    """A General Search (R074, A6): every man it finds is arrested, the guards stay, the turn ends."""
    rules, reach = draft.rules, search_range(draft)
    draft.add_event("search", points=reach)
    away = circles_from_guards(draft)
    found = [
        pawn
        for side in rules.officers
        for pawn in rules.pawns[side]
        if is_searched(draft, pawn) and away[draft.node_by_pawn[pawn]] <= reach
    ]
    draft.change_turn(phase=AFTER_SEARCH)
    for pawn in reversed(found):  # so that the officers discard clockwise (G17)
        arrest_man(draft, pawn, None)
    draft.points = 0


def search_range(position: ReadablePosition) -> int:
    """How many circles from a guard a General Search reaches: the roll, whatever cards add to the points."""
    return sum(sum(throw) for throw in position.turn.throws)


def circles_from_guards(position: ReadablePosition) -> tuple[int, ...]:
    """By node the circles from the nearest guard, counted as the options say (A6)."""
    rules, grid = position.rules, position.rules.board
    men, guards = position.men_nodes, position.guard_nodes
    starts = [
        position.node_by_pawn[guard]
        for guard in rules.pawns[0]
        if position.node_by_pawn[guard] < grid.circle_count
    ]

    def links(node: int) -> Iterable[int]:
        yield from grid.neighbours[node]
        for crossing, side in zip(grid.crossings, position.table.markers, strict=True):
            if side and crossing.upper == node:
                yield crossing.lower

    def path(node: int) -> Iterable[int]:
        return (
            way.target
            for way in guard_possible_steps(PositionWithoutPawns(position), 0, node)
            if way.target < grid.circle_count
        )

    count = path if rules.search_by_path else links
    if not rules.pawns_block:
        return grid.distances_from(starts, count)
    blocked = men | guards

    def past(node: int) -> Iterable[int]:
        return () if blocked >> node & 1 and node not in starts else count(node)

    return grid.distances_from(starts, past)


class PositionWithoutPawns:
    """A position with nobody on the board, markers as they lie: nobody is in the way of a search (A6)."""

    def __init__(self, position: ReadablePosition) -> None:
        self.rules, self.tasks, self.turn, self.table = (
            position.rules,
            position.tasks,
            position.turn,
            position.table,
        )
        self.node_by_pawn = (position.rules.board.office,)
        self.points, self.last_moved_pawn, self.men_nodes, self.guard_nodes = 0, -1, 0, 0
