"""`make release` makes all files of a version, and the same ones wherever and whenever it runs."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import distributions

ROOT = Path(__file__).resolve().parents[2]
VERSION = distributions.projects()["boardumpire"]["version"]
PREFIX = f"boardumpire-{VERSION}"

pytestmark = pytest.mark.nightly


def released(
    source: Path, clone: Path, umask: int = 0o022, touched_s: int | None = None, **environ: str
) -> Path:
    """What `make release` leaves in a new clone, whose files were touched at a time."""
    subprocess.run(["git", "clone", "--quiet", source, clone], check=True, umask=umask)
    for path in clone.rglob("[!.]*"):
        if touched_s is not None and ".git" not in path.parts:
            os.utime(path, (touched_s, touched_s), follow_symlinks=False)
    command = ["make", "-s", "release", f"PYTHON={sys.base_prefix}/bin/python3"]
    environ = {**os.environ, **environ}
    made = subprocess.run(command, cwd=clone, capture_output=True, text=True, umask=umask, env=environ)
    assert made.returncode == 0, made.stdout + made.stderr
    return clone / "dist"


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two releases of one commit: other folders, times, time zones, languages, rights of new files."""
    folder = tmp_path_factory.mktemp("released")
    other = {"TZ": "Asia/Kolkata", "LC_ALL": "C", "PYTHONHASHSEED": "7", "COLUMNS": "44"}
    one, another = folder / "one", folder / "another/longer-name"
    return released(ROOT, one), released(one, another, 0o077, 1_000_000_000, **other)


def test_two_releases_of_a_commit_are_equal_byte_for_byte(twice: tuple[Path, Path]) -> None:
    one, other = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in twice)
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []


def test_the_checksums_are_of_all_files(twice: tuple[Path, Path]) -> None:
    lines = (twice[0] / "SHA256SUMS").read_text().splitlines()
    listed = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in twice[0].iterdir()}
    assert listed == {name: digest for name, digest in found.items() if name != "SHA256SUMS"}


def test_each_distribution_has_a_wheel_and_its_source_makes_the_same_one(
    twice: tuple[Path, Path], tmp_path: Path
) -> None:
    for name in distributions.projects():
        wheel, source = f"{name}-{VERSION}-py3-none-any.whl", f"{name}-{VERSION}.tar.gz"
        with tarfile.open(twice[0] / source) as archive:
            archive.extractall(tmp_path, filter="data")
        build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path]
        subprocess.run(build, cwd=tmp_path / f"{name}-{VERSION}", check=True, capture_output=True)
        with zipfile.ZipFile(tmp_path / wheel) as rebuilt, zipfile.ZipFile(twice[0] / wheel) as built:
            assert {each.filename: each.CRC for each in rebuilt.infolist()} == {
                each.filename: each.CRC for each in built.infolist()
            }


@pytest.mark.parametrize("arch", ["amd64", "arm64"])
def test_a_debian_package_holds_the_published_wheels(
    twice: tuple[Path, Path], arch: str, tmp_path: Path
) -> None:
    package = twice[0] / f"boardumpire_{VERSION}-1_{arch}.deb"
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path], check=True)
    held = {path.name: path for path in tmp_path.rglob("*.whl")}
    own = {name for name in held if name.partition("-")[0] in distributions.projects()}
    assert len(own) == 6
    assert all(held[name].read_bytes() == (twice[0] / name).read_bytes() for name in own)
    licences = (twice[0] / f"{PREFIX}-third-party-licences.txt").read_text()
    named = {
        re.sub(r"[-_.]+", "_", name).lower() for name in re.findall(r"^=+\n(\S+) ", licences, re.MULTILINE)
    }
    assert {name.partition("-")[0].lower() for name in held.keys() - own} <= named
    assert re.search(r"^pyodide \S+: MPL-2.0$", licences, re.MULTILINE)
    texts = re.split(r"^={80}\n", licences, flags=re.MULTILINE)[1:]
    assert [text for text in texts if len(text) < 500] == []
    mentioned = (tmp_path / "usr/share/doc/boardumpire/copyright").read_text()
    assert "Chris Liechti" in licences
    assert "Chris Liechti" in mentioned, "the wheel of pyserial holds no licence"


def test_the_bill_of_materials_names_all_that_packages_and_site_hold(twice: tuple[Path, Path]) -> None:
    bill = json.loads((twice[0] / f"{PREFIX}.cdx.json").read_text())
    listed = {(each["name"], each["version"]) for each in bill["components"]}
    locks = "".join((ROOT / "requirements" / name).read_text() for name in ("pi.txt", "maker.txt"))
    ours = {(name, VERSION) for name in distributions.projects()}
    of_packages = {*ours, *re.findall(r"^([a-z0-9.-]+)==(\S+)", locks, re.MULTILINE)}
    assert of_packages <= listed
    assert len(listed) == len(bill["components"])
    of_site = {"mkdocs-material", "mkdocstrings-python", "pyodide", "tweetnacl"}
    assert {name for name, _ in listed - of_packages} == of_site


def test_the_bill_of_materials_has_a_licence_of_each_part(twice: tuple[Path, Path]) -> None:
    path = twice[0] / f"{PREFIX}.cdx.json"
    licences = {each["name"]: each["licenses"] for each in json.loads(path.read_text())["components"]}
    assert licences["boardumpire"] == [{"expression": "MIT"}]
    assert licences["gpiozero"] == [{"expression": "BSD-3-Clause"}]
    assert licences["segno"] == [{"license": {"name": "BSD License"}}]
    check = (
        "import sys; from cyclonedx.schema import SchemaVersion;"
        "from cyclonedx.validation.json import JsonStrictValidator;"
        "sys.exit(JsonStrictValidator(SchemaVersion.V1_6).validate_str(sys.stdin.read()))"
    )
    docs = twice[0].parent / ".venv/docs/bin/python"
    checked = subprocess.run([docs, "-c", check], input=path.read_text(), capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def test_the_archives_hold_every_finished_board_and_circuit_and_the_site(twice: tuple[Path, Path]) -> None:
    for kind in ("made", "circuit"):
        for folder in filter(Path.is_dir, (ROOT / "hardware" / kind).iterdir()):
            name = {"made": "board", "circuit": "circuit"}[kind]
            with zipfile.ZipFile(twice[0] / f"{PREFIX}-{name}-{folder.name}.zip") as archive:
                assert {each.name for each in folder.iterdir()} == set(archive.namelist())
    with zipfile.ZipFile(twice[0] / f"{PREFIX}-site.zip") as archive:
        assert b"Boardumpire" in archive.read("site/index.html")
        assert b'href="tab/index.html"' in archive.read("site/try-it.html")
        assert b"Boardumpire in a tab" in archive.read("site/tab/index.html")
