"""JSON Schema of the topics of a board.

`python -m boardumpire.web.hall.topics > docs/build/hall.schema.json` writes it.
"""

from __future__ import annotations

import json
from typing import Any

from boardrules.schema import (
    ANYTHING,
    NUMBER,
    TEXT,
    YES_NO,
    Schema,
    by_name,
    fields,
    maybe,
    of,
    rows,
)

ROOT, FORMAT, VERSION = "boardumpire", "boardumpire-hall", 1
LATEST = 8
"""How many messages the state repeats, for who was away for a moment."""

_TEXT_OR_TEXTS: Schema = {"anyOf": [TEXT, rows(TEXT)]}
TOLD: Schema = {
    "type": "object",
    "description": "a message to everybody",
    "properties": {
        "run": of(TEXT, "of which start of the board the number is"),
        "number": of(NUMBER, "from 1, one more for each message of that run"),
        "kind": of(TEXT, "ruling, fault, question, turn, over ..."),
        "t": of(NUMBER, "when, in ms of the board's own clock"),
        "text": of(_TEXT_OR_TEXTS, "what was said, in English"),
    },
    "required": ["run", "number", "kind", "t"],
    "additionalProperties": ANYTHING,
}
_CHORE = fields({"do": TEXT, "space": maybe(TEXT), "seat": maybe(TEXT)}, {"name": TEXT})
_CLOCKS: Schema = {"type": "object", "additionalProperties": ANYTHING}
BOARD: Schema = {
    "type": "object",
    "description": "what everybody sees on the board",
    "properties": {
        "chores": of(rows(_CHORE), "what has to be put right first"),
        "text": of(rows(TEXT), "the same in English"),
        "marks": of(by_name(TEXT), "by lamp its mark"),
        "over": of(YES_NO, "whether the game is over"),
        "waits": of(maybe(TEXT), "why the game waits for its journal"),
        "silent": of(rows(TEXT), "which players of the machine are not answering"),
        "free": of(rows(TEXT), "seats at which nobody sits"),
        "question": maybe({"type": "object", "additionalProperties": ANYTHING}),
        "proposal": maybe({"type": "object", "additionalProperties": ANYTHING}),
        "clocks": maybe(_CLOCKS),
        "window": maybe({"type": "object", "additionalProperties": ANYTHING}),
        "reeds": rows({"type": "object", "additionalProperties": ANYTHING}),
    },
    "required": ["chores", "text", "marks", "over"],
    "additionalProperties": ANYTHING,
}
VIEW: Schema = {
    "type": "object",
    "description": "what everybody may know; `schema` of `boardumpire referee` describes each game's",
    "properties": {"game": TEXT, "to_act": of(rows(TEXT), "the seats that are to do something")},
    "required": ["game", "to_act"],
    "additionalProperties": ANYTHING,
}
STATE: Schema = {
    "type": "object",
    "properties": {
        "format": of(TEXT, FORMAT),
        "version": of(NUMBER, str(VERSION)),
        "run": of(TEXT, "changes with each start of the board"),
        "table": of(YES_NO, "whether there is a table; if not, the rest is as it was, or missing"),
        "told": of(rows(TOLD), f"the latest messages, {LATEST} at most, newest last"),
        "seats": of(rows(TEXT), "the seats of the game"),
        "players": of(by_name(TEXT), "by seat what it is called where somebody sits who gave a name"),
        "view": VIEW,
        "board": BOARD,
        "clocks": of(maybe(_CLOCKS), "what each seat has left; null where time is not limited"),
    },
    "required": ["format", "version", "run", "table", "told"],
    "additionalProperties": False,
}


def schema() -> dict[str, Any]:
    """By topic below `boardumpire/NAME` what is published there."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{FORMAT} version {VERSION}",
        "description": "What a board publishes below boardumpire/NAME, by topic",
        "type": "object",
        "properties": {
            "online": of(YES_NO, "retained; false once the board is off or its line is lost"),
            "state": of(STATE, "retained: what a spectator sees now"),
            "told": of(TOLD, "each message as it is told"),
        },
        "additionalProperties": False,
    }


if __name__ == "__main__":
    print(json.dumps(schema(), indent=1))
