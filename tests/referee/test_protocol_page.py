"""What docs/program/referee-protocol.md shows is what is answered."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from boardumpire.commands.referee import seat_referee
from boardumpire.commands.referee.referee import VERBS, Referee
from boardumpire.commands.referee.seat_referee import SeatReferee, SoloSession

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "program" / "referee-protocol.md").read_text()


def examples(kind: str) -> list[tuple[str, str]]:
    """What goes in and what comes out, of all blocks of that kind."""
    blocks = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    return [pair for block in blocks for pair in re.findall(r"^> (.*)\n< (.*)$", block, re.MULTILINE)]


def equal(told: dict[str, Any], shown: str) -> bool:
    """Whether an answer is the one that is shown; ` ...` stands for what is left out."""
    import json

    parts = [re.escape(part) for part in shown.split("...")]
    pattern = ".*".join(parts).replace(re.escape(', "seat": "blue"'), '.*"seat": "blue"')
    return re.fullmatch(pattern, json.dumps(told)) is not None


def test_the_examples_are_what_is_answered() -> None:
    referee, count = Referee(), 0
    for asked, shown in examples("referee"):
        told = referee.answer_line(asked)
        assert equal(told, shown), (asked, told)
        count += 1
    assert count > 8


def test_the_examples_of_a_seat_are_what_is_answered() -> None:
    referee = SeatReferee("blue", SoloSession(1), seat_referee.VERBS)
    for asked, shown in examples("seat blue"):
        told = referee.answer_line(asked)
        assert equal(told, shown), (asked, told)


def test_every_verb_and_every_code_is_explained() -> None:
    table = PAGE.split("## Verbs")[1].split("## Errors")[0]
    assert re.findall(r"^\| `([a-z]+)` \|", table, re.MULTILINE) == [*VERBS]
    alone = PAGE.split("## One seat alone")[1].split(". None takes")[0]
    assert set(re.findall(r"`([a-z]+)`", alone)) == set(seat_referee.VERBS)
    sources = (ROOT / "controller/umpire/boardumpire/commands/referee").glob("*.py")
    code = "".join(path.read_text() for path in sources)
    used = set(re.findall(r'(?:BadLine|error_answer)\(\s*"([a-z-]+)"', code))
    explained = set(
        re.findall(r"`([a-z]+(?:-[a-z]+)+|taken)`", PAGE.split("## Errors")[1].split("## One")[0])
    )
    assert used == explained
