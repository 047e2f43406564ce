"""The firmware under MicroPython's own image on an emulated chip: what is counted there are its own cycles.

The image is named by `--uf2`. It is that of a Pico, as a person downloads it from micropython.org.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from boardsim.bench.bench import EMULATED
from boardsim.pico.emulated import compile_firmware, patch_sleeping_wait
from boardsim.pico.rig import PicoRig
from boardsim.pico.timing import (
    FRAME_MAX_US,
    REPORT_MAX_US,
    SCAN_PERIOD_MAX_US,
    STAMP_ERROR_MAX_US,
    Stopwatch,
    percentile,
)
from boardsim.world.world import Piece
from boardumpire.cli import main
from boardware import description
from boardware.pico_plan import plans_by_pico
from boardware.ports import MS, SECOND, Micros
from boardwire import wire
from boardwire.station import ALIVE_INTERVAL_US
from lit import CYAN_DIM, GREEN
from sim.test_command import SCRIPT
from table.twins import unsealed
from tags.boards import with_pad

BOARD = "quick-battle-8x8-pico"


@pytest.mark.nightly
def test_twenty_lifts_over_the_8x8(image: Path) -> None:
    """Lamps pulse meanwhile, and a fifth of all frames comes twice. Ten more have a hint. Of fewer than 20
    the worst would be the 95th percentile."""
    watch = Stopwatch(image, BOARD)
    assert watch.opened < 2 * SECOND
    assert watch.rig.chip.hertz == 200_000_000
    hinted = watch.measure(10, hints=True)
    watch.pulse()
    plain = watch.measure(20, hints=False)
    periods, stamps = hinted.periods + plain.periods, hinted.lift_stamp_errors + plain.lift_stamp_errors
    assert len(periods) > 5000
    assert max(periods) <= SCAN_PERIOD_MAX_US, "however busy Python, lamps and wire are"
    assert max(stamps) <= STAMP_ERROR_MAX_US
    assert max(hinted.place_stamp_errors + plain.place_stamp_errors) <= STAMP_ERROR_MAX_US
    assert percentile(plain.report_times, 0.95) <= REPORT_MAX_US
    assert percentile(hinted.report_times, 0.95) <= REPORT_MAX_US, "though the lamps come first"
    assert percentile(hinted.frame_times, 0.95) <= FRAME_MAX_US[True]
    assert percentile(plain.frame_times, 0.95) <= FRAME_MAX_US[False]


TABLE_US: Micros = 8 * MS
"""After so long at most the host is told of a lift that came while a table of hints was taken in. That is
more than `REPORT_MAX_US`."""


@pytest.mark.nightly
def test_a_table_of_hints_is_taken_in_over_several_turns_and_stops_no_scan(image: Path) -> None:
    """A hint for each of 64 squares, each lighting two lamps; a piece is lifted while they come. Four tables
    leave more to collect than is free: that is done between them, never in their midst."""
    rig = PicoRig(image, BOARD, patch=compile_firmware)
    slots = [slot for slot in rig.plan.contact_slots if slot is not None]
    pieces = {slot: rig.world.new_piece("red") for slot in slots}
    for slot, piece in pieces.items():
        rig.world.put(piece, slot, 1)
    rig.open()
    rig.run(60 * MS)
    took, dice = [], random.Random("a table")
    for epoch, slot in enumerate(dice.sample(slots, 8)):
        rig.host_events.clear()
        rig.pinned.scans.clear()
        rig.host.send("forget", epoch)
        for contact in range(64):
            lamps = wire.bits([contact, contact + 1], 66)
            rig.host.send("hint", contact, 0, GREEN, lamps)
        rig.host.send("arm", epoch)
        opened: list[Micros] = []
        rig.world.watchers.append(opened.append)
        rig.world.take(pieces[slot], slot, rig.now + dice.randrange(100, 8 * MS))
        rig.run(60 * MS)
        rig.world.watchers.remove(opened.append)
        ((at, event),) = ((at, event) for at, event in rig.host_events if event[0] in ("lifted", "hinted"))
        assert rig.plan.contact_slots[event[2]] == slot
        took.append(at - opened[0])
        assert max(after - before for before, after in pairwise(rig.pinned.scans)) <= SCAN_PERIOD_MAX_US
        rig.world.put(pieces[slot], slot, rig.now + 1)
        rig.run(60 * MS)
    assert max(took) <= TABLE_US, took


@pytest.mark.slow
def test_a_hand_script_runs_over_an_emulated_pico(
    image: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`boardumpire sim run` says the same with its driver as over simulated pins."""
    script = tmp_path / "game.hands"
    script.write_text(SCRIPT)
    words = ["sim", "run", str(script), "--board", BOARD, "--hands", "fast", "--lamps"]
    said = []
    for driver in (["gpio-sim", "--board", "quick-battle-8x8"], [EMULATED, "--uf2", str(image)]):
        assert main([*words, "--driver", *driver]) == 0
        lines = [json.loads(line) for line in unsealed(capsys.readouterr().out).splitlines()]
        said.append([{name: each for name, each in line.items() if name != "t"} for line in lines])
    assert said[0] == said[1]


