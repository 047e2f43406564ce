"""What people are told of clocks: see `announce`."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "clock short": "Time is short: {seat}.",
}
