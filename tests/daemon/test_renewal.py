"""A Pico with older firmware gets this program's between two games: the daemon, mpremote and MicroPython."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from boardumpire.service.clock import monotonic
from boardumpire.service.firmware_updater import MARKER_NAME, FirmwareUpdater
from boardware import pico, pico_flash
from boardware.description import load_board
from boardware.pico_flash import PACKAGED_VERSION, FirmwareVersion, PicoFlasher
from boardware.pico_plan import PicoPlan, plans_by_pico
from boardwire import wire
from daemon.pico_service import CABLES
from daemon.service import DEADLINE_S, Service
from loops import run
from pico.test_flash import Machine

BOARD = "quick-battle-8x8-pico"
TWO = "quick-battle-8x8-two-picos"
OLDER = FirmwareVersion("0.0.9", wire.DECLARATION_HASH)
NEWER = FirmwareVersion("99.0.0", wire.DECLARATION_HASH ^ 1)
(PLAN,) = plans_by_pico(load_board(BOARD)).values()

pytest.importorskip("micropython_unix")
pytest.importorskip("mpremote")


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    yield made
    made.close()


def put_on(
    machine: Machine, version: FirmwareVersion, monkeypatch: pytest.MonkeyPatch, plan: PicoPlan = PLAN
) -> None:
    """Flash it with firmware that says it is that version, and speaks its wire."""
    stage = pico_flash.stage_firmware

    def staged(folder: Path, plan: PicoPlan) -> None:
        stage(folder, plan)
        ours, other = (f'VERSION = "{each.version}"' for each in (PACKAGED_VERSION, version))
        edit(folder / "boardwire" / "station.py", ours, other)
        with (folder / "boardwire" / "wire.py").open("a") as file:
            file.write(f"\nDECLARATION_HASH = {version.wire}\n")
        (folder / "version.json").write_text(json.dumps(version._asdict()))

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(pico_flash, "stage_firmware", staged)
        meanwhile.setattr(pico_flash, "PACKAGED_VERSION", version)
        meanwhile.setattr(PicoFlasher, "_boot_and_check", lambda self, wanted: self._reset() or "")
        PicoFlasher(plan, machine.port).flash()


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert text.count(before) == 1
    path.write_text(text.replace(before, after))


def has(machine: Machine, where: str = "version.json") -> FirmwareVersion:
    return FirmwareVersion(**json.loads((machine.flash / where).read_text()))


class Turned:
    """A driver over flashed Picos, turned as the daemon turns it, and what looks after their firmware."""

    def __init__(self, folder: Path, board: str = BOARD, **ports: str) -> None:
        self.board, self.folder = load_board(board), folder
        self.sensors = pico.begin_sensors(self.board, ports=ports)
        self.playing = False
        self.renewal = self.anew()

    def anew(self) -> FirmwareUpdater:
        """As after a start of the daemon."""
        return FirmwareUpdater(self.board, lambda: self.sensors, lambda: not self.playing, self.folder)

    async def until(self, done: Callable[[], bool]) -> None:
        deadline = time.monotonic() + DEADLINE_S
        while not done():
            assert time.monotonic() < deadline, self.sensors.missing()
            self.sensors.step(monotonic())
            await asyncio.sleep(0.01)

    async def look(self) -> None:
        """Let it look, and flash if it wants to, while the driver is turned."""
        looked = asyncio.create_task(self.renewal.update_if_needed(self.sensors))
        await self.until(looked.done)
        looked.result()

    async def settled(self) -> None:
        """Until each Pico has told what it feels."""
        await self.until(lambda: not self.sensors.missing())


@pytest.fixture
def service(tmp_path: Path, machine: Machine) -> Iterator[Service]:
    folder = tmp_path / "service"
    folder.mkdir()
    made = Service(folder, board=BOARD)
    made.config.write_text(CABLES.format(board=BOARD, ports=f'pico = "{machine.port}"'))
    yield made
    made.close()


@pytest.mark.slow
def test_a_board_whose_pico_speaks_another_wire_brings_it_along(
    machine: Machine, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is typed after the host was upgraded: the daemon waits for the Pico, flashes it, and plays."""
    put_on(machine, OLDER._replace(wire=wire.DECLARATION_HASH ^ 1), monkeypatch)
    service.start()
    service.until(lambda: "speaks another wire than this" in " ".join(service.status()["waits_for"]))
    service.until(lambda: "it gets firmware" in " ".join(service.status()["waits_for"]))
    service.until(lambda: "over" in service.status() and not service.status()["waits_for"])
    assert has(machine) == PACKAGED_VERSION
    assert has(machine, "before/version.json").version == OLDER.version
    assert not (service.journal.parent / MARKER_NAME).exists()
    assert "Traceback" not in service.log
    assert "copied and compared; it boots" in service.log


