"""What becomes of a Pico on an emulated chip: it crashes, hangs, is maintained, or nothing happens."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from boardsim.pico.emulated import compile_firmware, patch_aged_clock, patch_sleeping_wait
from boardsim.pico.rig import PicoRig
from boardsim.pico.timing import SCAN_PERIOD_MAX_US, STAMP_ERROR_MAX_US
from boardsim.world.world import Piece
from boardware import pico_flash
from boardware.ports import MS, SECOND, Micros
from boardwire.link import OPEN, HostLink
from boardwire.scanner import PLACE_DEBOUNCE_US

BOARD = "quick-battle-8x8-pico"
TURN = "        out = one.step(now, data)\n"
"""A line of main.py's loop: what a test wants is put before it."""
SETTLED = 100
"""Turns after which the first collection of memory has been."""


def patched(*changes: tuple[str, str], sleeps: bool = False) -> Callable[[dict[str, bytes]], None]:
    """Changes to main.py, each an old text and a new one; then all is compiled, which saves a second. It may
    sleep while it waits, which saves more."""

    def change(files: dict[str, bytes]) -> None:
        if sleeps:
            patch_sleeping_wait(files)
        text = files["main.py"].decode()
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        files["main.py"] = text.encode()
        compile_firmware(files)

    return change


def before_a_turn(*lines: str) -> tuple[str, str]:
    return TURN, "".join(f"        {line}\n" for line in lines) + TURN


@pytest.mark.nightly
def test_a_crash_leaves_its_reason_and_soon_after_the_start_the_prompt(image: Path) -> None:
    """So that bad firmware can be flashed over; it is asked for the reason as `flash --crash` does."""
    crash = before_a_turn("if one.led:", '    raise ValueError("as planned")')
    rig = PicoRig(image, BOARD, patch=patched(crash))
    rig.open()
    rig.run(700 * MS)
    said = rig.chip.read_file("crash.txt")
    assert said is not None
    assert said.decode().splitlines()[-1] == "ValueError: as planned"
    assert ran(rig, "print(open('crash.txt').read())").splitlines()[-1] == "ValueError: as planned"


@pytest.mark.nightly
def test_firmware_that_hangs_is_booted_anew_by_the_watchdog(image: Path) -> None:
    """The watchdog is the chip's own. It waits for a second and a half here rather than five."""
    hang = before_a_turn("if one.led and machine.reset_cause() != machine.WDT_RESET:", "    time.sleep(600)")
    short = ("WATCHDOG_MS = 5000", "WATCHDOG_MS = 1500")
    rig = PicoRig(
        image, BOARD, patch=patched(hang, short, ("import sys\n", "import sys\nimport time\n"), sleeps=True)
    )
    rig.open()
    hung = rig.now
    anew(rig)
    assert rig.now - hung > 1500 * MS
    lift_is_told(rig)
    assert rig.chip.read_file("crash.txt") is None


@pytest.mark.nightly
def test_a_host_that_wants_the_prompt_gets_it_and_after_the_next_start_a_session(image: Path) -> None:
    """In the midst of a session; what is asked of the prompt then is a reset, as `flash` does."""
    rig = PicoRig(image, BOARD, patch=patched(sleeps=True))
    rig.open()
    rig.host.ask_for_prompt()
    rig.run(600 * MS, every=5 * MS)
    assert ran(rig, "print(6 * 7)") == "42"
    assert rig.chip.read_file("maintain") is None, "it was asked for once"
    rig.chip.write(b"import machine; machine.reset()\x04")
    rig.run(100 * MS)
    anew(rig)
    lift_is_told(rig)


@pytest.mark.nightly
def test_the_prompt_is_asked_for_once_however_soon_it_is_spoken_to(image: Path) -> None:
    """mpremote interrupts whatever runs: also what the firmware does as it starts, before it has seen that
    the prompt is wanted. So `flash` takes back what it asked for, once the prompt is there."""
    rig = PicoRig(image, BOARD, patch=patched(sleeps=True))
    rig.open()
    rig.host.ask_for_prompt()
    came: list[bytes] = []
    rig.run(5 * MS)
    rig.chip.on_usb_data = lambda data, at: came.append(data)
    end = rig.now + 2 * SECOND
    while b">>> " not in b"".join(came) and rig.now < end:
        rig.chip.write(b"\r\x03")
        rig.chip.run(rig.now + 2 * MS)
    assert b"KeyboardInterrupt" in b"".join(came), "it was interrupted before its prompt came"
    assert ran(rig, pico_flash._PROMPT_PROBE_PROGRAM) == "42"
    assert rig.chip.read_file("maintain") is None


def anew(rig: PicoRig, limit: Micros = 5 * SECOND) -> None:
    """A session of a host that knows nothing of what was, as after its own start."""
    end = rig.now + limit
    while rig.now < end:
        rig.host = HostLink(rig.board.id, rig.plan.wiring_hash, rig.plan.pico)
        rig.host.greet(rig.now)
        for _ in range(20):
            rig.run(20 * MS, every=5 * MS)
            if rig.host.state == OPEN:
                return
    raise AssertionError(rig.chip.read_file("crash.txt"))


