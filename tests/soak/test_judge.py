"""The judge finds out: an umpire that is broken on purpose is wrong, loses and misses, and is caught."""

from __future__ import annotations

from typing import Any

import pytest

from boardsim import soak
from boardsim.people import PROFILES, People, Rates
from boardsim.soak import Plan, play
from boardumpire.factory import TableFactory
from boardumpire.hands import Intent
from boardumpire.meaning import Reading
from boardumpire.table import Table
from boardumpire.tracker import Tracker

PLAN = Plan(profile="clumsy", longest=30)


def verdicts(monkeypatch: Any, rates: Rates, games: int = 4) -> set[str]:
    monkeypatch.setitem(PROFILES, "clumsy", rates)
    found = set()
    for number in range(games):
        played, _ = play(PLAN, number, TableFactory())
        found |= {finding.kind for finding in played.findings}
    return found


def test_nothing_is_found_where_nothing_is_broken(monkeypatch: Any) -> None:
    assert verdicts(monkeypatch, Rates(slide=0.2, out_of_turn=0.2, swap=0.2, illegal=0.2)) == set()


def test_a_piece_moved_out_of_turn_and_not_noticed_is_missed(monkeypatch: Any) -> None:
    monkeypatch.setattr(Reading, "_out_of_turn", lambda self, home, space: None)
    assert "missed" in verdicts(monkeypatch, Rates(out_of_turn=0.5))


def test_two_pieces_swapped_in_sight_of_the_reeds_and_nobody_asked_is_missed(monkeypatch: Any) -> None:
    monkeypatch.setattr(Tracker, "_notice_doubt", lambda self: self.following.together.clear())
    assert "missed" in verdicts(monkeypatch, Rates(swap=0.5))


def test_moves_that_are_never_heard_are_lost(monkeypatch: Any) -> None:
    monkeypatch.setattr(Reading, "_moved", lambda self: None)
    assert verdicts(monkeypatch, Rates(), games=1) == {"lost"}


def test_an_attack_that_nobody_made_is_wrong(monkeypatch: Any) -> None:
    lifted = Reading._lifted

    def eager(self: Reading) -> Any:
        own = self.position.own(self.following.air)
        attacks = (
            [space for space, attack in self.position.steps.get(own[0], {}).items() if attack] if own else []
        )
        return Intent(own[0], attacks[0]) if attacks else lifted(self)

    monkeypatch.setattr(Reading, "_lifted", eager)
    assert "wrong" in verdicts(monkeypatch, Rates(put_back=0.5))


def straightened(tracker: dict[str, int], monkeypatch: Any) -> tuple[set[str], int]:
    """What is found, and what looked like an action, where people straighten two pieces all the time."""
    settings = soak.setting
    monkeypatch.setattr(soak, "setting", lambda plan, number: settings(plan, number)._replace(table=tracker))
    monkeypatch.setitem(PROFILES, "clumsy", Rates(adjust=1.0))
    reports = [play(PLAN, number, TableFactory())[0] for number in range(3)]
    kinds = {finding.kind for played in reports for finding in played.findings}
    return kinds, sum(played.counts["alike"] for played in reports)


def test_two_pieces_straightened_in_the_air_together_are_what_an_attack_is(monkeypatch: Any) -> None:
    """Both up for the settle time, the one in reach of the other: no reed could tell that from an attack."""
    kinds, alike = straightened({}, monkeypatch)
    assert kinds == set()
    assert alike > 0


def test_an_attack_is_not_excused_before_both_pieces_were_up_for_the_settle_time(monkeypatch: Any) -> None:
    assert straightened({"settle_ms": 120}, monkeypatch)[0] == {"wrong"}


def test_a_piece_that_stands_unfelt_and_an_early_reply_are_what_an_attack_is(monkeypatch: Any) -> None:
    """The truth goes back to before both: what the board felt counts, and the game goes on to its end."""
    monkeypatch.setitem(PROFILES, "clumsy", Rates(early=0.6, between=0.6))
    accepted, alike = 0, 0
    for number in (2, 4, 9):
        played, people = play(PLAN._replace(longest=40), number, TableFactory())
        assert played.findings == ()
        alike += played.counts["alike"]
        accepted += people.judge.count["taken over"]
    assert 0 < accepted < alike, "some of those attacks were refused"


def test_a_move_ruled_before_the_piece_rests_is_wrong(monkeypatch: Any) -> None:
    settings = soak.setting

    def hasty(plan: Plan, number: int) -> Any:
        return settings(plan, number)._replace(table={"settle_ms": 60, "slide_ms": 60})

    monkeypatch.setattr(soak, "setting", hasty)
    assert "wrong" in verdicts(monkeypatch, Rates(slide=1.0), games=6)
    assert "wrong" in verdicts(monkeypatch, Rates(slide=1.0, early=0.5), games=6)


@pytest.mark.parametrize(("tamper", "verdict"), [("shorter", "lost"), ("other", "wrong")])
def test_a_record_that_tells_another_game_is_found(monkeypatch: Any, tamper: str, verdict: str) -> None:
    init = Table.__init__

    def tampered(self: Table, *given: Any, **named: Any) -> None:
        init(self, *given, **named)
        record = self.record

        def told() -> str:
            lines = record().splitlines(keepends=True)
            places = [
                at for at, line in enumerate(lines) if "-" in line and line.startswith(("red ", "blue "))
            ]
            last = places[-2]
            moved = [lines[last + 1], lines[last]] if tamper == "other" else []
            return "".join(lines[:last] + moved + lines[last + (2 if moved else 1) :])

        self.record = told

    monkeypatch.setattr(Table, "__init__", tampered)
    assert verdicts(monkeypatch, Rates(), games=1) == {verdict}


def test_people_are_the_same_for_the_same_seed_and_others_for_another() -> None:
    def script(seed: str) -> str:
        people = People(soak.setting(PLAN, 1), TableFactory(), seed, PROFILES["clumsy"], longest=8)
        people.play()
        people.scene.close()
        return people.scene.script()

    assert script("a") == script("a")
    assert script("a") != script("b")


def test_an_error_that_is_left_out_changes_nothing_before_it() -> None:
    plan = PLAN._replace(profile="wild")
    played, people = play(plan, 3, TableFactory())
    last = played.erred[-1]
    again, others = play(plan, 3, TableFactory(), without=[last])
    assert last not in again.erred
    moment = next(at for at, line in people.scene.lines if line.startswith(f"# turn {last.turn}:"))
    before = [line for line in people.scene.lines if line[0] < moment]
    assert others.scene.lines[: len(before)] == before
