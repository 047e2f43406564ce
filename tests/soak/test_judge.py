"""The judge finds out: an umpire that is broken on purpose is wrong, loses and misses, and is caught."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from boardlab.soak import one_game
from boardlab.soak.one_game import SoakPlan, play
from boardrules.core import Event
from boardrules.history import GameHistory
from boardsim.judging.judge import AttemptedAction, Judge
from boardsim.people import hostility, pushers
from boardsim.people.mending import FAULT_REPORT_MAX_US
from boardsim.people.open_players import OpenPlayers
from boardsim.people.people import StrategoPeople
from boardsim.people.rates import PROFILES, ErrorRates
from boardsim.world.faults import PartFault, inject
from boardsim.world.world import Piece
from boardumpire.commands.table_factory import TableFactory
from boardumpire.ruling.umpire import BATTLE_RESULTS
from boardumpire.table.table import Table
from boardumpire.tracking.board_state import BoardState
from boardumpire.tracking.corrections import Corrections
from boardumpire.tracking.events import HandIntent
from boardumpire.tracking.questions import AttackPendingQuestion
from boardumpire.tracking.rules import attacks, set_down
from boardumpire.tracking.situation import Situation
from boardumpire.tracking.states import TrackerState
from boardumpire.tracking.swap_doubts import SwapDoubts
from soak import broken

PLAN = SoakPlan(profile="clumsy", longest=30)


class _Told(NamedTuple):
    """A message to everybody."""

    kind: str
    data: Mapping[str, Any]
    at: int = 0
    seat: str | None = None


def verdicts(
    monkeypatch: Any, rates: ErrorRates, games: int = 4, longest: int = 30, kit: str | None = None
) -> set[str]:
    monkeypatch.setitem(PROFILES, "clumsy", rates)
    found = set()
    for number in range(games):
        played, _ = play(PLAN._replace(longest=longest, kit=kit), number, TableFactory())
        found |= {finding.kind for finding in played.findings}
    return found


@pytest.mark.slow
def test_nothing_is_found_where_nothing_is_broken(monkeypatch: Any) -> None:
    assert verdicts(monkeypatch, ErrorRates(slide=0.2, out_of_turn=0.2, swap=0.2, illegal=0.2)) == set()


def test_a_piece_moved_out_of_turn_and_not_noticed_is_missed(monkeypatch: Any) -> None:
    broken.ignore(monkeypatch, set_down.detect_out_of_turn)
    assert "missed" in verdicts(monkeypatch, ErrorRates(out_of_turn=0.5))


def test_two_pieces_swapped_in_sight_of_the_reeds_and_nobody_asked_is_missed(monkeypatch: Any) -> None:
    monkeypatch.setattr(SwapDoubts, "_swappable_pairs", lambda self, *given, **named: set())
    assert "missed" in verdicts(monkeypatch, ErrorRates(swap=0.5))


def test_moves_that_are_never_heard_are_lost(monkeypatch: Any) -> None:
    broken.ignore_all(monkeypatch, TrackerState.SET_DOWN)
    assert verdicts(monkeypatch, ErrorRates(), games=1) == {"lost"}


def test_an_attack_that_hands_never_began_is_wrong(monkeypatch: Any) -> None:
    def eager(s: Situation) -> HandIntent | None:
        own = s.movable_pieces(s.lifted_at)
        attacks = [space for space, attack in s.steps(own[0]).items() if attack] if own else []
        return HandIntent(own[0], attacks[0]) if attacks else None

    broken.put_first(monkeypatch, TrackerState.LIFTED, eager)
    assert "wrong" in verdicts(monkeypatch, ErrorRates(put_back=0.5))


def straightened(tracker: dict[str, int], monkeypatch: Any) -> tuple[set[str], int]:
    """What is found, and what looked like an action, where people straighten two pieces all the time."""
    settings = one_game.game_bench_settings
    monkeypatch.setattr(
        one_game, "game_bench_settings", lambda plan, number: settings(plan, number)._replace(table=tracker)
    )
    monkeypatch.setitem(PROFILES, "clumsy", ErrorRates(adjust=1.0))
    reports = [play(PLAN, number, TableFactory())[0] for number in range(3)]
    kinds = {finding.kind for played in reports for finding in played.findings}
    return kinds, sum(played.counts["alike"] for played in reports)


def eager_table(monkeypatch: Any) -> None:
    """An umpire that rules on an attack as soon as both pieces are up, whoever lifted them."""

    def eager(s: Situation) -> HandIntent | None:
        pending = attacks.pending_attack_question(s)
        both = isinstance(pending, AttackPendingQuestion) and len(s.lifted_at) == 2
        return HandIntent(*pending.spaces) if pending is not None and both else None

    broken.put_first(monkeypatch, TrackerState.LIFTED, eager)


@pytest.mark.slow
def test_two_pieces_straightened_in_the_air_together_are_no_attack(monkeypatch: Any) -> None:
    """Both up, the one in reach of the other: it waits for a sign, and none comes."""
    assert straightened({}, monkeypatch) == (set(), 0)


def test_an_attack_that_nobody_completed_is_wrong(monkeypatch: Any) -> None:
    eager_table(monkeypatch)
    assert straightened({}, monkeypatch)[0] == {"wrong"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["fiddle", "probe", "withdraw"])
def test_an_attack_that_another_hand_made_is_wrong(kind: str, monkeypatch: Any) -> None:
    eager_table(monkeypatch)
    assert "wrong" in verdicts(monkeypatch, ErrorRates()._replace(**{kind: 1.0}))


def test_a_sign_that_the_mover_gave_by_mistake_is_his_own_doing(monkeypatch: Any) -> None:
    """The piece came home and went up again while the other was up: it is ruled on, excused and counted."""
    monkeypatch.setattr(hostility, "HESITATION_RATE", 1.0)
    monkeypatch.setitem(PROFILES, "clumsy", ErrorRates(withdraw=0.5))
    played, people = play(PLAN, 0, TableFactory())
    assert played.findings == ()
    assert 0 < people.judge.count["taken over"] <= played.counts["alike"]


@pytest.mark.parametrize(("who", "completed"), [("red", True), ("blue", False)])
def test_whose_hand_gave_the_sign_is_known(who: str, completed: bool) -> None:
    people = StrategoPeople(one_game.game_bench_settings(PLAN, 1), TableFactory(), "signs", ErrorRates())
    scene, doers = people.scene, people.judge.hand_attribution
    piece = scene.world.new_piece("red", "10")
    scene.run_until(scene.hands.place_from_box(piece, "c3", 0))
    scene.hands.acting_person = "red"
    scene.run_until(scene.hands.lift(piece, scene.now))
    assert not doers.has_completed_attack("red", "c3-c4")
    scene.hands.acting_person = who
    scene.run_until(scene.hands.tap_own_square(piece, "c3", scene.now))
    assert doers.has_completed_attack("red", "c3-c4") is completed
    scene.run_until(scene.hands.put(piece, "c3", scene.now))
    scene.wait(100)
    assert not doers.has_completed_attack("red", "c3-c4"), "it has come home: nothing happened"
    scene.close()


def test_the_other_hand_moving_the_movers_piece_is_not_excused(monkeypatch: Any) -> None:
    """The trace of a move is the mover's own doing only where no other hand left it."""
    people = StrategoPeople(one_game.game_bench_settings(PLAN, 1), TableFactory(), "signs", ErrorRates())
    scene, doers = people.scene, people.judge.hand_attribution
    piece = scene.world.new_piece("red", "10")
    scene.run_until(scene.hands.place_from_box(piece, "c3", 0))
    for who in ("red", "blue"):
        origin, target = ("c3", "c4") if who == "red" else ("c4", "c5")
        scene.hands.acting_person = who
        scene.run_until(scene.hands.lift(piece, scene.now))
        scene.run_until(scene.hands.put(piece, target, scene.now))
        assert doers.has_moved_alone("red", origin, target) is (who == "red")
    scene.close()


