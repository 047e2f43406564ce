"""First games beside a partner: whoever does what a step asks comes to its end, on a busy machine, too."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from boardrules import registry
from boardrules.teaching import LessonStep, matches_any
from boardumpire.service.clock import loop_time_s
from boardumpire.table.opening import open_table
from boardumpire.table.table import Table
from boardumpire.web.teaching.lesson_partner import LessonPartner, lesson_dice
from evenings import virtual_loop
from evenings.phones import Phone
from evenings.service import PATIENCE_S, Service, StoodStill, configured

LESSONS = [(game, seat) for game, package in registry.games().items() for seat in package.lessons()]
AGAIN_S = 8.0
"""After so long somebody does again what nothing has come of."""


class Learner:
    """Does what a step asks for: carries pieces, and says the rest from a phone."""

    def __init__(self, service: Service, seat: str, phone: Phone, chance: random.Random) -> None:
        self._service, self._seat, self._phone, self._chance = service, seat, phone, chance
        self._carried = ""
        self._done: list[str] = []
        service.listeners.append(self._hear)

    def _hear(self, messages: Any) -> None:
        for message in messages:
            found = message.data
            if message.kind == "ruling" and found["ok"] and found["action"] == self._carried:
                self._carried = ""
                self._done.append(found["action"])

    async def take(self, step: LessonStep) -> None:
        """Until it is done. Raises `StoodStill`."""
        self._done.clear()
        began, since = loop_time_s(), 0.0
        while sum(matches_any(text, step.does) for text in self._done) < step.times:
            if loop_time_s() - began > PATIENCE_S * step.times:
                raise StoodStill(f"{step.ask!r} never ends: {self._done}, {self._service.shown()}")
            await asyncio.sleep(self._chance.uniform(0.3, 0.8))
            table = self._service.daemon.table
            asked = table.guidance.question
            if asked is not None and asked.seat == self._seat:
                await self._phone.say(f"yes {' '.join((asked.code, *asked.spaces))}")
            elif table.is_calm and (not self._carried or loop_time_s() - since > AGAIN_S):
                self._carried, since = "", loop_time_s()
                await self._do(self._next(step))

    def _next(self, step: LessonStep) -> str:
        may = self._service.daemon.choices(self._seat)
        moves = [f"{origin}-{to}" for origin, targets in may["moves"].items() for to in targets]
        said = sorted({*may["acts"], *moves})
        for patterns in (step.does, step.first):
            if fitting := [text for text in said if matches_any(text, patterns)]:
                return self._chance.choice(fitting)
        return ""

    async def _do(self, text: str) -> None:
        origin, _, target = text.partition("-")
        if target in self._service.daemon.choices(self._seat)["moves"].get(origin, ()):
            self._carried = text
            self._service.board.carry_piece(origin, target)
        elif text and (await self._phone.say(text))["ok"]:
            self._done.append(text)


async def lesson(folder: Path, game: str, seat: str, seed: int) -> None:
    taught = registry.package(game).lessons()[seat]

    def opening(**given: Any) -> Table:
        return open_table(**{**given, "dice": lesson_dice(taught)})

    service = Service(configured(folder, game, {}, **taught.options), seed, opening)
    daemon = service.daemon
    async with service.running():
        assert daemon.page is not None
        partner = LessonPartner(daemon, service.board, seat, taught, daemon.set_player_responding)
        daemon.page.page.partner = partner
        partner.start()
        chance = random.Random(f"learner {seed}")
        link = "/" + daemon.page.links()[seat].split("/", 3)[3]
        phone = Phone(daemon.page.page.app, link, seat, "10.0.0.2", chance)
        await phone.sit_down()
        learner = Learner(service, seat, phone, chance)
        for step in taught.steps:
            await learner.take(step)
        presence = daemon.table._presence
        assert presence.machine_seats == {*daemon.seats} - {seat}, "no button speaks for the partner's seats"
        partner.stop()
        await asyncio.sleep(0)
        assert not presence.machine_seats


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("game", "seat"), LESSONS)
def test_a_lesson_is_played_to_its_last_step(game: str, seat: str, seed: int, tmp_path: Path) -> None:
    virtual_loop.run(lesson(tmp_path, game, seat, seed), seed, virtual_loop.busy)
