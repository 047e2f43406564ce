"""`lab new-game` writes a distribution that plays at once; `lab contract` says what is wrong with a game."""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardlab import contract
from boardlab.new_game import command
from boardlab.new_game.template import GAME, SampleGame, SampleState
from boardrules import registry
from boardrules.core import Action, Event, Refusal, State
from boardrules.open_game import TextAction
from boardumpire.errors import BoardumpireError

COMMAND = Path(sys.executable).with_name("boardumpire")
NAME = "my-first-game"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written") / "game"
    command.write(NAME, folder)
    return folder


@pytest.fixture(scope="module")
def environment(written: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    target = tmp_path_factory.mktemp("installed")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    subprocess.run(
        [*pip, "--disable-pip-version-check", "--target", str(target), str(written)], check=True, timeout=300
    )
    return {**os.environ, "PYTHONPATH": str(target)}


def told(environment: Mapping[str, str], *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, *words], env=environment, capture_output=True, text=True, timeout=300, input=given
    )


@pytest.mark.slow
def test_a_new_game_keeps_the_contract_and_its_board_is_sound(environment: Mapping[str, str]) -> None:
    kept = told(environment, "lab", "contract", NAME, "--games", "5")
    assert kept.returncode == 0, kept.stdout + kept.stderr
    assert kept.stdout.endswith("5 of them to the end: nothing wrong\n")
    board = told(environment, "board", "check", f"{NAME}-8x8")
    assert board.returncode == 0, board.stdout
    assert f"for {NAME}" in board.stdout


@pytest.mark.slow
def test_a_new_game_is_judged_and_its_record_verified(environment: Mapping[str, str], tmp_path: Path) -> None:
    begin = f'{{"do":"new","game":"{NAME}"}}\n{{"do":"act","seat":"white","action":"a1-a2"}}\n'
    answers = told(environment, "referee", given=begin).stdout.splitlines()
    assert [json.loads(answer)["ok"] for answer in answers] == [True, True]


@pytest.mark.slow
def test_clumsy_people_play_a_new_game(environment: Mapping[str, str]) -> None:
    played = told(environment, "lab", "soak", "--game", NAME, "--games", "2", "--jobs", "1")
    assert played.returncode == 0, played.stderr


