"""Switches with three wires: rows have buffers, and pins are read as over reeds."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from boardmake.physics.judging import verdicts
from boardsim.pins.drivers import open_sensors
from boardsim.world.kits import KITS
from boardsim.world.physics import BoardPhysics
from boardsim.world.world import World
from boardumpire.cli import main
from boardware.description import BoardFileError, board_path, load_board
from boardware.physics.verdict import Grade, ModelVerdict
from boardware.ports import MS, SlotId

HALL = KITS["hall"].design
SENSING = (
    f'[sensing]\nsensor = "{HALL.sensor}"\nmagnet = "{HALL.magnet}"\ngap_mm = {HALL.gap_mm}\n'
    f'poles = "{HALL.poles}"\n\n'
)
REED_BANK = "diodes = true\n"
BUFFERED = 'diodes = true\nswitches = "buffered"\n'


def file(
    tmp_path: Path,
    *,
    name: str = "quick-battle-8x8",
    bank: str = BUFFERED,
    text: str = SENSING,
) -> Path:
    """A shipped board with Hall switches."""
    shipped = board_path(name).read_text()
    begin = shipped.index("[sensing]")
    end = shipped.index("\n[", begin) + 1
    made = shipped[:begin] + text + shipped[end:]
    if bank != REED_BANK:  # what a matrix of reeds has
        made = re.sub(r"^(diode|row_ohm|cable_\w+) = .*\n", "", made, flags=re.MULTILINE)
    made = re.sub(r"^diodes = true.*\n", bank, made, flags=re.MULTILINE)
    path = tmp_path / f"{name}-hall.toml"
    path.write_text(made)
    return path


def told(path: Path) -> list[ModelVerdict]:
    return [each for each in verdicts(load_board(path)) if each.table_key == "banks.reeds"]


def test_rows_that_a_pi_pulls_up_enable_their_buffers_together(tmp_path: Path) -> None:
    """GPIO2 and GPIO3 stand at 2.8 V while nothing drives them: two rows would work against each other."""
    (said,) = told(file(tmp_path, name="classic-10x10"))
    assert said.grade is Grade.REFUSED
    assert "GPIO2 and GPIO3: a Pi pulls them up, to 2.8 V against 10 kOhm" in str(said)


@pytest.mark.parametrize("name", ["quick-battle-8x8", "quick-battle-8x8-pico"])
def test_a_board_of_hall_switches_works_with_the_worst_parts(tmp_path: Path, name: str) -> None:
    """Sensors, magnets, wires and supply: nothing is in doubt."""
    assert {each.grade for each in verdicts(load_board(file(tmp_path, name=name)))} == {Grade.FINE}


def test_what_is_said_of_it(tmp_path: Path) -> None:
    assert list(map(str, told(file(tmp_path)))) == [
        "banks.reeds: 64 switches draw 333 mA at most, 5.2 each; they get 5 V, a HAL504 wants 3.8",
    ]


REEDS = SENSING.replace(HALL.sensor, "reed on end 15-20 AT")
OTHER = SENSING.replace(HALL.sensor, "TLE4964-1M")


@pytest.mark.parametrize(
    ("changed", "grade", "said"),
    [
        ({"bank": "diodes = true\n"}, Grade.REFUSED, "HAL504 has three wires, and can't lie between a row"),
        ({"text": REEDS}, Grade.REFUSED, 'two wires and no supply; try switches = "reeds"'),
        ({"text": OTHER}, Grade.DOUBT, "what TLE4964-1M asks of its supply is not known here"),
        ({"bank": BUFFERED + "feed_v = 3.3\n"}, Grade.REFUSED, "0.5 V are missing; try feed_v = 3.8 or"),
    ],
)
def test_what_cannot_work_is_refused_with_what_is_missing(
    tmp_path: Path, changed: dict[str, object], grade: Grade, said: str
) -> None:
    found = max(told(file(tmp_path, **changed)), key=lambda each: each.grade)  # type: ignore[arg-type]
    assert found.grade is grade
    assert said in found.text


@pytest.mark.parametrize(
    ("bank", "said"),
    [
        (BUFFERED + "row_ohm = 470\n", 'row_ohm beside switches = "buffered"; try none'),
        ("diodes = true\nfeed_v = 5\n", 'feed_v beside switches = "reeds"; try none'),
        (
            'diodes = false\nswitches = "buffered"\n',
            "diodes is False; try true: nothing comes from one row",
        ),
        ('diodes = true\nswitches = "hall"\n', "switches is 'hall'; try one of reeds, buffered"),
    ],
)
def test_keys_that_contradict_each_other_are_refused(tmp_path: Path, bank: str, said: str) -> None:
    with pytest.raises(BoardFileError) as error:
        load_board(file(tmp_path, bank=bank))
    assert said in str(error.value)


# -- over the copper -----------------------------------------------------------------------------------------


def on_a_header(world: World) -> set[SlotId]:
    """What the real driver of the header believes after some scans."""
    sensors = open_sensors(world.board, world=world, place_ms=0, lockout_ms=0)
    for _ in range(3):
        world.advance(world.now + 10 * MS)
        sensors.step(world.now)
    present = set(sensors.present())
    sensors.close()
    return present


def laid(board: Path, slots: Sequence[SlotId]) -> World:
    """Magnets in the middle of these spaces, and sensors that feel them by the model."""
    world = World(load_board(board), bounce=None)
    physics = BoardPhysics(world, KITS["hall"]._replace(odd_magnet_rate=0.0), seed=5)
    pole, disc = (0.0, 0.0, physics.design.measured_moment), physics.usual
    for slot in slots:
        middle = (*world.board.slots[slot].position, disc.height_mm / 2)
        sensor = physics.sensors[slot]
        world.copper.set_closed(
            slot, sensor.is_closed(sensor.field_of_magnet(pole, disc.smoothing_mm2, middle), False)
        )
    return world


FULL = [f"{file}{rank}" for file in "abcdefgh" for rank in (1, 2, 7, 8)]
CORNERS = ["a1", "a5", "d1"]
"""Without diodes or three wires the fourth corner would look closed."""


@pytest.mark.parametrize("slots", [[], ["d4"], CORNERS, FULL], ids=["none", "one", "corners", "full rows"])
def test_the_driver_of_the_header_reads_it_as_it_stands(tmp_path: Path, slots: list[SlotId]) -> None:
    """The same driver as over reeds: no code and no firmware knows which switches lie below."""
    assert on_a_header(laid(file(tmp_path), slots)) == set(slots)


def test_switches_without_their_supply_are_read_as_nothing(tmp_path: Path) -> None:
    assert on_a_header(laid(file(tmp_path, bank=BUFFERED + "feed_v = 3.3\n"), CORNERS)) == set()


@pytest.mark.parametrize(
    ("level", "read"), [(1, {f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)}), (0, set())]
)
def test_wrong_parts_at_the_buffers_make_all_closed_or_none(
    tmp_path: Path, level: int, read: set[SlotId]
) -> None:
    world = laid(file(tmp_path), CORNERS)
    world.copper.hold_columns_at("reeds", level)
    assert on_a_header(world) == read


@pytest.mark.parametrize(
    ("name", "driver"), [("quick-battle-8x8", "gpio-sim"), ("quick-battle-8x8-pico", "pico-sim")]
)
def test_a_game_is_played_on_it_as_on_reeds(
    tmp_path: Path, name: str, driver: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Clumsy people over the driver of the header, and over the firmware of a Pico: nothing goes wrong."""
    asked = f"lab soak --driver {driver} --kit hall --games 1 --longest 16 --jobs 1 --seed 4 --json --board"
    assert main([*asked.split(), str(file(tmp_path, name=name))]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["actions"] >= 16
    assert (found["wrong"], found["lost"], found["missed"]) == (0, 0, 0)
