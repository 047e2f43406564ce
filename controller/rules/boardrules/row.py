"""Rows of named fields: what the positions of all games are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, ClassVar, Final, Self


class FrozenRecord:
    """Some named facts of a position. Never changed: `but` makes another one.

    A subclass names its fields once more in `__init__`, which gives them their types and says what they mean.
    Not a dataclass: that module and `inspect` take too long to load on a small computer, and a frozen one
    takes more than four times as long to make.
    """

    __slots__: tuple[str, ...] = ()
    fields: ClassVar[tuple[str, ...]] = ()
    """The names of its fields, in the order in which `__init__` takes them."""

    def but(self, **changes: Any) -> Self:
        """The same with other values for these fields."""
        kind = type(self)
        read, places = _ACCESS.get(kind) or _access(kind)
        values = list(read(self))
        for name, value in changes.items():
            if name not in places:
                raise TypeError(f"{kind.__name__} has no {name}")
            values[places[name]] = value
        return kind(*values)

    def _values(self) -> tuple[Any, ...]:
        kind = type(self)
        read, _ = _ACCESS.get(kind) or _access(kind)
        return read(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FrozenRecord) or type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        named = ", ".join([f"{name}={getattr(self, name)!r}" for name in self.fields])
        return f"{type(self).__name__}({named})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _row, (type(self), self._values())


_Access = tuple[Callable[[Any], tuple[Any, ...]], Mapping[str, int]]
_ACCESS: Final[dict[type[FrozenRecord], _Access]] = {}
"""By kind of row what reads all its fields at once, and the place of each: one by one takes eight times as
long."""


def _access(kind: type[FrozenRecord]) -> _Access:
    fields = kind.fields
    read = attrgetter(*fields) if len(fields) > 1 else _one_by_one
    found = _ACCESS[kind] = read, {name: place for place, name in enumerate(fields)}
    return found


def _one_by_one(row: FrozenRecord) -> tuple[Any, ...]:
    return tuple([getattr(row, name) for name in row.fields])


def _row(kind: type[FrozenRecord], values: tuple[Any, ...]) -> FrozenRecord:
    return kind(*values)
