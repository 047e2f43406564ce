"""Hints in chess: whoever plays against the machine may ask for one, and hands need only obey the lamps."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardrules.core import Seat
from boardumpire.errors import SeatError
from evenings import virtual_loop
from evenings.service import Service, configured
from evenings.test_lamps_alone import obeyed
from examples.evening import Evening
from examples.test_chess_engine import Reader, engine, evening

pytestmark = pytest.mark.usefixtures("games")
WHITE = Seat("white")


def told(service: Service) -> list[str]:
    """What everybody is told from now on."""
    texts: list[str] = []
    service.listeners.append(
        lambda messages: texts.extend(
            str(each.data["text"]) for each in messages if each.seat is None and each.kind == "reminder"
        )
    )
    return texts


async def by_hints(folder: Path, turns: int) -> tuple[list[str], list[Any]]:
    """White presses `choose` at each turn, and hands do what lamps say."""
    service, white = await evening(folder, "5")
    texts, faults = told(service), list[Any]()
    service.listeners.append(lambda news: faults.extend(each for each in news if each.kind == "fault"))
    async with service.running(), obeyed(service, Reader):
        for _ in range(turns):
            await white.turn()
            state = white.state
            service.board.do_gesture({"do": "press", "button": "choose"}, "people")
            await white._until(lambda state=state: white.state is not state)
    return texts, faults


@pytest.mark.slow
def test_hands_play_by_hints_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine(tmp_path, monkeypatch)
    texts, faults = virtual_loop.run(by_hints(tmp_path, 3), 1, virtual_loop.busy)
    assert texts[::2] == ["White asked for a hint."] * 3
    assert texts[1] == "A hint for White: a1 to b1."
    assert faults == []


@pytest.mark.slow
def test_one_hint_at_a_time_and_in_ones_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine(tmp_path, monkeypatch)

    async def play() -> None:
        service, white = await evening(tmp_path, "5")
        async with service.running(), obeyed(service, Reader):
            await white.turn()
            table = service.daemon.table
            assert "hint" in table.choices(WHITE)["says"]
            service.daemon.submit_command(WHITE, "hint")
            with pytest.raises(SeatError, match="thinking"):
                service.daemon.submit_command(WHITE, "hint")
            await white._until(lambda: white.state.seats_to_act() != ("white",))  # hands have obeyed
            assert "hint" not in table.choices(WHITE)["says"]
            with pytest.raises(SeatError, match="own turn"):
                service.daemon.submit_command(WHITE, "hint")

    virtual_loop.run(play(), 1, virtual_loop.busy)


def test_between_people_there_is_no_hint() -> None:
    evening = Evening("chess", "chess-8x8", 1)
    try:
        evening.begin()
        assert evening.bench.table is not None
        assert "hint" not in evening.bench.table.choices(WHITE)["says"]
        with pytest.raises(SeatError, match="against the machine"):
            evening.bench.say(WHITE, "hint")
    finally:
        evening.bench.close()


def test_where_something_is_hidden_there_is_no_hint(tmp_path: Path) -> None:
    async def play() -> list[str]:
        config = configured(tmp_path, "stratego-quick-duel", {"blue": "1"})
        service = Service(config, 1)
        async with service.running():
            while not service.daemon.has_table:
                await asyncio.sleep(0.1)
            with pytest.raises(SeatError, match="nothing is hidden"):
                service.daemon.submit_command(Seat("red"), "hint")
            says: list[str] = service.daemon.table.choices(Seat("red"))["says"]
            return says

    assert "hint" not in virtual_loop.run(play(), 1, virtual_loop.busy)
    assert boardrules.new("stratego-quick-duel").view(Seat("red")).open_state() is None
