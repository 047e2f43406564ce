"""What the Allied pieces do (F06 to F10), and the options about it."""

from __future__ import annotations

import pytest

from boardrules.core import CHANCE, OptionError
from rules.fuhrer.positions import (
    begin,
    drive,
    events,
    flags,
    kinds,
    line,
    new,
    possible,
    refusal,
    rest,
    standing,
    texts,
    why,
)
from rules.ids import rule


@rule("F06", "G20", "G21")
def test_a_piece_rolls_and_goes_up_to_that_far_or_stays() -> None:
    state = line(begin("berlin", "hamburg", "kiel", "linz"), "roll")
    assert state.chance() == tuple((face, 1) for face in state.legal_actions(CHANCE))
    assert texts(state) == {"roll 1", "roll 2", "roll 3"}
    assert why(state, "berlin-leipzig", "allies") == ("roll-first", "G21")
    assert why(state, "stay", "allies") == ("roll-first", "G21")
    one = line(state, "roll 1")
    near = {"schwerin", "stettin", "magdeburg", "cottbus", "leipzig"}
    assert texts(one) == {"stay", *(f"berlin-{city}" for city in near)}
    assert why(one, "berlin-dresden") == ("too-far", "F06")
    assert why(one, "leipzig-berlin") == ("not-there", "F06")
    assert why(one, "berlin-berlin") == ("no-way", "F06")
    assert why(one, "roll 2", CHANCE) == ("no-roll", "F06")
    assert {step.target for step in one.steps()} == near
    assert "berlin-dresden" in texts(line(state, "roll 2"))
    assert "berlin-chemnitz" in texts(line(state, "roll 2"))
    assert "berlin-nurnberg" not in texts(line(state, "roll 2"))
    assert "berlin-nurnberg" in texts(line(state, "roll 3"))
    assert one.hand_action("allies", "berlin", "berlin") == one.parse("stay", "allies")


@rule("F07", "G24")
def test_pieces_share_a_city_and_flags_do_not_hinder_them() -> None:
    state = begin("berlin", "leipzig", "dresden", "linz")
    state = drive(rest(state), "go linz", spy="berlin", infantry="berlin")
    assert standing(state) == {"berlin": ("allies:tank", "allies:spy", "allies:infantry")}
    assert flags(state) == ["berlin"]
    state = drive(state, "go linz", tank="leipzig", spy="dresden", infantry="cottbus")
    assert set(state.layout()) == {"leipzig", "dresden", "cottbus"}


@rule("F08", "X5", "X7", "X8", "G6", "tank_roll", "liberation")
def test_a_tank_that_stays_liberates_its_city_without_or_after_a_roll() -> None:
    state = begin("berlin", "ulm", "kiel", "linz")
    assert texts(state) == {"stay", "roll"}
    assert kinds(state, "stay") == ["stayed", "liberated"]
    assert flags(line(state, "stay")) == ["berlin"]
    assert flags(line(state, "roll; roll 3; stay")) == ["berlin"]
    assert flags(line(state, "roll; roll 3; berlin-leipzig")) == []
    state = drive(rest(state), "go linz", tank="leipzig")
    assert flags(state) == ["berlin"]


@rule("F08", "G23")
def test_staying_in_a_liberated_city_changes_nothing() -> None:
    state = line(rest(begin("berlin", "ulm", "kiel", "linz")), "go linz")
    assert flags(state) == ["berlin"]
    assert kinds(state, "stay") == ["stayed"]
    assert flags(line(state, "stay")) == ["berlin"]


@rule("X5", "tank_roll")
def test_with_always_the_tank_rolls_like_the_others() -> None:
    state = begin("berlin", "ulm", "kiel", "linz", tank_roll="always")
    assert state.seats_to_act() == (CHANCE,)
    assert flags(line(state, "roll 2; stay")) == ["berlin"]
    with pytest.raises(OptionError, match="tank_roll is 'always' and liberation is 'declared'"):
        new(tank_roll="always", liberation="declared")


