"""What a view of the hunt leaves open: counted and drawn, against a list of every way he may have gone."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import boardrules
from boardrules.fuhrer.play import FuhrerState
from rules.fuhrer.brute import Guess, Guesses
from rules.fuhrer.positions import GAME, SMALL, begin, line, new, random_options, rest, walk

HUNT = boardrules.package(GAME)


def as_guess(state: FuhrerState) -> Guess:
    """The sheet of a state as a way that he may have gone."""
    ids, sheet = state.facts.rules.board.ids, state.sheet
    bound = bool(state.facts.rules.trap_rule.trapped_marks(sheet.mark, 0))
    return Guess(ids[sheet.start], tuple(ids[city] for city in sheet.entries), bound)


def compare(rng: random.Random, states: int) -> None:
    """In random games by random options: as many, of the ways that are left, and nobody sees a difference."""
    done = 0
    while done < states:
        state = new(**random_options(rng, sheet="umpire"))
        guesses = Guesses(state.options)
        for at, action in walk(state, rng, 40):
            after, events = at.apply(action)
            guesses.hear(events)
            if after.outcome is not None:
                break
            seat = after.seats[-1]
            view = after.view(seat)
            drawn = HUNT.resample(view, rng)
            assert isinstance(drawn, FuhrerState)
            assert drawn.view(seat) == view
            assert [drawn.legal_actions(each) for each in drawn.seats_to_act() if each != "hitler"] == [
                after.legal_actions(each) for each in after.seats_to_act() if each != "hitler"
            ]
            own = HUNT.resample(after.view("hitler"), rng)
            assert (own.view("hitler"), own.truth()) == (after.view("hitler"), after.truth())
            assert tuple(own.legal_actions("hitler")) == tuple(after.legal_actions("hitler"))
            assert HUNT.count_consistent(after.view("hitler")) == 1
            if after.facts.round:
                assert HUNT.count_consistent(view) == len(guesses.left), after.options
                assert as_guess(drawn) in guesses.left
                done += 1


def test_as_many_states_as_ways_that_are_left() -> None:
    compare(random.Random(1), 60)


@pytest.mark.nightly
def test_as_many_states_as_ways_in_many_games() -> None:
    compare(random.Random(2), 5000)


def test_each_state_is_as_likely() -> None:
    state = rest(line(rest(begin("bonn", "ulm", "trier", "linz", map=SMALL)), "go linz"))
    view, rng = state.view("allies"), random.Random(1)
    count = HUNT.count_consistent(view)
    drawn = Counter(as_guess(HUNT.resample(view, rng)) for _ in range(40 * count))  # type: ignore[arg-type]
    assert len(drawn) == count > 5
    assert 15 < min(drawn.values()) <= max(drawn.values()) < 75


def test_a_drawn_game_goes_on_to_its_end() -> None:
    rng, state = random.Random(3), begin("bonn", "ulm", "trier", "linz", map=SMALL)
    drawn = HUNT.resample(state.view("allies"), rng)
    assert isinstance(drawn, FuhrerState)
    for at, action in walk(drawn, rng):
        drawn, _ = at.apply(action)
    assert drawn.outcome is not None


def test_what_can_not_be_completed_is_told() -> None:
    state = begin("bonn", "ulm", "trier", "linz", map=SMALL)
    with pytest.raises(ValueError, match="expected the view of a seat whose game goes on"):
        HUNT.count_consistent(state.view(None))
    paper = new(sheet="paper")
    with pytest.raises(ValueError, match="Hitler keeps his own sheet; expected sheet=umpire"):
        HUNT.resample(paper.view("allies"), random.Random(1))
