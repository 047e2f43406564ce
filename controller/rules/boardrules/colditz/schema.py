"""What the views of Escape from Colditz hold."""

from __future__ import annotations

from typing import Final

from boardrules.schema import ANYTHING, NUMBER, TEXT, YES_NO, Schema, by_name, fields, maybe, of, rows, view

_SEAT: Final = fields(
    {"cards": NUMBER, "out": YES_NO},
    {"equipment": NUMBER, "kit": YES_NO, "parts": NUMBER, "escapes": NUMBER, "do_or_die": YES_NO},
)
SCHEMA: Final[Schema] = view(
    {
        "phase": TEXT,
        "round": of(NUMBER, "counts down"),
        "rounds": NUMBER,
        "turn": of(TEXT, "whose turn it is"),
        "points": of(NUMBER, "of movement, left"),
        "throws": rows(rows(NUMBER)),
        "releases": NUMBER,
        "open": of(maybe(by_name(ANYTHING)), "what has to be answered first: `what`, and what goes with it"),
        "places": of(by_name(rows(TEXT)), "by circle the pawns there"),
        "inside": rows(ANYTHING),
        "away": rows(ANYTHING),
        "dead": rows(TEXT),
        "refusers": rows(TEXT),
        "returning": rows(ANYTHING),
        "free_way": rows(ANYTHING),
        "markers": by_name(ANYTHING),
        "tunnels": of(by_name(TEXT), "closed, open, detected or fallen"),
        "flags": rows(TEXT),
        "detected": rows(TEXT),
        "supply": by_name(NUMBER),
        "decks": of(by_name(NUMBER), "how many cards are left"),
        "seats": by_name(_SEAT),
        "hand": of(rows(TEXT), "the seat's own cards"),
    },
    {
        "equipment": of(by_name(by_name(NUMBER)), "for officers: by seat and kind"),
        "offer": fields({"give": ANYTHING, "want": ANYTHING}),
    },
)
