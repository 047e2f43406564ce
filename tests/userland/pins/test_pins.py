"""A board on a Pi's header through a kernel's own devices: a module (`pi_header.c`) stands in for the Pi.

gpiozero, lgpio, Blinka, spidev, udev and systemd are real. One machine is booted for all of it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from boardsim.pins import drivers
from boardsim.world.copper import DARK
from boardsim.world.world import World
from boardware.description import board_path, load_board
from boardware.parts import Board
from boardware.ports import Trouble
from userland.machine import Machine
from userland.pins import lean, module
from userland.pins.board import INSTRUCTION_NS, HeaderBoard, HeaderMachine, Sliders
from userland.pins.module import DEVICE, NAME, PI_4, PI_5

BOARD = "quick-battle-8x8"
CHECK = "sudo boardumpire check-config"
PYTHON = "/opt/boardumpire/current/bin/python"
SLIDES = LIFTS = 10
SCAN_MS = 100
"""Between scans: a kernel and a Python whose instructions are emulated need most of that for one."""
FIRMWARE = "dtparam=spi=on\ndtoverlay=spi0-0cs,no_miso\ncore_freq_min=500\n"
NETWORK = "ip link set lo up; ip address add 10.0.2.15/24 dev eth0; ip link set eth0 up"
"""As qemu gives it; the test speaks with the daemon that way."""
TAKES = """
import sys, time, lgpio
lgpio.gpio_claim_input(lgpio.gpiochip_open(0), int(sys.argv[1]))
open("/run/taken", "w").close()
time.sleep(3600)
"""
"""Another program, which has a pin."""
FEELS = """
import json, sys
from boardware.description import load_board
from boardware.gpio import open_sensors
sensors, found, now = open_sensors(load_board(sys.argv[1]), pins=sys.argv[4]), [], 0
for closed in json.loads(sys.argv[3]):
    with open(sys.argv[2], "w") as contacts:
        contacts.write(",".join(str(each) for each in closed) + "\\n")
    troubles = set()
    for _ in range(LOOKS):
        troubles |= {each.where for each in sensors.step(now) if hasattr(each, "where")}
        now += 10_000
    found.append([sorted(sensors.present()), sorted(troubles)])
sensors.close()
print(json.dumps(found))
"""
"""The driver alone, over contacts that are closed one set after the other."""
LOOKS = 4
LAMP_LOOKS = 5
SETS = 40
pytestmark = pytest.mark.prove


@pytest.fixture(scope="module")
def machine(debian: Path, package: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A machine that has booted, with the module of its kernel in /root. Its board is not on."""
    try:
        built = module.built(debian)
    except module.NoHeaders as lacking:
        pytest.skip(str(lacking))
    folder = tmp_path_factory.mktemp("header")
    image = lean.made(lean.installed(debian, package), module.release(debian), folder / "image")
    machine = HeaderMachine(folder, image, [built])
    try:
        machine.on()
        machine.unpack()
        machine.run(f"{NETWORK}; systemctl start systemd-udevd")
        machine.run(f"mkdir -p /boot/firmware && cat > /boot/firmware/config.txt <<'END'\n{FIRMWARE}END")
        yield machine
    finally:
        machine.close()


@pytest.fixture(scope="module")
def wired(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HeaderBoard]:
    """A board on the header of that machine, which is a Pi 4 from now on."""
    board = HeaderBoard(tmp_path_factory.mktemp("wired"), machine)
    board.configure(scan_ms=SCAN_MS)
    board.wire()
    yield board
    machine.run("systemctl stop boardumpire")
    board.gone()
    board.unwire()
    board.close()


