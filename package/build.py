"""`make deb`: a Debian package of Boardumpire, for one architecture and every Python that its releases have.

It holds wheels with their hashes, not an environment: `postinst` makes that from them, for whichever Python
the machine has. So one file serves all releases from Bookworm on, and one for arm64 is made on any machine.

`--makers` builds boardumpire-make instead: the libraries for drawings. To play nobody needs them.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import manual
import templates

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements" / "pi.txt"
MAKERS_LOCK = ROOT / "requirements" / "maker.txt"
MAKERS = "boardumpire-make"
"""The package of the libraries for drawings. Those that LOCK names too are in the other package."""
OWN = (
    "firmware",
    "controller/rules",
    "hardware/drivers",
    "hardware/make",
    "sim/simulator",
    "controller/umpire",
)
"""The distributions that it holds, of this checkout."""
MACHINES = {"arm64": "aarch64", "amd64": "x86_64"}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
"""Of Debian 12 (Bookworm), Ubuntu 24.04, Debian 13 (Trixie), and of what comes next."""
GLIBC = range(17, 37)
"""manylinux_2_17 to 2_36: Bookworm has glibc 2.36."""
WITHOUT_WHEEL = {"3.13": ("lgpio",), "3.14": ("lgpio",)}
"""What PyPI has no wheel of then. A tonal buzzer alone needs it: python3-lgpio of Raspberry Pi OS."""
LICENCE_TEXTS = ROOT / "package/licences"
"""The licences of wheels that hold none, as `NAME-VERSION.txt`."""
CONFIG = "usr/share/boardumpire/boardumpire.toml"
"""Every key with its default. An upgrade replaces it and asks nothing: in /etc nothing is the package's."""
LISTEN = re.compile(r'(?<=\n\[page\]\n)((?:#.*\n)*)listen = ""')
"""The package serves the page to the networks that the machine is in; seats have links, the table a PIN."""


def main() -> None:
    """Build it; print where it is."""
    parser = argparse.ArgumentParser(allow_abbrev=False, description=__doc__)
    parser.add_argument("--arch", choices=MACHINES, default=_own_arch(), help="[%(default)s]")
    parser.add_argument(
        "--into", metavar="DIR", type=Path, default=ROOT / "build" / "deb", help="[%(default)s]"
    )
    parser.add_argument("--revision", default="1", help="of the package, not of the program [%(default)s]")
    parser.add_argument(
        "--python", action="append", choices=PYTHONS, help="only for these, as a test does [all of them]"
    )
    parser.add_argument("--makers", action="store_true", help=f"build {MAKERS}: libraries for drawings")
    given = parser.parse_args()
    make = build_makers if given.makers else build
    print(make(given.arch, given.into, given.revision, given.python or PYTHONS))


def build(arch: str, into: Path, revision: str = "1", pythons: Iterable[str] = PYTHONS) -> Path:
    """Make the package; where it is. Raises `CalledProcessError` where pip or dpkg-deb fails."""
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=into, prefix=".making-") as folder:
        tree = Path(folder) / "tree"
        version = laid_out(tree, arch, revision, pythons)
        return _packed(tree, into / f"boardumpire_{version}_{arch}.deb", version, arch)


def build_makers(arch: str, into: Path, revision: str = "1", pythons: Iterable[str] = PYTHONS) -> Path:
    """Make the package of the libraries for drawings; where it is. Raises as `build`."""
    into.mkdir(parents=True, exist_ok=True)
    here = {name for name, _ in locked(LOCK)}
    others = [(name, lines) for name, lines in locked(MAKERS_LOCK) if name not in here]
    with tempfile.TemporaryDirectory(dir=into, prefix=".making-") as folder:
        tree = Path(folder) / "tree"
        share = tree / "usr/share/boardumpire/make"
        share.mkdir(parents=True)
        for python in pythons:
            _wheels(arch, python, share, others, [])
        about = tomllib.loads((ROOT / "hardware/make/pyproject.toml").read_text())
        version = f"{about['project']['version']}-{revision}"
        _documents(tree, version, MAKERS)
        _set_modes(tree)
        return _packed(tree, into / f"{MAKERS}_{version}_{arch}.deb", version, arch, MAKERS)


