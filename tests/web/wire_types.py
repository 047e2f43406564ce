"""Writes the types of the wire for the scripts: `python -m web.wire_types`, from `boardumpire.web.wire`."""

from __future__ import annotations

import types
from pathlib import Path
from typing import Any, Literal, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

from boardumpire.web import wire

PATH = Path(__file__).resolve().parents[1] / "scripts" / "wire.d.ts"
HEAD = "// Made of boardumpire.web.wire by `PYTHONPATH=tests python -m web.wire_types`. Not to be edited.\n"
PLAIN = {str: "string", int: "number", bool: "boolean", types.NoneType: "null", Any: "any"}


def declared() -> str:
    """All shapes as TypeScript."""
    text = HEAD
    for name, shape in vars(wire).items():
        if is_typeddict(shape):
            hints = get_type_hints(shape, include_extras=True)
            fields = "".join(f"  {_field(field, kind)};\n" for field, kind in hints.items())
            text += f"\n/** {shape.__doc__} */\nexport interface {name} {{\n{fields}}}\n"
    for name in ("Frame", "Message"):
        text += f"\nexport type {name} = {_kind(getattr(wire, name))};\n"
    return text


def _field(name: str, kind: Any) -> str:
    if get_origin(kind) is NotRequired:
        return f"{name}?: {_kind(*get_args(kind))}"
    return f"{name}: {_kind(kind)}"


def _kind(kind: Any) -> str:
    if kind in PLAIN:
        return PLAIN[kind]
    if is_typeddict(kind):
        return str(kind.__name__)
    given, origin = get_args(kind), get_origin(kind)
    if origin is Literal:
        return " | ".join(f'"{each}"' for each in given)
    if origin is list:
        return f"{_kind(given[0])}[]"
    if origin is dict:
        return f"Record<{_kind(given[0])}, {_kind(given[1])}>"
    return " | ".join(_kind(each) for each in given)


if __name__ == "__main__":
    PATH.write_text(declared(), encoding="utf-8")