def lift_is_told(rig: PicoRig) -> None:
    """A piece that comes is told of."""
    rig.host_events.clear()
    slot = rig.plan.contact_slots[20]
    assert slot is not None
    rig.world.put(rig.world.new_piece("red"), slot, rig.now + 1)
    rig.run(60 * MS, every=5 * MS)
    assert [event[2] for _, event in rig.host_events if event[0] == "placed"] == [20]


@pytest.mark.nightly
@pytest.mark.parametrize("old", [False, True], ids=["fresh", "old"])
def test_a_turn_in_which_nothing_happens_allocates_nothing(image: Path, old: bool) -> None:
    """The whole turn, not only the wait in it; it is made to come every 200 us. Also after an hour."""
    count = quiet_turns(image, 200, patch_aged_clock if old else lambda files: None)
    assert count == 0


@pytest.mark.nightly
def test_a_thousand_quiet_turns_allocate_nothing(
    image: Path, record_property: Callable[[str, object], None]
) -> None:
    """A thousand turns of the firmware in which nothing happens leave the memory as it was, byte for byte."""
    count = quiet_turns(image, 1000)
    record_property("bytes allocated", count)
    assert count == 0


MILLION = 1_000_000
HELD = 2_000
"""Bytes by which the memory that is free after a collection may differ from one to the next: what is under
way just then. What leaked a byte a scan would leave none."""


@pytest.mark.nightly
def test_a_million_scans_are_flat(image: Path, record_property: Callable[[str, object], None]) -> None:
    """A million scans of the 8x8 while pieces come and go: each tenth takes as long as the first, and after
    the last collection of memory as much is free as after the first."""
    figures = scanned(image, MILLION)
    for name, value in figures.items():
        record_property(name, value)


@pytest.mark.nightly
def test_ten_thousand_scans_are_flat(image: Path) -> None:
    scanned(image, 10_000)


SPAN: Micros = 1_100 * SECOND
"""More than the 2 ** 30 us after which a number is a large one in MicroPython."""
CLOCK = "            one.log('clock ' + str(now))\n"
COLLECTS = "            gc.collect()  # here rather than in the middle of an answer\n"


