"""What everybody at the table can know of a piece, by what was moved, announced and shown (G8).

The single source of hints and of public refusals. It draws no conclusion but one that the rules themselves
draw: where all Scouts of a side are known, no other piece of it can be one.
"""

from __future__ import annotations

from boardrules.core import Step
from boardrules.stratego.facts import StrategoFacts
from boardrules.stratego.moves import broken_repetition_rule
from boardrules.stratego.pieces import IMMOVABLE_RANKS, SCOUT, UNKNOWN


def may_move(facts: StrategoFacts, piece: int) -> bool:
    """Whether a piece may be one that moves: it is not known as a Bomb or the Flag."""
    return facts.revealed.announced_ranks[piece] not in IMMOVABLE_RANKS


def may_be_scout(facts: StrategoFacts, piece: int) -> bool:
    """Whether a piece may be a Scout: known as one, or unknown while a Scout of its side is unknown."""
    revealed = facts.revealed
    if revealed.announced_ranks[piece] != UNKNOWN:
        return revealed.announced_ranks[piece] == SCOUT
    side = facts.owner_side(piece)
    own = (
        revealed.announced_ranks[: revealed.red_count]
        if side == 0
        else revealed.announced_ranks[revealed.red_count :]
    )
    return own.count(SCOUT) < revealed.scout_counts[side]


def possible_steps(facts: StrategoFacts) -> tuple[Step, ...]:
    """All that the side to move may do, as far as everybody can know, by the squares of its pieces."""
    board, side = facts.rules.board, facts.side
    found = []
    for square in range(len(board.names)):
        if not facts.own_squares >> square & 1:
            continue
        piece = facts.piece_on(square)
        if not may_move(facts, piece):
            continue
        beside, walk = board.walk_moves(side)[square]
        moves = list(walk[facts.own_squares & beside])
        if may_be_scout(facts, piece):
            pieces = facts.own_squares | facts.enemy_squares
            moves = [
                move
                for ray in board.scout_rays(side)[square]
                for move in ray.moves(pieces, facts.own_squares)
            ]
        found += [
            Step(move.origin, move.target, bool(move.target_mask & facts.enemy_squares))
            for move in moves
            if broken_repetition_rule(facts, move) is None
        ]
    return tuple(found)
