"""Cards drawn, held, played and answered: R060 to R068, and what single cards do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from boardrules.colditz.cardplay.effect_table import EFFECTS
from boardrules.colditz.deck.cards import card_set_by_key
from boardrules.colditz.play import ColditzState
from boardrules.colditz.state.facts import AFTER_ROLL, BEFORE_ROLL, PendingTask
from rules.colditz.scene import after, altered, at, hand, holds, kinds, rolled, scene, told, why
from rules.ids import rule


def offered(state: Any, *dice: str, **options: Any) -> bool:
    """Whether a movement roll of these throws offers a card."""
    state = after(scene(phase=BEFORE_ROLL, options=options or None), "american roll")
    for count, throw in enumerate(dice):
        state = after(state, f"chance dice {throw}")
        if state.facts.tasks and state.facts.tasks[-1].kind == "again":
            state = after(state, "american roll" if count + 1 < len(dice) else "american stay")
    tasks = state.facts.tasks
    return bool(tasks) and tasks[-1].kind == "offer"


@rule("R060", "R061", "A3", "draw_on")
@pytest.mark.parametrize(
    ("throws", "expected"),
    [
        (("1 4",), "any_throw first_throw final_total"),
        (("2 4",), ""),
        (("1 1", "5 6"), "any_throw first_throw"),
        (("5 5", "1 2"), "any_throw"),
        (("1 2",), "any_throw first_throw final_total classic-3-7-11"),
        (("3 4",), "classic-3-7-11"),
        (("1 1", "2 3"), "any_throw first_throw classic-3-7-11"),
        (("1 1", "1 2"), "any_throw first_throw final_total"),
    ],
)
def test_which_rolls_earn_a_card(throws: tuple[str, ...], expected: str) -> None:
    for reading in ("any_throw", "first_throw", "final_total", "classic-3-7-11"):
        assert offered(None, *throws, draw_on=reading) == (reading in expected.split()), reading
    assert offered(None, *throws) == offered(None, *throws, draw_on="any_throw")


@rule("R060", "R061")
def test_one_card_a_turn_may_be_drawn_or_left() -> None:
    state = after(
        scene(phase=BEFORE_ROLL), "american roll", "chance dice 1 1", "american roll", "chance dice 1 2"
    )
    assert why(state, "american c1-c2") == "wait"
    state, events = told(state, "american draw", "chance deal american release")
    assert hand(state, "american") == ["release"]
    assert kinds(events) == ["card", "drawn"]
    assert events[1].audience == frozenset(("american",))
    assert why(state, "american draw") == "not-now"
    left = after(scene(phase=BEFORE_ROLL), "american roll", "chance dice 1 2", "american skip")
    assert (hand(left, "american"), left.facts.turn.phase) == ([], AFTER_ROLL)


@rule("R060")
def test_the_security_officer_draws_security_cards_also_in_a_general_search() -> None:
    state = scene(
        "security", phase=BEFORE_ROLL, security="c3", american="c4", turn_with={"refusers": 1 << 12}
    )
    state = after(state, "security roll", "chance dice 1 2", "security draw")
    assert {str(action).split()[2] for action, _ in state.chance()} <= {
        card.id for card in card_set_by_key("castle").cards if card.deck == "security"
    }
    state = after(state, "chance deal security search", "security search")
    assert hand(state, "security") == ["search"]


@rule("R062")
def test_throws_for_cards_draw_nothing() -> None:
    state = scene(hands={"american": "blackout"}, points=1)
    state = after(state, "american play blackout", "chance dice 1 2")
    assert (state.facts.points, state.facts.tasks) == (4, ())


@rule("R063", "A15")
def test_the_hand_is_brought_back_to_three_before_the_turn_ends() -> None:
    state = scene(hands={"american": "release hideaway talisman all-clear"})
    assert why(state, "american end") == "hand-full"
    discarded, events = told(state, "american discard talisman")
    assert hand(discarded, "american") == ["release", "hideaway", "all-clear"]
    assert [event.audience for event in events] == [None, frozenset(("american",))]
    assert why(discarded, "american discard release") == "hand-fits"
    assert why(discarded, "american end") is None
    assert why(after(state, "american play all-clear"), "american end") is None
    assert why(state, "american discard diversion") == "no-such-card"
    # In others' turns one may hold four: the limit counts at the end of the own turn.
    other = scene("british", hands={"american": "release hideaway talisman all-clear"})
    assert why(other, "british end") is None


@rule("R065")
def test_cards_are_played_in_the_own_turn_before_the_roll_too() -> None:
    state = scene(phase=BEFORE_ROLL, hands={"american": "all-clear"})
    assert why(state, "british play all-clear") == "not-your-turn"
    state = after(state, "american play all-clear")
    assert rolled(state, "3 4").facts.points == 11
    assert why(scene(hands={"american": "release"}), "american play all-clear") == "no-such-card"


@rule("R065", "R068")
def test_interrupts_answer_the_event_that_they_name() -> None:
    assert why(scene(hands={"american": "hideaway"}), "american play hideaway") == "card-when"
    state = scene("security", security="c3", american="c4", gear={"american": "key"},
                  hands={"american": "hideaway talisman"})  # fmt: skip
    state = after(state, "security c3-c4")
    assert state.seats_to_act() == ("american",)
    assert why(state, "american play talisman") == "card-when"
    state = after(state, "american play hideaway")
    assert at(state, "american") == ["c1"]  # the nearest free Safe circle
    assert at(state, "security") == ["c3"]
    assert state.facts.points == 9


@rule("R066", "R070")
def test_appel_is_called_before_the_roll_only() -> None:
    assert card_set_by_key("castle").cards[card_set_by_key("castle").card_number("appel")].copies == 2
    state = scene("security", phase=BEFORE_ROLL, hands={"security": "appel"}, american="c4")
    assert why(rolled(state, "3 4"), "security play appel") == "appel-when"
    assert why(state, "security play appel") is None


@rule("R067")
def test_used_and_discarded_cards_go_under_their_deck() -> None:
    state = scene(hands={"american": "release hideaway talisman all-clear"})
    state = after(state, "american play all-clear", "american end")
    assert state.truth()["deck_cards"][0]["under"] == ["all-clear"]
    state = scene(hands={"american": "release hideaway talisman all-clear"})
    state = after(state, "american discard release")
    assert state.truth()["deck_cards"][0]["under"] == ["release"]


@rule("R067", "G12")
def test_an_empty_shuffled_part_is_followed_by_what_lies_under_it_and_an_empty_deck_by_nothing() -> None:
    state = scene(phase=BEFORE_ROLL, options={"players": 2})
    number = state.facts.rules.cards.card_number("release")
    deck = state.secrets.decks[0]._replace(shuffled=(), bottom_cards=(number, number + 1))
    secrets = replace(state.secrets, decks=(deck, *state.secrets.decks[1:]))
    state = after(ColditzState(state.facts, secrets), "american roll", "chance dice 1 2", "american draw")
    assert [str(action) for action, _ in state.chance()] == ["deal american release"]
    empty = scene(phase=BEFORE_ROLL)
    secrets = replace(empty.secrets, decks=(deck._replace(bottom_cards=()), *empty.secrets.decks[1:]))
    table = replace(empty.facts.table, deck_sizes=(0, 16, 0))
    empty = ColditzState(replace(empty.facts, table=table), secrets)
    rolled_low = after(empty, "american roll", "chance dice 1 2")
    assert (rolled_low.facts.turn.phase, rolled_low.facts.tasks) == (AFTER_ROLL, ())
    assert rolled_low.seats_to_act() == ("american",)


@rule("R068")
def test_effects_are_immediate_unless_somebody_answers_clockwise_and_once() -> None:
    markers = {"n4-b8": "american"}
    state = scene("security", hands={"security": "search", "american": "release", "british": "false-alarm"},
                  markers=markers, security="c3")  # fmt: skip
    asked = after(state, "security play search n4-b8")
    assert asked.seats_to_act() == ("american",)
    assert why(asked, "british pass") == "not-asked"
    assert why(asked, "american play release") == "card-when"
    asked = after(asked, "american pass")
    assert asked.seats_to_act() == ("british",)
    assert any(after(asked, "british play false-alarm").facts.table.markers)
    assert not any(after(asked, "british pass").facts.table.markers)
    alone = scene("security", hands={"security": "search"}, markers=markers)
    assert not any(after(alone, "security play search n4-b8").facts.table.markers)


@rule("R068")
def test_the_informer_answers_opportunity_cards() -> None:
    state = scene(hands={"security": "informer", "american": "bed-sheets"})
    state = after(state, "american play bed-sheets")
    assert state.seats_to_act() == ("security",)
    assert holds(after(state, "security play informer"), "american") == []
    assert holds(after(state, "security pass"), "american") == ["rope"]


@rule("R068")
def test_the_clock_ends_every_open_window() -> None:
    state = scene(hands={"security": "informer", "american": "bed-sheets"})
    assert list(state.legal_actions("clock")) == []
    state = after(state, "american play bed-sheets", "clock close")
    assert holds(state, "american") == ["rope"]
    again = after(scene(phase=BEFORE_ROLL), "american roll", "chance dice 1 1", "clock close")
    assert again.facts.tasks[-1].kind == "offer"
    assert after(again, "clock close").facts.turn.phase == AFTER_ROLL
    assert why(scene(), "clock close") == "nothing-open"


@rule("G19", "R004")
def test_the_decks_say_what_is_invented() -> None:
    cards = card_set_by_key("castle").cards
    named = {card.id for card in cards if not card.invented}
    assert named == {
        "kit-food-papers", "kit-compass-disguise", "tunnel-chapel", "tunnel-canteen", "tunnel-theatre",
        "staff-car", "release", "hideaway", "diversion", "talisman", "appel", "shoot-to-kill",
        "tunnel-detected", "search",
    }  # fmt: skip
    assert {card.effect for card in cards} == set(EFFECTS)


# What single cards do


def test_release() -> None:
    state = scene(american="innercells outercells", hands={"american": "release release"})
    assert at(after(state, "american play release innercells c34"), "american") == ["c34", "outercells"]
    state = after(state, "american play release outercells s17")
    assert at(state, "american") == ["innercells", "s17"]
    assert why(scene(hands={"american": "release"}), "american play release") == "card-target"


@rule("R161")
def test_the_staff_car_takes_the_man_at_it_to_the_road() -> None:
    state = scene(american="e30", security="d7", hands={"american": "staff-car"})
    assert at(after(state, "american play staff-car"), "american") == ["d6"]  # d7 is taken
    assert (
        why(scene(american="e29", hands={"american": "staff-car"}), "american play staff-car")
        == "card-target"
    )


def test_diversion_and_cigarettes() -> None:
    state = scene(american="w4", security="w5 e2 c3", hands={"american": "diversion cigarettes"})
    grid = state.facts.rules.board
    reach = dict(state.facts.rules.cards.cards[state.facts.rules.cards.card_number("diversion")].params)[
        "range"
    ]
    away = grid.distances_from_node(grid.node_by_name["w4"])
    for steps, code in ((reach, None), (reach + 1, "card-target")):
        name = next(
            n
            for n, node in grid.node_by_name.items()
            if node < grid.circle_count and grid.area[node] == 1 and away[node] == steps
        )
        far = scene(american="w4", security=name, hands={"american": "diversion"})
        assert why(far, f"american play diversion {name}") == code
    assert why(state, "american play diversion e2") == "card-target"
    assert why(state, "american play diversion c3") == "card-target"
    state = after(state, "american play diversion w5")
    assert at(state, "security") == ["c3", "e2", "office"]
    assert at(after(state, "american play cigarettes c3"), "security") == ["e2", "office", "office"]


@rule("A6")
def test_diversion_counts_over_marked_crossings_as_a_search_does() -> None:
    there = {"american": "b10", "hands": {"american": "diversion"}, "options": {"players": 4}}
    for guard, marker, code in (
        ("n2", "n4-b8", None),  # two steps, the wire, two more
        ("n22", "n4-b8", "card-target"),  # one more than six
        ("n2", "w4-x5", "card-target"),
        ("x5", "w4-x5", "card-target"),
    ):
        for owner in ("american", "british"):
            state = scene(security=guard, markers={marker: owner}, **there)
            assert why(state, f"american play diversion {guard}") == code, (guard, marker)
    # A marker points outwards: a guard out there is not near a man inside.
    behind = scene(american="n2", security="b10", markers={"n4-b8": "american"}, hands=there["hands"])
    assert why(behind, "american play diversion b10") == "card-target"
    # While pawns walk what is near is listed anew.
    state = scene(security="n2", **{**there, "american": "b13"}, markers={"n4-b8": "american"})
    aims = [str(one) for one in state.legal_actions("american") if "diversion" in str(one)]
    assert aims == []
    state = after(state, "american b13-b12", "american b12-b11")
    assert "play diversion n2" in map(str, state.legal_actions("american"))


@rule("R160", "G9")
@pytest.mark.parametrize(("dice", "left"), [("3 4", ["b8", "c1"]), ("3 5", ["c1"])])
def test_shoot_to_kill(dice: str, left: list[str]) -> None:
    state = scene("security", american="b8 c1", hands={"security": "shoot-to-kill"})
    assert why(state, "security play shoot-to-kill c1") == "card-target"
    state = after(state, "security play shoot-to-kill b8", f"chance dice {dice}")
    assert at(state, "american") == left


@rule("R035", "R160")
def test_a_double_helps_a_shot_too() -> None:
    state = scene("security", american="b8", hands={"security": "shoot-to-kill"})
    state = after(
        state, "security play shoot-to-kill b8", "chance dice 1 1", "security roll", "chance dice 1 5"
    )
    assert at(state, "american") == []


def test_talisman_answers_the_shot_at_the_own_man_alone() -> None:
    hands = {"security": "shoot-to-kill", "american": "talisman", "british": "talisman false-alarm"}
    state = after(scene("security", american="b8", hands=hands), "security play shoot-to-kill b8")
    assert state.seats_to_act() == ("american",)
    state = after(state, "american play talisman")
    assert (at(state, "american"), state.seats_to_act()) == (["b8"], ("security",))


def test_points_relief_send_home_and_inspection() -> None:
    state = scene("security", security="office office c3", hands={"security": "relief double-time"}, points=1)
    state = after(state, "security play double-time", "security play relief")
    assert (state.facts.points, at(state, "security")) == (6, ["c3"])
    assert why(scene("security", hands={"security": "relief"}), "security play relief") == "card-target"
    state = scene(american="c1 n25", hands={"american": "sick-parade second-thoughts"})
    assert why(state, "american play sick-parade n25 sickbay1") == "card-target"
    state = after(state, "american play sick-parade c1 sickbay2", "american play second-thoughts n25 a5")
    assert at(state, "american") == ["a5", "sickbay2"]
    state = scene(
        "security", american="chapel4", gear={"american": "rope key"}, hands={"security": "snap-inspection"}
    )
    state = after(state, "security play snap-inspection american", "american surrender key")
    assert holds(state, "american") == ["rope"]


@rule("R077")
def test_security_cards_do_not_hit_men_on_safe_circles() -> None:
    hands = {"security": "snap-inspection shoot-to-kill"}
    gear = {"american": "rope", "british": "key"}
    state = scene("security", american="chapel2", british="chapel4", gear=gear, hands=hands)
    assert why(state, "security play snap-inspection american") == "card-target"
    assert why(state, "security play snap-inspection british") is None
    alone = scene("security", american="chapel2", gear={"american": "rope"}, hands=hands)
    assert why(alone, "security play snap-inspection american") == "card-target"
    # A castle with a Safe circle Outside.
    state = scene("security", american="b8 b9", hands=hands)
    rules = state.facts.rules
    grid = altered(rules.board, safe=rules.board.safe | 1 << rules.board.node_by_name["b8"])
    rules = altered(rules, board=grid)
    safe = ColditzState(replace(state.facts, rules=rules), state.secrets)
    assert why(state, "security play shoot-to-kill b8") is None
    assert why(safe, "security play shoot-to-kill b8") == "card-target"
    assert why(safe, "security play shoot-to-kill b9") is None


def test_no_card_while_a_pawn_is_on_its_way() -> None:
    state = after(scene(american="n25", hands={"american": "all-clear"}), "american n25-n24")
    assert why(state, "american play all-clear") == "in-transit"
    assert PendingTask("answer", 1) not in state.facts.tasks
