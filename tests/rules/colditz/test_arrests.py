"""Appel, General Search, arrest, Solitary and the way back: R050 to R054, R070 to R089."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from boardrules.colditz.play import ColditzState
from boardrules.colditz.state.facts import BEFORE_ROLL
from boardrules.colditz.state.liability import is_liable
from rules.colditz.scene import after, altered, at, holds, kinds, rolled, scene, told, turn_of, why
from rules.ids import rule

APPEL = {"security": "appel"}


def called(**where: str) -> Any:
    """The Security Officer has called an Appel in a three-player game."""
    return after(scene("security", phase=BEFORE_ROLL, hands=APPEL, **where), "security play appel")


# Solitary


@rule("R050")
def test_each_double_frees_a_man_for_a_point() -> None:
    state = after(
        scene(phase=BEFORE_ROLL, american="innercells innercells innercells outercells"), "american roll"
    )
    assert why(state, "american innercells-c34") == "wait"
    state = after(
        state, "chance dice 1 1", "american roll", "chance dice 2 2", "american roll", "chance dice 3 5"
    )
    state = after(state, "american skip")
    assert (state.facts.turn.releases_left, state.facts.points) == (2, 14)
    state = after(state, "american innercells-c34", "american c34-c33", "american outercells-s17")
    assert (state.facts.turn.releases_left, state.facts.points) == (0, 11)
    assert at(state, "american") == ["c33", "innercells", "innercells", "s17"]
    assert why(state, "american innercells-c34") == "no-release"
    assert why(scene(american="innercells"), "american innercells-c34") == "no-release"
    assert why(
        scene(american="innercells", points=0, turn_with={"releases_left": 1}), "american innercells-c34"
    ) == ("no-points")


@rule("R050")
@pytest.mark.parametrize("cells", ["innercells", "outercells"])
def test_what_a_double_allows_is_listed(cells: str) -> None:
    def listed(releases: int) -> set[str]:
        state = scene("american", american=cells, turn_with={"releases_left": releases})
        return {str(each) for each in state.legal_actions("american") if str(each).startswith(f"{cells}-")}

    assert listed(1) == {{"innercells": "innercells-c34", "outercells": "outercells-s17"}[cells]}
    assert listed(0) == set()


@rule("R051")
def test_otherwise_only_a_card_helps() -> None:
    state = rolled(scene(phase=BEFORE_ROLL, american="innercells"), "3 4")
    assert why(state, "american innercells-c34") == "no-release"


@rule("R052", "G14")
def test_released_men_start_on_the_free_circle_nearest_the_arrow() -> None:
    freed = {"releases_left": 1}
    state = scene(american="innercells", turn_with=freed)
    assert why(state, "american innercells-c33") == "release-circle"
    state = scene(american="innercells", british="c34", turn_with=freed)
    free = [node for node in ("c25", "c33", "c35") if why(state, f"american innercells-{node}") is None]
    assert free == ["c25", "c33", "c35"]  # a tie: his officer's choice
    state = scene("american", american="outercells", security="s17", turn_with=freed)
    assert why(state, "american outercells-s17") == "release-circle"
    assert why(state, "american outercells-s16") is None


@rule("R053", "R086", "R087", "A10")
def test_cells_and_confiscation_by_area() -> None:
    state = scene("security", security="c4", american="c5", gear={"american": "key"})
    state = after(state, "security c4-c5")
    assert (at(state, "american"), at(state, "security"), holds(state, "american")) == (
        ["innercells"],
        ["office"],
        ["key"],
    )
    for origin, target in (("n15", "n14"), ("d2", "d3"), ("e20", "e21")):
        state = scene("security", security=origin, american=target, gear={"american": "key rope"})
        state = after(state, f"security {origin}-{target}")
        assert state.seats_to_act() == ("american",)
        assert why(state, "american surrender pass") == "no-equipment"
        state = after(state, "american surrender rope")
        assert (at(state, "american"), holds(state, "american")) == (["outercells"], ["key"])
        assert state.facts.table.supply[0] == 12
    post = after(scene("security", security="c2", american="c3"), "security c2-c3")
    assert at(post, "american") == ["innercells"]


@rule("R053", "A11")
def test_full_cells_send_to_the_other_kind_and_then_beside_the_outer_ones() -> None:
    options = {"players": 4}
    inner = " ".join(["innercells"] * 6)
    full = {"american": inner, "british": inner, "dutch": "c5"}
    state = scene("security", security="c4", gear={"dutch": "key"}, options=options, **full)
    assert at(after(state, "security c4-c5"), "dutch") == ["outercells"]
    outer = " ".join(["outercells"] * 6)
    state = scene(
        "security", security="n15", american=outer, british="outercells", dutch="n14", options=options
    )
    assert at(after(state, "security n15-n14"), "dutch") == ["innercells"]
    crowded = " ".join(["outercells"] * 5)
    both = scene("security", security="c4", gear={"dutch": "key"}, options=options,
                 american=inner, british=inner, dutch=f"{crowded} c5")  # fmt: skip
    state = after(both, "security c4-c5")
    assert at(state, "dutch") == ["outercells"] * 6
    grid = state.facts.rules.board
    crowd = list(state.facts.node_by_pawn)
    crowd[state.facts.rules.pawns[1][0]] = grid.cells_outer  # thirteen men, seven places
    state = ColditzState(replace(state.facts, node_by_pawn=tuple(crowd)), state.secrets)
    assert len(state.layout()["outercells"]) == 7


@rule("A11", "R053")
def test_when_all_cells_are_full_the_arrested_go_beside_the_outer_ones() -> None:
    five, mixed = "innercells " * 5, "innercells " * 2 + "outercells " * 3
    full = {"american": five, "british": five, "dutch": mixed, "french": "outercells " * 4}
    for origin, target in (("c4", "c5"), ("n15", "n14")):
        crowd = {**full, "french": f"{full['french']} {target}"}
        state = scene("security", security=origin, gear={"french": "key"}, options={"players": 5}, **crowd)
        state = after(state, f"security {origin}-{target}")
        assert at(state, "french") == ["outercells"] * 5


@rule("R052")
def test_released_men_start_in_no_room_and_not_in_the_appel_area() -> None:
    state = scene(
        american="innercells", british="c34 c25 c33", security="c35", turn_with={"releases_left": 1}
    )
    circles = state.facts.rules.board.space_names
    free = [name for name in circles if why(state, f"american innercells-{name}") is None]
    assert free == ["c26", "c32"]  # guardhouse1, a33 and a37 are as near


@rule("R054")
def test_the_free_way_home() -> None:
    freed = scene(american="outercells s11", points=12, turn_with={"releases_left": 1})
    assert why(scene(american="s1", points=3), "american s1-gate") == "no-pass"
    state = after(freed, "american outercells-s17", "american s17-s13", "american s13-backdoor")
    assert state.facts.table.men_on_free_way == 0  # home again
    assert why(state, "american s11-gate") == "no-way"  # the other man was never in the cells
    state = after(freed, "american outercells-s17", "american s17-s20")
    assert why(state, "american s20-southdoor") == "no-key"  # no free entrance
    # Home is home: out and in again costs.
    state = after(freed, "american outercells-s17", "american s17-backdoor", "american backdoor-s13")
    assert why(state, "american s13-backdoor") == "no-key"


@rule("R054")
def test_only_the_marked_entrances_are_free_and_only_until_the_next_arrest() -> None:
    state = scene(american="e35 c9")
    man = state.facts.rules.pawns[1][0]
    freed = {"men_on_free_way": 1 << man}
    state = scene(american="e35 c9", table_with=freed)
    assert why(state, "american e35-southdoor") == "no-key"  # though he is nearer home there
    grid = state.facts.rules.board  # and one whose South Door is marked
    marked = altered(grid, free_way_gates=grid.free_way_gates | 1 << grid.node_by_name["southdoor"])
    for men, step, code in (("e35", "e35-southdoor", None), ("s20", "s20-southdoor", "no-key")):
        there = scene(american=men, table_with=freed)
        facts = replace(there.facts, rules=altered(there.facts.rules, board=marked))
        assert why(ColditzState(facts, there.secrets), f"american {step}") == code  # inwards alone
    taken = scene("security", american="s12", security="s11", table_with=freed)
    taken = after(taken, "security s11-s12")
    assert (at(taken, "american"), taken.facts.table.men_on_free_way) == (["outercells"], 0)


@rule("R085", "A21")
def test_who_cannot_be_brought_nearer_stays_immune() -> None:
    start = scene(american="outercells c1", british="s16 s18 s33", points=5, turn_with={"releases_left": 1})
    state = after(start, "american outercells-s17", "american c1-c2", "american end")
    man = state.facts.rules.pawns[1][0]
    assert state.facts.table.immune_men >> man & 1
    assert not is_liable(state.facts, man)


@rule("R085", "A21", "R054")
def test_men_on_their_way_back_are_immune_while_everything_is_done_for_them() -> None:
    freed = scene(american="outercells c1", points=5, turn_with={"releases_left": 1})
    state = after(freed, "american outercells-s17")
    man = state.facts.rules.pawns[1][0]
    assert state.facts.table.immune_men >> man & 1
    assert not is_liable(state.facts, man)
    state = after(state, "american s17-s13", "american end")
    assert state.facts.table.immune_men >> man & 1
    idle = after(freed, "american outercells-s17", "american s17-s16", "american end")  # points left
    assert not idle.facts.table.immune_men >> man & 1
    assert idle.facts.table.men_on_free_way >> man & 1  # the free way is another thing
    spent = after(freed, "american outercells-s17", "american c1-c2", "american s17-s14", "american end")
    assert not spent.facts.table.immune_men >> man & 1


def immune(state: Any, *texts: str) -> list[int]:
    """By number the Americans who are still immune after these actions."""
    done = after(state, *texts)
    men = done.facts.rules.pawns[1]
    return [number for number, man in enumerate(men) if done.facts.table.immune_men >> man & 1]


@rule("R085", "A21")
def test_points_spent_before_the_release_count_too() -> None:
    start = scene(american="outercells c1", points=5, turn_with={"releases_left": 1})
    out, end = "american outercells-s17", "american end"
    assert immune(start, out, "american s17-s13", end) == [0]
    assert immune(start, "american c1-c2", out, "american s17-s14") == [0]  # until the turn ends
    assert immune(start, "american c1-c2", out, "american s17-s14", end) == []
    assert immune(start, "american c1-c4", out, "american s17-s16", end) == []
    # What couldn't have brought him nearer is free.
    barred = scene(american="outercells c1", british="s16 s18 s33", points=5, turn_with={"releases_left": 1})
    assert immune(barred, "american c1-c2", out, end) == [0]
    # A turn forgets: what was spent in the last one is over.
    later = scene(american="outercells c1", points=5)
    assert immune(later, "american c1-c2", end) == []
    # By a card, too.
    carded = scene(american="outercells c1", points=4, hands={"american": "release"})
    card = "american play release outercells s17"
    assert immune(carded, card, "american s17-s13", end) == [0]
    assert immune(carded, "american c1-c2", card, "american s17-s14", end) == []


@rule("R085", "A21")
def test_letting_another_man_out_of_the_outer_cells_is_no_other_use_of_a_point() -> None:
    start = scene(american="outercells outercells", points=5, turn_with={"releases_left": 2})
    out = "american outercells-s17"
    state = after(start, out, "american s17-s16")
    assert immune(state, out, "american s16-s14", "american end") == [0, 1]
    inner = scene(american="outercells innercells", points=5, turn_with={"releases_left": 2})
    assert immune(inner, "american innercells-c34", out, "american s17-s14", "american end") == []


@rule("R085", "A21")
def test_equipment_ends_the_immunity_and_so_does_home() -> None:
    freed = scene(american="outercells", points=8, turn_with={"releases_left": 1}, gear={"american": "rope"})
    assert after(freed, "american outercells-s17").facts.table.immune_men == 0
    got = scene(american="outercells chapel4 chapel1", points=8, turn_with={"releases_left": 1})
    state = after(got, "american outercells-s17", "american claim rope")
    assert state.facts.table.immune_men == 0
    home = after(scene(american="outercells", points=9, turn_with={"releases_left": 1}),
                 "american outercells-s17", "american s17-backdoor")  # fmt: skip
    assert home.facts.table.immune_men == home.facts.table.men_on_free_way == 0


@rule("R085", "A21", "R089")
def test_a_man_on_his_way_back_is_immune_on_a_guard_post_too() -> None:
    state = scene("security", security="s12", american="s13")
    man = state.facts.rules.pawns[1][0]
    assert why(state, "security s12-s13") is None
    immune = scene("security", security="s12", american="s13", table_with={"immune_men": 1 << man})
    assert why(immune, "security s12-s13") == "not-liable"
    assert why(immune, "security barracks-s13") == "not-liable"


# Appel


@rule("R071", "R018", "R072")
def test_an_appel_lines_everybody_up_on_the_diagram() -> None:
    state = called(american="c4 innercells b8", british="c5 n3")
    assert state.seats_to_act() == ("american",)
    state, events = told(state, "american obey", "british obey")
    assert at(state, "american") == ["a6", "b8", "innercells"]
    assert at(state, "british") == ["a20", "a21"]
    assert kinds(events) == ["obey", "obey", "line-up", "line-up", "line-up"]
    assert turn_of(state) == "security"
    assert why(state, "security search") == "roll-first"


@rule("R071")
def test_the_officer_chooses_the_circles_and_nobody_stands_in_the_way() -> None:
    state = called(american="a20 c5", british="a6 c6")
    assert why(state, "american obey a20 a6") == "diagram"
    assert why(state, "american obey a6") == "diagram"
    state = after(state, "american obey a6 a12", "british obey a20 a21")
    assert (at(state, "american"), at(state, "british")) == (["a12", "a6"], ["a20", "a21"])


@rule("R071", "R072", "R083")
def test_men_refuse_one_by_one_and_those_in_the_appel_area_obey() -> None:
    state = called(american="c4 c5 a3", british="c6")
    assert why(state, "american refuse a3") == "not-refusable"
    assert why(state, "american refuse c6") == "not-refusable"
    state = after(state, "american refuse c4", "british obey")
    assert at(state, "american") == ["a6", "a7", "c4"]
    man = state.facts.rules.pawns[1][0]
    assert state.facts.turn.refusers == 1 << man
    assert is_liable(state.facts, man)  # though inside and without Equipment
    state = after(rolled(state, "3 4"), "security end")
    assert not is_liable(state.facts, man)  # the liability ends with that turn


@rule("R075", "R076", "R077", "R084")
def test_who_is_exempt_is_not_asked() -> None:
    state = called(
        american="b8 chapel2 innercells chapel/2",
        british="c4",
    )
    assert state.seats_to_act() == ("british",)
    state = after(state, "british obey")
    assert at(state, "american") == ["b8", "chapel/2", "chapel2", "innercells"]
    assert not is_liable(state.facts, state.facts.rules.pawns[1][1])
    safe = scene("security", security="n38", american="n39", gear={"american": "key"})
    assert why(safe, "security n38-n39") == "safe"


@rule("R066", "R072", "R068")
def test_the_clock_answers_for_who_stays_silent() -> None:
    state = after(called(american="c4", british="c5"), "clock close", "clock close")
    assert (at(state, "american"), state.seats_to_act()) == (["a6"], ("security",))


@rule("G13")
def test_an_appel_brings_returning_men_home_at_once() -> None:
    state = called(american="s13")
    man = state.facts.rules.pawns[1][0]
    table = replace(state.facts.table, immune_men=1 << man, men_on_free_way=1 << man)
    state = ColditzState(replace(state.facts, table=table), state.secrets)
    state = after(state, "american obey")
    assert state.facts.table.immune_men == state.facts.table.men_on_free_way == 0


# General Search


def refused(dice: str = "2 4", options: dict[str, Any] | None = None, **where: Any) -> Any:
    """All of the Americans have refused; the Security Officer has rolled."""
    gear = {"american": "rope key"}
    start = scene("security", phase=BEFORE_ROLL, hands=APPEL, gear=gear, options=options, **where)
    state = after(start, "security play appel")
    men = " ".join(node for node in at(state, "american") if not node.endswith("cells"))
    return rolled(after(state, f"american refuse {men}"), dice)


@rule("R073", "R074", "A7", "A8", "G17", "R083")
def test_a_general_search_arrests_all_within_the_points_and_ends_the_turn() -> None:
    state = refused(security="c4", american="c7 n25 c27 w20")
    assert state.facts.points == 6
    state, events = told(state, "security search")
    assert at(state, "american") == ["c27", "innercells", "n25", "w20"]
    assert (at(state, "security"), turn_of(state)) == (["c4"], "american")
    state, events = told(refused(security="c4 n27", american="c5 n25 n26"), "security search")
    assert state.seats_to_act() == ("american",)  # two men in the Outer Courtyard: two cards
    state = after(state, "american surrender rope", "american surrender key")
    assert (at(state, "american"), holds(state, "american")) == (
        ["innercells", "outercells", "outercells"],
        [],
    )
    assert at(state, "security") == ["c4", "n27"]
    assert kinds(events).count("arrest") == 3


@rule("R074")
def test_a_search_reaches_as_far_as_the_roll_whatever_cards_add() -> None:
    hands = {"security": "appel double-time"}
    start = scene("security", phase=BEFORE_ROLL, hands=hands, security="c4", american="c8 c11")
    state = after(start, "security play appel", "american refuse c8 c11")
    state = after(rolled(state, "1 2"), "security play double-time")
    assert state.facts.points == 8
    state, events = told(state, "security search")
    assert at(state, "american") == ["c8", "innercells"]
    assert [event.json()["points"] for event in events if event.kind == "search"] == [3]
    near = scene("security", phase=BEFORE_ROLL, hands=hands, security="c4", american="c7")
    near = after(near, "security play double-time", "security play appel", "american refuse c7")
    assert at(after(rolled(near, "1 2"), "security search"), "american") == ["innercells"]


@rule("G17", "R087")
def test_after_a_search_the_officers_discard_clockwise_each_for_each_man_while_he_holds_any() -> None:
    gear = {"american": "rope", "british": "key pass"}
    state = scene("security", phase=BEFORE_ROLL, hands=APPEL, gear=gear, options={"players": 3},
                  security="n27 n15", american="n26 n25", british="n33 n34")  # fmt: skip
    state = after(state, "security play appel", "american refuse n26 n25", "british refuse n33 n34")
    state = after(rolled(state, "5 6"), "security search")
    asked = []
    while turn_of(state) == "security":
        (seat,) = state.seats_to_act()
        asked.append(seat)
        state = after(state, f"{seat} surrender {holds(state, seat)[0]}")
    assert asked == ["american", "british", "british"]  # one card was all that the first one had
    assert at(state, "british") == ["outercells", "outercells"]


@rule("A7", "R083", "R081")
def test_a_search_inside_asks_for_no_equipment() -> None:
    bare = scene("security", phase=BEFORE_ROLL, hands=APPEL, security="c4", american="c8")
    bare = rolled(after(bare, "security play appel", "american refuse c8"), "1 4")
    assert why(scene("security", security="c9", american="c8"), "security c9-c8") == "not-liable"
    assert at(after(bare, "security search"), "american") == ["innercells"]


@rule("R074", "R075", "R076", "R077", "R084", "R085")
def test_a_search_leaves_alone_who_is_exempt() -> None:
    exempt = {"b8": "b9", "chapel/5": "n27", "c1": "c2", "n39": "n38", "innercells": "c34", "a2": "c4"}
    men, guards = f"c19 {' '.join(exempt)}", f"c20 {' '.join(exempt.values())}"
    state = scene(
        "security",
        phase=BEFORE_ROLL,
        hands=APPEL,
        gear={"american": "rope"},
        tunnels={"chapel": 2},
        american=men,
        security=guards,
    )
    state = rolled(after(state, "security play appel", "american refuse c19"), "5 6")
    state, events = told(state, "security search")
    arrested = [event.json()["at"] for event in events if event.kind == "arrest"]
    assert arrested == ["c19"]
    returning = scene("security", phase=BEFORE_ROLL, hands=APPEL, american="c19 s13", security="c20 s12")
    man = returning.facts.rules.pawns[1][1]
    table = replace(returning.facts.table, immune_men=1 << man)
    returning = ColditzState(replace(returning.facts, table=table), returning.secrets)
    returning = rolled(after(returning, "security play appel", "american refuse c19 s13"), "5 6")
    assert at(after(returning, "security search"), "american") == ["innercells", "s13"]


@rule("A6")
def test_a_search_goes_down_where_markers_point_and_over_safe_circles() -> None:
    up = refused("1 2", security="n27", american="office2", markers={"office2-n27": "british"})
    assert at(after(up, "security search"), "american") == ["office2"]
    over = refused("1 2", security="c2", american="office3")  # by c1, which is Safe
    assert at(after(over, "security search"), "american") == ["innercells"]


@rule("R063", "R074")
def test_a_search_with_four_cards_ends_the_turn_when_one_is_put_away() -> None:
    hands = {"security": "appel search search relief shoot-to-kill"}
    state = scene("security", phase=BEFORE_ROLL, hands=hands, security="c4", american="c7")
    state = rolled(after(state, "security play appel", "american refuse c7"), "1 2")
    state = after(state, "security search")
    assert (turn_of(state), state.seats_to_act()) == ("security", ("security",))
    assert {str(action) for action in state.legal_actions("security")} == {
        "discard search", "discard relief", "discard shoot-to-kill"
    }  # fmt: skip
    assert turn_of(after(state, "security discard relief")) == "american"


@rule("R068", "R072")
def test_an_appel_is_not_answered_by_cards() -> None:
    hands = {"security": "appel", "american": "false-alarm"}
    state = after(scene("security", phase=BEFORE_ROLL, hands=hands, american="c4"), "security play appel")
    assert why(state, "american play false-alarm") == "wait"
    assert at(after(state, "american obey"), "american") == ["a6"]


@rule("R072", "R073")
def test_of_two_appels_the_second_says_who_has_refused() -> None:
    state = scene(
        "security", phase=BEFORE_ROLL, hands={"security": "appel appel"}, american="c4", security="c3"
    )
    state = after(state, "security play appel", "american refuse c4")
    again = after(state, "security play appel", "american refuse c4")
    assert why(rolled(again, "3 4"), "security search") is None
    obeyed = rolled(after(state, "security play appel", "american obey"), "3 4")
    assert why(obeyed, "security search") == "no-refusers"
    assert at(obeyed, "american") == ["a6"]


@rule("R071", "R018")
def test_who_stands_on_his_diagram_stays_there_unless_his_officer_says_otherwise() -> None:
    state = after(called(american="c4 a7 a12", british="c5"), "american obey", "british obey")
    where, rules = state.facts.node_by_pawn, state.facts.rules
    first, second, third = rules.pawns[1][:3]
    assert [rules.board.space_names[where[man]] for man in (first, second, third)] == ["a6", "a7", "a12"]


@rule("R073")
def test_search_or_movement() -> None:
    moved = after(refused(security="c4", american="c7"), "security c4-c3")
    assert why(moved, "security search") == "moved"
    assert why(rolled(scene("security", phase=BEFORE_ROLL), "3 4"), "security search") == "no-refusers"


@rule("A6", "search")
def test_how_a_search_counts_circles() -> None:
    # A circle of a room counts like any circle; guards could not walk there.
    where = {"security": "c18", "american": "showers2"}
    assert at(after(refused("1 2", **where), "security search"), "american") == ["innercells"]
    path = after(refused("1 2", {"search": "guard_path"}, **where), "security search")
    assert at(path, "american") == ["showers2"]
    # Doors and inspection points count, wire only with a marker.
    assert at(after(refused("1 2", security="c36", american="s11"), "security search"), "american") == [
        "outercells"
    ]
    down = {"security": "office2", "american": "n27"}
    marked = refused("1 2", markers={"office2-n27": "british"}, **down)
    assert at(after(marked, "security search"), "american") == ["outercells"]
    assert at(after(refused("1 2", **down), "security search"), "american") == ["n27"]
    # Guards in Barracks and the Commander's Office don't search.
    assert at(after(refused("5 6", security="office", american="c4"), "security search"), "american") == [
        "c4"
    ]


@rule("A6", "pawns_block")
def test_whether_pawns_block_a_search() -> None:
    where = {"security": "gate", "american": "s11", "british": "s1"}
    start = {"players": 3}
    for options, found in (({}, ["outercells"]), ({"pawns_block": True}, ["s11"])):
        begun = scene("security", phase=BEFORE_ROLL, hands=APPEL, options={**start, **options}, **where)
        state = after(begun, "security play appel", "american refuse s11", "british refuse s1")
        state = after(rolled(state, "1 2"), "security search")
        assert at(state, "american") == found


# Arrest


@rule("R080", "R081", "R082")
def test_inside_only_men_whose_officer_holds_equipment() -> None:
    assert why(scene("security", security="c4", american="c5"), "security c4-c5") == "not-liable"
    assert (
        why(scene("security", security="c4", american="c5", kits="american"), "security c4-c5")
        == "not-liable"
    )
    armed = scene("security", security="c4", american="c5", gear={"american": "rope"})
    assert why(armed, "security c4-c5") is None
    assert why(scene("security", security="n15", american="n14"), "security n15-n14") is None
    assert why(scene("security", security="d2", american="d3"), "security d2-d3") is None
    assert why(scene("security", security="c2", american="c3"), "security c2-c3") is None  # a guard post


@rule("R100", "R087")
def test_a_kit_is_not_taken_at_an_arrest() -> None:
    state = scene("security", security="n15", american="n14", gear={"american": "rope"}, kits="american")
    state = after(state, "security n15-n14", "american surrender rope")
    assert (state.facts.table.has_kit[1], state.facts.table.kits_left) == (True, 4)


@rule("R081", "R087", "A9")
def test_liability_is_judged_at_each_arrest() -> None:
    state = scene("security", security="n15 c4", american="n14 c5", gear={"american": "rope"})
    state = after(state, "security n15-n14", "american surrender rope")
    assert why(state, "security c4-c5") == "not-liable"
    bare = after(scene("security", security="n15", american="n14"), "security n15-n14")
    assert bare.seats_to_act() == ("security",)  # nothing to discard


@rule("R088")
def test_a_man_may_walk_onto_a_guard() -> None:
    state, events = told(scene(american="c4", security="c5"), "american c4-c5")
    assert (at(state, "american"), at(state, "security")) == (["innercells"], ["office"])
    assert "arrest" in kinds(events)
    outer = after(scene(american="n13", security="n14", gear={"american": "rope"}), "american n13-n14")
    assert outer.seats_to_act() == ("american",)
    outer = after(outer, "american surrender rope")
    assert at(outer, "american") == ["outercells"]
    assert at(after(outer, "american end"), "security") == [
        "office"
    ]  # until the Security Officer's turn ends


@rule("R089", "R041", "A19")
def test_men_on_guard_posts_are_arrested_by_deployment_or_by_a_step_but_not_for_nothing() -> None:
    state = scene("security", american="c3", security="c2", points=1)
    assert after(state, "security barracks-c3").facts.points == 0
    assert at(after(state, "security barracks-c3"), "american") == ["innercells"]
    assert at(after(state, "security barracks-c3"), "security") == ["c2", "office"]
    assert at(after(state, "security c2-c3"), "american") == ["innercells"]
    assert why(scene("security", american="c3", security="c2", points=0), "security c2-c3") == "no-points"
    assert at(after(state, "security end"), "american") == ["c3"]


@rule("R084", "R134")
def test_never_on_safe_circles_in_the_appel_area_or_in_an_undetected_tunnel() -> None:
    gear = {"american": "rope"}
    state = scene(american="c1 a1 chapel/2 c5", gear=gear, tunnels={"chapel": 1})
    men = state.facts.rules.pawns[1]
    assert [is_liable(state.facts, man) for man in men[:4]] == [False, False, False, True]
    detected = scene(american="chapel/2", gear=gear, tunnels={"chapel": 2})
    assert is_liable(detected.facts, men[0])


@rule("A4", "safe_area", "R116")
def test_guards_on_safe_circles() -> None:
    assert why(scene("security", security="c2"), "security c2-c1") == "safe"
    passing = scene("security", security="c2", options={"safe_area": "pass_through"}, points=3)
    state = after(passing, "security c2-c1")
    assert why(state, "security end") == "in-transit"
    assert why(after(state, "security c1-c10"), "security end") is None
    taken = scene("security", security="c2", american="c1", gear={"american": "rope"},
                  options={"safe_area": "pass_through"})  # fmt: skip
    assert why(taken, "security c2-c1") == "not-liable"


@rule("A18", "R088", "R134")
def test_walking_onto_a_guard_in_a_room_or_in_a_tunnel() -> None:
    state = scene(american="office3", security="office2", markers={"office2-n27": "british"})
    assert at(after(state, "american office3-office2"), "american") == ["innercells"]
    state = scene(american="chapel/2", security="chapel/3", tunnels={"chapel": 2})
    assert at(after(state, "american chapel/2-chapel/3"), "american") == ["outercells"]


@pytest.mark.parametrize("seat", ["american", "security"])
def test_nobody_moves_anothers_pawn(seat: str) -> None:
    state = scene(seat, american="c4", security="c9")
    other = {"american": "american c9-c8", "security": "security c4-c3"}[seat]
    assert why(state, other) == "no-piece"