@rule("G6", "liberation")
def test_declared_liberation_needs_the_word_instead_of_the_roll() -> None:
    state = begin("berlin", "ulm", "kiel", "linz", liberation="declared")
    assert texts(state) == {"stay", "liberate", "roll"}
    assert flags(line(state, "stay")) == []
    assert flags(line(state, "roll; roll 1; stay")) == []
    assert kinds(state, "liberate") == ["stayed", "liberated"]
    after = line(state, "liberate; roll 1; stay; done; roll 1; stay; go linz")
    assert flags(after) == ["berlin"]
    assert texts(after) == {"stay", "roll"}
    assert why(after, "liberate") == ("nothing-to-liberate", "G6")
    automatic = begin("berlin", "ulm", "kiel", "linz")
    assert why(automatic, "liberate") == ("nothing-to-liberate", "G6")


@rule("X7", "T16", "liberation")
def test_a_full_round_raises_the_flag_when_the_tanks_next_turn_begins() -> None:
    state = begin("berlin", "ulm", "kiel", "leipzig", liberation="full-round")
    assert kinds(state, "stay") == ["stayed", "liberating"]
    state = rest(state)
    assert flags(state) == []
    assert state.view(None).json()["liberating"] == "berlin"
    assert kinds(state, "go berlin") == ["moved", "liberated"]
    state = line(state, "go berlin")
    assert flags(state) == ["berlin"]
    assert state.view(None).json()["liberating"] is None
    assert flags(rest(state, tank="leipzig")) == ["berlin"]


@rule("F09", "X9", "G5", "spy_questions")
def test_the_spy_asks_about_none_one_or_two_cities_next_to_it() -> None:
    state = line(begin("berlin", "hamburg", "ulm", "linz"), "stay; roll 1; stay")
    near = {"hamburg", "flensburg", "kiel", "lubeck", "schwerin", "bremen", "hannover"}
    assert texts(state) == {"done", *(f"ask {city}" for city in near)}
    assert why(state, "ask rostock") == ("ask-too-far", "X9")
    assert why(state, "ask kiel hamburg") == ("one-by-one", "G5")
    one = line(state, "ask kiel")
    assert texts(one) == {"done", *(f"ask {city}" for city in near - {"kiel"})}
    assert why(one, "ask kiel") == ("asked-already", "G5")
    assert one.view(None).json()["asked"] == ["kiel"]
    for text in ("done", "ask bremen"):
        assert line(one, text).seats_to_act() == (CHANCE,)
    assert line(state, "done").seats_to_act() == (CHANCE,)


@rule("G5", "spy_questions")
def test_both_first_names_all_cities_before_an_answer() -> None:
    state = line(begin("berlin", "linz", "ulm", "passau", spy_questions="both_first"), "stay; roll 1; stay")
    assert texts(state) == {
        "done", "ask linz", "ask passau", "ask salzburg", "ask passau linz", "ask passau salzburg",
        "ask linz salzburg",
    }  # fmt: skip
    assert events(state, "ask salzburg passau") == [
        {"kind": "answer", "at": "passau", "thing": "yes"},
        {"kind": "answer", "at": "salzburg", "thing": "no"},
    ]
    for text in ("ask linz", "ask linz salzburg", "done"):
        assert line(state, text).seats_to_act() == (CHANCE,)


@rule("F09", "X10", "G22")
def test_the_spy_asks_after_its_move_in_round_one_too_moved_or_not() -> None:
    state = line(begin("berlin", "ulm", "kiel", "linz"), "stay; roll 2")
    assert refusal(state, "ask ulm").code == "fuhrer/not-now"
    moved = line(state, "ulm-munich")
    assert "ask innsbruck" in texts(moved)
    assert "ask ulm" not in texts(moved)
    assert "ask ulm" in texts(line(state, "stay"))


@rule("F10")
def test_answers_are_true_public_and_final() -> None:
    state = line(begin("berlin", "munich", "kiel", "salzburg"), "stay; roll 1; stay")
    assert events(state, "ask salzburg") == [{"kind": "answer", "at": "salzburg", "thing": "yes"}]
    assert events(state, "ask munich") == [{"kind": "answer", "at": "munich", "thing": "no"}]
    no, yes = line(state, "ask munich"), line(state, "ask salzburg")
    assert possible(no) == set(no.facts.rules.board.ids) - {"munich"}
    assert possible(yes) == {"salzburg"}
    for seat in ("allies", None, "hitler"):
        assert yes.view(seat).json()["answers"] == [{"round": 1, "at": "salzburg", "here": True}]
    assert line(yes, "ask munich").view(None).json()["answers"][1] == {
        "round": 1,
        "at": "munich",
        "here": False,
    }
    assert why(yes, "ask-take-back", "allies") == ("nothing-to-take-back", "H1")
