"""Movement: R031 to R045, and the words on it among the ambiguities."""

from __future__ import annotations

from boardrules.colditz.state.facts import BEFORE_ROLL
from boardrules.core import Step
from rules.colditz.scene import after, at, holds, kinds, rolled, scene, told, why
from rules.ids import rule


@rule("R031", "R032")
def test_points_are_split_as_one_likes_and_need_not_be_used() -> None:
    state = scene(american="c1 c5", points=3)
    state = after(state, "american c1-c2", "american c5-c6", "american c6-c5")
    assert state.facts.points == 0
    assert at(state, "american") == ["c2", "c5"]
    assert why(state, "american c2-c3") == "no-points"
    after(scene(american="c1", points=3), "american end")
    assert why(scene(american="c1"), "american c9-c8") == "no-piece"


@rule("R032")
def test_a_walk_is_as_many_steps_as_its_shortest_free_way() -> None:
    state, events = told(scene(american="c1", points=5), "american c1-c4")
    assert (state.facts.points, kinds(events)) == (2, ["move"] * 3)
    assert why(scene(american="c1", points=2), "american c1-c4") == "no-way"
    # Somebody in the way: round about by the Appel area.
    state = after(scene(american="c4", british="c5", points=9), "american c4-c6")
    assert (at(state, "american"), state.facts.points) == (["c6"], 5)
    # Never through Equipment, unless at its end.
    state = scene(american="c32", gear={"american": "key"}, points=9)
    assert why(state, "american c32-s11") == "no-way"
    assert why(state, "american c32-backdoor") is None


@rule("R032", "R044", "R115", "R116", "A12")
def test_a_walk_goes_over_markers_where_that_is_free_and_shorter() -> None:
    marked = {"showers1-w13": "american"}
    state, events = told(scene("security", security="c29", markers=marked, points=23), "security c29-w13")
    assert (state.facts.points, kinds(events)) == (15, ["move"] * 8)
    assert (
        after(scene("security", security="c29", points=23), "security c29-w13").facts.points == 0
    )  # the gate
    man = {"american": "a8", "gear": {"american": "rope"}, "points": 20}
    by_marker, events = told(scene(markers=marked, **man), "american a8-w7")
    assert (by_marker.facts.points, kinds(events), holds(by_marker, "american")) == (
        9,
        ["move"] * 11,
        ["rope"],
    )
    by_rope, events = told(scene(**man), "american a8-w7")  # the only way: at its end
    assert (by_rope.facts.points, holds(by_rope, "american")) == (12, [])
    others = scene(markers={"showers1-w13": "british"}, **man)
    assert after(others, "american a8-w7") == after(others, "american a8-dentist1", "american dentist1-w7")
    paying = scene(markers=marked, options={"marker_passage": "pay"}, **man)
    assert holds(after(paying, "american a8-w7"), "american") == []
    # To a neighbour it is that step, by which he lays a marker.
    near = scene(american="dentist1", gear={"american": "rope"}, markers=marked, points=20)
    assert holds(after(near, "american dentist1-w7"), "american") == []


@rule("R032", "R054", "R131", "R132")
def test_a_walk_goes_home_by_the_free_way_and_through_open_tunnels() -> None:
    freed = {"men_on_free_way": 1 << scene().facts.rules.pawns[1][0]}
    home = scene(american="s16", table_with=freed, points=12)
    assert at(after(home, "american s16-c36"), "american") == ["c36"]
    assert why(scene(american="s16", points=12), "american s16-c36") == "no-way"
    # Once he is in, the free way is over: out again by his marker, and no further.
    around = scene(american="s1", british="s11", markers={"guardhouse4-s14": "american"}, points=30,
                   table_with=freed)  # fmt: skip
    assert after(around, "american s1-s13").facts.points == 20
    assert why(around, "american s1-backdoor") == "no-way"
    out = scene(american="chapel4", tunnels={"chapel": 1}, points=9)
    assert after(out, "american chapel4-n26").facts.points == 2
    assert why(scene(american="chapel4", points=9), "american chapel4-n26") == "no-way"
    # Not by a man inside, whom nobody passes.
    behind = scene(american="chapel4", british="chapel/3", tunnels={"chapel": 1}, points=9)
    assert why(behind, "american chapel4-n26") == "no-way"


