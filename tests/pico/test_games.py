"""Games over the real firmware come out as over the Pi's own header."""

import pytest

from pico.games import cable, played, same, setting
from sim.games import random_record, standing, true_pieces


@pytest.mark.parametrize("seed", range(3))
def test_a_random_game_comes_out_as_it_went_in(seed):
    record = random_record(seed)
    player = played(record, setting(seed=seed))
    try:
        assert same(record, player) is None
        assert cable(player.bench).link.noise == 0
    finally:
        player.bench.close()


def test_a_board_of_two_picos_and_three_chains_plays_a_game():
    record = random_record(2)
    player = played(record, setting(board="quick-battle-8x8-two-picos", seed=2))
    try:
        assert same(record, player) is None
        frames = {chain: player.bench.world.copper.frames(chain) for chain in player.bench.board.chains}
        assert len(frames) == 3
        assert all(count > 5 for count in frames.values())
        assert standing(player.bench.world) == true_pieces(player.state)
    finally:
        player.bench.close()
