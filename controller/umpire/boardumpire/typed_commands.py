"""Commands that a message tells a person to type, for the board of this process.

Several boards may run on one machine. Commands for a further one begin with its name, as in
`boardumpire @north status`.
"""

from __future__ import annotations

import os

BOARD_VARIABLE = "BOARDUMPIRE_BOARD"
"""In the environment: the name of this board, if it is a further one of this machine."""


def root_command(command: str) -> str:
    """How root types a command of the program, such as `setup`."""
    name = os.environ.get(BOARD_VARIABLE, "")
    return f"sudo boardumpire @{name} {command}" if name else f"sudo boardumpire {command}"


def unit_name() -> str:
    """The unit of this board, as `systemctl` takes it."""
    name = os.environ.get(BOARD_VARIABLE, "")
    return f"boardumpire@{name}" if name else "boardumpire"
