"""Who played what how often, and won, over all evenings that a journal has."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest

from boardrules.core import Outcome, Seat
from boardumpire.history.statistics import COLUMNS, FinishedGame, Statistics, Tally, as_csv, count
from boardumpire.journal.journal import Store
from boardumpire.messages import players

DUEL, HUNT, CASTLE = "stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz"
RED, BLUE = Seat("red"), Seat("blue")

Play = Callable[..., int]


@pytest.fixture
def play(store: Store) -> Play:
    """Adds a game of which the journal knows who played it and how it ended, if it did."""

    def played(
        game: str, outcome: Outcome | None, options: dict[str, object] | None = None, **names: str
    ) -> int:
        number = store.begin_game(game, options or {}, "a board", 1000)
        note = players.to_note({Seat(seat.replace("_", "-")): name for seat, name in names.items()})
        store.append_entry(number, kind="note", seat=RED, text=note, secret=False, events=[], at_ms=2000)
        if outcome is not None:
            store.finish_game(number, outcome, 3000)
        return number

    return played


def test_games_are_counted_by_name_wherever_somebody_sat(store: Store, play: Play) -> None:
    play(DUEL, Outcome("red", "flag"), red="Ada", blue="Bob")
    play(DUEL, Outcome("red", "flag"), red="Bob", blue="Ada")
    play(DUEL, Outcome("blue", "flag"), red="Bob", blue="Ada")
    play(DUEL, Outcome(None, "agreed"), red="Ada")
    play(DUEL, None, red="Ada", blue="Bob")
    assert Statistics().tallies(store) == [
        Tally(DUEL, "Ada", Seat(""), 4, 2, 1),
        Tally(DUEL, "Bob", Seat(""), 3, 1, 0),
        Tally(DUEL, "", BLUE, 1, 0, 1),
    ]


def test_all_who_win_together_have_won(store: Store, play: Play) -> None:
    play(HUNT, Outcome("allies", "capture"), {"players": 3}, hitler="Ada", infantry="Bob")
    play(CASTLE, Outcome("american+polish", "common-target"), {"players": 4})
    found = {(tally.game, tally.player or tally.seat): tally.won for tally in Statistics().tallies(store)}
    assert {who: won for (game, who), won in found.items() if game == HUNT} == {
        "Ada": 0,
        "Bob": 1,
        "tank-spy": 1,
    }
    officers = {who: won for (game, who), won in found.items() if game == CASTLE}
    assert officers.pop("security") == 0
    assert officers.pop("american") == 1
    assert sum(officers.values()) in (0, 1), "of the others the Polish alone, where they play"


def test_what_was_counted_once_is_not_read_again(store: Store, play: Play) -> None:
    statistics = Statistics()
    play(DUEL, Outcome("red", "flag"), red="Ada")
    before = statistics.tallies(store)
    unread: list[int] = []
    store.public_entries = lambda number: unread.append(number) or []  # type: ignore[method-assign,func-returns-value]
    assert statistics.tallies(store) == before
    last = play(DUEL, Outcome("red", "flag"))
    assert statistics.tallies(store) != before
    assert unread == [last]


def test_a_game_that_is_not_there_any_more_is_left_out(store: Store, play: Play) -> None:
    play("tic-tac-toe", Outcome("red", "line"), red="Ada")
    assert Statistics().tallies(store) == []


def test_a_spreadsheet_gets_every_name_as_text() -> None:
    names = ("=1+1", 'Ada "Countess"', "Бо,б")
    tallies = count(FinishedGame(DUEL, {(name, RED): True}) for name in names)
    head, *rows = csv.reader(io.StringIO(as_csv(tallies)))
    assert tuple(head) == COLUMNS
    assert [row[1] for row in rows] == ["'=1+1", 'Ada "Countess"', "Бо,б"]
    assert all(row[2:] == ["", "1", "1", "0"] for row in rows)
