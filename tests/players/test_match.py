"""Matches: sides are swapped, games repeat, what was played is kept, and the bounds are right."""

from __future__ import annotations

import io
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import pytest

import boardrules
from boardlab.match import contest, rating
from boardlab.match.contest import GameResult, MatchPlan
from boardlab.match.spent import ResourceUsage
from boardlab.match.spread import ResultsFile, play_games
from boardrules.baseline_players import RandomPlayer
from boardumpire import cli
from boardumpire.errors import BoardumpireError

COMMAND = Path(sys.executable).with_name("boardumpire")
PLAN = MatchPlan("fall-of-the-fuhrer", {}, ("simple", "random"), 3, None)


def match(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, "lab", "match", *words], capture_output=True, text=True, check=False)


def made(number: int, winner: int | None) -> GameResult:
    return GameResult(number, number % 2, winner, "flag", 100, (ResourceUsage(), ResourceUsage()))


def test_sides_are_swapped_and_games_repeat() -> None:
    one, two = (contest.contest(PLAN, number) for number in (0, 1))
    assert (one.first, two.first) == (0, 1)
    assert one.winner == two.winner == 0  # the simple player on either side
    again = contest.contest(PLAN, 0)
    assert again._replace(spent=one.spent) == one
    assert [each.actions for each in again.spent] == [each.actions for each in one.spent]


class Closing(RandomPlayer):
    """Says that its game is over for it."""

    closed: ClassVar[list[str]] = []

    def close(self) -> None:
        self.closed.append("closed")


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    package = boardrules.package("fall-of-the-fuhrer")
    own = package.players()
    assert own is not None
    more = own._replace(others={**own.others, "closing": lambda seat: Closing()})
    monkeypatch.setattr(type(package), "players", lambda self: more)
    monkeypatch.setattr(Closing, "closed", [])
    return Closing.closed


def test_a_player_is_closed_after_each_game_of_a_match(closed: list[str]) -> None:
    contest.contest(PLAN._replace(players=("closing", "random"), longest=20), 0)
    assert closed == ["closed"]


def test_a_player_is_closed_where_nobody_answers_any_more(
    closed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr("os.nice", lambda number: 0)
    assert cli.main(["bot", "fall-of-the-fuhrer", "--seat", "hitler", "--level", "closing"]) == 0
    assert closed == ["closed"]


def test_who_plays_by_random_gets_about_half() -> None:
    plan = PLAN._replace(players=("random", "random"))
    found = rating.tally(play_games(plan, range(20), 1, None))
    low, high = rating.wilson(found.wins + found.draws / 2, found.games)
    assert low < 0.5 < high


def test_the_bounds_are_wilsons() -> None:
    """Figures of the literature: 15 of 20 gives 53.1 to 88.8 %, 0 of 10 gives 0 to 27.8 %."""
    assert rating.wilson(15, 20) == pytest.approx((0.531, 0.888), abs=5e-4)
    assert rating.wilson(0, 10) == pytest.approx((0.0, 0.278), abs=5e-4)


def test_elo_is_odds_of_ten_to_one_at_400() -> None:
    assert rating.elo(10 / 11) == pytest.approx(400)
    assert rating.elo(0.5) == 0
    assert rating.elo(1) == math.inf


def test_a_tally_knows_players_and_seats_apart() -> None:
    found = rating.tally([made(0, 0), made(1, 0), made(2, 1), made(3, None)])
    assert (found.wins, found.draws, found.losses) == (2, 1, 1)
    assert found.first_seat == (1, 2)
    assert rating.score_as_json(found)["share"] == 0.625


@pytest.mark.slow
def test_a_match_goes_on_where_it_was_ended(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    words = ["simple", "random", "--game", "fall-of-the-fuhrer", "--jobs", "1", "--json", "--into", str(file)]
    whole = json.loads(match(*words, "--games", "4").stdout)
    lines = file.read_text().splitlines()
    file.write_text("\n".join(lines[:3]) + "\n" + lines[3][:20])  # ended while it wrote a game
    again = json.loads(match(*words, "--games", "4").stdout)
    assert len(file.read_text().splitlines()) == 5
    for told in (whole, again):
        del told["players"]  # times differ
    assert again == whole
    other = match("random", *words[1:])
    assert other.returncode == 2
    assert "another match" in other.stderr


@pytest.mark.slow
def test_a_match_that_can_not_start_leaves_no_file(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    told = match("random", "/no/such/program", "--jobs", "1", "--into", str(file))
    assert told.returncode == 2
    assert not file.exists()
    told = match("random", "random", "--into", str(tmp_path / "none" / "games.jsonl"))
    assert told.stderr.endswith("it can't be written; try another path\n")


def test_another_format_is_no_game(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    ResultsFile(file, PLAN).add(made(0, 0))
    with file.open("a") as out:
        out.write('{"number": 1}\n')
    with pytest.raises(BoardumpireError, match="line 3"):
        ResultsFile(file, PLAN)


@pytest.mark.slow
def test_a_program_of_its_own_plays_as_the_player_within_does() -> None:
    """A bot in a process of its own, asked through the seat mode, sits opposite."""
    bot = f"{COMMAND} bot fall-of-the-fuhrer --seat {{seat}} --level simple --seed 1"
    told = match(bot, "random", "--game", "fall-of-the-fuhrer", "--games", "2", "--jobs", "1", "--json")
    found = json.loads(told.stdout)
    assert (found["wins"], found["games"]) == (2, 2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["random", "grandmaster"], "try one of"),
        (["random", "/bin/true"], "an act that the rules allow"),
        (["random", "/no/such/program"], "no command that starts"),
        (["random", "random", "--game", "chequers"], "unknown game"),
        (["random", "random", "--games", "0"], "--games: '0': not a number here; try 1 or more"),
    ],
)
def test_what_is_wrong_is_named(words: list[str], said: str) -> None:
    told = match(*words, "--jobs", "1")
    assert told.returncode == 2
    assert said in told.stderr


@pytest.mark.parametrize("game", ["stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz"])
def test_machines_play_games_as_in_the_rulebook_to_their_end(game: str) -> None:
    """With 50 rounds at the castle, and a Tank that always rolls."""
    plan = MatchPlan(game, {"rules": "rulebook"}, ("1", "1"), 5, None)
    for number in range(2):
        assert contest.contest(plan, number).reason != contest.TOO_LONG
