"""JSON Schema of the topics of a board.

`python -m boardumpire.web.hall.topics > docs/build/hall.schema.json` writes it.
"""

from __future__ import annotations

import json
from typing import Any

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
    with_description,
)

TOPIC_ROOT, FORMAT, FORMAT_VERSION = "boardumpire", "boardumpire-hall", 1
MESSAGES_IN_STATE = 8
"""How many messages the state repeats, for who was away for a moment."""

_TEXT_OR_TEXTS: Schema = {"anyOf": [TEXT, list_of(TEXT)]}
MESSAGE_SCHEMA: Schema = {
    "type": "object",
    "description": "a message to everybody",
    "properties": {
        "run": with_description(TEXT, "of which start of the board the number is"),
        "number": with_description(NUMBER, "from 1, one more for each message of that run"),
        "kind": with_description(TEXT, "ruling, fault, question, turn, over ..."),
        "t": with_description(NUMBER, "when, in ms of the board's own clock"),
        "text": with_description(_TEXT_OR_TEXTS, "what was said, in English"),
    },
    "required": ["run", "number", "kind", "t"],
    "additionalProperties": ANYTHING,
}
_CORRECTION_SCHEMA = fields({"do": TEXT, "space": nullable(TEXT), "seat": nullable(TEXT)}, {"name": TEXT})
_BOARD: Schema = {"type": "object", "additionalProperties": ANYTHING}
_CLOCKS_SCHEMA: Schema = {"type": "object", "additionalProperties": ANYTHING}
BOARD_SCHEMA: Schema = {
    "type": "object",
    "description": "what everybody sees on the board",
    "properties": {
        "chores": with_description(list_of(_CORRECTION_SCHEMA), "what has to be put right first"),
        "text": with_description(list_of(TEXT), "the same in English"),
        "marks": with_description(by_name(TEXT), "by lamp its mark"),
        "over": with_description(BOOLEAN, "whether the game is over"),
        "waits": with_description(nullable(TEXT), "why the game waits for its journal"),
        "boards": with_description(list_of(_BOARD), "each board of a table that has several"),
        "silent": with_description(list_of(TEXT), "which players of the machine are not answering"),
        "free": with_description(list_of(TEXT), "seats at which nobody sits"),
        "question": nullable({"type": "object", "additionalProperties": ANYTHING}),
        "proposal": nullable({"type": "object", "additionalProperties": ANYTHING}),
        "clocks": nullable(_CLOCKS_SCHEMA),
        "window": nullable({"type": "object", "additionalProperties": ANYTHING}),
        "reeds": list_of({"type": "object", "additionalProperties": ANYTHING}),
    },
    "required": ["chores", "text", "marks", "over"],
    "additionalProperties": ANYTHING,
}
VIEW_SCHEMA: Schema = {
    "type": "object",
    "description": "what everybody may know; `schema` of `boardumpire referee` describes each game's",
    "properties": {
        "game": TEXT,
        "to_act": with_description(list_of(TEXT), "the seats that are to do something"),
    },
    "required": ["game", "to_act"],
    "additionalProperties": ANYTHING,
}
STATE_SCHEMA: Schema = {
    "type": "object",
    "properties": {
        "format": with_description(TEXT, FORMAT),
        "version": with_description(NUMBER, str(FORMAT_VERSION)),
        "run": with_description(TEXT, "changes with each start of the board"),
        "table": with_description(
            BOOLEAN, "whether there is a table; if not, the rest is as it was, or missing"
        ),
        "told": with_description(
            list_of(MESSAGE_SCHEMA), f"the latest messages, {MESSAGES_IN_STATE} at most, newest last"
        ),
        "seats": with_description(list_of(TEXT), "the seats of the game"),
        "players": with_description(
            by_name(TEXT), "by seat what it is called where somebody sits who gave a name"
        ),
        "view": VIEW_SCHEMA,
        "board": BOARD_SCHEMA,
        "clocks": with_description(
            nullable(_CLOCKS_SCHEMA), "what each seat has left; null where time is not limited"
        ),
    },
    "required": ["format", "version", "run", "table", "told"],
    "additionalProperties": False,
}


def schema() -> dict[str, Any]:
    """By topic below `boardumpire/NAME` what is published there."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{FORMAT} version {FORMAT_VERSION}",
        "description": "What a board publishes below boardumpire/NAME, by topic",
        "type": "object",
        "properties": {
            "online": with_description(BOOLEAN, "retained; false once the board is off or its line is lost"),
            "state": with_description(STATE_SCHEMA, "retained: what a spectator sees now"),
            "told": with_description(MESSAGE_SCHEMA, "each message as it is told"),
        },
        "additionalProperties": False,
    }


if __name__ == "__main__":
    print(json.dumps(schema(), indent=1))
