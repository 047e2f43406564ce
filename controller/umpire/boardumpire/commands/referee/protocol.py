"""Requests as lines: what a verb takes, and what is answered to a line that can't be understood."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

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

    types: tuple[type, ...]
    expected: str
    needed: bool = True


class RequestVerb(NamedTuple):
    """What can be asked."""

    means: str
    """In one line, for `help`."""
    fields: Mapping[str, RequestField] = {}


SEAT = RequestField((str,), "the name of a seat")
VIEWER = RequestField((str, type(None)), "the name of a seat, or null for the spectator")
AT = RequestField((str,), "the name of one of several games", needed=False)
"""Every verb about a game takes it; without it the game is the one that has no name."""


def read(line: str, verbs: Mapping[str, RequestVerb]) -> tuple[str, dict[str, Any]]:
    """A line's verb and fields, checked. Raises `BadLine`."""
    if len(line) > LONGEST:
        raise BadLine("too-long", f"a line of {len(line)} characters; expected at most {LONGEST}")
    try:
        request = json.loads(line, object_pairs_hook=_once)
    except _TwiceError as error:
        raise BadLine(
            "bad-json", f"{short(str(error))} stands there twice; expected each name once"
        ) from None
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
        if not isinstance(value, field.types) or isinstance(value, bool):
            raise BadLine("wrong-type", f"{verb}: {name} is {short(value)}; expected {field.expected}")
    for name, field in known.fields.items():
        if field.needed and name not in request:
            raise BadLine("missing-field", f"{verb}: {name} is missing; expected {field.expected}")
    return verb, request


class _TwiceError(ValueError):
    """A name that stands twice in one object."""


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
                field: {"expected": known.expected, "needed": known.needed}
                for field, known in each.fields.items()
            },
        }
        for name, each in asked.items()
    }
    return {"ok": True, "verbs": told}


def short(value: object) -> str:
    """A value as an error shows it."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def error(code: str, text: str) -> Answer:
    """The answer to what can't be done."""
    return {"ok": False, "error": {"code": code, "text": text}}
