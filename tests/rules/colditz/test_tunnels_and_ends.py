"""Tunnels, escapes, ends of the game and variants: R130 to R152, G1 to G21, `do_or_die`."""

from __future__ import annotations

from typing import Any

import pytest

from boardrules.colditz.games import Colditz
from boardrules.colditz.state.facts import BEFORE_ROLL
from boardrules.core import OptionError
from rules.colditz.scene import after, at, kinds, rolled, scene, told, turn_of, why
from rules.ids import rule

CARD = {"american": "tunnel-chapel"}


@rule("R130", "R131", "R132", "R133", "A16", "G2")
def test_opening_a_tunnel() -> None:
    state = scene(american="chapel4 chapel1 c9", british="chapel2", hands=CARD, points=5)
    state = after(state, "american play tunnel-chapel")
    assert state.facts.table.tunnels == (1, 0, 0)
    state = after(
        state, "american chapel4-chapel/1", "american chapel/1-chapel/3", "american chapel1-chapel/1"
    )
    state = after(state, "american chapel/1-chapel/2", "american end")
    assert state.facts.table.tunnels == (1, 0, 0)
    state = after(rolled(state, "3 4"), "british chapel2-chapel4")
    state = after(state, "british chapel4-chapel/1")  # open to everybody
    assert at(after(state, "british end"), "british") == ["chapel/1"]
    twice = scene(american="c1", hands=CARD, tunnels={"chapel": 1})
    assert why(twice, "american play tunnel-chapel") == "card-target"


@rule("R065", "A16", "R130")
def test_a_tunnel_opens_before_the_roll_too() -> None:
    state = scene(phase=BEFORE_ROLL, american="chapel4 chapel1", hands=CARD)
    state = rolled(after(state, "american play tunnel-chapel"), "3 4")
    state = after(state, "american chapel4-chapel/1", "american chapel/1-chapel/2")
    both = after(state, "american chapel1-chapel/1", "american end")
    assert both.facts.table.tunnels == (1, 0, 0)
    assert after(state, "american end").facts.table.tunnels == (0, 0, 0)  # one man is too few


@rule("R132", "G2")
def test_in_at_the_entrance_and_out_at_the_exit() -> None:
    state = scene(american="chapel/1 chapel/6", tunnels={"chapel": 1}, points=9)
    assert why(state, "american chapel/1-chapel4") == "no-way"
    state = after(state, "american chapel/6-n4")
    assert at(state, "american") == ["chapel/1", "n4"]
    assert why(state, "american n4-chapel/6") == "no-way"


@rule("G3")
def test_who_finds_the_exit_blocked_waits() -> None:
    state = scene(american="chapel/6 chapel/5", british="n4 n26 n6", tunnels={"chapel": 1}, points=9)
    assert why(state, "american chapel/6-n4") == "occupied"
    assert at(after(state, "american end"), "american") == ["chapel/5", "chapel/6"]


@rule("R135", "R130", "A16", "G4")
def test_a_tunnel_with_fewer_than_two_men_falls_in() -> None:
    state = after(
        scene(american="chapel4", hands=CARD), "american play tunnel-chapel", "american chapel4-chapel/1"
    )
    state, events = told(state, "american end")
    assert (at(state, "american"), state.facts.table.tunnels) == (["innercells"], (0, 0, 0))
    assert "collapse" in kinds(events)
    left = scene(american="chapel/6 chapel/3", tunnels={"chapel": 1})
    state = after(left, "american chapel/6-n4", "american end")
    assert at(state, "american") == ["innercells", "n4"]
    both = scene(american="chapel/6", british="chapel/5", tunnels={"chapel": 1})
    assert after(both, "american end").facts.table.tunnels == (1, 0, 0)  # of different nations
    assert why(scene(american="chapel4"), "american chapel4-chapel/1") == "tunnel-closed"
    card = after(scene(american="c1", hands=CARD), "american play tunnel-chapel", "american end")
    assert card.facts.table.tunnels == (0, 0, 0)


