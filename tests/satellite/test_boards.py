"""Two boards, one of them on a satellite, over a network with faults: moves, breaks, power cuts, secrets."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from boardrules.core import Seat
from boardumpire.history.verify import verify
from boardumpire.journal import records
from boardumpire.journal.sealing import commitment
from boardumpire.messages.disclosure import SeatMessage
from satellite.network import Faults
from satellite.tables import RemoteTables, at_remote_tables
from table.twins import begun, setups

SETUP, TWIN = setups(3)
BAD = Faults(0.15, 0.05, 0.05)
on_both = pytest.mark.parametrize("on_header", [False, True], ids=["pico", "header"])
"""With the far board on a Pico, and on the satellite's header."""


async def turn_at(tables: RemoteTables, name: str, step: tuple[str, str] | None = None) -> tuple[str, str]:
    """The seat whose turn it is moves at its board; the other board follows."""
    before = tables.state
    origin, target = step or tables.free_step()
    await tables.move(name, origin, target)
    await asyncio.sleep(4)
    assert tables.state is not before
    other = "north" if name == "" else ""
    asked = {(each["do"], each["space"]) for each in tables.seen(other)["chores"]}
    assert asked == {("take", origin), ("put", target)}
    await tables.tidy(other)
    return origin, target


def brightness(tables: RemoteTables, name: str) -> int:
    """The brightest colour that a lamp of that board shows."""
    return max(max(colour) for colour in tables.worlds[name].copper.lamps().values())


@pytest.mark.slow
@pytest.mark.cases(1)
@on_both
def test_moves_go_both_ways_over_a_bad_network(on_header: bool, tmp_path: Path) -> None:
    async def scene(tables: RemoteTables) -> None:
        await tables.set_up()
        await turn_at(tables, "")
        await turn_at(tables, "north")
        assert tables.heard == []
        # Hands at the satellite's board do nothing for a seat of the other one.
        before = tables.state
        origin, target = tables.free_step()
        await tables.move("north", origin, target)
        await asyncio.sleep(4)
        assert tables.state is before
        asked = {(each["do"], each["space"]) for each in tables.seen("north")["chores"]}
        assert asked == {("take", target), ("put", origin)}
        await tables.tidy("north")
        await turn_at(tables, "")

    at_remote_tables(scene, tmp_path, SETUP, BAD, on_header=on_header)


@pytest.mark.slow
@pytest.mark.cases(1)
@on_both
@pytest.mark.parametrize("break_", ["part", "cut", "half_open", "satellite"])
def test_a_move_during_a_break_is_judged_afterwards(break_: str, on_header: bool, tmp_path: Path) -> None:
    async def scene(tables: RemoteTables) -> None:
        await tables.set_up()
        await turn_at(tables, "")
        origin, target = tables.free_step()
        before, bright = tables.state, brightness(tables, "north")
        match break_:
            case "part":
                tables.network.part(12)
            case "cut":
                tables.network.parted_until = asyncio.get_running_loop().time() + 12
                tables.network.cut()
            case "half_open":
                tables.network.half_open()
                tables.network.parted_until = asyncio.get_running_loop().time() + 12
            case "satellite":
                tables.cut_far_board()
        await asyncio.sleep(4)
        if break_ != "satellite":  # without power its board is dark
            assert 0 < brightness(tables, "north") <= bright / 3
        assert [code for _, code in tables.heard] == ["bank-silent"]
        assert tables.state is before
        here = tables.seen("")
        assert here["waits"] == "The board of Blue can't be reached. Please wait."
        assert "asks" in here["marks"].values()
        assert {light.mark for light in tables.openers[""].lamps.lights.values()} >= {"asks"}
        await tables.move("north", origin, target)
        await asyncio.sleep(2)
        assert bool(tables.satellite.away_reason) == (break_ != "satellite")
        if break_ == "satellite":
            tables.power_far_board()
        await asyncio.sleep(30)
        assert {(each["do"], each["space"]) for each in tables.seen("")["chores"]} == {
            ("take", origin), ("put", target)
        }  # fmt: skip
        await tables.tidy("")
        await turn_at(tables, "")

    at_remote_tables(scene, tmp_path, SETUP, Faults(0.15, 0.05, 0.02), on_header=on_header)


