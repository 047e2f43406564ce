"""Seats that the machine plays: hands do what its player says, or lamps show people what to do for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

import boardrules
from boardrules.core import State
from boardumpire.commands import machines
from boardumpire.commands.daemon import Daemon
from boardumpire.commands.machines import Machines
from boardumpire.commands.page import PICO_DRIVERS, virtual_board
from boardumpire.errors import ConfigError
from boardumpire.messages import secrecy
from boardumpire.service.config import (
    BoardSection,
    Config,
    ControlSection,
    DriversSection,
    GameSection,
    JournalSection,
    MachineSection,
    PageSection,
    TrackerSection,
)
from boardumpire.service.notify import Notifier
from boardumpire.table.errands import Errand
from boardumpire.tracking.values import Question
from daemon.obedient import Obedient
from loops import run

DUEL, HUNT, CASTLE = "stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz"
BOARDS = {DUEL: "quick-battle-8x8", HUNT: "fall-of-the-fuhrer", CASTLE: "escape-from-colditz"}
GPIO = DriversSection("gpio-sim", "neopixel-spi-sim", "console-sim")
QUICK = TrackerSection(settle_ms=100, slide_ms=200, wonder_s=3)
"""How quick these hands are."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks on who would have to follow."""
    for name, seconds in (("LOOKS_S", 0.1), ("REACHES_S", 0.05), ("BEAT_S", 0.02), ("SECONDS", 0.05)):
        monkeypatch.setattr(machines, name, seconds)
    for name, seconds in (("DOWN_S", 0.8), ("SHOWN_S", 1.6), ("AGAIN_S", 0.8)):
        monkeypatch.setattr(machines, name, seconds)


def configured(
    folder: Path, game: str, seats: Mapping[str, str], board: str = "", dice: str = "umpire", **options: Any
) -> Config:
    return Config(
        board=BoardSection(board or BOARDS[game]),
        drivers=PICO_DRIVERS if game == CASTLE else GPIO,
        game=GameSection(
            game, dice=dice, options=MappingProxyType(options), machines=MappingProxyType(dict(seats))
        ),
        journal=JournalSection(folder / "journal.sqlite", folder / "board.key"),
        control=ControlSection(folder / "control.sock"),
        machine=MachineSection(power_off=""),
        page=PageSection(listen="127.0.0.1:0", links=folder / "links.json"),  # it tells hands who is where
        tracker=QUICK,
    )


class Played(NamedTuple):
    """What has come of a game."""

    state: State
    person: Obedient | None
    faults: list[Any]
    held: int
    """How many pieces are left in a hand."""


async def played(
    config: Config,
    *,
    by_people: bool,
    until: Callable[[State], bool] = lambda state: False,
    within_s: float | None = None,
) -> Played:
    """A whole game that the machine plays at all seats; `by_people`: hands of people obey lamps alone."""
    config, board = virtual_board(config, 1)
    daemon = Daemon(config, Notifier({}), board)
    if by_people:
        daemon._machines = Machines(daemon, config.game.machines, None)
    faults: list[Any] = []
    tell = daemon._tell
    daemon._tell = lambda told: (faults.extend(m for m in told if of_hands(m)), tell(told))  # type: ignore[method-assign, func-returns-value]
    await daemon.start()
    board.start()
    person = await sits_down(daemon, board) if by_people else None
    obeys = None if person is None else asyncio.create_task(person.obey())
    try:
        async with asyncio.timeout(within_s or (900 if by_people else 240)):
            while not daemon.table.over and not until(daemon.table.stands):
                await asyncio.sleep(0.1)
                assert obeys is None or not obeys.done(), obeys.result()
            while daemon.table.stands.outcome is None and not daemon.table.calm:
                await asyncio.sleep(0.1)
            await asyncio.sleep(0.5)  # hands are emptied
        return Played(daemon.table.stands, person, faults, len(board.fingers.grips))
    finally:
        if obeys is not None:
            obeys.cancel()
        daemon.stop()
        board.stop()
        await daemon.ended()