@pytest.mark.slow
def test_its_own_test_passes(environment: Mapping[str, str], written: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(written / "tests")],
        env=environment, capture_output=True, text=True, timeout=300, cwd=written,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("My game", "'My game': not an id"),
        ("a" * 41, "at most 40"),
        ("stratego-duel", "there is a game of this id already"),
    ],
)
def test_a_name_that_can_not_be_is_refused(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(BoardumpireError, match=said):
        command.write(name, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_nothing_is_written_over(tmp_path: Path) -> None:
    with pytest.raises(BoardumpireError, match="try a folder that isn't there yet"):
        command.write(NAME, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.few(1)
@pytest.mark.parametrize("game", boardrules.ids())
def test_the_shipped_games_keep_the_contract(game: str) -> None:
    report = contract.check(game, games=1, longest=40)
    assert report.states > 20
    assert report.findings == ()


# One fault each


class Mutable(SampleState):
    def apply(self, action: Action) -> tuple[State, tuple[Event, ...]]:
        after = super().apply(action)
        self.pawns = (frozenset(), self.pawns[1])
        return after


class Unpicklable(SampleState):
    def __reduce__(self) -> Any:
        return SampleState, (self.pawns, 1 - self.side)


class NoJson(SampleState):
    def facts(self) -> dict[str, Any]:
        return {"board": {1, 2}}


class NotANumber(SampleState):
    def facts(self) -> dict[str, Any]:
        return {**super().facts(), "board": {"a1": float("nan")}}


class OffSchema(SampleState):
    def facts(self) -> dict[str, Any]:
        return {**super().facts(), "more": 1}


class Abrupt(SampleState):
    def parse(self, text: str, seat: Any) -> Action:
        if "-" not in text[1:] and text != "resign":
            raise ValueError("no")
        return super().parse(text, seat)


class Forgetful(SampleState):
    def refusal(self, action: Action) -> Refusal | None:
        refused = super().refusal(action)
        return refused and Refusal("sample-game/no-such-sentence", refused.rule)


class Shuffled(SampleState):
    def legal_actions(self, seat: Any) -> Any:
        return tuple(set(super().legal_actions(seat)) | {TextAction(seat, "a1-a8")})


class Handless(SampleState):
    def layout(self) -> Any:
        return {at: pieces for at, pieces in super().layout().items() if at != "a1"}


class Raising(SampleState):
    def table_actions(self, seat: Any) -> Any:
        raise ZeroDivisionError("of mine")


class Silent(SampleState):
    def apply(self, action: Action) -> tuple[State, tuple[Event, ...]]:
        state, events = super().apply(action)
        return state, (*events, Event("whisper", ()))


FAULTS: list[tuple[type[SampleState], str]] = [
    (Mutable, "refusals: apply(a1-a2) changes the state itself"),
    (Unpicklable, "value: a pickled copy is another state"),
    (NoJson, "views: the view of white is not JSON"),
    (NotANumber, "views: the view of white is not JSON: Out of range float values"),
    (OffSchema, "views: the view of white is not what schema() says"),
    (Abrupt, "texts: it raises ValueError: no at test_new_game.py:"),
    (Forgetful, "refusals: there is no sentence 'sample-game/no-such-sentence'"),
    (Shuffled, "refusals: a1-a8 of black is listed, but sample-game/not-your-turn"),
    (Handless, "hands: steps(): nothing stands on a1"),
    (Raising, "actions: it raises ZeroDivisionError: of mine at test_new_game.py:"),
    (Silent, "events: there is no sentence 'event whisper'"),
]


@pytest.fixture
def registered() -> Iterator[Callable[[type[SampleState]], None]]:
    def register(state: type[SampleState]) -> None:
        class Game(SampleGame):
            def new(self, options: Mapping[str, Any]) -> State:
                begun = super().new(options)
                assert isinstance(begun, SampleState)
                return state(begun.pawns)

        registry.register(Game())

    yield register
    registry._registered_games.pop(SampleGame.id, None)
    registry.package.cache_clear()


@pytest.mark.parametrize(("state", "told"), FAULTS, ids=lambda each: getattr(each, "__name__", ""))
def test_a_fault_is_told_in_a_sentence(
    registered: Callable[[type[SampleState]], None], state: type[SampleState], told: str
) -> None:
    registered(state)
    said = [str(finding) for finding in contract.check(GAME.id, games=1, longest=10).findings]
    assert any(each.startswith(told) for each in said), said


def test_a_sound_game_without_a_board_is_told_that_alone(
    registered: Callable[[type[SampleState]], None],
) -> None:
    registered(SampleState)
    (only,) = contract.check(GAME.id, games=3).findings
    assert str(only).startswith("board: no installed board names it in its games")


@pytest.mark.parametrize("numbers", [{"games": 0}, {"games": -1}, {"longest": 0}])
def test_no_game_proves_nothing(numbers: dict[str, int]) -> None:
    asked = {"game": "stratego-duel", "games": 3, "seed": 0, "longest": 200, **numbers}
    with pytest.raises(BoardumpireError, match="too few; try 1 or more"):
        contract.run(argparse.Namespace(**asked))


class LeakyState:
    """A state of a game whose views show everything."""

    def __init__(self, state: State) -> None:
        self._state = state

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

    def apply(self, action: Action) -> tuple[Any, tuple[Event, ...]]:
        state, events = self._state.apply(action)
        return LeakyState(state), events

    def view(self, seat: Any) -> Any:
        shown = {**self._state.view(seat).json(), "truth": self._state.truth()}
        return argparse.Namespace(json=lambda: shown)


@pytest.mark.parametrize("game", ["stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz"])
def test_a_view_that_shows_a_secret_is_found(game: str) -> None:
    def faults(make: Callable[[State], Any]) -> list[str]:
        state = boardrules.package(game).new({})
        return [
            fault
            for seed in range(3)
            for fault in contract.Twins(make(state), random.Random(seed)).play(40)
        ]  # fmt: skip

    assert any("the view of the spectator tells what" in fault for fault in faults(LeakyState))
    assert faults(lambda state: state) == []
