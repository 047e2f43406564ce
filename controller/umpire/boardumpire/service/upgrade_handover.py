"""Another version of the program that waits beside this one: it is taken between two games, never in one.

The package lays each version in a folder of its own, and a link `next` names the one that waits. A daemon
that finds it between games ends with `EXIT_CODE_UPGRADE`, and systemd starts the other one
(`package/update.sh`). A further board on the same machine doesn't choose the version: it takes the one that
the first board has made current.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from boardumpire.service.log_lines import DETAILS_KEY

EXIT_CODE_UPGRADE = 85
"""The exit code of a daemon that makes room for another version. systemd starts again after it."""
POLL_INTERVAL_S = 5.0
"""How often it is looked whether one waits."""
HOME_VARIABLE = "BOARDUMPIRE_HOME"
"""In the environment: where the versions are. Without it there are none."""
LINK_VARIABLE = "BOARDUMPIRE_VERSION_LINK"
"""In the environment: the link there that names the version to run from now on. Without it that is `next`."""

log = logging.getLogger("boardumpire")


class UpgradePending(Exception):  # noqa: N818 - no error
    """Another version is to run from now on."""


class UpgradeHandover:
    """Looks for another version from `start` to `stop`."""

    def __init__(
        self,
        environ: Mapping[str, str],
        between_games: Callable[[], bool],
        end: Callable[[UpgradePending], object],
    ) -> None:
        """`end` is called once, when one waits and `between_games` says that nobody plays."""
        self._home = environ.get(HOME_VARIABLE, "")
        self._link = environ.get(LINK_VARIABLE, "") or "next"
        self._between_games, self._end = between_games, end
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Look from now on; nothing is looked for where there are no versions."""
        if self._home:
            self._check_for_version()

    def stop(self) -> None:
        """Look no more. Stopping twice is allowed."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check_for_version(self) -> None:
        name = waiting_version(Path(self._home) / self._link)
        if name and self._between_games():
            log.info("stopping, so that version %s can start", name, extra={DETAILS_KEY: {"event": "update"}})
            self._end(UpgradePending(name))
        else:
            self._timer = asyncio.get_running_loop().call_later(POLL_INTERVAL_S, self._check_for_version)


def waiting_version(link: Path) -> str:
    """The version that `link` names; empty where it names none, or the one that runs."""
    try:
        named = link.readlink().name
    except OSError:
        return ""
    return "" if named == Path(sys.prefix).name else named
