"""The doctor names the part that failed: of a board with one thing wrong, and of none with nothing wrong."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boardlab.rehearsal.person import Person
from boardsim.hands.hands import Hands
from boardsim.pico.picos import SimPicos
from boardsim.world import faults
from boardsim.world.world import World
from boardumpire.lamps import legend
from boardumpire.makers.bare_board import slot_name
from boardumpire.makers.diagnosis import derive_findings
from boardumpire.makers.doctor import Doctor
from boardumpire.makers.guide import GuideReply, GuideRequest, VisibleSign
from boardumpire.makers.observations import Observations, StrongMagnetTest
from boardumpire.makers.power import estimate_power
from boardumpire.makers.report import as_text, make_report
from boardware.description import board_names, load_board
from boardware.ports import MS, SECOND, HardwareTrouble
from daemon.service import Service
from makers.injected import CROSSED, examine, examined, named

BOARD = load_board("quick-battle-8x8")
KINDS = (*CROSSED, *faults.KINDS)
ON_THE_HEADER = [name for name in board_names() if not load_board(name).picos]


@pytest.mark.few(2)
@pytest.mark.parametrize("name", ON_THE_HEADER)
def test_a_board_with_nothing_wrong_has_no_findings(name: str) -> None:
    board = load_board(name)
    findings, person = examine(World(board, seed=1), board)
    assert findings == []
    assert set(person.guide.result.sensed_contacts) == {
        f"{at.bank}:{at.row},{at.column}" for at in board.slots_by_contact
    }


SLOTS = load_board("fall-of-the-fuhrer-slots")


def test_words_say_which_ring_of_a_space_is_meant() -> None:
    _, person = examine(World(SLOTS, seed=1), SLOTS)
    asked = {
        ask.text.partition(f"blinks {legend.SHARED_MARKS['put'].colour}: ")[2].partition(".")[0]
        for ask in person.asks
    }
    assert {"kiel (the left ring)", "kiel (the right ring)"} <= asked
    assert len(asked - {""}) == len(SLOTS.slots_by_contact)
    castle = load_board("escape-from-colditz")
    for space in castle.spaces.values():
        assert len({slot_name(castle, slot.id) for slot in space.slots}) == len(space.slots)


@pytest.mark.parametrize(
    ("fault", "code", "parts"),
    [
        ("reed-open kiel/2", "reed-dead", {"reed kiel/2", "diode kiel/2"}),
        ("diode-shorted bonn/2", "diode-shorted", {"diode bonn/2"}),
    ],
)
def test_a_fault_of_one_ring_is_named_as_its_own(fault: str, code: str, parts: set[str]) -> None:
    world = World(SLOTS, seed=4)
    faults.inject(world, faults.parse(fault, SLOTS), 0)
    findings, _ = examine(world, SLOTS)
    assert [(finding.code, set(finding.parts)) for finding in findings] == [(code, parts)]


def test_rings_of_one_space_whose_wires_are_crossed_are_named() -> None:
    kiel = SLOTS.spaces["kiel"]
    one, other = kiel.slots
    crossed = (replace(one, sensor=other.sensor), replace(other, sensor=one.sensor))
    file = replace(SLOTS, spaces={**SLOTS.spaces, "kiel": replace(kiel, slots=crossed)})
    findings, _ = examine(World(SLOTS, seed=5), file)
    assert [(finding.code, set(finding.parts)) for finding in findings] == [
        ("reeds-crossed", {"reed kiel", "reed kiel/2"})
    ]


def test_crossed_lamps_over_spaces_with_several_rings_are_named() -> None:
    lamps = {**SLOTS.lamps, "kiel": SLOTS.lamps["bonn"], "bonn": SLOTS.lamps["kiel"]}
    findings, _ = examine(World(SLOTS, seed=6), replace(SLOTS, lamps=lamps))
    numbers = {f"lamp {at.chain}:{at.index}" for at in (SLOTS.lamps["kiel"], SLOTS.lamps["bonn"])}
    assert [(finding.code, set(finding.parts)) for finding in findings] == [("lamps-crossed", numbers)]


@pytest.mark.few(6)
@pytest.mark.parametrize("kind", KINDS)
def test_one_thing_wrong_is_named(kind: str) -> None:
    """One random injection of each kind there is."""
    injection, findings, _ = examined(BOARD, 3, kind)
    assert named(injection, findings), (injection, [finding.text() for finding in findings])


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["quick-battle-8x8", "classic-10x10", "fall-of-the-fuhrer-slots"])
def test_95_of_100_random_injections_are_named(name: str, record_property: Any) -> None:
    """A person led by lamps and text examines boards with one random thing wrong each.

    Every part of it has to be named, and no finding may be about anything else. A reed that never
    closes and a diode that lets nothing through look alike: there both are named.
    """
    board, fine, missed, kinds = load_board(name), 0, [], Counter[str]()
    asks = []
    for seed in range(100):
        injection, findings, person = examined(board, 1000 + seed)
        kinds[injection.what.split()[0]] += 1
        asks.append(len(person.asks))
        if named(injection, findings):
            fine += 1
        else:
            missed.append(injection.what)
    record_property("seeds", "1000 to 1099")
    record_property("named", f"{fine} of 100")
    record_property("not named", ", ".join(missed) or "none")
    record_property("injected", ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))
    record_property(
        "questions and placings", f"{min(asks)} to {max(asks)}, {sum(asks) / len(asks):.0f} on average"
    )
    assert fine >= 95


@pytest.mark.slow
@pytest.mark.parametrize("fault", [None, "reed-open c3", "column-cut reeds:5"])
def test_it_runs_over_a_pico_as_well(fault: str | None) -> None:
    """The same check over the firmware of a Pico: no file of the Pico has to be changed for it."""
    board = load_board("quick-battle-8x8-pico")
    world = World(board, seed=2)
    picos = SimPicos(world)
    try:
        if fault is not None:
            faults.inject(world, faults.parse(fault, board), 0)
        person = Person(world, board, Doctor(board).run_steps(), picos)
        findings = derive_findings(board, person.obey(), person.guide.troubles)
    finally:
        picos.close()
    wanted = {None: [], "reed-open c3": ["reed-dead"], "column-cut reeds:5": ["column-dead"]}[fault]
    assert [finding.code for finding in findings] == wanted


def test_without_hands_it_finds_what_sticks() -> None:
    world = World(BOARD, seed=3)
    faults.inject(world, faults.parse("reed-closed d6", BOARD), 0)
    person = Person(world, BOARD, Doctor(BOARD, hands=False).run_steps())
    findings = derive_findings(BOARD, person.obey())
    assert [finding.parts for finding in findings] == [("reed d6",)]
    assert "GPIO 6 (header pin 31)" in findings[0].check, "row 5"
    assert "GPIO 12 (header pin 32)" in findings[0].check, "column 3"


@pytest.mark.few(1)
@pytest.mark.parametrize("fault", [None, "reed-open c3", "reed-closed g7", "row-cut reeds:2"])
def test_a_board_built_without_diodes_is_walked_with_one_piece(fault: str | None) -> None:
    """No diode is looked for where none is; what else fails is named as on any board."""
    bank = replace(BOARD.banks["reeds"], has_diodes=False)
    board = replace(BOARD, banks={"reeds": bank})
    world = World(board, seed=2)
    if fault is not None:
        faults.inject(world, faults.parse(fault, board), 0)
    findings, person = examine(world, board)
    wanted = {
        None: [],
        "reed-open c3": ["reed-dead"],
        "reed-closed g7": ["reed-stuck"],
        "row-cut reeds:2": ["row-dead"],
    }
    assert [finding.code for finding in findings] == wanted[fault]
    assert all("other piece" not in ask.text for ask in person.asks)


def test_two_faults_at_once_are_both_named() -> None:
    world = World(BOARD, seed=4)
    for text in ("reed-open b2", "lamp-dead lamps:40"):
        faults.inject(world, faults.parse(text, BOARD), 0)
    findings, _ = examine(world, BOARD)
    assert [finding.code for finding in findings] == ["chain-cut", "reed-dead"]
    assert "DOUT of lamp lamps:39" in findings[0].check


def felt(**changes: Any) -> Observations:
    """A walk over the whole board in which all was as it should be, but for `changes`."""
    seen = Observations(
        sensed_contacts={
            f"reeds:{row},{column}": f"reeds:{row},{column}" for row in range(8) for column in range(8)
        }
    )
    for name, value in changes.items():
        getattr(seen, name).update(value)
    return seen


def codes(
    seen: Observations, troubles: tuple[HardwareTrouble, ...] = ()
) -> list[tuple[str, tuple[str, ...]]]:
    return [(finding.code, finding.parts) for finding in derive_findings(BOARD, seen, troubles)]


def test_wires_that_touch_are_told_from_magnets_that_are_too_strong() -> None:
    bridged = {
        f"reeds:{row},{a}": frozenset({f"reeds:{row},{b}"}) for row in range(8) for a, b in ((2, 3), (3, 2))
    }
    assert codes(felt(also_closed=bridged)) == [("columns-bridged", ("column reeds:2", "column reeds:3"))]
    one = {"reeds:0,0": frozenset({"reeds:0,1"})}
    assert codes(felt(also_closed=one)) == [("felt-beside", ("reed b1",))]


def test_a_column_that_touches_the_supply_is_one_finding() -> None:
    seen = Observations(closed_when_empty=frozenset(f"reeds:{row},4" for row in range(8)))
    assert codes(seen) == [("column-high", ("column reeds:4",))]


def test_a_bank_of_which_nothing_is_felt_is_one_finding() -> None:
    seen = Observations(
        sensed_contacts={f"reeds:{row},{column}": None for row in range(8) for column in range(8)}
    )
    assert codes(seen) == [("diodes-reversed", ("bank reeds",))]
    strong = {
        "reeds:0,0": StrongMagnetTest(
            closes_by_magnet=True, closes_when_turned=True, changes_by_pushed_piece=0
        )
    }
    assert codes(replace(seen, magnet_tests=strong)) == [("magnet-never", ("pieces",))]


def test_a_row_and_a_column_dead_together_may_be_crossed() -> None:
    dead = {
        f"reeds:{row},{column}": None for row in range(8) for column in range(8) if row == 1 or column == 6
    }
    found = derive_findings(BOARD, felt(sensed_contacts=dead))
    assert [finding.parts for finding in found] == [("row reeds:1",), ("column reeds:6",)]
    assert all("crossed" in finding.check for finding in found)


def test_a_board_file_of_another_board_is_sent_to_calibrate() -> None:
    dice = random.Random(1)
    names = list(felt().sensed_contacts)
    found = derive_findings(
        BOARD, felt(sensed_contacts=dict(zip(names, dice.sample(names, len(names)), strict=True)))
    )
    assert [finding.code for finding in found] == ["wiring"]
    assert "calibrate" in found[0].check


def test_restless_and_sticky_reeds_and_silent_drivers_are_named() -> None:
    seen = Observations(chattering_contacts=frozenset({"reeds:2,2"}), stuck_closed={"reeds:3,3"})
    troubles = (
        HardwareTrouble(0, "bank-silent", "south", "unplugged"),
        HardwareTrouble(5, "lamps-silent", "lamps", "no bus"),
    )
    assert codes(seen, troubles) == [
        ("bank-silent", ("pico south",)),
        ("lamps-silent", ("chain lamps",)),
        ("loose", ("reed c3",)),
        ("reed-sticks", ("reed d4",)),
    ]


def test_power_is_reckoned_and_says_so() -> None:
    """66 lamps in white want 66 x 61 mA; the cap leaves what the board file allows."""
    drawn = estimate_power(BOARD, legend.BOARD_LEGEND.to_lights(dict.fromkeys(BOARD.lamps, "plain-white")))
    assert drawn.wanted_ma == 66 * 61
    assert drawn.drawn_ma <= BOARD.current_limit_ma == drawn.limit_ma
    assert "calculated, not measured" in drawn.text()
    assert estimate_power(BOARD, {}).drawn_ma == 66


def test_the_report_says_what_was_looked_at() -> None:
    text = as_text(make_report(BOARD, Observations(), (), {}))
    assert "tested the empty board, 0 of 64 reeds, 0 of 3 buttons, 0 of 66 lamps" in text
    assert "Nothing wrong was found." in text


def test_the_page_shows_a_report_as_it_is() -> None:
    board = load_board("quick-battle-8x8-pico")
    lines = as_text(make_report(board, Observations(absent_picos={"pico": None}), (), {})).splitlines()
    page = (Path(__file__).parents[2] / "docs/build/doctor.md").read_text()
    assert "\n".join(lines[1:5]) in page


@pytest.mark.slow
def test_the_command_leads_at_a_terminal_in_real_time(tmp_path: Path) -> None:
    """Over a world in another process; a reed that sticks is found without hands, exit code 1."""
    service = Service(tmp_path)
    try:
        faults.inject(service.world, faults.parse("reed-closed a1", BOARD), 0)
        service.world.advance(100_000)
        command = [Path(sys.executable).with_name("boardumpire"), "doctor", "--no-hands", "--json"]
        done = subprocess.run(
            [*command, "--config", service.config],
            stdin=subprocess.PIPE,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        service.close()
    assert done.returncode == 1, done.stderr
    assert "Nobody touches the board." in done.stderr
    assert [finding["parts"] for finding in json.loads(done.stdout)["findings"]] == [["reed a1"]]


@pytest.mark.slow
def test_the_command_says_what_it_may_be_if_a_pico_never_answers(tmp_path: Path) -> None:
    """It waits for six seconds, then says so rather than giving up."""
    config = tmp_path / "config.toml"
    drivers = 'sensors = "pico"\nlamps = "pico-lamps"\nconsole = "pico-console"\n'
    config.write_text(
        'format = "boardumpire-config"\nversion = 1\n[board]\nname = "quick-battle-8x8-pico"\n'
        f'[drivers]\n{drivers}[sensors]\nport = "{tmp_path}/none"\n'
    )
    command = [Path(sys.executable).with_name("boardumpire"), "doctor", "--no-hands", "--json"]
    done = subprocess.run(
        [*command, "--config", config], stdin=subprocess.PIPE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    (found,) = json.loads(done.stdout)["findings"]
    assert (found["code"], found["parts"]) == ("pico-unpowered", ["pico pico"])
    assert "cable-charging-only" in [other["code"] for other in found["others"]]


def test_who_leaves_early_is_told_so(tmp_path: Path) -> None:
    service = Service(tmp_path)
    try:
        command = [Path(sys.executable).with_name("boardumpire"), "doctor", "--config", service.config]
        done = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    finally:
        service.close()
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "boardumpire: standard input has ended, and with it the answers"


def test_a_button_that_was_pressed_for_the_ask_before_answers_nothing() -> None:
    """Who presses as the next ask comes up has not read it: half a second later a button counts again."""

    def check() -> Generator[GuideRequest, GuideReply, list[bool | None]]:
        first = yield GuideRequest(
            "answer", "one", expected_sign=VisibleSign("heard"), buttons_may_answer=True
        )
        second = yield GuideRequest(
            "answer", "two", expected_sign=VisibleSign("heard"), buttons_may_answer=True
        )
        return [first.answer, second.answer]

    person = Person(World(BOARD, seed=1), BOARD, check())
    pressed = person.hands.press("confirm", person.runner.now + SECOND)
    person.runner.run(person.hands.press("cancel", pressed) + 100 * MS)
    assert person.guide.request.text == "two"
    person.runner.run(person.hands.press("cancel", person.runner.now + SECOND) + 100 * MS)
    assert person.guide.result == [True, False]


def test_hands_know_how_to_clear_the_board_first() -> None:
    """Pieces that stand about at the beginning are asked away, and mean nothing."""
    world = World(BOARD, seed=5)
    hands = Hands(world)
    world.advance(hands.stand("red", "c4", hands.stand("red", "a1", 0)))
    findings, _ = examine(world, BOARD)
    assert findings == []
