"""Plays one seat of a game through `boardumpire referee`: each time any action that is legal.

    python client.py SEAT [GAME]              the other seats play at random
    python client.py SEAT --at SOCKET         at the table of a `boardumpire referee --host SOCKET`

It needs Python and nothing else. Its last line is how the game ended.
"""

import json
import random
import subprocess
import sys


class Referee:
    """The referee in a process of its own, which tells what one seat may know."""

    def __init__(self, seat, *more):
        command = ["boardumpire", "referee", "--seat", seat, *more]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        """The answer to a request: its field `ok` is true, or it holds an `error` or a `refusal`."""
        print(json.dumps(request), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            sys.exit(self.process.wait() or "the referee has gone")
        return json.loads(line)


def play(seat, game, socket):
    """Play to the end; how it ended."""
    referee = Referee(seat, *(["--at", socket] if socket else []))
    if not socket:
        begun = referee.ask(do="new", game=game)
        if not begun["ok"]:
            sys.exit(begun["error"]["text"])
    while "outcome" not in (told := referee.ask(do="events")):
        for event in told["events"]:
            print(event["text"])
        if seat in told["to_act"]:
            action = random.choice(referee.ask(do="legal")["actions"])
            referee.ask(do="act", action=action)
    referee.ask(do="quit")
    return told["outcome"]


if __name__ == "__main__":
    seat, *more = sys.argv[1:]
    socket = more[1] if more[:1] == ["--at"] else None
    print(play(seat, more[0] if more and not socket else "stratego-quick-duel", socket))
