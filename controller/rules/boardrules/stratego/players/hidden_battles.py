"""What attacks on hidden pieces bring on average, as the side that attacks sees it.

In a guess all is known. A search in which both sides know it goes for the Flag of each guess and around Bombs
that nobody sees. So after the move that is weighed, an attack on a hidden piece is worth what it brings on
the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardrules.stratego.board import CAPTURED_SQUARE
from boardrules.stratego.facts import StrategoFacts
from boardrules.stratego.pieces import FLAG, IMMOVABLE_RANKS, UNKNOWN
from boardrules.stratego.players.beliefs import Beliefs
from boardrules.stratego.players.piece_values import RANK_WORTH
from boardrules.stratego.rules import StrategoRules

NOT_HIDDEN: Final = -9999.0
"""Stands for a piece that the side that attacks knows."""
HIDDEN_FLAG_WORTH: Final = 40.0
"""What the Flag counts in such a mean: a game that is won, in points of material."""
WINNING_LEAD: Final = 30.0
"""Who is so many points ahead wins about seven games of eight."""
OTHER_KIND_SHARE: Final = 0.5
"""How likely a piece that has moved is taken for one of those that haven't, and the other way round, beside
one of its kind."""
HiddenGains = Sequence[Sequence[float]]
"""By rank of the attacker and by piece what an attack gains on average, or `NOT_HIDDEN`."""


def hidden_gains(facts: StrategoFacts, beliefs: Beliefs, own_ranks: Sequence[int]) -> HiddenGains:
    """For both sides: of the other side's pieces by `beliefs`, of one's own by what the other side sees."""
    odds: list[list[float]] = [[] for _ in facts.square_by_piece]
    own = []
    for piece, place in enumerate(facts.square_by_piece):
        if place == CAPTURED_SQUARE:
            continue
        if facts.owner_side(piece) != beliefs.side:
            if beliefs.known_ranks[piece] == UNKNOWN:
                odds[piece] = beliefs.chances(piece)
        elif facts.revealed.announced_ranks[piece] == UNKNOWN:
            own.append((piece, beliefs.has_moved(piece), own_ranks[piece]))
    for piece, moved, _ in own:
        row = [0.0] * (FLAG + 1)
        for _, its, rank in own:
            if not (moved and rank in IMMOVABLE_RANKS):
                row[rank] += 1.0 if its == moved else OTHER_KIND_SHARE
        whole = sum(row)
        odds[piece] = [value / whole for value in row]
    return [
        [_mean_gain(facts.rules, rank, row) if row and rank else NOT_HIDDEN for row in odds]
        for rank in range(FLAG + 1)
    ]


def _mean_gain(rules: StrategoRules, attacker: int, odds: Sequence[float]) -> float:
    """What an attack gains on a piece of these ranks."""
    gain, cost = 0.0, RANK_WORTH[attacker]
    for rank, likely in enumerate(odds):
        if likely:
            result = rules.battle_table[attacker][rank]
            prize = HIDDEN_FLAG_WORTH if rank == FLAG else RANK_WORTH[rank]
            gain += likely * (
                (prize if result != "defender" else 0.0) - (cost if result != "attacker" else 0.0)
            )
    return gain


def without_pieces(gains: HiddenGains, known: Sequence[int]) -> HiddenGains:
    """The same once these pieces are known."""
    return [[NOT_HIDDEN if piece in known else gain for piece, gain in enumerate(row)] for row in gains]
