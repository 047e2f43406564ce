"""A castle and decks of one's own beside the configuration: found, compared with the board, kept."""

from __future__ import annotations

import argparse
import contextlib
import random
import re
from pathlib import Path
from typing import cast

import pytest

import boardrules
from boardrules.colditz.castle.board_file import GAME, board_file_text
from boardrules.colditz.castle.board_reader import board_by_key as castle_of
from boardrules.colditz.castle.datafile import SHIPPED_FOLDER
from boardrules.colditz.printed_board import space_names
from boardrules.core import State
from boardumpire.commands import check_config, page
from boardumpire.errors import BoardumpireError, ConfigError, JournalError
from boardumpire.history.verify import verify
from boardumpire.journal import records
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import BoardKey
from boardumpire.messages import announce
from boardumpire.service import config, next_game
from boardumpire.service.config import Config
from boardumpire.table import opening
from boardumpire.table.opening import NewGameSettings
from boardware.description import load_board
from boardware.ports import Ports

CASTLE = (
    (SHIPPED_FOLDER / "castle.toml")
    .read_text(encoding="utf-8")
    .replace('name = "castle"', 'name = "mine"', 1)
)
MINE = CASTLE.replace("a37", "zz37")
DECKS = (SHIPPED_FOLDER / "cards.toml").read_text(encoding="utf-8").replace("staff-car", "lorry")
PICOS = '\n[drivers]\nsensors = "pico"\nlamps = "pico-lamps"\nconsole = "pico-console"\n'
HEAD = f'format = "boardumpire-config"\nversion = 1\n[board]\nname = "{{board}}"\n[game]\nid = "{GAME}"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "castle.toml").write_text(MINE, encoding="utf-8")
    (tmp_path / "cards.toml").write_text(DECKS, encoding="utf-8")
    (tmp_path / "board.toml").write_text(board_file_text(castle_of(MINE), "mine"), encoding="utf-8")
    return tmp_path


def written(folder: Path, lines: str, board: str = "board.toml") -> Path:
    path = folder / "boardumpire.toml"
    name = folder / board if board.endswith(".toml") else board
    path.write_text(HEAD.format(board=name) + lines + PICOS, encoding="utf-8")
    return path


def test_they_are_read_beside_the_configuration(folder: Path) -> None:
    found = config.load(written(folder, 'castle = "castle.toml"\ncards = "cards.toml"\n'), {})
    assert check_config.load_checked_board(found).id == "mine"
    state = boardrules.new(found.game.id, found.game.options)
    assert "zz37" in state.printed_facts()["circles"]
    assert "lorry" in state.printed_facts()["cards"]
    # As the page begins the next one, with what people choose there.
    before = NewGameSettings(found.game.id, found.game.options)
    after = next_game.apply_game_changes(
        before, {"options": {"rounds": 30}}, check_config.load_checked_board(found)
    )
    again = boardrules.new(after.game, after.options)
    assert again.printed_facts() == state.printed_facts() | {"rounds": 30}


@pytest.mark.parametrize(
    ("lines", "board", "said"),
    [
        ('castle = "x.toml"\n', "board.toml", "7: [game] castle: {0}/x.toml: No such file or directory"),
        (
            'castle = "cards.toml"\n',
            "board.toml",
            "7: [game] castle: cards.toml: escape-from-colditz: option",
        ),
        ('cards = "castle.toml"\n', GAME, "7: [game] cards: castle.toml: escape-from-colditz: option cards:"),
        ('castle = "castle.toml"\n', GAME, f"7: [game] castle: board {GAME} has a37; try a board of"),
        ("", "board.toml", "6: [game] id: board mine has zz37; try a board of this castle"),
        (
            'castle = "castle.toml"\n[game.options]\nboard = "castle"\n',
            "board.toml",
            "7: [game] castle: found options.board too; keep one of the two",
        ),
        ('[game.options]\nboard = "mine"\n', GAME, "8: [game.options] board: escape-from-colditz: option"),
    ],
)
def test_what_does_not_fit_is_told_with_its_line(folder: Path, lines: str, board: str, said: str) -> None:
    path = written(folder, lines, board)
    with pytest.raises(ConfigError, match=re.escape(f"{path}:{said.format(folder)}")):
        check_config.load_checked_board(config.load(path, {}))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ((', "a2"]', "]"), "does not join a1 to a2"),
        ((', "a2"]', ', "a2", "t1"]'), "joins a1 to t1"),
    ],
)
def test_a_board_with_other_lines_is_refused(folder: Path, change: tuple[str, str], said: str) -> None:
    text = (folder / "board.toml").read_text(encoding="utf-8")
    assert change[0] in text
    (folder / "board.toml").write_text(text.replace(*change), encoding="utf-8")
    path = written(folder, 'castle = "castle.toml"\n')
    with pytest.raises(ConfigError, match=re.escape(f"[game] castle: board mine {said}; try a board")):
        check_config.load_checked_board(config.load(path, {}))


