"""The service goes away between two games: it comes back at the end of the last one and waits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from boardumpire.errors import BoardumpireError
from boardumpire.service.next_game import apply_game_changes
from boardumpire.table.opening import NewGameSettings
from boardware.description import load_board
from evenings import virtual_loop
from evenings.service import Service, configured

DUEL, BARRAGE = "stratego-quick-duel", "stratego-quick-barrage"
SEATS = {"red": "1", "blue": "1"}
WAYS = "cut", "killed", "stopped"


async def goes_away(service: Service, way: str) -> None:
    if way != "cut":
        await service.restart(5, killed=way == "killed")
    else:
        service.cut_power(5)
        await asyncio.sleep(6)
    await asyncio.sleep(30)


def at_a_table(scene: Callable[[Service], Awaitable[None]], folder: Path, game: str = DUEL) -> None:
    """Let that happen at a table where the machine plays all seats, in virtual time."""

    async def happens() -> None:
        service = Service(configured(folder, game, SEATS, quiet_limit=8), 1)
        async with service.running():
            await scene(service)

    virtual_loop.run(happens(), 1, virtual_loop.busy)


def games(service: Service) -> list[Any]:
    return [(each.game, each.options["quiet_limit"]) for each in service.daemon._store.games()]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_nobody_has_asked_for_the_next_game(way: str, tmp_path: Path) -> None:
    async def scene(service: Service) -> None:
        await service.played()
        await asyncio.sleep(30)
        before = service.daemon.view(None), dict(service.daemon.table.marks)
        await goes_away(service, way)
        assert service.daemon.status()["over"]
        after = service.daemon.view(None), dict(service.daemon.table.marks)
        assert after == before, "it is seen how the last one ended"
        assert games(service) == [(DUEL, 8)]
        service.board.do_gesture({"do": "press", "button": "confirm", "hold": True}, None)
        await asyncio.sleep(4)
        assert games(service) == [(DUEL, 8)] * 2, "and the buttons begin another one"
        await service.played()

    at_a_table(scene, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["cut", "stopped"])
def test_what_was_chosen_at_the_table_is_played_again(way: str, tmp_path: Path) -> None:
    async def scene(service: Service) -> None:
        await service.played()
        service.daemon.begin_game({"game": BARRAGE, "options": {"quiet_limit": 12}})
        await asyncio.sleep(20)
        await goes_away(service, way)
        await service.played()
        await goes_away(service, way)
        assert games(service) == [(DUEL, 8), (BARRAGE, 12)]
        service.daemon.begin_game({})
        assert games(service)[2:] == [(BARRAGE, 12)]

    at_a_table(scene, tmp_path)


@pytest.mark.few(1)
@pytest.mark.parametrize("chosen", [False, True])
def test_what_is_configured_since_begins_by_itself(chosen: bool, tmp_path: Path) -> None:
    async def before(service: Service) -> None:
        await service.played()
        if chosen:
            service.daemon.begin_game({"options": {"quiet_limit": 12}})
            await service.played()

    async def after(service: Service) -> None:
        assert games(service)[-1] == (BARRAGE, 8)
        assert not service.daemon.status()["over"]

    at_a_table(before, tmp_path)
    at_a_table(after, tmp_path, BARRAGE)


def test_the_next_game_asks_for_nothing_about_the_last_one(tmp_path: Path) -> None:
    """Hands clear the board before it is looked at."""

    async def scene(service: Service) -> None:
        await service.played()
        await asyncio.sleep(20)
        told: list[str] = []
        service.listeners.append(lambda messages: told.extend(each.kind for each in messages))
        service.daemon.begin_game({})
        await asyncio.sleep(5)
        assert "turn" in told
        assert not {"chores", "fault", "question"} & {*told}

    at_a_table(scene, tmp_path)


def test_the_next_game_has_the_seats_that_people_have_links_of() -> None:
    hunt = "fall-of-the-fuhrer"
    with pytest.raises(BoardumpireError, match="the same seats"):
        apply_game_changes(NewGameSettings(hunt, {}), {"options": {"players": 3}}, load_board(hunt))
