"""Which moves there are (Q07 to Q15, Q23), and which of them the repetition rules take away (Q12, Q13)."""

from __future__ import annotations

from boardrules.stratego.actions import Move
from boardrules.stratego.facts import Deal, Facts
from boardrules.stratego.repetition import SHORTEST


def free_moves(facts: Facts, deal: Deal) -> list[Move]:
    """Every move of the side to move, repetition rules aside: by piece, walkers first, Scouts last."""
    places, own, side = facts.places, facts.own, facts.side
    board = facts.rules.board
    walks, rides = board.walks[side], board.rides[side]
    moves: list[Move] = []
    for piece in deal.walkers[side]:
        beside, walk = walks[places[piece]]
        moves += walk[own & beside]
    pieces, free = own | facts.enemy, ~own
    for piece in deal.scouts[side]:
        rank, rank_line, file, file_line, ride = rides[places[piece]]
        moves += ride[(rank[pieces & rank_line] | file[pieces & file_line]) & free]
    return moves


def legal_moves(facts: Facts, deal: Deal) -> tuple[Move, ...]:
    """Every legal move of the side to move, in a fixed order."""
    moves = free_moves(facts, deal)
    if len(facts.chase) >= SHORTEST or not facts.rules.shuttle.idle(facts.run):
        return tuple([move for move in moves if repeats(facts, move) is None])
    return tuple(moves)


def repeats(facts: Facts, move: Move) -> str | None:
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
