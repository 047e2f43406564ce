"""What the strongest player would have done in a game that is over, by what its seat knew alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

import boardrules
from boardrules.core import State
from boardrules.history import GameHistory
from boardumpire.commands import analysis
from boardumpire.commands.analysis import MoveAnalyser, situation_before_step
from boardumpire.commands.referee import observation
from boardumpire.errors import BoardumpireError, JournalError
from boardumpire.history import replays
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import load_or_make_key
from house.test_commands import played
from loops import run

GAMES = ("stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz")


@pytest.fixture
def store(tmp_path: Path, game: str) -> Iterator[Store]:
    """A journal with one short game that is over."""
    played(tmp_path, game, journal=tmp_path / "journal.sqlite", longest=30)
    found = Store.open(tmp_path / "journal.sqlite", load_or_make_key(tmp_path / "key" / "board.key"))
    yield found
    found.close()


def before(store: Store, step: int) -> State:
    """The state before a step."""
    header = store.header(1)
    fold = GameHistory(boardrules.new(header.game, header.options))
    for entry in [entry for entry in store.public_entries(1) if entry.kind == "action"][: step - 1]:
        fold.push_text(entry.seat, entry.text)
    return fold.state


def choices(store: Store) -> list[int]:
    """The steps at which somebody chose."""
    return [
        place for place, step in enumerate(replays.replay_steps(store, 1, 0, 1000)["steps"]) if step["choice"]
    ]


@pytest.mark.few(1)
@pytest.mark.parametrize("game", GAMES)
def test_the_player_is_shown_what_the_seat_saw_and_nothing_else(store: Store) -> None:
    step = choices(store)[-1]
    found, state = situation_before_step(store, 1, step), before(store, step)
    assert found.seat in state.seats_to_act()
    assert state.parse(found.played_action, found.seat) in state.legal_actions(found.seat)
    assert observation.decode(found.observations[-1]) == observation.observe(state, found.seat)
    assert all(observation.decode(each).view.seat == found.seat for each in found.observations)
    assert found.table_action_texts == {str(action) for action in state.table_actions(found.seat)}


@pytest.mark.parametrize("game", GAMES[:1])
def test_where_nobody_chose_or_the_game_goes_on_nothing_is_said(store: Store) -> None:
    last = replays.replay_steps(store, 1, 0, 1)["count"] - 1
    for step in (0, 1, last + 1):  # nothing, a set-up, nothing
        with pytest.raises(JournalError):
            situation_before_step(store, 1, step)
    number = store.begin_game("stratego-quick-duel", {}, "quick-battle-8x8", 0)
    with pytest.raises(JournalError, match="not over"):
        situation_before_step(store, number, 1)


@pytest.mark.few(1)
@pytest.mark.parametrize("game", GAMES[:2])
def test_it_chooses_a_few_times_among_what_was_allowed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "playable_levels", lambda game: ("1",))  # a child answers at once
    step = choices(store)[len(choices(store)) // 2]

    async def asked() -> tuple[object, object]:
        adviser = MoveAnalyser(lambda: store)
        return await asyncio.gather(adviser.analyse_step(1, step), adviser.analyse_step(1, step))

    one, two = run(asked())
    assert one is two, "it was worked out once"
    assert isinstance(one, dict)
    state = before(store, step)
    assert one["tries"] == sum(choice["times"] for choice in one["choices"]) == analysis.TRIES_PER_MOVE
    assert {choice["action"] for choice in one["choices"]} <= set(map(str, state.legal_actions(one["seat"])))


@pytest.mark.parametrize("game", GAMES[:1])
def test_who_asks_while_many_wait_is_asked_to_come_again(store: Store) -> None:
    async def asked() -> list[object]:
        adviser = MoveAnalyser(lambda: store)
        adviser._asking = analysis.QUEUED_REQUESTS_MAX + 1
        return await asyncio.gather(adviser.analyse_step(1, choices(store)[0]), return_exceptions=True)

    (told,) = run(asked())
    assert isinstance(told, BoardumpireError)
    assert "something else" in str(told)
