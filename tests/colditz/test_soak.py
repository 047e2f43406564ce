"""Clumsy people at the large board of Escape from Colditz: nothing wrong, lost or missed"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from boardlab.soak import one_game, soak
from boardlab.soak.one_game import SoakPlan, play
from boardlab.soak.smallest import write_smallest_case
from boardsim.bench.bench import BARE
from boardsim.judging.judge import MISSED, WRONG
from boardumpire.cli import main
from boardumpire.commands.table_factory import TableFactory
from boardumpire.table.windows import AnswerDeadlines
from boardumpire.tracking.rules import set_down
from boardumpire.tracking.states import TrackerState
from boardware.ports import SECOND
from soak import broken

GAME = "escape-from-colditz"
PLAN = SoakPlan(game=GAME, driver=BARE, profile="wild", longest=15, seed=7)
KINDS = ("illegal", "out_of_turn", "put_back", "slide", "adjust", "knock", "early", "between", "swap", "away")
PARTS = 10
"""Each a run of its own."""


@pytest.mark.slow
def test_a_few_wild_games_come_to_nothing_wrong() -> None:
    report = soak.soak(PLAN, range(3), TableFactory())
    assert report.fine, report.findings
    assert report.counts["actions"] > 60
    assert sum(report.injected[kind] > 0 for kind in KINDS) >= 6
    assert (
        soak.soak(PLAN, range(1), TableFactory()).counts == soak.soak(PLAN, range(1), TableFactory()).counts
    )


def test_the_command_takes_the_board_of_the_game(capsys: Any, tmp_path: Any) -> None:
    words = [
        "lab",
        "soak",
        "--game",
        GAME,
        "--games",
        "1",
        "--longest",
        "4",
        "--jobs",
        "1",
        "--json",
        "--out",
    ]
    assert main([*words, str(tmp_path / "out")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["plan"]["board"] == GAME
    assert found["rulings"] >= found["actions"] > 8


@pytest.mark.few(1)
@pytest.mark.parametrize("rule", [set_down.detect_out_of_turn, set_down.detect_first_of_alike, None])
def test_a_broken_umpire_is_found_out(rule: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if rule is None:
        broken.ignore_all(monkeypatch, TrackerState.SET_DOWN)
    else:
        broken.ignore(monkeypatch, rule)
    assert any(play(PLAN, number, TableFactory())[0].findings for number in range(3))


@pytest.mark.slow
def test_the_script_of_a_finding_names_all_that_it_takes_to_run_it_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    broken.ignore(monkeypatch, set_down.detect_out_of_turn)
    plan, number = PLAN._replace(out=str(tmp_path)), 4  # six players
    played, people = play(plan, number, TableFactory())
    assert played.findings
    written = write_smallest_case(plan, played._replace(made_errors=()), TableFactory()).script_path
    assert written is not None
    head = next(line for line in Path(written).read_text().splitlines() if " sim run " in line)
    assert head.endswith("--option players=6")
    assert main([*shlex.split(head)[2:], written]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    rulings = [(line["seat"], line["action"]) for line in told if line["kind"] == "ruling" and line["ok"]]
    steps = [step for step in people.judge.actions if step[0] != "chance"]
    said = [ruling for ruling in rulings if ruling[0] != "chance"]
    assert len(said) == len(steps)
    for (who, what), step in zip(said, steps, strict=True):
        assert (who, what or step[1]) == step, "or secret, as a trade is"
    assert len(steps) > 12


STALLING = PLAN._replace(profile="careful"), (3, 4, 5)
"""Games in which somebody does not answer in time."""


@pytest.mark.slow
def test_what_nobody_answers_is_closed_in_time() -> None:
    plan, numbers = STALLING
    report = soak.soak(plan, numbers, TableFactory())
    assert report.fine, report.findings
    assert report.counts["closed"] == 3


@pytest.mark.slow
def test_what_the_clock_closes_may_leave_a_throw_to_chance() -> None:
    """Nobody answers a shot: the umpire throws for it at once, though nothing else happens."""
    played, people = play(PLAN._replace(profile="clumsy", seed=2026, longest=80), 38, TableFactory())
    actions = people.judge.actions
    assert played.findings == ()
    after = {then[0] for each, then in pairwise(actions) if each == ("clock", "close")}
    assert "chance" in after


@pytest.mark.slow
@pytest.mark.parametrize(
    ("broken", "instead", "kind"),
    [
        ("enable_limit", lambda self: setattr(self, "_limit", 25 * SECOND), WRONG),
        ("due", lambda self: None, MISSED),
    ],
)
def test_an_umpire_that_closes_too_early_or_never_is_found_out(
    broken: str, instead: Any, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AnswerDeadlines, broken, instead)
    plan, numbers = STALLING
    findings = [each for number in numbers for each in play(plan, number, TableFactory())[0].findings]
    assert kind in {each.kind for each in findings}


FOUND = {
    "an illegal move that stands badly, so that no reed feels it": (5152, 2),
    "a pawn that is pushed to where the last one came from, before that was ruled on": (777, 13),
    "another guard who is moved while an arrest waits for its sign": (6161, 2),
    "one who is moved where he may go, so that the arrest could not follow": (9001, 0),
    "one who is held for long": (2718, 5),
}
"""Games in which soaks once found something wrong: what it was, their seed and their number."""


@pytest.mark.slow
@pytest.mark.parametrize("seed_number", FOUND.values(), ids=FOUND)
def test_what_soaks_have_found_is_mended(seed_number: tuple[int, int]) -> None:
    seed, number = seed_number
    played, _ = play(SoakPlan(game=GAME, driver=BARE, profile="clumsy", seed=seed), number, TableFactory())
    assert played.findings == ()


def test_one_of_many_that_stands_badly_is_straightened() -> None:
    """The umpire says that one is missing in the Barracks. All stand there, and nothing feels one of them."""
    plan = SoakPlan(game=GAME, driver=BARE, profile="clumsy", seed=2026, longest=1)
    assert play(plan, 28, TableFactory())[0].findings == ()


@pytest.mark.slow
def test_a_move_that_nothing_felt_is_put_back_where_it_can_not_follow_the_next() -> None:
    plan = SoakPlan(game=GAME, driver=BARE, profile="wild", seed=88)
    played, people = play(plan, 11, TableFactory())
    assert played.findings == ()
    assert people.judge.count["unfelt"] > 0


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(PARTS))
def test_20_clumsy_games(part: int, record_property: Callable[[str, object], None]) -> None:
    """A tenth of 200 games of 2 to 6 clumsy people: on 463 reeds that bounce, debounced as on a Pico but
    not through pins, words by phones and buttons; after 160 actions whoever is to move resigns."""
    plan = SoakPlan(game=GAME, driver=BARE, profile="clumsy", seed=2026)
    numbers = range(20 * part, 20 * (part + 1))
    report = soak.soak(plan, numbers, TableFactory(), jobs=os.cpu_count() or 1)
    found = report.json()
    words = f"--game {GAME} --seed {plan.seed} --first {numbers[0]} --games 20"
    record_property("the same by hand", f"`boardumpire lab soak {words}`")
    for name in ("games", *one_game.COUNT_NAMES, "unforced"):
        record_property(name, found[name])
    record_property("injected", ", ".join(f"{kind} {count}" for kind, count in found["injected"].items()))
    for name in ("wrong", "lost", "missed"):
        record_property(f"{name}, at most an action (95 %)", f"{found['bounds'][name][1]:.2g}")
    record_property("hours at the board", found["virtual_hours"])
    assert not report.findings
    assert found["games"] == 20
