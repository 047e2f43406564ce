"""What a game says of its views is what they hold."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import boardrules
from boardrules.core import State
from rules import contract

TYPES = {"string": str, "integer": int, "boolean": bool, "null": type(None), "array": list, "object": dict}
WORDS = {"type", "properties", "required", "additionalProperties", "items", "anyOf", "description"}


def wrong(value: Any, schema: Mapping[str, Any], where: str = "") -> Iterator[str]:
    """Where a value isn't what its schema says: the part of JSON Schema that is used."""
    assert set(schema) <= WORDS, schema
    if "anyOf" in schema:
        if all(list(wrong(value, each, where)) for each in schema["anyOf"]):
            yield f"{where}: {value!r}"
        return
    kind = schema.get("type")
    if kind is None:
        return
    if not isinstance(value, TYPES[kind]) or (kind == "integer" and isinstance(value, bool)):
        yield f"{where}: {value!r} is no {kind}"
    elif kind == "array":
        for number, part in enumerate(value):
            yield from wrong(part, schema["items"], f"{where}[{number}]")
    elif kind == "object":
        known, more = schema.get("properties", {}), schema.get("additionalProperties", {})
        yield from (f"{where}.{name} is missing" for name in schema.get("required", ()) if name not in value)
        for name, part in value.items():
            if name in known or more is not False:
                yield from wrong(part, known.get(name, more), f"{where}.{name}")
            else:
                yield f"{where}.{name} is not described"


def check_views(state: State) -> None:
    schema = boardrules.package(state.game_id).schema()
    for seat in (None, *state.seats):
        assert list(wrong(state.view(seat).json(), schema)) == []


@pytest.mark.few(2)
@pytest.mark.parametrize("game", boardrules.games())
def test_views_are_what_the_schema_says(game: str) -> None:
    schema = boardrules.package(game).schema()
    assert schema["required"][:3] == ["game", "seat", "to_act"]
    json.dumps(schema)
    for seed in range(4):
        rng = random.Random(seed)
        state = boardrules.new(game)
        for count in range(700):
            if count % 7 == 0 or state.outcome is not None:
                check_views(state)
            if state.outcome is not None:
                break
            state, _ = state.apply(contract.choose(state, rng))


def test_a_schema_can_be_wrong() -> None:
    view = boardrules.new("stratego-duel").view(None).json()
    schema = boardrules.package("stratego-duel").schema()
    assert list(wrong({**view, "turn": "1", "new": 1}, schema)) == [
        ".turn: '1' is no integer",
        ".new is not described",
    ]
    del view["last"]
    assert list(wrong(view, schema)) == [".last is missing"]