@pytest.mark.nightly
def test_the_clock_stays_small_for_longer_than_eighteen_minutes(
    image: Path, record_property: Callable[[str, object], None]
) -> None:
    """A Pico has power for longer than 2 ** 30 us, while pieces come and go. Its moments stay small, and what
    the host is told counts on as if nothing were."""
    latest = clock_after(image, SPAN)
    record_property("latest moment in s", latest // SECOND)


@pytest.mark.nightly
def test_the_clock_stays_small(image: Path) -> None:
    clock_after(image, 25 * SECOND)


@pytest.mark.nightly
def test_the_start_of_the_clock_is_moved_on_though_there_is_no_quiet_moment(image: Path) -> None:
    """Quiet would be an hour without a byte here, and late is soon."""
    never = (("QUIET_US = 12_000", "QUIET_US = 3_600_000_000"), ("LATE_US = 1 << 29", "LATE_US = 13_000_000"))
    clock_after(image, 25 * SECOND, *never)


def clock_after(image: Path, span: Micros, *changes: tuple[str, str]) -> Micros:
    """The latest moment that its clock told by then. A piece that comes is told with the true moment."""

    def change(files: dict[str, bytes]) -> None:
        patch_sleeping_wait(files, nap_ms=60)
        patched((COLLECTS, COLLECTS + CLOCK), *changes)(files)

    rig = PicoRig(image, BOARD, patch=change, ahead=True)
    rig.open()
    slot = rig.plan.contact_slots[20]
    assert slot is not None
    piece = rig.world.new_piece("red")
    clocks: list[Micros] = []
    while rig.now < span:
        rig.host_events.clear()
        came = rig.now + 1
        rig.world.put(piece, slot, came)
        rig.run(500 * MS, every=50 * MS)
        rig.world.take(piece, slot, rig.now + 1)
        rig.run(min(20 * SECOND, span // 10), every=50 * MS)
        ((_, event),) = ((at, event) for at, event in rig.host_events if event[0] == "placed")
        assert -STAMP_ERROR_MAX_US <= event[1] - came - PLACE_DEBOUNCE_US <= 4 * MS, (
            "reeds bounce as they close"
        )
        clocks += [int(event[1].split()[1]) for _, event in rig.host_events if event[:1] == ("log",)]
    assert len(clocks) >= 3, "so often it was moved on"
    assert max(clocks) < 16 * SECOND
    return max(clocks)


def scanned(image: Path, scans: int) -> dict[str, object]:
    """So many scans, looked at in ten parts."""
    tells = "            one.log('free ' + str(gc.mem_free()))\n"

    def change(files: dict[str, bytes]) -> None:
        patch_sleeping_wait(files, nap_ms=60)
        often = ("COLLECT_US = 4_000_000", f"COLLECT_US = {min(4_000_000, 30 * scans)}")
        patched((COLLECTS, COLLECTS + tells), often)(files)

    rig = PicoRig(image, BOARD, patch=change, ahead=True)
    rig.open()
    dice = random.Random(scans)
    slots = [slot for slot in rig.plan.contact_slots if slot is not None]
    pieces: dict[str, Piece] = {}
    periods: list[float] = []
    touched = 0

    rows = sum(len(bank.rows) for bank in rig.plan.banks)
    begin = rig.chip.words_to_come

    def gone() -> float:
        return (begin - rig.chip.words_to_come) / rows

    for _ in range(10):
        began, at = gone(), rig.now
        while gone() - began < scans // 10:
            slot = dice.choice(slots)
            if slot in pieces:
                rig.world.take(pieces.pop(slot), slot, rig.now + 1)
            else:
                pieces[slot] = rig.world.new_piece("red")
                rig.world.put(pieces[slot], slot, rig.now + 1)
            touched += 1
            rig.run(dice.randrange(50, max(60, scans // 100)) * MS, every=50 * MS)
        periods.append((rig.now - at) / (gone() - began))
    told = sum(event[0] in ("lifted", "placed") for _, event in rig.host_events)
    free = [
        int(event[1].removeprefix("free "))
        for _, event in rig.host_events
        if event[0] == "log" and event[1].startswith("free ")
    ]
    assert told == touched
    assert max(periods) - min(periods) < 2 * min(periods) / (scans // 10), "two scans in a part"
    assert max(periods) <= SCAN_PERIOD_MAX_US
    assert len(free) >= 5
    assert abs(free[-1] - free[1]) <= HELD, free
    return {
        "scans": int(gone()),
        "touches": touched,
        "period in us": f"{min(periods):.2f} to {max(periods):.2f}",
        "bytes free after collections": f"{min(free[1:])} to {max(free)}",
        "collections": len(free),
    }


def quiet_turns(
    image: Path, turns: int, patch: Callable[[dict[str, bytes]], None] = lambda files: None
) -> int:
    """The bytes that so many quiet turns one after the other allocate."""
    ends = "        due = min(one.due(), max(collect_at, quiet_at))\n"
    counts = (
        "        due = min(due, now + 200)",
        "        if out or data or not one.led:",
        "            QUIET[0] = 0",
        "        else:",
        "            QUIET[0] += 1",
        f"            if QUIET[0] == {SETTLED}:",
        "                QUIET[1] = gc.mem_alloc()",
        f"            elif QUIET[0] == {SETTLED + turns}:",
        "                one.log('allocated ' + str(gc.mem_alloc() - QUIET[1]))",
        "                QUIET[0] = -1_000_000",
        "",
    )
    changes = (
        (ends, ends + "\n".join(counts)),
        ("def run()", "QUIET = [0, 0]\n\n\ndef run()"),
        # A collection would hide what was allocated.
        ("COLLECT_US = 4_000_000", "COLLECT_US = 60_000_000"),
    )

    def change(files: dict[str, bytes]) -> None:
        patch(files)
        name = "boardwire/station.py"
        assert files[name].count(b"ALIVE_INTERVAL_US = 500_000") == 1
        files[name] = files[name].replace(b"ALIVE_INTERVAL_US = 500_000", b"ALIVE_INTERVAL_US = 1_900_000")
        patched(*changes)(files)

    rig = PicoRig(image, BOARD, patch=change)
    rig.open()
    end = rig.now + 1700 * MS
    while rig.now < end:
        rig.run(50 * MS)
        for _, event in rig.host_events:
            if event[0] == "log" and event[1].startswith("allocated "):
                return int(event[1].removeprefix("allocated "))
    raise AssertionError(rig.host_events)


def ran(rig: PicoRig, program: str) -> str:
    """What a program prints at MicroPython's prompt, by the bytes that mpremote sends (its raw REPL)."""
    came, heard = bytearray(), rig.chip.on_usb_data
    rig.chip.on_usb_data = lambda data, at: came.extend(data)
    for data, answer in (
        (b"\r\x03", b">>> "),
        (b"\r\x01", b"raw REPL; CTRL-B to exit\r\n>"),
        (program.encode() + b"\x04", b"\x04>"),
    ):
        came.clear()
        rig.chip.write(data)
        end = rig.now + 2 * SECOND
        while answer not in came and rig.now < end:
            rig.chip.run(rig.now + 5 * MS)
        assert answer in came, bytes(came)
    rig.chip.on_usb_data = heard
    told, error, _ = bytes(came).removeprefix(b"OK").split(b"\x04")
    assert not error, error
    return told.decode().strip()
