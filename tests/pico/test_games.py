"""Games over the real firmware come out as over the Pi's own header."""

import pytest

from pico.games import cable, played, same, setting
from sim.games import random_record, standing, true_pieces


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_random_game_comes_out_as_it_went_in(seed):
    record = random_record(seed)
    player = played(record, setting(seed=seed))
    try:
        assert same(record, player) is None
        assert cable(player.bench).link.noise_count == 0
    finally:
        player.bench.close()


def two_picos(seed):
    """Play a game over two Picos and three chains: it comes out equal; actions, and frames of each chain."""
    record = random_record(seed)
    player = played(record, setting(board="quick-battle-8x8-two-picos", seed=seed))
    try:
        assert same(record, player) is None
        frames = {chain: player.bench.world.copper.frame_count(chain) for chain in player.bench.board.chains}
        assert len(frames) == 3
        if record.actions[-1][1] == "resign":
            assert standing(player.bench.world) == true_pieces(player.state)
        return len(record.actions), frames
    finally:
        player.bench.close()


@pytest.mark.slow
def test_a_board_of_two_picos_and_three_chains_plays_a_game():
    _, frames = two_picos(2)
    assert all(count > 5 for count in frames.values())


@pytest.mark.nightly
def test_games_on_two_picos_and_three_chains(record_property):
    """Random games on a board of two Picos and three chains of lamps come out as they went in."""
    played = [two_picos(seed) for seed in range(20)]
    record_property("seeds", "0 to 19")
    record_property("actions", sum(actions for actions, _ in played))
    for chain in ("south", "north", "turns"):
        frames = sum(frames[chain] for _, frames in played)
        record_property(f"frames of chain {chain}", frames)
        assert frames > 100
