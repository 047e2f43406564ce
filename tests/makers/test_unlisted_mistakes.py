"""Mistakes all over a board, and some that the page does not list: what is told first is right.

Each is built into copper or under the simulated magnets; the doctor knows the board file alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import count

import pytest

from boardlab.rehearsal.person import Person
from boardlab.rehearsal.touch import Touch
from boardrules.identifiers import Seat
from boardsim.world.copper import SolderedDiode
from boardsim.world.mistakes import NOWHERE, OF_HANDS, Built, Mistake, built
from boardsim.world.physics import BoardPhysics, FootMagnet
from boardsim.world.world import World
from boardware.parts import BoardDescription
from boardware.ports import SlotId
from makers.mistaken import PICO, TWO_PICOS, examine, examine_built

NORTH = {f"{file}{rank}": f"{file}{(rank + 3) % 8 + 1}" for file in "abcdefgh" for rank in range(1, 9)}
"""The cables of both Picos exchanged: each half under the other."""
TILE = {"c1": "d1", "d1": "d2", "d2": "c2", "c2": "c1"}
"""A tile of 2 x 2 squares turned by a quarter."""


@pytest.mark.slow
@pytest.mark.cases(2)
@pytest.mark.parametrize("kind", OF_HANDS)
def test_a_mistake_all_over_a_board_is_one_finding(kind: str) -> None:
    found = examine([kind], 1, PICO, pieces=8)
    assert [one.code for one in found.findings] == [kind.removeprefix("row-")], found.told()
    assert found.first_right, found.told()


@pytest.mark.slow
def test_squares_are_walked_before_there_are_lamps() -> None:
    """As for the cheapest board: no square is said to lie elsewhere, no lamp to be dead alone."""
    made = Built(PICO)
    made.then(lambda world: world.copper.set_alive("lamps", 0))
    found = examine_built(made, PICO, 5, stages=["squares"])
    assert [(one.code, one.parts) for one in found.findings] == [("chain-cut", ("lamp lamps:0",))]
    assert len(found.person.guide.result.sensed_contacts) == 64


@pytest.mark.nightly
@pytest.mark.parametrize("kind", OF_HANDS)
def test_it_is_the_first_one_wherever_it_is(kind: str) -> None:
    for seed in range(3):
        found = examine([kind], f"more {seed}", PICO, pieces=8)
        assert found.first_right, found.told()
        assert not found.blamed, found.told()


def moved(board: BoardDescription, to: dict[str, str], *, lamps: bool) -> BoardDescription:
    """The same board with sensors, and lamps, of some squares under others."""
    sensors = {slot: board.slots[to.get(slot, slot)].sensor for slot in board.slots}
    spaces = {
        name: replace(space, slots=tuple(replace(slot, sensor=sensors[slot.id]) for slot in space.slots))
        for name, space in board.spaces.items()
    }
    lit = {name: board.lamps[to.get(name, name)] for name in board.lamps} if lamps else board.lamps
    return replace(board, spaces=spaces, lamps=lit)


@pytest.mark.slow
@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("board", "to", "lamps", "code", "parts"),
    [
        (PICO, TILE, True, "places-exchanged", {"space c1", "space d2"}),
        (PICO, TILE, False, "reeds-crossed", {f"reed {square}" for square in TILE}),
        (TWO_PICOS, NORTH, True, "places-exchanged", {"space a1", "space a5"}),
    ],
)
def test_what_lies_under_other_squares_is_one_finding(
    board: BoardDescription, to: dict[str, str], lamps: bool, code: str, parts: set[str]
) -> None:
    made = built(board, [], 1)
    made.board = moved(board, to, lamps=lamps)
    found = examine_built(made, board, 3, pieces=8)
    assert [(one.code, set(one.parts)) for one in found.findings] == [(code, parts)], found.told()


def wired(board: BoardDescription, side: str, order: list[int]) -> Built:
    """The wires of the rows, or of the columns, at the pins of others; -1: at none."""
    (bank,) = board.banks.values()
    pins = bank.rows if side == "rows" else bank.columns
    at = tuple(NOWHERE if number < 0 else pins[number] for number in order)
    found = replace(bank, rows=at) if side == "rows" else replace(bank, columns=at)
    return Built(replace(board, banks={bank.id: found}))


@pytest.mark.slow
@pytest.mark.cases(2)
@pytest.mark.parametrize("side", ["rows", "columns"])
@pytest.mark.parametrize(
    ("order", "code", "lines"),
    [
        ([0, 1, 3, 4, 5, 6, 7, -1], "pin-skipped", ()),
        ([1, 0, 3, 2, 5, 4, 7, 6], "crossed", range(8)),
        ([4, 5, 6, 7, 0, 1, 2, 3], "crossed", range(8)),
    ],
)
def test_wires_that_were_joined_to_a_plug_in_another_order_are_one_finding(
    order: list[int], code: str, lines: tuple[int, ...], side: str
) -> None:
    found = examine_built(wired(PICO, side, order), PICO, 2, pieces=8)
    (one,) = found.findings
    assert one.code == (f"{side}-{code}" if lines else code), found.told()
    kind = side.removesuffix("s")
    assert set(one.parts) == ({f"{kind} reeds:{n}" for n in lines} or {f"{side} reeds"})


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("kind", ["row", "column"])
def test_two_wires_in_one_hole_are_one_finding(kind: str) -> None:
    """What closes on either is read as one."""
    at = {(sensor.row, sensor.column): slot for sensor, slot in PICO.slots_by_contact.items()}
    to = {
        slot: at[(2, column) if kind == "row" else (row, 2)]
        for (row, column), slot in at.items()
        if (row if kind == "row" else column) == 3
    }

    def join(world: World) -> None:
        close, shut = world.copper.set_closed, set[SlotId]()

        def set_closed(slot: SlotId, closed: bool) -> None:
            (shut.add if closed else shut.discard)(slot)
            read = to.get(slot, slot)
            close(read, any(to.get(each, each) == read for each in shut))

        world.copper.set_closed = set_closed  # type: ignore[method-assign]

    made = Built(PICO)
    made.then(join)
    found = examine_built(made, PICO, 6, pieces=8)
    assert [(one.code, one.parts) for one in found.findings] == [
        (f"{kind}s-joined", (f"{kind} reeds:3", f"{kind} reeds:2"))
    ], found.told()


@pytest.mark.slow
def test_chains_whose_data_wires_are_exchanged_are_one_finding() -> None:
    other = {"north": "south", "south": "north"}
    lamps = {name: replace(at, chain=other.get(at.chain, at.chain)) for name, at in TWO_PICOS.lamps.items()}
    made = Built(replace(TWO_PICOS, lamps=lamps))
    found = examine_built(made, TWO_PICOS, 7)
    assert [(one.code, one.parts) for one in found.findings] == [
        ("chains-exchanged", ("chain north", "chain south"))
    ]


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("off", [(11.0, 0.0), (0.0, 12.0), (9.0, -9.0)], ids=str)
def test_a_face_that_was_glued_elsewhere_is_one_finding(
    off: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = BoardPhysics._make_sensors

    def slipped(self: BoardPhysics) -> object:
        for slot, sensor in made(self):
            x, y, z = sensor.at
            yield slot, sensor._replace(at=(x + off[0], y + off[1], z))

    monkeypatch.setattr(BoardPhysics, "_make_sensors", slipped)
    found = examine([], 1, PICO, pieces=8)
    assert [one.code for one in found.findings] == ["reeds-off-middle"], found.told()


@pytest.mark.slow
def test_one_piece_without_a_magnet_in_full_rows_blames_no_resistor(monkeypatch: pytest.MonkeyPatch) -> None:
    stood = []

    def stand(self: Touch, owner: str, space: str, now: int) -> int:
        piece = self.world.new_piece(Seat(owner))
        stood.append(piece)
        if len(stood) == 3:
            self.physics.magnets[piece] = FootMagnet(0.0)
        return self._gestures.place_from_box(piece, self._slot(space), now)

    monkeypatch.setattr(Touch, "stand", stand)
    found = examine([], 2, PICO, pieces=8)
    assert [one.code for one in found.findings] == ["piece-weak"], found.told()


@pytest.mark.slow
def test_a_reed_under_the_next_hole_is_one_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    made = BoardPhysics._make_sensors

    def slipped(self: BoardPhysics) -> object:
        for slot, sensor in made(self):
            if slot == SlotId("d4"):
                x, y, z = sensor.at
                yield slot, sensor._replace(at=(x + 45.0, y, z))
            else:
                yield slot, sensor

    monkeypatch.setattr(BoardPhysics, "_make_sensors", slipped)
    found = examine([], 4, PICO)
    assert [(one.code, one.parts) for one in found.findings] == [("reed-elsewhere", ("reed d4",))]
    assert Mistake("reed-elsewhere") not in found.built.mistakes


def soldered(diode: SolderedDiode, slots: Iterable[SlotId]) -> Built:
    """Something else where the diodes of these squares belong."""
    made = Built(PICO)
    for slot in slots:
        made.then(lambda world, slot=slot: world.copper.set_diode(slot, diode))
    return made


AT = {(at.row, at.column): slot for at, slot in PICO.slots_by_contact.items()}


@pytest.mark.slow
@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("diode", "contacts", "code", "part"),
    [
        (SolderedDiode.REVERSED, {(row, 2) for row in range(8)}, "diodes-reversed", "column reeds:2"),
        (
            SolderedDiode.REVERSED,
            {(row, c) for row in range(8) for c in range(8) if (row + c) % 2},
            *("diode-reversed", "diode b1"),
        ),
        (
            SolderedDiode.ABSENT,
            {(row, c) for row in range(4, 8) for c in range(4)},
            *("diodes-absent", "diode a5"),
        ),
    ],
    ids=["a column", "every second one", "a quarter"],
)
def test_diodes_that_are_wrong_in_a_pattern_are_named(
    diode: SolderedDiode, contacts: set[tuple[int, int]], code: str, part: str
) -> None:
    made = soldered(diode, [AT[each] for each in contacts])
    made.mistakes = [Mistake(code, tuple(f"diode {AT[each]}" for each in contacts))]
    found = examine_built(made, PICO, 1, pieces=8)
    assert part in found.findings[0].parts, found.told()
    assert {one.code for one in found.findings} == {code}, found.told()


@pytest.mark.slow
def test_diodes_across_their_reeds_are_no_resistors_to_the_supply() -> None:
    """While a reed is closed its row holds the column low: contacts beside it open."""

    def across(world: World) -> None:
        copper = world.copper
        close = copper.set_closed

        def set_closed(slot: SlotId, closed: bool) -> None:
            close(slot, True)
            copper.set_diode(slot, SolderedDiode.ABSENT if closed else SolderedDiode.FINE)

        for slot in AT.values():
            set_closed(slot, False)
        copper.set_closed = set_closed  # type: ignore[method-assign]

    made = Built(PICO)
    made.then(across)
    found = examine_built(made, PICO, 1)
    assert [one.code for one in found.findings] == ["diodes-across"], found.told()


@pytest.mark.slow
def test_a_row_that_touches_a_column_is_one_finding() -> None:
    def touch(world: World) -> None:
        close, here = world.copper.set_closed, SlotId("a5")
        world.copper.set_diode(here, SolderedDiode.ABSENT)
        close(here, True)
        world.copper.set_closed = lambda slot, closed: close(slot, closed or slot == here)  # type: ignore[method-assign]

    made = Built(PICO)
    made.then(touch)
    (one,) = examine_built(made, PICO, 2, pieces=8).findings
    assert (one.code, one.parts) == (
        "row-touches-column",
        ("row reeds:4", "column reeds:0", "reed a5"),
    )


@pytest.mark.slow
@pytest.mark.parametrize("to_a_chip", [2, 3])
def test_lamps_that_share_a_chip_are_named(to_a_chip: int) -> None:
    lamps = {name: replace(at, index=at.index // to_a_chip) for name, at in PICO.lamps.items()}
    found = examine_built(Built(replace(PICO, lamps=lamps)), PICO, 3)
    assert [one.code for one in found.findings] == ["lamps-grouped"], found.told()


@pytest.mark.slow
def test_a_lamp_without_blue_is_found_and_blames_no_reed() -> None:
    def dim(world: World) -> None:
        lamps = world.copper.lamps
        world.copper.lamps = lambda: {  # type: ignore[method-assign]
            name: (red, green, 0 if name == "d5" else blue) for name, (red, green, blue) in lamps().items()
        }

    made = Built(PICO)
    made.then(dim)
    (one,) = examine_built(made, PICO, 4, pieces=8).findings
    at = PICO.lamps["d5"]
    assert (one.code, one.parts) == ("lamp-colour-dead", (f"lamp {at.chain}:{at.index}",))


@pytest.mark.slow
def test_two_buttons_at_one_pin_are_not_crossed() -> None:
    def join(world: World) -> None:
        push = world.set_button
        world.set_button = (  # type: ignore[method-assign]
            lambda button, down, at: push("cancel" if button == "turn" else button, down, at)
        )

    made = Built(PICO)
    made.then(join)
    found = examine_built(made, PICO, 5, stages=["buttons"])
    assert [(one.code, one.parts) for one in found.findings] == [
        ("buttons-joined", ("button turn", "button cancel"))
    ]


@pytest.mark.slow
def test_a_piece_that_somebody_forgot_on_the_board_blames_no_reed(monkeypatch: pytest.MonkeyPatch) -> None:
    lift, lifts = Touch.lift, count(1)

    def forget(self: Touch, space: str, now: int) -> int:
        return now if next(lifts) % 9 == 0 and len(self.world.standing()) < 4 else lift(self, space, now)

    monkeypatch.setattr(Touch, "lift", forget)
    found = examine([], 3, PICO, pieces=4)
    assert found.findings == [], found.told()


@pytest.mark.slow
def test_a_piece_that_was_put_beside_its_square_blames_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    put, puts = Person._put, count(1)

    def stray(self: Person, space: str) -> None:
        beside = f"{space[0]}{int(space[1]) % 8 + 1}"
        free = next(puts) % 13 == 0 and beside not in self.world.standing()
        put(self, f"{beside}/1" if free else space)

    monkeypatch.setattr(Person, "_put", stray)
    found = examine([], 4, PICO, pieces=4)
    assert found.findings == [], found.told()


@pytest.mark.slow
def test_one_of_two_pieces_without_a_magnet_blames_no_reed(monkeypatch: pytest.MonkeyPatch) -> None:
    stood = count(1)

    def stand(self: Touch, owner: str, space: str, now: int) -> int:
        piece = self.world.new_piece(Seat(owner))
        if next(stood) == 2:
            self.physics.magnets[piece] = FootMagnet(0.0)
        return self._gestures.place_from_box(piece, self._slot(space), now)

    monkeypatch.setattr(Touch, "stand", stand)
    found = examine([], 6, PICO)
    assert [one.parts for one in found.findings] == [("pieces",)], found.told()


@pytest.mark.nightly
def test_a_missing_level_shifter_blames_no_reed() -> None:
    """Of short chains only some frames are garbled: each look at blinking lamps is at several."""
    for seed in range(15):
        found = examine(["shifter-missing"], f"alone {seed}", TWO_PICOS)
        assert found.first_right, found.told()
        assert not found.blamed, found.told()
