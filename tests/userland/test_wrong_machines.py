"""`check-config` on a whole machine that lacks something, as an administrator runs it: the cause is named.

`tests/makers/test_machine.py` has more of them, made up of files. Here kernel, udev, groups, ports are real.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from boardsim.world.world import World
from boardware.description import load_board
from userland import container, home, mistakes, packages
from userland.board import UNPLUG, FarBoard
from userland.guide import CONFIG
from userland.image import PLUG
from userland.test_releases import RELEASES

HOME = "/opt/boardumpire/current"
SITE = f"{HOME}/lib/python3.11/site-packages"
pytestmark = pytest.mark.nightly


class Wrong(NamedTuple):
    """What somebody does to the machine, how it is undone, and what has to be said."""

    do: str
    undo: str
    said: str


def edited(before: str, after: str) -> tuple[str, str]:
    """An edit of the configuration, and how it is undone."""
    return f"cp {CONFIG} /root/kept && sed -i 's|{before}|{after}|' {CONFIG}", f"cp /root/kept {CONFIG}"


def without(module: str) -> tuple[str, str]:
    """A library taken away, and brought back."""
    return f"mv {SITE}/{module} /root/{module}", f"mv /root/{module} {SITE}/{module}"


LISTEN = "0.0.0.0:8080"
SERVER = "systemd-run --unit=other python3 -m http.server 8080 && sleep 3"
WRONG = [
    Wrong(UNPLUG, f"{PLUG}; udevadm settle", "Pico pico: none is plugged in"),
    Wrong("gpasswd -d boardumpire dialout", "gpasswd -a boardumpire dialout", "not in the group dialout"),
    Wrong(SERVER, "systemctl stop other", "port 8080 of the page is another program's"),
    Wrong(*edited(LISTEN, "0.0.0.0:80"), "port 80 of the page is root's alone"),
    Wrong(*edited('lamps = "pico-lamps"', 'lamps = "gpio"'), "lamps: found 'gpio', which drives no lamps"),
    Wrong(*edited('name = "quick-battle-8x8-pico"', 'name = "nowhere"'), "nowhere"),
    Wrong(*edited('sensors = "pico"', 'sensors = "picoo"'), "picoo"),
    Wrong(*without("zeroconf"), "libraries: zeroconf missing"),
    Wrong(*without("segno"), "segno"),
]


def test_what_is_wrong_with_a_whole_machine_is_named(
    in_mid_game: Path, boards: Callable[..., FarBoard], record_property: Callable[[str, object], None]
) -> None:
    """A board on a Pico in a whole machine, each time with something wrong: that alone is named."""
    board = boards(in_mid_game)
    machine = board.machine
    machine.on()
    board.plug_usb()
    machine.run("systemctl stop boardumpire")
    check = "sudo boardumpire check-config"
    right = machine.run(check)
    assert "to do" not in right.told
    for each in WRONG:
        machine.run(each.do)
        found = machine.run(check, right=False)
        machine.run(each.undo)
        assert found.code != 0, each
        causes = [line for line in found.told.splitlines() if line.startswith(("to do", "boardumpire:"))]
        assert len(causes) == 1, found.told
        assert each.said in causes[0], found.told
        record_property("wrong machines", 1)
    assert machine.run(check).told == right.told


@pytest.mark.skipif(bool(container.lacking()), reason=container.lacking() or "all is here")
@pytest.mark.parametrize("release", RELEASES)
def test_what_administrators_do_wrong_is_named(
    release: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """A board in simulation in a booted release, each time with one thing wrong."""
    root = tmp_path / "root"
    try:
        package = home.package(pythons=tuple(RELEASES.values()))
        container.make_root(release, root, "sudo,openssl")
    except (packages.NoWheels, subprocess.CalledProcessError):
        pytest.skip("no archive of Debian's packages, or of wheels, can be reached from here")
    debian = container.Container(root, tmp_path)
    try:
        debian.tell(f"dpkg --install {debian.put(package)}")
        World.create_file(root / "root/world", load_board("quick-battle-8x8")).copper.close()
        debian.tell(mistakes.RIGHT)
        right = debian.tell(mistakes.CHECK)
        missed = []
        for each in mistakes.MISTAKES:
            found = debian.run(mistakes.apart(each))
            if found.returncode in (0, 99) or each.said not in found.stdout + found.stderr:
                missed.append(f"{each}\n{found.stdout}{found.stderr}")
        record_property("wrong machines", len(mistakes.MISTAKES))
        assert not missed, "\n".join(missed)
        assert debian.tell(mistakes.CHECK) == right
    finally:
        debian.close()


def test_there_are_enough_of_them() -> None:
    assert len({each.said for each in mistakes.MISTAKES}) >= 50
