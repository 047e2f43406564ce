"""Cases where rules meet (T1 to T9, T12 to T17)."""

from __future__ import annotations

from rules.fuhrer.positions import begin, drive, events, flags, goes, line, rest, texts
from rules.ids import rule


@rule("T1", "G7")
def test_t1_a_flag_goes_up_round_him() -> None:
    state = rest(begin("magdeburg", "emden", "rostock", "leipzig"), tank="berlin")
    state = drive(state, "go berlin")
    assert flags(state) == ["berlin"]
    assert texts(state) == {"go berlin", "recapture"}
    state = drive(state, "recapture", tank="leipzig")
    assert "cottbus" in goes(state)


@rule("T2")
def test_t2_entering_a_flagged_city() -> None:
    state = rest(begin("berlin", "emden", "rostock", "leipzig"))
    state = drive(state, "go berlin", tank="magdeburg")
    assert texts(state) == {"go berlin", "recapture"}
    state = drive(state, "recapture", tank="leipzig")
    assert "stettin" in goes(state)


@rule("T3")
def test_t3_tank_and_hitler_start_in_one_city() -> None:
    state = rest(begin("berlin", "emden", "rostock", "berlin"))
    assert flags(state) == ["berlin"]
    assert state.facts.round == 2
    assert texts(state) == {"go berlin", "recapture"}


@rule("T4", "G8", "X15", "X16")
def test_t4_a_tank_that_stays_flags_a_recaptured_city_again() -> None:
    state = drive(rest(begin("berlin", "emden", "rostock", "berlin")), "recapture")
    assert flags(state) == ["berlin"]
    assert texts(state) == {"go berlin", "recapture"}


@rule("T5")
def test_t5_recapture_does_not_protect() -> None:
    state = rest(begin("berlin", "emden", "leipzig", "berlin"))
    assert rest(line(state, "recapture"), tank="cottbus", infantry="berlin").outcome == ("allies", "capture")


@rule("T6", "T7", "T8")
def test_t8_two_tickets_and_what_is_left_is_public() -> None:
    state = rest(begin("berlin", "emden", "leipzig", "innsbruck"))
    after = line(state, "go flensburg ticket ticket")
    assert [event["left"] for event in events(state, "go flensburg ticket ticket") if "left" in event] == [
        1,
        0,
    ]
    assert after.view("allies").json()["tickets"] == 0


@rule("T9", "T11")
def test_t9_a_flight_in_round_two_shows_its_end_in_round_four() -> None:
    state = rest(begin("berlin", "emden", "leipzig", "innsbruck"))
    assert events(state, "go kiel ticket")[1] == {"kind": "ticket", "left": 1}
    state = drive(state, "go kiel ticket")
    assert events(state, "go lubeck")[1] == {"kind": "token", "at": "innsbruck"}
    state = drive(state, "go lubeck")
    assert events(state, "go lubeck")[1] == {"kind": "token", "at": "kiel"}


@rule("T12")
def test_t12_the_token_never_tells_why_he_stayed() -> None:
    trapped = rest(begin("berlin", "emden", "leipzig", "berlin"))
    told = []
    for state in (trapped, rest(begin("berlin", "emden", "leipzig", "bonn"))):
        city = str(state.truth()["sheet"]["at"])
        after = drive(state, f"go {city}", f"go {city}", tank="stay")
        told.append([set(event) for event in events(after, f"go {city}")])
    assert told[0] == told[1]


@rule("T15")
def test_t15_all_four_act_in_round_24() -> None:
    state = rest(begin("kiel", "emden", "rostock", "linz"))
    for _ in range(2, 24):
        state = drive(state, "go linz")
    acted = []
    for text in (
        "go linz",
        "roll",
        "roll 1",
        "stay",
        "roll 1",
        "stay",
        "ask emden",
        "done",
        "roll 1",
        "stay",
    ):
        acted.append(state.view(None).json()["piece"])
        state = line(state, text)
    assert set(acted) == {None, "tank", "spy", "infantry"}
    assert state.outcome == ("hitler", "escaped")


@rule("T16", "T17")
def test_t17_leaving_a_city_that_was_flagged_round_him() -> None:
    state = rest(begin("berlin", "emden", "rostock", "berlin", trapped="entered"))
    assert flags(state) == ["berlin"]
    assert {"leipzig", "recapture", "stettin"} <= goes(state) | texts(state)
