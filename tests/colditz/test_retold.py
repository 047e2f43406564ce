"""Games of Escape from Colditz that are written down come out as they went in, through pins."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from boardrules.colditz.bots.simple_players import choose_by_odds
from boardrules.colditz.games import Colditz
from boardrules.core import CHANCE, CLOCK, State
from boardrules.record import Record, RecordError, parse, record_of, write
from boardsim.bench.bench import BARE, BenchSettings
from boardsim.people.play_record import difference, play_record, read_record
from boardumpire.cli import main
from boardumpire.commands.table_factory import TableFactory
from colditz.evening import BOARD


def written(seed: int, actions: int, **options: Any) -> Record:
    """A game of simple players, who now and then let the time for an answer run out, and at last resign."""
    dice = random.Random(seed)
    state: State = Colditz().new({"start_kits": True, "players": 2, **options})
    done: list[tuple[str, str]] = []
    while state.outcome is None:
        (seat,) = state.seats_to_act()
        view: Any = state.view(None if seat == CHANCE else seat)
        closing = list(state.legal_actions(CLOCK))
        if closing and state.answer_delays_others() and dice.random() < 0.5:
            action = closing[0]
        elif len(done) >= actions and seat != CHANCE:
            action = state.parse("resign", seat)
        else:
            action = choose_by_odds(view, state.legal_actions(seat), dice)
        done.append((action.seat, str(action)))
        state, _ = state.apply(action)
    return record_of(state, tuple(done))


def test_a_game_comes_out_as_it_went_in() -> None:
    record = written(3, 60)
    heads = {text.partition(" ")[0] for _, text in record.actions}
    assert {"deal", "ready", "dice", "end"} <= heads
    came = play_record(
        read_record(write(record)), BenchSettings(board=BOARD, driver=BARE, seed=1), TableFactory()
    )
    assert difference(record, parse(came)) is None


def test_what_hands_can_not_do_is_told_before_anything_is_played() -> None:
    record = written(3, 5)
    timed = record._replace(actions=(*record.actions[:-1], ("clock", "time american")))
    with pytest.raises(RecordError, match="clock time american: hands can't do that"):
        read_record(write(timed))


@pytest.mark.nightly
@pytest.mark.parametrize("players", [2, 6])
def test_whole_games_come_out_of_the_command_as_they_went_in(
    players: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Games of 2 and 6 simple players over five Picos, dice, deals and the clock's answers as written."""
    record = written(players, 90, players=players)
    path = tmp_path / "game.record"
    path.write_text(write(record), encoding="utf-8")
    assert main(["sim", "play", str(path), "--board", BOARD]) == 0
    assert difference(record, parse(capsys.readouterr().out)) is None
