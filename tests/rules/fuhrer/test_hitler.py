"""Hitler's turn, the token, liberated cities and airports (F12 to F20), and the options about it."""

from __future__ import annotations

import pytest

from rules.fuhrer.positions import (
    SMALL,
    begin,
    city_of,
    drive,
    events,
    flags,
    goes,
    kinds,
    line,
    refusal,
    rest,
    texts,
    why,
)
from rules.ids import rule


@rule("F12", "F14", "G27")
def test_a_turn_ends_up_to_three_links_away_and_is_an_entry() -> None:
    state = rest(begin("kiel", "emden", "rostock", "linz"))
    assert goes(state) == {
        "linz", "passau", "salzburg", "regensburg", "innsbruck", "munich", "nurnberg", "freiburg", "augsburg",
    }  # fmt: skip
    state = drive(state, "go passau", "go passau", "go nurnberg")
    assert state.truth()["sheet"]["entries"] == ["linz", "passau", "passau", "nurnberg"]
    assert state.view("hitler").json()["sheet"]["entries"] == ["linz", "passau", "passau", "nurnberg"]
    assert refusal(state, "go kiel").code == "fuhrer/out-of-reach"
    assert refusal(state, "go kiel").public_code == "fuhrer/not-allowed"


@rule("X12", "F14")
def test_an_action_is_the_end_city_and_its_tickets() -> None:
    state = rest(begin("kiel", "emden", "rostock", "innsbruck"))
    assert events(state, "go innsbruck")[0] == {"kind": "moved", "round": 2}
    assert "go innsbruck ticket" not in texts(state)  # too far to come back in two links
    assert "go innsbruck ticket ticket" in texts(state)
    assert "go bonn ticket" in texts(state)
    assert "go cologne ticket" in texts(state)
    assert "go frankfurt ticket" in texts(state)
    assert "go mannheim ticket" not in texts(state)
    small = rest(begin("kiel", "trier", "ulm", "linz", map=SMALL))
    assert "go linz ticket" not in texts(small)
    assert "go innsbruck ticket" in texts(small)  # linz, innsbruck, a flight to flensburg, and back
    assert not {"go innsbruck", "go linz"} - texts(small)


@rule("F13", "X13", "G13", "T10", "T11")
def test_the_token_is_two_rounds_late_and_begins_in_round_three() -> None:
    state = rest(begin("kiel", "emden", "rostock", "linz"))
    assert state.view(None).json()["token"] is None
    assert kinds(state, "go passau") == ["moved"]
    state = drive(state, "go passau")
    assert state.view(None).json()["token"] is None
    assert events(state, "go regensburg")[1] == {"kind": "token", "at": "linz"}
    state = drive(state, "go regensburg")
    assert events(state, "go munich")[1] == {"kind": "token", "at": "passau"}
    state = line(state, "go munich")
    assert state.view(None).json()["trail"] == ["linz", "passau"]
    assert "munich" not in str(state.view("allies").json())


@rule("F15", "G2", "G3", "X14", "T16")
def test_he_is_safe_with_spy_and_tank_and_in_a_city_being_liberated() -> None:
    state = rest(begin("berlin", "magdeburg", "leipzig", "schwerin", liberation="full-round"))
    assert state.view(None).json()["liberating"] == "berlin"
    assert {"berlin", "magdeburg", "leipzig", "cottbus", "dresden"} <= goes(
        state
    )  # enter, pass, and Infantry
    inside = drive(state, "go berlin", spy="berlin", tank="cottbus")
    assert inside.outcome is None
    assert flags(inside) == ["berlin"]
    passed = line(state, "go cottbus")
    assert city_of(passed) == "cottbus"


@rule("F16", "G10", "X22")
def test_a_liberated_city_ends_his_way() -> None:
    state = begin("passau", "emden", "rostock", "linz")
    assert "regensburg" in goes(rest(state, tank="salzburg"))
    blocked = rest(state)
    assert flags(blocked) == ["passau"]
    assert "passau" in goes(blocked)
    assert goes(blocked) == {
        "linz", "passau", "salzburg", "munich", "innsbruck", "regensburg", "augsburg", "freiburg",
    }  # fmt: skip
    assert "nurnberg" not in goes(blocked)  # three links, but only by way of Passau