@rule("R032", "G1", "G2")
def test_a_circle_over_a_tunnel_is_its_nearer_end() -> None:
    """A man who is carried there goes in, unless he would come to the circle above for fewer points."""
    tunnels = {"chapel": 1}
    inside = scene(american="chapel4", tunnels=tunnels, points=9)
    assert str(inside.hand_action("american", "chapel4", "chapel3")) == "chapel4-chapel/1"
    assert str(inside.hand_action("american", "chapel4", "n7")) == "chapel4-chapel/4"
    assert str(scene(american="chapel4", points=9).hand_action("american", "chapel4", "n7")) == "chapel4-n7"
    above = scene(american="n8", tunnels=tunnels, points=9)
    assert str(above.hand_action("american", "n8", "n7")) == "n8-n7"


@rule("R033")
def test_a_circle_holds_one_pawn() -> None:
    state = scene(american="c1 c2", british="c10", points=5)
    assert why(state, "american c2-c1") == "occupied"
    assert why(state, "american c1-c10") == "occupied"
    guards = scene("security", security="c3 c4", american="c5", points=5)
    assert why(guards, "security c3-c4") == "occupied"
    assert why(guards, "security c4-c5") == "not-liable"  # his officer has no Equipment


@rule("R033")
def test_men_in_a_tunnel_keep_their_order() -> None:
    state = scene(american="chapel/2", british="chapel/3", tunnels={"chapel": 1}, points=5)
    assert why(state, "american chapel/2-chapel/3") == "occupied"
    assert why(state, "american chapel/2-chapel/4") == "no-way"


@rule("R034", "R040", "G1")
def test_one_walks_over_men_in_a_tunnel_but_does_not_stop_there() -> None:
    state = scene(american="n8", british="chapel/5", tunnels={"chapel": 1}, points=5)
    state = after(state, "american n8-n7", "american n7-n6")
    assert at(state, "british") == ["chapel/5"]
    assert why(state, "american end") == "in-transit"
    after(state, "american n6-n26", "american end")


@rule("R035")
def test_a_double_allows_another_throw_twice_at_most() -> None:
    state = after(scene(phase=BEFORE_ROLL), "american roll", "chance dice 4 4")
    assert state.facts.tasks[-1].kind == "again"
    for seat in (*state.seats, None):  # everybody sees it before it is decided
        assert state.view(seat).json()["open"] == {"what": "again", "seat": "american", "throws": [[4, 4]]}
    state = after(state, "american roll", "chance dice 5 5", "american roll", "chance dice 6 6")
    assert (state.facts.points, state.facts.tasks) == (30, ())
    declined = after(scene(phase=BEFORE_ROLL), "american roll", "chance dice 4 4", "american stay")
    assert declined.facts.points == 8
    again = after(
        scene(phase=BEFORE_ROLL), "american roll", "chance dice 4 4", "american roll", "chance dice 3 4"
    )
    assert again.facts.points == 15
    assert (
        why(after(scene(phase=BEFORE_ROLL), "american roll", "chance dice 4 4"), "american c1-c2") == "wait"
    )


@rule("R036")
def test_directly_needs_no_points() -> None:
    state = scene(american="e30", hands={"american": "staff-car"}, points=0)
    assert at(after(state, "american play staff-car"), "american") == ["d7"]


@rule("R037", "A22")
def test_men_do_not_end_on_searchlights_and_may_on_doors_and_inspection_points() -> None:
    state = after(scene(american="n25", points=4), "american n25-n24")
    assert why(state, "american end") == "in-transit"
    assert why(after(state, "american n24-n25"), "american end") is None
    assert why(scene(american="gate"), "american end") is None
    assert why(scene(american="backdoor"), "american end") is None
    guard = after(scene("security", security="n25"), "security n25-n24")
    assert why(guard, "security end") is None
    assert why(after(scene("security", security="s13"), "security s13-backdoor"), "security end") is None


