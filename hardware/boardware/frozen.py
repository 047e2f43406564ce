"""Frozen data classes that cost a start little.

`dataclass(frozen=True)` writes the source text of six functions for each class and compiles it, in every
process that imports it: a third of a millisecond on a PC, ten times that on a small Pi, and a board needs
thirty such classes. Here all share their functions. `fields`, `replace` and `asdict` work as usual.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from typing import Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field, Field))
def frozen(cls: type[T]) -> type[T]:
    """Decorate a class as `dataclass(frozen=True)` does; not for `__post_init__` and `InitVar`."""
    methods: dict[str, Callable[..., Any]] = {
        "__init__": _init,
        "__repr__": _repr,
        "__eq__": _eq,
        "__hash__": _hash,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
    }
    for name, method in methods.items():
        setattr(cls, name, method)
    return dataclass(init=False, repr=False, eq=False)(cls)


_PARTS: dict[type, tuple[Field[Any], ...]] = {}
"""The fields of each class, once one was asked for: `fields` looks through them each time."""


def _parts(cls: type) -> tuple[Field[Any], ...]:
    found = _PARTS.get(cls)
    if found is None:
        found = _PARTS[cls] = fields(cls)
    return found


def _init(self: Any, *given: Any, **named: Any) -> None:
    parts = _parts(type(self))
    name = type(self).__name__
    if len(given) > len(parts):
        raise TypeError(f"{name} has {len(parts)} fields, {len(given)} were given")
    values = self.__dict__
    for part, value in zip(parts, given, strict=False):
        values[part.name] = value
    for part in parts[len(given) :]:
        if part.name in named:
            values[part.name] = named.pop(part.name)
        elif part.default is not MISSING:
            values[part.name] = part.default
        elif part.default_factory is not MISSING:
            values[part.name] = part.default_factory()
        else:
            raise TypeError(f"{name} lacks {part.name}")
    if named:
        raise TypeError(f"{name} doesn't take {', '.join(named)}, or it was given twice")


def _compared(self: Any) -> tuple[Any, ...]:
    return tuple(getattr(self, part.name) for part in _parts(type(self)) if part.compare)


def _repr(self: Any) -> str:
    told = (f"{part.name}={getattr(self, part.name)!r}" for part in _parts(type(self)) if part.repr)
    return f"{type(self).__name__}({', '.join(told)})"


def _eq(self: Any, other: object) -> bool:
    return _compared(self) == _compared(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_compared(self))


def _refuse(self: Any, name: str, *value: object) -> NoReturn:
    raise FrozenInstanceError(f"{type(self).__name__}.{name} can't be changed")
