"""A referee that speaks for one seat tells what that seat may know, and nothing else."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardrules.colditz.state.options import DEFAULT_ROUNDS
from boardrules.core import State
from boardrules.game import Game
from boardumpire.commands.referee import position_text
from boardumpire.commands.referee.referee_table import GameWithChance
from boardumpire.commands.referee.seat_referee import HOSTED_VERBS, VERBS, SeatReferee, SoloSession
from rules import contract

COMMAND = Path(sys.executable).with_name("boardumpire")
GAMES = {
    "stratego-quick-duel": ("red", "blue"),
    "fall-of-the-fuhrer": ("hitler", "allies"),
    "escape-from-colditz": ("security", "british"),
}
ASKED = (
    '{"do":"view"}',
    '{"do":"legal"}',
    '{"do":"sight"}',
    '{"do":"position"}',
    '{"do":"board"}',
    '{"do":"record"}',
    "zzz",
)


class Sat:
    """A table that the test plays at."""

    def __init__(self, game: str, options: dict[str, Any]) -> None:
        self.table: GameWithChance | None = GameWithChance(Game(boardrules.new(game, options)))

    def after_seat_action(self) -> None:
        """Others do what the test has them do."""


def ask(referee: SeatReferee, **request: Any) -> Any:
    return referee.answer_line(json.dumps(request))


def knows(state: State, seat: str) -> tuple[Any, ...]:
    """All that a seat may know and do."""
    return state.view(seat).json(), sorted(map(str, state.legal_actions(seat)))[:40]


def twin_actions(state: State, twin: State, seat: str, draws: random.Random) -> tuple[str, str, str] | None:
    """What somebody does in both of two games that `seat` can't tell apart: who, and the text in each."""
    who = state.seats_to_act()[0]
    legal, other = ([str(each) for each in one.legal_actions(who)] for one in (state, twin))
    both = sorted(set(legal) & set(other))
    first = state.parse(draws.choice(legal), who)
    if who != seat and first.secret and draws.random() < 0.7:
        pieces = dict(state.setup_placements(first))
        if pieces:  # a set-up: the same squares, other ranks
            prints = draws.sample(list(pieces.values()), len(pieces))
            return who, str(first), state.setup_text(dict(zip(pieces, prints, strict=True)))
        return who, str(first), draws.choice(other)
    if not both:
        return None
    text = draws.choice(both)
    return who, text, text


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_twins_that_differ_in_what_others_hide_are_answered_alike(game: str, seed: int) -> None:
    """Two games are led along each other; as long as the seat may know the same of both, every answer is
    equal."""
    compare(game, seed, 60)


@pytest.mark.parametrize("game", ["stratego-quick-duel", "fall-of-the-fuhrer"])
def test_twins_are_not_the_same_game(game: str) -> None:
    assert sum(compare(game, seed, 60) for seed in range(6)) > 10


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_many_twins_are_answered_alike(game: str) -> None:
    differed = sum(compare(game, seed, 150) for seed in range(100, 140))
    assert differed > 100 or game == "escape-from-colditz"


def compare(game: str, seed: int, most: int) -> int:
    """How many positions were compared that differ in what is hidden."""
    seat = GAMES[game][1 if game == "fall-of-the-fuhrer" else seed % 2]  # from Hitler nothing is hidden
    draws = random.Random(f"{game} {seed}")
    sats = Sat(game, {}), Sat(game, {})
    referees = [SeatReferee(seat, sat, HOSTED_VERBS) for sat in sats]
    differed = 0
    for _ in range(most):
        one, two = (sat.table.state for sat in sats if sat.table)
        if one.outcome is not None or two.outcome is not None:
            break
        acts = twin_actions(one, two, seat, draws)
        if acts is None:
            break
        who, *texts = acts
        answers: list[list[str]] = []
        for sat, referee, text in zip(sats, referees, texts, strict=True):
            assert sat.table is not None
            if who == seat:
                told = [json.dumps(ask(referee, do="act", action=text))]
            else:
                sat.table.act(who, text)
                told = [json.dumps(ask(referee, do="events"))]
            answers.append(told + [json.dumps(referee.answer_line(line)) for line in ASKED])
        states = [sat.table.state for sat in sats if sat.table]
        if knows(states[0], seat) != knows(states[1], seat) or any(state.outcome for state in states):
            break  # the rules have told them apart
        differed += states[0] != states[1]
        assert answers[0] == answers[1]
    return differed


