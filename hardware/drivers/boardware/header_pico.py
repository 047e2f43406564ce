"""A board on the header of a satellite, as its host knows it: one Pico, which is called `header`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from boardware.errors import DriverError
from boardware.parts import HEADER, BoardDescription, Pico
from boardware.pico_pins import CHAIN_LAMPS_MAX


def header_as_pico(board: BoardDescription) -> BoardDescription:
    """The board with all that hangs on the header on one Pico instead. One with Picos stays as it is.

    Raises `DriverError` for lamps that can't be told over the wire.
    """
    if board.picos:
        return board
    for chain in board.chains.values():
        if len(board.chains) > 1 or chain.length > CHAIN_LAMPS_MAX:
            raise DriverError(
                f"board {board.id} has chain {chain.id} of {chain.length} lamps; a header at a satellite"
                f" drives one chain of at most {CHAIN_LAMPS_MAX}"
            )
    return replace(
        board,
        picos={HEADER: Pico(HEADER, None)},
        banks=_moved(board.banks),
        chains=_moved(board.chains, drive_methods=("pico",)),
        buttons=_moved(board.buttons),
        buzzer=board.buzzer and replace(board.buzzer, pico=HEADER),
    )


def fits_satellite(board: BoardDescription) -> bool:
    """Whether a satellite carries all of a board: all hangs on Picos, or all on the header, and no pad."""
    kinds = (board.banks, board.chains, board.buttons)
    on_header = any(part.pico is None for kind in kinds for part in kind.values())
    if board.pads or (board.picos and on_header):
        return False
    try:
        header_as_pico(board)
    except DriverError:
        return False
    return True


def _moved(parts: Mapping[str, Any], **more: object) -> Mapping[str, Any]:
    return {id_: replace(part, pico=HEADER, **more) for id_, part in parts.items()}
