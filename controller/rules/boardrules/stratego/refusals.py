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
from boardrules.stratego.moves import repetition_code
from boardrules.stratego.pieces import IMMOVABLE, SCOUT
from boardrules.stratego.public_steps import may_be_scout, may_move

CODES: Final = {
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

_REPETITIONS: Final = {"Q12": "stratego/back-and-forth", "Q13": "stratego/chase"}


def refused(code: str, **params: str) -> Refusal:
    """The refusal of that code."""
    return Refusal(code, CODES[code], tuple(params.items()))


def why_not(facts: StrategoFacts, deal: HiddenRanks, move: StrategoMove) -> Refusal | None:
    """Why a seat may not make a move now, or `None`."""
    code = _by_turn(facts, move) or _by_squares(facts, move)
    if code is not None:
        return refused(code, **_params(move))
    piece = facts.piece_on(move.at)
    rank = deal.ranks[piece]
    true = _by_piece(facts, move, rank not in IMMOVABLE, rank == SCOUT)
    if true is None:
        return None
    public = _by_piece(facts, move, may_move(facts, piece), may_be_scout(facts, piece))
    refusal = refused(true, **_params(move))
    return refusal if public == true else refusal._replace(public=public or "stratego/not-allowed")


def _params(move: StrategoMove) -> dict[str, str]:
    return {"seat": move.seat, "from": move.origin, "to": move.target}


def _by_turn(facts: StrategoFacts, move: StrategoMove) -> str | None:
    if move.board != facts.rules.board.name:
        return "stratego/unknown-action"
    if facts.outcome is not None:
        return "stratego/over"
    return None if move.seat == SEATS[facts.side] else "stratego/not-your-turn"


def _by_squares(facts: StrategoFacts, move: StrategoMove) -> str | None:
    """What anybody can see: where pieces stand, lakes, lines."""
    origin, board = 1 << move.at, facts.rules.board
    if not facts.own & origin:
        return "stratego/not-your-piece" if facts.enemy & origin else "stratego/no-piece"
    if move.at == move.to:
        return "stratego/no-pass"
    if board.lakes & move.bit:
        return "stratego/lake"
    if facts.own & move.bit:
        return "stratego/own-piece"
    if not move.borders:  # not in one line
        return "stratego/diagonal-attack" if facts.enemy & move.bit else "stratego/diagonal"
    between = sum(1 << square for square in board.between(move.at, move.to))
    if between & board.lakes:
        return "stratego/lake-between"
    return "stratego/piece-between" if between & (facts.own | facts.enemy) else None


def _by_piece(facts: StrategoFacts, move: StrategoMove, movable: bool, scout: bool) -> str | None:
    """What depends on the piece: asked once with its rank, once with what everybody knows of it."""
    if not movable:
        return "stratego/immovable"
    if move.far and not scout:
        return "stratego/attack-too-far" if facts.enemy & move.bit else "stratego/too-far"
    repeated = repetition_code(facts, move)
    return _REPETITIONS[repeated] if repeated else None