def laid_out(tree: Path, arch: str, revision: str, pythons: Iterable[str]) -> str:
    """Put everything below `tree` where it lies on a machine; the version. Raises as `build`."""
    share = tree / "usr/share/boardumpire"
    own = _own_wheels(share / "wheels")
    version = f"{_named(own[-1])[1]}-{revision}"
    for python in pythons:
        _wheels(arch, python, share, list(locked(LOCK)), own)
    _files(tree, version)
    _set_modes(tree)
    return version


def _set_modes(tree: Path) -> None:
    for path in tree.rglob("*"):
        if path.is_dir():
            path.chmod(0o755)
        elif path.suffix in (".whl", ".txt"):
            path.chmod(0o644)
    tree.chmod(0o755)


def _own_arch() -> str:
    machine = os.uname().machine
    return next((arch for arch, name in MACHINES.items() if name == machine), "arm64")


def _pip(*words: str | Path) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *words]
    subprocess.run(command, check=True, cwd=ROOT, stdout=sys.stderr)


def _own_wheels(into: Path) -> list[Path]:
    """The wheels of this checkout; that of the umpire, which the version is of, comes last."""
    into.mkdir(parents=True)
    folders = [ROOT / folder for folder in OWN]
    _pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", into, *folders)
    return sorted(into.glob("*.whl"), key=lambda wheel: (_named(wheel)[0] == "boardumpire", wheel.name))


def _named(wheel: Path) -> tuple[str, str]:
    """Its distribution and version."""
    name, version, *_ = wheel.name.split("-")
    return name, version


def locked(lock: Path) -> Iterator[tuple[str, str]]:
    """Each distribution of a lock, with its lines."""
    for entry in re.split(r"\n(?=[a-z])", lock.read_text()):
        if entry[:1].isalpha():
            yield entry.partition("==")[0], entry.rstrip()


def _wheels(
    arch: str, python: str, share: Path, listed: Iterable[tuple[str, str]], own: Iterable[Path]
) -> None:
    """The wheels for one Python, and what it is to install, with hashes; `listed` as `locked` tells it."""
    left_out = WITHOUT_WHEEL.get(python, ())
    others = [lines for name, lines in listed if name not in left_out]
    ours = ["{}=={} \\\n    --hash=sha256:{}".format(*_named(wheel), digest(wheel)) for wheel in own]
    wanted = share / f"requirements-{python}.txt"
    wanted.write_text("\n".join([*others, *ours]) + "\n")
    machine = MACHINES[arch]
    platforms = [f"manylinux_2_{minor}_{machine}" for minor in GLIBC]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as downloaded:
        downloaded.write("\n".join(others) + "\n")
        downloaded.flush()
        _pip(
            *(
                "download",
                "--no-deps",
                "--require-hashes",
                "--only-binary=:all:",
                "--requirement",
                downloaded.name,
            ),
            *("--implementation", "cp", "--python-version", python, "--dest", share / "wheels"),
            *(word for name in (*platforms, f"manylinux2014_{machine}") for word in ("--platform", name)),
        )


