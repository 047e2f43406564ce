"""In clean, booted releases of Debian: the package is installed, upgraded without a question, taken away."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from userland import container, home, packages, raspberry, whole_pi
from userland.container import Container, Debian
from userland.whole_pi import WholePi

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(bool(container.lacking()), reason=container.lacking() or "all is here"),
]
RELEASES = {"bookworm": "3.11", "trixie": "3.13"}
"""Each with its Python."""
OWN = '[mqtt]\nname = "mine"\n'
OWN_FILE = "/etc/boardumpire/conf.d/mine.toml"
HEADER = """\
format = "boardumpire-config"
version = 1
[board]
name = "quick-battle-8x8"
[drivers]
sensors = "gpio"
lamps = "neopixel-spi"
console = "console-gpio"
"""
"""A board at the header of a Pi. No container has a header, but its libraries are the release's."""
HEADER_FILE = "/etc/boardumpire/header.toml"
HAS_LIBRARIES = "ok     libraries: gpiod, board, neopixel_spi"
NORTH = "/etc/boardumpire-boards/north"
TAKEN_WITHIN_S = 60
FULL_UPGRADE_S = 1500.0
FOUND = "find / -xdev -name '*boardumpire*' -not -path '/var/boardumpire*' -not -path '/var/log/*'"


@pytest.fixture(scope="module")
def package() -> Path:
    try:
        return home.package(pythons=tuple(RELEASES.values()))
    except packages.NoWheels:
        pytest.skip("no package index with these wheels can be reached from here")


@pytest.fixture(scope="module")
def drawings(package: Path) -> Path:
    """The package of the libraries for drawings."""
    return home.package("amd64", tuple(RELEASES.values()), "--makers")


@pytest.fixture
def boot(tmp_path: Path) -> Iterator[Callable[..., Container]]:
    """Makes a clean release and boots it; `following` is what apt is to upgrade it to."""
    booted: list[Container] = []

    def clean(release: str, following: str = "", more: str = "") -> Container:
        root = tmp_path / "root"
        try:
            container.make_root(release, root, more)
            if following:
                container.fetch_upgrade(root, release, following)
        except subprocess.CalledProcessError:
            pytest.skip("no archive of Debian's packages can be reached from here")
        booted.append(Container(root, tmp_path))
        return booted[-1]

    yield clean
    for each in booted:
        each.close()


def install(debian: Debian, package: Path) -> None:
    """As an administrator does it, and as a machine does it that nobody sits at."""
    debian.tell(f"dpkg --install {debian.put(package)}")


def runs(debian: Debian, unit: str) -> str:
    """The version that a unit runs."""
    pid = debian.tell(f"systemctl show --property=MainPID --value {unit}")
    return debian.tell(f"tr '\\0' ' ' </proc/{pid}/cmdline").split("/")[3]


def wait_for_other_version(debian: Debian, unit: str, before: str) -> str:
    """The one that runs instead of `before`: a board looks for another version every few seconds."""
    cmdline = f"/proc/$(systemctl show --property=MainPID --value {unit})/cmdline"
    running = f'version=$(tr "\\0" " " <{cmdline} | cut -d/ -f4)'
    fits = f'case "$version" in {before}) false ;; [0-9]*) true ;; *) false ;; esac'
    loop = f'exec 2>/dev/null; until {running}; {fits}; do sleep 0.5; done; echo "$version"'
    return debian.tell(f"timeout {TAKEN_WITHIN_S * debian.slowness:g} sh -c '{loop}'")


def offer(debian: Container, package: Path) -> None:
    """Make it the newest of the only source that apt knows."""
    name = debian.put(package).removeprefix("/var/")
    control = subprocess.run(["dpkg-deb", "--field", package], capture_output=True, text=True, check=True)
    size, digest = package.stat().st_size, hashlib.sha256(package.read_bytes()).hexdigest()
    listed = f"{control.stdout.strip()}\nFilename: ./{name}\nSize: {size}\nSHA256: {digest}\n"
    (debian.root / "var/Packages").write_text(listed)
    (debian.root / "etc/apt/sources.list").write_text("deb [trusted=yes] file:/var ./\n")


def add_further_board(debian: Container) -> None:
    """As the page on installing says."""
    debian.tell(f"mkdir -p {NORTH}/conf.d")
    debian.tell(
        f"""printf '[page]\\nlisten = "0.0.0.0:8081"\\nmdns = "north"\\n' >{NORTH}/conf.d/page.toml"""
    )
    debian.tell("systemctl enable --now boardumpire@north boardumpire-backup@north.timer")


@pytest.mark.parametrize("release", RELEASES)
def test_a_clean_release_installs_upgrades_and_removes(
    release: str, package: Path, boot: Callable[..., Container], tmp_path: Path
) -> None:
    installs_upgrades_and_removes(boot(release), package, packages.revised(package, tmp_path, 2))