@rule("R135", "R134", "G5")
def test_a_guard_inside_goes_to_the_office_and_nothing_is_confiscated() -> None:
    state = scene("security", american="chapel/2 chapel/3", security="chapel/5", tunnels={"chapel": 2},
                  gear={"american": "rope"})  # fmt: skip
    state = after(
        state, "security chapel/5-chapel/4", "security chapel/4-chapel/3", "american surrender rope"
    )
    assert at(state, "american") == ["chapel/2", "outercells"]
    state = after(state, "security end")
    assert at(state, "american") == ["innercells", "outercells"]
    assert state.facts.table.tunnels == (0, 0, 0)
    held = scene(american="chapel/2", security="chapel/5", tunnels={"chapel": 2}, gear={"american": "rope"})
    held = after(held, "american end")
    assert (at(held, "security"), held.facts.table.equipment_counts[1], turn_of(held)) == (
        ["office"],
        1,
        "british",
    )
    assert held.seats_to_act() == ("british",)


@rule("R134", "A17", "tunnel_arrest", "R116")
def test_guards_in_a_detected_tunnel() -> None:
    undetected = scene("security", security="n26", american="chapel/6", tunnels={"chapel": 1})
    assert why(undetected, "security n26-chapel/6") == "tunnel-undetected"
    detected = scene(
        "security", security="n26 c2", american="chapel/6 chapel/5", tunnels={"chapel": 2}, points=9
    )
    assert at(after(detected, "security n26-chapel/6"), "security") == ["c2", "office"]
    assert why(detected, "security c2-chapel4") is None  # its room is open to guards
    entrance = {"tunnel_arrest": "entrance_only"}
    state = scene(
        "security", security="n26 c2", american="chapel/6 chapel/5", tunnels={"chapel": 2}, options=entrance
    )
    assert why(state, "security n26-chapel/6") == "no-way"
    state = after(state, "security c2-chapel4", "security chapel4-chapel/1", "security chapel/1-chapel/2")
    back = after(state, "security chapel/2-chapel1")  # to the entrance first
    assert back.facts.points == state.facts.points - 2
    stays = after(detected, "security c2-chapel4", "security chapel4-chapel/1", "security end")
    assert at(stays, "security") == ["chapel/1", "n26"]
    climbs = scene("security", security="chapel/5", american="chapel/1 chapel/2", tunnels={"chapel": 2})
    assert why(climbs, "security chapel/5-n27") is None


@rule("R135", "R053")
def test_who_is_buried_while_the_inner_cells_are_full_goes_to_the_outer_ones() -> None:
    inner = "innercells " * 6
    state = scene(american=f"{inner}", british=inner, dutch="chapel/2", tunnels={"chapel": 1},
                  options={"players": 4})  # fmt: skip
    assert at(after(state, "american end"), "dutch") == ["outercells"]
    assert at(after(state, "american end"), "american") == ["innercells"] * 6


@rule("tunnel_arrest", "R134", "A17")
def test_where_guards_leave_a_detected_tunnel() -> None:
    where = {"security": "chapel/5 chapel/1", "american": "chapel/3 chapel/4"}
    for option, points in (("any_circle", 1), ("entrance_only", 3)):  # by the exit, and on above
        state = scene("security", tunnels={"chapel": 2}, options={"tunnel_arrest": option}, points=5, **where)
        assert after(state, "security chapel/5-n27").facts.points == 5 - points, option
        at_exit = after(state, "security chapel/5-chapel/6")
        assert after(at_exit, "security chapel/6-n4").facts.points == 3, option
        assert why(state, "security chapel/1-chapel4") is None  # at the entrance


@rule("R134")
def test_tunnel_detected_names_an_open_tunnel() -> None:
    state = scene("security", hands={"security": "tunnel-detected"}, tunnels={"canteen": 1})
    assert why(state, "security play tunnel-detected chapel") == "card-target"
    assert after(state, "security play tunnel-detected canteen").facts.table.tunnels == (0, 2, 0)


@rule("G6")
def test_two_tunnels_are_looked_at_one_by_one() -> None:
    state = scene(american="chapel/1 chapel/2 canteen/1", tunnels={"chapel": 1, "canteen": 1})
    state = after(state, "american end")
    assert state.facts.table.tunnels == (1, 0, 0)
    assert at(state, "american") == ["chapel/1", "chapel/2", "innercells"]


# Escapes


@rule("R140", "R141", "R142", "A13", "A14")
def test_an_escape_uses_up_a_kit() -> None:
    assert why(scene(american="b1"), "american b1-t1") == "no-kit"
    state, events = told(scene(american="b2", kits="american", points=9), "american b2-t1")
    assert at(state, "american") == ["away"]
    assert state.facts.table.escape_counts == (0, 1, 0)
    assert (state.facts.table.has_kit[1], state.facts.table.kits_left) == (False, 5)
    assert state.facts.points == 7  # no exact count needed
    assert "escape" in kinds(events)


