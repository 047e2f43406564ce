"""Named tuples that cost a start little.

For each class `typing.NamedTuple` compiles a constructor and the type of every field, in every process that
imports it: a quarter of a millisecond on a PC, ten times that on a small Pi, and a board needs more than a
hundred such classes. Here classes with as many fields share what was compiled for the first of them, and
types stay text. What is made is the same: a subclass of `tuple` with the same methods, as fast to make and to
read.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import _tuplegetter  # what the fields of the library's own named tuples are
    from types import FunctionType

    class _Declared(type):
        """Turns the body of a class into a plain subclass of `tuple`."""

        def __new__(kind, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:  # `NamedTuple` itself
                return super().__new__(kind, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name}: a field without a default follows one that has one")
            getters = {field: _tuplegetter(place, None) for place, field in enumerate(fields)}
            made = {
                "__slots__": (),
                "__new__": _constructor(body["__qualname__"], fields, tuple(defaults.values())),
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
            }
            return type(name, (tuple,), {**_METHODS, **body, **made, **getters})

    class NamedTuple(metaclass=_Declared):
        """Inherit from it as from `typing.NamedTuple`."""

    def _constructor(name: str, fields: tuple[str, ...], defaults: tuple[Any, ...]) -> FunctionType:
        code = _shared(len(fields)).replace(
            co_varnames=("_cls", *fields), co_name="__new__", co_qualname=f"{name}.__new__"
        )
        return FunctionType(code, {"_new": tuple.__new__, "__builtins__": {}}, "__new__", defaults)

    @functools.cache
    def _shared(count: int) -> Any:
        """The code of a constructor of so many fields, whose names are put in for each class."""
        names = "".join(f"_{place}," for place in range(count))
        return compile(f"lambda _cls, {names}: _new(_cls, ({names}))", __name__, "eval").co_consts[0]

    def _make(cls, values) -> Self:
        values = tuple(values)
        if len(values) != len(cls._fields):
            raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(values)}")
        return tuple.__new__(cls, values)

    def _replace(self, /, **changes: Any) -> Self:
        made = tuple.__new__(type(self), map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"Got unexpected field names: {list(changes)!r}")
        return made

    def _repr(self) -> str:
        named = ", ".join([f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True)])
        return f"{type(self).__name__}({named})"

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def _values(self) -> tuple[Any, ...]:
        return tuple(self)

    _METHODS = {
        "_make": classmethod(_make),
        "_replace": _replace,
        "__replace__": _replace,
        "_asdict": _asdict,
        "__repr__": _repr,
        "__getnewargs__": _values,
    }
