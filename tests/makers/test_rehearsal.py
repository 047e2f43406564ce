"""`boardumpire doctor --rehearse`: a mistake in a simulated board, found as on a real one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boardlab.rehearsal.rehearse import NAMES, led, rehearse
from boardsim.world.mistakes import OF_PARTS, built
from boardumpire.cli import main
from boardumpire.commands.makers import try_slower
from boardumpire.makers import settling
from boardumpire.makers.diagnosis import derive_findings
from boardumpire.makers.doctor import Doctor
from boardumpire.makers.observations import Observations
from boardumpire.service import config
from boardware.description import load_board


@pytest.mark.slow
def test_a_rehearsal_shows_what_is_asked_and_what_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    """Of the stages that are named; at the end what was built in, which the finding has to name."""
    assert main(["doctor", "--rehearse", "chain-cut", "lamps", "--json"]) == 1
    told = capsys.readouterr()
    (found,) = json.loads(told.out)["findings"]
    assert found["code"] == "chain-cut"
    asked, _, built = told.err.partition("Built in: ")
    assert built == f"chain-cut {found['parts'][0]}\n"
    assert "Is any lamp of the board dark?\n      yes\n" in asked
    assert "Put a piece" not in asked


def test_a_mistake_that_nobody_makes_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--rehearse", "gremlins"]) == 2
    said = capsys.readouterr().err
    assert "--rehearse 'gremlins': no such mistake; try one of " in said
    assert all(name in said for name in NAMES)
    assert set(OF_PARTS) < set(NAMES)


@pytest.mark.slow
def test_a_longer_settle_us_is_tried_where_rows_need_it() -> None:
    said: list[str] = []
    came = rehearse("settle-short", ["matrix", "squares"], said.append)
    assert came.seen.slower_helps == {"reeds": True}
    (found,) = derive_findings(came.board, came.seen)
    assert (found.code, found.others) == ("settle-short", ())
    assert found.seen.endswith("with settle_us = 160 none")
    after = said[said.index("Once more on some squares, with a longer settle_us.") :]
    assert sum("Put " in line for line in after) == 3
    # Where it does not help, each row touches the next one.
    slower = settling.slower_board(came.board, came.seen)
    assert slower is not None
    settling.note_second_walk(slower, came.seen, came.seen)
    (other,) = derive_findings(came.board, came.seen)
    assert (other.code, other.parts) == ("rows-bridged", ("rows reeds",))


def test_what_keeps_a_pico_from_that_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And what was seen before stays as it was."""
    file = tmp_path / "boardumpire.toml"
    file.write_text(
        'format = "boardumpire-config"\nversion = 1\n[board]\nname = "quick-battle-8x8-pico"\n'
        f'[drivers]\nsensors = "pico"\n[sensors]\nport = "{tmp_path}/no-such-port"\n'
    )
    wanted = config.load(file, {"STATE_DIRECTORY": str(tmp_path), "RUNTIME_DIRECTORY": str(tmp_path)})
    seen = Observations()
    try_slower(load_board("quick-battle-8x8-pico"), wanted, seen)
    assert "not tried: pico" in capsys.readouterr().err
    assert seen == Observations()


def test_only_a_board_with_picos_is_told_that_they_are_flashed() -> None:
    asked = [next(settling.ask_consent(load_board(f"quick-battle-8x8{kind}"))).text for kind in ("", "-pico")]
    assert ["flashes the Picos" in text for text in asked] == [False, True]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "code", "line"),
    [
        ("connector-loose", "connector-loose", True),
        ("wires-crossed", "rows-crossed columns-crossed", True),
        ("reeds-closed", "reeds-closed", False),
        ("columns-latch", "columns-latch", False),
    ],
)
def test_a_minute_of_play_alone_finds_what_lets_go(kind: str, code: str, line: bool) -> None:
    board = load_board("quick-battle-8x8-pico")
    made = built(board, [kind], 0.5)
    person = led(made, board, Doctor(board, stages=["play"]).run_steps(), 3)
    (found,) = derive_findings(board, person.guide.result, person.guide.troubles)
    assert found.code in code.split()
    if line:
        assert set(found.parts) & set(made.mistakes[0].where)


def test_a_minute_of_play_on_a_sound_board_finds_nothing() -> None:
    board = load_board("quick-battle-8x8")
    person = led(built(board, [], 0), board, Doctor(board, stages=["play"]).run_steps(), 1)
    assert derive_findings(board, person.guide.result, person.guide.troubles) == []
    moves = [ask.text for ask in person.asks if "as in a game" in ask.text]
    assert len(moves) == len(set(moves)) == 12
