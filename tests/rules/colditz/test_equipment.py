"""Equipment, Kits, crossings, markers and trades: R090 to R122."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from boardrules.colditz.play import ColditzState
from boardrules.colditz.state.facts import BEFORE_ROLL
from rules.colditz.scene import after, altered, at, hand, holds, kinds, scene, told, why
from rules.ids import rule


@rule("R090", "R091", "R092")
def test_two_men_in_rooms_with_the_symbol_bring_a_card_and_line_up() -> None:
    state = scene(american="chapel4 store1 c9", points=4)
    assert why(state, "american claim key") == "no-pair"
    claimed = after(state, "american claim rope")
    assert holds(claimed, "american") == ["rope"]
    assert claimed.facts.table.supply[0] == 11
    assert why(claimed, "american end") == "wait"
    assert why(claimed, "american c9-a5") == "not-in-room"
    assert why(claimed, "american chapel4-c5") == "appel-circle"
    done = after(claimed, "american chapel4-a1", "american store1-a5")
    assert at(done, "american") == ["a1", "a5", "c9"]
    assert done.facts.points == 4
    assert why(done, "american a1-c11") is None  # they may go on
    assert why(after(state, "american chapel4-c2"), "american claim rope") == "no-pair"


@rule("R091", "R102")
def test_claims_at_any_moment_of_the_own_turn_and_several() -> None:
    state = scene(phase=BEFORE_ROLL, american="chapel4 chapel2 dentist1 showers2")
    assert why(state, "british claim rope") == "not-your-turn"
    state = after(state, "american claim rope", "american chapel4-a1", "american chapel2-a2")
    state = after(state, "american claim key", "american dentist1-a3", "american showers2-a4")
    assert holds(state, "american") == ["rope", "key"]


@rule("R092")
def test_men_stay_or_go_only_to_free_appel_circles() -> None:
    state = after(scene(american="chapel4 chapel2", british="a1"), "american claim rope")
    assert why(state, "american chapel4-a1") == "appel-circle"
    state = after(state, "clock close")
    assert at(state, "american") == ["a2", "a3"]


@rule("R094", "G11")
def test_an_empty_pile_has_nothing_to_take() -> None:
    state = scene(american="kitchen1 sickbay1", gear={"british": "cutter cutter cutter cutter"})
    assert state.facts.table.supply[3] == 0
    assert why(state, "american claim cutter") == "empty-pile"
    assert state.view("security").json()["supply"]["cutter"] == 0


@rule("R095", "G20")
def test_who_sees_which_equipment() -> None:
    state = scene(gear={"american": "rope key"}, hands={"american": "release", "security": "search"})
    for seat in ("security", None):
        shown = state.view(seat).json()
        assert shown["seats"]["american"]["equipment"] == 2
        assert "equipment" not in shown
    other = state.view("british").json()
    assert other["equipment"]["american"] == {"rope": 1, "key": 1, "pass": 0, "cutter": 0}
    assert (other["hand"], state.view("american").json()["hand"]) == ([], ["release"])
    assert other["seats"]["american"]["cards"] == other["seats"]["security"]["cards"] == 1
    assert state.view("security").json()["hand"] == ["search"]


@rule("R096", "R110", "R111", "R054")
def test_doors_take_a_key_and_inspection_points_a_pass_each_time() -> None:
    state = scene(american="guardhouse3 c36", gear={"american": "key pass"})
    assert why(scene(american="guardhouse3"), "american guardhouse3-backdoor") == "no-key"
    assert why(scene(american="c36", gear={"american": "key"}), "american c36-gate") == "no-pass"
    state, events = told(state, "american guardhouse3-backdoor", "american c36-gate")
    assert holds(state, "american") == []
    assert state.facts.table.supply == (12, 6, 5, 4)
    assert [event.json() for event in events if event.kind == "use"] == [
        {"kind": "use", "seat": "american", "item": "key", "count": 1},
        {"kind": "use", "seat": "american", "item": "pass", "count": 1},
    ]
    state = after(state, "american backdoor-s13")  # leaving is free, coming back is not
    assert why(state, "american s13-backdoor") == "no-key"
    assert why(scene(american="c36 c32", gear={"american": "pass"}, points=1), "american c36-gate") is None


@rule("R112", "R114")
def test_drops_take_one_rope_or_two() -> None:
    assert why(scene(american="office2"), "american office2-n27") == "no-rope"
    state, events = told(
        scene(american="office2", gear={"american": "rope"}, points=2), "american office2-n27"
    )
    assert (state.facts.points, holds(state, "american")) == (1, [])
    assert state.view(None).json()["markers"] == {"office2-n27": "american"}
    assert kinds(events) == ["move", "use", "mark"]
    assert why(scene(american="s23", gear={"american": "rope"}), "american s23-p8") == "no-rope"
    state = after(scene(american="s23", gear={"american": "rope rope"}), "american s23-p8")
    assert (holds(state, "american"), at(state, "american")) == ([], ["p8"])


@rule("R113", "R114", "R121")
def test_wire_takes_a_cutter_outwards_only() -> None:
    state = after(scene(american="n4", gear={"american": "cutter"}), "american n4-b8")
    assert (holds(state, "american"), state.view(None).json()["markers"]) == ([], {"n4-b8": "american"})
    inwards = scene(american="b8", gear={"american": "cutter"})
    assert why(inwards, "american b8-n4") == "no-way-back"


@rule("R115", "A12", "marker_passage")
def test_own_men_follow_free_and_others_pay() -> None:
    markers = {"n4-b8": "american"}
    state = after(scene(american="n4", markers=markers), "american n4-b8")
    assert at(state, "american") == ["b8"]
    assert why(scene("british", british="n4", markers=markers), "british n4-b8") == "no-cutter"
    pay = {"marker_passage": "pay"}
    assert why(scene(american="n4", markers=markers, options=pay), "american n4-b8") == "no-cutter"
    state = scene(american="n4", markers=markers, gear={"american": "cutter"}, options=pay)
    assert holds(after(state, "american n4-b8"), "american") == []
    assert why(scene("security", security="n4", markers=markers, options=pay), "security n4-b8") is None


@rule("R116", "R118")
def test_guards_in_rooms_with_a_marker() -> None:
    assert why(scene("security", security="c1"), "security c1-office3") == "room"
    state = scene("security", security="c1", markers={"office2-n27": "american"}, points=3)
    state = after(state, "security c1-office3", "security office3-office2")
    assert why(state, "security office2-office1") == "safe"
    assert at(after(state, "security end"), "security") == ["office2"]
    # A Safe circle that bears a marker is crossed, not stopped on; men on it stay immune.
    safe = scene("security", security="quarters3", markers={"w24-x15": "american"})
    safe = scene("security", security="w22", markers={"w24-x15": "american"}, points=3)
    state = after(safe, "security w22-w24")
    assert why(state, "security end") == "in-transit"
    assert why(after(state, "security w24-x15"), "security end") is None
    held = scene(
        "security", security="w22", american="w24", markers={"w24-x15": "american"}, gear={"american": "key"}
    )
    assert why(held, "security w22-w24") == "not-liable"


@rule("R117", "R115")
def test_a_guard_may_take_the_marker_that_it_passes_over() -> None:
    state = scene("security", security="n4 n25", markers={"n4-b8": "american"})
    assert why(state, "security unmark n4-b8") == "marker-there"  # it has not come over it yet
    state = after(state, "security n4-b8", "security unmark n4-b8")
    assert not any(state.facts.table.markers)
    assert why(state, "security n25-n4") is None
    state = after(state, "security n25-n4")
    assert why(state, "security n4-b8") == "no-marker"
    assert why(scene(american="n4"), "american n4-b8") == "no-cutter"


@rule("R118")
def test_a_guard_that_takes_the_last_marker_of_its_room_goes_down_or_away() -> None:
    start = scene("security", security="office3", markers={"office2-n27": "american"}, points=3)
    state = after(start, "security office3-office2", "security unmark office2-n27")
    assert state.seats_to_act() == ("security",)
    assert why(state, "security end") == "wait"
    assert why(state, "security office2-office3") == "go-down"
    down = after(state, "security office2-n27")
    assert (at(down, "security"), down.facts.points) == (["n27"], 1)
    gone = after(state, "security office2-office")
    assert (at(gone, "security"), gone.facts.points) == (["office"], 2)
    assert at(after(state, "clock close"), "security") == ["office"]


@rule("R116")
def test_a_marker_on_the_lower_circle_of_a_crossing_opens_its_room_too() -> None:
    start = scene("security", security="c2", markers={"n4-b8": "american"})
    assert why(start, "security c2-chapel4") == "room"
    grid = start.facts.rules.board  # and one in which the wire is cut into a room
    rooms = list(grid.room)
    rooms[grid.node_by_name["b8"]] = grid.rooms.index("chapel")
    rules = altered(start.facts.rules, board=altered(grid, room=tuple(rooms)))
    state = ColditzState(replace(start.facts, rules=rules), start.secrets)
    assert why(state, "security c2-chapel4") is None


@rule("R117")
def test_only_the_guard_that_goes_over_the_crossing_takes_its_marker() -> None:
    markers = {"n4-b8": "american", "office2-n27": "american"}
    start = scene("security", security="n25 w5", markers={**markers, "dentist1-w7": "american"}, points=5)
    foot = after(start, "security barracks-n27")  # onto the post at the foot of the drop
    assert why(foot, "security unmark office2-n27") == "marker-there"
    assert why(after(start, "security w5-w7"), "security unmark dentist1-w7") == "marker-there"
    post = after(start, "security barracks-n4")  # onto the post inside the wire
    assert why(post, "security unmark n4-b8") == "marker-there"
    walked = after(start, "security n25-n4")
    assert why(walked, "security unmark n4-b8") == "marker-there"
    down = after(walked, "security n4-b8")
    assert why(down, "security unmark n4-b8") is None
    assert [name for name, _ in down.cursor_actions()] == ["n4"]
    assert why(down, "security unmark office2-n27") == "marker-there"
    for others in (("security b8-b9", "security b9-b8"), ("security w5-w6",)):  # it has gone on since
        gone = after(down, *others)
        assert why(gone, "security unmark n4-b8") == "marker-there"
        assert gone.cursor_actions() == ()


@rule("R117")
def test_points_by_a_card_leave_the_guard_where_it_came_over() -> None:
    start = scene("security", security="n4", markers={"n4-b8": "american"}, points=5,
                  hands={"security": "double-time"})  # fmt: skip
    state = after(start, "security n4-b8", "security play double-time")
    assert (state.facts.points, why(state, "security unmark n4-b8")) == (9, None)
    state = after(state, *("security b8-b9", "security b9-b8") * 2, "security b8-b7")
    assert state.facts.points == 4  # as many as when it had come over
    assert why(state, "security unmark n4-b8") == "marker-there"


@rule("R117", "R045")
def test_a_guard_on_its_way_keeps_the_marker_by_which_it_gets_on() -> None:
    start = scene("security", security="n27", markers={"n9-b13": "american"}, points=5)
    state = after(start, "security n27-n6", "security n6-n7", "security n7-n8", "security n8-n9")
    assert why(state, "security unmark n9-b13") == "marker-there"
    assert {str(action) for action in state.legal_actions("security")} == {"n9-b13"}
    down = after(state, "security n9-b13", "security unmark n9-b13")
    assert why(down, "security end") is None


@rule("R117", "R045")
def test_a_marker_whose_room_is_the_only_way_on_is_not_taken() -> None:
    # A castle in which one comes back into the room from the foot of its drop.
    start = scene("security", security="parcels2 e4 e8 e10", markers={"parcels2-e7": "american"}, points=2)
    exits, node = list(start.facts.rules.guard_exits), start.facts.rules.board.node_by_name
    exits[node["e7"]] += ((node["parcels1"], "closed", -1),)
    rules = altered(start.facts.rules, guard_exits=tuple(exits))
    state = after(ColditzState(replace(start.facts, rules=rules), start.secrets), "security parcels2-e7")
    assert why(state, "security e7-parcels1") is None
    assert why(state, "security unmark parcels2-e7") == "marker-there"
    assert "unmark parcels2-e7" not in map(str, state.legal_actions("security"))


@rule("R118")
def test_a_guard_that_took_a_marker_in_a_room_goes_on_at_once_whatever_holds_the_room_open() -> None:
    start = scene("security", security="theatre2", markers={"theatre4-s8": "american"},
                  tunnels={"theatre": 2}, american="theatre/1 theatre/2", points=5)  # fmt: skip
    state = after(start, "security theatre2-theatre4", "security unmark theatre4-s8")
    assert why(state, "security end") == "wait"
    assert why(state, "security theatre4-theatre2") == "go-down"
    assert at(after(state, "security theatre4-s8"), "security") == ["s8"]
    assert at(after(state, "security theatre4-office"), "security") == ["office"]


@rule("R118")
def test_other_guards_in_the_room_whose_last_marker_is_taken_go_to_the_office() -> None:
    room = scene("security", security="office3 office1 quarters1", points=5,
                 markers={"office2-n27": "american", "quarters2-e25": "british"})  # fmt: skip
    state = after(room, "security office3-office2", "security unmark office2-n27")
    assert at(state, "security") == ["office", "office2", "quarters1"]
    assert at(after(state, "security office2-n27"), "security") == ["n27", "office", "quarters1"]


@rule("R118", "R065")
def test_a_guard_whose_man_slips_away_below_does_not_stay_in_the_room() -> None:
    state = scene("security", security="office3 c4", american="n27", markers={"office2-n27": "american"},
                  points=6, hands={"american": "hideaway"})  # fmt: skip
    state = after(state, "security office3-office2", "security unmark office2-n27", "security office2-n27")
    state = after(state, "american play hideaway")
    assert at(state, "security") == ["c4", "office"]
    # Nor where the room stays open: the marker was taken to go down there.
    state = scene("security", security="theatre2", american="s8 theatre/1 theatre/2", points=6,
                  tunnels={"theatre": 2}, markers={"theatre4-s8": "american"},
                  hands={"american": "hideaway"})  # fmt: skip
    state = after(state, "security theatre2-theatre4", "security unmark theatre4-s8")
    state = after(state, "security theatre4-s8", "american play hideaway")
    assert at(state, "security") == ["office"]


@rule("R119", "R118")
def test_search_cards_take_markers_and_strand_guards_in_rooms() -> None:
    state = scene(
        "security", security="office2", markers={"office2-n27": "american"}, hands={"security": "search"}
    )
    state = after(state, "security play search office2-n27")
    assert at(state, "security") == ["office"]
    assert not any(state.facts.table.markers)
    bare = scene("security", hands={"security": "search"})
    assert why(bare, "security play search office2-n27") == "card-target"


@rule("R120")
def test_another_officer_replaces_a_marker_by_paying() -> None:
    state = scene("british", british="n4", markers={"n4-b8": "american"}, gear={"british": "cutter"})
    state = after(state, "british n4-b8")
    assert state.view(None).json()["markers"] == {"n4-b8": "british"}
    assert holds(state, "british") == []


@rule("R121")
def test_back_against_the_marker_only_its_colour_and_for_equipment() -> None:
    markers = {"office2-n27": "american"}
    assert why(scene(american="n27", markers=markers), "american n27-office2") == "no-rope"
    state = after(scene(american="n27", markers=markers, gear={"american": "rope"}), "american n27-office2")
    assert (at(state, "american"), holds(state, "american")) == (["office2"], [])
    assert state.view(None).json()["markers"] == markers
    other = scene("british", british="n27", markers=markers, gear={"british": "rope"})
    assert why(other, "british n27-office2") == "no-way-back"
    assert why(scene("security", security="n27", markers=markers), "security n27-office2") == "no-way"


# Kits


KIT_ROOMS = "canteen2 office3 wc1 laundry1"


@rule("R100", "R101", "R102", "A14")
def test_a_kit_from_four_rooms() -> None:
    assert why(scene(american=KIT_ROOMS, kits="american"), "american kit") == "has-kit"
    assert why(scene(american="canteen2 office3 wc1"), "american kit") == "kit-rooms"
    assert why(scene(american="canteen2 canteen4 office3 wc1"), "american kit") == "kit-rooms"
    state = after(scene(american=f"{KIT_ROOMS} c9"), "american kit")
    assert state.facts.table.has_kit == (False, True, False)
    assert state.facts.table.kits_left == 4
    assert why(state, "american c9-a5") == "not-in-room"
    state = after(
        state, "american wc1-a1", "american canteen2-a2", "american laundry1-a3", "american office3-a4"
    )
    assert at(state, "american") == ["a1", "a2", "a3", "a4", "c9"]
    other = scene(american="parcels1 interview1 quarters1 theatre1")
    assert why(other, "american kit") is None
    empty = scene(american=KIT_ROOMS, table_with={})
    table = replace(empty.facts.table, kits_left=0)
    empty = ColditzState(replace(empty.facts, table=table), empty.secrets)
    assert why(empty, "american kit") == "empty-pile"


@rule("R103")
def test_part_cards_stand_in_for_rooms() -> None:
    hands = {"american": "kit-food-papers kit-compass-disguise"}
    state = scene(american="c9", hands=hands)
    assert why(state, "american kit") == "kit-rooms"
    assert why(state, "american kit kit-food-papers") == "kit-rooms"
    assert why(state, "american kit kit-food-papers kit-compass-disguise") is None  # in any order
    assert state.parse("kit kit-food-papers kit-compass-disguise", "american") in state.legal_actions(
        "american"
    )
    whole = after(state, "american kit kit-compass-disguise kit-food-papers")
    assert (hand(whole, "american"), whole.facts.table.has_kit[1], whole.facts.tasks) == ([], True, ())
    assert whole.truth()["deck_cards"][0]["under"] == ["kit-compass-disguise", "kit-food-papers"]
    half = scene(american="wc1 laundry1", hands=hands)
    half = after(half, "american kit kit-food-papers", "american wc1-a1", "american laundry1-a2")
    assert (hand(half, "american"), half.facts.table.has_kit[1]) == (["kit-compass-disguise"], True)
    assert why(state, "american kit kit-food-papers kit-food-papers") == "kit-cards"
    twice = scene(american="wc1 laundry1", hands={"american": "kit-food-papers kit-food-papers"})
    assert why(twice, "american kit kit-food-papers kit-food-papers") == "kit-cards"  # both of one type
    assert why(twice, "american kit kit-food-papers") is None
    assert why(state, "american play kit-food-papers") == "card-target"


@rule("R104", "A15", "R063")
def test_with_six_players_used_parts_go_under_their_pile_and_do_not_count() -> None:
    state = scene(hands={"american": "release hideaway talisman kit-food-papers kit-compass-disguise"},
                  options={"players": 6})  # fmt: skip
    assert (state.facts.table.hand_sizes[1], state.facts.table.part_counts[1]) == (3, 2)
    assert why(state, "american end") is None
    state = after(state, "american kit kit-compass-disguise kit-food-papers")
    assert state.truth()["deck_cards"][2]["under"] == ["kit-compass-disguise", "kit-food-papers"]
    assert state.facts.table.deck_sizes[2] == 6


# Trades


def trading(**options: Any) -> Any:
    return scene(
        american="c4", british="c5", dutch="c6", options={"players": 4},
        gear={"american": "rope rope", "british": "key", "dutch": "pass"}, **options,
    )  # fmt: skip


@rule("R093", "R095")
def test_officers_exchange_and_give_by_consent() -> None:
    state, events = told(trading(), "american trade british rope rope for key")
    assert state.seats_to_act() == ("british",)
    public = [event.json() for event in events if event.audience is None]
    assert public == [{"kind": "offer", "seat": "american", "to": "british", "give": 2, "want": 1}]
    assert {seat for event in events if event.audience for seat in event.audience} == {
        "american",
        "british",
        "dutch",
    }
    assert "offer" not in state.view("security").json()
    assert state.view("dutch").json()["offer"] == {"give": ["rope", "rope"], "want": ["key"]}
    assert [(lamp, str(action)) for lamp, action in state.cursor_actions()] == [("turn-american", "accept")]
    assert [state.is_agreement(action) for action in state.legal_actions("british")] == [True, False]
    traded = after(state, "british accept")
    assert traded.cursor_actions() == ()
    assert (holds(traded, "american"), holds(traded, "british")) == (["key"], ["rope", "rope"])
    assert traded.facts.table.equipment_counts == (0, 1, 2, 1)
    refused = after(state, "british decline")
    assert holds(refused, "american") == ["rope", "rope"]
    gift = after(trading(), "dutch trade american pass for", "american accept")  # in another's turn
    assert holds(gift, "american") == ["rope", "rope", "pass"]


@rule("R093")
def test_when_and_with_whom_trades_are_possible() -> None:
    state = trading()
    assert why(state, "american trade british cutter for") == "trade-goods"
    assert why(state, "american trade british for pass") == "trade-goods"
    assert why(state, "american trade american rope for") == "trade-with"
    assert why(state, "american trade security rope for") == "trade-with"
    assert why(state, "american trade british for") == "unknown-action"
    assert why(state, "american trade british kit for") == "unknown-action"
    turn = scene("security", gear={"american": "rope"})
    assert why(turn, "american trade british rope for") == "trade-when"
    once = after(state, "american trade british rope for key", "british accept")
    assert why(once, "american trade british rope for") == "traded"
    assert why(once, "british trade american rope for") == "traded"
    assert why(once, "american trade dutch rope for") is None
    assert why(once, "dutch trade british for key") == "trade-goods"
    assert why(trading(phase=BEFORE_ROLL), "dutch trade american pass for rope") is None


@rule("R093")
def test_after_a_declined_offer_come_others_and_counter_offers_but_not_for_ever() -> None:
    state = after(trading(), "american trade british rope for key", "british decline")
    assert why(state, "american trade british rope rope for key") is None
    assert state.parse("trade british rope for key", "american") in list(state.legal_actions("american"))
    state = after(state, "british trade american key for rope rope", "american decline")
    agreed = after(state, "american trade british rope rope for key", "british accept")
    assert holds(agreed, "american") == ["key"]
    assert why(agreed, "british trade american rope for") == "traded"
    state = after(state, *("american trade british rope for key", "british decline") * 2)
    assert why(state, "american trade british rope rope for key") == "traded"  # three were declined
    assert not [word for word in state.legal_actions("american") if str(word).startswith("trade british")]
    state = after(state, *("british trade american key for rope", "american decline") * 2)
    assert why(state, "british trade american key for") == "traded"
    assert why(state, "dutch trade american pass for rope") is None
    state = after(state, "american end", "british roll", "chance dice 3 4")
    assert why(state, "american trade british rope for key") is None  # another turn


@rule("R093", "R045")
def test_while_a_pawn_is_on_its_way_the_others_trade() -> None:
    state = scene(american="n25", points=4, options={"players": 4},
                  gear={"american": "rope", "british": "key", "dutch": "pass"})  # fmt: skip
    state = after(state, "american n25-n24")
    assert why(state, "american trade british rope for key") == "in-transit"
    assert why(state, "british trade american for rope") == "in-transit"
    offers = [str(word) for word in state.legal_actions("british")]
    assert offers == ["trade dutch key for", "trade dutch for pass", "trade dutch key for pass"]
    assert list(state.legal_actions("american")) == list(
        ColditzState(state.facts, state.secrets).legal_actions("american")
    )
    state = after(state, "british trade dutch key for pass", "dutch accept")
    assert (holds(state, "british"), state.seats_to_act()) == (["pass"], ("american",))
    assert why(after(state, "american n24-n25"), "american trade british rope for pass") is None


@rule("R045", "R065", "R091", "R102")
def test_while_a_pawn_is_on_its_way_nothing_is_played_claimed_or_put_together() -> None:
    state = scene(american=f"n25 chapel4 chapel2 {KIT_ROOMS}", points=4, hands={"american": "all-clear"})
    on = after(state, "american n25-n24")
    for text in ("play all-clear", "claim rope", "kit"):
        assert why(state, f"american {text}") is None
        assert why(on, f"american {text}") == "in-transit"


@rule("R064", "R093")
def test_cards_and_kits_are_not_traded() -> None:
    state = scene(hands={"american": "release"}, gear={"american": "rope"}, kits="american")
    for goods in ("release", "kit", "opportunity"):
        assert why(state, f"american trade british {goods} for") == "unknown-action"


@rule("R068", "R093")
def test_the_clock_declines_a_trade() -> None:
    state = after(trading(), "american trade british rope for key", "clock close")
    assert (holds(state, "american"), state.facts.tasks) == (["rope", "rope"], ())


# After an escape


@rule("R122")
def test_at_an_escape_markers_of_that_colour_may_be_taken() -> None:
    markers = {"n4-b8": "american", "n6-b10": "american", "n9-b13": "british"}
    state = scene(american="b1", kits="american", markers=markers, options={"players": 3})
    state = after(state, "american b1-t1")
    assert state.seats_to_act() == ("security",)
    assert why(state, "security unmark n9-b13") == "marker-there"
    assert why(state, "american end") == "wait"
    state = after(state, "security unmark n4-b8", "security keep")
    assert set(state.view(None).json()["markers"]) == {"n6-b10", "n9-b13"}
    assert state.seats_to_act() == ("american",)


@rule("R122", "R118")
def test_markers_of_any_colour_are_asked_about_and_rooms_close_when_they_go() -> None:
    markers = {"n4-b8": "american", "office2-n27": "british"}
    state = scene("british", british="b1", kits="british", markers=markers, security="office3 n4")
    state = after(state, "british b1-t1")
    assert why(state, "security unmark n4-b8") == "marker-there"
    assert [name for name, _ in state.cursor_actions()] == ["office2"]
    state = after(state, "security unmark office2-n27")
    assert at(state, "security") == ["n4", "office"]
    assert state.seats_to_act() == ("british",)


# What the buttons of a board step through


def offered(state: Any) -> list[str]:
    """What `choose` steps through, as it is written."""
    return [f"{at}: {action}" for at, action in state.cursor_actions()]


@rule("R091")
def test_what_men_in_rooms_collect_is_stepped_through_by_where_they_stand() -> None:
    state = scene("british", british="chapel1 store2 dentist1 wc1")
    assert offered(state) == ["chapel1 store2: claim rope"]
    claimed = after(state, "british claim rope")
    assert offered(claimed) == [], "both men are carried to the Appel area first"
    assert {step.origin for step in claimed.steps()} == {"chapel1", "store2"}
    assert offered(scene("british", british="chapel1 dentist1")) == []
    pile = scene().facts.table.supply[0]
    empty = scene("british", british="chapel1 store2", gear={"american": " ".join(["rope"] * pile)})
    assert offered(empty) == []
    for phase in ("before", "main"):
        for action in (
            each for _, each in scene("british", phase=phase, british="chapel1 store2").cursor_actions()
        ):
            assert scene("british", phase=phase, british="chapel1 store2").refusal(action) is None


@rule("R100")
@pytest.mark.parametrize("held", ["", "kit-food-papers", "kit-food-papers kit-compass-disguise"])
def test_a_kit_is_stepped_through_only_where_men_alone_collect_it(held: str) -> None:
    """Whatever part cards he holds: what is shown tells nothing of them."""
    men = "canteen1 office1 wc1 theatre1"
    assert offered(scene("british", british=men, hands={"british": held})) == [
        "canteen1 office1 theatre1 wc1: kit"
    ]
    assert offered(scene("british", british="canteen1 office1", hands={"british": held})) == []
    assert offered(scene("british", british=men, hands={"british": held}, kits="british")) == []
