"""One source says what the protocol takes and answers: for programs, for the page, for what is read."""

from __future__ import annotations

import json
import random
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardumpire.commands.referee import protocol_schema, seat_referee
from boardumpire.commands.referee.protocol import verbs_as_markdown
from boardumpire.commands.referee.referee import VERBS, Referee, answer_as_line
from boardumpire.commands.referee.seat_referee import SeatReferee, SoloSession
from referee.test_fuzz import line
from rules.test_schema import wrong

COMMAND = Path(sys.executable).with_name("boardumpire")
DOCS = Path(__file__).resolve().parents[2] / "docs" / "program"
SCHEMA = protocol_schema.schema()["$defs"]
PYTHON_WORDS = ("None", "True", "False", "nan", "inf", "{'", "['", "dict", "NoneType")


def test_the_schema_of_the_documents_is_that_of_the_program() -> None:
    """`python -m boardumpire.commands.referee.protocol_schema` writes it anew."""
    assert json.loads((DOCS / "referee-protocol.schema.json").read_text()) == protocol_schema.schema()


def test_the_table_of_the_page_is_that_of_the_program() -> None:
    """The same with the word `table` prints it."""
    assert verbs_as_markdown(VERBS) in (DOCS / "referee-protocol.md").read_text()


def undescribed(value: Any, schema: Mapping[str, Any], where: str = "") -> Iterator[str]:
    """The fields of an answer that its schema doesn't name."""
    if isinstance(value, list):
        for part in value:
            yield from undescribed(part, schema.get("items", {}), where)
    if isinstance(value, dict) and "properties" in schema and "kind" not in schema["properties"]:
        for name, part in value.items():
            if name not in schema["properties"]:
                yield f"{where}.{name}"
            yield from undescribed(part, schema["properties"].get(name, {}), f"{where}.{name}")


def check(mode: str, request: str, answer: dict[str, Any]) -> bool:
    """Whether it was carried out; its schema is right."""
    if not answer["ok"]:
        assert not list(wrong(answer, SCHEMA["failed"])), answer
        return False
    asked = json.loads(request)
    known = SCHEMA[mode][asked["do"]]
    assert not list(wrong(asked, known["request"])), asked
    assert not list(wrong(answer, known["answer"])), (asked, list(wrong(answer, known["answer"])))
    assert not list(undescribed(answer, known["answer"])), asked
    return True


@pytest.mark.parametrize("mode", ["all", "seat"])
def test_every_answer_is_what_the_schema_says(mode: str) -> None:
    """A fuzzed conversation, and what isn't JSON of any language in no answer."""
    rng, done = random.Random(5), set()
    referee: Any = Referee() if mode == "all" else SeatReferee("red", SoloSession(1), seat_referee.VERBS)
    games = [f'{{"do":"new","game":"{game}"}}' for game in boardrules.ids()]
    for number in range(4000):
        request = rng.choice(games) if number % 40 == 0 else line(rng, VALUES)
        told = answer_as_line(referee.answer_line(request))
        answer = json.loads(told, parse_constant=pytest.fail)
        if check(mode, request, answer):
            done.add(json.loads(request)["do"])
        elif "error" in answer and answer["error"]["code"] in ("wrong-type", "bad-option"):
            assert not [word for word in PYTHON_WORDS if word in answer["error"]["text"]], answer
    assert done >= {"new", "legal", "help", "games", "board", "position"}


VALUES: tuple[object, ...] = (
    "stratego-quick-duel", "escape-from-colditz", "red", "blue", "hitler", "a3-a4", "help", None, 1, 1.5,
    True, [], {}, {"players": None}, {"players": True}, {"announce": [None]}, {"fen": {"a": True}}, ["red"],
)  # fmt: skip


def test_a_whole_game_is_what_the_schema_says() -> None:
    referee, rng = Referee(), random.Random(2)

    def ask(**request: Any) -> dict[str, Any]:
        answer = referee.answer_line(json.dumps(request))
        assert check("all", json.dumps(request), answer), answer
        return answer

    to_act = ask(do="new", game="stratego-quick-duel", seed=1)["to_act"]
    for _ in range(40):
        if not to_act:
            break
        legal = ask(do="legal", seat=to_act[0])
        assert legal.get("sample", False) == (to_act[0] in ("red", "blue") and "setup" in legal["actions"][0])
        ask(do="act", seat=to_act[0], action=rng.choice(legal["actions"]))
        to_act = ask(do="view", seat=None)["view"]["to_act"]
    ask(do="undo")
    ask(do="truth")
    ask(do="load", record=ask(do="record")["record"])
    ask(do="position", text=ask(do="position")["position"])


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_what_is_no_number_of_json_is_named(number: str) -> None:
    answer = Referee().answer_line(
        f'{{"do":"new","game":"stratego-duel","options":{{"quiet_limit":{number}}}}}'
    )
    assert answer["error"]["code"] == "bad-json"
    assert answer["error"]["text"] == f"{number} is no number of JSON; expected a finite one"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [("referee", "--seat", "red"), ("bot", "stratego-quick-duel", "--seat", "red")]
)
def test_who_plays_at_a_host_that_dies_ends_with_a_code(words: tuple[str, ...], tmp_path: Path) -> None:
    socket = tmp_path / "table"
    host = subprocess.Popen([COMMAND, "referee", "--host", socket, "--game", "stratego-quick-duel"])
    try:
        while not _is_heard(socket):
            assert host.poll() is None
        with _at(socket, *words) as seated:
            if words[0] == "referee":
                _ask_for_view(seated)
            else:  # it sits there once it has set its army up
                with _at(socket, "referee", "--seat", "blue") as other:
                    while not _ask_for_view(other)["ready"]["red"]:
                        assert seated.poll() is None
                    other.kill()
            host.kill()
            host.wait()
            assert seated.wait(30) == 2
            assert seated.stderr is not None
            assert "the host has gone" in seated.stderr.read()
    finally:
        host.kill()
        host.wait()


def _at(socket: Path, *words: str) -> subprocess.Popen[str]:
    """A program that plays at a host."""
    return subprocess.Popen(
        [COMMAND, *words, "--at", socket],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def _ask_for_view(seated: subprocess.Popen[str]) -> Any:
    """What a seat sees, from a program that takes requests."""
    assert seated.stdin is not None
    assert seated.stdout is not None
    seated.stdin.write('{"do":"view"}\n')
    seated.stdin.flush()
    answer = json.loads(seated.stdout.readline())
    assert answer["ok"]
    return answer["view"]


def _is_heard(path: Path) -> bool:
    """Whether somebody listens there: the file is there a moment before."""
    with socket.socket(socket.AF_UNIX) as caller:
        return caller.connect_ex(str(path)) == 0
