"""What people are told to do with pieces is true of the pieces that stand there."""

from __future__ import annotations

import json
from typing import Any

from boardrules import registry
from boardrules.core import State
from boardsim.bench.bench import Bench as SimBench
from boardsim.bench.bench import BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardumpire.messages import disclosure
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.ruling.umpire import judge_action
from boardumpire.tracking.events import BoardFault
from boardware.ports import SECOND
from tracking.test_tracker import BLUE, RED, Bench


def chores(bench: Bench) -> list[str]:
    texts: list[str] = disclosure.corrections_message(0, bench.tracker.guidance().corrections).data["text"]
    return texts


def faults(bench: Bench) -> list[str]:
    return [
        disclosure.fault_message(0, told).data["text"]
        for told in bench.values()
        if isinstance(told, BoardFault)
    ]


def test_a_piece_is_called_beaten_where_it_lost_a_battle_and_only_while_it_is_that_piece() -> None:
    won = {space: seat for space, seat in (RED | BLUE).items() if space != "b1"} | {"b3": "red"}
    bench = Bench().lift("b1").wait(400).lift("b3").wait(90).place("b3").wait(350)
    bench.tracker.answer_question(True, bench.now)
    bench.rule(won, ("b1", "b3"), exchange="b3")
    assert chores(bench) == ["Check that the winner of the battle is on b3, and lift it once."]
    bench.lift("b3").wait(0)
    assert chores(bench) == ["Put a piece on b3 (Red)."]
    bench.tracker.note_identity("b3", None, bench.now)
    bench.place("b3").wait(0)
    bench.tracker.note_identity("b3", "a3", bench.now)
    bench.wait(10_000)
    assert chores(bench) == ["Clear b3, then put the right piece there (Red)."]


def test_a_piece_whose_lift_is_not_felt_is_told_from_the_others_by_where_it_stood() -> None:
    """It was said that it goes there, and hands have yet to carry it: where it stood nothing is lit."""
    moved = {space: seat for space, seat in (RED | BLUE).items() if space != "a1"} | {"a2": "red"}
    bench = Bench()
    bench.position = bench.position._replace(hand_played_places=frozenset({"a1"}))
    bench.tracker.begin_layout(bench.position, bench.felt, 0)
    after = bench.position._replace(owners=moved, seats_to_move=frozenset({"blue"}))
    bench.tracker.begin_layout(after, bench.felt, 0, hands=("a1", "a2"))
    assert chores(bench) == ["Put the piece from a1 on a2."]
    bench.tracker.begin_layout(after._replace(is_waiting_for_answer=True), bench.felt, 0, hands=())
    assert chores(bench) == ["Put the piece from a1 on a2."], "something was only said"
    bench.place("a2").wait(0)
    assert chores(bench) == []


def test_pieces_that_were_swapped_are_not_called_beaten() -> None:
    bench = Bench().lift("a1").lift("b1").wait(500).place("b1").place("a1").wait(350)
    bench.tracker.answer_question(False, bench.now)
    assert chores(bench) == [
        "Clear a1, then put the right piece there (Red).",
        "Clear b1, then put the right piece there (Red).",
    ]


def test_a_piece_that_belongs_nowhere_is_taken_off() -> None:
    bench = Bench().place("b2").wait(5_000)
    assert faults(bench) == ["There is one piece too many, on b2."]
    assert chores(bench) == ["Take the piece off b2: there should be none."]


def test_every_square_with_a_piece_too_many_is_named() -> None:
    bench = Bench().place("b2").wait(400).place("c2").wait(6_000)
    assert faults(bench) == ["There are too many pieces: one extra on each of b2 c2."]


def test_only_what_one_seat_alone_hears_is_called_so() -> None:
    """A reason that everybody hears is nobody's own; the messages stay of one size."""
    game = begun()
    public = private_refusal(game, "a2-b3")
    assert {seat: data["alone"] for seat, data in public.items()} == {"red": False, "blue": False}
    secret = private_refusal(game, "a2-b2")  # a Bomb
    assert {seat: data["alone"] for seat, data in secret.items()} == {"red": True, "blue": False}
    for told in (public, secret):
        assert len({len(json.dumps(data)) for data in told.values()}) == 1


def test_two_pieces_that_may_not_fight_are_told_the_rules_own_reason_alike_for_all_ranks() -> None:
    """A Miner and a Bomb are held against a piece aslant of them: everybody hears the same."""
    told = set()
    for rank, other in (("3", "B"), ("B", "3")):
        messages: list[SeatMessage] = []
        bench = SimBench(BenchSettings(seed=1, bounce=False), TableFactory(), told=messages.append)
        bench.start()
        bench.set_up("red", f"setup a1=F b1={other} a2=B c3=S d3={rank} e2=3 a3=2 g3=2 e3=10 h3=9")
        bench.set_up("blue", "setup a8=F b8=B a7=B c6=S d6=3 e7=3 b6=2 h6=2 e6=10 g6=9")
        bench.run_until(bench.hands.lift("d3", bench.now))
        bench.run_until(bench.hands.lift("e6", bench.now))
        bench.wait(3 * SECOND)
        told.add(json.dumps([(each.at, each.data) for each in messages if each.kind == "fault"]))
        bench.close()
    (only,) = told
    assert "no-attack" in only
    assert "Neither" not in only


def private_refusal(game: State, text: str) -> dict[str, dict[str, Any]]:
    """What each seat is told in private when red tries that."""
    ruling = judge_action(game, game.parse(text, "red"))
    assert ruling.refusal is not None
    return {
        message.seat: message.data
        for message in disclosure.refused_messages(0, ruling, ("red", "blue"))
        if message.seat is not None
    }


def begun() -> State:
    """A Quick Duel with both armies set up."""
    state = registry.new("stratego-quick-duel", {})
    for seat, pieces in (
        ("red", "a1=F b1=B a2=B c3=S d3=3 e2=3 a3=2 g3=2 e3=10 h3=9"),
        ("blue", "a8=F b8=B a7=B c6=S d6=3 e7=3 b6=2 h6=2 e6=10 g6=9"),
    ):
        state, _ = state.apply(state.parse(f"setup {pieces}", seat))
    return state
