"""How a game ends (F11, F21, F22, G25, G26), and what is said about it."""

from __future__ import annotations

import pytest

from boardrules.core import CLOCK
from boardrules.fuhrer.play import FuhrerState
from boardrules.history import GameHistory
from rules.fuhrer.positions import begin, drive, events, kinds, line, new, rest, texts, why
from rules.ids import rule


@rule("F11", "X11", "G4", "T13", "T14")
def test_infantry_that_ends_its_turn_on_him_wins_moved_or_not() -> None:
    state = line(begin("berlin", "emden", "linz", "linz"), "stay; roll 1; stay; done")
    assert why(state, "stay", "allies") == ("roll-first", "G21")  # T14: it must roll, and may use none of it
    last = line(state, "roll 3")
    told = events(last, "stay")
    assert told == [
        {"kind": "stayed", "piece": "infantry"},
        {"kind": "captured", "at": "linz"},
        {"kind": "sheet", "start": "linz", "entries": "linz"},
        {"kind": "over", "winner": "allies", "reason": "capture"},
    ]
    found = line(last, "stay")
    assert found.outcome == ("allies", "capture")
    assert found.facts.round == 1  # the calendar does not advance
    assert line(last, "linz-munich").outcome is None  # G4: only where it ends
    moved = begin("berlin", "emden", "passau", "linz")
    assert rest(moved, infantry="linz").outcome == ("allies", "capture")
    passing = begin("berlin", "emden", "passau", "linz")
    assert rest(passing, infantry="salzburg").outcome is None


@rule("G2", "G3", "T13")
def test_he_may_pass_and_enter_infantrys_city() -> None:
    state = rest(begin("berlin", "emden", "passau", "linz"))
    assert line(state, "go regensburg").outcome is None
    onto = line(state, "go passau")
    assert rest(onto, infantry="linz").outcome is None
    assert rest(onto).outcome == ("allies", "capture")


@rule("F21", "F22", "X21", "T15")
def test_after_infantrys_turn_of_round_24_hitler_has_won() -> None:
    state = rest(begin("kiel", "emden", "rostock", "linz"))
    assert state.view(None).json()["month"] == 1
    for number in range(2, 24):
        assert state.facts.round == number
        assert state.view(None).json()["month"] == (number + 1) // 2
        state = drive(state, "go linz")
    last = line(state, "go linz; stay; roll 1; stay; done; roll 1")
    assert (last.facts.round, last.outcome) == (24, None)
    assert kinds(last, "stay") == ["stayed", "sheet", "over"]
    over = line(last, "stay")
    assert over.outcome == ("hitler", "escaped")
    assert over.seats_to_act() == ()
    assert len(over.truth()["sheet"]["entries"]) == 24
    assert why(over, "go linz", "hitler") == ("over", "F22")


@rule("F22", "F11")
def test_capture_comes_before_the_end_of_round_24() -> None:
    state = rest(begin("kiel", "emden", "rostock", "linz"))
    for _ in range(2, 24):
        state = drive(state, "go linz")
    at_last = line(state, "go linz; stay; roll 1; stay; done; roll 1")
    assert line(at_last, "stay").outcome == ("hitler", "escaped")
    near = rest(begin("kiel", "emden", "passau", "linz"))
    for _ in range(2, 24):
        near = drive(near, "go linz")
    assert rest(line(near, "go linz"), infantry="linz").outcome == ("allies", "capture")


@rule("first_round", "F22")
def test_with_hitler_too_there_are_24_entries_beside_the_start() -> None:
    state = begin("kiel", "emden", "rostock", "linz", first_round="hitler_too")
    for _ in range(24):
        state = drive(state, "go linz")
    assert state.outcome == ("hitler", "escaped")
    assert len(state.truth()["sheet"]["entries"]) == 24


@rule("G25")
def test_the_sheet_is_shown_whole_at_the_end_and_not_before() -> None:
    state = drive(rest(begin("kiel", "emden", "rostock", "linz")), "go passau")
    assert "sheet" not in state.view("allies").json()
    assert "sheet" not in state.view(None).json()
    over, told = state.apply(state.parse("resign", "hitler"))
    assert told[1].json() == {"kind": "sheet", "start": "linz", "entries": "linz passau"}
    assert over.view("allies").json()["sheet"]["entries"] == ["linz", "passau"]


