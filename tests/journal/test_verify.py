"""`boardumpire verify`: a finished game is checked against the rules and against what was committed to."""

from __future__ import annotations

import contextlib
import json
import random
from pathlib import Path

import pytest

import boardrules
from boardrules.core import CLOCK, Action, State
from boardrules.game import Game
from boardrules.history import GameHistory
from boardrules.record import RecordError
from boardumpire import cli
from boardumpire.commands.referee.referee import Referee
from boardumpire.history.verify import verify
from boardumpire.journal import records
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import BoardKey


def played(path: Path, game: str, seed: int, end: bool = True) -> str:
    """The record of a random game that a journal has kept; short of its end it is resigned."""
    rng = random.Random(seed)
    fold = GameHistory(boardrules.new(game))
    store = Store.open(path, BoardKey(bytes(range(32))))
    number = store.begin_game(game, dict(fold.state.options), "b", 0)
    for _ in range(60):
        if fold.state.outcome is None:
            keep(store, number, fold, choose(fold.state, rng))
    if fold.state.outcome is None and end:
        seat = fold.state.seats[0]
        keep(store, number, fold, fold.state.parse("resign", seat))
    if fold.state.outcome is not None:
        store.finish_game(number, fold.state.outcome, 0)
    text = records.export(store, number)
    store.close()
    return text


def choose(state: State, rng: random.Random) -> Action:
    return rng.choice(list(state.legal_actions(state.seats_to_act()[0])))


def keep(store: Store, number: int, fold: GameHistory, action: Action) -> None:
    events = [event.json() for event in fold.push(action)]
    store.append_entry(
        number,
        kind="action",
        seat=action.seat,
        text=str(action),
        secret=action.secret,
        events=events,
        at_ms=0,
    )


@pytest.mark.parametrize("game", ["stratego-quick-duel", "fall-of-the-fuhrer"])
def test_a_game_that_was_kept_verifies(tmp_path: Path, game: str) -> None:
    text = played(tmp_path / "j", game, 1)
    lines, right = verify(text)
    assert right
    assert f"{game}: " in lines[0]
    hidden = sum(line.startswith("commitment ") for line in text.split("\n"))
    assert hidden >= 2
    assert len(lines) == 2 + hidden
    assert all(line.endswith("holds") for line in lines[1:-1])
    assert "they prove nothing against whoever wrote it" in lines[-1]


@pytest.mark.parametrize("game", boardrules.ids())
@pytest.mark.parametrize("seed", range(2))
def test_a_record_that_verifies_is_played_again_by_the_library_and_a_referee(
    tmp_path: Path, game: str, seed: int
) -> None:
    """Offers and take-backs are in it, and the clock's actions."""
    rng, played = random.Random(f"{game} {seed}"), Game(game)
    for number in range(300):
        said = [
            action
            for seat in (*played.seats, *([CLOCK] if number > 200 else []))
            for action in played.table_actions(seat)
            if number > 200 or not str(action).startswith(("resign", "agree-draw"))
        ]
        if played.over:
            break
        played.push(rng.choice(said if said and rng.random() < 0.1 else list(played.legal())))
    if not played.over:
        played.push("resign", played.seats[0])
    text = played.record()
    verify(text)
    assert Game.read(text).state == played.state
    assert Game.read(text).record() == text
    assert Referee().answer_line(json.dumps({"do": "load", "record": text}))["ok"]


def test_digests_that_were_noted_tell_a_forged_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.record"
    file.write_text(played(tmp_path / "j", "fall-of-the-fuhrer", 3))
    digests = [line.split()[4] for line in file.read_text().split("\n") if line.startswith("commitment ")]
    noted = tmp_path / "noted"
    noted.write_text(f"start: {digests[0][:20].upper()}, facade\nthen {digests[1]}.\n")
    assert cli.main(["verify", str(file), "--noted", f"@{noted}"]) == 0
    out = capsys.readouterr().out
    assert out.count("holds, and was noted\n") == 2
    assert out.endswith(f"2 of {len(digests)} digests were noted during the game\n")
    # Another game of the same players, played and sealed afterwards: each of its digests holds, too.
    file.write_text(played(tmp_path / "k", "fall-of-the-fuhrer", 4))
    assert cli.main(["verify", str(file)]) == 0
    assert "prove nothing against whoever wrote it" in capsys.readouterr().out
    assert cli.main(["verify", str(file), "--noted", digests[1][:16]]) == 1
    assert f"NOTED, BUT NOT IN THIS RECORD: {digests[1][:16]}\n" in capsys.readouterr().out