@pytest.mark.parametrize(("where", "enough"), [("unfelt", True), ("felt", False), ("in the hand", False)])
def test_that_a_piece_is_missed_is_enough_only_where_nothing_feels_it(where: str, enough: bool) -> None:
    """A piece is moved out of turn. Where a reed feels it, it has to be said that it was not its turn."""
    people = StrategoPeople(
        one_game.game_bench_settings(PLAN._replace(kit="hall"), 1), TableFactory(), "missed", ErrorRates()
    )
    scene, judge = people.scene, people.judge
    piece = scene.world.new_piece("red", "10")
    scene.run_until(scene.hands.place_from_box(piece, "c3", 0))
    judge.expected_pieces = {"c3": piece}
    judge.unruled_attempts = [AttemptedAction("red", "c3-c4", False, scene.now)]
    scene.run_until(scene.hands.lift(piece, scene.now))
    if where == "unfelt":  # between two squares, nearer to c4
        scene.run_until(scene.hands.put_between(piece, "c4", "c5", 0.4, scene.now))
    elif where == "felt":
        scene.run_until(scene.hands.put(piece, "c4", scene.now, 1.0))
    assert bool(scene.physics.sensors_closed_by(piece)) is (where == "felt")
    judge.check_message(_Told("reminder", {"code": "piece-up", "spaces": ["c3"], "text": ""}))
    assert judge.has_umpire_objected is enough
    scene.close()