async def sits_down(daemon: Daemon, board: Any) -> Obedient:
    """A person. Of a game that begins with its pieces on the board they are set up, as its box shows."""
    await asyncio.sleep(1)
    begins = [
        chore for chore in daemon.table.guidance.chores if chore.kind == "put" and chore.seat is not None
    ]
    if begins:
        chores = secrecy.chores(0, tuple(begins)).data["chores"]
        board.do({"do": "tidy", "chores": chores, "beside": True}, "people")
    while begins and not daemon.table.calm:
        await asyncio.sleep(0.1)
    return Obedient(board)


def of_hands(message: Any) -> bool:
    """Whether it tells of hands that did something wrong, not of a busy machine."""
    return message.kind == "fault" and not message.data["code"].startswith("bank-")


def rounds(state: State) -> int:
    return int(state.view(None).json().get("round") or 0)


@pytest.mark.prove
def test_a_whole_game_by_people_who_obey_lamps_alone(tmp_path: Path) -> None:
    config = configured(tmp_path, DUEL, {"red": "3", "blue": "1"}, quiet_limit=12)
    end = run(played(config, by_people=True))
    assert end.state.outcome is not None
    assert end.person is not None
    assert end.person.carried > 10
    assert not end.faults


@pytest.mark.slow
def test_a_piece_that_somebody_held_is_carried_again_and_a_player_that_was_killed_is_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = configured(tmp_path, DUEL, {"red": "1", "blue": "1"}, quiet_limit=20)
    begun: list[asyncio.subprocess.Process] = []
    player = machines.player

    async def noted(*words: str) -> asyncio.subprocess.Process:
        begun.append(await player(*words))
        return begun[-1]

    monkeypatch.setattr(machines, "player", noted)

    async def game() -> State:
        given, board = virtual_board(config, 1)
        daemon = Daemon(given, Notifier({}), board)
        await daemon.start()
        board.start()
        try:
            async with asyncio.timeout(60):
                while (asked := daemon.table.errands.asked("red")) is None or not asked.lift:
                    await asyncio.sleep(0.01)
                (slot,) = board.world.board.spaces[asked.lift[0]].slots
                (number,) = (each["id"] for each in board.fingers.pieces() if each.get("slot") == slot.id)
                board.do({"do": "grab", "piece": number}, "a child")
                await asyncio.sleep(0.3)
                board.do({"do": "drop", "piece": number}, "a child")
                while daemon.table.stands.seats_to_act() == ("red",):
                    await asyncio.sleep(0.1)
                begun[0].kill()
                while not daemon.table.over:
                    await asyncio.sleep(0.1)
            return daemon.table.stands
        finally:
            daemon.stop()
            board.stop()
            await daemon.ended()

    assert run(game()).outcome is not None
    assert len(begun) == 3


SLOTS = "fall-of-the-fuhrer-slots"
PAIR, FOUR = {"hitler": "2", "allies": "2"}, {"hitler": "2", "tank": "2", "spy": "2", "infantry": "1"}


@pytest.mark.parametrize(
    "by_people", [False, pytest.param(True, marks=pytest.mark.prove)], ids=["own hands", "people"]
)
@pytest.mark.parametrize(
    ("board", "dice", "seats"),
    [("", "umpire", PAIR), (SLOTS, "umpire", PAIR), ("", "real", FOUR)],
    ids=["one reed", "slots", "real dice, four seats"],
)
@pytest.mark.slow
def test_the_first_rounds_of_a_hunt(
    board: str, dice: str, seats: Mapping[str, str], by_people: bool, tmp_path: Path
) -> None:
    """Pieces are stood one by one, as the lamps of their names say, and carried where blue asks for them."""
    config = configured(tmp_path, HUNT, seats, board, dice, players=len(seats))
    end = run(played(config, by_people=by_people, until=lambda state: rounds(state) >= 3))
    assert rounds(end.state) >= 3 or end.state.outcome is not None
    assert not end.faults
    if end.person is not None:
        assert end.person.stood == 3