@rule("G26")
@pytest.mark.parametrize(("seat", "winner"), [("hitler", "allies"), ("spy", "hitler"), ("tank", "hitler")])
def test_a_side_may_resign_at_any_time(seat: str, winner: str) -> None:
    for state in (
        new(players=4),
        begin("kiel", "emden", "rostock", "linz", players=4),
        line(begin("kiel", "emden", "rostock", "linz", players=4), "roll"),
    ):
        over, told = state.apply(state.parse("resign", seat))
        assert over.outcome == (winner, "resignation")
        assert told[0].json() == {"kind": "resign", "seat": seat}
        sheets = [event for event in told if event.kind == "sheet"]
        assert [bool(dict(sheet.data)["entries"]) for sheet in sheets] in ([], [True])  # G25
        assert over.table_actions("hitler") == ()


@rule("H2")
def test_a_clock_that_runs_out_loses() -> None:
    state = rest(begin("kiel", "emden", "rostock", "linz", players=3))
    for loser, winner in (("hitler", "allies"), ("infantry", "hitler"), ("tank-spy", "hitler")):
        over, told = state.apply(state.parse(f"time {loser}", CLOCK))
        assert over.outcome == (winner, "time")
        assert told[0].json() == {"kind": "time", "seat": loser}


def fold(state: FuhrerState) -> GameHistory:
    return GameHistory(state)


@rule("H1")
def test_a_take_back_follows_the_fold() -> None:
    game = fold(new(players=4))
    for seat, text in (
        ("tank", "tank berlin"), ("spy", "spy ulm"), ("infantry", "infantry kiel"), ("hitler", "hide linz"),
        ("tank", "roll"), ("chance", "roll 2"),
    ):  # fmt: skip
        game.push_text(seat, text)
    before = game.state
    game.push_text("tank", "berlin-leipzig")
    assert "ask-take-back" in {str(say) for say in game.state.table_actions("tank")}
    game.push_text("tank", "ask-take-back")
    assert game.state.table_actions("spy") == (game.state.parse("resign", "spy"),)  # its own side
    assert why(game.state, "agree-take-back", "spy") == ("own-offer", "H1")  # type: ignore[arg-type]
    assert why(game.state, "ask-take-back", "tank") == ("offer-open", "H1")  # type: ignore[arg-type]
    declined, told = game.state.apply(game.state.parse("decline-take-back", "hitler"))
    assert told[0].json() == {"kind": "decline", "seat": "hitler", "thing": "take-back"}
    assert declined.table_actions("hitler") == (declined.parse("resign", "hitler"),)
    game.push_text("hitler", "agree-take-back")
    assert game.state == before
    game.push_text("tank", "berlin-cottbus")
    game.push_text("chance", "roll 1")
    assert why(game.state, "ask-take-back", "tank") == ("nothing-to-take-back", "H1")  # type: ignore[arg-type]
    assert why(game.state, "agree-take-back", "hitler") == ("no-offer", "H1")  # type: ignore[arg-type]


@rule("H1")
def test_what_was_told_cannot_be_taken_back() -> None:
    state = rest(begin("kiel", "emden", "rostock", "bonn"))
    assert "ask-take-back" in {str(say) for say in line(state, "go bonn").table_actions("hitler")}
    assert why(line(state, "go flensburg ticket"), "ask-take-back", "hitler")[1] == "H1"
    spy = line(begin("kiel", "emden", "rostock", "bonn"), "stay; roll 1; stay")
    assert "ask-take-back" in {str(say) for say in spy.table_actions("allies")}
    assert why(line(spy, "ask emden"), "ask-take-back", "allies")[1] == "H1"
    assert "stay" in texts(line(spy, "done; roll 1"))
    assert why(state, "ask-take-back", "allies")[1] == "H1"  # Infantry has arrived: that was an answer
    offered = line(spy, "ask emden")
    assert offered.facts.offering_seat is None
