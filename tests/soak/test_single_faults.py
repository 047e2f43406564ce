"""Each single hardware fault in mid-game is noticed within two turns that meet it or harmless; no misruling.

Careful people play on while a part of their board fails. Whatever the umpire accepts has to be what they did;
what it can't feel it has to say so, ask, or set a chore: nothing is lost in silence.
"""

from __future__ import annotations

import random
from functools import cache, partial
from typing import Any

import pytest

from boardlab.soak import one_game
from boardlab.soak.one_game import SoakPlan
from boardsim.people.people import StrategoPeople
from boardsim.people.rates import PROFILES, TurnError
from boardsim.world import faults
from boardsim.world.faults import PartFault
from boardumpire.commands.table_factory import TableFactory
from boardware.description import load_board

BOARD = load_board("quick-battle-8x8")
EVERY = list(faults.every_fault(BOARD))
PLAN = SoakPlan(profile="careful", board="quick-battle-8x8")
TURN = 7
"""After so many turns the part fails."""
TURNS = 24
"""So long the game goes on."""


SOON = 2
"""Within so many turns of the first word that differs somebody has to have been told."""
NOTICES = ("fault", "question", "reminder", "proposal", "trouble")


class Breaking(StrategoPeople):
    """People on whose board a part fails, if one is named."""

    fault: PartFault | None = None

    def _turn(self) -> None:
        if self.sitting.turn == TURN:
            world = self.scene.world
            if self.fault is not None:
                world.plan(world.now, partial(_fail, world, self.fault))
            self.scene.wait(500)
        super()._turn()


def _fail(world: Any, fault: PartFault, at: int) -> None:
    faults.inject(world, fault, at)


def breaks(fault: PartFault | None, seed: int = 0) -> tuple[Breaking, list[Any]]:
    """A game in which that part fails, and what everybody was told in it, each with its turn."""
    given = one_game.game_bench_settings(PLAN, seed)
    people = Breaking(given, TableFactory(), f"faults {seed}", PROFILES["careful"], longest=TURNS)
    people.fault = fault
    told: list[Any] = []
    people.scene.listeners.append(
        lambda message: told.append((people.sitting.turn, message)) if message.seat is None else None
    )
    try:
        people.play()
    finally:
        people.scene.close()
    return people, told


@cache
def words(seed: int) -> list[tuple[str, Any]]:
    """What everybody is told in the same game where nothing is broken."""
    people, told = breaks(None, seed)
    assert not people.judge.findings
    return [word(message) for _, message in told]


def word(message: Any) -> tuple[str, Any]:
    """What a message says; a commitment hangs on a salt that is drawn anew each time."""
    return message.kind, {key: value for key, value in message.data.items() if key != "commitment"}


def judged(fault: PartFault, seed: int = 0) -> str:
    """`harmless` or `noticed`; fails where the umpire misruled or kept silent.

    Noticed is what is told and would not have been told without the fault, soon after the first word differs.
    """
    people, told = breaks(fault, seed)
    wrong = [finding for finding in people.judge.findings if finding.kind == "wrong"]
    if fault.kind == "button-closed":  # held down it offers or asks: everybody hears that, and can say no
        offers = ("offer-draw", "ask-take-back")
        wrong = [finding for finding in wrong if not any(offer in finding.what for offer in offers)]
    assert not wrong, f"{fault}: {wrong}"
    same = words(seed)
    first = next(
        (at for at, (_, message) in enumerate(told) if at >= len(same) or word(message) != same[at]),
        len(told),
    )
    said = [
        turn
        for turn, message in told[first:]
        if message.kind in NOTICES
        or (message.kind == "chores" and message.data["chores"])
        or (message.kind == "ruling" and message.data["action"] in ("offer-draw", "ask-take-back"))
    ]
    if people.judge.findings:  # nothing is lost in silence
        assert said, f"{fault}: {people.judge.findings}, and nobody was told"
        assert said[0] <= told[first][0] + SOON, f"{fault}: told in turn {said[0]}"
    return "noticed" if said and said[0] <= told[first][0] + SOON else "harmless"


SAMPLE = [random.Random(kind).choice([each for each in EVERY if each.kind == kind]) for kind in faults.KINDS]


@pytest.mark.few(2)
@pytest.mark.parametrize("fault", SAMPLE, ids=str)
def test_a_part_that_fails_in_mid_game_is_noticed_or_harmless_and_never_misruled(fault: PartFault) -> None:
    assert judged(fault) in ("noticed", "harmless")


@pytest.mark.few(1)
@pytest.mark.parametrize("slot_of", ["mover", "bystander"])
def test_a_reed_that_sticks_open_under_a_piece_is_told_of_at_once(slot_of: str) -> None:
    """The piece seems to be up: that is a chore, a reminder or a question, and the game can go on by hand."""
    people, _ = breaks(None)
    stands = sorted(people.judge.expected_pieces)
    own = [space for space in stands if people.judge.expected_pieces[space].owner == "red"]
    space = own[0] if slot_of == "mover" else own[-1]
    assert judged(PartFault("reed-open", space)) == "noticed"


def test_a_part_that_nothing_hangs_on_is_harmless() -> None:
    """What is told in every game, the chores of a battle, is not taken for noticing a fault."""
    assert any(kind == "chores" and data["chores"] for kind, data in words(0))
    assert judged(next(each for each in EVERY if each.kind == "lamp-dead")) == "harmless"


@pytest.mark.nightly
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
    assert TurnError(1, "slide").kind in PROFILES["clumsy"]._fields
