"""`boardumpire run`: serves a board until told to stop. What it loads is what a start waits for."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def run(path: Path | None) -> int:
    """Serve the board of that configuration, or of the usual one; the exit code."""
    import gc
    import logging

    gc.disable()  # until the board is in service: what is loaded stays, and to look through it takes 20 ms

    from boardumpire.service import config

    wanted = config.load(path, os.environ)
    host = wanted.satellite.host
    secure = wanted.page.certificate or wanted.page.https or host.startswith(("wss:", "https:"))
    if (wanted.board.name or host) and not secure:  # a set-up may still need it
        _leave_out_openssl()
    from boardumpire.commands import daemon
    from boardumpire.errors import BoardumpireError
    from boardumpire.service.fault_log import FaultLog
    from boardumpire.service.log_lines import LogFormatter
    from boardumpire.service.upgrade_handover import EXIT_CODE_UPGRADE, UpgradePending
    from boardumpire.supervision import describe
    from boardware.errors import BoardwareError

    told = logging.StreamHandler()
    told.setFormatter(LogFormatter(os.environ))
    faults = FaultLog(wanted.journal.path.parent)
    logging.basicConfig(level=logging.INFO, handlers=[told, faults])
    try:
        daemon.serve(wanted, os.environ)
    except UpgradePending:
        return EXIT_CODE_UPGRADE
    except Exception as error:
        # The message of an error that nobody foresaw may quote a hand of cards.
        foreseen = isinstance(error, (BoardumpireError, BoardwareError, OSError))
        faults.append_line(f"ERROR the service ends: {error if foreseen else describe(error)}")
        raise
    return 0


def _leave_out_openssl() -> None:
    """Have asyncio and hashlib do without OpenSSL, as they do where Python was built without it.

    It takes 5 MB, and without a certificate nobody uses it.
    """
    hidden = ("ssl", "_hashlib")
    if sys.modules.keys().isdisjoint((*hidden, "asyncio", "hashlib")):
        sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # makes importing them fail
        try:
            import asyncio  # noqa: F401
            import hashlib  # noqa: F401
            import hmac  # noqa: F401
        finally:
            for name in hidden:
                del sys.modules[name]
