"""Whether a referee speaks the referee protocol, version 1. For any referee, in any language:

    python conformance.py -- boardumpire referee
    python conformance.py --seat-command "boardumpire referee --seat {seat}" -- boardumpire referee

It needs nothing but Python. Every point is printed with `ok` or `FAILED` and why; the exit code is the number
of points that failed, at most 100. docs/program/referee-protocol.md says what the points are about.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

GARBAGE = ("", "zzz", "[1]", "{}", '{"do":"fly"}', '{"do":5}', '{"do":"view"}', '{"do":"new","game":5}')


class Wrong(Exception):  # noqa: N818
    """What a referee did otherwise than the protocol says."""


class Line:
    """A referee in a process of its own."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def say(self, line: str) -> Any:
        """One line in, one JSON object out."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError:
            raise Wrong(f"it has gone before {line[:60]}") from None
        told = self.process.stdout.readline()
        if not told.endswith("\n"):
            raise Wrong(f"no answer to {line[:60]!r}")
        try:
            answer = json.loads(told)
        except ValueError:
            raise Wrong(f"{line[:60]!r} was answered by {told[:60]!r}, which is not JSON") from None
        expect(isinstance(answer, dict) and isinstance(answer.get("ok"), bool), f"{told[:80]} holds no ok")
        return answer

    def ask(self, **request: Any) -> Any:
        """What is answered to a request."""
        return self.say(json.dumps(request))

    def must(self, **request: Any) -> Any:
        """What is answered to a request that has to be carried out."""
        answer = self.ask(**request)
        expect(answer["ok"], f"{json.dumps(request)[:80]} was answered by {json.dumps(answer)[:120]}")
        return answer

    def refused(self, **request: Any) -> Any:
        """The error of a request that can't be carried out."""
        answer = self.ask(**request)
        expect(not answer["ok"], f"{json.dumps(request)[:80]} was carried out")
        error = answer.get("error", answer.get("refusal"))
        expect(isinstance(error, dict) and {"code", "text"} <= set(error), f"{answer} has no code and text")
        return error

    def close(self) -> None:
        """Hang up."""
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()
        self.process.kill()
        self.process.wait()


def expect(right: object, why: str) -> None:
    """Raise `Wrong` with the reason unless it is right."""
    if not right:
        raise Wrong(why)


