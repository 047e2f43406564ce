"""`check-config` on a whole machine that lacks something: the cause is named, and it is the only one.

`tests/makers/test_machine.py` has more of them, made up of files. Here kernel, udev, groups, ports are real.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from userland.board import UNPLUG, FarBoard
from userland.guide import CONFIG
from userland.image import PLUG

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
