"""The referee holds the example games, whatever is sent to it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping

import pytest

import boardrules
from boardrules import record
from referee.test_fuzz import COMMAND, fuzz

VALUES = (
    "chess", "chess", "breakthrough", "white", "black", "chance", "clock", "resign", "offer-draw", "queen",
    "agree-draw", "claim-draw", "time white", "e2-e4", "a2-a3", "a1-a1", "", None, 1, {}, {"players": 2},
    {"fen": "x"}, "boardumpire-record 1", "breakthrough\nclock resign", "b",
)  # fmt: skip


@pytest.mark.few(1)
@pytest.mark.parametrize("arguments", [(), ("--seat", "white")])
def test_each_line_has_one_answer(environment: Mapping[str, str], arguments: tuple[str, ...]) -> None:
    assert fuzz(2, 3000, *arguments, values=VALUES, environment=environment) == 3000


@pytest.mark.nightly
@pytest.mark.parametrize("arguments", [(), ("--seat", "white")])
def test_30_000_lines_each_have_one_answer(
    environment: Mapping[str, str], arguments: tuple[str, ...], record_property: object
) -> None:
    answered = sum(
        fuzz(seed, 5000, *arguments, values=VALUES, environment=environment) for seed in range(10, 16)
    )
    assert callable(record_property)
    record_property("lines", answered)


@pytest.mark.parametrize("game", ["breakthrough", "chess"])
@pytest.mark.parametrize("seat", ["chance", "clock"])
def test_neither_chance_nor_the_clock_says_what_players_say(
    environment: Mapping[str, str], game: str, seat: str
) -> None:
    lines = [{"do": "new", "game": game}]
    lines += [{"do": "act", "seat": seat, "action": text} for text in ("resign", "b2-b3", "resign")]
    lines += [{"do": "act", "seat": "white", "action": "b2-b3"}]
    told = subprocess.run(
        [COMMAND, "referee"],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True, text=True, env=dict(environment), check=True, timeout=60,
    )  # fmt: skip
    first, *refused, last = [json.loads(line) for line in told.stdout.splitlines()]
    assert (first["ok"], last["ok"]) == (True, True)
    assert {answer["refusal"]["code"] for answer in refused} == {f"{game}/not-your-turn"}


@pytest.mark.usefixtures("games")
@pytest.mark.parametrize("game", ["breakthrough", "chess"])
def test_a_record_in_which_the_clock_resigns_is_refused_with_its_line(game: str) -> None:
    state = boardrules.new(game)
    text = record.write(record.record_of(state, (("clock", "resign"),)))
    with pytest.raises(record.RecordError, match=r"^LINE \d: action 1 of clock is not allowed: "):
        record.final_state(record.parse(text))
