"""`changes/` has a sentence for each change, and `make version` makes a section of the changelog of them."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from datetime import date
from pathlib import Path

import pytest

import distributions

ROOT = Path(__file__).resolve().parents[2]
CHANGELOG = ROOT / "CHANGELOG.md"
HEADING = re.compile(r"^## (\S+) - (\S+)$", re.MULTILINE)


def test_the_newest_section_is_of_the_version_that_all_distributions_have() -> None:
    version, day = HEADING.findall(CHANGELOG.read_text())[0]
    assert {project["version"] for project in distributions.projects().values()} == {version}
    assert date.fromisoformat(day)


def test_each_change_is_one_sentence_of_a_known_type() -> None:
    for path in (ROOT / "changes").iterdir():
        if path.name != "README.md":
            assert re.fullmatch(r"\+[a-z0-9-]+\.(added|changed|removed|fixed|security)\.md", path.name)
            assert re.fullmatch(r"[A-Z`][^\n]*\.\n", path.read_text()), path.name


@pytest.mark.slow
def test_make_version_writes_the_number_and_the_section(tmp_path: Path) -> None:
    subprocess.run(["make", "-s", ".venv/.docs"], cwd=ROOT, check=True)
    station = ROOT / "firmware/boardwire/station.py"
    metadata = [folder / "pyproject.toml" for folder in distributions.folders()]
    for path in [*metadata, station, CHANGELOG, ROOT / "Makefile", ROOT / "pyproject.toml"]:
        there = tmp_path / path.relative_to(ROOT)
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, there)
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    (tmp_path / "changes").mkdir()
    change = tmp_path / "changes" / "+clock.added.md"
    change.write_text("A sound tells that a clock runs out.\n")
    for words in (["init", "--quiet"], ["add", "--all", ":!.venv"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    make = ["make", "-s", "--old-file=.venv/.docs", "version", "NUMBER=9.8.7"]
    made = subprocess.run(make, cwd=tmp_path, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    changelog = (tmp_path / "CHANGELOG.md").read_text()
    assert changelog.endswith(CHANGELOG.read_text().partition("\n## ")[2])
    assert [version for version, _ in HEADING.findall(changelog)][:1] == ["9.8.7"]
    assert "### Added\n\n- A sound tells that a clock runs out.\n" in changelog
    assert not change.exists()
    projects = [tomllib.loads((tmp_path / p.relative_to(ROOT)).read_text()) for p in metadata]
    assert {table["project"]["version"] for table in projects} == {"9.8.7"}
    assert 'VERSION = "9.8.7"' in (tmp_path / station.relative_to(ROOT)).read_text()
