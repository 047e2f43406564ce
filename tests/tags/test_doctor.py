"""The doctor's stage `tags`: it names a pad that is silent, reads nothing, or reads for another one."""

import subprocess
import sys
from pathlib import Path

import pytest

from boardsim.hands.hands import Hands
from boardsim.pins import drivers
from boardsim.readers.readers import TagWorld
from boardsim.world.world import World
from boardumpire.makers.bare_board import bare_board
from boardumpire.makers.diagnosis import derive_findings
from boardumpire.makers.doctor import Doctor
from boardumpire.makers.guide import Guide
from boardware.description import load_board
from boardware.ports import MS, Ports
from tags.live import LivePad

BOARD = load_board("quick-battle-8x8-pads")
PADS = ["pad-red", "pad-blue"]


class Visit:
    """A person with one piece, who holds it where the doctor says."""

    def __init__(self, *, reach_mm=20, crossed=False, tag=True):
        """`reach_mm`: how far pads read."""
        self.world = World(BOARD)
        self.tags, hands = TagWorld(self.world), Hands(self.world)
        self.world.advance(hands.stand("red", "a1", 0, "10"))
        (self.piece,) = self.world.standing()["a1"]
        if not tag:
            self.tags.box.remove_tag(self.piece)
        self._reach_mm, self._other = (
            reach_mm,
            dict(zip(PADS, reversed(PADS), strict=True)) if crossed else {},
        )
        self._over = self.dead = ""
        self.asked = []

    def findings(self):
        ports = Ports(
            drivers.open_sensors(bare_board(BOARD), world=self.world),
            drivers.open_spi_lamps(bare_board(BOARD), world=self.world),
            drivers.open_console(bare_board(BOARD), world=self.world),
            self.tags.open(self.world.now),
        )
        if self.dead:
            self.tags.pads[self.dead].dead = True
        guide = Guide(ports, Doctor(BOARD, stages=["tags"]).run_steps(), self.world.now)
        try:
            while not guide.is_done:
                due = guide.step(self.world.now)
                if guide.request.kind == "answer" and guide.request_number > len(self.asked):
                    self.asked += [""] * (guide.request_number - len(self.asked) - 1) + [guide.request.text]
                    self._obey(guide.request.expected_sign.code)
                    guide.answer(True)
                    continue
                times = [ports.sensors.due(), ports.console.due(), self.world.next_edge(), due]
                self.world.advance(max(self.world.now + MS, min(at for at in times if at is not None)))
            return derive_findings(BOARD, guide.result, guide.troubles)
        finally:
            ports.close()
            self.tags.close()

    def _obey(self, code):
        what, _, pad = code.partition(" ")
        if self._over:
            self.tags.remove_from_pad(self._over, self.piece)
        self._over = ""
        if what == "tag" or (what == "tag-high" and self._reach_mm > 10):
            self._over = self._other.get(pad, pad)
            self.tags.put_over_pad(self._over, self.piece)


def test_sound_pads_have_no_findings_and_no_id_is_kept():
    visit = Visit()
    assert visit.findings() == []
    asked = " ".join(visit.asked)
    assert all(f"Put a piece with a tag on {pad}" in asked for pad in PADS)


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ({"reach_mm": 5}, [("reader-weak", (f"pad {pad}",)) for pad in PADS[::-1]]),
        ({"crossed": True}, [("readers-crossed", ("reader pad-blue", "reader pad-red"))]),
        ({"tag": False}, [("tag-unread", ("tag",))]),
    ],
)
def test_what_is_wrong_is_named_once(how, expected):
    assert [(found.code, found.parts) for found in Visit(**how).findings()] == expected


def test_a_pad_that_falls_silent_is_named_and_the_other_is_tried():
    visit = Visit()
    visit.dead = "pad-blue"
    (found,) = visit.findings()
    assert (found.code, found.parts) == ("pad-mute", ("pad pad-blue",))
    assert "pad-blue" not in " ".join(visit.asked)


CONFIG = """
format = "boardumpire-config"
version = 1
[board]
name = "quick-battle-8x8-pads"
[drivers]
sensors = "gpio-sim"
lamps = "neopixel-spi-sim"
console = "console-sim"
{tags}
"""


@pytest.mark.slow
def test_the_command_names_pads_that_never_answer(tmp_path):
    World.create_file(tmp_path / "world", BOARD).copper.close()
    worlds = "".join(f'[{key}]\nworld = "{tmp_path / "world"}"\n' for key in ("sensors", "lamps", "console"))
    pad = LivePad()
    ports = f'[tags]\nports = {{ pad-red = "{pad.path}", pad-blue = "{tmp_path / "nothing"}" }}\n'
    told = []
    try:
        for tags in ("", 'tags = "pn532"'):
            config = tmp_path / "boardumpire.toml"
            config.write_text(CONFIG.format(tags=tags) + worlds + (ports if tags else ""))
            command = [Path(sys.executable).with_name("boardumpire"), "doctor", "tags", "--config", config]
            told.append(subprocess.run(command, input="yes\n", capture_output=True, text=True, timeout=60))
    finally:
        pad.close()
    assert "no driver of tags to examine; try pn532 or pico-tags" in told[0].stderr
    assert "- readers: " in told[1].stdout, told[1].stderr
    assert "set both switches to HSU" in told[1].stdout