@pytest.mark.parametrize(("stuck", "found"), [(True, []), (False, ["missed"])])
def test_what_no_reed_could_tell_is_not_missed(stuck: bool, found: list[str]) -> None:
    """A piece goes from c3 to where another stood: without its reed the board is felt as it was."""
    people = StrategoPeople(one_game.game_bench_settings(PLAN, 1), TableFactory(), "stuck", ErrorRates())
    judge = people.judge
    judge.expected_pieces = {"c3": Piece("red", "B", 1), "c5": Piece("blue", "9", 2)}
    judge.unruled_attempts = [AttemptedAction("red", "c3-c5", False, 0)]
    if stuck:
        judge.note_reed_failed(people.scene.world.board.spaces["c3"].slots[0].id, True)
    judge.check_violations_noticed()
    assert [each.kind for each in judge.findings] == found
    people.scene.close()


@pytest.mark.slow
def test_people_say_what_they_do_on_a_square_that_is_played_by_hand() -> None:
    """Off a square whose reed is not believed a piece that may not attack takes another's place: reeds feel
    that other one lifted and set back. It was agreed to say such things, and then it is refused."""
    played, _ = play(SoakPlan(profile="hostile", seed=2026, kit="usual"), 49, TableFactory())
    assert played.findings == ()


@pytest.mark.parametrize(("moved", "found"), [(True, ["missed"]), (False, [])])
def test_what_a_dead_reed_does_not_feel_is_no_trace_of_what_is_wrong_elsewhere(
    moved: bool, found: list[str]
) -> None:
    """A piece lies on its square, still felt, and another stands on a reed that died: nothing is felt of the
    first. Where it stands on another square that is felt, and has to be told in time."""
    people = StrategoPeople(
        one_game.game_bench_settings(PLAN._replace(kit="flat"), 1), TableFactory(), "dead", ErrorRates()
    )
    scene, judge = people.scene, people.judge
    pieces = {space: scene.world.new_piece("red", "10") for space in ("c3", "e3")}
    for space, piece in pieces.items():
        scene.run_until(scene.hands.place_from_box(piece, space, scene.now))
    judge.expected_pieces = dict(pieces)
    slot = scene.world.board.spaces["e3"].slots[0].id
    inject(scene.world, PartFault("reed-open", slot), scene.now)
    judge.note_reed_failed(slot, False)
    scene.wait(10)
    if moved:
        scene.run_until(scene.hands.slide(pieces["c3"], "d3", scene.now))
    assert scene.closed_reed_spaces() == {"d3" if moved else "c3"}
    people.mending._check_unreported(["c3"], FAULT_REPORT_MAX_US + 1)
    assert [each.kind for each in judge.findings] == found
    assert judge.count["unfelt"] == (not moved)
    scene.close()


@pytest.mark.slow
def test_an_error_that_looks_exactly_like_an_action_is_played_on_from_and_counted() -> None:
    played, _ = play(SoakPlan(), 8, TableFactory())
    assert played.findings == ()
    assert played.counts["alike"] == 1


@pytest.mark.slow
def test_players_of_any_game_set_up_and_attack_by_its_steps(monkeypatch: Any) -> None:
    """As a game from elsewhere is played: its layout says who was beaten."""
    monkeypatch.setattr(one_game, "people_of_bench", lambda given: OpenPlayers)
    reports = [play(SoakPlan(), number, TableFactory()) for number in range(4)]
    assert [played.findings for played, _ in reports] == [()] * 4
    events = [event for _, people in reports for event in told_events(people.judge)]
    assert {dict(event.data)["result"] for event in events if event.kind == "battle"} == set(BATTLE_RESULTS)


def told_events(judge: Judge) -> Iterator[Event]:
    """All that has truly happened."""
    game = GameHistory(judge.truth.start)
    return (event for action in judge.actions for event in game.push_text(*action))


@pytest.mark.slow
def test_an_attack_without_a_sign_is_wrong_in_any_game(monkeypatch: Any) -> None:
    monkeypatch.setattr(one_game, "people_of_bench", lambda given: OpenPlayers)
    eager_table(monkeypatch)
    assert straightened({}, monkeypatch)[0] == {"wrong"}


