"""What a Pico boots: builds a station from `pins.py` and turns it for ever.

A file called `maintain` makes it leave the wire to MicroPython's prompt, once. So does a crash soon after the
start, so that a Pico with bad firmware can be flashed again; after a later crash it boots anew.
"""

# ruff: noqa: E402
import os

FLAG = "maintain"
ASKED = FLAG in os.listdir()
"""Whether the prompt was asked for. Looked at before all else: whoever wants the prompt interrupts what is
imported below, and the flag would stay for the start after."""
if ASKED:
    os.remove(FLAG)

import speed

speed.hurry()  # first: the rest is compiled as it is imported

import strobe  # next: its ring wants much memory in one piece

# isort: split
import gc
import sys

import clock
import fast
import machine
import micropython
import pins
import pixels

from boardwire.lamps import Chain, Lamps
from boardwire.lights import BEAT_US
from boardwire.link import PicoLink
from boardwire.moments import rebased
from boardwire.scanner import Bank, Buttons
from boardwire.station import VERSION, Station

WATCHDOG_MS = 5000
LED = 25
"""The Pico's own lamp. (A Pico W has none on a pin: it stays dark there.)"""
SOON_US = clock.RECENT_US
"""A crash so soon after power came leaves the prompt. (Later the clock never says less, however often its
start is moved on.)"""
SYNC_US = 50_000
"""Between two looks at how the strobe keeps time."""
COLLECT_US = 4_000_000
"""Between two collections of memory. One takes 14 ms; the strobe goes on meanwhile ..."""
COLLECT_LITTER = 64
"""... but sooner after so many hints, or as much of reads of tags: else it came in the midst of some. That is
some 40 KB, and at least 120 are free."""
QUIET_US = 12_000
"""It waits until nothing has come or gone for so long, as an answer may be on its way, and until no tag is
being read ..."""
READ_US = 2_000
"""... and looks again after this."""
LATE_US = 1 << 29
"""It waits no longer than until then, as the clock's start is moved on with it."""


def station(now: int):  # type: ignore[no-untyped-def]
    """The station that `pins.py` describes, and what looks at its pins."""
    looks = strobe.Looks(pins.BANKS, pins.BUTTONS)
    banks = []
    at = base = 0
    for _, rows, first, width, diodes, _ in pins.BANKS:
        banks.append(Bank(at, len(rows), first, width, base, diodes))
        at += len(rows)
        base += banks[-1].size
    chains = []
    for number, (_, gpio, length, order, limit_ma) in enumerate(pins.CHAINS):
        chains.append(Chain(pixels.Pixels(number, gpio, length, order), length, limit_ma))
    link = PicoLink(VERSION, pins.BOARD, pins.PLAN, pins.PICO)
    buzzer = None if pins.BUZZER is None else machine.Pin(pins.BUZZER, machine.Pin.OUT)

    def buzz(on: bool) -> None:
        if buzzer is not None:
            buzzer.value(on)

    return Station(link, looks, banks, Buttons(pins.BUTTONS), Lamps(chains), buzz, now, _tagging(now)), looks


def _tagging(now: int):  # type: ignore[no-untyped-def]
    """What reads tags, if anything does."""
    if not pins.READERS and not pins.PADS:
        return None
    import tags  # only where it is wanted: it takes memory

    return tags.tagging(now)


def run() -> None:
    """Turn the station until the host wants the prompt."""
    fast.install()
    micropython.kbd_intr(-1)  # a byte 03 is a byte like any other
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    led = machine.Pin(LED, machine.Pin.OUT)
    wire = sys.stdout.buffer
    now = clock.now()
    one, looks = station(now)
    one.light(now)
    shown = not one.led
    gc.collect()  # what compiling left
    collect_at = sync_at = quiet_at = due = now
    collect_litter = COLLECT_LITTER
    while not one.maintain:
        watchdog.feed()
        read_at = one.read_due(now)
        data = clock.wait(due if read_at is None else min(due, read_at), looks)
        now = clock.now()
        if not data and now < due and not looks.differs():
            if one.read(now):  # and nothing else: a read takes many short steps
                due = now
            continue
        out = one.step(now, data)
        if out:
            wire.write(out)
        if out or data:
            quiet_at = now + QUIET_US
        one.light(now)
        one.read(clock.now())
        if one.led != shown:
            shown = one.led
            led.value(shown)
        if now >= sync_at and not data:
            sync_at = now + SYNC_US
            looks.sync()
        if one.litter() >= collect_litter:
            collect_at = now
        if now >= LATE_US:
            quiet_at = now
        elif now >= collect_at and now >= quiet_at and one.reading():
            quiet_at = now + READ_US
        if now >= collect_at and now >= quiet_at:
            by = clock.rebase(BEAT_US)
            if by:
                one.rebase(by)
                looks.rebase(by)
                now, sync_at, quiet_at = now - by, rebased(sync_at, by), rebased(quiet_at, by)
            collect_at = now + COLLECT_US
            collect_litter = one.litter() + COLLECT_LITTER
            gc.collect()  # here rather than in the middle of an answer
        due = min(one.due(), max(collect_at, quiet_at))


def boot() -> None:
    """The prompt if it was asked for, else the station; whatever ends that, boot again."""
    if ASKED:
        micropython.kbd_intr(3)
        return
    prompt = True
    try:
        run()
    except Exception as error:
        prompt = clock.now() < SOON_US
        with open("crash.txt", "w") as file:
            sys.print_exception(error, file)
    if prompt:
        open(FLAG, "w").close()
    machine.reset()


boot()