@rule("R038", "A5")
def test_guards_do_not_end_on_walkways_and_appel_circles() -> None:
    state = after(scene("security", security="n15"), "security n15-n16")
    assert why(state, "security end") == "in-transit"
    arrest = after(scene("security", security="n15", american="n16"), "security n15-n16")
    assert at(arrest, "security") == ["office"]
    state = after(scene("security", security="c4"), "security c4-a2")  # they may cross
    assert why(state, "security end") == "in-transit"
    assert why(after(state, "security a2-c4"), "security end") is None
    assert why(
        scene("security", security="c4", american="a2", gear={"american": "key"}), "security c4-a2"
    ) == ("not-liable")


@rule("R039", "G1", "G2")
def test_only_men_inside_stay_on_tunnel_circles() -> None:
    state = after(scene(american="n26"), "american n26-n5")
    assert why(state, "american end") == "in-transit"
    closed = scene(american="chapel4")
    assert why(closed, "american chapel4-chapel/1") == "tunnel-closed"
    opened = scene(american="chapel4 chapel1", tunnels={"chapel": 1}, points=3)
    state = after(
        opened, "american chapel4-chapel/1", "american chapel/1-chapel/2", "american chapel1-chapel/1"
    )
    assert state.facts.points == 0
    assert at(state, "american") == ["chapel/1", "chapel/2"]
    assert at(after(state, "american end"), "american") == ["chapel/1", "chapel/2"]


@rule("R041", "R042", "R162")
def test_guards_redeploy_by_posts() -> None:
    state = after(scene("security", security="office", points=3), "security barracks-c3", "security c3-c4")
    assert state.facts.points == 1
    assert why(state, "security c4-office") == "post-only"
    assert why(state, "security barracks-c4") == "post-only"
    state = after(scene("security", security="c3 c7", points=3), "security c3-office")
    assert (at(state, "security"), state.facts.points) == (["c7", "office"], 2)
    assert why(state, "security office-c3") == "no-piece"  # not in the same turn
    assert why(state, "security barracks-c7") == "occupied"
    assert at(after(state, "security end"), "security") == ["c7"]  # the office has emptied into Barracks
    assert why(scene(american="c2"), "american c2-c3") is None  # an ordinary circle for everyone


@rule("R043")
def test_guards_pass_doors_and_inspection_points() -> None:
    state = after(scene("security", security="c36", points=9), "security c36-gate", "security gate-s1")
    state = after(state, "security s1-s11", "security s11-s12", "security s12-s13", "security s13-backdoor")
    assert at(state, "security") == ["backdoor"]


@rule("R044", "R115")
def test_guards_use_drops_and_wire_where_a_marker_lies_and_only_outwards() -> None:
    assert why(scene("security", security="n4"), "security n4-b8") == "no-marker"
    state = after(scene("security", security="n4", markers={"n4-b8": "american"}), "security n4-b8")
    assert at(state, "security") == ["b8"]
    assert why(state, "security b8-n4") == "no-way"
    assert why(scene("security", security="s23", markers={"s23-p8": "dutch"}, options={"players": 4}),
               "security s23-p8") is None  # fmt: skip


@rule("R117", "R086")
def test_a_guard_that_arrests_below_is_gone_before_it_could_take_the_marker() -> None:
    markers = {"office2-n27": "american", "n4-b8": "american"}
    start = scene("security", security="n4 office2", american="b8 n27", markers=markers)
    state = after(start, "security n4-b8")
    assert at(state, "security") == ["office", "office2"]
    assert why(state, "security unmark n4-b8") == "marker-there"
    inside = after(start, "security office2-office3", "security office3-office2")
    down = after(inside, "security unmark office2-n27", "security office2-n27")  # from the Room above: first
    assert (at(down, "american"), at(down, "security")) == (["b8", "outercells"], ["n4", "office"])
    assert list(down.facts.table.markers).count(1) == 1


@rule("R045")
def test_a_step_has_to_leave_a_way_to_where_the_pawn_may_stay() -> None:
    state = scene(american="n25 c1", points=1)
    assert why(state, "american n25-n24") == "stranded"
    state = after(scene(american="n25 c1", points=3), "american n25-n24")
    assert why(state, "american c1-c2") == "in-transit"
    assert why(state, "american n24-n23") is None  # and back with the last two
    assert why(after(state, "american n24-n23"), "american n23-n22") == "stranded"
    assert why(scene(american="n25", points=2), "american n25-n24") is None


