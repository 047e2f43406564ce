"""Whatever comes in, each line is answered by one line, and nothing is shown that isn't meant for it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).with_name("boardumpire")
GAMES = (
    "stratego-quick-duel",
    "fall-of-the-fuhrer",
    "escape-from-colditz",
    "stratego-classic",
    "nonsense",
    5,
)
VERBS = [
    "hello",
    "help",
    "games",
    "options",
    "schema",
    "new",
    "legal",
    "act",
    "undo",
    "view",
    "board",
    "truth",
    "position",
    "record",
    "load",
    "events",
    "zzz",
]
FIELDS = ("do", "game", "options", "seed", "seat", "action", "record", "text", "verb", "at", "x")
VALUES: tuple[object, ...] = (
    *GAMES, "red", "blue", "hitler", "allies", "chance", "clock", "resign", "a3-a4", "roll", "yes", "?", "",
    None, 1, -1, 10**30, 1.5, True, [], {}, {"players": 2}, {"announce": "silent"}, ["red"], "\\ud800",
    "boardumpire-record 1", "stratego-duel\nred a1", "stratego-duel {", "b", chr(0),
)  # fmt: skip


def line(rng: random.Random, values: Sequence[object]) -> str:
    """A line that may be understood, or nearly, or not at all."""
    kind = rng.random()
    if kind < 0.1:
        return "".join(
            chr(rng.choice((rng.randrange(32, 127), rng.randrange(160, 0x3000)))) for _ in range(20)
        )
    request = {"do": rng.choice(VERBS)}
    for _ in range(rng.randrange(4)):
        request[rng.choice(FIELDS)] = rng.choice(values)  # type: ignore[assignment]
    text = json.dumps(request)
    if kind < 0.2:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice('{}[]",:x\\0') + text[at + rng.randrange(2) :]
    return text.replace("\n", " ")


def fuzz(
    seed: int,
    count: int,
    *arguments: str,
    values: Sequence[object] = VALUES,
    environment: Mapping[str, str] | None = None,
) -> int:
    """How many lines were answered. `values`: what stands in their fields."""
    rng = random.Random(seed)
    lines = [line(rng, values) for _ in range(count)]
    told = subprocess.run(
        [COMMAND, "referee", *arguments],
        input="".join(f"{each}\n" for each in lines).encode("utf-8", "replace"),
        capture_output=True,
        timeout=1500,
        env=None if environment is None else dict(environment),
    )
    assert told.returncode == 0, told.stderr[-2000:]
    assert told.stderr == b""
    answers = [json.loads(each) for each in told.stdout.splitlines()]
    assert len(answers) == count
    for asked, answer in zip(lines, answers, strict=True):
        assert answer["ok"] or {"error", "refusal"} & set(answer), asked
        if not answer["ok"]:
            assert (answer.get("error") or answer["refusal"])["text"], asked
    assert sum(answer["ok"] for answer in answers) > count // 100
    return len(answers)


@pytest.mark.few(1)
@pytest.mark.parametrize("arguments", [(), ("--seat", "red"), ("--seat", "british")])
def test_each_line_has_one_answer(arguments: tuple[str, ...]) -> None:
    assert fuzz(1, 1000, *arguments) == 1000


@pytest.mark.nightly
@pytest.mark.parametrize("arguments", [(), ("--seat", "red"), ("--seat", "allies"), ("--seat", "british")])
def test_30_000_lines_each_have_one_answer(arguments: tuple[str, ...], record_property: object) -> None:
    answered = sum(fuzz(seed, 5000, *arguments) for seed in range(10, 16))
    assert callable(record_property)
    record_property("lines", answered)