@pytest.mark.nightly
def test_places_presses_lights_and_a_host_that_falls_silent(image: Path) -> None:
    rig = PicoRig(image, BOARD, patch=compile_firmware)
    rig.open()
    button = rig.plan.buttons[0]
    piece = rig.world.new_piece("red")
    slot = rig.plan.contact_slots[20]
    assert slot is not None
    rig.host_events.clear()
    rig.world.put(piece, slot, rig.now + MS)
    rig.run(20 * MS)
    rig.world.set_button(button, True, rig.now + MS)
    rig.run(60 * MS)
    rig.world.set_button(button, False, rig.now + MS)
    rig.run(60 * MS)
    told = [event for _, event in rig.host_events if event[0] != "alive"]
    assert [(event[0], event[2]) for event in told] == [("placed", 20), ("pressed", 0), ("released", 0)]
    rig.host.send("light", 0, CYAN_DIM, bytes([5, 65]))
    rig.run(20 * MS)
    frame = rig.pinned.frames[-1][2]
    assert {lamp for lamp in range(66) if any(frame[3 * lamp : 3 * lamp + 3])} == {5, 65}
    rig.host_events.clear()
    rig.run(3 * ALIVE_INTERVAL_US)
    assert [event[0] for _, event in rig.host_events].count("alive") >= 2
    assert rig.chip.read_file("crash.txt") is None


