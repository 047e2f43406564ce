"""Frozen classes that share their functions behave as those of `dataclasses` do."""

from __future__ import annotations

import dataclasses
from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any

import pytest

from boardware.frozen import frozen


def plain() -> type:
    class Thing:
        name: str
        size: int = 3
        parts: list[int] = field(default_factory=list)
        note: str = field(default="", compare=False, repr=False)

    Thing.__qualname__ = "Thing"
    return Thing


Ours: Any = frozen(plain())
Theirs: Any = dataclass(frozen=True)(plain())
GIVEN: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    (("a",), {}),
    (("a", 4), {"note": "n"}),
    ((), {"name": "b", "parts": [1]}),
    (("a", 3, [], "other"), {}),
]


@pytest.mark.parametrize(("words", "named"), GIVEN)
def test_they_hold_say_and_replace_the_same(words: tuple[Any, ...], named: dict[str, Any]) -> None:
    ours, theirs = Ours(*words, **named), Theirs(*words, **named)
    assert repr(ours) == repr(theirs)
    assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
    assert dataclasses.asdict(replace(ours, size=9)) == dataclasses.asdict(replace(theirs, size=9))


def test_they_are_equal_where_theirs_are() -> None:
    made = [[kind(*words, **named) for words, named in GIVEN] for kind in (Ours, Theirs)]
    ours, theirs = ([[one == other for other in things] for one in things] for things in made)
    assert ours == theirs
    assert Ours("a") != Theirs("a")
    assert hash(Ours("a", 3, (), "x")) == hash(Ours("a", 3, (), "y"))


@pytest.mark.parametrize(
    ("words", "named"), [((), {}), (("a", 1, [], "", 5), {}), (("a",), {"name": "b"}), (("a",), {"nome": 1})]
)
def test_they_refuse_what_theirs_refuse(words: tuple[Any, ...], named: dict[str, Any]) -> None:
    for kind in (Ours, Theirs):
        with pytest.raises(TypeError):
            kind(*words, **named)


def test_nothing_of_them_can_be_changed() -> None:
    thing = Ours("a")
    with pytest.raises(FrozenInstanceError, match=r"Thing\.size"):
        thing.size = 5
    with pytest.raises(FrozenInstanceError):
        del thing.name
    assert thing == Ours("a")
