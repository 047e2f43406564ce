"""What makers of circuit boards get to read."""

from __future__ import annotations

from boardware.errors import BoardwareError


class CircuitError(BoardwareError):
    """Something about circuit boards that whoever makes a board can mend."""


class NoTilesError(CircuitError):
    """A board that tiles can't make: what differs, and what was expected."""


class NoCarrierError(CircuitError):
    """A board that the carrier does not suit: why, and what was expected."""


class UnroutableNetError(CircuitError):
    """A net that could not be laid, by name."""


class CircuitFileError(CircuitError):
    """A file of circuit boards that is wrong: it names the file and what was expected."""


class KiCadError(CircuitError):
    """KiCad failed, or found something in a board: which, and what it said."""
