"""Games that simulated hands play through pins come out as they went in."""

import pytest

from boardrules.record import RecordError, parse, write
from boardsim.bench.bench import LAMP_DRIVERS, PIN_LIBRARIES, BenchSettings
from boardsim.people.play_record import PlaybackStuck, RecordPlayer, difference, play_record, read_record
from boardumpire.commands.table_factory import TableFactory
from sim.games import random_record, standing, true_pieces

ON_PICOS = 4
"""As many of the twenty go over MicroPython in `make test-all`; tests/pico plays more."""
GAMES = [
    pytest.param(
        seed, driver, marks=[pytest.mark.nightly] if driver == "pico-sim" and seed >= ON_PICOS else []
    )
    for seed in range(20)
    for driver in PIN_LIBRARIES
]


@pytest.mark.few(2)
@pytest.mark.parametrize(("seed", "driver"), GAMES)
def test_a_random_game_comes_out_as_it_went_in(seed, driver):
    record = random_record(seed)
    lamp_driver = sorted(LAMP_DRIVERS)[seed % 2]
    came = play_record(
        record, BenchSettings(seed=seed, driver=driver, lamp_driver=lamp_driver), TableFactory()
    )
    assert difference(record, parse(came)) is None


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(3))
def test_every_piece_stands_where_the_game_has_it_after_every_action(seed):
    record = random_record(seed + 100)
    player = RecordPlayer(BenchSettings(seed=seed), TableFactory())
    player.bench.start()
    for seat, text in record.actions:
        player.act(seat, text)
        if not text.startswith("setup") and player.state.outcome is None:
            assert standing(player.bench.world) == true_pieces(player.state)
    player.bench.close()


@pytest.mark.slow
def test_a_silent_game_comes_out_as_it_went_in():
    record = random_record(7, announce="silent")
    assert difference(record, parse(play_record(record, BenchSettings(), TableFactory()))) is None


def test_a_record_is_tried_before_anything_is_played():
    record = random_record(1)
    text = write(record)
    assert read_record(text) == record
    with pytest.raises(RecordError, match="isn't over"):
        read_record("\n".join(text.splitlines()[:-2]))
    with pytest.raises(RecordError, match="hands can't do that; try red or blue"):
        read_record(text.replace("result", "clock flag\nresult"))
    with pytest.raises(RecordError, match="action 3 of red is not allowed"):
        read_record(_with_bad_move(text))


def _with_bad_move(text):
    lines = text.splitlines()
    at = max(number for number, line in enumerate(lines) if " setup " in line)
    return "\n".join([*lines[: at + 1], "red a1-h8", *lines[at + 1 :]])


def test_records_that_tell_different_games_are_told_apart():
    one, other = random_record(1), random_record(2)
    assert difference(one, one) is None
    assert difference(one, one._replace(seed=3, board="any", options={})) is None
    assert difference(one, other).startswith("action ")
    assert "announce" in difference(one, one._replace(options={"announce": "silent"}))
    shorter = one._replace(actions=one.actions[:-1])
    assert difference(one, shorter).endswith("became nothing")


def test_hands_give_up_when_the_umpire_waits_for_something_else():
    player = RecordPlayer(BenchSettings(), TableFactory())
    with pytest.raises(PlaybackStuck, match="action 1, red setup a1=F"):
        player.play([("red", "setup a1=F")])
    player.bench.close()
