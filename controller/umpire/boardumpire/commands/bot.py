"""`boardumpire bot`: a computer player at one seat, which speaks the referee's seat mode.

It writes requests to standard output and reads answers from standard input, or joins the game at a socket. It
learns what its seat may know and nothing else.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, TextIO

import boardrules
from boardrules import baseline_players
from boardrules.baseline_players import NoSuchPlayer, PlayerWithLevel
from boardrules.core import Action, Seat
from boardrules.players import PlayerLevel, SearchBudget
from boardumpire.commands.command_parser import parse_file_path
from boardumpire.commands.referee import observation
from boardumpire.errors import BoardumpireError

NICE_INCREMENT = 10
"""How far it stands back behind whatever else the machine does: lamps never wait for it."""
RESIGNATION = "resign"
"""How the action is written by which a seat gives up, in games that have one."""
POLL_INTERVAL_S = 0.05
"""Seconds until it asks again whether it is its turn."""

Request = dict[str, Any]
Answer = dict[str, Any]
SendRequest = Callable[[Request], Answer]
"""Sends a request and returns the answer."""
RequestGenerator = Generator[Request | None, Answer | None, None]


class RefereeGone(Exception):  # noqa: N818
    """Whoever answered has gone."""


class Bot:
    """Plays a seat until the game is over. What it asks and is answered is its caller's to carry."""

    def __init__(
        self,
        game: str,
        seat: Seat,
        seated: PlayerWithLevel,
        chance: random.Random,
        meter: Callable[[PlayerLevel], SearchBudget],
        *,
        resigns: bool = False,
        scores: bool = False,
    ) -> None:
        """`meter`: a new budget for one choice. `resigns`: whether it may, once it has no hope. `scores`:
        whether it says with what it does what it thinks of its position."""
        self._game, self._seat, self._chance, self._meter = game, seat, chance, meter
        self._resigns, self._scores = resigns, scores
        self._player, self._level = seated
        self._answered: tuple[Action, ...] = ()

    def play(self, ask: SendRequest, wait: Callable[[], None]) -> None:
        """Play on until the game is over, asking by `ask`; `wait` is called where others are to act."""
        requests = self.request_loop()
        answer: dict[str, Any] | None = None
        with contextlib.suppress(StopIteration):
            while True:
                request = requests.send(answer)
                if request is None:
                    wait()
                answer = None if request is None else ask(request)

    def request_loop(self) -> RequestGenerator:
        """Yields each request and is sent its answer; yields `None` where others are to act.

        Ends with the game. Raises `BoardumpireError` for an answer that is no referee's.
        """
        while True:
            told = yield from _await_answer({"do": "events"})
            if not told["ok"] and told["error"]["code"] == "no-game":
                told = yield from _await_answer({"do": "new", "game": self._game})
            if not told["ok"]:
                raise BoardumpireError(f"{self._game}: {told['error']['text']}")
            if "outcome" in told:
                return
            if not (yield from self._do_pending_work(self._seat in told["to_act"], bool(told["events"]))):
                yield None

    def _do_pending_work(self, to_act: bool, news: bool) -> Generator[Request | None, Answer | None, bool]:
        """Do what there is to do now; false if that is nothing."""
        if not to_act and not news:
            return False
        view, legal, table = yield from self._request_observation()
        if news:
            self._player.observe_view(view)
        if table != self._answered:
            self._answered = table
            said = self._player.answer_offer(view, table, self._chance)
            if said is not None:
                return (yield from self._submit_action(said))
        if not to_act or not legal:
            return news
        chosen = self._player.choose(view, legal, self._chance, self._meter(self._level))
        if self._resigns and self._player.is_hopeless():
            resignation = next((action for action in table if str(action) == RESIGNATION), None)
            if resignation is not None:
                return (yield from self._submit_action(resignation))
        score = self._player.assessment() if self._scores else ""
        if not (yield from self._submit_action(chosen, score)):
            yield from self._submit_action(legal[0])
        return True

    def _request_observation(self) -> Generator[Request | None, Answer | None, observation.Observation]:
        told = yield from _await_answer({"do": "sight"})
        try:
            return observation.decode(told["sight"])
        except (KeyError, observation.BadObservation) as wrong:
            raise BoardumpireError(f"sight: {wrong}; expected the answers of Boardumpire's referee") from None

    def _submit_action(
        self, action: Action, score: str = ""
    ) -> Generator[Request | None, Answer | None, bool]:
        told = {"do": "act", "action": str(action)}
        answer = yield from _await_answer({**told, "score": score} if score else told)
        return bool(answer["ok"])


