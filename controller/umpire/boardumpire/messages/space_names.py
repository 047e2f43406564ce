"""What people call the spaces of a board: by the board file, else by what the game has printed there.

A name is a sentence like any other (`announce.Sentence`), so each person reads it in the own language.
"""

from __future__ import annotations

from collections.abc import Mapping

from boardrules import registry
from boardrules.core import Space, State
from boardumpire.messages import announce
from boardware.parts import BoardDescription


def space_names(board: BoardDescription, state: State) -> Mapping[Space, str]:
    """The spaces that people don't call by their ids, each with its name."""
    called = registry.package(state.game_id).space_names(state)
    return {
        **{space: announce.to_sentence(message) for space, message in called.items()},
        **{Space(space): name for space, name in board.space_names.items()},
    }
