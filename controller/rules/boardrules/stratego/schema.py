"""What the views of Stratego hold."""

from __future__ import annotations

from typing import Final

from boardrules.schema import NUMBER, OFFER, TEXT, YES_NO, Schema, by_name, fields, maybe, of, rows, view

_PIECE: Final = fields(
    {
        "seat": TEXT,
        "rank": of(TEXT, "its sign; ? where the seat may not know"),
        "moved": YES_NO,
        "known": of(YES_NO, "whether everybody was told its rank"),
    }
)
_BATTLE: Final = fields({"from": TEXT, "to": TEXT, "result": TEXT}, {"attacker": TEXT, "defender": TEXT})
SCHEMA: Final[Schema] = view(
    {
        "phase": of(TEXT, "setup, play or over"),
        "turn": of(NUMBER, "from 1; 0 in the set-up"),
        "board": of(by_name(_PIECE), "by square the piece there"),
        "captured": of(by_name(rows(TEXT)), "by seat the ranks of its pieces that were beaten"),
        "battles": rows(_BATTLE),
        "last": of(maybe(TEXT), "the last move"),
        "offer": OFFER,
    },
    {
        "ready": of(by_name(YES_NO), "in the set-up: by seat whether it has set up"),
        "army": of(by_name(NUMBER), "in the set-up: by rank how many"),
    },
)
