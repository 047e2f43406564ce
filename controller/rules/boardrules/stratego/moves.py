"""Which moves there are (Q07 to Q15, Q23), and which of them the repetition rules take away (Q12, Q13)."""

from __future__ import annotations

from boardrules.stratego.actions import StrategoMove
from boardrules.stratego.board import Mask, StrategoBoard
from boardrules.stratego.facts import HiddenRanks, StrategoFacts
from boardrules.stratego.repetition import SHORTEST, Places


def free_moves(
    board: StrategoBoard, deal: HiddenRanks, side: int, places: Places, own: Mask, enemy: Mask
) -> list[StrategoMove]:
    """Every move of a side, repetition rules aside: by piece, walkers first, Scouts last."""
    moves: list[StrategoMove] = []
    walks = board.walks(side)
    for piece in deal.walkers[side]:
        beside, walk = walks[places[piece]]
        moves += walk[own & beside]
    rays, pieces = board.rays(side), own | enemy
    for piece in deal.scouts[side]:
        for rising, line, stops in rays[places[piece]]:  # as Ray.moves, without the call
            hit = pieces & line
            stop, up_to, before = stops[(hit & -hit if rising else hit).bit_length()]
            moves += before if own & stop else up_to
    return moves


def legal_moves(facts: StrategoFacts, deal: HiddenRanks) -> tuple[StrategoMove, ...]:
    """Every legal move of the side to move, in a fixed order."""
    rules = facts.rules
    moves = free_moves(rules.board, deal, facts.side, facts.places, facts.own, facts.enemy)
    if len(facts.chase) >= SHORTEST or not rules.shuttle.idle(facts.run):
        return without_repetitions(facts, moves)
    return tuple(moves)


def without_repetitions(facts: StrategoFacts, moves: list[StrategoMove]) -> tuple[StrategoMove, ...]:
    """Those of the side's moves that the repetition rules leave."""
    return tuple([move for move in moves if repetition_code(facts, move) is None])


def repetition_code(facts: StrategoFacts, move: StrategoMove) -> str | None:
    """The repetition rule that refuses an otherwise legal move: `Q12`, `Q13` or `None`."""
    rules = facts.rules
    attack = bool(move.bit & facts.enemy)
    if rules.shuttle.bars(facts.run, facts.foe_run, facts.ply, move, attack):
        return "Q12"
    chase = facts.chase
    if attack or len(chase) < SHORTEST:  # G6: Q13 never refuses an attack
        return None
    if rules.chase.bans(chase, move, facts.mine, facts.latest, facts.places, facts.enemy):
        return "Q13"
    return None
