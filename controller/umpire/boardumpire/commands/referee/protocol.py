"""Requests as lines: what a verb takes, and what is answered to a line that can't be understood."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from boardrules import schema
from boardrules.ranges import value_text
from boardrules.schema import TEXT, Schema

PROTOCOL_VERSION = 1
LINE_MAX_CHARS = 1_000_000
"""Characters of a line. A whole record has less."""

Answer = dict[str, Any]


class BadLine(ValueError):  # noqa: N818
    """A line that can't be understood; the message says what was expected."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class RequestField(NamedTuple):
    """A field of a request."""

    schema: Schema
    expected: str
    is_required: bool = True


class RequestVerb(NamedTuple):
    """What can be asked."""

    summary: str
    """In one line, for `help`."""
    fields: Mapping[str, RequestField] = {}
    answer_fields: Mapping[str, Schema] = {}
    """What an answer holds beside `ok` that is true."""
    optional_answer_fields: Mapping[str, Schema] = {}
    """What it may hold."""


SEAT_FIELD = RequestField(TEXT, "the name of a seat")
VIEWER_FIELD = RequestField(schema.nullable(TEXT), "the name of a seat, or null for the spectator")
GAME_NAME_FIELD = RequestField(TEXT, "the name of one of several games", is_required=False)
"""Every verb about a game takes it; without it the game is the one that has no name."""


def parse_request(line: str, verbs: Mapping[str, RequestVerb]) -> tuple[str, dict[str, Any]]:
    """A line's verb and fields, checked. Raises `BadLine`."""
    if len(line) > LINE_MAX_CHARS:
        raise BadLine("too-long", f"a line of {len(line)} characters; expected at most {LINE_MAX_CHARS}")
    try:
        request = json.loads(
            line,
            object_pairs_hook=_dict_of_unique_names,
            parse_constant=_reject_non_finite,
            parse_float=_parse_finite,
        )
    except _DuplicateNameError as error:
        raise BadLine(
            "bad-json", f"{shorten(str(error))} stands there twice; expected each name once"
        ) from None
    except _NonFiniteNumberError as error:
        raise BadLine("bad-json", f"{error} is no number of JSON; expected a finite one") from None
    except (ValueError, RecursionError):
        raise BadLine(
            "bad-json", f"{shorten(line.strip())} is not JSON; expected one object a line"
        ) from None
    if not isinstance(request, dict):
        raise BadLine("bad-json", f"{shorten(request)} is no object; expected one with a field do")
    verb = request.pop("do", None)
    known = verbs.get(verb) if isinstance(verb, str) else None
    if known is None:
        raise BadLine("unknown-verb", f"do is {shorten(verb)}; expected one of {', '.join(verbs)}")
    for name, value in request.items():
        field = known.fields.get(name)
        if field is None:
            expected = f"expected {', '.join(known.fields)}" if known.fields else "expected no more fields"
            raise BadLine("unknown-field", f"{verb}: unknown field {shorten(name)}; {expected}")
        if not schema.is_valid(value, field.schema):
            raise BadLine("wrong-type", f"{verb}: {name} is {shorten(value)}; expected {field.expected}")
    for name, field in known.fields.items():
        if field.is_required and name not in request:
            raise BadLine("missing-field", f"{verb}: {name} is missing; expected {field.expected}")
    return verb, request


class _DuplicateNameError(ValueError):
    """A name that stands twice in one object."""


class _NonFiniteNumberError(ValueError):
    """`NaN`, or a number that is too large."""


def _reject_non_finite(text: str) -> float:
    raise _NonFiniteNumberError(text)


def _parse_finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _reject_non_finite(text[:20])


def _dict_of_unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _DuplicateNameError(name)
        found[name] = value
    return found


def help_answer(verbs: Mapping[str, RequestVerb], verb: str | None) -> Answer:
    """What there is to ask, or what one verb takes. Raises `BadLine`."""
    if verb is not None and verb not in verbs:
        raise BadLine("unknown-verb", f"help: verb is {shorten(verb)}; expected one of {', '.join(verbs)}")
    asked = verbs if verb is None else {verb: verbs[verb]}
    told = {
        name: {
            "means": each.summary,
            "fields": {
                field: {"expected": known.expected, "needed": known.is_required, "schema": known.schema}
                for field, known in each.fields.items()
            },
            "answer": answer_schema(each),
        }
        for name, each in asked.items()
    }
    return {"ok": True, "verbs": told}


OK_SCHEMA: Final[Schema] = {"type": "boolean"}
ERROR_SCHEMA: Final[Schema] = schema.extensible_fields({"code": TEXT, "text": TEXT})
REFUSAL_SCHEMA: Final[Schema] = schema.extensible_fields(
    {"code": TEXT, "rule": TEXT, "text": TEXT}, {"public": TEXT}
)
FAILED_SCHEMA: Final[Schema] = {
    "anyOf": [
        schema.extensible_fields({"ok": OK_SCHEMA, "error": ERROR_SCHEMA}),
        schema.extensible_fields({"ok": OK_SCHEMA, "refusal": REFUSAL_SCHEMA}),
    ]
}
"""An answer whose `ok` is false."""


def request_schema(name: str, verb: RequestVerb) -> Schema:
    """What a request of that verb is."""
    fields = {
        field: schema.with_description(known.schema, known.expected) for field, known in verb.fields.items()
    }
    needed = {field: each for field, each in fields.items() if verb.fields[field].is_required}
    others = {field: each for field, each in fields.items() if field not in needed}
    return schema.with_description(
        schema.fields({"do": schema.with_description(TEXT, name), **needed}, others), verb.summary
    )


def answer_schema(verb: RequestVerb) -> Schema:
    """What its answer is, if its `ok` is true."""
    return schema.extensible_fields(
        {"ok": OK_SCHEMA, **verb.answer_fields}, dict(verb.optional_answer_fields)
    )


def verbs_as_markdown(verbs: Mapping[str, RequestVerb]) -> str:
    """All of them as a table in Markdown."""
    rows = ["| verb | fields (in brackets: may be left out) | answer |", "|---|---|---|"]
    for name, verb in verbs.items():
        asked = ", ".join(
            (f"`{field}`" if known.is_required else f"[`{field}`]")
            + (" (null: the spectator)" if known == VIEWER_FIELD else "")
            for field, known in verb.fields.items()
        )
        told = {
            **verb.answer_fields,
            **{field: each for field, each in verb.optional_answer_fields.items() if "description" in each},
        }
        shown = [f"`{field}`{_description_suffix(each)}" for field, each in told.items()]
        rows.append(f"| `{name}` | {asked} | {', '.join(shown)} |")
    return "\n".join(rows) + "\n"


def _description_suffix(part: Schema) -> str:
    return f" ({part['description']})" if "description" in part else ""


def shorten(value: object) -> str:
    """A value as an error shows it."""
    text = value_text(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def error_answer(code: str, text: str) -> Answer:
    """The answer to what can't be done."""
    return {"ok": False, "error": {"code": code, "text": text}}
