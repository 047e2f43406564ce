"""The family of errors that people get to read. Each message names the place and what was expected there."""

from __future__ import annotations

import errno

_PASSING_ERRNOS = {
    *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.ENOMEM, errno.EMFILE, errno.ENFILE),
    *(errno.EAGAIN, errno.EBUSY, errno.EADDRINUSE, errno.EADDRNOTAVAIL),
}
"""What the system calls a full, failing or read-only disk, a lack of memory, what another program holds."""
_PASSING_SQLITE_ERRORS = (
    *("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_NOMEM", "SQLITE_CANTOPEN"),
    *("SQLITE_READONLY", "SQLITE_PROTOCOL"),
)
"""How the names of the same begin at SQLite."""


class BoardumpireError(Exception):
    """Something that whoever runs the board can mend; everything else that is raised is a bug."""


class ConfigError(BoardumpireError):
    """The configuration is wrong: `FILE:LINE: [section] key: what was found; try ...`."""


class UnreadableFileError(ConfigError):
    """A file that the program has written itself holds nothing that can be read. A start sets it aside."""


class UnreachableAddress(ConfigError):  # noqa: N818 - what the place is
    """An address that can't be listened at now: its network is not there yet, or another program has it."""


class DriverError(BoardumpireError):
    """A driver named in the configuration can't be opened on this machine. `text` leaves out who named it."""

    def __init__(self, message: str, text: str = "") -> None:
        super().__init__(message)
        self.text = text or message


class KeyFileError(BoardumpireError):
    """The file of the board's key is missing, malformed or readable by others."""


class SealError(BoardumpireError):
    """A sealed part does not open: another key, another place, or it was changed."""


class JournalError(BoardumpireError):
    """The journal can't be opened, read, written. `text` leaves out where its file is, for those who play."""

    def __init__(self, text: str, where: object = "", condition: str = "") -> None:
        """`condition`: what would let it pass: `room` on the disk, another program's `turn` to end, the
        `disk` to do better; empty where nothing is known to."""
        super().__init__(f"{where}: {text}" if where else text)
        self.text = text
        self.condition = condition


class SeatError(BoardumpireError, ValueError):
    """What a seat said can't be done. The message is for that seat alone and may hold its secrets."""

    def __init__(self, text: str, rule: str = "") -> None:
        """`rule`: the id of the game's rule that it rests on, if it is one."""
        super().__init__(text)
        self.rule = rule


class TagError(BoardumpireError):
    """The list of tags, or a tag that is to go into it, is wrong. The message shows no id."""


class UnreadableTagsError(TagError):
    """A list of tags has a line that is none. A start sets the list aside."""


def is_temporary(error: BaseException | None) -> bool:
    """Whether an error may pass by itself: for what the journal waits, or what the system refused just now.

    It is told by the error of the system that led to it. A wrong configuration has none.
    """
    while error is not None:
        if isinstance(error, JournalError) and error.condition:
            return True
        if getattr(error, "sqlite_errorname", "").startswith(_PASSING_SQLITE_ERRORS):
            return True
        if isinstance(error, OSError) and error.errno in _PASSING_ERRNOS:
            return True
        error = error.__cause__ or error.__context__
    return False


def public_error_text(error: Exception) -> str:
    """An error as whoever asked may read it: without where files lie on this machine, and, where it was a
    sentence of `announce`, still to be said in any language."""
    if isinstance(error, JournalError):
        return error.text
    return error.args[0] if error.args and isinstance(error.args[0], str) else str(error)


def escape_unprintable(text: str) -> str:
    """The same, fit for a terminal: names of files and keys may hold what a terminal takes for commands."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode()
        for char in text
    )
