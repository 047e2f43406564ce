"""What becomes of a Pico on an emulated chip: it crashes, or nothing happens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from boardsim.pico.emulated import compiled
from boardsim.pico.rig import Rig
from boardware.ports import MS, SECOND

BOARD = "quick-battle-8x8-pico"
TURN = "        out = one.step(now, data)\n"
"""A line of main.py's loop: what a test wants is put before it."""
SETTLED = 100
"""Turns after which the first collection of memory has been."""


def patched(*changes: tuple[str, str]) -> Callable[[dict[str, bytes]], None]:
    """Changes to main.py, each an old text and a new one; then all is compiled, which saves a second."""

    def change(files: dict[str, bytes]) -> None:
        text = files["main.py"].decode()
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        files["main.py"] = text.encode()
        compiled(files)

    return change


def before_a_turn(*lines: str) -> tuple[str, str]:
    return TURN, "".join(f"        {line}\n" for line in lines) + TURN


@pytest.mark.slow
def test_a_crash_leaves_its_reason_and_soon_after_the_start_the_prompt(image: Path) -> None:
    """So that bad firmware can be flashed over; it is asked for the reason as `flash --crash` does."""
    crash = before_a_turn("if one.led:", '    raise ValueError("as planned")')
    rig = Rig(image, BOARD, patch=patched(crash))
    rig.open()
    rig.run(700 * MS)
    said = rig.chip.file("crash.txt")
    assert said is not None
    assert said.decode().splitlines()[-1] == "ValueError: as planned"
    assert ran(rig, "print(open('crash.txt').read())").splitlines()[-1] == "ValueError: as planned"


@pytest.mark.slow
def test_a_turn_in_which_nothing_happens_allocates_nothing(image: Path) -> None:
    """The whole turn, not only the wait in it; it is made to come every 200 us."""
    count = quiet_turns(image, 200)
    assert count == 0


@pytest.mark.prove
def test_a_thousand_quiet_turns_allocate_nothing(
    image: Path, record_property: Callable[[str, object], None]
) -> None:
    """A thousand turns of the firmware in which nothing happens leave the memory as it was, byte for byte."""
    count = quiet_turns(image, 1000)
    record_property("bytes allocated", count)
    assert count == 0


def quiet_turns(image: Path, turns: int) -> int:
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
        name = "boardwire/station.py"
        assert files[name].count(b"ALIVE_US = 500_000") == 1
        files[name] = files[name].replace(b"ALIVE_US = 500_000", b"ALIVE_US = 1_900_000")
        patched(*changes)(files)

    rig = Rig(image, BOARD, patch=change)
    rig.open()
    end = rig.now + 1700 * MS
    while rig.now < end:
        rig.run(50 * MS)
        for _, event in rig.told:
            if event[0] == "log" and event[1].startswith("allocated "):
                return int(event[1].removeprefix("allocated "))
    raise AssertionError(rig.told)


def ran(rig: Rig, program: str) -> str:
    """What a program prints at MicroPython's prompt, by the bytes that mpremote sends (its raw REPL)."""
    came = bytearray()
    rig.chip.heard = lambda data, at: came.extend(data)
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
    told, error, _ = bytes(came).removeprefix(b"OK").split(b"\x04")
    assert not error, error
    return told.decode().strip()