@pytest.mark.nightly
def test_two_chains_are_sent_at_once(image: Path) -> None:
    """Two lamps are lit by what comes in one piece: one chain does not wait for the other."""
    rig = PicoRig(image, "quick-battle-8x8-two-picos", "south", patch=compile_firmware)
    rig.open()
    rig.run(60 * MS)
    rig.pinned.frames.clear()
    chains = rig.plan.chains
    for number, chain in enumerate(chains):
        rig.host.send("light", number, GREEN, bytes([chain.length - 1]))
    rig.run(30 * MS)
    assert len(rig.pinned.frames) == len(chains) == 2
    ends = {gpio: at for at, gpio, _ in rig.pinned.frames}
    end, other_end = (ends[chain.gpio] for chain in chains if chain.gpio is not None)
    begin, other_begin = end - LAMP_US * chains[0].length, other_end - LAMP_US * chains[1].length
    assert begin < other_begin < end
    for chain, (_, gpio, frame) in zip(
        chains, sorted(rig.pinned.frames, key=lambda each: each[1]), strict=True
    ):
        assert gpio == chain.gpio
        assert {at // 3 for at, level in enumerate(frame) if level} == {chain.length - 1}


LAMP_US: Micros = 30
"""24 bits of 1.25 us."""

MOVED = ("lifted", "placed")


@pytest.mark.slow
def test_a_chain_rests_between_frames_however_late_in_a_turn_they_go(image: Path) -> None:
    """A turn reads the clock once, and much may be done before lamps are looked at. A chain that got no rest
    would take two frames for one."""
    script = """
import clock, pixels, time
one = pixels.Pixels(0, {gpio}, {length}, "GRB")
time.sleep_ms(200)
for turn in range(10):
    now = clock.now()
    time.sleep_us(90 * turn)
    one[turn] = (255, turn, 0)
    while one.write(12, now):
        now = clock.now()
    while one.write({length}, clock.now()):
        pass
    time.sleep_ms(3)
"""
    (chain,) = plans_by_pico(description.load_board(BOARD))["pico"].chains

    def patch(files: dict[str, bytes]) -> None:
        files["main.py"] = script.format(gpio=chain.gpio, length=chain.length).encode()

    rig = PicoRig(image, BOARD, patch=patch)
    rig.run(2500 * MS, every=MS)
    heard = [len(frame) for _, _, frame in rig.pinned.frames]
    assert len(heard) == 20
    assert set(heard) == {3 * chain.length}


def slept(image: Path, *, ahead: bool) -> PicoRig:
    """A Pico that sleeps whenever it can, and pieces that come and go meanwhile."""

    def patch(files: dict[str, bytes]) -> None:
        patch_sleeping_wait(files)
        compile_firmware(files)

    rig = PicoRig(image, BOARD, patch=patch, ahead=ahead)
    rig.open()
    dice = random.Random("asleep")
    slots = [slot for slot in rig.plan.contact_slots if slot is not None]
    pieces: dict[str, Piece] = {}
    for _ in range(14):
        slot = dice.choice(slots[:9])
        if slot in pieces:
            rig.world.take(pieces.pop(slot), slot, rig.now + 1)
        else:
            pieces[slot] = rig.world.new_piece("red")
            rig.world.put(pieces[slot], slot, rig.now + 1)
        rig.run(dice.randrange(MS, 60 * MS), every=20 * MS)
    return rig


@pytest.mark.nightly
def test_rounds_of_the_strobe_that_are_taken_together_change_nothing(image: Path) -> None:
    """The host is told the same, with the same moments to 5 us; when it is told may be a sleep later."""
    each, together = slept(image, ahead=False), slept(image, ahead=True)
    assert each.chip.taken == 0
    assert together.chip.taken > 500
    lifts, others = ([event for _, event in rig.host_events if event[0] in MOVED] for rig in (each, together))
    assert len(lifts) > 10
    assert [(event[0], event[2]) for event in lifts] == [(event[0], event[2]) for event in others]
    assert all(abs(event[1] - other[1]) <= 5 for event, other in zip(lifts, others, strict=True))


def felt(rig: PicoRig) -> set[int]:
    """The contacts that are closed, by all that the host was told."""
    closed: set[int] = set()
    for _, event in rig.host_events:
        if event[0] == "snapshot":
            closed = set(wire.numbers(event[2]))
        elif event[0] == "placed":
            closed.add(event[2])
        elif event[0] in ("lifted", "hinted"):
            closed.discard(event[2])
    return closed


def slow(files: dict[str, bytes], *, meanwhile: str) -> None:
    """From the fourth second on all that is told takes 200 ms."""
    told = b"        if out:\n            wire.write(out)\n"
    away = [
        "if one._calm and now > 3_400_000:",
        "    t = clock.now()",
        "    while clock.now() - t < 200_000:",
        f"        {meanwhile}",
    ]
    lines = "".join(f"            {line}\n" for line in away)
    assert told in files["main.py"]
    files["main.py"] = files["main.py"].replace(told, told + lines.encode())


@pytest.mark.nightly
def test_what_was_found_as_python_went_away_is_told_when_it_is_back(image: Path) -> None:
    """A turn may find a change that came while it worked, and leave it to the next. Then a write is kept
    waiting for longer than the ring holds."""
    rig = PicoRig(image, BOARD, patch=partial(slow, meanwhile="looks.differs()"))
    rig.open()
    slots = [slot for slot in rig.plan.contact_slots if slot is not None]
    one, other = slots[3], slots[40]
    pieces = {slot: rig.world.new_piece("red") for slot in (one, other)}
    for slot, piece in pieces.items():
        rig.world.put(piece, slot, rig.now + 1)
    rig.run(3_500_000 - rig.now)
    assert len(felt(rig)) == 2
    rig.world.take(pieces[one], one, rig.now + 1)
    rig.world.take(pieces[other], other, rig.now + 60 * MS)
    rig.run(500 * MS)
    assert felt(rig) == set()


@pytest.mark.nightly
def test_ten_rows_are_told_apart_after_python_was_away_for_longer_than_the_ring_holds(image: Path) -> None:
    """A host that reads nothing keeps a write waiting for half a second. Here all that is told takes long.
    Ten rows don't divide the ring, so after that nobody knows by counting which row a word is of."""

    rig = PicoRig(image, "classic-10x10-pico", patch=partial(slow, meanwhile="pass"))
    rig.open()
    slots = [slot for slot in rig.plan.contact_slots if slot is not None]
    pieces = {slot: rig.world.new_piece("red") for slot in slots[::19]}
    for slot, piece in pieces.items():
        rig.world.put(piece, slot, rig.now + 1)
    rig.run(200 * MS)
    numbers = {slot: number for number, slot in enumerate(rig.plan.contact_slots)}
    assert felt(rig) == {numbers[slot] for slot in pieces}
    rig.run(3_500_000 - rig.now)
    rig.run(700 * MS)
    for slot in list(pieces)[::2]:
        rig.world.take(pieces.pop(slot), slot, rig.now + 1)
        rig.run(300 * MS)
    assert felt(rig) == {numbers[slot] for slot in pieces}


@pytest.mark.nightly
def test_without_diodes_what_may_be_a_ghost_is_told_and_not_believed(image: Path, tmp_path: Path) -> None:
    board = description.board_path(BOARD).read_text()
    assert board.count("diodes = true") == 1
    (tmp_path / "bare.toml").write_text(
        board.replace("diodes = true", "diodes = false").replace(BOARD, "bare")
    )
    rig = PicoRig(image, str(tmp_path / "bare.toml"), patch=compile_firmware)
    rig.open()
    for contact in (9, 10, 17):  # three corners of a rectangle: the fourth looks closed as well
        slot = rig.plan.contact_slots[contact]
        assert slot is not None
        rig.world.put(rig.world.new_piece("red"), slot, rig.now + 1)
        rig.run(40 * MS)
    assert felt(rig) == {9, 10}
    assert {event[2] for _, event in rig.host_events if event[0] == "ghost"} == {17, 18}


HEAP = 40_000
"""Bytes that are to be free once a session is open: for tables of hints, and for what comes at once."""


def free_heap(image: Path, board: str, pico: str, *, quick: bool = False) -> int:
    """Bytes that are free on that Pico in a session, after a collection. What is `quick` has its files
    compiled before, and sleeps while it waits."""

    def measured(files: dict[str, bytes]) -> None:
        collects = b"            gc.collect()  # here"
        assert files["main.py"].count(collects) == 1
        tells = b"            one.log('free ' + str(gc.mem_free()))\n"
        name, _, after = files["main.py"].partition(collects)
        line, _, rest = after.partition(b"\n")
        files["main.py"] = name + collects + line + b"\n" + tells + rest
        files["main.py"] = files["main.py"].replace(b"COLLECT_US = 4_000_000", b"COLLECT_US = 300_000")
        if quick:
            patch_sleeping_wait(files, tags=True)
            compile_firmware(files)

    rig = PicoRig(image, board, pico, patch=measured)
    rig.open()
    rig.run(300 * MS)
    rig.host_events.clear()
    told: list[str] = []
    end = rig.now + 3 * SECOND
    while not told and rig.now < end:
        rig.run(20 * MS)
        told = [
            event[1] for _, event in rig.host_events if event[0] == "log" and event[1].startswith("free ")
        ]
    assert told, rig.chip.read_file("crash.txt")
    return int(told[-1].removeprefix("free "))


@pytest.mark.nightly
def test_a_large_board_leaves_memory(image: Path) -> None:
    assert free_heap(image, "classic-10x10-pico", "pico") >= HEAP


PICOS = [
    (name, pico) for name in description.board_names() for pico in plans_by_pico(description.load_board(name))
]
WITH_PAD = "a pad"
"""No board that ships has a pad on a Pico; `with_pad` makes one."""


@pytest.mark.nightly
@pytest.mark.parametrize(("board", "pico"), [*PICOS, (WITH_PAD, "pico")])
def test_every_pico_of_every_board_opens_a_session_and_has_memory_left(
    image: Path, tmp_path: Path, board: str, pico: str, record_property: Callable[[str, object], None]
) -> None:
    """Every Pico of every shipped board, the one with readers of tags too, and one with a pad, boots on the
    emulated chip, opens a session, and has at least 40,000 bytes left."""
    free = free_heap(image, with_pad(tmp_path) if board == WITH_PAD else board, pico, quick=True)
    record_property(f"bytes free, {board} {pico}", free)
    assert free >= HEAP
