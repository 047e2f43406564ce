"""What people offer the machine it answers itself, whatever is pressed at the board."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardrules.core import Action
from boardrules.players import Chance, Player, SearchBudget
from boardumpire.commands.bot import Bot
from boardumpire.ruling.umpire import seat_that_may_say
from evenings import players, virtual_loop
from evenings.service import Service, configured
from table.test_offers import SETUPS

DUEL = "stratego-quick-duel"


@pytest.mark.parametrize("button", ["", "confirm", "cancel"])
@pytest.mark.parametrize(("offer", "agreed"), [("offer-draw", False), ("ask-take-back", True)])
def test_an_offer_is_answered_alike_whatever_is_pressed(
    offer: str, agreed: bool, button: str, tmp_path: Path
) -> None:
    async def scene() -> None:
        service = Service(configured(tmp_path, DUEL, {"blue": "1"}), 1)
        async with service.running():
            daemon, board = service.daemon, service.board
            text = SETUPS["red"]
            state = daemon.table.full_state
            while not board.set_up_army("red", state.setup_placements(state.parse(text, "red")), scene):
                await asyncio.sleep(0.5)
            daemon.submit_command("red", text)
            while not (daemon.table.full_state.seats_to_act() == ("red",) and daemon.table.is_calm):
                await asyncio.sleep(0.5)
            if offer == "ask-take-back":
                board.carry_piece("h3", "h4", seat="red", name="", who=scene)
                while daemon.table.full_state.seats_to_act() == ("red",):
                    await asyncio.sleep(0.05)
            told: list[str] = []
            service.listeners.append(lambda messages: told.extend(str(each.data) for each in messages))
            daemon.submit_command("red", offer)
            await asyncio.sleep(0.01)
            assert seat_that_may_say(daemon.table.full_state, f"agree-{offer.partition('-')[2]}") in (
                "blue",
                None,
            )
            if button:
                board.do_gesture({"do": "press", "button": button}, scene)
            await asyncio.sleep(3)
            words = " ".join(told)
            assert ("agree-" in words) == agreed
            assert daemon.table.full_state.outcome is None
            if agreed:
                assert daemon.table.full_state.seats_to_act() == ("red",)

    virtual_loop.run(scene(), 1, virtual_loop.busy)


@pytest.mark.parametrize(
    ("machines", "options", "limit"),
    [({"blue": "1"}, {}, 100), ({"blue": "1"}, {"quiet_limit": "off"}, "off"), ({}, {}, "off")],
)
def test_a_game_against_a_machine_ends_in_a_draw_by_itself(
    machines: dict[str, str], options: dict[str, str], limit: object, tmp_path: Path
) -> None:
    """Unless people have chosen otherwise; the next game of the same people alike."""

    async def scene() -> None:
        service = Service(configured(tmp_path, DUEL, machines, **options), 1)
        async with service.running():
            daemon = service.daemon
            assert daemon.table.full_state.options["quiet_limit"] == limit
            daemon.submit_command("red", SETUPS["red"])
            assert daemon.next_game_options()["options"][DUEL]["quiet_limit"] == limit

    virtual_loop.run(scene(), 1, virtual_loop.busy)


class GivesUp(Player):
    """Has no hope, whatever it sees."""

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, meter: SearchBudget) -> Action:
        return legal[0]

    def is_hopeless(self) -> bool:
        return True


def test_a_machine_without_hope_resigns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = boardrules.package(DUEL)
    own = package.players()
    assert own is not None
    hopeless = own._replace(make_player=lambda seat, level: GivesUp())
    monkeypatch.setattr(type(package), "players", lambda self: hopeless)
    monkeypatch.setattr(players, "Bot", partial(Bot, resigns=True))

    async def scene() -> None:
        service = Service(configured(tmp_path, DUEL, {"red": "1", "blue": "1"}), 1)
        async with service.running():
            await service.played()
            outcome = service.daemon.table.full_state.outcome
            assert outcome is not None
            assert outcome.reason == "resignation"

    virtual_loop.run(scene(), 1, virtual_loop.busy)
