"""What the views of Fall of the Führer hold."""

from __future__ import annotations

from typing import Final

from boardrules.schema import (
    BOOLEAN,
    NUMBER,
    OFFER,
    TEXT,
    Schema,
    by_name,
    fields,
    list_of,
    nullable,
    view,
    with_description,
)

_SHEET: Final = fields(
    {
        "at": with_description(nullable(TEXT), "where he is"),
        "trapped": BOOLEAN,
        "start": nullable(TEXT),
        "entries": with_description(list_of(TEXT), "by round"),
    }
)
SCHEMA: Final[Schema] = view(
    {
        "phase": TEXT,
        "piece": with_description(nullable(TEXT), "which is set up or moved"),
        "round": NUMBER,
        "month": NUMBER,
        "pieces": with_description(by_name(TEXT), "by piece its city"),
        "owners": with_description(by_name(TEXT), "by piece its seat"),
        "flags": with_description(list_of(TEXT), "the cities that are held"),
        "liberating": nullable(TEXT),
        "lowering": nullable(TEXT),
        "die": nullable(NUMBER),
        "asked": list_of(TEXT),
        "token": with_description(nullable(TEXT), "where he was two rounds ago"),
        "trail": with_description(list_of(TEXT), "by round where the token was put"),
        "tickets": with_description(NUMBER, "how many are left"),
        "flights": list_of(fields({"round": NUMBER, "from": list_of(nullable(TEXT))})),
        "recaptures": list_of(fields({"round": NUMBER, "at": TEXT})),
        "answers": list_of(fields({"round": NUMBER, "at": TEXT, "here": BOOLEAN})),
        "offer": OFFER,
    },
    {"sheet": with_description(_SHEET, "for Hitler, and for all once the game is over")},
)