@pytest.mark.slow
def test_a_piece_that_stands_unfelt_and_an_early_reply_are_no_attack(monkeypatch: Any) -> None:
    monkeypatch.setitem(PROFILES, "clumsy", ErrorRates(early=0.6, between=0.6))
    for number in (2, 4, 9):
        played, _ = play(PLAN._replace(longest=40), number, TableFactory())
        assert played.findings == ()


@pytest.mark.slow
def test_a_move_ruled_before_the_piece_rests_is_wrong(monkeypatch: Any) -> None:
    settings = one_game.game_bench_settings

    def hasty(plan: SoakPlan, number: int) -> Any:
        return settings(plan, number)._replace(table={"settle_ms": 60, "slide_ms": 60})

    monkeypatch.setattr(one_game, "game_bench_settings", hasty)
    assert "wrong" in verdicts(monkeypatch, ErrorRates(slide=1.0), games=6)
    assert "wrong" in verdicts(monkeypatch, ErrorRates(slide=1.0, early=0.5), games=6)


# Who pushes, and who talks


@pytest.mark.slow
def test_a_piece_that_another_hand_pushed_and_that_counts_as_the_movers_is_wrong(monkeypatch: Any) -> None:
    monkeypatch.setattr(BoardState, "_notice_push", lambda self, *given: None)
    assert "wrong" in verdicts(monkeypatch, ErrorRates(push=1.0), games=6, kit="far")


@pytest.mark.slow
def test_a_second_own_piece_taken_for_the_first_is_wrong(monkeypatch: Any) -> None:
    monkeypatch.setattr(BoardState, "_notice_push", lambda self, *given: None)
    assert "wrong" in verdicts(monkeypatch, ErrorRates(second=1.0), games=2, longest=60, kit="far")


@pytest.mark.slow
def test_a_piece_pushed_where_a_chore_is_and_not_asked_about_is_missed(monkeypatch: Any) -> None:
    monkeypatch.setattr(Corrections, "note_departure", lambda self, *given: None)
    monkeypatch.setattr(pushers, "HOLD_STILL_RATE", 1.0)
    assert "missed" in verdicts(monkeypatch, ErrorRates(push_chore=1.0), games=6, longest=60)


@pytest.mark.slow
def test_a_sign_that_a_word_takes_away_is_lost(monkeypatch: Any) -> None:
    monkeypatch.setattr(BoardState, "_retained_signed_attack", lambda self, position: None)
    assert "lost" in verdicts(monkeypatch, ErrorRates(words=1.0), games=6)


@pytest.mark.parametrize(("tamper", "verdict"), [("shorter", "lost"), ("other", "wrong")])
def test_a_record_that_tells_another_game_is_found(monkeypatch: Any, tamper: str, verdict: str) -> None:
    init = Table.__init__

    def tampered(self: Table, *given: Any, **named: Any) -> None:
        init(self, *given, **named)
        record = self.export_record

        def told() -> str:
            lines = record().splitlines(keepends=True)
            places = [
                at for at, line in enumerate(lines) if "-" in line and line.startswith(("red ", "blue "))
            ]
            last = places[-2]
            moved = [lines[last + 1], lines[last]] if tamper == "other" else []
            return "".join(lines[:last] + moved + lines[last + (2 if moved else 1) :])

        self.export_record = told

    monkeypatch.setattr(Table, "__init__", tampered)
    assert verdicts(monkeypatch, ErrorRates(), games=1) == {verdict}


def test_people_are_the_same_for_the_same_seed_and_others_for_another() -> None:
    def script(seed: str) -> str:
        people = StrategoPeople(
            one_game.game_bench_settings(PLAN, 1), TableFactory(), seed, PROFILES["clumsy"], longest=8
        )
        people.play()
        people.scene.close()
        return people.scene.script()

    assert script("a") == script("a")
    assert script("a") != script("b")


@pytest.mark.slow
def test_an_error_that_is_left_out_changes_nothing_before_it() -> None:
    plan = PLAN._replace(profile="wild")
    played, people = play(plan, 3, TableFactory())
    last = played.made_errors[-1]
    again, others = play(plan, 3, TableFactory(), without=[last])
    assert last not in again.made_errors
    moment = next(at for at, line in people.scene.lines if line.startswith(f"# turn {last.turn}:"))
    before = [line for line in people.scene.lines if line[0] < moment]
    assert others.scene.lines[: len(before)] == before