@rule("R045")
def test_leaving_the_board_is_a_way_on() -> None:
    state = scene(american="n26", security="n6", points=2)
    assert why(state, "american n26-n5") is None  # from there onto the guard, or back
    walled = scene(american="n5", british="n26 n4", security="n6", points=1)
    walled = scene(american="n26", british="n25 n4", security="n6", points=2)
    state = after(walled, "american n26-n5", "american n5-n6")
    assert at(state, "american") == ["outercells"]


@rule("A23", "doubling_back")
def test_doubling_back() -> None:
    state = after(scene(american="c1"), "american c1-c2")
    assert why(state, "american c2-c1") is None
    forbidden = scene(american="c1 c9", options={"doubling_back": "forbidden"})
    state = after(forbidden, "american c1-c2")
    assert why(state, "american c2-c1") == "doubling-back"
    assert why(state, "american c9-c8") is None
    state = after(state, "american c2-c3", "american c3-c4", "american end")
    assert state.facts.turn.visited_nodes == ()


@rule("A23", "doubling_back")
def test_where_doubling_back_is_forbidden_a_dead_end_is_none_to_enter() -> None:
    # From the searchlight one would have to go straight back.
    forbidden = scene(american="n25", british="n3 n23", points=5, options={"doubling_back": "forbidden"})
    assert why(forbidden, "american n25-n24") == "stranded"
    assert why(scene(american="n25", british="n3 n23", points=5), "american n25-n24") is None


@rule("A23", "doubling_back")
def test_who_is_sent_off_does_not_walk_back_to_where_he_stood() -> None:
    forbidden = {"doubling_back": "forbidden"}
    state = scene(american="chapel4 store1", points=20, options=forbidden)
    state = after(state, "american claim rope", "american chapel4-a2", "american store1-a1")
    state = after(state, "american a2-c4", "american c4-c3", "american c3-c2")
    assert why(state, "american c2-chapel4") == "doubling-back"
    carried = scene(american="c1", hands={"american": "sick-parade"}, options=forbidden)
    carried = after(carried, "american play sick-parade c1 sickbay2")
    assert [carried.facts.rules.board.space_names[node] for _, node in carried.facts.turn.visited_nodes] == [
        "c1"
    ]
    caught = scene(american="c4 innercells", security="c5", hands={"american": "release"}, options=forbidden)
    caught = after(caught, "american c4-c5", "american play release innercells c34")
    man, node = caught.facts.rules.pawns[1][0], caught.facts.rules.board.node_by_name
    assert caught.facts.turn.visited_nodes == ((man, node["c4"]), (man, node["c5"]))
    allowed = scene(american="chapel4 store1", points=20)
    assert after(allowed, "american claim rope", "american chapel4-a2").facts.turn.visited_nodes == ()


@rule("A23", "doubling_back", "R045")
def test_where_doubling_back_is_forbidden_no_walk_ends_where_it_would_have_to_go_back() -> None:
    """Of walks over several circles, too: the ones over which it led are no way on from its end."""
    forbidden = {"doubling_back": "forbidden"}
    man = scene(american="chapel4", points=3, options=forbidden)
    assert why(after(man, "american chapel4-chapel2"), "american chapel2-chapel1") == "stranded"
    round_about = after(man, "american chapel4-chapel1")  # as far, and chapel2 is still a way on
    assert [
        round_about.facts.rules.board.space_names[node] for _, node in round_about.facts.turn.visited_nodes
    ] == [
        "chapel4",
        "chapel3",
    ]
    after(round_about, "american chapel1-chapel2", "american end")
    narrow = scene(american="chapel4", british="chapel3", points=3, options=forbidden)
    assert why(narrow, "american chapel4-chapel1") == "no-way"
    assert "chapel1" not in narrow.carry_actions("american")["chapel4"]
    assert why(scene(american="chapel4", british="chapel3", points=3), "american chapel4-chapel1") is None
    corner = {"american": "n30", "british": "n11 n14 n9", "points": 4}  # n29 and n31: further on, and back
    for circle in ("n29", "n31"):
        assert why(scene(options=forbidden, **corner), f"american n30-{circle}") == "stranded"
        assert why(scene(**corner), f"american n30-{circle}") is None
    walks = 0
    for seat in ("american", "security"):
        rules = man.facts.rules
        closed = rules.board.men_no_stay if seat == "american" else rules.board.guards_no_stay
        for node in range(0, rules.board.circle_count, 2):
            state = scene(seat, points=3, options=forbidden, **{seat: rules.board.space_names[node]})
            for action in state.carry_actions(seat).get(rules.board.space_names[node], {}).values():
                if closed >> action.target & 1:
                    walks += 1
                    assert list(state.apply(action)[0].legal_actions(seat)), str(action)
    assert walks > 200


