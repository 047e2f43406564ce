"""Escape from Colditz on its board: what hands mean, what lamps show, what is asked and led back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

import pytest

from boardrules.colditz.games import Colditz
from boardsim.bench.bench import BARE, PICO
from boardsim.people.pawn_players import PawnPlace
from boardumpire.commands.table_factory import TableFactory
from boardumpire.errors import SeatError
from boardumpire.lamps import view_marks
from boardumpire.makers.calibrate import Calibration
from boardumpire.makers.doctor import Doctor
from boardumpire.makers.traces import replaying, trace
from boardware.description import load_board
from colditz.evening import BOARD, Evening


@pytest.fixture
def game() -> Iterator[Evening]:
    """Three players; the first officer has thrown."""
    evening = Evening(3)
    evening.begin()
    evening.deployed()
    evening.rolled()
    yield evening
    evening.scene.close()


def two_ways(game: Evening) -> tuple[str, str, str]:
    """Two circles with men of whoever is to move, and one that both may go to."""
    (seat,) = game.state.seats_to_act()
    carries = game.carry_actions(seat)
    for origin, target in sorted(carries):
        for other, same in sorted(carries):
            if other != origin and same == target and not game.occupied(target):
                return origin, other, target
    raise AssertionError("expected two men who can go to one circle")


def test_pawns_are_set_up_and_nobody_asks_which_is_which(game: Evening) -> None:
    assert game.told("question") == []
    assert game.told("fault") == []
    assert game.table.guidance.corrections == ()


def test_points_are_shared_among_pawns_and_the_lamps_tell_where_each_may_go(game: Evening) -> None:
    (seat,) = game.state.seats_to_act()
    points = game.state.view(None).json()["points"]
    spent = 0
    for _ in range(2):
        (origin, target), action = min(game.carry_actions(seat).items(), key=lambda each: str(each[1]))
        pawn = game.pawn_at(PawnPlace(origin, seat))
        assert pawn is not None
        game.lift(pawn)
        game.scene.wait(100)
        hints = {step.target for step in game.state.steps() if step.origin == origin}
        assert game.scene.lamps_with_mark("lifted") == {origin}
        assert game.scene.lamps_with_mark("may-go") | game.scene.lamps_with_mark("may-attack") == hints
        assert target in hints
        game.judge.do_action(action)
        game.put(pawn, target)
        game.settle()
        left = game.state.view(None).json()["points"]
        assert left < points - spent
        assert game.scene.lamps_with_mark("die") == {f"round-{number}" for number in range(1, left + 1)}
        spent = points - left
        if not left:
            break
    assert game.judge.findings == []


def test_two_men_lifted_at_once_are_told_apart_by_asking(game: Evening) -> None:
    (seat,) = game.state.seats_to_act()
    origin, other, target = two_ways(game)
    one, two = game.pawn_at(PawnPlace(origin, seat)), game.pawn_at(PawnPlace(other, seat))
    assert one is not None
    assert two is not None
    game.lift(one)
    game.lift(two)
    game.put(two, target)
    game.scene.wait(1500)
    (asked,) = game.told("question")
    assert asked["code"] == "that-piece"
    assert asked["seat"] == seat
    assert {asked["spaces"][0], asked["spaces"][2]} == {origin, other}
    mine = f"{other}-{target}"
    game.judge.do_action(game.state.parse(mine, seat))
    game.scene.say(seat, "yes" if asked["spaces"][0] == other else "no")
    game.put(one, origin)
    game.settle()
    assert game.judge.findings == []
    assert game.told("ruling")[-1]["action"] == mine


def test_men_who_trade_places_have_not_moved(game: Evening) -> None:
    (seat,) = game.state.seats_to_act()
    origin, other, _ = two_ways(game)
    one, two = game.pawn_at(PawnPlace(origin, seat)), game.pawn_at(PawnPlace(other, seat))
    assert one is not None
    assert two is not None
    rulings = len(game.told("ruling"))
    game.lift(one)
    game.lift(two)
    game.put(one, other)
    game.put(two, origin)
    game.scene.wait(30_000)
    assert len(game.told("ruling")) == rulings
    assert game.told("question") == []
    assert game.table.guidance.corrections == ()


def test_the_next_pawn_may_be_lifted_before_the_last_move_was_ruled_on(game: Evening) -> None:
    (seat,) = game.state.seats_to_act()
    (origin, target), action = min(game.carry_actions(seat).items(), key=lambda each: str(each[1]))
    other = next(start for start, _ in sorted(game.carry_actions(seat)) if start not in (origin, target))
    one, two = game.pawn_at(PawnPlace(origin, seat)), game.pawn_at(PawnPlace(other, seat))
    assert one is not None
    assert two is not None
    game.judge.do_action(action)
    game.lift(one)
    game.put(one, target)
    game.lift(two)
    game.scene.wait(600)
    assert game.told("ruling")[-1]["action"] == str(action)
    assert game.table.guidance.corrections == (), "the second is in play"
    assert game.scene.lamps_with_mark("lifted") == {other}
    game.put(two, other)
    game.settle()
    assert game.judge.findings == []


def test_what_was_set_back_after_the_turn_is_led_to_where_it_belongs(game: Evening) -> None:
    (seat,) = game.state.seats_to_act()
    (origin, target), action = min(game.carry_actions(seat).items(), key=lambda each: str(each[1]))
    game.acts(action)
    game.does("end")
    pawn = game.pawn_at(PawnPlace(target, seat))
    assert pawn is not None
    game.lift(pawn)
    game.put(pawn, origin)
    game.scene.wait(1000)
    assert [fault["code"] for fault in game.told("fault")] == ["not-your-turn"], "no take-backs here"
    game.settle()
    assert game.judge.findings == []
    assert game.pawn_at(PawnPlace(target, seat)) is not None


def test_an_arrest_leads_man_and_guard_to_their_places() -> None:
    """A man walks onto a guard (R088): he goes to Solitary, the guard to the office, by chores."""
    game = Evening(5, options={"players": 2})
    game.begin()
    game.deployed()
    for _ in range(400):
        (seat,) = game.state.seats_to_act()
        meets = [a for a in game.carry_actions(seat).values() if seat != "security" and _meets(game, a)]
        if meets:
            break
        words = [str(action) for action in game.state.legal_actions(seat)]
        guards = [step for step in game.state.steps() if seat != "security"]
        nearer = _nearer(game, seat) if guards else None
        game.does(nearer or next(w for w in ("roll", "stay", "skip", "pass", "obey", "end") if w in words))
    else:
        raise AssertionError("expected to reach a guard")
    game.acts(meets[0])
    belongs = game.expected_pawns()
    assert belongs[PawnPlace("innercells", seat)] + belongs[PawnPlace("outercells", seat)] == 1
    assert belongs[PawnPlace("office", "security")] == 1
    assert not game.misplaced()
    led = {(chore["do"], chore["space"]) for told in game.told("chores") for chore in told["chores"]}
    assert ("put", "office") in led
    assert led & {("put", "innercells"), ("put", "outercells")}
    game.scene.close()


def _meets(game: Evening, action: object) -> bool:
    origin, _, target = str(action).partition("-")
    return target in {at.space for at in game.stands().values() if at.seat == "security"} and origin != target


def _nearer(game: Evening, seat: str) -> str | None:
    """The carrying of a man that ends nearest to a guard inside."""
    facts = game.state.facts  # type: ignore[attr-defined]
    grid = facts.rules.board
    guards = [node for node in facts.node_by_pawn[: facts.rules.guard_count] if node < grid.circle_count]
    ways = [grid.distances_from_node(guard) for guard in guards]
    best = min(
        (
            (min(away[grid.node_by_name[target]] for away in ways), f"{origin}-{target}")
            for origin, target in game.carry_actions(seat)
            if target in grid.node_by_name and grid.node_by_name[target] < grid.circle_count
        ),
        default=None,
    )
    return best[1] if best and str(best[1]) in map(str, game.carry_actions(seat).values()) else None


def lit_by(view: dict[str, Any], lamps: Collection[str] = ()) -> dict[str, str]:
    return view_marks.view_marks("escape-from-colditz", view, lamps)


def test_the_round_track_counts_down_and_turns_and_markers_are_lit() -> None:
    view = Colditz().new({"rounds": 5}).view(None).json()
    marks = lit_by({**view, "round": 3, "to_act": ["british"], "turn": "american"})
    track = {lamp: mark for lamp, mark in marks.items() if lamp.startswith("round-")}
    assert track == {"round-4": "past", "round-5": "past", "round-3": "now"}
    short = {f"round-{number}" for number in range(1, 5)}
    for now, lit in ((6, {4: "now"}), (5, {4: "now"}), (4, {4: "now"}), (3, {4: "past", 3: "now"})):
        shown = lit_by({**view, "rounds": 10**9, "round": now}, short)
        assert {lamp: mark for lamp, mark in shown.items() if lamp.startswith("round-")} == {
            f"round-{number}": mark for number, mark in lit.items()
        }, "a track that is too short begins where it can"
    points = lit_by({**view, "round": 3, "points": 4})
    assert {lamp: mark for lamp, mark in points.items() if lamp.startswith("round-")} == {
        "round-1": "die", "round-2": "die", "round-3": "now", "round-4": "die", "round-5": "past",
    }, "the points left, from the end of the track; the round that is played is one of them"  # fmt: skip
    assert marks["turn-american"] == "to-move"
    assert marks["turn-british"] == "asks"
    double = {**view, "to_act": ["british"], "turn": "british", "open": {"what": "again", "throws": [[2, 2]]}}
    assert lit_by(double)["turn-british"] == "asks", "a double: once more?"
    lit = lit_by({**view, "flags": ["c1", "o2"], "detected": ["c9"]})
    assert lit["c1"] == lit["o2"] == "way-out"
    assert lit["c9"] == "detected"


@pytest.mark.slow
def test_on_the_firmware_of_five_picos() -> None:
    game = Evening(1, driver=PICO)
    game.begin()
    game.acts(min(game.carry_actions("security").values(), key=str))
    assert game.told("ruling")[-1]["ok"]
    game.scene.close()


class Traced:
    """A factory whose tables are traced, with whatever dice."""

    def __init__(self, factory: TableFactory, line: Callable[[str], object]) -> None:
        self._factory, self._line = factory, line

    def with_dice(self, dice: Any) -> TableFactory:
        return self._factory.with_dice(dice).traced(lambda: self._line, BARE)


def test_with_real_dice_the_umpire_deals_what_nobody_else_may_see_and_the_trace_replays() -> None:
    lines: list[str] = []
    game = Evening(
        2,
        table={"dice": "real"},
        factory=lambda factory: Traced(factory, lines.append),
        options={"players": 2},
    )
    game.begin()
    assert len([data for data in game.told("ruling") if data["seat"] == "chance"]) == 2, "dealt"
    game.deployed()
    seat = game.state.seats_to_act()[0]
    game.judge.do_action(game.state.parse("roll", seat))
    game.scene.say(seat, "roll")
    game.scene.wait(300)
    shown = game.table.choices(seat)["throws"]
    assert len(shown) == 21
    assert all(text.startswith("dice ") for text in shown), "never what is in the decks"
    other = next(each for each in game.state.seats if each != seat)
    assert "throws" not in game.table.choices(other)
    with pytest.raises(SeatError, match="Somebody else has to enter that roll"):
        game.table.say(other, "dice 3 4", game.scene.now)
    game.scene.say(seat, "dice 3 4")
    game.scene.wait(300)
    assert game.told("ruling")[-1]["action"] == "dice 3 4"
    game.scene.close()
    written = "".join(lines)
    assert written.count("\nthrown ") == 2
    assert replaying.first_difference(written, replaying.replay(trace.parse(written, "evening"))) is None


def test_doctor_and_calibrate_take_the_board_though_its_cells_have_several_slots() -> None:
    for tool in (Doctor, Calibration):
        assert tool(load_board(BOARD))
