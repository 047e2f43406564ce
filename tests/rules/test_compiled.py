"""The rules of all games as machine code are the same rules (docs/understand/performance.md)."""

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

import distributions
from house import same_games

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT)
    return importlib.import_module("boardlab.benchmarks.compiled")


@pytest.fixture
def built(compiled: Any) -> Path:
    """Where the compiled rules are."""
    if compiled.missing_build_tool():
        pytest.skip(compiled.missing_build_tool())
    where: Path = compiled.build()
    return where


@pytest.fixture
def built_soon(compiled: Any) -> Path:
    """Where they are as the C compiler makes them when it takes the least time."""
    if compiled.missing_build_tool():
        pytest.skip(compiled.missing_build_tool())
    where: Path = compiled.build(ROOT / "build" / "compiled-soon", level="0")
    return where


def python(*words: str, first: Path | None = None) -> str:
    """What a Python says that finds these packages first."""
    path = [
        *([first] if first else []),
        ROOT / "tests",
        *distributions.folders(),
    ]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    told = subprocess.run([sys.executable, *words], cwd=ROOT, env=env, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout[-3000:] + told.stderr[-3000:]
    return told.stdout


def test_every_module_is_compiled_or_left_for_a_reason(compiled: Any) -> None:
    for game, seldom in compiled.UNCOMPILED_MODULES.items():
        there = {path.stem for path in (ROOT / "controller/rules/boardrules" / game).rglob("[!_]*.py")}
        assert seldom <= there, "named, but not there any more"
        assert {Path(path).stem for path in compiled.modules() if f"/{game}/" in path} == there - seldom


@pytest.mark.slow
def test_mypyc_takes_the_rules_as_they_are(compiled: Any, tmp_path: Path) -> None:
    if not compiled.missing_build_tool():
        pytest.skip("there is a C compiler: the rules are compiled whole below")
    compiled.translate(tmp_path / "rules")
    assert list((tmp_path / "rules" / "build").glob("*.c")), "no C was made"


@pytest.mark.slow
def test_what_mypyc_refuses_is_told(compiled: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = "\n\ndef wrong() -> int:\n    return 'a text'\n"
    monkeypatch.setattr(compiled, "open_core_classes", lambda core: core + wrong)
    monkeypatch.setattr(compiled, "modules", lambda: ["boardrules/core.py"])
    with pytest.raises(compiled.CannotCompile, match=r"^mypyc or the C compiler refused it: .+$"):
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


@pytest.mark.nightly
def test_a_compiler_that_fails_leaves_nothing_and_is_told_in_a_line(
    compiled: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if compiled.missing_build_tool():
        pytest.skip(compiled.missing_build_tool())
    monkeypatch.setenv("CC", "false")
    with pytest.raises(compiled.CannotCompile, match=r"^mypyc or the C compiler refused it: .+$"):
        compiled.build(tmp_path / "rules")
    assert not list(tmp_path.iterdir())


def test_a_directory_that_can_not_be_made_is_told(
    compiled: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(compiled, "missing_build_tool", lambda: None)  # with a compiler or without
    (tmp_path / "file").write_text("")
    with pytest.raises(compiled.CannotCompile, match=r"file/rules: (Not a directory|File exists)"):
        compiled.build(tmp_path / "file" / "rules")


@pytest.mark.nightly
@pytest.mark.parametrize("kind", same_games.KINDS)
def test_machine_code_plays_the_same_games(built: Path, kind: str, record_property: Any) -> None:
    """200 seeded games of a kind have the hash that Python's have: events, views, lamps and records."""
    program = (
        "import sys, boardrules.core; from house import same_games; print(boardrules.core.__file__);"
        "print(same_games.fingerprint(sys.argv[1], int(sys.argv[2])))"
    )
    games = max(same_games.COUNTS)
    core, found = python("-c", program, kind, str(games), first=built).split()
    assert not core.endswith(".py")
    record_property("games", games)
    record_property("SHA-256", found)
    assert found == json.loads(same_games.EXPECTED.read_text())[kind][str(games)]


@pytest.mark.nightly
def test_machine_code_passes_the_tests_of_the_rules(built_soon: Path, record_property: Any) -> None:
    """All tests of the rules hold for the compiled ones; those that alter them as only Python can, skip."""
    words = ["-m", "pytest", "-q", "-m", "not nightly and not slow", "-p", "no:cacheprovider", "-n", "2"]
    told = python(*words, "tests/rules", first=built_soon)
    closing = told.strip().splitlines()[-1]
    assert " skipped" in closing, "those that alter rules did not skip: were they compiled?"
    record_property("pytest", closing)
