"""Requests as lines: what a verb takes, and what is answered to a line that can't be understood."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from boardrules import schema
from boardrules.ranges import shown
from boardrules.schema import TEXT, Schema

PROTOCOL = 1
LONGEST = 1_000_000
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
    needed: bool = True


class RequestVerb(NamedTuple):
    """What can be asked."""

    means: str
    """In one line, for `help`."""
    fields: Mapping[str, RequestField] = {}
    answer: Mapping[str, Schema] = {}
    """What an answer holds beside `ok` that is true."""
    more: Mapping[str, Schema] = {}
    """What it may hold."""


SEAT = RequestField(TEXT, "the name of a seat")
VIEWER = RequestField(schema.maybe(TEXT), "the name of a seat, or null for the spectator")
AT = RequestField(TEXT, "the name of one of several games", needed=False)
"""Every verb about a game takes it; without it the game is the one that has no name."""


def read(line: str, verbs: Mapping[str, RequestVerb]) -> tuple[str, dict[str, Any]]:
    """A line's verb and fields, checked. Raises `BadLine`."""
    if len(line) > LONGEST:
        raise BadLine("too-long", f"a line of {len(line)} characters; expected at most {LONGEST}")
    try:
        request = json.loads(line, object_pairs_hook=_once, parse_constant=_no_number, parse_float=_finite)
    except _TwiceError as error:
        raise BadLine(
            "bad-json", f"{short(str(error))} stands there twice; expected each name once"
        ) from None
    except _NoNumberError as error:
        raise BadLine("bad-json", f"{error} is no number of JSON; expected a finite one") from None
    except (ValueError, RecursionError):
        raise BadLine("bad-json", f"{short(line.strip())} is not JSON; expected one object a line") from None
    if not isinstance(request, dict):
        raise BadLine("bad-json", f"{short(request)} is no object; expected one with a field do")
    verb = request.pop("do", None)
    known = verbs.get(verb) if isinstance(verb, str) else None
    if known is None:
        raise BadLine("unknown-verb", f"do is {short(verb)}; expected one of {', '.join(verbs)}")
    for name, value in request.items():
        field = known.fields.get(name)
        if field is None:
            expected = f"expected {', '.join(known.fields)}" if known.fields else "expected no more fields"
            raise BadLine("unknown-field", f"{verb}: unknown field {short(name)}; {expected}")
        if not schema.fits(value, field.schema):
            raise BadLine("wrong-type", f"{verb}: {name} is {short(value)}; expected {field.expected}")
    for name, field in known.fields.items():
        if field.needed and name not in request:
            raise BadLine("missing-field", f"{verb}: {name} is missing; expected {field.expected}")
    return verb, request


class _TwiceError(ValueError):
    """A name that stands twice in one object."""


class _NoNumberError(ValueError):
    """`NaN`, or a number that is too large."""


def _no_number(text: str) -> float:
    raise _NoNumberError(text)


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text[:20])


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _TwiceError(name)
        found[name] = value
    return found


def helped(verbs: Mapping[str, RequestVerb], verb: str | None) -> Answer:
    """What there is to ask, or what one verb takes. Raises `BadLine`."""
    if verb is not None and verb not in verbs:
        raise BadLine("unknown-verb", f"help: verb is {short(verb)}; expected one of {', '.join(verbs)}")
    asked = verbs if verb is None else {verb: verbs[verb]}
    told = {
        name: {
            "means": each.means,
            "fields": {
                field: {"expected": known.expected, "needed": known.needed, "schema": known.schema}
                for field, known in each.fields.items()
            },
            "answer": answer_schema(each),
        }
        for name, each in asked.items()
    }
    return {"ok": True, "verbs": told}


OK: Final[Schema] = {"type": "boolean"}
ERROR: Final[Schema] = schema.some({"code": TEXT, "text": TEXT})
REFUSAL: Final[Schema] = schema.some({"code": TEXT, "rule": TEXT, "text": TEXT}, {"public": TEXT})
FAILED: Final[Schema] = {
    "anyOf": [schema.some({"ok": OK, "error": ERROR}), schema.some({"ok": OK, "refusal": REFUSAL})]
}
"""An answer whose `ok` is false."""


def request_schema(name: str, verb: RequestVerb) -> Schema:
    """What a request of that verb is."""
    fields = {field: schema.of(known.schema, known.expected) for field, known in verb.fields.items()}
    needed = {field: each for field, each in fields.items() if verb.fields[field].needed}
    others = {field: each for field, each in fields.items() if field not in needed}
    return schema.of(schema.fields({"do": schema.of(TEXT, name), **needed}, others), verb.means)


def answer_schema(verb: RequestVerb) -> Schema:
    """What its answer is, if its `ok` is true."""
    return schema.some({"ok": OK, **verb.answer}, dict(verb.more))


def table(verbs: Mapping[str, RequestVerb]) -> str:
    """All of them as a table in Markdown."""
    rows = ["| verb | fields (in brackets: may be left out) | answer |", "|---|---|---|"]
    for name, verb in verbs.items():
        asked = ", ".join(
            (f"`{field}`" if known.needed else f"[`{field}`]")
            + (" (null: the spectator)" if known == VIEWER else "")
            for field, known in verb.fields.items()
        )
        told = {**verb.answer, **{field: each for field, each in verb.more.items() if "description" in each}}
        shown = [f"`{field}`{_described(each)}" for field, each in told.items()]
        rows.append(f"| `{name}` | {asked} | {', '.join(shown)} |")
    return "\n".join(rows) + "\n"


def _described(part: Schema) -> str:
    return f" ({part['description']})" if "description" in part else ""


def short(value: object) -> str:
    """A value as an error shows it."""
    text = shown(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def error(code: str, text: str) -> Answer:
    """The answer to what can't be done."""
    return {"ok": False, "error": {"code": code, "text": text}}