@rule("A23", "doubling_back", "R050", "R092", "R036")
def test_where_doubling_back_is_forbidden_men_are_still_put_on_circles_where_they_stood() -> None:
    """It forbids walking: out of Solitary, to the Appel area or by a card nobody walks."""
    forbidden = {"doubling_back": "forbidden"}
    freed = scene(american="c34", security="c26", options=forbidden, turn_with={"releases_left": 1})
    freed = after(freed, "american c34-c25", "american c25-c26", "american innercells-c34")
    assert at(freed, "american") == ["c34"]
    assert why(freed, "american c34-c25") == "doubling-back"
    lined_up = scene(american="a2 store1", points=20, options=forbidden)
    lined_up = after(lined_up, "american a2-c4", "american c4-c3", "american c3-c2", "american c2-chapel4")
    lined_up = after(lined_up, "american claim rope", "american chapel4-a2", "american store1-a1")
    assert why(lined_up, "american a2-c4") == "doubling-back"
    assert why(lined_up, "american a2-a3") is None
    sent = scene(american="chapel4", hands={"american": "choir-practice"}, options=forbidden)
    sent = after(sent, "american chapel4-c2", "american play choir-practice c2 chapel4")
    assert at(sent, "american") == ["chapel4"]
    assert why(sent, "american chapel4-c2") == "doubling-back"


@rule("R163", "A20")
def test_cells_barracks_and_office_are_not_walked_into() -> None:
    state = scene(american="c3", points=9)
    for place in ("office", "barracks", "innercells", "outercells"):
        assert why(state, f"american c3-{place}") == "place"
    assert why(scene(american="c2", points=5), "american c2-chapel4") is None
    assert why(scene("security", security="c4"), "security c4-barracks") == "place"


@rule("R164", "R161")
def test_every_circle_belongs_to_an_area_and_the_car_is_driven_by_its_card_alone() -> None:
    grid = scene().facts.rules.board
    assert {grid.area_name(node) for node in range(grid.node_count)} == {"inner", "outer", "outside"}
    assert grid.area_name(grid.node_by_name["chapel/1"]) == "inner"
    assert grid.area_name(grid.node_by_name["chapel/3"]) == "outer"
    assert why(scene(american="e30", points=12), "american e30-d7") == "no-way"


def test_hands_may_do_what_public_knowledge_allows() -> None:
    """Steps show doors whether or not a key is held, and all that is within the points."""
    bare = scene(american="guardhouse3", points=2)
    keyed = scene(american="guardhouse3", points=2, gear={"american": "key"})
    assert Step("guardhouse3", "backdoor", False) in bare.steps()
    assert bare.steps() == keyed.steps()
    assert Step("guardhouse3", "s13", False) in bare.steps()
    assert Step("c3", "office", False) in scene("security", security="c3").steps()
    assert (
        Step("c3", "c4", True)
        in scene("security", security="c3", american="c4", gear={"american": "key"}).steps()
    )


def test_hands_into_a_tunnel_go_inside() -> None:
    state = scene(american="chapel4 chapel1", tunnels={"chapel": 1}, points=3)
    assert str(state.hand_action("american", "chapel4", "chapel3")) == "chapel4-chapel/1"
    state = after(state, "american chapel4-chapel/1")
    assert str(state.hand_action("american", "chapel3", "chapel1")) == "chapel/1-chapel/2"
    assert "chapel3" in state.layout()
    assert Step("chapel3", "chapel1", False) in state.steps()
    outside = after(scene(american="n26", points=4), "american n26-n5")
    assert str(outside.hand_action("american", "n5", "n4")) == "n5-n4"


def test_a_movement_roll_of_the_security_officer_brings_no_releases() -> None:
    state = rolled(scene("security", phase=BEFORE_ROLL, security="c3"), "4 4")
    assert (state.facts.turn.releases_left, state.facts.points) == (0, 8)
