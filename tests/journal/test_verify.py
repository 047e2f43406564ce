"""`boardumpire verify`: a finished game is checked against the rules and against what was committed to."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

import boardrules
from boardrules.core import Action, State
from boardrules.fold import Fold
from boardrules.record import RecordError
from boardumpire import cli
from boardumpire.history.verify import verify
from boardumpire.journal import records
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import BoardKey


def played(path: Path, game: str, seed: int, end: bool = True) -> str:
    """The record of a random game that a journal has kept; short of its end it is resigned."""
    rng = random.Random(seed)
    fold = Fold(boardrules.new(game))
    store = Store.open(path, BoardKey(bytes(range(32))))
    number = store.begin(game, dict(fold.state.options), "b", 0)
    for _ in range(60):
        if fold.state.outcome is None:
            keep(store, number, fold, choose(fold.state, rng))
    if fold.state.outcome is None and end:
        seat = fold.state.seats[0]
        keep(store, number, fold, fold.state.parse("resign", seat))
    if fold.state.outcome is not None:
        store.finish(number, fold.state.outcome, 0)
    text = records.export(store, number)
    store.close()
    return text


def choose(state: State, rng: random.Random) -> Action:
    return rng.choice(list(state.legal_actions(state.seats_to_act()[0])))


def keep(store: Store, number: int, fold: Fold, action: Action) -> None:
    events = [event.json() for event in fold.push(action)]
    store.append(
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
    hidden = sum(line.startswith("# entry") for line in text.split("\n"))
    assert hidden >= 2
    assert len(lines) == 1 + hidden
    assert all(line.endswith("holds") for line in lines[1:])


def test_a_hidden_text_that_was_changed_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = played(tmp_path / "j", "fall-of-the-fuhrer", 3)
    start = next(line for line in text.split("\n") if line.startswith("hitler hide "))
    other = start.replace("hide ", "hide berlin #").partition(" #")[0]
    with contextlib.suppress(RecordError):  # the rules may find it out by themselves
        assert not verify(text.replace(start, other))[1]
    file = tmp_path / "game.record"
    digest = next(line for line in text.split("\n") if line.startswith("# entry"))
    salt = digest.split(" of salt ")[1].split()[0]
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
    proofs = [line for line in text.split("\n") if line.startswith("# entry")]
    with pytest.raises(RecordError, match=r"commitments for \d+ hidden actions; expected one for each"):
        verify(text.replace(proofs[-1] + "\n", ""))
    bare = "".join(f"{line}\n" for line in text.split("\n") if line and not line.startswith("#"))
    lines, right = verify(bare)
    assert right is None
    told = f"no commitments for {len(proofs)} hidden actions; expected one for each"
    assert lines[-1] == f"NOT PROVED: {told}. Only the rules were checked"
    (tmp_path / "bare.record").write_text(bare)
    assert cli.main(["verify", str(tmp_path / "bare.record")]) == 3
    assert "NOT PROVED" in capsys.readouterr().out
    unfinished = "".join(f"{line}\n" for line in bare.split("\n") if line and not line.startswith("result"))
    with pytest.raises(RecordError, match="no result; expected a finished game"):
        verify(unfinished)
    file = tmp_path / "game.record"
    file.write_text(bare.replace("hitler hide", "hitler hied"))
    assert cli.main(["verify", str(file)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"boardumpire: {file}: LINE ")
    assert "that is no action of hitler" in told
    assert cli.main(["verify", str(tmp_path / "none")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_a_game_that_goes_on_can_not_be_verified(tmp_path: Path) -> None:
    text = played(tmp_path / "j", "stratego-quick-duel", 1, end=False)
    with pytest.raises(
        RecordError, match="a commitment that is sealed still; expected the record of a finished"
    ):
        verify(text)
