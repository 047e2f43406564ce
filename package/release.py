"""`make release`: all files that a version is published as, in `dist/`.

The same commit gives the same bytes: dates are those of the commit, and only files that git knows are packed.
The site has to be in `build/site` already.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.parser import HeaderParser
from importlib import metadata
from pathlib import Path

import build
from hatchling.build import build_sdist, build_wheel
from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.utils import canonicalize_name

ROOT = build.ROOT
INTO = ROOT / "dist"
DISTRIBUTIONS = (*build.OWN, "sim/lab", "sim/adapters")
DOCS = ROOT / ".venv/docs"
SITE = ROOT / "build/site"
TAB_LICENCES = "tab/LICENSES.txt"
SITE_PARTS = ("mkdocs-material", "mkdocstrings-python")
"""Distributions that put scripts and styles of theirs on the site."""
TAB_PARTS = ("pyodide", "tweetnacl")
"""Packages of npm that are in the site's page with the umpire."""


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
    packages = [make(arch, INTO) for arch in build.MACHINES for make in (build.build, build.build_makers)]
    prefix = f"boardumpire-{version}"
    for name, files in _hardware().items():
        _zip(INTO / f"{prefix}-{name}.zip", files)
    site = {path.relative_to(SITE).as_posix(): path for path in SITE.rglob("*") if path.is_file()}
    _zip(INTO / f"{prefix}-site.zip", {f"site/{name}": path for name, path in site.items()})
    licences = {canonicalize_name(licence.name): licence for licence in _licences(wheels, packages)}
    _bill_of_materials(wheels, licences, INTO / f"{prefix}.cdx.json")
    others = [
        licences[name] for name in sorted(licences.keys() - {path.name.partition("-")[0] for path in wheels})
    ]
    (INTO / f"{prefix}-third-party-licences.txt").write_text("".join(_third_party(others)))
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


def _bill_of_materials(wheels: Iterable[Path], licences: Mapping[str, Licence], into: Path) -> None:
    """Write what is published, as CycloneDX: our wheels, what the locks of the Debian packages name, and what
    the site holds."""
    held = dict(build.locked(build.LOCK))
    locked = [*held.values(), *(lines for name, lines in build.locked(build.MAKERS_LOCK) if name not in held)]
    ours = "".join(f"./{wheel.name} --hash=sha256:{build.digest(wheel)}\n" for wheel in wheels)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
        listed.write("\n".join([*locked, ours]))
        listed.flush()
        cyclonedx = [DOCS / "bin/python", "-W", "ignore", "-m", "cyclonedx_py", "requirements"]
        about = ["--output-reproducible", "--pyproject", ROOT / "controller/umpire/pyproject.toml"]
        subprocess.run([*cyclonedx, *about, "--output-file", into, listed.name], cwd=INTO, check=True)
    bill = json.loads(into.read_text())
    bill["components"] += [_component("pypi", name, licences[name].version) for name in SITE_PARTS]
    for component in bill["components"]:
        component["licenses"] = [licences[canonicalize_name(component["name"])].as_cyclonedx()]
    for name in TAB_PARTS:
        told = json.loads((ROOT / "node_modules" / name / "package.json").read_text())
        licence = {"licenses": [{"expression": told["license"]}]}
        bill["components"].append({**_component("npm", name, told["version"]), **licence})
    into.write_text(json.dumps(bill, indent=2, sort_keys=True) + "\n")


def _component(registry: str, name: str, version: str) -> dict[str, object]:
    """A component that no lock of ours names by its hash, without its licence."""
    url = f"pkg:{registry}/{name}@{version}"
    return {"type": "library", "bom-ref": url, "name": name, "version": version, "purl": url}


def _licences(wheels: Iterable[Path], packages: Iterable[Path]) -> Iterator[Licence]:
    """The licences of our wheels, and of what the Debian packages and the site hold."""
    with tempfile.TemporaryDirectory() as folder:
        for package in packages:
            subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
        held = {wheel.name: wheel for wheel in (*Path(folder).rglob("*.whl"), *wheels)}
        for wheel in held.values():
            with zipfile.ZipFile(wheel) as opened:
                names = [name for name in opened.namelist() if _is_about(name)]
                yield Licence.read({name: opened.read(name).decode(errors="replace") for name in names})
    (libraries,) = DOCS.glob("lib/python*/site-packages")
    for name in SITE_PARTS:
        (part,) = metadata.distributions(name=name, path=[str(libraries)])
        paths = [path for path in part.files or () if _is_about(str(path))]
        yield Licence.read({str(path): path.read_text() for path in paths})


def _is_about(name: str) -> bool:
    """Whether a file of a wheel is its metadata or a licence."""
    folder, _, rest = name.partition(".dist-info/")
    words = ("licen", "copying", "notice", "authors")
    return "/" not in folder and (rest == "METADATA" or any(word in rest.lower() for word in words))


@dataclass(frozen=True)
class Licence:
    """What a distribution says of its licence, and the texts that it holds."""

    name: str
    version: str
    declared: str
    texts: Sequence[str]

    @classmethod
    def read(cls, files: Mapping[str, str]) -> Licence:
        """That of a wheel's metadata and licence files, by path. Raises `SystemExit` where it has no text."""
        (path,) = (path for path in files if path.endswith("/METADATA"))
        about = HeaderParser().parsestr(files[path])
        named = [about["License-Expression"], *(about["License"] or "").splitlines()[:1]]
        classifiers = [each for each in about.get_all("Classifier", []) if each.startswith("License ::")]
        named += [each.rpartition(" :: ")[2] for each in classifiers]
        declared = next((each for each in named if each and each.strip() != "UNKNOWN"), "")
        name, version = about["Name"], about["Version"]
        texts = [files[each] for each in sorted(files) if each != path]
        texts = texts or list(filter(None, [build.licence_text(name, version)]))
        if not texts:
            missing = build.LICENCE_TEXTS / f"{name}-{version}.txt"
            sys.exit(f"release: the wheel of {name} {version} holds no licence; put its text into {missing}")
        return cls(name, version, declared, texts)

    def as_cyclonedx(self) -> Mapping[str, object]:
        """An entry of `licenses` of a component: an SPDX expression where it is one, else its name."""
        try:
            return {"expression": canonicalize_license_expression(self.declared)}
        except InvalidLicenseExpression:
            return {"license": {"name": self.declared}}


def _third_party(licences: Iterable[Licence]) -> Iterator[str]:
    for licence in licences:
        texts = [text.rstrip() + "\n" for text in licence.texts]
        yield "\n".join(["=" * 80, f"{licence.name} {licence.version}", licence.declared, "", *texts]) + "\n"
    yield f"{'=' * 80}\nThe page of the site that plays in a browser\n\n{(SITE / TAB_LICENCES).read_text()}\n"


if __name__ == "__main__":
    main()