@rule("R143", "G7", "G8")
def test_one_kit_covers_two_men_in_one_turn() -> None:
    state = scene(american="b1 b28 b27", kits="american", points=9)
    state = after(state, "american b1-t1", "american b28-t3")
    assert state.facts.table.escape_counts[1] == 2
    third = after(scene(american="b1 b28 r9", kits="american"), "american b1-t1", "american b28-t3")
    assert why(third, "american r9-t4") == "no-kit"
    later = after(scene(american="b1 b28", kits="american"), "american b1-t1", "american end")
    later = after(rolled(later, "3 4"), "british end")
    later = after(rolled(later, "3 4"), "security end")
    assert why(rolled(later, "3 4"), "american b28-t3") == "no-kit"


@rule("R143", "R142", "R102")
def test_a_kit_put_together_between_two_escapes_is_kept() -> None:
    hands = {"american": "kit-food-papers kit-compass-disguise"}
    state = scene(american="b1 b28 r9", kits="american", hands=hands, points=20)
    state = after(state, "american b1-t1", "american kit kit-compass-disguise kit-food-papers")
    state = after(state, "american b28-t3")
    assert (state.facts.table.has_kit[1], state.facts.turn.extra_escapes) == (True, 0)
    assert why(state, "american r9-t4") is None


@rule("R144")
def test_guards_outside_go_home_when_nobody_is_left_there() -> None:
    state = scene(american="b1", kits="american", security="b5 n4")
    assert at(after(state, "american b1-t1"), "security") == ["n4", "office"]
    more = scene(american="b1", british="b20", kits="american", security="b5")
    assert at(after(more, "american b1-t1"), "security") == ["b5"]


@rule("R104")
def test_with_six_players_an_escape_brings_a_part() -> None:
    state = scene(american="b1", kits="american", options={"players": 6})
    state = after(state, "american b1-t1")
    assert state.seats_to_act() == ("chance",)
    state, events = told(state, "chance deal american kit-food-papers")
    assert state.facts.table.part_counts[1] == 1
    assert [event.audience for event in events] == [None, frozenset(("american",))]
    assert "hand" in state.view("security").json()
    assert state.view("security").json()["hand"] == []


@rule("R104")
def test_from_an_empty_part_pile_nothing_is_drawn() -> None:
    parts = "kit-food-papers kit-food-papers kit-food-papers kit-compass-disguise kit-compass-disguise"
    hands = {"british": parts, "dutch": "kit-compass-disguise"}
    state = after(
        scene(american="b1", kits="american", hands=hands, options={"players": 6}), "american b1-t1"
    )
    assert state.facts.table.deck_sizes[2] == 0
    assert (state.seats_to_act(), state.facts.table.part_counts[1]) == (("american",), 0)


def ended(**escapes: int) -> Any:
    """The last turn of a round in which nations have escaped so often."""
    counts = tuple(escapes.get(seat, 0) for seat in ("security", "american", "british"))
    state = scene("security", table_with={"escape_counts": counts}, options={"players": 3})
    return after(state, "security end").outcome


@rule("R145", "R026")
def test_two_escapes_of_a_nation_end_the_round_and_the_game() -> None:
    assert ended(american=1, british=1) is None
    assert ended(american=2) == ("american", "escapes")
    assert ended(american=2, british=2) == ("american+british", "escapes")
    state = scene(american="b1 b28", kits="american")
    state = after(state, "american b1-t1", "american b28-t3", "american end")
    assert state.outcome is None  # the round is played to its end
    state = after(rolled(state, "3 4"), "british end")
    assert after(rolled(state, "3 4"), "security end").outcome == ("american", "escapes")


@rule("R145", "G18")
def test_two_escapes_win_though_every_officer_leaves_before_the_round_is_over() -> None:
    state = scene(american="b1 b28", kits="american", options={"players": 2})
    state = after(state, "american b1-t1", "american b28-t3")
    assert after(state, "american resign").outcome == ("american", "escapes")
    assert after(state, "clock time american").outcome == ("american", "escapes")
    assert after(scene(options={"players": 2}), "american resign").outcome == ("security", "nobody-left")
    both = scene(table_with={"escape_counts": (0, 1, 1)}, options={"players": 3, "common_target": 2})
    both = after(both, "british resign", "american resign")
    assert both.outcome == ("american+british", "common-target")
    three = scene(table_with={"escape_counts": (0, 2, 0)})
    assert after(three, "american resign").outcome is None  # the others play the round to its end


