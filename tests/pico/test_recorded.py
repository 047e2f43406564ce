"""Real games, played again by simulated hands over the firmware of a Pico under the 10x10 board."""

import pytest

from boardrules.record import parse
from boardsim.bench.bench import BenchSettings
from boardsim.people.play_record import difference, play_record
from boardumpire.commands.table_factory import TableFactory
from sim.test_recorded_games import HUMAN, finished, lines


def played_again(record, seed):
    """How many actions hands played; the record that came out equals the one that went in."""
    setting = BenchSettings(board="classic-10x10", driver="pico-sim", seed=seed)
    assert difference(record, parse(play_record(record, setting, TableFactory()))) is None
    return len(record.actions)


def test_a_human_game_over_a_pico_comes_out_as_it_went_in(games_dir):
    played_again(finished(lines(games_dir, "human_gravon_duel")[0], {}), 0)


@pytest.mark.nightly
@pytest.mark.parametrize("name", HUMAN)
def test_every_human_game_over_a_pico_comes_out_as_it_went_in(games_dir, name, record_property):
    """Every recorded human game, played by simulated hands over the real firmware, comes out equal."""
    games = lines(games_dir, name)
    actions = [played_again(finished(game, {}), seed) for seed, game in enumerate(games)]
    record_property("games", len(games))
    record_property("actions", sum(actions))
