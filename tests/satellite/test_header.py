"""A board on the header of a satellite: its lifts, its service as a process, and what is refused."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardrules.core import Seat
from boardsim.world.world import World
from boardumpire.cli import main
from boardumpire.commands import check_config
from boardumpire.commands.another_board import BoardInvitation, InvitingService
from boardumpire.errors import BoardumpireError
from boardumpire.satellite import handshake, keys
from boardumpire.satellite.host import SatelliteHost
from boardumpire.satellite.keys import SatelliteKey
from boardumpire.service import config, control
from boardumpire.service.clock import monotonic
from boardumpire.service.config import DriversSection
from boardware.description import load_board
from boardware.ports import MS
from daemon.service import Service
from daemon.test_waits import free_port
from evenings import virtual_loop
from satellite.network import Faults, Network
from satellite.tables import RemoteTables, at_remote_tables
from satellite.test_boards import SETUP, turn_at

SCAN, TURN = 10 * MS, 2 * MS
"""Between two looks of the driver, and what may come on top."""
FAR = Faults(0.3, 0.05, 0.05)
LIFTS = 10
KEY = SatelliteKey("home", b"a key of the right length: 32 B.")
PROGRAM = Path(sys.executable).with_name("boardumpire")


@pytest.mark.slow
def test_a_lift_is_lit_by_the_next_look_however_far_the_host_is(tmp_path: Path) -> None:
    spans: list[int] = []

    async def scene(tables: RemoteTables) -> None:
        world, hands = tables.worlds["north"], tables.hands["north"]
        await tables.set_up()
        await turn_at(tables, "")
        await asyncio.sleep(3)  # the hints have come
        opened: list[int] = []
        world.watchers.append(opened.append)
        origins = sorted({origin for origin, _ in tables.free_steps()})
        for number in range(LIFTS):
            before = world.copper.lamps()
            opened.clear()
            end = hands.lift(origins[number % len(origins)], monotonic())
            while world.copper.lamps() == before:
                assert monotonic() < end + 50 * MS
                await asyncio.sleep(0.001)
            spans.append(monotonic() - opened[0])
            await asyncio.sleep(0.5)
            await tables.let(hands.place(origins[number % len(origins)], monotonic()))
            await asyncio.sleep(2.5)

    at_remote_tables(scene, tmp_path, SETUP, FAR, on_header=True)
    assert len(spans) == LIFTS
    assert max(spans) <= SCAN + TURN


HOST = """
format = "boardumpire-config"
version = 1
[board]
name = "quick-battle-8x8"
[drivers]
sensors = "pico"
lamps = "pico-lamps"
console = "pico-console"
[sensors]
satellite = "home"
[tracker]
settle_ms = 50
[satellites]
listen = "127.0.0.1:{port}"
"""
OWN = """
format = "boardumpire-config"
version = 1
[board]
name = "quick-battle-8x8-readers"
[drivers]
sensors = "pico"
lamps = "pico-lamps"
console = "pico-console"
[sensors]
port = "/dev/ttyACM0"
"""
AWAY = """
format = "boardumpire-config"
version = 1
[board]
name = "quick-battle-8x8"
[drivers]
sensors = "gpio-sim"
lamps = "neopixel-spi-sim"
console = "console-sim"
[sensors]
world = "{world}"
[lamps]
world = "{world}"
[console]
world = "{world}"
[satellite]
host = "127.0.0.1:{port}"
"""


class HeaderService(Service):
    """A daemon without a board of its own, and a satellite with one on its header: both as processes."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        port = free_port()
        self.config.write_text(HOST.format(port=port))
        self.folder = directory / "away"
        self.folder.mkdir()
        (self.folder / "boardumpire.toml").write_text(AWAY.format(world=directory / "world", port=port))
        for folder in (directory / "state", self.folder / "state"):
            (folder / "key").mkdir(mode=0o700, parents=True)
        keys.save_host_keys(directory / "state" / "key" / "satellites.json", {"home": KEY.key})
        keys.save_satellite_key(self.folder / "state" / "key" / "satellite.json", KEY)
        self.satellite: subprocess.Popen[bytes] | None = None

    def start_satellite(self) -> None:
        self.satellite = subprocess.Popen(
            [PROGRAM, "run", "--config", self.folder / "boardumpire.toml"],
            stdout=self._log,
            stderr=self._log,
            env={"STATE_DIRECTORY": str(self.folder / "state"), "RUNTIME_DIRECTORY": str(self.folder)},
        )

    def end_satellite(self, *, kill: bool) -> None:
        if self.satellite is not None:
            (self.satellite.kill if kill else self.satellite.terminate)()
            self.satellite.wait(30)
            self.satellite = None

    def close(self) -> None:
        self.end_satellite(kill=True)
        super().close()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[HeaderService]:
    made = HeaderService(tmp_path)
    yield made
    made.close()