@rule("R145", "R146", "R025", "A2")
def test_the_eagle_round() -> None:
    last = scene("british", british="b1 b28", kits="british", table_with={"round": 1})
    assert after(last, "british end").outcome == ("security", "rounds")
    won = after(last, "british b1-t1", "british b28-t3", "british end")
    assert won.outcome == ("british", "escapes")


@rule("R152", "common_target")
def test_a_common_target() -> None:
    options = {"common_target": 2, "players": 3}
    for counts, expected in (
        ((0, 1, 0), None),
        ((0, 1, 1), ("american+british", "common-target")),
        ((0, 2, 0), ("american+british", "common-target")),
    ):
        state = scene("security", table_with={"escape_counts": counts}, options=options)
        assert after(state, "security end").outcome == expected
    lost = scene("british", table_with={"escape_counts": (0, 1, 0), "round": 1}, options=options)
    assert after(lost, "british end").outcome == ("security", "rounds")
    one = scene(
        "security", table_with={"escape_counts": (0, 2, 0)}, options={"common_target": 3, "players": 3}
    )
    assert after(one, "security end").outcome is None  # instead of R145
    with pytest.raises(OptionError, match="common_target is 0; try off, or a whole number from 1 to 14"):
        Colditz().new({"common_target": 0})


# Gaps


@rule("G9")
def test_a_nation_without_men_plays_on() -> None:
    state = scene(phase=BEFORE_ROLL, gear={"american": "rope"})
    state = rolled(state, "3 4")
    assert why(state, "american trade british rope for") is None
    assert turn_of(after(state, "american end")) == "british"


@rule("G18")
def test_who_leaves_is_skipped_and_his_men_stand() -> None:
    state = scene(phase=BEFORE_ROLL, american="c4", british="c5")
    assert [str(word) for word in state.table_actions("american")] == ["resign"]
    state = after(state, "american resign")
    assert (turn_of(state), at(state, "american")) == ("british", ["c4"])
    assert why(state, "american resign") == "out"
    assert why(state, "british trade american for rope") in ("trade-with", "trade-goods")
    state = after(rolled(state, "3 4"), "british end")
    state, events = told(rolled(state, "3 4"), "security end")
    assert turn_of(state) == "british"
    assert [event.json()["seat"] for event in events if event.kind == "turn"] == ["british"]
    assert after(state, "clock time british").outcome == ("security", "nobody-left")
    gone = after(scene("security", phase=BEFORE_ROLL, american="c4"), "security resign")
    assert (turn_of(gone), gone.facts.table.round) == ("american", 19)
    alone = after(rolled(gone, "3 4"), "american end")
    assert turn_of(after(rolled(alone, "3 4"), "british end")) == "american"


@rule("G18", "R068")
def test_what_waits_for_somebody_who_leaves_is_answered_for_him() -> None:
    state = scene("security", security="n15", american="n14", gear={"american": "rope"})
    state = after(state, "security n15-n14", "american resign")
    assert state.seats_to_act() == ("security",)
    assert state.facts.table.equipment_counts[1] == 0
    offer = after(scene(gear={"american": "rope"}), "american trade british rope for", "american resign")
    assert turn_of(offer) == "british"
    thrown = after(scene(phase=BEFORE_ROLL), "american roll", "american resign")
    assert thrown.seats_to_act() == ("chance",)
    assert turn_of(after(thrown, "chance dice 1 1")) == "british"
    caught = scene(
        "security", security="n15", american="n14", gear={"american": "rope"}, table_with={"left_sides": 2}
    )
    caught = after(caught, "security n15-n14")
    assert (caught.seats_to_act(), caught.facts.table.equipment_counts[1]) == (("security",), 0)


@rule("G18", "R019")
def test_a_security_officer_who_leaves_before_the_game_leaves_guards_on_their_posts() -> None:
    state: Any = Colditz().new({"players": 3})
    state = after(state, "security resign")
    while state.seats_to_act() == ("chance",):
        state, _ = state.apply(state.chance()[0][0])
    assert (turn_of(state), state.facts.table.round) == ("american", 20)
    assert len(at(state, "security")) == 4


