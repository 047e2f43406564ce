"""The whole referee protocol as one JSON Schema, for programs in other languages.

`python -m boardumpire.commands.referee.protocol_schema` writes docs/program/referee-protocol.schema.json, and
with the word `table` the table of verbs of docs/program/referee-protocol.md.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from boardumpire.commands.referee import referee, seat_referee
from boardumpire.commands.referee.protocol import (
    FAILED_SCHEMA,
    PROTOCOL_VERSION,
    answer_schema,
    request_schema,
    verbs_as_markdown,
)

VERBS_BY_MODE = {"all": referee.VERBS, "seat": seat_referee.VERBS, "hosted": seat_referee.HOSTED_VERBS}
"""By who asks the verbs: who may know everything, one seat alone, one seat at a host's table."""


def schema() -> dict[str, Any]:
    """In `$defs` by who asks and verb the `request` and its `answer`; any may be answered as `failed`."""
    verbs = {
        mode: {
            name: {"request": request_schema(name, verb), "answer": answer_schema(verb)}
            for name, verb in known.items()
        }
        for mode, known in VERBS_BY_MODE.items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"boardumpire referee, protocol {PROTOCOL_VERSION}",
        "description": "A line is one request; it has one answer, whose ok is true, or which is as failed.",
        "$defs": {"failed": FAILED_SCHEMA, **verbs},
    }


if __name__ == "__main__":
    print(verbs_as_markdown(referee.VERBS) if sys.argv[1:] == ["table"] else json.dumps(schema(), indent=1))
