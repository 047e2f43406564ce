"""The options of a game, and the board that it begins with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import chess

from boardrules.core import OptionError
from boardrules.package import OptionOffer

DEFAULTS: Final = {"players": 2, "fen": chess.STARTING_FEN, "chess960": False, "arrange": False}
FEN_MAX_LENGTH: Final = 100
"""Characters of the longest position: eight ranks of eight pieces, then the rest."""
_NO_YES: Final = ((False, "no"), (True, "yes"))
OFFERS: Final = (
    OptionOffer("fen", "Position (FEN)", text_length=FEN_MAX_LENGTH),
    OptionOffer("arrange", "Set the position up with the pieces", _NO_YES),
    OptionOffer("chess960", "Castling as in Chess960", _NO_YES),
)
"""What the dialog for a new game asks."""


def read_options(game_id: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Every option with the value in force. Raises `OptionError`."""
    for name, value in given.items():
        if name not in DEFAULTS:
            expected = ", ".join(DEFAULTS)
            raise OptionError(f"{game_id}: unknown option {name!r}; try one of {expected}", name)
        if name == "players" and (value != 2 or isinstance(value, bool)):
            raise OptionError(f"{game_id}: option players is {value!r}; try 2", name)
        if name in ("chess960", "arrange") and not isinstance(value, bool):
            raise OptionError(f"{game_id}: option {name} is {value!r}; try true or false", name)
    read = {**DEFAULTS, **given}
    if isinstance(read["fen"], str) and len(read["fen"]) > FEN_MAX_LENGTH:
        told = f"{len(read['fen'])} characters; try at most {FEN_MAX_LENGTH}"
        raise OptionError(f"{game_id}: option fen has {told}", "fen")
    found = f"{game_id}: option fen is {read['fen']!r}"
    try:
        board = chess.Board(read["fen"], chess960=read["chess960"])
    except (TypeError, ValueError, AttributeError) as error:
        raise OptionError(f"{found}: {error}; try a position", "fen") from None
    if not board.is_valid() or board.is_game_over(claim_draw=False):
        raise OptionError(f"{found}; try a position in which somebody can move", "fen")
    return {**read, "fen": board.fen()}


def board_of(options: Mapping[str, Any]) -> chess.Board:
    """The board that these options begin with."""
    return chess.Board(options["fen"], chess960=options["chess960"])