@pytest.mark.nightly
def test_older_firmware_stays_in_a_game_and_where_the_new_one_does_not_answer(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It works, so nothing hurries; after a start it is tried again."""
    put_on(machine, OLDER, monkeypatch)
    stage = pico_flash.stage_firmware

    def broken(folder: Path, plan: PicoPlan) -> None:
        stage(folder, plan)
        (folder / "boardwire" / "station.py").write_text("raise RuntimeError('broken')\n")

    async def scene() -> None:
        turned = Turned(tmp_path, pico=machine.port)
        await turned.settled()
        turned.playing = True
        await turned.look()
        turned.playing = False
        assert has(machine) == OLDER
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(pico_flash, "stage_firmware", broken)
            await turned.look()
        assert f"it does not answer; it has {OLDER} now" in caplog.text
        await turned.settled()
        boots = machine.boots
        await turned.look()
        assert (has(machine), machine.boots) == (OLDER, boots)
        turned.renewal = turned.anew()
        await turned.look()
        await turned.settled()
        assert has(machine) == PACKAGED_VERSION
        turned.sensors.close()

    run(scene())


@pytest.mark.slow
def test_a_program_that_gave_way_brings_back_the_firmware_it_understands(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newer one came with a program that did not run; the game that waits for the Pico has begun."""
    PicoFlasher(PLAN, machine.port).flash()
    put_on(machine, NEWER, monkeypatch)

    async def scene() -> None:
        turned = Turned(tmp_path, pico=machine.port)
        turned.playing = True
        await turned.until(lambda: "speaks another wire" in turned.sensors.missing())
        await turned.look()
        await turned.settled()
        assert (has(machine), has(machine, "before/version.json")) == (PACKAGED_VERSION, NEWER)
        turned.sensors.close()

    run(scene())


@pytest.mark.slow
def test_a_pico_that_was_left_at_its_prompt_is_flashed_and_a_bare_one_is_not(
    machine: Machine, tmp_path: Path
) -> None:
    """Only a file beside the journal tells them apart, whatever else is in it."""

    async def scene() -> None:
        turned = Turned(tmp_path, pico=machine.port)
        for text in ("", "[]", '{"/dev/null": 5}', '{"/dev/null": "pico", "/etc/passwd": "nobody"}'):
            (tmp_path / MARKER_NAME).write_text(text)
            turned.renewal.start()
            turned.renewal.stop()
            await turned.look()
        assert not (machine.flash / "version.json").exists()
        (tmp_path / MARKER_NAME).write_text(json.dumps({machine.port: "pico"}))
        turned.renewal.start()
        turned.renewal.stop()
        await turned.look()
        await turned.settled()
        assert has(machine) == PACKAGED_VERSION
        assert not (tmp_path / MARKER_NAME).exists()
        turned.sensors.close()

    run(scene())


@pytest.mark.nightly
def test_another_pico_of_the_board_goes_on_meanwhile(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two Picos the older one alone is flashed; what the other one feels is told throughout."""
    (tmp_path / "other").mkdir()
    other, (south, north) = Machine(tmp_path / "other"), plans_by_pico(load_board(TWO)).values()
    PicoFlasher(north, other.port).flash()
    put_on(machine, OLDER, monkeypatch, south)

    async def scene() -> None:
        turned = Turned(tmp_path, TWO, **{south.pico: machine.port, north.pico: other.port})
        await turned.settled()
        boots, silent = other.boots, set[str]()
        looked = asyncio.create_task(turned.look())
        while not looked.done():
            silent |= set(turned.sensors.silent_parts())
            await asyncio.sleep(0.01)
        looked.result()
        assert silent == {south.pico}
        await turned.settled()
        assert (has(machine), other.boots) == (PACKAGED_VERSION, boots)
        turned.sensors.close()

    try:
        run(scene())
    finally:
        other.close()
