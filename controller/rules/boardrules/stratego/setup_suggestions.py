"""What a player who sets up is offered: ready set-ups, or one at random that makes sense."""

from __future__ import annotations

from collections.abc import Mapping

from boardrules.core import Seat, Space
from boardrules.players import Chance
from boardrules.stratego.actions import SEATS
from boardrules.stratego.board import CAPTURED_SQUARE
from boardrules.stratego.players.setup_generator import sensible_setup
from boardrules.stratego.presets import preset_setup, presets_of
from boardrules.stratego.rules import StrategoRules


def suggested_setup(
    rules: StrategoRules, seat: Seat, name: str, kept: Mapping[Space, str], chance: Chance
) -> dict[Space, str]:
    """As `GamePackage.suggest_setup`. Of what is `kept` only what the rules take stays."""
    presets = presets_of(rules.game_id)
    if name and name not in presets:
        raise ValueError(f"no set-up {name!r}; try one of {', '.join(presets) or 'none'}")
    if name:
        return preset_setup(rules, seat, name)
    left = dict(rules.army)
    stays: dict[str, str] = {}
    for square, rank in kept.items():
        if rules.setup_masks[SEATS.index(seat)] >> rules.board.squares.get(
            square, CAPTURED_SQUARE
        ) & 1 and left.get(rank, 0):
            left[rank] -= 1
            stays[square] = rank
    return dict(sensible_setup(rules, seat, chance, stays).pieces)