@pytest.mark.prove
@pytest.mark.parametrize("by_people", [False, True], ids=["own hands", "people"])
def test_a_whole_hunt(by_people: bool, tmp_path: Path) -> None:
    """Also where two pieces meet, which one reed can't feel."""
    end = run(played(configured(tmp_path, HUNT, PAIR), by_people=by_people))
    assert end.state.outcome is not None
    assert not end.faults


@pytest.mark.prove
def test_a_castle_goes_on_to_the_next_round(tmp_path: Path) -> None:
    """Any player of the game can sit there, whichever there are."""
    state = boardrules.new(CASTLE)
    config = configured(tmp_path, CASTLE, dict.fromkeys(state.seats, machines.levels(CASTLE)[-1]))
    first = rounds(state)
    end = run(played(config, by_people=False, until=lambda now: rounds(now) < first))
    assert not end.faults
    assert end.held == 0


@pytest.mark.prove
def test_a_whole_castle_by_people_who_obey_lamps(tmp_path: Path, record_property: Any) -> None:
    """The machine has all seats, and people carry pawns where lamps ask for it, to the end of the game:
    arrests, prisoners who come free, and all. Whose pawn goes where lamps say, too."""
    state = boardrules.new(CASTLE)
    config = configured(tmp_path, CASTLE, dict.fromkeys(state.seats, machines.levels(CASTLE)[0]))
    end = run(played(config, by_people=True, within_s=3600))
    assert end.state.outcome is not None
    assert end.person is not None
    record_property("faults told and mended", len(end.faults))
    record_property("pieces carried", end.person.carried)
    record_property("chores done", end.person.mended)


class TestAnswers:
    """What a seat of the machine says to what the board asks: hands have done what they were asked to do."""

    ERRAND = Errand(boardrules.new(DUEL), ("a3",), ("a4",))

    @pytest.mark.parametrize(
        ("code", "spaces", "said"),
        [
            ("attack-pending", ("a3", "a4"), "yes attack-pending a3 a4"),
            ("attack-pending", ("b3", "b4"), "no attack-pending b3 b4"),
            ("attack-which", ("a3", "a4", "b3"), "a3-a4"),
            ("attack-which", ("b3", "b4", "c3"), "no attack-which b3 b4 c3"),
            ("moved-here", ("a3", "a4"), "yes moved-here a3 a4"),
            ("that-piece", ("a3", "a4", "b3"), "yes that-piece a3 a4 b3"),
            ("that-piece", ("b3", "a4", "a3"), "no that-piece b3 a4 a3"),
            ("in-hand", ("a3",), "yes in-hand a3"),
            ("same-places", ("a3", "b3"), "yes same-places a3 b3"),
            ("who-stands", ("a3", "b3"), "yes who-stands a3 b3"),
        ],
    )
    def test_while_a_piece_is_to_be_carried(self, code: str, spaces: tuple[str, ...], said: str) -> None:
        assert machines.answer(Question(code, spaces, "red"), "red", self.ERRAND, "a3-a4") == said

    def test_what_nobody_was_asked_to_do_was_not_done(self) -> None:
        asked = Question("attack-pending", ("a3", "a4"), "red")
        assert machines.answer(asked, "red", None, "a3-a4") == "no attack-pending a3 a4"
        assert machines.answer(asked._replace(seat="blue"), "red", self.ERRAND, "a3-a4") is None
        assert machines.answer(Question("adjourn", (), None), "red", None, "") is None


def test_a_seat_or_a_level_that_is_not_there_is_named() -> None:
    with pytest.raises(ConfigError, match="expected one of red, blue"):
        machines.checked(DUEL, {}, {"green": "1"})
    with pytest.raises(ConfigError, match="'9': expected one of 1, 2"):
        machines.checked(DUEL, {}, {"red": "9"})


@pytest.mark.parametrize("game", boardrules.ids())
def test_every_game_has_somebody_to_play_against(game: str) -> None:
    assert machines.levels(game)
    assert not {"random", "greedy"} & set(machines.levels(game))