def digest(path: Path) -> str:
    """The SHA-256 of a file, as hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _files(tree: Path, version: str) -> None:
    """What lies beside the wheels."""
    units, package = ROOT / "systemd", ROOT / "package"
    for unit in sorted(path for kind in ("service", "timer", "path") for path in units.glob(f"*.{kind}")):
        there = tree / "usr/lib/systemd/system" / unit.name
        _put(there, unit.read_bytes())
        if unit.name not in templates.FOR_ALL_BOARDS:
            _put(there.with_stem(f"{unit.stem}@"), templates.template_unit(unit.read_text()).encode())
    for name, there in (
        ("boardumpire-back-off.conf", "usr/share/boardumpire/back-off.conf"),
        ("boardumpire.sysusers", "usr/lib/sysusers.d/boardumpire.conf"),
        ("boardumpire.tmpfiles", "usr/lib/tmpfiles.d/boardumpire.conf"),
        ("boardumpire.rules", "usr/lib/udev/rules.d/60-boardumpire.rules"),
        ("boardumpire-polkit.rules", "usr/share/polkit-1/rules.d/60-boardumpire.rules"),
    ):
        _put(tree / there, (units / name).read_bytes())
    config = (units / "boardumpire.toml").read_text()
    config, served = LISTEN.subn(r'\1listen = "0.0.0.0:8080"', config)
    assert served == 1
    _put(tree / CONFIG, config.encode())
    _put(tree / "usr/bin/boardumpire", (package / "boardumpire.sh").read_bytes(), 0o755)
    _put(tree / "usr/lib/boardumpire/update", (package / "update.sh").read_bytes(), 0o755)
    date = time.strftime("%Y-%m-%d", time.gmtime(commit_time()))
    page = manual.man(version.partition("-")[0], date).encode()
    _put(tree / "usr/share/man/man1/boardumpire.1.gz", gzip.compress(page, 9, mtime=0))
    _put(tree / "usr/share/bash-completion/completions/boardumpire", manual.completion().encode())
    _documents(tree, version, "boardumpire")
    _put(tree / "usr/share/lintian/overrides/boardumpire", (package / "lintian-overrides").read_bytes())


def _documents(tree: Path, version: str, package: str) -> None:
    """Changelog and copyright of a package."""
    docs = tree / "usr/share/doc" / package
    changed = (
        f"{package} ({version}) stable; urgency=medium\n\n  * See changelog.gz.\n\n"
        f" -- The Boardumpire authors <boardumpire@localhost.invalid>  "
        f"{time.strftime('%a, %d %b %Y %H:%M:%S +0000', time.gmtime(commit_time()))}\n"
    )
    _put(docs / "changelog.Debian.gz", gzip.compress(changed.encode(), 9, mtime=0))
    _put(docs / "changelog.gz", gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), 9, mtime=0))
    licence = (ROOT / "LICENSE").read_text()
    _put(docs / "copyright", f"Boardumpire\n\n{licence}\n{_licences(tree)}".encode())


def _licences(tree: Path) -> str:
    """Whose the wheels in here are: most hold their licence."""
    wheels = {_named(path) for path in (tree / "usr/share/boardumpire").rglob("*.whl")}
    texts = {name: licence_text(name, version) for name, version in wheels}
    holding = ", ".join(sorted(name for name, text in texts.items() if not text))
    lacking = "".join(f"\n{name}\n\n{text}" for name, text in sorted(texts.items()) if text)
    return f"The wheels in /usr/share/boardumpire hold their own licences:\n{holding}\n{lacking}"


def licence_text(name: str, version: str) -> str:
    """The licence of a wheel that holds none; empty for others."""
    path = LICENCE_TEXTS / f"{name}-{version}.txt"
    return path.read_text() if path.exists() else ""


def _put(path: Path, data: bytes, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(mode)


def commit_time() -> int:
    """When the commit was made, in seconds since 1970: the same sources make the same package."""
    asked = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    told = subprocess.run(asked, capture_output=True, text=True)
    return int(told.stdout) if told.returncode == 0 else int(time.time())


def _packed(tree: Path, made: Path, version: str, arch: str, name: str = "boardumpire") -> Path:
    files = sorted(path for path in tree.rglob("*") if path.is_file())
    size = sum((path.stat().st_size + 1023) // 1024 for path in files)
    about, package = tree / "DEBIAN", ROOT / "package"
    sums = "".join(
        f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n" for path in files
    )
    words = {"@VERSION@": version, "@ARCH@": arch, "@SIZE@": str(size)}
    control = (package / ("control" if name == "boardumpire" else f"control-{name}")).read_text()
    for word, text in words.items():
        control = control.replace(word, text)
    about.mkdir()
    about.chmod(0o755)  # dpkg-deb refuses what a strict umask makes of it
    _put(about / "control", control.encode())
    _put(about / "md5sums", sums.encode())
    if name == "boardumpire":
        _put(about / "triggers", (package / "triggers").read_bytes())
        for script in ("postinst", "prerm", "postrm"):
            _put(about / script, (package / "scripts" / script).read_bytes(), 0o755)
    draft = tree.parent / made.name
    # With several threads xz packs in other blocks.
    environ = {**os.environ, "SOURCE_DATE_EPOCH": str(commit_time()), "DPKG_DEB_THREADS_MAX": "1"}
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(tree), str(draft)]
    subprocess.run(command, check=True, env=environ, stdout=sys.stderr)
    shutil.move(draft, made)
    return made


if __name__ == "__main__":
    main()