def test_check_config_names_the_chip_of_each_pi(
    machine: Machine, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """`check-config` on a machine taken for a Pi 4, for a Pi 5, and for one whose chip has a wrong name."""
    board = HeaderBoard(tmp_path, machine)
    board.configure()
    for kind in (PI_4, PI_5):
        board.wire(kind)
        told = machine.run(CHECK).told.splitlines()
        board.unwire()
        assert f"ok     {kind.model}" in told
        assert f"ok     pins: /dev/gpiochip0 is {kind.label}" in told
        assert "ok     lamps: /dev/spidev0.0" in told
        record_property("kinds of Pi", 1)
    board.wire(PI_4._replace(label=PI_5.label))
    found = machine.run(CHECK, right=False)
    board.unwire()
    board.close()
    assert found.code != 0
    (wrong,) = (line for line in found.told.splitlines() if line.startswith("to do"))
    assert f"no chip of pins called {PI_4.label} (/dev/gpiochip0 is {PI_5.label})" in wrong


@pytest.mark.parametrize(
    ("pins", "diodes"),
    [("lgpio", True), ("lgpio", False), ("rpigpio", True)],
    ids=["lgpio", "lgpio-without-diodes", "rpigpio"],
)
def test_the_kernel_s_pins_and_simulated_ones_feel_the_same(
    pins: str,
    diodes: bool,
    machine: Machine,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """The driver over the kernel's pins and simulated ones: the same is felt, ghosts too; no rows fight."""
    text = board_path(BOARD).read_text()
    assert text.count("\ndiodes = true\n") == 1
    own = tmp_path / "own.toml"
    own.write_text(text if diodes else text.replace("\ndiodes = true\n", "\ndiodes = false\n"))
    board = load_board(own)
    sets = closed_sets(board)
    machine.run(f"cat > /root/own.toml <<'END'\n{own.read_text()}END")
    machine.run(f"cat > /root/feels.py <<'END'\n{FEELS.replace('LOOKS', str(LOOKS))}END")
    machine.run(f"insmod /root/{module.FILE} {module.parameters(board, PI_4)}")
    command = (
        f"env LG_WD=/tmp {PYTHON} /root/feels.py /root/own.toml {DEVICE}/closed '{json.dumps(sets)}' {pins}"
    )
    felt = json.loads(machine.run(command).told.splitlines()[-1])
    fights = int(machine.run(f"cat {DEVICE}/fights").told)
    machine.run(f"rmmod {NAME}")
    assert felt == felt_over_copper(board, sets)
    assert fights == 0
    record_property("sets of contacts felt alike", len(sets))
    record_property("of them with ghosts", sum(bool(troubles) for _, troubles in felt))


def closed_sets(board: Board) -> list[list[int]]:
    """Contacts that are closed one set after the other, by the module's numbers: one changes each time."""
    (bank,) = board.banks.values()
    dice, closed, sets = random.Random("contacts"), set[int](), []
    for _ in range(SETS):
        contact = dice.randrange(len(bank.rows) * len(bank.columns))
        closed ^= {contact if dice.random() < 0.6 or not closed else dice.choice(sorted(closed))}
        sets.append(sorted(closed))
    return sets


def felt_over_copper(board: Board, sets: list[list[int]]) -> list[list[list[str]]]:
    """What `FEELS` prints, over simulated pins."""
    (bank,) = board.banks.values()
    world = World(board, bounce=None)
    sensors = drivers.open_sensors(board, world=world)
    numbers = {slot: at.row * len(bank.columns) + at.column for at, slot in board.contacts.items()}
    found, now = [], 0
    for closed in sets:
        for slot, number in numbers.items():
            world.copper.set_closed(slot, number in closed)
        troubles = set()
        for _ in range(LOOKS):
            world.advance(now)
            troubles |= {each.where for each in sensors.step(now) if isinstance(each, Trouble)}
            now += 10_000
        found.append([sorted(sensors.present()), sorted(troubles)])
    sensors.close()
    return found


def test_a_pin_that_another_program_has_is_told_with_its_holder(
    wired: HeaderBoard, record_property: Callable[[str, object], None]
) -> None:
    """Another process holds a row: the board says which and who, waits, and is complete once it is free."""
    machine = wired.machine
    machine.run(f"cat > /root/takes.py <<'END'\n{TAKES}END")
    machine.run(f"systemd-run --unit=other --setenv=LG_WD=/tmp {PYTHON} /root/takes.py 17")
    machine.run("until test -e /run/taken; do sleep 0.2; done")
    machine.run("systemctl restart boardumpire")
    wired.until_waits_for("gpio: GPIO17 can't be had: 'GPIO busy'; 'lg' has it")
    machine.run("systemctl stop other")
    wired.until_complete()
    record_property("pins taken and given back", 1)


def test_a_game_through_the_devices_of_the_header(
    wired: HeaderBoard, record_property: Callable[[str, object], None]
) -> None:
    """The installed daemon as its own user reads a set-up and twenty lifts and slides, and lights a lift."""
    machine = wired.machine
    machine.run("systemctl start boardumpire")
    wired.start()
    main = machine.run("systemctl show -P MainPID boardumpire").told.strip()
    assert machine.run(f"stat -c %U /proc/{main}; stat -c %U:%G:%a /dev/gpiochip0").told.split() == [
        "boardumpire",
        "root:gpio:660",
    ]
    guests = Sliders(wired, seed=3)
    guests.set_up()
    wired.scans(afresh=True)
    while guests.slides < SLIDES or guests.lifts < LIFTS:
        guests.moves(1)
    scans = wired.scans()
    guests.compare()
    record_property("lifts and placings", guests.lifts)
    record_property("slides", guests.slides)
    record_property("lifts whose target was lit", lit(guests))
    record_property("scans counted by the chip", scans.count)
    record_property(
        "instructions that the quickest scan took, in thousands", round(scans.least / INSTRUCTION_NS)
    )
    assert wired.fights() == 0


def lit(guests: Sliders) -> int:
    """Lift a piece that may move: the bytes on the SPI bus light its targets, and no other square."""
    wired = guests.service
    assert isinstance(wired, HeaderBoard)
    legal = [str(each).split("-") for each in guests.state.legal_actions(guests.state.seats_to_act()[0])]
    moves = [pair for pair in legal if len(pair) == 2]
    origin = moves[0][0]
    targets = {target for each, target in moves if each == origin}
    wired.do(wired.hands.lift, origin)
    bright = set[str]()
    # Some lamps blink.
    for _ in range(LAMP_LOOKS):
        wired.machine.run("sleep 0.3")
        shown = wired.lamps()
        bright |= {name for name in wired.board.spaces if shown[wired.board.lamps[name].index] != DARK}
    assert targets <= bright <= targets | {origin}, (origin, targets, bright)
    wired.do(wired.hands.place, origin)
    return 1


def test_the_chip_stays_while_a_board_has_pins_and_is_missed_if_torn_out(
    wired: HeaderBoard, record_property: Callable[[str, object], None]
) -> None:
    """The kernel keeps a module whose pins are held. Torn out all the same it is missed, and waited for."""
    machine = wired.machine
    machine.run("systemctl start boardumpire")
    wired.until_complete()
    refused = machine.run(f"rmmod {NAME}", right=False)
    assert refused.code != 0
    assert "in use" in refused.told
    wired.tear_out()
    wired.gone()
    wired.until_waits_for("gpio: lgpio finds no pins on this machine")
    assert machine.run("systemctl show -P NRestarts boardumpire").told.strip() == "1"
    record_property("chips torn out", 1)