def _await_answer(request: Request) -> Generator[Request | None, Answer | None, Answer]:
    answer = yield request
    assert answer is not None  # whoever carries requests answers each
    return answer


def start_budget(level: PlayerLevel) -> SearchBudget:
    """A budget that starts now."""
    end = time.monotonic() + level.seconds
    return SearchBudget(level.playouts, lambda: time.monotonic() > end)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.description = __doc__
    parser.add_argument("game", metavar="GAME", help="the id of the game")
    parser.add_argument("--seat", metavar="SEAT", required=True, help="the seat that it plays")
    parser.add_argument(
        "--level",
        metavar="N",
        default="1",
        help="strength: a level of the game, simple or random [1]",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="seed of its choices")
    parser.add_argument(
        "--scores", action="store_true", help="say with each action what it thinks of its position"
    )
    parser.add_argument("--resign", action="store_true", help="give up once there has been no hope for long")
    parser.add_argument(
        "--at",
        type=parse_file_path,
        metavar="SOCKET",
        help="join the game that a referee hosts at this socket",
    )


def run(given: argparse.Namespace) -> None:
    """Play until the game is over or nobody answers any more. Raises `BoardumpireError`."""
    try:
        package = boardrules.package(given.game)
        counts = package.player_counts
        games = [package.new({"players": count} if len(counts) > 1 else {}) for count in counts]
        seats = dict.fromkeys(seat for game in games for seat in game.seats)
        if given.seat not in seats:
            raise BoardumpireError(f"{given.game} has no seat {given.seat!r}; try one of {', '.join(seats)}")
        seated = baseline_players.player_for(package, given.seat, given.level)
    except (boardrules.UnknownGame, NoSuchPlayer) as problem:
        raise BoardumpireError(str(problem)) from None
    os.nice(NICE_INCREMENT)
    try:
        if given.at is None:
            _play(json_line_requester(sys.stdin, sys.stdout), given, seated)
        else:
            _play_at_socket(given.at, given, seated)
    except (RefereeGone, ConnectionError):  # what was not sent yet is lost, too
        if given.at is not None:
            from boardumpire.commands.referee.game_host import host_gone_error

            raise host_gone_error(given.at) from None


def _play(ask: SendRequest, given: argparse.Namespace, seated: PlayerWithLevel) -> None:
    chance = random.Random(given.seed)  # None: any
    bot = Bot(given.game, given.seat, seated, chance, start_budget, resigns=given.resign, scores=given.scores)
    with contextlib.redirect_stdout(sys.stderr):  # what a player prints is no request
        try:
            bot.play(ask, lambda: time.sleep(POLL_INTERVAL_S))
        finally:
            seated.player.close()


def _play_at_socket(path: Path, given: argparse.Namespace, seated: PlayerWithLevel) -> None:
    from boardumpire.commands.referee.game_host import seat_connection

    with seat_connection(path, given.seat) as (line, answers), line.makefile("w", encoding="utf-8") as out:
        _play(json_line_requester(answers, out), given, seated)


def json_line_requester(answers: TextIO, out: TextIO) -> SendRequest:
    """Asks by lines. What it returns raises `RefereeGone` once there are no more answers."""

    def ask(request: dict[str, Any]) -> dict[str, Any]:
        try:
            out.write(json.dumps(request) + "\n")
            out.flush()
            line = answers.readline()
        except (BrokenPipeError, ConnectionError):
            line = ""
        if not line:
            raise RefereeGone
        answer: dict[str, Any] = json.loads(line)
        return answer

    return ask
