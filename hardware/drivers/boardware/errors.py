"""What can go wrong before a board is open. Afterwards a driver tells `ports.Trouble`, a value."""

from __future__ import annotations


class BoardwareError(Exception):
    """Anything below. The message is a sentence for the person who set the board up."""


class BoardFileError(BoardwareError):
    """A board file that can't be read: `FILE:LINE: what was found, what was expected`."""


class SettingError(BoardwareError):
    """A driver was given a setting that it does not have, or a value that it does not take."""

    def __init__(self, message: str, setting: str | None = None) -> None:
        super().__init__(message)
        self.setting = setting
        """The setting's name, where one is to blame."""


class DriverError(BoardwareError):
    """A driver could not be opened: a library is missing, a pin or a bus can't be had."""
