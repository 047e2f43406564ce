"""Rows of fields: what the parts of a position have in common."""

from __future__ import annotations

from typing import Any, ClassVar, Self


class Row:
    """Some fields of a position. Not a dataclass: that module and `inspect` take too long to load."""

    __slots__: tuple[str, ...] = ()
    fields: ClassVar[tuple[str, ...]] = ()
    """The names of its fields."""

    def _asdict(self) -> dict[str, Any]:
        """By field its value."""
        return {name: getattr(self, name) for name in self.fields}

    def _replace(self, **changes: Any) -> Self:
        """The same with other values."""
        return type(self)(**{**self._asdict(), **changes})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Row) or type(other) is not type(self):
            return NotImplemented
        return self._asdict() == other._asdict()

    def __hash__(self) -> int:
        return hash(tuple(self._asdict().values()))

    def __repr__(self) -> str:
        return f"<{type(self).__name__.lower()}: {self._asdict()}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _row, (type(self), self._asdict())


def _row(kind: type[Row], fields: dict[str, Any]) -> Row:
    return kind(**fields)
