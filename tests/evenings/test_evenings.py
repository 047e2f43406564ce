"""Whole evenings of the service as it ships; docs/understand/measuring.md says how."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from boardumpire.commands import page
from boardumpire.lamps import policy
from boardumpire.service import next_game
from boardumpire.service.config import Config
from boardumpire.table import opening
from boardumpire.table.open_matters import BUTTON_MATTER, AnswerMeaning, OpenMatter, OpenMatters, PlayerInput
from boardumpire.tracking.events import BoardGuidance
from boardumpire.web.seat_links import SeatLinks
from boardumpire.web.start_page import GameChoice
from evenings import disk, evening, virtual_loop
from evenings.evening import CASTLE, DUEL, HUNT, Evening, LostPhone, Outage, Plan
from evenings.oracles import Oracles
from evenings.people import CALM, Person
from evenings.service import Service, StoodStill, configured

SAMPLE = {DUEL: range(186), HUNT: range(11), CASTLE: range(3)}
"""Two and a half minutes of a processor: a duel takes 0.6 s, a hunt 2.5 s, a castle 4.5 s."""
SOON_DRAWN = (6, 8, 12)
"""Duels of the sample are drawn sooner than those of the night: two hundred evenings have to be over in two
minutes, on a slow machine, too."""
MANY, BLOCK = 2000, 50


@pytest.mark.slow
@pytest.mark.cases(sum(map(len, SAMPLE.values())))
@pytest.mark.parametrize(("game", "seed"), [(game, seed) for game, seeds in SAMPLE.items() for seed in seeds])
def test_nothing_stands_still_and_nothing_is_ruled_wrongly(game: str, seed: int, tmp_path: Path) -> None:
    evening.run(tmp_path, evening.drawn(game, seed, quiet_limits=SOON_DRAWN), seed)


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(0, MANY, BLOCK))
@pytest.mark.parametrize("game", evening.GAMES)
def test_many_evenings(game: str, first: int, tmp_path: Path) -> None:
    """All seeds that fail are named: `make evenings` tells each in full."""
    failed = {}
    for seed in range(first, first + BLOCK):
        try:
            evening.run(tmp_path / str(seed), evening.drawn(game, seed), seed)
        except Exception as wrong:
            failed[seed] = str(wrong).partition("\n")[0]
    assert not failed


@pytest.mark.few(1)
@pytest.mark.parametrize(("game", "seed"), [(DUEL, 0), (DUEL, 5), (HUNT, 9)])
def test_an_evening(game: str, seed: int, tmp_path: Path) -> None:
    evening.run(tmp_path, evening.drawn(game, seed, games=2), seed)


@pytest.mark.slow
def test_a_seed_replays_its_evening_in_any_process() -> None:
    """Also where the sets of Python have another order."""
    words = [sys.executable, "-m", "evenings", DUEL, "0", "--games", "1"]
    said = set()
    for order in ("1", "2"):
        environ = {**os.environ, "PYTHONHASHSEED": order, "PYTHONPATH": str(Path(__file__).parents[1])}
        ended = subprocess.run(words, env=environ, capture_output=True, text=True, check=True, timeout=120)
        said.add(ended.stdout.splitlines()[0])
    assert len(said) == 1
    assert said != {""}


# What an oracle is for, it finds.


def test_who_can_not_go_on_is_found(tmp_path: Path) -> None:
    """A person who does nothing that is asked for."""
    plan = Plan(DUEL, {"red": "1"}, {"blue": "1"}, 1)

    async def scene() -> None:
        played = Evening(tmp_path, plan, 1)
        async with played.service.running():
            await played._sit_down()
            await played._played([])

    with pytest.raises(StoodStill, match="to act"):
        virtual_loop.run(scene(), 1)


def test_a_piece_that_stands_elsewhere_than_the_game_has_it_is_found(tmp_path: Path) -> None:
    """Two pieces of two sides change places while no sensor looks."""

    async def scene() -> None:
        service = Service(configured(tmp_path, DUEL, {"red": "1", "blue": "1"}), 1)
        oracles, world = Oracles(service), service.board.world
        async with service.running():
            while (
                service.daemon.table.full_state.seats_to_act() != ("red",) or not service.daemon.table.is_calm
            ):
                await asyncio.sleep(0.1)
            service.daemon._computer_players.stop()  # type: ignore[union-attr]
            await asyncio.sleep(5)
            slots = sorted(world.standing())
            owner = {slot: world.pieces_on(slot)[0].owner for slot in slots}
            ends = slots[0], next(slot for slot in slots if owner[slot] != owner[slots[0]])
            pieces = [world.pieces_on(slot)[0] for slot in ends]
            for piece, slot in zip(reversed(pieces), ends, strict=True):
                world._on[slot] = [piece]
            for _ in range(100):
                await asyncio.sleep(1)
                oracles.look(service.daemon.table)

    with pytest.raises(AssertionError, match="said to be in order, and is not"):
        virtual_loop.run(scene(), 1)


def test_what_was_announced_and_is_not_in_the_journal_is_found(tmp_path: Path) -> None:
    async def scene() -> None:
        service = Service(configured(tmp_path, DUEL, {"red": "1", "blue": "1"}), 1)
        oracles = Oracles(service)
        async with service.running():
            await asyncio.sleep(30)
            oracles.kept()
            oracles._announced.insert(3, [{"kind": "move"}])
            oracles.kept()

    with pytest.raises(AssertionError, match="rulings were announced"):
        virtual_loop.run(scene(), 1)


@pytest.mark.parametrize("way", ["by phone", "by button"])
def test_a_yes_that_is_taken_for_something_else_is_found(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blue answers what was asked a moment ago; the table takes that for whatever is newest."""

    def newest(self: OpenMatters, answer: PlayerInput, now: int, *more: OpenMatter) -> AnswerMeaning:
        return AnswerMeaning([each for each in self.matters if each.kind != BUTTON_MATTER][-1])

    monkeypatch.setattr(OpenMatters, "find_meaning", newest)
    plan = Plan(DUEL, {}, {"red": "1", "blue": "1"}, 1)

    async def scene() -> None:
        played = Evening(tmp_path, plan, 1)
        async with played.service.running():
            await played._sit_down()
            red, blue = played.people
            await red.phone.say("adjourn")
            await asyncio.sleep(3)
            if way == "by phone":
                await blue._answers("yes by-hand a3")
            else:
                blue.phone.sleep()
                await asyncio.sleep(3)
                played.answers.gives(None, "yes by-hand a3")
                played.board.do_gesture({"do": "press", "button": "confirm"}, blue)
            async with asyncio.timeout(3):
                await played.daemon.run()

    with pytest.raises(AssertionError, match="was taken for 'adjourn'"):
        virtual_loop.run(scene(), 1)


