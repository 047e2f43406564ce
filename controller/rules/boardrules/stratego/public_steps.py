"""What everybody at the table can know of a piece, by what was moved, announced and shown (G8).

The single source of hints and of public refusals. It draws no conclusion but one that the rules themselves
draw: where all Scouts of a side are known, no other piece of it can be one.
"""

from __future__ import annotations

from boardrules.core import Step
from boardrules.stratego.facts import StrategoFacts
from boardrules.stratego.moves import repetition_code
from boardrules.stratego.pieces import IMMOVABLE, SCOUT, UNKNOWN


def may_move(facts: StrategoFacts, piece: int) -> bool:
    """Whether a piece may be one that moves: it is not known as a Bomb or the Flag."""
    return facts.revealed.told[piece] not in IMMOVABLE


def may_be_scout(facts: StrategoFacts, piece: int) -> bool:
    """Whether a piece may be a Scout: known as one, or unknown while a Scout of its side is unknown."""
    revealed = facts.revealed
    if revealed.told[piece] != UNKNOWN:
        return revealed.told[piece] == SCOUT
    side = facts.owner(piece)
    own = revealed.told[: revealed.reds] if side == 0 else revealed.told[revealed.reds :]
    return own.count(SCOUT) < revealed.scouts[side]


def steps(facts: StrategoFacts) -> tuple[Step, ...]:
    """All that the side to move may do, as far as everybody can know, by the squares of its pieces."""
    board, side = facts.rules.board, facts.side
    found = []
    for square in range(len(board.names)):
        if not facts.own >> square & 1:
            continue
        piece = facts.piece_on(square)
        if not may_move(facts, piece):
            continue
        beside, walk = board.walks(side)[square]
        moves = list(walk[facts.own & beside])
        if may_be_scout(facts, piece):
            pieces = facts.own | facts.enemy
            moves = [move for ray in board.rays(side)[square] for move in ray.moves(pieces, facts.own)]
        found += [
            Step(move.origin, move.target, bool(move.bit & facts.enemy))
            for move in moves
            if repetition_code(facts, move) is None
        ]
    return tuple(found)
