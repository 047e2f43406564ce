"""Named tuples of our own are what the library's are, and a start loads no more than it needs."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
import subprocess
import sys
import typing
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import boardrules.named
import boardware.named
from boardrules import entries


class Theirs(NamedTuple):
    """A note."""

    at: int
    words: list[str]
    """What was said."""
    loud: bool = False

    def first(self) -> str:
        return self.words[0]


class Ours(boardrules.named.NamedTuple):
    """A note."""

    at: int
    words: list[str]
    """What was said."""
    loud: bool = False

    def first(self) -> str:
        return self.words[0]


class Nothing(boardrules.named.NamedTuple):
    """No field at all."""


BOTH: Any = (Theirs, Ours)


def test_what_can_be_asked_of_the_class_is_the_same() -> None:
    for ask in (
        lambda kind: (kind.__doc__, kind._fields, kind._field_defaults, kind.__match_args__, kind.__slots__),
        lambda kind: kind.__mro__[1:],
        lambda kind: type(kind),
        lambda kind: list(inspect.signature(kind).parameters),
        typing.get_type_hints,
        lambda kind: kind.__new__.__defaults__,
    ):
        assert ask(Ours) == ask(Theirs)


def test_what_can_be_done_with_one_is_the_same() -> None:
    for do in (
        lambda note: repr(note).partition("(")[2],
        lambda note: (note.at, note.words, note.loud, note.first()),
        lambda note: tuple(note._replace(at=3, loud=True)),
        lambda note: (note._asdict(), len(note), note[1], tuple(type(note)._make((1, ["b"], True)))),
        lambda note: (note == (1, ["a"], False), note < (2,), note != note._replace(at=2)),
        lambda note: type(copy.deepcopy(note)) is type(note) and copy.deepcopy(note) == note,
        lambda note: type(pickle.loads(pickle.dumps(note))) is type(note),
        lambda note: note._replace() == note,
    ):
        ours, theirs = (do(kind(1, words=["a"])) for kind in BOTH)
        assert ours == theirs
    match Ours(1, ["a"]):
        case Ours(at, words, loud=loud):
            assert (at, words, loud) == (1, ["a"], False)
    assert (repr(Ours(1, [])), repr(Nothing()), tuple(Nothing())) == (
        "Ours(at=1, words=[], loud=False)",
        "Nothing()",
        (),
    )


@pytest.mark.parametrize(
    "wrong",
    [
        lambda kind: kind(1),
        lambda kind: kind(1, [], True, 4),
        lambda kind: kind(1, [], at=2),
        lambda kind: kind(1, [], silent=True),
        lambda kind: kind._make((1, [])),
        lambda kind: kind(1, [])._replace(silent=True),
        lambda kind: setattr(kind(1, []), "at", 2),
        lambda kind: setattr(kind(1, []), "other", 2),
        lambda kind: hash(kind(1, [])),
    ],
)
def test_what_is_refused_is_the_same(wrong: Any) -> None:
    errors = []
    for kind in BOTH:
        with pytest.raises((TypeError, ValueError, AttributeError)) as told:
            wrong(kind)
        errors.append((told.type, str(told.value).replace("Theirs", "Ours")))
    assert errors[0] == errors[1]


def test_a_field_without_a_default_after_one_that_has_one_is_refused() -> None:
    with pytest.raises(TypeError, match="without a default"):

        class Wrong(boardrules.named.NamedTuple):
            at: int = 0
            words: str  # type: ignore[misc]


def test_the_hardware_has_the_same_module_since_it_may_import_no_rules() -> None:
    assert Path(boardware.named.__file__).read_text() == Path(boardrules.named.__file__).read_text()


def test_our_own_entry_points_are_those_that_the_library_finds() -> None:
    theirs = {(each.group, each.name): each.value for each in distribution("boardumpire").entry_points}
    assert {place: entry.value for place, entry in entries.own().items()} == theirs
    game = entries.own()["boardumpire.games", "stratego-classic"]
    assert game.load().id == "stratego-classic"


def test_where_nothing_is_installed_there_is_no_entry_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["/no/such/folder", ""])
    entries.own.cache_clear()
    try:
        assert entries.own() == {}
    finally:
        entries.own.cache_clear()


SELDOM = (
    "boardrules.art",
    "boardrules.record",
    "boardrules.teaching",
    "boardumpire.history",
    "boardumpire.journal.mending",
    "argparse",
    "boardumpire.makers",
    "boardumpire.printing",
    "boardumpire.service.voice",
    "boardumpire.tags.audit",
    "boardumpire.web",
    "importlib.metadata",
    "importlib.resources",
    "lzma",
    "shutil",
    "ssl",
)
"""What a board on a Pico without page, tags and voice does without."""


def test_a_start_loads_nothing_that_its_configuration_does_not_want() -> None:
    program = f"""
import sys
import boardumpire.cli
from boardumpire.commands import run
run._leave_out_openssl()
import boardumpire.commands.daemon, boardware.pico
import boardrules
boardrules.new("stratego-quick-duel")
print(*(name for name in {SELDOM!r} if name in sys.modules))
print(*(module.__file__ for name, module in sorted(sys.modules.items()) if name.startswith("board")))
"""
    told = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    needless, loaded = told.stdout.splitlines()
    assert needless == ""
    for path in loaded.split(" "):
        theirs = re.search(r"^from typing import .*NamedTuple", Path(path).read_text(), re.MULTILINE)
        assert theirs is None or path.endswith("/named.py"), f"{path}: a start takes named tuples of our own"