def test_whoever_speaks_for_a_seat_has_no_way_to_more() -> None:
    referee = SeatReferee("blue", SoloSession(3), VERBS)
    assert ask(referee, do="new", game="stratego-quick-duel")["ok"]
    for verb in ("truth", "undo", "load"):
        assert ask(referee, do=verb)["error"]["code"] == "unknown-verb"
    for request in (
        {"do": "view", "seat": "red"},
        {"do": "legal", "seat": "red"},
        {"do": "act", "seat": "red", "action": "resign"},
        {"do": "position", "text": "stratego-duel"},
        {"do": "new", "game": "stratego-duel", "seed": 3},
    ):
        assert ask(referee, **request)["error"]["code"] == "unknown-field", request
    assert ask(referee, do="record")["error"]["code"] == "not-over"
    view = ask(referee, do="view")["view"]
    assert view["seat"] == "blue"
    assert "red ?" in ask(referee, do="position")["position"]


def test_a_seat_that_the_game_has_not_is_named() -> None:
    referee = SeatReferee("green", SoloSession(3), VERBS)
    assert ask(referee, do="view")["error"]["code"] == "no-game"
    told = ask(referee, do="new", game="stratego-duel")["error"]
    assert (told["code"], told["text"]) == (
        "unknown-seat",
        "stratego-duel has no seat 'green'; expected one of red, blue",
    )


def test_the_army_of_a_seat_that_plays_at_random_is_drawn_from_all_there_are() -> None:
    armies = set()
    for seed in range(12):
        alone = SoloSession(seed)
        alone.begin("stratego-quick-duel", {}, "blue")
        assert alone.table is not None
        armies.add(str(alone.table.game.actions[0]))
    assert len(armies) == 12


@pytest.mark.parametrize("game", boardrules.games())
def test_a_position_reads_back_to_an_equal_state(game: str) -> None:
    rng = random.Random(game)
    state, played = Game(boardrules.new(game)), 0
    while not state.over and played < 150:
        state.push(contract.choose(state.state, rng))
        played += 1
        if played % 30 == 0:
            text = position_text.write(state.start, state.actions, whole=True)
            found = position_text.read(text)
            again = Game(boardrules.new(found.game, found.options))
            for seat, words in found.actions:
                again.push(again.state.parse(words, seat))
            assert again.state == state.state
            assert again.actions == state.actions


def test_options_that_differ_stand_in_a_position() -> None:
    game = Game(boardrules.new("stratego-duel", {"announce": "silent"}))
    text = position_text.write(game.start, ())
    assert text == 'stratego-duel {"announce":"silent"}'
    assert boardrules.new(*position_text.read(text)[:2]).options == game.options


@pytest.mark.parametrize("rounds", [{}, *({"rounds": number} for number in set(DEFAULT_ROUNDS.values()))])
@pytest.mark.parametrize("players", DEFAULT_ROUNDS)
def test_a_default_that_goes_by_the_players_reads_back(players: int, rounds: dict[str, int]) -> None:
    """Also where it is another than that of the game as it comes."""
    game = Game(boardrules.new("escape-from-colditz", {"players": players, **rounds}))
    text = position_text.write(game.start, ())
    assert boardrules.new(*position_text.read(text)[:2]).options == game.options


