"""The Debian package: built, looked into, installed into a root of its own, upgraded, removed, purged."""

from __future__ import annotations

import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "package" / "build.py"
SYSTEM_PYTHON = "/usr/bin/python3"
DEFAULTS = "usr/share/boardumpire/boardumpire.toml"
USER_EDIT = "# somebody's own line\n"
ELF, EM_AARCH64 = b"\x7fELF", 183
"""How a file of machine code begins, and what it has at byte 18 if it is for 64-bit ARM."""
GLIBC = 36
"""Bookworm has glibc 2.36."""


def run(*words: str | Path, stdin: int | None = None, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, stdin=stdin, env={**os.environ, **environ})


def lacking() -> str:
    """Why no package can be built and installed here; empty where one can."""
    for program in ("dpkg", "dpkg-deb", "systemd-sysusers", "systemd-tmpfiles"):
        if shutil.which(program) is None:
            return f"{program} is not on this machine"
    found = run(SYSTEM_PYTHON, "-c", "import venv, ensurepip, sys; print('%d.%d' % sys.version_info[:2])")
    if found.returncode != 0 or found.stdout.strip() not in ("3.11", "3.12", "3.13", "3.14"):
        return f"{SYSTEM_PYTHON} is no Python 3.11 to 3.14 with python3-venv"
    if os.geteuid() != 0:
        return "only root may install a package, even into a root of its own"
    return ""


pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(lacking()), reason=lacking() or "all is here")]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two revisions of the package, for the Python of this machine. The second is the first under its number:
    building takes a quarter of a minute of a processor."""
    folder = tmp_path_factory.mktemp("deb")
    version = run(SYSTEM_PYTHON, "-c", "import sys; print('%d.%d' % sys.version_info[:2])").stdout.strip()
    built = run(
        *(sys.executable, BUILD, "--arch", run("dpkg", "--print-architecture").stdout.strip()),
        *("--into", folder, "--revision", "1", "--python", version),
    )
    if "No matching distribution" in built.stderr or "ConnectionError" in built.stderr:
        pytest.skip("no package index with these wheels can be reached from here")
    assert built.returncode == 0, built.stderr
    first = Path(built.stdout.strip())
    second = folder / first.name.replace("-1_", "-2_")
    assert run("dpkg-deb", "--raw-extract", first, folder / "tree").returncode == 0
    control = folder / "tree/DEBIAN/control"
    control.write_text(re.sub(r"^(Version: .*)-1$", r"\1-2", control.read_text(), flags=re.M))
    packed = run("dpkg-deb", "-Znone", "--build", folder / "tree", second)
    assert packed.returncode == 0, packed.stderr
    return first, second


class Installed:
    """A root with nothing in it but what dpkg wants, and the package once it is installed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in ("info", "updates", "triggers"):
            (root / "var/lib/dpkg" / folder).mkdir(parents=True)
        for name in ("status", "available"):
            (root / "var/lib/dpkg" / name).touch()
        (root / "etc").mkdir()
        (root / "etc/group").write_text("dialout:x:20:\naudio:x:29:\n")
        (root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")

    def dpkg(self, *words: str | Path) -> None:
        """Run dpkg; scripts run outside of the root, and are told where it is."""
        ran = run(
            *("dpkg", f"--root={self.root}", f"--log={self.root}/dpkg.log"),
            *("--force-script-chrootless", "--force-depends", *words),
            stdin=subprocess.DEVNULL,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        return run(
            self.root / "opt/boardumpire/bin/boardumpire",
            *words,
            STATE_DIRECTORY=str(self.root / "var/lib/boardumpire"),
            RUNTIME_DIRECTORY=str(self.root / "run"),
            CONFIGURATION_DIRECTORY=str(self.root / "etc/boardumpire"),
            BOARDUMPIRE_SHARE=str(self.root / "usr/share/boardumpire"),
        )

    def left(self) -> set[str]:
        """What there is besides dpkg's own files and what makes users."""
        own = re.compile(r"(var/lib/dpkg|etc/(\.pwd\.lock|(group|passwd|g?shadow)-?)$|dpkg\.log)")
        found = (str(path.relative_to(self.root)) for path in self.root.rglob("*") if not path.is_dir())
        return {name for name in found if not own.match(name)}


def test_it_holds_what_a_board_needs(packages: tuple[Path, Path]) -> None:
    listed = run("dpkg-deb", "--contents", packages[0]).stdout
    assert all(line.split()[1] == "root/root" for line in listed.splitlines())
    names = {line.split()[5].removeprefix("./") for line in listed.splitlines()}
    assert {
        "usr/bin/boardumpire",
        "usr/lib/systemd/system/boardumpire.service",
        "usr/lib/systemd/system/boardumpire-backup.service",
        "usr/lib/systemd/system/boardumpire-backup.timer",
        "usr/lib/systemd/system/boardumpire-config.path",
        "usr/lib/systemd/system/boardumpire-config.service",
        "usr/lib/systemd/system/boardumpire-update.service",
        "usr/lib/systemd/system/boardumpire@.service",
        "usr/lib/systemd/system/boardumpire-backup@.timer",
        "usr/lib/sysusers.d/boardumpire.conf",
        "usr/lib/tmpfiles.d/boardumpire.conf",
        "usr/lib/udev/rules.d/60-boardumpire.rules",
        "usr/share/polkit-1/rules.d/60-boardumpire.rules",
        "usr/share/man/man1/boardumpire.1.gz",
        "usr/share/bash-completion/completions/boardumpire",
        DEFAULTS,
    } <= names
    assert not any(name.startswith("etc/") for name in names), "nothing that dpkg would ask about"
    wheels = {name.rpartition("/")[2].partition("-")[0] for name in names if name.endswith(".whl")}
    assert {"boardumpire", "gpiod", "gpiozero", "pynacl", "starlette", "zeroconf"} <= wheels


@pytest.mark.skipif(not shutil.which("lintian"), reason="lintian is not on this machine")
def test_lintian_finds_nothing_wrong(packages: tuple[Path, Path]) -> None:
    looked = run("lintian", "--fail-on", "error,warning", packages[0])
    assert looked.returncode == 0, looked.stdout


def test_the_manual_names_every_command_and_is_read_without_a_complaint(packages: tuple[Path, Path]) -> None:
    unpacked = packages[0].parent / "unpacked"
    run("dpkg-deb", "--extract", packages[0], unpacked)
    page = run("gzip", "-dc", unpacked / "usr/share/man/man1/boardumpire.1.gz").stdout
    heads = {line.removeprefix(".B ").replace("\\-", "-") for line in page.splitlines()}
    assert {
        "run",
        "check-config",
        "status",
        "backup",
        "restore",
        "flash",
        "record list",
        "make map-board",
    } <= heads
    if shutil.which("man"):
        shown = run(
            "man", "--warnings", "-l", unpacked / "usr/share/man/man1/boardumpire.1.gz", MANWIDTH="100"
        )
        assert (shown.returncode, shown.stderr) == (0, "")


def test_bash_completes_commands_and_options(packages: tuple[Path, Path]) -> None:
    unpacked = packages[0].parent / "unpacked"
    run("dpkg-deb", "--extract", packages[0], unpacked)
    file = unpacked / "usr/share/bash-completion/completions/boardumpire"

    def completed(*words: str) -> set[str]:
        listed = " ".join(f"'{word}'" for word in ("boardumpire", *words))
        asked = f"COMP_WORDS=({listed}); COMP_CWORD={len(words)}; _boardumpire"
        script = f"source {file}; {asked}; echo ${{COMPREPLY[*]}}"
        return set(run("bash", "-c", script).stdout.split())

    assert completed("ch") == {"check-config"}
    assert completed("st") == {"status"}
    assert completed("backup", "--w") == {"--without-key"}
    assert completed("record", "l") == {"list"}
    assert completed("record", "convert", "--sk") == {"--skip"}


@pytest.mark.nightly
def test_the_package_for_a_pi_is_made_on_any_machine(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """The package for arm64: pip takes each Python's list whole, as on a Pi, and all libraries are ARM's."""
    built = run(sys.executable, BUILD, "--arch", "arm64", "--into", tmp_path)
    if "No matching distribution" in built.stderr or "ConnectionError" in built.stderr:
        pytest.skip("no package index with these wheels can be reached from here")
    assert built.returncode == 0, built.stderr
    package = built.stdout.strip()
    assert run("dpkg-deb", "--field", package, "Architecture").stdout == "arm64\n"
    run("dpkg-deb", "--extract", package, tmp_path)
    share = tmp_path / "usr/share/boardumpire"
    lists = sorted(share.glob("requirements-*.txt"))
    assert [each.stem for each in lists] == [f"requirements-3.{minor}" for minor in range(11, 15)]
    needed = set[str]()
    for wanted in lists:
        version = wanted.stem.partition("-")[2]
        into = tmp_path / version
        # From Python 3.13 on lgpio has no wheel; nothing else is missing.
        alone = ["--no-deps"] if version in ("3.13", "3.14") else []
        told = run(
            *(
                sys.executable,
                "-m",
                "pip",
                "install",
                "--isolated",
                "--disable-pip-version-check",
                "--no-index",
            ),
            *("--no-cache-dir", "--root-user-action", "ignore", "--require-hashes", "--only-binary=:all:"),
            *("--implementation", "cp", "--python-version", version, "--target", into, *alone),
            *(
                word
                for minor in range(17, GLIBC + 1)
                for word in ("--platform", f"manylinux_2_{minor}_aarch64")
            ),
            *("--find-links", share / "wheels", "--requirement", wanted),
        )
        assert told.returncode == 0, told.stderr
        # Blinka brings programs for every kind of board beside it.
        libraries = [*into.rglob("*.so")]
        assert {path.read_bytes()[:4] for path in libraries} == {ELF}
        assert {struct.unpack_from("<H", path.read_bytes(), 18)[0] for path in libraries} == {EM_AARCH64}
        assert len(libraries) >= 5, "cffi, gpiod, pynacl, sysv-ipc, zeroconf"
        assert bool([*into.glob("lgpio*")]) is not bool(alone)
        record_property(f"libraries of machine code, Python {version}", len(libraries))
        needed |= {line.split("==")[0] for line in wanted.read_text().splitlines() if "==" in line}
    assert Path(package).stat().st_size < 40 << 20
    record_property("distributions, their hashes checked", len(needed))


@pytest.fixture(scope="module")
def installed(packages: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Installed:
    root = Installed(tmp_path_factory.mktemp("root"))
    root.dpkg("--install", packages[0])
    return root


def test_installed_upgraded_removed_and_purged(installed: Installed, packages: tuple[Path, Path]) -> None:
    """In this order, as somebody does it over the years."""
    root = installed.root
    groups = (root / "etc/group").read_text()
    assert all(
        re.search(rf"^{group}:.*boardumpire", groups, re.M) for group in ("gpio", "spi", "dialout", "audio")
    )
    state = root / "var/lib/boardumpire"
    assert (state / "key").stat().st_mode & 0o777 == 0o700
    assert (state / "key").stat().st_uid != 0, "it is the board's own user's"
    for wanted in (
        "multi-user.target.wants/boardumpire.service",
        "timers.target.wants/boardumpire-backup.timer",
    ):
        assert (root / "etc/systemd/system" / wanted).is_symlink()
    said = installed.command("--version")
    assert (said.returncode, said.stderr) == (0, "")
    assert runs_nothing_of_a_home(installed)
    checked = installed.command("check-config", "--no-machine")
    assert (checked.returncode, checked.stderr) == (0, ""), "with the page that the package serves"
    assert serves_while_it_waits(installed, root / DEFAULTS)

    config = root / "etc/boardumpire/boardumpire.toml"
    own = root / "etc/boardumpire/conf.d/mine.toml"
    config.write_text('format = "boardumpire-config"\nversion = 1\n[board]\nname = "quick-battle-8x8"\n')
    own.write_text('[mqtt]\nname = "mine"\n' + USER_EDIT)
    before = config.read_text(), own.read_text()
    journal = state / "journal.sqlite"
    games = journal.read_bytes()
    installed.dpkg("--install", packages[1])
    assert (config.read_text(), own.read_text()) == before
    checked = installed.command("check-config", "--no-machine")
    assert "right: stratego-quick-duel on quick-battle-8x8" in checked.stdout
    assert journal.read_bytes() == games
    assert installed.command("--version").returncode == 0
    assert run(
        "dpkg-query", f"--admindir={root}/var/lib/dpkg", "-Wf", "${Version}", "boardumpire"
    ).stdout.endswith("-2")

    installed.dpkg("--remove", "boardumpire")
    assert not (root / "opt/boardumpire").exists()
    assert not (root / "usr/bin/boardumpire").exists()
    assert not (root / "etc/systemd/system/multi-user.target.wants/boardumpire.service").is_symlink()
    assert journal.read_bytes() == games
    assert config.exists()

    timer = root / "etc/systemd/system/timers.target.wants/boardumpire-backup.timer"
    installed.dpkg("--install", packages[1])
    assert (root / "etc/systemd/system/multi-user.target.wants/boardumpire.service").is_symlink()
    assert timer.is_symlink(), "installed again it is turned on as it was"
    timer.unlink()
    installed.dpkg("--remove", "boardumpire")
    installed.dpkg("--install", packages[1])
    assert (root / "etc/systemd/system/multi-user.target.wants/boardumpire.service").is_symlink()
    assert not timer.is_symlink(), "who had turned it off keeps it off"

    asked = ("enable", "boardumpire@north.service", "boardumpire-backup@north.timer")
    assert run("systemctl", f"--root={root}", *asked).returncode == 0
    assert (root / "etc/systemd/system/multi-user.target.wants/boardumpire@north.service").is_symlink()
    installed.dpkg("--purge", "boardumpire")
    assert installed.left() == set()


@pytest.mark.nightly
def test_a_package_that_held_the_configuration_is_upgraded_without_a_question(
    packages: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The set-up had changed that file, and dpkg asked whose counts: without a terminal it gave up."""
    folder = tmp_path_factory.mktemp("older")
    run("dpkg-deb", "--raw-extract", packages[0], folder / "tree")
    config = folder / "tree/etc/boardumpire/boardumpire.toml"
    config.parent.mkdir(parents=True)
    (folder / "tree" / DEFAULTS).rename(config)
    (folder / "tree/DEBIAN/conffiles").write_text("/etc/boardumpire/boardumpire.toml\n")
    assert run("dpkg-deb", "--build", folder / "tree", folder / "older.deb").returncode == 0
    installed = Installed(tmp_path_factory.mktemp("root"))
    installed.dpkg("--install", folder / "older.deb")
    there = installed.root / "etc/boardumpire/boardumpire.toml"
    changed = there.read_text().replace('name = ""', 'name = "quick-battle-8x8"', 1)
    there.write_text(changed)
    installed.dpkg("--install", packages[1])
    assert there.read_text() == changed
    checked = installed.command("check-config", "--no-machine")
    assert "right: stratego-quick-duel on quick-battle-8x8" in checked.stdout
    installed.dpkg("--purge", "boardumpire")
    assert installed.left() == set()


def runs_nothing_of_a_home(installed: Installed) -> bool:
    """What lies among the libraries of the home of whoever runs it is left alone."""
    python = installed.root / "opt/boardumpire/bin/python"
    home = installed.root / "home"
    asked = (
        "import site, sys; print(site.getusersitepackages(), '/usr/lib/python3/dist-packages' in sys.path)"
    )
    folder, system = run(python, "-c", asked, HOME=str(home)).stdout.split()
    Path(folder).mkdir(parents=True)
    (Path(folder) / "usercustomize.py").write_text(f"open({str(home / 'ran')!r}, 'w')")
    program = installed.root / "opt/boardumpire/bin/boardumpire"
    assert run(program, "--version", HOME=str(home)).returncode == 0
    ran = (home / "ran").exists()
    shutil.rmtree(home)
    return not ran and system == "True"


def serves_while_it_waits(installed: Installed, config: Path) -> bool:
    """Run as the unit would: nothing hangs on this machine, and the board is up and says so."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port = asked.getsockname()[1]
    user = (installed.root / "var/lib/boardumpire").stat().st_uid
    ours = [folder for folder in installed.root.parents if Path(tempfile.gettempdir()) in folder.parents]
    for folder in (installed.root, installed.root.parent, *ours):
        folder.chmod(0o755)  # pytest's own folders are closed to other users
    runtime = installed.root / "run"
    runtime.mkdir()
    os.chown(runtime, user, user)
    own = installed.root / "own.toml"
    text = config.read_text().replace('name = ""', 'name = "quick-battle-8x8"', 1)
    own.write_text(text.replace("0.0.0.0:8080", f"127.0.0.1:{port}"))
    notify = installed.root / "notify"
    environ = {
        "STATE_DIRECTORY": str(installed.root / "var/lib/boardumpire"),
        "RUNTIME_DIRECTORY": str(installed.root / "run"),
        "NOTIFY_SOCKET": str(notify),
        "LG_WD": str(runtime),
    }
    program = installed.root / "opt/boardumpire/bin/boardumpire"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready:
        ready.bind(str(notify))
        ready.settimeout(60)
        notify.chmod(0o666)
        daemon = subprocess.Popen(
            [program, "run", "--config", own],
            env=environ,
            cwd=runtime,
            user=user,
            group=user,
            extra_groups=[],
        )
        try:
            while ready.recv(1000) != b"READY=1":
                pass
            status = installed.command("status", "--config", str(own)).stdout
            web = f"http://127.0.0.1:{port}/"
            said = run("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", web).stdout
        finally:
            daemon.terminate()
            code = daemon.wait(30)
    own.unlink()
    notify.unlink()
    shutil.rmtree(runtime)
    assert status.startswith("not complete: no game is played until all parts are there\nwaits for ")
    assert said in ("503", ""), "the page says what is missing (curl may not be here)"
    return code == 0