class Conformance:
    """The points, for one game."""

    def __init__(self, command: Sequence[str], seat_command: str | None, game: str, seed: int = 1) -> None:
        self.command, self.seat_command, self.game, self.seed = command, seat_command, game, seed

    def points(self) -> dict[str, Callable[[Line], None]]:
        """By name, in order; each is handed a fresh referee."""
        found = {
            "hello": self.hello,
            "games": self.games,
            "options": self.options,
            "help": self.help,
            "garbage": self.garbage,
            "new": self.new,
            "legal": self.legal,
            "play": self.play,
            "views": self.views,
            "refusal": self.refusal,
            "undo": self.undo,
            "position": self.position,
            "record": self.record,
            "side-by-side": self.side_by_side,
            "quit": self.quit,
        }
        if self.seat_command is not None:
            found["seat"] = self.seat
        return found

    def begun(self, line: Line, acts: int = 12) -> list[tuple[str, str]]:
        """A game in which so much was done; what."""
        line.must(do="new", game=self.game, seed=self.seed)
        rng, done = random.Random(self.seed), []
        for _ in range(acts):
            to_act = line.must(do="view", seat=None)["view"]["to_act"]
            if not to_act:
                break
            action = rng.choice(line.must(do="legal", seat=to_act[0])["actions"])
            line.must(do="act", seat=to_act[0], action=action)
            done.append((to_act[0], action))
        return done

    def hello(self, line: Line) -> None:
        """Protocol 1, a name, a version, no seat, and the verbs that there have to be."""
        told = line.must(do="hello")
        expect(told.get("protocol") == 1, f"protocol is {told.get('protocol')!r}, expected 1")
        expect(told.get("seat", "") is None, "seat is not null")
        expect(
            isinstance(told.get("name"), str) and isinstance(told.get("version"), str), "no name, no version"
        )
        needed = {
            "hello",
            "help",
            "games",
            "options",
            "new",
            "legal",
            "act",
            "undo",
            "view",
            "position",
            "record",
            "load",
            "quit",
        }
        missing = needed - set(told.get("verbs", ()))
        expect(not missing, f"verbs lack {', '.join(sorted(missing))}")

    def games(self, line: Line) -> None:
        """The game is among those there are."""
        ids = [each["game"] for each in line.must(do="games")["games"]]
        expect(self.game in ids, f"{self.game} is not among {ids}")

    def options(self, line: Line) -> None:
        """Each option has a name and a value, and the game begins with just these."""
        told = line.must(do="options", game=self.game)["options"]
        values = {each["name"]: each["value"] for each in told}
        expect(len(values) == len(told), "an option stands there twice")
        line.must(do="new", game=self.game, options=values)
        line.refused(do="new", game=self.game, options={"no-such-option": 1})

    def help(self, line: Line) -> None:
        """Every verb is explained."""
        verbs = line.must(do="hello")["verbs"]
        expect(set(line.must(do="help")["verbs"]) == set(verbs), "help and hello name other verbs")
        expect(
            line.must(do="help", verb="act")["verbs"]["act"]["fields"]["action"]["needed"],
            "act needs an action",
        )

    def garbage(self, line: Line) -> None:
        """Whatever comes in is answered by an error, and the referee goes on."""
        for text in GARBAGE:
            answer = line.say(text)
            expect(not answer["ok"] and "error" in answer, f"{text!r} was answered by {answer}")
        line.must(do="hello")

    def new(self, line: Line) -> None:
        """A game has seats, somebody to act, and none before it was begun."""
        expect(line.refused(do="view", seat=None)["code"] == "no-game", "a view without a game")
        told = line.must(do="new", game=self.game, seed=self.seed)
        expect(told["game"] == self.game and told["seats"] and told["to_act"], f"{told}")
        expect(line.refused(do="new", game="no-such-game")["code"] == "unknown-game", "an unknown game")
        line.must(do="view", seat=None)

    def legal(self, line: Line) -> None:
        """What is legal is taken, what isn't a seat is refused by name."""
        told = line.must(do="new", game=self.game, seed=self.seed)
        seat = told["to_act"][0]
        actions = line.must(do="legal", seat=seat)
        expect(
            actions["actions"] and isinstance(actions["table"], list), "nothing is legal for who is to act"
        )
        expect(line.refused(do="legal", seat="nobody")["code"] == "unknown-seat", "an unknown seat")
        line.must(do="act", seat=seat, action=actions["actions"][-1])

    def play(self, line: Line) -> None:
        """The same seed and the same actions give the same game."""
        done = self.begun(line)
        truth = line.must(do="truth")
        line.must(do="new", game=self.game, seed=self.seed)
        for seat, action in done:
            line.must(do="act", seat=seat, action=action)
        expect(line.must(do="truth") == truth, "the same actions led elsewhere")

    def views(self, line: Line) -> None:
        """Every seat and the spectator have a view, which names them."""
        seats = line.must(do="new", game=self.game, seed=self.seed)["seats"]
        self.begun(line)
        for seat in (None, *seats):
            view = line.must(do="view", seat=seat)["view"]
            expect(view["seat"] == seat and isinstance(view["to_act"], list), f"the view of {seat}")

    def refusal(self, line: Line) -> None:
        """What isn't allowed has a code, a rule and a text, and changes nothing."""
        self.begun(line, 4)
        seats = line.must(do="view", seat=None)["view"]["to_act"]
        before = line.must(do="truth")
        told = line.must(do="new", game=self.game, seed=self.seed, at="other")["seats"]
        waiting = next((seat for seat in told if seat not in seats), None)
        if waiting is not None and seats:
            action = line.must(do="legal", seat=seats[0])["actions"][0]
            error = line.refused(do="act", seat=waiting, action=action)
            expect(error["code"] and isinstance(error["text"], str), f"{error}")
        expect(
            line.refused(do="act", seat=told[0], action="no such action")["code"] == "bad-action", "no action"
        )
        expect(line.must(do="truth") == before, "a refusal has changed something")

    def undo(self, line: Line) -> None:
        """What is undone did not happen."""
        line.must(do="new", game=self.game, seed=self.seed)
        expect(line.refused(do="undo")["code"] == "nothing-to-undo", "something to undo at the beginning")
        truths = [line.must(do="truth")]
        rng = random.Random(2)
        for _ in range(6):
            seat = line.must(do="view", seat=None)["view"]["to_act"][0]
            line.must(do="act", seat=seat, action=rng.choice(line.must(do="legal", seat=seat)["actions"]))
            truths.append(line.must(do="truth"))
        while len(truths) > 1:
            truths.pop()
            line.must(do="undo")
            expect(
                line.must(do="truth") == truths[-1], f"undo led elsewhere, after {len(truths) - 1} actions"
            )

    def position(self, line: Line) -> None:
        """A position reads back to the same game; a seat's has nothing that it may not know."""
        self.begun(line)
        text, truth = line.must(do="position")["position"], line.must(do="truth")
        line.must(do="position", text=text, at="again")
        expect(line.must(do="truth", at="again") == truth, "the position reads back to another one")
        expect(line.refused(do="position", text="nonsense 1\n?")["code"], "nonsense was taken")
        for seat in line.must(do="new", game=self.game, at="seats")["seats"]:
            line.must(do="position", seat=seat)

    def record(self, line: Line) -> None:
        """A record loads again, and is written the same."""
        self.begun(line)
        text = line.must(do="record")["record"]
        line.must(do="load", record=text, at="again")
        expect(line.must(do="record", at="again")["record"] == text, "it was written otherwise")
        line.refused(do="load", record="nonsense", at="again")
        expect(line.must(do="record", at="again")["record"] == text, "nonsense has changed the game")

    def side_by_side(self, line: Line) -> None:
        """Games with other names don't touch each other."""
        self.begun(line, 3)
        before = line.must(do="truth")
        line.must(do="new", game=self.game, seed=self.seed + 1, at="b")
        expect(line.must(do="truth") == before, "another game has changed this one")
        expect(line.refused(do="truth", at="c")["code"] == "no-game", "a game that nobody began")

    def quit(self, line: Line) -> None:
        """It answers, and ends."""
        line.must(do="quit")
        expect(line.process.wait(10) == 0, f"it ended with {line.process.returncode}")

    def seat(self, line: Line) -> None:
        """Who speaks for one seat can't ask for more than that seat may know, and plays a game to its end."""
        assert self.seat_command is not None
        seats = line.must(do="new", game=self.game)["seats"]
        alone = Line(shlex.split(self.seat_command.format(seat=seats[-1])))
        try:
            expect(alone.must(do="hello")["seat"] == seats[-1], "hello names another seat")
            alone.must(do="new", game=self.game)
            for verb in ("truth", "undo", "load"):
                alone.refused(do=verb)
            for field in ({"do": "view", "seat": seats[0]}, {"do": "new", "game": self.game, "seed": 1}):
                alone.refused(**field)
            alone.refused(do="record")
            rng = random.Random(self.seed)
            for _ in range(100_000):
                told = alone.must(do="events")
                if "outcome" in told:
                    break
                expect(seats[-1] in told["to_act"], "nobody else plays")
                alone.must(do="act", action=rng.choice(alone.must(do="legal")["actions"]))
            alone.must(do="record")
        finally:
            alone.close()

    def check(self, only: str = "") -> dict[str, str]:
        """By point what is wrong, nothing where it is right; of `only` one point, or of all."""
        found = {}
        for name, point in self.points().items():
            if only not in ("", name):
                continue
            line = Line(self.command)
            try:
                point(line)
                found[name] = ""
            except Wrong as wrong:
                found[name] = str(wrong)
            except (KeyError, IndexError, TypeError, subprocess.TimeoutExpired) as wrong:
                found[name] = f"an answer lacks something: {wrong!r}"
            finally:
                line.close()
        return found


def main(arguments: Sequence[str]) -> int:
    """Check what the command line names; how many points failed."""
    parser = argparse.ArgumentParser(
        allow_abbrev=False, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", action="append", metavar="GAME", help="by default all that the referee has")
    parser.add_argument(
        "--seat-command", metavar="COMMAND", help="speaks for a seat alone; {seat} is its name"
    )
    parser.add_argument("command", nargs="+", help="the referee, after --")
    given = parser.parse_args(arguments)
    games = given.game
    if games is None:
        line = Line(given.command)
        games = [each["game"] for each in line.must(do="games")["games"]]
        line.close()
    failed = count = 0
    for game in games:
        for name, wrong in Conformance(given.command, given.seat_command, game).check().items():
            count += 1
            failed += bool(wrong)
            print(f"{'FAILED' if wrong else 'ok':7}{game} {name}{': ' + wrong if wrong else ''}", flush=True)
    print(f"{count} points, {failed} failed")
    return min(failed, 100)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
