"""Rows of named fields: what the positions of all games are made of."""

from __future__ import annotations

from typing import Any, ClassVar, Self


class Row:
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
        values = [changes.pop(name) if name in changes else getattr(self, name) for name in self.fields]
        if changes:
            raise TypeError(f"{type(self).__name__} has no {', '.join(changes)}")
        return type(self)(*values)

    def _values(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self.fields])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Row) or type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        named = ", ".join([f"{name}={getattr(self, name)!r}" for name in self.fields])
        return f"{type(self).__name__}({named})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _row, (type(self), self._values())


def _row(kind: type[Row], values: tuple[Any, ...]) -> Row:
    return kind(*values)
