"""What the views of Fall of the Führer hold."""

from __future__ import annotations

from typing import Final

from boardrules.schema import NUMBER, OFFER, TEXT, YES_NO, Schema, by_name, fields, maybe, of, rows, view

_SHEET: Final = fields(
    {
        "at": of(maybe(TEXT), "where he is"),
        "trapped": YES_NO,
        "start": maybe(TEXT),
        "entries": of(rows(TEXT), "by round"),
    }
)
SCHEMA: Final[Schema] = view(
    {
        "phase": TEXT,
        "piece": of(maybe(TEXT), "which is set up or moved"),
        "round": NUMBER,
        "month": NUMBER,
        "pieces": of(by_name(TEXT), "by piece its city"),
        "owners": of(by_name(TEXT), "by piece its seat"),
        "flags": of(rows(TEXT), "the cities that are held"),
        "liberating": maybe(TEXT),
        "lowering": maybe(TEXT),
        "die": maybe(NUMBER),
        "asked": rows(TEXT),
        "token": of(maybe(TEXT), "where he was two rounds ago"),
        "trail": of(rows(TEXT), "by round where the token was put"),
        "tickets": of(NUMBER, "how many are left"),
        "flights": rows(fields({"round": NUMBER, "from": rows(maybe(TEXT))})),
        "recaptures": rows(fields({"round": NUMBER, "at": TEXT})),
        "answers": rows(fields({"round": NUMBER, "at": TEXT, "here": YES_NO})),
        "offer": OFFER,
    },
    {"sheet": of(_SHEET, "for Hitler, and for all once the game is over")},
)