@rule("F17", "F18", "X16", "G8", "G9", "recapture")
def test_he_recaptures_by_staying_and_saying_so() -> None:
    state = rest(begin("passau", "emden", "rostock", "linz"))
    assert refusal(state, "recapture").code == "fuhrer/no-flag"
    assert refusal(state, "recapture").public_code == "fuhrer/not-allowed"
    state = drive(state, "go passau", tank="linz")
    assert texts(state) == {"go passau", "recapture"}
    assert why(state, "go linz") == ("trapped", "F18")
    silent = drive(state, "go passau", tank="salzburg")
    assert flags(silent) == ["passau"]
    assert texts(silent) == {"go passau", "recapture"}
    assert events(silent, "recapture")[1] == {"kind": "recaptured", "at": "passau"}
    taken = line(silent, "recapture")
    assert flags(taken) == []
    free = rest(taken, tank="linz")
    assert "regensburg" in goes(free)
    assert free.truth()["sheet"]["entries"][-1] == "passau"
    again = drive(free, "go regensburg", tank="passau")
    assert flags(drive(again, "go regensburg")) == ["passau"]


@rule("X16", "T18", "recapture")
def test_at_round_end_the_flag_goes_when_the_round_is_over() -> None:
    state = rest(begin("passau", "emden", "rostock", "linz", recapture="round_end"))
    state = line(drive(state, "go passau"), "recapture")
    assert flags(state) == ["passau"]
    assert state.view(None).json()["lowering"] == "passau"
    assert kinds(state, "stay") == ["stayed"]  # T18: it counts as liberated till then
    last = line(state, "stay; roll 1; stay; done; roll 1")
    assert kinds(last, "stay") == ["stayed", "lowered", "calendar"]
    after = line(last, "stay")
    assert flags(after) == []
    assert after.view(None).json()["lowering"] is None
    assert "nurnberg" in goes(after)


@rule("X15", "F18", "trapped", "T17")
def test_whether_a_flag_round_him_holds_him() -> None:
    for trapped, held in (("flagged", True), ("entered", False)):
        state = rest(begin("linz", "emden", "rostock", "linz", trapped=trapped))
        assert flags(state) == ["linz"]
        assert (goes(state) == {"linz"}) == held
        assert "recapture" in texts(state)
        entered = drive(rest(begin("passau", "emden", "rostock", "linz", trapped=trapped)), "go passau")
        assert goes(entered) == {"passau"}
        airport = rest(begin("bonn", "emden", "rostock", "bonn", trapped=trapped))
        assert ("go flensburg ticket" in texts(airport)) != held


@rule("trapped", "F17")
def test_a_flag_that_comes_back_round_him_does_not_hold_him_if_entering_counts() -> None:
    state = drive(
        rest(begin("passau", "emden", "rostock", "linz", trapped="entered")), "go passau", "recapture"
    )
    assert flags(state) == ["passau"]  # T4: the Tank stayed
    assert "regensburg" in goes(state)


@rule("F19", "F20", "X18", "X19", "G12", "G14", "T8", "flight_tells")
def test_two_tickets_lead_to_other_airports_and_are_announced_at_once() -> None:
    state = rest(begin("kiel", "emden", "rostock", "bonn"))
    assert {"go flensburg ticket", "go innsbruck ticket", "go flensburg ticket ticket"} <= texts(state)
    assert "go bonn ticket ticket" in texts(state)  # there and back is a way
    assert "go bonn ticket" not in texts(state)
    assert events(state, "go flensburg ticket")[1:] == [{"kind": "ticket", "left": 1}]
    assert events(state, "go innsbruck ticket ticket")[1:] == [
        {"kind": "ticket", "left": 1},
        {"kind": "ticket", "left": 0},
    ]
    state = drive(state, "go innsbruck ticket")
    assert state.view(None).json()["tickets"] == 1
    assert state.view(None).json()["flights"] == [{"round": 2, "from": [None]}]
    assert why(state, "go flensburg ticket ticket") == ("no-ticket", "F19")
    state = drive(state, "go bonn ticket")
    assert not any("ticket" in text for text in texts(state))


