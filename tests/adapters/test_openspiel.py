"""The games in OpenSpiel, by OpenSpiel's own tests."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspiel", reason="open_spiel isn't installed (boardadapters[openspiel])")
pytest.importorskip("scipy", reason="scipy is not installed, which tests of OpenSpiel need")

import pyspiel
from absl import flags
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.tests import games_sim_test

from boardadapters.openspiel_game import NAME, options_of

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.nightly]
GAMES = [
    f"{NAME}(longest=120)",
    f'{NAME}(game=stratego-classic,longest=100,options=announce:"silent";quiet_limit:20)',
    f"{NAME}(game=fall-of-the-fuhrer)",
    f'{NAME}(game=fall-of-the-fuhrer,options=players:4;flight_tells:"origin";spy_questions:"both_first")',
    f"{NAME}(game=escape-from-colditz,longest=200)",
    f"{NAME}(game=escape-from-colditz,longest=60,options=players:6)",
]


@pytest.mark.parametrize("serialize", [False, True])
@pytest.mark.parametrize("spec", GAMES)
def test_random_simulation(spec: str, serialize: bool) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(spec), num_sims=1, serialize=serialize, verbose=False)


@pytest.mark.parametrize("spec", GAMES)
def test_simulation_with_copies_and_pickles(spec: str) -> None:
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(spec))


def test_a_playthrough_is_the_same_when_it_is_replayed(tmp_path: Path) -> None:
    flags.FLAGS.mark_as_parsed()
    spec = f"{NAME}(game=fall-of-the-fuhrer,longest=40)"
    text = generate_playthrough.playthrough(spec, action_sequence=None, seed=3)
    assert "InformationStateTensor(1)" in text
    path = tmp_path / "playthrough.txt"
    path.write_text(text)
    written, again = generate_playthrough.replay(str(path))
    assert again.splitlines() == written.splitlines()


def test_an_agent_plays_in_its_environment() -> None:
    made = rl_environment.Environment(pyspiel.load_game(GAMES[2]))
    dice, step = random.Random(1), made.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = made.step([dice.choice(step.observations["legal_actions"][player])])
    assert sorted(step.rewards) == [-1.0, 1.0]


def state_after(spec: str, texts: list[str]) -> Any:
    state = pyspiel.load_game(spec).new_initial_state()
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def test_players_read_no_secret_of_others() -> None:
    """Two games that differ in where he hides are one information state to those who look for him."""
    start = ["tank berlin", "spy ulm", "infantry kiel"]
    here, there = (state_after(GAMES[2], [*start, f"hide {city}"]) for city in ("linz", "bonn"))
    assert here.current_player() == 1
    for read in ("information_state_tensor", "observation_tensor", "information_state_string"):
        assert getattr(here, read)(1) == getattr(there, read)(1)
        assert getattr(here, read)(0) != getattr(there, read)(0)


def test_options_are_refused_by_name() -> None:
    assert options_of('announce:"silent"; quiet_limit:50') == {"announce": "silent", "quiet_limit": 50}
    with pytest.raises(ValueError, match="option 'announce' is 'silent'; try a name and JSON"):
        options_of("announce:silent")
    with pytest.raises(ValueError, match="'silent' is no option; try a name and JSON"):
        options_of("silent")
