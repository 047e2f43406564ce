"""What can go wrong before a board is open. Afterwards a driver tells `ports.HardwareTrouble`, a value."""

from __future__ import annotations

from typing import Final

_PACKAGES: Final = {
    **dict.fromkeys(("mdns", "mqtt", "pi", "web"), "boardumpire"),
    "make": "boardumpire-make",
}
"""By extra the Debian package that holds its libraries."""
_PI_ONLY_EXTRAS: Final = frozenset({"pi", "pwm"})
"""Extras that only a Raspberry Pi can use: what develops and tests leaves them out."""


def install_hint(*extras: str) -> str:
    """Where the libraries of these extras come from, for a message that says that they are missing.

    It names no project of an index, because nobody knows whose the names there are.
    """
    if _PI_ONLY_EXTRAS.issuperset(extras):
        checkout = f".venv/bin/python -m pip install --editable './hardware/drivers[{','.join(extras)}]'"
    else:
        checkout = "make .venv/.dev"
    packages = {_PACKAGES.get(extra, "") for extra in extras}
    package = (
        f"the Debian package {packages.pop()} has them; " if len(packages) == 1 and all(packages) else ""
    )
    return f"{package}in a checkout: {checkout}"


class BoardwareError(Exception):
    """Anything below. The message is a sentence for the person who set the board up."""


class BoardFileError(BoardwareError):
    """A board file that can't be read: `FILE:LINE: what was found; try what`."""


class SettingError(BoardwareError):
    """A driver was given a setting that it does not have, or a value that it does not take."""

    def __init__(self, message: str, setting: str | None = None) -> None:
        super().__init__(message)
        self.setting = setting
        """The setting's name, where one is to blame."""


class DriverError(BoardwareError):
    """A driver could not be opened: a library is missing, a pin or a bus can't be had."""
