"""How the daemon's log lines look: one line each, what it is about as `key=value` behind the sentence.

Under systemd each begins with its priority (sd-daemon(3)), so `journalctl -p warning` finds it. What a line
may say is what everybody may know: see `messages.disclosure`.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping

from boardumpire.errors import escape_unprintable

SYSLOG_PRIORITIES = {
    logging.DEBUG: 7,
    logging.INFO: 6,
    logging.WARNING: 4,
    logging.ERROR: 3,
    logging.CRITICAL: 2,
}
"""Of syslog(3)."""
DETAILS_KEY = "about"
"""The key of `extra` under which a call of the log gives what its line is about."""


class LogFormatter(logging.Formatter):
    """Formats records as lines."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        """systemd names the journal in the environment where that takes the lines."""
        super().__init__()
        self._in_journal = "JOURNAL_STREAM" in environ

    def format(self, record: logging.LogRecord) -> str:
        """One line, but for the traceback of an error."""
        head = f"<{SYSLOG_PRIORITIES.get(record.levelno, 6)}>" if self._in_journal else f"{record.levelname} "
        about: Mapping[str, object] = getattr(record, DETAILS_KEY, {})
        fields = "".join(f" {key}={_quote(value)}" for key, value in about.items())
        lines = [" ".join(record.getMessage().splitlines()) + fields]
        if record.exc_info:
            lines += self.formatException(record.exc_info).splitlines()
        return "\n".join(head + escape_unprintable(line) for line in lines)


def _quote(value: object) -> str:
    """As it is where it is one plain word, else in quotes as JSON writes them."""
    text = str(value)
    return text if re.fullmatch(r"[\w./:-]+", text) else json.dumps(text, ensure_ascii=False)