def test_words_that_no_light_shows_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lamps leave out what has to be put right, but not what happened there last."""
    frame = policy.frame_marks

    def without(guidance: BoardGuidance, *given: object) -> dict[str, str]:
        return frame(guidance._replace(corrections=()), *given)  # type: ignore[arg-type]

    async def nothing(self: Person, chores: object) -> None:
        """Nobody sees that there is anything to do."""

    monkeypatch.setattr(policy, "frame_marks", without)
    monkeypatch.setattr(Person, "_tidy", nothing)
    with pytest.raises(AssertionError, match="nothing of it is lit"):
        evening.run(tmp_path, evening.drawn(DUEL, 4, games=1), 4)


OUT = Plan(DUEL, {"red": "1", "blue": "1"}, {}, 2, {"quiet_limit": 8})
"""An evening of two short games."""


def test_a_game_that_nobody_has_asked_for_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    last_game = opening.game_to_continue
    monkeypatch.setattr(opening, "game_to_continue", lambda *given, begin: last_game(*given, begin=True))
    plan = OUT._replace(outages=(Outage("cut", 0, 0, 5),))
    with pytest.raises(AssertionError, match="game 2 begins, and 1 were asked for"):
        evening.run(tmp_path, plan, 1)


def test_another_game_than_the_one_chosen_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = next_game.apply_game_changes
    monkeypatch.setattr(
        next_game, "apply_game_changes", lambda before, given, board: changed(before, {}, board)
    )
    plan = OUT._replace(others={1: {"options": {"quiet_limit": 12}}})
    with pytest.raises(AssertionError, match="was asked for"):
        evening.run(tmp_path, plan, 1)


def test_a_record_that_the_disk_said_it_had_and_has_not_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    early: list[disk.Files] = []

    def read(journal: Path) -> disk.Files:
        early.append({path: path.read_bytes() for path in disk.paths(journal) if path.exists()})
        return early[0]

    async def scene() -> None:
        played = Evening(tmp_path, OUT, 1)
        async with played.service.running():
            await asyncio.sleep(20)
            monkeypatch.setattr(disk, "read", read)
            read(tmp_path / "journal.sqlite")
            await asyncio.sleep(20)
            played.service.cut_power(2)
            await asyncio.sleep(10)
            played.oracles.kept()

    with pytest.raises(AssertionError, match="rulings were announced"):
        virtual_loop.run(scene(), 1)


LOSES = Plan(DUEL, {}, {"red": "1", "blue": "1"}, 2, {"quiet_limit": 12}, start_page=True)
"""An evening that begins on the start page."""


@pytest.mark.slow
@pytest.mark.parametrize("way", evening.WAYS)
def test_who_loses_a_phone_sits_down_with_another_one(way: str, tmp_path: Path) -> None:
    plan = LOSES._replace(losses=(LostPhone(0, 10, way),))
    _, done = evening.run(tmp_path, plan, 1)
    assert done[f"phone lost, {way}"] == 1


def test_a_phone_that_is_lost_and_shows_its_seat_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its link does not work any more, but the page asks no device who it is."""
    monkeypatch.setattr(SeatLinks, "is_seated", lambda self, name, secret: secret is not None)
    with pytest.raises(AssertionError, match="it still shows the seat"):
        evening.run(tmp_path, LOSES._replace(losses=(LostPhone(0, 10, "pin"),)), 1)


