"""Mutants of the program: none that is known goes unnoticed."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from house import guards, mutants
from house.guards import GUARDS
from house.mutants import MUTANTS, ROOT, Mutant, mutated, survivors

GUARDED = [guard.mutant() for guard in GUARDS]
EVERY = [pytest.param(mutant, id=mutant.name) for each in (*MUTANTS.values(), GUARDED) for mutant in each]


@pytest.mark.parametrize("mutant", EVERY)
def test_a_mutant_can_still_be_made(mutant: Mutant) -> None:
    assert mutated(mutant) != (ROOT / mutant.file).read_text()
    files = [each for each in mutant.tests if each.startswith("tests/")]
    assert files
    assert all((ROOT / each).is_file() for each in files)


@pytest.mark.nightly
@pytest.mark.parametrize("about", MUTANTS)
def test_no_mutant_survives(about: str, tmp_path: Path, record_property: Any) -> None:
    """In a copy of the program one guard is dropped, one comparison flipped or one limit moved by one, and a
    test that is named for it fails: of tracking, ruling, lamps, link, rules, and of what keeps secrets."""
    alive = survivors(MUTANTS[about], tmp_path / "copy")
    record_property(f"mutants of {about}", len(MUTANTS[about]))
    record_property("survivors", len(alive))
    assert not alive


@pytest.mark.nightly
@pytest.mark.parametrize("file", dict.fromkeys(guard.file for guard in GUARDS))
def test_no_guard_of_the_page_can_go_unnoticed(file: str, tmp_path: Path, record_property: Any) -> None:
    """Each guard is taken out of a copy of the program, and a test of the quick suite fails."""
    without = [mutant for mutant in GUARDED if mutant.file == file]
    alive = survivors(without, tmp_path / "copy")
    record_property(f"guards of {Path(file).name}", len(without))
    record_property("survivors", len(alive))
    assert not alive


def test_the_test_of_every_guard_is_there_and_all_are_printed() -> None:
    """The page about security says with which command."""
    command = "PYTHONPATH=tests .venv/bin/python -m house.guards"
    assert command in (ROOT / "docs/understand/security.md").read_text()
    assert guards.table().count("\n") == len(GUARDS) + 2
    for guard in GUARDS:
        file, _, which = guard.test.partition("::")
        found = (ROOT / file).read_text()
        assert any(f"{each.strip()}" in found for each in which.split(" or ")), guard.name


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small house: one module, one test."""
    root = tmp_path / "house"
    files = {
        "pyproject.toml": "",
        "controller/house/pyproject.toml": "",
        "controller/house/doors.py": "def open_at(hour):\n    return 8 <= hour < 18\n",
        "tests/test_doors.py": "import doors\ndef test():\n    assert doors.open_at(8)\n",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def door(there: str, without: str, *tests: str) -> Mutant:
    return Mutant(f"{without} for {there}", "controller/house/doors.py", there, without, tests)


@pytest.mark.slow
def test_who_survives_is_named_and_who_is_killed_is_not(tree: Path) -> None:
    test = "tests/test_doors.py"
    tried = [door("8 <=", "8 <", test), door("< 18", "<= 18", test), door("return 8", "return 9", test)]
    assert survivors(tried, tree.parent / "copy", tree) == ["<= 18 for < 18"]
    assert (
        tree / "controller/house/doors.py"
    ).read_text() == "def open_at(hour):\n    return 8 <= hour < 18\n"


@pytest.mark.parametrize(("text", "count"), [("< 19", 0), ("hour", 2)])
def test_a_mutant_whose_text_is_gone_or_not_the_only_one_says_so(tree: Path, text: str, count: int) -> None:
    with pytest.raises(
        LookupError, match=rf"stands {count} times in controller/house/doors.py, expected once"
    ):
        mutated(door(text, "!"), tree)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("mutant", "why"),
    [
        (door("8 <=", "8 <", "tests/test_windows.py"), "does not pass over the program as it is"),
        (door("def open_at", "import windows\ndef open_at", "tests/test_doors.py"), "the tests don't run"),
    ],
)
def test_tests_that_do_not_run_kill_nothing(tree: Path, mutant: Mutant, why: str) -> None:
    with pytest.raises(RuntimeError, match=why):
        survivors([mutant], tree.parent / "copy", tree)


@pytest.mark.few(1)
@pytest.mark.parametrize("how", [None, ("-I", "-c", "import boardumpire.cli as cli; print(cli.__file__)")])
def test_a_process_with_a_cleared_environment_runs_the_copy(
    how: tuple[str, ...] | None, tmp_path: Path
) -> None:
    """As tests start the daemon: else a mutant would survive whatever they look at."""
    mutants.copy_tree(tmp_path / "copy")
    mutants.install(tmp_path / "copy")
    own = tmp_path / "copy" / "environment" / "bin"
    cli = tmp_path / "copy" / "controller" / "umpire" / "boardumpire" / "cli.py"
    if how is None:
        cli.write_text("def main():\n    print(__file__)\n")
    command = [own / "boardumpire"] if how is None else [own / "python", *how]
    said = subprocess.run(command, env={}, capture_output=True, text=True, check=True).stdout
    assert said.strip() == str(cli)


def test_mutants_have_names_of_their_own() -> None:
    names = [mutant.name for each in (*mutants.MUTANTS.values(), GUARDED) for mutant in each]
    assert len(set(names)) == len(names)
