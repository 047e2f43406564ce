"""The referee does what its protocol says, and a referee that doesn't is found out at that point."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import boardrules
from referee.conformance import Conformance

COMMAND = [str(Path(sys.executable).with_name("boardumpire")), "referee"]
SEAT = " ".join([*COMMAND, "--seat", "{seat}"])
SCRIPT = Path(__file__).with_name("conformance.py")
FEW = ("stratego-quick-duel", "fall-of-the-fuhrer")

BROKEN = {
    "hello": 'answer["protocol"] = 2 if verb == "hello" else None',
    "games": 'answer["games"] = answer["games"][:0] if verb == "games" else None',
    "options": 'answer["options"] = answer["options"] * 2 if verb == "options" else None',
    "help": 'answer["verbs"].pop("quit", None) if verb == "help" else None',
    "garbage": 'answer.pop("error") if answer.get("error", {}).get("code") == "bad-json" else None',
    "new": 'answer["seats"].clear() if verb == "new" and "seats" in answer else None',
    "legal": 'answer["actions"].clear() if verb == "legal" and "actions" in answer else None',
    "play": 'answer.update(truth=next(COUNT)) if verb == "truth" else None',
    "views": 'answer["view"].update(seat="x") if verb == "view" and request.get("seat") else None',
    "refusal": 'answer.update(ok=True) if verb == "act" else None',
    "undo": 'answer.update(ok=True) if verb == "undo" else None',
    "position": 'answer.update(position="stratego-duel") if "position" in answer else None',
    "record": 'answer.update(record=answer["record"] + "\\n") if request.get("at") == "again" else None',
    "side-by-side": 'answer.update(ok=True) if request.get("at") == "c" else None',
    "quit": 'sys.exit(3) if verb == "quit" else None',
}
RUNS = """
import itertools, json, sys
from boardumpire.commands.referee.referee import Referee
COUNT = itertools.count()
referee = Referee()
for line in sys.stdin:
    try:
        request = json.loads(line)
    except ValueError:
        request = {{}}
    request = request if isinstance(request, dict) else {{}}
    verb = request.get("do")
    answer = referee.answer(line)
    try:
        {broken}
    except (KeyError, AttributeError):
        pass
    for name in [name for name, value in answer.items() if value is None and name == "protocol"]:
        del answer[name]
    print(json.dumps(answer), flush=True)
    if referee.ended:
        break
"""


@pytest.mark.slow
@pytest.mark.parametrize("game", FEW)
def test_the_referee_conforms(game: str) -> None:
    found = Conformance(COMMAND, SEAT, game).check()
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
    assert len(found) == 16


@pytest.mark.nightly
def test_the_script_says_so_of_every_game() -> None:
    told = subprocess.run(
        [sys.executable, SCRIPT, "--seat-command", SEAT, "--", *COMMAND], capture_output=True, text=True
    )
    assert told.returncode == 0, told.stdout
    assert told.stdout.splitlines()[-1] == f"{16 * len(boardrules.games())} points, 0 failed"


@pytest.mark.few(1)
@pytest.mark.parametrize("point", BROKEN)
def test_a_broken_referee_fails_at_its_point(point: str, tmp_path: Path) -> None:
    program = tmp_path / "broken.py"
    program.write_text(RUNS.format(broken=BROKEN[point]))
    found = Conformance([sys.executable, str(program)], None, "stratego-quick-duel").check(point)
    assert found[point]


def test_a_script_that_needs_nothing_names_what_failed(tmp_path: Path) -> None:
    program = tmp_path / "silent.py"
    program.write_text("import sys\nfor line in sys.stdin: print('hm', flush=True)\n")
    told = subprocess.run(
        [sys.executable, "-I", SCRIPT, "--game", "x", "--", sys.executable, program],
        capture_output=True,
        text=True,
    )
    assert told.returncode == 15
    assert "FAILED x hello: '{\"do\": \"hello\"}' was answered by 'hm\\n', which is not JSON" in told.stdout