@pytest.mark.slow
@pytest.mark.cases(1)
@on_both
def test_a_move_while_the_host_was_off_is_led_back(on_header: bool, tmp_path: Path) -> None:
    async def scene(tables: RemoteTables) -> None:
        await tables.set_up()
        await turn_at(tables, "")
        layout = tables.state.layout()
        origin, target = tables.free_step()
        tables.cut_host()
        await asyncio.sleep(4)
        await tables.move("north", origin, target)
        await tables.power_host()
        await asyncio.sleep(10)
        assert tables.state.layout() == layout
        assert {(each["do"], each["space"]) for each in tables.seen("north")["chores"]} == {
            ("take", target), ("put", origin)
        }  # fmt: skip
        await tables.tidy("north")
        await turn_at(tables, "north")

    at_remote_tables(scene, tmp_path, SETUP, Faults(0.15, 0.05, 0.02), on_header=on_header)


def shared_steps(turns: int) -> list[tuple[str, str]]:
    """Steps that are allowed in both of the games."""
    states, steps = [begun(SETUP), begun(TWIN)], []
    for _ in range(turns):
        (seat,) = states[0].seats_to_act()
        allowed = [{str(action) for action in state.legal_actions(seat)} for state in states]
        text = min(
            text for text in set.intersection(*allowed) if text[-2:] not in states[0].layout() and "-" in text
        )
        states = [state.apply(state.parse(text, seat))[0] for state in states]
        steps.append((text[:2], text[-2:]))
    return steps


@pytest.mark.slow
@pytest.mark.cases(1)
@on_both
def test_armies_that_look_alike_send_the_same_bytes(on_header: bool, tmp_path: Path) -> None:
    """What goes to and fro between host and satellite, sealed, and when."""

    def played(setup: Mapping[Seat, str], folder: Path) -> list[object]:
        sent: list[object] = []

        async def scene(tables: RemoteTables) -> None:
            await tables.set_up()
            for number, step in enumerate(shared_steps(2)):
                await turn_at(tables, ("", "north")[number % 2], step)
            sent.extend([end.sent for ends in tables.network.lines for end in ends])

        folder.mkdir()
        at_remote_tables(scene, folder, setup, BAD, on_header=on_header)
        return sent

    # Blue's ranks are dealt anew, red's and all squares are the same; both boards see tokens without a face.
    assert played(SETUP, tmp_path / "a") == played(TWIN, tmp_path / "b")


@pytest.mark.slow
def test_a_set_up_that_the_hosts_owner_changed_is_proved(tmp_path: Path) -> None:
    """At the other board it was noted what the umpire told of each set-up."""
    noted: list[str] = []
    found: list[str] = []

    async def scene(tables: RemoteTables) -> None:
        tell = tables.daemon._runner._tell

        def hear(messages: Sequence[SeatMessage]) -> None:
            public = [message.data for message in messages if message.seat is None]
            noted.extend(data["commitment"] for data in public if "commitment" in data)
            tell(messages)

        tables.daemon._runner._tell = hear
        await tables.set_up()
        await turn_at(tables, "")
        tables.daemon.submit_command(Seat("blue"), "resign")
        await asyncio.sleep(1)
        store = tables.daemon._store
        found.append(records.export(store, store.games()[0].number))

    at_remote_tables(scene, tmp_path, SETUP)
    (text,) = found
    lines, holds = verify(text, noted)
    assert holds
    assert lines[-1] == "2 of 2 digests were noted during the game"

    told = next(line for line in text.splitlines() if line.startswith("red setup "))
    pieces = dict(piece.split("=") for piece in told.split()[2:])
    flag, bomb = (next(at for at, rank in pieces.items() if rank == wanted) for wanted in "FB")
    pieces |= {flag: "B", bomb: "F"}
    changed = "setup " + " ".join(f"{at}={rank}" for at, rank in pieces.items())
    forged = text.replace(told, f"red {changed}")
    assert verify(forged)[1] is False
    old = noted[0]  # Red has set up first
    proof = next(line for line in text.splitlines() if line.startswith("commitment ") and old in line)
    salt = bytes.fromhex(proof.split(" salt ")[1].split()[0])
    forged = forged.replace(old, commitment(salt, changed))
    assert verify(forged)[1], "alone it proves nothing against who wrote it"
    lines, holds = verify(forged, noted)
    assert holds is False
    assert f"NOTED, BUT NOT IN THIS RECORD: {old}" in lines