class Program:
    """A program of somebody's own: it knows the protocol, and no rules."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [COMMAND, "referee", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, **request: Any) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def plays(self, rng: random.Random) -> dict[str, Any] | None:
        """Do something if it is its turn; how the game ended, if it has."""
        seat = self.ask(do="hello")["seat"]
        standing = self.ask(do="events")
        if "outcome" in standing:
            outcome: dict[str, Any] = standing["outcome"]
            return outcome
        if seat in standing["to_act"]:
            actions = self.ask(do="legal")["actions"]
            assert actions, standing
            answer = self.ask(do="act", action=rng.choice(actions))
            assert answer["ok"], answer
        return None

    def quit(self) -> None:
        assert self.ask(do="quit") == {"ok": True}
        assert self.process.wait(10) == 0
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()


def random_games(game: str, seat: str, count: int, seed: int) -> int:
    """A random program plays whole games as a seat in a process of its own; how many actions it took."""
    program, rng, acts = Program("--seat", seat, "--seed", str(seed)), random.Random(seed), 0
    try:
        for _ in range(count):
            assert program.ask(do="new", game=game)["ok"]
            while program.plays(rng) is None:
                acts += 1
            assert program.ask(do="record")["ok"]
        program.quit()
    finally:
        program.process.kill()
        program.process.wait()
    return acts


@pytest.mark.few(2)
@pytest.mark.parametrize(("game", "seats"), GAMES.items())
def test_a_random_program_plays_a_game_through_its_seat(game: str, seats: tuple[str, ...]) -> None:
    assert random_games(game, seats[1], 1, 4) > 5


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "seats"), GAMES.items())
def test_a_random_program_plays_50_games(game: str, seats: tuple[str, ...], record_property: Any) -> None:
    acts = sum(random_games(game, seat, 25, number) for number, seat in enumerate(seats))
    record_property("games", 50)
    record_property("actions of the program", acts)


@pytest.mark.slow
def test_two_programs_sit_at_one_table(tmp_path: Path) -> None:
    socket = tmp_path / "table"
    host = subprocess.Popen(
        [COMMAND, "referee", "--host", socket, "--game", "stratego-quick-barrage", "--seed", "3"]
    )
    try:
        deadline = time.monotonic() + 20
        while not socket.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert socket.stat().st_mode & 0o077 == 0, "for its owner alone"
        programs = {seat: Program("--seat", seat, "--at", str(socket)) for seat in ("red", "blue")}
        for seat, program in programs.items():
            assert program.ask(do="hello")["seat"] == seat
        rng = random.Random(1)
        twice = subprocess.run(
            [COMMAND, "referee", "--seat", "red", "--at", socket], input="", capture_output=True, text=True
        )
        assert "somebody sits at red already" in twice.stderr
        ends: dict[str, Any] = {}
        for _ in range(2000):
            for seat, program in programs.items():
                ends[seat] = program.plays(rng)
            if all(ends.values()):
                break
        assert ends["red"] == ends["blue"]
        assert ends["red"]["reason"]
        for program in programs.values():
            program.quit()
        assert host.wait(10) == 0
        assert not socket.exists()
    finally:
        host.kill()
        host.wait()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--at", "x"), "--at needs --seat"),
        (("--seat", "red", "--at", "/nowhere/x"), "try the path that `boardumpire referee --host` has"),
        (("--seat", "green"), "no game has this seat; try one of "),
        (("--game", "nosuch"), "--game and --option need --host; try "),
        (("--seat", "red", "--option", "a=b"), "--game and --option need --host; try "),
        (("--host", "x"), "--host takes --game"),
        (("--host", "x", "--game", "checkers"), "unknown game 'checkers'"),
        (("--host", "/nowhere/x", "--game", "stratego-duel"), "try another path for the socket"),
    ],
)
def test_wrong_arguments_are_named(arguments: tuple[str, ...], said: str) -> None:
    told = subprocess.run([COMMAND, "referee", *arguments], input="", capture_output=True, text=True)
    assert told.returncode != 0
    assert said in told.stderr
    assert "Traceback" not in told.stderr


@pytest.mark.parametrize("seat", ["red", "hitler", "polish"])
def test_any_seat_of_any_number_of_players_may_be_spoken_for(seat: str) -> None:
    told = subprocess.run([COMMAND, "referee", "--seat", seat], input="", capture_output=True, text=True)
    assert (told.returncode, told.stderr) == (0, "")


def test_help_shows_how_to_begin() -> None:
    told = subprocess.run([COMMAND, "referee", "--help"], capture_output=True, text=True, check=True).stdout
    for word in ('{"do":"hello"}', "--seat", "--host", "docs/program/referee-protocol.md"):
        assert word in told
