"""Why an action is not allowed: closed codes, each with the rule it rests on.

What Hitler tries and may not is told to him alone: in public it is `fuhrer/not-allowed`, whatever the reason.
"""

from __future__ import annotations

from typing import Final

from boardrules.core import CHANCE, Action, Refusal
from boardrules.fuhrer import actions
from boardrules.fuhrer.actions import (
    HITLER,
    PIECES,
    SPY,
    ChooseStart,
    DieFace,
    FuhrerAction,
    HitlerTurn,
    MovePiece,
    PlacePiece,
    Recapture,
    SheetEntry,
    SpyQuestion,
    WordAction,
)
from boardrules.fuhrer.facts import FuhrerFacts, HitlerSheet
from boardrules.fuhrer.rules import FuhrerRules

RULES_BY_CODE: Final = {
    "fuhrer/over": "F22",
    "fuhrer/unknown-action": "F05",
    "fuhrer/not-your-turn": "F05",
    "fuhrer/not-now": "F05",
    "fuhrer/setup-first": "F03",
    "fuhrer/setup-order": "G19",
    "fuhrer/city-taken": "X3",
    "fuhrer/roll-first": "G21",
    "fuhrer/no-roll": "F06",
    "fuhrer/not-there": "F06",
    "fuhrer/no-way": "F06",
    "fuhrer/too-far": "F06",
    "fuhrer/nothing-to-liberate": "G6",
    "fuhrer/ask-too-far": "X9",
    "fuhrer/asked-already": "G5",
    "fuhrer/one-by-one": "G5",
    "fuhrer/trapped": "F18",
    "fuhrer/out-of-reach": "X12",
    "fuhrer/no-ticket": "F19",
    "fuhrer/tell-origin": "X18",
    "fuhrer/no-flag": "F17",
    "fuhrer/not-allowed": "F14",
    "fuhrer/other-sheet": "H3",
    "fuhrer/contradiction": "F10",
    "fuhrer/sheet-length": "H3",
    "fuhrer/offer-open": "H1",
    "fuhrer/no-offer": "H1",
    "fuhrer/own-offer": "H1",
    "fuhrer/nothing-to-throw-again": "H1",
    "fuhrer/nothing-to-take-back": "H1",
}


def make_refusal(code: str, **params: str) -> Refusal:
    """The refusal of that code."""
    return Refusal(code, RULES_BY_CODE[code], tuple(params.items()))


def find_refusal(facts: FuhrerFacts, sheet: HitlerSheet, action: Action) -> Refusal:
    """Why an action that is not legal isn't."""
    rules = facts.rules
    if not _is_known(rules, action):
        return make_refusal("fuhrer/unknown-action")
    if facts.outcome is not None:
        return make_refusal("fuhrer/over")
    if isinstance(action, PlacePiece):
        return _place(facts, action)
    if facts.round == 0 and not isinstance(action, ChooseStart | SheetEntry):
        return make_refusal("fuhrer/setup-first")
    if isinstance(
        action,
        ChooseStart | HitlerTurn | Recapture if rules.is_paper_sheet else SheetEntry | actions.EnteredSheet,
    ):
        return make_refusal("fuhrer/other-sheet")
    if isinstance(action, DieFace):
        return make_refusal("fuhrer/no-roll")
    if action.seat not in facts.acting_seats:
        rolling = facts.stage.name == "roll" and action.seat == rules.owners[facts.stage.piece]
        return (
            make_refusal("fuhrer/roll-first")
            if rolling
            else make_refusal("fuhrer/not-your-turn", seat=action.seat)
        )
    return _refusal_by_kind(facts, sheet, action)


def _refusal_by_kind(facts: FuhrerFacts, sheet: HitlerSheet, action: Action) -> Refusal:
    """Of an action whose seat is to act."""
    if isinstance(action, MovePiece):
        return _move(facts, action)
    if isinstance(action, SpyQuestion):
        return _ask(facts, action)
    if isinstance(action, ChooseStart | HitlerTurn | Recapture):
        return _secret_refusal(facts, sheet, action)
    if isinstance(action, SheetEntry):
        return make_refusal(
            "fuhrer/contradiction" if facts.stage.name in ("choose", "write") else "fuhrer/not-now"
        )
    if isinstance(action, actions.EnteredSheet):
        return make_refusal(
            "fuhrer/sheet-length" if facts.stage.name.startswith("sheet") else "fuhrer/not-now"
        )
    return _word_refusal(facts, action)


