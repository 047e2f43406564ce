"""The distributions: what brings which, what a removal leaves, and what runs with the rules alone."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import distributions
from boardwire.station import VERSION
from library import installed

BROUGHT = {
    "boardadapters": {"boardadapters", "boardrules"},
    "boardrules": {"boardrules"},
    "boardwire": {"boardwire"},
    "boardware": {"boardware", "boardwire"},
    "boardumpire": {"boardumpire", "boardrules", "boardware", "boardwire"},
    "boardmake": {"boardmake", "boardumpire", "boardrules", "boardware", "boardwire"},
    "boardlab": {"boardlab", "boardsim", "boardmake", "boardumpire", "boardrules", "boardware", "boardwire"},
    "boardsim": {"boardsim", "boardmake", "boardumpire", "boardrules", "boardware", "boardwire"},
}
"""What pip installs of ours with each."""
INSTALL = ("install", "--quiet", "--no-index", "--no-compile", "--find-links")
OURS = "import importlib.metadata as m, json; print(json.dumps([one.name for one in m.distributions()]))"


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    installed.wheels(folder)
    return folder


def ours(python: Path) -> set[str]:
    return set(json.loads(installed.run(python, "-c", OURS))) & distributions.projects().keys()


def test_all_have_one_version_licence_and_python() -> None:
    projects = distributions.projects().values()
    for key in ("version", "requires-python", "license", "license-files", "readme"):
        assert len({str(project[key]) for project in projects}) == 1, key
    (version,) = {project["version"] for project in projects}
    assert version == VERSION, "of the firmware"
    for project in projects:
        extras = project.get("optional-dependencies", {}).values()
        wanted = [*project["dependencies"], *(each for extra in extras for each in extra)]
        of_ours = [each for each in wanted if each.partition("==")[0].partition("[")[0] in BROUGHT]
        own = [each for each in of_ours if each.startswith(f"{project['name']}[")]
        assert all(each.endswith(f"=={version}") for each in set(of_ours) - set(own)), project["name"]


def test_each_holds_the_licence_of_the_project() -> None:
    licence = (distributions.ROOT / "LICENSE").read_bytes()
    for folder in distributions.folders():
        own = folder / "LICENSE"
        assert own.read_bytes() == licence, own
        assert not own.is_symlink(), f"{own}: the source distribution would hold the link alone"


@pytest.mark.slow
@pytest.mark.parametrize("folder", distributions.folders(), ids=lambda folder: folder.name)
def test_the_source_of_a_distribution_makes_the_same_wheel(folder: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-d"]
    subprocess.run([*build, tmp_path / "checkout"], cwd=folder, check=True, timeout=120)
    (source,) = (tmp_path / "checkout").glob("*.tar.gz")
    with tarfile.open(source) as archive:
        assert all(member.isfile() for member in archive), "no link leads out of it"
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.glob("*-*.*")
    subprocess.run([*build, tmp_path / "source", "-t", "wheel"], cwd=unpacked, check=True, timeout=120)
    (expected,), (made,) = ((tmp_path / way).glob("*.whl") for way in ("checkout", "source"))
    assert made.read_bytes() == expected.read_bytes()


def test_no_entry_point_is_written_twice() -> None:
    points = [
        (group, name)
        for project in distributions.projects().values()
        for group, entries in project.get("entry-points", {}).items()
        for name in entries
    ]
    assert len(points) > 30
    assert len(points) == len(set(points))


def test_a_distribution_owns_what_its_entry_points_name() -> None:
    for name, project in distributions.projects().items():
        groups = [project.get("scripts", {}), *project.get("entry-points", {}).values()]
        values = [value for group in groups for value in group.values()]
        assert {value.partition(".")[0] for value in values} <= {name}


@pytest.mark.slow
@pytest.mark.cases(2)
@pytest.mark.parametrize("name", ["boardadapters", "boardware", "boardumpire", "boardlab"])
def test_it_brings_the_distributions_below_it(name: str, wheels: Path, tmp_path: Path) -> None:
    python = installed.among_others(tmp_path)
    assert ours(python) == set()
    installed.pip(python, *INSTALL, wheels, name)
    assert ours(python) == BROUGHT[name]
    installed.run(python, "-c", f"import {name}")


@pytest.mark.slow
def test_removing_what_needs_the_rules_leaves_them_whole(wheels: Path, tmp_path: Path) -> None:
    python = installed.among_others(tmp_path)
    installed.pip(python, *INSTALL, wheels, *BROUGHT)
    assert subprocess.run([python.with_name("boardumpire"), "--version"], timeout=60).returncode == 0
    for name in sorted(BROUGHT.keys() - {"boardrules"}):
        installed.pip(python, "uninstall", "--quiet", "--yes", name)
        assert installed.is_whole("boardrules", python)
    assert ours(python) == {"boardrules"}
    assert installed.run(python, "-c", "import boardrules; print(*boardrules.ids())").count("stratego") == 5


CONFIG = """
format = "boardumpire-config"
version = 1
[board]
name = "quick-battle-8x8-pico"
[drivers]
sensors = "pico"
lamps = "pico-lamps"
console = "pico-console"
[page]
listen = "127.0.0.1:0"
"""


@pytest.mark.slow
def test_the_daemon_runs_with_the_umpire_alone(wheels: Path, tmp_path: Path) -> None:
    """Neither what boards are made with, nor a simulator, nor the laboratory is there: it waits for its Pico,
    serves the page and says so."""
    python = installed.among_others(tmp_path / "environment")
    installed.pip(python, *INSTALL, wheels, "boardumpire")
    assert not {"boardmake", "boardsim", "boardlab"} & ours(python)
    program = python.with_name("boardumpire")
    config, notify = tmp_path / "boardumpire.toml", tmp_path / "notify"
    config.write_text(CONFIG)
    environ = {
        "STATE_DIRECTORY": str(tmp_path / "state"),
        "RUNTIME_DIRECTORY": str(tmp_path),
        "NOTIFY_SOCKET": str(notify),
    }
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready:
        ready.bind(str(notify))
        ready.settimeout(60)
        daemon = subprocess.Popen([program, "run", "--config", config], env=environ, cwd=tmp_path)
        try:
            while ready.recv(1000) != b"READY=1":
                pass
            status = subprocess.run(
                [program, "status", "--config", config], env=environ, capture_output=True, text=True
            )
        finally:
            daemon.terminate()
            code = daemon.wait(30)
    assert (status.returncode, code) == (0, 0), status.stderr
    assert "Pico" in status.stdout
    for words in (("make", "paper", "x"), ("lab",)):
        refused = subprocess.run([program, *words], env=environ, capture_output=True, text=True)
        assert refused.returncode == 2
        assert "in a checkout: make .venv/.dev" in refused.stderr


@pytest.mark.nightly
def test_the_tests_of_the_rules_run_with_the_rules_alone(wheels: Path, tmp_path: Path) -> None:
    python = installed.among_others(tmp_path)
    installed.pip(python, *INSTALL, wheels, "boardrules")
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow and not nightly"]
    command += [f"--basetemp={tmp_path / 'base'}", "tests/rules/test_ends.py", "tests/rules/test_record.py"]
    told = subprocess.run(command, cwd=distributions.ROOT, capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stdout[-3000:] + told.stderr[-3000:]
    collected = subprocess.run(
        [python, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", "tests"],
        cwd=distributions.ROOT, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert collected.returncode == 0, collected.stdout[-3000:]
    files = {line.partition("::")[0] for line in collected.stdout.splitlines() if "::" in line}
    assert {"tests/rules/test_ends.py", "tests/rules/colditz/test_arrests.py"} <= files
    assert (
        not {"tests/rules/test_announce.py", "tests/table/test_twins.py", "tests/hardware/test_gpio.py"}
        & files
    )