def test_what_is_noted_wrongly_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.record"
    file.write_text(played(tmp_path / "j", "stratego-quick-duel", 3))
    empty = tmp_path / "noted"
    empty.write_text("decade facade\n")
    for word, told in (
        ("1234567", "--noted '1234567': not a digest; try 16 to 64 hexadecimal digits, or @FILE"),
        ("x" * 17, "not a digest; try 16 to 64 hexadecimal digits, or @FILE"),
        (f"@{empty}", f"{empty}: no digest in it; write 16 to 64 hexadecimal digits a line"),
        (f"@{tmp_path}/none", f"{tmp_path}/none: No such file or directory; try a file with digests"),
    ):
        assert cli.main(["verify", str(file), "--noted", word]) == 2
        assert capsys.readouterr().err.endswith(f"{told}\n")


def test_several_games_are_verified_together(tmp_path: Path) -> None:
    one = played(tmp_path / "j", "stratego-quick-duel", 3)
    other = played(tmp_path / "k", "stratego-quick-duel", 4)
    lines, right = verify(one + other)
    assert right
    assert sum(line.startswith("stratego-quick-duel: ") for line in lines) == 2
    salt = other.split(" salt ")[1].split()[0]
    assert verify(one + other.replace(salt, "00" * 32))[1] is False


def test_a_hidden_text_that_was_changed_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = played(tmp_path / "j", "fall-of-the-fuhrer", 3)
    start = next(line for line in text.split("\n") if line.startswith("hitler hide "))
    other = start.replace("hide ", "hide berlin #").partition(" #")[0]
    with contextlib.suppress(RecordError):  # the rules may find it out by themselves
        assert not verify(text.replace(start, other))[1]
    file = tmp_path / "game.record"
    digest = next(line for line in text.split("\n") if line.startswith("commitment "))
    salt = digest.split(" salt ")[1]
    file.write_text(text.replace(salt, "00" * 32))
    assert cli.main(["verify", str(file)]) == 1
    assert "does NOT hold" in capsys.readouterr().out
    file.write_text(text)
    assert cli.main(["verify", str(file)]) == 0
    assert "all by the rules" in capsys.readouterr().out


def test_what_can_not_be_verified_is_told_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = played(tmp_path / "j", "fall-of-the-fuhrer", 3)
    proofs = [line for line in text.split("\n") if line.startswith("commitment ")]
    with pytest.raises(RecordError, match=r"commitments for \d+ hidden actions; try one for each"):
        verify(text.replace(proofs[-1] + "\n", ""))
    bare = "".join(f"{line}\n" for line in text.split("\n") if line and not line.startswith("commitment "))
    lines, right = verify(bare)
    assert right is None
    told = f"no commitments for {len(proofs)} hidden actions; try one for each"
    assert lines[-1] == f"NOT PROVED: {told}. Only the rules were checked"
    (tmp_path / "bare.record").write_text(bare)
    assert cli.main(["verify", str(tmp_path / "bare.record")]) == 3
    assert "NOT PROVED" in capsys.readouterr().out
    unfinished = "".join(f"{line}\n" for line in bare.split("\n") if line and not line.startswith("result"))
    last = unfinished.count("\n")
    with pytest.raises(
        RecordError, match=f"^LINE {last}: no line 'result SEAT REASON'; try the record of a finished"
    ):
        verify(unfinished)
    file = tmp_path / "game.record"
    file.write_text(bare.replace("hitler hide", "hitler hied"))
    assert cli.main(["verify", str(file)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"boardumpire: {file}: LINE ")
    assert "that is no action of hitler" in told
    assert cli.main(["verify", str(tmp_path / "none")]) == 2
    assert (
        "No such file or directory; try a file that `boardumpire record export` made"
        in capsys.readouterr().err
    )


def test_a_game_that_goes_on_can_not_be_verified(tmp_path: Path) -> None:
    text = played(tmp_path / "j", "stratego-quick-duel", 1, end=False)
    with pytest.raises(RecordError, match="a commitment that is sealed still; try the record of a finished"):
        verify(text)
