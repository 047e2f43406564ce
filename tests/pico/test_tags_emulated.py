"""Tags under MicroPython's own image: readers on SPI, pads on UART, at the rates that the firmware sets."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from boardsim.bench.bench import EMULATED
from boardsim.hands.hands import PACES
from boardsim.pico.emulated import compile_firmware, patch_sleeping_wait
from boardsim.pico.rig import PicoRig
from boardsim.pico.timing import SCAN_PERIOD_MAX_US
from boardware.ports import MS, SECOND, Micros, TagGone, TagSeen
from boardwire import wire
from boardwire.pads import POLL_INTERVAL_US
from boardwire.pn532 import LOOK_US
from tags.boards import with_pad
from tags.games import play, same
from tags.test_pico import listening
from tags.test_setup import game

READERS = "quick-battle-8x8-readers"
READ_US: Micros = 25 * MS
"""From a contact that closes to the host that was told which tag stands there, in 95 of 100."""


def idle(files: dict[str, bytes]) -> None:
    """As flashed, but nothing is read that nobody put down: emulating 64 reads takes a minute."""
    for name, old, new in (
        ("boardwire/rfid.py", b"self._urgent = list(range(count))", b"self._urgent = []"),
        ("boardwire/rfid.py", b"SWEEP_INTERVAL_US = 250_000", b"SWEEP_INTERVAL_US = 60_000_000"),
    ):
        assert files[name].count(old) == 1
        files[name] = files[name].replace(old, new)
    compile_firmware(files)


def reads(rig: PicoRig, gaps: Sequence[Micros]) -> list[Micros]:
    """Put down a piece, wait for so long, and so on; after how long the host was told of each."""
    dice = random.Random(7)
    slots = dice.sample([slot for slot in rig.plan.contact_slots if slot is not None], len(gaps))
    assert rig.tags is not None
    put: list[tuple[Micros, bytes]] = []
    for slot, gap in zip(slots, gaps, strict=True):
        piece = rig.world.new_piece("red")
        tag = rig.tags.box.tag(piece)
        assert tag is not None
        put.append((rig.now + dice.randrange(100, 2 * MS), tag.uid))
        rig.world.put(piece, slot, put[-1][0])
        rig.run(gap)
    rig.run(60 * MS)
    told = {event[3]: at for at, event in reversed(rig.host_events) if event[0] == "tag"}
    return [told[uid] - at for at, uid in put]


@pytest.mark.nightly
def test_pieces_that_are_put_down_are_read_soon(image: Path) -> None:
    """One by itself, and one every 50 ms, each with an id of seven bytes: five frames to and fro. Contacts
    are looked at as often as ever meanwhile."""
    rig = PicoRig(image, READERS, patch=idle)
    rig.open()
    rig.run(70 * MS)
    rig.pinned.scans.clear()
    took = reads(rig, [150 * MS] + 5 * [50 * MS])
    assert max(took) <= READ_US
    assert max(after - before for before, after in pairwise(rig.pinned.scans)) <= SCAN_PERIOD_MAX_US
    assert min(took) > 10 * MS, "a tag needs 5 ms in the field, and its frames the time of the air"


PAD_READ_US: Micros = 20 * MS
"""What a pad takes from the question to the last byte of its answer, and the Pico to tell of it, at most."""


@pytest.mark.nightly
def test_a_pad_tells_what_is_shown_to_it_and_taken_away(image: Path, tmp_path: Path) -> None:
    """A PN532 on a UART of the chip, at 115200 baud, beside the strobe. It is asked every `POLL_INTERVAL_US`;
    when its answer has come is looked for every `LOOK_US`."""
    rig = PicoRig(image, with_pad(tmp_path), patch=dozing)
    rig.open()
    rig.host.send("watch", wire.bits([0], 1))
    rig.run(30 * MS)
    assert rig.tags is not None
    piece = rig.world.new_piece("red")
    tag = rig.tags.box.tag(piece)
    assert tag is not None
    rig.host_events.clear()
    moments = [rig.now]
    rig.tags.put_over_pad("pad", piece)
    rig.run(200 * MS)
    moments.append(rig.now)
    rig.tags.remove_from_pad("pad", piece)
    rig.run(500 * MS)
    told = [(at, event) for at, event in rig.host_events if event[0] in ("tag", "gone", "mute")]
    assert [(event[0], event[2], event[3]) for _, event in told] == [
        ("tag", 0, tag.uid),
        ("gone", 0, tag.uid),
    ]
    assert told[0][0] - moments[0] <= POLL_INTERVAL_US + LOOK_US + PAD_READ_US
    assert rig.tags.pads["pad"].lists >= 6, "a read needs no more than its answer takes"


def dozing(files: dict[str, bytes]) -> None:
    patch_sleeping_wait(files, tags=True)
    compile_firmware(files)


@pytest.mark.nightly
def test_a_pad_is_heard_through_the_driver(image: Path, tmp_path: Path) -> None:
    """`pico-emulated` takes a Pico with a pad, and the host's own drivers tell what is shown."""
    bench = listening(with_pad(tmp_path), driver=EMULATED, micropython_image=image)
    try:
        bench.table.ports.tags.watch({"pad"})
        bench.table.step(bench.now)
        bench.wait(200 * MS)
        bench.run_until(bench.tags.take_and_show(bench.hands, "pad", "red", "10", bench.now))
        bench.wait(SECOND)
        assert [type(event) for _, event in bench.table.events] == [TagSeen, TagGone]
    finally:
        bench.close()


@pytest.mark.nightly
def test_the_first_moves_of_a_game_whose_armies_are_learnt_from_tags(
    image: Path, record_property: Callable[[str, object], None]
) -> None:
    """Quick Barrage over an emulated Pico with 64 readers: nobody says a set-up, it is read as it is stood;
    what follows comes out as it went in."""
    record = game(1, 4)
    player = play(record, READERS, driver=EMULATED, micropython_image=image, pace=PACES["fast"])
    try:
        assert same(record, player) is None
        assert all(ruling["ok"] for ruling in player.tellings.rulings)
        record_property("actions", len(record.actions))
        record_property("emulated seconds", player.bench.now // SECOND)
    finally:
        player.bench.close()