def test_a_board_with_fewer_cells_is_refused(folder: Path) -> None:
    more = MINE.replace(
        "outercells = { places = 7, box = [495, 615, 7", "outercells = { places = 8, box = [495, 615, 8"
    )
    (folder / "castle.toml").write_text(more, encoding="utf-8")
    path = written(folder, 'castle = "castle.toml"\n')
    with pytest.raises(ConfigError, match="has room for 7 in outercells rather than 8; try a board"):
        check_config.load_checked_board(config.load(path, {}))


@pytest.mark.slow
def test_a_round_track_that_is_too_short_is_told(folder: Path) -> None:
    path = written(folder, "[game.options]\nrounds = 51\n", GAME)
    right, doubt = check_config.check_configuration(path, {}).splitlines()
    assert right.startswith(f"{path}: right: {GAME} on {GAME} through pico")
    assert doubt.startswith(f"{path}: but the round track has 50 lamps for 51 rounds: until")
    assert len(check_config.check_configuration(written(folder, "", GAME), {}).splitlines()) == 1


def test_no_game_begins_or_goes_on_upon_a_board_of_another_castle(folder: Path) -> None:
    board = load_board(folder / "board.toml")
    before, none = NewGameSettings(GAME, {"board": MINE}), cast("Ports", None)  # nothing is opened
    with pytest.raises(BoardumpireError, match="new game: option board: board mine has zz37; try a board"):
        next_game.apply_game_changes(before, {"options": {"board": "castle"}}, board)
    with contextlib.closing(Store.open(folder / "journal.sqlite", BoardKey.random())) as store:
        store.begin_game(GAME, boardrules.new(GAME, {}).options, "mine", 0)
        with pytest.raises(JournalError, match="game 1 of the journal: option board: board mine has zz37"):
            opening.open_table(board=board, wanted=before, ports=none, store=store, now=0, wall_ms=0)


def test_rooms_of_ones_own_are_called_as_they_are() -> None:
    own = boardrules.new(GAME, {"board": MINE.replace("dentist", "gym")}).printed_facts()
    called = {space: announce.to_sentence(message) for space, message in space_names(own).items()}
    assert called["gym1"] == "gym 1"
    assert called["chapel1"] == "Chapel 1"


def test_the_page_takes_them_as_options(folder: Path) -> None:
    given = argparse.Namespace(
        board=str(folder / "board.toml"), game=GAME, driver="pico-sim", listen="127.0.0.1:0",
        option=[f"board=@{folder / 'castle.toml'}", f"cards=@{folder / 'cards.toml'}"],
        machine=[], https=False, spectator_delay=0,
    )  # fmt: skip
    found: Config = page.simulated_config(given, folder)
    state = boardrules.new(found.game.id, found.game.options)
    assert "zz37" in state.printed_facts()["circles"]
    assert "lorry" in state.printed_facts()["cards"]
    with pytest.raises(ConfigError, match=r"--option board: .*x.toml: No such file"):
        page.simulated_config(argparse.Namespace(**vars(given) | {"option": ["board=@x.toml"]}), folder)


@pytest.mark.parametrize("driver", ["pico-sim", "gpio-sim"])
def test_a_castle_has_picos_whatever_the_page_was_asked_for(folder: Path, driver: str) -> None:
    """Its header would have no pins for them."""
    given = argparse.Namespace(
        board=None,
        game=GAME,
        driver=driver,
        listen="127.0.0.1:0",
        option=[],
        machine=[],
        https=False,
        spectator_delay=0,
    )
    assert page.simulated_config(given, folder).drivers == page.PICO_DRIVERS


def play(store: Store, number: int, state: State, actions: int) -> State:
    """So many actions, noted down as the umpire does; of those that hide something the text is sealed."""
    draws = random.Random(5)
    for _ in range(actions):
        (seat,) = state.seats_to_act()
        chance = state.chance()
        action = draws.choice([one for one, _ in chance] or list(state.legal_actions(seat)))
        state, events = state.apply(action)
        told = [event.json() for event in events if event.audience is None]
        store.append_entry(
            number, kind="action", seat=action.seat, text=str(action), secret=action.secret,
            events=told, at_ms=0,
        )  # fmt: skip
    return state


@pytest.mark.slow
def test_a_journal_goes_on_with_them_and_a_record_proves_them(tmp_path: Path) -> None:
    options = {"board": MINE, "cards": DECKS, "players": 2}
    state = boardrules.new(GAME, options)
    with contextlib.closing(Store.open(tmp_path / "journal.sqlite", BoardKey.random())) as store:
        number = store.begin_game(GAME, state.options, "mine", 0)
        state = play(store, number, state, 120)
        header = store.unfinished_game()
        assert header is not None
        fold, _ = opening.replay_game(store, header)
        assert fold.state == state
        assert "zz37" in fold.state.printed_facts()["circles"]
        last = state.parse("resign", "american")
        state, _ = state.apply(last)
        store.append_entry(
            number, kind="action", seat="american", text="resign", secret=False, events=(), at_ms=1
        )
        assert state.outcome is not None
        store.finish_game(number, state.outcome, 1)
        said, right = verify(records.export(store, number))
    assert right, said
