"""Why an action is not allowed: closed codes, each with the rule it rests on.

A refusal is found twice: with what the owner knows of his piece, and with what everybody knows. Where the two
differ, the second is what may be told in public; where by public knowledge the move was possible, the public
hears no more than `stratego/not-allowed` (G7).
"""

from __future__ import annotations

from typing import Final

from boardrules.core import Refusal
from boardrules.stratego.actions import SEATS, StrategoMove
from boardrules.stratego.facts import HiddenRanks, StrategoFacts
from boardrules.stratego.moves import broken_repetition_rule
from boardrules.stratego.pieces import IMMOVABLE_RANKS, SCOUT
from boardrules.stratego.public_steps import may_be_scout, may_move

RULES_BY_CODE: Final = {
    "stratego/over": "Q26",
    "stratego/setup-first": "G1",
    "stratego/setup-done": "G2",
    "stratego/setup-doubled": "Q05",
    "stratego/setup-zone": "Q04",
    "stratego/setup-mask": "B5",
    "stratego/setup-army": "Q05",
    "stratego/setup-refused": "Q05",
    "stratego/not-your-turn": "Q07",
    "stratego/no-piece": "Q07",
    "stratego/not-your-piece": "Q07",
    "stratego/no-pass": "Q07",
    "stratego/lake": "Q11",
    "stratego/own-piece": "Q10",
    "stratego/diagonal": "Q09",
    "stratego/diagonal-attack": "Q14",
    "stratego/lake-between": "Q11",
    "stratego/piece-between": "Q10",
    "stratego/immovable": "Q15",
    "stratego/too-far": "Q09",
    "stratego/attack-too-far": "Q14",
    "stratego/back-and-forth": "Q12",
    "stratego/chase": "Q13",
    "stratego/not-allowed": "G7",
    "stratego/unknown-action": "Q07",
    "stratego/offer-open": "Q27",
    "stratego/no-offer": "Q27",
    "stratego/own-offer": "Q27",
    "stratego/setup-resign": "Q27",
    "stratego/nothing-to-take-back": "Q27",
    "stratego/told": "Q16",
}

_REPETITION_CODES: Final = {"Q12": "stratego/back-and-forth", "Q13": "stratego/chase"}


def make_refusal(code: str, **params: str) -> Refusal:
    """The refusal of that code."""
    return Refusal(code, RULES_BY_CODE[code], tuple(params.items()))


def find_refusal(facts: StrategoFacts, deal: HiddenRanks, move: StrategoMove) -> Refusal | None:
    """Why a seat may not make a move now, or `None`."""
    code = _turn_code(facts, move) or _squares_code(facts, move)
    if code is not None:
        return make_refusal(code, **_move_params(move))
    piece = facts.piece_on(move.origin_square)
    rank = deal.ranks[piece]
    true = _piece_code(facts, move, rank not in IMMOVABLE_RANKS, rank == SCOUT)
    if true is None:
        return None
    public = _piece_code(facts, move, may_move(facts, piece), may_be_scout(facts, piece))
    refusal = make_refusal(true, **_move_params(move))
    return refusal if public == true else refusal._replace(public_code=public or "stratego/not-allowed")


def _move_params(move: StrategoMove) -> dict[str, str]:
    return {"seat": move.seat, "from": move.origin, "to": move.target}


def _turn_code(facts: StrategoFacts, move: StrategoMove) -> str | None:
    if move.board != facts.rules.board.name:
        return "stratego/unknown-action"
    if facts.outcome is not None:
        return "stratego/over"
    return None if move.seat == SEATS[facts.side] else "stratego/not-your-turn"


def _squares_code(facts: StrategoFacts, move: StrategoMove) -> str | None:
    """What anybody can see: where pieces stand, lakes, lines."""
    origin, board = 1 << move.origin_square, facts.rules.board
    if not facts.own_squares & origin:
        return "stratego/not-your-piece" if facts.enemy_squares & origin else "stratego/no-piece"
    if move.origin_square == move.target_square:
        return "stratego/no-pass"
    if board.lakes & move.target_mask:
        return "stratego/lake"
    if facts.own_squares & move.target_mask:
        return "stratego/own-piece"
    if not move.crossed_borders:  # not in one line
        return "stratego/diagonal-attack" if facts.enemy_squares & move.target_mask else "stratego/diagonal"
    between = sum(1 << square for square in board.squares_between(move.origin_square, move.target_square))
    if between & board.lakes:
        return "stratego/lake-between"
    return "stratego/piece-between" if between & (facts.own_squares | facts.enemy_squares) else None


def _piece_code(facts: StrategoFacts, move: StrategoMove, movable: bool, scout: bool) -> str | None:
    """What depends on the piece: asked once with its rank, once with what everybody knows of it."""
    if not movable:
        return "stratego/immovable"
    if move.is_long and not scout:
        return "stratego/attack-too-far" if facts.enemy_squares & move.target_mask else "stratego/too-far"
    repeated = broken_repetition_rule(facts, move)
    return _REPETITION_CODES[repeated] if repeated else None
