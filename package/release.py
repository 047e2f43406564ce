"""`make release`: all files that a version is published as, in `dist/`.

The same commit gives the same bytes: dates are those of the commit, and only files that git knows are packed.
The site has to be in `build/site` already.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from email.parser import HeaderParser
from importlib import metadata
from pathlib import Path

import build
from hatchling.build import build_sdist, build_wheel

ROOT = build.ROOT
INTO = ROOT / "dist"
DISTRIBUTIONS = (*build.OWN, "sim/lab")
DOCS = ROOT / ".venv/docs"
SITE = ROOT / "build/site"
TAB_LICENCES = "tab/LICENSES.txt"
SITE_PARTS = ("mkdocs-material", "mkdocstrings-python")
"""Distributions that put scripts and styles of theirs on the site."""


def main() -> None:
    """Empty `dist/` and fill it anew. Raises `CalledProcessError` where a tool fails."""
    changed = _git("status", "--porcelain")
    if changed:
        sys.exit(f"release: commit these files, or remove them, and try again:\n{changed.rstrip()}")
    os.environ["SOURCE_DATE_EPOCH"] = str(build.commit_time())
    shutil.rmtree(INTO, ignore_errors=True)
    INTO.mkdir()
    wheels = _python_packages()
    version = tomllib.loads((ROOT / DISTRIBUTIONS[0] / "pyproject.toml").read_text())["project"]["version"]
    packages = [build.build(arch, INTO) for arch in build.MACHINES]
    prefix = f"boardumpire-{version}"
    for name, files in _hardware().items():
        _zip(INTO / f"{prefix}-{name}.zip", files)
    site = {path.relative_to(SITE).as_posix(): path for path in SITE.rglob("*") if path.is_file()}
    _zip(INTO / f"{prefix}-site.zip", {f"site/{name}": path for name, path in site.items()})
    _bill_of_materials(wheels, INTO / f"{prefix}.cdx.json")
    (INTO / f"{prefix}-third-party-licences.txt").write_text("".join(_licences(packages)))
    made = sorted(INTO.iterdir())
    (INTO / "SHA256SUMS").write_text("".join(f"{build.digest(path)}  {path.name}\n" for path in made))
    print(*(path.relative_to(ROOT) for path in sorted(INTO.iterdir())), sep="\n")


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def _python_packages() -> list[Path]:
    """Build the wheel and the source archive of each distribution; the wheels."""
    for folder in DISTRIBUTIONS:
        with contextlib.chdir(ROOT / folder):
            build_sdist(str(INTO))
            build_wheel(str(INTO))
    return sorted(INTO.glob("*.whl"))


def _hardware() -> Mapping[str, Mapping[str, Path]]:
    """What is in each archive for makers, by the names inside."""
    archives: dict[str, dict[str, Path]] = {}
    for listed in _git("ls-files", "hardware/made", "hardware/circuit", "hardware/bases").splitlines():
        path = ROOT / listed
        _, kind, *folder, file = Path(listed).parts
        if kind == "made":
            name = f"board-{folder[0]}"
        elif kind == "circuit":
            name = f"circuit-{folder[0]}" if folder else "circuit-parts"
        else:
            name = "piece-bases"
        archives.setdefault(name, {})[file] = path
    return archives


def _zip(archive: Path, files: Mapping[str, Path]) -> None:
    """Pack files by their names inside, with the date of the commit."""
    date = time.gmtime(build.commit_time())[:6]
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, path in sorted(files.items()):
            about = zipfile.ZipInfo(name, date)
            about.external_attr = 0o100644 << 16
            about.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(about, path.read_bytes())


def _bill_of_materials(wheels: Iterable[Path], into: Path) -> None:
    """Write what a board's machine runs, as CycloneDX: our wheels, and others as the lock has them."""
    ours = "".join(f"./{wheel.name} --hash=sha256:{build.digest(wheel)}\n" for wheel in wheels)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
        listed.write(f"{build.LOCK.read_text()}{ours}")
        listed.flush()
        cyclonedx = [DOCS / "bin/python", "-W", "ignore", "-m", "cyclonedx_py", "requirements"]
        about = ["--output-reproducible", "--pyproject", ROOT / "controller/umpire/pyproject.toml"]
        subprocess.run([*cyclonedx, *about, "--output-file", into, listed.name], cwd=INTO, check=True)


def _licences(packages: Iterable[Path]) -> Iterator[str]:
    """The licences of what the Debian packages and the site hold that isn't ours."""
    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for package in packages:
            subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
        for wheel in sorted(Path(folder).rglob("*.whl")):
            with zipfile.ZipFile(wheel) as opened:
                texts = {
                    name: opened.read(name).decode(errors="replace")
                    for name in opened.namelist()
                    if _is_about(name)
                }
            found[wheel.name.partition("-")[0]] = _licence(texts)
    (libraries,) = DOCS.glob("lib/python*/site-packages")
    for name in SITE_PARTS:
        (part,) = metadata.distributions(name=name, path=[str(libraries)])
        paths = [path for path in part.files or () if _is_about(str(path))]
        found[name] = _licence({str(path): path.read_text() for path in paths})
    ours = {Path(wheel).name.partition("-")[0] for wheel in INTO.glob("*.whl")}
    for name in sorted(found.keys() - ours):
        yield f"{'=' * 80}\n{found[name]}\n"
    yield f"{'=' * 80}\nThe page of the site that plays in a browser\n\n{(SITE / TAB_LICENCES).read_text()}\n"


def _is_about(name: str) -> bool:
    """Whether a file of a wheel is its metadata or a licence."""
    folder, _, rest = name.partition(".dist-info/")
    words = ("licen", "copying", "notice", "authors")
    return "/" not in folder and (rest == "METADATA" or any(word in rest.lower() for word in words))


def _licence(texts: Mapping[str, str]) -> str:
    """What a distribution says of its licence, then the texts that it holds."""
    (name,) = (name for name in texts if name.endswith("/METADATA"))
    about = HeaderParser().parsestr(texts[name])
    named = [about["License-Expression"], *(about["License"] or "").splitlines()[:1]]
    named += [each for each in about.get_all("Classifier", []) if each.startswith("License ::")]
    held = [texts[each].rstrip() + "\n" for each in sorted(texts) if each != name]
    first = next((each for each in named if each and each != "UNKNOWN"), "")
    return "\n".join([f"{about['Name']} {about['Version']}", first, "", *held])


if __name__ == "__main__":
    main()