@rule("G21", "R024", "R063", "R083")
def test_the_order_at_the_end_of_a_turn() -> None:
    state = scene("security", american="chapel/2", security="chapel/5 office", tunnels={"chapel": 2},
                  turn_with={"refusers": 1 << 12})  # fmt: skip
    state, events = told(state, "security end")
    assert kinds(events) == ["collapse", "recall", "buried", "end", "round", "turn"]
    assert at(state, "security") == []  # the guard of the tunnel went to Barracks with the others
    assert state.facts.turn.refusers == 0


# Do or Die


DARE = {"do_or_die": "classic"}


@rule("do_or_die")
def test_do_or_die_is_off_unless_agreed() -> None:
    assert why(scene(phase=BEFORE_ROLL, american="c4"), "american dare c4") == "no-do-or-die"


@rule("do_or_die", "G18")
def test_do_or_die_is_one_mans_run_instead_of_the_roll() -> None:
    state = scene(
        phase=BEFORE_ROLL, american="b13 c4 innercells", british="b12", kits="american", options=DARE
    )
    assert why(state, "american dare innercells") == "no-piece"
    assert why(state, "american dare b12") == "no-piece"
    state = after(state, "american dare b13")
    assert sorted(str(action) for action, _ in state.chance()) == [f"value {n}" for n in range(3, 8)]
    state = after(state, "chance value 3", "chance dice 1 1", "chance dice 2 3", "chance dice 5 5")
    assert state.facts.points == 17
    assert why(state, "american c4-c5") in ("daring", "in-transit")
    over = after(state, "american b13-b12")
    assert why(over, "american end") == "in-transit"  # over other pawns, but not onto them
    escaped = after(over, "american b12-b11", "american b11-t1", "american end")
    assert escaped.facts.table.escape_counts[1] == 1
    assert not escaped.facts.table.left_sides
    failed = after(over, "american b12-b11", "american end")
    assert failed.facts.table.left_sides == 2
    assert at(failed, "american") == ["b11", "c4", "innercells"]
    assert why(
        scene(phase=BEFORE_ROLL, american="c4", options=DARE, table_with={"do_or_die_sides": 0}),
        "american dare c4",
    ) == ("no-do-or-die")
    again = after(
        scene(phase=BEFORE_ROLL, american="c4", options=DARE, table_with={"do_or_die_values": (4, 7)}),
        "american dare c4",
    )
    assert [str(action) for action, _ in again.chance()] == ["value 4", "value 7"]


@rule("do_or_die", "G18")
def test_who_leaves_during_his_run_is_out_once() -> None:
    state = scene(phase=BEFORE_ROLL, american="b13", options=DARE)
    state = after(state, "american dare b13", "chance value 3", *["chance dice 2 3"] * 3)
    state, events = told(state, "american resign")
    assert [event.kind for event in events].count("out") == 1
    assert (turn_of(state), state.facts.table.left_sides) == ("british", 2)


@rule("do_or_die")
def test_a_daring_man_pays_and_runs_over_guards() -> None:
    state = scene(phase=BEFORE_ROLL, american="n26", security="n4", kits="american", options=DARE)
    state = after(state, "american dare n26", "chance value 3", *["chance dice 2 3"] * 3)
    assert why(state, "american n26-n5") is None
    # He arrests nobody and nobody arrests him: hands set him beside the guard, and tap nothing.
    assert {step.attack for step in state.steps() if step.target == "n4"} == {False}
    state = after(state, "american n26-n5", "american n5-n4")
    assert at(state, "security") == ["n4"]
    assert why(state, "american n4-b8") == "no-cutter"


@rule("do_or_die")
def test_a_daring_man_runs_over_men_of_his_own_nation() -> None:
    state = scene(phase=BEFORE_ROLL, american="b12 b13", kits="american", options=DARE)
    state = after(state, "american dare b13", "chance value 3", *["chance dice 2 3"] * 3)
    state = after(state, "american b13-b12")
    assert all(state.refusal(action) is None for action in state.legal_actions("american"))
    assert at(after(state, "american b12-b11"), "american") == ["b11", "b12"]


@rule("do_or_die", "R045")
def test_a_daring_man_needs_points_to_get_off_others() -> None:
    men = "a9 a16 a17 a23"
    state = scene(phase=BEFORE_ROLL, american=men, british="a10 a15 a22 a24 a18 c5", options=DARE)
    state = after(state, "american dare a9", "chance value 3", *["chance dice 1 1"] * 3)
    while state.facts.turn.side == 1:  # whatever he does, he is never stuck
        listed = state.legal_actions("american")
        assert listed
        state = after(state, f"american {listed[0]}")
