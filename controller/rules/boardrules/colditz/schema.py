"""What the views of Escape from Colditz hold."""

from __future__ import annotations

from typing import Final

from boardrules.schema import (
    ANYTHING,
    BOOLEAN,
    NUMBER,
    TEXT,
    Schema,
    by_name,
    fields,
    list_of,
    nullable,
    view,
    with_description,
)

_SEAT: Final = fields(
    {"cards": NUMBER, "out": BOOLEAN},
    {"equipment": NUMBER, "kit": BOOLEAN, "parts": NUMBER, "escapes": NUMBER, "do_or_die": BOOLEAN},
)
SCHEMA: Final[Schema] = view(
    {
        "phase": TEXT,
        "round": with_description(NUMBER, "counts down"),
        "rounds": NUMBER,
        "turn": with_description(TEXT, "whose turn it is"),
        "points": with_description(NUMBER, "of movement, left"),
        "throws": list_of(list_of(NUMBER)),
        "releases": NUMBER,
        "open": with_description(
            nullable(by_name(ANYTHING)), "what has to be answered first: `what`, and what goes with it"
        ),
        "places": with_description(by_name(list_of(TEXT)), "by circle the pawns there"),
        "inside": list_of(ANYTHING),
        "away": list_of(ANYTHING),
        "dead": list_of(TEXT),
        "refusers": list_of(TEXT),
        "returning": list_of(ANYTHING),
        "free_way": list_of(ANYTHING),
        "markers": by_name(ANYTHING),
        "tunnels": with_description(by_name(TEXT), "closed, open, detected or fallen"),
        "flags": list_of(TEXT),
        "detected": list_of(TEXT),
        "supply": by_name(NUMBER),
        "decks": with_description(by_name(NUMBER), "how many cards are left"),
        "seats": by_name(_SEAT),
        "hand": with_description(list_of(TEXT), "the seat's own cards"),
    },
    {
        "equipment": with_description(by_name(by_name(NUMBER)), "for officers: by seat and kind"),
        "offer": fields({"give": ANYTHING, "want": ANYTHING}),
    },
)
