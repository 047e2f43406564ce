"""Real games, played again by simulated hands on the 10x10 board through gpiozero, with bounce."""

import json

import pytest

from boardrules import record as records
from boardrules.core import Outcome
from boardrules.record import parse
from boardrules.stratego import neutral_notation
from boardsim.bench.bench import BenchSettings
from boardsim.people.play_record import difference, play_record
from boardumpire.commands.table_factory import TableFactory

HUMAN = ("human_gravon_classic", "human_gravon_barrage", "human_gravon_duel")
CONTEST = {"shuttle": "off", "chase": "off"}
"""The contest knew no rule against repetition."""


def lines(folder, name):
    with (folder / f"{name}.jsonl").open() as found:
        return [json.loads(line) for line in found]


def finished(game, options):
    """The game as a record that is over: one that its players broke off ends by resignation."""
    record = neutral_notation.record_from_neutral(game, options)
    state = records.final_state(record)
    if state.outcome is not None:
        return record._replace(result=state.outcome)
    loser = {"red": "blue"}.get(game["result"]["winner"], "red")
    winner = "blue" if loser == "red" else "red"
    return record._replace(
        actions=(*record.actions, (loser, "resign")), result=Outcome(winner, "resignation")
    )


def played_again(record, seed):
    """How many actions hands played; the record that came out equals the one that went in."""
    setting = BenchSettings(board="classic-10x10", seed=seed)
    assert difference(record, parse(play_record(record, setting, TableFactory()))) is None
    return len(record.actions)


@pytest.mark.parametrize(("name", "index"), [("human_gravon_barrage", 2), ("human_gravon_duel", 0)])
def test_a_human_game_played_by_hands_comes_out_as_it_went_in(games_dir, name, index):
    played_again(finished(lines(games_dir, name)[index], {}), index)


def test_the_opening_of_a_contest_game_played_by_hands_comes_out_as_it_went_in(games_dir):
    game = lines(games_dir, "bots_ucc2012_classic")[0]
    game["moves"] = game["moves"][:40]
    played_again(finished(game, CONTEST), 1)


@pytest.mark.nightly
@pytest.mark.parametrize("name", HUMAN)
def test_every_human_game_played_by_hands_comes_out_as_it_went_in(games_dir, name, record_property):
    """Every recorded human game, played by simulated hands through gpiozero with bounce, comes out equal."""
    games = lines(games_dir, name)
    actions = [played_again(finished(game, {}), seed) for seed, game in enumerate(games)]
    record_property("games", len(games))
    record_property("actions", sum(actions))


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(8))
def test_forty_contest_games_played_by_hands_come_out_as_they_went_in(games_dir, part, record_property):
    """Five of forty contest games a part, played by simulated hands with bounce, come out equal."""
    games = lines(games_dir, "bots_ucc2012_classic")[part * 5 : part * 5 + 5]
    actions = [played_again(finished(game, CONTEST), seed) for seed, game in enumerate(games)]
    record_property("games", len(games))
    record_property("actions", sum(actions))
