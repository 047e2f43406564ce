"""Games over the real firmware come out as over the Pi's own header."""

import json

import pytest

from boardsim.bench import Setting
from boardsim.script import Telling, read_script, run_script
from boardumpire.factory import TableFactory
from boardware.description import load_board
from pico.games import cable, played, same, setting
from sim.games import random_record, standing, true_pieces


@pytest.mark.parametrize("seed", range(6))
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


SCRIPTS = {
    "a move, a refusal, a fault": """
        lift a3
        place a4
        wait 1500
        lift a4
        place a5
        wait 3000
        lift a5
        place a4
    """,
    "out of turn": """
        lift b6
        place b5
        wait 3000
        lift b5
        place b6
        wait 1000
    """,
    "knocked and stood up": """
        knock a3
        wait 6000
        lift a3
        place a3
        wait 2000
    """,
    "buttons": """
        press confirm
        press turn
        press cancel
        wait 500
    """,
    "the power fails": """
        lift a3
        kill
        wait 500
        place a4
        wait 100
        start
        wait 2000
    """,
    "a shorted diode": """
        diode d4 shorted
        lift b3
        place b4
        wait 1000
        diode d4 fine
        wait 500
    """,
}


def set_ups():
    record = random_record(3)
    return "\n".join(f"setup {seat} {text.removeprefix('setup ')}" for seat, text in record.actions[:2])


def told(script, driver, seed=0):
    """What the umpire says, its times aside."""
    board = "quick-battle-8x8"
    commands = read_script(script, "script", load_board(board), ("red", "blue"))
    lines = []
    fine = run_script(
        commands,
        Setting(driver=driver, seed=seed),
        TableFactory(),
        lines.append,
        Telling(secret=("red", "blue")),
    )
    said = [{key: value for key, value in json.loads(line).items() if key != "t"} for line in lines]
    return fine, said


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_hand_script_gives_the_same_rulings(name):
    script = set_ups() + "\nwait 1000\n" + SCRIPTS[name]
    fine, lines = told(script, "pico-sim")
    assert fine
    assert lines
    assert (fine, lines) == told(script, "gpio-sim")