def _is_known(rules: FuhrerRules, action: Action) -> bool:
    """Whether the seat and the action are of this game on this map."""
    if isinstance(action, actions.EnteredSheet):
        return action.seat == HITLER
    if not isinstance(action, FuhrerAction) or action.construction_args[1] is not rules.board:
        return False
    if isinstance(action, DieFace):
        return action.seat == CHANCE
    if action.seat not in rules.seats:
        return False
    if isinstance(action, WordAction):
        return action.written_text in actions.GAME_WORDS
    return (action.seat == HITLER) == isinstance(action, ChooseStart | HitlerTurn | Recapture | SheetEntry)


def _place(facts: FuhrerFacts, action: PlacePiece) -> Refusal:
    rules = facts.rules
    if action.seat != rules.owners[action.piece]:
        return make_refusal("fuhrer/not-your-turn", seat=action.seat)
    if facts.stage.name != "place" or facts.stage.piece != action.piece:
        return make_refusal("fuhrer/setup-order", piece=PIECES[action.piece])
    return make_refusal("fuhrer/city-taken", at=rules.board.ids[action.city])


def _move(facts: FuhrerFacts, action: MovePiece) -> Refusal:
    ids = facts.rules.board.ids
    way = {"from": ids[action.origin], "to": ids[action.target]}
    piece = facts.stage.piece
    if facts.stage.name == "tank":
        return make_refusal("fuhrer/roll-first")
    if facts.stage.name != "move":
        return make_refusal("fuhrer/not-now")
    if facts.city_by_piece[piece] != action.origin:
        return make_refusal("fuhrer/not-there", piece=PIECES[piece], **way)
    if action.origin == action.target:
        return make_refusal("fuhrer/no-way", **way)
    return make_refusal("fuhrer/too-far", die=str(facts.die), **way)


def _ask(facts: FuhrerFacts, action: SpyQuestion) -> Refusal:
    rules = facts.rules
    if facts.stage.name != "ask":
        return make_refusal("fuhrer/not-now")
    for city in action.cities:
        if not rules.board.neighbours[facts.city_by_piece[SPY]] >> city & 1:
            return make_refusal("fuhrer/ask-too-far", at=rules.board.ids[city])
        if city in facts.asked_cities:
            return make_refusal("fuhrer/asked-already", at=rules.board.ids[city])
    return make_refusal("fuhrer/one-by-one")


def _secret_refusal(facts: FuhrerFacts, sheet: HitlerSheet, action: Action) -> Refusal:
    """Hitler hears why, everybody else that it is not allowed."""
    if isinstance(action, ChooseStart) or facts.stage.name != "hitler":
        return make_refusal("fuhrer/setup-first" if facts.round == 0 else "fuhrer/not-now")
    rules = facts.rules
    if not isinstance(action, HitlerTurn):
        why = make_refusal("fuhrer/no-flag")
    elif any((city == actions.UNTOLD_ORIGIN) == rules.tells_origin for city in action.origins):
        why = make_refusal("fuhrer/tell-origin")
    elif action.origins not in rules.choices.origins[facts.knowledge.tickets_left]:
        why = make_refusal("fuhrer/no-ticket", left=str(facts.knowledge.tickets_left))
    elif rules.trap_rule.trapped_marks(sheet.mark, facts.flags):
        why = make_refusal("fuhrer/trapped", at=rules.board.ids[sheet.city])
    else:
        why = make_refusal("fuhrer/out-of-reach", to=rules.board.ids[action.city])
    return why._replace(public_code="fuhrer/not-allowed")


def _word_refusal(facts: FuhrerFacts, action: Action) -> Refusal:
    words, stage = str(action), facts.stage.name
    if words == actions.LIBERATE and stage in ("tank", "move"):
        return make_refusal("fuhrer/nothing-to-liberate")
    if words in (actions.YES, actions.NO) and stage == "answer":
        return make_refusal("fuhrer/contradiction")
    return make_refusal("fuhrer/not-now")
