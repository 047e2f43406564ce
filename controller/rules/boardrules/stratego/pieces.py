"""Ranks, and what happens when two of them meet.

A rank is written as players write it (`10 9 ... 2 S B F`) and kept as a small number, so that the ranks of a
whole game are one `bytes`: `UNKNOWN` is 0, the Spy 1, 2 to 10 as printed, Bomb and Flag after them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

Result = Literal["attacker", "defender", "both"]
"""Who stands after a battle; `both`: both fall."""

UNKNOWN: Final = 0
SPY: Final = 1
SCOUT: Final = 2
MINER: Final = 3
MARSHAL: Final = 10
BOMB: Final = 11
FLAG: Final = 12

RANK_SIGNS: Final = ("?", "S", "2", "3", "4", "5", "6", "7", "8", "9", "10", "B", "F")
"""Rank number -> how players write it; `?` for a rank that isn't known."""

RANK_BY_SIGN: Final = {sign: rank for rank, sign in enumerate(RANK_SIGNS) if rank}
"""How players write a rank -> its number."""

IMMOVABLE_RANKS: Final = frozenset((BOMB, FLAG))
"""Q15: these never move and never attack."""


def _battle_result(attacker: int, defender: int, spy_result: Result) -> Result:
    if defender == FLAG:
        return "attacker"  # Q20
    if defender == BOMB:
        return "attacker" if attacker == MINER else "defender"  # Q21, Q22
    if attacker == defender == SPY:
        return spy_result
    if attacker == SPY and defender == MARSHAL:
        return "attacker"  # Q25
    if attacker == defender:
        return "both"  # Q19
    return "attacker" if attacker > defender else "defender"  # Q17, Q18


BattleTable = tuple[tuple[Result, ...], ...]
"""`battles[attacker][defender]` for all ranks."""


def _battle_table(spy_result: Result) -> BattleTable:
    ranks = range(len(RANK_SIGNS))
    return tuple(
        tuple(_battle_result(attacker, defender, spy_result) for defender in ranks) for attacker in ranks
    )


BATTLE_TABLES: Final[Mapping[str, BattleTable]] = {
    "tie": _battle_table("both"),
    "attacker_wins": _battle_table("attacker"),
}
"""By the option `spy_vs_spy`: what comes of every battle."""
