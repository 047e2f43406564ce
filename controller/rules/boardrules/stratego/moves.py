"""Which moves there are (Q07 to Q15, Q23), and which of them the repetition rules take away (Q12, Q13)."""

from __future__ import annotations

from boardrules.stratego.actions import StrategoMove
from boardrules.stratego.board import Mask, StrategoBoard
from boardrules.stratego.facts import HiddenRanks, StrategoFacts
from boardrules.stratego.repetition import MIN_CHASE_LENGTH, Places


def moves_ignoring_repetition(
    board: StrategoBoard, deal: HiddenRanks, side: int, places: Places, own: Mask, enemy: Mask
) -> list[StrategoMove]:
    """Every move of a side, repetition rules aside: by piece, walkers first, Scouts last."""
    moves: list[StrategoMove] = []
    walks = board.walk_moves(side)
    for piece in deal.walkers[side]:
        beside, walk = walks[places[piece]]
        moves += walk[own & beside]
    rays, pieces = board.scout_rays(side), own | enemy
    for piece in deal.scouts[side]:
        for rising, line, stops in rays[places[piece]]:  # as Ray.moves, without the call
            hit = pieces & line
            stop, up_to, before = stops[(hit & -hit if rising else hit).bit_length()]
            moves += before if own & stop else up_to
    return moves


def legal_moves(facts: StrategoFacts, deal: HiddenRanks) -> tuple[StrategoMove, ...]:
    """Every legal move of the side to move, in a fixed order."""
    rules = facts.rules
    moves = moves_ignoring_repetition(
        rules.board, deal, facts.side, facts.square_by_piece, facts.own_squares, facts.enemy_squares
    )
    if len(facts.chase) >= MIN_CHASE_LENGTH or not rules.shuttle_rule.can_refuse_nothing(facts.own_run):
        return without_repetitions(facts, moves)
    return tuple(moves)


def without_repetitions(facts: StrategoFacts, moves: list[StrategoMove]) -> tuple[StrategoMove, ...]:
    """Those of the side's moves that the repetition rules leave."""
    return tuple([move for move in moves if broken_repetition_rule(facts, move) is None])


def broken_repetition_rule(facts: StrategoFacts, move: StrategoMove) -> str | None:
    """The repetition rule that refuses an otherwise legal move: `Q12`, `Q13` or `None`."""
    rules = facts.rules
    attack = bool(move.target_mask & facts.enemy_squares)
    if rules.shuttle_rule.refuses_move(facts.own_run, facts.foe_run, facts.ply, move, attack):
        return "Q12"
    chase = facts.chase
    if attack or len(chase) < MIN_CHASE_LENGTH:  # G6: Q13 never refuses an attack
        return None
    if rules.chase_rule.refuses_move(
        chase, move, facts.previous_own_move, facts.last_move, facts.square_by_piece, facts.enemy_squares
    ):
        return "Q13"
    return None