@pytest.mark.slow
def test_a_header_is_served_by_a_process_and_comes_back(service: HeaderService) -> None:
    def shows(space: str) -> bool:
        return any(service.world.copper.lamps()[space])

    service.start()
    assert service.status()["satellites"] == {"home": "paired"}
    service.start_satellite()
    service.until(lambda: "over" in service.status() and not service.status()["waits_for"])
    told = control.send_request(service.folder / "control.sock", {"do": "status"})
    assert told["waits_for"] == []
    service.do(service.hands.stand, Seat("red"), "c4")
    service.until(lambda: bool(service.status()["chores"]))
    service.until(lambda: shows("c4"))
    service.end_satellite(kill=True)
    service.until(lambda: service.status()["satellites"] == {"home": "paired"})
    service.do(service.hands.lift, "c4")
    service.start_satellite()
    service.until(lambda: "over" in service.status() and not service.status()["waits_for"])
    service.until(lambda: not service.status()["chores"] and not shows("c4"))
    service.until(lambda: any(shows(lamp) for lamp in service.world.copper.lamps()))
    service.end_satellite(kill=False)
    assert not any(shows(lamp) for lamp in service.world.copper.lamps())


def test_every_board_that_a_table_offers_becomes_a_right_configuration(tmp_path: Path) -> None:
    """*Play with another board* on the page, then a satellite that pairs."""
    path = tmp_path / "boardumpire.toml"
    begun: list[str] = []

    async def invite(board: str) -> None:
        path.write_text(OWN)
        found = config.load(path, {})
        host = SatelliteHost((), tmp_path / "satellites.json")
        service = InvitingService(
            lambda: (Seat("red"), Seat("blue")),
            lambda: True,
            lambda: host,
            lambda why: begun.append(board),
            print,
        )
        invitation = BoardInvitation(found, {}, service)
        choices = invitation.choices()
        assert choices is not None
        offered.update(choices["boards"])
        code = invitation.invite(board, "blue")["code"]
        await handshake.pair(await Network(host, Faults()).connect(), code)
        await asyncio.sleep(5)
        host.close()
        (other,) = check_config.further_boards(config.load(path, {}))
        check_config.load_checked_board(config.load(path, {}), listens=False)
        assert (other.board.id, other.config.sensors, other.home) == (board, {"satellite": "other"}, {"blue"})
        assert other.config.drivers == DriversSection("pico", "pico-lamps", "pico-console")

    offered: dict[str, str] = {}
    virtual_loop.run(invite("quick-battle-8x8"), 1)
    assert next(iter(offered)) == "quick-battle-8x8-readers", "the table's own comes first"
    assert {"quick-battle-8x8", "quick-battle-8x8-pico"} <= offered.keys()
    assert "quick-battle-8x8-pads" not in offered
    for board in [*offered]:
        virtual_loop.run(invite(board), 1)
    assert begun == ["quick-battle-8x8", *offered]


