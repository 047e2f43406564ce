"""The possible places of Hitler are exact: equal to listing every way he may have gone."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from boardrules.fuhrer.options import OPTION_VALUES
from rules.fuhrer.brute import Guesses
from rules.fuhrer.positions import (
    SMALL,
    begin,
    city_of,
    drive,
    line,
    new,
    possible,
    random_options,
    rest,
    walk,
)
from rules.ids import rule


def compare(rng: random.Random, states: int) -> tuple[int, int]:
    """Compare in random games by random options; how many states, and how often fewer than all were left."""
    done = narrow = 0
    while done < states:
        state = new(**random_options(rng, sheet="umpire"))
        guesses = Guesses(state.options)
        hidden = False
        for at, action in walk(state, rng):
            after, events = at.apply(action)
            guesses.hear(events)
            hidden = hidden or bool(after.sheet.mark)
            if hidden:
                found = possible(after)
                assert city_of(after) in found
                assert found == guesses.cities(), (after.options, action)
                done += 1
                narrow += len(found) < len(guesses.map.beside)
    return done, narrow


@rule("H5")
def test_possible_places_equal_those_of_brute_force() -> None:
    done, narrow = compare(random.Random(1), 500)
    assert narrow > done / 3


@pytest.mark.nightly
def test_possible_places_on_many_states(record_property: Callable[[str, object], None]) -> None:
    """In random games by random options on two maps the possible places always hold Hitler's city and equal
    those found by listing every way he may have gone."""
    seed = 17
    done, narrow = compare(random.Random(seed), 10_000)
    record_property("seed", seed)
    record_property("states compared", done)
    record_property("of them with fewer than all cities left", narrow)


@rule("H5")
@pytest.mark.parametrize("name", sorted(OPTION_VALUES.keys() - {"players", "sheet"}))
def test_every_option_keeps_them_exact(name: str) -> None:
    for value in OPTION_VALUES[name]:
        rng = random.Random(f"{name} {value}")
        options = {name: value, "map": SMALL}
        if options.get("tank_roll") == "always":
            options["liberation"] = "automatic"
        state = new(**options)
        guesses = Guesses(state.options)
        for at, action in walk(state, rng, 80):
            after, events = at.apply(action)
            guesses.hear(events)
            if after.sheet.mark:
                assert possible(after) == guesses.cities()


@rule("H5")
def test_an_example() -> None:
    state = begin("berlin", "ulm", "kiel", "linz")
    whole = set(state.facts.rules.board.ids)
    state = line(state, "stay; roll 1; stay; ask ulm; ask augsburg; roll 1; stay")
    assert possible(state) == whole - {"ulm", "augsburg", "kiel"}
    state = drive(state, "go linz")
    assert "ulm" in possible(state)
    state = line(state, "go passau")  # the token stands on Linz
    near = {
        "linz", "passau", "salzburg", "regensburg", "innsbruck", "munich", "nurnberg", "freiburg", "augsburg",
    }  # fmt: skip
    assert near < possible(state)
    assert not {"kiel", "bonn", "hamburg"} & possible(state)


@rule("H5")
def test_they_are_a_help_and_not_in_any_view() -> None:
    state = rest(begin("berlin", "ulm", "kiel", "linz"))
    for seat in ("allies", None, "hitler"):
        assert "possible" not in state.view(seat).json()
        assert state.view(seat).possible_cities == state.view(None).possible_cities
    assert list(state.view(None).possible_cities) == [
        city for city in state.facts.rules.board.ids if city != "kiel"
    ]