@rule("X18", "flight_tells")
def test_the_airport_of_departure_is_told_where_the_option_says_so() -> None:
    state = rest(begin("kiel", "emden", "rostock", "bonn", flight_tells="origin"))
    assert "go flensburg ticket=bonn" in texts(state)
    assert events(state, "go flensburg ticket=bonn")[1:] == [{"kind": "flight", "from": "bonn", "left": 1}]
    assert "go bonn ticket=bonn ticket=flensburg" in texts(state)
    assert "go bonn ticket=bonn ticket=innsbruck" in texts(state)
    assert refusal(state, "go flensburg ticket").code == "fuhrer/tell-origin"
    plain = rest(begin("kiel", "emden", "rostock", "bonn"))
    assert refusal(plain, "go flensburg ticket=bonn").code == "fuhrer/tell-origin"


@rule("one_flight_a_turn", "G12")
def test_one_flight_a_turn() -> None:
    state = rest(begin("kiel", "emden", "rostock", "bonn", one_flight_a_turn=True))
    assert "go flensburg ticket" in texts(state)
    assert not any(text.endswith("ticket ticket") for text in texts(state))
    assert "go innsbruck ticket" in texts(drive(state, "go flensburg ticket"))


@rule("X17", "flight")
@pytest.mark.parametrize(
    ("flight", "may", "may_not"),
    [
        (
            "move",
            {"go flensburg ticket", "go kiel ticket", "go innsbruck ticket ticket"},
            {"go lubeck ticket", "go kiel ticket ticket"},
        ),
        (
            "turn",
            set(),
            {"go flensburg ticket", "go innsbruck ticket"},
        ),
        (
            "free",
            {"go flensburg ticket", "go kiel ticket", "go lubeck ticket", "go kiel ticket ticket"},
            {"go rostock ticket"},
        ),
    ],
)
def test_what_a_flight_costs(flight: str, may: set[str], may_not: set[str]) -> None:
    state = rest(begin("dresden", "emden", "rostock", "cologne", flight=flight))  # one link from Bonn
    assert may <= texts(state)
    assert not may_not & texts(state)
    airport = rest(begin("dresden", "emden", "rostock", "bonn", flight=flight))
    assert "go flensburg ticket" in texts(airport)
    assert ("go kiel ticket" in texts(airport)) == (flight != "turn")
    assert ("go flensburg ticket ticket" in texts(airport)) == (flight != "turn")


@rule("G11", "T6", "T7")
def test_flags_at_airports() -> None:
    state = rest(begin("innsbruck", "emden", "rostock", "bonn"))
    assert flags(state) == ["innsbruck"]
    assert "go innsbruck ticket" in texts(state)  # G11, T6: enters it
    assert "go munich ticket" not in texts(state)  # and ends there
    inside = drive(state, "go innsbruck ticket", tank="salzburg")
    assert texts(inside) == {"go innsbruck", "recapture"}
    walked = rest(begin("innsbruck", "emden", "rostock", "munich"))
    assert "go innsbruck" in texts(walked)
    assert not any("ticket" in text for text in texts(walked))  # T7
    freed = rest(begin("linz", "emden", "rostock", "munich"))
    assert "go bonn ticket" in texts(freed)


@rule("G17", "G27", "F18")
def test_staying_is_always_possible_also_when_enclosed() -> None:
    state = begin("kiel", "emden", "trier", "flensburg")
    state = drive(rest(state), "go flensburg", tank="hamburg")
    state = drive(state, "go flensburg")
    assert flags(state) == ["kiel", "hamburg"]
    assert goes(state) == {"flensburg", "kiel", "hamburg"}


@rule("G7", "G14")
def test_liberation_round_him_does_not_tell_where_he_is() -> None:
    state = line(begin("linz", "emden", "rostock", "linz"), "stay")
    other = line(begin("linz", "emden", "rostock", "bonn"), "stay")
    assert state.view("allies") == other.view("allies")
