"""Sets unreadable files of the program aside at a start, so that the start goes on.

The key of the board is none of them: without it a game that goes on is lost, so its owner decides. Nor is the
configuration, which people write: what is wrong with it is said with its line.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from pathlib import Path

from boardumpire.errors import ConfigError, UnreadableFileError, UnreadableTagsError
from boardumpire.service.config import Config
from boardumpire.tags import tag_roster
from boardware.description import load_board
from boardware.errors import BoardFileError
from boardware.files import set_aside_file

log = logging.getLogger("boardumpire")


def read_or_set_aside(path: Path, read: Callable[[Path], object]) -> None:
    """Read a file; where that finds nothing readable in it give it another name, and log so.

    Raises what else reading raises.
    """
    try:
        read(path)
    except (UnreadableFileError, UnreadableTagsError) as error:
        try:
            kept = set_aside_file(path)
        except OSError as refused:
            raise ConfigError(f"{error}; it can't be renamed: {refused.strerror}") from None
        log.warning("%s; it is kept as %s, and the start goes on without it", error, kept.name)


def set_aside_unreadable(config: Config) -> None:
    """Set aside what can't be read of the links, the PIN and the tags. Raises `BoardumpireError`."""
    if config.page.listen:
        from boardumpire.web import seat_links, table_pin  # the page's libraries, only where one is wanted

        read_or_set_aside(config.page.links, seat_links.check_links_file)
        read_or_set_aside(config.page.links.with_name("pin"), table_pin.read_pin)
    if config.drivers.tags:
        with contextlib.suppress(BoardFileError):  # said with its line where the configuration is checked
            armies = tag_roster.hand_set_armies(load_board(config.board.name).games)
            read_or_set_aside(config.pieces.tags, lambda path: tag_roster.load(path, armies))
