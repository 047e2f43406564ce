"""Small words for JSON Schema, by which a game says what its views hold (`GamePackage.schema`).

Only a part of JSON Schema is used: `type`, `properties`, `required`, `additionalProperties`, `items`, `anyOf`
and
`description`. A program in any language can check a view against it, or make its types from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}
NUMBER: Final[Schema] = {"type": "integer"}
BOOLEAN: Final[Schema] = {"type": "boolean"}
ANYTHING: Final[Schema] = {}


def with_description(schema: Schema, description: str) -> Schema:
    """The same, with what it means."""
    return {**schema, "description": description}


def nullable(schema: Schema) -> Schema:
    """That, or `null`."""
    return {"anyOf": [schema, {"type": "null"}]}


def list_of(schema: Schema) -> Schema:
    """A list of such things."""
    return {"type": "array", "items": schema}


def by_name(schema: Schema) -> Schema:
    """An object whose names are data: spaces, seats, pieces."""
    return {"type": "object", "additionalProperties": schema}


def fields(needed: dict[str, Schema], others: dict[str, Schema] | None = None) -> Schema:
    """An object of just these fields; `others` may be missing."""
    properties = {**needed, **(others or {})}
    return {
        "type": "object",
        "properties": properties,
        "required": list(needed),
        "additionalProperties": False,
    }


def extensible_fields(needed: dict[str, Schema], others: dict[str, Schema] | None = None) -> Schema:
    """An object of these fields and any more; `others` may be missing."""
    return {**fields(needed, others), "additionalProperties": ANYTHING}


_PYTHON_TYPES: Final[Mapping[str, Any]] = {
    "string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None),
    "array": list, "object": dict,
}  # fmt: skip


def is_valid(value: object, schema: Mapping[str, Any]) -> bool:
    """Whether a value is what a schema of these words says."""
    if "anyOf" in schema:
        return any(is_valid(value, each) for each in schema["anyOf"])
    kind = schema.get("type")
    if kind is None:
        return True
    if not isinstance(value, _PYTHON_TYPES[kind]) or (isinstance(value, bool) and kind != "boolean"):
        return False
    if isinstance(value, list):
        return all(is_valid(part, schema.get("items", {})) for part in value)
    if isinstance(value, dict):
        known, more = schema.get("properties", {}), schema.get("additionalProperties", {})
        others = [part for name, part in value.items() if name not in known]
        return (
            all(name in value for name in schema.get("required", ()))
            and all(is_valid(part, known[name]) for name, part in value.items() if name in known)
            and (not others if more is False else all(is_valid(part, more) for part in others))
        )
    return True


OUTCOME: Final[Schema] = fields({"winner": nullable(TEXT), "reason": TEXT})
"""How a game ended."""
OFFER: Final[Schema] = nullable(fields({"seat": TEXT, "thing": TEXT}))
"""What a seat offers, and waits for an answer."""


def view(needed: dict[str, Schema], others: dict[str, Schema] | None = None) -> Schema:
    """A view: `game`, `seat`, `to_act`, `outcome` once the game is over, and what the game adds."""
    head = {
        "game": with_description(TEXT, "the id of the game"),
        "seat": with_description(nullable(TEXT), "whose view it is; null is the spectator's"),
        "to_act": with_description(list_of(TEXT), "whom the game waits for"),
    }
    return fields(
        {**head, **needed}, {"outcome": with_description(OUTCOME, "once it is over"), **(others or {})}
    )