@pytest.mark.skipif(bool(raspberry.lacking()), reason=raspberry.lacking() or "all is here")
@pytest.mark.skipif(bool(whole_pi.lacking()), reason=whole_pi.lacking() or "all is here")
@pytest.mark.parametrize("release", RELEASES)
def test_an_emulated_pi_installs_upgrades_and_removes(release: str, header_pi: Path, tmp_path: Path) -> None:
    """The same on arm64; the power goes after the upgrade."""
    try:
        package = home.package("arm64", tuple(RELEASES.values()))
        newer = packages.revised(package, tmp_path, 2)
        card = whole_pi.make_card(release, tmp_path, (package, newer))
    except (packages.NoWheels, subprocess.CalledProcessError):
        pytest.skip("no archive of Debian's packages, or of wheels, can be reached from here")
    pi = WholePi(header_pi, card, tmp_path)
    try:
        pi.on()
        assert pi.tell("uname -m") == "aarch64"

        def lose_power() -> None:
            pi.cut()
            pi.on()

        installs_upgrades_and_removes(pi, package, newer, lose_power)
    finally:
        pi.close()


def installs_upgrades_and_removes(
    debian: Debian, package: Path, newer: Path, upgraded: Callable[[], None] = lambda: None
) -> None:
    """`upgraded` is called once a newer version has been taken."""
    install(debian, package)
    assert "http://" in debian.tell("boardumpire status"), "a page leads through the set-up"
    add_further_board(debian)
    assert ":8081" in debian.tell("boardumpire @north status")
    assert debian.tell(f"stat -c %a:%G {NORTH}") == "2770:boardumpire", "the set-up page may write there"
    first = runs(debian, "boardumpire")
    assert runs(debian, "boardumpire@north") == first

    debian.tell(f"printf '%s' '{OWN}' >{OWN_FILE}")
    install(debian, newer)
    for unit in ("boardumpire", "boardumpire@north"):
        assert wait_for_other_version(debian, unit, first) == f"{first}+2"
    upgraded()
    assert runs(debian, "boardumpire") == f"{first}+2"
    assert debian.tell(f"cat {OWN_FILE}") == OWN.strip()
    debian.tell("/usr/lib/boardumpire/update back")
    assert runs(debian, "boardumpire") == first
    assert wait_for_other_version(debian, "boardumpire@north", f"{first}+2") == first
    assert debian.tell("systemctl --failed --quiet") == ""

    debian.tell("dpkg --remove boardumpire")
    assert debian.run("systemctl is-active boardumpire boardumpire@north").stdout.split() == ["inactive"] * 2
    assert debian.tell(f"cat {OWN_FILE}") == OWN.strip()
    debian.tell("dpkg --purge boardumpire")
    assert debian.tell(FOUND) == ""


@pytest.mark.parametrize("release", RELEASES)
def test_the_board_itself_may_have_the_program_updated_and_nothing_else(
    release: str, package: Path, boot: Callable[..., Container], tmp_path: Path
) -> None:
    """As the page does where `[machine] update` says so: polkit lets the service's user start that unit."""
    debian = boot(release, more="polkitd")
    install(debian, package)
    first = runs(debian, "boardumpire")
    offer(debian, packages.revised(package, tmp_path, 2))
    start = "runuser -u boardumpire -- systemctl start"
    assert debian.run(f"{start} boardumpire-backup").returncode != 0
    debian.tell(f"{start} boardumpire-update")
    assert wait_for_other_version(debian, "boardumpire", first) == f"{first}+2"
    assert debian.tell("systemctl --failed --quiet") == ""


@pytest.mark.parametrize("release", RELEASES)
def test_the_libraries_for_drawings_come_and_go(
    release: str, package: Path, drawings: Path, boot: Callable[..., Container]
) -> None:
    """The board begins anew with them, and without them, at a moment that it chooses."""
    debian = boot(release)
    install(debian, package)
    first = runs(debian, "boardumpire")
    draw = "boardumpire make paper quick-battle-8x8 --into /var/drawn"
    assert "the Debian package boardumpire-make has them" in debian.run(draw).stderr
    install(debian, drawings)
    with_libraries = wait_for_other_version(debian, "boardumpire", first)
    said = debian.tell("journalctl --unit=boardumpire --output=cat --lines=30")
    assert f"stopping, so that version {with_libraries} can start" in said, "it chose the moment itself"
    assert "drill" in debian.tell(draw)
    debian.tell("dpkg --remove boardumpire-make")
    wait_for_other_version(debian, "boardumpire", with_libraries)
    assert "the Debian package boardumpire-make has them" in debian.run(draw).stderr
    assert debian.tell("systemctl --failed --quiet") == ""


def test_a_board_goes_on_after_bookworm_becomes_trixie(package: Path, boot: Callable[..., Container]) -> None:
    """Its libraries were made for the Python of the release before."""
    debian = boot("bookworm", "trixie")
    install(debian, package)
    add_further_board(debian)
    debian.tell(f"printf '%s' '{OWN}' >{OWN_FILE}")
    debian.tell(f"printf '%s' '{HEADER}' >{HEADER_FILE}")
    check_header = f"boardumpire check-config --config {HEADER_FILE}"
    before = debian.run(check_header).stdout
    assert HAS_LIBRARIES in before
    debian.tell("DEBIAN_FRONTEND=noninteractive apt-get --yes --no-download full-upgrade", FULL_UPGRADE_S)
    assert debian.tell("/opt/boardumpire/bin/python --version").startswith(f"Python {RELEASES['trixie']}.")
    for unit, command in (("boardumpire", "status"), ("boardumpire@north", "@north status")):
        assert "http://" in debian.tell(f"boardumpire {command}")
        assert debian.tell(f"systemctl show --property=NeedDaemonReload --value {unit}") == "no"
    assert debian.tell(f"cat {OWN_FILE}") == OWN.strip()
    assert debian.run(check_header).stdout == before
