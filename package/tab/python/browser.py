"""What Python leaves out in a browser, and what stands in its place. Importing it puts that there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from typing import Any

from pyodide.webloop import WebLoop


def _call_at(loop: WebLoop, when: float, callback: Callable[..., object], *given: Any, **named: Any) -> Any:
    """As other event loops do it: what is due already is called soon."""
    return loop.call_later(max(0.0, when - loop.time()), callback, *given, **named)


WebLoop.call_at = _call_at
os.geteuid = os.getuid  # there is one user
os.link = shutil.copy  # a file has one name
