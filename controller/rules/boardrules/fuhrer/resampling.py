"""What a seat of the Allies can't tell from the real game: every sheet that leads to all that was told.

A sheet is a way of marks, one after each of Hitler's turns. Ways are counted forward, turn by turn, and drawn
backward, each as likely as any other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from boardrules.core import Action, View
from boardrules.fuhrer.actions import HITLER, SPY, TANK
from boardrules.fuhrer.facts import (
    EMPTY_SHEET,
    TOKEN_LAG_ROUNDS,
    AnnouncedTurn,
    FuhrerFacts,
    HitlerSheet,
)
from boardrules.fuhrer.movement import Marks, PublicTurn
from boardrules.fuhrer.play import FuhrerState
from boardrules.fuhrer.stages import begin_placing
from boardrules.fuhrer.views import FuhrerView
from boardrules.players import Chance


def resample(view: View, chance: Chance) -> FuhrerState:
    """A state that the seat of a view can't tell from the real one; each is as likely.

    Raises `ValueError` for a view of nobody's, of a game that is over, and where Hitler keeps his own sheet.
    """
    facts, sheet = _facts_of(view)
    if sheet is None:
        turns, counts = _count_ways(facts)
        sheet = _draw_sheet(facts, turns, counts, chance)
    return FuhrerState(facts, sheet, _legal_actions(facts, sheet))


def count_consistent(view: View) -> int:
    """How many states the seat of a view can't tell from the real one. Raises `ValueError` as `resample`."""
    facts, sheet = _facts_of(view)
    return 1 if sheet is not None else sum(_count_ways(facts)[1][-1].values())


def _facts_of(view: View) -> tuple[FuhrerFacts, HitlerSheet | None]:
    """What is known: the facts, and where it is known the sheet."""
    if view.seat is None or not isinstance(view, FuhrerView) or view.outcome is not None:
        raise ValueError("expected the view of a seat whose game goes on")
    if view.facts.rules.options["sheet"] != "umpire":
        raise ValueError("Hitler keeps his own sheet; expected sheet=umpire")
    hidden = view.seat != HITLER and view.facts.round > 0
    return view.facts, None if hidden else view.sheet


def _count_ways(facts: FuhrerFacts) -> tuple[list[PublicTurn], list[dict[Marks, int]]]:
    """Hitler's turns, and for the start and after each of them: by mark in how many ways he comes there."""
    rules, log = facts.rules, facts.knowledge.log
    allowed: list[Marks] = [-1]
    turns: list[PublicTurn] = []
    first_entry = 1 if rules.hitler_moves_first else 0
    for said in log:
        if isinstance(said, AnnouncedTurn):
            turns.append(said.turn)
            allowed.append(-1)
            if said.token >= 0:
                allowed[said.round - TOKEN_LAG_ROUNDS - 1 + first_entry] &= rules.marks_by_city[said.token]
        else:
            there = rules.marks_by_city[said.city]
            allowed[-1] &= there if said.is_here else ~there
    starts = sum(1 << start.city for start in rules.choices.start_actions)
    counts = [dict.fromkeys(_each_mark(starts & allowed[0]), 1)]
    for turn, possible in zip(turns, allowed[1:], strict=True):
        after: dict[Marks, int] = {}
        for mark, count in counts[-1].items():
            for ended in _each_mark(rules.trap_rule.marks_after_turn(mark, turn) & possible):
                after[ended] = after.get(ended, 0) + count
        counts.append(after)
    return turns, counts


def _draw_sheet(
    facts: FuhrerFacts, turns: list[PublicTurn], counts: list[dict[Marks, int]], chance: Chance
) -> HitlerSheet:
    trap_rule = facts.rules.trap_rule
    way = [_draw(counts[-1], chance)]
    for turn, before in zip(reversed(turns), reversed(counts[:-1]), strict=True):
        came = {
            mark: count for mark, count in before.items() if trap_rule.marks_after_turn(mark, turn) & way[-1]
        }
        way.append(_draw(came, chance))
    cities = [trap_rule.cities_of_marks(mark).bit_length() - 1 for mark in reversed(way)]
    entries = cities[1:] if facts.rules.hitler_moves_first else cities
    return HitlerSheet(way[0], cities[-1], tuple(entries), cities[0])


def _draw(counts: dict[Marks, int], chance: Chance) -> Marks:
    """One of them, by its weight."""
    left = chance.randrange(sum(counts.values()))
    for mark, count in counts.items():
        left -= count
        if left < 0:
            return mark
    raise AssertionError("the weights are counted")


def _each_mark(marks: Marks) -> Iterator[Marks]:
    while marks:
        lowest = marks & -marks
        yield lowest
        marks ^= lowest


def _legal_actions(facts: FuhrerFacts, sheet: HitlerSheet) -> Collection[Action]:
    """What the seat to act may do: it follows from the stage."""
    choices, stage, at = facts.rules.choices, facts.stage, facts.city_by_piece
    match stage.name:
        case "place":
            return begin_placing(facts, EMPTY_SHEET, ()).legal_actions
        case "hide":
            return choices.start_actions
        case "hitler":
            return facts.keeper.turn_actions(facts, sheet)
        case "tank":
            rules = facts.rules
            may_liberate = rules.liberation.needs_declaration and not facts.flags >> at[TANK] & 1
            return choices.tank_choices[may_liberate]
        case "move":
            return choices.moves_by_die[stage.piece, at[stage.piece]][facts.die]
        case "ask":
            return choices.spy_questions[at[SPY], facts.asked_cities]
    return choices.die_faces
