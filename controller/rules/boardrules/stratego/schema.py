"""What the views of Stratego hold."""

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

_PIECE: Final = fields(
    {
        "seat": TEXT,
        "rank": with_description(TEXT, "its sign; ? where the seat may not know"),
        "moved": BOOLEAN,
        "known": with_description(BOOLEAN, "whether everybody was told its rank"),
    }
)
_BATTLE: Final = fields({"from": TEXT, "to": TEXT, "result": TEXT}, {"attacker": TEXT, "defender": TEXT})
SCHEMA: Final[Schema] = view(
    {
        "phase": with_description(TEXT, "setup, play or over"),
        "turn": with_description(NUMBER, "from 1; 0 in the set-up"),
        "board": with_description(by_name(_PIECE), "by square the piece there"),
        "captured": with_description(
            by_name(list_of(TEXT)), "by seat the ranks of its pieces that were beaten"
        ),
        "battles": list_of(_BATTLE),
        "last": with_description(nullable(TEXT), "the last move"),
        "offer": OFFER,
    },
    {
        "ready": with_description(by_name(BOOLEAN), "in the set-up: by seat whether it has set up"),
        "army": with_description(by_name(NUMBER), "in the set-up: by rank how many"),
    },
)
