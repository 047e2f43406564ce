"""What people are told of tags: see `announce`."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "shown": "{seat} has shown a piece. It can be stood now.",
    "shown stranger": "The piece on {pad} is not one of the set.",
    "fault swapped": "What stands on {spaces} is not the piece that belongs there.",
    "fault lying": "Something on {spaces} isn't upright. Please stand it up.",
    "trouble reader-mute": "The reader of tags at {where} does not answer: {detail}",
    "trouble reader-back": "The reader of tags at {where} is back.",
}
