"""What people are told of tags: see `announce`."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "shown": "{seat} showed a piece. You can put it on the board now.",
    "shown stranger": "The piece on {pad} isn't part of this set.",
    "fault swapped": "The wrong piece is on {spaces}.",
    "fault lying": "Something on {spaces} isn't upright. Please stand it up.",
    "trouble reader-mute": "The tag reader at {where} isn't answering: {detail}",
    "trouble reader-back": "The tag reader at {where} is back.",
}
