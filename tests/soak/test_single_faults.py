"""Each single hardware fault in mid-game is noticed within two turns that meet it or harmless; no misruling.

Careful people play on while a part of their board fails. Whatever the umpire accepts has to be what they did;
what it can't feel it has to say so, ask, or set a chore: nothing is lost in silence.
"""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from boardsim import faults, soak
from boardsim.faults import Fault
from boardsim.people import PROFILES, Erring, People
from boardsim.soak import Plan
from boardumpire.factory import TableFactory
from boardware.description import load_board

BOARD = load_board("quick-battle-8x8")
EVERY = list(faults.every(BOARD))
PLAN = Plan(profile="careful", board="quick-battle-8x8")
TURN = 7
"""After so many turns the part fails."""
TURNS = 24
"""So long the game goes on."""


class Breaking(People):
    """People on whose board a part fails."""

    fault: Fault
    met = 0
    """Turns since, in which the fault changed what was felt or shown."""

    def _turn(self) -> None:
        if self.turn == TURN:
            world = self.scene.world
            world.plan(world.now, partial(_fail, world, self.fault))
            self.scene.wait(500)
        super()._turn()


def _fail(world: Any, fault: Fault, at: int) -> None:
    faults.inject(world, fault, at)


def breaks(fault: Fault, seed: int = 0) -> tuple[Breaking, list[Any]]:
    """A game in which that part fails, and what everybody was told after."""
    given = soak.setting(PLAN, seed)
    people = Breaking(given, TableFactory(), f"faults {seed}", PROFILES["careful"], longest=TURNS)
    people.fault = fault
    told: list[Any] = []
    people.scene.listeners.append(lambda message: told.append((people.turn, message)))
    try:
        people.play()
    finally:
        people.scene.close()
    return people, told


def judged(fault: Fault, seed: int = 0) -> str:
    """`harmless` or `noticed`; fails where the umpire misruled or kept silent."""
    people, told = breaks(fault, seed)
    wrong = [finding for finding in people.judge.findings if finding.kind == "wrong"]
    if fault.kind == "button-closed":  # held down it offers or asks: everybody hears that, and can say no
        offers = ("offer-draw", "ask-take-back")
        wrong = [finding for finding in wrong if not any(offer in finding.what for offer in offers)]
    assert not wrong, f"{fault}: {wrong}"
    said = [
        (turn, message)
        for turn, message in told
        if turn >= TURN
        and message.seat is None
        and (
            message.kind in ("fault", "question", "reminder", "proposal")
            or (message.kind == "chores" and message.data["chores"])
        )
    ]
    lost = [finding for finding in people.judge.findings if finding.kind in ("lost", "missed")]
    if lost:
        assert any(turn >= people.turn - 2 for turn, _ in said), f"{fault}: {lost}, and nobody was told"
    return "noticed" if said else "harmless"


SAMPLE = [random.Random(kind).choice([each for each in EVERY if each.kind == kind]) for kind in faults.KINDS]


@pytest.mark.parametrize("fault", SAMPLE, ids=str)
def test_a_part_that_fails_in_mid_game_is_noticed_or_harmless_and_never_misruled(fault: Fault) -> None:
    assert judged(fault) in ("noticed", "harmless")


@pytest.mark.parametrize("slot_of", ["mover", "bystander"])
def test_a_reed_that_sticks_open_under_a_piece_is_told_of_at_once(slot_of: str) -> None:
    """The piece seems to be up: that is a chore, a reminder or a question, and the game can go on by hand."""
    people, _ = breaks(Fault("button-open", "confirm"))  # the same game with nothing that matters broken
    stands = sorted(people.judge.stands)
    own = [space for space in stands if people.judge.stands[space].owner == "red"]
    space = own[0] if slot_of == "mover" else own[-1]
    assert judged(Fault("reed-open", space)) in ("noticed", "harmless")


@pytest.mark.prove
@pytest.mark.parametrize("kind", faults.KINDS)
def test_every_single_fault_is_noticed_or_harmless_and_never_misruled(
    kind: str, record_property: Any
) -> None:
    """Every part of the board fails once in mid-game, each in two games."""
    seen = {"noticed": 0, "harmless": 0}
    for fault in EVERY:
        if fault.kind == kind:
            for seed in range(2):
                seen[judged(fault, seed)] += 1
    record_property("faults", sum(seen.values()) // 2)
    for verdict, count in seen.items():
        record_property(verdict, count)
    assert sum(seen.values()) > 0


def test_errors_have_names() -> None:
    assert str(EVERY[0]) == f"{EVERY[0].kind} {EVERY[0].where}"
    assert Erring(1, "slide").kind in PROFILES["clumsy"]._fields
