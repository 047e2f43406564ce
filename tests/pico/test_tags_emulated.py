"""Tags under MicroPython's own image: readers on SPI, pads on UART, at the rates that the firmware sets."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from boardsim.bench.bench import EMULATED
from boardsim.hands.hands import PACES
from boardsim.pico.emulated import compiled
from boardsim.pico.rig import Rig
from boardware.ports import MS, SECOND, Micros
from tags.games import play, same
from tags.test_setup import game

READERS = "quick-battle-8x8-readers"
READ_US: Micros = 25 * MS
"""From a contact that closes to the host that was told which tag stands there, in 95 of 100."""


def idle(files: dict[str, bytes]) -> None:
    """As flashed, but nothing is read that nobody put down: emulating 64 reads takes a minute."""
    for name, old, new in (
        ("boardwire/rfid.py", b"self._urgent = list(range(count))", b"self._urgent = []"),
        ("boardwire/rfid.py", b"SWEEP_US = 250_000", b"SWEEP_US = 60_000_000"),
    ):
        assert files[name].count(old) == 1
        files[name] = files[name].replace(old, new)
    compiled(files)


def reads(rig: Rig, gaps: Sequence[Micros]) -> list[Micros]:
    """Put down a piece, wait for so long, and so on; after how long the host was told of each."""
    dice = random.Random(7)
    slots = dice.sample([slot for slot in rig.plan.contacts if slot is not None], len(gaps))
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
    told = {event[3]: at for at, event in reversed(rig.told) if event[0] == "tag"}
    return [told[uid] - at for at, uid in put]


@pytest.mark.slow
def test_pieces_that_are_put_down_are_read_soon(image: Path) -> None:
    """One by itself, and one every 50 ms, each with an id of seven bytes: five frames to and fro."""
    rig = Rig(image, READERS, patch=idle)
    rig.open()
    rig.run(70 * MS)
    took = reads(rig, [150 * MS] + 5 * [50 * MS])
    assert max(took) <= READ_US
    assert min(took) > 10 * MS, "a tag needs 5 ms in the field, and its frames the time of the air"


@pytest.mark.prove
def test_the_first_moves_of_a_game_whose_armies_are_learnt_from_tags(
    image: Path, record_property: Callable[[str, object], None]
) -> None:
    """Quick Barrage over an emulated Pico with 64 readers: nobody says a set-up, it is read as it is stood;
    what follows comes out as it went in."""
    record = game(1, 4)
    player = play(record, READERS, driver=EMULATED, image=image, pace=PACES["fast"])
    try:
        assert same(record, player) is None
        assert all(ruling["ok"] for ruling in player.tellings.rulings)
        record_property("actions", len(record.actions))
        record_property("emulated seconds", player.bench.now // SECOND)
    finally:
        player.bench.close()
