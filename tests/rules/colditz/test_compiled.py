"""The rules of Escape from Colditz as machine code are the same rules (docs/decisions/0009)."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boardrules.core import Action, Sample, State, View

ROOT = Path(__file__).resolve().parents[3]
GAMES = 120
CORE = (Action, Sample, State, View)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT)
    return importlib.import_module("benchmarks.compiled")


@pytest.fixture
def built(compiled: Any) -> Path:
    """Where the compiled rules are."""
    if compiled.missing():
        pytest.skip(compiled.missing())
    where: Path = compiled.build()
    return where


def python(*words: str, first: Path | None = None) -> str:
    """What a Python says that finds these packages first."""
    path = [
        *([first] if first else []),
        *(ROOT / name for name in ("tests", "controller", "hardware", "sim")),
    ]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    told = subprocess.run([sys.executable, *words], cwd=ROOT, env=env, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout[-3000:] + told.stderr[-3000:]
    return told.stdout


def test_every_module_is_compiled_or_left_for_a_reason(compiled: Any) -> None:
    for game, seldom in compiled.SELDOM.items():
        there = {path.stem for path in (ROOT / "controller/boardrules" / game).rglob("[!_]*.py")}
        left = compiled.FACES | seldom
        assert left <= there, "named, but not there any more"
        assert {Path(path).stem for path in compiled.modules() if f"/{game}/" in path} == there - left


def test_what_is_left_as_a_face_inherits_from_the_core(compiled: Any) -> None:
    loop = (
        "castle.actions deck.hidden legal.action_cache legal.listing legal.parts moving.walking play position"
        " state.draft state.facts state.moves state.rules turn.turns turn.vocabulary views"
    )
    made = {}
    for name in loop.split():
        module = importlib.import_module(f"boardrules.colditz.{name}")
        kinds = [kind for kind in vars(module).values() if getattr(kind, "__module__", "") == module.__name__]
        made[name.rpartition(".")[2]] = any(
            isinstance(kind, type) and issubclass(kind, CORE) for kind in kinds
        )
    assert {name for name, face in made.items() if face} == compiled.FACES
    assert not compiled.SELDOM["colditz"] & made.keys()


@pytest.mark.slow
def test_mypyc_takes_the_rules_as_they_are(compiled: Any, tmp_path: Path) -> None:
    compiled.translate(tmp_path / "rules")
    assert list((tmp_path / "rules" / "build").glob("*.c")), "no C was made"


@pytest.mark.prove
def test_what_mypyc_refuses_is_told(compiled: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "modules", lambda: ["boardrules/colditz/play.py"])
    with pytest.raises(compiled.CannotCompile, match=r"play\.py:\d+: error: Inheriting"):
        compiled.translate(tmp_path / "rules")


@pytest.mark.parametrize(
    ("spoil", "text"),
    [
        (
            lambda patch, where: patch.setenv("CC", "no-such-compiler -O2"),
            r"no C compiler \(no-such-compiler\)",
        ),
        (
            lambda patch, where: (
                patch.setenv("CC", "true"),
                patch.setattr("sysconfig.get_path", lambda name: str(where)),
            ),
            "headers are not there",
        ),
        (lambda patch, where: (patch.setenv("CC", " "), patch.setenv("PATH", "")), r"no C compiler \(cc\)"),
    ],
)
def test_what_this_machine_lacks_is_told(
    compiled: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spoil: Callable[..., None], text: str
) -> None:
    spoil(monkeypatch, tmp_path)
    with pytest.raises(compiled.CannotCompile, match=text):
        compiled.build(tmp_path / "rules")
    assert not (tmp_path / "rules").exists()


@pytest.mark.prove
def test_a_compiler_that_fails_leaves_nothing_and_is_told_in_a_line(
    compiled: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if compiled.missing():
        pytest.skip(compiled.missing())
    monkeypatch.setenv("CC", "false")
    with pytest.raises(compiled.CannotCompile, match=r"^mypyc or the C compiler refused it: .+$"):
        compiled.build(tmp_path / "rules")
    assert not list(tmp_path.iterdir())


def test_a_directory_that_can_not_be_made_is_told(
    compiled: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(compiled, "missing", lambda: None)  # with a compiler or without
    (tmp_path / "file").write_text("")
    with pytest.raises(compiled.CannotCompile, match=r"file/rules: (Not a directory|File exists)"):
        compiled.build(tmp_path / "file" / "rules")


@pytest.mark.prove
def test_machine_code_plays_the_same_games(built: Path, record_property: Any) -> None:
    """Seeded games by all options go on alike: lists, odds, events, views of all, and the whole truth."""
    program = str(Path(__file__).with_name("fingerprint.py"))
    plain = json.loads(python(program, str(GAMES)))
    fast = json.loads(python(program, str(GAMES), first=built))
    assert plain["position"].endswith(".py")
    assert not fast["position"].endswith(".py")
    assert plain["seen"] == fast["seen"]
    record_property("games", GAMES)
    record_property("actions", plain["seen"][0])


@pytest.mark.prove
def test_machine_code_passes_the_tests_of_the_game(built: Path, record_property: Any) -> None:
    """All tests of these rules hold for the compiled ones; those that alter them as only Python can, skip."""
    words = (
        "-m",
        "pytest",
        "-q",
        "-m",
        "not prove",
        "-p",
        "no:cacheprovider",
        "-n",
        "2",
        "tests/rules/colditz",
    )
    told = python(*words, first=built)
    closing = told.strip().splitlines()[-1]
    assert " skipped" in closing, "those that alter rules did not skip: were they compiled?"
    record_property("pytest", closing)
