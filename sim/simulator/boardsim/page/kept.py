"""Where pieces are, kept in a file: as a board of wood, this one is still there when the power comes back.

It tells what everybody sees (whose piece, on which slot, lying or in a hand), never what is written on one.
Wires and reeds that were cut or stuck are whole again.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from boardsim.page.fingers import GrippedPiece, PointerHands, PointerPosition
from boardware.errors import BoardwareError
from boardware.files import replace_file, set_aside_file

FORMAT, VERSION = "boardumpire-pieces", 1
log = logging.getLogger("boardsim")
IN_HAND = ("led", "held")


class BoardSnapshotFile:
    """The file of one board; `None` keeps nothing."""

    def __init__(self, path: Path | None, board: str) -> None:
        self._path, self._board = path, board
        self._written: object = None

    def write(self, pieces: Sequence[Mapping[str, Any]]) -> None:
        """Keep where pieces are (`PointerHands.pieces`), if any is elsewhere than before."""
        where = [
            {key: piece[key] for key in ("id", "seat", "is", "slot") if key in piece} for piece in pieces
        ]
        if self._path is None or where == self._written:
            return
        self._written = where
        text = json.dumps({"format": FORMAT, "version": VERSION, "board": self._board, "pieces": where})
        try:
            replace_file(self._path, text.encode(), 0o644)
        except OSError as error:
            raise BoardwareError(f"{self._path}: can't keep where pieces are: {error.strerror}") from None

    def restore(self, fingers: PointerHands) -> bool:
        """Put pieces where they were; those of another board are left in their box.

        A file that holds no such thing is set aside; `False` then, and some pieces may stand. Raises
        `BoardwareError` where it can't be opened.
        """
        if self._path is None:
            return True
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
            if (found["format"], found["version"]) != (FORMAT, VERSION):
                raise ValueError(f"found {found['format']!r} {found['version']!r}")
            if found["board"] == self._board:
                for piece in found["pieces"]:
                    _restore_piece(fingers, piece)
        except FileNotFoundError:
            return True
        except OSError as error:
            raise BoardwareError(f"{self._path}: {error.strerror}; make it readable, or remove it") from None
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            kept = set_aside_file(self._path)
            log.warning(
                "%s: %s, expected a %s of version %s: it is kept as %s, and all pieces lie beside the board",
                *(self._path, error, FORMAT, VERSION, kept.name),
            )
            return False
        return True


def _restore_piece(fingers: PointerHands, told: Mapping[str, Any]) -> None:
    """One piece, by its number: numbers stay, so that a screen goes on with the one it leads."""
    world, number = fingers.world, told["id"]
    piece = fingers.beside.get(number)
    if piece is None:
        piece = world.new_piece(told["seat"])
        fingers.beside[piece.number] = piece
    if (piece.number, piece.owner) != (number, told["seat"]):
        raise ValueError(f"found piece {number!r} of {told['seat']!r}")
    if told["is"] in IN_HAND:
        fingers.grips[number] = grip = GrippedPiece(piece, PointerPosition(-20.0, -20.0), None)
        grip.is_led = False
    elif told["is"] in ("stands", "lands", "lies"):
        if told["slot"] not in world.board.slots:
            raise ValueError(f"found slot {told['slot']!r}")
        fingers.restore_piece(piece, told["slot"])
        if told["is"] == "lies":
            world.fall(piece, told["slot"], world.now)
    elif told["is"] != "beside":
        raise ValueError(f"found a piece that {told['is']!r}")
    if told["is"] != "beside":
        del fingers.beside[number]