WRONG_AWAY = (
    ('name = "quick-battle-8x8"', 'name = "none"', r":5: \[board\] name: no board 'none'"),
    (
        "[sensors]",
        "[sensors]\nplace_ms = 2",
        r":11: \[sensors\] place_ms: a header at a satellite does not take it",
    ),
    (
        "[lamps]",
        "[lamps]\nbrightness = 9",
        r":13: \[lamps\] brightness: a header at a satellite does not take it",
    ),
    (
        "[console]",
        "[console]\nhold_ms = 900",
        r":15: \[console\] hold_ms: a header at a satellite does not take it",
    ),
    ('"gpio-sim"', '"pico"', r":11: \[sensors\] world: pico: unknown setting 'world'"),
    ('"console-sim"', '"none"', r":9: \[drivers\] console: no driver 'none'"),
)
WRONG_HOST = (
    ('"pico-lamps"', '"neopixel"', r":8: \[drivers\] lamps: neopixel: board quick-battle-8x8 has no chain"),
    ('"pico-console"', '"console-gpio"', r":9: .* hangs on a satellite's header; try the drivers 'pico'"),
    ('"pico"', '"gpio"', r":7: .* hangs on a satellite's header; try the drivers 'pico'"),
    ('satellite = "home"', "", r":8: \[drivers\] lamps: .* board quick-battle-8x8 has no Pico"),
)


@pytest.mark.parametrize(("old", "new", "said"), WRONG_AWAY, ids=[said for _, _, said in WRONG_AWAY])
def test_what_a_satellite_can_not_serve_is_refused_by_its_line(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    world = tmp_path / "world"
    World.create_file(world, load_board("quick-battle-8x8")).copper.close()
    assert refused(AWAY.format(world=world, port=1), old, new, tmp_path, said)


@pytest.mark.parametrize(("old", "new", "said"), WRONG_HOST, ids=[said for _, _, said in WRONG_HOST])
def test_a_host_that_takes_a_header_for_something_else_is_refused_by_its_line(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    assert refused(HOST.format(port=1), old, new, tmp_path, said)


def refused(text: str, old: str, new: str, folder: Path, said: str) -> bool:
    """Whether the text is right, and is refused with these words once it is changed."""
    path = folder / "boardumpire.toml"
    check_config.load_checked_board(config.load_text(text, path, {}), listens=False)
    changed = text.replace(old, new, 1)
    assert changed != text
    with pytest.raises(BoardumpireError, match=said):
        check_config.load_checked_board(config.load_text(changed, path, {}), listens=False)
    return True


STILL = "from boardsim.bench.bare import BareLamps\ndef still(board): return BareLamps()\n"


@pytest.mark.slow
def test_a_driver_of_somebody_else_is_refused_once_it_is_open(tmp_path: Path) -> None:
    (tmp_path / "still.py").write_text(STILL)
    about = tmp_path / "still-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: still\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[boardumpire.drivers]\nstill = still:still\n")
    folder, world = tmp_path / "away", tmp_path / "world"
    (folder / "key").mkdir(parents=True, mode=0o700)
    keys.save_satellite_key(folder / "key" / "satellite.json", KEY)
    World.create_file(world, load_board("quick-battle-8x8")).copper.close()
    text = AWAY.format(world=world, port=free_port())
    text = text.replace('"neopixel-spi-sim"', '"still"').replace(f'[lamps]\nworld = "{world}"\n', "")
    (folder / "boardumpire.toml").write_text(text)
    ended = subprocess.run(
        [PROGRAM, "run", "--config", folder / "boardumpire.toml"],
        env={"STATE_DIRECTORY": str(folder), "RUNTIME_DIRECTORY": str(folder), "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 2
    assert ":8: [drivers] lamps: found 'still', which drives no header; try 'neopixel'" in ended.stderr


def test_a_board_that_is_none_is_told_before_anybody_pairs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["satellite", "--to", "127.0.0.1:1", "--key", str(tmp_path / "key.json"), "--board", "none"]
    assert main(words) == 2
    assert "--board: [board] name: no board 'none'" in capsys.readouterr().err


def test_a_satellites_configuration_says_what_it_serves(tmp_path: Path) -> None:
    path, world = tmp_path / "boardumpire.toml", tmp_path / "world"
    World.create_file(world, load_board("quick-battle-8x8")).copper.close()
    path.write_text(AWAY.format(world=world, port=1))
    said = f"{path}: right: quick-battle-8x8 for the table at 127.0.0.1:1"
    assert check_config.check_configuration(path, {}) == said
    path.write_text(path.read_text().replace('name = "quick-battle-8x8"', 'name = ""'))
    assert check_config.check_configuration(path, {}).endswith(": right: Picos for the table at 127.0.0.1:1")