@pytest.mark.parametrize("told", [True, False])
def test_what_the_start_page_makes_of_a_choice_is_found(
    told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It forgets an option, or who is played by the machine."""
    as_chosen = page._config_of_choice

    def forgets(config: Config, choice: GameChoice) -> Config:
        kept = choice._replace(options={}) if told else choice._replace(machine_levels={})
        return as_chosen(config, kept)

    monkeypatch.setattr(page, "_config_of_choice", forgets)
    plan = OUT._replace(start_page=True, people={"red": "1"}, machines={"blue": "1"})
    with pytest.raises(AssertionError, match=r"was asked for|the start page leads to"):
        evening.run(tmp_path, plan, 1)


@pytest.mark.few(1)
@pytest.mark.parametrize(("game", "seed"), [(DUEL, 0), (HUNT, 17)])
def test_people_play_without_phones(game: str, seed: int, tmp_path: Path) -> None:
    """They are taken out for what is secret alone: in a duel for the two armies."""
    plan = evening.drawn(game, seed, games=1)._replace(rates=CALM)
    longer = {"tank_roll": "optional", "start_cities": "different"} if game == HUNT else {}
    plan = plan._replace(options={**plan.options, **longer}, without=tuple(plan.people))
    _, done = evening.run(tmp_path, plan, seed)
    assert done["carried"] > 5
    assert 0 < done["phone taken out"] <= (2 if game == DUEL else 40)
