"""Games with the same public history and other hidden places are one and the same to the Allies."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardrules.core import Action, visible
from boardrules.fuhrer.actions import HITLER, ChooseStart, HitlerTurn, interned_action
from boardrules.fuhrer.play import FuhrerState
from rules import contract
from rules.fuhrer.brute import Guess, Guesses
from rules.fuhrer.positions import attempts, new, random_options, walk
from rules.ids import rule


def other_way(state: FuhrerState, played: list[Action], guess: Guess) -> list[Action]:
    """The actions of a game that was played, with Hitler's by another guess of his way."""
    board = state.facts.rules.board
    path = list(guess.path if len(guess.path) else ())
    if not state.facts.rules.hitler_moves_first:
        path = path[1:]
    made: list[Action] = []
    for action in played:
        if isinstance(action, ChooseStart):
            made.append(interned_action(ChooseStart, board, HITLER, board.index[guess.start]))
        elif isinstance(action, HitlerTurn):
            made.append(interned_action(HitlerTurn, board, HITLER, board.index[path.pop(0)], action.origins))
        else:
            if str(action) == "recapture":
                path.pop(0)
            made.append(action)
    return made


def compared(options: dict[str, Any], rng: random.Random, longest: int) -> int:
    """Play a game, then others that its public history leaves open: everything others see is equal."""
    state = new(**options)
    guesses = Guesses(state.options)
    played: list[Action] = []
    for at, action in walk(state, rng, longest):
        guesses.hear(at.apply(action)[1])
        played.append(action)
        last = at.apply(action)[0]
    if last.outcome is not None or not last.sheet.mark:
        return 0
    others = [guess for guess in sorted(guesses.left) if guess.at != last.truth()["sheet"]["at"]]
    for guess in rng.sample(others, min(2, len(others))):
        one = twin = new(**options)
        for action, instead in zip(played, other_way(one, played, guess), strict=True):
            for tried in islice(attempts(one, rng), 3):
                told_alike(one, twin, tried)
            (one, told), (twin, others_told) = one.apply(action), twin.apply(instead)
            for seat in (*one.seats[1:], None):
                contract.same_to(one, twin, seat)
                assert visible(told, seat) == visible(others_told, seat)
                assert one.view(seat).possible_cities == twin.view(seat).possible_cities
                assert json.dumps(one.view(seat).json()) == json.dumps(twin.view(seat).json())
    return len(others)


def told_alike(one: FuhrerState, twin: FuhrerState, action: Action) -> None:
    """What is refused in both is refused in public by the same words."""
    refusals = [state.refusal(action) for state in (one, twin)]
    if None not in refusals:
        assert (
            len({refusal.public_code or (refusal.code, refusal.params) for refusal in refusals if refusal})
            == 1
        )
    if action.seat != HITLER:
        assert refusals[0] == refusals[1]


@rule("G25", "F10", "G7", "H5")
@settings(max_examples=settings.default.max_examples * 3 // 20)
@given(st.integers(0, 2**32), st.integers(8, 120))
def test_another_way_with_the_same_public_history_looks_the_same(seed: int, longest: int) -> None:
    rng = random.Random(seed)
    compared(random_options(rng, sheet="umpire"), rng, longest)


def test_the_property_sees_other_ways() -> None:
    found = 0
    for seed in range(10):
        rng = random.Random(seed)
        found += compared(random_options(rng, sheet="umpire"), rng, 60) > 0
    assert found >= 4


@pytest.mark.nightly
def test_twin_games(record_property: Callable[[str, object], None]) -> None:
    """Random games, each beside two others with the same public history and another hidden way: what every
    Allied seat and the spectator see, hear and may do is equal at every step."""
    pairs = 0
    for seed in range(200):
        rng = random.Random(seed)
        pairs += min(2, compared(random_options(rng, sheet="umpire"), rng, rng.randrange(8, 240)))
    record_property("seeds", "0 to 199")
    record_property("pairs of games", pairs)


@rule("F10", "G25")
def test_no_repr_tells_where_he_is() -> None:
    rng = random.Random(4)
    for state, action in walk(new(), rng, 60):
        city = str(state.truth()["sheet"]["at"])
        shown = repr(state) + repr(state.sheet) + repr(action if action.secret else "")
        shown += "".join(repr(state.view(seat)) for seat in ("hitler", "allies", None))
        assert city not in shown or city == "None"
        if action.secret:
            assert repr(action) == "a secret"
        hitlers = state.parse("go berlin", "hitler")
        assert "berlin" not in repr(state.refusal(hitlers)) + repr(hitlers)


@rule("X12")
def test_what_hitler_may_not_is_told_to_him_alone() -> None:
    rng = random.Random(9)
    codes = set()
    for state, _ in walk(new(), rng, 200):
        if state.facts.stage.name != "hitler":
            continue
        for city in state.facts.rules.board.ids:
            for text in (f"go {city}", f"go {city} ticket", f"go {city} ticket=bonn", "recapture"):
                refusal = state.refusal(state.parse(text, "hitler"))
                if refusal is not None:
                    assert refusal.public_code == "fuhrer/not-allowed"
                    codes.add(refusal.code)
    assert {"fuhrer/out-of-reach", "fuhrer/no-flag", "fuhrer/tell-origin"} <= codes
